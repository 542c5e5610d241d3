"""Playing: `submit` is the one way in for every command of every game.

One short transaction: lock the table, answer a repeated command id from the log, check the
right to act, decide, append. Nothing is acknowledged before the commit. Commands that arrive
together take it through writer.py, which commits what is plain in one transaction.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db import transaction

from games import plugin
from games.kernel.contract import Choice, Command, Illegal, JsonObject
from games.models import Membership, Seat, Table
from games.services import acceptance, house, ledger
from games.services.ledger import Receipt

LONGEST_COMMAND_ID = 48


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks: a player, or (player None) the house itself, for itself or for a bot's seat."""

    player_id: int | None = None
    bot_seat: int | None = None


HOUSE = Actor()


@dataclass(frozen=True, slots=True)
class Request:
    """A command as it came in: not yet tied to a seat.

    `at` is the last entry of the log that it was made after: it is refused as `stale` once
    there is another one. None: whatever has happened since, the rules decide.
    """

    name: str
    args: JsonObject
    command_id: str
    basis: int | None = None
    at: int | None = None


def new_command_id() -> str:
    """Return a fresh command id for a request of the house's own."""
    return uuid.uuid4().hex


def answer_of_house(kind: str, choice: Choice, seq: int, name: str, args: JsonObject) -> Request:
    """Return how a bot or the clock (`kind`) answers a choice, at a table after entry `seq`.

    The id tells the act from all others: whatever else the same entry opened for the same
    seat, under whichever name, is answered after another entry. Two processes that look at
    the same table make the same id, so that only one of them acts.
    """
    command_id = f"{kind}:{choice.seat}:{seq}:{choice.opened_at}:{choice.name}"
    basis = choice.opened_at if name == choice.name else None
    return Request(name, args, command_id[:LONGEST_COMMAND_ID], basis, at=seq)


def check_at(request: Request, seq: int) -> None:
    """Raise Illegal `stale` for a request that was made after another entry than `seq`."""
    if request.at is not None and request.at != seq:
        raise Illegal("stale", basis=request.at, open=seq)


def submit(table_id: int, actor: Actor, request: Request) -> Receipt:
    """Carry out a command and return its receipt.

    Raises Illegal with the rules' code or one of: `no_such_table`, `bad_command_id`,
    `not_seated`, `not_host`, `removed`, `not_started`, `paused`, `finished`, `no_basis`,
    `accept_first`, `stale`.
    """
    if not 0 < len(request.command_id) <= LONGEST_COMMAND_ID:
        raise Illegal("bad_command_id")
    with transaction.atomic():
        table = ledger.lock(table_id)
        command_id = scoped(actor, request.command_id)
        seat = _seat_of(table, actor)
        if (receipt := ledger.earlier(table, command_id)) is not None:
            return receipt
        if request.name.startswith(house.PREFIX):
            return house.carry_out(table, actor.player_id, request.name, request.args, command_id)
        return _play(table, actor, seat, request, command_id)


def scoped(actor: Actor, command_id: str) -> str:
    """Return a command id that one player cannot aim at another's."""
    return f"{actor.player_id or 0}:{command_id}"


def _seat_of(table: Table, actor: Actor) -> int | None:
    """Return the actor's seat; raises `removed` for a player shown the door."""
    if actor.player_id is None:
        return actor.bot_seat
    inside = Membership.objects.filter(night_id=table.night_id, player_id=actor.player_id, status=Membership.Status.IN)
    if not inside.exists():
        raise Illegal("removed")
    seats = Seat.objects.filter(table=table, player_id=actor.player_id)
    return seats.values_list("index", flat=True).first()


def _play(table: Table, actor: Actor, seat: int | None, request: Request, command_id: str) -> Receipt:
    """Let the game decide a command and append what it says."""
    is_house = actor.player_id is None
    if seat is None and not is_house:
        raise Illegal("not_seated")
    if request.basis is None and not is_house:
        raise Illegal("no_basis")
    check_playing(table)
    if actor.player_id is not None:
        acceptance.check_accepted(table, actor.player_id)
    check_at(request, table.seq)
    rules = plugin.game(table.game_id).rules
    state = ledger.state_of(table)
    dice = ledger.dice_of(table)
    command = Command(request.name, seat, request.args, request.basis)
    events = rules.decide(state, command, dice, table.seq + 1).events
    return ledger.append(
        table,
        events,
        command_id=command_id,
        command={"name": request.name, "args": request.args, "basis": request.basis},
        seat=seat,
        actor_id=actor.player_id,
        dice=dice,
        before=state,
    )


def check_playing(table: Table) -> None:
    """Raise Illegal unless the table's game is under way and not paused."""
    refusals = {
        Table.Status.LOBBY: "not_started",
        Table.Status.PAUSED: "paused",
        Table.Status.FINISHED: "finished",
    }
    if (code := refusals.get(Table.Status(table.status))) is not None:
        raise Illegal(code)

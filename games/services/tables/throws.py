"""Throws with devices: the intent, the links, the silence, and the end of a throw without dice.

A command that needs dice in which devices can have a part is not carried out at once: an entry records the
intent, the devices give their links, and the same command is decided again with the dice (commit.py).
Nothing here writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TypeAlias

from games.kernel.contract import Event, Illegal, JsonObject, Seat
from games.kernel.dice.chains import ThrowDice
from games.models import Table
from games.services.arguments import Tip, Waited
from games.services.commands import HOUSE, Actor, Request
from games.services.dice import dice_chains
from games.services.dice.dice_chains import Chains, UnderWay
from games.services.tables.decisions import LockedTable, Submission, TableDecision
from games.services.tables.registry import COMMANDS, TableRight

THROW = "table.throw"
"""The house's own command that begins a throw; its arguments are the command that waits for the dice."""
LINK, SILENT, TIP = "table.link", "table.link_missed", dice_chains.TIP
ANSWERS = (LINK, SILENT)
"""Commands of a device that gives its link, and of the clock for a silent device."""
_HASH = re.compile(r"[0-9a-f]{64}")
Present: TypeAlias = Callable[[int], "Collection[Seat] | None"]


def _nobody_knows(table_id: int) -> Collection[Seat] | None:
    return None


_present: Present = _nobody_knows


def set_source(present: Present) -> None:
    """Register the function that returns the connected and shown seats of a table, None if that is not known.

    `games.live` knows it; services do not depend on it.
    """
    global _present  # noqa: PLW0603
    _present = present


def contributors(table: LockedTable, request: Request, seat: Seat | None) -> tuple[Seat, ...]:
    """Return the seats whose devices would have a part in a throw of a command, in the order of asking.

    The opponents come first, the thrower last; () if the server throws alone.
    """
    found = table.snapshot.chains
    if found is None or not found.seats or table.snapshot.state is None:
        return ()
    able = _able(table, found)
    roller, others = _throwing(table, request, seat)
    opponents = [each for each in others if each in able and each != roller]
    # If throws wait for absent devices, present ones are asked first.
    here = _present(table.snapshot.table_id) if found.waits else None
    opponents.sort(key=lambda each: here is not None and each not in here)
    return (*opponents, *((roller,) if roller is not None and roller in able else ()))


def _able(table: LockedTable, found: Chains) -> Collection[Seat]:
    """Return the seats whose device has links left, and is present or of unknown presence, or is waited for."""
    present = _present(table.snapshot.table_id)
    able = {each.seat for each in found.seats if each.index < dice_chains.LAST_INDEX}
    people = {index for index, each in table.seats.items() if each.player_id is not None}
    return able & people if present is None or found.waits else able & people & set(present)


def _throwing(table: LockedTable, request: Request, seat: Seat | None) -> tuple[Seat | None, tuple[Seat, ...]]:
    """Return the thrower, and the other seats in the order in which their devices are asked."""
    if seat is None:
        named = request.args.get("seat")
        seat = named if type(named) is int and named in table.seats else None
    return table.game.throwing(table.snapshot.state, seat, len(table.seats))


def begun(
    submission: Submission, table: LockedTable, seat: Seat | None, contributors: Sequence[Seat], count: int
) -> tuple[Submission, LockedTable, TableDecision]:
    """Return the house's own command that begins a throw of `count` dice and stores the command that needs them.

    With it come the table and the decision that records the intent.
    """
    found, request = _chains(table), submission.request
    roller, _ = _throwing(table, request, seat)
    data = {
        "k": found.k + 1,
        "seat": roller,
        "n": count,
        "contributors": list(contributors),
        "ctx": found.digest,
        "command": request.name,
        **({"waits": True} if found.waits else {}),
    }
    own = Request(THROW, _pending(submission.actor, request), f"throw:{data['k']}")
    ahead = dice_chains.committed_ahead(found, table.snapshot.dice_seed, found.k + 1)
    decision = TableDecision((Event(dice_chains.BEGUN, data), *ahead), table.snapshot.state)
    return Submission(submission.table_id, HOUSE, own), table, decision


def _pending(actor: Actor, request: Request) -> JsonObject:
    """Return a command with its actor, in the form stored with the intent of its throw."""
    about = {"name": request.name, "args": request.args, "id": request.id, "basis": request.basis}
    return {**about, "player": actor.player_id, "bot": actor.bot_seat, "seat": request.seat, "sitter": request.sitter}


def command_of(under_way: UnderWay) -> tuple[Actor, Request]:
    """Return the command for which a throw under way was begun, with its actor."""
    kept = under_way.asked
    seat, sitter = kept.get("seat"), kept.get("sitter")
    request = Request(kept["name"], kept["args"], kept["id"], kept["basis"], seat=seat, sitter=sitter)
    return Actor(kept["player"], kept["bot"]), request


def answered(table: LockedTable, request: Request, seat: Seat | None) -> tuple[Event, UnderWay]:
    """Return the event of a link or of silence, and the throw after it.

    Raises `no_link_wanted`, `bad_link`.
    """
    found = _chains(table)
    under_way = found.under_way
    next_seat = None if under_way is None else next(iter(under_way.waiting), None)
    if under_way is None or under_way.k != request.args.get("k") or (request.name == LINK and seat != next_seat):
        raise Illegal("no_link_wanted")
    about = {"k": under_way.k, "seat": next_seat}
    event = Event(dice_chains.MISSED, about)
    if request.name == LINK:
        event = Event(dice_chains.GIVEN, {**about, "link": _checked(found, seat, request.args.get("link"))})
    return event, dice_chains.answered(under_way, event)


@COMMANDS.act("table.go_on", TableRight.HOST)
def go_on(table: LockedTable, k: Waited) -> TableDecision:
    """Continue a waiting throw without the device that is asked; the clock brings the dice.

    Raises `no_link_wanted` if no throw waits: otherwise only the clock may declare a device silent.
    """
    under_way = table.snapshot.under_way
    if under_way is None or not under_way.waits or not under_way.waiting or under_way.k != k:
        raise Illegal("no_link_wanted")
    event = Event(dice_chains.MISSED, {"k": under_way.k, "seat": under_way.waiting[0]})
    return TableDecision((event,), table.snapshot.state)


def _checked(found: Chains, seat: Seat | None, link: object) -> str:
    """Return a link if it is the next one of a seat's chain; raises `bad_link`."""
    last = found.last_in_throw(seat)
    if last is None or not isinstance(link, str) or not _HASH.fullmatch(link):
        raise Illegal("bad_link")
    if not dice_chains.is_next(last, link):
        raise Illegal("bad_link")
    return link


def dice(table: LockedTable, under_way: UnderWay) -> ThrowDice:
    """Return the dice of a throw that has all its links."""
    snapshot, begun = table.snapshot, _chains(table).server
    found = ThrowDice(snapshot.public_id, snapshot.dice_seed, under_way.k, under_way.ctx, begun)
    return found.with_links(under_way.level, dict(under_way.links))


def events_about(
    table: LockedTable, decision: TableDecision, so_far: tuple[Event, ...], status: str
) -> tuple[Event, ...]:
    """Return the house's events about the dice: the end of a throw, the next chain, the seed at the end.

    `so_far` and `status` are the events and the status of the table after the decision.
    """
    found, throw = table.snapshot.chains, table.dice.throw
    events: tuple[Event, ...] = ()
    if found is not None and (throw is None or throw.k != found.k):
        if found.under_way is not None:
            events += _ended_by(table, replace(decision, events=so_far, status=status))
        events += () if throw is None else dice_chains.committed_ahead(found, table.snapshot.dice_seed, throw.k)
    events += dice_chains.held_back(found, table.snapshot.dice_seed, table.dice, so_far)
    if status == Table.Status.FINISHED != table.snapshot.status:
        events += (Event("table.dice_revealed", {"seed": table.snapshot.dice_seed, "salt": table.snapshot.dice_salt}),)
    return events


def _ended_by(table: LockedTable, decision: TableDecision) -> tuple[Event, ...]:
    """Return the event that cancels the throw under way if another decision has changed its subject, else ().

    That is so if the table ends, the thrower's seat changes its player, or the game's state changes otherwise
    than by a correction, which has nothing to do with the throw.
    """
    under_way = table.snapshot.chains.under_way if table.snapshot.chains is not None else None
    if under_way is None:
        return ()
    is_over = decision.status is not None and decision.status not in ("playing", "paused")
    is_moved = decision.state is not table.snapshot.state and decision.corrects is None
    if is_over or is_moved or dice_chains.changes_sitter(decision.events, under_way.seat):
        return (dropped(under_way),)
    return ()


def check_keeps(table: LockedTable, decision: TableDecision) -> None:
    """Raise Illegal `throw_under_way` for a decision that would cancel the throw under way.

    The thrower's own going cancels it, as does breaking the table off.
    """
    under_way = table.snapshot.under_way
    if under_way is None or decision.status is not None or decision.state is table.snapshot.state:
        return
    if not dice_chains.changes_sitter(decision.events, under_way.seat):
        raise Illegal("throw_under_way")


def dropped(under_way: UnderWay) -> Event:
    """Return the event that ends a throw without dice."""
    return Event(dice_chains.DROPPED, {"k": under_way.k})


@COMMANDS.act("table.dice_tip", TableRight.SEAT)
def tell_tip(table: LockedTable, seat: int, tip: Tip) -> TableDecision:
    """Record the tip of a device's new chain, for later throws; raises `no_tips`, `bad_tip`."""
    if table.snapshot.chains is None:
        raise Illegal("no_tips")
    if not _HASH.fullmatch(tip):
        raise Illegal("bad_tip")
    return TableDecision((Event(TIP, {"seat": seat, "tip": tip}),), table.snapshot.state)


def _chains(table: LockedTable) -> Chains:
    """Return a table's chains; raises `no_link_wanted` if its dice have none."""
    if table.snapshot.chains is None:
        raise Illegal("no_link_wanted")
    return table.snapshot.chains

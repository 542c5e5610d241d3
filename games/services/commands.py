"""Commands sent to a table: the actor, the request, and the ids that distinguish them."""

from __future__ import annotations

import uuid

from games.kernel.contract import Choice, JsonObject
from games.kernel.data.records import record

LONGEST_COMMAND_ID = 48


@record(frozen=True, slots=True)
class Actor:
    """The sender of a command: a player, or (player None) the house, for itself or for a bot's seat."""

    player_id: int | None = None
    bot_seat: int | None = None


HOUSE = Actor()


@record(frozen=True, slots=True)
class Request:
    """A command as received, before its seat is known.

    `at` is the last entry of the log that the sender knew: after any other entry it is refused as
    `stale`; with None the rules decide whatever has happened since. `seat` is the seat that it is
    made for, None for the actor's own; `sitter` is the player that the actor sees there, if the sender names one. `lag`
    are the milliseconds that its way to the house took, as far as they are known.
    """

    name: str
    args: JsonObject
    id: str
    basis: int | None = None
    at: int | None = None
    seat: int | None = None
    sitter: int | None = None
    lag: int = 0


def new_command_id() -> str:
    """Return a new command id for a request of the house's own."""
    return uuid.uuid4().hex


def answer_of_house(kind: str, choice: Choice, seq: int, name: str, args: JsonObject) -> Request:
    """Return the request by which a bot or the clock (`kind`) answers a choice, at a table after entry `seq`.

    The id is unique to this act: anything else that the same entry opened for the same seat, under any name,
    is answered after another entry. Two processes that look at the same table make the same id, so
    only one of them acts.
    """
    command_id = f"{kind}:{choice.seat}:{seq}:{choice.opened_at}:{choice.name}"
    basis = choice.opened_at if name == choice.name else None
    return Request(name, args, command_id[:LONGEST_COMMAND_ID], basis, at=seq)

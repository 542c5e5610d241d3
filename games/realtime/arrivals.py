"""What connections ask the database again and again, answered for many in one visit.

When a router comes back, a cellar of phones says hello at the same moment: their sessions,
rights, tables and logs are read for all of them together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.kernel.contract import Illegal, JsonObject
from games.realtime.batch import Batch
from games.realtime.visits import Visit
from games.services import attendance, reading, rights, screens
from games.services.rights import Access, Asker


@dataclass(frozen=True, slots=True)
class Hello:
    """Who asks to be let in; `session` is None as long as it has not been read."""

    visit: Visit
    session: JsonObject | None
    as_tv: bool


def answer_hellos(hellos: Sequence[Hello]) -> list[tuple[JsonObject, Access] | Illegal]:
    """Return the session and the right of each; Illegal as `rights.accesses`."""
    keys = {hello.visit.session_key for hello in hellos if hello.session is None}
    read = attendance.sessions(keys)
    sessions = [read[hello.visit.session_key] if hello.session is None else hello.session for hello in hellos]
    whoevers = attendance.whoevers(sessions, [screens.read(hello.visit.tv) for hello in hellos])
    askers = [
        Asker(hello.visit.public_id, player_id, tv, hello.as_tv)
        for hello, (player_id, tv) in zip(hellos, whoevers, strict=True)
    ]
    return [
        right if isinstance(right, Illegal) else (session, right)
        for session, right in zip(sessions, rights.accesses(askers), strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A snapshot that is asked for: what follows on entry `after`, or all for None."""

    right: Access
    after: int | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a newcomer is shown; those who want the same get it as the same object."""

    batch: Batch
    chat: list[JsonObject]


def take_snapshots(wanted: Sequence[Wanted]) -> list[Snapshot | Illegal]:
    """Return what each is shown; Illegal as `rights.pulses`.

    The right is read once more: who was shown the door after it was read, and before there
    was a connection to close, has it no more.
    """
    asked = [(each.right.table_id, each.after) for each in wanted]
    chats = reading.chats({table_id for table_id, _ in asked})
    shown: dict[tuple[int, int | None], Snapshot | Illegal] = {}
    for each, page in zip(asked, reading.pages(asked), strict=True):
        if isinstance(page, Illegal):
            shown[each] = page
        elif each not in shown:
            shown[each] = Snapshot(Batch(page, with_table=False), chats.get(each[0], []))
    # Read last: nothing is shown to who lost the right while the rest was read.
    pulses = rights.pulses([each.right for each in wanted])
    return [pulse if isinstance(pulse, Illegal) else shown[each] for each, pulse in zip(asked, pulses, strict=True)]

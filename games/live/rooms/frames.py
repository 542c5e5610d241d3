"""The frames of a room: each connection gets its own, and each part is encoded once.

Members of a view that seldom change (`GameConfig.lasting`) are left out for a connection that has them already; `same`
names them. A connection keeps a mark of each lasting member that it was sent.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from games import plugin
from games.kernel.answers import TABLES, keeps_answers
from games.kernel.contract import JsonObject
from games.kernel.records import Same
from games.live.rooms.sockets import Socket, encode, with_field
from games.services.logs.log_views import Page, entry_json
from games.services.seats.sittings import TableReader
from games.services.tables.log import LoggedEntry
from games.services.tables.snapshot import NO_SEATS

Marks: TypeAlias = tuple[int, ...]
"""For each lasting member of a view, a hash of its text."""


class Batch:
    """Entries to deliver to a room; each distinct part of a frame is encoded once."""

    def __init__(self, page: Page, *, with_table: bool) -> None:
        self.page = page
        self._with_table = with_table and page.is_whole
        self._lasting = plugin.game(page.snapshot.game_id).lasting
        self._frames: dict[tuple[TableReader, Marks], tuple[list[str], Marks]] = {}
        self._same: dict[str, str] = {}
        self._opened: dict[tuple[int, TableReader | None], str] = {}
        self._views: list[tuple[JsonObject | None, JsonObject | None, str]] = []
        seats = (page.snapshot.table or NO_SEATS)["seats"]
        self._keepers = {seat["keeper"]["player"] for seat in seats if seat.get("keeper") is not None}
        self._kept: dict[int, str] = {}

    def __call__(self, socket: Socket) -> None:
        """Queue the entries that the socket has not seen yet."""
        now = self.page.snapshot
        if socket.seq >= now.seq:
            return
        had = socket.lasting if self.page.is_whole else ()
        if (encoded := self._frames.get((socket.reader, had))) is None:
            encoded = self._frames[socket.reader, had] = self._encoded(socket.reader, had)
        frames, socket.lasting = encoded
        frames = self._with_kept(frames, socket)
        if self.page.is_whole:
            for entry, text in zip(self.page.entries, frames, strict=True):
                if entry.seq > socket.seq:
                    socket.outbox.put(_for_sender(entry, text, socket))
        else:
            socket.outbox.put(frames[0])
        socket.seq = now.seq
        if self._with_table:
            socket.table = now.table

    def _with_kept(self, frames: list[str], socket: Socket) -> list[str]:
        """Add `kept` to the last frame of a keeper: for each of their seats, whether it is asked and has secrets."""
        if socket.player_id is None or socket.player_id not in self._keepers:
            return frames
        if (text := self._kept.get(socket.player_id)) is None:
            text = self._kept[socket.player_id] = encode(self.page.snapshot.kept(socket.player_id))
        return [*frames[:-1], with_field(frames[-1], "kept", text)]

    def show(self, socket: Socket, after: int | None) -> None:
        """Show a socket the entries after `after`, or else the table as it is now.

        The table as it is now: if `after` is None, if too much has happened since, or if the seat was another person's
        meanwhile.
        """
        if self.page.is_whole and (after is None or not self.page.keeps_seat(socket.seat)):
            state = replace(self.page, entries=(), is_whole=False)
            Batch(state, with_table=False).show(socket, None)
            self._answer(socket)
            return
        socket.seq = after if after is not None and self.page.is_whole else -1
        socket.lasting = ()
        self(socket)

    def _answer(self, socket: Socket) -> None:
        """Send a socket the entries of its own commands, as answers: the state before them does not name commands."""
        for entry in self.page.entries:
            if _is_own(entry, socket):
                answer(entry, socket)

    def _encoded(self, reader: TableReader, had: Marks) -> tuple[list[str], Marks]:
        """Return the frames of a reader and the marks of the lasting members that the reader then has.

        The frames are the entries, or one `state` if there are too many.
        """
        now = self.page.snapshot
        if self.page.is_whole:
            lines = [self._told(entry, reader) for entry in self.page.entries]
        else:
            lines = [f'{{"type":"state","seq":{now.seq}']
        parts = [lines[-1]]
        if self._with_table:
            parts.append(f'"table":{encode(now.table)}')
        seen = now.seen_by(reader)
        view, marks, same = self._view(seen.pop("view"), had)
        parts += [f'"{name}":{encode(value)}' for name, value in seen.items()]
        parts += [f'"same":{encode(same)}'] if same else []
        last = f'{",".join(parts)},"view":{view}}}'
        # Seats with equal frames get the same object: `daphne.framed` encodes it once.
        return [*(f"{line}}}" for line in lines[:-1]), self._same.setdefault(last, last)], marks

    def _told(self, entry: LoggedEntry, reader: TableReader) -> str:
        """Return an opened entry, for readers without a seat with its headlines, where the game makes them."""
        text, found = self._opened_entry(entry, reader), self.page.snapshot.headlines(reader, entry.seq, entry.events)
        return f'{text},"headlines":{encode([one.to_json() for one in found])}' if found else text

    def _opened_entry(self, entry: LoggedEntry, reader: TableReader) -> str:
        """Return an entry as text without its closing brace; an entry that all may read is encoded once."""
        is_open = all(event.audience is None for event in entry.events)
        key = (entry.seq, None if is_open else reader)
        if (text := self._opened.get(key)) is None:
            text = self._opened[key] = encode(entry_json(entry, reader))[:-1]
        return text

    def _view(self, view: JsonObject | None, had: Marks) -> tuple[str, Marks, list[str]]:
        """Return a view as text for a connection with the marks `had`, its marks, and the names left out."""
        text = self._encoded_view(view)
        names = [name for name in self._lasting if name in view] if view else []
        if view is None or not names:
            return text, (), []
        texts = [_lasting_text(Same(view[name])) for name in names]
        marks = tuple(map(hash, texts))
        is_same = [len(had) == len(marks) and mark == had[i] for i, mark in enumerate(marks)]
        new = [f'"{name}":{texts[i]}' for i, name in enumerate(names) if not is_same[i]]
        return _with_members(text, new), marks, [name for i, name in enumerate(names) if is_same[i]]

    def _encoded_view(self, view: JsonObject | None) -> str:
        """Return a view without its lasting members as text; several seats may share it."""
        for known, _, text in self._views:
            if known is view:
                return text
        passing = view and {name: value for name, value in view.items() if name not in self._lasting}
        same = (text for _, known, text in self._views if known == passing)
        text = next(same, None) or encode(passing)
        self._views.append((view, passing, text))
        return text


@keeps_answers(3 * TABLES)
def _lasting_text(member: Same) -> str:
    """Return a lasting member of a view as text; the same object is encoded only once."""
    return encode(member.thing)


def _with_members(text: str, members: list[str]) -> str:
    """Return an encoded object with members added, without encoding the object again."""
    if not members:
        return text
    return f"{text[:-1]}{'' if text == '{}' else ','}{','.join(members)}}}"


def answer(entry: LoggedEntry, socket: Socket) -> None:
    """Send a socket the entry of its own command, without a view."""
    _note_answer(entry, socket)
    socket.put({**entry_json(entry, socket.reader), "id": entry.own_id})


def _for_sender(entry: LoggedEntry, text: str, socket: Socket) -> str:
    """Return an entry's text, with the command's id for the player that sent the command."""
    if not _is_own(entry, socket):
        return text
    _note_answer(entry, socket)
    return with_field(text, "id", encode(entry.own_id))


def _note_answer(entry: LoggedEntry, socket: Socket) -> None:
    if socket.unanswered == entry.own_id:
        socket.unanswered = None


def _is_own(entry: LoggedEntry, socket: Socket) -> bool:
    return entry.actor_id is not None and entry.actor_id == socket.player_id

"""The frames of a room: what several connections share is encoded once, and joined as bytes with each one's own part.

Shared are an entry that everybody may read, the clocks, and the members of a view that are the same object in the
views of several readers. A reader's frame holds only members of the reader's own view; readers with equal frames get
one object, which is framed and kept once.

Members of a view that seldom change (`GameConfig.lasting`) are left out for a connection that has them already; `same`
names them. A connection keeps a mark of each lasting member that it was sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import compress
from operator import is_not, not_
from typing import Any, TypeAlias

from games import plugin
from games.kernel.contract import JsonObject
from games.kernel.records import TABLES, Same, keeps_answers
from games.live.rooms.sockets import Socket, encode, with_field
from games.services.logs.log_views import Page, entry_json
from games.services.seats.sittings import TableReader
from games.services.tables.log import LoggedEntry
from games.services.tables.snapshot import NO_SEATS

Marks: TypeAlias = tuple[int, ...]
"""For each lasting member of a view, a hash of its text."""
_GAP = b"\0"
"""Stands where a member is filled in: no JSON text has this byte."""


@dataclass(frozen=True, slots=True)
class Lasting:
    """The lasting members of a view: their names, their texts, and the marks of the texts."""

    names: tuple[str, ...]
    texts: tuple[bytes, ...]
    marks: Marks

    def new_to(self, had: Marks) -> tuple[list[str], list[bytes]]:
        """Return the names that a connection with the marks `had` has already, and the other members."""
        if had == self.marks:
            return list(self.names), []
        is_same = [len(had) == len(self.marks) and mark == had[i] for i, mark in enumerate(self.marks)]
        new = compress(zip(self.names, self.texts, strict=True), map(not_, is_same))
        return list(compress(self.names, is_same)), [_member(name, text) for name, text in new]


class Views:
    """The views of one state as text; members that several of them share are encoded once.

    Views are compared with the first one, member by member and by identity, so that no text can hold what is not in
    the reader's own view. Members keep the order of the view: a text must not show by its order what other views hold.
    """

    def __init__(self, lasting: tuple[str, ...], cut: tuple[str, ...] = ()) -> None:
        self._lasting = lasting
        self._cut = cut
        self.own = cut
        """The names of members that the last view compared did not share: where to cut the views of a next state."""
        self._first: Mapping[str, Any] = {}
        self._names: tuple[str, ...] = ()
        self._shared: dict[tuple[tuple[str, ...], Marks], tuple[list[bytes], Marks]] = {}
        """The common text of a view and the first one (`_around`), by the names of its own members and by marks."""
        self._texts: dict[tuple[int, Marks], tuple[Mapping[str, Any], bytes, Marks]] = {}
        """By the view's id, and with the view: no other object gets its id meanwhile."""

    def members(self, view: Mapping[str, Any] | None, had: Marks) -> tuple[bytes, Marks]:
        """Return `"same"`, if needed, and `"view"` of a frame for a connection with the marks `had`, and its marks."""
        if view is None:
            return b'"view":null', ()
        key = (id(view), had)
        if (found := self._texts.get(key)) is None:
            found = self._texts[key] = (view, *self._encoded(view, had))
        return found[1:]

    def _encoded(self, view: Mapping[str, Any], had: Marks) -> tuple[bytes, Marks]:
        own = self._own(view)
        names = tuple(name for name in own if name not in self._lasting)
        if (around := self._shared.get((own, had))) is None:
            around = self._around(view, names, had)
            if names == own:
                self._shared[own, had] = around
        texts, marks = around
        parts = [texts[0]]
        for name, text in zip(names, texts[1:], strict=True):
            parts += (encode(view[name]), text)
        return b"".join(parts), marks

    def _around(self, view: Mapping[str, Any], names: tuple[str, ...], had: Marks) -> tuple[list[bytes], Marks]:
        """Return the text of a view before, between and after its own members of the given names, and its marks."""
        runs, lasting = self._runs(view, names), self._lasting_of(view)
        parts = [runs[0]]
        for name, run in zip(names, runs[1:], strict=True):
            parts += (_member(name, _GAP), run)
        same, new = lasting.new_to(had)
        before = b'"same":%b,' % encode(same) if same else b""
        text = b'%b"view":{%b}' % (before, b",".join(filter(None, (*parts, *new))))
        return text.split(_GAP), lasting.marks

    def _own(self, view: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names of the members to encode for this view alone, in its order.

        They are those that are not the same objects as in the first view, or as many more as were expected: then one
        text of the others serves all seats.
        """
        names = tuple(view)
        if not self._names:
            self._first, self._names = view, names
            self._cut = tuple(name for name in names if name in self._cut)
        if names != self._names:
            return names
        own = tuple(compress(names, map(is_not, view.values(), self._first.values())))
        self.own = own or self.own
        return self._cut if set(own).issubset(self._cut) else own

    def _runs(self, view: Mapping[str, Any], own: tuple[str, ...]) -> list[bytes]:
        """Return the members before, between and after those of the names `own` as text, without the lasting ones."""
        runs: list[JsonObject] = [{}]
        for name, value in view.items():
            if name in self._lasting:
                continue
            if name in own:
                runs.append({})
            else:
                runs[-1][name] = value
        return [encode(run)[1:-1] for run in runs]

    def _lasting_of(self, view: Mapping[str, Any]) -> Lasting:
        names = tuple(name for name in self._lasting if name in view)
        texts = tuple(_lasting_text(Same(view[name])) for name in names)
        return Lasting(names, texts, tuple(map(hash, texts)))


def _member(name: str, text: bytes) -> bytes:
    """Return a member of an object."""
    return b'"%b":%b' % (name.encode(), text)


_cuts: dict[str, tuple[str, ...]] = {}
"""For each game the members of its views that seats did not share lately: a guess, which changes no text."""


class Batch:
    """Entries to deliver to a room; each distinct part of a frame is encoded once."""

    def __init__(self, page: Page, *, with_table: bool) -> None:
        self.page = page
        self._with_table = with_table and page.is_whole
        game_id = page.snapshot.game_id
        self._views = Views(plugin.game(game_id).lasting, _cuts.get(game_id, ()))
        self._frames: dict[tuple[TableReader, Marks], tuple[list[bytes], Marks]] = {}
        self._same: dict[tuple[bytes, bytes, bytes, int], bytes] = {}
        """The last frame by its parts; the view by its id, since the text of a view is kept as long as the batch."""
        self._opened: dict[tuple[int, TableReader | None], bytes] = {}
        self._now = b""
        seats = (page.snapshot.table or NO_SEATS)["seats"]
        self._keepers = {seat["keeper"]["player"] for seat in seats if seat.get("keeper") is not None}
        self._kept: dict[int, bytes] = {}

    def __call__(self, socket: Socket) -> None:
        """Queue the entries that the socket has not seen yet."""
        now = self.page.snapshot
        if socket.seq >= now.seq:
            return
        had = socket.lasting if self.page.is_whole else ()
        if (encoded := self._frames.get((socket.reader, had))) is None:
            encoded = self._frames[socket.reader, had] = self._encoded(socket.reader, had)
        frames, socket.lasting = encoded
        if self._keepers:
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

    def _with_kept(self, frames: list[bytes], socket: Socket) -> list[bytes]:
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

    def _encoded(self, reader: TableReader, had: Marks) -> tuple[list[bytes], Marks]:
        """Return the frames of a reader and the marks of the lasting members that the reader then has.

        The frames are the entries, or one `state` if there are too many.
        """
        now = self.page.snapshot
        if self.page.is_whole:
            lines = [self._told(entry, reader) for entry in self.page.entries]
        else:
            lines = [b'{"type":"state","seq":%d' % now.seq]
        view, marks = self._views.members(now.view(reader), had)
        _cuts[now.game_id] = self._views.own
        own = encode(choices) if (choices := now.choices_of(reader)) else b"[]"
        joins = b"" if reader.seat is not None else b',"joins":%b' % encode(now.takes_newcomers)
        # Seats with equal frames get the same object: it is joined once, and `daphne.framed` frames it once.
        parts = (lines[-1], own, joins, id(view))
        if (last := self._same.get(parts)) is None:
            last = self._same[parts] = b'%b%b,"choices":%b%b,%b}' % (lines[-1], self._of_now(), own, joins, view)
        return [*(b"%b}" % line for line in lines[:-1]), last], marks

    def _of_now(self) -> bytes:
        """Return the members of the last frame that are the same for everybody: the clocks, and a changed table."""
        if not self._now:
            now = self.page.snapshot
            table = b',"table":%b' % encode(now.table) if self._with_table else b""
            self._now = b'%b,"clocks":%b' % (table, encode(now.time_left()))
        return self._now

    def _told(self, entry: LoggedEntry, reader: TableReader) -> bytes:
        """Return an opened entry, for readers without a seat with its headlines, where the game makes them."""
        text = self._opened_entry(entry, reader)
        if reader.seat is not None:
            return text
        found = self.page.snapshot.headlines(reader, entry.seq, entry.events)
        return b'%b,"headlines":%b' % (text, encode([one.to_json() for one in found])) if found else text

    def _opened_entry(self, entry: LoggedEntry, reader: TableReader) -> bytes:
        """Return an entry as text without its closing brace; an entry that all may read is encoded once."""
        if (text := self._opened.get((entry.seq, None))) is not None:
            return text
        is_open = all(event.audience is None for event in entry.events)
        key = (entry.seq, None if is_open else reader)
        if (text := self._opened.get(key)) is None:
            text = self._opened[key] = encode(entry_json(entry, reader))[:-1]
        return text


@keeps_answers(3 * TABLES)
def _lasting_text(member: Same) -> bytes:
    """Return a lasting member of a view as text; the same object is encoded only once.

    A copy is kept, since orjson's own bytes hold on to a buffer of 4 to 64 kB.
    """
    return memoryview(encode(member.thing)).tobytes()


def answer(entry: LoggedEntry, socket: Socket) -> None:
    """Send a socket the entry of its own command, without a view."""
    _note_answer(entry, socket)
    socket.put({**entry_json(entry, socket.reader), "id": entry.own_id})


def _for_sender(entry: LoggedEntry, text: bytes, socket: Socket) -> bytes:
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

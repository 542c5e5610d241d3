"""What a room tells of entries: for each connection its own frames, each part encoded once."""

from __future__ import annotations

from dataclasses import replace

from games.kernel.contract import JsonObject
from games.realtime.sockets import Socket, encode, with_field
from games.services.reading import Line, Page
from games.services.sittings import Reader


class Batch:
    """Entries to be told to a room: each distinct part of a frame is encoded once."""

    def __init__(self, page: Page, *, with_table: bool) -> None:
        self.page = page
        self._with_table = with_table and page.is_whole
        self._frames: dict[Reader, list[str]] = {}
        self._same: dict[str, str] = {}
        self._opened: dict[tuple[int, Reader | None], str] = {}
        self._views: list[tuple[JsonObject | None, str]] = []

    def __call__(self, socket: Socket) -> None:
        """Put what the socket has not seen yet."""
        head = self.page.head
        if socket.seq >= head.seq:
            return
        if (frames := self._frames.get(socket.reader)) is None:
            frames = self._frames[socket.reader] = self._encoded(socket.reader)
        if self.page.is_whole:
            for line, text in zip(self.page.lines, frames, strict=True):
                if line.seq > socket.seq:
                    socket.outbox.put(_for_sender(line, text, socket))
        else:
            socket.outbox.put(frames[0])
        socket.seq = head.seq
        if self._with_table:
            socket.table = head.table

    def show(self, socket: Socket, after: int | None) -> None:
        """Show a newcomer what follows on `after`, or the table as it is where that won't do.

        It won't where nothing is known to the newcomer, too much has happened since, or their
        seat was another person's meanwhile.
        """
        if after is not None and self.page.is_whole and not self.page.keeps_seat(socket.seat):
            state = replace(self.page, lines=(), is_whole=False)
            Batch(state, with_table=False).show(socket, None)
            return
        socket.seq = after if after is not None and self.page.is_whole else -1
        self(socket)

    def _encoded(self, reader: Reader) -> list[str]:
        """Return what a reader is told: its entries, or one `state` if they are too many."""
        head = self.page.head
        if self.page.is_whole:
            lines = [self._opened_line(line, reader) for line in self.page.lines]
        else:
            lines = [f'{{"type":"state","seq":{head.seq}']
        parts = [lines[-1]]
        if self._with_table:
            parts.append(f'"table":{encode(head.table)}')
        seen = head.seen_by(reader)
        view = self._encoded_view(seen.pop("view"))
        parts += [f'"{name}":{encode(value)}' for name, value in seen.items()]
        last = f'{",".join(parts)},"view":{view}}}'
        # Seats that are told the same get the same object: a way out may know it again.
        return [*(f"{line}}}" for line in lines[:-1]), self._same.setdefault(last, last)]

    def _opened_line(self, line: Line, reader: Reader) -> str:
        """Return an entry as text that is still open: what all may read is encoded once."""
        is_open = all(event.audience is None for event in line.events)
        key = (line.seq, None if is_open else reader)
        if (text := self._opened.get(key)) is None:
            text = self._opened[key] = encode(line.seen_by(reader))[:-1]
        return text

    def _encoded_view(self, view: JsonObject | None) -> str:
        """Return a view as text; where nothing is hidden, all seats have the same one."""
        for known, text in self._views:
            if known is view or known == view:
                return text
        self._views.append((view, encode(view)))
        return self._views[-1][1]


def _for_sender(line: Line, text: str, socket: Socket) -> str:
    """Return an entry's text, with the command's id for those who sent the command."""
    is_own = line.actor_id is not None and line.actor_id == socket.player_id
    return with_field(text, "id", encode(line.command_id)) if is_own else text

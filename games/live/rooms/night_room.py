"""The room of a night: its sockets are told that something changed, not the change itself."""

from __future__ import annotations

import asyncio

from games.live.rooms.sockets import Socket, encode

# Each `changed` makes every page of the night load again; when many guests join at once, it is sent at most twice a
# second.
PAUSE_SECONDS = 0.5
_CHANGED = encode({"type": "changed"})


class NightRoom:
    """One night's connections in this process."""

    def __init__(self, night_id: int) -> None:
        self.night_id = night_id
        self.sockets: set[Socket] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._is_changed = False

    def changed(self) -> None:
        """Tell every socket that the night changed: at once, or shortly after the last time."""
        if self._timer is not None:
            self._is_changed = True
            return
        for socket in self.sockets:
            self.tell(socket)
        self._timer = asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._again)

    def tell(self, socket: Socket) -> None:
        """Tell one socket that something changed, or may have changed before it was in the room."""
        socket.outbox.put(_CHANGED)

    def _again(self) -> None:
        self._timer = None
        if self._is_changed:
            self._is_changed = False
            self.changed()

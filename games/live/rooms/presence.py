"""Presence: a dot for each seat, and whether a night's host is connected.

A seat is `here` while one of its player's connections is awake, `away` when all of them are hidden or silent, `gone`
without any; `no_phone` where a keeper acts for it. A dot turns grey only after 5 s, so that a reload does not flicker;
it turns back at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from math import inf

from games.kernel.contract import JsonObject
from games.live.rooms.sockets import SILENCE_SECONDS, Socket
from games.services.hosting import succession, take_over
from games.services.nights.attendance import HostNote

GREY_SECONDS = 5.0
# The seconds that a host has to come back whose leaving was not seen: after a restart, after the end of the process
# that had their connection, and as a new host who has none.
RETURN_SECONDS = 60.0
# A process notes its hosts as seen when no process has for so long.
SEEN_EVERY = 20.0
# By so much the times of two processes may differ.
SLACK_SECONDS = 0.5
# More people than this are not told one by one that they may take over: pages ask by themselves, too.
MOST_STEPS = 60
# The seconds that another process's report of its players counts; reports come more often.
REMOTE_SECONDS = 30.0

HERE, AWAY, GONE, NO_PHONE = "here", "away", "gone", "no_phone"


@dataclass(slots=True)
class Presence:
    """The presence of one table's players in this process and, as reported, in others.

    `due` is the loop's time (seconds) at which a dot may next change without an event.
    """

    due: float = inf
    _last_here: dict[int, float] = field(default_factory=dict)
    _remote: dict[str, tuple[float, dict[int, str]]] = field(default_factory=dict)

    def report(self, origin: str, players: Mapping[int, str], now: float) -> None:
        """Note another process's report of its own connections."""
        _, before = self._remote.get(origin, (now, {}))
        for player_id, dot in before.items():
            if dot == HERE and players.get(player_id) != HERE:
                self._last_here[player_id] = now
        self._remote[origin] = (now, dict(players))

    def turns(self, socket: Socket, now: float) -> None:
        """Note that a connection is about to be hidden or to leave."""
        if socket.player_id is not None and socket.is_awake(now):
            self._last_here[socket.player_id] = now

    def seats(self, table: JsonObject, sockets: Iterable[Socket], now: float) -> dict[str, str]:
        """Return seat → here, away, gone or no_phone; bots are always here."""
        self.due = inf
        players = {seat["player"] for seat in table["seats"]} - {None}
        known = self._players([socket for socket in sockets if socket.player_id in players], now)
        dots = {}
        for seat in table["seats"]:
            if seat["bot"]:
                dots[str(seat["seat"])] = HERE
            elif seat.get("keeper") is not None:
                dots[str(seat["seat"])] = NO_PHONE
            else:
                dots[str(seat["seat"])] = self._dot(seat["player"], known, now)
        return dots

    def _players(self, sockets: Iterable[Socket], now: float) -> dict[int, str]:
        dots: dict[int, str] = {}
        for at, players in self._remote.values():
            if now - at < REMOTE_SECONDS:
                _merge(dots, players)
                self.due = min(self.due, at + REMOTE_SECONDS)
        for socket in sockets:
            self._note_silence(socket, now)
        _merge(dots, local(sockets, now))
        return dots

    def _note_silence(self, socket: Socket, now: float) -> None:
        """Note the time at which a shown connection will be, or was, silent for too long."""
        if socket.is_hidden or socket.player_id is None:
            return
        silent_at = socket.last_frame_at + SILENCE_SECONDS
        if silent_at > now:
            self.due = min(self.due, silent_at)
        else:
            before = self._last_here.get(socket.player_id, silent_at)
            self._last_here[socket.player_id] = max(before, silent_at)

    def _dot(self, player_id: int | None, dots: Mapping[int, str], now: float) -> str:
        if player_id is None:
            return GONE
        dot = dots.get(player_id, GONE)
        if dot == HERE:
            self._last_here[player_id] = now
            return HERE
        grey_at = self._last_here.get(player_id, now - GREY_SECONDS) + GREY_SECONDS
        if now < grey_at:
            self.due = min(self.due, grey_at)
            return HERE
        return dot


def local(sockets: Iterable[Socket], now: float) -> dict[int, str]:
    """Return player → here or away, from the connections of this process."""
    dots: dict[int, str] = {}
    for socket in sockets:
        if socket.player_id is not None:
            _merge(dots, {socket.player_id: HERE if socket.is_awake(now) else AWAY})
    return dots


def _merge(dots: dict[int, str], players: Mapping[int, str]) -> None:
    """Add known dots of players: one awake connection is enough for `here`."""
    for player_id, dot in players.items():
        if dots.get(player_id) != HERE:
            dots[player_id] = dot


@dataclass(slots=True)
class HostWatch:
    """The number of connections of each player at each night, to know whether its host is connected.

    Other processes have connections, too: each notes the hosts that it sees. A host that none has seen for
    RETURN_SECONDS is gone.
    """

    _open: dict[int, Counter[int]] = field(default_factory=dict)
    _left_at: dict[tuple[int, int], float] = field(default_factory=dict)
    _since: dict[int, float] = field(default_factory=dict)
    _away: dict[int, datetime] = field(default_factory=dict)
    _steps: dict[int, int] = field(default_factory=dict)

    def connected(self, night_id: int, player_id: int | None, now: float) -> None:
        """Count a connection; a TV screen (None) only makes its night watched."""
        self._since.setdefault(night_id, now)
        self._open.setdefault(night_id, Counter())[player_id or 0] += 1

    def left(self, night_id: int, player_id: int | None, now: float) -> None:
        """Subtract a closed connection."""
        players = self._open.get(night_id, Counter())
        players[player_id or 0] -= 1
        if players[player_id or 0] <= 0:
            del players[player_id or 0]
            if player_id is not None:
                self._left_at[night_id, player_id] = now

    def nights(self) -> list[int]:
        """Return the ids of the nights that are watched."""
        return list(self._open)

    def _is_here(self, note: HostNote) -> bool:
        return self._open[note.night_id][note.host_id] > 0

    def returned(self, notes: Iterable[HostNote]) -> list[HostNote]:
        """Return the notes of hosts that are connected here and noted as away."""
        return [note for note in notes if self._is_here(note) and note.is_away]

    def unseen(self, notes: Iterable[HostNote]) -> list[HostNote]:
        """Return the notes of hosts that are connected here, and that no process has noted as seen for a while."""
        here = (note for note in notes if self._is_here(note) and not note.is_away)
        return [note for note in here if note.seen_ago is None or note.seen_ago >= SEEN_EVERY]

    def gone(self, notes: Iterable[HostNote], now: float) -> list[tuple[HostNote, float]]:
        """Return the notes of hosts that have gone, each with the seconds since they were last seen."""
        absent = (note for note in notes if not self._is_here(note) and not note.is_away)
        found = ((note, self._gone_for(note, now)) for note in absent)
        return [(note, ago) for note, ago in found if ago is not None]

    def _gone_for(self, note: HostNote, now: float) -> float | None:
        """Return the seconds since an absent host was last seen; None if the host may still count as here.

        A host whose last connection closed less than 5 s ago (a page is loading) does, and one whom a process has
        seen in the last minute; a night that is watched for less than a minute waits for its host.
        """
        watched = now - self._since[note.night_id]
        unseen = watched if note.seen_ago is None else note.seen_ago
        left_at = self._left_at.get((note.night_id, note.host_id))
        if left_at is not None and (note.seen_ago is None or now - left_at <= note.seen_ago + SLACK_SECONDS):
            return now - left_at if now - left_at >= GREY_SECONDS else None
        return unseen if min(watched, unseen) >= RETURN_SECONDS else None

    def keep_away(self, notes: Iterable[HostNote]) -> None:
        """Keep in mind since when the hosts of these nights have been away."""
        self._away = {note.night_id: note.away_since for note in notes if note.away_since is not None}

    def next_may(self, house_now: datetime) -> list[int]:
        """Return the nights at which somebody more may take over than when this was asked last."""
        before = self._steps
        frees = {night_id: take_over.free_at(since) for night_id, since in self._away.items()}
        self._steps = {night_id: succession.steps(at, house_now, MOST_STEPS) for night_id, at in frees.items()}
        return [night_id for night_id, n in self._steps.items() if n != before.get(night_id, n)]

    def tidy(self, now: float) -> None:
        """Forget nights without connections and old times of leaving."""
        for key, left_at in list(self._left_at.items()):
            if now - left_at >= 2 * GREY_SECONDS:
                del self._left_at[key]
        waiting = {night_id for night_id, _ in self._left_at}
        for night_id, players in list(self._open.items()):
            if not players and night_id not in waiting:
                del self._open[night_id], self._since[night_id]

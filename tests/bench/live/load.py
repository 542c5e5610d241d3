"""A load process of the live benchmark: the people of many tables, who never tire.

`python -m tests.bench.live.load` reads orders, one JSON object a line, and answers each with
one: {"do": "seat", "tables": [{"path", "cookies", "ports"}], "speaks": bool} opens lines,
{"do": "play", "tables", "warm", "seconds", "pause"} plays and measures, {"do": "stop"}.
In a closed loop the seat whose turn it is sends as soon as the table's last seat has the
entry before; with a pause it thinks for so long first.
"""

from __future__ import annotations

import heapq
import json
import math
import random
import re
import sys
import time
from itertools import count
from typing import Any

from tests.bench.live.client import Line, Lines
from tests.frames import listed

_ENTRY = re.compile(rb'\{"type": ?"(?:entry|state)", ?"seq": ?(\d+)')
_ERROR = re.compile(rb'\{"type": ?"(?:error|bye)"')
_ASKED = re.compile(rb'"required": ?true')
_HELLO = b'{"type":"hello","protocol":1,"seq":null}'
_PING = b'{"type":"ping","seq":null}'
PING_SECONDS = 10.0
PATIENCE_SECONDS = 60.0
LONGEST_SECONDS, WAVES = 20.0, 2
CATCH_UP_POLLS = 20
# Answers after which the game goes on for long: nobody doubles or gives anything up.
_SHUNNED = ("offer",)


class Play:
    """What is measured while the tables play."""

    def __init__(self, pause: tuple[float, float] | None) -> None:
        self.pause = pause
        self.is_on = True
        self.counts_from = self.counts_to = math.inf
        self.cold: set[int] = set()
        """The tables that have not made a move yet."""
        self.waits: list[float] = []
        self.due: list[tuple[float, int, Table]] = []
        self.order = count()

    def done(self, table: Table, now: float) -> None:
        """Note that a move has reached everybody; let the table's next one come."""
        self.cold.discard(table.number)
        if self.counts_from <= now < self.counts_to:
            self.waits.append(now - table.sent_at)
        if not self.is_on:
            table.is_playing = False
        elif self.pause is None:
            table.act(now)
        else:
            at = now + random.uniform(*self.pause)
            heapq.heappush(self.due, (at, next(self.order), table))

    def act_due(self, now: float) -> float:
        """Let those act whose pause is over; return the seconds until the next, 10 ms at most."""
        while self.due and self.due[0][0] <= now:
            table = heapq.heappop(self.due)[2]
            if self.is_on:
                table.act(now)
            else:
                table.is_playing = False
        return min(0.01, max(0.0, self.due[0][0] - now)) if self.due else 0.01


class Table:
    """One table: which entry its seats have, and who is asked what."""

    __slots__ = (
        *("asked", "has_begun", "is_playing", "lines", "missing", "number", "play", "refused"),
        *("sent", "sent_at", "seq"),
    )

    def __init__(self, number: int) -> None:
        self.number, self.seq, self.missing = number, 0, 0
        self.asked: list[tuple[Line, bytes]] = []
        self.lines: list[Line] = []
        self.sent: tuple[Line, bytes] | None = None
        self.sent_at = 0.0
        self.is_playing = self.has_begun = False
        self.refused = 0
        self.play: Play | None = None

    def got(self, line: Line, payload: bytes) -> None:
        """Take a frame that came for a seat."""
        found = _ENTRY.match(payload)
        if found is None:
            if _ERROR.match(payload):
                self._refused(payload)
            return
        seq = int(found[1])
        if seq != self.seq:
            self.seq, self.missing = seq, len(self.lines)
            self.asked.clear()
        self.missing -= 1
        if _ASKED.search(payload):
            self.asked.append((line, payload))
        if self.missing == 0:
            self.has_begun = True
            if self.play is not None and self.is_playing:
                self.play.done(self, time.perf_counter())

    def _refused(self, payload: bytes) -> None:
        """Send again what the server was too busy to store; everything else is a fault."""
        self.refused += 1
        if b'"busy"' not in payload or self.sent is None:
            raise AssertionError(f"table {self.number}: {payload[:300]!r}")
        self.sent[0].send(self.sent[1])

    def act(self, now: float) -> None:
        """Send the next command from the seat that is asked for one."""
        self.sent = self._command()
        self.is_playing, self.sent_at = True, now
        self.sent[0].send(self.sent[1])

    def _command(self) -> tuple[Line, bytes]:
        if not self.asked:
            raise AssertionError(f"table {self.number}: nobody is asked after {self.seq}")
        line, payload = self.asked[0]
        choice, args = pick(json.loads(payload)["choices"])
        command = {"type": "command", "id": f"b{self.seq}", "name": choice["name"], "args": args,
                   "basis": choice["basis"]}  # fmt: skip
        return line, json.dumps(command).encode()


class BareTable(Table):
    """A table of a server without rules: the seats speak one after another."""

    __slots__ = ()

    def _command(self) -> tuple[Line, bytes]:
        line = self.lines[self.seq % len(self.lines)]
        move = {"seq": self.seq + 1, "name": "throw", "args": {"lay": [1], "turn": False}}
        return line, json.dumps(move).encode()


def pick(choices: list[dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a required choice and legal arguments for it, at random."""
    asked = [choice for choice in choices if choice["required"]]
    legal = {choice["name"]: [o for o in listed(choice) if o.get("double") is not True] for choice in asked}
    with_options = [choice for choice in asked if legal[choice["name"]]]
    choice = random.choice([c for c in with_options if c["name"] not in _SHUNNED] or with_options)
    return choice, random.choice(legal[choice["name"]])


class Load:
    """All tables of this process."""

    def __init__(self) -> None:
        self.lines = Lines()
        self.tables: list[Table] = []

    def got(self, line: Line, payload: bytes) -> None:
        """Take a frame to its table."""
        self.tables[line.table].got(line, payload)

    def seat(self, tables: list[dict[str, Any]], *, speaks: bool) -> dict[str, Any]:
        """Open the lines of more tables; with `speaks` they say hello and wait for the state."""
        first = len(self.tables)
        wanted = []
        for number, table in enumerate(tables, first):
            self.tables.append(Table(number) if speaks else BareTable(number))
            seats = enumerate(zip(table["ports"], table["cookies"], strict=True))
            wanted += [(p, table["path"], c, number, seat) for seat, (p, c) in seats]
        for start in range(0, len(wanted), 100):
            opened = self.lines.open(wanted[start : start + 100], self.got)
            for line in opened:
                self.tables[line.table].lines.append(line)
            if speaks:
                self._greet(opened)
        return {"sockets": len(self.lines.all)}

    def _greet(self, opened: list[Line]) -> None:
        for line in opened:
            line.send(_HELLO)
        tables = {line.table for line in opened}
        self._until(lambda: all(self.tables[number].has_begun for number in tables))

    def _until(self, is_done: Any) -> None:
        limit = time.perf_counter() + PATIENCE_SECONDS
        while not is_done():
            self.lines.poll(0.05)
            if time.perf_counter() > limit:
                raise AssertionError("the server did not answer in time")

    def play(self, tables: int, warm: float, seconds: float, pause: tuple[float, float] | None) -> dict[str, Any]:
        """Let the first `tables` tables play; return what was then measured.

        Warm is after `warm` seconds, and in a closed loop when each table has made a move;
        where that takes long, the measurement is longer too: moves may come in waves.
        """
        playing, play = self.tables[:tables], Play(pause)
        # A clock may have acted since the last play: nobody answers what is no longer asked.
        for _ in range(CATCH_UP_POLLS):
            self.lines.poll(0.01)
        now = time.perf_counter()
        play.cold = {table.number for table in playing if pause is None}
        for table in playing:
            table.play, table.is_playing = play, True
            if pause is None:
                table.act(now)
            else:
                first = now + random.uniform(0, pause[1])
                heapq.heappush(play.due, (first, next(play.order), table))
        self._run(play, now + warm)
        self._until(lambda: not play.cold)
        play.counts_from = time.perf_counter()
        seconds = max(seconds, min(LONGEST_SECONDS, WAVES * (play.counts_from - now)))
        play.counts_to = play.counts_from + seconds
        cpu = time.process_time()
        tell({"warm": True})
        self._run(play, play.counts_to)
        spent = time.process_time() - cpu
        tell({"measured": True})
        play.is_on = False
        for _, _, table in play.due:
            table.is_playing = False
        self._until(lambda: not any(table.is_playing for table in playing))
        return {"waits": play.waits, "cpu": spent / seconds, "seconds": seconds,
                "refused": sum(table.refused for table in playing)}  # fmt: skip

    def _run(self, play: Play, until: float) -> None:
        """Read and act until a moment; with pauses, ping as shown pages do, each in its turn."""
        poll, clock = self.lines.poll, time.perf_counter
        began, pinged = clock(), 0
        while (now := clock()) < until:
            if play.pause is None:
                poll(0.05)
                continue
            poll(play.act_due(now))
            lines = self.lines.all
            while pinged < (now - began) * len(lines) / PING_SECONDS:
                lines[pinged % len(lines)].send(_PING)
                pinged += 1


def tell(answer: dict[str, Any]) -> None:
    """Print an answer."""
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Carry out orders until the last one."""
    load = Load()
    for text in sys.stdin:
        order = json.loads(text)
        what = order.pop("do")
        if what == "stop":
            break
        tell(load.seat(**order) if what == "seat" else load.play(**order))
    load.lines.close()


if __name__ == "__main__":
    main()

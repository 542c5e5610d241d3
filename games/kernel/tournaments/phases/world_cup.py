"""The World-Cup Chouette: everybody begins with a bank of points, and plays sessions at tables that are drawn anew.

The house plays it; `python -m games.kernel.tournaments` does not know it. Its format is {"kind": "world_cup", "bank",
"minutes"}, its log has entries of its own (`SHAPES`), and its answer has the shape of `answers.answer`, without
matches: "sessions" stand in the state, and each player and row of the standing has a "bank".

Whoever has a bank of 0 or less after a session is out. With fewer than four people left, or when all agree, one last
session is played, and the largest bank wins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from games.kernel.draws.lots import Lot
from games.kernel.draws.wishes import Size, sizes
from games.kernel.tournaments import entries
from games.kernel.tournaments.asking import SECONDS
from games.kernel.tournaments.chance import BY_STATE, HERE, digest
from games.kernel.tournaments.entries import VERSION
from games.kernel.tournaments.formats import EntriesRefused, check_entry, is_whole

Json = dict[str, Any]
KIND = "world_cup"
USUAL_BANK, USUAL_MINUTES = 20, 60
FEWEST = 4
"""The fewest people of a session that is not the last one."""
WANTED = Size(want=5, least=4, most=5)
WIDER = Size(want=5, least=3, most=6)
"""The sizes of tables where 6, 7 or 11 people leave no other way."""


def _is_name(given: Any) -> bool:
    return isinstance(given, str) and given != ""


def _is_flag(given: Any) -> bool:
    return isinstance(given, bool)


def _are_tables(given: Any) -> bool:
    are_lists = isinstance(given, list) and given and all(isinstance(each, list) and len(each) > 1 for each in given)
    return bool(are_lists) and all(_is_name(name) for each in given for name in each)


def _are_points(given: Any) -> bool:
    if not isinstance(given, dict):
        return False
    return all(isinstance(n, int) and not isinstance(n, bool) and abs(n) < 10**9 for n in given.values())


def _is_count(given: Any) -> bool:
    return is_whole(given, 1)


SHAPES: dict[str, dict[str, Callable[[Any], bool]]] = {
    **{name: entries.SHAPES[name] for name in ("start", "withdraw", "return", "break", "finish", "reopen")},
    "enter": {"player": _is_name},
    "agree": {"player": _is_name, "agrees": _is_flag},
    "session": {"session": _is_count, "tables": _are_tables, "last": _is_flag},
    "banked": {"session": _is_count, "table": _is_count, "points": _are_points},
}
"""Type of an entry → its fields. `banked` has the points of a table's people; a later one for the table corrects it."""
WHILE_RUNNING = ("agree", "session", "finish")


@dataclass(slots=True)
class BankHolder:
    """A person with a bank; `leaves` is a withdrawal at the end of the session, "after", "one" or ""."""

    name: str
    since: int
    status: str = "free"
    is_withdrawn: bool = False
    is_pausing: bool = False
    leaves: str = ""
    mark: int = 0
    """For a pause: the sessions that had begun when it began."""
    agrees: bool = False
    """The person agrees to a last session."""


@dataclass(slots=True)
class CupSession:
    """A session: its tables, and the points of those whose tables are over, by the table's number from 1."""

    tables: list[list[str]]
    is_last: bool
    started: int
    ended: int | None = None
    points: dict[int, dict[str, int]] = field(default_factory=dict)

    def table_of(self, name: str) -> int | None:
        """Return the number of a person's table."""
        return next((number for number, people in enumerate(self.tables, 1) if name in people), None)


@dataclass(slots=True)
class WorldCup:
    """Everything that the log has led to."""

    first_bank: int
    minutes: int
    status: str = "entry"
    at: int = 0
    holders: dict[str, BankHolder] = field(default_factory=dict)
    sessions: list[CupSession] = field(default_factory=list)
    breaks: list[tuple[int, int]] = field(default_factory=list)
    reopened: int = 0
    """The sessions that had been played when it was last reopened."""

    @property
    def running(self) -> CupSession | None:
        """The session that is played."""
        return self.sessions[-1] if self.sessions and self.sessions[-1].ended is None else None

    @property
    def has_last(self) -> bool:
        """Tell whether the last session has begun."""
        return any(each.is_last for each in self.sessions[self.reopened :])

    def points_of(self, name: str) -> list[int]:
        """Return a person's points of each session whose table is over."""
        return [points[name] for each in self.sessions for points in each.points.values() if name in points]

    def bank(self, name: str) -> int:
        """Return the bank of a person."""
        return self.first_bank + sum(self.points_of(name))

    def left(self) -> list[BankHolder]:
        """Return the people that still take part: not out, not withdrawn."""
        return [each for each in self.holders.values() if each.status not in ("out", "withdrawn")]


def is_played(format_: Any) -> bool:
    """Tell whether a format is that of a World-Cup Chouette."""
    return isinstance(format_, Mapping) and format_.get("kind") == KIND


def answer(given: Json, version: int = VERSION) -> Json:
    """Return state, proposals and standing of an input {"format", "log", "now", "seed"}, or its refusal."""
    try:
        cup = replay(read_format(given["format"]), given["log"])
        check_entry(given["now"] >= cup.at, "time_backwards")
    except EntriesRefused as refused:
        return {"error": {"code": refused.code, "entry": refused.entry}}
    lot = lot_of(cup, given["seed"], len(given["log"]), version)
    found = proposals(cup, given["now"], lot, version)
    return {"state": _state(cup), "proposals": found, "standing": standing(cup)}


def read_format(given: Mapping[str, Any]) -> tuple[int, int]:
    """Return the first bank and the minutes of a session; raises EntriesRefused `bad_format`."""
    bank, minutes = given.get("bank", USUAL_BANK), given.get("minutes", USUAL_MINUTES)
    check_entry(is_played(given) and given.keys() <= {"kind", "bank", "minutes"}, "bad_format")
    check_entry(is_whole(bank, 1) and is_whole(minutes, 1), "bad_format")
    return bank, minutes


def table_sizes(people: int) -> list[int]:
    """Return the sizes of the tables of a session: 4 and 5, 3 or 6 only where nothing else holds everybody."""
    found = sizes(people, WANTED, ())
    return found if sum(found) == people else sizes(people, WIDER, ()) or [people]


# The log


def replay(plan: tuple[int, int], log: Sequence[Any]) -> WorldCup:
    """Return the tournament after a log; raises EntriesRefused with the index of the first bad entry."""
    cup = WorldCup(*plan)
    for index, given in enumerate(log):
        try:
            apply(cup, given)
        except EntriesRefused as refused:
            raise EntriesRefused(refused.code, index) from None
    return cup


def apply(cup: WorldCup, given: Any) -> None:
    """Carry out one entry; raises EntriesRefused."""
    entry = entries.read(given, SHAPES)
    check_entry(entry["at"] >= cup.at, "time_backwards")
    kind = entry["type"]
    if kind in WHILE_RUNNING:
        check_entry(cup.status == "running", "not_running")
    elif cup.status == "finished" and kind not in ("reopen", "banked"):
        raise EntriesRefused("too_late" if kind == "enter" else "not_running")
    HANDLERS[kind](cup, entry)
    cup.at = entry["at"]
    _refresh(cup)


def _refresh(cup: WorldCup) -> None:
    """Give everybody their status; where it changes, it holds from this minute on."""
    for holder in cup.holders.values():
        status = _status(cup, holder)
        if status != holder.status:
            holder.status, holder.since = status, cup.at


def _status(cup: WorldCup, holder: BankHolder) -> str:
    if holder.is_withdrawn:
        return "withdrawn"
    if _table_in_play(cup, holder.name) is not None:
        return "playing"
    if cup.bank(holder.name) <= 0:
        return "out"
    return "pausing" if holder.is_pausing else "free"


def _table_in_play(cup: WorldCup, name: str) -> int | None:
    """Return the table at which a person plays in the running session."""
    session = cup.running
    number = None if session is None else session.table_of(name)
    return None if session is None or number in session.points else number


def _holder(cup: WorldCup, name: str) -> BankHolder:
    check_entry(name in cup.holders, "no_such_player")
    return cup.holders[name]


def _enter(cup: WorldCup, entry: Json) -> None:
    check_entry(entry["player"] not in cup.holders, "player_twice")
    check_entry(not cup.has_last, "too_late")
    cup.holders[entry["player"]] = BankHolder(entry["player"], entry["at"])


def _start(cup: WorldCup, entry: Json) -> None:
    check_entry(cup.status == "entry", "bad_entry")
    here = [each for each in cup.holders.values() if not each.is_withdrawn]
    check_entry(len(here) >= FEWEST, "too_few")
    cup.status = "running"
    for each in here:
        each.since = entry["at"]


def _withdraw(cup: WorldCup, entry: Json) -> None:
    holder, when = _holder(cup, entry["player"]), entry["when"]
    check_entry(not holder.is_withdrawn and not (holder.is_pausing and when == "one"), "player_gone")
    check_entry(holder.status != "out", "player_gone")
    if when != "now" and _table_in_play(cup, holder.name) is not None:
        holder.leaves = when
    else:
        _leave(cup, holder, is_pause=when == "one")


def _leave(cup: WorldCup, holder: BankHolder, *, is_pause: bool) -> None:
    holder.leaves, holder.agrees = "", False
    holder.is_pausing, holder.is_withdrawn, holder.mark = is_pause, not is_pause, len(cup.sessions)


def _return(cup: WorldCup, entry: Json) -> None:
    holder = _holder(cup, entry["player"])
    check_entry(holder.is_withdrawn or holder.is_pausing or bool(holder.leaves), "bad_entry")
    check_entry(not cup.has_last or bool(holder.leaves), "too_late")
    holder.is_withdrawn = holder.is_pausing = False
    holder.leaves = ""


def _agree(cup: WorldCup, entry: Json) -> None:
    holder = _holder(cup, entry["player"])
    check_entry(holder.status not in ("out", "withdrawn"), "player_gone")
    check_entry(not cup.has_last, "too_late")
    holder.agrees = entry["agrees"]


def _session(cup: WorldCup, entry: Json) -> None:
    names = [name for table in entry["tables"] for name in table]
    check_entry(entry["session"] == len(cup.sessions) + 1 and not cup.has_last, "bad_entry")
    check_entry(cup.running is None and len(set(names)) == len(names), "player_busy")
    for name in names:
        check_entry(_holder(cup, name).status == "free", "player_gone")
    cup.sessions.append(CupSession([list(table) for table in entry["tables"]], entry["last"], entry["at"]))


def _banked(cup: WorldCup, entry: Json) -> None:
    check_entry(entry["session"] <= len(cup.sessions), "no_such_match")
    session = cup.sessions[entry["session"] - 1]
    check_entry(entry["table"] <= len(session.tables), "no_such_table")
    people = session.tables[entry["table"] - 1]
    check_entry(set(entry["points"]) <= set(people), "no_such_player")
    is_new = entry["table"] not in session.points
    session.points[entry["table"]] = dict.fromkeys(people, 0) | entry["points"]
    if is_new and len(session.points) == len(session.tables):
        session.ended = entry["at"]
    for name in people if is_new else ():
        holder = cup.holders[name]
        if holder.leaves:
            _leave(cup, holder, is_pause=holder.leaves == "one")


def _break(cup: WorldCup, entry: Json) -> None:
    check_entry(entry["from"] < entry["to"], "bad_entry")
    cup.breaks.append((entry["from"], entry["to"]))


def _finish(cup: WorldCup, _entry: Json) -> None:
    check_entry(cup.running is None, "player_busy")
    cup.status = "finished"


def _reopen(cup: WorldCup, _entry: Json) -> None:
    check_entry(cup.status == "finished", "bad_entry")
    cup.status, cup.reopened = "running", len(cup.sessions)
    for each in cup.holders.values():
        each.agrees = False


HANDLERS: dict[str, Callable[[WorldCup, Json], None]] = {
    "enter": _enter,
    "start": _start,
    "withdraw": _withdraw,
    "return": _return,
    "agree": _agree,
    "session": _session,
    "banked": _banked,
    "break": _break,
    "finish": _finish,
    "reopen": _reopen,
}


# What comes next


def lot_of(cup: WorldCup, seed: int | str, length: int, version: int) -> Lot:
    """Return the chance of the next session after a log of a length, by a version of the pairing."""
    if version < BY_STATE:
        return Lot(seed, length)
    people = []
    for name, holder in cup.holders.items():
        if holder.status in HERE:
            counts = _counts(cup, name)
            people.append((name, counts["wins"], counts["losses"], None, 0))
    met = (pair for each in cup.sessions for table in each.tables for pair in combinations(table, 2))
    return Lot(seed, digest(len(cup.sessions), 0, len(cup.sessions) or None, people, met))


def proposals(cup: WorldCup, now: int, lot: Lot, version: int) -> list[Json]:
    """Return the proposals for a minute by a version of the pairing."""
    if cup.status == "entry":
        enough = sum(not each.is_withdrawn for each in cup.holders.values()) >= FEWEST
        return [_asked({"type": "start"}, "pair")] if enough else [_wait("nobody_free", None)]
    if cup.status == "finished":
        return []
    if cup.running is not None:
        return [_wait("session", cup.running.started + cup.minutes)]
    if cup.has_last or len(cup.left()) < 2:
        return [_asked({"type": "finish"}, "over")]
    if back := _returns(cup, version):
        return back
    end = max((end for start, end in cup.breaks if start <= now < end), default=None)
    return [_drawn(cup, lot, version) if end is None else _wait("break", end)]


def _is_last(cup: WorldCup) -> bool:
    """Tell whether the next session is the last one."""
    left = cup.left()
    return len(left) < FEWEST or all(each.agrees for each in left)


def _returns(cup: WorldCup, version: int) -> list[Json]:
    """Return the proposals by which people come back: after a session, for the last one, or where too few are here."""
    pausing = [each for each in cup.left() if each.status == "pausing"]
    free = len(cup.left()) - len(pausing)
    if not (_is_last(cup) or free < FEWEST):
        pausing = [each for each in pausing if len(cup.sessions) > each.mark]
    return [_auto({"type": "return", "player": each.name, "version": version}, "round_over") for each in pausing]


def _drawn(cup: WorldCup, lot: Lot, version: int) -> Json:
    """Return the proposal of the next session, drawn by lot."""
    names = [each.name for each in cup.left() if each.status == "free"]
    order = iter(lot.shuffled(names if version < BY_STATE else sorted(names)))
    places = table_sizes(len(names))
    tables = [[next(order) for _ in range(place)] for place in places]
    is_last = _is_last(cup)
    entry = {"type": "session", "session": len(cup.sessions) + 1, "tables": tables, "last": is_last, "version": version}
    return _asked(entry, "round_over") if is_last else _auto(entry, "pair")


def _asked(entry: Json, why: str) -> Json:
    return {"entries": [entry], "why": why, "mode": "ask", "in": None}


def _auto(entry: Json, why: str) -> Json:
    return {"entries": [entry], "why": why, "mode": "auto", "in": SECONDS}


def _wait(why: str, until: int | None) -> Json:
    return {"wait": {"until": until}, "why": why}


# The answer


def standing(cup: WorldCup) -> list[Json]:
    """Return the rows by place: the people of the last session by their banks, then the others by theirs."""
    last = {name for each in cup.sessions[cup.reopened :] if each.is_last for table in each.tables for name in table}
    order = sorted(cup.holders, key=lambda name: (name not in last, -cup.bank(name)))
    rows: list[Json] = []
    for at, name in enumerate(order):
        before = rows[-1] if rows else None
        is_equal = before is not None and _rank(cup, name, last) == _rank(cup, order[at - 1], last)
        place = before["place"] if before is not None and is_equal else at + 1
        rows.append({"player": name, "place": place, **_counts(cup, name)})
    return rows


def _rank(cup: WorldCup, name: str, last: set[str]) -> tuple[bool, int]:
    return name in last, cup.bank(name)


def _counts(cup: WorldCup, name: str) -> Json:
    """Return the sessions with a gain and with a loss, and the bank."""
    points = cup.points_of(name)
    return {"wins": sum(n > 0 for n in points), "losses": sum(n < 0 for n in points), "bank": cup.bank(name)}


def _state(cup: WorldCup) -> Json:
    last = cup.running if cup.running is not None and cup.running.is_last else None
    return {
        "status": cup.status,
        "phase": 0,
        "round": len(cup.sessions) or None,
        "forecast_end": cup.at if cup.status == "finished" else None if last is None else last.started + cup.minutes,
        "players": [_player(cup, holder) for holder in cup.holders.values()],
        "matches": [],
        "sessions": [_session_row(number, each) for number, each in enumerate(cup.sessions, 1)],
        "warnings": [],
    }


def _player(cup: WorldCup, holder: BankHolder) -> Json:
    row = {"player": holder.name, "status": holder.status, "since": holder.since, "agrees": holder.agrees}
    return {**row, **_counts(cup, holder.name), "lives": None, "byes": 0}


def _session_row(number: int, session: CupSession) -> Json:
    tables = [
        {"table": at, "players": list(people), "points": session.points.get(at)}
        for at, people in enumerate(session.tables, 1)
    ]
    row = {"session": number, "last": session.is_last, "started": session.started, "ended": session.ended}
    return {**row, "tables": tables}

"""Formats of tournaments as a host chooses them: kinds with good defaults, and proposed lengths.

Too few boards for the people of a tournament: how long they would wait, and what other formats would take.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, TypedDict, Unpack

from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal, JsonObject
from games.kernel.tournaments import formats, simulation
from games.kernel.tournaments.forecast import MINUTES_A_POINT, length_of_minutes, of_plan
from games.kernel.tournaments.formats import EntriesRefused
from games.kernel.tournaments.phases import world_cup
from games.services import server_time

LENGTHS = (1, 3, 5, 7, 9, 11, 13, 15)
"""The lengths that are proposed."""
LATER = ("knockout", "double", "round_robin")
"""The kinds of a phase that is added to a tournament that has been made."""
MOST_PHASES = 5
SESSIONS = (15, 20, 30, 45, 60, 90)
"""The minutes of a money session that are proposed."""
FEWEST_SESSION_MINUTES = 5
MOST_BANK, MOST_SESSION_MINUTES = 1000, 240
AFTER = (0, 2, 4, 8)
"""The numbers of people who play a knock-out after the rounds; 0: none."""
BEFORE_CLOSING, PER_CUP_ROUND = 1.8, 1.2
"""Matches of the length between the last start and the closing time, and more for each round of a cup."""
USUAL_MINUTES = 240
FEWEST_ROUNDS = 7
"""The matches that an evening of open end should have room for."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a kind, with the values among which the host chooses."""

    name: str
    label: Any
    choices: tuple[tuple[Any, Any], ...]
    default: Any


@dataclass(frozen=True, slots=True)
class FormatKind:
    """A kind of tournament in words. `is_in_rounds`: a knock-out of the best may follow it.

    `has_last`: it ends with rounds that may have lengths of their own.
    """

    id: str
    label: Any
    about: Any
    settings: tuple[Setting, ...] = ()
    is_in_rounds: bool = False
    has_last: bool = False
    is_of_tables: bool = False
    """It is played at tables for many, and has no matches."""


_NO, _YES = (False, _("no")), (True, _("yes"))
_PATIENCE = Setting("patience", _("Minutes to wait for a nearer opponent"), tuple((n, n) for n in (3, 6, 10)), 6)
_SEEDING = Setting("seeding", _("Places in the bracket"), (("lot", _("by lot")), ("given", _("by seeds"))), "lot")

KINDS: tuple[FormatKind, ...] = (
    FormatKind(
        "open_end",
        _("Open end"),
        _("Everybody plays all evening: whoever is free meets whoever has won about as often."),
        (
            _PATIENCE,
            Setting("cup", _("Cup at the end"), ((0, _("none")), (2, _("of the best 2")), (4, _("of the best 4"))), 0),
        ),
        has_last=True,
    ),
    FormatKind(
        "lives",
        _("Two lives"),
        _("The second defeat is the last one. For a title: the first go home early."),
        (
            Setting(
                "batch",
                _("New matches"),
                ((0, _("as soon as two are free")), (10, _("every 10 minutes")), (20, _("every 20 minutes"))),
                0,
            ),
        ),
        has_last=True,
    ),
    FormatKind(
        "knockout",
        _("Knock-out"),
        _("A defeat is the last one; byes by lot, or for the first seeds."),
        (
            _SEEDING,
            Setting("consolation", _("Consolation for those who lose their first match"), (_YES, _NO), True),
            Setting("rolling", _("Brackets"), ((0, _("one for all")), (8, _("of eight, as they fill"))), 0),
            Setting(
                "reentry_until",
                _("Who loses may enter again"),
                ((0, _("no")), (1, _("in the first round")), (2, _("in the first two rounds"))),
                0,
            ),
        ),
        has_last=True,
    ),
    FormatKind(
        "double",
        _("Double elimination"),
        _("The bracket with a lower half for those who have lost once."),
        (_SEEDING,),
        has_last=True,
    ),
    FormatKind(
        "round_robin",
        _("Everybody against everybody"),
        _("All pairs of a group, as soon as both are free."),
        (
            Setting("groups", _("Groups"), tuple((n, n) for n in (1, 2, 3, 4)), 1),
            Setting(
                "tie",
                _("Equal also between themselves and in points"),
                (("playoff", _("a play-off for the first place")), ("lot", _("by lot"))),
                "playoff",
            ),
        ),
        is_in_rounds=True,
    ),
    FormatKind(
        "schedule",
        _("So many matches each"),
        _("Everybody plays the same number of matches, nobody twice against the same."),
        (Setting("matches", _("Matches"), tuple((n, n) for n in range(2, 10)), 6),),
        is_in_rounds=True,
    ),
    FormatKind(
        "swiss",
        _("Swiss system"),
        _("Rounds in step: winners against winners, nobody twice against the same."),
        (
            Setting("rounds", _("Rounds"), tuple((n, n) for n in range(2, 10)), 5),
            Setting(
                "tie",
                _("Equal places"),
                (
                    ("playoff", _("a play-off")),
                    ("head_to_head", _("by their own match")),
                    ("buchholz", _("by their opponents' wins")),
                    ("wins", _("are shared")),
                ),
                "playoff",
            ),
        ),
        is_in_rounds=True,
        has_last=True,
    ),
    FormatKind(
        "neighbours",
        _("Neighbours of the season"),
        _("In each round people meet their neighbours in the table of the season of this night."),
        (Setting("rounds", _("Rounds"), tuple((n, n) for n in range(1, 7)), 3),),
    ),
    FormatKind(
        world_cup.KIND,
        _("World-Cup Chouette"),
        _(
            "Everybody begins with a bank of points and plays chouettes at tables that are drawn anew each session. "
            "Who has nothing left is out; in the end the largest bank wins."
        ),
        (
            Setting("bank", _("Points in the bank"), tuple((n, n) for n in (10, 20, 30, 50)), world_cup.USUAL_BANK),
            Setting(
                "minutes",
                _("Minutes of a session"),
                tuple((n, n) for n in (20, 30, 45, 60, 90)),
                world_cup.USUAL_MINUTES,
            ),
        ),
        is_of_tables=True,
    ),
)
BY_ID: Mapping[str, FormatKind] = {kind.id: kind for kind in KINDS}


@dataclass(frozen=True, slots=True)
class ChosenFormat:
    """A format as the host chose it. `minutes` are those until the closing time; `boards` None: enough.

    `last_lengths` are the lengths of the last rounds, the last one first, of a kind that `has_last` or of the knock-out
    after it. `session` are the minutes of the money session that each match is, 0 for matches of a length.
    """

    kind: str
    length: int
    minutes: int
    boards: int | None = None
    after: int = 0
    last_lengths: tuple[int, ...] = ()
    settings: Mapping[str, Any] | None = None
    session: int = 0

    @property
    def points(self) -> int:
        """The length of a match; of a money session that of a match of about the same duration."""
        return length_of_minutes(self.session) if self.session else self.length


def kind_of(kind_id: str) -> FormatKind:
    """Return a kind; raises Illegal `tournament_format`."""
    if kind_id not in BY_ID:
        raise Illegal("tournament_format")
    return BY_ID[kind_id]


def made(choice: ChosenFormat) -> JsonObject:
    """Return a choice as a format of the kernel; raises Illegal `tournament_format`."""
    kind = kind_of(choice.kind)
    settings = {each.name: each.default for each in kind.settings} | dict(choice.settings or {})
    if kind.is_of_tables:
        return _of_tables(choice, {"kind": kind.id, **settings})
    if choice.session and choice.last_lengths:
        raise Illegal("tournament_format")
    both = {"length": choice.points, "tables": choice.boards}
    phase: JsonObject = {"kind": kind.id, **settings, **both}
    if kind.id == "open_end":
        phase["last_start"] = last_start(choice.minutes, choice.points, settings["cup"])
    last: JsonObject = {"last_lengths": list(choice.last_lengths)} if choice.last_lengths else {}
    found: JsonObject = phase
    if choice.after:
        if not kind.is_in_rounds:
            raise Illegal("tournament_format")
        found = {"phases": [phase, {"kind": "knockout", "seeding": "given", **both, **last}], "advance": [choice.after]}
    else:
        phase |= last
    try:
        formats.read(found)
    except EntriesRefused:
        raise Illegal("tournament_format") from None
    return found


def _of_tables(choice: ChosenFormat, found: JsonObject) -> JsonObject:
    """Return the format of a World-Cup Chouette, which has no phase after it; raises Illegal `tournament_format`."""
    try:
        world_cup.read_format(found)
    except EntriesRefused:
        raise Illegal("tournament_format") from None
    if choice.after or choice.session or found["bank"] > MOST_BANK or found["minutes"] > MOST_SESSION_MINUTES:
        raise Illegal("tournament_format")
    return found


def with_phase(given: Mapping[str, Any], kind: str, length: int, people: int) -> JsonObject:
    """Return a stored format with one more phase for the best of the last one; raises Illegal `tournament_format`."""
    before = phases(given)
    new: JsonObject = {"kind": kind, "length": length, "tables": before[0].get("tables")}
    if kind != "round_robin":
        new["seeding"] = "given"
    found = {"phases": [*before, new], "advance": [*given.get("advance", []), people]}
    try:
        plan = formats.read(found)
    except EntriesRefused:
        raise Illegal("tournament_format") from None
    if kind not in LATER or len(plan.phases) > MOST_PHASES:
        raise Illegal("tournament_format")
    return found


def phases(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the phases of a stored format, the cup of an open end left out."""
    found: list[dict[str, Any]] = given["phases"] if "phases" in given else [dict(given)]
    return found


def is_seeded(given: Mapping[str, Any]) -> bool:
    """Tell whether the first phase of a stored format has seeds that directors give."""
    return phases(given)[0].get("seeding") == "given"


def last_start(minutes: int, length: int, cup: int) -> int:
    """Return the last minute in which a match of an open end may start, for a closing time in so many minutes.

    A match takes 8 minutes a point; 1.8 matches of the length fit behind it, 1.2 more for each round of a cup.
    """
    match = length * MINUTES_A_POINT
    rounds = {0: 0, 2: 1, 4: 2}.get(cup, 0)
    return max(0, round(minutes - (BEFORE_CLOSING + PER_CUP_ROUND * rounds) * match))


def proposed_length(
    kind: str, people: int, minutes: int, settings: Mapping[str, Any] | None = None, **more: Unpack[PlannedFormat]
) -> int:
    """Return the longest length at which so many people are done in so many minutes, as the forecast has it.

    An open end, which always ends then, has room for seven matches each before its last start. At least 1 point.
    """
    if kind_of(kind).is_of_tables:
        return LENGTHS[0]
    choice = ChosenFormat(kind, LENGTHS[0], minutes, settings=settings, **more)
    fitting = (each for each in reversed(LENGTHS) if _fits(replace(choice, length=each), max(2, people)))
    return next(fitting, LENGTHS[0])


class PlannedFormat(TypedDict, total=False):
    """Further plans of a chosen format for the evening, as `ChosenFormat`."""

    boards: int | None
    after: int
    last_lengths: tuple[int, ...]


def _fits(choice: ChosenFormat, people: int) -> bool:
    try:
        given = made(choice)
    except Illegal:
        return False
    if choice.kind == "open_end":
        return bool(FEWEST_ROUNDS * choice.length * MINUTES_A_POINT <= given["last_start"])
    return of_plan(formats.read(given), people) <= choice.minutes


LONG_WAITING = 20
"""The minutes of waiting in an evening above which directors are told."""


@dataclass(frozen=True, slots=True)
class OtherFormat:
    """Another format with as many boards: the minutes that each waits, and when it is over if it begins now."""

    label: Any
    waiting: int
    ends: datetime


@dataclass(frozen=True, slots=True)
class TooFewBoards:
    """The minutes that each waits with the boards there are, and with `enough` of them; other formats by waiting."""

    boards: int
    people: int
    waiting: int
    enough: int
    least: int
    others: tuple[OtherFormat, ...]


def too_few_boards(given: JsonObject, people: int, minutes: int) -> TooFewBoards | None:
    """Return what too few boards for people mean; None where there are enough, or where nobody waits long.

    `given` is a stored format, and `minutes` are those of the evening, for formats that are played until its end.
    """
    first = {} if world_cup.is_played(given) else phases(given)[0]
    boards, enough = first.get("tables"), people // 2
    if boards is None or boards >= enough:
        return None
    waiting = round(simulation.course(given, people).waiting)
    if waiting <= LONG_WAITING:
        return None
    least = round(simulation.course(_with_boards(given, enough), people).waiting)
    others = _others(ChosenFormat(first["kind"], first["length"], minutes, boards), people)
    return TooFewBoards(boards, people, waiting, enough, least, others)


def _with_boards(given: JsonObject, boards: int) -> JsonObject:
    changed = [each | {"tables": boards} for each in phases(given)]
    return {**given, "phases": changed} if "phases" in given else changed[0]


def _others(choice: ChosenFormat, people: int) -> tuple[OtherFormat, ...]:
    """Return the other formats of matches of the same length, as they are proposed."""
    found, now = [], server_time.now()
    for kind in KINDS:
        if kind.id != choice.kind and not kind.is_of_tables:
            course = simulation.course(made(replace(choice, kind=kind.id)), people)
            found.append(OtherFormat(kind.label, round(course.waiting), now + timedelta(minutes=course.end)))
    return tuple(sorted(found, key=lambda each: each.waiting))

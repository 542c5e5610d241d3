"""Grades of choices: the house rule `skill_shown`, which says who sees whose, and what is told of a mistake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from games.kernel.figures.skill_rates import Counts
from games.kernel.options.kinds import ChoiceOption, Needs, Pick
from games.kernel.replay import Entry
from games.kernel.text import gettext_noop as _

MOST_WAYS = 4
"""So many ways of a choice are told with a mistake."""
OWN, TABLE, ALL = "own", "table", "all"


class Depth(IntEnum):
    """The depth of an engine: in the two passes over a game, and for a single choice that somebody asks about."""

    FIRST = 1
    DEEP = 2
    DEEPER = 3


@dataclass(frozen=True, slots=True)
class GameToGrade:
    """A game to be graded: the entries of a table's log up to its end, with the number of the game's first one.

    `options` are the table's house rules, `seats` is the number of seats that it was opened with.
    """

    options: Mapping[str, Any]
    seats: int
    entries: Sequence[Entry]
    first: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A marked text with the values of its parameters."""

    text: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Way:
    """A way that there was to choose: its text, in the game's notation or a marked one, and its equity for who chose.

    `mark` is BEST, CHOSEN or "".
    """

    text: str
    equity: float
    mark: str = ""


BEST, CHOSEN = "best", "chosen"


@dataclass(frozen=True, slots=True)
class Mistake:
    """A choice that cost something: the entry of the log, whose, the error, and a sentence of it.

    `sentence` is a marked text with `%(name)s`, `%(error)s` and the names of `values` in it; `suggested` are the seats
    that had suggested the better choice. `chosen` and `best` are the two in short, and `is_drawn` tells that the game's
    element can draw them. `position` is the position before it where the game's study can show it. `row` is its number
    among the rows of its game, and `deeper` the level of a deeper look at it, "" without one. `ways` are what there was
    to choose, MOST_WAYS at most; `is_chance` tells that equities and error are chances, the error in percentage points.
    """

    seq: int
    seat: int
    error: float
    sentence: str
    values: Mapping[str, str] = field(default_factory=dict)
    suggested: tuple[int, ...] = ()
    chosen: Sentence | None = None
    best: Sentence | None = None
    is_drawn: bool = False
    position: str = ""
    row: int = 0
    deeper: str = ""
    ways: Sequence[Way] = ()
    is_chance: bool = False


@dataclass(frozen=True, slots=True)
class OtherRate:
    """Another way to count the same choices, as other programs do: `scale` times the mean error of those that count.

    `label` is its name and `about` says what counts (marked texts); it is told apart by the parts of a `heading`.
    """

    label: str
    about: Sentence
    scale: float
    heading: str
    counts: Counts


@dataclass(frozen=True, slots=True)
class ExerciseWay:
    """A way to choose in an exercise: its equity for the player to move, and its error, the equity that it loses.

    `text` is in the game's own notation, or where `is_marked` a marked text.
    """

    text: str
    equity: float
    error: float
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class Exercise:
    """A choice of a game that is put as an exercise: sentences about it, the question, the ways, the best first.

    `position` is what the game's picture of a study shows. `played` is the text of what was chosen in the game. A way
    that costs less than `tolerance` is nearly right. `is_studied` tells that the game's study can begin there.
    """

    kind: str
    position: str
    about: Sequence[Sentence]
    question: Sentence
    candidates: Sequence[ExerciseWay]
    played: str
    tolerance: float
    is_studied: bool = True


@dataclass(frozen=True, slots=True)
class Swing:
    """A roll with much luck, good or bad: its entry, whose, the dice, its luck in points, the cubes in play counted."""

    seq: int
    seat: int
    dice: tuple[int, ...]
    points: float


def option(group: str, needs: Needs | None = None) -> ChoiceOption:
    """Return the house rule `skill_shown` for the declaration of a game whose choices are graded."""
    return ChoiceOption(
        id="skill_shown",
        label=_("Who sees grades"),
        default=OWN,
        group=group,
        needs=needs,
        help=_(
            "Where an engine grades finished games. Whoever wants to can hide their own grades from all others, "
            "whatever the table says."
        ),
        picks=(
            Pick(OWN, _("everybody their own"), _("Grades of a game: everybody sees their own alone.")),
            Pick(TABLE, _("the players of the table"), _("Grades of a game: the players of the table see them all.")),
            Pick(
                ALL,
                _("all of the night"),
                _(
                    "Grades of a game: everybody at the night sees them all; elsewhere those of people in the "
                    "leaderboards."
                ),
            ),
        ),
    )


def shown(options: Mapping[str, Any]) -> str:
    """Return who sees grades under these house rules; tables older than the rule show everybody their own."""
    return str(options.get("skill_shown", OWN))

"""The types of what the house sends of a game, and how a game declares its own shapes.

A game declares the shape of its view as a `TypedDict`, and of each choice by a `ChoiceShape`. From these the house
makes JSON schemas (`schemas`) and the types of the browser's modules (`manage.py browser_types`). A text that is one of
a few words is `Annotated[str, OneOf("box", "team")]`, a list whose items differ `Annotated[list[object], Items(str,
int)]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, TypeAlias, TypedDict

Seat: TypeAlias = int


@dataclass(frozen=True)
class OneOf:
    """The words that a text may be."""

    words: tuple[str, ...]

    def __init__(self, *words: str) -> None:
        object.__setattr__(self, "words", words)


@dataclass(frozen=True)
class Items:
    """The types of a list's items, one by one."""

    types: tuple[Any, ...]

    def __init__(self, *types: Any) -> None:
        object.__setattr__(self, "types", types)


@dataclass(frozen=True, slots=True)
class ChoiceShape:
    """The shape of a choice's arguments, and of the data of its words (`Rules.about`): TypedDicts."""

    arguments: type[Any]
    about: type[Any] | None = None


class NoArguments(TypedDict):
    """The arguments of a choice that has none."""


class TypedFaces(TypedDict):
    """Faces of real dice, the highest first; with `server` in their place the house throws."""

    dice: NotRequired[list[int]]
    server: NotRequired[bool]


SentLine: TypeAlias = Annotated[list[object], Items(str, dict[str, Any])]
"""`[name, data]`: a phrase or an event of the game, with what it is filled in with (`words.Line`)."""


SentLaw = TypedDict(
    "SentLaw",
    {
        "why": str,
        "alike": NotRequired[list[list[int]]],
        "any": NotRequired[list[int]],
        "needs": NotRequired[int],
        "least": NotRequired[int],
        "or": NotRequired[list[list[int]]],
    },
)
"""A law that forbids sets: `why` is the id of the house rule behind it."""


class SentMarks(TypedDict):
    """Things of a chosen set that may be marked besides: those in `of`; a set in `forced` is marked whole."""

    name: str
    of: list[int]
    forced: list[list[int]]
    why: str


class SentSets(TypedDict):
    """Options `{name: [id, …]}`, ids ascending: the sets of things in `of` that no law forbids."""

    name: str
    of: list[int]
    may_be_empty: bool
    laws: list[SentLaw]
    marks: NotRequired[SentMarks]


class SentOptions(TypedDict):
    """The options of a choice: each one's arguments, or, in their place, the rule that says which sets they are.

    `about` is the data of its words beside the view.
    """

    options: NotRequired[list[dict[str, Any]]]
    sets: NotRequired[SentSets]
    about: NotRequired[Mapping[str, Any]]


class SentChoice(SentOptions):
    """An open decision; `basis` is the entry that opened it."""

    name: str
    seat: Seat | None
    basis: int
    required: bool
    seconds: int | None


class SentGain(TypedDict):
    """A part of a headline about one player."""

    seat: Seat
    text: str
    tone: Annotated[str, OneOf("", "plus", "minus")]


class SentHeadline(TypedDict):
    """A headline of a big screen; `rise`: from what to what a cube goes, `calls`: what is said aloud."""

    text: SentLine
    kind: Annotated[str, OneOf("line", "turn", "result")]
    detail: NotRequired[SentLine]
    people: NotRequired[list[SentGain]]
    rise: NotRequired[list[int]]
    great: NotRequired[bool]
    calls: NotRequired[list[SentLine]]


class SentEvent(TypedDict):
    """An event as its reader may see it: only `{"type": "hidden"}` if they may not."""

    type: str
    data: NotRequired[dict[str, Any]]
    v: NotRequired[int]
    private: NotRequired[bool]


class SentPerson(TypedDict):
    """A person of the night."""

    player: int | None
    name: str


class EarlierSitter(TypedDict):
    """An earlier person of a seat, with the entry by which the next one sat down."""

    name: str
    upto: int


class SentTableSeat(TypedDict):
    """A seat of the table object. `player` is null when nobody or a bot sits there, `gone`: it has left for good.

    `accepted`: its person has accepted the rules. `keeper` acts for a person without a phone. `before` are its earlier
    people, the oldest first.
    """

    id: str
    seat: Seat
    name: str
    player: int | None
    bot: str
    accepted: bool
    gone: bool
    keeper: SentPerson | None
    before: NotRequired[list[EarlierSitter]]


class SentCorrection(TypedDict):
    """A correction of a result that waits until those of `waiting` have agreed; `by` proposed it.

    With `one_is_enough` the first answer decides. `told` is the result of a match on a real board.
    """

    id: str
    result: int
    seat: Seat | None
    points: dict[str, int]
    told: dict[str, Any] | None
    reason: str
    waiting: list[Seat]
    one_is_enough: bool
    by: SentPerson | None
    asked: list[SentPerson]


class SentTable(TypedDict):
    """The table object (docs/protocol.md §5)."""

    id: str
    night: str
    number: int
    game: str
    preset: str
    house_rules: dict[str, Any] | None
    medium: str
    status: Annotated[str, OneOf("lobby", "playing", "paused", "finished")]
    host: int
    broken_off: bool
    scorekeeper: SentPerson | None
    seats: list[SentTableSeat]
    successor: str | None
    corrections: list[SentCorrection]
    commitment: str
    url: str


class KitSeat(TypedDict):
    """The members of a seat that the kit shows."""

    seat: NotRequired[Seat]
    points: NotRequired[int]


class KitDie(TypedDict):
    """A die with its colour: red, green, blue, black, white or yellow."""

    value: int
    colour: NotRequired[str]


class KitView(TypedDict):
    """The members of a view that the kit knows; a game leaves out what it does not have.

    `asked` is the name of the choice that the game waits for. `over` is whether the game
    has ended, `options` are the house rules.
    """

    seats: NotRequired[list[KitSeat]]
    waiting_for: NotRequired[list[Seat]]
    asked: NotRequired[str]
    dice: NotRequired[list[int | KitDie]]
    over: NotRequired[bool]
    options: NotRequired[dict[str, Any]]

"""Grading: each decision of a turn against the exact chances (docs/rules-chicago.md §6), in percentage points.

It is held to the aim that the rules give: to beat the standing result, not to be low at the end of the round, or to be
high where mats are played off. No engine is asked: `chicago.odds` is exact.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from chicago.odds.objective import Aim, aim_of, stand_chance, turn_of, ways
from chicago.rules.events.coming import TimedOut
from chicago.rules.events.turns import DiceAwaited, DiceThrown, SixesTurned, Stood
from chicago.rules.fold import EVENTS, fold
from chicago.rules.state import State, initial
from chicago.rules.throwing.scoring import Valuation, declarations
from chicago.rules.throwing.turn import Lay, Turn, after
from chicago.rules.view import view
from games.kernel.contract import Event, JsonObject, Seat
from games.kernel.figures.skill import Depth, Exercise, GameToGrade, Mistake, OtherRate, Sentence, Swing
from games.kernel.replay import is_house
from games.kernel.text import gettext_noop as _

FORMULA = 1
HOW_TO_GET_ONE = ""
SCALE, RATE = 1.0, _("Chance given away, in percentage points a choice")
IS_EXACT = True
WHAT_COUNTS = (
    Sentence(
        _(
            "A choice costs what it takes from the chance of its aim, in percentage points: to beat the standing "
            "result, not to be low at the end of the round, or to be high where mats are played off."
        )
    ),
    Sentence(
        _(
            "A choice counts where some way of choosing would have cost something. The first throw of a turn is no "
            "choice, and what the clock did is nobody's."
        )
    ),
)
OTHER_RATES: Sequence[OtherRate] = ()
BY_KIND = _("By kind")
PARTS: Mapping[str, Mapping[str, str]] = {
    BY_KIND: {
        "keep": _("Dice that stay"),
        "stand": _("Standing, or throwing again"),
        "turn": _("Turning sixes"),
        "declare": _("What counts"),
    },
    _("By place in the round"): {"starter": _("As the starter"), "follower": _("As a follower")},
}
AREAS: Mapping[str, str] = PARTS[BY_KIND]

LEAST_ERROR = 1.0
"""The least error, in percentage points, that is a mistake worth a look."""
_SPREAD = Fraction(1, 10_000)
"""Ways whose chances lie closer together are no choice."""
_PERCENT = 100

_SENTENCES: Mapping[tuple[str, str], str] = {
    ("throw", "throw"): _(
        "%(name)s had %(dice)s and kept %(played)s: to keep %(best)s would have been better by %(error)s percentage "
        "points."
    ),
    ("throw", "stand"): _(
        "%(name)s had %(dice)s and threw again: to stand would have been better by %(error)s percentage points."
    ),
    ("stand", "throw"): _(
        "%(name)s stood with %(dice)s: to keep %(best)s and throw again would have been better by %(error)s percentage "
        "points."
    ),
    ("stand", "stand"): _(
        "%(name)s stood with %(dice)s: to declare otherwise would have been better by %(error)s percentage points."
    ),
}


class Exact:
    """The exact chances in the form of an engine: always here, and of one depth."""

    name, level = "chicago/odds", "exact"

    def at(self, depth: Depth) -> Exact:
        """Return itself: nothing is deeper."""
        return self

    def close(self) -> None:
        """Nothing is kept running."""


def has_engine() -> bool:
    """Return True: the chances are computed here."""
    return True


def engine() -> Exact:
    """Return the exact chances."""
    return Exact()


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to go on: `kind` is "throw" or "stand", `text` the dice that stay with "*" for turned sixes."""

    kind: str
    chance: Fraction
    text: str = ""
    is_turned: bool = False


def rows(game: GameToGrade, engine: Exact) -> Iterator[JsonObject]:
    """Yield a row for each decision of the turns of a game; the first throw of a turn is none.

    `{"seq", "seat", "role", "kind", "aim", "dice", "played", "best", "equities", "error", "counts", "luck", "cube",
    "suggested", "graded"}`: `seat` is null for what the clock did, `kind` is what the choice was about, `played` and
    `best` are the dice that stay, "stand" or "declare"; `equities` are chances to reach the aim, `error` their
    difference in percentage points.
    """
    state = initial(dict(game.options), game.seats)
    for entry in game.entries:
        is_clocks = any(event.type == TimedOut.name for event in entry.events)
        is_turned = any(event.type == SixesTurned.name for event in entry.events)
        for event in entry.events:
            if is_house(event):
                continue
            if entry.seq >= game.first and (found := _row(state, event, is_turned=is_turned)) is not None:
                own = {"seat": None, "counts": False} if is_clocks else {}
                yield {"seq": entry.seq, **found, **own}
            state = fold(state, event, entry.seq)


def row(game: GameToGrade, engine: Exact, number: int) -> JsonObject | None:
    """Return a single one of the rows by its number from 0; None where there are not so many."""
    return next(islice(rows(game, engine), number, None), None)


def _row(state: State, event: Event, *, is_turned: bool) -> JsonObject | None:
    """Return the row of an event that went on with a turn, or ended it by standing; None for any other."""
    told = EVENTS.read(event)
    if state.on_turn is None or not state.turn.throws or not isinstance(told, DiceThrown | DiceAwaited | Stood):
        return None
    if isinstance(told, DiceThrown) and state.awaits is not None:
        # The dice that a tap has waited for: the choice stood there.
        return None
    shown = view(state, None)
    aim, turn = aim_of(shown), turn_of(shown)
    legal = list(_ways(state, aim, turn))
    played = _stood(state, aim, turn, told) if isinstance(told, Stood) else _thrown(state, legal, told, is_turned)
    best = max(legal, key=lambda way: way.chance)
    if played is None:
        return None
    error = max(best.chance - played.chance, Fraction(0))
    best = best if error >= _SPREAD else played
    return {
        "seat": state.on_turn,
        "role": "starter" if aim.throws is None else "follower",
        "kind": _kind(played, best),
        "aim": aim.goal,
        "dice": list(turn.dice),
        "played": played.text or played.kind,
        "best": best.text or best.kind,
        "ways": [played.kind, best.kind],
        "equities": {"played": float(played.chance), "best": float(best.chance)},
        "error": float(_PERCENT * error) if error >= _SPREAD else 0.0,
        "counts": best.chance - min(way.chance for way in legal) >= _SPREAD,
        "luck": None,
        "cube": 1,
        "suggested": [],
        "graded": True,
    }


def _ways(state: State, aim: Aim, turn: Turn) -> Iterator[_Way]:
    """Yield the legal ways to go on; standing is there with each declaration that may be made."""
    for move in ways(aim, turn):
        if move.lay is not None:
            yield _Way("throw", move.chance, _kept(state, turn, move.lay), move.lay.turn)
        elif aim.declares:
            yield from (_Way("stand", stand_chance(aim, turn, valuation)) for valuation in declarations())
        else:
            yield _Way("stand", move.chance)


def _kept(state: State, turn: Turn, lay: Lay) -> str:
    """Return the dice that stay beside a throw, "–" for none."""
    stays = "-".join(map(str, after(turn, lay, state.turn_rules))) or "–"
    return f"{stays}*" if lay.turn else stays


def _thrown(state: State, legal: Iterable[_Way], told: DiceThrown | DiceAwaited, is_turned: bool) -> _Way | None:
    """Return the way of a throw: that which leaves the same dice beside it."""
    if isinstance(told, DiceAwaited):
        wanted = _kept(state, state.turn, Lay(tuple(told.lay), told.turn, told.laid))
    else:
        stays = "-".join(map(str, sorted(told.laid))) or "–"
        wanted = f"{stays}*" if is_turned else stays
    return next((way for way in legal if way.kind == "throw" and way.text == wanted), None)


def _stood(state: State, aim: Aim, turn: Turn, told: Stood) -> _Way:
    valuation = Valuation(**told.valuation) if told.valuation and aim.declares else aim.house.valuation
    return _Way("stand", stand_chance(aim, turn, valuation))


def _kind(played: _Way, best: _Way) -> str:
    """Return the sentence about a choice: what was done, where it was right."""
    if played.kind != best.kind:
        return "stand"
    if played.kind == "stand":
        return "declare" if played != best else "stand"
    return "turn" if played.is_turned != best.is_turned else "keep"


def parts(found: Sequence[JsonObject]) -> list[tuple[str, ...]]:
    """Return the parts of each row."""
    return [(row["kind"], row["role"]) for row in found]


def area(parts: Collection[str]) -> str:
    """Return the kind of a choice."""
    return next(each for each in AREAS if each in parts)


def mistakes(found: Sequence[JsonObject]) -> list[Mistake]:
    """Return what cost LEAST_ERROR or more and counts, in the order of the log."""
    return [_mistake(row) for row in found if row["counts"] and row["error"] >= LEAST_ERROR]


def _mistake(row: JsonObject) -> Mistake:
    played, best = row["ways"]
    values = {"dice": "-".join(map(str, row["dice"])), "played": row["played"], "best": row["best"]}
    about = {"seq": row["seq"], "seat": row["seat"], "error": row["error"], "row": row.get("row", 0)}
    chosen, better = _in_short(played, row["played"]), _in_short(best, row["best"])
    return Mistake(
        **about,
        sentence=_SENTENCES[played, best],
        values=values,
        deeper=row.get("deeper", ""),
        chosen=chosen,
        best=better,
        is_chance=True,
    )


def _in_short(kind: str, dice: str) -> Sentence:
    """Return a way to go on in a few words."""
    return Sentence(_("stand")) if kind == "stand" else Sentence(_("keep %(dice)s"), {"dice": dice})


def course(found: Sequence[JsonObject]) -> list[tuple[int, float]]:
    """Return nothing: the chances of turns have no course."""
    return []


def first_side(found: Sequence[JsonObject]) -> Seat | None:
    """Return None: there are no sides."""
    return None


def luck(row: JsonObject) -> float | None:
    """Return None: luck is among the game's figures (chicago/figures.py)."""
    return None


def luck_of_seat(found: Sequence[JsonObject], seat: Seat) -> float | None:
    """Return None, as `luck`."""
    return None


def cost(row: JsonObject) -> float | None:
    """Return None: what a choice costs is a chance, and no points."""
    return None


def swing(found: Sequence[JsonObject]) -> Swing | None:
    """Return None, as `luck`."""
    return None


def lucky(found: Sequence[JsonObject]) -> list[Swing]:
    """Return nothing, as `luck`."""
    return []


def exercise(row: JsonObject) -> Exercise | None:
    """Return None: the quiz is of positions that can be drawn."""
    return None


def answer(position: str, engine: Exact) -> JsonObject:
    """Return an empty answer: the game has no study."""
    return {"kind": "", "lines": [], "best": ""}


def kept_exercise(position: str, answer: JsonObject) -> Exercise | None:
    """Return None, as `exercise`."""
    return None

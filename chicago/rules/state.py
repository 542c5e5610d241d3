"""The state of a table of Chicago (docs/rules-chicago.md §§2–5).

Immutable; only `fold` makes new ones. Classes whose values it changes often have no slots, for
quick copies (`records.changed`). Seats are counted from 0 round to the left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias, TypedDict

from chicago.rules.throwing.scoring import Score, Valuation
from chicago.rules.throwing.turn import MOST_THROWS, Turn, TurnRules
from games.kernel import draft
from games.kernel.contract import JsonObject, Seat
from games.kernel.data.records import record
from games.kernel.options import Values

BEFORE_THROWING = Turn()
HISTORY = 12
"""Number of finished turns that are kept for the screen."""

ROUNDS, DEALING, PLAYING_OFF, OVER = "rounds", "dealing", "playing_off", "over"
IN, COMING, SAFE, LEFT = "in", "coming", "safe", "left"


@dataclass(frozen=True)
class Player:
    """One seat's standing and tallies.

    `status` is `in`, `coming` (plays from the next round on), `safe` (out of a mats game) or
    `left`. `played` is False for a newcomer without a part in the game so far. `vacant`: the
    player of the seat has left and paid for it, while the seat stays in the game (§4.4.6).
    """

    status: str = IN
    mats: int = 0
    mats_taken: int = 0
    rounds_paid: int = 0
    forfeits: int = 0
    side_forfeits: int = 0
    chicks: int = 0
    fish: int = 0
    throws: int = 0
    played: bool = True
    vacant: bool = False


@record(frozen=True, slots=True)
class TurnResult:
    """A finished turn; `value` is as in `scoring.Score`, under that round's valuation."""

    round: int
    seat: Seat
    dice: tuple[int, ...]
    throws: int
    value: int
    is_chick: bool
    is_fish: bool

    @property
    def score(self) -> Score:
        """The result in the form that the scoring functions compare."""
        return Score(self.value, self.is_chick, self.is_fish, self.throws)


@dataclass(frozen=True)
class Round:
    """One round: `waiting` are the seats still to come, in order, after the one on turn.

    `throws_allowed` is None until the starter has stood, and so is `valuation` if the starter
    declares it. `results` are in the order of play. `out` are the seats that threw a Chick in this
    round; `reward_used`: a Chick took the place of the round's reward (§4.2).
    """

    number: int = 0
    starter: Seat = 0
    waiting: tuple[Seat, ...] = ()
    throws_allowed: int | None = None
    valuation: Valuation | None = None
    results: tuple[TurnResult, ...] = ()
    out: tuple[Seat, ...] = ()
    reward_used: bool = False


NO_ROUND = Round()


@dataclass(frozen=True)
class Breach:
    """A breach that `by` has called against `seat`; `votes` are (voter, guilty)."""

    seat: Seat
    by: Seat
    kind: str
    voters: tuple[Seat, ...]
    votes: tuple[tuple[Seat, bool], ...]
    opened: int


@dataclass(frozen=True, slots=True)
class ForfeitOffer:
    """The forfeits of a leaver, which another player may take over until a round ends."""

    seat: Seat
    count: int
    until_round: int
    opened: int


@dataclass(frozen=True)
class State:
    """The whole state of a table; the fields `…opened` are the seqs that opened the decisions now open.

    `ring` are the seats round to the left, including leavers since this round began.
    `awaits` are the arguments of the `throw` whose dice are still to be typed; `declared` is the
    valuation that the starter declares before entering a result. With real dice, `is_typed` says
    that the dice of this turn were typed, and `began` and `before` are the table at the start of
    this turn and of the last typed one, for taking them back; `turns` is the number of all turns, and `house_threw`
    that of the last one in which the house threw for a person. `since` is the entry in which this turn began.
    `without_house`: rounds of this game were played while the house was out of reach; `handed` is the table before the
    last of them that were handed over, in entry `handed_seq`, while nothing has come after.
    `coming` are the newcomers, in the order in which they came.

    `stock` is None without mats; `mats_out` is the number of mats that have left play. `naming`
    is the seat that may name the round's loser, `refill` the one that must refill first;
    `silenced` are the seats whose call of a breach was turned down in this round. `ending` has the
    events of the last entry that ended anything: `{"seq", "events": [{"type", "data"}]}`.
    """

    options: Values
    turn_rules: TurnRules
    players: tuple[Player, ...]
    phase: str
    ring: tuple[Seat, ...] = ()
    coming: tuple[Seat, ...] = ()
    stock: int | None = None
    mats_out: int = 0
    round: Round = NO_ROUND
    on_turn: Seat | None = None
    turn: Turn = BEFORE_THROWING
    awaits: JsonObject | None = None
    declared: JsonObject | None = None
    turns: int = 0
    house_threw: int = 0
    since: int = 0
    without_house: bool = False
    handed: State | None = None
    handed_seq: int = 0
    is_typed: bool = False
    began: State | None = None
    before: State | None = None
    opened: int = 0
    naming: Seat | None = None
    refill: Seat | None = None
    refill_opened: int = 0
    breach: Breach | None = None
    silenced: tuple[Seat, ...] = ()
    calls_opened: int = 0
    offers: tuple[ForfeitOffer, ...] = ()
    announcement: JsonObject | None = None
    last_round: JsonObject | None = None
    ending: JsonObject | None = None
    history: tuple[TurnResult, ...] = ()
    outcome: JsonObject | None = None


def initial(options: Values, seats: int) -> State:
    """Return the state before any event; raises ValueError for fewer than two seats."""
    if seats < 2:
        raise ValueError("Chicago takes two players or more")
    phase = DEALING if has_mats(options) else ROUNDS
    return State(dict(options), TurnRules.of(options), (Player(),) * seats, phase, tuple(range(seats)))


def rule(options: Values, option_id: str, default: Any = False) -> Any:
    """Return the value of a house rule, or the default for a table older than the rule."""
    return options.get(option_id, default)


def has_mats(options: Values) -> bool:
    """Tell whether the game is played for beer mats."""
    return bool(options["mats"] != "none")


def is_over(state: State) -> bool:
    """Tell whether the game at this table has ended."""
    return state.phase == OVER


def seats_in(state: State) -> tuple[Seat, ...]:
    """Return the seats still in the game, in order."""
    return tuple(seat for seat, p in enumerate(state.players) if p.status == IN)


def staying(state: State) -> tuple[Seat, ...]:
    """Return the seats in the game and of waiting newcomers, in order."""
    return tuple(seat for seat, p in enumerate(state.players) if p.status in (IN, COMING))


def gone(state: State) -> tuple[Seat, ...]:
    """Return the seats whose players have left for good."""
    return tuple(seat for seat, p in enumerate(state.players) if p.status == LEFT)


def contenders(state: State) -> tuple[Seat, ...]:
    """Return the seats that can still lose the round: in the game and without a Chick."""
    return tuple(seat for seat in seats_in(state) if seat not in state.round.out)


def from_seat(state: State, seats: tuple[Seat, ...], first: Seat) -> tuple[Seat, ...]:
    """Return `seats` round to the left, beginning with `first` or the next one after it."""
    return tuple(seat for seat in turned_ring(state, first) if seat in seats)


def turned_ring(state: State, first: Seat) -> tuple[Seat, ...]:
    """Return all seats round to the left, beginning with `first`, which is one of them."""
    at = state.ring.index(first)
    return state.ring[at:] + state.ring[:at]


def is_starter(state: State) -> bool:
    """Tell whether the seat on turn is the round's starter: the number of throws is not fixed yet."""
    return state.round.throws_allowed is None


def throws_allowed(state: State) -> int:
    """Return the greatest number of throws of the running turn.

    Never fewer than the turn has had already when a leaver changes the number.
    """
    allowed = state.round.throws_allowed
    return MOST_THROWS if allowed is None else max(allowed, state.turn.throws)


def is_exact(state: State) -> bool:
    """Tell whether the running turn needs exactly the allowed number of throws (§2)."""
    return not is_starter(state) and state.turn_rules.followers == "exactly"


def must_declare(state: State) -> bool:
    """Tell whether standing now declares the valuation (§3)."""
    return is_starter(state) and bool(state.options["valuation"] == "starter")


def pause_between(state: State) -> int:
    """Return the seconds for which a result stays before bots throw on; 0 for tables older than the option."""
    return int(state.options.get("pause_between", 0))


def mats_held(state: State) -> int:
    """Return the number of mats in front of the players."""
    return sum(p.mats for p in state.players)


class ValuationView(TypedDict):
    """A valuation as JSON: the worth of ones (100 or 1) and of sixes (60 or 6), and whether the high counts."""

    ones: int
    sixes: int
    high: bool


class ResultView(TypedDict):
    """A finished turn as JSON; `value` is 0 for a Fish where all Fish are equal."""

    round: int
    seat: Seat
    dice: list[int]
    value: int
    throws: int
    chick: bool
    fish: bool


def valuation_json(valuation: Valuation | None) -> ValuationView | None:
    """Return a valuation as JSON."""
    if valuation is None:
        return None
    return {"ones": valuation.ones, "sixes": valuation.sixes, "high": valuation.high}


def valuation_of(raw: Any) -> Valuation | None:
    """Return the valuation that `valuation_json` wrote."""
    return None if raw is None else Valuation(raw["ones"], raw["sixes"], raw["high"])


def result_json(result: TurnResult) -> ResultView:
    """Return a finished turn as JSON."""
    return {
        "round": result.round,
        "seat": result.seat,
        "dice": list(result.dice),
        "value": result.value,
        "throws": result.throws,
        "chick": result.is_chick,
        "fish": result.is_fish,
    }


Draft: TypeAlias = draft.Draft[State]
"""A decision about a table of this game in the making."""

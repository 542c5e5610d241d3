"""The shapes of what a browser gets of a table of Chicago: its view, and its choices (docs/protocol.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NotRequired, TypedDict

from chicago.rules.game.breaches import KINDS
from chicago.rules.state import COMING, DEALING, IN, LEFT, OVER, PLAYING_OFF, ROUNDS, SAFE, ResultView, ValuationView
from games.kernel.contract import TAKE_BACK, Seat
from games.kernel.options import Values
from games.kernel.sent import ChoiceShape, NoArguments, OneOf, SentLine, TypedFaces


class RunningThrow(TypedDict):
    """The running throw, and the most that the turn may have."""

    number: int
    all: int


class CupView(TypedDict):
    """The dice laid out before the last throw, those that it shows, the throws so far, the dice in the cup."""

    laid: list[int]
    rolled: list[int]
    throws: int
    in_cup: int


class DiceToType(TypedDict):
    """The number of dice to type, and the dice laid out beside them."""

    count: int
    laid: list[int]


class ResultToEnter(TypedDict):
    """The valuation in force where a result of real dice is entered."""

    valuation: ValuationView | None


class TurnView(TypedDict):
    """The round and the running turn.

    `round` counts from 1. `throws_allowed` is null while the starter is still throwing; with `exactly` followers throw
    just as often. `throws_left` are those of the running turn. `declares`: standing now declares the valuation.
    `to_type` and `to_enter` are there while real dice are thrown, or their result is entered, now. `usual` is the face
    that nearly everybody lays out. `waiting` are the seats still to come in this round, in order.
    """

    round: int
    starter: Seat
    turn: Seat | None
    throws_allowed: int | None
    throws_left: int
    throw: RunningThrow
    exactly: bool
    declares: bool
    valuation: ValuationView | None
    cup: CupView
    to_type: DiceToType | None
    to_enter: ResultToEnter | None
    usual: int | None
    waiting: list[Seat]


class Announcement(TypedDict):
    """The announced result; `valuation` is the starter's. With `low_counts` the smallest number is best."""

    kind: Annotated[str, OneOf("high", "low")]
    seat: Seat
    value: int
    throws: int
    fish: bool
    valuation: ValuationView | None
    low_counts: NotRequired[bool]


class RoundStanding(TypedDict):
    """The results that stand in the round; `low` is null until two have played.

    More than one seat in `shared_low` roll off if nothing changes. `beat` is the result that the running turn must
    beat; with `for_high` it is the high, which alone is rewarded.
    """

    high: ResultView | None
    low: ResultView | None
    shared_low: list[Seat]
    beat: ResultView | None
    for_high: bool
    announcement: Announcement | None


class BreachView(TypedDict):
    """A breach that `by` has called; `votes` are whether guilty, by seat."""

    seat: Seat
    by: Seat
    breach: Annotated[str, OneOf(*KINDS)]
    voters: list[Seat]
    votes: dict[str, bool]
    voted: int


class OfferedForfeits(TypedDict):
    """Forfeits of a leaver that others may take."""

    seat: Seat
    count: int


class ForfeitsView(TypedDict):
    """The seat that may name the round's loser, the one that must refill before others throw, breach and offers."""

    naming: Seat | None
    refill: Seat | None
    breach: BreachView | None
    offers: list[OfferedForfeits]


class SeatView(TypedDict):
    """A seat. `out` has thrown a Chick and is out of this round, `coming` plays from the next one on.

    `vacant`: its player has paid for leaving.
    """

    seat: Seat
    status: Annotated[str, OneOf(IN, COMING, "out", SAFE, LEFT)]
    mats: int
    mats_taken: int
    result: ResultView | None
    rounds_paid: int
    forfeits: int
    side_forfeits: int
    chicks: int
    fish: int
    throws: int
    must_refill: bool
    vacant: bool


class LastRound(TypedDict):
    """The round before this one. With `low_counts` the smallest number was best."""

    round: int
    reason: Annotated[str, OneOf("full", "chick", "named", "breach", "one_left", "abandoned")]
    high: Seat | None
    low: Seat | None
    results: list[ResultView]
    low_counts: bool


class EndingView(TypedDict):
    """Endings of the previous turn, the most important line first, and the starter of the next round or game.

    No lines if that turn only had a result; `seq` is its entry in the log.
    """

    seq: int
    lines: list[SentLine]
    is_chick: bool
    next: SentLine | None


class OutcomeView(TypedDict):
    """The result of the game; lists are by seat. Newcomers without a part in it are in no group of the ranking."""

    reason: str
    points: list[int]
    unit: str
    ranking: list[list[Seat]]
    stats: list[dict[str, int]]
    losers: list[Seat]
    title: SentLine


class View(TurnView, RoundStanding, ForfeitsView):
    """The view of a table, the same for every viewer: nothing is hidden in Chicago.

    `options` are the complete house rules. `order` is round to the left, newcomers at the end. `stock` are the mats to
    be dealt, null without mats, `mats_out` those that have left play. `target` is the T of §4.3, null unless mats are
    given away. `history` has the last 12 turns, the oldest first. `asked` is the choice that the game waits for,
    "over" when it is.
    """

    phase: Annotated[str, OneOf(ROUNDS, DEALING, PLAYING_OFF, OVER)]
    options: Values
    order: list[Seat]
    seats: list[SeatView]
    stock: int | None
    mats_out: int
    target: int | None
    last_round: LastRound | None
    ending: EndingView | None
    history: list[ResultView]
    outcome: OutcomeView | None
    waiting_for: list[Seat]
    asked: str


class LaidDice(TypedDict):
    """The dice to lay out, whether two sixes are turned into a one; `laid`: one of them was laid out before."""

    lay: list[int]
    turn: bool
    laid: NotRequired[bool]


class StandingDeclaration(TypedDict):
    """The valuation that a starter declares by standing; nothing else declares one."""

    ones: NotRequired[int]
    sixes: NotRequired[int]
    high: NotRequired[bool]


class EnteredResult(TypedDict):
    """A result of real dice."""

    throws: int
    value: int
    kind: str


class ChosenSeat(TypedDict):
    """A seat: the round's loser, or the leaver whose forfeits are taken."""

    seat: Seat


class CalledBreach(TypedDict):
    """A breach of the rules, with the seat of the offender."""

    seat: Seat
    breach: Annotated[str, OneOf(*KINDS)]


class Vote(TypedDict):
    """The vote about a breach."""

    guilty: bool


class DiceToThrow(TypedDict):
    """The number of dice that are thrown."""

    throws: int


class AboutThrow(TypedDict):
    """The worth of the dice on the table, and by option the number of dice; `forced`: nothing else is open."""

    value: NotRequired[int]
    fish: NotRequired[bool]
    each: list[DiceToThrow]
    forced: NotRequired[bool]


class WorthView(TypedDict):
    """The worth of the dice on the table."""

    value: int
    fish: bool


class AboutStand(TypedDict):
    """The worth of the dice by each declaration."""

    each: list[WorthView]


class OwedForfeits(TypedDict):
    """The number of a leaver's forfeits, and whether they have left for good."""

    count: int
    has_left: bool


class AboutForfeits(TypedDict):
    """The forfeits of each leaver."""

    each: list[OwedForfeits]


CHOICES: Mapping[str, ChoiceShape] = {
    "throw": ChoiceShape(LaidDice, AboutThrow),
    "stand": ChoiceShape(StandingDeclaration, AboutStand),
    "type_dice": ChoiceShape(TypedFaces),
    "enter_result": ChoiceShape(EnteredResult),
    "declare": ChoiceShape(ValuationView),
    "name_loser": ChoiceShape(ChosenSeat),
    "refill": ChoiceShape(NoArguments),
    "vote_breach": ChoiceShape(Vote),
    "call_breach": ChoiceShape(CalledBreach),
    "take_for": ChoiceShape(ChosenSeat, AboutForfeits),
    TAKE_BACK: ChoiceShape(NoArguments),
}
"""The choices of a seat."""

"""The course of a game: rounds, turns in order, phases (docs/rules-chicago.md §§2–4).

The first events of a table: the starter is drawn (docs/rules-chicago.md §4.1).
"""

from __future__ import annotations

from chicago.rules.events.rounds import (
    Announced,
    PhaseStarted,
    RolledOff,
    RoundEnded,
    RoundLost,
    RoundRestated,
    RoundStarted,
    StarterDrawn,
)
from chicago.rules.events.turns import TurnStarted
from chicago.rules.fold import EVENTS
from chicago.rules.game import forfeits, mats, standing
from chicago.rules.game.ending import end_if_decided, end_if_played, end_if_total
from chicago.rules.game.mats import stock_at_start
from chicago.rules.state import (
    PLAYING_OFF,
    Draft,
    State,
    contenders,
    from_seat,
    has_mats,
    initial,
    is_exact,
    is_starter,
    result_json,
    seats_in,
    valuation_json,
)
from chicago.rules.throwing.scoring import Valuation
from games.kernel.contract import Decision, Seat
from games.kernel.dice import Dice
from games.kernel.options import Values
from games.kernel.standings import throw_off


def start_round(draft: Draft, starter: Seat, *, restart: bool = False) -> None:
    """Start a round, or restart the same one without the players with a Chick.

    Newcomers join with a new round, at the end of its order (§5).
    """
    state = draft.state
    seats = contenders(state) if restart else seats_in(state)
    order = from_seat(state, seats, starter)
    if not restart:
        order = (*order, *state.coming)
    draft.add(
        RoundStarted(
            round=state.round.number + (0 if restart else 1),
            starter=order[0],
            order=list(order),
            restart=restart,
            valuation=valuation_json(_fixed_valuation(state)),
        )
    )
    _start_turn(draft, order[0])


def _fixed_valuation(state: State) -> Valuation | None:
    """Return the valuation by the house rules; None if the starter declares it."""
    return None if state.options["valuation"] == "starter" else Valuation.of(state.options)


def restate(draft: Draft) -> None:
    """Set the round's requirements again, after a leaver has taken their result with them (§3).

    The first remaining result is now the starter's, with its number of throws; without any, the
    seat on turn starts.
    """
    state = draft.state
    first = state.round.results[0] if state.round.results else None
    draft.add(
        RoundRestated(
            starter=state.on_turn if first is None else first.seat,
            throws_allowed=None if first is None else first.throws,
            valuation=valuation_json(_fixed_valuation(state) if first is None else state.round.valuation),
        )
    )
    if first is not None:
        announce(draft, binds=len(draft.state.round.results) == 1)


def _start_turn(draft: Draft, seat: Seat) -> None:
    state = draft.state
    allowed = state.round.throws_allowed
    draft.add(TurnStarted(seat=seat, throws_allowed=allowed, exactly=is_exact(state)))


def announce(draft: Draft, *, binds: bool) -> None:
    """Announce the standing result: the high first, later the low that must be beaten (§3).

    If the high must be beaten, it is announced. The starter's announcement, which `binds` the
    round, includes the valuation.
    """
    state = draft.state
    result = standing.to_beat(state)
    if result is None:
        return
    is_low = len(state.round.results) > 1 and not standing.is_for_high(state)
    valuation = state.round.valuation or Valuation()
    bound = valuation_json(state.round.valuation) if binds else None
    draft.add(
        Announced(
            kind="low" if is_low else "high",
            seat=result.seat,
            value=result.value,
            throws=result.throws,
            fish=result.is_fish,
            valuation=bound,
            low_counts=not valuation.high,
        )
    )


def pass_on(draft: Draft, seat: Seat) -> None:
    """Continue after the turn of `seat`: with the next player, a restart, or the round's end.

    After a starter's turn that fixed nothing (a Chick, or a leaver) the next active seat restarts
    the round.
    """
    active = contenders(draft.state)
    if len(active) == 1:
        end_round(draft, active[0], None, "one_left")
    elif is_starter(draft.state):
        start_round(draft, from_seat(draft.state, active, seat)[0], restart=True)
    elif draft.state.round.waiting:
        _start_turn(draft, draft.state.round.waiting[0])
    else:
        _end_full_round(draft)


def _end_full_round(draft: Draft) -> None:
    low = _find_low(draft)
    high = standing.best_but(draft.state, low)
    end_round(draft, low, None if high is None else high.seat, "full")


def _find_low(draft: Draft) -> Seat:
    """Return the low; under `roll_off` the seats that share it throw one die each (§3)."""
    shared = tuple(r.seat for r in standing.sharers(draft.state))
    if draft.state.options["ties"] != "roll_off" or len(shared) == 1:
        return shared[-1]
    low, rolls = throw_off(shared, draft.dice, min)
    draft.add(RolledOff(seat=low, rolls=rolls))
    return low


def end_round(draft: Draft, low: Seat, high: Seat | None, reason: str) -> None:
    """End a round with its low, who pays, and its high."""
    write_round_end(draft, reason, low=low, high=high)
    _pay(draft, low, high)
    carry_on(draft, low)


def break_off(draft: Draft, alone: Seat) -> None:
    """End a round with only one player left in it; nobody pays because others have left (§5).

    The other seats in the game are out of the round with a Chick. `alone` starts the next.
    """
    write_round_end(draft, "abandoned")
    carry_on(draft, alone)


def write_round_end(draft: Draft, reason: str, *, low: Seat | None = None, high: Seat | None = None) -> None:
    """Write that the round is over: `full`, `one_left`, or another reason that cut it short."""
    now = draft.state.round
    results = [result_json(result) for result in now.results]
    draft.add(RoundEnded(round=now.number, reason=reason, high=high, low=low, results=results))


def _pay(draft: Draft, low: Seat, high: Seat | None) -> None:
    state = draft.state
    if state.options["forfeits"]:
        forfeits.take(draft, low, "low")
    elif not has_mats(state.options):
        draft.add(RoundLost(round=state.round.number, seat=low))
    else:
        mats.settle_round(draft, high, low)


def carry_on(draft: Draft, starter: Seat) -> None:
    """Continue after a round: end the game, change the phase, or start the next round."""
    if end_if_decided(draft) or end_if_played(draft) or end_if_total(draft):
        return
    if mats.is_dealt(draft.state):
        begin_playing_off(draft)
    elif mats.is_started_by_mats(draft.state):
        start_round(draft, draw_starter(draft, mats.most_mats(draft.state), "most_mats"))
    else:
        start_round(draft, starter)


def begin_playing_off(draft: Draft) -> None:
    """Start phase 2: the seat with the most mats starts, one die each decides between equals (§4.2)."""
    draft.add(PhaseStarted(phase=PLAYING_OFF, stock=0))
    mats.free_the_matless(draft)
    if not end_if_decided(draft):
        start_round(draft, draw_starter(draft, mats.most_mats(draft.state), "most_mats"))


def draw_starter(draft: Draft, seats: tuple[Seat, ...], reason: str) -> Seat:
    """Return the starter: the highest of one die each, ties throw again among themselves (§4.1).

    After a round that was played without the house nothing is thrown here: it is the first of them from the low on.
    """
    if draft.state.handed_seq == draft.seq:
        low: Seat | None = None if draft.state.last_round is None else draft.state.last_round["low"]
        return seats[0] if low is None else from_seat(draft.state, seats, low)[0]
    starter, rolls = throw_off(seats, draft.dice, max)
    if rolls:
        draft.add(StarterDrawn(seat=starter, reason=reason, rolls=rolls))
    return starter


def is_between_rounds(state: State) -> bool:
    """Tell whether no dice have been thrown in this round yet."""
    return is_starter(state) and state.turn.throws == 0 and not state.round.out


def open_table(options: Values, seats: int, dice: Dice) -> Decision[State]:
    """Return the first entry of a table; raises ValueError for fewer than two seats."""
    draft = Draft(EVENTS, initial(options, seats), dice, seq=1)
    stock = stock_at_start(options, seats) if has_mats(options) else None
    draft.add(PhaseStarted(phase=draft.state.phase, stock=stock))
    starter = draw_starter(draft, seats_in(draft.state), "opening")
    start_round(draft, starter)
    return draft.decision()

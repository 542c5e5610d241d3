"""The effect of each event on the state: no checks, no dice, no rules.

An event contains everything that a rule had to find out, so a later fix of a rule never
changes how an old log reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from chicago.rules.state import (
    BEFORE_THROWING,
    COMING,
    HISTORY,
    IN,
    LEFT,
    OVER,
    SAFE,
    Breach,
    Offer,
    Player,
    Result,
    Round,
    State,
    turned_ring,
    valuation_of,
)
from chicago.rules.throwing.taking_back import remembered, restored
from chicago.rules.throwing.turn import Turn
from games.kernel.contract import Event, JsonObject, Seat
from games.kernel.records import changed


def tally(state: State, seat: Seat, **amounts: int) -> State:
    """Return the state with `amounts` added to a player's figures."""
    player = state.players[seat]
    sums: dict[str, Any] = {name: getattr(player, name) + n for name, n in amounts.items()}
    return with_player(state, seat, **sums)


def with_player(state: State, seat: Seat, **changes: Any) -> State:
    """Return the state with a player's fields replaced."""
    players = list(state.players)
    players[seat] = changed(players[seat], **changes)
    return changed(state, players=tuple(players))


def result_of(data: JsonObject, round_number: int) -> Result:
    """Return the result of a finished turn from its event."""
    return Result(
        round=round_number,
        seat=data["seat"],
        dice=tuple(data["dice"]),
        throws=data["throws"],
        value=data["value"],
        is_chick=data["chick"],
        is_fish=data["fish"],
    )


def add_history(state: State, result: Result) -> State:
    """Return the state with a finished turn kept for the screen."""
    return changed(state, history=(*state.history, result)[-HISTORY:])


def without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    """Return `seats` without one of them."""
    return tuple(s for s in seats if s != seat)


def take_in(state: State, seats: Iterable[Seat]) -> State:
    """Return the state with newcomers in the game."""
    for seat in seats:
        state = with_player(state, seat, status=IN, played=True)
    return state


def _seat_joined(state: State, data: JsonObject, seq: int) -> State:
    """Give a newcomer the next seat, or a returning player the old seat with its tally."""
    seat = data["seat"]
    if seat == len(state.players):
        state = changed(state, players=(*state.players, Player(played=False)))
    state = with_player(state, seat, status=COMING, vacant=False)
    if data["stock"] is not None:
        state = changed(state, stock=data["stock"])
    if data["at_once"]:
        return _join_round(state, seat)
    return changed(state, coming=(*state.coming, seat))


def _join_round(state: State, seat: Seat) -> State:
    """Let a newcomer play in this round already, as the last in its order."""
    state = take_in(state, [seat])
    now = changed(state.round, waiting=(*state.round.waiting, seat))
    return changed(state, ring=(*turned_ring(state, now.starter), seat), round=now)


def _player_left(state: State, data: JsonObject, seq: int) -> State:
    """Take a leaver out of the round: neither high nor low, and nothing waits for the seat (§5)."""
    seat = data["seat"]
    now = changed(
        state.round,
        waiting=without(state.round.waiting, seat),
        results=tuple(r for r in state.round.results if r.seat != seat),
    )
    state = with_player(state, seat, status=LEFT, vacant=False)
    state = changed(state, round=now, coming=without(state.coming, seat))
    if state.naming is not None:
        naming = None if state.naming == seat else state.naming
        state = changed(state, naming=naming, opened=seq)
    if state.refill == seat:
        state = changed(state, refill=None, opened=seq)
    if state.on_turn == seat:
        state = changed(state, on_turn=None, turn=BEFORE_THROWING, awaits=None)
    return state


def _seat_vacated(state: State, data: JsonObject, seq: int) -> State:
    """Mark a seat as vacant: it stays in the game and waits for another player."""
    return with_player(state, data["seat"], vacant=True)


def _seat_occupied(state: State, data: JsonObject, seq: int) -> State:
    return with_player(state, data["seat"], vacant=False)


COMING_EVENTS: dict[str, Callable[[State, Any, int], State]] = {
    "seat_joined": _seat_joined,
    "player_left": _player_left,
    "seat_vacated": _seat_vacated,
    "seat_occupied": _seat_occupied,
}


def _mat_taken(state: State, data: JsonObject, seq: int) -> State:
    state = tally(state, data["seat"], mats=1, mats_taken=1)
    return changed(state, stock=data["stock"])


def _mat_discarded(state: State, data: JsonObject, seq: int) -> State:
    return changed(tally(state, data["seat"], mats=-1), mats_out=state.mats_out + 1)


def _mat_given(state: State, data: JsonObject, seq: int) -> State:
    return tally(tally(state, data["seat"], mats=-1), data["to"], mats=1, mats_taken=1)


def _mats_removed(state: State, data: JsonObject, seq: int) -> State:
    """Take a seat's mats: back to the stock with `to_stock`, otherwise out of play."""
    state = with_player(state, data["seat"], mats=0)
    if data["to_stock"]:
        return changed(state, stock=(state.stock or 0) + data["count"])
    return changed(state, mats_out=state.mats_out + data["count"])


def _stock_cut(state: State, data: JsonObject, seq: int) -> State:
    return changed(state, stock=data["stock"], mats_out=state.mats_out + data["removed"])


def _player_safe(state: State, data: JsonObject, seq: int) -> State:
    coming = without(state.coming, data["seat"])
    return changed(with_player(state, data["seat"], status=SAFE), coming=coming)


def _side_forfeit_owed(state: State, data: JsonObject, seq: int) -> State:
    return tally(state, data["seat"], side_forfeits=1)


MAT_EVENTS: dict[str, Callable[[State, Any, int], State]] = {
    "mat_taken": _mat_taken,
    "mat_discarded": _mat_discarded,
    "mat_given": _mat_given,
    "mats_removed": _mats_removed,
    "stock_cut": _stock_cut,
    "player_safe": _player_safe,
    "side_forfeit_owed": _side_forfeit_owed,
}


def _forfeit_taken(state: State, data: JsonObject, seq: int) -> State:
    state = tally(state, data["seat"], forfeits=data["count"])
    return _refill_due(state, data["seat"], seq) if data["refill"] else state


def _refill_due(state: State, seat: int, seq: int) -> State:
    return changed(state, refill=seat, refill_opened=seq, opened=seq)


def _refilled(state: State, data: JsonObject, seq: int) -> State:
    return changed(state, refill=None, opened=seq)


def _naming_won(state: State, data: JsonObject, seq: int) -> State:
    state = add_history(state, result_of(data, state.round.number))
    return changed(state, naming=data["seat"], opened=seq)


def _loser_named(state: State, data: JsonObject, seq: int) -> State:
    return changed(state, naming=None, on_turn=None)


def _breach_called(state: State, data: JsonObject, seq: int) -> State:
    voters = tuple(data["voters"])
    return changed(state, breach=Breach(data["seat"], data["by"], data["breach"], voters, (), seq))


def _breach_voted(state: State, data: JsonObject, seq: int) -> State:
    breach = state.breach
    if breach is None:
        return state
    votes = (*breach.votes, (data["seat"], data["guilty"]))
    return changed(state, breach=changed(breach, votes=votes))


def _breach_voter_left(state: State, data: JsonObject, seq: int) -> State:
    breach = state.breach
    if breach is None:
        return state
    voters = tuple(s for s in breach.voters if s != data["seat"])
    votes = tuple(vote for vote in breach.votes if vote[0] != data["seat"])
    return changed(state, breach=changed(breach, voters=voters, votes=votes))


def _breach_settled(state: State, data: JsonObject, seq: int) -> State:
    """Continue after a vote; the decisions that it held up get a new basis."""
    silenced = state.silenced
    if data["silenced"] is not None:
        silenced = (*silenced, data["silenced"])
    return changed(
        state,
        breach=None,
        silenced=silenced,
        opened=seq,
        refill_opened=seq,
        calls_opened=seq,
    )


def _offer_made(state: State, data: JsonObject, seq: int) -> State:
    """Add an offer; with an earlier one of the same seat it becomes one offer of all forfeits still open."""
    old = [o for o in state.offers if o.seat == data["seat"]]
    others = tuple(o for o in state.offers if o.seat != data["seat"])
    count = data["count"] + sum(o.count for o in old if o.until_round >= state.round.number)
    return changed(state, offers=(*others, Offer(data["seat"], count, data["until_round"], seq)))


def _forfeits_taken_over(state: State, data: JsonObject, seq: int) -> State:
    count, leaver = data["count"], data["leaver"]
    state = tally(tally(state, leaver, forfeits=-count), data["seat"], forfeits=count)
    state = changed(state, offers=tuple(o for o in state.offers if o.seat != leaver))
    return _refill_due(state, data["seat"], seq) if data["refill"] else state


FORFEIT_EVENTS: dict[str, Callable[[State, Any, int], State]] = {
    "forfeit_taken": _forfeit_taken,
    "refilled": _refilled,
    "naming_won": _naming_won,
    "loser_named": _loser_named,
    "breach_called": _breach_called,
    "breach_voted": _breach_voted,
    "breach_voter_left": _breach_voter_left,
    "breach_settled": _breach_settled,
    "offer_made": _offer_made,
    "forfeits_taken_over": _forfeits_taken_over,
}


Handler: TypeAlias = Callable[[State, Any, int], State]


def fold(state: State, event: Event, seq: int) -> State:
    """Return the state after an event of log entry `seq`; an unknown event changes nothing."""
    handler = HANDLERS.get(event.type)
    if handler is None:
        return state
    state = handler(state, event.data, seq)
    return remembered(_with_ending(state, event, seq) if event.type in ENDINGS else state, event)


ENDINGS = frozenset(
    {
        "chick_thrown", "round_ended", "round_lost", "rolled_off", "mat_taken", "mat_discarded", "mat_given",
        "mats_removed", "stock_cut", "player_safe", "side_forfeit_owed", "forfeit_taken", "loser_named",
        "breach_settled", "phase_started", "starter_drawn", "player_left", "game_ended",
    }
)  # fmt: skip
"""Events that announce an end (of a throw-off, round, phase or game) or its cost to a seat."""


def _with_ending(state: State, event: Event, seq: int) -> State:
    """Keep the events of an end from one entry, for pages opened after it."""
    events = state.ending["events"] if state.ending and state.ending["seq"] == seq else []
    data = {name: value for name, value in event.data.items() if name != "results"}
    return changed(state, ending={"seq": seq, "events": [*events, {"type": event.type, "data": data}]})


def _phase_started(state: State, data: JsonObject, seq: int) -> State:
    return changed(state, phase=data["phase"], stock=data["stock"])


def _round_started(state: State, data: JsonObject, seq: int) -> State:
    """Start a round; a restart keeps its number, the players out by a Chick and the used reward (§4.2)."""
    old = state.round
    began = Round(
        number=data["round"],
        starter=data["starter"],
        waiting=tuple(data["order"]),
        valuation=valuation_of(data["valuation"]),
        out=old.out if data["restart"] else (),
        reward_used=old.reward_used if data["restart"] else False,
    )
    if data["restart"]:
        return changed(state, round=began, announcement=None)
    state = changed(take_in(state, state.coming), ring=tuple(data["order"]), coming=())
    return changed(state, round=began, announcement=None, silenced=(), calls_opened=seq)


def _round_restated(state: State, data: JsonObject, seq: int) -> State:
    """Set the round's requirements again after a leaver's result has gone with them (§3)."""
    now = changed(
        state.round,
        starter=data["starter"],
        throws_allowed=data["throws_allowed"],
        valuation=valuation_of(data["valuation"]),
    )
    return changed(state, round=now, announcement=None, opened=seq)


def _turn_started(state: State, data: JsonObject, seq: int) -> State:
    waiting = without(state.round.waiting, data["seat"])
    return changed(
        state,
        round=changed(state.round, waiting=waiting),
        on_turn=data["seat"],
        turn=BEFORE_THROWING,
        awaits=None,
        declared=None,
        turns=state.turns + 1,
        before=state.began if state.is_typed and state.began else state.before,
        is_typed=False,
        opened=seq,
    )


def _declared(state: State, data: JsonObject, seq: int) -> State:
    """Note the starter's declaration for a result to be entered."""
    return changed(state, declared=data["valuation"], opened=seq)


def _result_entered(state: State, data: JsonObject, seq: int) -> State:
    """Note an entered result; its dice are on the real table, so the log has only the number of throws."""
    turn = Turn(throws=data["throws"])
    state = tally(state, data["seat"], throws=data["throws"])
    return changed(state, turn=turn, is_typed=True, opened=seq)


def _dice_awaited(state: State, data: JsonObject, seq: int) -> State:
    """Wait for real dice to be typed."""
    return changed(state, awaits={key: value for key, value in data.items() if key != "seat"}, opened=seq)


def _dice_thrown(state: State, data: JsonObject, seq: int) -> State:
    turn = Turn(tuple(data["laid"]), tuple(data["dice"]), data["throw"])
    state = changed(tally(state, data["seat"], throws=1), turn=turn, awaits=None, opened=seq)
    if data.get("typed", False):
        return changed(state, is_typed=True)
    # A throw by the house is not repeated, so the turn can't be taken back.
    return changed(state, began=None)


def _stood(state: State, data: JsonObject, seq: int) -> State:
    result = result_of(data, state.round.number)
    now = changed(state.round, results=(*state.round.results, result))
    if data["binds"]:
        now = changed(now, throws_allowed=data["throws"], valuation=valuation_of(data["valuation"]))
    state = tally(state, data["seat"], fish=int(data["fish"]))
    return changed(add_history(state, result), round=now, on_turn=None, ending=None)


def _announced(state: State, data: JsonObject, seq: int) -> State:
    return changed(state, announcement=data)


def _chick_thrown(state: State, data: JsonObject, seq: int) -> State:
    now = changed(state.round, out=(*state.round.out, data["seat"]), reward_used=True)
    state = add_history(state, result_of(data, state.round.number))
    return changed(tally(state, data["seat"], chicks=1), round=now, on_turn=None)


def _round_ended(state: State, data: JsonObject, seq: int) -> State:
    valuation = state.round.valuation
    ended = {**data, "low_counts": valuation is not None and not valuation.high}
    return changed(state, last_round=ended, on_turn=None, naming=None, awaits=None)


def _round_lost(state: State, data: JsonObject, seq: int) -> State:
    return tally(state, data["seat"], rounds_paid=1)


def _game_ended(state: State, data: JsonObject, seq: int) -> State:
    return changed(
        state,
        phase=OVER,
        on_turn=None,
        turn=BEFORE_THROWING,
        awaits=None,
        naming=None,
        refill=None,
        breach=None,
        offers=(),
        outcome=data,
    )


def _unchanged(state: State, data: JsonObject, seq: int) -> State:
    """Return the state unchanged; the event is only shown."""
    return state


HANDLERS: dict[str, Handler] = {
    "phase_started": _phase_started,
    "starter_drawn": _unchanged,
    "rolled_off": _unchanged,
    "round_started": _round_started,
    "round_restated": _round_restated,
    "turn_started": _turn_started,
    "declared": _declared,
    "result_entered": _result_entered,
    "turn_taken_back": restored,
    "dice_awaited": _dice_awaited,
    "dice_thrown": _dice_thrown,
    "stood": _stood,
    "announced": _announced,
    "chick_thrown": _chick_thrown,
    "round_ended": _round_ended,
    "round_lost": _round_lost,
    "game_ended": _game_ended,
    **COMING_EVENTS,
    **MAT_EVENTS,
    **FORFEIT_EVENTS,
}

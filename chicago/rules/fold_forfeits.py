"""What the events about forfeits do to the state (docs/rules-chicago.md §4.4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chicago.rules.folding import add_history, result_of, tally
from chicago.rules.state import Breach, Offer, State
from games.kernel.contract import JsonObject
from games.kernel.records import changed


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
    """Play goes on: the decisions that the vote held up are open anew."""
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
    """A seat that is left again has one offer, of what can still be taken of both."""
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

"""Breaches at the table: called by a player, settled by the others (docs/rules-chicago.md §4.4.7).

The caller and the accused don't vote. The game waits until the vote is complete.
"""

from __future__ import annotations

from chicago.rules.events.forfeits import BreachCalled, BreachSettled, BreachVoted, BreachVoterLeft
from chicago.rules.game import forfeits, rounds
from chicago.rules.state import Breach, Draft, State, seats_in
from games.kernel.contract import JsonObject, Seat

FOREIGN_OBJECT = "foreign_object"
KINDS = ("spilling", "not_in_one_go", FOREIGN_OBJECT)


def accusable(state: State, by: Seat) -> tuple[Seat, ...]:
    """Return the seats that `by` may accuse: none without a third player to judge.

    A player whose call was turned down can't call again in the same round.
    """
    if not state.options["forfeits"] or not state.options["breaches"]:
        return ()
    seats = seats_in(state)
    if state.breach is not None or by in state.silenced or len(seats) < 3:
        return ()
    return tuple(seat for seat in seats if seat != by)


def call(draft: Draft, by: Seat, args: JsonObject) -> None:
    """Call a breach and open the vote."""
    voters = [s for s in seats_in(draft.state) if s not in (by, args["seat"])]
    draft.add(BreachCalled(seat=args["seat"], by=by, breach=args["breach"], voters=voters))


def still_to_vote(state: State) -> tuple[Seat, ...]:
    """Return the seats whose vote is awaited."""
    if state.breach is None:
        return ()
    voted = [seat for seat, _ in state.breach.votes]
    return tuple(seat for seat in state.breach.voters if seat not in voted)


def vote(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Vote, and settle the breach when all votes are in."""
    draft.add(BreachVoted(seat=seat, guilty=args["guilty"]))
    _settle_if_voted(draft)


def _settle_if_voted(draft: Draft) -> None:
    breach = draft.state.breach
    if breach is None or still_to_vote(draft.state):
        return
    guilty = 2 * sum(g for _, g in breach.votes) > len(breach.voters)
    _settle(draft, guilty=guilty, silenced=None if guilty else breach.by)
    if guilty:
        _convict(draft, breach)


def _convict(draft: Draft, breach: Breach) -> None:
    """Give the guilty seat a forfeit; some breaches also lose it the round, which ends there."""
    forfeits.take(draft, breach.seat, "breach")
    if breach.kind == FOREIGN_OBJECT or draft.state.on_turn == breach.seat:
        rounds.write_round_end(draft, "breach", low=breach.seat)
        rounds.carry_on(draft, breach.seat)


def _settle(draft: Draft, *, guilty: bool, silenced: Seat | None) -> None:
    breach = draft.state.breach
    if breach is not None:
        draft.add(
            BreachSettled(
                seat=breach.seat,
                by=breach.by,
                breach=breach.kind,
                guilty=guilty,
                silenced=silenced,
            )
        )


def forget(draft: Draft, seat: Seat) -> bool:
    """Drop the charge against a leaver, or the leaver's vote; tell whether the round has ended."""
    breach, before = draft.state.breach, draft.state.last_round
    if breach is None:
        return False
    if breach.seat == seat:
        _settle(draft, guilty=False, silenced=None)
    elif seat in breach.voters:
        draft.add(BreachVoterLeft(seat=seat))
        _settle_if_voted(draft)
    return draft.state.last_round is not before

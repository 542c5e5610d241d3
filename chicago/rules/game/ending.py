"""The end of a game and its result (docs/rules-chicago.md §§4–5)."""

from __future__ import annotations

from chicago.rules.events.rounds import GameEnded, RoundLost
from chicago.rules.game.mats import is_decided
from chicago.rules.state import LEFT, Draft, Player, State, has_mats, is_over, rule, staying
from games.kernel import standings
from games.kernel.contract import Event, Outcome, Seat

STATS = ("mats", "rounds_paid", "chicks", "fish", "throws", "forfeits", "side_forfeits", "left")


def end_if_decided(draft: Draft) -> bool:
    """End a mats game if only its losers are left; tell whether it has ended."""
    if not is_decided(draft.state):
        return False
    end(draft, "played_off", staying(draft.state))
    return True


def end_if_played(draft: Draft) -> bool:
    """End a game whose number of rounds has been played; tell whether it has ended."""
    options, number = draft.state.options, draft.state.round.number
    if has_mats(options) or not 0 < options["rounds"] <= number:
        return False
    end(draft, "rounds_played")
    return True


def end_if_total(draft: Draft) -> bool:
    """End a game when the house rules' total of forfeits has been taken; tell whether it has ended."""
    options, taken = draft.state.options, sum(player.forfeits for player in draft.state.players)
    if not options["forfeits"] or not 0 < rule(options, "end_total", 0) <= taken or is_over(draft.state):
        return False
    end(draft, "forfeits_taken")
    return True


def end(draft: Draft, reason: str, losers: tuple[Seat, ...] = ()) -> None:
    """End the game; the losers of a mats game pay the round."""
    for seat in losers:
        draft.add(RoundLost(round=draft.state.round.number, seat=seat))
    points = _points(draft.state)
    ranking = _ranking(draft.state, points)
    draft.add(
        GameEnded(
            reason=reason,
            points=points,
            unit=_unit(draft.state),
            ranking=ranking,
            stats=[_stats(player) for player in draft.state.players],
            losers=list(losers),
            without_house=draft.state.without_house,
        )
    )


def outcome(event: Event) -> Outcome | None:
    """Return the result that an event states, None for every other event.

    Newcomers without a part in the game are in no group of its ranking.
    """
    if event.type != GameEnded.name:
        return None
    ended = GameEnded.from_event(event)
    seats = sorted(seat for group in ended.ranking for seat in group)
    return Outcome(
        ended.reason,
        {seat: ended.points[seat] for seat in seats},
        tuple(tuple(group) for group in ended.ranking),
        {seat: ended.stats[seat] for seat in seats},
        ended.unit,
        without_house=ended.without_house,
    )


def _unit(state: State) -> str:
    return "forfeits" if state.options["forfeits"] else "rounds"


def _points(state: State) -> list[int]:
    """Return the points of each seat: forfeits taken or rounds paid; fewer are better."""
    counted = {"forfeits": "forfeits", "rounds": "rounds_paid"}[_unit(state)]
    return [getattr(player, counted) for player in state.players]


def _ranking(state: State, points: list[int]) -> list[list[Seat]]:
    """Group the seats by points, fewest first; of equals, leavers come last.

    In a game for mats leavers are below all other players (§5).
    """
    keys = {}
    for seat, player in enumerate(state.players):
        if player.played:
            left = player.status == LEFT
            keys[seat] = (left and has_mats(state.options), points[seat], left)
    return standings.ranking(keys)


def _stats(player: Player) -> dict[str, int]:
    figures = (
        player.mats_taken,
        player.rounds_paid,
        player.chicks,
        player.fish,
        player.throws,
        player.forfeits,
        player.side_forfeits,
        int(player.status == LEFT),
    )
    return dict(zip(STATS, figures, strict=True))

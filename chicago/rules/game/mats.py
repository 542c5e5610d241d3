"""Beer mats: the stock, dealing, playing off (docs/rules-chicago.md §§4.2–4.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chicago.rules.events.mats import MatDiscarded, MatGiven, MatsRemoved, MatTaken, PlayerSafe, StockCut
from chicago.rules.state import DEALING, PLAYING_OFF, Draft, State, has_mats, mats_held, rule, seats_in, staying
from games.kernel.contract import Seat


def stock_at_start(options: Mapping[str, Any], seats: int) -> int:
    """Return the number of mats at the start: n + 1, 2n − 1, 2n + 1 or a fixed number."""
    by_rule = {
        "none": 0,
        "n_plus_1": seats + 1,
        "two_n_minus_1": 2 * seats - 1,
        "two_n_plus_1": 2 * seats + 1,
        "fixed": options["mats_fixed"],
    }
    return int(by_rule[options["mats"]])


def is_giving(state: State) -> bool:
    """Tell whether the best gives mats to the worst (Tschigg) instead of discarding them."""
    return has_mats(state.options) and state.options["playing_off"] == "give"


def target(state: State) -> int | None:
    """Return T = 2n − 1 with n = players still in (§4.3); None if no mats are given."""
    return 2 * len(staying(state)) - 1 if is_giving(state) else None


def losers_due(state: State) -> int:
    """Return the number of losers of the game: two above five players, if the house rules say so (§4)."""
    return 2 if state.options["losers"] == 2 and len(state.players) > 5 else 1


def is_decided(state: State) -> bool:
    """Tell whether only losers are left in the game (§4.2)."""
    return has_mats(state.options) and len(staying(state)) <= losers_due(state)


def settle_round(draft: Draft, high: Seat | None, low: Seat) -> None:
    """Move one mat for a finished round: dealing gives it to the low, playing off takes it from the high."""
    state = draft.state
    if state.phase == DEALING:
        draft.add(MatTaken(seat=low, stock=(state.stock or 0) - 1))
    elif high is not None and not state.round.reward_used:
        _reward(draft, high, low)


def _reward(draft: Draft, high: Seat, low: Seat) -> None:
    """Move a mat from the high to the low; above the cap T, or without a cap, it leaves play instead."""
    cap = target(draft.state)
    if cap is None or mats_held(draft.state) > cap:
        draft.add(MatDiscarded(seat=high))
    else:
        draft.add(MatGiven(seat=high, to=low))
    if draft.state.players[high].mats == 0:
        draft.add(PlayerSafe(seat=high, reason="no_mats"))


def is_dealt(state: State) -> bool:
    """Tell whether phase 1 has no mat left to deal."""
    return state.phase == DEALING and not state.stock


def free_the_matless(draft: Draft) -> None:
    """Let players without a mat out, safe, when the stock is empty."""
    for seat in staying(draft.state):
        if draft.state.players[seat].mats == 0:
            draft.add(PlayerSafe(seat=seat, reason="no_mats"))


def most_mats(state: State) -> tuple[Seat, ...]:
    """Return the seats still in that hold the most mats."""
    seats = seats_in(state)
    most = max(state.players[seat].mats for seat in seats)
    return tuple(seat for seat in seats if state.players[seat].mats == most)


def is_started_by_mats(state: State) -> bool:
    """Tell whether the seat with the most mats starts the next round instead of the low (`phase2_start`)."""
    return state.phase == PLAYING_OFF and bool(rule(state.options, "phase2_start") == "most_mats")


def leave_with_chick(draft: Draft, seat: Seat) -> None:
    """Let the thrower of a Chick out of the game at once, safe; their mats leave play."""
    _remove(draft, seat, to_stock=False)
    draft.add(PlayerSafe(seat=seat, reason="chick"))
    if draft.state.phase == DEALING:
        _cut_stock(draft)


def _cut_stock(draft: Draft) -> None:
    """Cut the stock in Tschigg to min(stock, max(0, T − mats held by the others)) (§4.3)."""
    cap, stock = target(draft.state), draft.state.stock or 0
    if cap is None:
        return
    left = min(stock, max(0, cap - mats_held(draft.state)))
    if left < stock:
        draft.add(StockCut(stock=left, removed=stock - left))


def give_up(draft: Draft, seat: Seat) -> None:
    """Clear the mats of a leaver: to the stock while dealing, else out of play (§5)."""
    _remove(draft, seat, to_stock=draft.state.phase == DEALING)


def _remove(draft: Draft, seat: Seat, *, to_stock: bool) -> None:
    count = draft.state.players[seat].mats
    if count:
        draft.add(MatsRemoved(seat=seat, count=count, to_stock=to_stock))

"""Joining and leaving, between games and in the middle of one (docs/rules-chouette.md §7)."""

from __future__ import annotations

from chouette.rules import captaincy, course, ending, line, resign
from chouette.rules.cubes import held_by, is_in, live, live_extras
from chouette.rules.draft import Draft
from chouette.rules.state import (
    BETWEEN,
    COMING,
    IN,
    LEFT,
    PLAYING,
    TEAM,
    Game,
    State,
    is_two,
    playing,
)
from games.kernel.contract import JsonObject, Seat


def gone(state: State) -> tuple[Seat, ...]:
    """Return the seats whose players have left for good."""
    return tuple(seat for seat, player in enumerate(state.players) if player.status == LEFT)


def joinable(state: State) -> tuple[Seat, ...]:
    """Return the seats that may be taken: those that were left, and the next new one.

    How many have come and gone says nothing: each keeps the score of their own seat.
    """
    count = sum(player.status in (IN, COMING) for player in state.players)
    if is_two(state) or count >= state.options["max_players"]:
        return ()
    return tuple(seat for seat in (*gone(state), len(state.players)) if not _is_in_game(state, seat))


def _is_in_game(state: State, seat: Seat) -> bool:
    """Tell whether a seat still has to do with the game that runs."""
    return state.phase == PLAYING and seat in playing(state).line


def join(draft: Draft, house: None, args: JsonObject) -> None:
    """Take in a newcomer: now between two games, else from the next game on."""
    draft.add("seat_joined", seat=args["seat"])
    if draft.state.phase == BETWEEN:
        line.join_now(draft, args["seat"])


def may_name(state: State, seat: Seat, members: tuple[Seat, ...]) -> tuple[Seat | None, ...]:
    """Return whom of the members one may name to take over their cube on leaving, or None."""
    named = state.players[seat].proxy
    found = [s for s in members if s not in (seat, named)]
    return (*found, None) if named is not None else tuple(found)


def name_proxy(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Name who takes over one's cube, or nobody."""
    draft.add("proxy_named", seat=seat, proxy=args["seat"])


def leave(draft: Draft, house: None, args: JsonObject) -> None:
    """Let somebody leave for good, with nobody taking the seat."""
    seat, state = args["seat"], draft.state
    if state.phase != PLAYING:
        draft.add("seat_left", seat=seat, proxy=None)
        if seat in draft.state.line:
            line.leave_now(draft, seat)
        return
    game = playing(state)
    proxy = _proxy(state, game, seat)
    draft.add("seat_left", seat=seat, proxy=proxy)
    if seat == game.box:
        ending.go_out(draft, [(i, game.cubes[i].value, "left") for i in live(game)])
    else:
        _leave_team(draft, seat, proxy)


def _proxy(state: State, game: Game, seat: Seat) -> Seat | None:
    """Return who takes over a leaver's cube: the member they named, if still in the game."""
    named = state.players[seat].proxy
    if named is None or not is_in(state, game, seat) or not is_in(state, game, named):
        return None
    return named


def _leave_team(draft: Draft, seat: Seat, proxy: Seat | None) -> None:
    """Resign what nobody takes over, at 1 x its value; an extra held against others too."""
    game = draft.game
    for index in live_extras(game):
        if game.cubes[index].against == seat:
            ending.settle_cube(draft, index, game.cubes[index].value, "left")
    mine = held_by(game, live(game), TEAM, seat)
    if mine:
        ending.go_out(draft, [(i, -game.cubes[i].value, "left") for i in mine])
    if draft.state.phase == PLAYING:
        _forget(draft, seat)
        captaincy.update(draft)
        course.go_on(draft)


def _forget(draft: Draft, seat: Seat) -> None:
    """Nobody waits for a leaver: they give no extra, and their resignation lapses."""
    game = draft.game
    for ask in [a for a in game.asks if a.seat == seat]:
        draft.add("replied", cube=ask.cube, kind=ask.kind, seat=seat, reply="left")
    if game.resignation is not None and game.resignation.by == seat:
        resign.withdraw(draft)

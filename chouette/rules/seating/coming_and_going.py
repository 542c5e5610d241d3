"""Joining and leaving, between games and in the middle of one (docs/rules-chouette.md §7)."""

from __future__ import annotations

from chouette.rules.cube import beavers
from chouette.rules.cube.cubes import deputy_of, held_by, is_in, live
from chouette.rules.seating import captaincy, departure, line
from chouette.rules.session import course
from chouette.rules.session.match import is_match
from chouette.rules.state import (
    BOX,
    COMING,
    IN,
    LEFT,
    NO_GAME,
    PLAYED_ON,
    PLAYING,
    TEAM,
    Draft,
    State,
    is_two,
    playing,
    present,
    rule_of,
)
from games.kernel.contract import JsonObject, Seat


def gone(state: State) -> tuple[Seat, ...]:
    """Return the seats whose players have left for good."""
    return tuple(seat for seat, player in enumerate(state.players) if player.status in (LEFT, PLAYED_ON))


def played_on(state: State) -> tuple[Seat, ...]:
    """Return the seats of those who have left whose game a bot plays out (§7)."""
    return tuple(seat for seat, player in enumerate(state.players) if player.status == PLAYED_ON)


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
    if draft.state.phase in NO_GAME:
        line.join_now(draft, args["seat"])


def may_name(state: State, seat: Seat, members: tuple[Seat, ...]) -> tuple[Seat | None, ...]:
    """Return the members that a leaver may name to look after their cube, or None."""
    named = captaincy.named(state, playing(state), seat)
    found = [s for s in members if s not in (seat, named)]
    return (*found, None) if named is not None else tuple(found)


def shown_proxy(state: State, seat: Seat) -> Seat | None:
    """Return the proxy that a seat has named, where that counts: never the Box, nor a seat that is out or gone."""
    if state.phase == PLAYING:
        return captaincy.named(state, playing(state), seat)
    proxy = state.players[seat].proxy
    return proxy if proxy in state.line[1:] else None


def name_proxy(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Name who looks after one's cube, or nobody."""
    draft.add("proxy_named", seat=seat, proxy=args["seat"])


def may_announce(state: State, seat: Seat) -> tuple[JsonObject, ...]:
    """Return how a seat may say that it leaves after this game, or that it stays; a match it would lose."""
    player = state.players[seat]
    if is_match(state) or player.status != IN or seat not in playing(state).line:
        return ()
    return ({"on": not player.leaves},)


def announce_leaving(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Say that one leaves after this game, or take that back."""
    draft.add("leaving_announced", seat=seat, on=args["on"])


def leave(draft: Draft, house: None, args: JsonObject) -> None:
    """Let somebody leave for good, with nobody taking the seat."""
    seat, state = args["seat"], draft.state
    if state.phase != PLAYING:
        _go(draft, seat)
        if seat in draft.state.line:
            line.leave_now(draft, seat)
        return
    game = playing(state)
    if seat == game.box:
        _leave_box(draft, seat)
    elif held_by(game, live(game), TEAM, seat):
        _leave_team(draft, seat)
    else:
        _go(draft, seat)
        if deputy_of(game, BOX) == seat:
            captaincy.end_deputy(draft, BOX)
        _keep_extras(draft, seat)


def _go(draft: Draft, seat: Seat, proxy: Seat | None = None, *, played_on: bool = False) -> None:
    draft.add("seat_left", seat=seat, proxy=proxy, played_on=played_on)


def _leave_box(draft: Draft, seat: Seat) -> None:
    """A Box leaves: the partner plays on, else a bot where that is the rule, else it pays."""
    state, partner = draft.state, playing(draft.state).partner
    if partner is not None and present(state, partner):
        _go(draft, seat)
        draft.add("box_changed", seat=partner, before=seat)
    elif _may_be_played_on(state, seat):
        _go(draft, seat, played_on=True)
    else:
        _go(draft, seat)
        departure.pay(draft, BOX)


def _may_be_played_on(state: State, seat: Seat) -> bool:
    """Tell whether a bot may play for a leaver: not once more, where it let its time run out."""
    return bool(rule_of(state, "bot_plays_on")) and state.players[seat].status != PLAYED_ON


def _leave_team(draft: Draft, seat: Seat) -> None:
    """A member leaves who decides about cubes: somebody of the Team looks after them.

    Where the Team has nobody left at the table, it is as with a Box that leaves.
    """
    state = draft.state
    heir = captaincy.caretaker(state, playing(draft.state), seat)
    if heir is None and _may_be_played_on(state, seat):
        _go(draft, seat, played_on=True)
    elif heir is None:
        _go(draft, seat)
        departure.pay(draft, TEAM)
    else:
        _go(draft, seat, heir if is_in(state, playing(draft.state), seat) else None)
        captaincy.update(draft)
        course.go_on(draft)


def _keep_extras(draft: Draft, seat: Seat) -> None:
    """Nobody waits for a leaver to give an extra."""
    for ask in beavers.waiting(playing(draft.state)):
        if ask.seat == seat and ask.kind == "extra":
            beavers.seal(draft, ask, beavers.quiet(ask))
    course.go_on(draft)

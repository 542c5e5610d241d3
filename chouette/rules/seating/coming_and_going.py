"""Joining and leaving, between games and in the middle of one (docs/rules-chouette.md §7)."""

from __future__ import annotations

from chouette.rules.cube import beavers
from chouette.rules.cube.cubes import deputy_of, held_by, is_in, live
from chouette.rules.events.game import BoxChanged
from chouette.rules.events.session import LeavingAnnounced, ProxyNamed, SeatJoined, SeatLeft
from chouette.rules.seating import captaincy, departure, line
from chouette.rules.session import course
from chouette.rules.session.match import is_won_by_one
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
    is_present,
    is_two,
    playing,
    rule_of,
)
from games.kernel.contract import JsonObject, Seat


def gone(state: State) -> tuple[Seat, ...]:
    """Return the seats whose players have left for good."""
    return tuple(seat for seat, player in enumerate(state.players) if player.status in (LEFT, PLAYED_ON))


def played_on(state: State) -> tuple[Seat, ...]:
    """Return the seats of leavers whose game a bot plays out (§7)."""
    return tuple(seat for seat, player in enumerate(state.players) if player.status == PLAYED_ON)


def order(state: State) -> tuple[Seat, ...]:
    """Return the seats at the table: the line, then the newcomers of the running game."""
    return (*state.line, *(seat for seat, player in enumerate(state.players) if player.status == COMING))


def joinable(state: State) -> tuple[Seat, ...]:
    """Return the seats that newcomers may take: left ones, and the next new one.

    Only players now at the table count towards `max_players`; a leaver's score stays with the seat.
    """
    count = sum(player.status in (IN, COMING) for player in state.players)
    if is_two(state) or count >= state.options["max_players"]:
        return ()
    return tuple(seat for seat in (*gone(state), len(state.players)) if not _is_in_game(state, seat))


def _is_in_game(state: State, seat: Seat) -> bool:
    """Tell whether a seat still belongs to the running game."""
    return state.phase == PLAYING and seat in playing(state).line


def join(draft: Draft, house: None, args: JsonObject) -> None:
    """Seat a newcomer: in the line at once between two games, else from the next game on."""
    draft.add(SeatJoined(seat=args["seat"]))
    if draft.state.phase in NO_GAME:
        line.join_now(draft, args["seat"])


def may_name(state: State, seat: Seat, members: tuple[Seat, ...]) -> tuple[Seat | None, ...]:
    """Return the members that a seat may name to look after its cube, and None if it may withdraw a name."""
    named = captaincy.named(state, playing(state), seat)
    found = [s for s in members if s not in (seat, named)]
    return (*found, None) if named is not None else tuple(found)


def valid_proxy(state: State, seat: Seat) -> Seat | None:
    """Return the proxy that a seat has named, None if it does not count: the Box, a seat that is out or gone."""
    if state.phase == PLAYING:
        return captaincy.named(state, playing(state), seat)
    proxy = state.players[seat].proxy
    return proxy if proxy in state.line[1:] else None


def name_proxy(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Name the member that looks after the seat's cube, or withdraw the name."""
    draft.add(ProxyNamed(seat=seat, proxy=args["seat"]))


def may_announce(state: State, seat: Seat) -> tuple[JsonObject, ...]:
    """Return the arguments to announce leaving after this game, or staying; none where leaving loses."""
    player = state.players[seat]
    if is_won_by_one(state) or player.status != IN or seat not in playing(state).line:
        return ()
    return ({"on": not player.leaves},)


def to_let_go(state: State) -> tuple[Seat, ...]:
    """Return the seats that the house may let leave after this game: all that may announce it, and have not."""
    if state.phase != PLAYING:
        return ()
    return tuple(seat for seat in range(len(state.players)) if {"on": True} in may_announce(state, seat))


def announce_leaving(draft: Draft, seat: Seat | None, args: JsonObject) -> None:
    """Announce that a seat leaves after this game, or withdraw that; the house announces it for `args["seat"]`."""
    event = LeavingAnnounced(seat=args["seat"], on=True) if seat is None else LeavingAnnounced(seat=seat, on=args["on"])
    draft.add(event)


def leave(draft: Draft, house: None, args: JsonObject) -> None:
    """Let a player leave for good, without a successor on the seat."""
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
    draft.add(SeatLeft(seat=seat, proxy=proxy, played_on=played_on))


def _leave_box(draft: Draft, seat: Seat) -> None:
    """Let the Box leave: the partner plays on, else a bot if the house rules say so, else the Box pays."""
    state, partner = draft.state, playing(draft.state).partner
    if partner is not None and is_present(state, partner):
        _go(draft, seat)
        draft.add(BoxChanged(seat=partner, before=seat))
    elif _may_be_played_on(state, seat):
        _go(draft, seat, played_on=True)
    else:
        _go(draft, seat)
        departure.pay(draft, BOX)


def _may_be_played_on(state: State, seat: Seat) -> bool:
    """Tell whether a bot may play on for a leaver: not if one already did and let its time run out."""
    return bool(rule_of(state, "bot_plays_on")) and state.players[seat].status != PLAYED_ON


def _leave_team(draft: Draft, seat: Seat) -> None:
    """Let a member with cubes to decide leave: another of the Team looks after the cubes.

    If no one of the Team is left at the table, a bot plays on or the Team pays, as with a Box.
    """
    state = draft.state
    caretaker = captaincy.caretaker(state, playing(draft.state), seat)
    if caretaker is None and _may_be_played_on(state, seat):
        _go(draft, seat, played_on=True)
    elif caretaker is None:
        _go(draft, seat)
        departure.pay(draft, TEAM)
    else:
        _go(draft, seat, caretaker if is_in(state, playing(draft.state), seat) else None)
        captaincy.update(draft)
        course.go_on(draft)


def _keep_extras(draft: Draft, seat: Seat) -> None:
    """Decline the extras that a leaver could still give, so that the game does not wait for them."""
    for ask in beavers.waiting(playing(draft.state)):
        if ask.seat == seat and ask.kind == "extra":
            beavers.seal(draft, ask, beavers.default_reply(ask))
    course.go_on(draft)

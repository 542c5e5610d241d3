"""The effect of each event on the state: no checks, no dice, no rules.

An event contains everything that a rule had to find out, so a later fix of a rule never
changes how an old log reads. Here are the events of the session; events of a game and its
talk are in `game`, of its cubes in `cubes`, of a real board in `wood`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

from chouette.rules.events.cubes import CUBE_EVENTS
from chouette.rules.events.game import GAME_EVENTS, TALK_EVENTS, with_questions_passed
from chouette.rules.events.wood import WOOD_EVENTS, is_final
from chouette.rules.state import (
    BETWEEN,
    CENTRE,
    COMING,
    ENDED,
    IN,
    LEFT,
    OPENING,
    OVER,
    PAUSE,
    PLAYED_ON,
    PLAYING,
    TO_THROW,
    WATCHING,
    Cube,
    Game,
    Player,
    Row,
    State,
    Transfer,
    is_carry_open,
    is_wood,
    lineup,
    stage_of,
    with_game,
)
from games.kernel.contract import Event, JsonObject, Seat
from games.kernel.records import changed

MOVED_UP = ("joined", "left")
"""Reasons for which a line is set between two games, other than the last game or the first rolls."""

Handler: TypeAlias = Callable[[State, Any, int], State]


def fold(state: State, event: Event, seq: int) -> State:
    """Return the state after an event of log entry `seq`; an unknown event changes nothing."""
    handler = HANDLERS.get(event.type)
    if handler is not None:
        state = handler(state, event.data, seq)
        return changed(state, acts=()) if state.acts and is_final(event) else state
    private = TALK_EVENTS.get(event.type)
    return private(state, event.data, event.audience or (), seq) if private else state


def _order_rolled(state: State, data: JsonObject, seq: int) -> State:
    return changed(state, order=(*state.order, data))


def _order_die_thrown(state: State, data: JsonObject, seq: int) -> State:
    """Add a die to the round of throws that it belongs to: the first, or one after a tie."""
    seat = data["seat"]
    number = sum(roll["seat"] == seat for block in state.order for roll in block["rolls"])
    roll = {"seat": seat, "die": data["die"]}
    blocks = list(state.order)
    if number == len(blocks):
        blocks.append({"rolls": [roll]})
    else:
        blocks[number] = {"rolls": [*blocks[number]["rolls"], roll]}
    return changed(state, order=tuple(blocks))


def _line_set(state: State, data: JsonObject, seq: int) -> State:
    line = tuple(data["line"])
    phase = PAUSE if state.phase == PAUSE else BETWEEN
    state = changed(state, phase=phase, line=line, opened=seq, partner=None)
    if data["why"] not in MOVED_UP:
        state = changed(state, why=data["why"], line_box=line[0] if line else None)
    for seat in range(len(state.players)):
        if state.players[seat].status in (IN, COMING):
            state = with_player(state, seat, status=IN if seat in line else WATCHING)
    return state


def _box_passed(state: State, data: JsonObject, seq: int) -> State:
    """Note a pass; each seat may pass the Box of one game on once."""
    return changed(state, passed=(*state.passed, data["seat"]))


def _partner_chosen(state: State, data: JsonObject, seq: int) -> State:
    chosen = data["partner"]
    return changed(state, partner=-1 if chosen is None else chosen, opened=seq)


def _carry_answered(state: State, data: JsonObject, seq: int) -> State:
    return changed(state, agreed=(*state.agreed, (data["seat"], data["value"] > 1)), opened=seq)


def _game_started(state: State, data: JsonObject, seq: int) -> State:
    """Start a game; the opening roll of Box and Captain is one decision, and either may roll first."""
    line = tuple(data["line"])
    members = [seat for seat in line[1:] if seat != data["partner"]]
    game = Game(
        number=data["number"],
        line=line,
        cubes=tuple(
            Cube(seat, line[0], data["value"], data["owner"], turned=data["owner"] != CENTRE) for seat in members
        ),
        captain=line[1],
        captains=(line[1],),
        partner=data["partner"],
        is_crawford=data["crawford"],
        is_single=data.get("single", False),
        position=tuple(data["position"]),
        opened=seq if is_wood(state) else state.opened,
        stage=stage_of(state, OPENING),
    )
    crawford = "now" if data["crawford"] else state.crawford
    return changed(state, phase=PLAYING, game=game, carry=False, agreed=(), partner=None, crawford=crawford, ready=())


def _game_ended(state: State, data: JsonObject, seq: int) -> State:
    """End a game, and with it auto no double, sitting out and announced leaving."""
    row = Row(
        data["number"],
        transfers_of(data["transfers"]),
        line=tuple(data["line_before"]),
        winner=data["winner"],
        is_crawford=state.crawford == "now",
        seq=seq,
    )
    crawford = "after" if state.crawford == "now" else state.crawford
    state = with_game(state, stage=ENDED, opened=seq, talk=(), proposals=(), closed=(), resignation=None)
    players = tuple(replace(player, auto=False, sits_out=False, leaves=False) for player in state.players)
    state = changed(state, players=players)
    for seat, player in enumerate(state.players):
        if player.status == PLAYED_ON:
            state = with_player(state, seat, status=LEFT)
    return changed(
        state,
        sheet=(*state.sheet, row),
        crawford=crawford,
        loser=data["loser"],
        passed=(),
        last_game=data,
    )


def _pause_began(state: State, data: JsonObject, seq: int) -> State:
    return changed(state, phase=PAUSE, paused=seq, ready=())


def _went_on(state: State, data: JsonObject, seq: int) -> State:
    return changed(state, ready=(*state.ready, data["seat"]))


def _pause_ended(state: State, data: JsonObject, seq: int) -> State:
    return changed(state, phase=BETWEEN, opened=seq, ready=())


def _sat_out(state: State, data: JsonObject, seq: int) -> State:
    """Set whether a seat sits out; the Box may change by it, so the choice of a partner is open again.

    A new Box that has to be asked whether the game starts doubled has its whole time for that.
    """
    before = lineup(state)[:1]
    state = changed(with_player(state, data["seat"], sits_out=data["on"]), partner=None)
    is_asked = data["on"] and lineup(state)[:1] != before and is_carry_open(state)
    return changed(state, opened=seq) if is_asked and state.phase == BETWEEN else state


def _leaving_announced(state: State, data: JsonObject, seq: int) -> State:
    return with_player(state, data["seat"], leaves=data["on"])


def _closing_announced(state: State, data: JsonObject, seq: int) -> State:
    return changed(state, closes=data["on"])


def _session_ended(state: State, data: JsonObject, seq: int) -> State:
    return changed(state, phase=OVER, ended=data)


def _row_corrected(state: State, data: JsonObject, seq: int) -> State:
    row = Row(0, transfers_of(data["transfers"]), data["seat"], data["why"], seq=seq)
    return changed(state, sheet=(*state.sheet, row))


def _seat_joined(state: State, data: JsonObject, seq: int) -> State:
    """A newcomer gets the next seat; a returning player gets the old seat."""
    seat = data["seat"]
    if seat == len(state.players):
        state = changed(state, players=(*state.players, Player()))
    if state.why == TO_THROW:
        state = changed(state, order=_without_dice_of(state, seat))
    return with_player(state, seat, status=COMING)


def _without_dice_of(state: State, seat: Seat) -> tuple[JsonObject, ...]:
    """Return the throws for the first line without throws by an earlier player of the seat."""
    blocks = [[roll for roll in block["rolls"] if roll["seat"] != seat] for block in state.order]
    return tuple({"rolls": rolls} for rolls in blocks if rolls)


def _seat_left(state: State, data: JsonObject, seq: int) -> State:
    """Mark a seat as left; a proxy looks after its cube and gets the questions about it (§7).

    In events older than `played_on` the proxy gets the leaver's other questions, too.
    """
    seat, proxy = data["seat"], data["proxy"]
    state = changed(state, agreed=tuple(answer for answer in state.agreed if answer[0] != seat))
    status = PLAYED_ON if data.get("played_on") else LEFT
    state = with_player(state, seat, status=status, auto=False, proxy=None, sits_out=False, leaves=False)
    if proxy is None or state.game is None:
        return state
    game = state.game
    own = None if "played_on" not in data else seat
    return with_game(with_questions_passed(state, seat, proxy, own), proxies=(*game.proxies, (seat, proxy)))


def _proxy_named(state: State, data: JsonObject, seq: int) -> State:
    return with_player(state, data["seat"], proxy=data["proxy"])


def _auto_set(state: State, data: JsonObject, seq: int) -> State:
    return with_player(state, data["seat"], auto=data["on"])


def with_player(state: State, seat: Seat, **changes: Any) -> State:
    """Return the state with one player changed."""
    players = list(state.players)
    players[seat] = replace(players[seat], **changes)
    return changed(state, players=tuple(players))


def transfers_of(rows: list[list[Any]]) -> tuple[Transfer, ...]:
    """Return transfers from their JSON form: [payer, payee, points, why] each."""
    return tuple(Transfer(*row) for row in rows)


HANDLERS: dict[str, Handler] = {
    "order_rolled": _order_rolled,
    "order_die_thrown": _order_die_thrown,
    "line_set": _line_set,
    "box_passed": _box_passed,
    "partner_chosen": _partner_chosen,
    "carry_answered": _carry_answered,
    "game_started": _game_started,
    "game_ended": _game_ended,
    "pause_began": _pause_began,
    "went_on": _went_on,
    "pause_ended": _pause_ended,
    "sat_out": _sat_out,
    "leaving_announced": _leaving_announced,
    "closing_announced": _closing_announced,
    "session_ended": _session_ended,
    "row_corrected": _row_corrected,
    "seat_joined": _seat_joined,
    "seat_left": _seat_left,
    "proxy_named": _proxy_named,
    "auto_set": _auto_set,
    **GAME_EVENTS,
    **CUBE_EVENTS,
    **WOOD_EVENTS,
}

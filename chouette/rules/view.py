"""The view of a table for a browser: its shape is in view_shape.py."""

from __future__ import annotations

from typing import cast

from chouette.board.gnubg_id import position_id
from chouette.board.position import Position, off, pips, swap
from chouette.rules import takeback
from chouette.rules.about import asked, waiting_for
from chouette.rules.cube import beavers, settlement, window
from chouette.rules.cube.cubes import cube_of, deputy_of, holder, is_in, other, parties, roller, worth
from chouette.rules.headlines import end_line, following_json, is_duel, result_line, winner_of
from chouette.rules.seating import ordering
from chouette.rules.seating.coming_and_going import valid_proxy
from chouette.rules.seating.passing_on import PASSED_ON
from chouette.rules.session import consultation, game_clock, match, pause, reopened, score_sheet, start
from chouette.rules.session.opening import question
from chouette.rules.state import (
    ANSWERS,
    BOX,
    OVER,
    PAUSE,
    PLAYING,
    TEAM,
    WINDOW,
    Cube,
    Game,
    LastPlay,
    Resignation,
    State,
    ToldResult,
    is_two,
    lineup,
    rule_of,
)
from chouette.rules.view_shape import (
    AskView,
    BoardView,
    ClockView,
    Company,
    CubeView,
    CubeWindow,
    DecisionsView,
    EndedGame,
    EndOfSession,
    GameView,
    GivenPoints,
    InGame,
    LastAct,
    LastGame,
    LastPlayView,
    OrderRolls,
    OwnAnswer,
    OwnReply,
    OwnView,
    OwnWord,
    PauseView,
    ProposalView,
    RequestView,
    ResignationView,
    RolesView,
    ScoreRowView,
    ScoreView,
    SessionOutcome,
    SessionView,
    StartView,
    TableSeat,
    TalkLine,
    TimeLimitView,
    ToldView,
    View,
)
from chouette.rules.wood import acts
from games.kernel.contract import ALWAYS, JsonObject, Seat, Times
from games.kernel.data.records import TABLES, as_dict, as_list, keeps_answers, kept, kept_by, record


def view(state: State, viewer: Seat | None, times: Times = ALWAYS) -> View:
    """Return the view of a state for a seat's player, seated at `times`, or for a spectator (`viewer` None).

    Open proposals are shown to the seats that decide about them now, at any `times`.
    The public part is the same object for all viewers: never change it.
    """
    public, game = _public(state), state.game
    seen: View = {**public, "me": own_part(state, viewer, times) if viewer is not None else None}
    if game is not None and game.proposals and public["game"] is not None:
        seen["game"] = {**public["game"], "proposals": proposals(game, viewer)}
    return seen


@kept
def _public(state: State) -> View:
    """Return the public part of the view."""
    game, lasting = state.game, _lasting(state)
    is_running = state.phase == PLAYING and game is not None
    public: SessionView = {
        "phase": state.phase,
        "pause": _pause(state),
        "roles": lasting.roles,
        "last_act": _last_act(state),
        "closes": state.closes,
        "options": lasting.options,
        "format": state.options["format"],
        "line": lasting.line,
        "order": cast("list[OrderRolls]", as_list(state.order)),
        "to_throw": list(ordering.to_throw(state)),
        "question": question(state) if state.phase != OVER else "",
        "seats": lasting.seats,
        **lasting.score,
        "given": lasting.given,
        "time_limit": _time_limit(state),
        "clock": _clock(state),
        "crawford": bool(is_running and game and game.is_crawford),
        "crawford_next": not is_running and state.phase != OVER and match.is_crawford_next(state),
        "start": None if game else _start(state),
        "game": game_view(state, game, lasting.cubes) if game else None,
        "sheet": lasting.sheet,
        "totals": lasting.totals,
        "ended": _ended(state, lasting.totals),
        "outcome": cast("SessionOutcome | None", state.ended),
        "waiting_for": list(waiting_for(state)),
        "asked": asked(state),
        "me": None,
    }
    return {**public, "last_game": lasting.last_game}


@record(frozen=True, slots=True)
class _Lasting:
    """The members of the view that rolls and plays do not change: house rules, people, cubes, points."""

    options: dict[str, object]
    line: list[Seat]
    roles: RolesView | None
    seats: list[TableSeat]
    totals: list[int]
    score: ScoreView
    given: list[GivenPoints]
    sheet: list[ScoreRowView]
    cubes: list[CubeView]
    last_game: LastGame | None


def _lasting_parts(state: State) -> tuple[object, ...]:
    """Return the parts of a state that `_lasting` depends on: rolls and plays change none of them."""
    game = state.game
    of_game = () if game is None else (game.line, game.cubes, game.captain, game.captains, game.partner, game.proxies)
    of_line = (state.line, state.why, state.line_box, state.passed, state.last_game, state.order)
    return (state.options, state.players, state.phase, state.sheet, state.given, *of_line, *of_game)


@kept_by(_lasting_parts, TABLES)
def _lasting(state: State) -> _Lasting:
    game, totals, roles = state.game, score_sheet.totals(state), _roles(state)
    line = list(game.line if game is not None and state.phase == PLAYING else lineup(state))
    return _Lasting(
        options=as_dict(state.options),
        line=line,
        roles=roles,
        seats=[_seat(state, seat, totals[seat]) for seat in range(len(state.players))],
        totals=totals,
        score=_match(state),
        given=[{"seat": one.seat, "points": one.points, "game": one.game} for one in state.given],
        sheet=score_sheet.view(state),
        cubes=[] if game is None else [_cube(state, game, i, cube) for i, cube in enumerate(game.cubes)],
        last_game=_last_game(state, {"format": state.options["format"], "line": line, "roles": roles}),
    )


def _ended(state: State, totals: list[int]) -> EndOfSession | None:
    """Return the end of the session with who has most points, or with the score of the match, the winner's first.

    Who loses on time may be ahead.
    """
    if state.ended is None:
        return None
    best = max(totals)
    leaders = [seat for seat, total in enumerate(totals) if total == best]
    winner = state.ended.get("winner")
    score = [points for _, points in sorted(enumerate(_match(state)["score"] or ()), key=lambda row: row[0] != winner)]
    ended = {**state.ended, "best": best, "leaders": leaders, "score": score}
    return cast("EndOfSession", {**ended, "headline": end_line(ended).to_json()})


def _played(last: JsonObject) -> EndedGame:
    """Return what the view tells of the event of a game's end."""
    return {
        "number": last["number"],
        "reason": last["reason"],
        "winner": last["winner"],
        "box": last["box"],
        "captain": last["captain"],
        "last_captain": last["last_captain"],
        "partner": last["partner"],
        "points": last["points"],
        "why": last["why"],
        "line_before": last["line_before"],
        "line_after": last["line_after"],
        "loser": last["loser"],
    }


def _last_game(state: State, view: Company) -> LastGame | None:
    """Return the last game, with its end as a headline and the reason of the next Box."""
    last = state.last_game
    if last is None:
        return None
    found = _played(last)
    headline = result_line(found, is_two=is_duel(view)).to_json()
    return {**found, "side": winner_of(found), "headline": headline, "following": following_json(view, found)}


def _start(state: State) -> StartView:
    """Return the start of the first game, in the Box's view."""
    first = start.parse(state.options["start_position"])
    return {
        "points": list(first.position),
        "off": list(off(first.position)),
        "dice": list(first.dice),
        "value": first.value,
        "owner": first.owner,
    }


def _match(state: State) -> ScoreView:
    if not match.is_match(state):
        return {"score": None, "match_length": None}
    return {"score": match.scores(state), "match_length": state.options["match_length"]}


def _time_limit(state: State) -> TimeLimitView | None:
    minutes = rule_of(state, "match_minutes")
    return {"minutes": minutes, "over": state.is_time_over} if minutes else None


def _clock(state: State) -> ClockView | None:
    clock, kind = state.clock, game_clock.kind_of(state)
    if clock is None or kind is None:
        return None
    return {
        "left": list(clock.left),
        "runs": clock.runs,
        "turn": clock.turn,
        "delay": kind.delay,
        "fallen": list(clock.fallen),
    }


def _seat(state: State, seat: Seat, total: int) -> TableSeat:
    player = state.players[seat]
    found, cube = role(state, seat)
    return {
        "seat": seat,
        "status": player.status,
        "role": found,
        "total": total,
        "cube": cube,
        "proxy": valid_proxy(state, seat),
        "sits_out": player.sits_out,
        "leaves": player.leaves,
    }


def _pause(state: State) -> PauseView | None:
    if state.phase != PAUSE or state.paused is None:
        return None
    waiting = list(pause.to_go_on(state))
    return {
        "opened": state.paused,
        "seconds": pause.seconds(state),
        "ready": [seat for seat in lineup(state)[:2] if seat not in waiting],
        "waiting": waiting,
    }


def _last_act(state: State) -> LastAct | None:
    if not acts.may_take_back(state, None):
        return None
    return {"seat": state.acts[-1].seat, "act": state.acts[-1].name}


def _roles(state: State) -> RolesView | None:
    """Return the Box and the Captain with the reasons for them; None without a Box."""
    is_running = state.phase == PLAYING and state.game is not None
    line = state.game.line if is_running and state.game else lineup(state)
    if is_two(state) or len(line) < 2 or state.phase == OVER or ordering.to_throw(state):
        return None
    box, captain = line[:2]
    # Tables begun before the reason was kept have it in their last game.
    why = state.why or (state.last_game["why"] if state.last_game else "rolled")
    has_passed = state.why == PASSED_ON and captain in state.passed
    is_same = has_passed or (state.line_box in (None, box) and not _is_heir_gone(state, why, box))
    return {
        "box": box,
        "captain": captain,
        "box_why": why if is_same else "moved_up",
        "captain_why": _captain_why(state, captain),
    }


def _is_heir_gone(state: State, why: str, box: Seat) -> bool:
    """Tell whether the seat that is Box by the last game's result had left before the line was set."""
    last = state.last_game
    return last is not None and why == last["why"] and box != last["line_after"][0]


def _captain_why(state: State, captain: Seat) -> str:
    last = state.last_game
    if state.why == PASSED_ON and captain in state.passed:
        return PASSED_ON
    if last is None:
        return (state.why or "rolled") if captain == state.line[1] else "next_in_line"
    if captain == last["partner"]:
        return "partner"
    stood_in = captain == last.get("stand_in") and rule_of(state, "rotation") == "captain_result"
    return "stood_in" if stood_in else "next_in_line"


def role(state: State, seat: Seat) -> tuple[str, int | None]:
    """Return the role of a seat in the running game, and its own cube against the Box."""
    game = state.game
    if game is None or state.phase != PLAYING or seat not in game.line:
        return "none", None
    own = cube_of(game, seat)
    if seat == game.box:
        return "box", None
    if seat == game.partner:
        return "partner", None
    if seat == game.captain:
        return ("stand_in" if _is_stand_in(game) else "captain"), own
    return ("member" if is_in(state, game, seat) else "out"), own


def _is_stand_in(game: Game) -> bool:
    """Tell whether the acting Captain stands in for a Captain that has won their cube and is out."""
    if len(game.captains) < 2:
        return False
    before = cube_of(game, game.captains[-2])
    return before is not None and (game.cubes[before].result or 0) > 0


def game_view(state: State, game: Game, cubes: list[CubeView]) -> GameView:
    """Return the public view of a game with the view of its cubes, and with empty `proposals`."""
    is_running = state.phase == PLAYING
    return {
        "number": game.number,
        "running": is_running,
        "box": game.box,
        "captain": game.captain,
        "first_captain": game.line[1],
        "partner": game.partner,
        "stage": game.stage,
        "turn": game.turn,
        "on_roll": roller(game) if is_running and game.turn else None,
        "deputies": {"box": deputy_of(game, BOX), "team": deputy_of(game, TEAM)},
        **_board(state, game),
        "opening": [{"seat": seat, "die": die} for seat, die in game.opening],
        "ties": game.ties,
        "single": game.is_single,
        "cubes": cubes,
        "outs": list(game.outs),
        "told": _told(game.told) if game.told else None,
        **_decisions(state, game),
    }


def _told(told: ToldResult) -> ToldView:
    return {"seat": told.seat, "winner": told.winner, "level": told.level}


def _board(state: State, game: Game) -> BoardView:
    last, checkers = game.last, _checkers(game.position, game.turn)
    are_hidden = state.phase == PLAYING and rule_of(state, "pip_count") == "hidden"
    return {
        "points": checkers.points,
        "off": checkers.off,
        "pips": None if are_hidden else checkers.pips,
        "position_id": checkers.position_id,
        "dice": list(game.dice),
        "last_play": _last_play(last) if last else None,
    }


@record(frozen=True, slots=True)
class _Checkers:
    """The members of the view that tell where the checkers are."""

    points: list[int]
    off: list[int]
    pips: list[int]
    position_id: str


@keeps_answers(TABLES)
def _checkers(position: Position, turn: str) -> _Checkers:
    """Return where the checkers are; kept, since a position lasts for a roll and a play."""
    mover = swap(position) if turn == TEAM else position
    return _Checkers(list(position), list(off(position)), list(pips(position)), position_id(mover))


def _last_play(last: LastPlay) -> LastPlayView:
    return {
        "seat": last.seat,
        "side": last.side,
        "dice": list(last.dice),
        "play": last.play,
        "before": list(last.before),
        "asked_back": last.asked is not None,
    }


def _cube(state: State, game: Game, index: int, cube: Cube) -> CubeView:
    return {
        "cube": index,
        "member": cube.member,
        "against": cube.against,
        "holder": holder(game, cube, TEAM),
        "value": cube.value,
        "worth": [worth(state, cube, multiple) for multiple in (1, 2, 3)],
        "owner": cube.owner,
        "turned": cube.turned,
        "extra": cube.is_extra,
        "result": cube.result,
        "how": cube.how,
    }


def _decisions(state: State, game: Game) -> DecisionsView:
    offered = game.resignation
    return {
        "batch": list(game.batch),
        "window": _window(state, game),
        "reopened": reopened.second_chances(state, game),
        "answered": sorted(i for i, _ in game.answers) if game.stage == ANSWERS else [],
        "asks": _asks(game),
        "resignation": _resignation(offered) if offered else None,
        "proposals": [],
        "requests": _requests(state, game),
        "asked": list(game.asked),
    }


def _requests(state: State, game: Game) -> list[RequestView]:
    """Return what seats ask of others, while these may answer."""
    if state.phase != PLAYING or game.resignation is not None:
        return []
    settled = {(one.by, settlement.answerer(game, one)): None for one in game.proposals}
    found: list[RequestView] = [{"what": "settlement", "by": by, "to": [to]} for by, to in settled]
    if game.last is not None and (to := takeback.to_answer(state, game)):
        found.append({"what": "take_back", "by": roller(game, game.last.side), "to": list(to)})
    return found


def _resignation(offered: Resignation) -> ResignationView:
    return {"by": offered.by, "level": offered.level, "waiting": list(offered.waiting)}


def proposals(game: Game, viewer: Seat | None) -> list[ProposalView]:
    """Return the proposals that `viewer` may see: the viewer's seat is one of the cube's two sides."""
    return [
        {"cube": p.cube, "by": p.by, "points": p.points}
        for p in game.proposals
        if viewer in parties(game, game.cubes[p.cube])
    ]


def _window(state: State, game: Game) -> CubeWindow | None:
    """Return the public cube window; it hides sealed words, and even that there are any."""
    if game.stage != WINDOW or state.phase != PLAYING:
        return None
    grace, turn = state.options["grace_seconds"], state.options["turn_seconds"] or None
    waits = [wait for wait in game.waits if not wait.is_over]
    speech = window.speech(state)
    return {
        "may_double": list(speech.cubes),
        "spoken": [] if window.is_sealed(state) else sorted(cube for cube, _ in game.words),
        "ring": {"opened": game.ring, "seconds": grace, "over": game.ring_over} if game.ring else None,
        "asked": list(speech.awaited),
        "thinking": [wait.seat for wait in waits],
        "waits": [{"seat": w.seat, "opened": w.opened, "seconds": grace if w.is_late else turn} for w in waits],
    }


def _asks(game: Game) -> list[AskView]:
    """Return the unanswered questions, with the open round first."""
    if not game.asks:
        return []
    now = beavers.active(game)
    asks = [*beavers.waiting(game), *(ask for ask in game.asks if ask not in now)]
    return [{"kind": ask.kind, "cube": ask.cube, "seat": ask.seat, "value": ask.value} for ask in asks]


TALK_BYTES, LINE_BYTES = 1800, 25
"""Most bytes of talk in a view, and the bytes that a line takes besides its text."""

_NOTHING: InGame = {
    "talk": [],
    "suggestions": [],
    "may_talk": False,
    "hears": [],
    "words": [],
    "given": [],
    "replied": [],
    "resigned_to": None,
    "closed": [],
}


def own_part(state: State, viewer: Seat, times: Times) -> OwnView:
    """Return the part of the view for `viewer` alone; of secrets, only ones told at the `times` when they sat there."""
    auto = viewer < len(state.players) and state.players[viewer].auto
    game = state.game
    if game is None or state.phase != PLAYING:
        return {**_NOTHING, "auto": auto}
    lines = consultation.readable(state, game, viewer, times)
    audience = consultation.audience(state, game, viewer)
    return {
        "auto": auto,
        "talk": _newest([{"seat": ln.seat, "text": ln.text} for ln in lines if ln.text]),
        "suggestions": [{"seat": ln.seat, "play": ln.play} for ln in lines if ln.play],
        "may_talk": bool(audience),
        "hears": list(audience),
        "words": _words(game, viewer, times),
        "given": _given(game, viewer, times),
        "replied": _replied(game, viewer, times),
        "resigned_to": _resigned_to(game, viewer, times),
        "closed": [
            {"what": c.what, "became": c.became, "cube": c.cube, "by": c.by} for c in game.closed if c.seat == viewer
        ],
    }


def _newest(talk: list[TalkLine]) -> list[TalkLine]:
    """Return the newest lines of talk, as many as fit into TALK_BYTES, so that a view stays small."""
    left, kept = TALK_BYTES, 0
    for line in reversed(talk):
        left -= len(line["text"].encode()) + LINE_BYTES
        if left < 0:
            break
        kept += 1
    return talk[len(talk) - kept :]


def _words(game: Game, viewer: Seat, times: Times) -> list[OwnWord]:
    if game.stage != WINDOW or not game.words:
        return []
    own = _own(game, TEAM, viewer, times)
    return [{"for": cube, "says": doubles} for cube, doubles in game.words if cube in own]


def _given(game: Game, viewer: Seat, times: Times) -> list[OwnAnswer]:
    if game.stage != ANSWERS or not game.answers:
        return []
    own = _own(game, other(game.turn), viewer, times)
    return [
        {"for": cube, "takes": takes, "beavers": cube in game.beavers} for cube, takes in game.answers if cube in own
    ]


def _own(game: Game, side: str, viewer: Seat, times: Times) -> set[int]:
    """Return the cubes that a viewer decides about and whose words or answers they know.

    A sealed one is known to the player on the seat at that time, an open one to everybody.
    """
    hidden = {sealed.cube for sealed in game.sealed if sealed.seat != viewer or sealed.seq not in times}
    held = {i for i, cube in enumerate(game.cubes) if holder(game, cube, side) == viewer}
    return held - hidden


def _replied(game: Game, viewer: Seat, times: Times) -> list[OwnReply]:
    """Return the sealed replies of a viewer's seat; none from before the viewer sat on it."""
    if not game.said:
        return []
    asked = {(ask.cube, ask.kind, ask.seat) for ask in game.asks if times.last_since(ask.opened)}
    own = (row for row in game.said if row[2] == viewer and row[:3] in asked)
    return [{"for": cube, "reply": reply} for cube, _, _, reply in own]


def _resigned_to(game: Game, viewer: Seat, times: Times) -> bool | None:
    """Return whether a viewer has accepted the open resignation, None without an answer.

    Only if they have sat there since it was offered: the answer is sealed.
    """
    offered = game.resignation
    if offered is None or not times.last_since(offered.opened):
        return None
    side = TEAM if offered.by == game.box else BOX
    answers = {**dict.fromkeys(offered.accepted, True), **dict.fromkeys(offered.refused, False)}
    return next((yes for cube, yes in answers.items() if holder(game, game.cubes[cube], side) == viewer), None)

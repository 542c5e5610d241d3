"""The view of a table for a browser (docs/protocol.md).

The shape; a seat is an int from 0, a cube an int that stands for it in choices and events
(`?` marks values that may be null):

    {"phase": "pause" | "between" | "playing" | "over",   pause: the result of a game stands
     "pause": {"opened": int, "seconds": int, "ready": [seat], "waiting": [seat]}?,
                                                in the pause: the entry that began it, how long it
                                                lasts, which of the next Box and Captain have gone on
     "roles": {"box": seat, "captain": seat, "box_why", "captain_why"}?,
                                                of the running game, else of the next; why: below;
                                                null in money games and matches
     "last_act": {"seat", "act": choice}?,      on a real board: the act that may be taken back
     "closes": bool,                            the host has announced the end after this game
     "options": {option id: value},             the complete house rules
     "format": "chouette" | "money" | "match",
     "line": [seat],                            Box, Captain, next, …: of the running game as it
                                                began, else of the next one; without seats that sit it out
     "order": [{"rolls": [{"seat", "die"}]}],   the rolls that made the first line, in order
     "to_throw": [seat],                        still to throw a real die for the first line; until then there is no Box
     "question": "carry" | "partner" | "",      the Box's question before the opening roll
     "seats": [SEAT],
     "score": [int]?,                           points won in the match; null in other formats
     "match_length": int?,
     "given": [{"seat", "points": int, "game": int}],
                                                points of the score beside the games: given at the start (game 0), or
                                                for time in that game
     "time_limit": {"minutes": int, "over": bool}?,     of the match; over: it has been reached
     "clock": {"left": [int], "runs": seat?, "turn": seat?, "delay": int, "fallen": [seat]}?,
                                                game clocks: the reserves by seat in milliseconds, as last pressed,
                                                the seat whose clock runs, on a real board the seat on turn; the free
                                                milliseconds of a turn; the seats whose flags have fallen
     "crawford": bool,                          this is the Crawford game
     "crawford_next": bool,                     between two games: the next one is the Crawford game
     "start": {"points": [26 ints], "off": [box, team], "dice": [int], "value", "owner"}?,
                                                where the first game will start, before it does
     "game": GAME?,                             the running game, else the last one; null before
     "sheet": [ROW],
     "totals": [int],                           by seat; their sum is 0
     "last_game": {"number", "reason", "winner": "box"|"team", "box", "captain", "last_captain",
                   "partner": seat?, "points": [int], "why", "line_before": [seat],
                   "line_after": [seat], "loser": seat, "side": "box"|"team"|"", "headline": LINE,
                   "following": {"why", "now": seat?, "next": seat, "box", "captain", "stood_in": seat?}}?,
                                                side: who has won, "" if neither; why: box_stays | captain_wins |
                                                last_captain_wins | box_below_even
     "ended": {"reason": "closed"|"too_few"|"match_won", "winner": seat?, "best": int, "leaders": [seat],
               "score": [int], "headline": LINE}?,
                                                the most points and who has them; the match's score, the winner's first
     "outcome": reason and winner, under the shell's name for the end of a game that was played out,
     "waiting_for": [seat],                     whom the game waits for, whoever has answered in secret among them
     "asked": str,                              and for which choice; "over" at the end
     "me": ME?}                                 null for spectators

    SEAT = {"seat", "status": "in"|"coming"|"left"|"played_on"|"watching",
            "role": "box"|"captain"|"stand_in"|"member"|"partner"|"out"|"none",
            "total": int, "cube": cube?, "proxy": seat?, "sits_out": bool, "leaves": bool}
           status: played_on = has left, and a bot plays their game out.
           role: of the running game; stand_in = plays for a Captain who has won and is out.
           proxy: the seat named to look after their cube, while that counts
           sits_out: not in the game that runs, or comes, and keeps their place in the line
           leaves: has announced to leave after this game

    box_why: rolled (the highest die) | drawn (by lot) | by_hand (the host set the line) | box_stays |
             captain_wins | last_captain_wins | box_below_even (the Box before won, but below even) |
             moved_up (the Box before has left or sits out) | passed_on (the seat before passed the Box on)
    captain_why: rolled (the second highest) | drawn | by_hand | next_in_line | stood_in (for the Captain of the
             last game, who had won) | partner (of the Box before) | passed_on (was to be Box)

    GAME = {"number", "box", "captain", "first_captain", "partner": seat?,
            "running": bool,
            "stage": "opening"|"automatic"|"window"|"offer"|"answers"|"replies"|"roll"|"move"
                     |"ended"|"wood"|"result",     wood: it runs on a real board; result: `told` waits
            "turn": "box"|"team"|"",
            "on_roll": seat?,                   rolls and moves for the side on turn
            "deputies": {"box": seat?, "team": seat?},
                                                roll and move in place of the Box or Captain
            "points": [26 ints],                the Box's view: points[1..24] positive = the
                                                Box's, which moves 24 → 1; [25] the Box's bar,
                                                [0] the Team's (≤ 0)
            "off": [box, team], "position_id": str,
            "pips": [box, team]?,               null while the house rules hide them
            "dice": [int, int] | [],            rolled and not played yet
            "opening": [{"seat", "die"}], "ties": int,
            "cubes": [CUBE],
            "single": bool,                     the Team has a single cube: `cubes` are the stakes in it, all
                                                alike, and the Captain's stands for it in choices
            "batch": [cube],                    doubled and to be answered
            "window": WINDOW?,                  the Team's cube window while it is open
            "reopened": [{"seat", "opened": int, "seconds": int, "then": "drop"|"leave",
                          "points": int?}],     seats whose time has run out once in this decision;
                                                then: effect of the next time, points: its cost
            "answered": [cube],                 answers given, sealed until all are there
            "asks": [{"kind": "extra"|"beaver"|"must_beaver"|"beavered"|"raccooned", "cube",
                      "seat", "value": int}],   unanswered questions after the takes; ones listed
                                                in choices come first
            "resignation": {"by", "level", "waiting": [cube]}?,
            "proposals": [{"cube", "by", "points"}],   shown to the two parties of the cube only
            "last_play": {"seat", "side", "dice", "play", "before": [26 ints],
                          "asked_back": bool}?, null once it stands for good
            "asked": [seat],                    members asked for advice by the Captain
            "outs": [cube],                     in the order in which they went out
            "told": {"seat", "winner": "box"|"team", "level": 1|2|3}?}
                                                on a real board: the result that waits for the other side

    WINDOW = {"may_double": [cube],             in the order in which they speak
              "spoken": [cube],                 in an open order; sealed words are not shown
              "ring": {"opened": int, "seconds": int, "over": bool}?,
                                                once the Captain has asked to roll: how long the
                                                others may still double
              "asked": [seat],                  the seats that the ring waits for
              "thinking": [seat],               the seats with a time of their own
              "waits": [{"seat", "opened": int, "seconds": int?}]}
                                                times of single seats; seconds null: no limit

    CUBE = {"cube", "member", "against", "holder": seat, "value": int,
            "worth": [int, int, int],           points of a single game, a gammon and a backgammon
                                                on it as it is now (Jacoby)
            "owner": "centre"|"member"|"against", "turned": bool, "extra": bool,
            "result": int?, "how": str}         result: the member's points; holder decides for
                                                the member's side (the caretaker of the cube, if
                                                they left).
                                                how: single | gammon | backgammon | dropped |
                                                beaver_dropped | settled | resigned | left | time

    ROW = {"game": int?, "seq": int, "by": seat?, "reason": str, "points": [int], "totals": [int],
           "check": 0, "transfers": [{"payer", "payee", "points", "why"}], "line": [seat],
           "winner": "box"|"team"|"", "crawford": bool, "struck": bool, "score": [int]?}
          seq: the entry that wrote it: its seats are of the people who sat there then;
          line: Box, Captain, … of that game; score: of the match, after it; struck: the match
          had ended before that game, which counts for nothing. A correction has no game, line
          and winner, but a seat that made it and a reason

    ME = {"auto": bool, "talk": [{"seat", "text"}],     the newest lines of it
          "suggestions": [{"seat", "play"}],
          "may_talk": bool, "hears": [seat],    the seats that my talk reaches, mine included
          "words": [{"for": cube, "says": bool}],     my words in the open window
          "given": [{"for": cube, "takes": bool, "beavers": bool}],    my answers in the open batch
          "replied": [{"for": cube, "reply": str}],   my replies in the open round after the takes
          "resigned_to": bool?,                       my answer to the resignation
          "closed": [{"what": "settlement"|"take_back", "became": "accepted"|"refused"|"lapsed",
                      "cube": cube?, "by": seat?}]}   my requests to the other side since the last
                                                      play; by: the seat that refused or accepted

    LINE = [name, data]: a phrase of the sentences with its data (games.kernel.words)
"""

from __future__ import annotations

from chouette.board.gnubg_id import position_id
from chouette.board.position import off, pips, swap
from chouette.rules.about import asked, waiting_for
from chouette.rules.cube import beavers, window
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
    State,
    is_two,
    lineup,
    rule_of,
)
from chouette.rules.wood import acts
from games.kernel.contract import ALWAYS, JsonObject, Seat, Times
from games.kernel.records import as_dict, as_list, kept

_LAST_GAME_KEYS = (
    "number",
    "reason",
    "winner",
    "box",
    "captain",
    "last_captain",
    "partner",
    "points",
    "why",
    "line_before",
    "line_after",
    "loser",
)


def view(state: State, viewer: Seat | None, times: Times = ALWAYS) -> JsonObject:
    """Return the view of a state for a seat's player, seated at `times`, or for a spectator (`viewer` None).

    The shape is above. Open proposals are shown to the seats that decide about them now, at any `times`.
    The public part is the same object for all viewers: never change it.
    """
    public, game = _public(state), state.game
    own = {"me": own_part(state, viewer, times) if viewer is not None else None}
    if game is not None and game.proposals:
        own["game"] = {**public["game"], "proposals": proposals(game, viewer)}
    return {**public, **own}


@kept
def _public(state: State) -> JsonObject:
    """Return the public part of the view."""
    game = state.game
    totals = score_sheet.totals(state)
    is_running = state.phase == PLAYING and game is not None
    public = {
        "phase": state.phase,
        "pause": _pause(state),
        "roles": _roles(state),
        "last_act": _last_act(state),
        "closes": state.closes,
        "options": as_dict(state.options),
        "format": state.options["format"],
        "line": list(game.line if is_running and game else lineup(state)),
        "order": as_list(state.order),
        "to_throw": list(ordering.to_throw(state)),
        "question": question(state) if state.phase != OVER else "",
        "seats": [_seat(state, seat, totals[seat]) for seat in range(len(state.players))],
        **_match(state),
        "given": [{"seat": one.seat, "points": one.points, "game": one.game} for one in state.given],
        "time_limit": _time_limit(state),
        "clock": _clock(state),
        "crawford": bool(is_running and game and game.is_crawford),
        "crawford_next": not is_running and state.phase != OVER and match.is_crawford_next(state),
        "start": None if game else _start(state),
        "game": game_view(state, game) if game else None,
        "sheet": score_sheet.view(state),
        "totals": totals,
        "ended": _ended(state, totals),
        "outcome": state.ended,
        "waiting_for": list(waiting_for(state)),
        "asked": asked(state),
        "me": None,
    }
    return {**public, "last_game": _last_game(state, public)}


def _ended(state: State, totals: list[int]) -> JsonObject | None:
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
    return {**ended, "headline": end_line(ended).to_json()}


def _last_game(state: State, view: JsonObject) -> JsonObject | None:
    """Return the last game, with its end as a headline and the reason of the next Box."""
    last = state.last_game
    if last is None:
        return None
    found = {key: last[key] for key in _LAST_GAME_KEYS}
    headline = result_line(found, is_two=is_duel(view)).to_json()
    return {**found, "side": winner_of(found), "headline": headline, "following": following_json(view, found)}


def _start(state: State) -> JsonObject:
    """Return the start of the first game, in the Box's view."""
    first = start.parse(state.options["start_position"])
    cube = {"value": first.value, "owner": first.owner}
    return {"points": list(first.position), "off": list(off(first.position)), "dice": list(first.dice), **cube}


def _match(state: State) -> JsonObject:
    if not match.is_match(state):
        return {"score": None, "match_length": None}
    return {"score": match.scores(state), "match_length": state.options["match_length"]}


def _time_limit(state: State) -> JsonObject | None:
    minutes = rule_of(state, "match_minutes")
    return {"minutes": minutes, "over": state.is_time_over} if minutes else None


def _clock(state: State) -> JsonObject | None:
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


def _seat(state: State, seat: Seat, total: int) -> JsonObject:
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


def _pause(state: State) -> JsonObject | None:
    if state.phase != PAUSE:
        return None
    waiting = list(pause.to_go_on(state))
    return {
        "opened": state.paused,
        "seconds": pause.seconds(state),
        "ready": [seat for seat in lineup(state)[:2] if seat not in waiting],
        "waiting": waiting,
    }


def _last_act(state: State) -> JsonObject | None:
    if not acts.may_take_back(state, None):
        return None
    return {"seat": state.acts[-1].seat, "act": state.acts[-1].name}


def _roles(state: State) -> JsonObject | None:
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
    reasons = {"box_why": why if is_same else "moved_up", "captain_why": _captain_why(state, captain)}
    return {"box": box, "captain": captain, **reasons}


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


def game_view(state: State, game: Game) -> JsonObject:
    """Return the public view of a game, with empty `proposals`."""
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
        "deputies": {side: deputy_of(game, side) for side in (BOX, TEAM)},
        **_board(state, game),
        "opening": [{"seat": seat, "die": die} for seat, die in game.opening],
        "ties": game.ties,
        "single": game.is_single,
        "cubes": [_cube(state, game, i, cube) for i, cube in enumerate(game.cubes)],
        "outs": list(game.outs),
        "told": game.told and {"seat": game.told.seat, "winner": game.told.winner, "level": game.told.level},
        **_decisions(state, game),
    }


def _board(state: State, game: Game) -> JsonObject:
    last = game.last
    are_hidden = state.phase == PLAYING and rule_of(state, "pip_count") == "hidden"
    return {
        "points": list(game.position),
        "off": list(off(game.position)),
        "pips": None if are_hidden else list(pips(game.position)),
        "position_id": position_id(swap(game.position) if game.turn == TEAM else game.position),
        "dice": list(game.dice),
        "last_play": last
        and {
            "seat": last.seat,
            "side": last.side,
            "dice": list(last.dice),
            "play": last.play,
            "before": list(last.before),
            "asked_back": last.asked is not None,
        },
    }


def _cube(state: State, game: Game, index: int, cube: Cube) -> JsonObject:
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


def _decisions(state: State, game: Game) -> JsonObject:
    offered = game.resignation
    return {
        "batch": list(game.batch),
        "window": _window(state, game),
        "reopened": reopened.second_chances(state, game),
        "answered": sorted(i for i, _ in game.answers) if game.stage == ANSWERS else [],
        "asks": _asks(game),
        "resignation": offered
        and {
            "by": offered.by,
            "level": offered.level,
            "waiting": list(offered.waiting),
        },
        "proposals": [],
        "asked": list(game.asked),
    }


def proposals(game: Game, viewer: Seat | None) -> list[JsonObject]:
    """Return the proposals that `viewer` may see: the viewer's seat is one of the cube's two sides."""
    return [
        {"cube": p.cube, "by": p.by, "points": p.points}
        for p in game.proposals
        if viewer in parties(game, game.cubes[p.cube])
    ]


def _window(state: State, game: Game) -> JsonObject | None:
    """Return the public cube window; it hides sealed words, and even that there are any."""
    if game.stage != WINDOW or state.phase != PLAYING:
        return None
    grace, turn = state.options["grace_seconds"], state.options["turn_seconds"] or None
    waits = [wait for wait in game.waits if not wait.is_over]
    return {
        "may_double": list(window.may_double(state, game)),
        "spoken": [] if window.is_sealed(state) else sorted(cube for cube, _ in game.words),
        "ring": game.ring and {"opened": game.ring, "seconds": grace, "over": game.ring_over},
        "asked": list(window.awaited(state, game)),
        "thinking": [wait.seat for wait in waits],
        "waits": [{"seat": w.seat, "opened": w.opened, "seconds": grace if w.is_late else turn} for w in waits],
    }


def _asks(game: Game) -> list[JsonObject]:
    """Return the unanswered questions, with the open round first."""
    now = beavers.active(game)
    asks = [*beavers.waiting(game), *(ask for ask in game.asks if ask not in now)]
    return [{"kind": ask.kind, "cube": ask.cube, "seat": ask.seat, "value": ask.value} for ask in asks]


TALK_BYTES, LINE_BYTES = 1800, 25
"""Most bytes of talk in a view, and the bytes that a line takes besides its text."""

_NOTHING: JsonObject = {
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


def own_part(state: State, viewer: Seat, times: Times) -> JsonObject:
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


def _newest(talk: list[JsonObject]) -> list[JsonObject]:
    """Return the newest lines of talk, as many as fit into TALK_BYTES, so that a view stays small."""
    left, kept = TALK_BYTES, 0
    for line in reversed(talk):
        left -= len(line["text"].encode()) + LINE_BYTES
        if left < 0:
            break
        kept += 1
    return talk[len(talk) - kept :]


def _words(game: Game, viewer: Seat, times: Times) -> list[JsonObject]:
    if game.stage != WINDOW:
        return []
    own = _own(game, TEAM, viewer, times)
    return [{"for": cube, "says": doubles} for cube, doubles in game.words if cube in own]


def _given(game: Game, viewer: Seat, times: Times) -> list[JsonObject]:
    if game.stage != ANSWERS:
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


def _replied(game: Game, viewer: Seat, times: Times) -> list[JsonObject]:
    """Return the sealed replies of a viewer's seat; none from before the viewer sat on it."""
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

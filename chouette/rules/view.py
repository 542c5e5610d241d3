"""What a browser gets of a table (docs/protocol.md).

The shape; a seat is an int from 0, a cube an int that stands for it in choices and events
(`?` marks what may be null):

    {"phase": "between" | "playing" | "over",
     "options": {option id: value},             the complete house rules
     "format": "chouette" | "money" | "match",
     "line": [seat],                            Box, Captain, next, …: of the running game as it
                                                began, else of the next one
     "order": [{"rolls": [{"seat", "die"}]}],   the rolls that made the first line, in order
     "question": "carry" | "partner" | "",      what the Box has to say before the opening roll
     "seats": [SEAT],
     "score": [int]?,                           points won in the match; null in other formats
     "match_length": int?,
     "crawford": bool,                          this is the Crawford game
     "start": {"points": [26 ints], "off": [box, team], "dice": [int], "value", "owner"}?,
                                                where the first game will start, before it does
     "game": GAME?,                             the running game, else the last one; null before
     "sheet": [ROW],
     "totals": [int],                           by seat; their sum is 0
     "last_game": {"number", "reason", "winner": "box"|"team", "box", "captain", "last_captain",
                   "partner": seat?, "points": [int], "why", "line_before": [seat],
                   "line_after": [seat], "loser": seat}?,
                                                why: box_stays | captain_wins |
                                                last_captain_wins | box_below_even
     "ended": {"reason": "closed"|"too_few"|"match_won", "winner": seat?}?,
     "outcome": the same, under the name by which the shell knows a game that was played out,
     "me": ME?}                                 null for spectators

    SEAT = {"seat", "status": "in"|"coming"|"left"|"played_on"|"watching",
            "role": "box"|"captain"|"stand_in"|"member"|"partner"|"out"|"none",
            "total": int, "cube": cube?, "proxy": seat?}
           status: played_on = has left, and a bot plays their game out.
           role: of the running game; stand_in = plays for a Captain who has won and is out.
           proxy: whom they named to look after their cube, while that counts

    GAME = {"number", "box", "captain", "first_captain", "partner": seat?,
            "running": bool,
            "stage": "opening"|"automatic"|"window"|"offer"|"answers"|"replies"|"roll"|"move"
                     |"ended",
            "turn": "box"|"team"|"",
            "on_roll": seat?,                   who rolls and moves for the side on turn
            "points": [26 ints],                the Box's view: points[1..24] positive = the
                                                Box's, which moves 24 → 1; [25] the Box's bar,
                                                [0] the Team's (≤ 0)
            "off": [box, team], "pips": [box, team], "position_id": str,
            "dice": [int, int] | [],            rolled and not played yet
            "opening": [{"seat", "die"}], "ties": int,
            "cubes": [CUBE],
            "batch": [cube],                    doubled and to be answered
            "spoken": [cube], "silent": [cube], the cube window: who has spoken, not what
            "grace_over": bool,
            "answered": [cube],                 answers given, sealed until all are there
            "asks": [{"kind": "extra"|"beaver"|"must_beaver"|"beavered"|"raccooned", "cube",
                      "seat", "value": int}],   open questions after the takes that nobody has
                                                answered; those listed in choices come first
            "resignation": {"by", "level", "waiting": [cube]}?,
            "proposals": [{"cube", "by", "points"}],   shown to the two parties of the cube only
            "last_play": {"seat", "side", "dice", "play", "before": [26 ints],
                          "asked_back": bool}?, null once it stands for good
            "asked": [seat],                    members whom the Captain has asked for advice
            "outs": [cube]}                     in the order in which they went out

    CUBE = {"cube", "member", "against", "holder": seat, "value": int,
            "worth": [int, int, int],           what a single game, a gammon and a backgammon
                                                count on it as it is now (Jacoby)
            "owner": "centre"|"member"|"against", "turned": bool, "extra": bool,
            "result": int?, "how": str}         result: the member's points; holder decides for
                                                the member's side (who looks after the cube, if
                                                they left).
                                                how: single | gammon | backgammon | dropped |
                                                beaver_dropped | settled | resigned | left

    ROW = {"game": int?, "by": seat?, "reason": str, "points": [int], "totals": [int],
           "check": 0, "transfers": [{"payer", "payee", "points", "why"}], "line": [seat],
           "winner": "box"|"team"|"", "crawford": bool, "score": [int]?}
          line: Box, Captain, … of that game; score: of the match, after it. A correction has
          no game, line and winner, but a seat that made it and a reason

    ME = {"auto": bool, "talk": [{"seat", "text"}],     the newest lines of it
          "suggestions": [{"seat", "play"}],
          "may_talk": bool, "hears": [seat],    whom my talk reaches, me included
          "words": [{"for": cube, "says": bool}],     what I have said in the open window
          "given": [{"for": cube, "takes": bool}],    and in the open batch
          "replied": [{"for": cube, "reply": str}],   and in the open round after the takes
          "resigned_to": bool?,                       what I have answered to the resignation
          "closed": [{"what": "settlement"|"take_back", "became": "accepted"|"refused"|"lapsed",
                      "cube": cube?, "by": seat?}]}   of what I asked the other side since the last
                                                      play; by: who refused or accepted
"""

from __future__ import annotations

from chouette.rules import match, sheet, start
from chouette.rules.coming import shown_proxy
from chouette.rules.opening import question
from chouette.rules.position import off
from chouette.rules.state import OVER, PLAYING, State
from chouette.rules.view_game import game_view, proposals, role
from chouette.rules.view_me import mine
from games.kernel.contract import ALWAYS, JsonObject, Seat, Times
from games.kernel.records import kept

_SHOWN_OF_LAST = (
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
    """Return what `viewer` (None = a spectator), who sat there at `times`, may see.

    The shape is above. Of proposals, those that are still open are shown to whoever decides now.

    What all may see is one and the same object for all viewers: it is not to be changed.
    """
    shown, game = _shown(state), state.game
    own = {"me": mine(state, viewer, times) if viewer is not None else None}
    if game is not None and game.proposals:
        own["game"] = {**shown["game"], "proposals": proposals(game, viewer)}
    return {**shown, **own}


@kept
def _shown(state: State) -> JsonObject:
    """Return the view without what is for one viewer alone."""
    game = state.game
    totals = sheet.totals(state)
    is_running = state.phase == PLAYING and game is not None
    last = state.last_game
    return {
        "phase": state.phase,
        "options": dict(state.options),
        "format": state.options["format"],
        "line": list(game.line if is_running and game else state.line),
        "order": list(state.order),
        "question": question(state) if state.phase != OVER else "",
        "seats": [_seat(state, seat, totals[seat]) for seat in range(len(state.players))],
        **_match(state),
        "crawford": bool(is_running and game and game.is_crawford),
        "start": None if game else _start(state),
        "game": game_view(state, game) if game else None,
        "sheet": sheet.view(state),
        "totals": totals,
        "last_game": last and {key: last[key] for key in _SHOWN_OF_LAST},
        "ended": state.ended,
        "outcome": state.ended,
        "me": None,
    }


def _start(state: State) -> JsonObject:
    """Return where the first game will start, in the Box's view."""
    first = start.parse(state.options["start_position"])
    cube = {"value": first.value, "owner": first.owner}
    return {"points": list(first.position), "off": list(off(first.position)), "dice": list(first.dice), **cube}


def _match(state: State) -> JsonObject:
    if not match.is_match(state):
        return {"score": None, "match_length": None}
    score = [match.score(state.sheet, seat) for seat in range(len(state.players))]
    return {"score": score, "match_length": state.options["match_length"]}


def _seat(state: State, seat: Seat, total: int) -> JsonObject:
    player = state.players[seat]
    found, cube = role(state, seat)
    return {
        "seat": seat,
        "status": player.status,
        "role": found,
        "total": total,
        "cube": cube,
        "proxy": shown_proxy(state, seat),
    }

"""The game as a browser gets it; the shape stands in `view`."""

from __future__ import annotations

from chouette.rules import replies, window
from chouette.rules.cubes import cube_of, holder, is_in, parties, roller, worth
from chouette.rules.gnubg_id import position_id
from chouette.rules.position import off, pips, swap
from chouette.rules.state import ANSWERS, PLAYING, TEAM, WINDOW, Cube, Game, State
from games.kernel.contract import JsonObject, Seat


def role(state: State, seat: Seat) -> tuple[str, int | None]:
    """Return what a seat is in the running game, and its own cube against the Box."""
    game = state.game
    if game is None or state.phase != PLAYING or seat not in game.line:
        return "none", None
    own = cube_of(game, seat)
    if seat == game.box:
        return "box", None
    if seat == game.partner:
        return "partner", None
    if seat == game.captain:
        return ("stand_in" if _stands_in(game) else "captain"), own
    return ("member" if is_in(state, game, seat) else "out"), own


def _stands_in(game: Game) -> bool:
    """Tell whether the acting Captain plays for one who has won their cube and is out."""
    if len(game.captains) < 2:
        return False
    before = cube_of(game, game.captains[-2])
    return before is not None and (game.cubes[before].result or 0) > 0


def game_view(state: State, game: Game) -> JsonObject:
    """Return the game as all may see it, without `proposals`."""
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
        **_board(game),
        "opening": [{"seat": seat, "die": die} for seat, die in game.opening],
        "ties": game.ties,
        "cubes": [_cube(state, game, i, cube) for i, cube in enumerate(game.cubes)],
        "outs": list(game.outs),
        **_decisions(state, game),
    }


def _board(game: Game) -> JsonObject:
    last = game.last
    return {
        "points": list(game.position),
        "off": list(off(game.position)),
        "pips": list(pips(game.position)),
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
        "spoken": _spoken(game),
        "silent": list(window.silent(state, game)),
        "grace_over": game.grace is not None,
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
    """Return the proposals that `viewer` may see: the two parties of the cube."""
    return [
        {"cube": p.cube, "by": p.by, "points": p.points}
        for p in game.proposals
        if viewer in parties(game, game.cubes[p.cube])
    ]


def _spoken(game: Game) -> list[int]:
    """Return the cubes about which something has been said, without what."""
    return sorted(cube for cube, _ in game.words) if game.stage == WINDOW else []


def _asks(game: Game) -> list[JsonObject]:
    """Return the questions that are not answered yet, those of the open round first."""
    now = replies.active(game)
    asks = [*replies.waiting(game), *(ask for ask in game.asks if ask not in now)]
    return [{"kind": ask.kind, "cube": ask.cube, "seat": ask.seat, "value": ask.value} for ask in asks]

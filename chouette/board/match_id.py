"""GNU Backgammon's match id: 12 characters for the score, the cube and the player to decide.

Players are 0 and 1. The fields go into 67 bits, lowest first, and these into nine bytes and
base64. The last bit says that the Jacoby rule is off; in matches it always is.
"""

from __future__ import annotations

from dataclasses import dataclass

from chouette.board.gnubg_id import decode, encode
from chouette.board.position import BoardError

_BYTES = 9
_CENTRED = 3
_WIDTHS = {
    "cube_log2": 4,
    "cube_owner": 2,
    "player_on_roll": 1,
    "crawford": 1,
    "game_state": 3,
    "turn": 1,
    "double_offered": 1,
    "resign_offered": 2,
    "die1": 3,
    "die2": 3,
    "match_length": 15,
    "score0": 15,
    "score1": 15,
    "no_jacoby": 1,
}

NO_GAME, PLAYING, OVER, RESIGNED, DROPPED = range(5)
"""The values of `game_state`."""


@dataclass(frozen=True, slots=True)
class MatchState:
    """The content of a match id.

    `cube` is the cube's value and `cube_owner` 0, 1 or None (centred). `turn` is the player to
    decide and `player_on_roll` the player to roll: they differ while a double waits for its
    answer. `resign_offered` is 0 to 3 times the cube; `dice` is (0, 0) before the roll;
    `match_length` is 0 for money. `jacoby` is False in matches.
    """

    cube: int = 1
    cube_owner: int | None = None
    player_on_roll: int = 0
    turn: int = 0
    crawford: bool = False
    game_state: int = PLAYING
    double_offered: bool = False
    resign_offered: int = 0
    dice: tuple[int, int] = (0, 0)
    match_length: int = 0
    score: tuple[int, int] = (0, 0)
    jacoby: bool = False


def match_id(state: MatchState) -> str:
    """Return the id of a state; raises BoardError `bad_match` for values that an id can't hold."""
    values = {
        "cube_log2": state.cube.bit_length() - 1,
        "cube_owner": _CENTRED if state.cube_owner is None else state.cube_owner,
        "player_on_roll": state.player_on_roll,
        "crawford": int(state.crawford),
        "game_state": state.game_state,
        "turn": state.turn,
        "double_offered": int(state.double_offered),
        "resign_offered": state.resign_offered,
        "die1": max(state.dice),
        "die2": min(state.dice),
        "match_length": state.match_length,
        "score0": state.score[0],
        "score1": state.score[1],
        "no_jacoby": int(not state.jacoby or state.match_length > 0),
    }
    bits = shift = 0
    for name, width in _WIDTHS.items():
        if not 0 <= values[name] < 1 << width:
            raise BoardError("bad_match", f"a match id can't hold {name} = {values[name]}")
        bits |= values[name] << shift
        shift += width
    _check(values, "bad_match")
    if state.cube != 1 << values["cube_log2"]:
        raise BoardError("bad_match", f"a cube does not show {state.cube}")
    return encode(bits, _BYTES)


def parse_match_id(text: str) -> MatchState:
    """Return the content of a match id; raises BoardError `bad_match_id`.

    A Crawford flag at a score at which no side needs one point alone is cleared.
    """
    bits = decode(text, _BYTES, "bad_match_id")
    values: dict[str, int] = {}
    for name, width in _WIDTHS.items():
        values[name] = bits & ((1 << width) - 1)
        bits >>= width
    if bits:
        raise BoardError("bad_match_id", "the last character says more than an id can hold")
    _check(values, "bad_match_id")
    owner, money = values["cube_owner"], values["match_length"] == 0
    scores = values["score0"], values["score1"]
    return MatchState(
        cube=1 << values["cube_log2"],
        cube_owner=None if owner == _CENTRED else owner,
        player_on_roll=values["player_on_roll"],
        turn=values["turn"],
        crawford=bool(values["crawford"]) and not money and values["match_length"] - 1 in scores,
        game_state=values["game_state"],
        double_offered=bool(values["double_offered"]),
        resign_offered=values["resign_offered"],
        dice=(max(values["die1"], values["die2"]), min(values["die1"], values["die2"])),
        match_length=values["match_length"],
        score=scores,
        jacoby=money and not values["no_jacoby"],
    )


def _check(values: dict[str, int], code: str) -> None:
    """Raise BoardError with `code` for values that fit their bits but have no meaning."""
    dice = values["die1"], values["die2"]
    if max(dice) > 6 or (min(dice) == 0 and max(dice) > 0):
        raise BoardError(code, f"there are no dice {dice[0]} and {dice[1]}")
    if values["cube_owner"] not in (0, 1, _CENTRED):
        raise BoardError(code, f"there is no cube owner {values['cube_owner']}")
    if values["game_state"] > DROPPED:
        raise BoardError(code, f"there is no state of a game {values['game_state']}")

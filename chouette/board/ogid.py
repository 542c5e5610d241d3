"""OGID: a position with cube, roll, score and match length on one line, as OpenGammon writes it.

    11ccccchhhjjjjj:66666888dddddoo:N0N:45:W:IB:0:0:7:0

White's and Black's checkers, one sign each: their points as Black counts them (`0`–`9`, then `a`–`p`; 0 White's
bar, 25 Black's, `q` borne off); the cube (its owner, N without one; its value as a power of two; an action, O for a
double that waits for its answer); the roll; who made the last act, so that the other one is on roll; the state of the
game (IW or IB at its beginning, without a roll White's turn); both scores; the match's length, with C in the Crawford
game; the number of the act. All behind the cube may be missing.
"""

from __future__ import annotations

import re
from collections import Counter

from chouette.board.match_id import MatchState
from chouette.board.position import BAR, BoardError, checked
from chouette.board.xgid import Setup

PATTERN = (
    r"(?P<white>[0-9a-q]{1,15}):(?P<black>[0-9a-q]{1,15}):(?P<owner>[WBN])(?P<cube>[0-9])(?P<action>[NOTP])"
    r"(?::(?P<roll>[1-6]{2})?(?::(?P<last>[WB])(?::(?P<state>\w{0,2})(?::(?P<own>\d{1,4})?(?::(?P<other>\d{1,4})?"
    r"(?::(?P<length>\d{1,4})?(?P<kind>[A-Z]\d*)?(?::\d*){0,2})?)?)?)?)?)?"
)
_OGID = re.compile(rf"(?:OGID[=:])?{PATTERN}")
_WHITE, _BLACK = "W", "B"


def parse_ogid(text: str) -> Setup:
    """Return the setup that an OGID describes.

    Raises BoardError: `bad_ogid`, `shared_point`, or a code of `checked`.
    """
    found = _OGID.fullmatch(text.strip())
    if found is None:
        raise BoardError("bad_ogid", "an OGID has checkers of both sides and a cube, then up to eight fields")
    last, state, length = found["last"] or _BLACK, found["state"] or "IW", int(found["length"] or 0)
    is_offered = found["action"] == "O"
    # Who has doubled stays on roll; a game that is to begin is White's.
    on_roll = last if is_offered else _WHITE if last == _BLACK else _BLACK
    on_roll = _WHITE if state == "IW" and not found["roll"] and not is_offered else on_roll
    is_white = on_roll == _WHITE
    score = int(found["own"] or 0), int(found["other"] or 0)
    white, black = _points(found["white"], turned=True), _points(found["black"], turned=False)
    mine, theirs = (white, black) if is_white else (black, white)
    dice = sorted((int(die) for die in found["roll"] or ""), reverse=True)
    match = MatchState(
        cube=1 << int(found["cube"]),
        cube_owner=None if found["owner"] == "N" else int(found["owner"] == on_roll),
        player_on_roll=1,
        turn=0 if is_offered else 1,
        crawford=bool(length) and (found["kind"] or "").startswith("C") and length - 1 in score,
        double_offered=is_offered,
        dice=(dice[0], dice[1]) if dice else (0, 0),
        match_length=length,
        score=score[::-1] if is_white else score,
    )
    if any(mine[point] and theirs[BAR - point] for point in range(1, BAR)):
        raise BoardError("shared_point", "both sides have checkers on one point")
    position = checked(mine[point] - theirs[BAR - point] for point in range(BAR + 1))
    return Setup(position, match, offer="D" if is_offered else "")


def _points(signs: str, *, turned: bool) -> Counter[int]:
    """Return a side's checkers by its own points; those that are off are left out."""
    points = (int(sign, 36) if sign != "q" else None for sign in signs)
    return Counter(BAR - point if turned else point for point in points if point is not None)

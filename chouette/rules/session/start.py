"""The position that the games of a table start from (docs/rules-chouette.md §3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from chouette.board.gnubg_id import parse_position_id
from chouette.board.match_id import MatchState, parse_match_id
from chouette.board.pasted import find_id
from chouette.board.position import START, BoardError, Position, on_board, swap
from chouette.board.xgid import parse_xgid
from games.kernel.options import TextOption

NORMAL = "start"
OFFERED = "a table can't start with a cube in the air"
_IDS = re.compile(
    r"(?!XGID=)(?:Position ID *: *)?(?P<position>[^\s:]+)(?: *:|\s+Match ID *:)\s*(?P<match>[^\s:]+)", re.IGNORECASE
)
"""A position id with a match id, with a colon between them or as GNU Backgammon writes them."""


@dataclass(frozen=True, slots=True)
class GameStart:
    """A start in the Box's view: the position, the dice already rolled, value and owner of the cubes."""

    position: Position = START
    dice: tuple[int, ...] = ()
    value: int = 1
    owner: str = "centre"


@lru_cache(maxsize=64)
def parse(text: str) -> GameStart:
    """Return the start that a text names: `start`, a position id, one with a match id, or an XGID.

    The side on roll in a position is the Captain's. Of an XGID or a match id also the roll and the
    cube count; score and flags come from the table. Raises BoardError.
    """
    if text == NORMAL:
        return GameStart()
    ids = _IDS.fullmatch(text.strip())
    if ids is not None:
        return _of_match(parse_position_id(ids["position"]), parse_match_id(ids["match"]))
    if ":" not in text and not text.upper().startswith("XGID"):
        return GameStart(swap(running(parse_position_id(text.strip()))))
    setup = parse_xgid(text)
    if setup.offer:
        raise BoardError("cube_offered", OFFERED)
    return _of_match(setup.position, setup.state)


def _of_match(position: Position, state: MatchState) -> GameStart:
    """Return the start of a position in the view of the player on roll, with cube and roll."""
    if state.double_offered or state.turn != state.player_on_roll:
        raise BoardError("cube_offered", OFFERED)
    mine = "member" if state.cube_owner == state.player_on_roll else "against"
    owner = "centre" if state.cube_owner is None else mine
    dice = tuple(sorted(state.dice, reverse=True)) if any(state.dice) else ()
    return GameStart(swap(running(position)), dice, state.cube, owner)


def running(position: Position) -> Position:
    """Return a position in which both sides still have checkers; raises BoardError `game_over`."""
    if 0 in on_board(position):
        raise BoardError("game_over", "one side has borne off everything")
    return position


@dataclass(frozen=True, slots=True, kw_only=True)
class StartOption(TextOption):
    """A text that names a start; `usual` is the rules card's sentence for the normal one."""

    usual: str

    def kept(self, value: Any) -> Any:
        """Return the first id in a text that was pasted, such as a board with its ids; another text as it is."""
        return find_id(value) or value if isinstance(value, str) else value

    def problem(self, value: object) -> tuple[str, dict[str, Any]] | None:
        """Return the problem of a text, or `not_a_position` for a text that names no start.

        The parameter `why` is a code of its own: the board's, behind `position_`.
        """
        problem = TextOption.problem(self, value)
        if problem is not None or not isinstance(value, str):
            return problem
        try:
            parse(value)
        except BoardError as error:
            return "not_a_position", {"why": f"position_{error.code}"}
        return None

    def sentence(self, value: Any) -> str:
        """Return the sentence of the normal start, or of the position."""
        return self.usual if value == NORMAL else self.card

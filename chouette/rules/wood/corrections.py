"""Correcting the result of a game of a match on a real board (docs/rules-chouette.md §8).

The game's row gets another winner, level and cube; score, Crawford game and end of the match are counted anew
from all rows. A match that has ended may go on then. Games after its end are struck: they count again if a later
correction makes the match longer. Refused is a correction by which a game with a turned cube would be the
Crawford game: that game is corrected first, or its double taken back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chouette.rules.events.session import SessionEnded
from chouette.rules.events.wood import MatchReopened, ResultCorrected
from chouette.rules.seating import rotation
from chouette.rules.session import match, score_sheet
from chouette.rules.session.ending import KINDS
from chouette.rules.state import (
    ANSWERS,
    BOX,
    HIGHEST_CUBE,
    PLAYING,
    REPLIES,
    TEAM,
    CubeTransfer,
    Draft,
    Game,
    ScoreRow,
    State,
    is_wood,
)
from games.kernel import standings
from games.kernel.contract import Illegal, JsonObject, Seat, same_json

MATCH_WON = "match_won"
FIELDS = {"seat", "of", "told", "reason"}
EXAMPLES = tuple((level, cube) for cube in (1, 2) for level in KINDS)


def example(state: State) -> JsonObject | None:
    """Return arguments that correct the last game; None where no result of a match can be corrected."""
    rows = _games(state)
    if not rows or not is_wood(state) or not match.is_match(state):
        return None
    return next(_accepted(state, rows[-1]), None)


def _accepted(state: State, row: ScoreRow) -> Iterator[JsonObject]:
    for seat in row.line:
        for level, cube in EXAMPLES:
            told = {"winner": seat, "level": level, "cube": cube}
            args = {"seat": None, "of": row.seq, "told": told, "reason": score_sheet.EXAMPLE_REASON}
            try:
                _recounted(state, args)
            except Illegal:
                continue
            yield args


def is_correction(state: State, args: JsonObject) -> bool:
    """Tell whether arguments name a game of the match, a result that such a game can have, and a reason."""
    if set(args) != FIELDS or not isinstance(args["told"], dict) or set(args["told"]) != {"winner", "level", "cube"}:
        return False
    row = next((row for row in _games(state) if same_json(row.seq, args["of"])), None)
    winner, level, cube = (args["told"][name] for name in ("winner", "level", "cube"))
    if row is None or not all(type(n) is int for n in (winner, level, cube)):
        return False
    seat = args["seat"]
    is_seat = seat is None or (type(seat) is int and seat in range(len(state.players)))
    is_cube = 0 < cube <= (1 if match.is_to_one(state) else HIGHEST_CUBE) and cube & (cube - 1) == 0
    is_result = winner in row.line and level in KINDS and is_cube
    return is_seat and is_result and score_sheet.is_reason(args["reason"], score_sheet.LONGEST_AGREED_REASON)


def correct(draft: Draft, house: None, args: JsonObject) -> None:
    """Replace the result of a game; raises Illegal `no_change`, `crawford_doubled`."""
    state = draft.state
    rows, crawford = _recounted(state, args)
    winner = _winner(state, rows)
    seats, before = len(state.players), score_sheet.totals(state)
    after = score_sheet.totals(replace(state, sheet=rows))
    draft.add(
        ResultCorrected(
            seat=args["seat"],
            of=args["of"],
            told=args["told"],
            why=args["reason"],
            rows=[_row(row, seats) for row, old in zip(rows, state.sheet, strict=True) if row != old],
            crawford=crawford,
            dropped=state.phase == PLAYING and winner is not None,
            points=[now - then for now, then in zip(after, before, strict=True)],
            score=[match.points_of(replace(state, sheet=rows), seat) for seat in range(seats)],
        )
    )
    _end_or_go_on(draft, winner)


def _recounted(state: State, args: JsonObject) -> tuple[tuple[ScoreRow, ...], str]:
    """Return the rows with the corrected one, counted anew, and `State.crawford`; raises as `correct`."""
    old = next(row for row in _games(state) if row.seq == args["of"])
    new = _corrected(old, **args["told"])
    if new == old:
        raise Illegal("no_change")
    given = (new if row is old else row for row in state.sheet)
    rows, crawford = match.recounted(given, state.options["match_length"], state.given)
    for row in rows:
        if row.is_crawford and not _may_be_crawford(row):
            raise Illegal("crawford_doubled", game=row.number)
    if state.phase != PLAYING or state.game is None or _winner(state, rows) is not None:
        return rows, crawford
    if not match.is_crawford_next(replace(state, sheet=rows, crawford=crawford)):
        return rows, crawford
    if _is_doubled(state.game):
        raise Illegal("crawford_doubled", game=state.game.number)
    return rows, match.NOW


def _corrected(row: ScoreRow, winner: Seat, level: int, cube: int) -> ScoreRow:
    """Return a row with another result."""
    loser = next(seat for seat in row.line if seat != winner)
    side = BOX if winner == row.line[0] else TEAM
    return replace(row, winner=side, transfers=(CubeTransfer(loser, winner, level * cube, KINDS[level]),))


def _may_be_crawford(row: ScoreRow) -> bool:
    """Tell whether a game can have ended as it did without a double."""
    (transfer,) = row.transfers or (None,)
    if transfer is None:
        return True
    levels = {why: level for level, why in KINDS.items()}
    most = levels.get(transfer.why, max(KINDS))
    return transfer.why != "dropped" and transfer.points <= most


def _is_doubled(game: Game) -> bool:
    """Tell whether a double has been offered in a game: it waits for its answer, or has been taken."""
    return game.stage in (ANSWERS, REPLIES) or any(cube.turned or cube.value > 1 for cube in game.cubes)


def _winner(state: State, rows: Sequence[ScoreRow]) -> Seat | None:
    length = state.options["match_length"]
    counted = replace(state, sheet=tuple(rows))
    return next((seat for seat in range(len(state.players)) if match.points_of(counted, seat) >= length), None)


def _end_or_go_on(draft: Draft, winner: Seat | None) -> None:
    """Write that the match has ended now, or goes on; who has left a match has lost it, whatever the score."""
    ended = draft.state.ended
    if ended is not None and ended["reason"] != MATCH_WON:
        return
    if winner is None and ended is not None:
        draft.add(MatchReopened())
    elif winner is not None and (ended is None or ended["winner"] != winner):
        draft.add(SessionEnded(reason=MATCH_WON, winner=winner))


def _games(state: State) -> list[ScoreRow]:
    return [row for row in state.sheet if row.number]


def _row(row: ScoreRow, seats: int) -> JsonObject:
    """Return what a correction writes about a row; `ended`, `ranking` and `stats` are as in the end of a game."""
    won = None if row.is_struck else row.line[0 if row.winner == BOX else 1]
    kinds = {transfer.why for transfer in row.transfers}
    is_gammon = bool(kinds & {KINDS[2], KINDS[3]})
    gained = {seat: 0 if won is None else int(seat == won) for seat in row.line}
    return {
        "game": row.number,
        "seq": row.seq,
        "winner": row.winner,
        "transfers": [[t.payer, t.payee, t.points, t.why] for t in row.transfers],
        "crawford": row.is_crawford,
        "struck": row.is_struck,
        "ended": {
            "winner": row.winner,
            "reason": row.transfers[-1].why if row.transfers else "",
            "points": score_sheet.points(row.transfers, seats),
            "why": rotation.BOX_STAYS if row.winner == BOX else rotation.CAPTAIN_WINS,
        },
        "ranking": standings.ranking({seat: -n for seat, n in gained.items()}),
        "stats": [
            {"played": int(not row.is_struck), "won": gained[seat], "gammons": int(is_gammon and seat == won)}
            for seat in sorted(row.line)
        ],
    }

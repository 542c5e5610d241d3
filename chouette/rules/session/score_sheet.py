"""The score sheet: transfers between players, and totals derived from them (§6)."""

from __future__ import annotations

from collections.abc import Iterable

from chouette.rules.events.session import RowCorrected
from chouette.rules.seating import captaincy
from chouette.rules.session import match
from chouette.rules.state import CubeTransfer, Draft, Game, Given, ScoreRow, State
from chouette.rules.view_shape import RowFacts, RowFigures, ScoreRowView, SheetTransfer
from games.kernel.contract import JsonObject, Seat
from games.kernel.data.records import TABLES, Same, keeps_answers
from games.kernel.text import gettext_noop as _

LONGEST_REASON, LONGEST_AGREED_REASON = 80, 200
MOST_POINTS = 10**6
EXAMPLE_REASON = _("Counted wrong")


def transfers(game: Game) -> tuple[CubeTransfer, ...]:
    """Return the transfers of a finished game: each cube, the extras' price, the partner's half."""
    paid = [*game.paid]
    for cube in game.cubes:
        if cube.result:
            pair = (cube.against, cube.member) if cube.result > 0 else (cube.member, cube.against)
            paid.append(CubeTransfer(*pair, abs(cube.result), cube.how))
    if game.partner is not None:
        half = captaincy.share(box_result(game))
        pair = (game.box, game.partner) if half > 0 else (game.partner, game.box)
        paid += [CubeTransfer(*pair, abs(half), "partner")] if half else []
    return tuple(paid)


def box_result(game: Game) -> int:
    """Return the Box's result: minus the sum of the members' cubes against it."""
    return -sum(cube.result or 0 for cube in game.cubes if not cube.is_extra)


def points(rows: Iterable[CubeTransfer], seats: int) -> list[int]:
    """Return the points of each seat by transfers; the sum is 0."""
    found = [0] * seats
    for transfer in rows:
        found[transfer.payer] -= transfer.points
        found[transfer.payee] += transfer.points
    return found


def totals(state: State) -> list[int]:
    """Return each seat's running total."""
    every = [transfer for row in state.sheet for transfer in counted(row)]
    return points(every, len(state.players))


def counted(row: ScoreRow) -> tuple[CubeTransfer, ...]:
    """Return the transfers of a row that count: none of a game that was struck."""
    return () if row.is_struck else row.transfers


def view(state: State) -> list[ScoreRowView]:
    """Return the sheet as JSON: a row for each game and correction, with running totals.

    The same list as long as the sheet is the same; never change it.
    """
    return _rows(Same(state.sheet), len(state.players), match.is_match(state), state.given)


@keeps_answers(TABLES)
def _rows(sheet: Same, seats: int, is_match: bool, given: tuple[Given, ...]) -> list[ScoreRowView]:
    running, score = [0] * seats, [0] * seats
    out: list[ScoreRowView] = []
    for row in sheet.thing:
        gained = points(counted(row), seats)
        running = [a + b for a, b in zip(running, gained, strict=True)]
        score = [won + match.score([row], seat) for seat, won in enumerate(score)]
        figures: RowFigures = {"points": gained, "totals": running, "check": sum(gained)}
        shown = [won + match.given(given, seat, row.number) for seat, won in enumerate(score)]
        out.append({**_row(row), **figures, "score": shown if is_match else None})
    return out


def _row(row: ScoreRow) -> RowFacts:
    return {
        "game": row.number or None,
        "seq": row.seq,
        "by": row.by,
        "reason": row.reason,
        "line": list(row.line),
        "winner": row.winner,
        "crawford": row.is_crawford,
        "struck": row.is_struck,
        "without_house": row.is_without_house,
        "transfers": [_transfer(transfer) for transfer in row.transfers],
    }


def _transfer(transfer: CubeTransfer) -> SheetTransfer:
    return {
        "payer": transfer.payer,
        "payee": transfer.payee,
        "points": transfer.points,
        "why": transfer.why,
    }


def largest(state: State) -> int:
    """Return the sheet's largest result: the most points of a seat in one game, won or lost."""
    seats = len(state.players)
    games = (points(counted(row), seats) for row in state.sheet if row.number)
    return max((abs(gained) for row in games for gained in row), default=0)


def is_correction(state: State, seat: Seat, args: JsonObject) -> bool:
    """Tell whether arguments are a payment from a seat to another, with points and a reason.

    It lowers only the seat's own total; other corrections need the consent of others.
    """
    if set(args) != {"payer", "payee", "points", "reason"}:
        return False
    payee, amount = args["payee"], args["points"]
    if type(args["payer"]) is not int or type(payee) is not int or type(amount) is not int:
        return False
    is_pair = args["payer"] == seat and payee in range(len(state.players)) and payee != seat
    return is_pair and 0 < amount <= largest(state) and is_reason(args["reason"], LONGEST_REASON)


def is_agreed(state: State, args: JsonObject) -> bool:
    """Tell whether arguments are a correction in the house's form (contract.CORRECT)."""
    if set(args) != {"seat", "points", "reason"} or not isinstance(args["points"], dict):
        return False
    seats = {str(seat) for seat in range(len(state.players))}
    seat, amounts = args["seat"], args["points"]
    if seat is not None and (type(seat) is not int or str(seat) not in seats):
        return False
    if not amounts or not set(amounts) <= seats or not all(type(n) is int and n for n in amounts.values()):
        return False
    is_small = all(abs(n) <= MOST_POINTS for n in amounts.values())
    return is_small and sum(amounts.values()) == 0 and is_reason(args["reason"], LONGEST_AGREED_REASON)


def is_reason(why: object, longest: int) -> bool:
    """Tell whether a value is a reason: printable text of at most `longest` characters that is not blank."""
    return isinstance(why, str) and why.isprintable() and len(why.strip()) > 0 and len(why) <= longest


def correct(draft: Draft, seat: Seat | None, args: JsonObject) -> None:
    """Write a correction: a new row, with its reason and its author (None: the host)."""
    if seat is None:
        rows, seat = _paid(args["points"]), args["seat"]
    else:
        rows = [[args["payer"], args["payee"], args["points"], "correction"]]
    draft.add(RowCorrected(seat=seat, transfers=rows, why=args["reason"]))


def _paid(amounts: dict[str, int]) -> list[list[int | str]]:
    """Return payments that give each seat its signed points."""
    left = {int(seat): n for seat, n in sorted(amounts.items(), key=lambda pair: int(pair[0]))}
    rows: list[list[int | str]] = []
    while any(left.values()):
        payer = next(seat for seat, n in left.items() if n < 0)
        payee = next(seat for seat, n in left.items() if n > 0)
        paid = min(-left[payer], left[payee])
        left[payer], left[payee] = left[payer] + paid, left[payee] - paid
        rows.append([payer, payee, paid, "correction"])
    return rows

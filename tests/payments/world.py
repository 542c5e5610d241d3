"""A night with a chouette for ten cents a point, results with transfers, and its people."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from games.models import Night, Player, Result, ResultLine, Table
from games.services.nights import membership
from games.services.payments import accounts
from games.services.payments.accounts import Account
from games.services.payments.ticks import Wanted

CENTS = {"point_currency": "EUR", "point_value": 10}
OpenTable = Callable[..., Table]


def play(table: Table, *transfers: tuple[int, int, int], corrects: Result | None = None) -> Result:
    """Write a result by transfers: payer's seat, payee's seat, points."""
    seats = list(table.seats.order_by("index"))
    points = [0] * len(seats)
    for payer, payee, n in transfers:
        points[payer] -= n
        points[payee] += n
    made = Result.objects.create(
        table=table, number=table.results.count() + 1, game_id=table.game_id, preset=table.preset, reason="end",
        unit="points", finished_at=datetime.now(UTC), transfers=[list(each) for each in transfers],
        is_correction=corrects is not None, corrects=corrects,
    )  # fmt: skip
    for seat, n in zip(seats, points, strict=True):
        line = {"player": seat.player, "name": seat.name, "points": n, "rank": 1 + sum(o > n for o in points)}
        ResultLine.objects.create(result=made, seat=seat.index, **line, is_bot=bool(seat.bot_level))
    return made


def left(night: Night, currency: str = "EUR") -> dict[str, int]:
    """Return what is left of everybody's balance, by name."""
    rows = of(night, currency).rows
    return {"table" if row.person is None else row.person.nickname: row.left for row in rows}


def of(night: Night, currency: str = "EUR") -> Account:
    found = accounts.account(night, currency)
    assert found is not None
    return found


def planned(night: Night, currency: str = "EUR") -> set[tuple[str, str, int]]:
    """Return the payments to be made, by names."""
    names = (
        ("table" if each.payer is None else each.payer.nickname, "table" if each.payee is None else each.payee.nickname)
        for each in of(night, currency).planned
    )
    return {(*pair, each.amount) for pair, each in zip(names, of(night, currency).planned, strict=True)}


def wanted(payer: Player | None, payee: Player | None, amount: int, currency: str = "EUR") -> Wanted:
    return Wanted(payer and payer.pk, payee and payee.pk, currency, amount)


def person_without_phone(night: Night, keeper: Player, name: str) -> Player:
    return membership.bring(night, keeper, name)


def people_of(table: Table) -> list[Player]:
    return [seat.player for seat in table.seats.order_by("index").select_related("player")]


def sums(night: Night) -> Iterable[int]:
    """Return the sum of every column of every account of a night."""
    for account in accounts.accounts(night):
        yield sum(row.games + row.kitty for row in account.rows)
        for name in ("settled", "paid", "left"):
            yield sum(getattr(row, name) for row in account.rows)

"""Balances of games whose points are worth something: one for everybody, adding up to zero (docs/owed.md §2).

Amounts are whole numbers: hundredths of a currency, or rounds. A balance above zero is a claim, below zero a debt.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeAlias, TypeVar

from games.kernel.payments.point_values import OF_LAST, OF_LOSSES, OF_POINTS, PointTerms

K = TypeVar("K", bound=Hashable)


class Pot(Enum):
    """A party that is no person: the table, where games owe it points, and the kitty."""

    TABLE = "table"
    KITTY = "kitty"


@dataclass(frozen=True, slots=True)
class Transfer(Generic[K]):
    """Points that one party owes another by a game; below zero they are owed the other way round."""

    payer: K | Pot
    payee: K | Pot
    points: int


@dataclass(frozen=True, slots=True)
class PlayedGame(Generic[K]):
    """A game with its corrections, or a correction alone (`has_part` false: the kitty takes no part of it).

    `table` names the table, under whose `terms` it was played; `values` has a person's own value of a point then.
    """

    table: int
    terms: PointTerms
    transfers: Sequence[Transfer[K]]
    values: Mapping[K, int]
    has_part: bool = True


Balances: TypeAlias = dict["K | Pot", int]


def reckon(
    games: Iterable[PlayedGame[K]], *, over: Collection[int] = (), gone: Collection[K] = (), most: int = 0
) -> Balances[K]:
    """Return the balances of games of one currency in their order; those of people and pots add up to zero.

    At the tables that are `over` the last pays the kitty's part, where it takes the last's; people who are `gone`,
    having settled before, are left out of that. Nobody owes more than `most` (0: no limit): what somebody loses
    beyond that is taken off the winners of the same game, in proportion. So a later game changes no earlier balance.
    """
    found: Balances[K] = {}
    by_table: dict[int, tuple[PointTerms, Balances[K]]] = {}
    for game in games:
        moved = _limited(_moved(game), found, most)
        _add(found, moved)
        _add(by_table.setdefault(game.table, (game.terms, {}))[1], moved)
    for table, (terms, balances) in by_table.items():
        if table in over and terms.kitty == OF_LAST:
            _add(found, _limited(_last_parts(terms, balances, gone), found, most))
    return found


def _moved(game: PlayedGame[K]) -> Balances[K]:
    """Return what a game moves, with the kitty's part of its points or of its losses."""
    moved: Balances[K] = {}
    for (payer, payee), points in _net(game.transfers).items():
        amount = points * min(_value(game, each) for each in (payer, payee) if not isinstance(each, Pot))
        part = _part(game, OF_POINTS, amount)
        for party, change in ((payer, -amount), (payee, amount - part), (Pot.KITTY, part)):
            _change(moved, party, change)
    for party, amount in list(moved.items()):
        if not isinstance(party, Pot) and amount < 0:
            part = _part(game, OF_LOSSES, -amount)
            _change(moved, party, -part)
            _change(moved, Pot.KITTY, part)
    return moved


def _net(transfers: Iterable[Transfer[K]]) -> dict[tuple[K | Pot, K | Pot], int]:
    """Return the points above zero between each two, at least one of them a person, as (payer, payee)."""
    found: dict[tuple[K | Pot, K | Pot], int] = {}
    for each in transfers:
        pair, back = (each.payer, each.payee), (each.payee, each.payer)
        if each.payer == each.payee or all(isinstance(party, Pot) for party in pair):
            continue
        if back in found:
            found[back] -= each.points
        else:
            found[pair] = found.get(pair, 0) + each.points
    turned = {(pair if points > 0 else pair[::-1]): abs(points) for pair, points in found.items() if points}
    return {(payer, payee): points for (payer, payee), points in turned.items()}


def _value(game: PlayedGame[K], person: K) -> int:
    return game.values.get(person, game.terms.value) if game.terms.has_own else game.terms.value


def _part(game: PlayedGame[K], kind: str, amount: int) -> int:
    """Return the kitty's part of an amount, rounded down; 0 where it takes none of this kind."""
    return amount * game.terms.part // 100 if game.has_part and game.terms.kitty == kind else 0


def _last_parts(terms: PointTerms, balances: Balances[K], gone: Collection[K]) -> Balances[K]:
    """Return the payments to the kitty of the players with the lowest balance of a table, if it is below zero."""
    people = {party: n for party, n in balances.items() if not isinstance(party, Pot) and party not in gone}
    lowest = min(people.values(), default=0)
    if lowest >= 0:
        return {}
    part = -lowest * terms.part // 100
    last: Balances[K] = {party: -part for party, n in people.items() if n == lowest}
    return {**last, Pot.KITTY: part * len(last)}


def _limited(moved: Balances[K], before: Balances[K], most: int) -> Balances[K]:
    """Return the moved balances with no debt above `most`; the winners get less, in proportion."""
    if not most:
        return moved
    found = dict(moved)
    for party, amount in moved.items():
        if not isinstance(party, Pot) and amount < 0:
            found[party] = max(amount, min(0, -most - before.get(party, 0)))
    missing = sum(found.values())
    winners = [party for party, amount in found.items() if amount > 0]
    for party, part in zip(winners, share(missing, [found[party] for party in winners]), strict=True):
        found[party] -= part
    return found


def share(whole: int, weights: Sequence[int]) -> list[int]:
    """Split a whole number by weights into whole parts, rounding up the largest remainders; all 0 without weights."""
    total = sum(weights) or 1
    parts = [whole * weight // total for weight in weights]
    by_rest = sorted(range(len(weights)), key=lambda i: (-(whole * weights[i] % total), i))
    for i in by_rest[: whole - sum(parts) if any(weights) else 0]:
        parts[i] += 1
    return parts


def equal_parts(amount: int, line: Sequence[K]) -> dict[K, int]:
    """Split an amount into equal parts for people in line; what is left over goes to the first ones, one each."""
    each, odd = divmod(amount, len(line))
    return {person: each + (place < odd) for place, person in enumerate(line)}


def _add(balances: Balances[K], more: Mapping[K | Pot, int]) -> None:
    for party, amount in more.items():
        _change(balances, party, amount)


def _change(balances: Balances[K], party: K | Pot, amount: int) -> None:
    balances[party] = balances.get(party, 0) + amount

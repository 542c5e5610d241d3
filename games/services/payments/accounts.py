"""The account of a night, by currency: everybody's balance, what was settled and paid, and who pays whom.

It is computed whenever it is read, from results, house rules and payments; nothing of it is stored.

Reminders: a payment that is not booked stays on both people's pages for 60 days.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q

from games.kernel.payments import owed
from games.kernel.payments.owed import Pot
from games.kernel.payments.point_values import ROUNDS
from games.models import Night, Payment, Player, Settling
from games.models.night import today
from games.services.history import consent, payments
from games.services.payments import games
from games.services.point_values import own_values


@dataclass(frozen=True, slots=True)
class PartyBalance:
    """A party of an account: a person, or with None the table. Above zero they get money, below zero they pay.

    `left` is what is left of the sum of all other columns.
    """

    person: Player | None
    games: int
    kitty: int
    settled: int
    paid: int
    left: int


@dataclass(frozen=True, slots=True)
class Planned:
    """A payment that is still to be made; None is the table."""

    payer: Player | None
    payee: Player | None
    currency: str
    amount: int


@dataclass(frozen=True, slots=True)
class Account:
    """The account of one currency at a night; every column of its rows adds up to zero.

    `planned` are the fewest payments that clear what is left; `ticked` those that one of the two has ticked, and those
    of leavers who have settled; `booked` those that both have. `proposals` wait for somebody's agreement. `kitty` is
    what the kitty gets, `line` the people in the order in which they first played.
    """

    currency: str
    rows: tuple[PartyBalance, ...]
    planned: tuple[Planned, ...]
    ticked: tuple[Payment, ...]
    booked: tuple[Payment, ...]
    settlings: tuple[Settling, ...]
    proposals: tuple[Settling, ...]
    kitty: int
    line: tuple[Player, ...]

    @property
    def is_money(self) -> bool:
        """Tell whether the account is of money rather than of rounds."""
        return self.currency != ROUNDS

    @property
    def unbooked(self) -> tuple[Payment | Planned, ...]:
        """Return the payments that stand and those to be made."""
        return (*self.ticked, *self.planned)

    def left_of(self, player_id: int) -> int:
        """Return what is left of a person's balance; 0 for people who are not in the account."""
        return next((row.left for row in self.rows if row.person is not None and row.person.pk == player_id), 0)


def accounts(night: Night) -> list[Account]:
    """Return the accounts of a night, one for each currency of its tables, in order of the currencies."""
    return [_account(night, currency, found) for currency, found in sorted(games.of_night(night).items())]


def changes(night: Night, found: Sequence[Account]) -> list[tuple[str, list[tuple[Player, int]]]]:
    """Return by currency whose balance in the accounts of a night would be another one, and by how much.

    That is once everybody has agreed to the past games that wait.
    """
    waiting = {result.pk for result in consent.waiting(night) if not result.is_proposed}
    if not waiting:
        return []
    now = {account.currency: account for account in found}
    moved = {}
    for currency, with_them in sorted(games.of_night(night, waiting).items()):
        rows = [(row.person, row.left) for row in _account(night, currency, with_them).rows if row.person is not None]
        before = now.get(currency)
        moved[currency] = [(person, left - (before.left_of(person.pk) if before else 0)) for person, left in rows]
    changed = {currency: [each for each in rows if each[1]] for currency, rows in moved.items()}
    return [(currency, rows) for currency, rows in changed.items() if rows]


def account(night: Night, currency: str) -> Account | None:
    """Return a night's account of one currency; None if no table's points are worth it."""
    found = games.of_night(night).get(currency)
    return None if found is None else _account(night, currency, found)


def kitty_holder(night: Night) -> Player:
    """Return the holder of a night's kitty: the person named by the host, else the host."""
    return night.kitty_holder or night.host


def _account(night: Night, currency: str, found: games.Games) -> Account:
    people = ("payer", "payee", "settling__leaver", "settling__taker")
    stored = list(night.payments.filter(currency=currency).select_related(*people))
    settlings = list(night.settlings.filter(currency=currency).select_related("leaver", "taker"))
    agreed = [each for each in settlings if each.agreed_at is not None]
    counted = [row for row in stored if row.settling_id is None or row.settling_id in {each.pk for each in agreed}]
    gone = {each.leaver_id for each in agreed}
    raw = owed.reckon(found.played, over=found.over, gone=gone, most=own_values.most_owed(currency))
    kitty = raw.pop(Pot.KITTY, 0)
    rows = _rows(night, found.line, raw, kitty, counted)
    return Account(
        currency,
        rows,
        tuple(_planned(currency, rows)),
        tuple(row for row in counted if row.booked_at is None),
        tuple(row for row in counted if row.booked_at is not None),
        tuple(agreed),
        tuple(each for each in settlings if each.agreed_at is None),
        kitty,
        tuple(row.person for row in rows if row.person is not None and row.person.pk in set(found.line)),
    )


def _rows(
    night: Night, line: Sequence[int], raw: owed.Balances[int], kitty: int, counted: Sequence[Payment]
) -> tuple[PartyBalance, ...]:
    """Return the rows of an account: people in their line, then others who hold the kitty or took part, the table."""
    holder = kitty_holder(night)
    at_table = raw.pop(Pot.TABLE, 0)
    by_id = {party: amount for party, amount in raw.items() if not isinstance(party, Pot)}
    others = [each for row in counted for each in (row.payer_id, row.payee_id) if each is not None]
    ids = list(dict.fromkeys([*line, *by_id, *others, *([holder.pk] if kitty else [])]))
    people = Player.objects.in_bulk(ids)
    found = [
        _row(people[pk], by_id.get(pk, 0), kitty if kitty and pk == holder.pk else 0, counted)
        for pk in ids
        if pk in people
    ]
    table = _row(None, at_table, 0, counted)
    return (*found, table) if any((table.games, table.settled, table.paid)) else tuple(found)


def _row(person: Player | None, amount: int, kitty: int, counted: Sequence[Payment]) -> PartyBalance:
    pk = None if person is None else person.pk
    settled = sum(_moved(row, pk) for row in counted if row.settling_id is not None)
    paid = sum(_moved(row, pk) for row in counted if row.settling_id is None)
    return PartyBalance(person, amount, kitty, settled, paid, amount + kitty + settled + paid)


def _moved(payment: Payment, player_id: int | None) -> int:
    """Return what a payment adds to a party's balance: the amount for its payer, minus the amount for its payee."""
    return payment.amount * ((payment.payer_id == player_id) - (payment.payee_id == player_id))


def _planned(currency: str, rows: Sequence[PartyBalance]) -> list[Planned]:
    """Return the fewest payments that clear an account, the largest first."""
    people = {None if row.person is None else row.person.pk: row.person for row in rows}
    left = {None if row.person is None else row.person.pk: row.left for row in rows}
    found = [
        Planned(people[payer], people[payee], currency, amount) for payer, payee, amount in payments.transfers(left)
    ]
    return sorted(found, key=lambda each: -each.amount)


REMINDER_DAYS = timedelta(days=60)


@dataclass(frozen=True, slots=True)
class Open:
    """A payment of a player that is not booked, with its night: one that stands, or one that is to be made."""

    night: Night
    payment: Planned | Payment


def open_payments(player: Player) -> list[Open]:
    """Return the payments to and from a player that are not booked, of nights of the last 60 days, newest first."""
    here = Q(tables__results__lines__player=player) | Q(payments__payer=player) | Q(payments__payee=player)
    rows = Night.objects.filter(here | Q(kitty_holder=player) | Q(host=player), day__gte=today() - REMINDER_DAYS)
    nights = rows.filter(is_practice=False).distinct().select_related("host", "kitty_holder")
    return [each for night in nights.order_by("-day", "-pk") for each in _of(night, player)]


def _of(night: Night, player: Player) -> Iterable[Open]:
    for account in accounts(night):
        for each in account.unbooked:
            if any(person is not None and person.pk == player.pk for person in (each.payer, each.payee)):
                yield Open(night, each)

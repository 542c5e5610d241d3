"""Words for what waits for consent: on the sheet of a night, on what is owed there, and in seasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.utils.translation import gettext as _

from games.models import Night, Player, SeasonName, Settling
from games.services.history import awaited
from games.services.history.awaited import Awaited, Move
from games.services.payments import accounts
from games.services.regions import written
from games.web.payments import words

Name = Callable[[Player], str]


def of_night(night: Night) -> dict[str, Any]:
    """Return the context of what waits at a night, with what it would change in what is owed."""
    found = awaited.of_nights([night])
    proposals = night.settlings.filter(agreed_at=None).select_related("leaver")
    proposals = proposals.prefetch_related("payments__payer", "payments__payee")
    waiting = [*rows(found, _displayed), *map(_settling, proposals)]
    return {"awaited": waiting, "would_change": _amounts(night) if found else []}


def _settling(row: Settling) -> dict[str, Any]:
    """Return a proposal to settle a leaver's part: whom it waits for, and everybody's change in what is owed."""
    sides = [(each, each.payee if each.payer_id == row.leaver_id else each.payer) for each in row.payments.all()]
    asked = [person.displayed_name for each, person in sides if person is not None and each.agreed_at is None]
    sign = 1 if row.amount > 0 else -1
    moved = [(row.leaver, -row.amount)] + [(person, sign * each.amount) for each, person in sides if person is not None]
    about = {"names": written.names(asked), "name": row.leaver.displayed_name}
    return {"text": _("waits for %(names)s: %(name)s leaves and settles") % about, "moves": _moved(moved, row.currency)}


def _moved(moves: Sequence[Move], currency: str) -> str:
    """Return people with the changes of their balances, signed."""
    return ", ".join(f"{person.displayed_name} {signed(amount, currency)}" for person, amount in moves)


def _displayed(player: Player) -> str:
    return player.displayed_name


def _amounts(night: Night) -> list[str]:
    """Return in words what would change in what is owed, a text for each currency."""
    moved = accounts.changes(night, accounts.accounts(night))
    return [_moved(changes, currency) for currency, changes in moved]


def signed(amount: int, currency: str) -> str:
    """Return a change of a balance with its sign."""
    return f"{'+' if amount > 0 else ''}{words.amount(amount, currency)}"


def rows(found: Sequence[Awaited], name: Name) -> list[dict[str, Any]]:
    """Return what waits for a template: whom it waits for, with the game, the night, and everybody's points."""
    return [{"text": _sentence(each, name), "night": each.night, "moves": points(each.moves, name)} for each in found]


def points(moves: Sequence[Move], name: Name) -> str:
    """Return people with their points, signed."""
    return ", ".join(f"{name(player)} {n:+d}".replace("-", "\u2212") for player, n in moves)


def of_name(row: SeasonName) -> str:
    """Return what a name of a spreadsheet waits for."""
    person = "" if row.asked is None else row.asked.displayed_name
    return _("waits for %(names)s: the name “%(text)s” of a spreadsheet") % {"names": person, "text": row.name}


def _sentence(each: Awaited, name: Name) -> str:
    names = written.names(dict.fromkeys(map(name, each.people))) or _("somebody else of the game")
    if each.number is None:
        return _("waits for %(names)s: a game that is in no sheet yet") % {"names": names}
    if each.is_correction:
        return _("waits for %(names)s: a correction of game %(n)s") % {"names": names, "n": each.number}
    return _("waits for %(names)s: game %(n)s") % {"names": names, "n": each.number}

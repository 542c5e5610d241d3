"""Words for what waits for consent: on the sheet of a night, on what is owed there, and in seasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.utils.translation import gettext as _

from games.models import Night, Player, SeasonName
from games.services.history import awaited
from games.services.history.awaited import Awaited, Move
from games.services.payments import accounts
from games.web.payments import words

Name = Callable[[Player], str]


def of_night(night: Night) -> dict[str, Any]:
    """Return the context of what waits at a night, with what it would change in what is owed."""
    found = awaited.of_nights([night])
    return {"awaited": rows(found, _displayed), "would_change": _amounts(night) if found else []}


def _displayed(player: Player) -> str:
    return player.displayed_name


def _amounts(night: Night) -> list[str]:
    """Return in words what would change in what is owed, a text for each currency."""
    moved = accounts.changes(night, accounts.accounts(night))
    return [
        ", ".join(f"{person.displayed_name} {signed(amount, currency)}" for person, amount in changes)
        for currency, changes in moved
    ]


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
    names = ", ".join(dict.fromkeys(map(name, each.people))) or _("somebody else of the game")
    if each.number is None:
        return _("waits for %(names)s: a game that is in no sheet yet") % {"names": names}
    if each.is_correction:
        return _("waits for %(names)s: a correction of game %(n)s") % {"names": names, "n": each.number}
    return _("waits for %(names)s: game %(n)s") % {"names": names, "n": each.number}

"""The events of a night in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import Any

from django.utils.translation import gettext

from games import plugin
from games.models import DELETED_NAME, NightEvent, Player
from games.services.nights.events import LOG

# Field of a player's id in an event → the fields with that player's name.
NAMES = {"player": ("name", "to"), "by_player": ("by",)}


def feed(events: Iterable[NightEvent]) -> list[dict[str, Any]]:
    """Return the events in words, each as {"at", "text"}."""
    rows = list(events)
    gone = _deleted(rows)
    return [{"at": event.created_at, "text": sentence(event, gone)} for event in rows]


def sentence(event: NightEvent, gone: Collection[int] = ()) -> str:
    """Return the text of an event in the current language; its type, if another version wrote it.

    `gone` are the ids of deleted players: their name is a translated placeholder.
    """
    return LOG.text(event.type, _params(event, gone))


def _deleted(events: Iterable[NightEvent]) -> set[int]:
    """Return the ids of deleted players in the events; no query if no name is a deleted player's."""
    named = [event.data for event in events if DELETED_NAME in event.data.values()]
    ids = {data[role] for data in named for role in NAMES if role in data}
    if not ids:
        return set()
    rows = Player.objects.filter(pk__in=ids, deleted_at__isnull=False)
    return set(rows.values_list("pk", flat=True))


def _params(event: NightEvent, gone: Collection[int]) -> dict[str, Any]:
    """Return the parameters of the sentence; a game that is not installed any more is named by its id."""
    # Old `move_approved` events have no name.
    nobody = gettext("Somebody") if event.type == "move_approved" else "?"
    params = {"name": nobody, **event.data}
    with suppress(plugin.UnknownGame):
        params["game"] = plugin.game(params.get("game", "?")).title
    for role, keys in NAMES.items():
        if event.data.get(role) in gone:
            params |= dict.fromkeys(keys, gettext("Deleted player"))
    return params

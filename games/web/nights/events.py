"""The events of a night in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import plugin
from games.models import DELETED_NAME, NightEvent, Player
from games.services import host_acts

# Field of a player's id in an event → the fields with that player's name.
NAMES = {"player": ("name", "to"), "by_player": ("by",)}


def feed(events: Iterable[NightEvent]) -> list[dict[str, Any]]:
    """Return the events that have a text, each as {"at", "text"}."""
    rows = list(events)
    gone = _deleted(rows)
    lines = [{"at": event.created_at, "text": sentence(event, gone)} for event in rows]
    return [line for line in lines if line["text"]]


def sentence(event: NightEvent, gone: Collection[int] = ()) -> str:
    """Return the text of an event in the current language; "" for a type unknown to this version.

    `gone` are the ids of deleted players: their name is a translated placeholder.
    """
    words = _words(event.type)
    return str(words) % _params(event, gone) if words else ""


def _words(event_type: str) -> Any:
    """Return the sentence of a type of events; "" for none."""
    return _NEWS.get(event_type) or host_acts.news().get(event_type, "")


def _deleted(events: Iterable[NightEvent]) -> set[int]:
    """Return the ids of deleted players in the events; no query if no name is a deleted player's."""
    named = [event.data for event in events if DELETED_NAME in event.data.values()]
    ids = {data[role] for data in named for role in NAMES if role in data}
    if not ids:
        return set()
    rows = Player.objects.filter(pk__in=ids, deleted_at__isnull=False)
    return set(rows.values_list("pk", flat=True))


# Events that no declared act writes; those of acts stand with the acts (games/services/host_acts.py).
_NEWS: dict[str, Any] = {
    "night_opened": _("%(name)s opened the night."),
    "asked_in": _("%(name)s waits at the door."),
    "move_asked": _("%(name)s wants to go on, on another phone."),
    "move_used": _("%(name)s goes on, on another phone now."),
    "brought": _("%(by)s brought %(name)s, who has no phone."),
    "renamed": _("%(name)s is called %(to)s now."),
    "claim_asked": _("%(by)s says: %(name)s was me. The host is asked."),
    "claim_owned": _("%(name)s confirmed it: %(name)s and %(by)s are one person."),
    "claim_disowned": _("%(name)s is somebody else than %(by)s, and says so."),
    "past_night": _("%(name)s entered this evening, which was held without the house."),
    "table_opened": _("Table %(number)s was opened: %(game)s."),
    "table_started": _("Table %(number)s started: %(game)s."),
    "closed_unused": _("The night was closed: nobody had used it for %(hours)s hours."),
    "tournament_made": _("The tournament “%(title)s” was made. Fingerprint of its draws: %(hash)s"),
    "tournament_started": _("The tournament “%(title)s” is under way."),
    "tournament_finished": _("The tournament “%(title)s” is over. The secret number of its draws: %(seed)s"),
    "tournament_removed": _("The tournament “%(title)s” was deleted before it began."),
    "director_named": _("%(name)s directs the tournament “%(title)s”."),
    "director_dismissed": _("%(name)s directs the tournament “%(title)s” no more."),
    "gone_home": _("%(name)s has gone home."),
    "came_back": _("%(name)s is here again."),
    "table_split": _("Table %(number)s is split after the game that runs."),
    "tables_joined": _("The people of table %(number)s go to table %(to)s after the game that runs."),
    "tables_drawn": _("Tables were drawn: %(count)s."),
}
_PARAMS = ("to", "by", "number", "game", "hours", "count", "title", "hash", "seed")


def _params(event: NightEvent, gone: Collection[int]) -> dict[str, Any]:
    """Return the parameters of the sentence; a game that is not installed any more is named by its id."""
    # Old `move_approved` events have no name.
    nobody = gettext("Somebody") if event.type == "move_approved" else "?"
    params = {"name": nobody, **dict.fromkeys(_PARAMS, "?"), **event.data}
    with suppress(plugin.UnknownGame):
        params["game"] = plugin.game(params["game"]).title
    for role, keys in NAMES.items():
        if event.data.get(role) in gone:
            params |= dict.fromkeys(keys, gettext("Deleted player"))
    return params

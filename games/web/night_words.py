"""The events of a night in words."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from django.utils.translation import gettext as _

from games import plugin
from games.models import NightEvent


def feed(events: Iterable[NightEvent]) -> list[dict[str, Any]]:
    """Return the events that have words, each as {"at", "text"}."""
    told = [{"at": event.created_at, "text": sentence(event)} for event in events]
    return [line for line in told if line["text"]]


def sentence(event: NightEvent) -> str:
    """Return one event in words; "" for a kind that this version does not know."""
    words = _words().get(event.type, "")
    return words % _params(event) if words else ""


def _words() -> dict[str, str]:
    """Return the sentence of each kind of event, in the current language."""
    return {
        "night_opened": _("%(name)s opened the night."),
        "asked_in": _("%(name)s waits at the door."),
        "joined": _("%(name)s joined."),
        "kicked": _("%(name)s was shown the door."),
        "locked": _("The night was locked: nobody new comes in."),
        "unlocked": _("The night is open again."),
        "admission_changed": _("The host changed who may come in."),
        "code_rotated": _("There is a new room code; the old one opens nothing any more."),
        "closed": _("The night was closed."),
        "host_changed": _("%(name)s is the host now."),
        "move_asked": _("%(name)s wants to go on, on another phone."),
        "move_approved": _("The host let somebody go on, on another phone."),
        "renamed": _("%(name)s is called %(to)s now."),
        "claim_asked": _("%(by)s says: %(name)s was me. The host is asked."),
        "claim_confirmed": _("The host confirmed it: %(name)s and %(by)s are one person."),
        "claim_refused": _("The host did not confirm that %(by)s was %(name)s."),
        "table_opened": _("Table %(number)s was opened: %(game)s."),
        "table_started": _("Table %(number)s started: %(game)s."),
    }


def _params(event: NightEvent) -> dict[str, Any]:
    """Return what the sentence names; a game that is no longer installed by its id."""
    params = {"name": "?", "to": "?", "by": "?", "number": "?", "game": "?", **event.data}
    with suppress(plugin.UnknownGame):
        params["game"] = plugin.game(params["game"]).title
    return params

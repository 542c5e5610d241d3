"""A season's log: the acts of its organisers, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.models import Player, Season, SeasonEvent

WORDS: Mapping[str, Any] = {
    "created": _("The season was made."),
    "changed": _("The season's name, days or place were changed."),
    "rules_changed": _("The rules were changed: version %(version)s."),
    "night_attached": _("The night of %(day)s was put in."),
    "night_detached": _("The night of %(day)s was taken out."),
    "night_weighed": _("The night of %(day)s counts %(weight)s-fold."),
    "night_moved": _("The night of %(day)s is that of %(to)s now."),
    "night_parted": _("The nights of %(day)s were parted or joined."),
    "night_asked_for": _("The host of the night of %(day)s was asked whether it may be put in."),
    "night_agreed": _("The host of the night of %(day)s agreed: it was put in."),
    "night_refused": _("The host of the night of %(day)s refused: it stays out."),
    "stage_set": _("A match of %(day)s is of the stage: %(stage)s."),
    "notice_given": _("A bye or an absence of %(day)s was noted or taken back."),
    "entry_opened": _("A link was made by which people are counted in."),
    "entrant_taken_out": _("Somebody is counted in no more, by an organiser."),
    "newcomers_taken_out": _("People who never played here are counted in no more, by an organiser: %(count)s."),
    "entry_closed": _("The link by which people are counted in was closed."),
    "second_named": _("A second organiser was named."),
    "handed_over": _("The season has another organiser."),
    "closed": _("The season was closed: its standing is final."),
    "closed_itself": _("The season has closed itself: its standing is final."),
    "reopened": _("The season was opened again."),
    "stays_open": _("The season does not close itself."),
    "closes_itself": _("The season closes itself after its end."),
    "sheet_taken": _("A spreadsheet was taken in: %(rows)s rows."),
    "sheet_undone": _("A spreadsheet was undone: %(rows)s rows are gone."),
    "name_agreed": _("Somebody agreed that a name of a spreadsheet is theirs."),
    "name_refused": _("Somebody said that a name of a spreadsheet is not theirs."),
    "shared": _("The standing was opened to outsiders, by a link."),
    "unshared": _("The standing is not open to outsiders any more."),
    "share_renewed": _("The link of the standing for outsiders was renewed."),
    "join_proposed": _("It was proposed that two people of the season are one."),
    "join_refused": _("A proposal to join two people was refused or taken back."),
    "joined": _("Two people of the season were joined: they are one person."),
    "archived": _("The season was archived."),
}


def note(season: Season, event_type: str, by: Player | None, **data: Any) -> None:
    """Write a line to a season's log; `data` must not name people."""
    SeasonEvent.objects.create(season=season, type=event_type, by=by, data=data)

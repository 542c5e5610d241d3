"""The sheet of one person, for paper: the words of the privacy notice, each with what is kept of the person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import plugin
from games.models import Player
from games.services import audit, personal_rooms
from games.services.people import deletion
from games.services.regions import written
from games.web import labels
from games.web.payments import words

MOST_ROWS = 200
"""The most rows of a kind on paper; the file has them all."""
LABELS: Mapping[str, personal_rooms.Words] = {
    "finished_at": gettext_lazy("When"),
    "joined_at": gettext_lazy("From"),
    "gone_at": gettext_lazy("Until"),
    "from": gettext_lazy("From"),
    "to": gettext_lazy("Until"),
    "day": gettext_lazy("Day"),
    "at": gettext_lazy("When"),
    "brought_at": gettext_lazy("When"),
    "entered_at": gettext_lazy("Entered"),
    "since": gettext_lazy("Since"),
    "nickname": gettext_lazy("Nickname"),
    "username": gettext_lazy("Account"),
    "email": gettext_lazy("Mail address"),
    "last_login": gettext_lazy("Last login"),
    "names": gettext_lazy("Names"),
    "name": gettext_lazy("Name"),
    "series": gettext_lazy("Series"),
    "game": gettext_lazy("Game"),
    "language": gettext_lazy("Language"),
    "in_leaderboards": gettext_lazy("In the leaderboards"),
    "wants_mail": gettext_lazy("Mails"),
    "hides_grades": gettext_lazy("Hides grades"),
    "points": gettext_lazy("Points"),
    "rank": gettext_lazy("Place"),
    "act": gettext_lazy("What"),
    "held_at": gettext_lazy("Where"),
    "directs_only": gettext_lazy("I direct only"),
    "won": gettext_lazy("Won"),
    "lost": gettext_lazy("Lost"),
    "length": gettext_lazy("Match to"),
    "score": gettext_lazy("Score"),
    "says": gettext_lazy("Answer"),
    "extra": gettext_lazy("More people"),
    "word": gettext_lazy("Word"),
    "host": gettext_lazy("Host"),
    "strength": gettext_lazy("Strength"),
    "kept_by": gettext_lazy("Said by"),
    "of": gettext_lazy("Of"),
    "choice": gettext_lazy("Choice"),
    "answers": gettext_lazy("Answers"),
    "amount": gettext_lazy("Amount"),
    "pays": gettext_lazy("Pays"),
    "paid_at": gettext_lazy("Paid"),
    "received_at": gettext_lazy("Received"),
    "proposed_at": gettext_lazy("Proposed"),
    "agreed_at": gettext_lazy("Agreed"),
    "accepted_at": gettext_lazy("Agreed"),
    "has_paid": gettext_lazy("Paid"),
    "value": gettext_lazy("Value of a point"),
    "muted": gettext_lazy("Muted"),
    "reason": gettext_lazy("Reason"),
    "text": gettext_lazy("Text"),
    "address": gettext_lazy("Address"),
    "sent_at": gettext_lazy("Sent"),
    "taken_in_at": gettext_lazy("Taken in"),
    "level": gettext_lazy("Level"),
}
"""The columns of the export that stand on paper, in their order, with their heads; the others are ids and codes."""


@dataclass(frozen=True, slots=True)
class KeptRows:
    """Rows of one key of the export; `more` is the number of those that do not stand on paper."""

    head: Sequence[personal_rooms.Words]
    rows: Sequence[Sequence[str]]
    more: int


@dataclass(frozen=True, slots=True)
class Part:
    """A row of the notice, and what is kept of the person in its columns."""

    said: personal_rooms.NoticeRow
    tables: Sequence[KeptRows]


def page(request: HttpRequest, player: Player) -> HttpResponse:
    """Return the sheet of a person; whoever asks has been checked."""
    return render(request, "people/kept_sheet.html", {"who": player, "parts": parts(player), "now": timezone.now()})


def parts(player: Player) -> list[Part]:
    """Return what is said of each thing, with what is kept of a person; things of which nothing is kept are left out.

    What no export has, such as marks of forms, is said without rows.
    """
    own = deletion.own_data(player)
    found = []
    for room in personal_rooms.rooms():
        for said in room.said:
            tables = [table for key in said.keys if (table := _table(own[key])) is not None]
            if tables or not said.keys:
                found.append(Part(said, tables))
    return found


def _table(kept: Any) -> KeptRows | None:
    """Return the rows of a key of the export; None where it has nothing."""
    every: list[Any] = kept if isinstance(kept, list) else [kept] if kept else []
    if not every:
        return None
    shown = [row if isinstance(row, dict) else {"name": row} for row in every[:MOST_ROWS]]
    columns = [key for key in LABELS if any(key in row for row in shown)]
    rows = [[_cell(key, row) for key in columns] for row in shown]
    return KeptRows([LABELS[key] for key in columns], rows, len(every) - len(shown))


def _cell(key: str, row: Mapping[str, Any]) -> str:
    value = row.get(key)
    if key == "amount":
        return words.amount(row["amount"], row["currency"])
    if key == "act":
        return str(audit.words().get(str(value), value))
    if key == "game" and value in plugin.all_games():
        return str(plugin.all_games()[value].title)
    return _text(value)


def _text(value: Any) -> str:
    """Return a value of the export as people read it."""
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return labels.minus(value)
    if isinstance(value, str):
        return _time(value)
    if isinstance(value, Mapping):
        return _joined(value[key] for key in LABELS if key in value)
    return _joined(value)


def _joined(values: Iterable[Any]) -> str:
    return ", ".join(_text(each) for each in values)


def _time(text: str) -> str:
    """Return a time or day of the export in the reader's way; any other text as it is."""
    try:
        found: datetime | date | None = parse_datetime(text) if "T" in text else parse_date(text)
    except ValueError:
        found = None
    if isinstance(found, datetime):
        return written.moment(timezone.localtime(found)) if found.tzinfo else text
    return text if found is None else written.day(found, "medium")

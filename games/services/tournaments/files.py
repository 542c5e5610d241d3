"""Files of a tournament: standing and matches as CSV, and the log with its draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from games import json_text
from games.models import Tournament
from games.models.house import zone
from games.services.history.exports import CSV, JSON, File, csv_parts
from games.services.tournaments import draw_check
from games.services.tournaments.overview import MatchShown, Overview


def csv_of(shown: Overview) -> File:
    """Return a tournament as CSV: a row a person in the order of the standing, then a row a match."""
    head = [_("Place"), _("Name"), _("Wins"), _("Losses"), _("Opponent"), _("Score"), _("Round"), _("Time")]
    return File(list(csv_parts(head, _lines(shown))), CSV, f"{_name(shown.tournament)}.csv")


def _lines(shown: Overview) -> Iterator[Sequence[Any]]:
    for person in shown.standing or shown.people.values():
        yield [person.place or None, person.name, person.wins, person.losses, None, None, None, None]
    for match in shown.matches:
        yield [None, match.one.name, None, None, match.other.name, _score(match), match.round, _time(match)]


def _score(match: MatchShown) -> str | None:
    """Return the score, else the winner's side as 1:0; None for a match without a result."""
    if match.score is not None:
        return f"{match.score[0]}:{match.score[1]}"
    if match.winner is None:
        return None
    return "1:0" if match.winner == match.one else "0:1"


def _time(match: MatchShown) -> str:
    return f"{timezone.localtime(match.started, zone()):%H:%M}"


def draws_of(tournament: Tournament) -> File:
    """Return the log with its draws as JSON, for a recount anywhere."""
    text = json_text.to_text(draw_check.file_of(tournament))
    return File([text.encode()], JSON, f"{_name(tournament)}-draws.json")


def _name(tournament: Tournament) -> str:
    return slugify(tournament.name) or "tournament"

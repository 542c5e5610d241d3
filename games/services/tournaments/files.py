"""Files of a tournament: standing and matches as CSV, and the log with its draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from games import json_text
from games.models import Night, Tournament
from games.models.house import zone
from games.services.history.exports import CSV, JSON, File, csv_parts
from games.services.tournaments import draw_check, results
from games.services.tournaments.overview import MatchShown, Overview


def of_night(night: Night) -> dict[str, Iterable[str]]:
    """Return the tournaments of a night as CSV, by file name."""
    found: dict[str, Iterable[str]] = {}
    for number, shown in enumerate(results.of_night(night), 1):
        found[f"tournament-{number}-{_name(shown.tournament)}.csv"] = csv_parts(*_table(shown))
    return found


def csv_of(shown: Overview) -> File:
    """Return a tournament as CSV: a row a person in the order of the standing, then a row a match."""
    return File(list(csv_parts(*_table(shown))), CSV, f"{_name(shown.tournament)}.csv")


def _table(shown: Overview) -> tuple[Sequence[str], Iterable[Sequence[Any]]]:
    """Return head and rows of a tournament's CSV."""
    if shown.is_of_tables:
        return _table_of_sessions(shown)
    head = [_("Place"), _("Name"), _("Wins"), _("Losses")]
    head += [_("Opponent"), _("Score"), _("Round"), _("Time"), _("Winner")]
    return head, _lines(shown)


def _lines(shown: Overview) -> Iterator[Sequence[Any]]:
    for person in shown.standing or shown.people.values():
        yield [person.place or None, person.name, person.wins, person.losses, *[None] * 5]
    for match in shown.matches:
        winner, score = match.winner and match.winner.name, match.score and f"{match.score[0]}:{match.score[1]}"
        yield [None, match.one.name, None, None, match.other.name, score, match.round, _time(match), winner]


def _table_of_sessions(shown: Overview) -> tuple[Sequence[str], Iterable[Sequence[Any]]]:
    """Return the CSV of a World-Cup Chouette: a row a person in the order of the standing, with bank and points.

    A session in which somebody did not play is left empty.
    """
    head = [_("Place"), _("Name"), _("Bank"), *(_("Session %(number)s") % {"number": s.number} for s in shown.sessions)]
    points = [{p.key: n for table in each.tables for p, n in table.people} for each in shown.sessions]
    rows = shown.standing or shown.people.values()
    return head, ([p.place or None, p.name, p.bank, *(each.get(p.key) for each in points)] for p in rows)


def _time(match: MatchShown) -> str:
    return f"{timezone.localtime(match.started, zone()):%H:%M}"


def draws_of(tournament: Tournament) -> File:
    """Return the log with its draws as JSON, for a recount anywhere."""
    text = json_text.to_text(draw_check.file_of(tournament))
    return File([text.encode()], JSON, f"{_name(tournament)}-draws.json")


def _name(tournament: Tournament) -> str:
    return slugify(tournament.name) or "tournament"

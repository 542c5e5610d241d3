"""Signs that two players are two people, for certain or so that it has to be asked, and the past of each.

For certain: both sat at one table, have lines in one result, or were drawn in one tournament. To be asked: members of
one night, answers for one date, people of one list, names in one past game that not both have agreed to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.kernel.contract import Illegal
from games.models import (
    Answer,
    Entrant,
    Membership,
    Night,
    Participant,
    Player,
    ResultLine,
    SeasonName,
    Seat,
    Table,
    TournamentEntry,
)

MOST_TOLD = 12
"""The most occasions that a question names."""
DRAWN = ("match", "bye", "session")
"""Entries of a tournament's log that draw people."""
_GIVEN = ResultLine.Consent.GIVEN


@dataclass(frozen=True, slots=True)
class Occasion:
    """Something at which both of two players were, in words, with its day."""

    day: date
    text: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A player's past: nights (newest first, at most 50), tables, matches of tournaments, results, tournaments."""

    nights: tuple[Night, ...]
    tables: int
    matches: int
    results: int
    tournaments: int

    @property
    def first(self) -> date | None:
        """The day of the first of the nights."""
        return min((night.day for night in self.nights), default=None)

    @property
    def last(self) -> date | None:
        """The day of the last night."""
        return max((night.day for night in self.nights), default=None)


def check(one: Player, other: Player) -> None:
    """Raise Illegal `same_table` or `same_tournament` where two players are two people for certain."""
    if (table := _shared_table(one, other)) is not None:
        raise Illegal("same_table", number=table.number, night=table.night.name)
    for both in entered_twice(one, other):
        if all(map(is_drawn, both)):
            raise Illegal("same_tournament", name=both[0].tournament.name, night=both[0].tournament.night.name)


def _shared_table(one: Player, other: Player) -> Table | None:
    """Return a table where both have a seat, or a line of one result; None if there is none.

    A line of a past game says nothing until its person has agreed: anybody may have written it.
    """
    tables = Table.objects.select_related("night")
    both_sit = tables.filter(seats__player=one).filter(seats__player=other)
    given = ResultLine.objects.filter(consent=_GIVEN)
    lines = given.filter(player=one, result__in=given.filter(player=other).values("result"))
    return both_sit.first() or tables.filter(results__lines__in=lines).first()


def entered_twice(one: Player, other: Player) -> list[tuple[Participant, Participant]]:
    """Return the places of two players in the tournaments that have both."""
    rows = Participant.objects.filter(player__in=(one, other)).select_related("tournament__night").order_by("pk")
    places: dict[int, dict[int, Participant]] = {}
    for row in rows:
        places.setdefault(row.tournament_id, {}).setdefault(row.player_id, row)
    return [(found[one.pk], found[other.pk]) for found in places.values() if len(found) > 1]


def is_drawn(place: Participant) -> bool:
    """Tell whether somebody was drawn in a tournament: for a match, a bye or a session."""
    entries = TournamentEntry.objects.filter(tournament=place.tournament_id, data__type__in=DRAWN)
    return any(place.key in _drawn(entry) for entry in entries.values_list("data", flat=True))


def _drawn(entry: dict[str, Any]) -> set[str]:
    at_tables = [key for table in entry.get("tables", ()) for key in table]
    return {entry.get("player", ""), *entry.get("players", ()), *at_tables}


def occasions(one: Player, other: Player, nights: Collection[int] | None = None) -> list[Occasion]:
    """Return where both of two players were without being two people for certain, the newest first.

    `nights`: only what belongs to these nights, as somebody may know who may not read everything of the two.
    """
    found = [*_of_nights(one, other, nights), *_of_past_games(one, other, nights)]
    if nights is None:
        found += [*_of_dates(one, other), *_of_lists(one, other)]
    return sorted(dict.fromkeys(found), key=lambda each: each.day, reverse=True)[:MOST_TOLD]


def _of_nights(one: Player, other: Player, nights: Collection[int] | None) -> Iterator[Occasion]:
    rows = _within(Membership.objects.filter(player=one, status=Membership.Status.IN), "night", nights)
    there = Membership.objects.filter(player=other, status=Membership.Status.IN).values("night")
    for row in rows.filter(night__in=there).select_related("night"):
        yield Occasion(row.night.day, _("both were at “%(name)s”") % {"name": row.night.name})


def _of_past_games(one: Player, other: Player, nights: Collection[int] | None) -> Iterator[Occasion]:
    rows = _within(ResultLine.objects.filter(player=one), "result__table__night", nights)
    both = rows.filter(result__in=ResultLine.objects.filter(player=other).values("result"))
    for row in both.select_related("result__table__night"):
        night = row.result.table.night
        yield Occasion(night.day, _("both are in a past game of “%(name)s”") % {"name": night.name})


def _of_dates(one: Player, other: Player) -> Iterator[Occasion]:
    theirs = Answer.objects.filter(player=other).values("date")
    for row in Answer.objects.filter(player=one, date__in=theirs).select_related("date__series"):
        yield Occasion(row.date.day, _("both have answered for “%(name)s”") % {"name": row.date.series.name})


def _of_lists(one: Player, other: Player) -> Iterator[Occasion]:
    lists: tuple[tuple[QuerySet[Any], str], ...] = (
        (SeasonName.objects.all(), _("both are in a list of the season “%(name)s”")),
        (Entrant.objects.all(), _("both are counted in in the season “%(name)s”")),
    )
    for rows, words in lists:
        theirs = rows.filter(player=other).values("season")
        for row in rows.filter(player=one, season__in=theirs).select_related("season"):
            yield Occasion(row.season.last_day, words % {"name": row.season.name})


def _within(rows: QuerySet[Any], field: str, nights: Collection[int] | None) -> QuerySet[Any]:
    return rows if nights is None else rows.filter(**{f"{field}__in": nights})


def summary(player: Player, nights: Collection[int] | None = None) -> Summary:
    """Return the past of a player that a merger would move to another one, of these nights alone if they are given."""
    inside = Membership.Status.IN, Membership.Status.WAITING
    came = _within(Night.objects.filter(memberships__player=player, memberships__status__in=inside), "pk", nights)
    seats = _within(Seat.objects.filter(player=player), "table__night", nights)
    return Summary(
        tuple(came.select_related("host")[:50]),
        seats.filter(table__pairing=None).count(),
        seats.exclude(table__pairing=None).count(),
        _within(ResultLine.objects.filter(player=player), "result__table__night", nights).count(),
        _within(Participant.objects.filter(player=player), "tournament__night", nights).count(),
    )

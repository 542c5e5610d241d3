"""Rankings as share links show them, with the names of listed people alone, and the points of everybody."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from games import plugin
from games.models import Night, Player, Season, Tournament
from games.services.history import score_sheets
from games.services.history.score_sheets import Ranked
from games.services.seasons import standing_cache, standing_columns, standings
from games.services.seasons.frozen import StandingRow
from games.services.seasons.standing_columns import Value
from games.services.tournaments import results
from games.services.tournaments.overview import Overview, Person


@dataclass(frozen=True, slots=True)
class SharedRow:
    """A row of a ranking. `name` is "" for a guest: somebody who is not listed.

    `place` is None for who was at a season too seldom, and then `total`, exact as text, is "". `times` are the games
    of a night, or the nights of a season; `further` are the other columns of a season's standing.
    """

    place: int | None
    name: str
    is_bot: bool
    total: str
    times: int
    further: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranking in one game and unit, the best first."""

    game_id: str
    unit: str
    unit_label: str
    is_fewer_better: bool
    rows: tuple[SharedRow, ...]


def of_night(night: Night) -> list[Ranking]:
    """Return the rankings of a night, one for each game and unit, with the totals of its score sheets."""
    sheets = score_sheets.sheets(night)
    people = {who.player_id for sheet in sheets for who in sheet.people if who.player_id is not None}
    listed = _listed(people)
    return [
        Ranking(
            sheet.game_id,
            sheet.unit,
            score_sheets.unit_label(night, sheet),
            plugin.game(sheet.game_id).lower_is_better,
            tuple(_of_sheet(row, listed, sheet.played[row.column]) for row in score_sheets.ranking(sheet)),
        )
        for sheet in sheets
    ]


@dataclass(frozen=True, slots=True)
class SharedMatch:
    """A match of a tournament: winner and loser, "" for a guest, and their score, None where nobody has said it."""

    winner: str
    loser: str
    score: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class SharedTournament:
    """A tournament of a night: its standing, with wins and losses or the bank as `total`, and its matches."""

    tournament: Tournament
    is_over: bool
    rows: tuple[SharedRow, ...]
    matches: tuple[SharedMatch, ...]


def of_tournaments(night: Night) -> list[SharedTournament]:
    """Return the tournaments of a night in which something was played."""
    found = results.of_night(night)
    listed = _listed({person.player.pk for shown in found for person in shown.people.values()})
    return [_of_tournament(shown, listed) for shown in found]


def _of_tournament(shown: Overview, listed: Collection[int]) -> SharedTournament:
    def name(person: Person) -> str:
        return person.name if person.player.pk in listed else ""

    def row(person: Person) -> SharedRow:
        total = str(person.bank) if shown.is_of_tables else f"{person.wins}–{person.losses}"
        return SharedRow(person.place, name(person), False, total, person.wins + person.losses)

    matches = []
    for match in shown.matches:
        if match.winner is not None and match.status == "done":
            is_first = match.winner.key == match.one.key
            score = match.score if is_first or match.score is None else (match.score[1], match.score[0])
            matches.append(SharedMatch(name(match.winner), name(match.other if is_first else match.one), score))
    is_over = shown.tournament.status == Tournament.Status.FINISHED
    return SharedTournament(shown.tournament, is_over, tuple(map(row, shown.standing)), tuple(matches))


def _of_sheet(row: Ranked, listed: Collection[int], games: int) -> SharedRow:
    who = row.who
    name = who.name.removesuffix(" 🤖") if who.is_bot or who.player_id in listed else ""
    return SharedRow(row.place, name, who.is_bot, str(row.total), games)


def of_season(season: Season) -> Ranking:
    """Return the standing of a season, those without a place at the end; names of spreadsheets are guests."""
    standing = standing_cache.season_standing(season)
    people = {row.player for row in standing.rows}
    names = dict(Player.objects.filter(pk__in=_listed(people)).values_list("pk", "nickname"))
    rows = tuple(_of_standing(row, names.get(row.player, "")) for row in standing.rows)
    return Ranking(season.game_id, season.unit, standings.unit_of(season), standings.lower_is_better(season), rows)


def _of_standing(row: StandingRow, name: str) -> SharedRow:
    further = {each.key: each.read(row) for each in standing_columns.further()}
    return SharedRow(row.place, name, False, row.total, row.nights, further)


def _listed(people: Collection[int]) -> set[int]:
    """Return those of the people who chose to be shown to everybody."""
    found = Player.objects.filter(pk__in=people, is_listed=True, deleted_at=None, merged_into=None)
    return set(found.values_list("pk", flat=True))

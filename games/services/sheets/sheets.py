"""Spreadsheets of a season: read in, their columns said, taken in with names, and undone in one act.

A newer spreadsheet replaces the evenings that it has in common with earlier ones, as its organiser says of each. What
is replaced is kept: undoing the newer one brings it back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, TypeAlias

from django.db import transaction
from django.db.models import Count, Q
from django.utils.translation import gettext_lazy as _

from games import plugin
from games.kernel.contract import Illegal
from games.models import Player, Season, SeasonName, SeasonSheet, SheetRow
from games.services import audit, form_ids, row_locks
from games.services.acts import LogLine
from games.services.seasons import played, season_log, season_nights, sheet_names
from games.services.seasons.registry import ACTS, SeasonRight, SheetId
from games.services.seasons.rights import check_open, check_organiser
from games.services.sheets import columns, headings
from games.services.sheets.columns import Columns, EnteredPoints
from games.services.sheets.grids import Grid

KEPT = timedelta(days=1)
"""The time for which a table waits to be taken in."""
MOST_SHEETS = 100
"""The most tables of a season: a list that is sent each week for a year, and others."""
REPLACE, ADD, LEAVE = "replace", "add", "leave"
WAYS = (REPLACE, ADD, LEAVE)
"""The fates of an evening that has points from an earlier table: its new points alone, both, or the old ones."""
Ways: TypeAlias = Mapping[date | None, str]
season_log.LOG.add(
    LogLine("sheet_taken", _("A spreadsheet was taken in: %(rows)s rows.")),
    LogLine("evenings_replaced", _("It replaced the earlier points of evenings: %(count)s.")),
)


@dataclass(frozen=True, slots=True)
class PointsMove:
    """The points of a name at an evening in earlier tables and in a new one; None: it has none there."""

    name: str
    old: Decimal | None
    new: Decimal | None


@dataclass(frozen=True, slots=True)
class NightSum:
    """A night of a table: its people and points; without a `day` what is carried over.

    `is_off`: the points should come to zero and do not. `is_joined`: the house has a night of this day in the season.
    `is_known`: an earlier table gives points of this night; `moves` are those that are others in the new one.
    """

    day: date | None
    people: int
    points: Decimal
    is_off: bool
    is_joined: bool
    is_known: bool
    moves: tuple[PointsMove, ...]


def check(season: Season, by: Player) -> None:
    """Raise Illegal `season_closed`, `banned`, `not_organiser`, `no_account` unless a player may read tables in."""
    check_open(season)
    check_organiser(season, by)
    if by.user_id is None:
        raise Illegal("no_account")


@transaction.atomic
def read_in(season: Season, by: Player, grid: Grid) -> SeasonSheet:
    """Keep a table until its organiser takes it in, instead of the one that waited; raises as `check`, `sheet_twice`.

    `sheet_twice`: the season has the same table already. `sheet_many`: it has as many tables as one may have.
    """
    _held(season, by)
    digest = form_ids.digest(grid)
    if season.sheets.filter(is_in=True, digest=digest).exists():
        raise Illegal("sheet_twice")
    if season.sheets.filter(is_in=True).count() >= MOST_SHEETS:
        raise Illegal("sheet_many", most=MOST_SHEETS)
    season.sheets.filter(is_in=False, by=by).delete()
    guess = headings.guessed(grid, (season.first_day, season.last_day)).to_json()
    return SeasonSheet.objects.create(season=season, by=by, digest=digest, cells=grid, columns=guess)


def _held(season: Season, by: Player) -> None:
    """Hold an organiser and the season, renewed in place; raises as `check`, `gone_player`, `no_such_season`."""
    row_locks.person(by)
    if Season.objects.select_for_update(no_key=True).filter(pk=season.pk).first() is None:
        raise Illegal("no_such_season")
    season.refresh_from_db()
    check(season, by)


def waiting(season: Season, by: Player, sheet_id: int) -> SeasonSheet:
    """Return a table that waits for the organiser who has read it in; raises as `check`, and `no_such_sheet`."""
    check(season, by)
    found = season.sheets.filter(pk=sheet_id, by=by, is_in=False).first()
    if found is None:
        raise Illegal("no_such_sheet")
    return found


@transaction.atomic
def set_columns(season: Season, by: Player, sheet_id: int, said: Columns) -> list[EnteredPoints]:
    """Say what the columns of a table mean, and return the points that they give; nothing is kept if they are refused.

    Raises Illegal as `waiting`, `columns.entries`, and `entries_of`.
    """
    _held(season, by)
    sheet = waiting(season, by, sheet_id)
    sheet.columns = said.to_json()
    found = entries_of(sheet)
    sheet.save(update_fields=["columns"])
    return found


def entries_of(sheet: SeasonSheet) -> list[EnteredPoints]:
    """Return the points of a table that waits; raises as `columns.entries`, `sheet_matches`, `sheet_no_games`.

    `sheet_matches`: the season counts matches, and nights of a table have none.
    """
    season = sheet.season
    found = columns.entries(sheet.cells, Columns.from_json(sheet.columns), (season.first_day, season.last_day))
    values = played.values_of(season)
    if played.is_by_matches(values) and any(entry.day is not None for entry in found):
        raise Illegal("sheet_matches")
    sheet_names.check_rules(season, values["worth"], lacks_games=any(entry.games is None for entry in found))
    return found


def night_sums(season: Season, entries: Sequence[EnteredPoints]) -> list[NightSum]:
    """Return the nights of a table with their people and points, what is carried over first."""
    by_day: dict[date | None, dict[str, Decimal]] = defaultdict(dict)
    for entry in entries:
        by_day[entry.day][entry.name] = entry.points
    earlier = _earlier(season)
    ours = {placed.night.day for placed in season_nights.nights_of(season)}
    game = plugin.all_games().get(season.game_id)
    to_zero = game is not None and game.is_zero_sum
    found = []
    for day in sorted(by_day, key=lambda each: each or date.min):
        points = sum(by_day[day].values(), Decimal())
        about = (len(by_day[day]), points, to_zero and points != 0, day in ours, day in earlier)
        found.append(NightSum(day, *about, _moves(earlier.get(day, {}), by_day[day])))
    return found


def _earlier(season: Season) -> dict[date | None, dict[str, Decimal]]:
    """Return the points of a season's tables by evening and name."""
    found: dict[date | None, dict[str, Decimal]] = defaultdict(dict)
    for day, name, points in sheet_names.rows_of(season).order_by("pk").values_list("day", "name__name", "points"):
        found[day][name] = found[day].get(name, Decimal()) + points
    return found


def _moves(old: Mapping[str, Decimal], new: Mapping[str, Decimal]) -> tuple[PointsMove, ...]:
    """Return the names whose points of an evening are others in a new table."""
    if not old:
        return ()
    before, after = ({name.casefold(): (name, points) for name, points in rows.items()} for rows in (old, new))
    pairs = {key: (before.get(key), after.get(key)) for key in {**before, **after}}
    moves = (
        PointsMove((one or other or ("", None))[0], one and one[1], other and other[1])
        for one, other in pairs.values()
        if (one and one[1]) != (other and other[1])
    )
    return tuple(sorted(moves, key=lambda each: each.name.casefold()))


@transaction.atomic
def take_in(
    season: Season,
    by: Player,
    sheet_id: int,
    said: Mapping[str, str],
    form_id: str | None,
    *,
    ways: Ways | None = None,
) -> SeasonSheet:
    """Make rows of a table that waits, once for a `form_id`; `said` is name → who it is (`sheet_names.decide`).

    `ways` says of evenings that have points from an earlier table which of `WAYS` is wanted; `REPLACE` where it says
    nothing. Raises Illegal as `waiting`, `entries_of`, `sheet_names.decide`, `form_ids.once`, and `sheet_twice`.
    """
    # People are held before the season, as by whoever deletes one of them at the same moment.
    row_locks.people(by, *(person for person in sheet_names.candidates(season, by) if str(person.pk) in said.values()))
    _held(season, by)
    ways = ways or {}
    content = ["season sheet", sheet_id, dict(said), sorted((str(day or ""), way) for day, way in ways.items())]
    made = form_ids.once(by, form_id, content, lambda: _take_in(season, by, sheet_id, said, ways).pk)
    found = season.sheets.filter(pk=made or 0, is_in=True).first()
    if found is None:
        raise Illegal("no_such_sheet")
    return found


def _take_in(season: Season, by: Player, sheet_id: int, said: Mapping[str, str], ways: Ways) -> SeasonSheet:
    sheet = waiting(season, by, sheet_id)
    if season.sheets.filter(is_in=True, digest=sheet.digest).exists():
        raise Illegal("sheet_twice")
    known = set(_earlier(season))
    entries = [each for each in entries_of(sheet) if each.day not in known or ways.get(each.day) != LEAVE]
    replaced = {each.day for each in entries if each.day in known and ways.get(each.day) != ADD}
    people = sheet_names.decide(season, by, list(dict.fromkeys(entry.name for entry in entries)), said)
    _replace(season, sheet, replaced)
    found = [_row(sheet, people[entry.name], entry) for entry in entries]
    made = SheetRow.objects.bulk_create([row for row in found if row is not None])
    if not made:
        raise Illegal("sheet_nothing")
    sheet.is_in, sheet.cells, sheet.columns = True, [], {}
    sheet.save(update_fields=["is_in", "cells", "columns"])
    _note("sheet_taken", season, by, sheet, len(made))
    if replaced:
        season_log.note(season, "evenings_replaced", by, sheet=sheet.pk, count=len(replaced))
    return sheet


def _replace(season: Season, sheet: SeasonSheet, days: Collection[date | None]) -> None:
    """Let the rows of evenings count no more, in favour of a newer table's."""
    those = Q(day__in=[day for day in days if day is not None])
    if None in days:
        those |= Q(day=None)
    ids = list(sheet_names.rows_of(season).filter(those).values_list("pk", flat=True)) if days else []
    SheetRow.objects.filter(pk__in=ids).update(replaced_by=sheet)


def _row(sheet: SeasonSheet, name: SeasonName | None, entry: EnteredPoints) -> SheetRow | None:
    if name is None:
        return None
    return SheetRow(sheet=sheet, name=name, day=entry.day, points=entry.points, games=entry.games)


def _note(act: str, season: Season, by: Player, sheet: SeasonSheet, count: int) -> None:
    season_log.note(season, act, by, sheet=sheet.pk, rows=count)
    audit.note(act, by, season.name, season=season.public_id, sheet=sheet.pk, rows=count)


@ACTS.act(
    "undo_sheet",
    SeasonRight.ORGANISER,
    LogLine("sheet_undone", _("A spreadsheet was undone: %(rows)s rows are gone.")),
    audit={"sheet_undone": _("undid a spreadsheet of a season")},
    done=_("Undone: everything that this spreadsheet gave is gone."),
    question=_("All its points, names and questions go. What it has replaced comes back."),
    yes=_("Yes, undo the spreadsheet"),
)
@transaction.atomic
def undo(season: Season, by: Player, sheet_id: SheetId) -> None:
    """Take everything that a table gave out of a season, names too, and let what it replaced count again.

    Raises as `check`, `no_such_sheet`.
    """
    _held(season, by)
    sheet = season.sheets.filter(pk=sheet_id, is_in=True).first()
    if sheet is None:
        raise Illegal("no_such_sheet")
    count = sheet.rows.count()
    _note("sheet_undone", season, by, sheet, count)
    # What a still newer one has replaced of it stays replaced: the points before do not come back beside those.
    for newer, day in set(sheet.rows.exclude(replaced_by=None).values_list("replaced_by", "day")):
        sheet.replaced.filter(day=day).update(replaced_by=newer)
    sheet.delete()
    season.names.filter(rows=None).delete()


def taken(season: Season) -> list[SeasonSheet]:
    """Return the tables of a season, the newest first.

    Each has `name_count`, and how many evenings it `has_replaced`, and of its own `were_replaced` by newer ones.
    """
    found = season.sheets.filter(is_in=True).annotate(name_count=Count("rows__name", distinct=True)).order_by("-pk")
    rows = SheetRow.objects.filter(sheet__season=season).exclude(replaced_by=None)
    pairs = set(rows.values_list("sheet", "replaced_by", "day"))
    return [_with_replaced(sheet, pairs) for sheet in found]


def _with_replaced(sheet: Any, pairs: Collection[tuple[int, int | None, date | None]]) -> SeasonSheet:
    sheet.were_replaced = len({day for old, _new, day in pairs if old == sheet.pk})
    sheet.has_replaced = len({day for _old, new, day in pairs if new == sheet.pk})
    found: SeasonSheet = sheet
    return found


def forget_old(now: datetime) -> int:
    """Delete the tables that have waited for a day; return their number."""
    return SeasonSheet.objects.filter(is_in=False, created_at__lt=now.astimezone(UTC) - KEPT).delete()[0]

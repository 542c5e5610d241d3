"""Score sheets: sums over a night's results, payments, highlights. No request, no HTML.

The database adds up: however many results a night has, a sheet is computed from a few rows
per person, and its games are read one page at a time.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, Protocol

from django.db import connection
from django.db.models import Count, F, Func, IntegerField, QuerySet, Sum, Value
from django.utils.translation import gettext

from games import plugin
from games.models import Night, Player, Result, ResultLine, Table
from games.services.history import consent
from games.services.history import payments as history_payments
from games.services.point_values import own_values

Key = tuple[str, str]
"""A column of a score sheet: a player by id, a bot or a forgotten guest by name, or what a person has not agreed to."""
NAMELESS = "nameless"
"""The kind of the column with a person's lines of past games that the person has not agreed to."""

STEPS = 240
"""The most steps in the course of a sheet; with more games, several share a step."""
CHUNK = 200
"""The number of results that are loaded at once when all are read."""


@dataclass(frozen=True, slots=True)
class Who:
    """A person or bot on a score sheet.

    `player_id` is None for bots, deleted players, forgotten guests, and for lines without their person's consent.
    """

    key: Key
    name: str
    player_id: int | None
    is_bot: bool


@dataclass(frozen=True, slots=True)
class SheetGame:
    """A row of a sheet: a finished game and each column's line (None: not at that table).

    `number` counts the sheet's games from 1; a correction has the number of the game before it.
    """

    number: int
    result: Result
    lines: tuple[ResultLine | None, ...]

    def waits(self, line: ResultLine) -> bool:
        """Tell whether a line of it waits for its person's consent."""
        return is_waiting(line, self.result)


@dataclass(frozen=True, slots=True)
class SheetPayment:
    """A payment: from a player to `to`, or to the table if `to` is None."""

    who: Who
    points: int
    to: Who | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """The score sheet of one game and unit at a night: one row per game, one column per person.

    `length` counts the rows including corrections; `played` and `won` leave corrections out. `course`
    has each column's running totals, oldest first, in at most 240 steps. `waiting` is what of each total waits for the
    consent of its person, who has a name in the sheet by other games.
    """

    game_id: str
    unit: str
    length: int
    people: tuple[Who, ...]
    totals: tuple[int, ...]
    played: tuple[int, ...]
    won: tuple[int, ...]
    course: tuple[tuple[int, ...], ...]
    payments: tuple[SheetPayment, ...]
    highlights: tuple[tuple[str, tuple[str, ...], int], ...]
    waiting: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranked:
    """A column of a sheet with its total and place; equal totals share a place, counted from 1."""

    who: Who
    column: int
    total: int
    place: int


def key_of(line: ResultLine) -> Key:
    """Return the column that a line belongs to; one that waits stands in its person's column where they have one."""
    if line.consent != ResultLine.Consent.GIVEN:
        return NAMELESS, str(line.player_id or f"line {line.pk}")
    return ("player", str(line.player_id)) if line.player_id else ("name", line.name)


def _column_of(line: ResultLine, result: Result, columns: Collection[Key]) -> Key:
    own = ("player", str(line.player_id))
    return own if own in columns and is_waiting(line, result) else key_of(line)


def is_waiting(line: ResultLine, result: Result) -> bool:
    """Tell whether a line of a past game, or of a correction of one, waits for a consent that may still come.

    The author's line waits for somebody else's.
    """
    if line.consent != ResultLine.Consent.ASKED:
        return False
    game = result.corrects or result
    is_open = any(at is not None and at > consent.since() for at in (game.entered_at, line.agreed_at))
    return is_open and any(
        each.consent == ResultLine.Consent.ASKED and each.player_id != game.author_id for each in game.lines.all()
    )


def kinds(night: Night) -> list[tuple[str, str, int]]:
    """Return game, unit and number of results of each of a night's sheets, in order."""
    return [(game_id, unit, length) for game_id, unit, length, _ in _kinds(night)]


def _kinds(night: Night) -> list[tuple[str, str, int, int]]:
    """Return as `kinds`, and of how many results the points are worth something."""
    rows = night_results(night).order_by("game_id", "unit").values_list("game_id", "unit")
    return list(rows.annotate(n=Count("pk"), worth=Count("pk", filter=own_values.are_worth("table__"))))


def night_results(night: Night) -> QuerySet[Result]:
    """Return the results of all tables of a night, of games that are installed, without proposed past games."""
    return Result.objects.filter(table__night=night, game_id__in=plugin.all_games(), is_proposed=False)


def sheets(night: Night) -> list[Sheet]:
    """Return a night's sheets, one for each game and unit."""
    return [_sheet(night, *kind) for kind in _kinds(night)]


def ranking(sheet: Sheet) -> list[Ranked]:
    """Return the columns of a sheet, best first: the highest total, or the lowest where the game says so."""
    sign = 1 if plugin.game(sheet.game_id).lower_is_better else -1
    ordered = sorted(enumerate(sheet.totals), key=lambda pair: sign * pair[1])
    totals = [total for _, total in ordered]
    return [Ranked(sheet.people[column], column, total, 1 + totals.index(total)) for column, total in ordered]


@dataclass(slots=True)
class _Column:
    """The database's sums of one column; `points` by step of the course, `waiting` those of them that wait."""

    who: Who
    first: int
    points: dict[int, int]
    waiting: int = 0
    played: int = 0
    won: int = 0


def _sheet(night: Night, game_id: str, unit: str, length: int, worth: int) -> Sheet:
    """Return the sheet of one game and unit."""
    columns = _columns(night, game_id, unit)
    people = tuple(column.who for column in columns)
    totals = tuple(sum(column.points.values()) for column in columns)
    steps = sorted({step for column in columns for step in column.points})
    return Sheet(
        game_id,
        unit,
        length,
        people,
        totals,
        tuple(column.played for column in columns),
        tuple(column.won for column in columns),
        tuple(tuple(accumulate(column.points.get(step, 0) for step in steps)) for column in columns),
        tuple(payments(game_id, people, _only_counted(night, game_id, unit, people, totals) if worth else totals)),
        tuple(_highlights(night, game_id, unit, people)),
        tuple(column.waiting for column in columns),
    )


def _only_counted(
    night: Night, game_id: str, unit: str, people: Sequence[Who], totals: Sequence[int]
) -> tuple[int, ...]:
    """Return the totals without the points of tables where a point is worth something: those are in an account."""
    tables = night.tables.filter(game_id=game_id).only("night", "game_id", "options")
    valued = [table.pk for table in tables if own_values.terms_of(table) is not None]
    lines = ResultLine.objects.filter(result__in=night_results(night).filter(table__in=valued, unit=unit))
    moved: dict[Key, int] = defaultdict(int)
    columns = {who.key for who in people}
    for line in lines.select_related("result__corrects"):
        moved[_column_of(line, line.result, columns)] += line.points
    return tuple(total - moved[who.key] for who, total in zip(people, totals, strict=True))


_WAITING, _NAMED = 1, 2
"""The standing of a line: it waits for its person's consent, or has it."""
_COURSE = """
WITH played AS (
    SELECT r.id, r.is_correction, COALESCE(c.entered_at, r.entered_at) AS entered_at,
        COALESCE(c.entered_at, r.entered_at) IS NOT NULL AND EXISTS (
            SELECT 1 FROM {line} o WHERE o.result_id = COALESCE(c.id, r.id) AND o.consent = 'asked'
                AND o.player_id <> COALESCE(CASE WHEN c.id IS NULL THEN r.author_id ELSE c.author_id END, 0)
        ) AS waits,
        (ROW_NUMBER() OVER (ORDER BY r.finished_at, r.id) - 1) * %s / COUNT(*) OVER () AS step
    FROM {result} r JOIN {table} t ON t.id = r.table_id LEFT JOIN {result} c ON c.id = r.corrects_id
    WHERE t.night_id = %s AND r.game_id = %s AND r.unit = %s AND NOT r.is_proposed
)
SELECT l.player_id, CASE WHEN l.player_id IS NULL THEN l.name ELSE '' END AS unnamed,
    CASE WHEN l.consent = 'given' THEN 2
        WHEN l.consent = 'asked' AND p.waits AND (p.entered_at > %s OR l.agreed_at > %s) THEN 1
        ELSE 0 END AS standing,
    p.step, SUM(l.points), MIN(l.id), MAX(CASE WHEN l.is_bot THEN 1 ELSE 0 END),
    SUM(CASE WHEN p.is_correction OR COALESCE({played}, 1) = 0 THEN 0 ELSE 1 END),
    SUM(CASE WHEN NOT p.is_correction AND COALESCE({won}, CASE WHEN l.rank = 1 THEN 1 ELSE 0 END) > 0
        THEN 1 ELSE 0 END)
FROM played p JOIN {line} l ON l.result_id = p.id
GROUP BY l.player_id, unnamed, standing, p.step
"""


def _columns(night: Night, game_id: str, unit: str) -> list[_Column]:
    """Return the columns of a sheet, ordered by their first line."""
    names = {"result": Result, "table": Table, "line": ResultLine}
    tables = {name: model._meta.db_table for name, model in names.items()}
    # Counts as tallies.has_played and has_won do.
    sql = _COURSE.format(**tables, played=_stat_sql("played"), won=_stat_sql("won"))
    with connection.cursor() as cursor:
        since = connection.ops.adapt_datetimefield_value(consent.since())
        cursor.execute(sql, [STEPS, night.pk, game_id, unit, since, since])
        rows = cursor.fetchall()
    players = Player.objects.in_bulk({row[0] for row in rows if row[0] is not None})
    named = {row[0] for row in rows if row[2] == _NAMED}
    found: dict[Key, _Column] = {}
    for player_id, name, standing, step, points, first, is_bot, played, won in rows:
        waits = standing == _WAITING and player_id in named
        is_named = standing == _NAMED or waits
        person = _who(players.get(player_id), name, bool(is_bot)) if is_named else _nameless(player_id, first)
        column = found.setdefault(person.key, _Column(person, first, {}))
        column.first = min(column.first, first)
        column.points[step] = column.points.get(step, 0) + int(points)
        column.waiting += int(points) * waits
        column.played += int(played)
        column.won += int(won)
    return _numbered_nameless(sorted(found.values(), key=lambda column: column.first))


def _nameless(player_id: int | None, line_id: int) -> Who:
    """Return the column of a person's lines without consent."""
    return Who((NAMELESS, str(player_id or f"line {line_id}")), gettext("not agreed"), None, False)


def _numbered_nameless(columns: list[_Column]) -> list[_Column]:
    """Number the columns without a name if there are several of them."""
    nameless = [column for column in columns if column.who.key[0] == NAMELESS]
    if len(nameless) > 1:
        for number, column in enumerate(nameless, 1):
            column.who = replace(column.who, name=gettext("not agreed %(n)s") % {"n": number})
    return columns


def _stat_sql(name: str) -> str:
    """Return a figure of the line `l` as a number in the database's own SQL."""
    if connection.vendor == "sqlite":
        return f"JSON_EXTRACT(l.stats, '$.{name}')"
    return f"CAST(l.stats ->> '{name}' AS INTEGER)"


def _who(player: Player | None, name: str, is_bot: bool) -> Who:
    """Return a column's person, with the present nickname; a deleted player has no id."""
    if player is None:
        return Who(("name", name), name, None, is_bot)
    is_here = player.deleted_at is None
    return Who(("player", str(player.pk)), player.displayed_name, player.pk if is_here else None, is_bot)


def games(night: Night, sheet: Sheet, first: int = 0, most: int | None = None) -> list[SheetGame]:
    """Return `most` games of a sheet (None: all) from row `first` on, in order of play."""
    rows = night_results(night).filter(game_id=sheet.game_id, unit=sheet.unit).order_by("finished_at", "pk")
    upto = None if most is None else first + most
    before = sum(not corrects for corrects in rows.values_list("is_correction", flat=True)[:first])
    return list(_numbered(sheet, _with_lines(rows)[first:upto], before))


def each_game(night: Night, sheet: Sheet) -> Iterator[SheetGame]:
    """Yield the games of a sheet in order of play, loading one chunk at a time."""
    number = 0
    rows = night_results(night).filter(game_id=sheet.game_id, unit=sheet.unit)
    for ids in chunks(rows, "finished_at"):
        found = Result.objects.select_related("corrects").prefetch_related("lines").in_bulk(ids)
        for game in _numbered(sheet, (found[pk] for pk in ids if pk in found), number):
            number = game.number
            yield game


def _numbered(sheet: Sheet, results: Iterable[Result], before: int) -> Iterator[SheetGame]:
    """Yield rows of a sheet, numbered after its first `before` games."""
    number = before
    columns = {person.key for person in sheet.people}
    for result in results:
        number += not result.is_correction
        lines = {_column_of(line, result, columns): line for line in result.lines.all()}
        yield SheetGame(number, result, tuple(lines.get(person.key) for person in sheet.people))


def _with_lines(rows: QuerySet[Result]) -> QuerySet[Result]:
    """Return results with their lines and tables, without large columns of the tables."""
    rows = rows.select_related("table__night", "corrects").defer("table__state", "table__options", "table__clocks")
    return rows.prefetch_related("lines__agreed_by")


def chunks(rows: QuerySet[Result], *order: str) -> Iterator[list[int]]:
    """Yield the ids of results in an order, then by id, CHUNK at a time.

    All ids (8 bytes each) are loaded at the start, and no cursor stays open between two chunks, so a slow
    reader blocks nothing.
    """
    ids = array("q", rows.order_by(*order, "pk").values_list("pk", flat=True).iterator(chunk_size=10_000))
    yield from (list(ids[start : start + CHUNK]) for start in range(0, len(ids), CHUNK))


def payments(game_id: str, people: Sequence[Who], totals: Sequence[int]) -> list[SheetPayment]:
    """Return the payments of a sheet.

    In games where few points are good, points are owed to the table. Where the points add up to 0, the losers pay
    the winners in the fewest transfers; otherwise there are none. Bots owe nothing and are owed nothing.
    """
    if plugin.game(game_id).lower_is_better:
        pairs = zip(people, totals, strict=True)
        owed = [SheetPayment(person, total) for person, total in pairs if total > 0 and not person.is_bot]
        return sorted(owed, key=lambda p: -p.points)
    if sum(totals) != 0:
        return []
    is_bot = [person.is_bot for person in people]
    return transfers(people, history_payments.among_people(totals, is_bot))


def transfers(people: Sequence[Who], totals: Sequence[int]) -> list[SheetPayment]:
    """Return the fewest payments that bring every total to 0, the largest first."""
    balance = {person.key: total for person, total in zip(people, totals, strict=True)}
    by_key = {person.key: person for person in people}
    found = [
        SheetPayment(by_key[payer], points, by_key[payee])
        for payer, payee, points in history_payments.transfers(balance)
    ]
    return sorted(found, key=lambda p: -p.points)


def _highlights(night: Night, game_id: str, unit: str, people: Sequence[Who]) -> list[tuple[str, tuple[str, ...], int]]:
    """Return for each figure of the game the people with the most of it, bots aside: (figure, names, number)."""
    figures = list(plugin.game(game_id).stat_labels)
    sums = _figures(night, game_id, unit, figures)
    names = {person.key: person.name for person in people if not person.is_bot}
    found = []
    for figure in figures:
        counts = {key: count for key, count in sums[figure].items() if key in names}
        most = max(counts.values(), default=0)
        best = tuple(names[key] for key in names if counts.get(key) == most)
        # A figure that is equal for all is no highlight.
        if most > 0 and len(best) < len(names):
            found.append((figure, best, most))
    return found


class OfUnit(Protocol):
    """A sheet of one game and unit."""

    @property
    def game_id(self) -> str:
        """The game."""

    @property
    def unit(self) -> str:
        """The unit of its points."""


def unit_label(night: Night, sheet: OfUnit) -> str:
    """Return the word for a sheet's unit; the general one if the tables' house rules use different words."""
    game = plugin.game(sheet.game_id)
    tables = night.tables.filter(results__game_id=sheet.game_id, results__unit=sheet.unit).distinct()
    found = {str(game.unit_label(sheet.unit, options)) for options in tables.values_list("options", flat=True)}
    return found.pop() if len(found) == 1 else str(game.units.get(sheet.unit, sheet.unit))


def _figures(night: Night, game_id: str, unit: str, figures: Sequence[str]) -> dict[str, dict[Key, int]]:
    """Return the sum of each figure by column."""
    found: dict[str, dict[Key, int]] = defaultdict(dict)
    lines = ResultLine.objects.filter(result__table__night=night, result__game_id=game_id, result__unit=unit)
    lines = lines.filter(consent=ResultLine.Consent.GIVEN)
    names = [f"figure_{number}" for number in range(len(figures))]
    sums = {n: Sum(figure_of(figure)) for n, figure in zip(names, figures, strict=True)}
    parts: tuple[QuerySet[ResultLine, Any], ...] = (
        lines.filter(player__isnull=False).values("player_id"),
        lines.filter(player=None).values("name"),
    )
    for row in (row for part in parts for row in part.order_by().annotate(**sums)):
        key = ("player", str(row["player_id"])) if "player_id" in row else ("name", row["name"])
        for name, figure in zip(names, figures, strict=True):
            if row[name] is not None:
                found[figure][key] = row[name]
    return found


class _Figure(Func):
    """A number in a line's `stats`, read in the cheapest way the database has, because it is read for every line."""

    template = "CAST(%(expressions)s AS INTEGER)"
    arg_joiner = " ->> "
    output_field = IntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **more: Any) -> Any:
        """Return the SQL without Django's check of the value's type."""
        more |= {"template": "JSON_EXTRACT(%(expressions)s)", "arg_joiner": ", "}
        path = self.copy()
        name = self.get_source_expressions()[1].value
        path.set_source_expressions([self.get_source_expressions()[0], Value(f'$."{name}"')])
        return path.as_sql(compiler, connection, **more)


def figure_of(name: str) -> Func:
    """Return a figure of a line as a number in SQL, null if the line has none."""
    return _Figure(F("stats"), Value(name))

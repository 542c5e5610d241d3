"""A player's history: results filtered, summed up and compared with other players'.

The database adds up, so the number of rows read here does not grow with the number of results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, RowRange, Sum, Value, Window
from django.db.models.functions import RowNumber

from games import plugin
from games.models import Match, Membership, Player, ResultLine, Table
from games.models.house import zone
from games.services.history.score_sheets import STEPS, figure_of
from games.services.people import name_order

FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(9000, 1, 1)
LATEST = 40
"""The number of newest results that are kept as single steps."""


@dataclass(frozen=True, slots=True)
class Filters:
    """A selection of results; an empty or None field does not filter. Dates are inclusive."""

    game: str = ""
    preset: str = ""
    venue: int | None = None
    opponent: int | None = None
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """One result in a chart: its time, its points, and the sum of points so far."""

    at: datetime
    points: int
    total: int


@dataclass(slots=True)
class Role:
    """The results of a player in one role, such as the Box."""

    played: int = 0
    won: int = 0
    points: int = 0


@dataclass(slots=True)
class ResultSums:
    """The sums of a player's results in one game and unit.

    `streak` is the current run of games won (positive) or not won (negative), `longest` the longest
    run of games won. `count` includes corrections. `steps` holds at most some 280 steps:
    evenly spread ones for a chart, and the newest 40.
    """

    game_id: str
    unit: str
    count: int = 0
    played: int = 0
    won: int = 0
    points: int = 0
    streak: int = 0
    longest: int = 0
    stats: Counter[str] = field(default_factory=Counter)
    roles: dict[str, Role] = field(default_factory=dict)
    steps: list[ChartPoint] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Rival:
    """Another player met at tables: common games, the games with a better rank for each of the two, points."""

    player_id: int
    nickname: str
    games: int
    ahead: int
    behind: int
    points: int


def may_browse(viewer: Player | None) -> bool:
    """Tell whether a player has been in at a night other than practice, and so may browse the house's history."""
    if viewer is None:
        return False
    inside = Membership.objects.filter(player=viewer, status=Membership.Status.IN)
    return inside.exclude(night__is_practice=True).exists()


def begin(of: date) -> datetime:
    """Return the time at which a day begins in the house's time zone; years out of range count as the nearest day."""
    return datetime.combine(min(max(of, FIRST_DAY), LAST_DAY), time(), zone())


def met(viewer: Player) -> QuerySet[Membership]:
    """Return rows whose `player` a player has met: at the nights where the asking player is in.

    Players removed from such a night count as met; players waiting for the host do not.
    """
    nights = Membership.objects.filter(player=viewer, status=Membership.Status.IN)
    been = Membership.Status.IN, Membership.Status.KICKED
    return Membership.objects.filter(night__in=nights.values("night"), status__in=been)


def has_met(viewer: Player | None, other_id: int) -> bool:
    """Tell whether a player may look at another: at themselves, and at players that they have met."""
    if viewer is None:
        return False
    return viewer.pk == other_id or met(viewer).filter(player=other_id).exists()


def is_met(viewer: Player | None, field: str) -> Exists | Value:
    """Return an expression that is true for rows in which `field` names a player that `viewer` has met."""
    if viewer is None:
        return Value(False)
    return Exists(met(viewer).filter(player=OuterRef(field)))


def people_met(viewer: Player | None) -> QuerySet[Player]:
    """Return the players that a player has met, including that player, by name; everybody for None (staff)."""
    condition = Q() if viewer is None else Q(pk__in=met(viewer).values("player")) | Q(pk=viewer.pk)
    return Player.objects.filter(condition, merged_into=None, deleted_at=None).order_by(
        name_order.order("nickname"), "pk"
    )


def lines_of(player: Player, filters: Filters) -> QuerySet[ResultLine]:
    """Return a player's lines that match the filters, unordered.

    Without practice against bots, and without past games that the player has not agreed to.
    """
    practised = Table.objects.filter(night__is_practice=True, night__host=player).values("pk")
    condition = Q(player=player, consent=ResultLine.Consent.GIVEN) & ~Q(result__table__in=practised)
    if filters.game:
        condition &= Q(result__game_id=filters.game)
    if filters.preset:
        condition &= Q(result__preset=filters.preset)
    if filters.venue is not None:
        condition &= Q(result__table__night__venue=filters.venue)
    if filters.opponent is not None:
        met = ResultLine.objects.filter(player=filters.opponent, consent=ResultLine.Consent.GIVEN).values("result")
        condition &= Q(result__in=met)
    if filters.since is not None:
        condition &= Q(result__finished_at__gte=begin(filters.since))
    if filters.until is not None:
        condition &= Q(result__finished_at__lt=begin(min(filters.until, LAST_DAY) + timedelta(days=1)))
    return ResultLine.objects.filter(condition)


def matches_of(player: Player, filters: Filters) -> QuerySet[Match]:
    """Return a player's matches that match the filters, unordered: at tables, and in tournaments without them."""
    condition = Q(winner=player) | Q(loser=player)
    if filters.game:
        condition &= Q(table__game_id=filters.game)
    if filters.preset:
        condition &= Q(table__preset=filters.preset)
    if filters.opponent is not None:
        condition &= Q(winner=filters.opponent) | Q(loser=filters.opponent)
    if filters.venue is not None:
        condition &= Q(table__night__venue=filters.venue)
    if filters.since is not None:
        condition &= Q(finished_at__gte=begin(filters.since))
    if filters.until is not None:
        condition &= Q(finished_at__lt=begin(min(filters.until, LAST_DAY) + timedelta(days=1)))
    return Match.objects.filter(condition, table__night__is_practice=False)


@dataclass(frozen=True, slots=True)
class MatchPlayed:
    """A match from one person's side; `score` is that person's first, None where nobody has said it.

    `is_met`: whoever looks has met the other one. `tournament` is the name of the one it belongs to, else "".
    """

    other: Player
    is_met: bool
    is_won: bool
    score: tuple[int, int] | None
    length: int
    at: datetime
    night: str
    tournament: str


def matches_played(player: Player, filters: Filters, *, viewer: Player | None = None) -> list[MatchPlayed]:
    """Return a player's matches that match the filters, the newest first, by one query; None looks as staff."""
    rows = matches_of(player, filters).select_related("winner", "loser", "table__night", "table__pairing__tournament")
    names = ("table__night__name", "table__pairing__tournament__name")
    rows = rows.only("winner", "loser", "length", "winner_score", "loser_score", "finished_at", *names)
    if viewer is not None and viewer != player:
        rows = rows.annotate(met_winner=is_met(viewer, "winner"), met_loser=is_met(viewer, "loser"))
    return [_match_played(row, player) for row in rows.order_by("-finished_at", "-pk")]


def _match_played(row: Any, player: Player) -> MatchPlayed:
    is_won = row.winner_id == player.pk
    scores = (row.winner_score, row.loser_score)
    pairing = getattr(row.table, "pairing", None)
    return MatchPlayed(
        other=row.loser if is_won else row.winner,
        is_met=bool(getattr(row, "met_loser" if is_won else "met_winner", True)),
        is_won=is_won,
        score=None if None in scores else scores if is_won else scores[::-1],
        length=row.length,
        at=row.finished_at,
        night=row.table.night.name,
        tournament="" if pairing is None else pairing.tournament.name,
    )


@dataclass(frozen=True, slots=True)
class MatchRival:
    """A player met in matches: those that were won against them, and those lost."""

    player_id: int
    nickname: str
    won: int
    lost: int


def match_rivals(played: Iterable[MatchPlayed]) -> list[MatchRival]:
    """Return the players met in matches, most matches first; without those whom nobody who looks has met."""
    counts: dict[int, Counter[bool]] = {}
    names: dict[int, str] = {}
    for each in played:
        if each.is_met and each.other.deleted_at is None:
            counts.setdefault(each.other.pk, Counter())[each.is_won] += 1
            names[each.other.pk] = each.other.nickname
    found = [MatchRival(pk, names[pk], count[True], count[False]) for pk, count in counts.items()]
    return sorted(found, key=lambda each: (-each.won - each.lost, each.player_id))


UNUSED_COLUMNS = tuple(f"result__table__{name}" for name in ("state", "clocks"))
"""Large columns of a table that a list of results does not load."""


def page_of(ordered: QuerySet[ResultLine], first: int, upto: int) -> QuerySet[ResultLine]:
    """Return the lines from `first` to before `upto`, each with the number of lines of its result (`of`).

    The count is made for the page alone; as a column of the whole query it would be made for every line.
    """
    line_ids = ordered.values("pk")[first:upto]
    rows = ordered.model.objects.filter(pk__in=line_ids).order_by(*ordered.query.order_by)
    return rows.select_related("result__table__night").defer(*UNUSED_COLUMNS).annotate(of=Count("result__lines"))


def counted(page: Iterable[ResultLine]) -> list[ResultLine]:
    """Return loaded lines, each with the number of lines of its result (`of`), by one query."""
    lines = list(page)
    others = ResultLine.objects.filter(result__in={line.result_id for line in lines})
    of = dict(others.order_by().values_list("result").annotate(n=Count("pk")))
    for line in lines:
        line.of = of[line.result_id]  # type: ignore[attr-defined]
    return lines


def records(lines: QuerySet[ResultLine], *, with_steps: bool = True) -> list[ResultSums]:
    """Return a record for each game and unit in the lines, with its `steps` if `with_steps`."""
    found = _sums(lines)
    if with_steps:
        _add_steps(found, lines)
    return found


# Played and won follow tallies.has_played and has_won: the game's figures, else the line and the rank.
# A run is a row of games won, or not won. For each game take its number among all games minus its number
# among the games of the same outcome: this difference is equal for all games of a run. Corrections are no games.
_SUMS = """
WITH numbered AS (
    SELECT outcomes.*, ROW_NUMBER() OVER (PARTITION BY game, unit, real ORDER BY at, id) AS n,
        ROW_NUMBER() OVER (PARTITION BY game, unit, real, won ORDER BY at, id) AS same
    FROM (
        SELECT lines.*, CASE WHEN corrects OR COALESCE(has_part, 1) = 0 THEN 0 ELSE 1 END AS real,
            CASE WHEN NOT corrects AND COALESCE(has_won, CASE WHEN rank = 1 THEN 1 ELSE 0 END) > 0
                THEN 1 ELSE 0 END AS won
        FROM ({lines}) AS lines
    ) AS outcomes
), runs AS (
    SELECT game, unit, real, won, COUNT(*) AS length, MAX(n) AS last, SUM(points) AS points{each}
    FROM numbered GROUP BY game, unit, real, won, n - same
)
SELECT game, unit, SUM(length), SUM(length * real), SUM(length * won), SUM(points),
    SUM(CASE WHEN real = 0 OR last < newest THEN 0 WHEN won = 1 THEN length ELSE -length END),
    MAX(length * won){all}
FROM (SELECT runs.*, MAX(last) OVER (PARTITION BY game, unit, real) AS newest FROM runs) AS ends
GROUP BY game, unit ORDER BY game, unit
"""


def _sums(lines: QuerySet[ResultLine]) -> list[ResultSums]:
    """Return the records without their steps, by one query over the lines."""
    figures, roles = _labels()
    sums = {f"f{i}": f"SUM(f{i})" for i in range(len(figures))}
    for role in roles:
        had = f"f{figures.index(role)} <> 0 AND real = 1"
        sums[f"{role}_played"] = f"SUM(CASE WHEN {had} THEN 1 ELSE 0 END)"
        sums[f"{role}_won"] = f"SUM(CASE WHEN {had} THEN won ELSE 0 END)"
        sums[f"{role}_points"] = f"SUM(CASE WHEN {had} THEN points ELSE 0 END)"
    each = "".join(f", {summed} AS {name}" for name, summed in sums.items())
    both = "".join(f", SUM({name})" for name in sums)
    try:
        sql, params = _named(lines, figures).query.sql_with_params()
    except EmptyResultSet:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_SUMS.format(lines=sql, each=each, all=both), params)
        return [_record(row, figures, roles) for row in cursor.fetchall()]


def _labels() -> tuple[list[str], list[str]]:
    """Return the figures of all games, and the names of the figures that are roles."""
    games = plugin.all_games().values()
    roles = dict.fromkeys(name for game in games for name in game.role_labels)
    return list(dict.fromkeys([*roles, *(name for game in games for name in game.stat_labels)])), list(roles)


def _named(lines: QuerySet[ResultLine], figures: Sequence[str]) -> QuerySet[ResultLine, Any]:
    """Return lines with the columns that the sums need, and their figures (f0, f1, …)."""
    named = {"game": "game_id", "unit": "unit", "at": "finished_at", "corrects": "is_correction"}
    columns: dict[str, Any] = {name: F(f"result__{field}") for name, field in named.items()}
    columns |= {"has_part": figure_of("played"), "has_won": figure_of("won")}
    columns |= {f"f{i}": figure_of(figure) for i, figure in enumerate(figures)}
    found: QuerySet[ResultLine, Any] = lines.order_by().annotate(**columns).values(*columns, "id", "points", "rank")
    return found


def _record(row: Sequence[Any], figures: Sequence[str], roles: Sequence[str]) -> ResultSums:
    """Return the record of a row of sums, with the figures that any of its lines has."""
    record = ResultSums(*row[:2], *map(int, row[2:8]))
    sums = row[8 : 8 + len(figures)]
    record.stats.update({name: int(n) for name, n in zip(figures, sums, strict=True) if n is not None})
    for i, name in enumerate(roles):
        played, won, points = row[8 + len(figures) + 3 * i :][:3]
        if played:
            record.roles[name] = Role(int(played), int(won), int(points))
    return record


def _add_steps(found: Sequence[ResultSums], lines: QuerySet[ResultLine]) -> None:
    """Add the steps to the records; the database computes the running totals over all lines."""
    by_kind = {(record.game_id, record.unit): record for record in found}
    parts = [F("result__game_id"), F("result__unit")]
    order = [F("result__finished_at").asc(), F("pk").asc()]
    so_far = RowRange(start=None, end=0)
    rows = lines.annotate(
        total=Window(Sum("points"), partition_by=parts, order_by=order, frame=so_far),
        n=Window(RowNumber(), partition_by=parts, order_by=order),
        of=Window(Count("pk"), partition_by=parts),
    ).annotate(place=(F("n") * STEPS) % F("of"))
    step_rows = rows.filter(Q(place__lt=STEPS) | Q(n=1) | Q(n__gt=F("of") - LATEST)).order_by("n")
    fields = ("result__game_id", "result__unit", "result__finished_at", "points", "total")
    for game_id, unit, at, points, total in step_rows.values_list(*fields):
        by_kind[game_id, unit].steps.append(ChartPoint(at, points, total))


def rivals(player: Player, lines: QuerySet[ResultLine], most: int = 50, *, viewer: Player | None = None) -> list[Rival]:
    """Return the players met in a player's `lines`, most games first, by one query.

    If another player looks (`viewer`), only players that this one has met too. Corrections do not count as
    games together, and deleted players are left out. `points` are the player's own in the common games.
    """
    own_lines = "result__lines"
    rows = (
        ResultLine.objects.filter(
            **{f"{own_lines}__player": player},
            result__in=lines.values("result"),
            result__is_correction=False,
            consent=ResultLine.Consent.GIVEN,
            player__isnull=False,
            player__deleted_at=None,
        )
        .filter(Q() if viewer is None or viewer == player else Q(player__in=met(viewer).values("player")))
        .exclude(player=player)
        .values("player", "player__nickname")
        .annotate(
            games=Count("pk"),
            ahead=Count("pk", filter=Q(rank__gt=F(f"{own_lines}__rank"))),
            behind=Count("pk", filter=Q(rank__lt=F(f"{own_lines}__rank"))),
            sum=Sum(f"{own_lines}__points"),
        )
        .order_by("-games", "player")[:most]
    )
    fields = ("player", "player__nickname", "games", "ahead", "behind", "sum")
    return [Rival(*row) for row in rows.values_list(*fields)]

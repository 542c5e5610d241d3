"""A player's history: their results filtered, summed up and set against others'."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import groupby
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum, Value

from games import plugin
from games.models import Membership, Player, ResultLine


@dataclass(frozen=True, slots=True)
class Filters:
    """Which results are meant; what is empty or None does not filter. Dates are inclusive."""

    game: str = ""
    preset: str = ""
    venue: int | None = None
    opponent: int | None = None
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One result on the way: when, its points, and what they add up to so far."""

    at: datetime
    points: int
    total: int


@dataclass(slots=True)
class Role:
    """How somebody did in one role, such as the Box."""

    played: int = 0
    won: int = 0
    points: int = 0


@dataclass(slots=True)
class Record:
    """What somebody's results in one game and unit add up to.

    `streak` is the run of games won (positive) or not won (negative) that still lasts,
    `longest` the longest run of games won.
    """

    game_id: str
    unit: str
    played: int = 0
    won: int = 0
    points: int = 0
    streak: int = 0
    longest: int = 0
    stats: Counter[str] = field(default_factory=Counter)
    roles: dict[str, Role] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Rival:
    """Somebody met at tables: games together, how many one of the two was ahead, points."""

    player_id: int
    nickname: str
    games: int
    ahead: int
    behind: int
    points: int


def may_browse(asking: Player | None) -> bool:
    """Tell whether somebody belongs to the house: they have been in at a night."""
    if asking is None:
        return False
    return Membership.objects.filter(player=asking, status=Membership.Status.IN).exists()


def met(asking: Player) -> QuerySet[Membership]:
    """Return rows whose `player` somebody has met: at the nights that they are in at.

    Who was shown the door of such a night was met there; who waits before it was not.
    """
    nights = Membership.objects.filter(player=asking, status=Membership.Status.IN)
    been = Membership.Status.IN, Membership.Status.KICKED
    return Membership.objects.filter(night__in=nights.values("night"), status__in=been)


def has_met(asking: Player | None, other_id: int) -> bool:
    """Tell whether somebody may look at a player: at themselves, and at those whom they met."""
    if asking is None:
        return False
    return asking.pk == other_id or met(asking).filter(player=other_id).exists()


def is_met(asking: Player | None, field: str) -> Exists | Value:
    """Return an expression that tells of a row whether somebody has met the player in a field of it."""
    if asking is None:
        return Value(False)
    return Exists(met(asking).filter(player=OuterRef(field)))


def people_met(asking: Player) -> QuerySet[Player]:
    """Return the players whom somebody has met, themselves included, by name."""
    known = Q(pk__in=met(asking).values("player")) | Q(pk=asking.pk)
    return Player.objects.filter(known, merged_into=None, deleted_at=None).order_by("nickname", "pk")


def lines_of(player: Player, filters: Filters) -> QuerySet[ResultLine]:
    """Return a player's lines that the filters let through, in no order."""
    wanted = Q(player=player)
    if filters.game:
        wanted &= Q(result__game_id=filters.game)
    if filters.preset:
        wanted &= Q(result__preset=filters.preset)
    if filters.venue is not None:
        wanted &= Q(result__table__night__venue=filters.venue)
    if filters.opponent is not None:
        met = ResultLine.objects.filter(player=filters.opponent).values("result")
        wanted &= Q(result__in=met)
    if filters.since is not None:
        wanted &= Q(result__finished_at__date__gte=filters.since)
    if filters.until is not None:
        wanted &= Q(result__finished_at__date__lte=filters.until)
    return ResultLine.objects.filter(wanted)


def records(lines: QuerySet[ResultLine]) -> list[Record]:
    """Return a record for each game and unit in the lines, by one query."""
    rows = lines.order_by("result__game_id", "result__unit", "result__finished_at", "pk").values_list(
        "result__game_id",
        "result__unit",
        "result__finished_at",
        "points",
        "rank",
        "stats",
        "result__is_correction",
    )
    grouped = groupby(rows.iterator(chunk_size=2000), lambda row: (row[0], row[1]))
    return [_record(game_id, unit, part) for (game_id, unit), part in grouped]


def _record(game_id: str, unit: str, rows: Iterable[tuple[Any, ...]]) -> Record:
    found = Record(game_id, unit)
    roles = tuple(_role_figures(game_id))
    for _, _, at, points, rank, stats, is_correction in rows:
        found.points += points
        found.steps.append(Step(at, points, found.points))
        found.stats.update(stats)
        if not is_correction:
            _count(found, rank == 1)
            for name in roles:
                if stats.get(name):
                    role = found.roles.setdefault(name, Role())
                    role.played += 1
                    role.won += rank == 1
                    role.points += points
    return found


def _count(found: Record, has_won: bool) -> None:
    found.played += 1
    found.won += has_won
    if has_won:
        found.streak = max(found.streak, 0) + 1
        found.longest = max(found.longest, found.streak)
    else:
        found.streak = min(found.streak, 0) - 1


def _role_figures(game_id: str) -> Iterator[str]:
    game = plugin.all_games().get(game_id)
    return iter(game.role_labels if game else ())


def rivals(
    player: Player, lines: QuerySet[ResultLine], most: int = 50, *, seen_by: Player | None = None
) -> list[Rival]:
    """Return whom a player met in their `lines`, most games first, by one query.

    Where somebody else looks (`seen_by`), only those whom they have met as well. A correction is
    no meeting, and who was deleted is nobody to be met again. `points` are the player's own in
    the games together.
    """
    mine = "result__lines"
    rows = (
        ResultLine.objects.filter(
            **{f"{mine}__player": player},
            result__in=lines.values("result"),
            result__is_correction=False,
            player__isnull=False,
            player__deleted_at=None,
        )
        .filter(Q() if seen_by is None or seen_by == player else Q(player__in=met(seen_by).values("player")))
        .exclude(player=player)
        .values("player", "player__nickname")
        .annotate(
            games=Count("pk"),
            ahead=Count("pk", filter=Q(rank__gt=F(f"{mine}__rank"))),
            behind=Count("pk", filter=Q(rank__lt=F(f"{mine}__rank"))),
            sum=Sum(f"{mine}__points"),
        )
        .order_by("-games", "player")[:most]
    )
    fields = ("player", "player__nickname", "games", "ahead", "behind", "sum")
    return [Rival(*row) for row in rows.values_list(*fields)]

"""Tables for many: drawn from those who are here, shown to the host, and opened together."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django.db import transaction
from django.db.models import Q, Sum
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.kernel.draws import draw
from games.models import HouseRules, Membership, Night, NightTally, Player, Seat, Table
from games.services import form_ids, row_locks
from games.services.acts import LogLine
from games.services.draws import drawn_rounds, strengths
from games.services.draws.drawn_rounds import DrawnBy, Limit
from games.services.nights import events, night_rights
from games.services.people import name_order
from games.services.seasons import season_nights
from games.services.tables import setup
from games.services.tables.seating import leaving

WAYS = ("lot", "strangers", "snake", "strong", "strength", "ladder", "captains")
"""The ways to draw that are offered, the usual one first; `ladder` goes by the last round of the game."""
FEWEST = 2
PAST_NIGHTS = 5
"""The host's nights before this one whose tables count as meetings, of a night that is in no season."""
events.LOG.add(
    LogLine("tables_drawn", _("Tables were drawn: %(count)s.")),
)


@dataclass(frozen=True, slots=True)
class DrawWish:
    """The draw that a host asks for: the game, `want` people at a table, the way, and for `captains` their player ids.

    `tables` above 0 is a number of tables, as equal as possible, in place of `want`.
    """

    game_id: str
    want: int
    way: str
    captains: tuple[int, ...] = ()
    tables: int = 0


@dataclass(frozen=True, slots=True)
class DrawnRules:
    """The house rules of the tables: a preset, or a rule set with the preset that it goes by."""

    game_id: str
    preset: str
    rules: HouseRules | None = None


def people(night: Night) -> list[Membership]:
    """Return the members who are here and sit at no table that is not over, by name."""
    seated = Seat.objects.filter(table__night=night, player__isnull=False).exclude(table__status=Table.Status.FINISHED)
    free = leaving.members_here(night).exclude(player__in=seated.values("player"))
    return list(free.select_related("player").order_by(name_order.order("player__nickname"), "pk"))


def draw_tables(night: Night, wish: DrawWish, ids: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    """Return a draw of tables of these players, and the players who are over.

    Raises Illegal `nobody_named`, `no_such_player`, `bad_draw` for sizes and captains that do not fit, `no_round` for a
    ladder before the first round.
    """
    free = {row.player_id for row in people(night)}
    if len(ids) < FEWEST:
        raise Illegal("nobody_named")
    if not set(ids) <= free:
        raise Illegal("no_such_player")
    is_ladder = wish.way == "ladder"
    ranks = _ladder(night, wish.game_id) if is_ladder else _ranks(night, wish.game_id)
    kept = {} if is_ladder else strengths.of(night.host, ids)
    given: dict[str, Any] = {
        "people": [_person(pk, ranks.get(pk), kept.get(pk)) for pk in ids],
        "size": {"tables": wish.tables} if wish.tables else {"want": wish.want},
        "way": "strong" if is_ladder else wish.way,
        "captains": [str(pk) for pk in wish.captains if pk in ids],
        "met": [[str(one), str(other), times] for (one, other), times in _met(night).items()],
        "seed": secrets.token_hex(16),
    }
    found = draw.answer(given)
    if "error" in found:
        raise Illegal("bad_draw")
    return [[int(pk) for pk in table] for table in found["tables"]], [int(pk) for pk in found["over"]]


def _person(pk: int, rank: int | None, strength: int | None) -> dict[str, Any]:
    numbers = {"rank": rank, "strength": strength}
    return {"player": str(pk), **{name: value for name, value in numbers.items() if value is not None}}


def _ranks(night: Night, game_id: str) -> dict[int, int]:
    """Return the places of tonight's players of a game by their points, 1 first; nobody before the first result."""
    rows = NightTally.objects.filter(night=night, game_id=game_id).values("player").annotate(total=Sum("points"))
    order = sorted(rows, key=lambda row: (-row["total"], row["player"]))
    return {row["player"]: place for place, row in enumerate(order, 1)}


def _ladder(night: Night, game_id: str) -> dict[int, int]:
    """Return the places to which people move after the last round of a game; who was not in it comes last."""
    row = drawn_rounds.last(night, game_id)
    if row is None:
        raise Illegal("no_round")
    return {pk: place for place, pk in enumerate(drawn_rounds.ladder(row), 1)}


def _met(night: Night) -> Counter[tuple[int, int]]:
    """Return how often two people have sat at one table, tonight and at the nights that count beside it."""
    nights = {night.pk, *_nights_beside(night)}
    rows = Seat.objects.filter(~Q(player=None), table__night__in=nights).values_list("table", "player")
    tables: dict[int, list[int]] = {}
    for table, player in rows:
        if player is not None:
            tables.setdefault(table, []).append(player)
    return Counter(pair for seated in tables.values() for pair in combinations(sorted(seated), 2))


def _nights_beside(night: Night) -> list[int]:
    """Return the nights of a night's season, of several the shortest one; without a season the host's last nights."""
    season = next(iter(season_nights.seasons_of(night)), None)
    if season is not None:
        return [placed.night.pk for placed in season_nights.nights_of(season)]
    before = Night.objects.filter(host=night.host, is_practice=False, created_at__lt=night.created_at)
    return list(before.order_by("-created_at").values_list("pk", flat=True)[:PAST_NIGHTS])


@dataclass(frozen=True, slots=True)
class OpenedRound:
    """The round that tables are opened as: the wish that they were drawn by, and when it ends.

    `want` is 0 where a number of tables was wished for.
    """

    want: int
    way: str
    limit: Limit


@transaction.atomic
def open_together(
    night: Night,
    host: Player,
    rules: DrawnRules,
    tables: Sequence[Sequence[int]],
    *,
    form_id: str | None = None,
    as_round: OpenedRound | None = None,
) -> list[Table]:
    """Open a table for each group and seat its people, once for a `form_id`; all of them or none.

    For people without a phone the host accepts the rules card; others accept at the table. Raises as
    `setup.open_table`, `setup.sit` and `form_ids.once`, `bad_draw` for a person at two tables or an empty group, and
    `bad_limit`. The tables are the next round of their game.
    """
    opened: list[Table] = []
    named = [pk for group in tables for pk in group]
    if not tables or not all(tables) or len(set(named)) != len(named):
        raise Illegal("bad_draw")
    as_round = as_round or OpenedRound(max(map(len, tables)), WAYS[0], Limit())
    drawn_rounds.check(as_round.limit)
    drawn = DrawnBy(rules.game_id, rules.preset, rules.rules, as_round.want, as_round.way)

    def open_all() -> None:
        held = row_locks.night(night)
        members = {row.player_id: row for row in people(held)}
        for group in tables:
            table = setup.open_table(held, host, rules.game_id, rules.preset, {}, rules=rules.rules)
            for pk in group:
                _sit(table, members.get(pk), host)
            opened.append(table)
        drawn_rounds.note(held, drawn, as_round.limit, opened)
        events.record(held, "tables_drawn", count=len(tables))

    night_rights.check_host(night, host)
    form_ids.once(host, form_id, ["tables", night.pk, [list(group) for group in tables]], open_all)
    return opened


def _sit(table: Table, member: Membership | None, host: Player) -> None:
    if member is None:
        raise Illegal("no_such_player")
    if member.keeper_id is None:
        setup.sit(table, member.player)
    else:
        setup.sit(table, member.player, accept=True, accepted_by=host)

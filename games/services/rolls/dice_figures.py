"""Figures of dice: counts of how they fell at a table, for a player, and in the whole house.

A table is counted from its log on request. Players and the house have tallies, to which housekeeping adds
each finished table once. For every counted roll as many dice are thrown from the system's randomness, as a
control. Of typed dice a tally holds only their number; practice is in none.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from django.db import transaction
from django.db.models import QuerySet

from games import plugin
from games.kernel.dice import SystemDice
from games.kernel.figures.dice_counts import Counts, counted
from games.kernel.figures.rolls import TYPED
from games.models import CountedTable, DiceTally, Player, Table
from games.ops import logs
from games.services.people import players
from games.services.rolls import roll_files
from games.services.rolls.roll_files import TableRoll

logger = logging.getLogger(__name__)

MOST_A_NIGHT = 2000
"""The most tables counted in one night, newest first: an old house needs several nights to catch up."""


@dataclass(frozen=True, slots=True)
class GameCounts:
    """The counts of one game's dice, and of its control."""

    game_id: str
    counts: Counts
    control: Counts


_Key: TypeAlias = "int | None"
"""A player, None for everybody."""


def of_table(table: Table) -> GameCounts:
    """Return the counts of a table's open rolls, with a control thrown now."""
    return _counts(table.game_id, roll_files.of_table(table, with_trials=True))


def _counts(game_id: str, found: Sequence[TableRoll]) -> GameCounts:
    """Return the counts of rolls; typed rolls count only by their level."""
    drawn = [(one.roll, one.trials) for one in found if one.roll.level != TYPED]
    counts = counted(drawn)
    counts.levels.update(one.roll.level for one in found)
    return GameCounts(game_id, counts, counted(drawn, SystemDice()))


def of_player(player: Player | None) -> list[GameCounts]:
    """Return the counts of a player's rolls, or of everybody's (None), one for each game."""
    rows = DiceTally.objects.filter(player=player)
    games = plugin.all_games()
    return [
        GameCounts(row.game_id, Counts.from_json(row.counts), Counts.from_json(row.control))
        for row in rows.order_by("game_id")
        if row.game_id in games
    ]


def together(found: Sequence[GameCounts]) -> tuple[Counts, Counts]:
    """Return the sums over games: of the counted dice, and of the controls."""
    counts, control = Counts(), Counts()
    for each in found:
        counts.join(each.counts)
        control.join(each.control)
    return counts, control


# The tallies


def waiting() -> QuerySet[Table]:
    """Return the finished tables that are not counted yet; practice is never counted."""
    ended = Table.objects.filter(status=Table.Status.FINISHED, seq__gt=0, night__is_practice=False)
    return ended.filter(counted=None)


def count_new(now: datetime, is_ended: Callable[[], bool] = lambda: False) -> int:
    """Add finished tables to the tallies until `is_ended`; return their number. Failed ones are tried again later."""
    ids = list(waiting().order_by("-pk").values_list("pk", flat=True)[:MOST_A_NIGHT])
    done = 0
    for table_id in ids:
        if is_ended():
            break
        try:
            done += count(table_id)
        except Exception as error:
            logs.log_event(logger, logging.ERROR, "dice_figures", "failed", text=str(table_id), error=error)
    return done


def count(table_id: int) -> bool:
    """Add a finished table to the tallies; tell whether it is new there. Raises Illegal `no_log_file`."""
    table = Table.objects.select_related("night").defer("state").get(pk=table_id)
    found = roll_files.of_table(table, with_trials=True)
    sums = {key: _counts(table.game_id, own) for key, own in _by_player(found).items()}
    with transaction.atomic():
        if not CountedTable.objects.get_or_create(table=table)[1]:
            return False
        # In the same order everywhere, to avoid deadlocks.
        for key in sorted(sums, key=lambda pk: pk or 0):
            _add(key, sums[key])
    return True


def _by_player(found: Sequence[TableRoll]) -> dict[_Key, list[TableRoll]]:
    """Return the rolls of each player, mergers included, and of everybody (None)."""
    ids = {each.thrower.player_id for each in found if each.thrower} - {None}
    today = dict(zip(ids, players.current_players(list(ids)), strict=True))
    own: defaultdict[_Key, list[TableRoll]] = defaultdict(list, {None: list(found)})
    for each in found:
        player = today.get(each.thrower.player_id) if each.thrower else None
        if player is not None:
            own[player.pk].append(each)
    return dict(own)


def _add(key: _Key, more: GameCounts) -> None:
    """Add counts to the tally of a player or of everybody; call in a transaction."""
    tallies = DiceTally.objects.select_for_update()
    key_fields: Any = {"player_id": key, "game_id": more.game_id}
    tally, _ = tallies.get_or_create(**key_fields)
    counts, control = Counts.from_json(tally.counts), Counts.from_json(tally.control)
    counts.join(more.counts)
    control.join(more.control)
    tally.counts, tally.control = counts.to_json(), control.to_json()
    tally.save(update_fields=["counts", "control"])


def join(source: Player, target: Player) -> None:
    """Move the tallies of `source` to `target`; call in the transaction that merges the two players."""
    for row in DiceTally.objects.select_for_update().filter(player=source):
        _add(target.pk, GameCounts(row.game_id, Counts.from_json(row.counts), Counts.from_json(row.control)))
        row.delete()

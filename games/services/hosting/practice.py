"""Practice nights: a player alone against bots. No other player can find one, and it counts nowhere.

A player has at most one open practice night, with one running table: a new one ends the one before.
Its night has no room code and takes in no members; its results are in no tally and in no history.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from games import plugin
from games.kernel.contract import Illegal
from games.models import Membership, Night, Player, Table
from games.services import row_locks, server_time
from games.services.commands import Actor, Request, new_command_id
from games.services.house_rules import offers, sets
from games.services.nights import membership
from games.services.people import players
from games.services.tables import setup
from games.services.tables.commit import submit

IDLE_BEFORE_TAKEN = timedelta(minutes=15)
KEPT_AFTER_CLOSED = timedelta(days=30)
DELETED_AT_ONCE = 20
"""The number of old nights that are deleted when a new one is opened."""


@dataclass(frozen=True, slots=True)
class PracticeWish:
    """A request for a practice table: a preset of a game with changes, the number of bots and their level.

    `is_first` says whether the player takes the first seat; `nonce` is the browser's random number for the dice.
    """

    game_id: str
    preset: str
    changes: Mapping[str, Any]
    level: str
    bots: int = 1
    is_first: bool = True
    nonce: str = ""


def way(game_id: str, practice_id: str) -> plugin.Practice:
    """Return a game's way to play against bots; raises Illegal `no_such_game`, `no_such_preset`."""
    game = plugin.all_games().get(game_id)
    if game is None:
        raise Illegal("no_such_game")
    found = next((each for each in game.practice if each.id == practice_id), None)
    if found is None:
        raise Illegal("no_such_preset")
    return found


@transaction.atomic
def start(player: Player, wish: PracticeWish) -> Table:
    """Open a table against bots in the player's practice night, and start play.

    Raises `banned`, `bad_level`, `missing_level`, `no_such_game`, `no_such_preset`, `too_many_practice`; OptionErrors.
    """
    player = row_locks.present(player)
    players.check_welcome(player)
    terms = offers.Terms(wish.preset, sets.complete(wish.game_id, wish.preset, wish.changes))
    _delete_old()
    _make_room(player)
    night = _night_of(player)
    for table in night.tables.exclude(status=Table.Status.FINISHED):
        _end(table)
    table = setup.open_under(night, player, wish.game_id, terms)
    _seat_all(table, player, wish)
    setup.start(table, player, new_command_id())
    return table


def _seat_all(table: Table, player: Player, wish: PracticeWish) -> None:
    """Seat the player and the bots; the player accepts the rules card by starting."""
    if wish.is_first:
        setup.sit(table, player, accept=True, nonce=wish.nonce, is_adult=True)
    for _bot in range(wish.bots):
        setup.add_bot(table, player, wish.level)
    if not wish.is_first:
        setup.sit(table, player, accept=True, nonce=wish.nonce, is_adult=True)


def running(player: Player | None) -> Table | None:
    """Return the player's running practice table, or None."""
    if player is None:
        return None
    tables = Table.objects.filter(night__is_practice=True, night__host=player).exclude(status=Table.Status.FINISHED)
    return tables.exclude(night__status=Night.Status.CLOSED).order_by("-pk").first()


def _night_of(player: Player) -> Night:
    """Return the player's open practice night with room for another table, or a new one."""
    for night in map(row_locks.night_and_tables, open_nights().filter(host=player).order_by("pk")):
        if night.status == Night.Status.CLOSED:
            continue
        if not settings.TABLES_PER_NIGHT or night.tables.count() < settings.TABLES_PER_NIGHT:
            return night
        membership.close(night, player)
    night = Night.objects.create(
        name=_("Against the computer"), host=player, is_practice=True, code=None, status=Night.Status.LOCKED
    )
    Membership.objects.create(night=night, player=player, joined_at=server_time.now())
    return night


def open_nights() -> QuerySet[Night]:
    """Return the practice nights that are not closed."""
    return Night.objects.filter(is_practice=True).exclude(status=Night.Status.CLOSED)


def _by_rest() -> QuerySet[Night]:
    """Return the open practice nights, longest unused first; `last` is the time of their last entry."""
    last = Coalesce(Max("tables__entries__created_at"), "created_at")
    return open_nights().annotate(last=last).order_by("last").select_related("host")


def _delete_old() -> None:
    """Delete practice nights that were closed more than KEPT_AFTER_CLOSED ago."""
    old = Night.objects.filter(is_practice=True, closed_at__lt=server_time.now() - KEPT_AFTER_CLOSED)
    for night in old.order_by("closed_at")[:DELETED_AT_ONCE]:
        night.delete()


def _make_room(player: Player) -> None:
    """If the house has its maximum of practice nights, close the one that was not used for longest.

    Raises Illegal `too_many_practice` if all of them are in use.
    """
    most = settings.PRACTICE_NIGHTS
    others = _by_rest().filter(~Q(host=player))
    if not most or others.count() < most:
        return
    rested = others.first()
    if rested is None or _last(rested) > server_time.now() - IDLE_BEFORE_TAKEN:
        raise Illegal("too_many_practice", most=most)
    # Another player's start may have closed it while this one waited.
    if row_locks.night_and_tables(rested).status != Night.Status.CLOSED:
        membership.close(rested, rested.host)


def _last(night: Night) -> datetime:
    moment: datetime = night.last  # type: ignore[attr-defined]
    return moment


def _end(table: Table) -> None:
    """End a table that is replaced by another one; one that has not started is deleted."""
    if table.is_running:
        submit(table.pk, Actor(table.night.host_id), Request("table.end", {}, new_command_id()))
    else:
        table.delete()

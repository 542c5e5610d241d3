"""The demo night: for each game a table of bots, one where bots wait for people, and one with real dice.

Its host is never present: the first guest may take over as host.
"""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet

from games import plugin
from games.models import Night, Player, Table
from games.services.commands import new_command_id
from games.services.nights import membership
from games.services.people import players
from games.services.tables import setup

NIGHT_NAME = "Stammtisch"
HOST_ACCOUNT = "demo-host"
MOST_BOTS = 4
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@transaction.atomic
def lay_table() -> Night:
    """Return the open demo night, with a running and a waiting table of each game, and one with real dice.

    The variant of the bots' table comes to an end, so that its log does not grow for ever.
    """
    host = _nobody()
    night = nights().exclude(status=Night.Status.CLOSED).first()
    if night is None:
        night = membership.host_night(host, NIGHT_NAME)
        Night.objects.filter(pk=night.pk).update(host_away_since=_LONG_AGO, host_seen_at=None)
    for game in plugin.all_games().values():
        _lay_for(night, game)
    return night


def nights() -> QuerySet[Night]:
    """Return the demo nights, open and closed."""
    return Night.objects.filter(memberships__player__user__username=HOST_ACCOUNT)


def _lay_for(night: Night, game: plugin.GameConfig) -> None:
    """Open a game's running and waiting tables where they are missing; without bots nothing runs."""
    first = game.options.presets[0].id
    playing, *waiting = (preset or first for preset in game.demo)
    open_tables = night.tables.filter(game_id=game.game_id).exclude(status=Table.Status.FINISHED)
    if game.bot_levels and not open_tables.exclude(status=Table.Status.LOBBY).exists():
        setup.start_by_house(_with_bots(night, game, playing, spare=0), new_command_id())
    for preset in waiting:
        if not open_tables.filter(status=Table.Status.LOBBY, preset=preset).exists():
            _with_bots(night, game, preset, spare=1)


def _nobody() -> Player:
    """Return the demo night's host: a player whose account cannot log in."""
    user, is_new = get_user_model().objects.get_or_create(username=HOST_ACCOUNT, defaults={"is_active": False})
    if is_new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    host = Player.objects.filter(user=user).first()
    if host is None:
        host = players.new_guest(NIGHT_NAME)
        host.user = user
        host.save(update_fields=["user"])
    return host


def _with_bots(night: Night, game: plugin.GameConfig, preset: str, spare: int) -> Table:
    """Open a table with bots of every strength, `spare` seats short of a full demo table."""
    table = setup.open_table(night, night.host, game.game_id, preset, {})
    few, many = setup.seat_bounds(table)
    levels = list(game.offered_levels) if game.takes_bots(table.options) else []
    for index in range(min(many, max(few, MOST_BOTS)) - spare if levels else 0):
        setup.seat_bot(table, levels[-1 - index % len(levels)])
    return table

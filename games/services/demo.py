"""The demo night: bots who play, and a table where bots wait for whoever comes first.

Its host is nobody, gone for ever: the first guest may take over as host.
"""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.auth import get_user_model
from django.db import transaction

from games import plugin
from games.models import Night, Player, Table
from games.services import lobby, people, tables
from games.services.play import new_command_id

NIGHT_NAME = "Stammtisch"
HOST_ACCOUNT = "demo-host"
# What is played where it is installed; else the first preset of the first game.
FAVOURITE = ("chicago", "bavarian")
BOTS_THAT_PLAY, BOTS_THAT_WAIT = 4, 2
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@transaction.atomic
def lay_table() -> Night:
    """Return the open demo night, with a running and a waiting table added where missing."""
    host = _nobody()
    night = (
        Night.objects.filter(memberships__player=host).exclude(status=Night.Status.CLOSED).first()
    )
    if night is None:
        night = lobby.host_night(host, NIGHT_NAME)
        Night.objects.filter(pk=night.pk).update(host_away_since=_LONG_AGO)
    open_tables = night.tables.exclude(status=Table.Status.FINISHED)
    if not open_tables.exclude(status=Table.Status.LOBBY).exists():
        tables.start(_with_bots(night, BOTS_THAT_PLAY), night.host, new_command_id())
    if not open_tables.filter(status=Table.Status.LOBBY).exists():
        _with_bots(night, BOTS_THAT_WAIT)
    return night


def _nobody() -> Player:
    """Return the demo night's host: a player whose account nobody can log in to."""
    user, is_new = get_user_model().objects.get_or_create(
        username=HOST_ACCOUNT, defaults={"is_active": False}
    )
    if is_new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    host = Player.objects.filter(user=user).first()
    if host is None:
        host = people.new_guest(NIGHT_NAME)
        host.user = user
        host.save(update_fields=["user"])
    return host


def _with_bots(night: Night, count: int) -> Table:
    """Open a table of the demo's game with bots of every strength."""
    installed = plugin.all_games()
    game_id, preset = FAVOURITE
    if game_id not in installed:
        game_id = next(iter(installed))
        preset = installed[game_id].options.presets[0].id
    table = tables.open_table(night, night.host, game_id, preset, {})
    levels = list(installed[game_id].bot_levels)
    for index in range(count):
        tables.add_bot(table, night.host, levels[-1 - index % len(levels)])
    return table

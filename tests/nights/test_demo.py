"""The first admin, and the demo night: every game with bots at play and bots that wait."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth import get_user_model

from games import plugin
from games.models import Night, Table
from games.services.clock import clock
from games.services.commands import new_command_id
from games.services.hosting import take_over
from games.services.nights import membership
from games.services.people import players
from games.services.tables import setup
from tests.ops.test_commands import said
from tests.web.pages import browser_of

GAMES = tuple(plugin.all_games())
TABLES = sum(len(game.demo) for game in plugin.all_games().values())


@pytest.mark.django_db
def test_the_admin_is_made_once_with_a_password_of_its_own() -> None:
    printed = said("admin")
    name, password = re.findall(r'"([^"]+)"', printed)
    admin = get_user_model().objects.get(username=name)
    assert admin.is_superuser
    assert admin.check_password(password)
    assert said("admin") == ""


@pytest.mark.django_db
def test_the_demo_night_has_for_each_game_bots_that_play_bots_that_wait_and_real_dice() -> None:
    said("demo")
    night = Night.objects.get()
    for game_id in GAMES:
        found = night.tables.filter(game_id=game_id).values_list("status", flat=True)
        waiting = len(plugin.game(game_id).demo) - 1
        assert sorted(found) == ["lobby"] * waiting + ["playing"]
    assert not night.tables.filter(seats__player__isnull=False).exists()
    said("demo")
    assert Night.objects.get().tables.count() == TABLES
    assert not get_user_model().objects.get(username="demo-host").is_active


@pytest.mark.django_db
def test_whoever_comes_to_the_demo_night_is_told_one_thing_about_its_host() -> None:
    said("demo")
    guest, night = players.new_guest("Kari"), Night.objects.get()
    membership.join(night, guest)
    html = browser_of(guest).get(f"/night/{night.public_id}/").content.decode()
    assert "the host, is not here" in html
    people = html[html.index('id="night-people"') :]
    host, guest_row = people.index("is not here"), people.index("is at the night")
    assert host < guest_row


@pytest.mark.django_db
@pytest.mark.parametrize("game_id", ["chicago", "chouette"])
def test_the_first_guest_takes_the_demo_night_over_and_plays(game_id: str) -> None:
    said("demo")
    guest = players.new_guest("Kari")
    night = membership.find_by_code(Night.objects.get().code)
    membership.join(night, guest)
    take_over.take_over(night, guest)
    waiting = night.tables.filter(status=Table.Status.LOBBY, game_id=game_id)
    table = waiting.exclude(seats=None).order_by("number")[0]
    setup.sit(table, guest, accept=True)
    night.refresh_from_db()
    setup.start(Table.objects.get(pk=table.pk), guest, new_command_id())
    assert clock.pause_hostless() == 0


@pytest.mark.django_db
def test_the_demo_night_is_refilled_when_its_games_are_over_or_it_is_closed() -> None:
    said("demo")
    night = Night.objects.get()
    night.tables.update(status=Table.Status.FINISHED)
    said("demo")
    assert night.tables.count() == 2 * TABLES
    membership.close(Night.objects.get(), night.host)
    said("demo")
    assert Night.objects.get(status=Night.Status.OPEN).tables.count() == TABLES


@pytest.mark.django_db
def test_a_game_without_bots_waits_for_people_at_the_demo_night(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin.game("bluffing"), "bot_levels", {})
    said("demo")
    tables = Night.objects.get().tables.filter(game_id="bluffing")
    assert {table.status for table in tables} == {"lobby"}

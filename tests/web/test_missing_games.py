"""A game that was played here and is not installed any more: what was played stands, and nothing of the house fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from django.apps import apps
from django.core.cache import cache
from django.test import Client
from django.urls import NoReverseMatch, reverse

from games import plugin
from games.management import log_check
from games.models import Membership, Night, Player, Season, Table
from games.services.clock import clock
from games.services.nights import membership
from games.services.tables import setup
from tests.grades.test_every_address import patterns
from tests.seasons import world
from tests.secrecy import listeners
from tests.web.pages import browser_of, night_do, night_page, page_of

pytestmark = pytest.mark.django_db
GAME = "dummygame"


@dataclass
class Evening:
    """A night with a table that has ended, one that is played and one that waits, and a season of their game."""

    night: Night
    host: Player
    season: Season
    ended: Table
    played: Table
    waiting: Table

    @property
    def tables(self) -> tuple[Table, ...]:
        return self.ended, self.played, self.waiting


@pytest.fixture
def evening(night: Night, host: Player, start_table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch) -> Evening:
    """An evening with a game that is gone by now."""
    ended = setup.open_table(night, host, GAME, "quick", {})
    for level in ("low", "wild"):
        setup.add_bot(ended, host, level)
    setup.start(ended, host, "start")
    while clock.run_due():
        pass
    ended.refresh_from_db()
    assert ended.status == Table.Status.FINISHED
    season = world.make(world.account("Olga"), game_id=GAME, unit="points")
    found = Evening(night, host, season, ended, start_table(), setup.open_table(night, host, GAME, "quick", {}))
    monkeypatch.delitem(apps.app_configs, GAME)
    cache.clear()
    return found


def organiser_of(evening: Evening) -> Client:
    """Return the browser of the season's organiser."""
    client = Client()
    client.force_login(evening.season.organiser.user)
    return client


def addresses(evening: Evening) -> Iterator[str]:
    """Yield every address about the evening."""
    values: dict[str, tuple[object, ...]] = {
        "public_id": (evening.night.public_id, evening.season.public_id, *(each.public_id for each in evening.tables)),
        "player_id": (evening.host.pk,),
        "result_id": (evening.ended.results.get().pk,),
        "number": (evening.ended.results.get().pk,),
        "token": (evening.night.token("tv"), evening.night.token("join")),
        "name": ("log.json", "results.csv", "rolls.csv", "night.zip"),
        "game_id": (GAME,),
        "seat": (0,),
    }
    for pattern in patterns():
        names = list(pattern.pattern.converters)
        if set(names) <= set(values):
            for each in product(*(values[name] for name in names)):
                with suppress(NoReverseMatch):
                    yield reverse(str(pattern.name), kwargs=dict(zip(names, each, strict=True)))


@pytest.mark.day(parts=6, turn=4)
def test_no_address_fails(evening: Evening) -> None:
    """What raises here would be an error of the server."""
    host, organiser = browser_of(evening.host), organiser_of(evening)
    asked = list(addresses(evening))
    assert len(asked) > 400
    for where in asked:
        cache.clear()
        listeners.body(organiser if evening.season.public_id in where else host, where)


def test_the_night_its_results_and_its_files_stand(evening: Evening) -> None:
    browser = browser_of(evening.host)
    result = evening.ended.results.get()
    for where in (
        night_page(evening.night),
        reverse("night_results", args=[evening.night.public_id]),
        reverse("player", args=[evening.host.pk]),
        reverse("tv", args=[evening.night.public_id, evening.night.token("tv")]),
        reverse("night_file", args=[evening.night.public_id, "night.zip"]),
    ):
        assert browser.get(where).status_code == 200, where
    season = reverse("season", args=[evening.season.public_id])
    assert organiser_of(evening).get(season).status_code == 200
    assert str(result.lines.first().points) in listeners.body(
        browser, reverse("night_file", args=[evening.night.public_id, "results.csv"])
    )


def test_a_table_of_the_game_is_refused_with_a_sentence_on_every_line(evening: Evening) -> None:
    browser = browser_of(evening.host)
    for table in evening.tables:
        page = browser.get(page_of(table))
        assert page.status_code == 404
        assert "This house has no such game." in page.content.decode()
        told = browser.get(reverse("api_table", args=[table.public_id])).json()
        assert told["code"] == "no_such_game"


def test_the_night_can_be_closed_and_left_and_a_played_table_stays_as_it_is(evening: Evening) -> None:
    guest = Membership.objects.get(night=evening.night, player__nickname="Guest 1").player
    membership.remove(evening.night, evening.host, guest.pk)
    page = browser_of(evening.host).post(night_do(evening.night, "close"))
    assert page.status_code == 302
    evening.night.refresh_from_db()
    before = evening.played.seq, evening.played.state
    evening.played.refresh_from_db()
    assert evening.night.status == Night.Status.CLOSED
    assert (evening.played.seq, evening.played.state, evening.played.status) == (*before, Table.Status.PLAYING)


def test_the_clock_leaves_its_tables_alone_without_an_error(evening: Evening, caplog: pytest.LogCaptureFixture) -> None:
    Table.objects.filter(pk=evening.played.pk).update(due_at="2020-01-01T00:00Z")
    assert clock.run_due() == 1
    assert clock.run_due() == 0
    assert caplog.records == []


def test_the_staff_see_its_tables_and_the_check_of_logs_says_why_they_are_not_checked(
    evening: Evening, django_user_model: Any
) -> None:
    office = Client()
    office.force_login(django_user_model.objects.create_superuser("chief", password="x"))
    for table in evening.tables:
        assert office.get(f"/admin/games/table/{table.pk}/change/").status_code == 200
        assert log_check.faults(table) == [f"the game {GAME} is not installed"]
    assert office.get(f"/admin/games/result/{evening.ended.results.get().pk}/change/").status_code == 200
    for name in ("table", "night", "result"):
        assert office.get(f"/admin/games/{name}/").status_code == 200


def test_what_was_played_is_whole_again_when_the_game_is_back(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    assert GAME in plugin.all_games()
    assert browser_of(evening.host).get(page_of(evening.played)).status_code == 200
    assert [log_check.faults(table) for table in evening.tables] == [[], [], []]

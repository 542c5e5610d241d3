"""Rows that a newer version wrote, of a type that this one does not know: shown as their code, and nothing fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product
from typing import Any

import pytest
from django.core.cache import cache
from django.urls import NoReverseMatch, reverse

from games import plugin
from games.management import log_check
from games.models import Night, NightEvent, Player, SeasonEvent, Table
from games.services.clock import clock
from games.services.logs import event_texts
from games.services.tables import log, setup
from tests.grades.test_every_address import patterns
from tests.live.wire import connect, in_thread
from tests.seasons import world
from tests.secrecy import listeners
from tests.web.pages import browser_of

TYPES = ("rows_of_2_0", "table.rows_of_2_0")
"""One of a game, and one of the house."""


def planted(table: Table) -> Table:
    """Add events of unknown types to the last entry of a table's log."""
    entry = table.entries.latest("seq")
    entry.events = [*entry.events, *({"type": each, "data": {"seat": 0, "name": ["Ola"]}, "v": 3} for each in TYPES)]
    entry.save(update_fields=["events"])
    log.forget_all()
    cache.clear()
    return table


@pytest.fixture
def tables(night: Night, host: Player, start_table: Callable[..., Table]) -> tuple[Table, Table]:
    """A table that has ended, and one that is played, with rows of a newer version; so has the night."""
    ended = setup.open_table(night, host, "dummygame", "quick", {})
    for level in ("low", "wild"):
        setup.add_bot(ended, host, level)
    setup.start(ended, host, "start")
    while clock.run_due():
        pass
    ended.refresh_from_db()
    assert ended.status == Table.Status.FINISHED
    NightEvent.objects.create(night=night, type="rows_of_2_0", data={"name": ["Ola"], "count": "many"})
    return planted(ended), planted(start_table())


def addresses(night: Night, ended: Table, played: Table) -> Iterator[str]:
    """Yield every address about the night and its tables."""
    values: dict[str, tuple[object, ...]] = {
        "public_id": (night.public_id, ended.public_id, played.public_id),
        "token": (night.token("tv"),),
        "name": ("log.json", "log.txt", "results.csv", "rolls.csv", "levels.csv", "night.zip"),
        "seat": (0,),
    }
    for pattern in patterns():
        names = list(pattern.pattern.converters)
        if "public_id" in names and set(names) <= set(values):
            for each in product(*(values[name] for name in names)):
                with suppress(NoReverseMatch):
                    yield reverse(str(pattern.name), kwargs=dict(zip(names, each, strict=True)))


@pytest.mark.django_db
@pytest.mark.day(parts=4, turn=2)
def test_no_address_of_a_night_fails_by_them(night: Night, host: Player, tables: tuple[Table, Table]) -> None:
    browser = browser_of(host)
    asked = list(addresses(night, *tables))
    assert len(asked) > 100
    for where in asked:
        cache.clear()
        listeners.body(browser, where)


@pytest.mark.django_db
def test_a_tables_pages_files_and_api_show_their_code(night: Night, host: Player, tables: tuple[Table, Table]) -> None:
    browser = browser_of(host)
    for table in tables:
        for name, args in (
            ("table", [table.public_id]),
            ("table_live", [table.public_id]),
            ("tv", [night.public_id, night.token("tv")]),
            ("night_results", [night.public_id]),
            ("night_file", [night.public_id, "night.zip"]),
        ):
            assert browser.get(reverse(name, args=args)).status_code in (200, 204), name
        entries = browser.get(f"/api/v1/tables/{table.public_id}/events/?after={table.seq - 1}").json()["entries"]
        assert [each["text"] for each in entries[-1]["events"] if each["type"] in TYPES] == list(TYPES)
        assert log_check.faults(table) == []
    ended, _played = tables
    for name in ("replay", "table_log"):
        assert browser.get(reverse(name, args=[ended.public_id])).status_code == 200, name
    assert "rows_of_2_0" in listeners.body(browser, reverse("table_log", args=[ended.public_id]))
    assert "rows_of_2_0" in browser.get(reverse("night", args=[night.public_id])).content.decode()


@pytest.mark.django_db(transaction=True)
async def test_a_socket_sends_them_and_goes_on(night: Night, host: Player, start_table: Callable[..., Table]) -> None:
    table = await in_thread(lambda: planted(start_table()))
    player, screen = await connect(table, host), await connect(table, tv=(night,))
    for wire in (player, screen):
        welcome = await wire.hello(0)
        sent = {event["type"] for frame in (welcome, await wire.any()) for event in events_of(frame)}
        assert set(TYPES) <= sent or not sent
        await wire.leave()


def events_of(frame: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the events of the entries in a frame."""
    for entry in [frame, *frame.get("entries", ())]:
        yield from entry.get("events", ())


@pytest.mark.django_db
def test_a_season_shows_their_code_on_its_page_and_in_the_api() -> None:
    host = world.account("Hanna")
    season = world.make(host)
    SeasonEvent.objects.create(season=season, type="rows_of_2_0", data={"name": ["Ola"], "day": 7})
    browser = browser_of(host)
    browser.force_login(host.user)
    for name in ("season", "season_live", "season_csv", "season_figures", "api_season", "api_season_figures"):
        assert browser.get(reverse(name, args=[season.public_id])).status_code in (200, 204), name
    assert "rows_of_2_0" in browser.get(reverse("season", args=[season.public_id])).content.decode()


@pytest.mark.parametrize("game", ["chicago", "chouette", "dummygame"])
def test_events_that_say_nothing_say_nothing_and_unknown_ones_their_code(game: str) -> None:
    known = event_texts.sentences_of(game)["events"]
    assert set(plugin.game(game).rules.events.kinds) <= set(known)
    silent = [name for name, manner in known.items() if not manner.get("line")]
    events = [{"type": name, "data": {}} for name in (*silent, *TYPES)]
    assert event_texts.texts(game, {}, events, {}) == ["" for _ in silent] + list(TYPES)
    assert event_texts.texts(game, {}, [{"type": "rows_of_2_0"}], {}) == [""], "it is hidden from this reader"

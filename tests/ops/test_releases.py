"""Each release plays on while this version prepares its house, and this one goes on where it was."""

from __future__ import annotations

import asyncio
import json
import random
import time
import urllib.request
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from games.version import version
from tests.faults.houses import databases
from tests.faults.houses.clients import Player
from tests.ops.releases import RELEASES, Release, ReleasedHouse
from tests.server import Server

pytestmark = [pytest.mark.server, pytest.mark.timeout(300)]
EVENINGS = [
    pytest.param("1.0.0", "sqlite", marks=pytest.mark.day(parts=11, turn=2)),
    pytest.param("1.0.0", "postgresql", marks=[pytest.mark.day(parts=11, turn=8), pytest.mark.scaled]),
    pytest.param("1.1.0", "sqlite", marks=pytest.mark.day(parts=11, turn=5)),
    pytest.param("1.1.0", "postgresql", marks=[pytest.mark.day(parts=11, turn=10), pytest.mark.scaled]),
]
"""Releases and database engines, by turns."""
MORE = 4
"""The entries by which each table has to go on in each part of the evening."""

# The services of a release, as its processes call them.
NIGHT = """
import json
from tests.faults.houses import world
specs = [
    {"game": "chicago", "preset": "classic", "seats": 2, "changes": {"rounds": 0}},
    {"game": "chouette", "preset": "german", "seats": 3},
]
print(json.dumps(world.make(specs)))
"""
GOES_ON = """
from django.contrib.auth.models import User
from games.models import GameGrades, House, Night, Player, Result, Season, Table
from games.models.night import today
from games.services.nights import membership
from games.services.people import deletion, players
from games.services.tables import setup
from games.services.tables.commit import submit
host, guest = players.new_guest("Hanna"), players.new_guest("Gast")
night = membership.host_night(host, "After the steps")
set_wifi(night, host, "Pub", "only tonight")
membership.join(night, guest)
table = setup.open_table(night, host, "chouette", "match", {"match_length": 1})
for player in (host, guest):
    setup.sit(table, player, accept=True, nonce="nonce")
setup.start(table, host, new_command_id())
submit(table.pk, Actor(guest.pk), Request("table.leave", {}, new_command_id()))
table.refresh_from_db()
assert table.status == "finished", table.status
Season.objects.create(name="Of before", game_id="chicago", first_day=today(), last_day=today())
House.objects.all().delete()
House.objects.create(pk=1, name="Of before")
deletion.delete(players.new_guest("Goes"))
"""
NAMES = {
    "1.0.0": """
from games.services.nights.membership import set_wifi
from games.services.tables.commands import Actor, Request, new_command_id
""",
    "1.1.0": """
from games.services.commands import Actor, Request, new_command_id
from games.services.nights.wifi import set_of_night as set_wifi
""",
}
"""Where a release has what `GOES_ON` calls."""
COMPLETED = """
from games.models import Match, Night
from games.services.clock import housekeeping
from games.services.nights import wifi
night = Night.objects.get(name="After the steps")
housekeeping.run(names=housekeeping.AFTER_UPGRADE)
night.refresh_from_db()
print(wifi.of(night).password, repr(night.wifi_password), Match.objects.get(table__night=night).winner.nickname)
"""


@pytest.fixture
def address(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """The environment of a house on a database of its own."""
    with databases.fresh() if request.param == "postgresql" else nullcontext() as made:
        yield {"DATABASE_URL": made.url} if made else {}


class Evening:
    """Two at each table, who play as the page does, from one version to the next."""

    def __init__(self, made: list[dict[str, Any]], url: str) -> None:
        self.cookie = made[0]["players"][0]["cookies"][0]
        self.table = made[0]["table"]
        self.players = [
            Player(
                [url], each["table"], player["cookies"][0], who=player["id"], rng=random.Random(7 + number), pace=0.02
            )
            for each in made
            for number, player in enumerate(each["players"])
        ]

    async def goes_on(self) -> None:
        """Wait until each table has gone on."""
        before = [player.seq for player in self.players]
        until = time.monotonic() + 60
        while any(now.seq < seq + MORE for now, seq in zip(self.players, before, strict=True)):
            assert time.monotonic() < until, [
                (each.seq, each.status, each.choices, each.journal) for each in self.players
            ]
            await asyncio.sleep(0.05)

    async def plays(self, old: ReleasedHouse, new: Server, acts: str) -> None:
        """Play under a release, with acts of its services, while the house is prepared, and after it."""
        lives = [asyncio.create_task(player.live()) for player in self.players]
        try:
            await self.goes_on()
            preparing = asyncio.create_task(asyncio.to_thread(new.manage, "prepare"))
            while not preparing.done():
                await self.goes_on()
            await preparing
            await self.goes_on()
            await asyncio.to_thread(self.pages_answer, old)
            await asyncio.to_thread(old.manage, "shell", "-c", acts)
            old.stop()
            await asyncio.to_thread(new.start)
            await self.goes_on()
            await asyncio.to_thread(self.pages_answer, new)
        finally:
            for each in lives:
                each.cancel()
            await asyncio.gather(*lives, return_exceptions=True)

    def pages_answer(self, server: Server) -> None:
        """Ask the pages of a night as one of its people."""
        for path in ("/", "/me/", f"/table/{self.table}/"):
            request = urllib.request.Request(f"{server.url}{path}", headers={"Cookie": self.cookie})
            with urllib.request.urlopen(request, timeout=30) as answer:
                assert answer.status == 200, path


@pytest.mark.parametrize(("release", "address"), EVENINGS, indirect=["address"])
def test_a_night_of_a_release_goes_on_through_the_upgrade(
    tmp_path: Path, release: str, address: dict[str, str]
) -> None:
    old = ReleasedHouse(RELEASES[release], tmp_path, **address)
    old.manage("prepare")
    evening = Evening(json.loads(old.manage("shell", "-c", NIGHT).splitlines()[-1]), old.url)
    new = Server(tmp_path, **address)
    new.port, new.url, new.environment["PUBLIC_URL"] = old.port, old.url, old.url
    old.start()
    try:
        asyncio.run(evening.plays(old, new, NAMES[release] + GOES_ON))
        assert new.manage("shell", "-v", "0", "-c", COMPLETED).split() == ["only", "tonight", "''", "Hanna"]
        assert "no fault" in new.manage("check_logs")
        assert "OperationalError" not in old.output() and "ProgrammingError" not in old.output()
        with urllib.request.urlopen(f"{new.url}/healthz", timeout=20) as answer:
            assert json.load(answer)["version"] == version()
    finally:
        old.stop()
        new.stop()


@pytest.mark.parametrize("release", RELEASES.values(), ids=RELEASES)
def test_each_release_is_the_one_that_the_page_on_releases_names(release: Release) -> None:
    steps = sorted(path.stem for path in release.sources().glob("games/migrations/0*.py"))
    assert steps[-1] == release.last_step

"""Lists of the API: in pages, filtered as asked, by few queries, and none of it to strangers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoDbBlocker

from games.models import Membership, Night, Player, Result, ResultLine, Venue
from games.services.history import corrections
from games.services.nights import membership
from tests import database, years
from tests.web.pages import browser_of

pytestmark = pytest.mark.stores

MOST_QUERIES = 10
PAGES = {
    "/api/nights/": "name",
    "/api/results/": "id",
    "/api/players/": "id",
    "/api/leaderboards/?game=chouette": "place",
}


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    cache.clear()


@pytest.fixture(scope="module")
def _years(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[list[Player]]:
    with django_db_blocker.unblock(), database.undone():
        found = years.players(30)
        years.years(600, found)
        Player.objects.update(is_listed=True)
        yield found


@pytest.fixture
def people(_years: list[Player], django_db_blocker: DjangoDbBlocker) -> Iterator[list[Player]]:
    """Thirty players with 600 results among them; the first one hosted all the nights.

    They are made once for the module; what a test changes is undone.
    """
    with django_db_blocker.unblock(), database.undone():
        yield list(Player.objects.filter(pk__in=[player.pk for player in _years]).order_by("pk"))


@pytest.fixture
def asking(people: list[Player]) -> Client:
    return browser_of(people[0])


def rows(client: Client, path: str, **query: Any) -> list[dict[str, Any]]:
    """Return all rows of a list, page by page."""
    found: list[dict[str, Any]] = []
    path, _, asked = path.partition("?")
    page = client.get(path, {**QueryDict(asked).dict(), **query, "page_size": 100}).json()
    while True:
        found += page["results"]
        if page["next"] is None:
            return found
        page = client.get(page["next"]).json()


def test_pages_hold_every_row_once(asking, people):
    assert [row["id"] for row in rows(asking, "/api/results/")] == list(
        Result.objects.order_by("-finished_at", "-pk").values_list("pk", flat=True)
    )
    assert len(rows(asking, "/api/nights/")) == Night.objects.count()
    assert [row["id"] for row in rows(asking, "/api/players/")] == list(
        Player.objects.order_by("nickname", "pk").values_list("pk", flat=True)
    )
    mine = rows(asking, f"/api/players/{people[3].pk}/results/", ordering="finished_at")
    lines = ResultLine.objects.filter(player=people[3])
    assert sorted(row["points"] for row in mine) == sorted(lines.values_list("points", flat=True))
    times = [row["result"]["finished_at"] for row in mine]
    assert times == sorted(times)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_at_most_100_rows_and_25_unless_asked(asking, path):
    more = "&" if "?" in path else "?"
    everything = len(rows(asking, path))
    assert len(asking.get(path).json()["results"]) == min(25, everything)
    assert len(asking.get(f"{path}{more}page_size=7").json()["results"]) == 7
    for size in ("101", "0", "-1", "x", "1.5", "²", ""):
        refused = asking.get(f"{path}{more}page_size={size}")
        assert (refused.status_code, refused.json()["code"]) == (400, "bad_field")
        assert list(refused.json()["fields"]) == ["page_size"]


def test_a_cursor_or_a_page_that_is_none_is_not_found(asking):
    for path in (
        "/api/results/?cursor=xyz",
        "/api/results/?cursor=cD1hYmM=",
        "/api/nights/?cursor=ä",
        "/api/players/?page=99",
    ):
        answer = asking.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path


@pytest.mark.parametrize("path", [*PAGES, "/api/house-rules/", "/api/venues/", "/api/me/"])
def test_what_an_address_does_not_know_is_refused(asking, path):
    more = "&" if "?" in path else "?"
    refused = asking.get(f"{path}{more}colour=red")
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown_param")
    assert "colour" in refused.json()["message"]
    twice = asking.get(f"{path}{more}page=1&page=2")
    assert twice.status_code == 400


@pytest.mark.parametrize(
    "query",
    [
        "game=skat",
        "preset=none",
        "unit=beer",
        "venue=A!",
        "player=x",
        "player=-1",
        "since=2026-13-01",
        "since=1.2.2026",
        "until=tomorrow",
        "corrections=yes",
        "ordering=points",
        "night=",
    ],
)
def test_a_filter_that_makes_no_sense_is_refused_and_not_ignored(asking, query):
    refused = asking.get(f"/api/results/?{query}")
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_field")
    assert list(refused.json()["fields"]) == [query.split("=")[0]]


def test_results_are_filtered_as_asked(asking, people):
    result = Result.objects.first()
    corrections.correct(result, people[0], {0: 2, 1: -2}, "Booked wrongly")
    venue = Venue.objects.first()
    day = result.finished_at.date()
    wanted = {
        ("game", "chouette"): Result.objects.all(),
        ("game", "chicago"): Result.objects.none(),
        ("venue", venue.public_id): Result.objects.filter(table__night__venue=venue),
        ("night", result.table.night.public_id): Result.objects.filter(table__night=result.table.night),
        ("table", result.table.public_id): result.table.results.all(),
        ("player", people[5].pk): Result.objects.filter(lines__player=people[5]),
        ("since", day): Result.objects.filter(finished_at__date__gte=day),
        ("until", day): Result.objects.filter(finished_at__date__lte=day),
        ("corrections", "only"): Result.objects.filter(is_correction=True),
        ("corrections", "without"): Result.objects.filter(is_correction=False),
    }
    for (name, value), expected in wanted.items():
        found = {row["id"] for row in rows(asking, "/api/results/", **{name: value})}
        assert found == set(expected.values_list("pk", flat=True)), name
    (row,) = rows(asking, "/api/results/", corrections="only")
    assert (row["note"], row["by"], row["corrects"]) == (
        "Booked wrongly", people[0].nickname, result.pk,
    )  # fmt: skip


def test_a_players_figures_are_those_of_the_lines(asking, people):
    player = people[7]
    (record,) = asking.get(f"/api/players/{player.pk}/").json()["records"]
    lines = ResultLine.objects.filter(player=player)
    assert record["played"] == lines.count()
    assert record["points"] == sum(lines.values_list("points", flat=True))
    assert record["roles"]["as_box"]["played"] == lines.filter(seat=0).count()
    rivals = asking.get(f"/api/players/{player.pk}/rivals/").json()["rivals"]
    other = rivals[0]
    both = Result.objects.filter(lines__player=player).filter(lines__player=other["player"])
    assert other["games"] == both.count()
    few = asking.get(f"/api/players/{player.pk}/", {"opponent": other["player"]}).json()
    assert few["records"][0]["played"] == both.count()


def test_places_on_a_leaderboard_count_equals_once(asking):
    found = rows(asking, "/api/leaderboards/", game="chouette", ordering="played")
    for place, row in enumerate(found, start=1):
        better = sum(other["played"] > row["played"] for other in found)
        assert row["place"] == 1 + better <= place


ADDRESSES = (
    "nights/", "nights/{night}/", "nights/{night}/people/", "nights/{night}/tables/",
    "nights/{night}/leaderboard/", "nights/{night}/files/", "results/", "results/?player={player}",
    "results/?night={night}", "players/", "players/{player}/", "players/{player}/results/",
    "players/{player}/rivals/", "leaderboards/?game=chouette", "house-rules/", "games/", "me/",
    "venues/",
)  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_list_costs_more_than_ten_queries(asking, people, address):
    night = Night.objects.first()
    Membership.objects.bulk_create((Membership(night=night, player=p) for p in people[1:]), ignore_conflicts=True)
    path = "/api/" + address.format(night=night.public_id, player=people[1].pk)
    asking.get(path)
    with CaptureQueriesContext(connection) as queries:
        assert asking.get(path).status_code == 200
    assert len(queries) <= MOST_QUERIES, [query["sql"][:120] for query in queries]


def test_another_ones_night_is_in_no_list(people):
    stranger = Player.objects.create(nickname="Stranger")
    membership.host_night(stranger, "Elsewhere")
    client, night = browser_of(stranger), Night.objects.exclude(host=stranger).first()
    assert [row["name"] for row in rows(client, "/api/nights/")] == ["Elsewhere"]
    assert rows(client, "/api/results/") == []
    assert rows(client, "/api/results/", player=people[0].pk) == []
    for path in ("", "people/", "tables/", "leaderboard/", "files/", "files/results.csv"):
        refused = client.get(f"/api/nights/{night.public_id}/{path}")
        assert (refused.status_code, refused.json()["code"]) == (403, "not_inside")
    refused = client.get("/api/results/", {"night": night.public_id})
    assert (refused.status_code, refused.json()["code"]) == (403, "not_inside")
    assert client.get("/api/results/", {"night": "nothing"}).status_code == 404


def test_the_room_code_is_told_to_who_is_in_alone(asking, settings):
    settings.NIGHTS_PER_HOST = 0
    mine = membership.host_night(Player.objects.first(), "Mine")
    got = browser_of(mine.host).get(f"/api/nights/{mine.public_id}/").json()
    assert got["code"] == mine.code
    assert all("code" not in row for row in rows(browser_of(mine.host), "/api/nights/"))

"""History: a player's page adds up, is filtered, and costs few queries."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Player, Result, ResultLine, Tally, Venue
from games.services.history import corrections, leaderboards, player_history, tallies
from games.services.history.leaderboards import Board
from games.services.history.player_history import Filters
from games.web import charts
from tests import years
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db

MOST_QUERIES = 10
BOARD = Board("chouette", "points")


@pytest.fixture
def people() -> list[Player]:
    """Twelve players with 200 results among them."""
    found = years.players(12)
    Player.objects.update(is_listed=True)
    years.years(200, found)
    return found


def lines(player: Player) -> list[ResultLine]:
    """Return a player's lines, oldest first."""
    rows = ResultLine.objects.filter(player=player).select_related("result__table__night")
    return list(rows.order_by("result__finished_at", "pk"))


def test_a_record_is_what_the_lines_add_up_to(people: list[Player]) -> None:
    for player in people:
        mine = lines(player)
        (record,) = player_history.records(player_history.lines_of(player, Filters()))
        assert record.points == sum(line.points for line in mine)
        assert record.played == sum(map(tallies.has_played, mine))
        assert record.won == sum(map(tallies.has_won, mine))
        assert record.stats["luck"] == sum(line.stats["luck"] for line in mine)
        assert sum(role.played for role in record.roles.values()) == len(mine)
        assert sum(role.points for role in record.roles.values()) == record.points
        assert [step.total for step in record.steps][-1] == record.points
        wins = "".join("W" if tallies.has_won(line) else "-" for line in mine)
        assert record.longest == max(map(len, wins.split("-")))
        assert max(record.streak, 0) == len(wins) - len(wins.rstrip("W"))


def test_a_correction_moves_points_and_is_no_game(people: list[Player]) -> None:
    result = Result.objects.first()
    first, second = result.lines.all()[:2]
    (before,) = player_history.records(player_history.lines_of(first.player, Filters()))
    corrections.correct(result, people[0], {first.seat: 3, second.seat: -3}, "Booked wrongly")
    (after,) = player_history.records(player_history.lines_of(first.player, Filters()))
    assert after.points == before.points + 3
    assert (after.played, after.won, after.longest) == (before.played, before.won, before.longest)


def test_head_to_head_counts_games_together(people: list[Player]) -> None:
    player = people[3]
    met = player_history.rivals(player, player_history.lines_of(player, Filters()))
    for rival in met:
        together = [(line, line.result.lines.filter(player=rival.player_id).first()) for line in lines(player)]
        pairs = [(mine, theirs) for mine, theirs in together if theirs]
        assert rival.games == len(pairs)
        assert rival.ahead == sum(mine.rank < theirs.rank for mine, theirs in pairs)
        assert rival.behind == sum(mine.rank > theirs.rank for mine, theirs in pairs)
        assert rival.points == sum(mine.points for mine, _ in pairs)
    assert player.pk not in {rival.player_id for rival in met}


def test_each_filter_lets_through_what_it_says(people: list[Player]) -> None:
    player, venue = people[5], Venue.objects.first()
    mine = lines(player)
    rival = player_history.rivals(player, player_history.lines_of(player, Filters()))[0].player_id
    day = mine[len(mine) // 2].result.finished_at.date()
    expected = {
        Filters(venue=venue.pk): [m for m in mine if m.result.table.night.venue_id == venue.pk],
        Filters(game="chicago"): [],
        Filters(preset="german"): mine,
        Filters(preset="club"): [],
        Filters(opponent=rival): [m for m in mine if m.result.lines.filter(player=rival).exists()],
        Filters(since=day): [m for m in mine if m.result.finished_at.date() >= day],
        Filters(until=day): [m for m in mine if m.result.finished_at.date() <= day],
        Filters(since=day, until=date(2019, 1, 1)): [],
    }
    for filters, wanted in expected.items():
        found = set(player_history.lines_of(player, filters).values_list("pk", flat=True))
        assert found == {line.pk for line in wanted}, filters


def cost(queries: CaptureQueriesContext) -> int:
    """Return the number of a page's queries, without the row of the house (read once a second)."""
    return sum(not re.search("games_house|SAVEPOINT", query["sql"]) for query in queries)


@pytest.mark.parametrize("query", ["", "?page=2", "?opponent=2&venue=1", "?since=nonsense&page=x"])
def test_a_players_page_costs_few_queries(people: list[Player], query: str) -> None:
    client = browser_of(people[0])
    with CaptureQueriesContext(
        connection,
    ) as queries:
        answer = client.get(f"/player/{people[1].pk}/{query}")
    assert answer.status_code == 200
    assert cost(queries) <= MOST_QUERIES


def test_leaderboards_are_in_order_and_cost_few_queries(people: list[Player]) -> None:
    client = browser_of(people[0])
    for address in ("/leaders/", "/leaders/?order=played&page=2", "/players/", "/players/?q=a"):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        assert cost(queries) <= MOST_QUERIES, address
    points = [tally.points for tally in leaderboards.rows(BOARD)]
    assert points == sorted(points, reverse=True) and len(points) == 12
    for tally in leaderboards.rows(BOARD):
        assert leaderboards.place(BOARD, tally) == 1 + sum(p > tally.points for p in points)


def test_leaderboards_open_on_the_game_that_was_played_last(people: list[Player]) -> None:
    def opened(query: str = "") -> tuple[str, str]:
        board = browser_of(people[0]).get(f"/leaders/{query}").context["board"]
        return board.game_id, board.unit

    assert opened() == ("chouette", "points")
    last = Result.objects.order_by("-finished_at", "-pk").first()
    Result.objects.filter(pk=last.pk).update(game_id="chicago", unit="rounds")
    assert opened() == ("chicago", "rounds")
    assert opened("?game=nothing&order=played") == ("chicago", "rounds")
    assert opened("?game=chouette") == ("chouette", "points")
    Result.objects.filter(pk=last.pk).update(game_id="chicago", unit="forfeits")
    assert opened() == ("chicago", "forfeits")
    Result.objects.all().delete()
    assert browser_of(people[0]).get("/leaders/").status_code == 200


def test_a_venues_board_counts_what_was_played_there(people: list[Player]) -> None:
    for venue in Venue.objects.all():
        for tally in leaderboards.rows(Board("chouette", "points", venue)):
            there = [ln for ln in lines(tally.player) if ln.result.table.night.venue == venue]
            assert (tally.points, tally.played) == (sum(ln.points for ln in there), len(there))


def test_where_few_points_are_good_the_fewest_lead(people: list[Player]) -> None:
    Tally.objects.update(game_id="chicago", unit="rounds")
    points = [tally.points for tally in leaderboards.rows(Board("chicago", "rounds"))]
    assert points == sorted(points)
    tallies.rebuild()


def test_strangers_to_the_house_browse_nothing(people: list[Player]) -> None:
    stranger = Player.objects.create(nickname="Stranger")
    addresses = ("/leaders/", "/players/", f"/player/{people[1].pk}/")
    assert [browser_of().get(address).status_code for address in addresses] == [403, 403, 403]
    assert browser_of(stranger).get(addresses[2]).status_code == 403
    for address in addresses[:2]:
        told = browser_of(stranger).get(address).content.decode()
        assert "They open with your first night here" in told
        assert not any(person.nickname in told for person in people)
    assert browser_of(stranger).get(f"/player/{stranger.pk}/").status_code == 200


def test_a_chart_keeps_its_first_and_last_value_however_long() -> None:
    assert charts.line([5]) is None
    values = list(range(10_000))
    shown = charts.thinned(values)
    assert len(shown) == charts.MOST_POINTS
    assert (shown[0], shown[-1]) == (0, 9_999)
    chart = charts.line([3, -2, 7])
    assert chart is not None and chart.last == 7
    assert [mark.value for mark in chart.marks] == [7, -2]

"""What a page costs does not grow with the results: the same queries, rows and bytes for ten times as many."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection
from django.db.models.signals import post_init
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Night, Player, Result, ResultLine, Table, house
from games.services.history import exports, player_history, score_sheets, tallies
from games.services.history.exports import File
from games.streams import Stream, download
from tests import years
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
FEW, MANY = 300, 3000


@dataclass
class Evening:
    """A night of so many results, and somebody who had a part in all of them."""

    night: Night
    player: Player

    @property
    def addresses(self) -> list[str]:
        """The pages that go over its results."""
        night, player = self.night.public_id, self.player.pk
        return [
            f"/night/{night}/",
            f"/night/{night}/results/",
            f"/api/nights/{night}/leaderboard/",
            f"/api/nights/{night}/files/",
            f"/player/{player}/",
            f"/player/{player}/?page=3",
            f"/player/{player}/?since=2020-01-01",
            f"/api/players/{player}/",
            f"/api/players/{player}/results/",
            f"/api/players/{player}/rivals/",
            "/api/results/",
            "/leaders/",
            "/players/",
        ]


def evening(results: int) -> Evening:
    """Make a night."""
    people = years.players(4)
    return Evening(years.long_night(results, people, a_table=10), people[1])


@dataclass
class Work:
    """What a page took."""

    queries: int
    rows: int
    length: int


def work(client: Client, path: str) -> Work:
    """Ask for a page; return what it took: rows are those that became objects."""
    made = []

    def note(sender: Any, **kwargs: Any) -> None:
        if sender in (Result, ResultLine, Table):
            made.append(sender)

    post_init.connect(note)
    try:
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(path)
    finally:
        post_init.disconnect(note)
    assert answer.status_code == 200, path
    return Work(len(queries), len(made), len(answer.content))


@pytest.mark.day(parts=6, turn=2)
def test_ten_times_the_results_cost_the_same_queries_rows_and_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    # The house's row is read once a second for all pages together: here once.
    monkeypatch.setattr(house, "KEPT_SECONDS", 3600.0)
    house.facts()
    small, large = evening(FEW), evening(MANY)
    for few, many in zip(small.addresses, large.addresses, strict=True):
        one, other = work(browser_of(small.player), few), work(browser_of(large.player), many)
        assert other.queries <= one.queries + 1, many
        assert other.rows <= one.rows + 10, many
        assert other.length <= one.length * 1.3 + 500, many
        assert other.rows <= 700, many


@pytest.mark.day(parts=6, turn=5)
def test_a_nights_page_shows_finished_tables_a_page_at_a_time(night: Night, host: Player) -> None:
    options = years.plugin.game("chouette").options.values("german")
    Table.objects.bulk_create(
        Table(night=night, number=n, game_id="chouette", preset="german", options=options, status="finished")
        for n in range(1, 46)
    )
    pages = [browser_of(host).get(f"/night/{night.public_id}/", {"finished": n}) for n in (1, 3)]
    assert [page.content.decode().count("table-card") for page in pages] == [20, 5]
    assert "45 finished tables" in pages[0].content.decode()
    assert f"/night/{night.public_id}/live/?finished=3" in pages[1].content.decode()


@pytest.mark.day(parts=6)
def test_the_newest_games_of_a_sheet_are_shown_first_and_all_can_be_reached() -> None:
    made = evening(FEW)
    where = f"/night/{made.night.public_id}/results/"
    newest, oldest = (browser_of(made.player).get(where, query) for query in ({}, {"chouette-points": "1"}))
    assert len(newest.context["sheets"][0]["games"]) == 100
    shown = [page.context["sheets"][0]["games"] for page in (newest, oldest)]
    assert shown[0][-1]["result"] == Result.objects.order_by("finished_at", "pk").last()
    assert shown[1][0]["result"] == Result.objects.order_by("finished_at", "pk").first()
    assert newest.context["sheets"][0]["totals"] == oldest.context["sheets"][0]["totals"]


@pytest.mark.day(parts=6, turn=3)
def test_the_sums_of_a_sheet_are_those_of_its_lines() -> None:
    made = evening(FEW)
    (sheet,) = score_sheets.sheets(made.night)
    games = score_sheets.games(made.night, sheet)
    for column, who in enumerate(sheet.people):
        lines = [game.lines[column] for game in games if game.lines[column] is not None]
        assert sheet.totals[column] == sum(line.points for line in lines)
        assert sheet.won[column] == sum(tallies.has_won(line) for line in lines)
        assert sheet.played[column] == sum(tallies.has_played(line) for line in lines)
        assert sheet.course[column][-1] == sheet.totals[column]
        assert who.player_id is not None
    assert sheet.length == len(games) == FEW
    assert len(sheet.course[0]) <= score_sheets.STEPS


@pytest.mark.day(parts=6, turn=4)
def test_a_history_is_told_in_so_many_steps_that_end_at_the_sum() -> None:
    made = evening(MANY)
    lines = player_history.lines_of(made.player, player_history.Filters())
    (record,) = player_history.records(lines)
    newest = list(
        lines.order_by("-result__finished_at", "-pk").values_list("points", flat=True)[: player_history.LATEST]
    )
    assert record.count == record.played == MANY
    assert len(record.steps) <= score_sheets.STEPS + player_history.LATEST + 1
    assert record.steps[-1].total == record.points
    assert [step.points for step in record.steps[: -player_history.LATEST - 1 : -1]] == newest


@pytest.mark.day(parts=6, turn=1)
@pytest.mark.parametrize("name", ["results.csv", "night.zip", "sheet-chouette-points.csv"])
def test_a_file_is_made_while_it_is_sent(name: str) -> None:
    made = evening(MANY)
    lines = 0

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal lines
        # A chunk of results, each with the lines of four people.
        lines += 4 * score_sheets.CHUNK * ('FROM "games_resultline"' in sql and " IN (" in sql)
        return execute(sql, params, many, context)

    answer = browser_of(made.player).get(reverse("night_file", args=[made.night.public_id, name]))
    assert answer.streaming
    with connection.execute_wrapper(note):
        pieces = iter(answer)
        first = next(pieces)
        so_far = lines
        whole = first + b"".join(pieces)
    assert so_far <= 2 * 4 * score_sheets.CHUNK + 4 * exports.ROWS_A_PIECE < 4 * MANY <= lines
    if name == "night.zip":
        archive = zipfile.ZipFile(io.BytesIO(whole))
        assert archive.testzip() is None
        (results,) = (each for each in archive.namelist() if each.endswith("-results.csv"))
        whole = archive.read(results)
    rows = whole.decode().splitlines()
    assert len(rows) == {"sheet-chouette-points.csv": MANY + 2}.get(name, 4 * MANY + 1)


@pytest.mark.day(parts=6, turn=2)
def test_an_asynchronous_server_sends_a_piece_before_the_next_one_is_made() -> None:
    made: list[int] = []

    def pieces() -> Iterator[str]:
        for number in range(5):
            made.append(number)
            yield f"piece {number}\n"

    answer = download(File(pieces(), "text/plain", "x.txt"))
    assert isinstance(answer, Stream)

    async def first() -> bytes:
        async for piece in answer:
            return piece
        return b""

    from asgiref.sync import async_to_sync

    assert async_to_sync(first)() == b"piece 0\n"
    assert made == [0]

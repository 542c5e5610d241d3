"""What a night leaves behind is taken along by clicking, and opens in what it is for."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.chouette import chouettes
from tests.browser.people import LAPTOP, Person
from tests.chouette.export import mat_reader, sgf_reader

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MakePerson = Callable[..., Person]


def saved(one: Person, link: Locator) -> tuple[str, bytes]:
    """Tap a link; return the name that the browser saves the file under, and its content."""
    with one.page.expect_download() as download:
        link.click()
    return download.value.suggested_filename, download.value.path().read_bytes()


def rows_of(content: bytes) -> list[dict[str, str]]:
    """Read a CSV file as a spreadsheet does."""
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def watch_two_bots_play_a_match(host: Person) -> None:
    """Open a table, leave it to two bots, and watch them to the end."""
    host.host_a_night("Finals, 2nd leg")
    chouettes.open_table(host, "match", match_length="1")
    page = host.page
    page.get_by_role("button", name="Take Hanna off the table").click()
    host.open_more()
    for count in (1, 2):
        page.locator("#bot-noisy").click()
        expect(page.locator("#lobby-seats .is-bot")).to_have_count(count)
    expect(page.locator("#lobby-bots")).to_be_hidden()
    host.tap("Start the game")
    expect(page.locator("chouette-table")).to_be_visible()
    expect(page.locator("#after")).to_be_visible(timeout=150_000)


@pytest.mark.day(parts=17, turn=3)
def test_the_files_of_a_night_open_in_what_they_are_for(person: MakePerson) -> None:
    host = person("Hanna", screen=LAPTOP)
    watch_two_bots_play_a_match(host)
    page = host.page
    score = chouettes.now(host)["view"]["score"]
    host.tap("Results", "link")

    name, content = saved(host, page.get_by_role("link", name="Results as CSV"))
    assert re.fullmatch(r"finals-2nd-leg-\d{4}-\d\d-\d\d-results\.csv", name)
    named = name.removesuffix("results.csv")
    lines = rows_of(content)
    won = max(score)
    assert [int(line["points"]) for line in lines] == [won if s else -won for s in score]
    assert [line["bot"] for line in lines] == ["1", "1"]
    assert {line["night"] for line in lines} == {"Finals, 2nd leg"}

    _, content = saved(host, page.get_by_role("link", name="Sheet Backgammon"))
    *games, total = rows_of(content)
    assert len(games) == 1
    assert total["game"] == "total"
    players = [line["name"] for line in lines]
    assert [int(total[who]) for who in players] == [int(line["points"]) for line in lines]

    name, content = saved(host, page.get_by_role("link", name="Everything as a zip"))
    assert name == f"{named}night.zip"
    archive = zipfile.ZipFile(io.BytesIO(content))
    assert archive.testzip() is None
    assert rows_of(archive.read(f"{named}results.csv")) == lines

    host.tap("Game 1", "link")
    page.get_by_role("tab", name="Download").click()
    links = page.locator("#replay-files a")
    files = dict(saved(host, link) for link in links.all())
    told = {name.rsplit(".", 1)[1]: content.decode() for name, content in files.items()}
    assert sorted(told) == ["csv", "json", "mat", "sgf"]
    in_zip = {name.rsplit("/", 1)[-1] for name in archive.namelist()}
    # The rolls of all tables are one file of the night.
    assert {name for name in files if not name.endswith("rolls.csv")} <= in_zip
    assert f"{named}rolls.csv" in in_zip

    match = mat_reader.read(told["mat"])
    (game,) = match.games
    assert match.length == 1
    assert game.won is not None
    assert game.is_last
    winner = players[score.index(max(score))]
    assert re.sub(r"\W", "", game.names[game.won[0]]) == re.sub(r"\W", "", winner)
    (tree,) = sgf_reader.read(told["sgf"])
    assert len(tree.positions) == len(game.positions)
    assert re.fullmatch(rf"[WB]\+{game.won[1]}R?", tree.root["RE"][0])
    entries = json.loads(told["json"])["entries"]
    assert [entry["seq"] for entry in entries] == list(range(1, len(entries) + 1))

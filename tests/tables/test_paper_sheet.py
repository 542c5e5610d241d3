"""A table's sheet on paper: who sits there with what they have, the fields of the game's form, rows, address, code."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.models import Player, Table
from tests.tables.test_handover import cup, hand_over, played, wood  # noqa: F401 (fixtures)
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


def sheet(table: Table, host: Player) -> str:
    answer = browser_of(host).get(f"/table/{table.public_id}/sheet/")
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_each_member_of_a_chouette_has_a_column_with_the_points_so_far(wood: Table, host: Player) -> None:  # noqa: F811
    hand_over(wood, host, played(1, 0))
    page = sheet(wood, host)
    assert all(f">{label}</th>" in page for label in ("Box", "Winner", "Level"))
    assert page.count("Own outcome") == 4 * 12 + 1, "in each row of each member, and explained once"
    assert [page.count(f">{points}</td>") for points in ("3", "\u22121")] == [1, 3]
    assert page.count('<th scope="row" class="p-number">') == 12
    assert wood.night.code is not None and wood.night.code in page


def test_a_cup_has_a_row_for_each_round_and_the_mats(cup: Table, host: Player) -> None:  # noqa: F811
    rounds = {"rounds": [{"low": 1}]}
    hand_over(cup, host, {"id": "round-no-1", "number": 1, "at": "22:05", "game": rounds})
    page = sheet(cup, host)
    assert all(f">{label}</th>" in page for label in ("High", "Low", "Mats"))
    assert "Mats 1" in page


@pytest.mark.parametrize(
    ("preset", "word", "other"), [("bavarian", "Bierfilz", "deckel"), ("tschigg", "Bierdeckel", "ilz")]
)
def test_in_german_a_sheet_has_the_word_of_its_preset_for_the_mats(
    start_table: Any, host: Player, preset: str, word: str, other: str
) -> None:
    table = start_table(seats=4, game="chicago", preset=preset, dice="typed", entry="result")
    hand_over(table, host, {"id": "round-no-1", "number": 1, "at": "22:05", "game": {"rounds": [{"low": 1}]}})
    browser = browser_of(host)
    browser.cookies["django_language"] = "de"
    page = browser.get(f"/table/{table.public_id}/sheet/").content.decode()
    assert re.search(rf"{word}e? 1<", page) and other not in page


@pytest.mark.parametrize("game", ["chouette", "chicago", "dummygame"])
def test_a_table_on_the_screen_has_a_sheet_too(start_table: Any, host: Player, game: str) -> None:
    table = start_table(seats=3, game=game)
    assert sheet(table, host).count('<th scope="row" class="p-number">') == 12


def test_a_sheet_is_for_members_of_the_night_alone(wood: Table, make_player: Any) -> None:  # noqa: F811
    assert browser_of(make_player("Stranger")).get(f"/table/{wood.public_id}/sheet/").status_code == 403

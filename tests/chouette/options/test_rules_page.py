"""The rules page: what it says is what docs/rules-chouette.md says and the rules do."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from django.test import Client

from chouette.rules.options.declaration import OPTIONS
from chouette.templatetags.chouette_rules import EXAMPLE, rotation_table
from games.kernel.options.kinds import ChoiceOption
from tests.languages import TRANSLATED

DOCS = Path(__file__).resolve().parents[3] / "docs" / "rules-chouette.md"


@pytest.fixture
def page(client: Client, db: None) -> str:
    response = client.get("/rules/chouette/")
    assert response.status_code == 200
    return html.unescape(response.content.decode())


def test_every_house_rule_and_each_of_its_values_is_explained(page: str) -> None:
    for option in OPTIONS.options:
        assert option.label in page, option.id
        assert option.help in page, option.id
        if isinstance(option, ChoiceOption):
            for pick in option.picks:
                assert pick.label in page, (option.id, pick.id)
                assert option.sentence(pick.id) in page, (option.id, pick.id)


def test_every_preset_stands_in_the_table_side_by_side(page: str) -> None:
    heads = re.findall(r'<th scope="col">([^<]+)</th>', page.split('id="compare"')[1])
    assert {preset.label for preset in OPTIONS.presets} <= set(heads)


def test_who_is_box_next_is_worked_out_and_is_the_table_of_the_docs() -> None:
    section = DOCS.read_text(encoding="utf-8").split("## 5. Rotation")[1].split("\n\n")[0]
    rows = [line.strip("| ").split(" | ")[1:] for line in section.splitlines() if "| X" in line]
    documented = [[line.replace(",", "") for line in row] for row in rows]
    documented.append(["KLMX"] * 3)
    assert [lines for _, lines in rotation_table()["rows"]] == documented
    assert "M alone cashes, later K beats X | K,L,M,X | K,L,M,X | K,L,M,X" in section


def test_the_example_sheet_sums_to_zero_and_is_on_the_page(page: str) -> None:
    assert all(sum(points) == 0 for _, points in EXAMPLE.rows)
    assert EXAMPLE.totals == ["−5", "0", "+7", "0", "−2"]
    assert "+13" in page


def test_the_page_opens_in_every_language(client: Client, db: None) -> None:
    for language in TRANSLATED:
        response = client.get("/rules/chouette/", headers={"accept-language": language})
        assert response.status_code == 200

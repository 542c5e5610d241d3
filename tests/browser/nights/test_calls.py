"""The caller of a big screen: what it may say, and when (tests/browser/calls.py)."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from playwright.sync_api import Browser

from games.services.logs import event_texts
from tests.browser.calls import Caller, Evening, played
from tests.browser.gallery import chicago
from tests.seeds import first_seed

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

EVENINGS = 12


def test_evenings_are_called_in_time_once_and_never_over_another(chrome: Browser) -> None:
    caller, made = Caller(chrome), 0
    for seed in range(first_seed(), first_seed() + EVENINGS):
        evening = played(seed)
        heard = caller.hear(evening)
        assert [*heard.faults, *evening.hidden] == []
        made += len(heard.said)
    assert made > EVENINGS


def test_an_entry_that_is_told_again_is_not_called_again(chrome: Browser) -> None:
    """As after a line that broke."""
    once = played(3)
    again = [{**entry, "at": entry["at"] + 5000} for entry in once.entries]
    twice = Evening(once.course, sorted([*once.entries, *again], key=lambda entry: float(entry["at"])))
    said = [[call["text"] for call in Caller(chrome).hear(evening).said] for evening in (once, twice)]
    assert said[0]
    assert said[0] == said[1]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("MOST_A_MINUTE = 6", "MOST_A_MINUTE = 60", "in a minute"),
        ("LATEST_MS = 1500", "LATEST_MS = 9000", "late"),
        ("current === null)", "true)", "over another"),
    ],
)
def test_each_rule_finds_what_breaks_it(chrome: Browser, before: str, after: str, said: str) -> None:
    """Planted in the caller's modules."""
    caller = Caller(chrome, {before: after})
    found = [fault for seed in range(30) for fault in caller.hear(played(seed)).faults]
    assert any(said in fault for fault in found), found


def test_a_forfeit_is_called_by_the_name_that_the_house_gave_it_and_nobody_is_called_to_drink(chrome: Browser) -> None:
    """The caller has no words of its own: those of the table, which name the round that is paid and no drink."""
    course = replace(next(one for one in chicago.COURSES if one.preset == "forfeits"), changes={"rounds": 9})
    named = replace(course, changes={**course.changes, "forfeit_name": "ein Glas Wasser"})
    said = [call["text"] for call in Caller(chrome).hear(played(5, named)).said]
    assert any("ein Glas Wasser" in text for text in said), said
    told = json.dumps([event_texts.sentences_of(game) for game in ("chicago", "chouette")])
    assert not re.search(r"\b(beers?|schnapps|shots?|drinks?|alcohol)\b(?! mat)", told, re.I)

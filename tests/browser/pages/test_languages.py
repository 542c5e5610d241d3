"""A table speaks the reader's language in every state; the pages are walked in test_no_faults.py."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser import english
from tests.browser.gallery import laws
from tests.browser.gallery.stage import SCREENS, Screen, Stage, by_table
from tests.browser.gallery.states import Shown
from tests.languages import TRANSLATED
from tests.seeds import share_of_day

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


def seen_in(browser: Browser, language: str, groups: list[list[Shown]], screen: Screen) -> dict[str, list[str]]:
    """Show states in a language; return the English sentences on them, each with the states that have it."""
    stage = Stage(browser, language)
    found: dict[str, list[str]] = {}
    for group in groups:
        stage.open(group[0], is_tv=screen.is_tv)
        stage.resize(screen)
        for state in group:
            stage.show(state, is_tv=screen.is_tv)
            for text in english.english(english.texts_of(stage.page), language):
                found.setdefault(text, []).append(f"{state.game}: {state.name}")
    stage.close()
    assert stage.faults == []
    return found


@pytest.mark.day(parts=17, turn=13)
@pytest.mark.parametrize("language", TRANSLATED)
def test_no_state_of_a_table_says_an_english_sentence(chrome: Browser, language: str) -> None:
    groups = by_table(laws.all_states())
    for turn, screen in enumerate((SCREENS[0], SCREENS[-1])):
        found = seen_in(chrome, language, share_of_day(groups, 12, turn, every=17), screen)
        assert found == {}, screen.name


def test_an_english_sentence_is_found_also_with_names_in_it() -> None:
    assert english.english(["Open a table", "Anna and others", "Anna und andere"], "de") == [
        "Anna and others",
        "Open a table",
    ]
    assert english.english(["Tisch aufmachen", "Zurücknehmen"], "de") == []

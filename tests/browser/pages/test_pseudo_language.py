"""The tables in the pseudo-language: every text is marked, and longer words have room (tests/browser/gallery)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.gallery import laws, pseudo
from tests.browser.gallery.laws import Fault
from tests.browser.gallery.stage import SCREENS, Screen, Stage, by_table
from tests.seeds import share_of_day

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
READ = [screen for screen in SCREENS if screen.name in ("phone", "small phone", "laptop", "TV")]


def faults_of(chrome: Browser, screen: Screen, turn: int) -> list[Fault]:
    """Return the faults of the day's tables on a screen."""
    groups = share_of_day(by_table(laws.all_states()), 12, turn)
    with pseudo.spoken() as language:
        return laws.faults(chrome, [state for group in groups for state in group], [screen], language=language)


@pytest.mark.parametrize("turn", range(len(READ)), ids=lambda turn: READ[turn].name)
def test_every_text_of_a_table_is_marked_whole_and_has_room(chrome: Browser, turn: int) -> None:
    broken = [str(fault) for fault in faults_of(chrome, READ[turn], turn)]
    assert broken == [], "\n".join(broken)


def test_a_text_that_nobody_has_marked_is_found(chrome: Browser) -> None:
    """Planted: a sentence, a name that is heard, and a word within a sentence."""
    (state, *_), *_ = by_table(laws.all_states(["chicago"]))
    with pseudo.spoken() as language:
        stage = Stage(chrome, language)
        stage.open(state)
        stage.show(state)
        assert pseudo.unmarked(stage.page) == []
        stage.page.evaluate(
            """() => document.body.insertAdjacentHTML("beforeend", "<p class=planted>Roll again, Anna</p>"
            + "<button aria-label='Close it'>×</button><p>[Ťááķé bááçķ now]</p><p>[Ťááķé] Anna 5 XG</p>")"""
        )
        found = pseudo.unmarked(stage.page)
        stage.close()
    assert found == ["p.planted “Roll again”", "button “Close it”", "p “now”"]


def test_parts_that_stand_side_by_side_are_found(chrome: Browser) -> None:
    """Planted: a label with its value; and what is right: a list, sentences, a part in a place, what style parts."""
    (state, *_), *_ = by_table(laws.all_states(["chicago"]))
    with pseudo.spoken() as language:
        stage = Stage(chrome, language)
        stage.open(state)
        stage.show(state)
        assert pseudo.beside(stage.page) == []
        stage.page.evaluate(
            """() => document.body.insertAdjacentHTML("beforeend", "<p>[Ťááķé] <b>[đíçé]</b></p><p>[Óñé] · [ťwó]</p>"
            + "<p>[Ťááķé.] [Řółł.]</p><p>[Anna: [řółł]]</p><p style=display:flex><b>[Á]</b> <b>[Đ]</b></p>")"""
        )
        found = pseudo.beside(stage.page)
        stage.close()
    assert found == ["p “[Ťááķé] [đíçé]”"]

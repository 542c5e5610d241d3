"""The tables in the pseudo-language: every text is marked, and longer words have room (tests/browser/gallery)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page

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


@contextmanager
def table_shown(chrome: Browser) -> Iterator[Page]:
    """Show a table of Chicago in the pseudo-language."""
    (state, *_), *_ = by_table(laws.all_states(["chicago"]))
    with pseudo.spoken() as language:
        stage = Stage(chrome, language)
        stage.open(state)
        stage.show(state)
        yield stage.page
        stage.close()


def test_a_text_that_nobody_has_marked_is_found(chrome: Browser) -> None:
    """Planted: a sentence, a name that is heard, and a word within a sentence."""
    with table_shown(chrome) as page:
        assert pseudo.unmarked(page) == []
        page.evaluate(
            """() => document.body.insertAdjacentHTML("beforeend", "<p class=planted>Roll again, Anna</p>"
            + "<button aria-label='Close it'>×</button><p>[Ťááķé bááçķ now]</p><p>[Ťááķé] Anna 5 XG</p>")"""
        )
        found = pseudo.unmarked(page)
    assert found == ["p.planted “Roll again”", "button “Close it”", "p “now”"]


def test_parts_that_stand_side_by_side_are_found(chrome: Browser) -> None:
    """Planted: a label with its value or a time; and a list, sentences, lines, a part in a place, what style parts."""
    with table_shown(chrome) as page:
        assert pseudo.beside(page) == []
        page.evaluate(
            """() => document.body.insertAdjacentHTML("beforeend", "<p>[Ťááķé] <b>[đíçé]</b></p><p>[Óñé] · [ťwó]</p>"
            + "<p>[šíñçé] <time>20:15</time></p><p>[šíñçé <time>20:15</time>]<br>[Řółł] · <time>20:15</time></p>"
            + "<p>[Ťááķé.] [Řółł.]</p><p>[Anna: [řółł]]</p><p style=display:flex><b>[Á]</b> <b>[Đ]</b></p>")"""
        )
        found = pseudo.beside(page)
    assert found == ["p “[Ťááķé] [đíçé]”", "p “[šíñçé] [20:15]”"]

"""The short word of a role, where a seat has no room for the whole one: another for each role, and whole."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser

from tests.browser.gallery import chouette
from tests.browser.gallery.stage import SCREENS, Stage
from tests.languages import EVERY, said
from tests.seeds import share_of_day

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PHONES = [screen for screen in SCREENS if screen.name in ("phone", "small phone", "small phone with large text")]
CROWDED = ((10, "german", "cube window"), (5, "wood", "member watches"))
"""Where roles are short: seats, preset and state."""
SHORT = """() => {
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 1
    && !/^(none|normal)$/.test(getComputedStyle(one, "::before").content);
  return [...document.querySelectorAll(".bt-badge, .bt-wood-role")].filter(isShown).map((one) => {
    const { fontFamily, fontSize, fontWeight, letterSpacing } = getComputedStyle(one, "::before");
    const span = document.createElement("span"), edge = one.getBoundingClientRect();
    span.textContent = one.dataset.short;
    Object.assign(span.style, { fontFamily, fontSize, fontWeight, letterSpacing, position: "absolute" });
    document.body.append(span);
    const { width } = span.getBoundingClientRect(), seat = one.closest(".bt-mate, .bt-wood-row");
    span.remove();
    const { left, right } = seat.getBoundingClientRect();
    return { word: one.textContent, short: one.dataset.short,
      is_whole: width <= edge.width + 1 && edge.left >= left - 1 && edge.right <= right + 1 };
  });
}"""


@dataclass(frozen=True)
class ShortWord:
    """What stands for a role, or for a name, on a seat."""

    word: str
    short: str
    is_whole: bool


def short_words(browser: Browser, language: str, style: str = "") -> list[ShortWord]:
    """Return the short words of all seats on the phones."""
    stage, found = Stage(browser, language), []
    for state in chouette.named(*CROWDED):
        stage.open(state)
        if style:
            stage.add_style(style)
        for screen in PHONES:
            stage.resize(screen)
            stage.show(state)
            found += [ShortWord(**one) for one in stage.page.evaluate(SHORT)]
    stage.close()
    return found


@pytest.mark.parametrize("language", share_of_day(EVERY, 2))
def test_short_roles_differ_and_are_whole_in_each_language(chrome: Browser, language: str) -> None:
    found = short_words(chrome, language)
    meant: dict[str, set[str]] = {}
    for one in found:
        meant.setdefault(one.short, set()).add(one.word)
    # Of a member the letters may have no room at all, but never a role.
    assert all(any(said(language, role).match(short) for short in meant) for role in ("Box", "Cpt."))
    assert {short: words for short, words in meant.items() if len(words) > 1} == {}
    assert [one for one in found if not one.is_whole or one.short.endswith("…")] == []


def test_a_short_role_without_room_is_found(chrome: Browser) -> None:
    """Planted: badges with room for a letter."""
    style = ".bt-badge.bt-badge.bt-badge { min-inline-size: 0 !important; inline-size: 8px !important; padding: 0; }"
    assert [one for one in short_words(chrome, "de", style) if not one.is_whole]

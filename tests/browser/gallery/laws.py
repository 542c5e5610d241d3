"""The laws of a table's screen, measured in every state on every screen.

The board and the dock stand still; nothing lies over the board but what belongs to it; what can be tapped is 44 px
large; the page never scrolls sideways; no text is cut, and no two share a place. The tags of seats are whole, and
names that have no room end with "…". The main button has one place, 56 px high; what costs stands before it and says
its price. No text stands straight on the plank, and below the board of a phone held upright no strip of more than 150
px is empty. On a big screen what is read in play has 3 % of its height, the way in and links 2.5 %; headlines and ends
stand beside the board; the felt has 60 % of the width, each die 14 % of the height, a cube that is answered 9 %, and
no seat on the felt's rim covers a die. On a phone letters follow the browser's text size to half as much again, or to
24 px, beside a board that is as large as without. The dock repeats no sentence of the bar, and asks for nothing while
the bar says that others are waited for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from django.conf import settings
from playwright.sync_api import Browser

from tests.browser.gallery import chicago, chouette, pseudo
from tests.browser.gallery.stage import SCREENS, Screen, Stage, by_table
from tests.browser.gallery.states import Course, Shown, states_of

LAWS = (
    *("board moves", "dock moves", "main button moves", "over the board", "scrolls sideways", "small target"),
    *("text is cut", "main button is low", "costs stand after it", "no price", "text on the plank", "empty strip"),
    *("tag is cut", "name is cut", "text is small", "buttons meet", "texts meet"),
    *("headline on the board", "piece is small", "die is covered"),
    *("said twice", "bar contradicts dock", "text does not follow", "board is smaller"),
)
UNMARKED = "text without marks"
BESIDE = "parts side by side"
"""The laws of the pseudo-language alone: every text is marked for translation, and no sentence is put together."""
COURSES: tuple[Course, ...] = (*chouette.COURSES, *chicago.COURSES)
_MAIN = ".bt-d-buttons > .go, .bt-d-buttons > .bt-d-rolls, .bt-controls[data-open] > .bt-confirm"
PARTS: dict[str, dict[str, Any]] = {
    "chouette": {"board": ".bt-fit, .bt-wood", "dock": ".bt-dock", "main": _MAIN, "least": 55.5},
    "chicago": {"board": ".ct-table", "dock": ".ct-dock", "main": ".ct-go", "least": 55.5},
}
"""The elements that stand still, by game, and the least height of the main button."""


USUAL_TEXT = 16
FOLLOWED, LARGE_TEXT = 1.5, 24.0
"""How far letters follow a browser's text size of twice the usual on a phone, or the pixels that are enough."""
UPRIGHT = 600
"""Pixels of width below which a screen is a phone that is held upright."""
KEPT_FROM = {"chouette": 0, "chicago": 700}
"""Pixels of height from which on large letters take nothing from a game's board."""


@dataclass(frozen=True)
class Fault:
    """What breaks a law where: `states` in which it does."""

    game: str
    law: str
    screen: str
    what: str
    states: tuple[str, ...]

    def __str__(self) -> str:
        more = f" and {len(self.states) - 3} more" if len(self.states) > 3 else ""
        where = "; ".join(self.states[:3])
        return f"{self.game}, {self.screen}: {self.law}: {self.what} ({where}{more})"


def all_states(games: Iterable[str] = PARTS) -> list[Shown]:
    """Return the states of the games."""
    return [state for course in COURSES if course.game in games for state in states_of(course)]


class Shows(Protocol):
    """What shows states of tables: a stage in Chromium, or in another engine."""

    def open(self, state: Shown, *, is_tv: bool) -> None:
        """Load the page of a state's table."""

    def resize(self, screen: Screen) -> None:
        """Give the window a screen's size."""

    def add_style(self, style: str) -> None:
        """Lay rules over the page's own."""

    def looks(self, states: Sequence[Shown], parts: dict[str, Any], *, is_tv: bool) -> list[Any]:
        """Return what is wrong in each state, and where its parts are (laws.js)."""


def faults(
    browser: Browser,
    states: Sequence[Shown],
    screens: Sequence[Screen] = SCREENS,
    *,
    style: str = "",
    language: str = "de",
) -> list[Fault]:
    """Show the states on the screens and return what is wrong; `style` is laid over the page's own."""
    stage = Stage(browser, language)
    found = faults_on(stage, states, screens, style=style)
    stage.close()
    assert stage.faults == [], stage.faults
    return found


def faults_on(stage: Shows, states: Sequence[Shown], screens: Sequence[Screen], *, style: str = "") -> list[Fault]:
    """Return what is wrong with the states on a stage."""
    found: Counter[tuple[str, str, str, str, str]] = Counter()
    for group in by_table(states):
        for is_tv in sorted({screen.is_tv for screen in screens}):
            stage.open(group[0], is_tv=is_tv)
            if style:
                stage.add_style(style)
            for screen in screens:
                if screen.is_tv == is_tv:
                    found.update(_on(stage, group, screen))
    return _gathered(found)


def _on(stage: Shows, group: Sequence[Shown], screen: Screen) -> list[tuple[str, str, str, str, str]]:
    """Return the faults of a table's states on a screen: game, law, screen, what, state."""
    game, seats = group[0].game, group[0].seats
    stage.resize(screen)
    looks = stage.looks(group, PARTS[game], is_tv=screen.is_tv)
    is_large = isinstance(stage, Stage) and screen.text > USUAL_TEXT and screen.width < UPRIGHT
    found = _followed(stage, group, screen) if is_large else []
    first = {**looks[0], "main": next((look["main"] for look in looks if look["main"]), None)}
    for look in looks:
        state = f"{seats} {look['name']}"
        found += [(game, law, screen.name, what, state) for law, what in _of(look, first)]
    if isinstance(stage, Stage) and stage.language == settings.PSEUDO_LANGUAGE:
        found += _unmarked(stage, group, screen)
    return found


def _followed(stage: Shows, group: Sequence[Shown], screen: Screen) -> list[tuple[str, str, str, str, str]]:
    """Return the texts that do not follow the browser's text size, and boards that are smaller than without it."""
    game, looks = group[0].game, {}
    for size in (USUAL_TEXT, screen.text):
        stage.resize(replace(screen, text=size))
        looks[size] = stage.looks(group, {**PARTS[game], "texts": True}, is_tv=False)
    found = []
    for usual, large in zip(looks[USUAL_TEXT], looks[screen.text], strict=True):
        about, state = (game, "text does not follow", screen.name), f"{group[0].seats} {large['name']}"
        # Of equal texts in boxes of one kind the smallest counts.
        sizes = dict(sorted(usual["texts"], key=lambda text: -text[1]))
        found += [
            (*about, f"{name}: {sizes[name]:.1f} → {size:.1f} px", state)
            for name, size in large["texts"]
            if name in sizes and size < min(FOLLOWED * sizes[name], LARGE_TEXT) - 0.1
        ]
        before, after = usual["board"], large["board"]
        is_kept = screen.height >= KEPT_FROM[game]
        if is_kept and before and after and (after[2] < before[2] - 1 or after[3] < before[3] - 1):
            found.append((game, "board is smaller", screen.name, f"{before} → {after}", state))
    return found


def _unmarked(stage: Stage, group: Sequence[Shown], screen: Screen) -> list[tuple[str, str, str, str, str]]:
    """Return the texts of a table's states that break the laws of the pseudo-language alone."""
    found = []
    for state in group:
        stage.show(state, is_tv=screen.is_tv)
        for law, broken in ((UNMARKED, pseudo.unmarked(stage.page)), (BESIDE, pseudo.beside(stage.page))):
            found += [(state.game, law, screen.name, what, f"{state.seats} {state.name}") for what in broken]
    return found


def _of(look: Any, first: Any) -> list[tuple[str, str]]:
    """Return the laws that a look breaks, and how; `first` is the first look at the same table and screen."""
    found = []
    for law, part in (("board moves", "board"), ("dock moves", "dock")):
        if look[part] != first[part]:
            found.append((law, f"{first[part]} → {look[part]}"))
    if look["main"] and first["main"] and look["main"] != first["main"]:
        found.append(("main button moves", f"{first['main']} → {look['main']}"))
    names = {
        "over the board": "over",
        "scrolls sideways": "wide",
        "small target": "small",
        "buttons meet": "meeting",
        "texts meet": "texts",
        "text is cut": "cut",
        "text is small": "far",
        "headline on the board": "beside",
        "piece is small": "pieces",
        "die is covered": "covered",
    }
    names |= {"said twice": "twice", "bar contradicts dock": "contradicted"}
    names |= {"main button is low": "low", "costs stand after it": "after", "no price": "unpriced"}
    names |= {"text on the plank": "plank", "empty strip": "empty", "tag is cut": "tags", "name is cut": "names"}
    return found + [(law, what) for law, key in names.items() for what in look["faults"][key]]


def _gathered(found: Iterable[tuple[str, str, str, str, str]]) -> list[Fault]:
    """Return the faults with all states in which each is."""
    states: dict[tuple[str, str, str, str], list[str]] = {}
    for *fault, state in found:
        game, law, screen, what = fault
        states.setdefault((game, law, screen, what), []).append(state)
    ordered = sorted(
        states, key=lambda fault: (fault[0], (*LAWS, UNMARKED, BESIDE).index(fault[1]), fault[2], fault[3])
    )
    return [Fault(*fault, tuple(states[fault])) for fault in ordered]

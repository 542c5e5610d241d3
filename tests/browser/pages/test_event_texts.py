"""The log in words: the page, the big screen, screen readers and the server say the same of the golden evenings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation
from playwright.sync_api import Browser, Page

from games.services.logs import event_texts
from games.services.regions import region
from tests.browser.pages.test_unit import page
from tests.languages import EVERY, REGIONS

__all__ = ["page"]
pytestmark = pytest.mark.browser

TESTS = Path(__file__).parents[2]
PEOPLE = ["Ada", "Bo 🤖", "Cäcilie", "Deleted player", "Eli", "Fay", "Gus", "Hal", "Ida", "Jo"]
HOUSE = [
    {"type": "table.started", "data": {"seats": []}},
    {"type": "table.paused", "data": {"why": "host_away"}},
    {"type": "table.substituted", "data": {"seat": 1, "name": "Deleted player", "before": "Bo"}},
    {"type": "table.accepted", "data": {"seat": 1, "name": "Cy", "by": "Ada"}},
    {"type": "table.dice_revealed", "data": {"seed": "x"}},
    {"type": "rows_of_2_0", "data": {"name": "Ola"}},
]
SET = """([sentences, house]) => {
    Object.assign(django, { sentences });
    window.gettext = (text) => house[text] ?? text;
}"""
SAY = """async ([entries, lang]) => {
    Object.assign(document.documentElement, { lang }).dataset.locale = lang;
    const { lineOf, linesOf, spokenOf } = await import("games/kit/page/sentences.js");
    const { headlineLines } = await import("games/kit/headlines.js");
    return entries.map(({ events, seats, options }) => ({
        texts: events.map((event) => lineOf(event, seats, options)),
        lines: linesOf(events, seats, options),
        shown: headlineLines(events, seats, options).map(({ text }) => text),
        spoken: spokenOf(events, seats, options).map(({ event, text }) => [event.type, text]),
    }));
}"""


def golden(game: str) -> Iterator[dict[str, Any]]:
    """Yield the entries of a game's golden evenings, each with the table's house rules."""
    for path in sorted((TESTS / game / "logs").glob("*.json")):
        for evening in json.loads(path.read_text()):
            for entry in evening["entries"]:
                yield {"events": entry["events"], "options": evening["options"]}


@pytest.mark.parametrize("language", EVERY)
@pytest.mark.parametrize("game", ["chicago", "chouette"])
def test_the_page_says_of_the_golden_evenings_what_the_server_says(page: Page, game: str, language: str) -> None:
    joined = {"type": "table.joined", "data": {"seat": 2, "name": "Cäcilie"}}
    new = {"events": [joined, {"type": "seat_joined", "data": {"seat": 2, "at_once": True}}], "options": {}}
    entries = [*golden(game), {"events": HOUSE, "options": {}}, {"events": [joined], "options": {}}, new]
    with translation.override(language), region.of_reader(REGIONS):
        sentences = event_texts.sentences_of(game)
        names = dict(enumerate(PEOPLE))
        told = [event_texts.texts(game, entry["options"], entry["events"], names) for entry in entries]
        house = {text: translation.gettext(text) for text in ("Deleted player", "Seat %(number)s")}
        page.evaluate(SET, [sentences, house])
    seats = [{"seat": seat, "name": name} for seat, name in enumerate(PEOPLE)]
    said = page.evaluate(SAY, [[{**entry, "seats": named(seats, language)} for entry in entries], language])
    for entry, texts, page_says in zip(entries, told, said, strict=True):
        assert page_says["lines"] == [text for text in texts if text], entry
        assert set(page_says["shown"]) <= set(page_says["texts"]), "a big screen has lines of the log"
        kinds = sentences["events"]
        replaced = {
            (kind, event["data"]["seat"])
            for event in entry["events"]
            for kind in kinds.get(event["type"], {}).get("spokenFor", ())
        }
        spoken = [text for kind, text in page_says["spoken"] if "spoken" not in kinds.get(kind, {})]
        logged = zip(entry["events"], page_says["texts"], strict=True)
        assert spoken == [
            text for event, text in logged if text and (event["type"], event["data"].get("seat")) not in replaced
        ], entry
    lines = [text for texts in told for text in texts if text]
    assert len(lines) > 500
    assert not [text for text in lines if "%(" in text or "undefined" in text or "None" in text]


def named(seats: list[dict[str, Any]], language: str) -> list[dict[str, Any]]:
    """Return seats with the placeholder of a deleted name in a language, as a page has them."""
    with translation.override(language):
        return [{**seat, "name": event_texts._person(seat["name"])} for seat in seats]


def test_a_planted_difference_of_the_two_is_seen(chrome: Browser, page: Page) -> None:
    event = {"type": "mat_taken", "data": {"seat": 0, "stock": 3}}
    sentences = json.loads(json.dumps(event_texts.sentences_of("chicago")))
    sentences["events"]["mat_taken"]["line"]["text"] += "!"
    page.evaluate("(sentences) => { Object.assign(django, { sentences }); }", sentences)
    seats = [{"seat": 0, "name": "Ada"}]
    (said,) = page.evaluate(SAY, [[{"events": [event], "options": {}, "seats": seats}], "en"])
    assert said["lines"] != event_texts.texts("chicago", {}, [event], {0: "Ada"})

"""Speech at the chouette for screen readers: each event once, no words twice (tests/browser/gallery)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from playwright.sync_api import Browser

from tests.browser.gallery.chouette import COURSES
from tests.browser.gallery.stage import SCREENS, Stage, told
from tests.browser.gallery.states import states_of

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

LISTEN = """() => {
    window.said = [];
    const live = "[aria-live], [role=status], [role=alert], [role=log]";
    const hear = (node, texts) => {
        const region = (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement)?.closest(live);
        if (!region?.checkVisibility({ visibilityProperty: true }) || region.closest("[aria-live=off]")) return;
        said.push(...texts.map((text) => text.trim()).filter((text) => text));
    };
    new MutationObserver((changes) => {
        for (const { type, target, addedNodes } of changes)
            hear(target, type === "characterData" ? [target.data] : [...addedNodes].map((node) => node.textContent));
    }).observe(document, { subtree: true, childList: true, characterData: true });
}"""
"""Gather in `said` what is put into the regions that screen readers read out."""
SHOW = """async (told) => {
    const { lineOf } = await import("games/kit/page/sentences.js");
    said.length = 0;
    await gallery.show(told);
    await new Promise((done) => setTimeout(done, 50));
    const { seats } = document.querySelector("chouette-table").now;
    const events = told.frames.at(-1).events.filter(({ type }) => type !== "hidden");
    return [said, events.map((event) => [event.type, lineOf(event, seats)])];
}"""
"""Show a state; return what was said, and the events with their sentences in the log."""


def test_each_event_is_said_once(chrome: Browser) -> None:
    course = next(course for course in COURSES if (course.seats, course.preset) == (4, "club"))
    states = states_of(course)
    stage = Stage(chrome, "en")
    stage.open(states[0])
    stage.resize(SCREENS[0])
    stage.page.evaluate(LISTEN)
    for state in states:
        said, events = stage.page.evaluate(SHOW, told(state))
        assert [text for text, count in Counter(said).items() if count > 1] == [], state.name
        types = [name for name, _ in events]
        for name, sentence in events:
            # The end of a game tells everybody's points at once.
            if sentence and not (name == "cube_settled" and "game_ended" in types):
                # Of the end of a game the next Box and Captain are told in the same breath.
                assert sum(text.count(sentence) for text in said) == 1, (state.name, name, sentence, said)
    stage.close()
    assert stage.faults == []


ORDER = """async (told) => {
    const { spokenOf } = await import("games/kit/page/sentences.js");
    for (const name of ["polite", "assertive"]) document.getElementById(name).replaceChildren();
    await gallery.show(told);
    await new Promise((done) => setTimeout(done, 50));
    const { seats, view } = document.querySelector("chouette-table").now;
    const lines = spokenOf(told.frames.at(-1).events, seats, view.options).map(({ text }) => text).join(" ");
    const texts = (name) => [...document.querySelectorAll(`#${name} p`)].map((one) => one.textContent);
    return [texts("polite"), texts("assertive"), lines, document.getElementById("turn-text").textContent];
}"""
"""Show a state; return the texts of both regions, what its entry says, and whose turn it is."""


def test_an_entry_is_one_text_and_ones_turn_is_told_after_what_led_to_it(chrome: Browser) -> None:
    course = next(course for course in COURSES if (course.seats, course.preset) == (4, "club"))
    names = ("cube window", "turn to roll", "answer asked", "play to choose", "box may double", "waiting for a play")
    states = states_of(replace(course, wanted=tuple(one for one in course.wanted if one.name in names)))
    stage = Stage(chrome, "en")
    stage.open(states[0])
    stage.resize(SCREENS[0])
    turns = 0
    for state in states:
        polite, assertive, lines, turn = stage.page.evaluate(ORDER, told(state))
        assert assertive == [], (state.name, assertive)
        is_mine = stage.page.locator("#turnbar").get_attribute("data-kind") == "mine"
        assert polite == [f"{lines} {turn}" if is_mine else lines], state.name
        turns += is_mine
    assert turns > 3
    stage.close()
    assert stage.faults == []

"""Evenings in French and in Italian: a laptop, a phone, a small phone and a big screen.

A chouette with doubles, a settlement and its end, a round of Chicago, or a whole Tschigg; in each state no screen says
an English sentence, none scrolls sideways, and no text is cut.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import english, evening, whole
from tests.browser.chouette import chouettes
from tests.browser.chouette.chouettes import READY, line, now, start_from
from tests.browser.evening import LOOKS_AGAIN_MS
from tests.browser.people import LAPTOP, SMALL_PHONE, TV, Person
from tests.languages import said
from tests.seeds import share_of_day
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(900)]

MakePerson = Callable[..., Person]
MOST_LOOKS = 12
"""Acts of a game of Chicago after which everybody looks at their screen."""
PRESETS: dict[str, dict[str, str]] = {"classic": {"rounds": "1"}, "tschigg": {}}
"""The games of Chicago, with their rules."""
EVENINGS = [(locale, game) for game in ("chouette", *PRESETS) for locale in ("fr-CH", "it-CH")]
"""One of them is played on a day: language and region, and the game."""


@dataclass
class Evening:
    """People at their screens, and what was wrong with what they saw."""

    people: list[Person]
    screen: Person
    faults: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for one in (*self.people, self.screen):
            whole.measure_in(one.context)

    def look(self, what: str) -> None:
        """Let everybody look at their screen."""
        # Whoever has not come yet looks at nothing.
        for one in (one for one in (*self.people, self.screen) if one.page.url != "about:blank"):
            where = f"{what}, {one.name}"
            texts = {*english.texts_of(one.page)} - self.read
            self.read |= texts
            self.faults |= {f"{where}: English: {text}" for text in english.english(texts, one.language)}
            self.faults |= {f"{where}: not whole: {fault}" for fault in whole.faults(one.page)}

    def open_table(self, game: str, preset: str, night: str, link: str, **rules: str) -> None:
        """The host opens a table, the others sit down, all accept the house rules."""
        host, *guests = self.people
        host.page.goto(f"{night}tables/new/?game={game}&preset={preset}")
        chouettes.set_rules(host, **rules)
        self.look(f"new table of {preset}")
        host.page.locator("#open-table").click()
        host.page.wait_for_url(re.compile(r"/table/[a-z0-9]+/$"))
        for one in guests:
            if re.search("/(night|table)/", one.page.url):
                one.page.goto(night)
                one.page.locator("form[action$='/sit/'] button").first.click()
            else:
                one.join(link, by_hand=True)
        for one in self.people:
            one.page.locator("#accept").click()
        self.look(f"waiting room of {preset}")
        expect(host.page.locator("#lobby-seats .good-text")).to_have_count(len(self.people))
        host.page.locator("#start").click()
        for one in (*self.people, self.screen):
            expect(one.page.locator(f"{game}-table")).to_be_visible()


def can(person: Person, text: str) -> Locator:
    """Return the button of the dock that says a text in the person's language, while it can be pressed."""
    return person.page.locator(f".bt-dock button{READY}").filter(has_text=said(person.language, text)).first


def press(person: Person, text: str) -> None:
    """Press a button of the dock as soon as it is there."""
    can(person, text).click()


def play(person: Person) -> None:
    """Tap checkers and where they go, until the play can be confirmed, and confirm it."""
    confirm = person.page.locator(f".bt-confirm{READY}")
    going, coming = (
        person.page.get_by_role("gridcell", name=said(person.language, f"%(place)s, {what}"))
        for what in ("can move", "target")
    )
    while True:
        expect(going.or_(coming).or_(confirm).first).to_be_visible()
        if confirm.count():
            break
        if cells := (coming.all() or going.all()):
            cells[0].click()
    confirm.click()
    person.page.wait_for_function(
        "() => !document.querySelector('chouette-table').now.choices.some((c) => c.name === 'move')"
    )


def play_on(people: Sequence[Person]) -> None:
    """Let everybody roll and play until the game is over."""
    while now(people[0])["view"]["phase"] == "playing":
        for one in people:
            if any(choice["name"] == "move" for choice in now(one)["choices"]):
                play(one)
            if can(one, "Roll").count():
                press(one, "Roll")
        people[0].page.wait_for_timeout(LOOKS_AGAIN_MS)


def chouette(seen: Evening) -> None:
    """Three games: a double taken, one dropped and a settlement, a resignation; the host closes the table."""
    people = seen.people
    box, captain, member = line(people)
    seen.look("the game has not begun")
    press(captain, "Begin the game")
    press(captain, "Double to %(value)s")
    expect(can(box, "Drop")).to_be_visible()
    seen.look("doubled")
    press(box, "Take")
    press(captain, "Roll")
    expect(captain.page.locator(".bt-board")).to_be_visible()
    seen.look("rolled")
    play(captain)
    press(box, "Double all")
    seen.look("the Box has doubled")
    for one in (captain, member):
        press(one, "Take")
    press(box, "Roll")
    play(box)
    play_on(people)
    seen.look("the first game is over")

    box, captain, member = line(people)
    press(captain, "Begin the game")
    press(captain, "Double to %(value)s")
    press(box, "Drop")
    seen.look("dropped")
    settle(box, member, seen)
    seen.look("settled")


def settle(giver: Person, other: Person, seen: Evening) -> None:
    """Propose to settle a cube for one point, and accept it."""
    press(giver, "More")
    seen.look("rare acts")
    press(giver, "Settle a cube")
    seen.look("a settlement is made")
    press(giver, "Propose")
    expect(can(other, "Accept")).to_be_visible()
    seen.look("a settlement is proposed")
    press(other, "Accept")


def close_the_table(seen: Evening) -> None:
    """The host closes the table by the menu."""
    host, *_ = seen.people
    host.page.locator("#open-menu").click()
    seen.look("the host's menu")
    closing = host.page.locator("#menu button[data-closing]")
    closing.click()
    seen.look("is it to be closed?")
    host.page.locator("#confirm-yes").click()
    for one in seen.people:
        expect(one.page.locator("#after a").first).to_be_visible()
    seen.look("closed")


def chicago(seen: Evening, preset: str, rng: random.Random) -> None:
    """A whole game of Chicago."""
    acts = 0
    while not evening.is_over(seen.people[0]):
        assert evening.play_on(seen.people, rng, acts=1) or evening.is_over(seen.people[0])
        acts += 1
        if acts < MOST_LOOKS:
            seen.look(f"{preset}, act {acts}")
    seen.look(f"{preset}, over")


def afterwards(seen: Evening, night: str) -> None:
    """Look at what the evening has left."""
    host, *guests = seen.people
    for one, path in zip(guests, ("results/", ""), strict=True):
        one.page.goto(night + path)
    host.page.goto(f"{night}results/")
    seen.look("results")


@pytest.mark.day(parts=17, turn=10)
@pytest.mark.parametrize(("locale", "game"), share_of_day(EVENINGS, len(EVENINGS), every=17))
def test_an_evening_is_played_to_its_end_in_another_language(
    person: MakePerson, server: Server, locale: str, game: str
) -> None:
    host = person("Hanna", screen=LAPTOP, locale=locale)
    guests = [person("Kari", locale=locale, dark=True), person("Ole-Petter", locale=locale, screen=SMALL_PHONE)]
    screen = person("TV", screen=TV, locale=locale, dark=True)
    seen = Evening([host, *guests], screen)
    host.host_a_night("Ochsen")
    night, link = host.page.url, host.link("j")
    screen.page.goto(host.link("tv"))
    seen.look("the night")
    if game == "chouette":
        seen.open_table(game, "german", night, link, **start_from(7))
        chouette(seen)
        close_the_table(seen)
    else:
        seen.open_table("chicago", game, night, link, **PRESETS[game])
        chicago(seen, game, random.Random(locale))
    afterwards(seen, night)
    assert sorted(seen.faults) == []


def test_an_evening_finds_a_text_that_is_cut(person: MakePerson) -> None:
    """Planted: a heading of the first page with room for half of it, on one of the screens."""
    host, screen = person("Hanna", screen=SMALL_PHONE, locale="fr-CH"), person("TV", screen=TV, locale="fr-CH")
    seen = Evening([host], screen)
    for one in (host, screen):
        one.page.goto(one.url)
    seen.look("as it is")
    assert sorted(seen.faults) == []
    host.page.evaluate(
        """() => Object.assign(document.querySelector("h1").style, {overflow: "hidden", blockSize: ".6em"})"""
    )
    seen.look("planted")
    assert [fault for fault in seen.faults if "planted, Hanna: not whole: h1" in fault], seen.faults
    assert all("Hanna" in fault for fault in seen.faults)

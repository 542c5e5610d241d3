"""Words of acts stand with the acts: no page says them again, and no button of an act has words of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from games.services.acts import ALL
from games.templatetags.house import WORDS, act

ROOT = Path(settings.BASE_DIR)
PAGES = sorted((ROOT / "templates").rglob("*.html"))
EVERY: list[Mapping[str, Any]] = list(ALL.values())
THINGS = {
    "night_act": "night",
    "tournament_act": "tournament",
    "season_act": "season",
    "owed_act": "owed",
    "webhook_act": "webhook",
    "rule_act": "rules",
    "table_act": "table",
} | {f"{thing}_act": thing for thing in ("series", "date")}
"""The name of the address of a thing's acts → the thing."""
PARTS = {"seasons/parts/night_acts.html": "season", "sharing/share.html": "night"}
"""Pages whose forms have their addresses from the view → what their acts are about."""
FORM = re.compile(r"<form\b.*?</form\s*>", re.DOTALL)
BUTTON = re.compile(r"<button\b.*?</button\s*>", re.DOTALL)
ADDRESS = re.compile(r"\{% url '(\w+)' (?!table\.public_id 'rules')")
"""The address of an act; the form of house rules is none: it opens tables, too, and is shown again with its faults."""
WORD = re.compile(r"\{% (?:translate|blocktranslate)\b.*?(?:endblocktranslate )?%\}", re.DOTALL)
OWN = frozenset({'{% translate "no phone" %}'})
"""Words on a button that say something of a person, and nothing of the act."""


def acts_of(thing: str) -> Any:
    """Return the acts at a thing."""
    return ALL[thing]


def restated(name: str, text: str) -> Iterator[str]:
    """Yield the words that the buttons of acts have in a page's text."""
    for form in FORM.findall(text):
        if name in PARTS or THINGS.keys() & set(ADDRESS.findall(form)):
            for button in BUTTON.findall(form):
                yield from (word for word in WORD.findall(button) if word not in OWN)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_buttons_of_acts_say_what_the_acts_declare(page: Path) -> None:
    assert list(restated(str(page.relative_to(ROOT / "templates")), page.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "button",
    [
        '{% translate "Close the season" %}',
        "{% blocktranslate with name=person.name trimmed %}{{ name }} has not come{% endblocktranslate %}",
        '{% if is_mine %}{% act "season" "close" "label" %}{% else %}{% translate "Shut it" %}{% endif %}',
    ],
)
def test_a_planted_button_with_words_of_its_own_is_found(button: str) -> None:
    form = f"<form action=\"{{% url 'season_act' season.public_id 'close' %}}\"><button>{button}</button></form>"
    assert list(restated("planted.html", form))
    assert not list(restated("planted.html", form.replace("season_act", "night_new")))


QUESTIONS = [str(found.question) for acts in EVERY for found in acts.values() if str(found.question)]


def test_a_question_before_an_act_stands_on_no_page_again() -> None:
    text = " ".join(" ".join(page.read_text(encoding="utf-8").split()) for page in PAGES)
    assert [question for question in QUESTIONS if question.replace("%(name)s", "{{ name }}") in text] == []
    assert len(QUESTIONS) > 5


USED = re.compile(r'\{% act "(\w+)" "?(\w+)"? "(\w+)"')


def test_pages_ask_for_words_that_acts_have() -> None:
    """Also in branches that no test of a page walks."""
    found = {use for page in PAGES for use in USED.findall(page.read_text(encoding="utf-8"))}
    assert len(found) > 80
    for thing, name, word in found - {(thing, "act", "label") for thing in ("tournament", "rules")}:
        assert act(thing, name, word, name="A", n=2), (thing, name, word)


def test_all_words_of_acts_are_on_a_page() -> None:
    used = {use for page in PAGES for use in USED.findall(page.read_text(encoding="utf-8"))}
    used |= {("tournament", name, "label") for name in ("result", "correct")}
    # One page shows what is shared of a night and of a season.
    used |= {("season", name, word) for thing, name, word in used if thing == "night" and name in ALL["season"]}
    declared = {
        (thing, name, word)
        for thing in ALL
        for name, found in acts_of(thing).items()
        for word in ("label", "question", "yes", *found.words)
        if word in found.words or getattr(found, word)
    }
    assert declared - used == set()
    assert not [name for acts in EVERY for name, one in acts.items() if one.words.keys() & set(WORDS)]


def test_words_are_filled_in_safely_and_plurals_go_by_their_number() -> None:
    assert act("tournament", "no_show", "label", name="<b>") == "&lt;b&gt; has not come"
    assert act("tournament", "late", "label", name="A", n=1) == "A comes now: the other starts with 1 point"
    assert act("tournament", "late", "label", name="A", n=2) == "A comes now: the other starts with 2 points"

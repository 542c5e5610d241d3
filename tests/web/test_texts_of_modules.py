"""The texts of the browser's modules: each page is sent those that its modules ask for, in every language."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from games import plugin
from games.kernel.contract import Event
from games.kernel.replay import Entry, fold_entry
from games.packing import short_script
from games.services.logs import event_texts
from games.web.assets import catalogues, joined_modules
from tests.browser.gallery.stage import page_html
from tests.browser.gallery.states import Shown
from tests.languages import TRANSLATED

TESTS = Path(__file__).parents[1]
NOT_AT_AN_ORDINARY_TABLE = {
    "games/shell/entering.js": "real tables alone are entered for others",
    "games/kit/headlines.js": "a big screen's",
    "chouette/evening.js": "a big screen's",
    "games/kit/played/going_on.js": "real tables alone go on without the house",
    "games/kit/played/at_house.js": "the same",
    "chouette/dock/wood_decisions.js": "real boards",
    "chouette/sheet/results_wood.js": "real boards",
    "chouette/wood/picture.js": "real boards",
    "chouette/wood/score.js": "real boards",
}
"""Modules that a page loads only with every text of its game, with the reason."""
OF_OTHER_GAMES = "games/kit/stammtisch_table.js"
"""The element of games that have none of their own: its page is sent every text."""
CALL = re.compile(r'\b(n?p)?n?gettext\(\s*("(?:[^"\\]|\\.)*")(?:,\s*("(?:[^"\\]|\\.)*"))?')


def loaded_from(*roots: str, without: Collection[str] = ()) -> list[str]:
    """Return modules, and all that they load at once and later."""
    found: list[str] = []
    waiting = [*roots]
    while waiting:
        name = waiting.pop()
        if name in found or name in without:
            continue
        found.append(name)
        source = joined_modules.source_of(name)
        waiting += [*joined_modules.imports_of(source), *joined_modules._LATER.findall(short_script(source))]
    return found


def asked(name: str) -> Iterator[str]:
    """Yield the keys of the texts that a module asks for."""
    source = joined_modules.source_of(name)
    for match in CALL.finditer(source):
        context, *parts = match.groups()
        one, two = (json.loads(part) if part else "" for part in parts)
        yield f"{one}\x04{two}" if context else one


def told(language: str, game: str, part: str) -> set[str]:
    """Return the keys of the texts that a page is sent."""
    found: set[str] = set()
    decoder = json.JSONDecoder()
    text = catalogues.texts(language, game, part).decode()
    for begin in re.finditer(r"newcatalog = ", text):
        found |= set(decoder.raw_decode(text, begin.end())[0])
    return found


def at_table(game: str) -> tuple[set[str], set[str]]:
    """Return the modules that show the board of an ordinary table, and those that it fetches later."""
    script = plugin.game(game).script
    every = {*loaded_from(joined_modules.ENTRY, script, without=NOT_AT_AN_ORDINARY_TABLE)}
    first = {name for name in every if joined_modules.shows_board(name)}
    return first, every - first


def in_code(text: str, names: Iterable[str]) -> bool:
    """Tell whether modules have a text, or all parts of one with a context, in quotes."""
    quoted = [json.dumps(part, ensure_ascii=False) for part in text.split("\x04")]
    return all(any(part in joined_modules.source_of(name) for name in names) for part in quoted)


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("game", ["chouette", "chicago"])
def test_each_module_that_a_table_loads_finds_its_texts_in_a_catalogue_that_the_page_is_sent(
    game: str, language: str
) -> None:
    every, table = (told(language, game, part) for part in (catalogues.ALL, catalogues.TABLE))
    first, later = at_table(game)
    with_theirs = table | told(language, game, catalogues.LATER)
    assert len(first) > 20 and len(later) > 10
    for names, sent in ((first, table), (later, with_theirs)):
        texts = {(name, text) for name in names for text in asked(name) if text in every}
        assert len(texts) > 10
        assert {(name, text) for name, text in texts if text not in sent} == set()


@pytest.mark.parametrize("part", [catalogues.TABLE, catalogues.LATER])
@pytest.mark.parametrize("game", ["chouette", "chicago"])
def test_a_page_is_sent_no_text_that_its_modules_do_not_have(game: str, part: str) -> None:
    first, later = at_table(game)
    names = first if part == catalogues.TABLE else later
    assert [text for text in told("de", game, part) if not in_code(text, names)] == []


@pytest.mark.parametrize("game", ["chouette", "chicago"])
def test_the_bytes_of_a_tables_page_do_not_grow_with_languages(game: str, settings: Any) -> None:
    """Of a phone and of a big screen, and of the texts that each is sent: a page carries one language."""
    preset = plugin.game(game).options.presets[0].id
    state = Shown("", game, 2, preset, plugin.game(game).options.values(preset), [], [])

    def bytes_sent() -> list[int]:
        pages = [len(page_html(state, "de", is_tv=is_tv).encode()) for is_tv in (False, True)]
        parts = (catalogues.TABLE, catalogues.LATER, catalogues.ALL)
        return pages + [len(catalogues._made("de", game, part)) for part in parts]

    every = settings.LANGUAGES
    settings.LANGUAGES = [each for each in every if each[0] in ("en", "de")]
    with_two = bytes_sent()
    settings.LANGUAGES = [*every, ("sv", "Swedish"), ("fi", "Finnish"), ("da", "Danish")]
    assert bytes_sent() == with_two


@pytest.mark.parametrize("game", ["chouette", "chicago"])
def test_a_table_is_sent_each_sentence_of_an_event_once(game: str) -> None:
    with translation.override("de"):
        first, later = (part["events"] for part in event_texts.first_and_later(game))
        assert {**first, **later} == event_texts.sentences_of(game)["events"]
    assert first and later and not first.keys() & later.keys()


@pytest.mark.parametrize("game", ["chouette", "chicago"])
def test_every_event_that_a_view_or_the_board_tells_comes_with_the_page(game: str) -> None:
    """Views of golden evenings, and the events that the modules of the board name."""
    first, later = (part["events"] for part in event_texts.first_and_later(game))
    lines = {line for view in golden_views(game) for line in lines_in(view)}
    assert lines & first.keys() if game == "chicago" else lines
    assert lines & later.keys() == set()
    words = "\n".join(joined_modules.source_of(name) for name in at_table(game)[0])
    assert {name for name in later if re.search(rf'\b(?:text|told|lineOf)\(\[?"{name}"', words)} == set()


def golden_views(game: str) -> Iterator[Any]:
    """Yield what somebody without a seat sees after each entry of a game's golden evenings."""
    rules = plugin.game(game).rules
    for path in sorted((TESTS / game / "logs").glob("*.json")):
        for evening in json.loads(path.read_text()):
            state = rules.initial(evening["options"], evening["seats"])
            for entry in evening["entries"]:
                events = tuple(Event.from_json(event) for event in entry["events"])
                state = fold_entry(rules, state, Entry(entry["seq"], events))
                yield rules.view(state, None)


def lines_in(value: Any) -> Iterator[str]:
    """Yield the names of all lines in a view: lists of a name and its data."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        if len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict):
            yield value[0]
        for one in value:
            yield from lines_in(one)


@pytest.mark.parametrize("game", ["chouette", "chicago"])
def test_every_module_that_asks_for_texts_is_loaded_by_a_page_that_is_known(game: str) -> None:
    """A module that no walk finds would be checked by none."""
    script = plugin.game(game).script
    found = {*loaded_from(joined_modules.ENTRY, script, *NOT_AT_AN_ORDINARY_TABLE, OF_OTHER_GAMES)}
    names = [name for label in ("games", game) for name in joined_modules.modules_of(label)]
    others = [name for name in names if name not in found and any(asked(name))]
    assert [name for name in others if not re.search("/(pages|replay|study)/", name)] == []

"""The texts of the browser's modules: each page is sent those that its modules ask for, in every language."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator

import pytest
import rjsmin

from games import plugin
from games.web import catalogues, joined_modules

NOT_AT_AN_ORDINARY_TABLE = {
    "games/shell/entering.js": "real tables alone are entered for others",
    "games/kit/headlines.js": "a big screen's",
    "chouette/evening.js": "a big screen's",
    "chouette/dock/wood_decisions.js": "real boards",
    "chouette/sheet/results_wood.js": "real boards",
    "chouette/wood/picture.js": "real boards",
    "chouette/wood/score.js": "real boards",
}
"""Modules that a page loads only with every text of its game, with the reason."""
LATER = (
    *("games/shell/dice/dice.js", "games/shell/wishes.js"),
    *("chouette/words/explaining.js", "chouette/words/wishes.js"),
)
"""The modules that load the texts of what is shown later."""
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
        waiting += [*joined_modules.imports_of(source), *joined_modules._LATER.findall(rjsmin.jsmin(source))]
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
    for begin in re.finditer(r"newcatalog=", text):
        found |= set(decoder.raw_decode(text, begin.end())[0])
    return found


@pytest.mark.parametrize("language", ["de", "nb"])
@pytest.mark.parametrize("game", ["chouette", "chicago"])
def test_each_module_that_a_table_loads_finds_its_texts_in_a_catalogue_that_the_page_is_sent(
    game: str, language: str
) -> None:
    every, table = (told(language, game, part) for part in (catalogues.ALL, catalogues.TABLE))
    script = plugin.game(game).script
    at_table = loaded_from(joined_modules.ENTRY, script, without={*NOT_AT_AN_ORDINARY_TABLE, *LATER})
    later = set(loaded_from(*(name for name in LATER if name.split("/")[0] in ("games", game)))) - set(at_table)
    with_theirs = table | told(language, game, catalogues.LATER)
    assert len(at_table) > 40
    for names, sent in ((at_table, table), (later, with_theirs)):
        texts = {(name, text) for name in names for text in asked(name) if text in every}
        assert len(texts) > 10
        assert {(name, text) for name, text in texts if text not in sent} == set()


@pytest.mark.parametrize("game", ["chouette", "chicago"])
def test_every_module_that_asks_for_texts_is_loaded_by_a_page_that_is_known(game: str) -> None:
    """A module that no walk finds would be checked by none."""
    script = plugin.game(game).script
    found = {*loaded_from(joined_modules.ENTRY, script, *NOT_AT_AN_ORDINARY_TABLE, OF_OTHER_GAMES)}
    names = [name for label in ("games", game) for name in joined_modules.modules_of(label)]
    others = [name for name in names if name not in found and any(asked(name))]
    assert [name for name in others if not re.search("/(pages|replay|study)/", name)] == []

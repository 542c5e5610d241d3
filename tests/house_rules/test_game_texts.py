"""Each game's texts are a catalogue of their own: two may translate a word differently."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.template import Context, Template
from django.test import Client, override_settings
from django.urls import reverse
from django.utils.translation import gettext, ngettext, override

from games import plugin
from games.game_texts import gettext_of, texts_of
from games.management.translations import catalogs, extraction

APPS = """
from django.utils.translation import gettext_lazy as _

from games.plugin import GameConfig


class Config(GameConfig):
    name = label = "{name}"
    contract = 4
    rules_module = "tests.dummygame.rules"
    title = _("Double")
    units = {{"stones": _("Stones")}}
    messages = {{"no_stone": _("No stone is left.")}}
"""
WORDS = {"east": "Kontra", "west": "Doppel"}
PLURAL = {"east": ("%(n)s Stein", "%(n)s Steine"), "west": ("%(n)s Stück", "%(n)s Stücke")}


def write_game(folder: Path, name: str) -> None:
    """Make a game whose only language beside English is German."""
    (folder / name / "static" / name).mkdir(parents=True)
    (folder / name / "__init__.py").touch()
    (folder / name / "apps.py").write_text(APPS.format(name=name))
    (folder / name / "static" / name / "table.js").write_text('export const word = gettext("Double");\n')
    texts = {"Double": WORDS[name], "Stones": f"Steine {name}", "No stone is left.": f"Kein Stein im {name}."}
    write_catalogue(folder, name, "django", texts)
    write_catalogue(folder, name, "djangojs", {"Double": WORDS[name]})


def write_catalogue(folder: Path, name: str, domain: str, texts: dict[str, str]) -> None:
    path = folder / name / "locale" / "de" / "LC_MESSAGES" / f"{domain}.po"
    path.parent.mkdir(parents=True, exist_ok=True)
    catalogue = polib.POFile()
    catalogue.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }
    for msgid, msgstr in texts.items():
        catalogue.append(polib.POEntry(msgid=msgid, msgstr=msgstr))
    if domain == "django":
        forms = dict(enumerate(PLURAL[name]))
        catalogue.append(polib.POEntry(msgid="%(n)s stone", msgid_plural="%(n)s stones", msgstr_plural=forms))
    catalogue.save(str(path))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Two more registered games, East and West, with their catalogues compiled."""
    for name in WORDS:
        write_game(tmp_path, name)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(catalogs, "own_apps", lambda: [plugin.game(name) for name in WORDS])
    monkeypatch.setattr(extraction, "own_apps", lambda: [plugin.game(name) for name in WORDS])
    with override_settings(INSTALLED_APPS=[*settings.INSTALLED_APPS, *WORDS]):
        catalogs.compile_changed()
        yield tmp_path
    for name in WORDS:
        for module in [each for each in sys.modules if each.split(".")[0] == name]:
            del sys.modules[module]


def test_two_games_translate_the_same_word_each_in_its_own_way(folder: Path) -> None:
    with override("de"):
        for name, word in WORDS.items():
            game = plugin.game(name)
            assert str(game.title) == word
            assert str(game.units["stones"]) == f"Steine {name}"
            assert str(game.messages["no_stone"]) == f"Kein Stein im {name}."
            assert gettext_of(game, "Double") == word
            with texts_of(game):
                assert Template("{% load i18n %}{% translate 'Double' %}").render(Context()) == word
                assert ngettext("%(n)s stone", "%(n)s stones", 2) == PLURAL[name][1]
        assert gettext("Double") == "Double"


def test_a_text_that_the_game_lacks_is_the_houses(folder: Path) -> None:
    with override("de"), texts_of(plugin.game("east")):
        assert gettext("Leaderboards") == "Bestenlisten"
    with override("nb"):
        assert str(plugin.game("chicago").joining_label) == gettext_of(plugin.game("chicago"), "Join the table")


def test_the_scope_of_a_game_ends_and_keeps_the_language(folder: Path) -> None:
    with override("de"):
        with texts_of(plugin.game("east")), texts_of(plugin.game("west")):
            assert gettext("Double") == "Doppel"
        with texts_of(plugin.game("east")):
            assert gettext("Double") == "Kontra"
        assert gettext("Double") == "Double"
        assert gettext("Leaderboards") == "Bestenlisten"


@pytest.mark.django_db
def test_the_browser_gets_the_texts_of_the_house_and_of_one_game(folder: Path) -> None:
    for name, word in WORDS.items():
        answer = Client().get(reverse("jsi18n", args=[name]), headers={"accept-language": "de"})
        assert f'"Double": "{word}"' in answer.content.decode()
    assert '"Double"' not in Client().get(reverse("jsi18n"), headers={"accept-language": "de"}).content.decode()
    assert Client().get(reverse("jsi18n", args=["nothing"])).status_code == 404


@pytest.mark.parametrize("name", [*WORDS, "dummygame"])
def test_a_game_without_norwegian_is_shown_in_english(folder: Path, name: str) -> None:
    game = plugin.game(name)
    with override("en"):
        english = str(game.title)
    with override("nb"):
        assert str(game.title) == english
        assert gettext_of(game, "Double") == "Double"


@pytest.mark.day(parts=5, turn=3)
def test_a_game_need_not_have_a_language_but_all_of_one_that_it_has(folder: Path) -> None:
    if not extraction.is_possible():
        pytest.skip("GNU gettext is missing")
    with extraction.merged_catalogs() as merged:
        assert {path.parents[1].name for path in merged} == {"de"}
    call_command("check_translations")
    write_catalogue(folder, "east", "djangojs", {})
    with pytest.raises(CommandError, match='not translated: "Double"'):
        call_command("check_translations")


def test_no_compiled_catalogue_of_a_game_is_one_that_django_merges() -> None:
    catalogs.compile_changed()
    for game_id, game in plugin.all_games().items():
        for path in (Path(game.path) / "locale").glob("*/LC_MESSAGES/*.mo"):
            assert path.name in (f"{game_id}.mo", "djangojs.mo")


def test_no_sentence_calls_a_beer_mat_by_two_names() -> None:
    for path in catalogs.catalog_paths():
        for entry in polib.pofile(str(path)) if path.parents[1].name == "de" else ():
            for text in (entry.msgstr, *entry.msgstr_plural.values()):
                assert not ("filz" in text.lower() and "deckel" in text.lower()), text

"""The pseudo-language: every English text in marks, nothing of it broken, offered and kept nowhere."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.core.management import call_command
from django.template import Context, Template
from django.test import Client, override_settings
from django.urls import reverse
from django.utils.translation import gettext, ngettext, override
from hypothesis import given
from hypothesis import strategies as st

from games import plugin
from games.game_texts import texts_of
from games.live.rooms.handshake import language_of
from games.management.translations import catalogs, pseudo
from games.models import Player
from games.ops import environment, variables
from games.services.logs import event_texts
from games.services.people import players
from games.web.assets import catalogues
from tests.server import ROOT

KEPT = ("%(name)s", "%(n)d", "%s", "%%", "%.1f", "{value}", "{}", "<b>", "</b>", '<a href="/x/">', "&nbsp;", "`make`")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The catalogues of the pseudo-language, which this process speaks for as long as they are there."""
    made = tmp_path_factory.mktemp("pseudo")
    pseudo.write(made)
    with override_settings(LOCALE_PATHS=[str(made)]):
        yield made


def of_house() -> list[tuple[str, polib.POEntry]]:
    """Return every text of the house and the games, with the domain that it is looked up in."""
    found = [(catalogs.compiled_path(path).stem, path) for path in catalogs.catalog_paths()]
    return [(domain, entry) for domain, path in found for entry in polib.pofile(str(path)) if not entry.obsolete]


def test_every_text_of_house_and_games_is_there_with_its_placeholders_and_plurals() -> None:
    made = {domain: {(one.msgctxt, one.msgid): one for one in all_} for domain, all_ in pseudo.catalogues().items()}
    texts = of_house()
    assert len(texts) > 4000
    for domain, entry in texts:
        said = made[domain][entry.msgctxt, entry.msgid]
        assert catalogs.fault_of(said) is None, said
        forms = list(said.msgstr_plural.values()) if entry.msgid_plural else [said.msgstr]
        for text, form in zip([entry.msgid, entry.msgid_plural][: len(forms)], forms, strict=True):
            assert form.startswith("[") and form.rstrip().endswith("]"), form
            assert re.findall(r"[^\w\s]", pseudo_less(form)) == re.findall(r"[^\w\s]", text), form


def pseudo_less(text: str) -> str:
    """Return a text without its marks."""
    return text.strip()[1:-1]


def test_texts_of_the_libraries_are_there_too() -> None:
    house = pseudo.catalogues()["django"]
    said = {entry.msgid: entry.msgstr for entry in house}
    for text in ("This field is required.", "Forgot your password?", "Sign In", "Log out"):
        assert said[text] == pseudo.pseudo(text)


@given(st.lists(st.one_of(st.sampled_from(KEPT), st.from_regex(r"[A-Za-z ,.]{1,20}", fullmatch=True)), max_size=8))
def test_what_is_no_word_stays_as_it_is_in_its_place(parts: list[str]) -> None:
    text = "".join(parts)
    said = pseudo.pseudo(text)
    pattern = "|".join(map(re.escape, KEPT))
    assert re.findall(pattern, said) == re.findall(pattern, text)
    assert said == text if not text.strip() else said.strip()[0] + said.strip()[-1] == "[]"


def test_links_and_addresses_stay_and_breaks_stay_outside_of_the_marks() -> None:
    assert pseudo.pseudo("\n  Ask [us](https://x.org/y) at https://x.org/z\n").startswith("\n  [")
    said = pseudo.pseudo("Ask [us](/rules/) or https://example.org/games")
    assert "](/rules/)" in said and said.endswith("https://example.org/games]")


def test_words_are_a_third_longer_and_have_accents_on_every_letter_that_has_one() -> None:
    said = pseudo_less(pseudo.pseudo("settlement of the evening"))
    words = said.split()
    assert [len(word) for word in words] == [13, 3, 4, 9]
    assert not set(said) & set(pseudo.PLAIN)


def test_server_templates_scripts_plurals_and_sentences_of_events_speak_it(folder: Path) -> None:
    with override(settings.PSEUDO_LANGUAGE):
        assert gettext("Leaderboards") == pseudo.pseudo("Leaderboards")
        assert Template("{% load i18n %}{% translate 'Leaderboards' %}").render(Context()) == gettext("Leaderboards")
        with texts_of(plugin.game("chouette")):
            one, more = "%(names)s wins the evening with %(points)s!", "%(names)s win the evening with %(points)s!"
            assert [ngettext(one, more, count) for count in (1, 2)] == [pseudo.pseudo(one), pseudo.pseudo(more)]
        for game in ("chicago", "chouette"):
            said = event_texts.sentences_of(game)
            for text in texts_in([said["events"], said["phrases"]]):
                assert not re.search(r"[a-z]{4}", re.sub(r"%\(\w+\)s", "", text)), text
    script = catalogues.texts(settings.PSEUDO_LANGUAGE, "chouette").decode()
    assert json.dumps(pseudo.pseudo("At stake: %(points)s"))[1:-1] in script


def texts_in(nodes: object) -> Iterator[str]:
    """Yield the texts of sentences."""
    if isinstance(nodes, list):
        for one in nodes:
            yield from texts_in(one)
    elif isinstance(nodes, dict):
        for key, value in nodes.items():
            if key == "text" and isinstance(value, str):
                yield value
            elif key == "forms":
                yield from value
            else:
                yield from texts_in(value)


def test_a_text_that_nobody_has_marked_stays_english(folder: Path) -> None:
    planted = "Nobody has marked this sentence"
    with override(settings.PSEUDO_LANGUAGE):
        assert gettext(planted) == planted


@pytest.mark.django_db
@override_settings(IS_PSEUDO=True)
def test_every_page_of_a_development_server_is_in_it_and_no_page_offers_it(folder: Path) -> None:
    page = Client(headers={"accept-language": "de"}).get(reverse("me")).content.decode()
    assert '<html lang="en-xa"' in page
    assert 'value="de"' in page and 'value="en-xa"' not in page
    assert language_of({"headers": [(b"accept-language", b"de")]}) == "en-xa"


@pytest.mark.django_db
def test_no_page_of_another_house_is_in_it_whatever_a_browser_asks_for() -> None:
    browser = Client(headers={"accept-language": "en-xa"})
    browser.cookies[settings.LANGUAGE_COOKIE_NAME] = "en-xa"
    assert '<html lang="en-xa"' not in browser.get(reverse("home")).content.decode()
    assert browser.post(reverse("set_language"), {"language": "en-xa"}).status_code in (302, 204)
    assert language_of({"headers": [(b"accept-language", b"en-xa")]}) != "en-xa"
    assert "en-xa" not in browser.get(f"{reverse('jsi18n')}?v=en-xa.00000000").content.decode()
    assert "en-xa" not in dict(settings.LANGUAGES)


@pytest.mark.django_db
def test_nobody_is_written_to_in_it() -> None:
    assert players.new_guest("Kari", settings.PSEUDO_LANGUAGE).language == ""
    assert players.new_guest("Ole", "nb").language == "nb"
    assert Player.objects.filter(language__startswith="en-").count() == 0


@pytest.mark.parametrize("debug", ["0", "1"])
def test_a_house_that_is_none_of_a_developer_refuses_it(debug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variables, "IS_INSTALLED", debug == "1")
    with pytest.raises(environment.Unusable, match=r"^PSEUDO is 1"):
        variables.check(environment.read({"PSEUDO": "1", "DEBUG": debug}))


def test_a_development_server_makes_its_catalogues_outside_of_the_sources(tmp_path: Path) -> None:
    kept = {**os.environ, "STAMMTISCH_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "games.settings"}
    done = subprocess.run(
        [sys.executable, "manage.py", "compile_translations", "--pseudo"],
        env={**kept, "PSEUDO": "1", "DEBUG": "1"}, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (tmp_path / "pseudo" / "en_XA" / "LC_MESSAGES").glob("*.mo")} == {
        "django.mo", "djangojs.mo", "chicago.mo", "chouette.mo",
    }  # fmt: skip
    assert not list(ROOT.glob("*/locale/en_XA"))


def test_it_is_none_of_the_languages_that_are_checked() -> None:
    assert "en-xa" not in catalogs.wanted_languages()
    with pytest.raises(environment.Unusable, match=r"^HOUSE_LANGUAGE"):
        environment.house(environment.read({"HOUSE_LANGUAGE": "en-xa"}), dict(settings.LANGUAGES))
    call_command("check_translations")


ALIAS = re.compile(r"import n?p?gettext(?:_lazy|_noop)? as (?!_$|n?p?gettext)(\w+)$", re.M)


def test_texts_are_marked_by_names_that_the_collection_knows() -> None:
    paths = [path for app in catalogs.own_apps() for path in Path(app.path).rglob("*.py")]
    assert [str(path) for path in paths if ALIAS.search(path.read_text(encoding="utf-8"))] == []
    assert ALIAS.search("from django.utils.translation import gettext as now\n")

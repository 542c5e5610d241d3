"""Pages, print, pictures and mails in the pseudo-language: each text is marked, and whole, but for a written list."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polib
import pytest
from django.core.cache import cache
from django.test import override_settings
from PIL import ImageDraw

from games import game_texts
from games.management.translations import pseudo
from games.models import Mail
from games.services.mails import texts
from games.web.sharing import picture
from tests.browser.gallery.pseudo import OF_REGION, PROGRAM
from tests.security.roles.roles import World, address, make_world, rows
from tests.seeds import share_of_day
from tests.server import ROOT
from tests.web import unmarked

pytestmark = pytest.mark.django_db

TYPED = {
    *("Hanna", "Waiting", "Onlooker", "Guest", "Other", "Kicked", "Banned", "Host", "chief"),
    *("Thursday", "Elsewhere", "Ours", "Cup", "Club", "slip", "point"),
}
"""Words that people of the world below have typed: names, a reason, and what a game of the tests is played for."""
NOTATION = {"XGID", "CSV", "CET", "UTC"}
SERVICES = {"Discord", "Matrix", "Slack"}
OF_LIBRARIES = {"User", "sessions"}
"""What allauth calls a table in the admin."""
WRITTEN = frozenset(TYPED | PROGRAM | NOTATION | SERVICES | OF_LIBRARIES | OF_REGION)
GAMES_OF_TESTS = ("dummygame", "bluffing")
MARKS = {"_", "gettext_noop", "gettext_lazy", "say", "ngettext", "pgettext"}


@pytest.fixture(autouse=True)
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The pseudo-language, spoken by every page."""
    folder = tmp_path_factory.mktemp("pseudo")
    pseudo.write(folder)
    for game in GAMES_OF_TESTS:
        write_texts(game, folder)
    game_texts._catalogue.cache_clear()  # an earlier test of this process may have spoken it out of another folder
    with override_settings(LOCALE_PATHS=[str(folder)], IS_PSEUDO=True):
        yield
    game_texts._catalogue.cache_clear()


def write_texts(game: str, folder: Path) -> None:
    """Write the texts of a game of the tests, which has no catalogue."""
    made = polib.POFile()
    made.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    for path in (ROOT / "tests" / game).rglob("*.py"):
        made.extend(polib.POEntry(msgid=text, msgstr=pseudo.pseudo(text)) for text in marked(path.read_text()))
    made.save_as_mofile(str(folder / pseudo.LOCALE / "LC_MESSAGES" / f"{game}.mo"))


def marked(source: str) -> set[str]:
    """Return the texts that a module marks for translation."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    found = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in MARKS]
    texts = [arg.value for call in found for arg in call.args if isinstance(arg, ast.Constant)]
    return {text for text in texts if isinstance(text, str) and text}


@pytest.fixture
def world() -> World:
    """A night, a season, a series, a tournament, and everybody."""
    return make_world()


def unmarked_at(world: World, role: str) -> dict[str, list[str]]:
    """Return the texts without marks at all addresses, as a role is shown them."""
    found: dict[str, list[str]] = {}
    written = WRITTEN | {world.night.code}
    browser = world.browser(role)
    cookies = browser.cookies.copy()
    for row, (method, name, wanted) in rows().items():
        if method != "get" or name.startswith("api"):
            continue
        cache.clear()
        browser.cookies = cookies.copy()
        answer = browser.get(address(world, name, wanted))
        if answer.get("Content-Type", "").startswith("text/html"):
            html = answer.content.decode()
            for text in (*unmarked.of_page(html, written), *unmarked.beside(html)):
                found.setdefault(text, []).append(row)
    return found


@pytest.mark.parametrize("role", share_of_day(["nobody", "screen", "waiting", "guest", "host", "staff"], 6))
def test_every_text_of_every_page_is_marked_for_translation(world: World, role: str) -> None:
    assert unmarked_at(world, role) == {}


@pytest.mark.parametrize("kind", list(Mail.Kind))
def test_every_text_of_a_mail_is_marked_for_translation(world: World, kind: Mail.Kind, settings: Any) -> None:
    settings.PUBLIC_URL = "https://house.example"
    guest = world.people["guest"]
    guest.language = settings.PSEUDO_LANGUAGE
    for is_cancelled in (False, True):
        world.date.is_cancelled = is_cancelled
        mail = texts.message(Mail(date=world.date, player=guest, kind=kind), "guest@example.org", None)
        lines = [mail.subject, *mail.body.splitlines()]
        assert [text for line in lines for text in unmarked.of_text(line, WRITTEN)] == []
        assert [line for line in lines if unmarked.has_parts_beside(line)] == []


def test_every_text_of_a_shared_picture_is_marked_for_translation(world: World, monkeypatch: Any) -> None:
    drawn: list[str] = []
    picture.drawn.cache_clear()
    monkeypatch.setattr(ImageDraw.ImageDraw, "text", lambda _pen, _at, text, **_about: drawn.append(text))
    _, name, wanted = rows()["GET shared_picture"]
    world.browser("nobody").get(address(world, name, wanted))
    assert drawn
    assert [text for line in drawn for text in unmarked.of_text(line, WRITTEN)] == []
    assert [line for line in drawn if unmarked.has_parts_beside(line)] == []


def test_parts_that_stand_side_by_side_are_found() -> None:
    """Planted: a label with its value or time, in a line, in a name that is heard; and lists, sentences and places."""
    page = (
        "<h2>[Ğámé]: [Çłáššíç]</h2><p>[Řółł] <b>[áğáíñ]</b></p><button aria-label='[Óñé] [ťwó]'>×</button>"
        "<p>[Óñé] · [ťwó], [Ťhřéé] and [Fóúř]</p><p>[Řółł.] [Šťáñđ.]</p><p>[Anna: [Řółł]]</p><td>[Á]</td> <td>[Đ]</td>"
        "<p class=row><span>[Á]</span> <span>[Đ]</span></p><li class=feed-line><time>20:15</time> <span>[Á]</span></li>"
        "<p><span class=badge>[Á]</span> [Đ]</p>"
        "<p>[šíñçé] <time>20:15</time></p><p>[šíñçé <time>20:15</time>] · <time>20:15</time>–<time>21</time></p>"
    )
    assert unmarked.beside(page) == ["[Óñé] [ťwó]", "[Ğámé]: [Çłáššíç]", "[Řółł] [áğáíñ]", "[šíñçé] [20:15]"]


def test_a_text_that_nobody_has_marked_is_found() -> None:
    """Planted: a sentence, a name that is heard, a button's, and a word within a sentence; and what is left alone."""
    page = (
        "<title>Roll</title><p>Roll again, Hanna<br>now</p><button aria-label='Close it'>×</button>"
        "<input type=submit value=Send><p>[Ťááķé] back</p><p>[Ťááķé] 5</p><code>make play</code>"
        "<p translate=no>as it is<b>too</b></p><script>var it;</script><p>https://house.example/night/</p>"
    )
    assert unmarked.of_page(page, WRITTEN) == [
        "button[aria-label] “Close it”",
        "input “Send”",
        "p “Roll again”",
        "p “back”",
        "p “now”",
        "title “Roll”",
    ]

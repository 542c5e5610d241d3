"""Every page at 360 px, in the pseudo-language and in German: none scrolls sideways, and no text is cut."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.conf import settings
from playwright.sync_api import Browser

from tests.browser import whole
from tests.browser.gallery import pseudo
from tests.browser.gallery.stage import SCREENS
from tests.browser.people import close_context
from tests.browser.places.pages import ROLES, SentPage
from tests.browser.places.walk import Reader
from tests.seeds import share_of_day

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

SMALL_PHONE = next(screen for screen in SCREENS if screen.name == "small phone")
LANGUAGES = (settings.PSEUDO_LANGUAGE, "de")
READERS = [(language, role) for role in ROLES if role != "screen" for language in LANGUAGES]


def sent(language: str, role: str) -> list[SentPage]:
    """Return the pages that a role is sent; another process asks for them, with a database of its own."""
    of_language = [] if language == settings.PSEUDO_LANGUAGE else ["--language", language]
    done = subprocess.run(
        [sys.executable, "-m", "tests.browser.places", "--sent", role, *of_language],
        env={name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "DATABASE_URL_TEST")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [SentPage(**page) for page in json.loads(done.stdout)]


@contextmanager
def small_phone(browser: Browser, language: str) -> Iterator[Reader]:
    """A small phone that is sent pages."""
    context = browser.new_context(has_touch=True, reduced_motion="reduce")
    whole.measure_in(context)
    yield Reader(context, language)
    close_context(context)


@pytest.mark.day(parts=17, turn=3)
@pytest.mark.parametrize(("language", "role"), share_of_day(READERS, 5, every=17))
def test_no_page_scrolls_sideways_or_cuts_a_text_on_a_small_phone(chrome: Browser, language: str, role: str) -> None:
    found = {}
    with pseudo.spoken(), small_phone(chrome, language) as reader:
        for one in sent(language, role):
            if one.name.endswith(": tv"):  # made for a big screen
                continue
            reader.open(one, SMALL_PHONE)
            if wrong := whole.faults(reader.page):
                found[one.name] = wrong
    assert found == {}


def test_what_is_too_wide_is_found(chrome: Browser) -> None:
    """Planted: a wide box, a cut button, a text beyond the edge; and what is right."""
    wide, cut = "Donaudampfschifffahrt", "style='inline-size: 40px; overflow: hidden; white-space: nowrap'"
    with small_phone(chrome, "de") as reader:
        for planted, said in (
            (f"<div style='inline-size: 500px'>{wide}</div>", "too wide"),
            (f"<button {cut}>Peut-être</button>", "button"),
            (f"<div style='overflow: hidden'><p style='margin-inline-start: 300px'>{wide}</p></div>", "p"),
            (f"{wide}<button>Peut-être</button>", ""),
        ):
            reader.open(SentPage("planted", "/", f"<!doctype html><body>{planted}"), SMALL_PHONE)
            broken = whole.faults(reader.page)
            assert any(said in one for one in broken) if said else broken == [], (planted, broken)

"""The languages on offer: three at the door, all on one's own page; which no native has read says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.test import override_settings
from django.urls import reverse

from games.models import House, Night, house
from games.web.assets import catalogues
from tests.browser.gallery import chicago, stage
from tests.browser.gallery.states import states_of
from tests.web.pages import Page, browser_of, join_link, read

pytestmark = pytest.mark.django_db
MANY = [(code, code) for code in ("en", "de", "nb", "fr", "it")]
ALL = [code for code, _ in MANY]
DOOR = 3


@pytest.fixture(autouse=True)
def many() -> Iterator[None]:
    """A house with five languages, two of which no native has read."""
    with override_settings(LANGUAGES=MANY, READ_BY_NATIVES={"en", "de", "nb"}):
        yield


def door(night: Night, header: str = "", chosen: str = "") -> Page:
    """Return the page of joining, as a browser gets it that asks for languages, and in which one was chosen."""
    browser = browser_of()
    if chosen:
        browser.post(reverse("set_language"), {"language": chosen, "next": "/"})
    return read(browser.get(join_link(night), headers={"accept-language": header}).content.decode())


def offered(page: Page) -> list[str]:
    """Return the languages of a page's buttons, those under More last."""
    return [button.attrs["value"] for button in page.all("button", name="language")]


def current(page: Page) -> list[str]:
    """Return the languages that are marked as the page's own."""
    return [button.attrs["value"] for button in page.all("button", name="language", aria_current="true")]


def speak(language: str) -> None:
    """Let the house speak a language."""
    House.objects.update_or_create(pk=1, defaults={"language": language})
    house.forget()


@pytest.mark.parametrize(
    ("header", "spoken", "shown"),
    [
        ("it,fr;q=0.5", "de", {"it", "de", "en"}),
        ("fr-CH", "fr", {"fr", "en"}),
        ("fi", "nb", {"nb", "en"}),
        ("", "", {"en"}),
        ("en-GB,nb;q=0.5", "de", {"en", "de"}),
    ],
)
def test_the_door_has_the_browsers_the_houses_and_english_and_the_others_under_more(
    night, header: str, spoken: str, shown: set[str]
) -> None:
    speak(spoken)
    page = door(night, header)
    first = offered(page)[: len(shown)]
    assert set(first) == shown
    assert len(first) <= DOOR
    assert sorted(offered(page)) == sorted(ALL)
    assert page.all("details", class_="more-languages")


@pytest.mark.parametrize("language", ALL)
def test_each_language_can_be_chosen_at_the_door_without_a_script_and_stands_there_then(night, language: str) -> None:
    speak("de")
    page = door(night, "fr", chosen=language)
    assert page.all("html")[0].attrs["lang"] == language
    assert current(page) == [language]
    assert language in offered(page)[:DOOR]
    assert all(each.attrs["formaction"] == reverse("set_language") for each in page.all("button", name="language"))


def test_with_three_languages_nothing_stands_under_more(night) -> None:
    with override_settings(LANGUAGES=MANY[:DOOR]):
        page = door(night, "fr")
    assert offered(page) == ALL[:DOOR]
    assert not page.all("details", class_="more-languages")


def test_all_languages_stand_on_ones_own_page() -> None:
    page = read(browser_of().get(reverse("me"), headers={"accept-language": "it"}).content.decode())
    assert offered(page) == ALL
    assert current(page) == ["it"]


@pytest.mark.parametrize("language", ALL)
def test_a_language_that_no_native_has_read_says_so_where_it_is_chosen_and_whom_to_tell(night, language: str) -> None:
    House.objects.update_or_create(pk=1, defaults={"contact": "Behind the bar"})
    house.forget()
    browser = browser_of()
    browser.post(reverse("set_language"), {"language": language, "next": "/"})
    for address in (join_link(night), reverse("me")):
        html = browser.get(address).content.decode()
        assert bool(read(html).all("details", class_="unread")) == (language in {"fr", "it"})
        assert ("Behind the bar" in html) == (language in {"fr", "it"})


def test_a_made_up_header_or_cookie_names_no_language_of_ours(night) -> None:
    browser = browser_of()
    browser.cookies["django_language"] = "../../etc/passwd"
    for header in ("x" * 5000, "en;q=zero", "\N{SNOWMAN}", "*", "de-" * 400):
        page = read(browser.get(join_link(night), headers={"accept-language": header}).content.decode())
        assert sorted(offered(page)) == sorted(ALL)


def test_a_tables_page_carries_one_language_and_does_not_grow_with_their_number() -> None:
    course = min(chicago.COURSES, key=lambda each: each.seats)
    [state, *_] = states_of(replace(course, wanted=course.wanted[:1]))
    more = [*MANY, *((code, code) for code in ("da", "es", "fi", "nl", "pl", "pt", "sv"))]
    sent = []
    for languages in (MANY[:4], more):
        catalogues._made_once.cache_clear()
        with override_settings(LANGUAGES=languages):
            pages = [stage.page_html(state, "fr", is_tv=is_tv) for is_tv in (False, True)]
            sent.append(([len(page) for page in pages], catalogues.texts("fr", course.game)))
            assert [len(set(re.findall(r"/jsi18n/[^\"]+", page))) for page in pages] == [1, 1]
    assert sent[0] == sent[1]

"""Numbers, lists and dates by region: the browser's where it speaks the page's language, else the house's country."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from games.models import House, Mail, house
from games.services.mails import texts
from games.services.regions import region, written
from tests.security.roles.roles import World, address, make_world, rows
from tests.seeds import share_of_day
from tests.web.pages import browser_of, read

pytestmark = pytest.mark.django_db
DAY, EVENING = date(2026, 11, 29), time(20, 5)


def is_in(country: str = "", time_zone: str = "") -> None:
    """Let the house be in a country."""
    House.objects.update_or_create(pk=house.ONLY, defaults={"country": country, "time_zone": time_zone})
    house.forget()


def locale_of(html: str) -> str:
    """Return the locale by which a page's scripts write."""
    return read(html).all("html")[0].attrs["data-locale"]


@pytest.mark.parametrize(
    ("accepted", "country", "time_zone", "language", "wanted"),
    [
        ("de-CH", "NO", "", "de", "de-CH"),
        ("en-US,de-CH;q=0.5", "NO", "", "de", "de-CH"),
        ("de", "CH", "", "de", "de-CH"),
        ("nb-NO", "CH", "", "fr", "fr-CH"),
        ("", "CH", "Europe/Oslo", "it", "it-CH"),
        ("", "", "Europe/Zurich", "de", "de-CH"),
        ("de-Latn-AT", "", "", "de", "de-AT"),
        ("de-ZZ", "CH", "", "de", "de"),
        ("", "NO", "", "de", "de"),
        ("", "", "", "en", "en-150"),
        ("en-US", "", "", "en-xa", "en-US"),
        ("../../en-US, x", "GB", "", "en", "en-GB"),
    ],
)
def test_the_region_is_the_browsers_in_the_pages_language_else_the_houses(
    accepted: str, country: str, time_zone: str, language: str, wanted: str
) -> None:
    is_in(country, time_zone)
    with translation.override(language), region.of_reader(accepted):
        assert region.tag() == wanted


@given(accepted=st.text(max_size=80), language=st.sampled_from(["en", "de", "nb", "fr", "it"]))
def test_no_header_of_a_browser_keeps_a_page_from_being_written(accepted: str, language: str) -> None:
    with translation.override(language), region.of_reader(accepted):
        assert written.day(DAY) and written.rounded(1234.5, 1) and written.hour(EVENING)


@pytest.mark.parametrize(
    ("language", "accepted", "number", "day", "hour", "names"),
    [
        ("de", "de-CH", r"1[’']234\.50", "29. November 2026", "20:05", "Ada, Bo und Cy"),
        ("de", "de-DE", r"1\.234,50", "29. November 2026", "20:05", "Ada, Bo und Cy"),
        ("it", "it-CH", r"1[’']234\.50", "29 novembre 2026", "20:05", "Ada, Bo e Cy"),
        ("nb", "nb-NO", "1\u00a0234,50", "29. november 2026", "20:05", "Ada, Bo og Cy"),
        ("en", "en-GB", "1,234.50", "29 November 2026", "20:05", "Ada, Bo and Cy"),
        ("en", "en-US", "1,234.50", "November 29, 2026", "8:05\u00a0PM", "Ada, Bo, and Cy"),
    ],
)
def test_numbers_days_times_and_lists_are_the_regions(
    language: str, accepted: str, number: str, day: str, hour: str, names: str
) -> None:
    with translation.override(language), region.of_reader(accepted):
        assert re.fullmatch(number, written.rounded(Decimal("1234.5"), 2))
        assert written.day(DAY) == day
        assert written.hour(EVENING) == hour
        assert written.names(["Ada", "Bo", "Cy"]) == names
        assert written.moment(datetime.combine(DAY, EVENING, UTC)).endswith(hour)
        assert day.startswith(written.day(DAY, "yearless"))
        assert "2026" not in written.day(DAY, "coming") and len(written.weekdays()) == 7


def read_back(text: str) -> Decimal:
    """Return the number that a text says where the last sign that is no digit parts off the decimals."""
    whole, *decimals = re.split(r"[.,](?=\d{1,3}$)", text.replace("−", "-"))
    return Decimal(re.sub(r"[^\d-]", "", whole) + "." + "".join(decimals))


@given(
    number=st.decimals(-(10**7), 10**7, places=4),
    places=st.integers(1, 3),
    accepted=st.sampled_from(["de-CH", "de-DE", "de-AT"]),
)
def test_a_written_number_is_the_number(number: Decimal, places: int, accepted: str) -> None:
    with translation.override("de"), region.of_reader(accepted):
        text = written.rounded(number, places)
        assert read_back(text) == round(number, places)
        assert "-" not in text, "the minus is a printed one"
        assert not re.match(r"−0[.,]0*$", text), "nothing is less than nothing"


def test_a_page_tells_its_scripts_its_region_and_the_next_readers_is_their_own() -> None:
    is_in("CH")
    asked = ["de-AT", "de", "en-US", ""]
    told = [locale_of(browser_of().get("/", headers={"accept-language": each}).content.decode()) for each in asked]
    assert told == ["de-AT", "de-CH", "en-US", "en-CH"]
    with translation.override("de"):
        assert region.tag() == "de-CH", "nothing of a request stays behind"


@pytest.fixture
def world() -> World:
    """A night, a season, a series, a tournament, and everybody."""
    return make_world()


def test_mails_and_paper_go_by_the_houses_country_whoever_asks(world: World, settings: Any) -> None:
    settings.PUBLIC_URL = "https://house.example"
    is_in("GB")
    guest = world.people["guest"]
    guest.language = "en"
    with region.of_reader("en-US"):
        mail = texts.message(Mail(date=world.date, player=guest, kind=Mail.Kind.REMINDER), "guest@example.org", None)
    with translation.override("en"):
        assert written.day(world.date.day, "full") in mail.subject
        assert written.hour(world.date.start) in mail.subject
    poster = reverse("series_poster", args=[world.date.series.key])
    assert (
        locale_of(world.browser("host").get(poster, headers={"accept-language": "en-US"}).content.decode()) == "en-GB"
    )


FOREIGN = {
    "de-CH": re.compile(r".{,20}\d,\d.{,20}"),
    "en-US": re.compile(r"\b(?:1[3-9]|2[0-3]):[0-5]\d\b|\b\d{1,2}\.? (?:November|December|January) \d{4}"),
}
"""What nobody writes there: a decimal comma, and a time after noon or a day in the order of other countries."""


OF_OTHERS = ("api", "admin", "series_poster", "tournament_print", "house", "tournament_new")
"""Django's admin writes by language alone, paper by the house; two pages have numbers in their sentences."""


@pytest.mark.parametrize("role", share_of_day(["guest", "host", "staff", "screen"], 4))
@pytest.mark.parametrize("accepted", [*FOREIGN])
def test_no_page_has_a_number_or_time_of_another_region(world: World, role: str, accepted: str) -> None:
    found: dict[str, list[str]] = {}
    browser = world.browser(role)
    browser.defaults["HTTP_ACCEPT_LANGUAGE"] = accepted
    cookies = browser.cookies.copy()
    for row, (method, name, wanted) in rows().items():
        if method != "get" or name.startswith(OF_OTHERS):
            continue
        cache.clear()
        browser.cookies = cookies.copy()
        answer = browser.get(address(world, name, wanted))
        if answer.get("Content-Type", "").startswith("text/html"):
            seen = re.sub(r"<(script|style|svg|textarea).*?</\1>|<[^>]*>", " ", answer.content.decode(), flags=re.S)
            if foreign := FOREIGN[accepted].findall(seen):
                found[row] = foreign
    assert found == {}

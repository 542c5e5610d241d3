"""The house: asked for at an admin's first login, fixed by the environment, known to every page at once."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from io import StringIO
from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import AuditEntry, House, Night, house
from games.models.night import day_of
from games.ops import environment
from games.services import house as service_house
from games.services import tasks
from games.services.history import player_history
from games.services.house import HouseDescription
from tests.house.test_pictures import png
from tests.people.browsers import PASSWORD, log_in
from tests.web.pages import browser_of, join_link, read

pytestmark = pytest.mark.django_db
PAGE = "/house/"
CALF = {"name": "Silver Calf", "country": "GB", "time_zone": "Europe/London", "language": "nb", "price": "A point: 5p"}


@pytest.fixture
def chief() -> User:
    """An admin with a password of their own."""
    return User.objects.create_superuser("chief", password=PASSWORD)


@pytest.fixture
def office(chief: User) -> Client:
    """The admin's browser."""
    client = Client()
    client.force_login(chief)
    return client


def describe(office: Client, **more: object) -> None:
    """Send the house's page."""
    answer = office.post(PAGE, CALF | more)
    assert answer.status_code == 302, errors(answer)


def errors(answer) -> dict[str, str]:
    """Return the errors of the page by field."""
    return dict(re.findall(r'<p class="error" id="([a-z_]+)-error">.*?<span>(.*?)</span>', answer.content.decode()))


def is_described(by: User) -> None:
    """Let the house be described already."""
    service_house.answer(HouseDescription(**CALF), by)


# The first login


def test_the_first_login_of_an_admin_leads_by_the_page_of_the_house_and_then_on(chief: User) -> None:
    browser = browser_of()
    answer = browser.post(reverse("account_login") + "?next=/house-rules/", {"login": "chief", "password": PASSWORD})
    assert answer["Location"] == "/house/?next=%2Fhouse-rules%2F"
    assert browser.post(answer["Location"], CALF)["Location"] == "/house-rules/"
    answer = browser_of().post(reverse("account_login"), {"login": "chief", "password": PASSWORD, "next": "/rules/"})
    assert answer["Location"] == "/rules/", "once one has answered nobody is asked"


def test_an_account_that_is_no_admins_is_not_asked() -> None:
    User.objects.create_user("vera", password=PASSWORD, is_staff=True)
    assert not log_in(browser_of(), "vera")["Location"].startswith(PAGE)


def test_the_page_leads_nowhere_else_than_into_the_house(office: Client) -> None:
    assert office.post(f"{PAGE}?next=https://example.org/", CALF)["Location"] == PAGE


def printed_password(*args: str) -> str:
    """Return the password that the command prints."""
    out = StringIO()
    call_command("admin", *args, stdout=out)
    return re.search(r'password "([^"]+)"', out.getvalue())[1]


def test_the_printed_password_is_replaced_at_the_first_login_and_others_are_not_asked_for_one() -> None:
    printed, browser = printed_password(), browser_of()
    assert log_in(browser, "admin", printed)["Location"].startswith(PAGE)
    assert read(browser.get(PAGE).content.decode()).by_id("password")
    for weak in ("", "12345", "password"):
        assert "password" in errors(browser.post(PAGE, CALF | {"password": weak}))
    assert not House.objects.get().answered_at, "nothing is saved without it"
    assert browser.post(PAGE, CALF | {"password": PASSWORD}).status_code == 302
    page = browser.get(PAGE)
    assert page.status_code == 200, "this browser stays logged in"
    assert read(page.content.decode()).by_id("password") is None
    assert log_in(browser_of(), "admin", printed).status_code == 200, "it opens nothing more"
    assert not log_in(browser_of(), "admin")["Location"].startswith(PAGE)


@pytest.mark.parametrize(
    "path", ["/admin/", "/admin/restore/", "/", "/me/tokens/", "/account/password/", "/rules/chicago/"]
)
def test_with_the_printed_password_no_page_opens_but_the_one_that_replaces_it(path: str) -> None:
    printed = printed_password()
    is_described(User.objects.get(username="admin"))
    for browser in (browser_of(), browser_of()):
        log_in(browser, "admin", printed)
        answer = browser.get(path)
        assert (answer.status_code, answer["Location"]) == (302, f"{PAGE}?next={quote(path, safe='')}")
        assert browser.get(answer["Location"]).status_code == 200
    assert browser.post(answer["Location"], CALF | {"password": PASSWORD})["Location"] == path
    assert browser.get(path).status_code == 200


def test_with_the_printed_password_nothing_is_changed_and_the_api_says_why() -> None:
    printed, browser = printed_password(), browser_of()
    log_in(browser, "admin", printed)
    assert browser.post("/host/", {"name": "Thursday"})["Location"] == PAGE
    assert not Night.objects.exists()
    answer = browser.get("/api/me/")
    assert (answer.status_code, answer.json()["code"]) == (403, "own_password_first")
    assert browser.post(reverse("account_logout")).status_code == 302
    assert browser.get("/").status_code == 200


def test_a_password_that_was_printed_anew_is_replaced_too() -> None:
    printed_password()
    is_described(User.objects.get(username="admin"))
    printed = printed_password("--new-password")
    assert log_in(browser_of(), "admin", printed)["Location"].startswith(PAGE)


def test_the_page_is_for_admins_alone() -> None:
    assert browser_of().get(PAGE)["Location"] == reverse("account_login") + "?next=%2Fhouse%2F"
    vera = Client()
    vera.force_login(User.objects.create_user("vera", is_staff=True))
    assert vera.get(PAGE).status_code == 403
    assert vera.post(PAGE, CALF).status_code == 403
    assert not House.objects.exists()


# The answers


def test_answers_are_kept_shown_again_and_noted_with_who_gave_them(office: Client) -> None:
    describe(office, name="  Silver   Calf ")
    page = read(office.get(PAGE).content.decode())
    assert page.by_id("name").attrs["value"] == "Silver Calf"
    assert {t.attrs["value"] for t in page.all("option") if "selected" in t.attrs} == {
        "GB",
        "Europe/London",
        "nb",
        "anything",
    }
    assert [(e.act, e.actor_name, e.subject) for e in AuditEntry.objects.all()] == [
        ("house_described", "chief", "Silver Calf")
    ]
    assert str(House.objects.get()) == "Silver Calf"


def test_each_wrong_answer_is_marked_at_its_field_and_nothing_is_saved(office: Client) -> None:
    wrong = {"name": "x" * 61, "country": "XX", "time_zone": "Moon/Sea", "language": "tlh", "price": "x" * 121}
    answer = office.post(PAGE, wrong | {"logo": SimpleUploadedFile("logo.svg", b"<svg/>")})
    assert answer.status_code == 400
    assert set(errors(answer)) == {*wrong, "logo"}
    assert not House.objects.exists()
    assert read(answer.content.decode()).by_id("name").attrs["value"] == wrong["name"]


def test_a_variable_of_the_environment_wins_and_the_form_shows_it_as_fixed(office: Client, settings) -> None:
    describe(office)
    settings.HOUSE_FIXED = {"time_zone": "Asia/Tokyo", "name": "Anker"}
    page = read(office.get(PAGE).content.decode())
    for field, value, variable in (("name", "Anker", "HOUSE_NAME"), ("time_zone", "", "TIME_ZONE")):
        assert "disabled" in page.by_id(field).attrs
        assert page.by_id(field).attrs.get("value", "") == value
        assert variable in page.by_id(f"{field}-hint").text
    assert "disabled" not in page.by_id("country").attrs
    assert "Asia/Tokyo" in {t.attrs["value"] for t in page.all("option") if "selected" in t.attrs}
    assert house.zone().key == "Asia/Tokyo"
    describe(office, country="NO", name="", time_zone="")
    row = House.objects.get()
    assert (row.name, row.time_zone, row.country) == ("Silver Calf", "Europe/London", "NO")


@pytest.mark.parametrize("wrong", [{"house_country": "Norway"}, {"house_language": "tlh"}])
def test_a_variable_that_names_no_country_or_language_of_the_house_is_refused_at_the_start(wrong) -> None:
    with pytest.raises(environment.Unusable):
        environment.house(environment.Environment(**wrong), ["en", "nb"])


def test_a_house_that_nobody_has_described_is_as_it_always_was(settings) -> None:
    assert (house.facts().name, house.zone().key) == ("", settings.TIME_ZONE)
    assert "<span\n      >Stammtisch</span>" in browser_of().get("/").content.decode()


# Time


def test_pages_and_days_are_in_the_zone_from_the_next_request_on(office: Client, night: Night) -> None:
    night.created_at = datetime(2026, 7, 1, 20, 30, tzinfo=UTC)
    night.save()
    with timezone.override("UTC"):
        describe(office, time_zone="Pacific/Auckland")
        assert day_of(night.created_at) == date(2026, 7, 2)
        assert player_history.begin(date(2026, 7, 2)) == datetime(2026, 7, 1, 12, tzinfo=UTC)
        assert tasks.every()["housekeeping"].next_at(night.created_at) == datetime(2026, 7, 2, 16, 30, tzinfo=UTC)
    office.get(PAGE)
    assert timezone.get_current_timezone_name() == "Pacific/Auckland", "by the request"


def test_another_process_knows_within_a_second(chief: User, monkeypatch) -> None:
    is_described(chief)
    assert house.facts().name == "Silver Calf"
    House.objects.update(name="Anker")  # as another process does
    now = house.time.monotonic()
    monkeypatch.setattr(house.time, "monotonic", lambda: now + 2 * house.KEPT_SECONDS)
    assert house.facts().name == "Anker"


def test_while_the_database_does_not_answer_what_was_read_last_counts(chief: User, monkeypatch) -> None:
    is_described(chief)
    assert house.facts().name == "Silver Calf"
    house.forget()

    def broken(**_conditions: object) -> None:
        raise house.DatabaseError

    monkeypatch.setattr(House.objects, "filter", broken)
    assert house.facts().name == "Silver Calf"


# Language


@pytest.mark.parametrize(("asked", "shown"), [("", "nb"), ("fi,*;q=0.5", "nb"), ("de-AT", "de"), ("fi,en;q=0.5", "en")])
def test_the_houses_language_is_for_browsers_that_name_none_of_its_languages(chief, asked, shown) -> None:
    is_described(chief)
    html = browser_of().get("/", headers={"accept-language": asked}).content.decode()
    assert read(html).all("html")[0].attrs["lang"] == shown


def test_a_language_that_was_chosen_by_hand_stays(chief: User) -> None:
    is_described(chief)
    browser = browser_of()
    browser.post(reverse("set_language"), {"language": "de", "next": "/"})
    assert read(browser.get("/").content.decode()).all("html")[0].attrs["lang"] == "de"


# Name and logo


def test_name_and_logo_are_on_joining_page_results_paper_and_the_big_screen(office: Client, night: Night, host) -> None:
    describe(office, logo=SimpleUploadedFile("calf.png", png()))
    logo = reverse("house_logo", args=[house.facts().logo])
    pages = {
        "join": browser_of().get(join_link(night)),
        "results": browser_of(host).get(reverse("night_results", args=[night.public_id])),
        "tv": browser_of().get(reverse("tv", args=[night.public_id, night.token("tv")])),
        "manifest": browser_of().get(reverse("manifest")),
    }
    for name, answer in pages.items():
        html = answer.content.decode()
        assert "Silver Calf" in html, name
        assert name == "manifest" or f'src="{logo}"' in html, name
    paper = re.search(r'<p class="house-face only-print">.*?</p>', pages["results"].content.decode(), re.S)
    assert logo in paper[0] and "Silver Calf" in paper[0]


def test_what_a_point_costs_stands_with_the_results(chief: User, night: Night, host) -> None:
    is_described(chief)
    html = browser_of(host).get(reverse("night_results", args=[night.public_id])).content.decode()
    assert '<p class="price">A point: 5p</p>' in html


def test_the_logo_is_a_file_under_which_nothing_else_runs(office: Client) -> None:
    describe(office, logo=SimpleUploadedFile("calf.png", png()))
    answer = browser_of().get(reverse("house_logo", args=[house.facts().logo]))
    assert (answer.content, answer["Content-Type"]) == (png(), "image/png")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert "immutable" in answer["Cache-Control"]
    assert browser_of().get(reverse("house_logo", args=["0" * 32])).status_code == 404


def test_a_logo_stays_when_none_is_sent_and_goes_when_it_is_taken_away(office: Client) -> None:
    describe(office, logo=SimpleUploadedFile("calf.png", png()))
    old = house.facts().logo
    describe(office)
    assert house.facts().logo == old
    describe(office, no_logo="on")
    assert house.facts().logo == ""
    assert browser_of().get(reverse("house_logo", args=[old])).status_code == 404
    assert [e.act for e in AuditEntry.objects.order_by("pk")][1::2] == ["logo_changed", "house_described"]

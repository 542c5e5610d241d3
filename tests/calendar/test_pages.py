"""The pages of series: made in four fields, answered by link without an account, printed, told to calendars."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from icalendar import Calendar

from games import interfaces
from games.models import Night, Player, Season, Series, SeriesDate
from games.models.house import forget
from games.models.night import today
from games.services.calendar import all_series, answers, dates
from games.services.calendar.answers import Said
from games.services.nights import membership
from games.web.tables import tv_slides
from tests.calendar.conftest import draft
from tests.seasons.test_pages import browser
from tests.seasons.world import guests
from tests.web.pages import read

pytestmark = pytest.mark.django_db


def at(name: str, date: SeriesDate, *more: str) -> str:
    """Return an address of a date's."""
    return reverse(name, args=[date.series.key, date.planned.isoformat(), *more])


def text_of(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_every_thursday_with_a_season_takes_four_fields_and_the_poster_follows(olga: Player) -> None:
    client = browser(olga)
    form = read(text_of(client, reverse("series_new")))
    typed = {tag.attrs["name"]: tag.attrs.get("value", "") for tag in form.all("input") if "name" in tag.attrs}
    typed = {name: value for name, value in typed.items() if name not in ("listed", "names")}
    sent = {**typed, "name": "Club", "weekday": "3", "start": "19:30", "counts": "chouette:points"}
    answer = client.post(reverse("series_new"), sent)
    club = Series.objects.get()
    assert answer.url == reverse("series", args=[club.key])
    assert (club.weekday, f"{club.start:%H:%M}", club.seasons.get().name, club.dates.count()) == (
        3,
        "19:30",
        "Club",
        10,
    )
    client.post(reverse("series_new"), sent)
    assert (Series.objects.count(), Season.objects.count()) == (1, 1)
    poster = text_of(client, reverse("series_poster", args=[club.key]))
    parts = ("Club", "Thursday", 'class="qr"', club.key, "Points count as they were played.")
    assert all(part in poster for part in parts)


def test_a_house_that_nobody_reaches_from_home_says_so_and_offers_file_text_and_poster(olga: Player, settings) -> None:
    club = all_series.create(olga, draft(first_day=today(), weekday=today().weekday()))
    date = club.dates.get(planned=today())
    here = "This house is reached from its own network alone."
    for public_url, told in (("", True), ("https://house.example", False)):
        settings.PUBLIC_URL = public_url
        seen = text_of(browser(olga), reverse("series", args=[club.key]))
        assert (here in seen, reverse("series_poster", args=[club.key]) in seen) == (told, True)
        seen = text_of(Client(), at("series_date", date))
        assert at("date_ics", date) in seen and 'id="date-text"' in seen
        assert Client().post(at("date_answer", date), {"name": f"Anna {told}", "says": "yes"}).status_code == 302


def test_who_does_not_see_names_reads_numbers_and_their_own_answer_alone(date: SeriesDate) -> None:
    (anna,) = guests("Anna")
    answers.answer(date, anna, Said("maybe"))
    answers.answer_by_name(date, "Walburga", Said("yes", 2, "with cake"))
    answers.answer_by_name(date, "Ottokar", Said("no"))
    phone = Client()
    phone.post(at("date_answer", date), {"name": "Dora", "says": "maybe"})
    seen = text_of(phone, at("series_date", date))
    assert all(part in seen for part in ("3 come", "Maybe (2)", "No (1)", "Dora"))
    assert not any(part in seen for part in ("Anna", "Walburga", "Ottokar", "with cake", ">somebody<"))


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": ""}, "series-name-error"),
        ({"start": "25:00"}, "series-start-error"),
        ({"repeat": "x"}, "series-repeat-error"),
        ({"last_day": "2000-01-01"}, "series-last-error"),
        ({"first_day": "soon"}, "series-last-error"),
        ({"size": "many"}, "series-size-error"),
        ({"counts": "chouette:chips"}, "series-counts-error"),
        ({"weekday": "9" * 5000}, "series-repeat-error"),
    ],
)
def test_a_wrong_value_is_told_at_its_field_and_nothing_typed_is_lost(
    olga: Player, wrong: dict[str, str], field: str
) -> None:
    sent = {"name": "Club", "weekday": "3", "start": "19:30", "place": "Behind the church", **wrong}
    answer = browser(olga).post(reverse("series_new"), sent)
    assert answer.status_code == 400
    assert f'id="{field}"' in answer.content.decode()
    assert "Behind the church" in answer.content.decode()
    assert not Series.objects.exists()


def test_who_has_the_link_answers_by_a_name_and_changes_it_on_the_device_and_by_the_own_link(date: SeriesDate) -> None:
    phone, laptop = Client(), Client()
    page = phone.post(at("date_answer", date), {"name": "Anna", "says": "yes", "extra": "2"}, follow=True)
    text = page.content.decode()
    assert "3 come" in text
    own = read(text).by_id("own-link").attrs["value"].split("/", 3)[3]
    phone.post(at("date_answer", date), {"name": "Anna B", "says": "maybe"})
    assert "Anna B" in text_of(laptop, f"/{own}")
    assert laptop.get(f"/{own}").status_code == 200
    assert date.answers.get().says == "maybe"
    laptop.post(f"/{own}", {"name": "Anna B", "says": "no"})
    assert date.answers.get().says == "no"
    assert Client().get(at("date_own", date, "x" * 22)).status_code == 404
    assert Client().post(at("date_own", date, "x" * 22), {"name": "Eve", "says": "no"}).status_code == 404


def test_a_stranger_sees_numbers_and_the_names_if_the_list_is_open(olga: Player, date: SeriesDate) -> None:
    answers.answer_by_name(date, "Anna", Said("yes", 0, "with cake"))
    shut = text_of(Client(), at("series_date", date))
    assert "1 comes" in shut
    assert not any(part in shut for part in ("Anna", "with cake"))
    assert "Anna" in text_of(browser(olga), at("series_date", date))
    Series.objects.update(names_open=True)
    assert "with cake" in text_of(Client(), at("series_date", date))


def test_guests_of_a_night_of_the_series_see_names_and_guests_of_others_do_not(olga: Player) -> None:
    club = all_series.create(olga, draft(first_day=today(), weekday=today().weekday()))
    date, following = club.dates.all()[:2]
    following.series = club
    anna, eve = guests("Anna", "Eve")
    night = dates.open_night(date, olga, "10.0.0.1")
    membership.join(night, anna)
    membership.join(membership.host_night(eve, "Elsewhere"), eve)
    answers.answer_by_name(following, "Bert", Said("yes"))
    assert "Bert" in text_of(browser(anna), at("series_date", following))
    assert "Bert" not in text_of(browser(eve), at("series_date", following))


def test_a_bad_answer_is_told_and_what_was_typed_stays(date: SeriesDate) -> None:
    answers.answer_by_name(date, "Anna", Said("yes"))
    for sent, told in (
        ({"name": "", "says": "yes"}, "answer-name-error"),
        ({"name": "anna", "says": "yes"}, "answer-name-error"),
        ({"name": "Bert", "says": "perhaps"}, "Say yes, no or maybe."),
        ({"name": "Bert", "says": "yes", "extra": "99"}, "can come along"),
        ({"name": "Bert", "says": "yes", "extra": "-1"}, "can come along"),
        ({"name": "Bert", "says": "yes", "word": "x" * 81}, "at most 80"),
    ):
        answer = Client().post(at("date_answer", date), sent)
        assert answer.status_code in (400, 409)
        assert told in answer.content.decode()
        assert f'value="{sent["name"]}"' in answer.content.decode()
    assert date.answers.count() == 1


def test_looking_answers_nothing(date: SeriesDate) -> None:
    _, secret = answers.answer_by_name(date, "Anna", Said("yes"))
    for address in (at("series_date", date), at("date_own", date, secret), at("date_answer", date)):
        for asked in ("", "?says=no", "?name=Anna&says=no"):
            Client().get(address + asked)
            Client().head(address + asked)
    assert [row.says for row in date.answers.all()] == ["yes"]


def test_a_player_answers_as_themselves_and_takes_over_what_the_device_said(date: SeriesDate) -> None:
    (anna,) = guests("Anna")
    phone = browser(anna)
    _, secret = answers.answer_by_name(date, "Annie", Said("maybe"))
    phone.cookies[f"answer-{date.pk}"] = secret
    phone.post(at("date_answer", date), {"says": "yes"})
    row = date.answers.get()
    assert (row.player, row.name, row.says) == (anna, "", "yes")


def test_who_joins_the_night_on_the_device_of_an_answer_is_expected_no_more_by_name(olga: Player) -> None:
    club = all_series.create(olga, draft(first_day=today(), weekday=today().weekday()))
    date = club.dates.first()
    date.series = club
    phone = Client()
    phone.post(at("date_answer", date), {"name": "Anna", "says": "yes"})
    night = dates.open_night(date, olga, "10.0.0.1")
    assert "Expected tonight:" in text_of(browser(olga), reverse("night", args=[night.public_id]))
    phone.post(reverse("join_link", args=[night.public_id, night.token("join")]), {"nickname": "Anna"})
    row = date.answers.get()
    assert (row.name, row.player.nickname) == ("", "Anna")


def test_the_results_and_the_screen_show_the_way_back(olga: Player) -> None:
    club = all_series.create(olga, draft(first_day=today(), weekday=today().weekday()))
    date, following = club.dates.all()[:2]
    following.series = club
    night = dates.open_night(date, olga, "10.0.0.1")
    results = text_of(browser(olga), reverse("night_results", args=[night.public_id]))
    assert at("date_answer", following) in results
    browser(olga).post(at("date_answer", following), {"says": "yes"})
    assert answers.coming(following).people == 1
    slide = tv_slides.date_slide(night)
    assert slide.title == "Next time: Club"
    assert slide.lines[1][0] == "1 comes · 4 more for a table"


def test_the_front_page_shows_listed_series_and_no_others(olga: Player, date: SeriesDate) -> None:
    assert "Club" not in text_of(Client(), reverse("home"))
    Series.objects.update(is_listed=True)
    assert at("series_date", date) in text_of(Client(), reverse("home"))
    assert "Club" in text_of(Client(), reverse("series_list"))


def test_organisers_act_on_the_pages_and_others_may_not(olga: Player, club: Series, date: SeriesDate) -> None:
    (anna,) = guests("Anna")
    day = (date.day + timedelta(days=1)).isoformat()
    answers.answer_by_name(date, "Bert", Said("yes"))
    posts = [
        (at("date_act", date, "places"), {"places": "8"}),
        (at("date_act", date, "list"), {"only": "yes"}),
        (at("date_act", date, "mark"), {"name": "Opa Karl", "says": "yes"}),
        (at("date_act", date, "delete"), {"answer": str(date.answers.get().pk)}),
        (at("date_act", date, "move"), {"day": day, "start": "18:00", "place": "Hut"}),
        (at("date_act", date, "cancel"), {}),
        (at("date_act", date, "open"), {}),
        (reverse("series_act", args=[club.key, "add"]), {"day": (today() + timedelta(days=3)).isoformat()}),
        (reverse("series_act", args=[club.key, "feed"]), {}),
        (reverse("series_change", args=[club.key]), {"name": "Taken"}),
        (reverse("series_act", args=[club.key, "end"]), {}),
    ]
    before = (list(date.answers.values()), list(SeriesDate.objects.values()), list(Series.objects.values()))
    for address, sent in posts:
        for client in (browser(anna), Client()):
            client.post(address, sent, follow=True)
    assert (list(date.answers.values()), list(SeriesDate.objects.values()), list(Series.objects.values())) == before
    for address, sent in posts[:6]:
        assert browser(olga).post(address, sent, follow=True).status_code == 200
    date.refresh_from_db()
    assert (date.places, date.is_cancelled, date.place, [row.name for row in date.answers.all()]) == (
        8, True, "Hut", ["Opa Karl"],
    )  # fmt: skip
    assert not Night.objects.exists()
    for made_up in ("x", "9" * 400):
        browser(olga).post(at("date_act", date, "delete"), {"answer": made_up})
        browser(olga).post(reverse("series_act", args=[club.key, "second"]), {"player": made_up})
    assert browser(olga).post(at("date_act", date, "explode")).status_code == 404


def test_a_date_of_another_series_and_made_up_links_open_nothing(olga: Player, date: SeriesDate) -> None:
    other = all_series.create(olga, draft(name="Other"))
    for planned in ("2000-01-01", "tomorrow", "2026-02-30"):
        assert Client().get(reverse("series_date", args=[other.key, planned])).status_code == 404
    for key in ("nothing", other.public_id, other.feed_key):
        assert Client().get(reverse("series", args=[key])).status_code == 404
    assert Client().get(reverse("series_feed", args=[other.key])).status_code == 404


def test_an_ended_series_is_gone_and_its_feed_cancels_the_dates(olga: Player, club: Series, date: SeriesDate) -> None:
    feed = reverse("series_feed", args=[club.feed_key])
    browser(olga).post(reverse("series_act", args=[club.key, "end"]))
    assert Client().get(reverse("series", args=[club.key])).status_code == 410
    assert Client().post(at("date_answer", date), {"name": "Anna", "says": "yes"}).status_code == 410
    events = Calendar.from_ical(Client().get(feed).content).walk("VEVENT")
    assert {str(event["status"]) for event in events} == {"CANCELLED"}


def test_a_feed_that_is_asked_for_every_second_is_answered_with_nothing_new(
    olga: Player, club: Series, date: SeriesDate
) -> None:
    feed = reverse("series_feed", args=[club.feed_key])
    first = Client().get(feed)
    assert first["Content-Type"].startswith("text/calendar")
    again = Client().get(feed, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    dates.cancel(date, olga)
    assert Client().get(feed, headers={"If-None-Match": first["ETag"]}).status_code == 200
    all_series.renew_feed(club, olga)
    assert Client().get(feed).status_code == 404
    (event,) = Calendar.from_ical(Client().get(at("date_ics", date)).content).walk("VEVENT")
    assert str(event["url"]).endswith(at("series_date", date))


def test_answers_of_an_address_are_limited_by_the_hour(date: SeriesDate) -> None:
    sent = [Client().post(at("date_answer", date), {"name": "", "says": "yes"}).status_code for _ in range(61)]
    assert (sent[:60], sent[60]) == ([400] * 60, 429)


def test_an_account_that_never_played_makes_a_series_too() -> None:
    client = Client()
    client.force_login(User.objects.create_user("nils", password="x"))
    assert client.get(reverse("series_new")).status_code == 200
    assert not Player.objects.exists()
    client.post(reverse("series_new"), {"name": "Club", "weekday": "3", "start": "19:30"})
    assert Series.objects.get().organiser.nickname == "nils"


def test_a_poster_leads_to_the_announced_name_rather_than_to_a_number(
    olga: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = all_series.create(olga, draft())
    monkeypatch.setattr(interfaces, "announced_name", lambda: "stammtisch.local")
    address, at_number = (
        reverse("series_poster", args=[club.key]),
        {"SERVER_NAME": "192.168.1.7", "SERVER_PORT": "8000"},
    )
    poster = browser(olga).get(address, HTTP_HOST="testserver", **at_number).content.decode()
    assert f">stammtisch.local:8000{reverse('series', args=[club.key])}<" in poster
    assert "poster-address" not in poster and "dies with the router" not in poster


def test_a_poster_that_knows_but_a_number_asks_its_organiser_for_an_address(olga: Player) -> None:
    club = all_series.create(olga, draft())
    address, organiser = reverse("series_poster", args=[club.key]), browser(olga)
    at_number = {"SERVER_NAME": "192.168.1.7", "HTTP_HOST": "testserver"}
    assert "poster-address" in organiser.get(address, **at_number).content.decode()
    assert "poster-address" not in Client().get(address, **at_number).content.decode()
    for typed, shown in (("Club.example.org:8000/", "club.example.org:8000"), ("https://a.example", "a.example")):
        found = organiser.post(address, {"address": typed})
        poster = found.content.decode()
        assert found.status_code == 200 and f">{shown}{reverse('series', args=[club.key])}<" in poster
        assert "dies with the router" not in poster
    for typed in ("", "a.example/path", "user@a.example", "a.example:0", "javascript:alert(1)", "a" * 300):
        assert organiser.post(address, {"address": typed}).status_code == 400
    assert Client().post(address, {"address": "evil.example"}).status_code == 403


def test_the_posters_code_leads_to_the_series_and_to_the_front_door_while_a_night_is_open(olga: Player) -> None:
    club = all_series.create(olga, draft(first_day=today(), weekday=today().weekday()))
    door, stranger = reverse("poster_door", args=[club.key]), Client()
    assert stranger.get(door)["Location"] == reverse("series", args=[club.key])
    night = dates.open_night(club.dates.get(day=today()), olga, "192.0.2.7")
    assert stranger.get(door)["Location"] == reverse("home"), "where the room code is asked for"
    all_series.change(club, olga, draft(first_day=today(), weekday=today().weekday(), poster_opens=True))
    assert stranger.get(door)["Location"].endswith(reverse("join_link", args=[night.public_id, night.token("join")]))
    membership.close(night, olga)
    assert stranger.get(door)["Location"] == reverse("series", args=[club.key])
    all_series.end(club, olga)
    assert stranger.get(door).status_code == 410


def test_a_series_and_its_feed_read_the_answers_of_all_dates_at_once(olga: Player) -> None:
    def statements(name: str, key: str) -> int:
        forget()  # the house is kept for a second: each page reads it anew
        with CaptureQueriesContext(connection) as asked:
            assert Client().get(reverse(name, args=[key])).status_code == 200
        return len(asked)

    club = all_series.create(olga, draft())
    one, *others = club.dates.all()
    pages = (("series", club.key), ("series_feed", club.feed_key))
    answers.answer(one, olga, Said("yes"))
    before = [statements(*page) for page in pages]
    for date in others:
        answers.answer(date, olga, Said("yes", extra=1))
    assert [statements(*page) for page in pages] == before
    SeriesDate.objects.filter(pk__in=[date.pk for date in others]).delete()
    assert [statements(*page) for page in pages] == before

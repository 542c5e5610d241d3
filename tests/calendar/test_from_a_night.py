"""A series made of a night, whose people are asked; and who is expected at the night of a date."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import Answer, Entrant, Night, Player, Series, SeriesDate, Venue
from games.models.night import today
from games.services.calendar import all_series, answers, dates, expected
from games.services.calendar.answers import Said
from games.services.hosting import kept_seats
from games.services.house_rules import sets
from games.services.house_rules.sets import SetKeeper
from games.services.nights import membership, wifi
from games.services.tables import setup
from tests.calendar.conftest import draft
from tests.seasons.test_pages import browser
from tests.seasons.world import account, guests
from tests.web.pages import read

pytestmark = pytest.mark.django_db
WIFI = ("Lamb", "a good password")


def refused(code: str):
    return pytest.raises(Illegal, match=f"'{code}'")


@pytest.fixture
def tonight(olga: Player) -> Night:
    """A night of Olga's at a venue, with Wi-Fi."""
    venue = Venue.objects.create(name="Golden Lamb")
    night = membership.host_night(olga, "At the Lamb", venue.public_id)
    wifi.set_of_night(night, olga, *WIFI)
    return night


def make(client: Client, night: Night, **more: str) -> Series:
    """Make a series of a night by its form, with what that proposes."""
    context = client.get(reverse("series_new") + f"?night={night.public_id}").context
    sent = {**context["typed"], "form_id": context["form_id"], "night": night.public_id, **more}
    answer = client.post(reverse("series_new"), sent)
    assert answer.status_code == 302, answer.context["errors"]
    return Series.objects.get(key=answer.url.strip("/").rpartition("/")[2])


def test_a_series_made_of_a_night_takes_over_what_the_night_was(olga: Player, tonight: Night) -> None:
    rules = sets.create(SetKeeper(player=olga), "chouette", sets.SetDraft("Lamb's", "german", {}))
    setup.open_table(tonight, olga, "chouette", "german", {}, rules=rules)
    client = browser(olga)
    assert "Make this a series" in client.get(reverse("night", args=[tonight.public_id])).content.decode()
    made = make(client, tonight, counts="chouette:points")
    assert (made.name, made.weekday, made.game_id) == ("At the Lamb", tonight.day.weekday(), "chouette")
    assert (made.venue.name, made.house_rules, made.wifi_name) == ("Golden Lamb", rules, WIFI[0])
    date = made.dates.get(night=tonight)
    assert (date.planned, made.seasons.get().first_day) == (tonight.day, tonight.day)
    assert "Make this a series" not in client.get(reverse("night", args=[tonight.public_id])).content.decode()


def test_the_next_night_of_the_series_begins_with_its_wifi_and_house_rules(olga: Player, tonight: Night) -> None:
    setup.open_table(tonight, olga, "chouette", "german", {"max_players": 4})
    client = browser(olga)
    made = make(client, tonight)
    membership.close(tonight, olga)
    date = dates.add(made, olga, today() + timedelta(days=1))
    SeriesDate.objects.filter(pk=date.pk).update(day=today())
    date.refresh_from_db()
    night = dates.open_night(date, olga, "192.0.2.7")
    assert wifi.of(night) == wifi.Wifi(*WIFI)
    form = client.get(reverse("new_table", args=[night.public_id]) + "?game=chouette")
    start = form.context["start"]
    assert (start.preset.id, start.base["max_players"]) == ("german", 4)


def test_a_series_is_made_of_ones_own_night_and_once(olga: Player, tonight: Night) -> None:
    made = make(browser(olga), tonight)
    with refused("night_of_series"):
        all_series.create(olga, draft(night=tonight.public_id))
    with refused("not_host"):
        all_series.create(account("Per"), draft(night=membership.host_night(olga, "Other").public_id))
    with refused("no_such_night"):
        all_series.create(olga, draft(night="nothing"))
    assert browser(olga).get(reverse("series_new") + f"?night={tonight.public_id}").status_code == 403
    assert Series.objects.get() == made


def test_people_of_the_night_are_asked_once_whether_they_are_counted_in(olga: Player, tonight: Night) -> None:
    anna, bert = guests("Anna", "Bert")
    membership.join(tonight, anna)
    membership.join(tonight, bert)
    season = make(browser(olga), tonight, counts="chouette:points").seasons.get()
    page = reverse("night", args=[tonight.public_id])
    phones = {anna: browser(anna), bert: browser(bert)}
    assert all("Count me in" in phone.get(page).content.decode() for phone in phones.values())
    asked = reverse("season_asked", args=[season.public_id])
    for player, said in ((anna, "yes"), (bert, "no")):
        answer = phones[player].post(asked, {"answer": said, "night": tonight.public_id})
        assert answer.url == page
    assert [row.player for row in Entrant.objects.all()] == [anna]
    assert all("Count me in" not in phone.get(page).content.decode() for phone in phones.values())


def test_who_was_at_no_night_of_a_season_is_not_counted_in_by_the_question(olga: Player, tonight: Night) -> None:
    season = make(browser(olga), tonight, counts="chouette:points").seasons.get()
    (carl,) = guests("Carl")
    browser(carl).post(reverse("season_asked", args=[season.public_id]), {"answer": "yes"})
    assert not Entrant.objects.exists()


@pytest.mark.parametrize(("name", "password"), [("Lamb", "short"), ("", "without a name"), ("x" * 33, "")])
def test_a_wifi_that_is_none_is_told_at_its_field(olga: Player, name: str, password: str) -> None:
    sent = {"name": "Club", "weekday": "3", "start": "19:30", "wifi_name": name, "wifi_password": password}
    answer = browser(olga).post(reverse("series_new"), sent)
    assert answer.status_code == 400
    assert "series-wifi-error" in answer.content.decode()
    assert not Series.objects.exists()


def test_the_wifi_of_a_series_is_shown_to_no_reader_but_its_organiser(olga: Player, tonight: Night) -> None:
    made = make(browser(olga), tonight)
    (anna,) = guests("Anna")
    membership.join(tonight, anna)
    date = made.dates.get(night=tonight)
    for phone in (Client(), browser(anna)):
        for name, args in (
            ("series", [made.key]),
            ("series_date", [made.key, date.planned.isoformat()]),
            ("series_poster", [made.key]),
            ("series_feed", [made.feed_key]),
        ):
            assert WIFI[1] not in phone.get(reverse(name, args=args)).content.decode()
    assert browser(anna).get(reverse("series_change", args=[made.key])).status_code == 403


@pytest.fixture
def open_date(date: SeriesDate, olga: Player) -> SeriesDate:
    """A date of today with its night open; Karl has said yes by name, with two more, and Olga herself."""
    SeriesDate.objects.filter(pk=date.pk).update(day=today())
    date.refresh_from_db()
    answers.answer_by_name(date, "Opa Karl", Said("yes", 2))
    answers.answer(date, olga, Said("yes"))
    dates.open_night(date, olga, "192.0.2.7")
    date.refresh_from_db()
    return date


def test_who_is_expected_takes_a_seat_by_one_tap_and_the_answer_is_theirs(olga: Player, open_date: SeriesDate) -> None:
    night = open_date.night
    found = expected.at(night)
    assert (found.names, found.along) == (["Opa Karl"], 2)
    table = setup.open_table(night, olga, "chouette", "german", {})
    client = browser(olga)
    page = read(client.get(reverse("table", args=[table.public_id])).content.decode())
    (button,) = [tag for tag in page.all("button") if tag.attrs.get("name") == "expected"]
    act = reverse("table_act", args=[table.public_id, "add_person"])
    card = page.by_id("person-card").attrs["value"]
    sent = {"expected": button.attrs["value"], "card": card}
    client.post(act, sent)
    karl = Player.objects.get(nickname="Opa Karl")
    assert table.seats.get(player=karl).name == "Opa Karl"
    row = open_date.answers.get(player=karl)
    assert (row.name, row.secret_hash, row.says, row.extra) == ("", "", "yes", 2)
    client.post(act, sent)
    assert Player.objects.filter(nickname="Opa Karl").count() == 1
    assert expected.at(night).names == []


def test_an_expected_regular_is_seated_as_the_same_person(olga: Player, open_date: SeriesDate) -> None:
    earlier = membership.host_night(olga, "Last week")
    karl = kept_seats.seat_person(setup.open_table(earlier, olga, "chouette", "german", {}), olga, "opa karl")
    membership.close(earlier, olga)
    row = open_date.answers.get(name="Opa Karl")
    with expected.seating(open_date.night, olga, row.pk) as tapped:
        assert tapped.known == karl.pk
        table = setup.open_table(open_date.night, olga, "chouette", "german", {})
        tapped.person = kept_seats.seat_person(table, olga, tapped.name, known=tapped.known)
    row.refresh_from_db()
    assert row.player == karl


def test_a_typed_name_that_is_expected_is_that_answer(olga: Player, open_date: SeriesDate) -> None:
    table = setup.open_table(open_date.night, olga, "chouette", "german", {})
    client = browser(olga)
    page = read(client.get(reverse("table", args=[table.public_id])).content.decode())
    card = page.by_id("person-card").attrs["value"]
    for name in ("  opa  karl ", "Somebody else"):
        client.post(reverse("table_act", args=[table.public_id, "add_person"]), {"name": name, "card": card})
    assert open_date.answers.get(player__nickname="Opa Karl").extra == 2
    assert Player.objects.filter(nickname="Somebody else").exists()
    assert not open_date.answers.filter(player__nickname="Somebody else").exists()


def test_a_tap_that_is_refused_leaves_the_answer_a_name(olga: Player, open_date: SeriesDate) -> None:
    row = open_date.answers.get(name="Opa Karl")
    table = setup.open_table(open_date.night, olga, "chouette", "german", {})
    (anna,) = guests("Anna")
    membership.join(open_date.night, anna)
    act = reverse("table_act", args=[table.public_id, "add_person"])
    browser(anna).post(act, {"expected": row.pk})
    browser(olga).post(act, {"expected": "1" * 12})
    row.refresh_from_db()
    assert (row.player, row.name) == (None, "Opa Karl")
    assert not Player.objects.filter(nickname="Opa Karl").exists()


def test_choosing_the_name_at_the_door_makes_the_answer_the_players(olga: Player, open_date: SeriesDate) -> None:
    phone, night = Client(), open_date.night
    join = reverse("join_link", args=[night.public_id, night.token("join")])
    assert "Opa Karl" not in phone.get(join).content.decode()
    Series.objects.update(names_open=True)
    assert 'name="nickname" value="Opa Karl"' in phone.get(join).content.decode()
    phone.post(join, {"nickname": "opa karl"})
    karl = Player.objects.get(nickname="opa karl")
    assert open_date.answers.get(player=karl).extra == 2
    assert not open_date.answers.exclude(name="").exists()


def test_an_answer_of_ones_own_is_kept_when_the_name_is_chosen_at_the_door(open_date: SeriesDate) -> None:
    (karl,) = guests("Opa Karl")
    answers.answer(open_date, karl, Said("no"))
    expected.come(open_date.night, karl, "")
    assert open_date.answers.get(player=karl).says == "no"
    assert open_date.answers.get(name="Opa Karl").says == "yes"


def test_somebody_comes_with_me_adds_one_to_who_is_expected(olga: Player, open_date: SeriesDate) -> None:
    people = answers.coming(open_date).people
    client = browser(olga)
    night = reverse("night", args=[open_date.night.public_id])
    along = reverse("date_act", args=[open_date.series.key, open_date.planned.isoformat(), "along"])
    assert along in client.get(night).content.decode()
    assert client.post(along).url == night
    assert (answers.coming(open_date).people, answers.of_player(open_date, olga).extra) == (people + 1, 1)
    assert "3 more come along" in client.get(night).content.decode()


def test_who_is_not_at_the_night_brings_nobody_along(open_date: SeriesDate) -> None:
    (anna,) = guests("Anna")
    for code, act in (("not_inside", lambda: expected.bring_along(open_date, anna)),):
        with refused(code):
            act()
    assert not Answer.objects.filter(player=anna).exists()


def test_no_more_come_along_than_an_answer_takes(olga: Player, open_date: SeriesDate) -> None:
    answers.answer(open_date, olga, Said("yes", answers.MOST_EXTRA))
    with refused("bad_extra"):
        expected.bring_along(open_date, olga)

"""From a yes to the table: who may come in by one tap, the name that a device has said, the front page's date."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.models import Answer, Membership, Night, Player, Season, Series, SeriesDate
from games.models.night import today
from games.services.calendar import all_series, answers, dates
from games.services.calendar.answers import Said
from games.services.mails import wishes
from games.services.nights import membership
from games.services.people import players
from games.services.seasons import entrants
from tests.calendar.conftest import draft
from tests.calendar.test_pages import at, text_of
from tests.seasons.test_pages import browser
from tests.seasons.world import account, guests, make, night_of
from tests.web.pages import join_link, night_page, read

pytestmark = pytest.mark.django_db
DOOR = "To the night that goes on"


@pytest.fixture
def tonight(olga: Player) -> SeriesDate:
    """Tonight's date of a series that has been held before, with an open night."""
    club = all_series.create(olga, draft(first_day=today(), weekday=today().weekday()))
    date = club.dates.get(planned=today())
    date.series = club
    dates.open_night(date, olga, "192.0.2.7")
    return date


def been(series: Series, *people: Player) -> Night:
    """Hold a former night of a series with these people."""
    day = series.first_day
    night = night_of(series.organiser, day, *people)
    series.dates.create(planned=day.replace(year=day.year - 1), day=day, start=series.start, night=night)
    return night


def door(date: SeriesDate) -> str:
    return reverse("poster_door", args=[date.series.key])


def night_of_date(date: SeriesDate) -> Night:
    assert date.night is not None
    return date.night


def test_who_said_yes_is_led_to_the_front_door_and_the_code_is_asked_for(tonight: SeriesDate) -> None:
    phone = Client()
    phone.post(at("date_answer", tonight), {"name": "Ida", "says": "yes"})
    seen = text_of(phone, at("series_date", tonight))
    assert DOOR in seen and door(tonight) in seen and night_page(night_of_date(tonight)) not in seen
    assert phone.get(door(tonight))["Location"] == reverse("home")
    assert phone.get(night_page(night_of_date(tonight)))["Location"] == door(tonight), "also by the night's address"
    assert Client().get(night_page(night_of_date(tonight))).status_code == 403, "a stranger reads whose it is"


def test_after_the_code_the_name_is_the_one_that_this_device_has_said(tonight: SeriesDate) -> None:
    phone = Client()
    phone.post(at("date_answer", tonight), {"name": "Ida", "says": "yes"})
    page = phone.post(reverse("join"), {"code": night_of_date(tonight).code}, follow=True)
    field = read(page.content.decode()).by_id("nickname")
    assert field is not None and field.attrs["value"] == "Ida"
    phone.post(page.request["PATH_INFO"], {"nickname": "Ida"})
    member = night_of_date(tonight).memberships.get(player__nickname="Ida")
    assert tonight.answers.get().player == member.player, "the answer is theirs"


def test_who_was_at_a_night_of_the_series_comes_in_by_one_tap_on_the_dates_page(tonight: SeriesDate) -> None:
    anna, eve = guests("Anna", "Eve")
    been(tonight.series, anna)
    seen = read(text_of(browser(anna), at("series_date", tonight)))
    form = seen.all("form", action=door(tonight))
    assert len(form) == 1 and seen.all("input", name="nickname", value="Anna")
    answer = browser(anna).post(door(tonight), {"nickname": "Anna"})
    assert answer["Location"] == night_page(night_of_date(tonight))
    assert night_of_date(tonight).memberships.get(player=anna).status == Membership.Status.IN
    assert not read(text_of(browser(eve), at("series_date", tonight))).all("form", action=door(tonight))
    assert browser(eve).post(door(tonight), {"nickname": "Eve"})["Location"] == reverse("home")
    assert not night_of_date(tonight).memberships.filter(player=eve).exists()


def test_who_was_shown_the_door_of_a_night_of_the_series_needs_the_code(tonight: SeriesDate) -> None:
    anna, bert = guests("Anna", "Bert")
    former = been(tonight.series, anna, bert)
    former.memberships.filter(player=anna).update(status=Membership.Status.KICKED)
    assert browser(anna).post(door(tonight), {"nickname": "Anna"})["Location"] == reverse("home")
    host = night_of_date(tonight).host
    membership.join(night_of_date(tonight), bert)
    membership.remove(night_of_date(tonight), host, bert.pk)
    assert browser(bert).post(door(tonight), {"nickname": "Bert"})["Location"] == reverse("home")
    assert night_of_date(tonight).memberships.get(player=bert).status == Membership.Status.KICKED


def test_a_door_that_is_locked_or_guarded_stays_so_for_regulars(tonight: SeriesDate) -> None:
    anna, bert = guests("Anna", "Bert")
    been(tonight.series, anna, bert)
    night = night_of_date(tonight)
    membership.set_lock(night, night.host, True)
    refused = browser(anna).post(door(tonight), {"nickname": "Anna"})
    assert refused.status_code == 400 and "locked" in refused.content.decode()
    membership.set_lock(night, night.host, False)
    membership.set_admission(night, night.host, True, 60)
    assert browser(bert).post(door(tonight), {"nickname": "Bert"})["Location"] == night_page(night)
    assert night.memberships.get(player=bert).status == Membership.Status.WAITING
    assert browser(bert).get(door(tonight))["Location"] == night_page(night)


def test_organisers_and_who_is_in_need_no_code(tonight: SeriesDate) -> None:
    olga, night = tonight.series.organiser, night_of_date(tonight)
    assert browser(olga).get(door(tonight))["Location"] == night_page(night)
    second = account("Siri")
    Series.objects.filter(pk=tonight.series.pk).update(second=second)
    assert browser(second).get(door(tonight)).status_code == 200
    assert browser(second).post(door(tonight), {"nickname": "Siri"})["Location"] == night_page(night)


def test_the_poster_that_opens_lets_in_who_said_yes_with_their_name(tonight: SeriesDate) -> None:
    Series.objects.update(poster_opens=True)
    phone = Client()
    phone.post(at("date_answer", tonight), {"name": "Ida", "says": "yes"})
    page = phone.get(door(tonight), follow=True)
    field = read(page.content.decode()).by_id("nickname")
    assert page.status_code == 200 and field is not None and field.attrs["value"] == "Ida"


def test_names_are_chips_where_the_list_is_open_and_always_those_of_the_device(tonight: SeriesDate) -> None:
    night = night_of_date(tonight)
    answers.answer_by_name(tonight, "Bert", Said("yes"))
    phone = Client()
    phone.post(at("date_answer", tonight), {"name": "Ida", "says": "yes"})

    def chips(client: Client) -> list[str]:
        return [tag.attrs["value"] for tag in read(text_of(client, join_link(night))).all("button", name="nickname")]

    assert chips(phone) == [], "its own name stands in the field"
    stranger = players.new_guest("Ines")
    known = browser(stranger)
    known.cookies[f"answer-{tonight.pk}"] = phone.cookies[f"answer-{tonight.pk}"].value
    assert chips(known) == ["Ida"]
    Series.objects.update(names_open=True)
    assert chips(phone) == ["Bert"] and "<datalist" not in text_of(phone, join_link(night))
    phone.post(join_link(night), {"nickname": ["Ida", "Bert"]})
    assert night.memberships.filter(player__nickname="Bert").exists(), "the tapped name wins over the field's"


def test_the_next_date_proposes_the_name_that_the_device_said_last(olga: Player, date: SeriesDate) -> None:
    phone = Client()
    phone.post(at("date_answer", date), {"name": "Ida Ø", "says": "yes"})
    following = date.series.dates.all()[1]
    following.series = date.series
    field = read(text_of(phone, at("series_date", following))).by_id("answer-name")
    assert field is not None and field.attrs["value"] == "Ida Ø"


# The front page


def test_the_front_page_shows_the_next_date_with_yes_and_no_on_the_device_that_said_yes(date: SeriesDate) -> None:
    phone = Client()
    assert "own-date" not in text_of(phone, "/")
    phone.post(at("date_answer", date), {"name": "Ida", "says": "yes", "extra": "2", "word": "cake"})
    assert "Ida comes." in text_of(phone, "/")
    assert "own-date" not in text_of(Client(), "/")
    form = {"name": "Ida", "says": "no", "extra": "2", "word": "cake", "next": "/"}
    assert phone.post(at("date_answer", date), form)["Location"] == "/"
    assert "Ida does not come." in text_of(phone, "/")
    phone.post(at("date_answer", date), form | {"says": "yes"})
    assert date.answers.get().extra == 2
    SeriesDate.objects.filter(pk=date.pk).update(day=today())
    assert "Ida comes." in text_of(phone, "/"), "until its day is over"
    SeriesDate.objects.filter(pk=date.pk).update(day=today().replace(year=today().year - 1))
    assert "own-date" not in text_of(phone, "/")


def test_a_player_and_an_account_see_theirs_on_every_device_and_a_yes_before_a_no(
    olga: Player, date: SeriesDate
) -> None:
    following = date.series.dates.all()[1]
    answers.answer(date, olga, Said("no"))
    assert "Olga does not come." in text_of(browser(olga), "/")
    answers.answer(following, olga, Said("yes"))
    assert "Olga comes." in text_of(browser(olga), "/")


def test_not_me_takes_it_off_this_device_and_the_answer_stays(olga: Player, date: SeriesDate) -> None:
    phone = Client()
    phone.post(at("date_answer", date), {"name": "Ida", "says": "yes"})
    assert phone.post(at("date_not_me", date))["Location"] == "/"
    assert "own-date" not in text_of(phone, "/") and date.answers.get().says == Answer.Says.YES
    (anna,) = guests("Anna")
    answers.answer(date, anna, Said("yes"))
    tablet = browser(anna)
    tablet.post(at("date_not_me", date))
    assert "own-date" not in text_of(tablet, "/")
    assert browser(olga).post(at("date_not_me", date))["Location"] == reverse("account_logout")


def test_from_the_front_page_it_is_one_tap_into_the_open_night(tonight: SeriesDate) -> None:
    (anna,) = guests("Anna")
    been(tonight.series, anna)
    answers.answer(tonight, anna, Said("yes"))
    assert read(text_of(browser(anna), "/")).all("form", action=door(tonight))


# Mails, the foot, what may be seen


def test_mails_are_offered_at_the_first_yes_with_what_comes_and_how_to_stop(date: SeriesDate, settings) -> None:
    offered = "Shall the house remind you by mail?"
    phone = Client()
    phone.post(at("date_answer", date), {"name": "Ida", "says": "yes"})
    assert offered not in text_of(phone, at("series_date", date)), "this house sends none"
    settings.EMAIL_BACKEND, settings.PUBLIC_URL = "django.core.mail.backends.smtp.EmailBackend", "https://h.example"
    seen = text_of(phone, at("series_date", date))
    assert all(part in seen for part in (offered, "At 18:00 on the day before", "stops them", "account/signup/?next="))
    rita = account("Rita")
    answers.answer(date, rita, Said("maybe"))
    assert offered not in text_of(browser(rita), at("series_date", date))
    answers.answer(date, rita, Said("yes"))
    assert reverse("account_email") in text_of(browser(rita), at("series_date", date))
    rita.user.emailaddress_set.create(email="rita@example.org", verified=True, primary=True)
    sent = {"wanted": "on", "next": at("series_date", date)}
    assert browser(rita).post(reverse("want_mail"), sent)["Location"] == at("series_date", date)
    assert wishes.readers().filter(pk=rita.pk).exists()
    assert offered not in text_of(browser(rita), at("series_date", date))
    following = date.series.dates.all()[1]
    following.series = date.series
    wishes.set_wanted(rita, False)
    answers.answer(following, rita, Said("yes"))
    assert offered not in text_of(browser(rita), at("series_date", following)), "once, not every week"


def test_a_fresh_account_answers_as_itself(date: SeriesDate) -> None:
    client = Client()
    client.force_login(User.objects.create_user("fresh", password="x"))
    client.post(at("date_answer", date), {"name": "Fred", "says": "yes"})
    assert date.answers.get().player == Player.objects.get(nickname="Fred")
    assert Player.objects.get(nickname="Fred").user.username == "fresh"


def test_a_fresh_account_has_the_foot_of_all_others_and_its_links_open(db: None) -> None:
    client = Client()
    client.force_login(User.objects.create_user("fresh", password="x"))
    for name in ("leaders", "seasons", "series_list"):
        assert f'href="{reverse(name)}"' in text_of(client, "/")
        assert client.get(reverse(name)).status_code == 200
    assert reverse("leaders") not in text_of(Client(), "/")
    assert Client().get(reverse("leaders")).status_code == 403


def test_the_season_of_a_series_is_linked_to_who_may_read_it(olga: Player, date: SeriesDate) -> None:
    club, (anna,) = date.series, guests("Anna")
    counted = make(olga, first_day=today(), last_day=today())
    club.seasons.add(counted)
    season = reverse("season", args=[counted.public_id])
    where = reverse("series", args=[club.key])
    assert season in text_of(browser(olga), where)
    assert season not in text_of(browser(anna), where) + text_of(Client(), where)
    Season.objects.update(entry_key="k")
    entrants.enter_by_key(counted.public_id, "k", anna)
    assert season in text_of(browser(anna), where)

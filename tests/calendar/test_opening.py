"""Nights that open by themselves: half an hour before, with the right host, once, and closed again if nobody comes."""

from __future__ import annotations

import threading
from datetime import datetime, time, timedelta

import pytest
from django.db import close_old_connections

from games.models import Night, Player, Series, SeriesDate
from games.models.night import today
from games.services.calendar import all_series, answers, dates, opening
from games.services.calendar.answers import Said
from games.services.nights import membership
from games.services.people import bans
from tests.calendar.conftest import draft
from tests.seasons.test_pages import browser
from tests.seasons.world import account, guests

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(olga: Player) -> Series:
    """A series whose nights open by themselves; Olga comes."""
    return all_series.create(olga, draft(opens_itself=True, start=time(19, 30), minutes=240))


@pytest.fixture
def date(club: Series, olga: Player) -> SeriesDate:
    found = club.dates.first()
    assert found is not None
    found.series = club
    answers.answer(found, olga, Said("yes"))
    return found


def at(date: SeriesDate, minutes: int) -> datetime:
    """Return a time so many minutes after a date's begin."""
    return date.starts_at + timedelta(minutes=minutes)


def test_a_night_opens_half_an_hour_before_and_not_sooner(date: SeriesDate, olga: Player) -> None:
    assert opening.run(at(date, -31)) == "opened=0 closed=0"
    assert opening.run(at(date, -30)) == "opened=1 closed=0"
    date.refresh_from_db()
    assert date.night is not None
    assert (date.night.host, date.night.name, date.opened_itself) == (olga, "Club", True)
    assert opening.run(at(date, -29)) == "opened=0 closed=0"
    assert Night.objects.count() == 1


@pytest.mark.parametrize(
    ("organiser", "second", "host"),
    [
        ("yes", "yes", "Olga"),
        ("maybe", "yes", "Bert"),
        ("no", "", "Bert"),
        ("", "maybe", "Bert"),
        ("no", "no", None),
    ],
)
def test_the_host_is_the_organiser_who_said_yes_else_the_second(
    olga: Player, club: Series, organiser: str, second: str, host: str | None
) -> None:
    date, bert = club.dates.first(), account("Bert")
    Series.objects.update(second=bert)
    date.refresh_from_db()
    for player, says in ((olga, organiser), (bert, second)):
        if says:
            answers.answer(date, player, Said(says))
    opening.run(at(date, 0))
    date.refresh_from_db()
    assert (date.night.host.nickname if date.night else None) == host


def test_without_anybody_to_host_nothing_opens_until_the_organiser_says_yes(club: Series, olga: Player) -> None:
    date = club.dates.first()
    opening.run(at(date, 0))
    assert not Night.objects.exists()
    answers.answer(date, olga, Said("yes"))
    opening.run(at(date, 20))
    assert Night.objects.count() == 1


@pytest.mark.parametrize("why", ["not wanted", "cancelled", "ended", "over", "opened before", "banned"])
def test_it_stays_shut(date: SeriesDate, olga: Player, why: str) -> None:
    minutes = 0
    if why == "not wanted":
        Series.objects.update(opens_itself=False)
    elif why == "cancelled":
        dates.cancel(date, olga)
    elif why == "ended":
        all_series.end(date.series, olga)
    elif why == "over":
        minutes = 240
    elif why == "banned":
        bans.ban(olga, account("Chief").user)
    else:
        night = membership.host_night(olga, "By hand")
        SeriesDate.objects.filter(pk=date.pk).update(night=night)
        membership.close(night, olga)
    before = Night.objects.count()
    opening.run(at(date, minutes))
    assert Night.objects.count() == before


def test_a_clock_that_jumps_over_the_half_hour_opens_it_while_the_date_goes_on(date: SeriesDate) -> None:
    opening.run(at(date, -600))
    opening.run(at(date, 239))
    assert Night.objects.count() == 1
    opening.run(at(date, -600))
    opening.run(at(date, -10))
    assert Night.objects.count() == 1


def test_an_unused_night_is_closed_at_the_dates_end_and_a_used_one_is_not(olga: Player, date: SeriesDate) -> None:
    opening.run(at(date, 0))
    assert opening.run(at(date, 239)) == "opened=0 closed=0"
    assert opening.run(at(date, 240)) == "opened=0 closed=1"
    assert opening.run(at(date, 241)) == "opened=0 closed=0"
    assert Night.objects.get().status == Night.Status.CLOSED
    following = date.series.dates.all()[1]
    following.series = date.series
    answers.answer(following, olga, Said("yes"))
    opening.run(at(following, 0))
    following.refresh_from_db()
    (anna,) = guests("Anna")
    membership.join(following.night, anna)
    assert opening.run(at(following, 240)) == "opened=0 closed=0"
    following.night.refresh_from_db()
    assert following.night.status != Night.Status.CLOSED


def test_a_night_that_was_opened_by_hand_is_not_closed_at_the_end(olga: Player) -> None:
    club = all_series.create(olga, draft(opens_itself=True, first_day=today(), weekday=today().weekday()))
    date = club.dates.first()
    date.series = club
    night = dates.open_night(date, olga, "10.0.0.1")
    opening.run(date.ends_at)
    night.refresh_from_db()
    assert night.status != Night.Status.CLOSED


@pytest.mark.django_db(transaction=True)
def test_two_processes_open_one(date: SeriesDate) -> None:
    barrier, said = threading.Barrier(4), []

    def process() -> None:
        barrier.wait()
        try:
            said.append(opening.run(at(date, 0)))
        except Exception as error:
            said.append(repr(error))
        finally:
            close_old_connections()

    threads = [threading.Thread(target=process) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(said) == ["opened=0 closed=0"] * 3 + ["opened=1 closed=0"]
    assert Night.objects.count() == 1


def test_the_page_says_when_it_opens_and_who_is_host(date: SeriesDate, olga: Player) -> None:
    from django.urls import reverse

    where = reverse("series_date", args=[date.series.key, date.planned.isoformat()])
    assert "opens by itself at 19:00; its host is Olga." in " ".join(browser(olga).get(where).content.decode().split())

"""Nobody waits without knowing: on phone, director's page and screen stands since when, about until when, and why."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.urls import reverse

from games.models import Player
from games.services.tournaments import overview
from games.services.tournaments.overview import Overview
from tests.tournaments.world import Evening
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


def shown(evening: Evening) -> Overview:
    evening.tournament.refresh_from_db()
    return overview.of(evening.tournament)


def page_of(evening: Evening, player: Player) -> str:
    url = reverse("tournament", args=[evening.tournament.public_id])
    return " ".join(browser_of(player).get(url).content.decode().split())


def written(words: str, at: datetime) -> str:
    """Return words with a time after them, as a page has them."""
    return f'{words} <time datetime="{at.isoformat()}"'


def end(evening: Evening, match_id: str) -> None:
    match = evening.read().match(match_id)
    evening.do(evening.host, "result", match=match_id, winner=match["players"][0])


def minutes_to(evening: Evening, name: str) -> float | None:
    """Return in how many minutes of the tournament somebody plays again, as far as is known."""
    found = shown(evening)
    at = found.next_at(found.people[evening.key(name)])
    return None if at is None else (at - found.tournament.created_at).total_seconds() / 60


def test_who_waits_reads_since_when_and_about_when_and_who_plays_against_whom_and_where() -> None:
    evening = Evening("Kari", "Nils", "Uli", "Ole", "Per", boards=2)
    evening.begin()
    found = shown(evening)
    (waiter,) = found.waiting
    page = page_of(evening, waiter.player)
    # Of 3 points, before there are durations of this night: 24 minutes.
    assert written("You are free since", waiter.since) in page
    assert written("You play again at about", found.at(24)) in page
    one, other = found.running[0].pair
    called = page_of(evening, one.player)
    assert f"against</span> <strong>{other.name}</strong" in called and "Board 1" in called
    assert written("since", found.running[0].started) in called


def test_directors_read_who_waits_longest_first_and_all_read_when_the_last_match_will_end() -> None:
    evening = Evening("Kari", "Nils", "Uli", "Ole", "Per")
    evening.begin()
    first = shown(evening).waiting[0]
    evening.later(minutes=10)
    end(evening, "m1")
    evening.do(evening.host, "hold")
    found = shown(evening)
    assert found.waiting[0].name == first.name and len(found.waiting) == 3
    page = page_of(evening, evening.host)
    places = [page.index(f"<strong>{each.name}</strong>", page.index('id="t-people"')) for each in found.waiting]
    assert places == sorted(places)
    assert found.forecast is not None
    screen = reverse("tv", args=[evening.night.public_id, evening.night.token("tv")])
    for text in (page, " ".join(browser_of(None).get(screen).content.decode().split())):
        assert written("over at about", found.forecast) in text


def test_the_time_to_the_next_match_goes_by_this_nights_own_durations() -> None:
    evening = Evening("Kari", "Nils", "Uli", "Ole", "Per", "Siv", "Tor")
    evening.begin()
    (waiter,) = shown(evening).waiting
    assert minutes_to(evening, waiter.name) == 24
    evening.later(minutes=9)
    end(evening, "m1")
    # Four matches of 24 minutes are supposed, and one of 9 was played: 21 in the mean.
    assert minutes_to(evening, waiter.name) == pytest.approx(21)


def test_where_all_must_have_ended_the_last_running_match_counts() -> None:
    names = ("Kari", "Nils", "Uli", "Ole", "Per", "Siv", "Tor", "Eli")
    evening = Evening(*names, kind="swiss", boards=3)
    evening.begin()
    evening.later(minutes=24)
    end(evening, "m1")
    evening.confirm()
    end(evening, "m2")
    found = shown(evening)
    assert [each.id for each in found.running] == ["m3", "m4"]
    # m4 has begun at minute 24, and should end at 48; m3 is due.
    assert {minutes_to(evening, each.name) for each in found.waiting} == {48}


def test_a_break_that_is_planned_is_waited_for_and_after_the_last_start_nobody_plays_again() -> None:
    evening = Evening("Kari", "Nils", "Uli")
    evening.begin()
    (waiter,) = shown(evening).waiting
    evening.do(evening.host, "break", after=20, minutes=30)
    assert minutes_to(evening, waiter.name) == 50
    assert written("You play again at about", shown(evening).at(50)) in page_of(evening, waiter.player)
    evening.later(minutes=200)
    assert minutes_to(evening, waiter.name) is None
    page = page_of(evening, waiter.player)
    assert "You are free since" in page and "You play again at about" not in page

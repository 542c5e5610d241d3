"""Nights that were left open close themselves, and say so."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import LogEntry, Membership, Night, NightEvent, Table
from games.services.hosting import abandoned_nights, demo
from games.services.nights import membership
from games.services.people import players

pytestmark = pytest.mark.django_db


def left_open(hours):
    """Return a night that was used so many hours ago last."""
    night = membership.host_night(players.new_guest("Hanna"), "Left open")
    then = timezone.now() - timedelta(hours=hours)
    Night.objects.filter(pk=night.pk).update(created_at=then)
    Membership.objects.filter(night=night).update(joined_at=then)
    NightEvent.objects.filter(night=night).update(created_at=then)
    return night


def test_a_night_that_nobody_has_used_for_a_day_closes_and_says_so(client):
    night = left_open(25)
    assert abandoned_nights.close_all(timezone.now()) == 1
    night.refresh_from_db()
    assert (night.status, night.code) == ("closed", None)
    assert night.events.first().type == "closed_unused"
    assert abandoned_nights.close_all(timezone.now()) == 0


@pytest.mark.parametrize("hours", [0, 0.5, 23])
def test_a_night_that_was_used_today_stays_open(hours):
    left_open(hours)
    assert abandoned_nights.close_all(timezone.now()) == 0


def test_whoever_comes_in_keeps_a_night_open():
    night = left_open(30)
    membership.join(night, players.new_guest("Late"))
    assert abandoned_nights.close_all(timezone.now()) == 0


def test_a_running_table_of_an_unused_night_is_broken_off(start_table):
    table = start_table("dummygame", seats=2)
    night = table.night
    then = timezone.now() - timedelta(hours=30)
    for rows in (Night.objects, NightEvent.objects, Table.objects, LogEntry.objects):
        rows.update(created_at=then)
    Membership.objects.update(joined_at=then)
    assert abandoned_nights.close_all(timezone.now()) == 1
    table.refresh_from_db()
    night.refresh_from_db()
    assert (table.status, night.status) == ("finished", "closed")


def test_the_demo_night_waits_for_people(settings):
    night = demo.lay_table()
    assert abandoned_nights.close_all(timezone.now() + timedelta(days=400)) == 0
    night.refresh_from_db()
    assert night.status == "open"


def test_zero_hours_close_nothing(settings):
    settings.UNUSED_NIGHT_HOURS = 0
    left_open(1000)
    assert abandoned_nights.close_all(timezone.now()) == 0

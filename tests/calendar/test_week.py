"""What a week costs people: at most two taps a guest, and none for the host of a night that opens by itself."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Membership, Player, Series, SeriesDate
from games.services.calendar import all_series, answers, opening
from games.services.calendar.answers import Said
from tests.calendar.conftest import draft
from tests.calendar.test_pages import at, text_of
from tests.web.pages import read

pytestmark = pytest.mark.django_db
MOST_TAPS = 2


class Phone:
    """The phone of a guest who answered last week: `taps` counts what is sent, a page that is opened is none."""

    def __init__(self) -> None:
        self.client, self.taps, self.name = Client(), 0, ""

    def send(self, address: str, **fields: str) -> None:
        """Send a form of a page by one tap, with what its fields show already."""
        self.taps += 1
        answer = self.client.post(address, fields)
        assert answer.status_code < 400, address

    def shown(self, page: str, field: str) -> str:
        """Return what a field of a page shows before anybody types."""
        found = [tag.attrs for tag in read(text_of(self.client, page)).all("input") if tag.attrs.get("name") == field]
        return str(found[0].get("value", "")) if found else ""


@pytest.fixture
def weeks(olga: Player) -> tuple[SeriesDate, SeriesDate]:
    """Two dates of a series whose nights open by themselves; Olga has said yes to both, and need not again."""
    club = all_series.create(olga, draft(opens_itself=True))
    first, second = club.dates.all()[:2]
    for date in (first, second):
        date.series = club
        answers.answer(date, olga, Said("yes"))
    return first, second


def open_by_itself(date: SeriesDate) -> None:
    """Let the time come at which the night opens."""
    assert opening.run(date.starts_at - timedelta(minutes=30)).startswith("opened=1")
    date.refresh_from_db()
    date.series = Series.objects.get()


def test_a_week_costs_a_guest_two_taps_and_the_host_none(weeks: tuple[SeriesDate, SeriesDate]) -> None:
    first, second = weeks
    phone = Phone()
    phone.send(at("date_answer", first), name="Anna", says="yes")
    open_by_itself(first)
    assert first.night is not None
    phone.send(reverse("join_link", args=[first.night.public_id, first.night.token("join")]), nickname="Anna")
    assert Membership.objects.filter(night=first.night, player__nickname="Anna").exists()

    phone.taps = 0
    page = at("series_date", second)
    assert phone.shown(page, "name") == "", "a player is not asked for a name again"
    phone.send(at("date_answer", second), says="yes")
    open_by_itself(second)
    assert second.night is not None
    join = reverse("join_link", args=[second.night.public_id, second.night.token("join")])
    phone.send(join, nickname=phone.shown(join, "nickname"))
    assert phone.taps <= MOST_TAPS
    people = Membership.objects.filter(night=second.night).values_list("player__nickname", flat=True)
    assert sorted(people) == ["Anna", "Olga"]
    assert Player.objects.filter(nickname="Anna").count() == 1

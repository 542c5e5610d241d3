"""A night is held at a venue that the admin keeps, or somewhere else."""

from __future__ import annotations

import pytest

from games.models import Night, Venue
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


def test_a_host_picks_one_of_the_venues() -> None:
    venue = Venue.objects.create(name="Zum Anker")
    client = browser_of()
    assert "Zum Anker" in client.get("/").content.decode()
    form = {"name": "Thursday", "nickname": "Hanna"}
    client.post("/host/", form | {"venue": venue.public_id})
    client.post("/host/", form | {"venue": ""})
    assert [night.venue for night in Night.objects.order_by("pk")] == [venue, None]


def test_a_house_without_venues_asks_for_none() -> None:
    assert 'name="venue"' not in browser_of().get("/").content.decode()


def test_a_venue_that_is_gone_is_refused_at_its_field_and_nothing_is_lost() -> None:
    Venue.objects.create(name="Zum Anker")
    answer = browser_of().post("/host/", {"name": "Thursday", "nickname": "Hanna", "venue": "gone"})
    text = answer.content.decode()
    assert answer.status_code == 400
    assert "host-venue-error" in text and 'value="Thursday"' in text
    assert not Night.objects.exists()

"""The host corrects a result on a page: a row more, with a reason, and nothing typed is lost."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Player, Result
from tests import years
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> list[Player]:
    """The first of them hosts every night."""
    found = years.players(8)
    years.years(10, found)
    return found


def test_a_correction_is_a_row_with_reason_and_name(people: list[Player]) -> None:
    result = Result.objects.first()
    address = reverse("correct", args=[result.pk])
    client = browser_of(people[0])
    assert client.get(address).status_code == 200
    client.post(address, {"seat-0": "+3", "seat-1": "\u22123", "reason": "Booked twice"})
    row = Result.objects.get(corrects=result)
    assert dict(row.lines.values_list("seat", "points")) == {0: 3, 1: -3}
    assert (row.note, row.by_name) == ("Booked twice", people[0].nickname)
    page = client.get(reverse("night_results", args=[result.table.night.public_id]))
    assert "Booked twice" in page.content.decode()


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"seat-0": "3", "seat-1": "-2", "reason": "Odd"}, "points-error"),
        ({"seat-0": "three", "reason": "Odd"}, "points-error"),
        ({"seat-0": "\u0663", "reason": "Odd"}, "points-error"),
        ({"reason": "Nothing"}, "points-error"),
        ({"seat-0": "1", "seat-1": "-1", "reason": " "}, "reason-error"),
    ],
)
def test_a_bad_correction_is_told_at_its_field(people: list[Player], typed: dict[str, str], field: str) -> None:
    result = Result.objects.first()
    answer = browser_of(people[0]).post(reverse("correct", args=[result.pk]), typed)
    text = answer.content.decode()
    assert answer.status_code == 400
    assert f'id="{field}"' in text
    assert f'value="{typed["reason"]}"' in text
    assert not Result.objects.filter(is_correction=True).exists()


def test_only_the_host_and_who_had_a_part_correct(people: list[Player]) -> None:
    result = Result.objects.first()
    address = reverse("correct", args=[result.pk])
    had_a_part = set(result.lines.values_list("player", flat=True))
    stranger = next(player for player in people if player.pk not in had_a_part)
    for client in (browser_of(), browser_of(stranger)):
        assert client.get(address).status_code == 403
        assert client.post(address, {"seat-0": "1", "reason": "x"}).status_code == 403
    assert not Result.objects.filter(is_correction=True).exists()

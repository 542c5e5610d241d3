"""A crowd of made-up newcomers of one address, by the QR code, fills no night: the rest of them waits for the host."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import Answer, Membership, Night, Player, SeriesDate
from games.services.calendar import answers
from games.services.calendar.answers import Said
from games.services.nights import membership, room_codes
from games.services.people import players
from games.services.tables import setup
from tests.calendar.conftest import club, date, olga  # noqa: F401 (fixtures)
from tests.security.floods.test_newcomers import qr_link
from tests.web.pages import browser_of, night_page

pytestmark = pytest.mark.django_db
PUB, ELSEWHERE = "10.0.0.1", "192.0.2.7"
CROWD = 45
"""So many of one address come into a night for 60 by themselves."""


@pytest.fixture(autouse=True)
def _nothing_counted() -> None:
    cache.clear()


def come(night: Night, name: str, address: str = PUB, **about: Any) -> Membership:
    """Let a made-up guest come in from an address."""
    return room_codes.join(night, players.new_guest(name), address, **about)


def crowd(night: Night, count: int = CROWD, address: str = PUB) -> list[Membership]:
    """Let made-up guests of one address come in by the QR code."""
    return [come(night, f"Flood {number}", address) for number in range(count)]


def is_in(member: Membership) -> bool:
    """Tell whether somebody came in."""
    return member.status == Membership.Status.IN


def test_a_crowd_of_one_address_fills_no_night_and_nobody_reads_that_it_is_full(night: Night, host: Player) -> None:
    inside = [is_in(each) for each in crowd(night, 57)]
    assert inside.count(True) == CROWD - 1, "the host is the forty-fifth"
    assert not any(inside[CROWD - 1 :])
    browser = browser_of()
    assert browser.post(qr_link(night), {"nickname": "Kari"}, REMOTE_ADDR=PUB)["Location"].endswith(night_page(night))
    assert "nearly full" in browser.get(night_page(night)).content.decode()
    assert "nearly full" in browser_of(host).get(night_page(night)).content.decode()
    kari = night.memberships.get(player__nickname="Kari")
    membership.admit(night, host, kari.player_id)
    assert browser.get(night_page(night)).status_code == 200
    assert membership.is_inside(night, kari.player)


def test_somebody_of_another_address_comes_in(night: Night) -> None:
    crowd(night)
    assert is_in(come(night, "Kari", ELSEWHERE))
    assert not is_in(come(night, "Nils"))


def test_somebody_who_was_here_before_comes_in(night: Night, make_player: Any) -> None:
    earlier = membership.host_night(make_player("Ada"), "Earlier")
    kari = make_player("Kari")
    membership.join(earlier, kari)
    crowd(night)
    assert not is_in(room_codes.join(night, make_player("Of today"), PUB))
    Player.objects.filter(pk=kari.pk).update(created_at=datetime.now(UTC) - timedelta(days=2))
    assert is_in(room_codes.join(night, Player.objects.get(pk=kari.pk), PUB))


def test_a_member_stays_one_and_the_host_brings_whom_they_want(night: Night, host: Player) -> None:
    first = crowd(night)[0]
    assert is_in(room_codes.join(night, first.player, PUB))
    membership.bring(night, host, "Grandma")
    assert night.memberships.get(player__nickname="Grandma").status == Membership.Status.IN


def test_somebody_who_is_expected_comes_in(night: Night, date: SeriesDate) -> None:  # noqa: F811
    date.night = night
    date.save()
    crowd(night)
    answers.answer_by_name(date, "Kari", Said(Answer.Says.YES))
    answers.answer_by_name(date, "Nils", Said(Answer.Says.NO))
    for name in ("Kari", "Nils", "kari"):
        browser_of().post(qr_link(night), {"nickname": name}, REMOTE_ADDR=PUB)
    waiting = night.memberships.filter(status=Membership.Status.WAITING)
    named = ("Kari", "Nils", "kari")
    assert set(waiting.filter(player__nickname__in=named).values_list("player__nickname", flat=True)) == {
        "Nils",
        "kari",
    }


def test_who_plays_is_no_newcomer_and_a_pub_that_plays_comes_in_whole(night: Night, host: Player) -> None:
    guests = crowd(night, 44)
    for number in range(0, 44, 2):
        table = setup.open_table(night, host, "dummygame", "quick", {})
        for member in guests[number : number + 2]:
            setup.sit(table, member.player)
    assert all(map(is_in, crowd(night, 15)))
    with pytest.raises(Illegal, match="night_full"):
        come(night, "Kari")


def test_a_small_night_is_filled_by_the_people_of_one_table(night: Night, host: Player) -> None:
    membership.set_admission(night, host, by_hand=False, cap=10)
    assert all(map(is_in, crowd(night, 9)))


def test_another_name_is_no_way_past_the_crowd_or_the_last_place(night: Night, host: Player) -> None:
    crowd(night)
    sham = come(night, "Hanna")
    assert not is_in(sham)
    players.rename(sham.player, "Hanne")
    assert not membership.is_inside(night, sham.player)
    membership.set_admission(night, host, by_hand=False, cap=45)
    with pytest.raises(Illegal, match="night_full"):
        come(night, "Hanna", ELSEWHERE)
    membership.set_admission(night, host, by_hand=False, cap=46)
    second = come(night, "Hanna", ELSEWHERE)
    membership.set_admission(night, host, by_hand=False, cap=45)
    players.rename(second.player, "Hannes")
    assert not membership.is_inside(night, second.player)


def test_who_came_by_the_code_is_no_part_of_the_crowd(night: Night) -> None:
    for number in range(20):
        come(night, f"Code {number}", by_code=True)
    assert all(map(is_in, crowd(night, CROWD - 1)))
    assert not is_in(come(night, "Kari"))


def test_no_address_is_kept_in_the_database(night: Night) -> None:
    crowd(night, 2, ELSEWHERE)
    for row in night.memberships.values():
        assert ELSEWHERE not in str(row)


def test_the_link_of_who_waits_is_a_qr_codes_and_opens_no_second_place(night: Night) -> None:
    crowd(night)
    browser = Client(REMOTE_ADDR=PUB)
    for _ in range(2):
        browser.post(qr_link(night), {"nickname": "Kari"})
    assert night.memberships.filter(player__nickname="Kari").count() == 1
    assert browser.get(reverse("night_live", args=[night.public_id])).status_code == 204

"""A flood of newcomers keeps nobody of the pub out: QR codes count by themselves, typed codes have bounds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import AuditEntry, Membership, Night, NightEvent, Player, Table
from games.services import rate_limit
from games.services.commands import Actor, Request, new_command_id
from games.services.nights import membership, newcomers, room_codes
from games.services.people import players
from games.services.tables import queue, setup
from tests.security.requests.test_limits import api
from tests.web.pages import browser_of, night_page

pytestmark = pytest.mark.django_db
MOST = newcomers.MOST_NEWCOMERS
JSON = {"content_type": "application/json"}


@pytest.fixture(autouse=True)
def _nothing_counted() -> None:
    cache.clear()


def qr_link(night: Night) -> str:
    """Return the path of the QR code."""
    return reverse("join_link", args=[night.public_id, night.token("join")])


def tv_link(night: Night) -> str:
    """Return the path of the TV link."""
    return reverse("tv", args=[night.public_id, night.token("tv")])


def came_by_code(night: Night, nickname: str) -> Client:
    """Return the browser of a guest who typed the code."""
    browser = browser_of()
    found = browser.post(reverse("join"), {"code": night.code})
    assert found.status_code == 302
    answer = browser.post(found["Location"], {"nickname": nickname})
    browser.status = answer.status_code
    return browser


def in_by_code(night: Night, count: int) -> list[Player]:
    """Let guests in who typed the code."""
    found = [players.new_guest(f"Flood {number}") for number in range(count)]
    for guest in found:
        membership.join(night, guest, is_invited=False)
    return found


def used_up(name: str, key: str) -> None:
    """Count as many requests as a minute allows."""
    for _ in range(rate_limit.per_minute(name)):
        rate_limit.note(name, key)


# Links with a right token are counted on their own.


def test_page_requests_of_an_address_keep_no_newcomer_and_no_screen_of_it_out(night: Night) -> None:
    used_up("stranger", "address-127.0.0.1")
    assert browser_of().get("/").status_code == 429
    assert browser_of().get(qr_link(night)).status_code == 200
    assert browser_of().post(qr_link(night), {"nickname": "Kari"}).status_code == 302
    assert browser_of().get(tv_link(night)).status_code == 200
    live = reverse("tv_live", args=[night.public_id, night.token("tv")])
    assert browser_of().get(live).status_code in (200, 204)
    assert browser_of().get(reverse("move_ask", args=[night.public_id, night.token("join")])).status_code == 200
    for name in rate_limit.KEPT:
        assert browser_of().get(reverse(name)).status_code == 200


def test_a_link_with_a_wrong_token_counts_as_any_page_of_a_stranger(night: Night) -> None:
    used_up("stranger", "address-127.0.0.1")
    for token in ("0" * 32, night.token("tv")):
        assert browser_of().get(reverse("join_link", args=[night.public_id, token])).status_code == 429
    assert browser_of().get(reverse("tv", args=[night.public_id, night.token("join")])).status_code == 429


def test_a_flood_of_one_nights_links_leaves_those_of_other_nights_and_its_screens(night: Night, host: Player) -> None:
    other = membership.host_night(host, "Other")
    used_up("link", rate_limit.link(night, "join", "address-127.0.0.1"))
    assert browser_of().get(qr_link(night)).status_code == 429
    assert browser_of().get(tv_link(night)).status_code == 200
    assert browser_of().get(qr_link(other)).status_code == 200


# Who came by the code, or waits for the host.


def test_newcomers_by_the_code_are_so_many_and_keep_nobody_with_the_qr_code_out(night: Night) -> None:
    night.cap = 3
    night.save()
    in_by_code(night, MOST)
    with pytest.raises(Illegal, match="too_many_by_code"):
        in_by_code(night, 1)
    refused = came_by_code(night, "Else")
    assert refused.status == 400
    for name in ("Kari", "Nils"):
        assert browser_of().post(qr_link(night), {"nickname": name}).status_code == 302
    with pytest.raises(Illegal, match="night_full"):
        membership.join(night, players.new_guest("Third"))


def test_a_newcomer_by_the_code_who_sits_down_makes_room_for_the_next(night: Night, host: Player) -> None:
    guests = in_by_code(night, MOST)
    table = setup.open_table(night, host, "dummygame", "quick", {})
    setup.sit(table, guests[0])
    in_by_code(night, 1)
    with pytest.raises(Illegal, match="too_many_by_code"):
        in_by_code(night, 1)


def test_a_newcomer_by_the_code_passes_on_no_link_that_counts_as_the_qr_code(night: Night) -> None:
    browser = came_by_code(night, "Else")
    page = browser.get(night_page(night)).content.decode()
    assert night.token("join") not in page
    assert night.token("code") in page
    for number in range(MOST - 1):
        passed_on = reverse("join_link", args=[night.public_id, night.token("code")])
        assert browser_of().post(passed_on, {"nickname": f"Flood {number}"}).status_code == 302
    assert browser_of().post(passed_on, {"nickname": "One more"}).status_code == 400
    assert browser_of().get(passed_on).status_code == 200
    invited = browser_of()
    invited.post(qr_link(night), {"nickname": "Kari"})
    assert night.token("join") in invited.get(night_page(night)).content.decode()


def test_a_newcomer_by_the_code_brings_no_crowd_without_phones(night: Night, host: Player) -> None:
    (guest,) = in_by_code(night, 1)
    for number in range(MOST - 1):
        membership.bring(night, guest, f"Friend {number}")
    with pytest.raises(Illegal, match="too_many_by_code"):
        membership.bring(night, guest, "One more")
    assert membership.bring(night, host, "Grandma")


def test_people_who_wait_for_the_host_are_so_many_and_never_count_as_in(night: Night, host: Player) -> None:
    membership.set_admission(night, host, True, 3)
    waiting = [players.new_guest(f"W{number}") for number in range(MOST)]
    for guest in waiting:
        membership.join(night, guest)
    with pytest.raises(Illegal, match="too_many_at_door"):
        membership.join(night, players.new_guest("Else"))
    membership.admit(night, host, waiting[0].pk)
    membership.join(night, players.new_guest("Else"))
    membership.admit(night, host, waiting[1].pk)
    with pytest.raises(Illegal, match="night_full"):
        membership.admit(night, host, waiting[2].pk)


def test_whom_the_host_let_in_is_invited(night: Night, host: Player) -> None:
    membership.set_admission(night, host, True, 60)
    guest = players.new_guest("Kari")
    assert not membership.join(night, guest, is_invited=False).is_invited
    membership.admit(night, host, guest.pk)
    assert night.memberships.get(player=guest).is_invited


def test_sixty_come_by_the_code_from_an_address_in_a_minute_and_more_by_the_qr_code(night: Night) -> None:
    night.cap = 300
    night.save()
    most = rate_limit.per_minute("typed")
    codes = [browser_of().post(reverse("join"), {"code": night.code}).status_code for _ in range(most + 1)]
    assert codes == [302] * most + [429]
    assert browser_of().get(qr_link(night)).status_code == 200
    cache.clear()
    for _ in range(most):
        rate_limit.note("typed", "in-address-10.0.0.1")
    with pytest.raises(Illegal, match="too_many"):
        room_codes.join(night, players.new_guest("Else"), "10.0.0.1", by_code=True)
    assert room_codes.join(night, players.new_guest("Kari"), "10.0.0.1")
    assert room_codes.join(night, players.new_guest("Nils"), "10.0.0.2", by_code=True)


def test_who_joins_by_the_api_came_by_the_code(night: Night, make_player: Any) -> None:
    kari = make_player("Kari")
    answer = api(kari).post(reverse("api_join"), {"code": night.code}, **JSON)
    assert answer.status_code == 200
    assert not night.memberships.get(player=kari).is_invited


def test_joined_players_are_invited_if_one_of_them_was(night: Night, make_player: Any) -> None:
    from games.services.people import merging

    one, other = make_player("One"), make_player("Other")
    membership.join(night, one, is_invited=False)
    membership.join(night, other)
    merging.merge(other, one)
    assert night.memberships.get(player=one).is_invited


# The host's act.


def flooded(night: Night, host: Player) -> tuple[datetime, list[Player], list[Player]]:
    """Return a time, those who are to stay, and newcomers without a seat who came after it."""
    stays = [players.new_guest(name) for name in ("Kari", "Nils")]
    for guest in stays:
        membership.join(night, guest)
    night.memberships.update(joined_at=datetime.now(UTC) - timedelta(hours=2))
    since = datetime.now(UTC) - timedelta(minutes=5)
    seated = players.new_guest("Late")
    membership.join(night, seated)
    setup.sit(setup.open_table(night, host, "dummygame", "quick", {}), seated)
    return since, [host, *stays, seated], in_by_code(night, 4)


def inside(night: Night) -> set[int]:
    """Return the ids of the players who are in."""
    return set(night.memberships.filter(status=Membership.Status.IN).values_list("player", flat=True))


def test_the_host_shows_newcomers_without_a_seat_the_door_in_one_act(night: Night, host: Player) -> None:
    since, stay, flood = flooded(night, host)
    night.memberships.filter(player=flood[0]).update(status=Membership.Status.WAITING)
    assert membership.remove_newcomers(night, host, since) == len(flood)
    assert inside(night) == {player.pk for player in stay}
    assert night.memberships.filter(status=Membership.Status.KICKED).count() == len(flood)
    assert NightEvent.objects.get(type="newcomers_removed").data["count"] == 4
    assert AuditEntry.objects.filter(act="night_newcomers_removed").count() == 1
    with pytest.raises(Illegal, match="removed"):
        membership.join(night, flood[0])
    assert membership.remove_newcomers(night, host, since) == 0
    assert NightEvent.objects.filter(type="newcomers_removed").count() == 1
    with pytest.raises(Illegal, match="not_host"):
        membership.remove_newcomers(night, stay[1], since)


def test_the_act_is_on_the_hosts_page_and_takes_a_time_of_the_clock(night: Night, host: Player) -> None:
    _, stay, _ = flooded(night, host)
    browser = browser_of(host)
    page = browser.get(night_page(night)).content.decode()
    assert 'name="since"' in page
    where = reverse("night_act", args=[night.public_id, "remove_newcomers"])
    answer = browser.post(where, {"since": "quarter past"}, follow=True)
    assert "A time is needed" in answer.content.decode()
    from django.utils import timezone

    typed = (timezone.localtime() - timedelta(minutes=5)).strftime("%H:%M")
    answer = browser.post(where, {"since": typed}, follow=True).content.decode()
    assert "People without a seat were shown the door: 4." in answer
    assert inside(night) == {player.pk for player in stay}


def test_the_act_is_in_the_api(night: Night, host: Player) -> None:
    since, stay, _ = flooded(night, host)
    where = reverse("api_night_remove_newcomers", args=[night.public_id])
    program, other = api(host), api(stay[1])
    assert other.post(where, {"since": since.isoformat()}, **JSON).json()["code"] == "not_host"
    assert program.post(where, {"since": "soon"}, **JSON).json()["code"] == "bad_field"
    assert program.post(where, {"since": since.isoformat()}, **JSON).status_code == 200
    assert inside(night) == {player.pk for player in stay}
    assert program.post(where, {"since": since.isoformat()}, **JSON).status_code == 200


# Commands without end.


@pytest.mark.parametrize("name", rate_limit.COMMANDS)
def test_a_command_that_could_be_repeated_without_end_is_limited(start_table: Any, name: str) -> None:
    table: Table = start_table()
    player = table.seats.get(index=1).player_id
    used_up(rate_limit.COMMANDS[name], f"player-{player}")
    with pytest.raises(Illegal, match="too_many"):
        queue.submit(table.pk, Actor(player), Request(name, {"tip": "0" * 64}, new_command_id()))

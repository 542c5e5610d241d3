"""A screen's right ends with the code it came by: on the page, at the socket and in the API."""

import pytest
from django.core.cache import cache
from django.urls import reverse

from games.models import Night
from games.services.nights import membership
from games.services.tables import access
from tests.live.wire import connect, in_thread, session_cookie
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _no_tries_yet():
    cache.clear()


def tv_link(night: Night) -> str:
    return reverse("tv", args=[night.public_id, night.token("tv")])


def rotated(night, host) -> Night:
    membership.rotate_code(night, host)
    return Night.objects.get(pk=night.pk)


def test_a_new_room_code_closes_the_page_and_the_api_to_screens(night, host, start_table):
    table, screen, old = start_table(seats=2), browser_of(), tv_link(night)
    screen.get(old)
    api, live = f"/api/tables/{table.public_id}/", old + "live/"
    assert screen.get(api).status_code == 200
    fresh = rotated(night, host)
    assert screen.get(old).status_code == 404
    assert screen.get(live).status_code == 404
    assert screen.get(live, headers={"hx-request": "true"})["HX-Refresh"] == "true"
    assert screen.get(api).status_code == 403
    screen.get(tv_link(fresh))
    assert screen.get(api).status_code == 200
    rotated(fresh, host)
    assert screen.get(api).status_code == 403


def test_a_browser_keeps_one_token_a_night(night, host):
    screen = browser_of()
    screen.get(tv_link(night))
    fresh = rotated(night, host)
    screen.get(tv_link(fresh))
    assert screen.cookies["tv"].value == f"{night.public_id}.{fresh.token('tv')}"


async def test_a_new_room_code_closes_the_open_lines_of_screens_and_of_nobody_else(night, host, start_table):
    table = await in_thread(start_table, "dummygame", "quick", seats=2)
    old = await in_thread(session_cookie, None, (night,))
    screens = [await connect(place, None, tv=(night,)) for place in (table, night)]
    await screens[0].join()
    member = await connect(table, host)
    await member.join()
    await in_thread(membership.rotate_code, night, host)
    for screen in screens:
        assert await screen.closed() == 4403
    assert await member.rest() is not None
    again = await connect(table, None, cookie=old)
    await again.send({"type": "hello", "protocol": 1, "seq": None})
    assert (await again.any())["code"] == "not_inside"
    await member.leave()


def test_a_line_that_missed_the_news_loses_its_right_at_the_next_ping(night, host, start_table):
    right = access.access(start_table(seats=2).public_id, None, [night.public_id])
    assert access.pulses([right]) == [1]
    rotated(night, host)
    (refusal,) = access.pulses([right])
    assert refusal.code == "removed"

"""A screen's right ends with the code it came by: on the page, at the socket and in the API."""

import pytest
from django.core.cache import cache
from django.urls import reverse

from games.models import Night
from games.services import server_time
from games.services.nights import membership, tv_screens
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


def test_a_screen_reads_the_table_that_it_shows_and_no_other(night, host, start_table, make_player):
    other, shown, screen = start_table(seats=2), start_table(seats=2), browser_of()
    screen.get(tv_link(night))
    assert tv_screens.current_table(night) == shown
    assert screen.get(f"/api/tables/{shown.public_id}/").status_code == 200
    assert screen.get(f"/api/tables/{other.public_id}/").status_code == 403
    assert browser_of(host).get(f"/api/tables/{other.public_id}/").status_code == 200


@pytest.mark.parametrize("log", ["events/?after=0", "replay/?first=1", "files/", "files/log.json"])
def test_a_screen_reads_no_log(night, host, start_table, log):
    table, screen = start_table(seats=2), browser_of()
    screen.get(tv_link(night))
    assert screen.get(f"/api/tables/{table.public_id}/{log}").status_code == 403
    assert browser_of(host).get(f"/api/tables/{table.public_id}/{log}").status_code != 403


async def test_a_screens_line_gets_the_table_as_it_is_and_no_log(night, host, start_table):
    table = await in_thread(start_table, "dummygame", "quick", seats=2)
    screen = await connect(table, None, tv=(night,))
    await screen.send({"type": "hello", "protocol": 1, "seq": 0})
    kinds = [(await screen.any())["type"] for _ in range(2)]
    assert "entry" not in kinds
    await screen.leave()


def test_after_the_night_a_screen_shows_its_results_for_twelve_hours_and_no_table(night, host, start_table):
    table, screen = start_table(seats=2), browser_of()
    link = tv_link(night)
    screen.get(link)
    membership.close(night, host)
    page = screen.get(link)
    assert page.status_code == 200
    assert page.context["people"] == []
    assert page.context["mode"] == "door"
    assert screen.get(f"/api/tables/{table.public_id}/").status_code == 403
    long_ago = server_time.now() - tv_screens.RESULTS_STAND
    Night.objects.filter(pk=night.pk).update(closed_at=long_ago)
    assert screen.get(link).status_code == 404
    assert tv_screens.visible_nights([{night.public_id: night.token("tv")}]) == [[]]


def test_the_host_ends_the_screens_of_a_closed_night_at_once(night, host):
    screen, link = browser_of(), tv_link(night)
    membership.close(night, host)
    assert screen.get(link).status_code == 200
    where = reverse("night_act", args=[night.public_id, "rotate"])
    page = browser_of(host).post(where, follow=True).content.decode()
    assert "Screens show nothing of this night any more." in page
    assert screen.get(link).status_code == 404
    night.refresh_from_db()
    assert night.code is None

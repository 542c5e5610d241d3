"""The switch of the night with which its big screens call aloud."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import Night
from games.services.nights import membership
from games.services.screens import screens
from tests.web.pages import browser_of, night_do, night_page, read

pytestmark = pytest.mark.django_db


def tv_link(night: Night) -> str:
    return reverse("tv", args=[night.public_id, night.token("tv")])


def test_a_screen_calls_aloud_only_where_the_host_has_switched_that_on(night, host, start_table):
    start_table(seats=2)
    page, host_page = browser_of(), browser_of(host)
    assert "tv-bell" not in page.get(tv_link(night)).content.decode()
    host_page.post(night_do(night, "call_aloud"), {"calls": "on"})
    told = page.get(tv_link(night)).content.decode()
    assert "tv-bell" in told
    assert "tv_calls" in told
    assert "tv-bell" not in page.get(f"{tv_link(night)}?overlay").content.decode()
    switch = read(host_page.get(night_page(night)).content.decode()).by_id("call-aloud")
    assert switch is not None
    host_page.post(night_do(night, "call_aloud"), {})
    assert "tv-bell" not in page.get(tv_link(night)).content.decode()


def test_a_screen_that_shows_the_night_learns_of_the_switch(night, host):
    page, live = browser_of(), reverse("tv_live", args=[night.public_id, night.token("tv")])
    shown = page.get(tv_link(night)).context["shown"]
    assert page.get(live, {"shown": shown}).status_code == 200
    screens.set_calling(night, host, True)
    assert page.get(live, {"shown": shown})["HX-Refresh"] == "true"


def test_guests_and_a_closed_night_switch_nothing(night, host, make_player):
    with pytest.raises(Illegal) as refused:
        screens.set_calling(night, make_player("Guest"), True)
    assert refused.value.code == "not_host"
    membership.close(night, host)
    with pytest.raises(Illegal) as refused:
        screens.set_calling(night, host, True)
    assert refused.value.code == "night_closed"

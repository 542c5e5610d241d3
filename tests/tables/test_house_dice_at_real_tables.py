"""Where real dice are thrown the house's dice are marked in the log: those for a person are never thrown again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from django.utils.html import escape

from games import plugin
from games.kernel.contract import TIMEOUT
from games.models import Player, Table
from games.services.commands import Actor, Request, new_command_id
from games.services.tables import commit, log, setup
from tests.conftest import choices_at
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
WHY = "The house has thrown since: what came before its dice stands."


@pytest.fixture
def table(open_table: Callable[..., Table], host: Player) -> Table:
    """A table with cup and mats: two people, and a bot on the last seat."""
    table = open_table("chicago", "mats", seats=2)
    setup.add_bot(table, host, plugin.game("chicago").usual_level)
    setup.start(table, host, new_command_id())
    table.refresh_from_db()
    return table


def throw(table: Table) -> bool:
    """Let the house throw the turn that runs; tell whether a bot plays it. The rest of the turn is played out."""
    (choice,) = (one for one in choices_at(table) if one.name == "throw")
    seat = table.seats.get(index=choice.seat)
    actor = Actor(None, seat.index) if seat.bot_level else Actor(seat.player_id)
    commit.submit(table.pk, actor, Request("throw", choice.options[0], new_command_id(), choice.opened_at))
    while open_now := [one for one in choices_at(table) if one.seat == seat.index and one.name == "stand"]:
        stand = Request("stand", open_now[0].options[0], new_command_id(), open_now[0].opened_at)
        commit.submit(table.pk, actor, stand)
    return bool(seat.bot_level)


def marks(table: Table) -> list[bool]:
    """Return for each throw of the log whether the house threw for a person."""
    events = (event for entry in log.entries(table.pk) for event in entry.events if event.type == "dice_thrown")
    return ["for_person" in event.data for event in events]


def test_the_log_tells_for_whom_the_house_threw(table: Table) -> None:
    found = [not throw(table) for _ in range(3)]
    assert marks(table) == found and sorted(found) == [False, True, True]


def test_the_house_throws_for_a_person_whose_time_has_run_out_and_for_a_bot_that_the_clock_plays(table: Table) -> None:
    found = []
    for _ in range(3):
        seat = next(one.seat for one in choices_at(table) if one.name == "throw")
        found.append(not table.seats.get(index=seat).bot_level)
        before = len(marks(table))
        commit.submit(table.pk, Actor(), Request(TIMEOUT, {"seat": seat}, new_command_id()))
        assert set(marks(table)[before:]) == {found[-1]}
    assert sorted(found) == [False, True, True]


def test_the_hosts_menu_says_that_taking_back_ends_at_dice_of_the_house(table: Table, host: Player) -> None:
    address, browser = reverse("table", args=[table.public_id]), browser_of(host)
    page = browser.get(address).content.decode()
    assert '<p id="why-told" hidden></p>' in page
    while throw(table):
        pass
    page = browser.get(address).content.decode()
    assert f'<p id="why-told" hidden>{escape(WHY)}</p>' in page

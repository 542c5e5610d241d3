"""At most BOTS_PER_HOST bots play at the tables of one host's nights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from games import plugin
from games.kernel.contract import Illegal
from games.models import Night, Player, Seat, Table
from games.services.commands import Actor, Request, new_command_id
from games.services.hosting import practice
from games.services.nights import membership
from games.services.tables import commit, setup
from games.services.tables.decisions import Submission
from tests.ops.test_commands import said
from tests.tables.host.host_commands import act
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
JSON = {"content_type": "application/json"}


@pytest.fixture
def seat_bots(open_table: Callable[..., Table], host: Player) -> Callable[..., Table]:
    """Open a table with so many bots, beside so many people."""

    def make(bots: int, people: int = 0) -> Table:
        table = open_table("dummygame", "endless", seats=people)
        for _ in range(bots):
            setup.add_bot(table, host, "low")
        return table

    return make


def start(table: Table, host: Player) -> None:
    """Start a table."""
    setup.start(table, host, new_command_id())
    table.refresh_from_db()


def test_a_waiting_table_takes_no_bot_with_which_it_could_not_start(seat_bots, host: Player, settings: Any) -> None:
    settings.BOTS_PER_HOST = 4
    start(seat_bots(3), host)
    waiting = seat_bots(1)
    with pytest.raises(Illegal, match="too_many_bots"):
        setup.add_bot(waiting, host, "low")
    assert waiting.seats.count() == 1, "a refused bot sits nowhere"


def test_the_api_and_the_page_say_so_in_words(seat_bots, host: Player, settings: Any) -> None:
    settings.BOTS_PER_HOST = 2
    start(seat_bots(2), host)
    waiting = seat_bots(0, people=1)
    browser = browser_of(host)
    refused = browser.post(reverse("api_table_seats", args=[waiting.public_id]), {"bot": "low"}, **JSON)
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_bots")
    assert "at most 2 bots" in refused.json()["message"]
    page = browser.post(reverse("table_act", args=[waiting.public_id, "add_bot"]), {"level": "low"}, follow=True)
    assert "at most 2 bots" in page.content.decode()
    assert waiting.seats.count() == 1


def test_tables_that_wait_side_by_side_start_only_as_far_as_the_limit_goes(
    seat_bots, host: Player, settings: Any
) -> None:
    settings.BOTS_PER_HOST = 4
    first, second = seat_bots(3), seat_bots(3)
    start(first, host)
    with pytest.raises(Illegal, match="too_many_bots"):
        start(second, host)
    second.refresh_from_db()
    assert second.status == Table.Status.LOBBY
    act(first, host, "end")
    start(second, host)


def test_a_start_that_is_sent_again_is_answered_as_before(seat_bots, host: Player, settings: Any) -> None:
    settings.BOTS_PER_HOST = 4
    table = seat_bots(3)
    assert not setup.start(table, host, "once").repeated
    settings.BOTS_PER_HOST = 1
    assert setup.start(table, host, "once").repeated


def test_paused_tables_and_those_of_other_nights_of_the_host_count(seat_bots, host: Player, settings: Any) -> None:
    settings.BOTS_PER_HOST = 3
    first = seat_bots(2)
    start(first, host)
    act(first, host, "pause")
    other = setup.open_table(membership.host_night(host, "Two"), host, "dummygame", "endless", {})
    setup.add_bot(other, host, "low")
    with pytest.raises(Illegal, match="too_many_bots"):
        setup.add_bot(other, host, "low")


def test_no_bot_comes_to_a_running_table_beyond_the_limit(seat_bots, start_table, host: Player, settings: Any) -> None:
    settings.BOTS_PER_HOST = 3
    start(seat_bots(3), host)
    table = start_table("dummygame", "endless", seats=3)
    guest = table.seats.get(index=1)
    with pytest.raises(Illegal, match="too_many_bots"):
        act(table, host, "substitute", seat=1, sitter=guest.player_id, bot="low")
    settings.BOTS_PER_HOST = 4
    act(table, host, "substitute", seat=1, sitter=guest.player_id, bot="low")
    act(table, host, "substitute", seat=1, sitter=None, bot="low")  # another bot in place of a bot is no more
    with pytest.raises(Illegal, match="too_many_bots"):
        act(table, host, "join", bot="low")


def test_bots_that_are_sent_for_at_once_to_several_tables_are_counted_one_by_one(
    start_table, host: Player, settings: Any
) -> None:
    settings.BOTS_PER_HOST = 1
    tables = [start_table("dummygame", "endless", seats=2) for _ in range(3)]
    guests = [table.seats.get(index=1).player_id for table in tables]
    requests = [
        Request("table.substitute", {"seat": 1, "sitter": guest, "bot": "low"}, new_command_id()) for guest in guests
    ]
    answers = commit.commit(
        [Submission(table.pk, Actor(host.pk), each) for table, each in zip(tables, requests, strict=True)]
    )
    assert [getattr(each, "code", "") for each in answers] == ["", "too_many_bots", "too_many_bots"]
    assert Seat.objects.exclude(bot_level="").count() == 1


def test_staff_have_no_limit_and_0_is_none(seat_bots, host: Player, settings: Any) -> None:
    settings.BOTS_PER_HOST = 0
    start(seat_bots(3), host)
    settings.BOTS_PER_HOST = 1
    host.user = get_user_model().objects.create_user("bar", is_staff=True)
    host.save()
    start(seat_bots(3), host)


def test_practice_is_not_counted(seat_bots, host: Player, settings: Any) -> None:
    settings.BOTS_PER_HOST = 1
    game = plugin.game("chicago")
    wish = practice.PracticeWish("chicago", game.options.presets[0].id, {}, next(iter(game.bot_levels)), bots=3)
    practised = practice.start(host, wish)
    assert practised.seats.exclude(bot_level="").count() == 3
    start(seat_bots(1, people=1), host)


def test_the_demo_s_own_tables_count_for_nobody(settings: Any) -> None:
    settings.BOTS_PER_HOST = 3
    said("demo")
    night, guest = Night.objects.get(), Player.objects.create(nickname="Kari")
    membership.join(night, guest)
    Night.objects.update(host=guest)
    for table in night.tables.filter(status=Table.Status.LOBBY).exclude(seats=None):
        setup.sit(table, guest, accept=True)
        start(table, guest)
        act(table, guest, "end")
    said("demo")
    assert night.tables.filter(status=Table.Status.LOBBY).exclude(seats=None).exists()


def test_by_default_a_host_has_eight_bots_at_play(settings: Any) -> None:
    assert settings.BOTS_PER_HOST == 8

"""The waiting list of a night: who waits longest stands first, and reads about how long it will be."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.urls import reverse

from games.models import DrawnRound, Membership, Night, Player, Result, ResultLine, Table
from games.services import server_time
from games.services.draws import drawn_rounds, waiting_list
from games.services.draws.drawn_rounds import DrawnBy, Limit
from games.services.tables.seating import leaving
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(start_table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table of three in play, which takes nobody in."""
    monkeypatch.setattr(waiting_list.joining, "is_open", lambda table: False)
    return start_table(seats=3)


@pytest.fixture
def people(night: Night, guest: Callable[..., Player], table: Table) -> dict[str, Player]:
    """Kari, Nils and Uli, who came in this order, all without a seat; the host sits."""
    found = {name: guest(name) for name in ("Kari", "Nils", "Uli")}
    for minutes, player in zip((60, 40, 20), found.values(), strict=True):
        joined = server_time.now() - timedelta(minutes=minutes)
        Membership.objects.filter(player=player).update(joined_at=joined)
    return found


def names(night: Night) -> list[str]:
    return [row.member.player.nickname for row in waiting_list.of(night)]


def ended(table: Table, ago: int, *sitters: Player) -> None:
    """Note a game that was over so many minutes ago."""
    at = server_time.now() - timedelta(minutes=ago)
    about = {"game_id": table.game_id, "preset": table.preset, "reason": "won", "unit": "points", "finished_at": at}
    result = Result.objects.create(table=table, number=table.results.count() + 1, **about)
    for seat, player in enumerate(sitters):
        ResultLine.objects.create(result=result, seat=seat, player=player, name=player.nickname, points=0, rank=1)


def test_who_came_first_or_played_longest_ago_stands_first(
    night: Night, table: Table, people: dict[str, Player]
) -> None:
    assert names(night) == ["Kari", "Nils", "Uli"]
    ended(table, 5, people["Kari"])
    assert names(night) == ["Nils", "Uli", "Kari"]


def test_who_has_gone_home_or_sits_does_not_wait(night: Night, table: Table, people: dict[str, Player]) -> None:
    leaving.go_home(night, people["Nils"], people["Nils"].pk)
    assert names(night) == ["Kari", "Uli"]


def test_nobody_waits_while_a_table_takes_newcomers_or_none_is_played(
    night: Night, table: Table, people: dict[str, Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting_list.joining, "is_open", lambda table: True)
    assert names(night) == []
    monkeypatch.setattr(waiting_list.joining, "is_open", lambda table: False)
    Table.objects.filter(pk=table.pk).update(status=Table.Status.FINISHED)
    assert names(night) == []


def test_the_first_waits_for_the_end_of_the_game_by_the_tables_own_durations(
    night: Night, table: Table, people: dict[str, Player]
) -> None:
    assert [waiting_list.minutes(row) for row in waiting_list.of(night)] == [None, None, None]
    Table.objects.filter(pk=table.pk).update(started_at=server_time.now() - timedelta(minutes=50))
    for ago in (30, 10):
        ended(table, ago)
    assert [waiting_list.minutes(row) for row in waiting_list.of(night)] == [10, None, None]


def test_in_a_round_of_minutes_everybody_waits_for_its_end(
    night: Night, table: Table, people: dict[str, Player]
) -> None:
    drawn = DrawnBy(table.game_id, table.preset, None, 3, "lot")
    drawn_rounds.note(night, drawn, Limit(minutes=25), [table])
    assert [waiting_list.minutes(row) for row in waiting_list.of(night)] == [25, 25, 25]
    DrawnRound.objects.update(is_over=True)
    assert {waiting_list.minutes(row) for row in waiting_list.of(night)} == {None}


def test_the_nights_page_shows_the_order_to_everybody(night: Night, table: Table, people: dict[str, Player]) -> None:
    page = browser_of(people["Uli"]).get(reverse("night", args=[night.public_id])).content.decode()
    assert "Waiting for a seat" in page

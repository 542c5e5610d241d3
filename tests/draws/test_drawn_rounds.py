"""Rounds of drawn tables: they end after games or minutes, people move between tables, and the sheet adds them up."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import DrawnRound, Night, Player, Result, ResultLine, Table
from games.services import server_time
from games.services.commands import Actor, Request, new_command_id
from games.services.draws import drawn_rounds, drawn_tables
from games.services.draws.drawn_rounds import Limit
from games.services.draws.drawn_tables import DrawnRules, DrawWish, OpenedRound
from games.services.history import night_tallies
from games.services.nights import membership
from games.services.people import players
from games.services.tables import log, setup
from games.services.tables.commit import submit
from tests import snapshots
from tests.conftest import answer, choices_at
from tests.seasons.test_matches import give_up
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
RULES = DrawnRules("chouette", "german")


def refused(code: str):
    return pytest.raises(Illegal, match=f"'{code}'")


@pytest.fixture
def club() -> tuple[Night, Player, list[int]]:
    """A night of Hanna's with six guests."""
    host = players.new_guest("Hanna")
    night = membership.host_night(host, "Club night")
    guests = [players.new_guest(f"Guest {number}") for number in range(6)]
    for guest in guests:
        membership.join(night, guest)
    return night, host, [guest.pk for guest in guests]


def opened(night: Night, host: Player, tables: list[list[int]], limit: Limit | None = None) -> list[Table]:
    """Open a round."""
    return drawn_tables.open_together(night, host, RULES, tables, as_round=OpenedRound(3, "lot", limit or Limit()))


@snapshots.kept()
def started(table: Table, host: Player) -> Table:
    """Let everybody at a table accept, start it, and begin its first game."""
    for seat in table.seats.select_related("player"):
        if seat.player is not None:
            setup.sit(table, seat.player, accept=True)
    setup.start(table, host, new_command_id())
    for _ in range(20):
        choice = next((each for each in choices_at(table) if each.name == "opening_roll"), None)
        if choice is None:
            break
        answer(table, choice)
    return Table.objects.get(pk=table.pk)


def ends(table: Table, points: list[int]) -> None:
    """End a table with points by seat."""
    result = Result.objects.create(
        table=table, number=1, game_id="chouette", preset="german", reason="won", unit="points",
        finished_at=server_time.now(),
    )  # fmt: skip
    for seat, n in zip(table.seats.order_by("index"), points, strict=True):
        about = {"player": seat.player, "name": seat.name, "points": n, "rank": 1}
        ResultLine.objects.create(result=result, seat=seat.index, **about)
    Table.objects.filter(pk=table.pk).update(status=Table.Status.FINISHED)


@pytest.mark.usefixtures("sealed_dice")
def test_a_table_ends_with_the_last_game_of_its_round_which_is_played_out(
    club: tuple[Night, Player, list[int]],
) -> None:
    night, host, ids = club
    tables = [started(table, host) for table in opened(night, host, [ids[:3], ids[3:]], Limit(games=1))]
    for _ in range(2):
        drawn_rounds.run_due()
    for table in tables:
        assert Table.objects.get(pk=table.pk).status == Table.Status.PLAYING
        give_up(table)
        assert Table.objects.get(pk=table.pk).status == Table.Status.FINISHED
        assert table.results.count() == 1
    drawn_rounds.run_due()
    assert DrawnRound.objects.get().is_over


@pytest.mark.usefixtures("sealed_dice")
def test_the_game_that_runs_when_the_minutes_are_over_is_the_last_and_none_is_before(
    club: tuple[Night, Player, list[int]],
) -> None:
    night, host, ids = club
    (opening,) = opened(night, host, [ids[:3]], Limit(minutes=30))
    table = started(opening, host)
    now = server_time.now()
    drawn_rounds.run_due(now + timedelta(minutes=29))
    assert not log.state_of(table).closes
    drawn_rounds.run_due(now + timedelta(minutes=31))
    assert log.state_of(Table.objects.get(pk=table.pk)).closes


@pytest.mark.usefixtures("sealed_dice")
def test_a_paused_table_is_left_alone_until_it_goes_on(club: tuple[Night, Player, list[int]]) -> None:
    night, host, ids = club
    (opening,) = opened(night, host, [ids[:3]], Limit(games=1))
    table = started(opening, host)
    for name, is_closing in (("table.pause", False), ("table.resume", True)):
        submit(table.pk, Actor(host.pk), Request(name, {}, new_command_id()))
        drawn_rounds.run_due()
        assert log.state_of(Table.objects.get(pk=table.pk)).closes is is_closing


def test_the_best_of_a_table_moves_up_and_the_last_moves_down(club: tuple[Night, Player, list[int]]) -> None:
    night, host, ids = club
    with refused("no_round"):
        drawn_tables.draw_tables(night, DrawWish("chouette", 3, "ladder"), ids)
    first, second = opened(night, host, [ids[:3], ids[3:]])
    ends(first, [5, -6, 1])
    ends(second, [-2, -1, 3])
    tables, over = drawn_tables.draw_tables(night, DrawWish("chouette", 3, "ladder"), ids)
    a, b, c, d, e, f = ids
    assert [set(table) for table in tables] == [{a, c, f}, {b, e, d}]
    assert over == []


def test_who_was_in_no_round_comes_in_below_and_who_has_gone_is_left_out(
    club: tuple[Night, Player, list[int]],
) -> None:
    night, host, ids = club
    first, second = opened(night, host, [ids[:3], ids[3:]])
    ends(first, [5, -6, 1])
    ends(second, [-2, -1, 3])
    late = players.new_guest("Late")
    membership.join(night, late)
    tables, _over = drawn_tables.draw_tables(night, DrawWish("chouette", 3, "ladder"), [*ids[:5], late.pk])
    assert late.pk in tables[-1]
    assert ids[5] not in {pk for table in tables for pk in table}


@pytest.mark.parametrize("limit", [Limit(games=0), Limit(games=99), Limit(minutes=0), Limit(2, 30), Limit(minutes=999)])
def test_a_bad_limit_opens_no_table(club: tuple[Night, Player, list[int]], limit: Limit) -> None:
    night, host, ids = club
    with refused("bad_limit"):
        opened(night, host, [ids[:3]], limit)
    assert not night.tables.exists()


def test_the_form_of_the_next_round_has_the_wish_of_the_last_and_the_numbers_go_on(
    club: tuple[Night, Player, list[int]],
) -> None:
    night, host, ids = club
    browser, url = browser_of(host), reverse("draw_tables", args=[night.public_id])
    form = {"rules": "chouette:preset-german", "size": "3", "way": "strangers", "limit": "g4"}
    for _ in range(2):
        places = {f"at-{pk}": at % 2 for at, pk in enumerate(ids)}
        sent = browser.post(url, {**form, **places, "form_id": "one", "open": "1"})
        assert sent.status_code == 302
    row = DrawnRound.objects.get()
    assert (row.number, row.games, row.way, row.want, row.tables.count()) == (1, 4, "strangers", 3, 2)
    night.tables.update(status=Table.Status.FINISHED)
    drawn_rounds.run_due()
    shown = browser.get(url)
    assert {name: shown.context[name] for name in ("chosen_rules", "size", "way", "limit")} == {
        "chosen_rules": "chouette:preset-german", "size": "3", "way": "strangers", "limit": "g4",
    }  # fmt: skip
    opened(night, host, [ids])
    assert drawn_rounds.last(night).number == 2
    bad = browser.post(url, {**form, "limit": "forever", **{f"at-{pk}": 0 for pk in ids}, "open": "1"})
    assert bad.status_code == 400


def test_the_sheet_of_the_night_adds_up_all_tables_round_by_round(club: tuple[Night, Player, list[int]]) -> None:
    night, host, ids = club
    first, second = opened(night, host, [ids[:3], ids[3:]])
    ends(first, [5, -6, 1])
    ends(second, [-2, -1, 3])
    (third,) = opened(night, host, [ids[:4]])
    ends(third, [4, -1, -1, -2])
    (sheet,) = night_tallies.round_sheets(night)
    assert sheet.rounds == (1, 2)
    rows = {row.name: (row.points, row.total) for row in sheet.rows}
    assert (rows["Guest 0"], rows["Guest 4"]) == (((5, 4), 9), ((-1, None), -1))
    assert [row.total for row in sheet.rows] == sorted((row.total for row in sheet.rows), reverse=True)
    page = browser_of(host).get(reverse("night_results", args=[night.public_id])).content.decode()
    assert "Round by round" in page

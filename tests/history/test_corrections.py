"""Corrections are rows of their own, and the tallies follow every row."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command

from chouette.board.gnubg_id import position_id
from games import plugin
from games.kernel.contract import Illegal
from games.management import log_check
from games.models import AuditEntry, Player, Result, Table, Tally, Venue
from games.services.commands import Actor, Request, new_command_id
from games.services.history import corrections, tallies
from games.services.logs import log_views
from games.services.people import deletion
from games.services.tables import commit, log
from tests import snapshots
from tests.chouette.table import TEAM_WINS
from tests.conftest import choices_at
from tests.devices import Device, begin_a_roll, is_under_way, under_way
from tests.tables.test_log import play_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def result(start_table: Callable[..., Table], night) -> Result:
    """The result of a finished game at a venue."""
    night.venue = Venue.objects.create(name="Zum Anker")
    night.save()
    return play_out(start_table("chicago", "bavarian", seats=3)).results.get()


def kept() -> list[tuple]:
    """Return every tally as it stands, in a fixed order."""
    fields = (
        "player_id", "game_id", "unit", "venue_id", "played", "won", "points", "last_at", "stats"
    )  # fmt: skip
    return list(Tally.objects.order_by("player", "game_id", "unit", "venue").values_list(*fields))


def test_a_correction_adds_a_row_and_changes_none(result: Result, host: Player) -> None:
    before = list(result.lines.values())
    corrections.correct(result, host, {1: 2}, "The second  round was booked twice")
    assert list(result.lines.values()) == before
    row = Result.objects.get(corrects=result)
    assert row.is_correction and row.by_name == "Hanna"
    assert row.note == "The second round was booked twice"
    assert [(line.seat, line.points) for line in row.lines.all()] == [(1, 2)]
    assert AuditEntry.objects.get().act == "result_corrected"
    out = StringIO()
    call_command("check_logs", stdout=out)
    assert "no fault" in out.getvalue()


def test_a_correction_counts_points_but_no_game(result: Result, host: Player) -> None:
    player = result.lines.get(seat=1).player
    before = Tally.objects.get(player=player, venue=None)
    corrections.correct(result, host, {1: 2}, "Forgotten")
    after = Tally.objects.get(player=player, venue=None)
    assert (after.played, after.won, after.points) == (before.played, before.won, before.points + 2)


def test_a_correction_brings_nobody_who_was_deleted_back_to_the_leaderboards(result: Result, host: Player) -> None:
    player = result.lines.get(seat=1).player
    deletion.delete(player)
    row = corrections.correct(result, host, {0: 1, 1: 2}, "Forgotten")
    assert row is not None and [line.points for line in row.lines.order_by("seat")] == [1, 2]
    assert not Tally.objects.filter(player=player).exists()
    assert Tally.objects.filter(player=host).exists()


@pytest.mark.parametrize(
    ("points", "reason", "code"),
    [
        ({1: 2}, " ", "no_reason"),
        ({1: 2}, "x" * 201, "no_reason"),
        ({1: 2}, "right\u202eleft", "no_reason"),
        ({1: 0}, "Nothing", "bad_points"),
        ({}, "Nothing", "bad_points"),
        ({1: 10**9}, "Too much", "bad_points"),
        ({9: 1}, "Nobody", "no_such_seat"),
    ],
)
def test_a_bad_correction_is_refused_with_a_code(
    result: Result, host: Player, points: dict[int, int], reason: str, code: str
) -> None:
    with pytest.raises(Illegal, match=code):
        corrections.correct(result, host, points, reason)
    assert Result.objects.count() == 1


def test_only_the_host_and_the_staff_correct(result: Result, make_player) -> None:
    with pytest.raises(Illegal, match="not_host"):
        corrections.correct(result, make_player("Uli"), {1: 1}, "Mine")


def test_tallies_built_anew_are_those_that_were_kept(result: Result, host: Player) -> None:
    corrections.correct(result, host, {0: 1, 2: -1}, "Swapped")
    told = kept()
    assert len(told) == 6, "three players, at the venue and everywhere"
    assert tallies.rebuild() == 6
    assert kept() == told


# A player's correction (docs/rules-chouette.md §6). At a table of backgammon points are transfers.


@pytest.fixture
def sheet(start_table: Callable[..., Table]) -> Result:
    """The first result of a chouette of four: the Box A has paid the three others a point each."""
    table = start_table("chouette", "german", seats=4, start_position=position_id(TEAM_WINS), grace_seconds=0)
    play_a_game(table)
    return table.results.get()


@snapshots.kept()
def play_a_game(table: Table) -> None:
    while not table.results.filter(is_correction=False).exists():
        required = (choice for choice in choices_at(table) if choice.required)
        each = ((choice, args) for choice in required for args in choice.options)
        choice, quiet = next((choice, args) for choice, args in each if args.get("double") is not True)
        commit.submit(
            table.pk,
            Actor(bot_seat=choice.seat),
            Request(choice.name, quiet, new_command_id(), choice.opened_at),
        )


def players(result: Result) -> dict[int, Player]:
    return {line.seat: line.player for line in result.lines.select_related("player")}


def waiting(result: Result) -> list[dict]:
    return Table.objects.get(pk=result.table_id).corrections


def sides(result: Result) -> tuple[int, list[int], int]:
    """Return a seat that is no host's, the other seats of that kind, and the host's seat."""
    host = result.table.night.host_id
    plain = [seat for seat, player in players(result).items() if player.pk != host]
    return plain[0], plain[1:], next(seat for seat, player in players(result).items() if player.pk == host)


def test_a_players_correction_counts_when_everybody_whose_total_it_lowers_has_agreed(sheet: Result) -> None:
    own, (first, second), _ = sides(sheet)
    who = players(sheet)
    assert corrections.correct(sheet, who[own], {own: 2, first: -1, second: -1}, "Mine") is None
    (found,) = waiting(sheet)
    assert found["waiting"] == sorted([first, second])
    assert corrections.answer(sheet.table_id, found["id"], who[first], agrees=True) is None
    assert not Result.objects.filter(is_correction=True).exists()
    row = corrections.answer(sheet.table_id, found["id"], who[second], agrees=True)
    assert row is not None and row.by_name == str(who[own]) and waiting(sheet) == []
    assert dict(row.lines.values_list("seat", "points")) == {own: 2, first: -1, second: -1}
    state = log.state_of(Table.objects.get(pk=sheet.table_id))
    shown = plugin.game("chouette").rules.view(state, None)["sheet"][-1]
    assert (shown["points"][own], shown["by"], shown["check"]) == (2, own, 0), "on the live sheet, too"
    acts = AuditEntry.objects.order_by("pk").values_list("act", flat=True)
    assert list(acts)[-4:] == ["correction_proposed", "correction_agreed", "correction_agreed", "result_corrected"]


def test_the_hosts_counts_at_once_and_may_be_of_any_size(sheet: Result) -> None:
    own, (first, _), host = sides(sheet)
    assert corrections.correct(sheet, players(sheet)[host], {own: -50, first: 50}, "Forgotten") is not None


def test_a_correction_in_a_throw_leaves_the_throw_under_way(sheet: Result) -> None:
    """Else whoever corrects again and again would let no dice fall."""
    table = sheet.table
    devices = {seat: Device(table, seat) for seat in range(4)}
    for _ in range(3):
        assert begin_a_roll(table)
        corrections.correct(sheet, table.night.host, {0: 1, 1: -1}, "miscounted")
        while is_under_way(table):
            devices[under_way(table).waiting[0]].give()
    told = [event.type for entry in log.entries(table.pk) for event in entry.events]
    assert "table.throw_dropped" not in told
    assert log_check.faults(Table.objects.get(pk=table.pk)) == []


def test_who_only_lowers_themselves_needs_nobody(sheet: Result) -> None:
    own, (first, _), _ = sides(sheet)
    assert corrections.correct(sheet, players(sheet)[own], {own: -1, first: 1}, "I owe it") is not None


def test_nobody_is_moved_by_more_than_the_sheets_largest_result_without_the_host(sheet: Result) -> None:
    own, (first, _), _ = sides(sheet)
    most = max(abs(line.points) for line in sheet.lines.all())
    for points in ({own: most + 1, first: -most - 1}, {own: -most - 1, first: most + 1}):
        with pytest.raises(Illegal, match="too_much"):
            corrections.correct(sheet, players(sheet)[own], points, "Much")
    assert corrections.correct(sheet, players(sheet)[own], {own: most, first: -most}, "As much") is None
    # A correction is no result: it does not make room for larger ones.
    corrections.answer(sheet.table_id, waiting(sheet)[0]["id"], players(sheet)[first], agrees=True)
    with pytest.raises(Illegal, match="too_much"):
        corrections.correct(sheet, players(sheet)[own], {own: most + 1, first: -most - 1}, "More")


def test_enemies_of_a_correction_that_waits(sheet: Result, make_player) -> None:
    own, (first, second), _ = sides(sheet)
    who = players(sheet)
    corrections.correct(sheet, who[own], {own: 1, first: -1}, "Mine")
    (found,) = waiting(sheet)
    for enemy in (who[own], who[second], make_player("Uli")):
        with pytest.raises(Illegal, match="not_asked"):
            corrections.answer(sheet.table_id, found["id"], enemy, agrees=True)
    with pytest.raises(Illegal, match="not_asked"):
        corrections.answer(sheet.table_id, found["id"], who[second], agrees=False)
    with pytest.raises(Illegal, match="no_such_correction"):
        corrections.answer(sheet.table_id, "0" * 12, who[first], agrees=True)
    corrections.answer(sheet.table_id, found["id"], who[first], agrees=False)
    assert waiting(sheet) == []
    with pytest.raises(Illegal, match="no_such_correction"):
        corrections.answer(sheet.table_id, found["id"], who[first], agrees=True)
    assert not Result.objects.filter(is_correction=True).exists()


def test_two_agree_at_once_and_it_is_written_once(sheet: Result) -> None:
    own, (first, _), _ = sides(sheet)
    who = players(sheet)
    corrections.correct(sheet, who[own], {own: 1, first: -1}, "Mine")
    (found,) = waiting(sheet)
    corrections.answer(sheet.table_id, found["id"], who[first], agrees=True)
    with pytest.raises(Illegal, match="no_such_correction"):
        corrections.answer(sheet.table_id, found["id"], who[first], agrees=True)
    assert Result.objects.filter(is_correction=True).count() == 1


def test_who_proposed_takes_it_back_and_the_host_answers_for_all(sheet: Result) -> None:
    own, (first, second), host = sides(sheet)
    who = players(sheet)
    for by, agrees, rows in ((own, False, 0), (host, False, 0), (host, True, 1)):
        corrections.correct(sheet, who[own], {own: 2, first: -1, second: -1}, "Mine")
        corrections.answer(sheet.table_id, waiting(sheet)[0]["id"], who[by], agrees=agrees)
        assert Result.objects.filter(is_correction=True).count() == rows
        assert waiting(sheet) == []


def test_nobody_fills_the_table_with_corrections(sheet: Result) -> None:
    own, (first, _), _ = sides(sheet)
    for _ in range(corrections.MOST_WAITING):
        corrections.correct(sheet, players(sheet)[own], {own: 1, first: -1}, "Again")
    with pytest.raises(Illegal, match="too_many_waiting"):
        corrections.correct(sheet, players(sheet)[own], {own: 1, first: -1}, "Again")


def test_where_points_are_no_transfers_all_the_others_agree(result: Result, host: Player) -> None:
    who = players(result)
    own = next(seat for seat, player in who.items() if player != host)
    line = result.lines.get(seat=own)
    most = max(abs(each.points) for each in result.lines.all())
    assert most and line.player is not None
    assert corrections.correct(result, line.player, {own: -1}, "Less for me") is None
    assert waiting(result)[0]["waiting"] == sorted(seat for seat in who if seat != own)


def test_all_see_live_what_waits(sheet: Result) -> None:
    own, (first, _), _ = sides(sheet)
    corrections.correct(sheet, players(sheet)[own], {own: 1, first: -1}, "Mine")
    (told,) = log_views.snapshot(sheet.table_id).table["corrections"]
    assert (told["seat"], told["waiting"], told["points"]) == (own, [first], {str(own): 1, str(first): -1})

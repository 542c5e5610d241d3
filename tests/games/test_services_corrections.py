"""Corrections are rows of their own, and the tallies follow every row."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command

from games.kernel.contract import Illegal
from games.models import AuditEntry, Player, Result, Table, Tally, Venue
from games.services import corrections, tallies
from tests.games.test_services_ledger import play_out

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

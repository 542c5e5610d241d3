"""Results: sheets that add up, who pays what, the player's page, the dice check."""

import re
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from games import plugin
from games.models import LogEntry, Result, ResultLine
from games.services.commands import Actor, Request, new_command_id
from games.services.history import score_sheets
from games.services.nights import membership
from games.services.tables.commit import submit
from games.web.tables import dice_check
from tests import snapshots
from tests.conftest import answer, choices_at
from tests.web.pages import browser_of, read

pytestmark = pytest.mark.django_db


def result(table, points, preset=None, stats=None, reason="end", unit="rounds"):
    """Write a result with these points by seat, fewest first ranked."""
    number = table.results.count() + 1
    made = Result.objects.create(
        table=table,
        number=number,
        seq=1000 + number,
        game_id=table.game_id,
        preset=preset or table.preset,
        reason=reason,
        unit=unit,
        finished_at=datetime.now(UTC),
    )
    seats = list(table.seats.order_by("index"))
    for index, value in points.items():
        ResultLine.objects.create(
            result=made,
            seat=index,
            player=seats[index].player,
            name=seats[index].name,
            points=value,
            rank=1 + sum(other < value for other in points.values()),
            stats=(stats or {}).get(index, {}),
        )
    return made


def sheet_of(night):
    return score_sheets.sheets(night)


def games_of(night, sheet):
    return score_sheets.games(night, sheet)


def page(browser, night):
    return browser.get(reverse("night_results", args=[night.public_id])).content.decode()


def test_a_night_without_results_says_so(night, host):
    assert "No game has been finished yet" in page(browser_of(host), night)


def test_the_totals_of_the_sheet_are_the_sums_of_its_rows(night, host, open_table):
    table = open_table("chicago", "bavarian", seats=3)
    for points in ({0: 0, 1: 1, 2: 0}, {0: 1, 1: 0, 2: 0}, {0: 1, 1: 0}):
        result(table, points)
    (sheet,) = sheet_of(night)
    columns = list(zip(*[row.lines for row in games_of(night, sheet)], strict=True))
    sums = [sum(line.points for line in column if line) for column in columns]
    assert list(sheet.totals) == sums == [2, 1, 0]
    assert games_of(night, sheet)[2].lines[2] is None


def test_points_that_are_owed_are_paid_most_first(night, open_table):
    table = open_table("chicago", "bavarian", seats=3)
    result(table, {0: 0, 1: 1, 2: 0})
    result(table, {0: 3, 1: 0, 2: 0})
    (sheet,) = sheet_of(night)
    assert [(p.who.name, p.points, p.to) for p in sheet.payments] == [
        ("Hanna", 3, None),
        ("Guest 1", 1, None),
    ]


def test_rounds_and_forfeits_are_not_added_up(night, host, open_table):
    table = open_table("chicago", "bavarian", seats=3)
    result(table, {0: 0, 1: 1, 2: 0})
    result(table, {0: 3, 1: 0, 2: 0}, preset="forfeits", unit="forfeits")
    forfeits, rounds = sheet_of(night)
    assert (forfeits.unit, forfeits.totals) == ("forfeits", (3, 0, 0))
    assert (rounds.unit, rounds.totals) == ("rounds", (0, 1, 0))
    html = page(browser_of(host), night)
    assert html.index("Forfeits") < html.index("Rounds paid")


def test_a_person_has_one_column_over_all_tables_under_their_present_name(night, host, open_table):
    for _ in range(2):
        result(open_table("chicago", "classic", seats=2), {0: 1, 1: 0})
    host.nickname = "Hanna II"
    host.save()
    (sheet,) = sheet_of(night)
    assert [who.name for who in sheet.people].count("Hanna II") == 1
    assert sheet.totals[0] == 2


def test_games_are_numbered_without_the_corrections_on_every_page_of_the_sheet(night, host, open_table):
    table = open_table("chicago", "bavarian", seats=2)
    first, second, third = (result(table, {0: 0, 1: 1}) for _ in range(3))
    Result.objects.filter(pk=second.pk).update(is_correction=True, note="Counted twice")
    (sheet,) = sheet_of(night)
    told = [(1, first), (1, second), (2, third)]
    for rows in (games_of(night, sheet), list(score_sheets.each_game(night, sheet))):
        assert [(row.number, row.result) for row in rows] == told
    assert [row.number for row in score_sheets.games(night, sheet, 2, 1)] == [2]
    html = page(browser_of(host), night)
    assert "Game 2" in html
    assert "Game 3" not in html


def test_what_stood_out_is_who_has_most_of_a_figure_and_nothing_when_all_have_the_same(night, host, open_table):
    table = open_table("chicago", "bavarian", seats=2)
    result(table, {0: 0, 1: 1}, stats={0: {"chicks": 2, "fish": 1}, 1: {"chicks": 1, "fish": 1}})
    (sheet,) = sheet_of(night)
    assert sheet.highlights == (("chicks", ("Hanna",), 2),)


def test_a_sheet_of_each_game(night, open_table):
    result(open_table("chicago", "bavarian", seats=2), {0: 0, 1: 1})
    result(open_table("dummygame", seats=2), {0: 3, 1: 1})
    assert {sheet.game_id for sheet in sheet_of(night)} == {"chicago", "dummygame"}


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=8))
def test_transfers_bring_everybody_to_nothing_in_less_than_one_each(points):
    totals = [*points, -sum(points)]
    people = [score_sheets.Who(("name", str(i)), str(i), None, False) for i in range(len(totals))]
    balance = {who.key: total for who, total in zip(people, totals, strict=True)}
    found = score_sheets.transfers(people, totals)
    for payment in found:
        assert payment.points > 0
        balance[payment.who.key] += payment.points
        balance[payment.to.key] -= payment.points
    assert not any(balance.values())
    assert len(found) < len(totals)


def test_results_name_the_rule_set_that_the_table_was_opened_with(open_table, night, host):
    named, plain = open_table("dummygame", seats=2), open_table("dummygame", seats=2)
    named.house_rules_name = "Golden Lamb"
    named.save()
    for table in (named, plain):
        result(table, {0: 3, 1: 1})
    variant = plugin.game("dummygame").options.preset(plain.preset).label
    own = browser_of(host).get(reverse("player", args=[host.pk])).content.decode()
    for text in (page(browser_of(host), night), own):
        assert text.count("Golden Lamb") == 1
        assert variant in text


def test_results_are_for_those_who_are_in(night, make_player):
    stranger = browser_of(make_player("X"))
    assert stranger.get(reverse("night_results", args=[night.public_id])).status_code == 403
    assert browser_of().get(reverse("night_results", args=[night.public_id])).status_code == 403


def test_a_player_sees_their_results_and_those_of_people_they_met(night, host, open_table, make_player):
    table = open_table("chicago", "bavarian", seats=2)
    result(table, {0: 0, 1: 1}, stats={0: {"chicks": 2}})
    html = browser_of(host).get(reverse("player", args=[host.pk])).content.decode()
    assert "1 of 2" in html
    assert "Chicks" in html
    guest = table.seats.get(index=1).player
    assert browser_of(guest).get(reverse("player", args=[host.pk])).status_code == 200
    stranger = make_player("X")
    assert browser_of(stranger).get(reverse("player", args=[host.pk])).status_code == 403
    assert browser_of().get(reverse("player", args=[host.pk])).status_code == 403


def test_who_only_stands_at_the_door_has_met_nobody(night, host, make_player):
    membership.set_admission(night, host, True, 60)
    waiting = make_player("W")
    membership.join(night, waiting)
    assert browser_of(waiting).get(reverse("player", args=[host.pk])).status_code == 403


@pytest.fixture
def played(sealed_dice, start_table, host):
    """A table of Chicago that was played for a while and then broken off."""
    table = start_table("chicago", "classic", seats=2)
    with snapshots.kept():
        for _ in range(12):
            open_now = [c for c in choices_at(table) if c.required]
            answer(table, open_now[0], len(open_now[0].options) - 1)
        submit(table.pk, Actor(host.pk), Request("table.end", {}, new_command_id()))
    table.refresh_from_db()
    return table


def check_page(browser, table):
    return browser.get(reverse("dice_check", args=[table.public_id])).content.decode()


def test_while_a_table_is_played_its_seed_stays_sealed(sealed_dice, start_table, host):
    table = start_table("chicago", "classic", seats=2)
    html = check_page(browser_of(host), table)
    assert table.dice_seed not in html
    assert "sealed" in html


def test_honest_dice_are_in_order(played, host):
    verdict = dice_check.check(played)
    assert verdict.is_fair
    assert verdict.count == played.dice_drawn > 3
    assert "The dice are in order." in check_page(browser_of(host), played)


def test_a_die_that_was_turned_in_the_log_is_found(played, host):
    entry = LogEntry.objects.filter(table=played).exclude(dice=[]).order_by("seq")[1]
    before = sum(len(e.dice) for e in LogEntry.objects.filter(table=played, seq__lt=entry.seq))
    entry.dice = [entry.dice[0] % 6 + 1, *entry.dice[1:]]
    entry.save()
    verdict = dice_check.check(played)
    assert verdict.difference == before
    assert f"Die number {before + 1} " in check_page(browser_of(host), played)


def test_a_seed_or_a_salt_that_was_swapped_is_found(played):
    first = LogEntry.objects.get(table=played, seq=1)
    events = first.events
    events[0]["data"]["commitment"] = "0" * 64
    LogEntry.objects.filter(pk=first.pk).update(events=events)
    assert not dice_check.check(played).seed_fits
    events[0]["data"]["seats"][0]["nonce"] = "another"
    LogEntry.objects.filter(pk=first.pk).update(events=events)
    assert not dice_check.check(played).salt_fits


def test_the_five_lines_of_python_on_the_page_throw_the_same_dice(played, host):
    html = check_page(browser_of(host), played)
    code = read(html).by_id("python").text
    assert len(code.strip().splitlines()) == 5
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    verdict = dice_check.check(played)
    thrown = [die for throw in verdict.throws for die in throw.thrown]
    assert out.stdout.split()[0] == verdict.commitment
    assert [int(n) for n in re.findall(r"\d+", out.stdout.split(" ", 1)[1])] == thrown


def test_bots_do_not_stand_out(night, host, open_table):
    table = open_table("chicago", "bavarian", seats=3)
    counts = {"chicks": 5, "fish": 0}
    ended = result(table, {0: 0, 1: 1, 2: 0}, stats={0: {"chicks": 2}, 1: {"chicks": 1}, 2: counts})
    ended.lines.filter(seat=2).update(is_bot=True, player=None, name="Ada 🤖")
    (sheet,) = sheet_of(night)
    assert sheet.highlights == (("chicks", ("Hanna",), 2),)

"""The account of a night: from results and house rules, table by table, added up by currency (docs/owed.md §2)."""

from __future__ import annotations

import pytest

from chouette.board.gnubg_id import position_id
from games.kernel.contract import Illegal
from games.management import log_check
from games.models import House, LogEntry, Night, Player, PointValue, Result, ResultLine
from games.models.house import ONLY, forget
from games.services.history import corrections, score_sheets
from games.services.nights import membership
from games.services.payments import naming
from games.services.tables import setup
from tests.chouette.table import TEAM_WINS
from tests.history.test_corrections import play_a_game
from tests.payments.world import CENTS, OpenTable, left, of, people_of, person_without_phone, planned, play, sums

pytestmark = pytest.mark.django_db


def test_points_are_only_counted_unless_a_house_rule_says_what_they_are_worth(
    night: Night, open_table: OpenTable
) -> None:
    plain, worth = open_table("chouette", "german", seats=3), open_table("chouette", "german", seats=3, **CENTS)
    play(plain, (0, 1, 4))
    play(worth, (0, 1, 2), (2, 1, 3))
    host, one, two = people_of(worth)
    assert left(night) == {host.nickname: -20, one.nickname: 50, two.nickname: -30}
    (sheet,) = score_sheets.sheets(night)
    assert [(p.who.player_id, p.points) for p in sheet.payments] == [(host.pk, 4)], "points of the other table"


def test_a_real_chouette_keeps_its_transfers_and_the_log_holds_them(night: Night, start_table: OpenTable) -> None:
    position = {"start_position": position_id(TEAM_WINS), "grace_seconds": 0}
    table = start_table("chouette", "german", seats=4, **position, **CENTS)
    play_a_game(table)
    result = table.results.get()
    stated = next(
        event["data"]["transfers"]
        for entry in LogEntry.objects.filter(table=table)
        for event in entry.events
        if event["type"] == "game_ended"
    )
    assert result.transfers == [each[:3] for each in stated] != []
    table.refresh_from_db()
    assert log_check.faults(table) == []
    now = left(night)
    Result.objects.update(transfers=None)
    assert left(night) == now, "an older result's transfers are read from the log"
    lines = {line.player.nickname: line.points * 10 for line in result.lines.select_related("player")}
    assert now == lines
    Result.objects.update(transfers=[[0, 1, 99]])
    assert any("other transfers" in fault for fault in log_check.faults(table)), "a planted offence is found"


def test_transfers_with_bots_are_nobodys(night: Night, open_table: OpenTable, host: Player) -> None:
    table = open_table("chouette", "german", seats=2, **CENTS)
    setup.add_bot(table, host, "noisy")
    play(table, (0, 2, 5), (1, 0, 3), (2, 1, 1))
    assert sorted(left(night).values()) == [-30, 30]


def test_corrections_without_transfers_are_paid_by_losers_to_winners_each_at_the_lower_value(
    night: Night, open_table: OpenTable, host: Player
) -> None:
    table = open_table("chouette", "german", seats=3, own_point_values=True, **CENTS)
    _, one, two = people_of(table)
    result = play(table, (0, 1, 2))
    ResultLine.objects.filter(result=result, player=one).update(point_value=3)
    corrections.correct(result, one, {0: 0, 1: -1, 2: 1}, "Counted wrong")
    assert left(night) == {host.nickname: -6, one.nickname: 3, two.nickname: 3}


def test_past_games_count_when_everybody_has_agreed(night: Night, open_table: OpenTable) -> None:
    table = open_table("chouette", "german", seats=3, **CENTS)
    result = play(table, (0, 1, 2))
    ResultLine.objects.filter(result=result, seat=2).update(consent="asked")
    assert left(night) == {}, "nobody is named before"
    ResultLine.objects.filter(result=result).update(consent="given")
    assert sorted(left(night).values()) == [-20, 0, 20]


def test_points_of_a_match_are_never_owed(night: Night, open_table: OpenTable) -> None:
    table = open_table("chouette", "match", seats=2, **CENTS)
    play(table, (0, 1, 2))
    from games.services.payments import accounts

    assert accounts.accounts(night) == []


def test_chicago_is_owed_to_the_table_and_rounds_stay_apart(night: Night, open_table: OpenTable, host: Player) -> None:
    table = open_table("chicago", "bavarian", seats=2, point_currency="rounds", point_value=1)
    result = play(table, (0, 1, 0))
    result.lines.filter(seat=0).update(points=2)
    play(open_table("chouette", "german", seats=3, **CENTS), (0, 1, 1))
    assert left(night, "rounds")["table"] == 2
    assert planned(night, "rounds") == {(host.nickname, "table", 2)}
    assert not any(sums(night))


def test_an_own_value_counts_from_the_next_game_on_and_is_not_changed_in_mid_game(
    night: Night, start_table: OpenTable, host: Player
) -> None:
    position = {"start_position": position_id(TEAM_WINS), "grace_seconds": 0}
    table = start_table("chouette", "german", seats=4, own_point_values=True, **position, **CENTS)
    naming.set_value(table, host, host, 1)
    play_a_game(table)
    assert set(ResultLine.objects.values_list("point_value", flat=True)) == {None}
    first = table.results.get()
    from games.services.point_values import own_values

    second = Result(pk=first.pk + 1, table=table, finished_at=first.finished_at)
    assert own_values.at_beginning(second) == {host.pk: 1}


def test_only_oneself_or_the_host_for_people_without_phones_sets_a_value(
    night: Night, open_table: OpenTable, host: Player, make_player
) -> None:
    table = open_table("chouette", "german", seats=3, own_point_values=True, **CENTS)
    _, one, two = people_of(table)
    karl = person_without_phone(night, one, "Karl")
    naming.set_value(table, one, one, 5)
    naming.set_value(table, host, karl, 2)
    assert {row.player: row.value for row in PointValue.objects.all()} == {one: 5, karl: 2}
    for by, person in ((host, two), (one, two), (one, karl)):
        with pytest.raises(Illegal, match="not_your_payment"):
            naming.set_value(table, by, person, 5)
    for value in (0, 10_001):
        with pytest.raises(Illegal, match="bad_point_value"):
            naming.set_value(table, one, one, value)
    stranger = make_player("X")
    with pytest.raises(Illegal, match="not_inside"):
        naming.set_value(table, stranger, stranger, 5)
    plain = open_table("chouette", "german", seats=3, **CENTS)
    with pytest.raises(Illegal, match="no_own_values"):
        naming.set_value(plain, host, host, 5)


def test_the_kitty_is_a_party_held_by_the_host_or_whom_the_host_names(
    night: Night, open_table: OpenTable, host: Player, make_player
) -> None:
    table = open_table("chouette", "german", seats=3, kitty="points", kitty_part=50, **CENTS)
    play(table, (1, 2, 4))
    _, one, two = people_of(table)
    assert left(night) == {host.nickname: 20, one.nickname: -40, two.nickname: 20}
    bank = make_player("Bank")
    with pytest.raises(Illegal, match="no_such_player"):
        naming.name_holder(night, host, bank)
    membership.join(night, bank)
    with pytest.raises(Illegal, match="not_host"):
        naming.name_holder(night, one, one)
    naming.name_holder(night, host, bank)
    assert left(night) == {host.nickname: 0, one.nickname: -40, two.nickname: 20, "Bank": 20}
    assert of(night).kitty == 20
    assert not any(sums(night))


def limit(**fields: object) -> None:
    House.objects.update_or_create(pk=ONLY, defaults=fields)
    forget()


def test_the_house_forbids_values_or_allows_rounds_only_or_up_to_a_limit(night: Night, open_table: OpenTable) -> None:
    limit(points_worth="nothing")
    with pytest.raises(Illegal, match="values_forbidden"):
        open_table("chouette", "german", seats=3, **CENTS)
    open_table("chouette", "german", seats=3)
    limit(points_worth="rounds")
    with pytest.raises(Illegal, match="rounds_only"):
        open_table("chouette", "german", seats=3, **CENTS)
    open_table("chouette", "german", seats=3, point_currency="rounds")
    limit(points_worth="anything", most_a_point=9)
    with pytest.raises(Illegal, match="value_too_high"):
        open_table("chouette", "german", seats=3, **CENTS)
    limit(most_a_point=10, most_a_night=35)
    table = open_table("chouette", "german", seats=3, **CENTS)
    play(table, (0, 1, 3), (0, 2, 3))
    assert sorted(left(night).values()) == [-35, 17, 18]

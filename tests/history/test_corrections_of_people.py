"""A correction concerns the people who played the game, whoever sits on their seats now (docs/rules-chouette.md §6)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import translation

from chouette.board.gnubg_id import position_id
from games import plugin
from games.kernel.contract import Illegal
from games.management import log_check
from games.models import DELETED_NAME, AuditEntry, LogEntry, Membership, Night, Player, Result, Table, Tally
from games.services.commands import Actor, Request, new_command_id
from games.services.history import corrections, exports, score_sheets
from games.services.logs import log_views
from games.services.people import deletion
from games.services.tables import log
from games.services.tables.commit import submit
from tests.chouette.table import TEAM_WINS
from tests.conftest import choices_at
from tests.history.test_corrections import play_a_game, players, waiting
from tests.tables.host.host_commands import act
from tests.tables.test_log import play_out
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def sheet(start_table: Callable[..., Table]) -> Result:
    """The first result of a chouette of four at a table that goes on."""
    table = start_table("chouette", "german", seats=4, start_position=position_id(TEAM_WINS), grace_seconds=0)
    play_a_game(table)
    return table.results.get()


@pytest.fixture
def people(sheet: Result, host: Player) -> tuple[int, int, int]:
    """Three seats of guests; the host sits on the fourth."""
    seats = [seat for seat, player in players(sheet).items() if player != host]
    return seats[0], seats[1], seats[2]


def host_seat(sheet: Result, host: Player) -> int:
    return next(seat for seat, player in players(sheet).items() if player == host)


def take_over(sheet: Result, host: Player, seat: int, to: str, guest: Callable[..., Player]) -> None:
    """Give the seat of a person to a substitute or a bot, or leave it empty, as the host does in mid-session."""
    table = sheet.table
    if to == "nobody":
        act(table, players(sheet)[seat], "leave")
    elif to == "bot":
        act(table, host, "substitute", seat=seat, bot="noisy")
    else:
        act(table, host, "substitute", seat=seat, player=guest("Carla").pk)


@pytest.mark.parametrize("to", ["substitute", "bot", "nobody"])
def test_who_played_is_asked_and_pays_whoever_sits_on_the_seat_now(
    sheet: Result, people: tuple[int, int, int], host: Player, guest: Callable[..., Player], to: str
) -> None:
    own, ben, _ = people
    who = players(sheet)
    before = Tally.objects.get(player=who[ben], venue=None).points
    take_over(sheet, host, ben, to, guest)
    assert corrections.correct(sheet, who[own], {own: 1, ben: -1}, "Mine") is None
    (found,) = waiting(sheet)
    assert found["waiting"] == [ben]
    for other in Player.objects.exclude(pk__in=[who[ben].pk, host.pk]):
        with pytest.raises(Illegal, match="not_asked"):
            corrections.answer(sheet.table_id, found["id"], other, agrees=True)
    row = corrections.answer(sheet.table_id, found["id"], who[ben], agrees=True)
    assert row is not None and row.seq is not None, "on the live sheet as well"
    assert {line.player: line.points for line in row.lines.all()} == {who[own]: 1, who[ben]: -1}
    assert not any(line.is_bot for line in row.lines.all())
    assert Tally.objects.get(player=who[ben], venue=None).points == before - 1
    assert not Tally.objects.filter(player__nickname="Carla").exists()


@pytest.mark.parametrize("to", ["substitute", "bot", "nobody"])
def test_payments_and_the_running_sheet_agree_with_a_correction_and_add_up_to_zero(
    sheet: Result, people: tuple[int, int, int], host: Player, guest: Callable[..., Player], to: str
) -> None:
    _, ben, other = people
    who = players(sheet)
    take_over(sheet, host, ben, to, guest)
    row = corrections.correct(sheet, host, {ben: -3, other: 3}, "Forgotten")
    assert row is not None and {line.player for line in row.lines.all()} == {who[ben], who[other]}
    table = Table.objects.get(pk=sheet.table_id)
    shown = plugin.game("chouette").rules.view(log.state_of(table), None)
    assert sum(shown["totals"]) == 0 == shown["sheet"][-1]["check"]
    points = {line.seat: line.points for line in sheet.lines.all()}
    assert shown["totals"][ben] == points[ben] - 3, "the column of the seat, with all that was won on it"
    (board,) = score_sheets.sheets(table.night)
    totals = {person.player_id: total for person, total in zip(board.people, board.totals, strict=True)}
    assert totals[who[ben].pk] == points[ben] - 3 and sum(totals.values()) == 0
    assert log_check.faults(table) == []


def test_whoever_sits_there_now_proposes_nothing_about_a_game_of_others(
    sheet: Result, people: tuple[int, int, int], host: Player, guest: Callable[..., Player]
) -> None:
    own, ben, _ = people
    take_over(sheet, host, ben, "substitute", guest)
    with pytest.raises(Illegal, match="not_host"):
        corrections.correct(sheet, Player.objects.get(nickname="Carla"), {own: -1, ben: 1}, "Mine")
    assert corrections.correct(sheet, players(sheet)[ben], {own: -1, ben: 1}, "Mine") is None, "who left may"
    assert waiting(sheet)[0]["waiting"] == [own]


def test_what_moves_points_to_the_host_counts_when_another_player_of_the_game_agrees(
    sheet: Result, people: tuple[int, int, int], host: Player, make_player: Callable[..., Player]
) -> None:
    own, ben, other = people
    mine, who = host_seat(sheet, host), players(sheet)
    assert corrections.correct(sheet, host, {mine: 5, ben: -5}, "Mine") is None
    (found,) = waiting(sheet)
    assert (found["waiting"], found["one_is_enough"]) == (sorted([own, ben, other]), True)
    for enemy in (host, make_player("Uli")):
        with pytest.raises(Illegal, match="not_asked"):
            corrections.answer(sheet.table_id, found["id"], enemy, agrees=True)
    row = corrections.answer(sheet.table_id, found["id"], who[other], agrees=True)
    assert row is not None and row.by_name == host.nickname and waiting(sheet) == []


def test_the_host_takes_back_what_they_proposed_for_themselves(
    sheet: Result, people: tuple[int, int, int], host: Player
) -> None:
    corrections.correct(sheet, host, {host_seat(sheet, host): 5, people[1]: -5}, "Mine")
    corrections.answer(sheet.table_id, waiting(sheet)[0]["id"], host, agrees=False)
    assert waiting(sheet) == [] and not Result.objects.filter(is_correction=True).exists()


def test_where_fewer_points_are_better_they_move_to_the_host_by_being_taken_off(
    start_table: Callable[..., Table], host: Player
) -> None:
    result = play_out(start_table("chicago", "bavarian", seats=3)).results.get()
    mine = host_seat(result, host)
    assert corrections.correct(result, host, {mine: 1}, "One more") is not None
    assert corrections.correct(result, host, {mine: -1}, "One less") is None
    assert len(waiting(result)) == 1


def test_who_becomes_host_does_not_decide_what_they_proposed_before(
    sheet: Result, people: tuple[int, int, int]
) -> None:
    own, ben, _ = people
    who = players(sheet)
    corrections.correct(sheet, who[own], {own: 1, ben: -1}, "Mine")
    Night.objects.filter(pk=sheet.table.night_id).update(host=who[own])
    (found,) = waiting(sheet)
    with pytest.raises(Illegal, match="not_asked"):
        corrections.answer(sheet.table_id, found["id"], who[own], agrees=True)
    assert corrections.answer(sheet.table_id, found["id"], who[ben], agrees=True) is not None


def test_the_staff_agrees_in_the_admin_to_what_moves_points_to_the_host(
    sheet: Result, people: tuple[int, int, int], host: Player, bar: Client, staff: User
) -> None:
    staff.user_permissions.add(*Permission.objects.filter(codename__in=["change_table", "view_table"]))
    corrections.correct(sheet, host, {host_seat(sheet, host): 5, people[1]: -5}, "Mine")
    (found,) = waiting(sheet)
    address = reverse("admin:games_table_ask", args=["answer"]) + f"?ids={sheet.table_id}"
    assert "+5" in bar.get(address).content.decode()
    assert bar.post(address, {"correction": found["id"], "answer": "yes"}).status_code == 302
    assert Result.objects.get(is_correction=True).by_name == host.nickname
    assert bar.post(address, {"correction": found["id"], "answer": "yes"}).status_code == 400


def test_for_a_person_without_a_phone_the_host_agrees(
    start_table: Callable[..., Table], night: Night, host: Player
) -> None:
    table = start_table("chouette", "german", seats=4, start_position=position_id(TEAM_WINS), grace_seconds=0)
    play_a_game(table)
    result, who = table.results.get(), players(table.results.get())
    own, karl, _ = (seat for seat, player in who.items() if player != host)
    Membership.objects.filter(night=night, player=who[karl]).update(keeper=who[own])
    corrections.correct(result, who[own], {own: 1, karl: -1}, "Mine")
    (found,) = waiting(result)
    assert found["waiting"] == [karl]
    with pytest.raises(Illegal, match="not_asked"):
        corrections.answer(table.pk, found["id"], who[own], agrees=True)
    assert corrections.answer(table.pk, found["id"], host, agrees=True) is not None
    corrections.correct(result, host, {host_seat(result, host): 1, karl: -1}, "For me")
    assert karl not in waiting(result)[0]["waiting"], "nobody says yes for Karl to what is the host's gain"


def test_a_deleted_player_is_not_asked(sheet: Result, people: tuple[int, int, int]) -> None:
    own, ben, other = people
    who = players(sheet)
    deletion.delete(who[ben])
    assert corrections.correct(sheet, who[own], {own: 1, ben: -1}, "Mine") is not None
    assert corrections.correct(sheet, who[own], {own: 2, ben: -1, other: -1}, "Mine") is None
    assert waiting(sheet)[0]["waiting"] == [other]


def test_a_correction_that_waits_for_somebody_goes_on_with_the_others_when_they_are_deleted(
    sheet: Result, people: tuple[int, int, int], host: Player
) -> None:
    own, ben, other = people
    who = players(sheet)
    for points in ({own: 1, ben: -1}, {own: 2, ben: -1, other: -1}):
        corrections.correct(sheet, who[own], points, "Mine")
    corrections.correct(sheet, host, {host_seat(sheet, host): 1, ben: -1}, "For me")
    deletion.delete(who[ben])
    row = Result.objects.get(is_correction=True)
    assert dict(row.lines.values_list("seat", "points")) == {own: 1, ben: -1}
    assert row.by_name == who[own].nickname
    left = {tuple(each["points"].values()): each["waiting"] for each in waiting(sheet)}
    assert sorted(left.values()) == sorted([[other], sorted([own, other])])


def test_who_is_deleted_leaves_no_name_by_proposing_agreeing_or_withdrawing(
    sheet: Result, people: tuple[int, int, int], host: Player
) -> None:
    own, ben, _ = people
    who = players(sheet)
    stale = Player.objects.get(pk=who[ben].pk)
    name = stale.nickname
    corrections.correct(sheet, who[ben], {own: -1, ben: 1}, "Mine")
    corrections.correct(sheet, who[own], {own: 1, ben: -1}, "Theirs")
    mine, theirs = waiting(sheet)
    deletion.delete(who[ben])
    with pytest.raises(Illegal, match="gone_player"):
        corrections.answer(sheet.table_id, theirs["id"], stale, agrees=True)
    with pytest.raises(Illegal, match="gone_player"):
        corrections.answer(sheet.table_id, mine["id"], stale, agrees=False)
    with pytest.raises(Illegal, match="gone_player"):
        corrections.correct(sheet, stale, {own: -1, ben: 1}, "Mine")
    with translation.override("de"):
        row = corrections.answer(sheet.table_id, mine["id"], who[own], agrees=True)
    assert row is not None and row.by_name == DELETED_NAME
    names = set(AuditEntry.objects.values_list("actor_name", flat=True)) | set(
        Result.objects.values_list("by_name", flat=True)
    )
    assert name not in names and names <= {"", DELETED_NAME, host.nickname, *map(str, who.values())}
    assert "Gelöscht" not in " ".join(names)


def test_the_page_of_results_says_who_is_asked_and_of_the_hosts_gain_that_one_is_enough(
    sheet: Result, people: tuple[int, int, int], host: Player
) -> None:
    _, ben, other = people
    night = sheet.table.night
    address = reverse("night_results", args=[night.public_id])
    correct = reverse("correct", args=[sheet.pk])
    typed = {f"seat-{host_seat(sheet, host)}": "4", f"seat-{ben}": "-4", "reason": "Mine"}
    told = browser_of(host).post(correct, typed, follow=True).content.decode()
    assert "It moves points to you" in told and "One of them agrees, or the staff" in told
    assert 'value="yes"' not in told, "the host has no button to agree"
    page = browser_of(players(sheet)[other]).get(address).content.decode()
    assert 'value="yes"' in page


def test_the_table_tells_the_people_who_are_asked_and_who_proposed(
    sheet: Result, people: tuple[int, int, int], host: Player, guest: Callable[..., Player]
) -> None:
    own, ben, _ = people
    who = players(sheet)
    corrections.correct(sheet, who[own], {own: 1, ben: -1}, "Mine")
    take_over(sheet, host, own, "bot", guest)
    take_over(sheet, host, ben, "substitute", guest)
    (told,) = log_views.snapshot(sheet.table_id).table["corrections"]
    assert told["by"] == {"player": who[own].pk, "name": who[own].nickname}
    assert told["asked"] == [{"player": who[ben].pk, "name": who[ben].nickname}]


def test_a_games_file_has_the_names_of_those_who_played_it(
    sheet: Result, people: tuple[int, int, int], host: Player, guest: Callable[..., Player]
) -> None:
    _, ben, _ = people
    take_over(sheet, host, ben, "substitute", guest)
    act(sheet.table, host, "end")
    table = Table.objects.get(pk=sheet.table_id)
    first_games = " ".join(exports.game_files(table).values())
    assert players(sheet)[ben].nickname in first_games and "Carla" not in first_games


def test_a_row_of_the_live_sheet_tells_its_entry_by_which_its_people_are_known(
    sheet: Result, people: tuple[int, int, int], host: Player, guest: Callable[..., Player]
) -> None:
    own, ben, _ = people
    who = players(sheet)
    corrections.correct(sheet, who[ben], {own: 1, ben: -1}, "Mine")
    take_over(sheet, host, ben, "substitute", guest)
    now = log_views.snapshot(sheet.table_id)
    assert now.table is not None
    (before,) = now.table["seats"][ben]["before"]
    game, correction = plugin.game("chouette").rules.view(now.state, None)["sheet"]
    assert game["seq"] == sheet.seq and game["seq"] < correction["seq"] < before["upto"]
    assert (correction["by"], before["name"]) == (ben, who[ben].nickname), "who corrected it then"


def test_the_admins_log_has_the_names_of_those_who_sat_there_then(
    sheet: Result, host: Player, guest: Callable[..., Player], bar: Client, staff: User
) -> None:
    staff.user_permissions.add(Permission.objects.get(content_type__app_label="games", codename="view_logentry"))
    before = LogEntry.objects.filter(table=sheet.table, seat__isnull=False).latest("seq")
    ben = before.seat
    take_over(sheet, host, ben, "substitute", guest)
    page = bar.get(reverse("admin:games_logentry_change", args=[before.pk])).content.decode()
    assert players(sheet)[ben].nickname in page and "Carla" not in page


def pay(sheet: Result, by: Player, seat: int, to: int) -> None:
    """Pay a point on the live sheet, as the player `by` on a seat."""
    table = Table.objects.get(pk=sheet.table_id)
    choice = next(c for c in choices_at(table) if c.seat == seat and c.name == "correct")
    args = {"payer": seat, "payee": to, "points": 1, "reason": "Counted wrong"}
    request = Request("correct", args, new_command_id(), choice.opened_at, seat=seat)
    submit(table.pk, Actor(by.pk), request)


def test_on_the_live_sheet_one_pays_nobody_for_a_game_of_others(
    sheet: Result, people: tuple[int, int, int], host: Player, guest: Callable[..., Player]
) -> None:
    own, ben, other = people
    who = players(sheet)
    take_over(sheet, host, ben, "substitute", guest)
    carla = Player.objects.get(nickname="Carla")
    submit(sheet.table_id, Actor(carla.pk), Request("table.accept", {}, new_command_id()))
    with pytest.raises(Illegal, match="other_people"):
        pay(sheet, who[own], own, ben)
    with pytest.raises(Illegal, match="other_people"):
        pay(sheet, carla, ben, own)
    pay(sheet, who[own], own, other)
    row = Result.objects.get(is_correction=True)
    assert {line.player: line.points for line in row.lines.all()} == {who[own]: -1, who[other]: 1}


def test_nobody_pays_from_the_account_of_another_on_the_live_sheet(
    sheet: Result, people: tuple[int, int, int], host: Player
) -> None:
    own, ben, _ = people
    who, night = players(sheet), sheet.table.night
    act(sheet.table, host, "scorekeeper", player=who[own].pk)
    for by in (host, who[own]):
        with pytest.raises(Illegal, match="not_keeper"):
            pay(sheet, by, ben, own)
    Membership.objects.filter(night=night, player=who[ben]).update(keeper=who[own])
    with pytest.raises(Illegal, match="own_gain"):
        pay(sheet, who[own], ben, own)
    with pytest.raises(Illegal, match="own_gain"):
        pay(sheet, host, ben, host_seat(sheet, host))
    assert not Result.objects.filter(is_correction=True).exists()

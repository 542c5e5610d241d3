"""A World-Cup Chouette of the house: tables of sessions, banks from their results, who is out, the last session."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse

from games.kernel.contract import Illegal
from games.kernel.tournaments import recount
from games.models import DrawnRound, Result, ResultLine, Table, TournamentEntry
from games.services import server_time
from games.services.commands import HOUSE, Actor, Request, new_command_id
from games.services.draws import drawn_rounds, regrouping
from games.services.house_rules import sets
from games.services.tables import setup
from games.services.tables.commit import submit
from games.services.tournaments import (
    automatic,
    draw_check,
    files,
    formats,
    overview,
    participants,
    personal,
    tournaments,
)
from games.services.tournaments.tables import session_tables
from tests.tournaments.world import Evening
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
NAMES = ("Kari", "Nils", "Uli", "Ole", "Per")


def refused(code: str):
    return pytest.raises(Illegal, match=f"'{code}'")


def evening_of(*names: str, **more: Any) -> Evening:
    return Evening(*(names or NAMES), kind="world_cup", settings={"bank": 20, "minutes": 60}, **more)


def tables(evening: Evening) -> list[Table]:
    """Return the tables of the latest session."""
    number = evening.read().state["round"]
    return [row.table for row in evening.tournament.pairings.filter(match__startswith=f"s{number}t")]


def book(table: Table, points: dict[Any, int]) -> None:
    """Book a game at a table: points by player."""
    result = Result.objects.create(
        table=table, number=1, game_id="chouette", preset=table.preset, reason="x", unit="points",
        finished_at=server_time.now(),
    )  # fmt: skip
    for player, amount in points.items():
        seat = table.seats.get(player=player)
        ResultLine.objects.create(result=result, seat=seat.index, player=player, points=amount, **_named(seat))


def _named(seat: Any) -> dict[str, Any]:
    known = {field.name for field in ResultLine._meta.get_fields()}
    return {name: value for name, value in {"name": seat.name, "rank": 1}.items() if name in known}


def over(evening: Evening, **points: int) -> None:
    """Book points by name at the tables of the session, end them, and let the house take what they say."""
    for table in tables(evening):
        seated = set(table.seats.values_list("player", flat=True))
        here = {evening.people[name]: n for name, n in points.items() if evening.people[name].pk in seated}
        if here:
            book(table, here)
        submit(table.pk, HOUSE, Request("table.end", {}, new_command_id()))
    run(evening)


def run(evening: Evening) -> None:
    evening.tournament.refresh_from_db()
    automatic.run(evening.tournament, server_time.now())


def person(evening: Evening, name: str) -> Any:
    evening.tournament.refresh_from_db()
    shown = overview.of(evening.tournament)
    return shown.of(evening.people[name])


def test_a_session_opens_its_tables_starts_them_and_is_a_round_of_its_length() -> None:
    evening = evening_of()
    evening.begin()
    (table,) = tables(evening)
    assert table.status == Table.Status.PLAYING and table.seats.count() == 5
    row = DrawnRound.objects.get()
    assert (row.minutes, row.way, row.tables.get().table) == (60, "lot", table)
    assert regrouping.splits(evening.night) == [] and regrouping.joins(evening.night) == []


def test_at_the_hour_a_game_that_runs_is_played_out_and_a_table_between_two_games_ends() -> None:
    evening = evening_of()
    evening.begin()
    (table,) = tables(evening)
    drawn_rounds.run_due(server_time.now() + timedelta(minutes=59))
    table.refresh_from_db()
    assert table.status == Table.Status.PLAYING
    drawn_rounds.run_due(server_time.now() + timedelta(minutes=61))
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED, "no game had begun"


def test_banks_are_the_points_of_the_results_and_who_has_none_left_is_out() -> None:
    evening = evening_of()
    evening.begin()
    over(evening, Kari=-20, Nils=15, Uli=5)
    assert [(person(evening, name).bank, person(evening, name).status) for name in ("Kari", "Nils", "Uli")] == [
        (0, "out"), (35, "free"), (25, "free"),
    ]  # fmt: skip
    assert [each.name for each in overview.of(evening.tournament).standing][:2] == ["Nils", "Uli"]


def test_a_correction_of_a_result_changes_the_bank_and_is_an_entry_of_its_own() -> None:
    evening = evening_of()
    evening.begin()
    over(evening, Kari=-20, Nils=20)
    (table,) = tables(evening)
    line = ResultLine.objects.get(result__table=table, player=evening.people["Kari"])
    line.points = -5
    line.save()
    run(evening)
    assert (person(evening, "Kari").bank, person(evening, "Kari").status) == (15, "free")
    assert evening.types().count("banked") == 2
    run(evening)
    assert evening.types().count("banked") == 2, "nothing new, no entry"


def test_the_house_draws_the_next_session_by_itself_and_asks_for_the_last_one() -> None:
    evening = evening_of()
    evening.begin()
    over(evening)
    run(evening)
    evening.later(seconds=30)
    run(evening)
    assert evening.types().count("session") == 2
    over(evening, Kari=-20, Nils=-20)
    evening.later(seconds=60)
    run(evening)
    assert evening.types().count("session") == 2, "fewer than four are left: a director is asked"
    evening.confirm()
    over(evening, Uli=9)
    evening.confirm()
    assert evening.read().state["status"] == "finished"
    assert person(evening, "Uli").place == 1
    assert recount.recount(draw_check.file_of(evening.tournament))["faults"] == []


def test_all_who_are_left_agree_each_for_themselves_and_a_director_for_anybody() -> None:
    evening = evening_of()
    evening.begin()
    kari, nils = evening.people["Kari"], evening.people["Nils"]
    with refused("not_director"):
        evening.do(kari, "agree", who=evening.key("Nils"))
    stranger = evening.joined("Gast")
    with refused("not_entered"):
        evening.do(stranger, "agree")
    evening.do(kari, "agree")
    evening.do(kari, "agree")
    evening.do(kari, "disagree")
    evening.do(nils, "agree")
    for name in ("Kari", "Uli", "Ole", "Per"):
        evening.do(evening.host, "agree", who=evening.key(name))
    over(evening)
    assert evening.read().proposals[0]["entries"][0]["last"] is True


def test_who_comes_late_plays_from_the_next_session() -> None:
    evening = evening_of()
    evening.begin()
    late = evening.joined("Siv")
    evening.people["Siv"] = late
    evening.do(evening.host, "enter", players=[late.pk])
    over(evening)
    evening.confirm()
    assert "Siv" in [seat.name for table in tables(evening) for seat in table.seats.all()]


def test_who_leaves_at_once_frees_the_seat_and_the_others_play_on() -> None:
    evening = evening_of()
    evening.begin()
    (table,) = tables(evening)
    evening.do(evening.people["Kari"], "leave", when="now")
    table.refresh_from_db()
    assert not table.seats.filter(player=evening.people["Kari"]).exists()
    assert table.status == Table.Status.PLAYING


def test_a_table_that_nobody_could_start_ends_after_its_time_and_costs_nothing() -> None:
    evening = evening_of()
    evening.enter(accepted=False)
    evening.confirm()
    evening.confirm()
    (table,) = tables(evening)
    assert table.status == Table.Status.LOBBY
    DrawnRound.objects.update(created_at=server_time.now() - timedelta(minutes=61))
    run(evening)
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED
    assert person(evening, "Kari").bank == 20 and evening.read().state["sessions"][0]["ended"] is not None


def test_a_table_starts_when_the_last_of_them_accepts_the_rules_once_for_all_tables() -> None:
    evening = evening_of()
    evening.enter(accepted=False)
    evening.confirm()
    evening.confirm()
    evening.enter_accepts()
    run(evening)
    (table,) = tables(evening)
    assert table.status == Table.Status.PLAYING


@pytest.mark.parametrize(
    ("act", "args", "code"),
    [
        ("pair", {"one": "p1", "other": "p2"}, "not_open"),
        ("result", {"match": "s1t1", "winner": "p1", "points": None}, "no_such_pairing"),
        ("void", {"match": "s1t1"}, "not_open"),
        ("seed", {"seeds": {"p1": 1}}, "too_late_for_seeds"),
        ("phase", {"kind": "knockout", "count": 4, "length": 3}, "not_open"),
        ("board_out", {"board": 1}, "not_open"),
        ("finish", {}, "still_played"),
        ("agree", {"who": "p99"}, "not_entered"),
    ],
)
def test_acts_of_matches_are_refused_and_nothing_is_lost(act: str, args: dict[str, Any], code: str) -> None:
    evening = evening_of()
    evening.begin()
    before = TournamentEntry.objects.count()
    with refused(code):
        evening.do(evening.host, act, **args)
    assert TournamentEntry.objects.count() == before


@pytest.mark.parametrize(
    ("code", "more"),
    [
        ("tournament_format", {"settings": {"bank": 0, "minutes": 60}}),
        ("tournament_format", {"settings": {"bank": 20, "minutes": 9999}}),
        ("tournament_format", {"settings": {"bank": "20", "minutes": 60}}),
        ("tournament_format", {"settings": {"lives": 2}}),
        ("tournament_format", {"after": 4}),
        ("rules_too_small", {"table_rules": "preset-match"}),
        ("no_such_preset", {"table_rules": "preset-nothing"}),
        ("no_such_rules", {"table_rules": "set-nothing"}),
        ("no_such_medium", {"medium": "stone"}),
    ],
)
def test_a_format_that_no_session_has_is_refused(code: str, more: dict[str, Any]) -> None:
    with refused(code):
        Evening("Kari", kind="world_cup", **more)


def test_two_processes_open_the_tables_of_a_session_and_bank_them_once() -> None:
    evening = evening_of()
    evening.begin()
    session_tables.follow(evening.read())
    assert Table.objects.filter(night=evening.night).count() == 1
    over(evening, Kari=3, Nils=-3)
    due = session_tables.due(evening.tournament, server_time.now())
    assert due == []


def test_tables_of_sessions_count_for_no_limit_of_the_host(settings: Any) -> None:
    settings.TABLES_PER_NIGHT = 1
    evening = evening_of(*(f"P{n}" for n in range(12)))
    evening.begin()
    assert len(tables(evening)) == 3


def test_page_screen_sheet_file_and_api_show_sessions_and_banks() -> None:
    evening = evening_of(*NAMES, "Siv", "Jan", "Eva")
    evening.begin()
    over(evening, Kari=-4, Nils=4)
    evening.confirm()
    cup = evening.tournament
    for player in (evening.host, evening.people["Kari"]):
        browser = browser_of(player)
        for name in ("tournament", "tournament_live", "tournament_print", "tournament_draws"):
            text = browser.get(reverse(name, args=[cup.public_id])).content.decode()
            assert "Session 1" in text or name in ("tournament_draws",), name
        assert "Your bank" in browser.get(reverse("tournament", args=[cup.public_id])).content.decode() or (
            player == evening.host
        )
        assert browser.get(reverse("night", args=[evening.night.public_id])).status_code == 200
    screen = browser_of(None).get(reverse("tv", args=[evening.night.public_id, evening.night.token("tv")]))
    assert "To the tables" in screen.content.decode()
    rows = list(csv.reader(io.StringIO("".join(map(str, files.csv_of(overview.of(cup)).parts)).lstrip("\ufeff"))))
    assert rows[0][2:4] == ["Bank", "Session 1"] and ["1", "Nils", "24", "4", ""] in rows
    entries = personal.KEPT.own(evening.people["Kari"])["tournaments"][0]["entries"]
    assert {"enter", "session", "banked"} <= {entry["type"] for entry in entries}


def test_the_form_of_a_world_cup_chouette_makes_one_under_the_chosen_rules() -> None:
    evening = Evening("Kari")
    host = browser_of(evening.host)
    making = reverse("tournament_new", args=[evening.night.public_id])
    text = host.get(f"{making}?kind=world_cup").content.decode()
    assert "Points in the bank" in text and "t-length" not in text and "preset-german" in text
    form = {"kind": "world_cup", "name": "World Cup", "closes": "23:30", "auto": "20", "bank": "30", "minutes": "45"}
    assert host.post(making, {**form, "table_rules": "preset-german", "medium": "wood"}).status_code == 302
    cup = evening.night.tournaments.latest("pk")
    assert (cup.format, cup.preset, cup.medium) == ({"kind": "world_cup", "bank": 30, "minutes": 45}, "german", "wood")
    refused_form = host.post(making, {**form, "table_rules": "preset-match"})
    assert refused_form.status_code == 400 and "3 to 6 people" in refused_form.content.decode()


def test_the_tables_of_sessions_keep_the_name_and_version_of_the_rule_set_they_are_opened_under() -> None:
    evening = Evening("Kari")
    keeper = sets.SetKeeper(evening.host, None)
    rules = sets.create(keeper, "chouette", sets.SetDraft("Thursday", "german", {"beavers": True}))
    choice = formats.ChosenFormat("world_cup", 1, 240, settings={"bank": 20, "minutes": 60})
    draft = tournaments.TournamentDraft("Cup", "chouette", "", choice, table_rules=f"set-{rules.public_id}")
    evening.tournament = tournaments.make(evening.night, evening.host, draft)
    evening.people |= {name: evening.joined(name) for name in NAMES[1:]}
    card = participants.card(evening.tournament)
    assert (card.name, card.version) == ("Thursday", 1)
    evening.begin()
    # A later change of the set is none of the tournament.
    sets.change(keeper, rules.public_id, sets.SetDraft("Friday", "german", {"beavers": False}), rules.version)
    rows = [(each.house_rules, each.house_rules_name, each.house_rules_version) for each in tables(evening)]
    assert rows == [(rules, "Thursday", 1)]
    assert tables(evening)[0].options["beavers"] is True
    assert DrawnRound.objects.get(night=evening.night).rules == rules


# Enemies


def test_nobody_sits_down_at_a_table_that_was_drawn_for_others_to_lose_to_a_friend() -> None:
    evening = evening_of()
    friend = evening.joined("Friend")
    evening.enter(accepted=False)
    evening.confirm()
    evening.confirm()
    (table,) = tables(evening)
    with refused("no_newcomers"):
        setup.sit(table, friend, accept=True)
    with refused("no_newcomers"):
        setup.add_bot(table, evening.host, "easy")
    seat = table.seats.get(player=evening.people["Kari"])
    setup.vacate(table, evening.people["Kari"], seat.seat_id)
    setup.sit(table, evening.people["Kari"])
    evening.enter_accepts()
    run(evening)
    table.refresh_from_db()
    assert table.status == Table.Status.PLAYING
    for by, args in ((friend, {}), (evening.host, {"player": friend.pk}), (evening.host, {"bot": "easy"})):
        with refused("no_newcomers"):
            submit(table.pk, Actor(by.pk), Request("table.join", args, new_command_id()))
    assert table.seats.count() == 5


def test_points_of_a_substitute_are_nobodys_bank_and_a_bot_has_none() -> None:
    evening = evening_of()
    friend = evening.joined("Friend")
    evening.begin()
    (table,) = tables(evening)
    seat = table.seats.get(player=evening.people["Kari"])
    book(table, {evening.people["Kari"]: -3, evening.people["Nils"]: 3})
    table.seats.filter(pk=seat.pk).update(player=friend)
    result = Result.objects.create(
        table=table, number=2, game_id="chouette", preset=table.preset, reason="x", unit="points",
        finished_at=server_time.now(),
    )  # fmt: skip
    ResultLine.objects.create(result=result, seat=seat.index, player=friend, points=-9, **_named(seat))
    submit(table.pk, HOUSE, Request("table.end", {}, new_command_id()))
    run(evening)
    assert (person(evening, "Kari").bank, person(evening, "Nils").bank) == (17, 23)

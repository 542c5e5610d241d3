"""The terms of a tournament: clock and time limit, lengths by round, seeds, penalties, results of one side."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from games.kernel.contract import TIME_LIMIT, Illegal
from games.kernel.options import OptionErrors
from games.models import Match, Table, Tournament
from games.services.commands import HOUSE, Request, new_command_id
from games.services.tables import log
from games.services.tables.commit import submit
from games.services.tournaments import automatic, draw_check, entry_fees, overview
from games.services.tournaments.tables import match_tables, out_tables
from tests.seasons.test_matches import give_up
from tests.tournaments.world import Evening
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
CLOCK = {"clock": "delay", "clock_expiry": "minute", "match_minutes": 50}


def refused(code: str):
    return pytest.raises(Illegal, match=f"'{code}'")


def table_of(evening: Evening, match: str = "m1") -> Table:
    found = evening.tournament.pairings.get(match=match).table
    assert found is not None
    return found


# Clock and time limit


def test_matches_are_opened_with_the_clock_and_the_time_limit_of_the_tournament() -> None:
    evening = Evening("Kari", "Nils", medium="screen", rules=CLOCK)
    evening.begin()
    table = table_of(evening)
    assert {name: table.options[name] for name in CLOCK} == CLOCK


def test_a_house_rule_that_does_not_fit_or_is_not_on_offer_makes_no_tournament() -> None:
    with pytest.raises(OptionErrors):
        Evening(rules={"clock": "hourglass"})
    with refused("bad_argument"):
        Evening(rules={"jacoby": True})
    assert not Tournament.objects.exists()


# Money sessions


@pytest.mark.usefixtures("sealed_dice")
def test_a_money_session_is_opened_with_its_minutes_and_who_is_ahead_at_its_end_has_won() -> None:
    evening = Evening("Kari", "Nils", medium="screen", kind="round_robin", session=30)
    evening.begin()
    table = table_of(evening)
    assert (table.preset, table.options["match_minutes"], table.status) == ("money", 30, "playing")
    assert evening.read().state["matches"][0]["length"] == 4
    submit(table.pk, HOUSE, Request(TIME_LIMIT, {}, new_command_id()))
    give_up(table)
    automatic.run_due()
    (match,) = evening.read().state["matches"]
    kept = Match.objects.get(table=table)
    assert (match["status"], evening.player(match["winner"]), kept.length) == ("done", kept.winner, 4)
    assert sorted(match["score"]) == sorted([kept.winner_score, kept.loser_score])


def test_a_director_enters_by_how_many_points_the_winner_of_a_money_session_is_ahead() -> None:
    evening = Evening("Kari", "Nils", kind="round_robin", session=20)
    evening.begin()
    (match,) = evening.read().state["matches"]
    one, other = match["players"]
    for points in (0, -1, 1000):
        with refused("bad_points_ahead"):
            evening.do(evening.host, "result", match="m1", winner=other, points=points)
    evening.do(evening.host, "result", match="m1", winner=other, points=17)
    assert evening.read().match("m1")["score"] == [0, 17]
    evening.do(evening.host, "correct", match="m1", winner=one)
    assert (evening.read().match("m1")["winner"], evening.read().match("m1")["score"]) == (one, None)


def test_who_comes_late_to_a_money_session_gives_no_points_and_loses_it_in_the_end() -> None:
    evening = Evening("Kari", "Nils", kind="round_robin", session=20)
    evening.begin()
    match = evening.read().match("m1")
    evening.later(minutes=6)
    with refused("not_open"):
        evening.do(evening.host, "late", match="m1", who=match["players"][0])
    with refused("no_show_early"):
        evening.do(evening.host, "no_show", match="m1", who=match["players"][0])
    evening.later(minutes=5)
    evening.do(evening.host, "no_show", match="m1", who=match["players"][0])
    assert evening.read().match("m1")["winner"] == match["players"][1]


def test_a_phase_that_is_added_has_the_same_money_sessions() -> None:
    evening = Evening("Kari", "Nils", "Uli", kind="round_robin", session=60)
    evening.do(evening.host, "phase", kind="knockout", count=2, length=3)
    assert [each["length"] for each in evening.tournament.format["phases"]] == [8, 8]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"session": 4}, "bad_session_minutes"),
        ({"session": 241}, "bad_session_minutes"),
        ({"session": -1}, "bad_session_minutes"),
        ({"session": 30, "last_lengths": (5,)}, "tournament_format"),
        ({"session": 30, "rules": {"match_minutes": 50}}, "bad_argument"),
        ({"session": 30, "kind": "world_cup"}, "tournament_format"),
    ],
)
def test_a_money_session_that_cannot_be_makes_no_tournament(more: dict[str, Any], code: str) -> None:
    with refused(code):
        Evening(**more)
    assert not Tournament.objects.exists()


def test_a_game_clock_of_a_money_session_gives_no_points() -> None:
    with pytest.raises(OptionErrors):
        Evening(session=30, rules={"clock": "delay", "clock_expiry": "point"})
    evening = Evening("Kari", "Nils", medium="wood", session=30, rules={"clock": "delay", "clock_expiry": "game"})
    evening.begin()
    assert table_of(evening).options["clock"] == "delay"


# Lengths by round


def test_the_final_is_longer_and_its_table_has_its_length() -> None:
    evening = Evening(
        "Kari", "Nils", "Uli", "Ole", medium="screen", kind="knockout", length=1, last_lengths=(3,),
        settings={"consolation": False},
    )  # fmt: skip
    evening.begin()
    for match in ("m1", "m2"):
        evening.do(evening.host, "result", match=match, winner=evening.read().match(match)["players"][0])
    evening.confirm()
    assert (table_of(evening, "m1").options["match_length"], table_of(evening, "m3").options["match_length"]) == (1, 3)


def test_a_pair_by_hand_has_the_length_of_its_round() -> None:
    evening = Evening("Kari", "Nils", kind="knockout", last_lengths=(5,))
    evening.enter()
    evening.confirm()
    evening.confirm()
    evening.do(evening.host, "void", match="m1")
    evening.do(evening.host, "pair", one="p1", other="p2")
    assert evening.read().match("m2")["length"] == 5


def test_no_round_is_longer_than_the_game_allows() -> None:
    with refused("bad_match_length"):
        Evening(kind="knockout", last_lengths=(99,))


# Seeds


def test_directors_seed_a_bracket_before_the_start() -> None:
    evening = Evening("Kari", "Nils", "Uli", "Ole", kind="knockout", settings={"seeding": "given"})
    evening.enter()
    with refused("not_director"):
        evening.do(evening.people["Kari"], "seed", seeds={"p1": 1})
    with refused("bad_seeds"):
        evening.do(evening.host, "seed", seeds={"p1": 1, "p2": 1})
    with refused("bad_seeds"):
        evening.do(evening.host, "seed", seeds={"p1": 0})
    with refused("not_entered"):
        evening.do(evening.host, "seed", seeds={"p9": 1})
    evening.do(evening.host, "seed", seeds={"p1": 4, "p2": 1, "p3": 2, "p4": 3})
    evening.do(evening.host, "seed", seeds={"p1": 4, "p2": 1, "p3": 2, "p4": 3})
    assert evening.types().count("seed") == 4
    evening.confirm()
    reading = evening.confirm()
    assert [set(match["players"]) for match in reading.state["matches"]] == [{"p2", "p1"}, {"p3", "p4"}]
    with refused("too_late_for_seeds"):
        evening.do(evening.host, "seed", seeds={"p1": 1})


def test_a_tournament_by_lot_takes_no_seeds() -> None:
    evening = Evening("Kari", "Nils", kind="knockout")
    evening.enter()
    with refused("too_late_for_seeds"):
        evening.do(evening.host, "seed", seeds={"p1": 1})


# Who comes late


def test_who_comes_late_gives_a_point_for_each_five_minutes_and_the_table_starts_at_this_score() -> None:
    evening = Evening("Kari", "Nils", medium="screen", length=5)
    evening.begin()
    one, other = evening.read().match("m1")["players"]
    first = table_of(evening)
    with refused("no_show_early"):
        evening.do(evening.host, "late", match="m1", who=one)
    evening.later(minutes=11)
    with refused("not_director"):
        evening.do(evening.player(other), "late", match="m1", who=one)
    evening.do(evening.host, "late", match="m1", who=one)
    table = table_of(evening)
    first.refresh_from_db()
    assert (first.status, first.archived_at is not None, table.pk != first.pk) == ("finished", True, True)
    assert (table.status, table.options["score_first"], table.options["score_second"]) == ("playing", 0, 2)
    shown = overview.of(evening.tournament).match_of(next(iter(overview.of(evening.tournament).people.values())))
    assert shown is not None and shown.start == (0, 2)
    assert match_tables.broken_off(evening.tournament) == set()
    give_up(table)
    automatic.run_due()
    assert evening.read().match("m1")["status"] == "done"


def test_above_half_the_length_a_late_player_has_lost() -> None:
    evening = Evening("Kari", "Nils", length=3)
    evening.begin()
    one, other = evening.read().match("m1")["players"]
    evening.later(minutes=10)
    evening.do(evening.host, "late", match="m1", who=one)
    match = evening.read().match("m1")
    assert (match["status"], match["winner"]) == ("done", other)


def test_a_match_with_a_finished_game_is_not_begun_anew() -> None:
    evening = Evening("Kari", "Nils", medium="screen", length=7)
    evening.begin()
    give_up(table_of(evening))
    evening.later(minutes=6)
    with refused("match_begun"):
        evening.do(evening.host, "late", match="m1", who="p1")


def test_without_the_rule_nobody_loses_points_for_coming_late() -> None:
    evening = Evening("Kari", "Nils", late_minutes=0)
    evening.begin()
    evening.later(minutes=30)
    with refused("no_show_early"):
        evening.do(evening.host, "late", match="m1", who="p1")


# What one side says


@pytest.mark.parametrize(("alone", "wait", "counts"), [(1, 1, True), (10, 5, False), (10, 11, True), (None, 60, False)])
def test_what_one_side_says_counts_after_the_minutes_of_the_tournament(
    alone: int | None, wait: int, counts: bool
) -> None:
    evening = Evening("Kari", "Nils", alone_minutes=alone)
    evening.begin()
    evening.do(evening.people["Kari"], "tell", match="m1", winner="p1")
    evening.later(minutes=wait)
    automatic.run_due()
    assert (evening.read().match("m1")["status"] == "done") is counts


def test_whoever_says_the_same_again_does_not_put_off_the_minutes() -> None:
    evening = Evening("Kari", "Nils", alone_minutes=3)
    evening.begin()
    for _minute in range(3):
        evening.do(evening.people["Kari"], "tell", match="m1", winner="p1")
        evening.later(minutes=1)
    automatic.run_due()
    assert evening.read().match("m1")["winner"] == "p1"


def test_whoever_says_otherwise_begins_the_minutes_anew() -> None:
    evening = Evening("Kari", "Nils", alone_minutes=3)
    evening.begin()
    evening.do(evening.people["Kari"], "tell", match="m1", winner="p2")
    evening.later(minutes=2)
    evening.do(evening.people["Kari"], "tell", match="m1", winner="p1")
    evening.later(minutes=2)
    automatic.run_due()
    assert evening.read().match("m1")["status"] == "running"
    evening.later(minutes=1)
    automatic.run_due()
    assert evening.read().match("m1")["winner"] == "p1"


def test_minutes_of_rules_have_bounds() -> None:
    for minutes in ({"alone_minutes": 0}, {"alone_minutes": 61}, {"late_minutes": 61}):
        with refused("bad_rule_minutes"):
            Evening(**minutes)


# Who is out


def knocked_out(count: int) -> Evening:
    """Return an evening in whose first round half of the people have lost."""
    names = ("Kari", "Nils", "Uli", "Ole", "Per", "Siv", "Tor", "Una")[:count]
    evening = Evening(*names, kind="knockout", settings={"consolation": False})
    evening.begin()
    for match in [each["id"] for each in evening.read().state["matches"]]:
        evening.do(evening.host, "result", match=match, winner=evening.read().match(match)["players"][0])
    return evening


def test_three_who_are_out_are_proposed_a_table_and_it_is_opened_once() -> None:
    evening = knocked_out(8)
    out = [evening.player(row["player"]) for row in evening.read().state["players"] if row["status"] == "out"]
    proposed = out_tables.people(evening.read())
    assert set(proposed) == set(out) and len(out) == 4
    director = next(player for player in evening.people.values() if player not in out)
    with refused("not_director"):
        evening.do(director, "out_table")
    evening.do(evening.host, "name_director", player=director.pk)
    evening.do(director, "out_table")
    table = evening.night.tables.get(archived_at=None)
    assert set(table.seats.values_list("player", flat=True)) == {player.pk for player in out}
    assert table.status == Table.Status.LOBBY
    with refused("nobody_out"):
        evening.do(director, "out_table")


def test_two_who_are_out_and_who_has_gone_home_are_proposed_nothing() -> None:
    evening = knocked_out(4)
    assert out_tables.people(evening.read()) == []
    with refused("nobody_out"):
        evening.do(evening.host, "out_table")


def test_the_house_opens_the_table_by_itself_where_the_tournament_says_so() -> None:
    evening = knocked_out(8)
    evening.do(evening.host, "modes", modes={"out_table": 20, "pairing": None})
    automatic.run_due()
    assert not evening.night.tables.filter(archived_at=None).exists()
    evening.later(seconds=30)
    automatic.run_due()
    automatic.run_due()
    assert evening.night.tables.get(archived_at=None).seats.count() == 4
    evening.later(minutes=1)
    automatic.run_due()
    assert evening.night.tables.filter(archived_at=None).count() == 1


# Entry fee and prizes


def test_the_start_waits_for_those_who_have_not_paid() -> None:
    evening = Evening("Kari", "Nils", "Uli")
    evening.enter()
    evening.do(evening.host, "prizes", fee=20, prizes=[30, 15], waits="on")
    evening.do(evening.host, "modes", modes={"start": 0})
    evening.do(evening.host, "paid", who="p1")
    evening.do(evening.host, "withdraw", who="p3", when="now")
    automatic.run_due()
    with refused("not_paid"):
        evening.confirm()
    evening.do(evening.host, "paid", who="p2")
    assert (entry_fees.pot(evening.tournament).total, entry_fees.pot(evening.tournament).left) == (40, -5)
    automatic.run_due()
    assert evening.types()[-1] == "start"


def test_a_tick_is_taken_back_and_only_directors_tick() -> None:
    evening = Evening("Kari", "Nils")
    evening.enter()
    with refused("not_director"):
        evening.do(evening.people["Kari"], "paid", who="p1")
    evening.do(evening.host, "paid", who="p1")
    evening.do(evening.host, "unpaid", who="p1")
    assert entry_fees.pot(evening.tournament).paid == 0
    with refused("not_entered"):
        evening.do(evening.host, "paid", who="p9")
    for fee, prizes in ((-1, []), (0, [0]), (0, [1] * 17), (0, [2_000_000])):
        with refused("bad_prizes"):
            evening.do(evening.host, "prizes", fee=fee, prizes=prizes)


# Phases that are added later


def all_decided(evening: Evening) -> None:
    """Let the first of each pair win, and confirm what is proposed, until nothing is played or proposed but the end."""
    for _ in range(60):
        reading = evening.read()
        running = [each for each in reading.state["matches"] if each["status"] == "running"]
        for match in running:
            evening.do(evening.host, "result", match=match["id"], winner=match["players"][0])
        proposed = [entry["type"] for each in evening.read().proposals for entry in each.get("entries", ())]
        if proposed == ["finish"] or (not proposed and not running):
            return
        if proposed:
            evening.confirm()


@pytest.mark.parametrize(
    ("first", "kind"),
    [("round_robin", "knockout"), ("round_robin", "double"), ("round_robin", "round_robin"), ("swiss", "knockout")],
)
def test_a_phase_that_is_added_later_is_played_by_the_best_and_the_draws_stay_what_was_drawn(
    first: str, kind: str
) -> None:
    """A play-off for the first place was drawn when nobody was to go on yet."""
    evening = Evening("Kari", "Nils", "Uli", "Ole", "Per", kind=first, length=1)
    evening.begin()
    with refused("not_director"):
        evening.do(evening.people["Kari"], "phase", kind=kind, count=2, length=3)
    all_decided(evening)
    evening.confirm()
    assert evening.tournament.status == Tournament.Status.FINISHED
    with refused("not_open"):
        evening.do(evening.host, "phase", kind=kind, count=2, length=3)
    evening.do(evening.host, "reopen")
    evening.do(evening.host, "phase", kind=kind, count=2, length=3)
    standing = evening.read().standing
    best = {row["player"] for row in standing if row["place"] <= standing[1]["place"]}
    all_decided(evening)
    last = evening.read().state["matches"][-1]
    assert (last["phase"], last["length"]) == (1, 3)
    assert set(last["players"]) <= best
    evening.confirm()
    assert draw_check.check(evening.tournament).faults == ()


def test_a_phase_that_no_tournament_has_changes_nothing() -> None:
    evening = Evening("Kari", "Nils")
    before = evening.tournament.format
    wrong: tuple[tuple[str, int, int, str], ...] = (
        ("open_end", 2, 3, "tournament_format"), ("knockout", 1, 3, "tournament_format"),
        ("knockout", 2, 0, "bad_match_length"), ("nothing", 2, 3, "tournament_format"),
    )  # fmt: skip
    for kind, count, length, code in wrong:
        with refused(code):
            evening.do(evening.host, "phase", kind=kind, count=count, length=length)
    evening.tournament.refresh_from_db()
    assert evening.tournament.format == before
    for _ in range(4):
        evening.do(evening.host, "phase", kind="knockout", count=2, length=3)
    with refused("tournament_format"):
        evening.do(evening.host, "phase", kind="knockout", count=2, length=3)


# A second entry


def test_who_lost_in_the_first_round_of_a_knock_out_enters_once_more_where_it_is_allowed() -> None:
    names = ("Kari", "Nils", "Uli", "Ole", "Per")
    for until in (0, 1):
        evening = Evening(*names, kind="knockout", settings={"reentry_until": until, "consolation": False})
        evening.begin()
        match = evening.read().state["matches"][0]
        evening.do(evening.host, "result", match=match["id"], winner=match["players"][0])
        loser = evening.player(match["players"][1])
        if until:
            evening.do(loser, "again")
            state = {row["player"]: row["status"] for row in evening.read().state["players"]}
            assert state[match["players"][1]] == "free"
        else:
            with refused("not_open"):
                evening.do(loser, "again")


def test_a_director_puts_a_clock_in_at_a_running_match_and_nobody_else_does() -> None:
    evening = Evening("Kari", "Nils", medium="screen", length=5)
    evening.begin()
    kari = evening.people["Kari"]
    with refused("not_director"):
        evening.do(kari, "clock", match="m1", kind="delay", effect="minute")
    for kind, effect in (("none", "match"), ("delay", "nothing"), ("", "")):
        with refused("not_open"):
            evening.do(evening.host, "clock", match="m1", kind=kind, effect=effect)
    with refused("no_such_pairing"):
        evening.do(evening.host, "clock", match="m9", kind="delay", effect="minute")
    host = browser_of(evening.host)
    page = reverse("tournament", args=[evening.tournament.public_id])
    assert "simple delay, 12 seconds a turn" in host.get(f"{page}?match=m1").content.decode()
    act = reverse("tournament_act", args=[evening.tournament.public_id, "clock"])
    assert host.post(act, {"match": "m1", "kind": "pairs", "effect": "game"}).status_code == 302
    table = evening.tournament.pairings.get(match="m1").table
    rules = log.state_of(table).clock_rules
    assert (rules.clock, rules.clock_expiry) == ("pairs", "game")
    with refused("not_open"):
        evening.do(evening.host, "clock", match="m1", kind="delay", effect="minute")


# Breaks


def test_a_planned_break_is_seen_by_all_and_a_match_that_would_end_in_it_is_marked_for_directors() -> None:
    evening = Evening("Kari", "Nils", "Uli", "Ole")
    evening.enter()
    evening.do(evening.host, "break", after=20, minutes=15)
    evening.confirm()
    page = reverse("tournament", args=[evening.tournament.public_id])
    text = browser_of(evening.host).get(page).content.decode()
    assert "would end in the break" in text, "3 points take 24 minutes"
    guest = browser_of(evening.people["Kari"]).get(page).content.decode()
    assert "Break:" in guest and "would end in the break" not in guest
    shown = overview.of(evening.tournament)
    assert shown.planned_break() == (shown.at(20), shown.at(35))


def test_a_break_that_is_over_or_far_is_no_warning() -> None:
    evening = Evening("Kari", "Nils")
    evening.enter()
    evening.do(evening.host, "break", after=200, minutes=15)
    evening.confirm()
    assert not any(each.ends_in_break for each in overview.of(evening.tournament).proposals())
    evening.later(minutes=216)
    assert overview.of(evening.tournament).planned_break() is None

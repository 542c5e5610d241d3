"""Bots answer whatever the game waits for, with listed options and nothing else."""

import copy
import random

import pytest

from chouette.bot import bots
from chouette.bot.evaluator import PipCount
from chouette.rules import rules
from chouette.rules.options.declaration import OPTIONS
from games.kernel.contract import Illegal
from games.kernel.replay import fold_all
from tests.chouette.botplay import busy_session, session
from tests.chouette.sessions import Session, house_rules
from tests.chouette.table import LONG_RACE, Table
from tests.seeds import share_of_day


@pytest.mark.parametrize(
    ("preset", "crowd"),
    share_of_day([(preset.id, crowd) for preset in OPTIONS.presets for crowd in ("few", "many")], 4),
)
def test_bots_alone_play_a_session_of_every_preset(preset, crowd):
    seats = max(OPTIONS.preset(preset).seats) if crowd == "many" else OPTIONS.preset(preset).seats[0]
    levels = (["net", "noisy", "lookahead"] * seats)[:seats]
    table = session(OPTIONS.values(preset, {"match_length": 5}), levels, 3, 3)
    assert rules.is_over(table.state) and table.games >= 2
    hold(table)


@pytest.mark.parametrize("preset", share_of_day(["german", "club", "last_man_standing"], 3))
def test_bots_play_on_while_others_come_and_go(preset):
    changes = {"max_players": 8, "partner": "optional_from", "sole_taker": "extras"}
    for seed, more in enumerate(({}, changes)):
        table = busy_session(OPTIONS.values(preset, more), ["net"] * 4, seed, 4)
        events = [event.type for entry in table.log for event in entry.events]
        assert {"seat_left", "seat_joined"} <= set(events)
        hold(table)


def test_ten_bots_play_with_nine_cubes():
    options = OPTIONS.values("club", {"max_players": 10, "uniform_response": "none"})
    table = session(options, ["net"] * 10, 1, 2)
    assert table.games == 2
    hold(table)


def test_bots_play_a_study_table():
    options = OPTIONS.values("german", {"start_position": "XGID=-a----E-C---eE---c-e----B-:1:1:1:31:0:0:0:0:10"})
    table = session(options, ["net"] * 3, 1, 2)
    assert table.games == 2
    hold(table)


def hold(table):
    """What the log says is what was played, and every row of the sheet sums to zero."""
    assert fold_all(rules, table.options, table.opened_with, table.log) == table.state
    view = rules.view(table.state, None)
    assert sum(view["totals"]) == 0
    assert all(row["check"] == 0 for row in view["sheet"])


def test_bots_answer_every_choice_of_random_sessions():
    """Random seats lead into every corner; each choice alone is put to a bot."""
    seen = set()
    for seed in range(25):
        rng = random.Random(seed)
        table = Session(rng, house_rules(rng), rng.choice([3, 4, 5]))
        while not rules.is_over(table.state) and len(table.log) < 40:
            for choice in table.choices():
                view = rules.view(table.state, choice.seat)
                name, args = bots.choose(view, [choice], rng.choice(["net", "noisy"]), seed)
                assert name == choice.name
                assert args in choice.options
                seen.add(name)
            table.act()
    assert seen >= {
        "move",
        "roll",
        "cube",
        "offer",
        "answer",
        "answer_batch",
        "answer_resignation",
        "answer_proposal",
        "reply",
    }


def test_the_same_seed_gives_the_same_answer():
    table = Table("ABC")
    table.start(6, 1)
    seat = table.game["on_roll"]
    view, choices = rules.view(table.state, seat), list(rules.choices(table.state, seat))
    once, again = (bots.choose(view, choices, "noisy", 7) for _ in range(2))
    assert once == again
    said = {bots.choose(view, choices, "noisy", seed)[1]["play"] for seed in range(60)}
    assert len(said) > 1


def test_a_hint_is_a_play_with_others_beside_it():
    table = Table("ABC", hints=True)
    table.start(6, 1)
    seat = table.game["on_roll"]
    view, choices = rules.view(table.state, seat), list(rules.choices(table.state, seat))
    found = bots.hint(view, choices)
    assert found["args"] == {"play": "13/7 8/7"}
    assert len(found["alternatives"]) == bots.ALTERNATIVES
    assert all(other["equity"] <= found["equity"] for other in found["alternatives"])


def test_a_hint_about_a_double_says_what_each_way_is_worth():
    table = Table("BCA", position=LONG_RACE, hints=True)
    table.start()
    hinted = hint_for(table, "C")
    (other,) = hinted["alternatives"]
    assert {hinted["name"], other["name"]} == {"cube", "roll"}
    assert 1 >= hinted["equity"] >= other["equity"] >= -1
    table.double("CA")
    asked = hint_for(table, "B")
    assert asked["name"] == "answer_batch" and asked["win"] == hinted["win"]
    worths = [asked["equity"], *(other["equity"] for other in asked["alternatives"])]
    assert worths == sorted(worths, reverse=True)
    dropped = next(w for w in (asked, *asked["alternatives"]) if w["args"] == {"take": []})
    assert dropped["equity"] == pytest.approx(-1), "a drop costs a point for each on the cubes"


def test_a_hint_to_the_box_on_its_turn_weighs_rolling_too():
    table = Table("BCA", position=LONG_RACE, hints=True)
    table.start()
    table.next_turn()
    hinted = hint_for(table, "B")
    names = {hinted["name"], *(other["name"] for other in hinted["alternatives"])}
    assert names == {"offer", "roll"}


def test_a_hint_in_a_match_counts_on_the_scale_of_a_single_game():
    table = Table("BC", "match", position=LONG_RACE, hints=True, match_length=5)
    table.start()
    table.double("C")
    asked = hint_for(table, "B")
    dropped = next(w for w in (asked, *asked["alternatives"]) if w["args"] == {"take": []})
    assert dropped["equity"] == pytest.approx(-1)


def hint_for(table, who):
    seat = table.seat(who)
    return bots.hint(table.look(who), list(rules.choices(table.state, seat)))


def test_lookahead_answers_a_double_by_what_the_next_roll_brings():
    """Every roll bears the last checker off: by pips alone it is a take, a roll ahead it is lost."""
    table = Table("BCA", position=LONG_RACE)
    table.start()
    table.double("CA")
    view, choices = copy.deepcopy(table.look("B")), list(rules.choices(table.state, table.seat("B")))
    view["game"]["points"] = [0, 1, *[0] * 22, -1, 0]
    taken = {level: bots.choose_with(PipCount(), view, choices, level, 1)[1]["take"] for level in ("net", "lookahead")}
    assert taken["net"]
    assert not taken["lookahead"]


def test_no_hint_when_nothing_is_to_be_judged():
    table = Table("ABC", hints=True)
    seat = table.seat(table.box)
    choices = list(rules.choices(table.state, seat))
    with pytest.raises(Illegal, match="not_open"):
        bots.hint(rules.view(table.state, seat), choices)


def test_no_hint_where_the_house_rules_allow_none():
    table = Table("ABC", hints=False)
    table.start(6, 1)
    seat = table.game["on_roll"]
    with pytest.raises(Illegal, match="hints_off"):
        bots.hint(rules.view(table.state, seat), list(rules.choices(table.state, seat)))

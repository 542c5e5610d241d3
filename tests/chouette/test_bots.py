"""Bots answer whatever the game waits for, with listed options and nothing else."""

import random

import pytest

import chouette.rules as rules
from chouette import bots
from chouette.rules.options import OPTIONS
from games.kernel.contract import Illegal
from games.kernel.replay import fold_all
from tests.chouette.botplay import session
from tests.chouette.sessions import Session, house_rules
from tests.chouette.table import Table


@pytest.mark.parametrize(
    ("preset", "seats", "games"), [("german", 4, 3), ("club", 5, 3), ("last_man_standing", 3, 3)]
)
def test_bots_alone_play_a_chouette_to_a_number_of_games(preset, seats, games):
    levels = (["net", "noisy"] * seats)[:seats]
    state, log = session(OPTIONS.values(preset, {"grace_seconds": 0}), levels, 3, games)
    assert len([row for row in state.sheet if row.number]) == games
    assert sum(rules.view(state, None)["totals"]) == 0
    assert fold_all(rules, state.options, seats, log) == state


def test_bots_alone_play_a_match_to_the_end():
    options = OPTIONS.values("match", {"match_length": 3})
    state, _ = session(options, ["net", "noisy"], 5, 99)
    assert rules.is_over(state)
    assert max(rules.view(state, None)["score"]) >= 3


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
    table = Table("ABC")
    table.start(6, 1)
    seat = table.game["on_roll"]
    view, choices = rules.view(table.state, seat), list(rules.choices(table.state, seat))
    found = bots.hint(view, choices)
    assert found["args"] == {"play": "13/7 8/7"}
    assert len(found["alternatives"]) == bots.ALTERNATIVES
    assert all(other["equity"] <= found["equity"] for other in found["alternatives"])


def test_no_hint_when_nothing_is_to_be_judged():
    table = Table("ABC")
    seat = table.seat(table.box)
    choices = list(rules.choices(table.state, seat))
    with pytest.raises(Illegal, match="not_open"):
        bots.hint(rules.view(table.state, seat), choices)

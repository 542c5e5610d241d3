"""Level `expert`: plays and doubles by the engine; where that fails the net plays, and the log says so."""

import copy
import logging
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from chouette.analysis import engines
from chouette.analysis.gnubg import program as gnubg_program
from chouette.board.plays import results
from chouette.board.position import START
from chouette.bot import bots, house_engine, judges
from chouette.bot.house_engine import HouseEngine
from chouette.rules import rules
from games import plugin
from games.kernel.contract import Illegal
from games.services.seats import seats
from tests.chouette.botplay import session
from tests.chouette.sessions import Session, house_rules
from tests.chouette.table import LONG_RACE, Table

FAKE = Path(__file__).parents[1] / "analysis" / "fake_gnubg.py"
ROOT = Path(__file__).parents[3]


class Clock:
    """A clock that stands still until it is put forward."""

    def __init__(self):
        self.seconds = 100.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def engine(monkeypatch):
    """Return a maker of this process's engine: a fake that behaves in a way."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    made = []

    def make(way, seconds=20.0, now=time.monotonic):
        starts = []

        def start():
            starts.append(gnubg_program.program([sys.executable, str(FAKE), way]))
            return starts[-1]

        monkeypatch.setattr(house_engine, "SECONDS", seconds)
        made.append(HouseEngine(start, now))
        made[-1].starts = starts
        monkeypatch.setattr(house_engine, "shared", made[-1])
        return made[-1]

    yield make
    for each in made:
        each.close()


def opening(dice=(6, 1)):
    table = Table("BC", "money")
    table.start(*dice)
    seat = table.game["on_roll"]
    return rules.view(table.state, seat), list(rules.choices(table.state, seat))


def test_the_expert_plays_what_the_engine_lists_first(engine):
    engine("well")
    view, choices = opening()
    # The fake ranks plays as they are listed.
    first = gnubg_program.program([sys.executable, str(FAKE), "well"]).plays(
        judges.on_turn(view["game"]), (6, 1), judges.Stakes(), results(judges.on_turn(view["game"]), (6, 1))[0]
    )[0]
    name, args = bots.choose(view, choices, "expert", 1)
    assert (name, judges.playing.listed(view, [args])) == ("move", [first.result])
    assert bots.choose(view, choices, "lookahead", 1)[1] != args


def test_the_expert_doubles_and_takes_by_the_engines_equities(engine):
    """In the fake's judgement the leader of a race has too much, and who is behind a take."""
    engine("well")
    table = Table("BCA", position=LONG_RACE)
    table.start()
    view, choices = table.look("C"), list(rules.choices(table.state, table.seat("C")))
    position, stakes = judges.on_turn(view["game"]), judges.stakes_of(view, view["game"]["cubes"][0])
    found = house_engine.shared.cube(position, stakes, house_engine.shared.until())
    name, args = bots.choose(view, choices, "expert", 1)
    is_double = found.best_double > found.no_double
    assert (name == "cube" and args["double"]) is is_double
    table.double("CA")
    asked = bots.choose(table.look("B"), list(rules.choices(table.state, table.seat("B"))), "expert", 1)
    assert asked == ("answer_batch", {"take": [0, 1] if found.take < found.drop else []})


@pytest.mark.parametrize("way", ["hangs", "crashes", "lies", "shifts", "invents", "breaks", "late"])
def test_where_the_engine_fails_the_net_plays_and_the_log_says_so(way, engine, caplog):
    house = engine(way, seconds=3.0 if way in ("hangs", "late") else 20.0)
    rolls = [(6, 1), (3, 1), (4, 2), (6, 5), (5, 3), (6, 4)]
    asked = [opening(dice) for dice in rolls]
    with caplog.at_level(logging.WARNING):
        played = [bots.choose(view, choices, "expert", 1) for view, choices in asked]
    lookahead = [bots.choose(view, choices, "lookahead", 1) for view, choices in asked]
    assert played[-1] == lookahead[-1]
    assert [line.levelname for line in caplog.records] == ["WARNING"], "one line in a while"
    assert "plays by the net" in caplog.text
    assert len(house.starts) == 1, "it is left alone for a while"
    assert house.starts[0].pid is None


def test_an_engine_that_failed_is_asked_again_after_a_while(engine):
    clock = Clock()
    house = engine("crashes", now=clock)
    asked = [opening(dice) for dice in [(6, 1), (3, 1), (4, 2), (6, 5), (5, 3), (6, 4)]]
    for view, choices in asked:
        bots.choose(view, choices, "expert", 1)
    clock.seconds += house_engine.REST_SECONDS + 1
    bots.choose(*asked[-1], "expert", 1)
    assert len(house.starts) == 2


def test_bots_that_ask_at_once_wait_their_turn_and_too_many_play_by_the_net(engine):
    house = engine("well")
    view, choices = opening()
    position, stakes = START, judges.Stakes()
    house._turn.acquire()
    waiting = [
        threading.Thread(target=lambda n=n: house.cube(position, judges.Stakes(cube=2**n), time.monotonic() + 60))
        for n in range(house_engine.MOST_WAITING)
    ]
    for thread in waiting:
        thread.start()
    while house._places._value:
        time.sleep(0.01)
    assert bots.choose(view, choices, "expert", 1) == bots.choose(view, choices, "lookahead", 1)
    house._turn.release()
    for thread in waiting:
        thread.join()
    assert house.cube(position, stakes, time.monotonic() + 60), "in good order, it is asked on"
    assert len(house.starts) == 1


def test_without_time_left_nothing_is_asked_and_the_engine_stays(engine):
    clock = Clock()
    house = engine("well", now=clock)
    with pytest.raises(house_engine.EngineBusy):
        house.cube(START, judges.Stakes(), clock.seconds + house_engine.LEAST_SECONDS / 2)
    assert house.cube(START, judges.Stakes(), clock.seconds + 20)


def test_the_expert_answers_every_choice_of_random_sessions(engine):
    engine("well")
    seen = set()
    for seed in range(6):
        rng = random.Random(seed)
        table = Session(rng, house_rules(rng), rng.choice([2, 3, 4]))
        while not rules.is_over(table.state) and len(table.log) < 30:
            for choice in table.choices():
                name, args = bots.choose(rules.view(table.state, choice.seat), [choice], "expert", seed)
                assert name == choice.name
                assert args in choice.options
                seen.add(name)
            table.act()
    assert {"move", "cube", "answer"} <= seen


def test_a_play_for_cubes_of_several_owners_is_the_best_for_their_mean(engine, monkeypatch):
    """Two plays: the first is better by 0.1 for cubes of 2, the other by 0.3 for a cube of 4."""
    table = Table("BCAD")
    table.start(6, 1)
    view, choices = opening_of(table)
    cubes = view["game"]["cubes"]
    for cube, (owner, value) in zip(cubes, [("member", 2), ("member", 2), ("against", 4)], strict=True):
        cube.update(owner=owner, value=value, turned=True)
    options = next(choice for choice in choices if choice.name == "move").options[:2]
    one, two = judges.playing.listed(view, options)
    worths = {1: {one: 0.1, two: 0.0}, -1: {one: 0.0, two: 0.3}}

    def plays(position, dice, stakes, made, until):
        found = [judges.Candidate(result, worth, 2) for result, worth in worths[stakes.owner].items()]
        return sorted(found, key=lambda each: -each.equity)

    house = engine("well")
    monkeypatch.setattr(house, "plays", plays)
    assert judges.groups(view)[0][1] == 4 == judges.groups(view)[1][1]
    ranked = judges.EngineJudge(house, bots.chosen()).ranked(view, options)
    assert ranked == [(1, pytest.approx(0.15)), (0, pytest.approx(0.05))]


def opening_of(table):
    seat = table.game["on_roll"]
    return copy.deepcopy(rules.view(table.state, seat)), list(rules.choices(table.state, seat))


def test_in_a_match_equities_become_chances_to_win_it(engine):
    engine("well")
    table = Table("BC", "match", position=LONG_RACE, match_length=5)
    table.start()
    view = table.look("C")
    judgement = judges.EngineJudge(house_engine.shared, bots.chosen()).judgement(view, "")
    offer, score = judgement.offer(0), judgement.score("team")
    assert offer.dropped == pytest.approx(score.after(1))
    assert judgement.of("box", offer.dropped) == pytest.approx(1 - score.after(1))


# Where it is offered.


def test_the_level_is_not_offered_without_an_engine_and_a_line_says_how_to_get_one(monkeypatch):
    monkeypatch.delenv(house_engine.SETTING, raising=False)
    monkeypatch.setattr(engines, "installed", list)
    game = plugin.game("chouette")
    assert list(game.offered_levels) == ["noisy", "net", "lookahead"]
    assert game.missing_levels == {"Expert": engines.HOW_TO_GET_ONE}
    with pytest.raises(Illegal, match="missing_level"):
        seats.check_level("chouette", "expert")
    monkeypatch.setattr(engines, "installed", lambda: ["gnubg"])
    assert list(game.offered_levels) == ["noisy", "net", "lookahead", "expert"]
    assert not game.missing_levels
    assert seats.check_level("chouette", "expert") == "expert"
    assert game.usual_level == "net"


def test_the_level_can_be_switched_off_where_an_engine_is_installed(monkeypatch):
    monkeypatch.setattr(engines, "installed", lambda: ["gnubg"])
    monkeypatch.setenv(house_engine.SETTING, "off")
    assert "expert" not in plugin.game("chouette").offered_levels
    assert house_engine.start() is None


def test_an_expert_plays_on_where_the_engine_is_gone(monkeypatch):
    monkeypatch.setattr(house_engine, "shared", HouseEngine(lambda: None))
    table = session({**Table("BC", "money").state.options}, ["expert", "expert"], 1, 1)
    assert table.games == 1


# The engines themselves.


@pytest.fixture(params=engines.NAMES)
def real(request, monkeypatch):
    if request.param not in engines.installed():
        pytest.skip(f"no {request.param} here")
    monkeypatch.delenv(house_engine.SETTING, raising=False)
    monkeypatch.setattr(engines, "installed", lambda: [request.param])
    monkeypatch.setattr(house_engine, "SECONDS", 120.0)
    house = HouseEngine(house_engine.start)
    monkeypatch.setattr(house_engine, "shared", house)
    yield house
    house.close()


def test_each_engine_plays_and_answers_in_a_process_of_its_own(real):
    assert bots.choose(*opening(), "expert", 1) == ("move", {"play": "13/7 8/7"})
    before = real.cube(START, judges.Stakes(), real.until())
    assert before.no_double > before.take, "nobody doubles at the start"
    assert real._engine.pid is not None
    real.close()
    assert real._engine is None


@pytest.mark.skipif(gnubg_program.find() is None, reason="no gnubg here")
def test_the_engine_ends_with_a_server_that_is_killed(monkeypatch):
    program = """
import os, sys
sys.path.insert(0, {root!r})
from chouette.bot import house_engine, judges
from chouette.board.position import START
house_engine.SECONDS = 120.0
house_engine.shared.cube(START, judges.Stakes(), house_engine.shared.until())
print(house_engine.shared._engine.pid, flush=True)
os.kill(os.getpid(), 9)
"""
    monkeypatch.delenv(house_engine.SETTING, raising=False)
    done = subprocess.run(
        [sys.executable, "-c", program.format(root=str(ROOT))], capture_output=True, text=True, timeout=300, check=False
    )
    pid = int(done.stdout)
    until = time.monotonic() + 60
    while is_alive(pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_alive(pid)


def is_alive(pid):
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] != "Z"

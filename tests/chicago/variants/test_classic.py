"""Classic: docs/rules-chicago.md §4.1."""

from chicago.rules import rules
from games.kernel.dice import ScriptedDice
from tests.chicago.table import HIGH, Table, of, types


def test_the_starter_is_drawn_by_one_die_each_and_ties_roll_again_among_themselves():
    options = rules.options().values("classic")
    events = rules.open(options, 3, ScriptedDice([5, 5, 2, 1, 4])).events
    drawn = of(list(events), "starter_drawn")
    assert drawn["seat"] == 1 and drawn["reason"] == "opening"
    assert drawn["rolls"] == [
        [{"seat": 0, "die": 5}, {"seat": 1, "die": 5}, {"seat": 2, "die": 2}],
        [{"seat": 0, "die": 1}, {"seat": 1, "die": 4}],
    ]
    assert of(list(events), "round_started")["order"] == [1, 2, 0]


def test_everybody_takes_one_turn():
    t = Table("classic", 4)
    events = t.round((1, 2, 2), (1, 2, 3), (1, 2, 4), (1, 2, 5))
    assert [e.data["seat"] for e in events if e.type == "stood"] == [0, 1, 2, 3]


def test_each_follower_must_beat_what_stands():
    t = Table("classic", 3)
    t.throw(0, 1, 2, 2)
    t.stand(0)
    assert t.view["beat"]["seat"] == 0 and t.view["beat"]["value"] == 104
    t.throw(1, 1, 2, 3)
    assert t.view["beat"]["seat"] == 0


def test_the_low_loses_the_round_pays_it_and_starts_the_next():
    t = Table("classic", 3)
    events = t.settle(high=0, low=2)
    assert of(events, "round_lost") == {"round": 1, "seat": 2}
    assert t.state.players[2].rounds_paid == 1
    assert t.turn == 2 and t.view["starter"] == 2 and t.view["round"] == 2


def test_a_chikago_wins_at_once_and_its_thrower_is_out_of_the_round():
    t = Table("classic", 3)
    t.throw(0, 1, 2, 2)
    t.stand(0)
    assert "chick_thrown" in types(t.throw(1, 1, 1, 1))
    assert t.status == ["in", "out", "in"] and t.turn == 2
    t.throw(2, 2, 3, 5)
    assert t.state.players[2].rounds_paid == 1
    assert t.status == ["in", "in", "in"]


def test_a_chikago_may_be_collected():
    t = Table("classic", 2)
    t.throw(0, 1, 4, 5)
    t.throw(0, 1, 3, lay=[1])
    assert "chick_thrown" in types(t.throw(0, 1, lay=[1]))


def test_a_chikago_of_the_starter_lets_the_next_seat_start_the_round_afresh():
    t = Table("classic", 3, starter=1)
    events = t.throw(1, 1, 1, 1)
    again = of(events, "round_started")
    assert again["restart"] and again["round"] == 1 and again["order"] == [2, 0]
    assert t.view["throws_allowed"] is None and t.turn == 2
    t.round((1, 2, 3), (1, 2, 2))
    assert t.state.players[0].rounds_paid == 1


def test_a_player_left_alone_in_the_round_has_lost_it():
    t = Table("classic", 2)
    events = t.throw(0, 1, 1, 1)
    assert of(events, "round_ended")["reason"] == "one_left"
    assert of(events, "round_lost")["seat"] == 1 and t.turn == 1


def test_a_chikago_of_the_last_follower_leaves_the_starter_alone():
    t = Table("classic", 2)
    t.throw(0, 1, 1, 2)
    t.stand(0)
    assert of(t.throw(1, 1, 1, 1), "round_lost")["seat"] == 0


def test_a_game_is_a_number_of_rounds_and_the_tally_of_rounds_paid_is_the_score():
    t = Table("classic", 3, rounds=2)
    t.settle(high=0, low=2)
    ended = of(t.settle(high=0, low=1), "game_ended")
    assert ended["reason"] == "rounds_played" and ended["points"] == [0, 1, 1]
    assert ended["ranking"] == [[0], [1, 2]]
    assert t.names(0) == [] and t.names(None) == []


def test_by_default_a_game_is_open_ended_and_closed_by_the_host_between_rounds():
    t = Table("classic", 2)
    t.settle(high=0, low=1)
    assert "close" in t.names(None)
    t.throw(1, 1, 2, 3)
    assert "close" not in t.names(None)
    assert t.refuses(None, "close") == "not_between_rounds"
    t.stand(1)
    assert t.refuses(None, "close") == "not_between_rounds"
    t.throw(0, 1, 2, 4)
    ended = of(t.house("close"), "game_ended")
    assert ended["reason"] == "closed" and ended["points"] == [0, 2]


def test_a_round_started_afresh_is_not_a_place_to_close():
    t = Table("classic", 3)
    t.throw(0, 1, 1, 1)
    assert t.refuses(None, "close") == "not_between_rounds"


def test_a_game_of_so_many_rounds_is_not_closed_by_the_host():
    assert Table("classic", 2, rounds=3).refuses(None, "close") == "not_between_rounds"


def test_the_outcome_holds_the_figures_of_every_seat():
    t = Table("classic", 2, rounds=1)
    t.throw(0, 1, 1, 2)
    t.stand(0, **HIGH)
    event = t.throw(1, 2, 2, 3)[-1]
    outcome = rules.outcome(event)
    assert outcome.points == {0: 0, 1: 1} and outcome.ranking == ((0,), (1,))
    assert outcome.stats[1]["fish"] == 1 and outcome.stats[1]["rounds_paid"] == 1
    assert rules.outcome(t.log[0].events[0]) is None

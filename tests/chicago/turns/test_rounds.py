"""Rounds, valuations, ties and announcements: docs/rules-chicago.md §§2–3."""

import pytest

from tests.chicago.table import HIGH, LOW, Table, of, types


def test_seats_go_round_to_the_left():
    t = Table("bavarian", 4, starter=2)
    order = []
    for dice in ((1, 2, 2), (1, 2, 3), (1, 2, 4), (1, 2, 5)):
        order.append(t.turn)
        t.throw(t.turn, *dice)
        if len(order) == 1:
            t.stand(2)
    assert order == [2, 3, 0, 1]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_starter_chooses_how_many_throws_to_use(k):
    t = Table("classic", 2)
    for _ in range(k):
        t.throw(0, 2, 3, 5)
    t.stand(0)
    assert t.view["throws_allowed"] == k


def test_a_declaring_starter_still_stands_after_the_third_throw():
    t = Table("classic", 2)
    for _ in range(3):
        t.throw(0, 2, 3, 5)
    assert t.names(0) == ["stand"]
    assert t.refuses(0, "throw", lay=[], turn=False) == "no_throw_left"


def test_a_turn_ends_after_the_last_allowed_throw():
    t = Table("bavarian", 2)
    for _ in range(3):
        events = t.throw(0, 2, 3, 5)
    assert "stood" in types(events) and t.turn == 1


def test_followers_throw_exactly_as_often_as_the_starter():
    t = Table("bavarian", 2)
    t.throw(0, 2, 3, 5)
    t.throw(0, 2, 3, 5)
    t.stand(0)
    t.throw(1, 1, 6, 5)
    assert t.names(1) == ["throw"] and t.view["exactly"]
    assert t.refuses(1, "stand") == "throw_on"
    events = t.throw(1, 2, lay=[1, 6])
    assert of(events, "stood")["throws"] == 2


def test_only_a_chick_ends_an_exact_turn_earlier():
    t = Table("bavarian", 3)
    t.throw(0, 2, 3, 5)
    t.throw(0, 2, 3, 5)
    t.stand(0)
    assert of(t.throw(1, 1, 1, 1), "chick_thrown")["throws"] == 1
    assert t.turn == 2


def test_followers_throw_at_most_as_often_as_the_starter():
    t = Table("classic", 3)
    t.throw(0, 2, 3, 5)
    t.throw(0, 2, 3, 5)
    t.stand(0)
    t.throw(1, 1, 6, 5)
    assert t.names(1) == ["throw", "stand"]
    t.stand(1)
    t.throw(2, 1, 6, 5)
    assert "stood" in types(t.throw(2, 1, 6, 5))


def test_the_player_lays_out_dice_and_throws_the_rest_again():
    t = Table("classic", 2)
    t.throw(0, 1, 4, 5)
    thrown = of(t.throw(0, 3, 5, lay=[1]), "dice_thrown")
    assert (thrown["laid"], thrown["dice"], thrown["throw"]) == ([1], [3, 5], 2)
    assert t.view["cup"] == {"laid": [1], "rolled": [3, 5], "throws": 2, "in_cup": 0}


def test_two_sixes_of_the_same_throw_are_turned_and_thrown_on():
    t = Table("classic", 2)
    t.throw(0, 6, 6, 3)
    events = t.throw(0, 5, 5, turn=True)
    assert types(events) == ["sixes_turned", "dice_thrown"]
    assert of(events, "sixes_turned") == {"seat": 0, "laid": [1], "forced": False}
    assert t.view["cup"]["laid"] == [1]


def test_three_sixes_forced_become_two_ones_and_one_die_in_the_cup():
    t = Table("bavarian", 2)
    t.throw(0, 6, 6, 6)
    assert t.names(0) == ["throw"]
    assert t.choice(0, "throw").options == ({"lay": [], "turn": True},)
    events = t.throw(0, 4, turn=True)
    assert of(events, "sixes_turned") == {"seat": 0, "laid": [1, 1], "forced": True}


def test_three_sixes_on_the_last_throw_count_180():
    t = Table("bavarian", 2)
    t.throw(0, 2, 3, 5)
    t.stand(0)
    assert of(t.throw(1, 6, 6, 6), "stood")["value"] == 180


def test_the_starter_declares_ones_sixes_and_direction_independently():
    t = Table("classic", 2)
    t.throw(0, 1, 6, 2)
    assert len(t.choice(0, "stand").options) == 8
    said = of(t.stand(0, ones=1, sixes=60, high=True), "announced")
    assert said["value"] == 63
    assert said["valuation"] == {"ones": 1, "sixes": 60, "high": True}


def test_the_declaration_binds_the_round():
    t = Table("classic", 3)
    t.throw(0, 1, 2, 2)
    t.stand(0, **LOW)
    assert t.view["valuation"] == LOW
    assert of(t.throw(1, 6, 6, 6), "stood")["value"] == 18
    ended = of(t.throw(2, 1, 6, 1), "round_ended")
    assert (ended["low"], ended["high"]) == (1, 0)
    assert t.view["valuation"] is None


def test_followers_declare_nothing():
    t = Table("classic", 3)
    t.throw(0, 2, 3, 5)
    t.throw(0, 2, 3, 5)
    t.stand(0)
    t.throw(1, 1, 2, 3)
    assert t.choice(1, "stand").options == ({},)
    assert t.refuses(1, "stand", **HIGH) == "bad_args"


def test_a_fixed_valuation_stands_in_the_house_rules():
    t = Table("bavarian", 2, ones="1", sixes="6", direction="low")
    ended = of(t.round((1, 1, 2), (6, 6, 5)), "round_ended")
    assert ended["low"] == 1 and [r["value"] for r in ended["results"]] == [4, 17]


def test_fish_is_lowest_and_all_fish_are_equal():
    t = Table("bavarian", 3)
    ended = of(t.round((5, 5, 4), (2, 2, 3), (6, 2, 2)), "round_ended")
    assert (ended["low"], ended["high"]) == (1, 2)
    assert [s["fish"] for s in t.view["seats"]] == [1, 1, 0]


def test_fish_by_sum_compares_them():
    t = Table("bavarian", 3, fish="by_sum")
    assert of(t.round((5, 5, 4), (2, 2, 3), (5, 4, 4)), "round_ended")["low"] == 1


def test_later_loses_whoever_only_equals_the_low_is_the_new_low():
    t = Table("bavarian", 3)
    t.throw(0, 1, 2, 2)
    t.stand(0)
    t.throw(1, 1, 2, 2)
    assert t.view["low"]["seat"] == 1 and t.view["high"]["seat"] == 0
    assert t.view["beat"]["seat"] == 1


def test_fewer_throws_of_equal_results_the_one_with_fewer_is_better():
    t = Table("classic", 3, ties="fewer_throws")
    t.throw(0, 2, 3, 5)
    t.throw(0, 1, 2, 2)
    t.stand(0)
    t.throw(1, 1, 2, 2)
    t.stand(1)
    assert t.view["low"]["seat"] == 0 and t.view["high"]["seat"] == 1
    t.throw(2, 2, 3, 5)
    ended = of(t.throw(2, 1, 2, 2), "round_ended")
    assert (ended["low"], ended["high"]) == (2, 1)


def test_roll_off_those_who_share_the_low_throw_one_die_each_again_while_tied():
    t = Table("bavarian", 3, ties="roll_off")
    t.throw(0, 1, 2, 2)
    t.stand(0)
    t.throw(1, 1, 2, 2)
    assert t.view["shared_low"] == [0, 1]
    events = t.throw(2, 1, 2, 2, 3, 3, 5, 2, 6)
    rolled = of(events, "rolled_off")
    assert rolled["seat"] == 0
    assert rolled["rolls"] == [
        [{"seat": 0, "die": 3}, {"seat": 1, "die": 3}, {"seat": 2, "die": 5}],
        [{"seat": 0, "die": 2}, {"seat": 1, "die": 6}],
    ]
    assert of(events, "round_ended")["low"] == 0 and of(events, "round_ended")["high"] == 1


def test_roll_off_throws_no_die_when_one_is_low():
    t = Table("bavarian", 2, ties="roll_off")
    assert "rolled_off" not in types(t.round((1, 2, 2), (1, 2, 3)))


def test_after_each_turn_the_table_announces_what_stands():
    t = Table("bavarian", 3)
    t.throw(0, 1, 2, 2)
    first = of(t.stand(0), "announced")
    assert first["kind"] == "high" and first["valuation"] == HIGH
    second = of(t.throw(1, 2, 3, 5), "announced")
    assert (second["kind"], second["seat"], second["fish"]) == ("low", 1, True)
    third = of(t.throw(2, 1, 1, 2), "announced")
    assert (third["kind"], third["seat"]) == ("low", 1)
    assert second["valuation"] is third["valuation"] is None

"""The worked examples of docs/rules-chicago.md §7, by name."""

from tests.chicago.table import Table, of


def test_example_1_a_123_in_two_and_b_must_throw_twice_204_so_a_is_low():
    t = Table("bavarian", 3)
    t.throw(0, 6, 4, 2)
    t.throw(0, 6, 3, lay=[6])
    said = of(t.stand(0), "announced")
    assert (said["kind"], said["value"], said["throws"]) == ("high", 123, 2)
    t.throw(1, 1, 5, 5)
    assert t.refuses(1, "stand") == "throw_on"
    said = of(t.throw(1, 1, 4, lay=[1]), "announced")
    assert (said["kind"], said["seat"], said["value"]) == ("low", 0, 123)
    assert t.view["high"]["seat"] == 1 and t.view["high"]["value"] == 204
    assert t.view["beat"]["seat"] == 0


def test_example_2_fish_fish_104_the_second_player_is_low():
    t = Table("bavarian", 3)
    ended = of(t.round((2, 3, 5), (5, 5, 4), (1, 2, 2)), "round_ended")
    assert (ended["low"], ended["high"]) == (1, 2)


def test_example_3_104_104_104_the_third_is_low():
    t = Table("bavarian", 3)
    ended = of(t.round((1, 2, 2), (1, 2, 2), (1, 2, 2)), "round_ended")
    assert (ended["low"], ended["high"]) == (2, 0)


def test_example_4_in_phase_2_204_204_61_the_first_is_high():
    t = Table("bavarian", 3)
    for low in (1, 2, 0):
        t.settle(high=(low + 1) % 3, low=low)
    t.settle(high=1, low=0)
    assert t.state.phase == "playing_off" and t.mats == [2, 1, 1]
    # No three dice make 61; the lowest result with one six is 60 + 2 + 2.
    events = t.round((1, 1, 4), (1, 1, 4), (6, 2, 2))
    assert of(events, "round_ended")["high"] == 0
    assert of(events, "mat_discarded")["seat"] == 0
    assert t.mats == [1, 1, 1]


def test_example_5_tschigg_with_four_players_works_its_surplus_off():
    a, b, c, d = range(4)
    t = Table("tschigg", 4)
    for low in (a, a, a, a, b, b, c):
        t.settle(high=d, low=low)
    assert t.mats == [4, 2, 1, 0] and t.status[d] == "safe"
    assert t.state.phase == "playing_off" and t.view["target"] == 5
    t.settle(high=c, low=a)
    assert t.mats == [4, 2, 0, 0] and t.status[c] == "safe" and t.view["target"] == 3
    t.settle(high=b, low=a)
    assert t.mats == [4, 1, 0, 0]
    t.settle(high=a, low=b)
    assert t.mats == [3, 1, 0, 0]
    t.settle(high=b, low=a)
    assert t.mats == [3, 0, 0, 0] and t.status[b] == "safe"
    assert t.losers == [a] and t.state.outcome["points"] == [1, 0, 0, 0]


def _six_of_nine_dealt() -> Table:
    t = Table("tschigg", 5)
    for low in (1, 1, 2, 0, 0, 0):
        t.settle(high=4, low=low)
    assert t.mats == [3, 2, 1, 0, 0] and t.state.stock == 3
    return t


def _chick_by(t: Table, seat: int) -> None:
    while t.turn != seat:
        t.throw(t.turn, 1, 2, 4)
        if t.state.round.throws_allowed is None:
            t.stand(t.turn)
    t.throw(seat, 1, 1, 1)


def test_example_6_a_chick_by_b_leaves_three_in_the_stock():
    t = _six_of_nine_dealt()
    _chick_by(t, 1)
    assert t.state.stock == 3 and t.mats == [3, 0, 1, 0, 0]


def test_example_6_a_chick_by_d_leaves_one_in_the_stock():
    t = _six_of_nine_dealt()
    _chick_by(t, 3)
    assert t.state.stock == 1 and t.mats == [3, 2, 1, 0, 0] and t.status[3] == "safe"


def test_example_6_a_chick_by_a_leaves_three_in_the_stock():
    t = _six_of_nine_dealt()
    _chick_by(t, 0)
    assert t.state.stock == 3 and t.mats == [0, 2, 1, 0, 0]

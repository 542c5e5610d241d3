"""What the rules refuse: without a die thrown and without a change (the contract)."""

import pytest

from tests.chicago.table import HIGH, Table

FIRST = {"lay": [], "turn": False}


def test_another_seats_turn():
    assert Table("classic", 3).refuses(1, "throw", **FIRST) == "not_your_turn"


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_a_seat_that_is_not_there(seat):
    t = Table("classic", 3)
    assert t.refuses(seat, "throw", **FIRST) == "not_your_turn"
    assert t.refuses(seat, "refill") == "not_open"


def test_the_house_throws_no_dice():
    assert Table("classic", 3).refuses(None, "throw", **FIRST) == "not_your_turn"


@pytest.mark.parametrize("name", ["timeout", "leave"])
def test_a_player_gives_no_command_of_the_house(name):
    assert Table("classic", 3).refuses(0, name, seat=0) == "not_open"


def test_standing_before_the_first_throw():
    assert Table("classic", 2).refuses(0, "stand", **HIGH) == "throw_on"


def test_an_answer_to_an_earlier_decision():
    t = Table("classic", 2)
    basis = t.choice(0, "throw").opened_at
    t.throw(0, 2, 3, 5)
    assert t.refuses(0, "throw", basis, **FIRST) == "stale"
    assert t.refuses(0, "throw", t.choice(0, "throw").opened_at + 1, **FIRST) == "stale"


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"lay": []},
        {"lay": [], "turn": 0},
        {"lay": None, "turn": False},
        {"lay": ["1"], "turn": False},
        {"lay": [6], "turn": False},
        {"lay": [5, 1], "turn": False},
        {"lay": [1.0], "turn": False},
        {"lay": [True], "turn": False},
        {"lay": [1, 4, 5], "turn": False},
        {"lay": [], "turn": True},
        {"lay": [], "turn": False, "dice": [1, 1, 1]},
    ],
)
def test_arguments_that_no_choice_lists(args):
    t = Table("classic", 2)
    t.throw(0, 1, 4, 5)
    assert t.refuses(0, "throw", **args) == "bad_args"


@pytest.mark.parametrize(
    "args",
    [{}, {"ones": 10, "sixes": 60, "high": True}, {"ones": 100, "sixes": 60}, {**HIGH, "high": 1}],
)
def test_a_declaration_that_is_none(args):
    t = Table("classic", 2)
    t.throw(0, 1, 4, 5)
    assert t.refuses(0, "stand", **args) in ("bad_args",)


@pytest.mark.parametrize("name", ["", "roll", "Throw", "game_ended", "__class__"])
def test_a_command_that_is_none(name):
    assert Table("classic", 2).refuses(0, name) == "not_open"


def test_dice_that_may_not_be_kept_under_the_house_rules():
    t = Table("bavarian", 2)
    t.throw(0, 1, 5, 6)
    assert t.refuses(0, "throw", lay=[5], turn=False) == "bad_args"


def test_anything_after_the_end():
    t = Table("classic", 2, rounds=1)
    t.settle(high=0, low=1)
    assert t.refuses(1, "throw", **FIRST) == "game_over"
    assert t.refuses(None, "leave", seat=0) == "game_over"


def test_naming_somebody_who_is_not_there():
    t = Table("forfeits", 3)
    t.throw(0, 4, 4, 4)
    assert t.refuses(0, "name_loser", seat=3) == "bad_args"
    assert t.refuses(1, "name_loser", seat=0) == "not_open"
    assert t.refuses(0, "throw", **FIRST) == "not_open"


def test_one_players_only_is_no_game():
    with pytest.raises(ValueError, match="two players"):
        Table("classic", 1)

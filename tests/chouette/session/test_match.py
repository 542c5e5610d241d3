"""Money game and match play (docs/rules-chouette.md §§2, 8)."""

import pytest

from chouette.rules import rules
from games.kernel.dice import ScriptedDice
from tests.chouette.table import LONG_RACE, Table


def win(table, who, points):
    """Let `who` win a game of 1 or 2 points: the other resigns it, with a cube of 1."""
    loser = next(name for name in "WB" if name != who)
    if table.state.phase == "between":
        table.start(*((6, 1) if table.box == who else (1, 6)))
    table.do(loser, "resign", level=points)
    table.do(who, "answer_resignation", accept=True)


def doubling_is_on(table):
    """Tell whether the next game has doubling: look at it after two plays."""
    table.start(6, 1)
    table.move()
    on = table.stage == "window"
    table.double()
    table.play(2, 1)
    return on and "offer" in table.commands(table.box)


def score(table):
    view = table.look()
    return view["score"][table.seat("W")], view["score"][table.seat("B")]


def test_example_match_to_5():
    """2-0, 2-1, 4-1, Crawford game 4-2, 4-4 (doubling again), 6-4."""
    table = Table("WB", "match", match_length=5)
    games = [("W", 2, (2, 0)), ("B", 1, (2, 1)), ("W", 2, (4, 1)), ("B", 1, (4, 2)),
             ("B", 2, (4, 4)), ("W", 2, (6, 4))]  # fmt: skip
    crawford = []
    for winner, points, after in games:
        is_next = table.look()["crawford_next"]
        is_crawford = not doubling_is_on(table)
        assert table.look()["crawford"] == is_crawford == is_next
        assert not table.look()["crawford_next"], "this one runs"
        crawford.append(is_crawford)
        win(table, winner, points)
        assert score(table) == after
    assert crawford == [False, False, False, True, False, False]
    sheet = table.look()["sheet"]
    assert [row["crawford"] for row in sheet] == crawford
    seats = table.seat("W"), table.seat("B")
    scores = [tuple(row["score"][seat] for seat in seats) for row in sheet]
    assert scores == [after for _, _, after in games]
    assert table.look()["outcome"] == {"reason": "match_won", "winner": table.seat("W")}
    assert not table.look()["crawford_next"]


def test_a_match_to_1_asks_nobody_for_doubles():
    table = Table("WB", "match", match_length=1, grace_seconds=3)
    table.start(6, 1)
    table.move()
    for _ in range(4):
        roller = table.names[table.game["on_roll"]]
        other = next(name for name in "WB" if name != roller)
        assert table.required(roller) == ["roll"], "no cube, no offer"
        assert not {"cube", "offer", "wait", "auto"} & {*table.commands(roller), *table.commands(other)}
        table.do(roller, "roll", [2, 1])
        table.move()
    assert not table.look()["crawford"]


def test_a_match_to_1_at_a_real_board_offers_no_double():
    table = Table("WB", "match", match_length=1, board="wood")
    table.start()
    assert not any({"double", "offer"} & {*table.commands(name)} for name in "WB")


def test_the_crawford_game_is_only_one():
    table = Table("WB", "match", match_length=3)
    win(table, "W", 2)
    assert not doubling_is_on(table)
    win(table, "B", 2)
    assert doubling_is_on(table), "both need one point, and doubling is on again"


def test_a_match_to_1_has_no_crawford_game():
    table = Table("WB", "match", match_length=1)
    assert not table.look()["crawford_next"]
    assert not doubling_is_on(table)
    assert not table.look()["crawford"]
    win(table, "B", 1)
    assert table.look()["ended"]["winner"] == table.seat("B")
    assert [row["crawford"] for row in table.look()["sheet"]] == [False]


def test_no_jacoby_automatics_beavers_or_settlements_in_a_match():
    table = Table("WB", "match", jacoby=True, automatics="box_decides", beavers=True)
    table.start(3, 3)
    assert table.required("W") == ["opening_roll"]
    table.start(6, 1)
    assert len(table.options_of("B", "resign")) == 3
    assert table.choice("B", "propose") is None
    table.move()
    table.double("B")
    table.box_takes("B")
    assert table.required("B") == ["roll"]


def test_no_credit_beyond_n_matters_the_score_is_what_was_won():
    table = Table("WB", "match", match_length=1)
    win(table, "W", 3)
    assert score(table) == (3, 0)
    assert table.state.phase == "over"


def test_a_match_is_not_closed_but_whoever_leaves_has_lost_it():
    table = Table("WB", "match")
    assert table.refuses(None, "close") == "not_between_games"
    table.house("leave", "W")
    assert table.look()["outcome"] == {"reason": "too_few", "winner": table.seat("B")}


def test_a_match_has_no_corrections():
    table = Table("WB", "match")
    win(table, "W", 1)
    assert table.choice("W", "correct") is None


def test_the_two_keep_their_sides_of_the_board():
    table = Table("WB", "money")
    win(table, "B", 1)
    assert table.line == "WB"


def test_a_money_game_goes_on_until_it_is_closed():
    table = Table("WB", "money", position=LONG_RACE)
    for _ in range(3):
        table.start()
        table.double("B")
        table.box_takes("")
    assert table.totals == {"W": -3, "B": 3}
    table.house("close")
    assert table.state.phase == "over"


def test_of_more_than_two_the_two_who_roll_highest_play_and_the_others_watch():
    options = rules.options().values("match")
    state = rules.initial(options, 3)
    for event in rules.open(options, 3, ScriptedDice([2, 6, 5])).events:
        state = rules.fold(state, event, 1)
    assert state.line == (1, 2)
    assert rules.view(state, 0)["seats"][0]["status"] == "watching"
    assert rules.choices(state, 0) == ()


@pytest.mark.parametrize("seats", [0, 1, 11])
def test_backgammon_takes_2_to_10_players(seats):
    with pytest.raises(ValueError, match="2 to 10"):
        rules.initial(rules.options().values("german"), seats)

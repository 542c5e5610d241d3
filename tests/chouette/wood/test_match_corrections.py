"""A wrong result of a game of a match on a real board is put right, and score, Crawford game and end follow (§8)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chouette.rules import rules
from games.kernel.contract import Command
from tests.chouette.table import NoDice, Table, of, types

REASON = "Told the wrong way round"


def match_to(points):
    return Table("WB", "match", board="wood", match_length=points)


def play(table, who, level=1, cube=1):
    """Play a game that `who` wins: the sides double in turn up to `cube`, the Captain first."""
    if table.look()["phase"] == "between":
        table.start()
    value, doubler = 1, table.captain
    while value < cube:
        other = turn_cube(table, doubler)
        value, doubler = value * 2, other
    side = "box" if who == table.box else "team"
    return table.do(None, "state_result", winner=side, level=level)


def turn_cube(table, doubler):
    """Let one double and the other take; return the other."""
    if doubler == table.captain:
        table.double(doubler)
        table.box_takes(doubler)
        return table.box
    table.offer(table.captain)
    table.answers(**{table.captain: True})
    return table.captain


def args_of(table, number, who, level=1, cube=1):
    row = next(row for row in table.look()["sheet"] if row["game"] == number)
    told = {"winner": table.seat(who), "level": level, "cube": cube}
    return {"seat": None, "of": row["seq"], "told": told, "reason": REASON}


def correct(table, number, who, level=1, cube=1):
    return table.do(None, "correct_result", **args_of(table, number, who, level, cube))


def score(table):
    view = table.look()
    return view["score"][table.seat("W")], view["score"][table.seat("B")]


def rows(table):
    """Return (winner's points, is Crawford, is struck) of each game, W's points with a plus."""
    seat = table.seat("W")
    found = []
    for row in table.look()["sheet"]:
        won = sum(t["points"] if t["payee"] == seat else -t["points"] for t in row["transfers"])
        found.append((won, row["crawford"], row["struck"]))
    return found


def test_the_right_winner_takes_the_rows_place_and_score_and_crawford_game_follow():
    table = match_to(5)
    play(table, "W", 2, 2)  # 4-0
    play(table, "W")  # the Crawford game: won, 5-0
    assert table.look()["ended"]["winner"] == table.seat("W")
    events = correct(table, 1, "B", 2, 2)
    assert types(events) == ["result_corrected", "match_reopened"]
    assert score(table) == (1, 4)
    assert rows(table) == [(-4, False, False), (1, True, False)]
    assert table.look()["phase"] == "between" and table.look()["ended"] is None
    table.start()
    assert not table.look()["crawford"], "the Crawford game has been played"


def test_a_running_game_becomes_the_crawford_game_or_is_none_any_more():
    table = match_to(5)
    play(table, "W", 1)
    table.start()
    assert "double" in table.commands(table.captain)
    correct(table, 1, "W", 2, 2)
    assert table.look()["crawford"]
    assert not {"double"} & set(table.commands(table.captain)), "nobody doubles in it"
    correct(table, 1, "W", 2)
    assert not table.look()["crawford"]
    assert "double" in table.commands(table.captain)
    assert table.refuses(table.box, "take_back") == "not_open", "what was done before is final"


def test_a_doubled_game_does_not_become_the_crawford_game():
    table = match_to(5)
    play(table, "W")
    play(table, "B", 1, 2)
    refused = args_of(table, 1, "W", 2, 2)
    assert table.refuses(None, "correct_result", **refused) == "crawford_doubled"
    correct(table, 2, "B", 1, 1)
    correct(table, 1, "W", 2, 2)
    assert rows(table) == [(4, False, False), (-1, True, False)]


def test_a_running_game_with_a_double_does_not_become_the_crawford_game_until_it_is_taken_back():
    table = match_to(5)
    play(table, "W")
    table.start()
    table.double(table.captain)
    refused = args_of(table, 1, "W", 2, 2)
    assert table.refuses(None, "correct_result", **refused) == "crawford_doubled"
    table.box_takes(table.captain)
    assert table.refuses(None, "correct_result", **refused) == "crawford_doubled"
    for _ in range(2):
        table.house("take_back", table.names[table.state.acts[-1].seat])
    correct(table, 1, "W", 2, 2)
    assert table.look()["crawford"]


def test_at_one_away_a_correction_moves_the_crawford_game():
    table = match_to(3)
    play(table, "W", 2)  # 2-0
    play(table, "B")  # the Crawford game, 2-1
    play(table, "B")  # 2-2
    assert [crawford for _, crawford, _ in rows(table)] == [False, True, False]
    correct(table, 1, "W")  # 1-0, 1-1, 1-2
    assert [crawford for _, crawford, _ in rows(table)] == [False, False, False]
    assert score(table) == (1, 2)
    table.start()
    assert table.look()["crawford"], "now B needs one point for the first time"


def test_a_correction_ends_the_match_earlier_and_strikes_the_games_after_it():
    table = match_to(3)
    play(table, "W")
    play(table, "B", 2)
    play(table, "W")  # the Crawford game
    table.start()
    events = correct(table, 2, "W", 2)
    assert of(events, "session_ended") == {"reason": "match_won", "winner": table.seat("W")}
    assert rows(table) == [(1, False, False), (2, False, False), (1, False, True)]
    assert score(table) == (3, 0) and table.look()["totals"][table.seat("W")] == 3
    assert table.look()["sheet"][-1]["points"] == [0, 0]
    assert rules.is_over(table.state) and not table.commands("W")
    # And back: the struck game counts again, the dropped one is played anew.
    correct(table, 2, "B", 2)
    assert rows(table) == [(1, False, False), (-2, False, False), (1, True, False)]
    assert score(table) == (2, 2)
    events = table.start()
    assert of(events, "game_started")["number"] == 4


def test_the_other_has_won_by_a_correction_of_the_last_game():
    table = match_to(2)
    play(table, "W")
    play(table, "B")
    play(table, "W")
    events = correct(table, 3, "B")
    assert of(events, "session_ended")["winner"] == table.seat("B")
    assert score(table) == (1, 2)


def test_who_has_left_a_match_has_lost_it_whatever_the_score():
    table = match_to(5)
    play(table, "W", 2)
    table.house("leave", "W")
    assert table.look()["outcome"] == {"reason": "too_few", "winner": table.seat("B")}
    number = table.look()["sheet"][0]["game"]
    assert types(correct(table, number, "B")) == ["result_corrected"]
    assert table.look()["outcome"] == {"reason": "too_few", "winner": table.seat("B")}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"of": 1}, "bad_args"),
        ({"of": True}, "bad_args"),
        ({"seat": 2}, "bad_args"),
        ({"reason": " "}, "bad_args"),
        ({"reason": "x" * 201}, "bad_args"),
        ({"told": {"winner": 2, "level": 1, "cube": 1}}, "bad_args"),
        ({"told": {"winner": 0, "level": 4, "cube": 1}}, "bad_args"),
        ({"told": {"winner": 0, "level": 1, "cube": 3}}, "bad_args"),
        ({"told": {"winner": 0, "level": 1, "cube": 2**16}}, "bad_args"),
        ({"told": {"winner": False, "level": 1, "cube": 1}}, "bad_args"),
        ({"told": {"winner": 0, "level": 1}}, "bad_args"),
        ({"told": 5}, "bad_args"),
        ({"more": 1}, "bad_args"),
    ],
)
def test_a_correction_that_names_no_possible_result_is_refused(changes, code):
    table = match_to(5)
    play(table, "B")
    args = {**args_of(table, 1, "W"), **changes}
    assert table.refuses(None, "correct_result", **args) == code


def test_the_result_as_it_stands_is_no_correction():
    table = match_to(5)
    play(table, "B", 2)
    assert table.refuses(None, "correct_result", **args_of(table, 1, "B", 2)) == "no_change"


def test_only_the_house_corrects_and_only_where_results_are_told():
    table = match_to(5)
    assert "correct_result" not in table.commands(None), "no game has been played"
    play(table, "W")
    assert "correct_result" in table.commands(None)
    assert table.refuses("W", "correct_result", **args_of(table, 1, "B")) == "not_open"
    other = Table("ABC", "german", board="wood")
    other.start()
    other.do(None, "state_result", winner="box", level=1)
    assert "correct_result" not in other.commands(None) and "correct" in other.commands(None)


def test_the_outcome_is_what_moves_in_all_with_the_right_figures_of_each_game():
    table = match_to(3)
    play(table, "W")
    play(table, "B", 2)
    play(table, "W")
    seqs = [row["seq"] for row in table.look()["sheet"]]
    (event,) = [e for e in correct(table, 2, "W", 2) if e.type == "result_corrected"]
    found = rules.outcome(event)
    w, b = table.seat("W"), table.seat("B")
    assert found.is_correction and found.note == REASON
    assert found.points == {w: 4 - 1, b: -4 + 1}, "the second game moves 4, the struck third one goes"
    assert sorted(found.amended) == seqs[1:]
    second, third = found.amended[seqs[1]], found.amended[seqs[2]]
    assert second.stats[w] == {"played": 1, "won": 1, "gammons": 1} and second.ranking == ((w,), (b,))
    assert third.stats[w] == third.stats[b] == {"played": 0, "won": 0, "gammons": 0}


# A match with corrections is the match played with the right results from the start.

results = st.tuples(st.sampled_from("WB"), st.sampled_from([1, 1, 1, 2, 3]), st.sampled_from([1, 1, 2, 4]))
games = st.tuples(st.just("game"), results)
changes = st.tuples(st.integers(1, 8), results)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 7), st.lists(st.one_of(games, changes), min_size=2, max_size=14))
def test_a_match_with_corrections_is_the_match_played_right_from_the_start(length, acts):
    table, right = match_to(length), []
    for what, (who, level, cube) in acts:
        if what == "game":
            tell(table, right, who, level, cube)
        elif right:
            number = min(what, len(right))
            try_to_correct(table, right, number, (who, level, cube))
    twin = played_right(length, right)
    assert twin is not None
    compare(table, twin)
    if not rules.is_over(table.state):
        if table.look()["phase"] == "between":
            table.start()
        twin.start()
        assert table.look()["crawford"] == twin.look()["crawford"]
        assert ("double" in table.commands(table.captain)) == ("double" in twin.commands(twin.captain))
    assert rules.faults(table.state) == ()


def tell(table, right, who, level, cube):
    """Play a game with a result that it can have, if the match is not over."""
    if rules.is_over(table.state):
        return
    if table.look()["phase"] == "between":
        table.start()
    has_cube = "double" in table.commands(table.captain)
    cube = cube if has_cube else 1
    play(table, who, level, cube)
    right.append((who, level, cube))


def try_to_correct(table, right, number, told):
    """Correct a game, or be refused for a reason that holds."""
    before = table.state
    if table.options["match_length"] == 1:
        told = (*told[:2], 1)
    wanted = [told if n == number else one for n, one in enumerate(right, 1)]
    args = args_of(table, number, *told)
    example = table.choice(None, "correct_result").options[0]
    table_accepts(table, example)
    if right[number - 1] == told:
        assert table.refuses(None, "correct_result", **args) == "no_change"
    elif played_right(table.options["match_length"], wanted) is None:
        assert table.refuses(None, "correct_result", **args) == "crawford_doubled"
    else:
        correct(table, number, *told)
        right[:] = wanted
        return
    assert table.state == before


def table_accepts(table, args):
    """The listed example is accepted; nothing of it is kept."""
    rules.decide(table.state, Command("correct_result", None, args), NoDice(), len(table.log) + 1)


def played_right(length, right):
    """Return a match played with these results until it is over; None if one of them can't be played."""
    twin = match_to(length)
    for who, level, cube in right:
        if rules.is_over(twin.state):
            break
        twin.start()
        if cube > 1 and "double" not in twin.commands(twin.captain):
            return None
        play(twin, who, level, cube)
    return twin


def compare(table, twin):
    """The rows that count, score, line, Crawford state and end are the same."""
    assert [row for row in rows(table) if not row[2]] == rows(twin)
    assert score(table) == score(twin)
    mine, theirs = table.look(), twin.look()
    for name in ("ended", "line", "totals", "crawford"):
        assert mine[name] == theirs[name], name
    assert table.state.crawford == twin.state.crawford
    if mine["sheet"] and not mine["sheet"][-1]["struck"]:
        for name in ("winner", "points", "why", "number"):
            assert mine["last_game"][name] == theirs["last_game"][name], name

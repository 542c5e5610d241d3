"""A bot that moves for its side listens to suggestions by its own judgement, and asks where the side disagrees."""

import copy

import pytest

from chouette.bot import bots, listening
from chouette.bot.evaluator import embedded
from chouette.bot.judges import NEAR, NetJudge
from chouette.rules import rules
from tests.chouette.table import Table


def rolled(names="BCAD", dice=(1, 6), **changes):
    """Return a table with the Captain's roll on the board."""
    table = Table(names, **changes)
    table.start(*dice)
    return table


def move_of(table, level="net"):
    """Return what a bot in the Captain's place plays."""
    seat = table.game["on_roll"]
    choices = [choice for choice in rules.choices(table.state, seat) if choice.required]
    return bots.choose(rules.view(table.state, seat), choices, level, 1)[1]["play"]


def ranked(table, level="net"):
    seat = table.game["on_roll"]
    view = rules.view(table.state, seat)
    options = next(choice for choice in rules.choices(table.state, seat) if choice.name == "move").options
    return [(options[i]["play"], worth) for i, worth in NetJudge(embedded(), level, 1).ranked(view, options)]


def near_and_far(table):
    """Return the bot's own best play, another about as good, and a bad one."""
    found = ranked(table)
    best, worth = found[0]
    near = next(play for play, each in found[1:] if each >= worth - NEAR["net"])
    far = next(play for play, each in found if each < worth - 2 * NEAR["net"])
    return best, near, far


CLOSE = (1, 2)
"""An opening roll with plays that are close to each other."""


def test_a_suggestion_about_as_good_as_its_own_play_is_followed_and_a_bad_one_is_not():
    table = rolled(dice=CLOSE)
    best, near, far = near_and_far(table)
    assert move_of(table) == best
    table.do("A", "suggest", play=far)
    assert move_of(table) == best
    table.do("A", "suggest", play=near)
    assert move_of(table) == near


def test_of_several_good_suggestions_the_one_with_more_voices_is_played():
    table = rolled("BCADE", dice=CLOSE)
    best, near, _ = near_and_far(table)
    table.do("A", "suggest", play=best)
    for who in "DE":
        table.do(who, "suggest", play=near)
    assert move_of(table) == near


def ask(table, level="net"):
    seat = table.game["on_roll"]
    choices = [choice for choice in rules.choices(table.state, seat) if not choice.required]
    return bots.aside(rules.view(table.state, seat), choices, level, 1)


def test_where_the_team_disagrees_the_captain_asks_once_and_a_bot_gives_its_voice():
    table = rolled("BCADE", dice=CLOSE)
    best, near, _ = near_and_far(table)
    table.do("A", "suggest", play=best)
    assert ask(table) is None, "one voice is no disagreement"
    table.do("D", "suggest", play=near)
    name, args = ask(table)
    assert name == "say"
    assert args["text"].startswith("2-1: ")
    assert best in args["text"]
    assert near in args["text"]
    table.do("C", "say", **args)
    assert ask(table) is None
    choices = [choice for choice in rules.choices(table.state, table.seat("E")) if not choice.required]
    found = bots.aside(table.look("E"), choices, "net", 1)
    assert found == ("suggest", {"play": best}), "drawn already, and yet a voice"
    table.do("E", *found[:1], **found[1])
    assert move_of(table) == best


def test_a_disagreement_that_its_own_judgement_settles_is_no_question():
    table = rolled("BCADE", dice=CLOSE)
    best, _, far = near_and_far(table)
    table.do("A", "suggest", play=best)
    table.do("D", "suggest", play=far)
    assert ask(table) is None
    assert move_of(table) == best


def test_a_member_whose_advice_is_not_open_is_asked_where_the_captain_may():
    table = rolled("BCADE", dice=CLOSE, consultation="own_cube_turned", captain_may_ask=True)
    seat = table.game["on_roll"]
    view = copy.deepcopy(rules.view(table.state, seat))
    best, near, _ = near_and_far(table)
    view["me"]["suggestions"] = [{"seat": 0, "play": best}, {"seat": 3, "play": near}]
    by_name = {choice.name: choice for choice in rules.choices(table.state, seat) if not choice.required}
    name, args = listening.question(NetJudge(embedded(), "net", 1), view, by_name)
    assert name == "ask_advice"
    assert args in by_name["ask_advice"].options


def waiting(table):
    seat = table.game["on_roll"]
    return listening.listens(rules.view(table.state, seat), list(rules.choices(table.state, seat)))


def test_the_captain_waits_shortly_for_who_may_suggest_and_longer_for_an_answer():
    table = rolled("BCAD", dice=CLOSE)
    best, near, _ = near_and_far(table)
    seats = {table.seat("A"), table.seat("D")}
    found, seconds = waiting(table)
    assert (set(found), seconds) == (seats, listening.LISTEN_SECONDS)
    table.do("A", "suggest", play=best)
    assert list(waiting(table)[0]) == [table.seat("D")]
    table.do("D", "suggest", play=near)
    assert not waiting(table)[0]
    table.do("C", "say", **ask(table)[1])
    found, seconds = waiting(table)
    assert (set(found), seconds) == (seats, listening.ANSWER_SECONDS)
    table.do("A", "say", text="Your choice.")
    assert not waiting(table)[0]


@pytest.mark.parametrize("rights", ["none", "own_cube_turned"])
def test_nobody_is_waited_for_where_nobody_may_suggest(rights):
    assert not waiting(rolled("BCAD", dice=CLOSE, consultation=rights))[0]


def test_nobody_is_waited_for_against_the_box_alone():
    assert not waiting(rolled("BC", dice=CLOSE))[0]

"""What bots do though nobody waits for it, and that they come to rest."""

import copy
import random

import pytest

from chouette.bot import bots, cube_decisions, optional_acts, weighing
from chouette.bot.evaluator import embedded
from chouette.rules import rules
from chouette.rules.options.declaration import OPTIONS
from chouette.rules.session import consultation
from chouette.rules.session.consultation import PHRASES
from tests.chouette.botplay import session
from tests.chouette.positions import placed
from tests.chouette.sessions import Session, house_rules
from tests.chouette.table import LONG_RACE, Table

LEFT_ALONE = {"auto", "correct", "name_proxy", "take_back", "end_game"}


def act(table, who, level="net", seed=1):
    """Let a bot in a seat do something aside; return what."""
    seat = table.seat(who)
    choices = [c for c in rules.choices(table.state, seat) if not c.required]
    found = bots.aside(table.look(who), choices, level, seed)
    if found is not None:
        table.do(who, found[0], **found[1])
    return found


def is_free(name, args):
    """Tell whether an act is of the kind that is not listed in full: a line of talk, the points of a settlement."""
    return consultation.is_text(args) if name == "say" else name == "propose" and type(args["points"]) is int


def captains_race(captain, box=2, **changes):
    """A race with the Captain on roll: checkers by point, the Box has a few on its ace point."""
    return Table("BCA", position=placed(**captain, p24=-box), **changes)


def test_what_a_bot_does_aside_is_listed_and_never_more_than_a_few_things():
    seen = set()
    for seed in range(60):
        rng = random.Random(seed)
        table = Session(rng, house_rules(rng), rng.choice([3, 4, 5]))
        while not rules.is_over(table.state) and len(table.log) < 60:
            for seat in range(len(table.state.players)):
                choices = list(rules.choices(table.state, seat))
                view, level = rules.view(table.state, seat), rng.choice(bots.LEVELS)
                found = bots.aside(view, choices, level, seed)
                if found is not None:
                    by_name = {c.name: c for c in choices if not c.required}
                    assert found[1] in by_name[found[0]].options or is_free(*found)
                    seen.add(found[0])
            table.act()
    assert seen >= {"suggest", "say", "answer_proposal", "answer_take_back", "resign"}
    assert not seen & LEFT_ALONE


def test_bots_alone_come_to_rest_after_every_entry():
    """The table of bots fails if a seat does more than three things before the next decision."""
    options = OPTIONS.values("german", {"max_players": 10})
    table = session(options, ["net", "noisy", "lookahead"] * 2, 4, 4)
    assert table.asides["suggest"] > 20
    assert 0 < table.asides["say"] < 40
    assert set(table.asides) <= {"suggest", "say", "resign", "cube", "propose", "answer_proposal"}


def test_bots_advise_only_where_the_house_rule_lets_them():
    for advice in (True, False):
        table = Table("BCAD", bot_advice=advice)
        table.start(1, 6)
        assert (act(table, "A") is not None) is advice
    options = OPTIONS.values("german", {"max_players": 10, "bot_advice": False})
    table = session(options, ["net", "noisy", "lookahead"], 3, 4)
    assert set(table.asides) <= {"resign", "cube", "propose", "answer_proposal"}
    texts = {line.option: line.sentence for line in OPTIONS.card(options)}
    assert texts["bot_advice"] == "Bots in the Team give no advice."


def test_a_member_suggests_its_play_once_a_roll_and_not_what_is_drawn_already():
    table = Table("BCAD")
    table.start(1, 6)
    assert act(table, "A") == ("suggest", {"play": "13/7 8/7"})
    assert act(table, "A") is None
    assert act(table, "D") is None
    assert [line["seat"] for line in table.look("C")["me"]["suggestions"]] == [0]


def test_nobody_suggests_where_advice_is_not_allowed():
    table = Table("BCAD", consultation="none")
    table.start(1, 6)
    assert act(table, "A") is None


def test_a_member_says_once_that_it_would_double_while_others_think():
    table = Table("BCAD", position=placed(p6=5, p5=5, p4=5, p19=-15, p1=0))
    table.start()
    assert act(table, "A") == ("say", {"text": "I would double."})
    assert act(table, "A")[0] == "cube", "it speaks for its own cube, too"
    assert act(table, "A") is None
    assert act(table, "D")[0] == "cube", "the other has just been said"
    assert [line["text"] for line in table.look("D")["me"]["talk"]] == ["I would double."]


def test_a_member_says_what_it_would_answer_while_others_think():
    table = Table("BCAD", position=LONG_RACE)
    table.start()
    table.next_turn()
    table.offer("CAD")
    found = act(table, "A")
    assert found and found[1]["text"] in (optional_acts.TAKES, optional_acts.DROPS)
    assert act(table, "A") is None


def test_what_is_said_is_among_the_phrases():
    assert {optional_acts.DOUBLES, optional_acts.TAKES, optional_acts.DROPS} <= set(PHRASES)


@pytest.mark.parametrize(
    ("captain", "jacoby", "level"),
    [
        ({"p6": 10}, True, 1),
        ({"p13": 15}, True, 1),
        ({"p13": 15}, False, 2),
        ({"p20": 15}, False, 3),
        ({"p6": 15}, False, None),
        ({"p2": 4}, True, None),
    ],
)
def test_a_lost_race_is_given_up_for_what_it_costs(captain, jacoby, level):
    """Under Jacoby a gammon costs nothing on an unturned cube; where it is open, play goes on."""
    table = captains_race(captain, box=4, jacoby=jacoby)
    table.start()
    found = act(table, "C")
    assert found == (level and ("resign", {"level": level}))
    if level:
        assert rules.view(table.state, 1)["game"]["resignation"]["level"] == level
        seen = bots.choose(table.look("B"), list(rules.choices(table.state, 1)), "net", 1)
        assert seen == ("answer_resignation", {"accept": True})


def test_nobody_resigns_on_the_other_sides_turn_or_again_in_the_same_turn():
    table = captains_race({"p6": 8}, box=15)
    table.start()
    assert act(table, "B") is None
    lost = captains_race({"p6": 8})
    lost.start()
    assert act(lost, "C") == ("resign", {"level": 1})
    lost.do("B", "answer_resignation", accept=False)
    assert act(lost, "C") is None


def test_a_settlement_is_judged_after_the_roll():
    """The Captain wins with a double alone, so for nothing the Box settles when it falls."""
    table = Table("BC", position=placed(p2=4, p24=-2))
    table.start()
    table.do("C", "propose", cube=0, points=0)
    assert act(table, "B") == ("answer_proposal", {"cube": 0, "accept": False})
    table.double()
    table.do("C", "roll", (6, 6))
    table.do("C", "propose", cube=0, points=0)
    assert act(table, "B") == ("answer_proposal", {"cube": 0, "accept": True})


def test_a_settlement_is_taken_when_it_is_worth_as_much_as_playing_on():
    table = captains_race({"p6": 4}, box=2)
    table.start()
    table.do("C", "propose", cube=table.cube("C"), points=-1)
    assert act(table, "B") == ("answer_proposal", {"cube": table.cube("C"), "accept": True})
    table.do("A", "propose", cube=table.cube("A"), points=1)
    assert act(table, "B") == ("answer_proposal", {"cube": table.cube("A"), "accept": False})


def last_roll(value):
    """Return the Box's view and open acts; the Captain wins with 10 rolls of 36."""
    table = Table("BCA", position=placed(p6=1, p3=1, p24=-1))
    table.start()
    view = copy.deepcopy(table.look("B"))
    for cube in view["game"]["cubes"]:
        cube.update(value=value, owner="against", turned=True)
    choices = [c for c in rules.choices(table.state, table.seat("B")) if not c.required]
    return view, choices


def test_the_box_proposes_whole_points_by_which_both_sides_gain_certainty():
    view, choices = last_roll(16)
    name, args = bots.aside(view, choices, "net", 1)
    assert name == "propose"
    judgement = cube_decisions.judge(view, embedded(), looks_ahead=False)
    fair = -judgement.value(args["cube"], "box")
    assert type(args["points"]) is int
    assert abs(args["points"] - fair) < weighing.certainty(judgement, args["cube"])


def test_the_box_proposes_nothing_for_small_cubes_and_once_between_two_plays():
    view, choices = last_roll(2)
    assert (bots.aside(view, choices, "net", 1) or ("",))[0] != "propose"
    view, choices = last_roll(16)
    view["me"]["closed"] = [{"what": "settlement", "became": "refused", "cube": 0, "by": 2}]
    assert (bots.aside(view, choices, "net", 1) or ("",))[0] != "propose"


def test_a_settlement_is_worth_its_certainty_and_nothing_more():
    """A result that is certain has no price beyond its points; an open one a little."""
    race = captains_race({"p6": 6}, box=2)
    race.start()
    certain = cube_decisions.judge(race.look("B"), embedded(), looks_ahead=True)
    assert weighing.certainty(certain, 0) == pytest.approx(0, abs=1e-3)
    view, _ = last_roll(2)
    even = cube_decisions.judge(view, embedded(), looks_ahead=True)
    assert 0.02 < weighing.certainty(even, 0) <= weighing.RISK * 2


def test_a_play_asked_back_is_given_back():
    table = Table("BCA")
    table.start(6, 1)
    table.move("13/7 8/7")
    table.do("B", "take_back")
    assert act(table, "C") == ("answer_take_back", {"accept": True})


def test_a_bot_captain_does_not_roll_over_an_open_request_to_take_back():
    """It leaves the members who have not answered yet their time: a roll would end the request."""
    table = Table("BCAD")
    table.start(6, 1)
    table.move("13/7 8/7")

    def waits(who):
        return bots.waits(table.look(who), list(rules.choices(table.state, table.seat(who))))

    assert not waits("C")
    table.do("B", "take_back")
    table.do("C", "answer_take_back", accept=True)
    assert all(waits(who) for who in "CAD"), "a double would end it, too"
    table.do("A", "answer_take_back", accept=False)
    assert not waits("C")


def test_a_bot_speaks_in_a_window_before_the_captain_rolls_and_once():
    table = Table("BCA", position=LONG_RACE, grace_seconds=10)
    table.start()
    assert table.required("A") == []
    while "cube" not in (found := act(table, "A")):
        assert found[0] == "say"
    assert table.look("A")["me"]["words"] != []
    assert act(table, "A") is None

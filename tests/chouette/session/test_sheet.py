"""The score sheet, settling, resigning, taking back (docs/rules-chouette.md §6)."""

import pytest

from chouette.rules import rules
from tests.chouette.table import LONG_RACE, TEAM_WINS, Table, of, types


def opened(line="ABCD", position=LONG_RACE, **changes):
    table = Table(line, position=position, **{"uniform_response": "none", **changes})
    table.start()
    return table


def test_a_row_for_each_game_with_running_totals_and_the_check():
    table = opened(position=TEAM_WINS)
    for line in ("ABCD", "BCDA"):
        assert table.line == line
        table.double("C" if line == "ABCD" else "")
        if table.stage == "answers":
            table.box_takes("C")
        table.play(2, 1)
        table.start()
    rows = table.look()["sheet"]
    assert [row["points"] for row in rows] == [[-4, 1, 2, 1], [1, -3, 1, 1]]
    assert [row["totals"] for row in rows] == [[-4, 1, 2, 1], [-3, -2, 3, 2]]
    assert [row["check"] for row in rows] == [0, 0]
    assert [(row["line"], row["winner"]) for row in rows] == [
        ([0, 1, 2, 3], "team"),
        ([1, 2, 3, 0], "team"),
    ], "whose Box it was, and who won"


def test_results_are_stored_as_transfers_with_payer_payee_points_and_why():
    table = opened()
    table.double("C")
    table.box_takes("")
    table.play(2, 1)
    table.do("A", "resign", level=1)
    table.do("B", "answer_resignation", accept=True)
    table.do("D", "answer_resignation", accept=True)
    assert table.look()["sheet"][0]["transfers"] == [
        {"payer": 0, "payee": 1, "points": 1, "why": "resigned"},
        {"payer": 0, "payee": 2, "points": 1, "why": "dropped"},
        {"payer": 0, "payee": 3, "points": 1, "why": "resigned"},
    ]


def ended():
    table = opened(position=TEAM_WINS)
    table.double()
    table.play(2, 1)
    return table


def test_corrections_are_new_rows_with_a_reason_and_who_made_them():
    table = ended()
    table.do("A", "correct", payer=0, payee=1, points=2, reason="The gammon was forgotten.")
    row = table.look()["sheet"][-1]
    assert (row["game"], row["by"], row["reason"]) == (None, 0, "The gammon was forgotten.")
    assert (row["points"], row["check"]) == ([-2, 2, 0, 0], 0)
    assert table.totals == {"A": -5, "B": 3, "C": 1, "D": 1}


def test_a_players_correction_lowers_nobodys_total_but_their_own_and_by_no_more_than_the_largest_result():
    table = ended()
    assert table.last_row == {"A": -3, "B": 1, "C": 1, "D": 1}
    assert table.refuses("C", "correct", payer=0, payee=1, points=1, reason="Mine!") == "bad_args"
    assert table.refuses("A", "correct", payer=0, payee=1, points=4, reason="Too much") == "bad_args"
    table.do("A", "correct", payer=0, payee=1, points=3, reason="As much as a game was worth")


def test_what_all_have_agreed_to_or_the_host_says_the_house_writes_on_the_sheet_at_any_time():
    table = ended()
    args = {"seat": None, "points": {"0": -5, "1": -2, "3": 7}, "reason": "x" * 200}
    for wrong in (
        {"points": {"0": -5, "3": 4}}, {"points": {}}, {"points": {"9": 1, "0": -1}}, {"points": {"0": True, "1": -1}},
        {"points": {"0": 0, "1": 0}}, {"reason": " "}, {"reason": "x" * 201}, {"seat": 9}, {"seat": True},
    ):  # fmt: skip
        assert table.refuses(None, "correct", **{**args, **wrong}) == "bad_args"
    table.start()
    table.do(None, "correct", **args)
    row = table.look()["sheet"][-1]
    assert (row["points"], row["by"], row["check"]) == ([-5, -2, 0, 7], None, 0)
    table.double()
    table.play(2, 1)
    assert table.look()["last_game"]["number"] == 2


@pytest.mark.parametrize(
    "changed",
    [{"payer": 1}, {"payee": 9}, {"payee": 0}, {"points": 0}, {"points": True}, {"reason": " "}, {"reason": 3},
     {"reason": "x" * 81}, {"points": 10**7}, {"payer": -1}],
)  # fmt: skip
def test_a_correction_that_says_nothing_is_refused(changed):
    args = {"payer": 0, "payee": 1, "points": 2, "reason": "Because."}
    assert ended().refuses("A", "correct", **{**args, **changed}) == "bad_args"


# Settlement.


def settled(proposer, answerer, member, points, **changes):
    table = opened(**changes)
    cube = table.cube(member)
    table.do(proposer, "propose", cube=cube, points=points)
    table.do(answerer, "answer_proposal", cube=cube, accept=True)
    return table


@pytest.mark.parametrize("points", [3, 0, -2, 77])
def test_box_and_a_member_may_settle_a_cube_for_any_signed_points_by_consent(points):
    for pair in ("AC", "CA"):
        table = settled(*pair, "C", points)
        cube = table.game["cubes"][table.cube("C")]
        assert (cube["result"], cube["how"]) == (points, "settled")
        assert table.role("C") == "out"


def test_nobody_else_settles_it_or_sees_the_proposal():
    table = opened()
    table.do("A", "propose", cube=table.cube("C"), points=1)
    assert [bool(table.look(n)["game"]["proposals"]) for n in "ABCD"] == [True, False, True, False]
    assert table.refuses("B", "propose", cube=table.cube("C"), points=1) == "bad_args"
    assert table.refuses("B", "answer_proposal", cube=table.cube("C"), accept=True) == "not_open"
    assert table.refuses("A", "answer_proposal", cube=table.cube("C"), accept=True) == "not_open"


def test_everybody_reads_who_is_asked_to_settle_and_to_give_a_play_back_and_nobody_else_the_points():
    table = opened()
    asked = [{"what": "settlement", "by": table.seat("A"), "to": [table.seat("C")]}]
    table.do("A", "propose", cube=table.cube("C"), points=1)
    assert [table.look(name)["game"]["requests"] for name in "ABCD"] == [asked] * 4
    assert rules.view(table.state, None)["game"]["requests"] == asked
    events = table.log[-1].events
    told = [event for event in events if event.is_for(table.seat("B"))]
    assert [event.type for event in told] == ["settlement_asked"] and "points" not in told[0].data
    table.do("C", "answer_proposal", cube=table.cube("C"), accept=False)
    assert rules.view(table.state, None)["game"]["requests"] == []
    table.play(2, 1)
    table.do("B", "take_back")
    [request] = rules.view(table.state, None)["game"]["requests"]
    assert request == {"what": "take_back", "by": table.seat("B"), "to": [table.seat("A")]}
    table.do("A", "answer_take_back", accept=True)
    assert rules.view(table.state, None)["game"]["requests"] == []


def test_a_proposal_ends_with_a_refusal_or_the_next_roll():
    table = opened()
    table.do("A", "propose", cube=table.cube("C"), points=1)
    table.do("C", "answer_proposal", cube=table.cube("C"), accept=False)
    assert table.choice("C", "answer_proposal") is None
    table.do("A", "propose", cube=table.cube("C"), points=2)
    table.double()
    table.do("B", "roll", [2, 1])
    assert table.choice("C", "answer_proposal") is None


@pytest.mark.parametrize("points", [1.0, True, None, "1", 10**6])
def test_a_settlement_is_whole_points(points):
    table = opened()
    assert table.refuses("A", "propose", cube=table.cube("C"), points=points) == "bad_args"


@pytest.mark.parametrize(("points", "box"), [(1, "B"), (-1, "A"), (0, "A")])
def test_after_a_box_captain_settlement_the_one_who_pays_has_lost_and_0_keeps_the_box(points, box):
    table = settled("A", "B", "B", points)
    assert table.captain == "C"
    table.do("A", "resign", level=1)
    table.do("C", "answer_resignation", accept=True)
    table.do("D", "answer_resignation", accept=True)
    assert table.line[0] == box


def test_without_settlements_there_are_none():
    table = opened(settlements=False)
    assert table.choice("A", "propose") is None


# Resignation.


def test_the_box_offers_1_2_or_3_times_the_cube_each_member_answers_for_themselves():
    table = opened(jacoby=False)
    assert table.options_of("A", "resign") == [{"level": 1}, {"level": 2}, {"level": 3}]
    table.do("A", "resign", level=2)
    assert [table.required(name) for name in "BCD"] == [["answer_resignation"]] * 3
    table.do("C", "answer_resignation", accept=True)
    table.do("B", "answer_resignation", accept=False)
    table.do("D", "answer_resignation", accept=False)
    assert table.game["cubes"][table.cube("C")]["result"] == 2
    assert [table.role(name) for name in "BCD"] == ["captain", "out", "member"]
    assert table.stage == "window"


def test_a_resignation_is_settled_at_one_moment_whoever_answers_first():
    """Else the slowest to accept would be the last Captain, and Box of the next game."""
    for order in ("BCD", "DCB", "CBD"):
        table = opened(rotation="last_man_standing")
        table.do("A", "resign", level=1)
        for name in order:
            table.do(name, "answer_resignation", accept=True)
        assert table.line == "BCDA"


def test_a_member_resigns_for_themselves_only():
    table = opened(jacoby=False)
    table.do("C", "resign", level=3)
    assert [table.required(name) for name in "ABD"] == [["answer_resignation"], [], []]
    table.do("A", "answer_resignation", accept=True)
    assert table.game["cubes"][table.cube("C")]["result"] == -3
    assert table.role("B") == "captain"


def test_jacoby_caps_an_unturned_cube_at_1():
    table = opened()
    assert table.options_of("C", "resign") == [{"level": 1}]
    table.double("C")
    table.box_takes("C")
    assert table.options_of("C", "resign") == [{"level": 1}, {"level": 2}, {"level": 3}]
    table.do("A", "resign", level=3)
    for name in "BCD":
        table.do(name, "answer_resignation", accept=True)
    assert table.last_row == {"A": -8, "B": 1, "C": 6, "D": 1}


def test_after_a_refusal_the_same_seat_must_offer_more_until_the_next_play():
    table = opened(jacoby=False)
    table.do("C", "resign", level=1)
    table.do("A", "answer_resignation", accept=False)
    assert table.options_of("C", "resign") == [{"level": 2}, {"level": 3}]
    table.next_turn()
    assert len(table.options_of("C", "resign")) == 3


def test_a_captain_who_resigns_has_lost_a_box_that_resigns_to_the_captain_too():
    table = opened()
    table.do("B", "resign", level=1)
    events = table.do("A", "answer_resignation", accept=True)
    assert of(events, "captain_changed")["why"] == "new_captain"
    table = opened()
    table.do("A", "resign", level=1)
    table.do("B", "answer_resignation", accept=True)
    table.do("C", "answer_resignation", accept=False)
    events = table.do("D", "answer_resignation", accept=False)
    assert of(events, "captain_changed")["why"] == "stand_in"


def test_while_a_resignation_waits_nobody_does_anything_else():
    table = opened()
    table.do("A", "resign", level=1)
    table.do("B", "answer_resignation", accept=False)
    assert table.required("B") == []
    assert not {"cube", "resign", "propose", "roll"} & set(table.commands("B"))


# Taking back.


def test_a_play_is_taken_back_by_consent_of_everybody_on_the_other_side():
    table = opened()
    table.double()
    table.do("B", "roll", [2, 1])
    before = table.game["points"]
    table.move()
    table.do("B", "take_back")
    assert table.game["last_play"]["asked_back"]
    events = table.do("A", "answer_take_back", accept=True)
    assert "play_taken_back" in types(events)
    assert (table.stage, table.game["dice"]) == ("move", [2, 1])
    assert table.game["points"] == before
    table.move()
    table.play(2, 1)
    table.do("A", "take_back")
    assert "play_taken_back" not in types(table.do("B", "answer_take_back", accept=True))
    table.do("C", "answer_take_back", accept=True)
    table.do("D", "answer_take_back", accept=True)
    assert (table.stage, table.game["turn"]) == ("move", "box")


def closed(table, who):
    return [(c["what"], c["became"], c["by"]) for c in table.look(who)["me"]["closed"]]


def test_whoever_asked_for_a_play_back_is_told_what_became_of_it():
    table = opened()
    table.next_turn()
    table.do("B", "take_back")
    events = table.do("A", "answer_take_back", accept=False)
    assert of(events, "play_back_refused")["seat"] == table.seat("A")
    assert closed(table, "B") == [("take_back", "refused", table.seat("A"))]
    assert closed(table, "C") == closed(table, "A") == []
    table.play(2, 1)
    assert closed(table, "B") == [], "until the next play"
    table.do("A", "take_back")
    for name in "BCD":
        table.do(name, "answer_take_back", accept=True)
    assert closed(table, "A") == [("take_back", "accepted", None)]


@pytest.mark.parametrize("act", ["roll", "double"])
def test_a_play_asked_back_lapses_with_a_roll_or_a_double_and_is_told_so(act):
    table = opened()
    table.next_turn()
    table.play(2, 1)
    table.do("A", "take_back")
    table.do("B", "answer_take_back", accept=True)
    events = table.double("C" if act == "double" else "")
    events += table.do("B", "roll", [2, 1]) if act == "roll" else []
    assert of(events, "play_back_lapsed")["seat"] == table.seat("A")
    assert closed(table, "A") == [("take_back", "lapsed", None)]


def test_whoever_proposed_a_settlement_is_told_what_became_of_it():
    table = opened()
    for name, points in (("B", 1), ("C", 2), ("D", 1)):
        table.do(name, "propose", cube=table.cube(name), points=points)
    table.do("A", "answer_proposal", cube=table.cube("B"), accept=False)
    table.do("A", "answer_proposal", cube=table.cube("D"), accept=True)
    assert closed(table, "B") == [("settlement", "refused", table.seat("A"))]
    assert closed(table, "D") == [("settlement", "accepted", table.seat("A"))]
    assert closed(table, "C") == []
    table.double()
    events = table.do("B", "roll", [2, 1])
    lapsed = next(event for event in events if event.type == "settlement_lapsed")
    assert lapsed.audience == tuple(sorted((table.seat("A"), table.seat("C")))), "as the proposal itself"
    assert closed(table, "C") == [("settlement", "lapsed", None)]


def test_a_new_proposal_takes_the_place_of_what_became_of_the_last():
    table = opened()
    table.do("B", "propose", cube=table.cube("B"), points=1)
    table.do("A", "answer_proposal", cube=table.cube("B"), accept=False)
    table.do("B", "propose", cube=table.cube("B"), points=0)
    assert closed(table, "B") == []


def test_a_play_taken_back_keeps_whom_the_captain_asked_and_what_was_drawn():
    table = opened(consultation="own_cube_turned", captain_may_ask=True)
    table.double()
    table.do("B", "roll", [2, 1])
    table.do("B", "ask_advice", seat=table.seat("C"))
    table.do("C", "suggest", play=table.options_of("C", "suggest")[0]["play"])
    drawn = table.look("B")["me"]["suggestions"]
    table.move()
    assert table.game["asked"] == []
    table.do("B", "take_back")
    table.do("A", "answer_take_back", accept=True)
    assert table.game["asked"] == [table.seat("C")]
    assert table.look("B")["me"]["suggestions"] == drawn != []
    assert "say" in table.commands("C")


def test_not_against_anybodys_will_nor_after_a_roll_or_a_double():
    table = opened()
    table.next_turn()
    table.do("B", "take_back")
    table.do("A", "answer_take_back", accept=False)
    assert table.choice("B", "take_back") is None
    table.play(2, 1)
    assert table.choice("B", "take_back") is None
    table.double("C")
    assert table.choice("A", "take_back") is None

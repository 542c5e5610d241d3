"""Stand-ins, extras, advice and partners (docs/rules-chouette.md §§4.7–4.10)."""

import pytest

from games.kernel.contract import Event
from tests.chouette.table import FOUR_EACH, LONG_RACE, TEAM_WINS, Table, of, types


def opened(line="ABCD", position=LONG_RACE, **changes):
    table = Table(line, position=position, **{"uniform_response": "none", **changes})
    table.start()
    return table


def test_the_box_drops_the_captains_double_the_next_member_in_line_stands_in():
    table = opened()
    table.double("B")
    events = table.box_takes("")
    assert of(events, "captain_changed") == {"seat": 2, "before": 1, "why": "stand_in"}
    assert [table.role(name) for name in "BCD"] == ["out", "stand_in", "member"]
    assert table.required("C") == ["roll"]


def test_the_next_member_still_in_the_game():
    table = opened()
    table.double("C")
    table.box_takes("")
    table.play(2, 1)
    table.offer("B")
    events = table.answers(B=False)
    assert of(events, "captain_changed")["seat"] == table.seat("D")


def test_the_captain_drops_the_boxs_double_the_next_member_is_the_new_captain():
    table = opened()
    table.next_turn()
    table.offer("BCD")
    events = table.answers(B=False, C=True, D=True)
    assert of(events, "captain_changed") == {"seat": 2, "before": 1, "why": "new_captain"}
    assert table.role("C") == "captain"


def test_when_everybody_goes_out_at_once_nobody_takes_over():
    table = opened()
    table.next_turn()
    table.offer("BCD")
    assert "captain_changed" not in types(table.answers(B=False, C=False, D=False))


def test_nobody_who_is_out_acts():
    table = opened()
    table.double("BC")
    table.box_takes("")
    for _ in range(3):
        assert table.commands("B") == table.commands("C") == ["leave_after"], "which is no act of the game"
        table.next_turn()


# Extras (§4.8).


def given(**changes):
    table = opened(sole_taker="extras", position=FOUR_EACH, **changes)
    table.next_turn(2, 1)
    table.offer("BCD")
    table.answers(B=False, C=True, D=False)
    return table


def test_each_dropper_may_give_the_lone_taker_an_extra():
    table = given()
    assert (table.required("B"), table.required("D"), table.required("C")) == (
        ["reply"], ["reply"], [],
    )  # fmt: skip
    assert "extra_given" not in types(table.reply("B", "C", "give")), "sealed until both have answered"
    event = of(table.reply("D", "C", "keep"), "extra_given")
    assert event == {"seat": 1, "member": 2, "value": 2, "paid": 1}
    extra = table.game["cubes"][-1]
    assert (extra["member"], extra["against"], extra["value"], extra["owner"]) == (2, 1, 2, "member")


@pytest.mark.parametrize("box_wins", [True, False])
def test_an_extra_is_a_transfer_between_the_taker_and_the_dropper(box_wins):
    table = given()
    table.reply("B", "C", "give")
    table.reply("D", "C", "keep")
    table.play(*((2, 2) if box_wins else (2, 1)))
    if not box_wins:
        table.next_turn(2, 1)
    # Drops: B and D pay 1 to the Box; the extra: B pays 1 to C; then 2 at each cube.
    if box_wins:
        assert table.last_row == {"A": 1 + 1 + 2, "B": -1 - 1 + 2, "C": 1 - 2 - 2, "D": -1}
    else:
        assert table.last_row == {"A": 1 + 1 - 2, "B": -1 - 1 - 2, "C": 1 + 2 + 2, "D": -1}


def with_extra(*droppers, **changes):
    """C alone has taken the Box's double, beavered where there are beavers, and holds extras at 2 against some."""
    table = Table("ABCD", position=LONG_RACE, **{"uniform_response": "none", "sole_taker": "extras", **changes})
    table.start()
    table.next_turn(2, 1)
    table.offer("BCD")
    table.answers(B=False, C="beaver" if changes.get("beavers") else True, D=False)
    for name in "BD":
        table.reply(name, "C", "give" if name in droppers else "keep")
    return table


def test_a_redouble_offers_the_main_cube_and_the_extras_together_the_boxs_answer_is_for_all_of_them():
    table = with_extra("B", "D")
    table.play(2, 1)
    assert {o["cube"] for o in table.options_of("C", "cube")} == {table.cube("C")}
    table.double("C")
    assert [table.required(name) for name in "ABD"] == [["answer_batch"], [], []]
    table.box_takes("C")
    in_game = [cube for cube in table.game["cubes"] if cube["result"] is None]
    assert [(cube["value"], cube["owner"]) for cube in in_game] == [(4, "against")] * 3
    table.play(2, 1)
    assert table.commands("B") == ["propose", "leave_after"], "an extra is settled by its two parties, no more"
    table.offer("C")
    table.answers(C=False)
    assert table.last_row == {"A": 2 + 4, "B": -2 + 4, "C": 2 - 12, "D": -2 + 4}


def test_a_dropped_redouble_ends_the_extras_too_nothing_is_left_that_could_not_be_played():
    table = with_extra("B", "D")
    table.play(2, 1)
    table.double("C")
    table.box_takes("")
    assert table.last_row == {"A": 2 - 2, "B": -2 - 2, "C": 2 + 6, "D": -2 - 2}
    assert all(cube["result"] is not None for cube in table.game["cubes"])


def test_a_beaver_on_the_main_cube_is_one_on_the_extras():
    table = with_extra("B", beavers=True, raccoons=True)
    table.reply("A", "C", "accept")
    assert [c["value"] for c in table.game["cubes"] if c["result"] is None] == [4, 4]
    table.play(2, 1)
    table.double("C")
    table.box_takes("C", beavers="C")
    table.reply("C", "C", "drop")
    assert table.last_row == {"A": 2 + 8, "B": -2 + 8, "C": 1 - 16, "D": -1}


@pytest.mark.parametrize(("agreed", "row"), [
    (None, {"A": 2 - 3, "B": -2 - 3, "C": 1 + 6, "D": -1}),
    (-1, {"A": 2 - 3, "B": -2 + 1, "C": 1 + 3 - 1, "D": -1}),
])  # fmt: skip
def test_settling_the_main_cube_leaves_an_extra_at_what_its_two_parties_agree_else_at_the_same_terms(agreed, row):
    table = with_extra("B")
    extra = table.game["cubes"][-1]["cube"]
    if agreed is not None:
        table.do("B", "propose", cube=extra, points=agreed)
        assert [bool(table.look(n)["game"]["proposals"]) for n in "ABCD"] == [False, True, True, False]
        assert table.refuses("A", "answer_proposal", cube=extra, accept=True) == "not_open"
        table.do("C", "answer_proposal", cube=extra, accept=True)
    table.do("C", "propose", cube=table.cube("C"), points=3)
    table.do("A", "answer_proposal", cube=table.cube("C"), accept=True)
    assert table.last_row == row


@pytest.mark.parametrize(("who", "row"), [
    ("A", {"A": 2 - 6, "B": -2 - 6, "C": 1 + 12, "D": -1}),
    ("C", {"A": 2 + 6, "B": -2 + 6, "C": 1 - 12, "D": -1}),
])  # fmt: skip
def test_resigning_the_main_cube_resigns_the_extras_at_the_same_terms(who, row):
    table = with_extra("B")
    table.do(who, "resign", level=3)
    table.do("AC".replace(who, ""), "answer_resignation", accept=True)
    assert table.last_row == row


def test_a_dropper_who_leaves_owes_the_extra_to_the_end():
    table = with_extra("B")
    table.house("leave", "B")
    table.play(2, 1)
    table.double("C")
    table.box_takes("")
    assert table.last_row == {"A": 2 - 2, "B": -2 - 2, "C": 1 + 4, "D": -1}


def test_without_the_option_there_are_no_extras():
    table = opened(sole_taker="free")
    table.next_turn()
    table.offer("BCD")
    table.answers(B=False, C=True, D=False)
    assert table.required("A") == ["roll"]


# Consultation (§4.9).


def audience(events: list[Event]) -> tuple[int, ...]:
    return events[0].audience or ()


def lines(table, viewer):
    return [line["text"] for line in (table.look(viewer)["me"] or {"talk": []})["talk"]]


def test_free_everyone_still_in_the_game_talks_and_nobody_else_hears_it():
    table = opened("ABCDE")
    table.double("E")
    table.box_takes("")
    assert audience(table.do("C", "say", text="Hit!")) == (1, 2, 3)
    assert lines(table, "B") == lines(table, "C") == lines(table, "D") == ["Hit!"]
    assert lines(table, "A") == lines(table, "E") == lines(table, None) == []
    for viewer in ("A", "E", None):
        assert "Hit!" not in str(table.look(viewer))
    assert table.refuses("A", "say", text="Hm") == "may_not_talk"
    assert table.refuses("E", "say", text="Hm") == "may_not_talk"


def test_a_member_who_goes_out_does_not_see_the_teams_talk_any_more():
    table = opened()
    table.do("C", "say", text="Double now.")
    table.double("D")
    table.box_takes("")
    assert lines(table, "D") == []
    assert lines(table, "B") == ["Double now."]


def test_suggested_plays_go_to_the_team_and_the_captain_sees_whose_they_are():
    table = opened()
    table.double()
    table.do("B", "roll", [2, 1])
    play = table.options_of("C", "suggest")[1]["play"]
    assert audience(table.do("C", "suggest", play=play)) == (1, 2, 3)
    assert table.look("B")["me"]["suggestions"] == [{"seat": 2, "play": play}]
    assert table.look("A")["me"]["suggestions"] == []
    assert table.refuses("A", "suggest", play=play) == "may_not_talk"
    assert table.refuses("B", "suggest", play=play) == "not_open", "the Captain just moves"
    table.do("C", "suggest", play=table.options_of("C", "suggest")[0]["play"])
    assert len(table.look("B")["me"]["suggestions"]) == 1
    table.move()
    assert table.look("B")["me"]["suggestions"] == []


def test_own_cube_turned_only_members_whose_own_cube_has_been_offered_and_taken():
    table = opened(consultation="own_cube_turned")
    assert table.refuses("C", "say", text="Hm") == "may_not_talk"
    table.double("C")
    table.box_takes("C")
    table.do("C", "say", text="Run.")
    assert table.refuses("D", "say", text="Hm") == "may_not_talk"
    table.do("B", "say", text="Why?"), "the Captain need not have doubled to be advised"
    table.do("B", "roll", [2, 1])
    assert table.refuses("D", "suggest", play="1/off") == "may_not_talk"
    assert table.options_of("C", "suggest")


def test_the_captain_can_open_the_talk_to_a_named_member():
    table = opened(consultation="own_cube_turned", captain_may_ask=True)
    assert table.options_of("B", "ask_advice") == [{"seat": 2}, {"seat": 3}]
    assert table.choice("C", "ask_advice") is None
    table.do("B", "ask_advice", seat=table.seat("D"))
    table.do("D", "say", text="Stay.")
    assert table.refuses("C", "say", text="Hm") == "may_not_talk"
    table.next_turn()
    assert table.refuses("D", "say", text="Hm") == "may_not_talk", "for that play"


def test_the_captain_cannot_ask_without_the_option():
    table = opened(consultation="own_cube_turned", captain_may_ask=False)
    assert table.choice("B", "ask_advice") is None


def test_where_there_is_no_advice_the_server_refuses_it():
    table = opened(consultation="none")
    table.double("BCD")
    table.box_takes("BCD")
    for name in "ABCD":
        assert table.refuses(name, "say", text="Hm") == "may_not_talk"


@pytest.mark.parametrize("text", ["", " ", "x" * 201, "a\nb", "\x00", 3, None, ["a"]])
def test_what_cannot_be_shown_is_not_said(text):
    assert opened().refuses("C", "say", text=text) == "bad_args"


# A partner in the Box (§4.10).


def with_partner(position=LONG_RACE, **changes):
    return opened("ABCDE", position, partner="compulsory_from", partner_from=5, **changes)


def test_from_n_players_on_the_box_must_take_the_last_in_line():
    table = with_partner()
    assert table.role("E") == "partner"
    assert [cube["member"] for cube in table.game["cubes"]] == [1, 2, 3]
    few = opened("ABCD", partner="compulsory_from", partner_from=5)
    assert few.role("D") == "member"


@pytest.mark.parametrize("takes", [True, False])
def test_the_box_may_take_the_last_in_line(takes):
    table = Table("ABCDE", position=LONG_RACE, partner="optional_from", partner_from=5)
    assert (table.required("A"), table.required("B")) == (["partner"], [])
    table.do("A", "partner", take=takes)
    table.start()
    assert table.role("E") == ("partner" if takes else "member")


def test_the_partner_consults_with_the_box():
    table = with_partner(consultation="none")
    assert audience(table.do("E", "say", text="Double them.")) == (0, 4)
    assert lines(table, "A") == ["Double them."]
    assert lines(table, "B") == []
    table.next_turn()
    table.do("A", "roll", [2, 1])
    assert table.options_of("E", "suggest")
    assert table.refuses("B", "suggest", play="1/off") == "may_not_talk"


@pytest.mark.parametrize(("result", "half"), [(7, 3), (-7, -3), (6, 3), (-6, -3), (1, 0), (-1, 0), (0, 0)])
def test_example_5_the_odd_point_goes_to_the_box(result, half):
    """+7: 4 and 3; -7: -4 and -3."""
    from chouette.rules.seating.captaincy import share

    assert (result - share(result), share(result)) == (result - half, half)


def test_the_partner_shares_the_boxs_result_and_is_the_next_captain_if_it_loses():
    table = with_partner(position=TEAM_WINS)
    table.double()
    table.play(2, 1)
    assert table.last_row == {"A": -2, "B": 1, "C": 1, "D": 1, "E": -1}
    assert table.line == "BECDA"


BOX_WINS = (0, 15, *[0] * 22, -2, 0)


def test_while_the_box_is_kept_the_partners_place_is_last():
    table = with_partner(position=BOX_WINS)
    table.next_turn(2, 1)
    table.play(2, 1)
    assert table.last_row == {"A": 2, "B": -1, "C": -1, "D": -1, "E": 1}
    assert table.line == "ACDBE"


ROTATIONS = ["captain_result", "last_man_standing", "game_result"]


def played(rotation, team_wins, drops, **changes):
    """Return the next line: B alone doubles and the Box drops or takes; then it is played out."""
    position = TEAM_WINS if team_wins else BOX_WINS
    table = with_partner(position=position, rotation=rotation, must_break_even=False, **changes)
    table.double("B")
    table.box_takes("" if drops else "B")
    table.play(2, 1)
    if not team_wins:
        table.play(2, 1)
    return table.line


@pytest.mark.parametrize("rotation", ROTATIONS)
@pytest.mark.parametrize("team_wins", [True, False])
@pytest.mark.parametrize("drops", [True, False])
def test_whenever_the_box_is_lost_under_the_rotation_in_force_the_partner_is_the_next_captain(
    rotation, team_wins, drops
):
    line = played(rotation, team_wins, drops)
    assert line.index("E") == (4 if line[0] == "A" else 1)
    lost = {"captain_result": team_wins or drops, "last_man_standing": team_wins, "game_result": team_wins}
    assert (line[0] != "A") == lost[rotation]


def test_a_box_that_wins_below_even_is_lost_too():
    table = with_partner(position=BOX_WINS, rotation="game_result", must_break_even=True, automatics="off")
    table.double("BC")
    table.box_takes("")
    table.play(2, 1)
    table.play(2, 1)
    assert (table.last_row["A"] + table.last_row["E"], table.look()["last_game"]["winner"]) == (-1, "box")
    assert table.look()["last_game"]["why"] == "box_below_even"
    assert (table.line[1], table.line[-1]) == ("E", "A")


def test_newcomers_ahead_of_the_loser_stand_ahead_of_the_beaten_captain_not_of_the_partner():
    table = with_partner(position=BOX_WINS, join_position="ahead_of_loser", max_players=7)
    table.next_turn(2, 1)
    table.play(2, 1)
    table.house("join", "F")
    assert table.line == "ACDFBE"


# Who is Captain next, and who has won without a last checker (§11).


def test_the_first_stand_in_is_captain_next_even_if_a_member_ahead_was_out_by_then():
    table = opened("ABCDE")
    table.double("C")
    table.box_takes("")
    table.next_turn()
    table.next_turn()
    table.double("B")
    table.box_takes("")
    assert (table.captain, table.role("C")) == ("D", "out")
    table.next_turn()
    table.offer("DE")
    table.answers(D=False, E=False)
    assert table.line[:2] == "BD", "C stood ahead of D in the line"


def test_without_a_last_checker_the_acting_captains_cube_decides_who_has_won():
    table = opened("ABCD")
    table.double("CD")
    table.box_takes("")
    table.next_turn()
    table.offer("B")
    ended = table.answers(B=False)
    assert table.last_row["C"] == table.last_row["D"] == 1, "two of three have won their cubes"
    assert of(ended, "game_ended")["winner"] == "box"


def test_where_nobody_of_the_team_is_in_the_game_the_acting_captain_looks_after_the_last_cube():
    table = opened("ABCD")
    table.house("leave", "D")
    table.double("BC")
    table.box_takes("")
    assert table.game["cubes"][table.cube("B")]["result"] is not None, "B has won, and is still there"
    assert table.required("B") == ["roll"] and table.required("C") == [], "for D, whose cube is in the middle"

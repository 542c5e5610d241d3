"""A turn with typed dice can be taken back: by its player until the next one's first tap, then by the host."""

from chicago.figures import figures
from chicago.rules import rules
from games.kernel.contract import Command, Event
from games.kernel.dice import ScriptedDice
from tests.chicago.table import Table, of, types


def at(seats=3, preset="mats", **changes):
    return Table(preset, seats, dice="typed", **changes)


def enter(t, seat, throws, value, kind="sum"):
    return t.do(seat, "enter_result", throws=throws, value=value, kind=kind)


def shown(t):
    return t.view, [(c.name, c.options) for s in range(t.seats) for c in rules.choices(t.state, s)]


def test_a_player_takes_back_a_turn_until_the_next_players_first_tap():
    t = at()
    before = shown(t)
    enter(t, 0, 2, 123)
    assert of(t.do(0, "take_back"), "turn_taken_back") == {"seat": 0, "by": "player", "turn": 1}
    assert shown(t) == before
    enter(t, 0, 2, 124)
    enter(t, 1, 2, 204)
    assert t.refuses(0, "take_back") == "nothing_to_take_back"


def test_mats_phases_and_tallies_come_back_with_a_turn():
    t = at()
    enter(t, 0, 1, 123)
    enter(t, 1, 1, 104)
    before = t.view
    enter(t, 2, 1, 0, "fish")
    assert t.mats == [0, 0, 1]
    t.do(2, "take_back")
    assert t.mats == [0, 0, 0] and t.view == before
    enter(t, 2, 1, 204)
    assert t.mats == [0, 1, 0]


def test_the_host_takes_back_what_the_player_no_longer_can():
    t = at(entry="throws")
    t.do(0, "type_dice", dice=[6, 3, 1])
    t.stand(0)
    t.do(1, "type_dice", dice=[4, 3, 1])
    assert t.refuses(0, "take_back") == "nothing_to_take_back"
    assert t.refuses(None, "take_back", seat=2) == "nothing_to_take_back"
    assert of(t.house("take_back", seat=0), "turn_taken_back")["by"] == "host"
    assert t.turn == 0 and t.view["cup"]["throws"] == 0 and t.view["history"] == []


def test_the_host_takes_back_the_last_three_turns_and_no_more():
    t = at(5)
    for seat, value in enumerate((123, 204, 64, 65)):
        enter(t, seat, 1, value)
    assert [o["seat"] for o in t.choice(None, "take_back").options] == [1, 2, 3]
    t.house("take_back", seat=1)
    assert t.turn == 1 and [r["value"] for r in t.view["history"]] == [123]
    assert t.choice(None, "take_back") is None


def test_the_turn_that_runs_is_taken_back_to_its_start():
    t = at(entry="throws")
    t.do(0, "type_dice", dice=[6, 3, 1])
    t.do(0, "throw", lay=[1], turn=False)
    t.do(0, "take_back")
    assert t.view["cup"]["throws"] == 0 and t.names(0) == ["type_dice"]
    assert t.refuses(0, "take_back") == "nothing_to_take_back"


def test_a_named_loser_comes_back_with_the_turn_that_named():
    t = at(preset="forfeits", entry="result")
    enter(t, 0, 1, 165, "one_six_five")
    t.do(0, "name_loser", seat=2)
    assert t.forfeits == [0, 0, 1]
    t.do(0, "take_back")
    assert t.forfeits == [0, 0, 0] and t.turn == 0 and t.view["refill"] is None


def test_what_the_house_threw_is_never_taken_back():
    t = at()
    t.do(0, "throw", (2, 3, 4), lay=[], turn=False)
    assert t.choice(0, "take_back") is None and t.choice(None, "take_back") is None
    server = Table("bavarian", 2)
    server.throw(0, 1, 2, 3)
    assert server.choice(0, "take_back") is None and server.state.began is None


def by_house(t, seat, by_bot=False):
    """Let the house throw a turn of three dice for a person, or a bot."""
    command = Command("throw", seat, {"lay": [], "turn": False}, None, {}, by_bot)
    return t._write(rules.decide(t.state, command, ScriptedDice((2, 3, 4)), len(t.log) + 1).events)


def test_past_a_bots_turn_only_the_host_takes_back():
    t = at()
    enter(t, 0, 1, 123)
    by_house(t, 1, by_bot=True)
    assert t.turn == 2 and t.choice(0, "take_back") is None
    t.house("take_back", seat=0)
    assert t.turn == 0 and t.view["history"] == []


def test_taking_back_ends_at_dice_that_the_house_threw_for_a_person_and_says_so():
    t = at(5)
    enter(t, 0, 1, 123)
    by_house(t, 1)
    assert t.choice(None, "take_back") is None
    for seat in range(5):
        assert t.refuses(None, "take_back", seat=seat) == "before_house_dice"
    enter(t, 2, 1, 204)
    assert [o["seat"] for o in t.choice(None, "take_back").options] == [2]
    assert t.refuses(None, "take_back", seat=0) == "before_house_dice"
    t.house("take_back", seat=2)
    assert t.turn == 2 and t.refuses(None, "take_back", seat=0) == "before_house_dice"
    for value in (204, 64, 65):
        enter(t, t.turn, 1, value)
    enter(t, t.turn, 1, 123)
    takeable = {o["seat"] for o in t.choice(None, "take_back").options}
    left = min(set(range(5)) - takeable)
    assert t.refuses(None, "take_back", seat=left) == "nothing_to_take_back"


def test_dice_of_the_house_amid_a_typed_turn_are_not_thrown_again():
    t = at(3, entry="throws")
    t.do(0, "type_dice", dice=[6, 3, 1])
    t.do(0, "throw", lay=[1], turn=False)
    t.do(0, "type_dice", (2, 2), server=True)
    assert t.refuses(0, "take_back") == t.refuses(None, "take_back", seat=0) == "before_house_dice"


def test_three_turns_are_as_people_count_them_typed_or_not():
    t = at(7)
    enter(t, 0, 1, 123)
    for seat in (1, 2):
        by_house(t, seat, by_bot=True)
    assert [o["seat"] for o in t.choice(None, "take_back").options] == [0]
    by_house(t, 3, by_bot=True)
    assert t.choice(None, "take_back") is None
    assert t.refuses(None, "take_back", seat=0) == "nothing_to_take_back"
    enter(t, 4, 1, 204)
    assert [o["seat"] for o in t.choice(None, "take_back").options] == [4]


def test_a_log_of_before_takes_back_over_dice_of_the_house_as_it_did():
    t = at(5)
    enter(t, 0, 1, 123)
    for seat in (1, 2, 3, 4):
        by_house(t, seat, by_bot=True)  # an older log tells of a person's no more than this
    t._write((Event("turn_taken_back", {"seat": 0, "by": "host", "turn": 1}),))
    assert t.turn == 0 and t.view["history"] == []


def test_the_forfeit_for_typing_before_the_refill_goes_with_the_turn():
    for entry in ("result", "throws"):
        for by in ("player", "host"):
            t = at(4, preset="forfeits", entry=entry)
            t.house("leave", seat=3)
            while t.state.refill is None:
                turn = t.turn
                enter(t, turn, 1, 204 - turn) if entry == "result" else type_and_stand(t, turn)
            owes, turn, before = t.state.refill, t.turn, t.forfeits
            if entry == "result":
                enter(t, turn, 1, 123)
            else:
                t.do(turn, "type_dice", dice=[6, 3, 1])
            assert sum(t.forfeits) == sum(before) + 1 and t.state.refill == turn
            t.house("take_back", seat=turn) if by == "host" else t.do(turn, "take_back")
            assert (t.forfeits, t.state.refill, t.turn) == (before, owes, turn)
            t.do(owes, "refill")
            enter(t, turn, 1, 123) if entry == "result" else t.do(turn, "type_dice", dice=[6, 3, 1])
            assert t.forfeits == before


def type_and_stand(t, seat):
    t.do(seat, "type_dice", dice=[6, 4, 3 - seat])
    if t.turn == seat:
        t.stand(seat)


def test_in_a_log_of_before_the_forfeit_for_typing_before_the_refill_stays():
    t = at(3, preset="forfeits", entry="result")
    while t.state.refill is None:
        enter(t, t.turn, 1, 204 - t.turn)
    before, seat = sum(t.forfeits), t.turn
    t._write((Event("forfeit_taken", {"seat": seat, "count": 1, "reason": "not_refilled", "refill": True}),))
    t._write((Event("result_entered", {"seat": seat, "throws": 1, "value": 123, "kind": "sum"}),))
    t.house("take_back", seat=seat)
    assert sum(t.forfeits) == before + 1


def test_what_was_before_somebody_left_stands():
    t = at(4)
    enter(t, 0, 1, 123)
    t.house("leave", seat=2)
    assert t.refuses(0, "take_back") == "nothing_to_take_back"
    assert t.turn == 1


def test_nothing_is_taken_back_when_the_game_is_over():
    t = at(2, preset="classic", rounds=1, valuation="fixed")
    enter(t, 0, 1, 123)
    assert "game_ended" in types(enter(t, 1, 1, 104))
    assert t.refuses(1, "take_back") == "game_over"


def test_an_answer_to_what_was_taken_back_is_stale():
    t = at()
    enter(t, 0, 1, 123)
    old = t.choice(1, "enter_result").opened_at
    t.do(0, "take_back")
    enter(t, 0, 1, 124)
    assert t.refuses(1, "enter_result", old, throws=1, value=104, kind="sum") == "stale"


def test_luck_leaves_out_what_was_taken_back():
    t = at(2)
    enter(t, 0, 1, 104)
    plain = [enter(t, 1, 1, 220), figures(t.options, 2, t.log)][1]
    t.do(1, "take_back")
    enter(t, 1, 1, 220)
    assert figures(t.options, 2, t.log) == plain


def test_what_was_before_somebody_came_stands():
    t = at(3, preset="classic", valuation="fixed")
    enter(t, 0, 1, 123)
    t.house("join", seat=3)
    assert t.refuses(0, "take_back") == "nothing_to_take_back"


def test_what_was_before_a_breach_was_called_or_forfeits_were_taken_over_stands():
    t = at(4, preset="forfeits", entry="result")
    enter(t, 0, 1, 123)
    t.do(1, "call_breach", seat=2, breach="spilling")
    for voter in (0, 3):
        t.do(voter, "vote_breach", guilty=False)
    assert t.refuses(0, "take_back") == "nothing_to_take_back"
    t.house("leave", seat=3)
    enter(t, 1, 1, 124)
    t.do(2, "take_for", seat=3)
    assert t.refuses(1, "take_back") == "nothing_to_take_back"

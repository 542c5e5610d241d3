"""docs/rules-chicago.md §6: bots play the odds; hints tell a player what a bot would do."""

from fractions import Fraction
from statistics import fmean, stdev

import pytest

from chicago import bots
from chicago.odds.exact import beat_chance, best_move, moves
from chicago.odds.objective import aim_of, ways
from chicago.rules import rules
from chicago.rules.options.declaration import OPTIONS
from chicago.rules.throwing.scoring import Score, Valuation, declarations, score
from chicago.rules.throwing.turn import Turn, TurnRules, lays, may_stand
from games.kernel.contract import Choice, Illegal
from tests.chicago.botplay import Table, play

LEVELS = ("strong", "easy", "medium")
SHORT = {"rounds": 6}
GAMES = {"classic": SHORT, "bavarian": {}, "mats": {}, "tschigg": {}, "forfeits": SHORT}


def test_every_preset_has_a_game_to_play():
    assert set(GAMES) == {preset.id for preset in OPTIONS.presets}


@pytest.mark.parametrize("preset", GAMES)
def test_bots_play_every_preset_to_the_end_and_never_against_the_rules(preset):
    low, high = OPTIONS.preset(preset).seats
    for seats in range(low, min(high, 7) + 1):
        levels = [LEVELS[(seat + seats) % 3] for seat in range(seats)]
        table = play(OPTIONS.values(preset, GAMES[preset]), levels, seed=seats)
        assert rules.is_over(table.state)


@pytest.mark.parametrize(
    "changes",
    [
        {"ties": "roll_off", "free_return": "third", "keep": "any"},
        {"ties": "fewer_throws", "followers": "at_most", "valuation": "starter"},
        {"valuation": "fixed", "ones": "1", "sixes": "6", "direction": "low", "mats": "fixed"},
        {"fish": "by_sum", "sixes_turn": "first_throw", "three_sixes": "free"},
    ],
)
def test_bots_play_other_house_rules_too(changes):
    table = play(OPTIONS.values("bavarian", changes), LEVELS, seed=7)
    assert rules.is_over(table.state)


def lost(preset, games, strong, weak):
    """Return the games lost at tables of two strong and two weak bots, seats changing."""
    losses = {strong: 0, weak: 0}
    for seed in range(games):
        levels = [strong, weak] * 2 if seed % 2 else [weak, strong] * 2
        outcome = rules.view(play(OPTIONS.values(preset), levels, seed).state, None)["outcome"]
        for seat in outcome["losers"]:
            losses[levels[seat]] += 1
    return losses


@pytest.mark.long
@pytest.mark.parametrize(("preset", "games", "most"), [("bavarian", 160, 64), ("tschigg", 80, 28)])
def test_a_strong_bot_beats_an_easy_one(preset, games, most):
    """Two equals would share the losses: as few as `most` come less than once in a hundred."""
    losses = lost(preset, games, "strong", "easy")
    assert sum(losses.values()) == games
    assert losses["strong"] <= most


@pytest.mark.long
@pytest.mark.parametrize(("better", "worse"), [("strong", "medium"), ("medium", "easy")])
def test_in_the_game_for_forfeits_a_stronger_bot_takes_fewer(better, worse):
    """Two of each at a table: of equals a surplus is beyond three standard errors once in 700 times."""
    surplus = []
    for seed in range(60):
        levels = [better, worse] * 2 if seed % 2 else [worse, better] * 2
        seats = rules.view(play(OPTIONS.values("forfeits", {"rounds": 20}), levels, seed).state, None)["seats"]
        taken = [seat["forfeits"] for seat in seats]
        theirs = sum(count for count, level in zip(taken, levels, strict=True) if level == worse)
        surplus.append(theirs / sum(taken) - 0.5)
    assert fmean(surplus) > 3 * stdev(surplus) / len(surplus) ** 0.5


def test_a_chick_is_worth_more_than_safety_where_it_costs_the_others_a_forfeit():
    """The strong bot plays on for three ones from a safe result; a hint, whose chance is exact, stands."""
    seen = a_view("forfeits", (1, 1, 6), throws_allowed=2, throws=1, beat=result(0), waiting=[])
    assert bots.hint(seen, choices_of(seen))["name"] == "stand"
    for seat in seen["seats"]:
        seat["status"] = "in"
    name, args = bots.choose(seen, choices_of(seen), "strong", 1)
    assert (name, args) == ("throw", {"lay": [1, 1], "turn": False})
    assert bots.candidates(seen, choices_of(seen))[0].chance == 1


def test_a_stronger_bot_names_the_player_with_the_fewest_forfeits_more_often():
    seen = a_view("forfeits", (2, 2, 2))
    named = Choice("name_loser", 0, 1, ({"seat": 0}, {"seat": 1}, {"seat": 2}))
    seen["seats"][1]["forfeits"] = 2
    found = {
        level: sum(bots.choose(seen, [named], level, seed)[1] == {"seat": 2} for seed in range(200))
        for level in bots.MISJUDGED
    }
    assert found["strong"] == 200 > found["medium"] > found["easy"] > 60


def a_view(preset, dice, *, throws=1, **changes):
    """Return the view of a starter whose last throw showed `dice`, with other entries changed."""
    seen = rules.view(Table(OPTIONS.values(preset), 3, 1).state, None)
    cup = {"laid": [], "rolled": list(dice), "throws": throws, "in_cup": 0}
    return {**seen, "cup": cup, **changes}


def choices_of(seen, exactly=False):
    """Return the open choices that belong to a view with all dice thrown at once."""
    cup, turn_rules = seen["cup"], TurnRules.of(seen["options"])
    turn = Turn((), tuple(sorted(cup["rolled"])), cup["throws"])
    allowed = seen["throws_allowed"] or 3
    found = lays(turn, turn_rules, allowed, exactly)
    ways = tuple({"lay": list(w.lay), "turn": w.turn} for w in found)
    declared = tuple({"ones": v.ones, "sixes": v.sixes, "high": v.high} for v in declarations())
    choices = [Choice("throw", 0, 1, ways)] if ways else []
    if may_stand(turn, turn_rules, allowed, exactly):
        choices.append(Choice("stand", 0, 1, declared if seen["declares"] else ({},)))
    return choices


def result(value, throws=2):
    return {"value": value, "chick": False, "fish": value == 0, "throws": throws}


def test_a_strong_follower_takes_the_best_chance_of_beating_what_stands():
    seen = a_view("bavarian", (1, 6, 6), throws_allowed=3, exactly=True, beat=result(202), waiting=[])
    best = best_move(seen["options"], Turn((), (1, 6, 6), 1), 3, True, Score(202))
    name, args = bots.choose(seen, choices_of(seen, exactly=True), "strong", 1)
    assert (name, args) == ("throw", {"lay": list(best.lay.lay), "turn": best.lay.turn})


def facing(value, behind):
    """Return the aim of a follower in three throws before its first, with `behind` players still to come."""
    seen = a_view("bavarian", (), throws=0, throws_allowed=3, exactly=True, waiting=list(range(1, behind + 1)))
    return aim_of({**seen, "beat": result(value, 3), "high": result(value, 3)})


@pytest.mark.parametrize(("behind", "most"), [(1, "0.516"), (3, "0.761")])
def test_a_follower_with_players_behind_survives_as_often_as_can_be(behind, most):
    """Facing 260, beating it has 6 in a hundred; a result that is too good for one of the others counts as well."""
    chance = ways(facing(260, behind), Turn())[0].chance
    assert f"{float(chance):.3f}" == most


@pytest.mark.parametrize("value", [0, 61, 104, 202, 260])
def test_more_players_behind_never_make_a_follower_less_safe(value):
    chances = [ways(facing(value, behind), Turn())[0].chance for behind in range(5)]
    assert chances == sorted(chances)
    assert chances[0] == moves(OPTIONS.values("bavarian"), Turn(), 3, True, Score(value, throws=3))[0].chance


def test_a_strong_follower_stops_as_soon_as_what_stands_is_beaten():
    seen = a_view("tschigg", (1, 4, 6), throws_allowed=3, beat=result(104), declares=False)
    seen["valuation"] = {"ones": 100, "sixes": 60, "high": True}
    assert bots.choose(seen, choices_of(seen), "strong", 1) == ("stand", {})


def test_when_mats_are_played_off_it_is_not_enough_to_beat_the_low():
    standing = {"beat": result(64), "high": result(260), "waiting": []}
    seen = a_view("bavarian", (1, 4, 6), throws_allowed=2, exactly=False, **standing)
    assert bots.choose(seen, choices_of(seen), "strong", 1)[0] == "stand"
    seen["phase"] = "playing_off"
    assert bots.choose(seen, choices_of(seen), "strong", 1)[0] == "throw"


def test_the_starter_minds_the_number_of_players_still_to_come():
    """With many to come some follower will probably fail, so a middling result is enough."""

    def first(waiting):
        seen = a_view("bavarian", (1, 2, 3), waiting=list(range(1, waiting + 1)))
        return bots.choose(seen, choices_of(seen), "strong", 1)[0]

    assert first(1) == "throw"
    assert first(6) == "stand"


@pytest.mark.parametrize("waiting", [1, 3, 6])
@pytest.mark.parametrize("dice", [(1, 1, 2), (1, 1, 4), (4, 5, 5), (2, 2, 3)])
def test_the_starter_declares_what_is_hardest_to_beat(dice, waiting):
    seen = a_view("classic", dice, throws=3, waiting=list(range(waiting)))
    name, args = bots.choose(seen, choices_of(seen), "strong", 1)
    beaten = {v: beat_chance(seen["options"], 3, worth(dice, v), v) for v in declarations()}
    assert name == "stand"
    assert beaten[Valuation(**args)] == min(beaten.values())


def worth(dice, valuation):
    return score(dice, valuation, chick=False, throws=3, fish="equal").value


def test_against_one_follower_the_starters_chance_is_exact():
    seen = a_view("bavarian", (1, 1, 4), throws=3, waiting=[1])
    best = bots.candidates(seen, choices_of(seen))[0]
    one = moves(seen["options"], Turn(), 3, True, Score(204))[0].chance
    assert best.chance == 1 - one


def test_a_throw_that_names_the_loser_is_as_good_as_safe():
    seen = a_view("forfeits", (1, 6, 2), throws_allowed=2, throws=1, beat=result(204))
    chances = {str(c.args): c.chance for c in bots.candidates(seen, choices_of(seen))}
    assert chances["{'lay': [1, 6], 'turn': False}"] > Fraction(1, 6)


@pytest.mark.parametrize("level", bots.MISJUDGED)
def test_the_same_seed_gives_the_same_answer(level):
    seen = a_view("classic", (1, 4, 6), waiting=[1, 2])
    answers = {str(bots.choose(seen, choices_of(seen), level, 5)) for _ in range(3)}
    assert len(answers) == 1


def test_an_easy_bot_makes_mistakes_and_a_strong_one_none():
    seen = a_view("bavarian", (1, 4, 6), waiting=[1, 2])

    def answers(level):
        return {str(bots.choose(seen, choices_of(seen), level, s)) for s in range(40)}

    assert len(answers("strong")) == 1
    assert len(answers("easy")) > len(answers("strong"))


def test_optional_choices_are_left_alone():
    seen = a_view("forfeits", (1, 4, 6), waiting=[1, 2])
    calls = Choice("call_breach", 0, 1, ({"seat": 1, "breach": "spilling"},), required=False)
    name, _ = bots.choose(seen, [calls, *choices_of(seen)], "easy", 1)
    assert name in ("throw", "stand")


def test_a_bot_names_somebody_else_refills_and_finds_nobody_guilty():
    seen = a_view("forfeits", (2, 2, 2))
    named = Choice("name_loser", 0, 1, ({"seat": 0}, {"seat": 1}, {"seat": 2}))
    seen["seats"][1]["forfeits"] = 2
    assert bots.choose(seen, [named], "strong", 1) == ("name_loser", {"seat": 2})
    assert bots.choose(seen, [Choice("refill", 0, 1)], "easy", 1) == ("refill", {})
    vote = Choice("vote_breach", 0, 1, ({"guilty": True}, {"guilty": False}))
    assert bots.choose(seen, [vote], "easy", 1) == ("vote_breach", {"guilty": False})


def test_a_hint_is_the_best_way_on_with_its_chance_and_up_to_three_others():
    seen = a_view("bavarian", (1, 4, 6), throws_allowed=2, exactly=True, beat=result(123), waiting=[])
    told = bots.hint(seen, choices_of(seen, exactly=True))
    exact = moves(seen["options"], Turn((), (1, 4, 6), 1), 2, True, Score(123))
    chance = exact[0].chance
    assert told["name"] == "throw"
    assert told["aim"] == "beat"
    assert told["chance"] == {
        "num": chance.numerator,
        "den": chance.denominator,
        "decimal": float(chance),
    }
    assert len(told["alternatives"]) == 3
    decimals = [told["chance"]["decimal"]] + [a["chance"]["decimal"] for a in told["alternatives"]]
    assert decimals == sorted(decimals, reverse=True)


def test_a_hints_numbers_are_safe_in_a_browser():
    for waiting in ([1], [1, 2, 3, 4, 5]):
        seen = a_view("classic", (1, 4, 6), waiting=waiting)
        told = bots.hint(seen, choices_of(seen))
        assert 0 < told["chance"]["num"] <= told["chance"]["den"] < 2**53


def test_there_is_no_hint_where_the_house_has_none():
    seen = a_view("bavarian", (1, 4, 6))
    seen["options"] = {**seen["options"], "hints": False}
    with pytest.raises(Illegal) as refused:
        bots.hint(seen, choices_of(seen))
    assert refused.value.code == "hints_off"


def test_there_is_no_hint_when_nothing_of_a_turn_is_open():
    seen = a_view("forfeits", (1, 4, 6))
    while_refilling = Choice("throw", 0, 1, ({"lay": [], "turn": False},), required=False)
    for choices in ([], [Choice("refill", 0, 1)], [while_refilling]):
        with pytest.raises(Illegal) as refused:
            bots.hint(seen, choices)
        assert refused.value.code == "not_open"


def test_an_unknown_level_and_a_call_without_choices_are_mistakes_of_the_caller():
    seen = a_view("bavarian", (1, 4, 6))
    with pytest.raises(KeyError):
        bots.choose(seen, choices_of(seen), "godlike", 1)
    with pytest.raises(ValueError, match="open choice"):
        bots.choose(seen, [], "easy", 1)


def test_a_declared_valuation_counts_for_the_follower():
    low = {"ones": 1, "sixes": 6, "high": False}
    changed = {"throws_allowed": 1, "valuation": low, "declares": False, "beat": result(9, 1)}
    seen = a_view("classic", (1, 1, 2), **changed)
    assert bots.candidates(seen, choices_of(seen))[0].chance == 1
    assert Valuation(**low) in declarations()

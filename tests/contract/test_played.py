"""What every game promises of games that were played without the house: a form as data, or that it waits for the house.

Where it has a form, the house lists PLAYED with examples of it, and decides them without dice; what goes on after
TAKE_BACK_GAME is the table of before.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from games import plugin
from games.kernel.contract import PLAYED, TAKE_BACK_GAME, Choice, Command, Illegal
from games.kernel.dice.chains import NoDiceYet
from games.kernel.figures.game_forms import FormField
from games.kernel.replay import Entry, fold_entry
from games.kernel.simulate import RandomDice, play
from games.refusals import translate

TABLES = [
    pytest.param(game_id, preset.id, medium, id=f"{game_id}-{preset.id}-{medium}")
    for game_id, game in plugin.all_games().items()
    for preset in game.options.presets
    for medium in game.media
]
"""Every preset of every game at each of its media."""

tables = pytest.mark.parametrize(("game_id", "preset", "medium"), TABLES)


def rules_at(game_id: str, preset: str, medium: str) -> tuple[Any, dict[str, Any], int]:
    """Return a game's rules, its house rules at a medium, and a number of seats."""
    game = plugin.game(game_id)
    options = game.at_medium(game.options.values(preset), medium)
    few, many = game.options.seats(preset, options)
    return game.rules, dict(options), max(few, min(many, 4))


def listed(rules: Any, state: Any, name: str) -> Choice | None:
    return next((one for one in rules.choices(state, None) if one.name == name), None)


@tables
def test_a_game_on_the_screen_waits_for_the_house(game_id: str, preset: str, medium: str) -> None:
    rules, options, seats = rules_at(game_id, preset, medium)
    if medium == plugin.SCREEN:
        assert rules.form(options) is None
    if rules.form(options) is None:
        for step in play(rules, options, seats, random.Random(1), limit=30):
            assert listed(rules, step.state, PLAYED) is None
            with pytest.raises(Illegal):
                rules.decide(step.state, Command(PLAYED, None, {}), NoDiceYet(), step.entry.seq + 1)


@tables
def test_a_form_is_data_with_words_and_a_schema(game_id: str, preset: str, medium: str) -> None:
    rules, options, _seats = rules_at(game_id, preset, medium)
    form = rules.form(options)
    if form is None:
        return
    parts = form.to_json(str)
    assert json.loads(json.dumps(parts)) == parts and any(parts.values())
    for fields in (form.of_game, form.of_seat, form.of_round):
        known = {one.id: one for one in fields}
        assert len(known) == len(fields)
        for one in fields:
            assert one.label and bool(one.words) == (one.kind == "word") and (one.needed or one.unsaid or _is_seat(one))
            assert one.only is None or one.only[1] in known[one.only[0]].words
    Draft202012Validator.check_schema(form.schema())


def _is_seat(one: FormField) -> bool:
    """Tell whether a field is of seats: that nobody is told says itself what it means."""
    return one.kind in ("seat", "seats")


@tables
def test_examples_keep_the_form_are_decided_without_dice_and_can_be_taken_back(
    game_id: str, preset: str, medium: str
) -> None:
    rules, options, seats = rules_at(game_id, preset, medium)
    form = rules.form(options)
    if form is None:
        return
    validator, handed = Draft202012Validator(form.schema()), 0
    for step in play(rules, options, seats, random.Random(f"{game_id} {preset}"), limit=60):
        choice = listed(rules, step.state, PLAYED)
        for told in () if choice is None else choice.options:
            handed += 1
            form.check(told, seats)
            assert validator.is_valid(told)
            seq = step.entry.seq + 1
            decided = rules.decide(step.state, Command(PLAYED, None, told), NoDiceYet(), seq)
            assert fold_entry(rules, step.state, Entry(seq, decided.events)) == decided.state
            assert rules.load(json.loads(json.dumps(rules.dump(decided.state)))) == decided.state
            assert rules.faults(decided.state) == ()
            for event in decided.events:
                outcome = rules.outcome(event)
                assert outcome is None or outcome.without_house
            _taken_back(rules, step.state, decided.state, seq)
    assert handed


def _taken_back(rules: Any, before: Any, state: Any, seq: int) -> None:
    """Take back what was handed over in entry `seq`: the game then stands as before it, or before its beginning."""
    if rules.is_over(state):
        return
    if listed(rules, state, TAKE_BACK_GAME) is None:
        # Somebody who had announced it has left with the end of that game.
        with pytest.raises(Illegal, match="cannot_take_back"):
            rules.taking_back(state, seq - 1)
        return
    assert rules.taking_back(state, seq - 1) == (TAKE_BACK_GAME, {})
    back = rules.decide(state, Command(TAKE_BACK_GAME, None, {}), NoDiceYet(), seq + 1)
    assert rules.faults(back.state) == ()
    assert rules.taking_back(back.state, seq - 1) is None
    assert rules.order(back.state) in ((), rules.order(before))


@tables
def test_what_does_not_keep_the_form_is_refused_in_words_and_draws_nothing(
    game_id: str, preset: str, medium: str
) -> None:
    rules, options, seats = rules_at(game_id, preset, medium)
    if rules.form(options) is None:
        return
    state = rules.open(options, seats, RandomDice(random.Random(2))).state
    nonsense: list[Any] = [{}, [], None, "x", {"game": {}}, {"rounds": [{}] * 100}, {"seats": {"0": {"x": 1}}}, 7]
    for told in nonsense:
        with pytest.raises(Illegal) as refusal:
            rules.decide(state, Command(PLAYED, None, told), NoDiceYet(), 2)
        code = refusal.value.code
        assert translate(code, refusal.value.params, game_id) != code

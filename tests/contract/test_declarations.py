"""What every game declares: options, presets, texts, bots, front-end files."""

from __future__ import annotations

import random
import re

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import get_template

from games.apps import check_games
from games.kernel.contract import CONTRACT_VERSION, Command
from games.kernel.options import BoolOption, ChoiceOption, IntOption, OptionErrors, TextOption
from games.kernel.simulate import open_choices
from games.plugin import LEAVING_AT_ONCE, LEAVING_BY_HOST, GameConfig, Grading, all_games
from games.refusals import REFUSALS
from tests.contract.driver import (
    Case,
    changed_cases,
    few_cases,
    over_the_wire,
    sampled,
    seeded,
)

every_game = pytest.mark.parametrize("config", all_games().values(), ids=list(all_games()))


def test_the_registry_finds_the_games_and_the_system_check_passes() -> None:
    assert {"chicago", "dummygame"} <= set(all_games())
    assert check_games() == []


@every_game
def test_metadata_is_complete(config: GameConfig) -> None:
    assert config.contract == CONTRACT_VERSION
    assert config.game_id.isidentifier()
    assert config.game_id.islower()
    assert len(config.game_id) <= 32
    assert config.title
    assert config.tagline
    assert config.units
    assert 1 <= config.min_seats <= config.max_seats
    assert type(config.rules.version) is int
    assert config.bots is None or config.bot_levels


@every_game
def test_a_grading_module_offers_all_that_the_house_asks_of_it(config: GameConfig) -> None:
    wanted = set(Grading.__annotations__) | {name for name in vars(Grading) if not name.startswith("_")}
    assert config.grading is None or wanted <= set(getattr(config.grading, "__all__", dir(config.grading)))


@every_game
def test_refusals_of_the_game_are_none_of_the_houses(config: GameConfig) -> None:
    """The house's sentences stand in games/refusals.py; a second one would never be shown, or differ."""
    assert set(config.messages) & set(REFUSALS) == set()
    assert all(str(text) for text in config.messages.values())


@every_game
def test_the_element_and_the_rules_page_exist(config: GameConfig) -> None:
    assert finders.find(config.script), config.script
    assert not config.has_element or finders.find(f"{config.game_id}/table.css")
    if config.rules_template:
        get_template(config.rules_template)


@every_game
def test_presets_are_valid_and_seats_lie_within_the_games(config: GameConfig) -> None:
    assert len({p.id for p in config.options.presets}) == len(config.options.presets) > 0
    for preset in config.options.presets:
        values = config.options.values(preset.id)
        assert over_the_wire(values) == values
        assert config.options.validate(values) == values
        assert config.options.diff(values, preset.id) == {}
        assert config.min_seats <= preset.seats[0] <= preset.seats[1] <= config.max_seats
        assert config.options.seats(preset.id, values) == preset.seats
        assert preset.label
        assert preset.blurb
        assert len(preset.id) <= 32


@pytest.mark.parametrize("case", changed_cases(), ids=str)
def test_house_rules_seat_no_more_and_no_fewer_than_the_game(case: Case) -> None:
    few, many = case.config.options.seats(case.preset, case.values)
    assert case.config.min_seats <= few <= many <= case.config.max_seats


@every_game
def test_leaving_is_declared(config: GameConfig) -> None:
    assert config.leaving in (LEAVING_AT_ONCE, LEAVING_BY_HOST)
    assert config.leaving_note or config.leaving == LEAVING_BY_HOST


@every_game
def test_every_option_has_a_label_and_takes_its_default(config: GameConfig) -> None:
    for option in config.options.options:
        assert option.label
        assert option.group
        assert option.problem(option.default) is None
        assert option.id.isidentifier()
        if option.needs is not None:
            config.options[option.needs.id]
            assert option.needs.reason
            for value in option.needs.values:
                assert config.options[option.needs.id].problem(value) is None


@every_game
def test_every_option_says_something_on_the_rules_card(config: GameConfig) -> None:
    for option in config.options.options:
        sentences = {option.sentence(value) for value in some_values(option)}
        assert any(sentences)
        for sentence in sentences:
            assert set(re.findall(r"{(.*?)}", sentence)) <= {"value", *words_of(config)}


def words_of(config: GameConfig) -> set[str]:
    """Return the words that the declaration explains under every preset."""
    options = config.options
    told = [set(options.words(options.values(p.id))) if options.words else set() for p in options.presets]
    return set.intersection(*told)


def some_values(option: object) -> list[object]:
    """Return values that an option may have."""
    if isinstance(option, BoolOption):
        return [True, False]
    if isinstance(option, IntOption):
        return [option.low, option.default, option.high]
    if isinstance(option, ChoiceOption):
        return [pick.id for pick in option.picks]
    assert isinstance(option, TextOption)
    return [option.default]


@every_game
def test_bad_values_are_refused_at_their_option(config: GameConfig) -> None:
    preset = config.options.presets[0].id
    for option in config.options.options:
        for bad in (None, [], {}, 1.5, "\x00", "", -(10**9)):
            with pytest.raises(OptionErrors) as refusal:
                config.options.values(preset, {option.id: bad})
            assert set(refusal.value.errors) == {option.id}
            code, params = refusal.value.errors[option.id]
            assert REFUSALS[code].text % params


@every_game
def test_exclusions_can_happen_and_show_at_an_option(config: GameConfig) -> None:
    for exclusion in config.options.exclusions:
        values = config.options.values(config.options.presets[0].id)
        values |= {key: wanted[0] for key, wanted in exclusion.when.items()}
        assert exclusion.hits(values)
        with pytest.raises(OptionErrors) as refusal:
            config.options.validate(values)
        assert exclusion.field in refusal.value.errors
        assert exclusion.reason
        assert config.options[exclusion.field]


@every_game
def test_the_schema_names_every_option_and_agrees_with_validate(config: GameConfig) -> None:
    schema = over_the_wire(config.options.json_schema())
    values = config.options.values(config.options.presets[0].id)
    assert list(schema["properties"]) == list(values) == schema["required"]


@pytest.mark.parametrize("case", [*few_cases(), *changed_cases(4)], ids=str)
def test_bots_answer_with_what_is_listed(case: Case) -> None:
    """A bot gets its seat's view and required choices, and nothing of the state; at some tables no bot may sit."""
    if case.config.bots is None or not case.config.takes_bots(case.values):
        return
    for step in sampled(case, 10):
        seats = {c.seat for c in open_choices(case.rules, step.state, case.seats) if c.required}
        for seat in seats:
            required = [c for c in case.rules.choices(step.state, seat) if c.required]
            view = over_the_wire(case.rules.view(step.state, seat))
            for level in case.config.bot_levels:
                seed = random.Random(level).getrandbits(32)
                name, args = case.config.bots.choose(view, required, level, seed)
                assert args in next(c.options for c in required if c.name == name)


@pytest.mark.parametrize("case", [*few_cases(), *changed_cases(4)], ids=str)
def test_what_bots_do_aside_is_listed_too(case: Case) -> None:
    """Some choices take more than they list: those the rules themselves must accept."""
    if case.config.bots is None or case.config.bots.aside is None:
        return
    for step in sampled(case, 10):
        for seat in range(case.seats):
            optional = [c for c in case.rules.choices(step.state, seat) if not c.required]
            view = over_the_wire(case.rules.view(step.state, seat))
            for level in case.config.bot_levels if optional else ():
                answer = case.config.bots.aside(view, optional, level, 7)
                if answer is not None:
                    choice = next(c for c in optional if c.name == answer[0])
                    command = Command(answer[0], seat, answer[1], choice.opened_at)
                    assert case.rules.decide(step.state, command, seeded(1), step.entry.seq + 1).events

"""The house rules and their presets: docs/rules-chicago.md §4."""

import pytest

from chicago.rules.options.declaration import OPTIONS
from games.kernel.options import OptionErrors

# The table of §4, row by row: what each preset says about an option.
TABLE = {
    "valuation": ("starter", "fixed", "starter", "fixed"),
    "followers": ("at_most", "exactly", "at_most", "at_most"),
    "keep": ("any", "ones_and_sixes", "any", "any"),
    "sixes_turn": ("first_throw", "same_throw", "same_throw", "off"),
    "three_sixes": ("free", "forced", "forced", "free"),
    "chick": ("any", "one_throw", "one_throw", "any"),
    "mats": ("none", "n_plus_1", "two_n_minus_1", "none"),
    "ties": ("later_loses", "later_loses", "later_loses", "later_loses"),
}
COLUMNS = ("classic", "bavarian", "tschigg", "forfeits")
PRESETS = ("classic", "bavarian", "mats", "tschigg", "forfeits")


@pytest.mark.parametrize("option", TABLE)
def test_each_preset_is_as_the_table_of_variants_has_it(option):
    assert tuple(OPTIONS.values(preset)[option] for preset in COLUMNS) == TABLE[option]


def test_cup_and_mats_are_the_bavarian_game_with_real_dice():
    bavarian, real = OPTIONS.values("bavarian"), OPTIONS.values("mats")
    told = {"dice": "typed", "entry": "result", "turn_seconds": 0}
    assert {name: value for name, value in real.items() if bavarian[name] != value} == {
        name: value for name, value in told.items() if bavarian[name] != value
    }
    assert {name: real[name] for name in told} == told


def test_where_the_valuation_is_fixed_it_is_100_60_high():
    for preset in ("bavarian", "forfeits"):
        values = OPTIONS.values(preset)
        assert (values["ones"], values["sixes"], values["direction"]) == ("100", "60", "high")


def test_classic_is_the_default_preset():
    assert OPTIONS.presets[0].id == "classic"
    assert tuple(p.id for p in OPTIONS.presets) == PRESETS


def test_forfeits_seats_three_to_eight_and_the_others_two_to_twelve():
    assert {p.id: p.seats for p in OPTIONS.presets} == {
        "classic": (2, 12),
        "bavarian": (2, 12),
        "mats": (2, 12),
        "tschigg": (2, 12),
        "forfeits": (3, 8),
    }


def test_mats_and_forfeits_exclude_each_other_with_a_reason():
    with pytest.raises(OptionErrors) as refused:
        OPTIONS.values("forfeits", {"mats": "n_plus_1"})
    assert refused.value.errors == {"forfeits": ("forfeits_with_mats", {})}
    assert OPTIONS.exclusions[0].reason


def test_what_an_option_needs_has_a_reason():
    for option in OPTIONS.options:
        assert option.needs is None or option.needs.reason


def test_every_option_has_a_label_and_a_group():
    assert all(option.label and option.group for option in OPTIONS.options)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_rules_card_has_a_sentence_for_all_that_is_in_force(preset):
    values = OPTIONS.values(preset)
    said = {line.option for line in OPTIONS.card(values)}
    active = {o.id for o in OPTIONS.options if OPTIONS.is_active(o, values)}
    silent = {o.id for o in OPTIONS.options if values[o.id] is False}
    assert active - silent <= said


def test_the_rules_card_says_that_the_game_never_asks_for_alcohol():
    card = OPTIONS.card(OPTIONS.values("forfeits"))
    assert any("never asks anybody to drink alcohol" in line.sentence for line in card)


def test_a_forfeit_is_neutral_by_default():
    values = OPTIONS.values("forfeits")
    assert values["forfeit_name"] == "a point"
    assert values["adults_only"] is False


def test_a_card_says_adults_only_if_the_house_says_so():
    card = OPTIONS.card(OPTIONS.values("forfeits", {"adults_only": True}), "forfeits")
    assert [line.changed for line in card if line.option == "adults_only"] == [True]

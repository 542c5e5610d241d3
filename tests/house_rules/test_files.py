"""Files of house rules: what is written is read again, and what is wrong is told in its place."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st

from games import plugin
from games.kernel.options import (
    BoolOption,
    ChoiceOption,
    IntOption,
    Option,
    OptionErrors,
    OptionSet,
    TextOption,
)
from games.models import HouseRules
from games.refusals import REFUSALS
from games.services.house_rules import files
from games.services.house_rules import sets as house_rule_sets
from games.services.house_rules.compatibility import fit
from games.services.house_rules.sets import HostsMay, SetDraft, SetKeeper

GAME = "dummygame"


def some_value(option: Option) -> st.SearchStrategy[object]:
    """Return any value that an option takes by itself."""
    if isinstance(option, BoolOption):
        return st.booleans()
    if isinstance(option, IntOption):
        return st.integers(option.low, option.high)
    if isinstance(option, ChoiceOption):
        return st.sampled_from([pick.id for pick in option.picks])
    assert isinstance(option, TextOption)
    texts = st.text(min_size=1, max_size=option.longest)
    return texts.filter(lambda text: option.problem(text) is None)


def refused(options: OptionSet, values: dict[str, object]) -> set[str] | None:
    """Return the options of the first contradiction between values, None when there is none."""
    try:
        options.validate(values)
    except OptionErrors as refusal:
        codes = {(field, code) for field, (code, _params) in refusal.errors.items()}
        return {key for e in options.exclusions if (e.field, e.code) in codes for key in e.when}
    return None


@st.composite
def some_set(draw: st.DrawFn) -> dict[str, object]:
    """Return any set that a game's declaration accepts, as a file holds it."""
    game = draw(st.sampled_from(list(plugin.all_games().values())))
    preset = draw(st.sampled_from(game.options.presets))
    values = {option.id: draw(some_value(option)) for option in game.options.options}
    while (excluded := refused(game.options, values)) is not None:
        # The variant's own values contradict each other nowhere.
        values |= {key: game.options.values(preset.id)[key] for key in excluded}
    return {
        "game": game.game_id,
        "name": draw(st.sampled_from(["Pub", "Ælde öl", "7"])),
        "preset": preset.id,
        "hosts_may": draw(st.sampled_from(HostsMay.values)),
        "options": values,
    }


@given(st.lists(some_set(), min_size=1, max_size=3))
def test_every_set_that_is_accepted_comes_back_from_its_file(sets) -> None:
    found = files.read(files.write(sets).encode())
    for one, was in zip(found, sets, strict=True):
        assert (one.game_id, one.draft.name, one.draft.preset, one.draft.hosts_may) == (
            was["game"], was["name"], was["preset"], was["hosts_may"],
        )  # fmt: skip
        assert one.draft.options == was["options"]
        assert one.added == ()


@given(some_set())
def test_what_is_stored_reads_as_it_was_written(one) -> None:
    options = plugin.game(one["game"]).options
    now = fit(options, one["preset"], json.loads(json.dumps(one["options"])))
    assert (now.values, now.is_sound) == (one["options"], True)
    assert (now.added, now.dropped, now.lost_preset) == ((), (), "")


def a_set(**changes: object) -> dict[str, object]:
    options = plugin.game(GAME).options.values("quick")
    return {"game": GAME, "name": "Pub", "preset": "quick", "options": options} | changes


def faults_of(text: str | bytes) -> dict[str, str]:
    """Return what is wrong with a file: path → code."""
    raw = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(files.FileRefused) as refusal:
        files.read(raw)
    assert all(fault.code in REFUSALS or fault.game_id for fault in refusal.value.faults)
    return {fault.path: fault.code for fault in refusal.value.faults}


def file_of(*sets: object, **changes: object) -> str:
    return json.dumps({"kind": files.KIND, "format": 1, "sets": list(sets)} | changes)


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", {"": "file_not_json"}),
        (b"\xff\xfe\x00", {"": "file_not_json"}),
        ("[" * 60_000, {"": "too_deep"}),
        ("[]", {"kind": "wrong_kind"}),
        ('{"kind": "shopping list"}', {"kind": "wrong_kind"}),
        (file_of(a_set(), format=2), {"format": "wrong_format"}),
        (file_of(a_set(), format=True), {"format": "wrong_format"}),
        (file_of(), {"sets": "no_sets"}),
        (file_of(sets=7), {"sets": "no_sets"}),
        (file_of(*[a_set()] * 51), {"sets": "no_sets"}),
        (file_of("Pub"), {"sets[0]": "not_an_object"}),
        (" " * 300_000, {"": "file_too_big"}),
    ],
    ids=range(12),
)
def test_what_is_no_file_of_house_rules_is_refused(text, faults) -> None:
    assert faults_of(text) == faults


def test_everything_that_is_wrong_is_told_at_its_place() -> None:
    options = plugin.game(GAME).options.values("quick")
    broken = options | {"numbers": 99, "rouds": 3, "sets": None, "wins": ["highest"]}
    contradiction = options | {"wins": "lowest", "ties": "die"}
    text = file_of(
        a_set(options=broken, name=""),
        a_set(options=contradiction),
        a_set(game="poker"),
        a_set(preset=["quick"], hosts_may=3),
        a_set(options=[]),
        {},
    )
    assert faults_of(text) == {
        "sets[0].name": "rules_name",
        "sets[0].options.numbers": "out_of_range",
        "sets[0].options.rouds": "unknown_option",
        "sets[0].options.sets": "not_int",
        "sets[0].options.wins": "not_a_choice",
        "sets[1].options.ties": "die_needs_highest",
        "sets[2].game": "no_such_game",
        "sets[3].preset": "no_such_preset",
        "sets[3].hosts_may": "not_a_choice",
        "sets[4].options": "not_an_object",
        "sets[5].name": "rules_name",
        "sets[5].game": "no_such_game",
    }


def test_what_a_file_does_not_name_is_as_in_the_variant_and_said() -> None:
    (one,) = files.read(file_of(a_set(options={"numbers": 4})).encode())
    assert "sets" in one.added
    assert "numbers" not in one.added


@pytest.mark.django_db
def test_a_file_is_taken_as_a_whole_or_not_at_all() -> None:
    keeper = SetKeeper(user=User.objects.create_user("bar", is_staff=True))
    rules = house_rule_sets.create(keeper, GAME, SetDraft("Pub", "quick", {"numbers": 7}))
    text = files.export_json([rules, rules])
    made = [one for one, _added in files.import_json(keeper, text.encode())]
    assert [one.name for one in made] == ["Pub (2)", "Pub (3)"]
    assert {one.options["numbers"] for one in made} == {7}
    both = json.loads(text)
    both["sets"][1]["options"]["numbers"] = 99
    with pytest.raises(files.FileRefused):
        files.import_json(keeper, json.dumps(both).encode())
    assert HouseRules.objects.count() == 3

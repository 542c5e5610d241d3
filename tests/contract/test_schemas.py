"""Events, choices and views have schemas, made from their declarations; what games write and send keeps to them."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.core.management import CommandError, call_command

from games.kernel.contract import Choice, JsonObject
from games.kernel.events import Fact, Registry
from games.kernel.json.schemas import choice_schemas, event_schemas, is_as_declared, view_schema
from games.management import browser_types
from games.plugin import all_games
from tests.contract.driver import Case, evening, few_cases, over_the_wire, sampled, viewers
from tests.seeds import share_of_day

DOCS = Path(__file__).resolve().parents[2] / "docs" / "schemas"
# The types that modules in the browser are held to: a game without a module of its own need not publish any.
PUBLISHED = sorted(path.name for path in DOCS.glob("*.d.ts"))
WRITTEN = browser_types.files(all_games().values())


def faults(schemas: dict[str, JsonObject], name: str, value: Any) -> list[str]:
    """Return what is wrong with a value by the schema of its name, in words.

    The check that programmers of games run says the same of it.
    """
    if (schema := schemas.get(name)) is None:
        return [f"{name} has no schema"]
    sent = over_the_wire(value)
    found = [f"{name}: {error.message}" for error in jsonschema.Draft202012Validator(schema).iter_errors(sent)]
    assert is_as_declared(sent, schema) == (not found), found
    return found


@pytest.mark.parametrize("case", share_of_day(few_cases(), 3), ids=str)
def test_every_event_of_a_simulated_table_keeps_to_its_schema(case: Case) -> None:
    schemas = event_schemas(case.rules.events)
    events = [event for step in evening(case) for event in step.entry.events]
    assert [fault for event in events for fault in faults(schemas, event.type, event.data)] == []


@pytest.mark.parametrize("case", share_of_day(few_cases(), 3, 1), ids=str)
def test_every_view_and_choice_of_a_simulated_table_keeps_to_its_schema(case: Case) -> None:
    view, choices = view_schema(case.rules), choice_schemas(case.rules)
    found = []
    for step in sampled(case) if view else ():
        for viewer in viewers(case):
            found += faults({"view": view}, "view", case.rules.view(step.state, viewer))
            asked = case.rules.choices(step.state, viewer) if viewer is not None else ()
            found += [fault for one in asked for fault in faults(choices, one.name, case.rules.sent(step.state, one))]
    assert found == []


def test_a_game_that_declares_no_shapes_is_held_to_its_events_alone() -> None:
    bluffing = all_games()["bluffing"].rules
    assert (view_schema(bluffing), choice_schemas(bluffing)) == (None, {})


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_types_are_those_of_the_declarations(name: str) -> None:
    """`manage.py browser_types chicago chouette` writes them anew after a change of the declarations."""
    assert (DOCS / name).read_text() == WRITTEN[name]


def test_the_command_writes_the_files_of_the_games_that_it_is_told(tmp_path: Path) -> None:
    call_command("browser_types", "dummygame", into=tmp_path, stdout=StringIO())
    assert {path.name for path in tmp_path.iterdir()} == {"house.d.ts", "dummygame.json", "dummygame.d.ts"}
    assert 'bid: House.ChoiceOf<"bid", Bid>;' in (tmp_path / "dummygame.d.ts").read_text()
    with pytest.raises(CommandError, match=r"halma is not installed. Installed are: .*dummygame"):
        call_command("browser_types", "halma", into=tmp_path)


VIEW = all_games()["dummygame"].rules.view(evening(Case("dummygame", "hidden", 3))[3].state, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        {**VIEW, "dice": []},
        {"rond" if name == "round" else name: value for name, value in VIEW.items()},
        {**VIEW, "round": "1"},
        {**VIEW, "over": 0},
        {**VIEW, "seats": [{**VIEW["seats"][0], "points": None}]},
    ],
)
def test_a_planted_view_that_is_not_as_declared_is_found(wrong: JsonObject) -> None:
    schemas = {"view": view_schema(all_games()["dummygame"].rules) or {}}
    assert (len(faults(schemas, "view", VIEW)), len(faults(schemas, "view", wrong)) > 0) == (0, True)


def test_a_planted_choice_that_is_not_as_declared_is_found() -> None:
    schemas = choice_schemas(all_games()["dummygame"].rules)
    choice = Choice("bid", 1, 3, ({"number": 2},)).to_json()
    assert faults(schemas, "bid", choice) == []
    for wrong in ({"options": [{"numbr": 2}]}, {"about": {"value": 3}}, {"base": 4}, {"name": "bids"}):
        assert faults(schemas, "bid", {**choice, **wrong})


class Planted(Fact[Any], abstract=True):
    """The base of planted events."""

    declared = Registry[Any]()


class Raised(Planted):
    """A bid is raised."""

    seat: int
    bids: list[list[int]]
    note: str | None = None


@pytest.mark.parametrize(
    ("data", "is_right"),
    [
        ({"seat": 1, "bids": [[2, 3]]}, True),
        ({"seat": 1, "bids": [], "note": None}, True),
        ({"seat": "1", "bids": []}, False),
        ({"seat": 1, "bids": [2]}, False),
        ({"seat": 1}, False),
        ({"seat": 1, "bids": [], "bid": 3}, False),
    ],
)
def test_a_planted_event_that_is_not_as_declared_is_found(data: JsonObject, is_right: bool) -> None:
    schemas = event_schemas(Planted.declared)
    assert (faults(schemas, "raised", data) == []) is is_right


def test_a_planted_event_without_a_declaration_is_found() -> None:
    assert faults(event_schemas(Planted.declared), "lowered", {}) == ["lowered has no schema"]

"""Every event has a schema, made from its declaration; what games write keeps to it.

`MAKE_SCHEMAS=1 pytest tests/contract/test_schemas.py` writes docs/schemas/ anew after a change of the declarations.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from games.kernel.contract import Event, JsonObject
from games.kernel.events import Fact, Registry
from games.kernel.schemas import event_schemas
from games.plugin import GameConfig, all_games
from tests.contract.driver import Case, evening, few_cases, over_the_wire

DOCS = Path(__file__).resolve().parents[2] / "docs" / "schemas"
SHIPPED = [game for game in all_games().values() if not game.name.startswith("tests.")]


def faults(schemas: dict[str, JsonObject], events: list[Event]) -> list[str]:
    """Return what is wrong with events by their schemas, in words."""
    found = []
    for event in events:
        if (schema := schemas.get(event.type)) is None:
            found.append(f"{event.type} has no schema")
            continue
        errors = jsonschema.Draft202012Validator(schema).iter_errors(over_the_wire(event.data))
        found += [f"{event.type}: {error.message}" for error in errors]
    return found


@pytest.mark.parametrize("case", few_cases(), ids=str)
def test_every_event_of_a_simulated_table_keeps_to_its_schema(case: Case) -> None:
    schemas = event_schemas(case.rules.events)
    assert [fault for step in evening(case) for fault in faults(schemas, list(step.entry.events))] == []


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
    assert (faults(schemas, [Event("raised", data)]) == []) is is_right


def test_a_planted_event_without_a_declaration_is_found() -> None:
    assert faults(event_schemas(Planted.declared), [Event("lowered", {})]) == ["lowered has no schema"]


@pytest.mark.parametrize("game", SHIPPED, ids=lambda game: game.game_id)
def test_the_schemas_in_the_documentation_are_those_of_the_declarations(game: GameConfig) -> None:
    path, made = DOCS / f"{game.game_id}.json", event_schemas(game.rules.events)
    if os.environ.get("MAKE_SCHEMAS") == "1":
        path.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n")
    assert json.loads(path.read_text()) == made

"""The API's description: complete, valid, with an example and the refusals of every address."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.utils import translation
from drf_spectacular.drainage import GENERATOR_STATS, reset_generator_stats
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from games import plugin
from games.api.urls import urlpatterns
from games.kernel.options import BoolOption
from games.models.house import forget
from games.refusals import REFUSALS
from games.services.acts import ALL
from tests import database
from tests.api import examples
from tests.api.world import make_world

KEPT = Path(settings.BASE_DIR) / "games" / "api" / "answers.json"
# What answers with a file, or with the description itself.
NO_JSON = {"getNightFile", "getTableFile"}


@pytest.fixture(scope="module")
def made() -> tuple[dict[str, Any], bool]:
    """The description, and whether making it gave a warning or an error."""
    reset_generator_stats()
    described = json.loads(json.dumps(SchemaGenerator().get_schema(request=None, public=True)))
    return described, bool(GENERATOR_STATS)


@pytest.fixture(scope="module")
def description(made) -> dict[str, Any]:
    return made[0]


def operations(description: dict[str, Any]) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Return operation → method, path, description."""
    return {
        operation["operationId"]: (method, path, operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    }


def resolved(schema: Any, description: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that is complete in itself."""
    return {**schema, "components": description["components"]}


@pytest.fixture(scope="module")
def strict(description) -> jsonschema.Draft202012Validator:
    """A validator by whose components objects have no other fields than are described."""
    components = copy.deepcopy(description["components"])
    for shape in components["schemas"].values():
        shape.setdefault("additionalProperties", False)
    return jsonschema.Draft202012Validator({"components": components})


def test_the_description_is_valid_and_made_without_a_warning(made):
    described, has_warnings = made
    validate_schema(described)
    assert not has_warnings


def test_every_address_is_described_under_a_name_of_its_own(description):
    found = operations(description)
    names = {p.name for p in urlpatterns} - {"api_schema", "api_docs", "api_nothing"}
    names -= {"api_table_played", "api_table_played_list", "api_table_proposal"}  # spoken with the pages of a table
    assert len({path for _, path, _ in found.values()}) == len(names)
    assert len(found) == sum(len(methods) for methods in description["paths"].values())
    for operation, (method, path, told) in found.items():
        assert operation.isalnum(), operation
        assert told["summary"], (method, path)
        assert told["tags"], (method, path)


# Programs are generated from these names: one that goes breaks them.
STABLE = [
    "getMe",
    "getQuiz",
    "answerQuiz",
    "listMatches",
    "bringMatch",
    "getMatch",
    "deleteMatch",
    "listVenues",
    "listGames",
    "getGameRules",
    "getGameEvents",
    "getGameView",
    "getOdds",
    "listHouseRules",
    "getHouseRules",
    "listHouseRulesVersions",
    "listNights",
    "hostNight",
    "joinNight",
    "getNight",
    "removeNewcomers",
    "closeNight",
    "getTakeOver",
    "takeOver",
    "reclaimNight",
    "listPeople",
    "listTables",
    "openTable",
    "drawTables",
    "listRounds",
    "openRound",
    "listRegroupings",
    "regroupTables",
    "listTournaments",
    "makeTournament",
    "getTournament",
    "actAtTournament",
    "getNightLeaderboard",
    "listPastGames",
    "enterPastNight",
    "answerPastGame",
    "withdrawPastGame",
    "enterPastGame",
    "getNightPosition",
    "voteOnPosition",
    "listNightFiles",
    "getNightFile",
    "getTable",
    "listEvents",
    "sendCommand",
    "getTableRules",
    "getReplay",
    "getGrades",
    "getDeeper",
    "askDeeper",
    "getGradesLine",
    "takeSeat",
    "leaveSeat",
    "nameScorekeeper",
    "startTable",
    "playAgain",
    "listTableFiles",
    "getTableFile",
    "answerCorrection",
    "correctResult",
    "listResults",
    "listPlayers",
    "getPlayer",
    "listPlayerResults",
    "listRivals",
    "getLeaderboard",
    "listSeasons",
    "getSeason",
    "listWebhooks",
    "getWebhook",
    "listSeries",
    "makeSeries",
    "getSeries",
    "getDate",
    "getSeasonFigures",
    "getShared",
    "getNightShare",
    "getSeasonShare",
    "getOwed",
    "actAtNight",
    "actAtOwed",
    "actAtTable",
    "actAtSeason",
    "actAtSeries",
    "actAtDate",
    "actAtRules",
    "actAtWebhook",
]


def test_the_names_of_the_operations_stay(description):
    assert list(operations(description)) == STABLE


MOST = 83
"""The most operations that the description counts, but for old ones."""


def test_operations_stay_few_and_what_1_0_had_stays(description):
    """An act is no operation of its own: it is declared, and the address of its thing carries it out."""
    found = operations(description)
    old = {name for name, (_method, _path, told) in found.items() if told.get("deprecated")}
    assert old == OLD
    assert len(found) - len(old) <= MOST


OLD = {
    *("removeNewcomers", "closeNight", "takeOver", "reclaimNight"),
    *("takeSeat", "leaveSeat", "nameScorekeeper", "startTable", "playAgain"),
}
"""Acts that have an address of their own since 1.0.0, until 2.0."""


def test_every_operation_tells_its_refusals_with_their_codes(description):
    for operation, (method, _, told) in operations(description).items():
        refusals = {s: r for s, r in told["responses"].items() if s >= "400"}
        assert {"400", "401", "403", "429", "503"} <= set(refusals), operation
        assert ("415" in refusals) == (method == "post"), operation
        for answer in refusals.values():
            (content,) = answer["content"].values()
            assert content["schema"] == {"$ref": "#/components/schemas/Error"}
            for name, example in content.get("examples", {}).items():
                assert example["value"]["message"], (operation, name)


def test_codes_that_are_told_are_known(description):
    for operation, (_, _, told) in operations(description).items():
        for status, answer in told["responses"].items():
            if status >= "400":
                codes = answer["description"].replace("`", "").split(", ")
                assert [code for code in codes if code not in REFUSALS] == [], operation


@pytest.fixture(scope="module")
def fresh(django_db_setup, django_db_blocker) -> dict[str, Any]:
    """Return the examples as the API gives them now, to compare only."""
    cache.clear()
    forget()
    with django_db_blocker.unblock(), database.undone(), translation.override(None):
        return examples.made(make_world())


def test_every_operation_has_an_example_that_keeps_to_its_schema(description, strict):
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    found = operations(description)
    assert set(kept) == set(found) - NO_JSON
    for operation, example in kept.items():
        _, _, told = found[operation]
        status = next(s for s in told["responses"] if s < "300")
        content = told["responses"][status]["content"]["application/json"]
        check(example["response"], content["schema"], strict, operation)
        assert content["examples"]["Example"]["value"] == example["response"]
        if "requestBody" in told:
            body = told["requestBody"]["content"]["application/json"]
            check(example["request"], body["schema"], strict, operation)


COMMANDS = [
    ({"name": "table.kick", "args": {"seat": 1, "sitter": None}}, True),
    ({"name": "table.kick", "args": {"seat": 1}}, False),
    ({"name": "table.kick"}, False),
    ({"name": "table.kick", "args": {"seat": "1", "sitter": 3}}, False),
    ({"name": "table.pause"}, True),
    ({"name": "table.pause", "args": {"seat": 1}}, False),
    ({"name": "throw", "args": {"lay": [0, 2], "turn": False}, "basis": 7}, True),
    ({"name": "throw", "args": {"lay": "all", "turn": False}, "basis": 7}, False),
    ({"name": "no_such_command", "args": {}}, False),
]


@pytest.mark.parametrize(("command", "is_one"), COMMANDS)
def test_a_command_of_a_table_has_the_arguments_that_its_declaration_says(command, is_one, description):
    _, _, told = operations(description)["sendCommand"]
    shape = resolved(told["requestBody"]["content"]["application/json"]["schema"], description)
    assert jsonschema.Draft202012Validator(shape).is_valid({"id": "c-1", **command}) == is_one


def test_every_command_of_the_house_and_every_choice_of_the_games_is_described(description):
    _, _, told = operations(description)["sendCommand"]
    named = told["requestBody"]["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]
    found = [each["title"] for each in description["components"]["schemas"][named]["oneOf"]]
    of_games = {name for game in plugin.all_games().values() for name in game.rules.choice_shapes}
    assert sorted(found) == sorted({*ALL["command"], *of_games})


def check(value: Any, schema: Any, strict: jsonschema.Draft202012Validator, operation: str) -> None:
    """Hold a value to a schema in which objects have no other fields than are described."""
    try:
        strict.evolve(schema=schema).validate(value)
    except jsonschema.ValidationError as error:
        pytest.fail(f"{operation}: {error.json_path}: {error.message}")


def test_answers_have_no_field_that_is_not_described(description, strict, fresh):
    if os.environ.get("MAKE_EXAMPLES"):
        text = json.dumps(fresh, indent=1, ensure_ascii=False)
        KEPT.write_text(text + "\n", encoding="utf-8")
    found = operations(description)
    for operation, example in fresh.items():
        responses = found[operation][2]["responses"]
        status = next(s for s in responses if s < "300")
        schema = responses[status]["content"]["application/json"]["schema"]
        check(example["response"], schema, strict, operation)


def test_a_planted_field_that_is_not_described_is_found(description, strict):
    told = operations(description)["getMe"][2]["responses"]["200"]["content"]["application/json"]["schema"]
    answer = json.loads(KEPT.read_text(encoding="utf-8"))["getMe"]["response"]
    check(answer, told, strict, "getMe")
    with pytest.raises(pytest.fail.Exception, match="planted"):
        check({**answer, "planted": 1}, told, strict, "getMe")


def test_the_examples_tell_the_same_as_the_api_does(fresh):
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    for operation, example in fresh.items():
        assert set(kept[operation]["response"]) == set(example["response"]), operation
        assert kept[operation].get("request", {}).keys() == example.get("request", {}).keys()


def test_a_new_option_of_a_game_is_in_the_api_at_once(db, monkeypatch):
    game = plugin.game("dummygame")
    grown = copy.copy(game.options)
    new = BoolOption(id="brand_new", label="Brand new", default=True, on="Brand new is on.")
    object.__setattr__(grown, "options", (*grown.options, new))
    grown.__post_init__()
    monkeypatch.setitem(game.__dict__, "options", grown)
    (told,) = [g for g in Client().get("/api/games/").json()["games"] if g["id"] == "dummygame"]
    assert told["schema"]["properties"]["brand_new"]["type"] == "boolean"
    rules = Client().get("/api/games/dummygame/rules/").json()
    lines = [ln for group in rules["presets"][0]["card"]["groups"] for ln in group["lines"]]
    assert "Brand new is on." in [line["text"] for line in lines]


def test_the_description_and_its_page_are_served_to_anybody(db):
    answer = Client().get("/api/schema/", {"format": "json"})
    assert answer.json()["openapi"] == "3.1.0"
    assert Client().get("/api/schema/").status_code == 200
    page = Client().get("/api/docs/")
    assert page.status_code == 200
    policy = page["Content-Security-Policy"]
    assert "unsafe" not in policy
    script = Client().get("/api/docs/", {"script": ""})
    assert script["Content-Type"].startswith("application/javascript")

"""The API keeps to its own description, whatever is asked and whoever asks."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from games.api import rate_limit
from games.services.tables import log
from tests.api.world import World, make_world

POSITIVE, NEGATIVE = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
ASKED = [
    *((role, POSITIVE) for role in ("guest", "host", "reader", "other", "staff")),
    *((role, NEGATIVE) for role in ("guest", "host")),
]
EXAMPLES = 4
ALWAYS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
# What is right as data may still be no move, no code, no house rule: that is refused, too.
READS = {POSITIVE: checks.positive_data_acceptance, NEGATIVE: checks.negative_data_rejection}


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    """The description as it is served."""
    from drf_spectacular.generators import SchemaGenerator

    return json.loads(json.dumps(SchemaGenerator().get_schema(request=None, public=True)))


def likely(description: dict[str, Any]) -> dict[str, Any]:
    """Return the description narrowed to what leads somewhere: pages and games that there are."""
    found = copy.deepcopy(description)
    for methods in found["paths"].values():
        for operation in methods.values():
            parameters = [p for p in operation.get("parameters", ()) if p["name"] != "cursor"]
            operation["parameters"] = parameters
            for parameter in parameters:
                if parameter["name"] == "page":
                    parameter["schema"]["maximum"] = 2
    bodies = found["components"]["schemas"]
    bodies["OpenBody"]["properties"]["game"]["enum"] = ["chicago", "dummygame"]
    bodies["OpenBody"]["properties"]["preset"]["enum"] = ["bavarian", "classic", "endless"]
    return found


@pytest.fixture(autouse=True)
def _one_connection() -> Iterator[None]:
    """Keep the test's database connection over requests, as Django's own test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def world(db: None, monkeypatch: pytest.MonkeyPatch) -> World:
    """The night, asked as often as one likes."""
    monkeypatch.setattr(rate_limit.RateThrottle, "allow_request", lambda *args: True)
    return make_world()


def operations(description: dict[str, Any]) -> list[Any]:
    """Return the operations, asked in this process."""
    schema = schemathesis.openapi.from_dict(description)
    schema.app = get_wsgi_application()
    # Wrong data may also be too long (413), which is said before anything else of it is looked at.
    rejected = schema.config.checks.negative_data_rejection
    rejected.expected_statuses = [*rejected.expected_statuses, "413"]
    return [found.ok() for found in schema.get_all_operations()]


@pytest.mark.parametrize(("role", "mode"), ASKED, ids=[f"{r}-{m.value}" for r, m in ASKED])
def test_every_answer_is_as_described(role, mode, description, world):
    token = world.tokens.get(role)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    description = likely(description) if mode is POSITIVE else description
    for operation in operations(description):
        # Where neither parameters nor a body are asked for, none can be wrong.
        if operation.query or operation.body or mode is POSITIVE:
            fuzz(operation, world, mode, headers)


def fuzz(operation: Any, world: World, mode: GenerationMode, headers: dict[str, str]) -> None:
    """Ask an operation several times; nothing of it stays."""
    wanted = world.path(operation.definition.raw["operationId"])
    names = [p.name for p in operation.path_parameters]
    fixed = {name: wanted[name] for name in names}
    kwargs = {"path_parameters": fixed} if fixed else {}
    is_read = operation.method == "get" or mode is NEGATIVE
    wanted_checks = [*ALWAYS, READS[mode]] if is_read else ALWAYS

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode, **kwargs))
    def ask(case: Any) -> None:
        log.forget_all()
        with transaction.atomic():
            response = case.call(headers=headers)
            transaction.set_rollback(True)
        case.validate_response(response, checks=wanted_checks)

    ask()

"""JSON that nests deeply is refused with `too_deep` wherever it comes in, however deep the stack is there."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from games import json_text
from games.live import protocol
from games.models import Night, Player
from games.services.house_rules import files
from tests.architecture.sources import files as sources
from tests.architecture.sources import text_of
from tests.web.pages import browser_of

DEPTHS = (13, 500, 990, 1200, 20_000)


def nest(depth: int) -> str:
    """Return so many objects inside each other."""
    return '{"a":' * depth + "1" + "}" * depth


def deep_in_the_stack(work: Callable[[], Any], left: int = 80) -> Any:
    """Call a function where only so many further calls fit on the stack."""
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back

    def down(steps: int) -> Any:
        return work() if steps <= 0 else down(steps - 1)

    return down(sys.getrecursionlimit() - depth - left)


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("shape", [nest, lambda depth: "[" * depth, lambda depth: '[{"b":[' * depth])
def test_deep_json_is_refused_before_it_is_decoded(depth: int, shape: Callable[[int], str]) -> None:
    with pytest.raises(json_text.TooDeep):
        deep_in_the_stack(lambda: json_text.read(shape(depth)))


@pytest.mark.parametrize(
    "text", [nest(12), '"[[[[[[[[[[[[[["', '["\\"[[[[[[[[[[[[[[", "{{{{{{{{{{{"]', "[" + "[],{}," * 50 + "1]"]
)
def test_brackets_beside_each_other_and_in_strings_nest_nothing(text: str) -> None:
    assert json_text.read(text) == json.loads(text)


@pytest.mark.parametrize("text", ["NaN", "[-Infinity]", "[1", '{"a"}', "]" * 20 + "[" * 20, '"' + "[" * 20])
def test_what_is_not_json_is_refused_as_that(text: str) -> None:
    with pytest.raises(ValueError) as caught:
        json_text.read(text)
    assert not isinstance(caught.value, json_text.TooDeep)


def test_a_frame_and_a_file_of_house_rules_that_nest_deeply_are_refused_by_their_code() -> None:
    with pytest.raises(protocol.Bad, match="too_deep"):
        deep_in_the_stack(lambda: protocol.load(nest(900)))
    with pytest.raises(files.FileRefused, match="too_deep"):
        files.read(nest(990).encode())


@pytest.mark.django_db
@pytest.mark.parametrize("depth", DEPTHS[:-1])
def test_a_browsers_deep_body_is_refused_by_the_api(night: Night, host: Player, depth: int) -> None:
    browser = browser_of(host)
    browser.handler.enforce_csrf_checks = True
    browser.get(reverse("home"))
    token = browser.cookies["csrftoken"].value
    answer = browser.post(
        reverse("api_night_tables", args=[night.public_id]),
        nest(depth),
        content_type="application/json",
        headers={"x-csrftoken": token},
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "too_deep")


def test_no_other_module_reads_json_that_comes_in() -> None:
    """What the house wrote itself may be read otherwise: its cache, its logs, its own files, backups and commands."""
    own = {
        "games/json_text.py", "games/ops/shared_cache.py", "games/services/storage/log_files.py", "games/api/schema.py",
        "games/management/local_servers.py", "games/ops/doctor/network.py", "games/kernel/seasons/reading.py",
        "games/kernel/json/commands.py", "games/interfaces.py", "games/management/backups/sources.py",
        "games/ops/diagnosis/log_level.py", "games/ops/diagnosis/recent_lines.py", "games/management/contract_check.py",
        "games/services/payments/bank_details.py",
    }  # fmt: skip
    readers = ("json.loads", "json.load(", "orjson.loads", "JSONDecoder", "JSONParser", "forms.JSONField")
    found = {str(path) for path in sources(".py", under="games") if any(name in text_of(path) for name in readers)}
    assert found <= own

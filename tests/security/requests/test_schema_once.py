"""The API's description is made once: whoever asks for it again and again costs no processor time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from games.api import schema_page

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The descriptions that were made; as in a process that has just started."""
    cache.clear()
    found: list[int] = []
    real = schema_page.SchemaGenerator.get_schema

    def get_schema(self: Any, *args: Any, **kwargs: Any) -> Any:
        found.append(1)
        return real(self, *args, **kwargs)

    monkeypatch.setattr(schema_page.SchemaGenerator, "get_schema", get_schema)
    schema_page._texts.cache_clear()
    return found


def ask(accept: str) -> tuple[int, bytes, str]:
    answer = Client(raise_request_exception=False).get("/api/schema/", headers={"accept": accept})
    return answer.status_code, answer.content, answer["Content-Type"]


def test_parallel_first_requests_are_all_answered_by_one_description(made: list[int]) -> None:
    kinds = ["application/json", "application/vnd.oai.openapi"] * 4
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, kinds))
    assert [status for status, _, _ in answers] == [200] * 8
    assert len({content for _, content, _ in answers}) == 2
    assert len(made) == 1


def test_asking_again_makes_nothing(made: list[int]) -> None:
    first = ask("application/json")
    assert first == ask("application/json")
    assert first[2] == "application/json"
    assert len(made) == 1

"""The API's path has its version; the path of before answers the same for one more version."""

from __future__ import annotations

import json

import pytest
from django.conf import settings
from django.test import Client
from django.urls import Resolver404, resolve, reverse

from games.api import schema_page
from games.api.urls import urlpatterns
from games.models import Night
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


def paths() -> list[str]:
    """Return an address of each pattern, without its beginning."""
    found = []
    for pattern in urlpatterns:
        names = pattern.pattern.converters
        values = {name: "7" if "Int" in type(each).__name__ else "abc" for name, each in names.items()}
        if pattern.name != "api_nothing":
            found.append(reverse(pattern.name, kwargs=values).removeprefix(settings.API_V1_PATH))
    return found


def test_each_address_of_the_house_leads_to_the_version() -> None:
    assert len(paths()) > 40
    assert all(not path.startswith("/") for path in paths())


def test_both_paths_lead_to_the_same_view() -> None:
    for path in paths():
        now, before = resolve(f"/api/v1/{path}"), resolve(f"/api/{path}")
        assert (now.func, now.kwargs, now.url_name) == (before.func, before.kwargs, before.url_name), path


def test_the_path_without_a_version_answers_the_same_and_says_what_follows(night: Night) -> None:
    browser = browser_of(night.host)
    for path in (
        "games/",
        "me/",
        f"nights/{night.public_id}/",
        "results/?page_size=1",
        "nowhere/",
        "games/?colour=red",
    ):
        now, before = browser.get(f"/api/v1/{path}"), browser.get(f"/api/{path}")
        assert now.status_code == before.status_code
        assert json.loads(now.content) == json.loads(before.content.replace(b"/api/", b"/api/v1/"))
        assert "Deprecation" not in now
        assert before["Deprecation"].startswith("@")
        assert before["Link"] == f'</api/v1/{path.partition("?")[0]}>; rel="successor-version"'


def test_a_version_that_is_not_there_is_told_in_json() -> None:
    for path in ("/api/v2/games/", "/api/v1/v1/games/", "/api/v1/nowhere/"):
        answer = Client().get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    with pytest.raises(Resolver404):
        resolve("/v1/games/")


def test_the_description_has_the_version_alone() -> None:
    described = json.loads(schema_page.texts()["openapi-json"]) if "openapi-json" in schema_page.texts() else None
    described = described or json.loads(schema_page.texts()["json"])
    assert len(described["paths"]) > 30
    assert all(path.startswith("/api/v1/") for path in described["paths"])
    assert described["info"]["version"] == "1"

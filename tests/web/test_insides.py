"""What the house takes for granted of the insides of the installed Django, REST framework, allauth and servestatic.

docs/decisions/private-insides.md says what each is for, and what no longer works where a test here fails.
"""

from __future__ import annotations

import inspect
import logging
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from allauth.account.adapter import DefaultAccountAdapter
from django.contrib import admin
from django.contrib.auth.models import AnonymousUser
from django.core.files.storage import storages
from django.core.handlers.asgi import ASGIHandler
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.urls import URLResolver, path
from django.urls.resolvers import RoutePattern
from django.utils.functional import LazyObject, empty
from django.utils.log import log_response
from django.utils.translation import gettext, trans_real
from drf_spectacular.openapi import AutoSchema
from rest_framework.request import Request
from servestatic.compress import Compressor
from servestatic.storage import CompressedManifestStaticFilesStorage

from games import urls


def test_django_makes_full_addresses_of_the_part_that_the_house_replaces() -> None:
    class Ours(HttpRequest):
        _current_scheme_host = "https://ours"

    assert Ours().build_absolute_uri("/a/") == "https://ours/a/", "full addresses would come from a client's headers"
    assert "_get_raw_host" in inspect.getsource(HttpRequest.get_host), "a Host is read in another way"


def test_django_looks_up_the_active_catalogue_where_a_games_texts_are_put(monkeypatch: pytest.MonkeyPatch) -> None:
    class Catalogue:
        def gettext(self, text: str) -> str:
            return text[::-1]

    before = getattr(trans_real._active, "value", None)
    trans_real._active.value = Catalogue()
    try:
        assert gettext("planted") == "detnalp", "a game's texts would be the house's"
    finally:
        if before is None:
            del trans_real._active.value
        else:
            trans_real._active.value = before


def test_django_reads_the_names_of_an_included_part_by_the_method_that_the_admin_does_without() -> None:
    read: list[str] = []

    class Part(URLResolver):
        def _populate(self) -> None:
            read.append("names")
            super()._populate()

    Part(RoutePattern(""), [path("a/", print, name="a")]).reverse_dict  # noqa: B018
    assert read == ["names"], "the admin and its 5 MB would be loaded with every start"
    assert "_populate" in vars(urls.AdminResolver)


def test_a_response_that_has_been_logged_is_not_logged_again(caplog: pytest.LogCaptureFixture) -> None:
    request, response = RequestFactory().get("/"), HttpResponse(status=503)
    response._has_been_logged = True  # type: ignore[attr-defined]
    with caplog.at_level(logging.DEBUG, "django.request"):
        log_response("busy", response=response, request=request)
    assert caplog.records == [], "a database that is not ready would be an error in the log, and a mail to admins"


def test_django_keeps_where_static_files_are_in_the_places_that_are_emptied() -> None:
    assert isinstance(storages._storages, dict), "collected files would be served from the folder of the start"
    lazy: Any = LazyObject()
    assert lazy._wrapped is empty


def test_a_query_set_inserts_and_deletes_rows_as_they_are() -> None:
    insert = inspect.signature(QuerySet._insert).parameters
    assert {"objs", "fields", "using", "raw"} <= set(insert), "a backup of another kind could not be read back"
    assert list(inspect.signature(QuerySet._raw_delete).parameters) == ["self", "using"]


def test_djangos_handler_asks_the_methods_that_pages_in_threads_replace() -> None:
    source = inspect.getsource(ASGIHandler)
    assert "self.create_request(scope, body_file)" in source, "a page may read a body that is closed"
    assert "self.get_response_async(request)" in inspect.getsource(ASGIHandler.run_get_response), "no page threads"
    assert "is_async" in inspect.signature(ASGIHandler.load_middleware).parameters
    assert "self.load_middleware(is_async=True)" in source


def test_a_request_of_the_api_has_djangos_below_it() -> None:
    below = RequestFactory().get("/")
    assert Request(below)._request is below, "the API knows no addresses and no sessions"


def test_the_apis_description_makes_a_schema_without_extensions() -> None:
    wanted = {"serializer", "direction", "bypass_extensions"}
    assert wanted <= set(inspect.signature(AutoSchema._map_serializer).parameters), "bodies are not described"


def test_allauth_counts_failed_logins_under_the_key_that_the_house_makes() -> None:
    source = inspect.getsource(DefaultAccountAdapter)
    assert "self._get_login_attempts_cache_key(" in source, "a reset of a password would not end a count of failures"


def test_servestatic_compresses_by_the_methods_that_the_house_replaces() -> None:
    assert "self.create_compressor(" in inspect.getsource(CompressedManifestStaticFilesStorage), "larger files"
    assert "compress_gzip(" in inspect.getsource(Compressor), "larger files"
    assert CompressedManifestStaticFilesStorage.patterns, "files would be looked for that source maps name"


def test_the_admins_login_is_that_of_the_house() -> None:
    import_module("games.admin.urls")
    request = RequestFactory().get("/admin/")
    request.user = AnonymousUser()
    answer = admin.site.login(request)
    assert (answer.status_code, "login" in answer["Location"]) == (302, True), "the admin's own page takes guesses"


def test_the_api_takes_in_no_library_that_it_does_not_use(tmp_path: Path) -> None:
    unused = ("psycopg", "markdown", "pygments", "requests")
    code = f"import sys, games.asgi, games.api.urls; print([name for name in {unused} if name in sys.modules])"
    settings = {"DJANGO_SETTINGS_MODULE": "games.settings", "STAMMTISCH_DATA": str(tmp_path), "DATABASE_URL": ""}
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **settings}, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"

"""The middleware of static files answers at once, whatever has become of a file since the start."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.test import RequestFactory

from games.ops.requests.static_files import static_files

Ask = Callable[..., HttpResponseBase]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "static" / "one.css"
    made.parent.mkdir()
    made.write_text("a { color: red }")
    made.with_name("one.css.gz").write_bytes(b"packed")
    return made


@pytest.fixture
def ask(file: Path, settings: Any) -> Ask:
    """Ask for a file of a house that has just started."""
    settings.SERVESTATIC_ROOT, settings.SERVESTATIC_AUTOREFRESH = str(file.parent.parent), False
    settings.SERVESTATIC_USE_FINDERS = settings.SERVESTATIC_USE_MANIFEST = settings.SERVESTATIC_USE_STATIC_ROOT = False
    answered = static_files(lambda request: HttpResponse("not there", status=404))

    def asked(method: str = "GET", path: str = "/static/one.css", **headers: str) -> HttpResponseBase:
        request: HttpRequest = RequestFactory().generic(method, path, headers=headers)
        return answered(request)

    return asked


def test_a_file_is_answered_whole_in_parts_and_not_at_all_where_it_is_known(ask: Ask) -> None:
    whole = ask()
    assert (whole.status_code, whole.content, whole["Content-Length"]) == (200, b"a { color: red }", "16")
    assert whole["Content-Type"].startswith("text/css")
    packed = ask(accept_encoding="gzip")
    assert (packed.content, packed["Content-Encoding"]) == (b"packed", "gzip")
    part = ask(range="bytes=4-8")
    assert (part.status_code, part.content, part["Content-Range"]) == (206, b"color", "bytes 4-8/16")
    assert ask(range="bytes=90-99").status_code == 416
    head = ask("HEAD")
    assert (head.status_code, head.content, head["Content-Length"]) == (200, b"", "16")
    known = ask(if_none_match=whole["ETag"])
    assert (known.status_code, known.content) == (304, b"")
    assert (ask("POST").status_code, ask(path="/static/two.css").status_code) == (405, 404)


def test_a_file_that_is_gone_or_another_one_is_answered_as_one_that_never_was(ask: Ask, file: Path) -> None:
    file.write_text("a { color: red } /* of a later version */")
    assert ask().status_code == ask("GET", range="bytes=0-1").status_code == 404
    assert ask(accept_encoding="gzip").status_code == 200
    file.unlink()
    file.with_name("one.css.gz").unlink()
    assert ask().status_code == ask(accept_encoding="gzip").status_code == 404

"""Static files: servestatic's table of them, answered from the thread of the request, and no other request meets it.

A file is read as a whole before its answer begins: one that is gone, or is no longer what it was when the process
started, is answered at once as one that never was.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from servestatic.middleware import ServeStaticMiddleware


def static_files(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: answers requests for files below STATIC_URL, and passes all others on."""
    table = ServeStaticMiddleware(_nobody)

    def answered(request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        answer = _answer(table, request) if path.startswith(settings.STATIC_URL) else None
        return answer or get_response(request)

    return answered


async def _nobody(request: HttpRequest) -> HttpResponseBase:
    """Stand for the next middleware, which servestatic does not call: its table alone is used."""
    raise NotImplementedError


def _answer(table: ServeStaticMiddleware, request: HttpRequest) -> HttpResponse | None:
    """Return a file, or a part of it that was asked for; None where it is not there as it was at the start."""
    path = request.path_info
    found = table.find_file(path) if table.autorefresh else table.files.get(path)
    if found is None:
        return None
    try:
        response = found.get_response(request.method or "GET", request.META)
        headers = {name: value for name, value in response.headers if value is not None}
        body = b"" if response.file is None else _read(response.file, headers)
    except OSError:
        return None
    answer = HttpResponse(body, status=int(response.status), headers=headers)
    if "Content-Type" not in headers:
        del answer["Content-Type"]
    if response.status == HTTPStatus.NOT_MODIFIED:
        del answer["Content-Length"]
    return answer


def _read(file: Any, headers: Mapping[str, str]) -> bytes:
    """Return what is asked of an open file, and close it; raises OSError where its size is no longer that of before."""
    with file:
        size = os.fstat(getattr(file, "fileobj", file).fileno()).st_size
        if size != int(headers.get("Content-Range", headers.get("Content-Length", "")).rpartition("/")[2]):
            raise FileNotFoundError
        return bytes(file.read())

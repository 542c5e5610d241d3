"""The body limit: no request's body is kept beyond DATA_UPLOAD_MAX_MEMORY_SIZE (64 KiB), under any server.

Three addresses take 1 MiB: that of the pieces of a backup, for the first admin of a new house (restore_address.py),
that of a season's spreadsheet, for its organisers (games/services/sheets/address.py), and that of a match file, for a
player (games/services/grades/brought_address.py).
`at_most` reads a body before Django does, up to the limit and within a time limit, and counts every byte (Django's own
limit leaves files out). `BodyLimit` answers bodies that are too long with a code and a text in the reader's language.
Daphne keeps a body before any of our code runs: games/live/servers/daphne.py limits it there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.kernel.contract import Illegal
from games.ops.requests import restore_address
from games.refusals import error_json
from games.services.grades import brought, brought_address
from games.services.sheets import address
from games.services.sheets.address import too_large

LONGEST_BODY = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
# The connection is cut if more than this comes.
CUT_LINE = 16 * LONGEST_BODY
TOO_LARGE = Illegal("too_long")
TOO_LONG = "games.body_too_long"

App: TypeAlias = Callable[[dict[str, Any], Any, Any], Awaitable[None]]


def declared(headers: Any) -> int:
    """Return the length that an ASGI request's headers declare; 0 without one."""
    for name, value in headers:
        if name == b"content-length":
            return int(value) if value.isdigit() else LONGEST_BODY + 1
    return 0


def longest_body(path: str) -> int:
    """Return the most bytes of a body at an address."""
    if address.is_open(path):
        return address.MOST
    if brought_address.is_open(path):
        return brought_address.MOST
    return restore_address.PIECE if restore_address.is_open(path) else LONGEST_BODY


def cut_line(longest: int) -> int:
    """Return after how many bytes of a body the connection is cut, where it may have so many.

    What comes in between is dropped, so that its sender can be told.
    """
    return CUT_LINE // LONGEST_BODY * longest


def at_most(inner: App, seconds: float) -> App:
    """Wrap an HTTP application: it gets a body of 64 KiB at most, in so many seconds; `scope[TOO_LONG]` marks more."""

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            try:
                async with asyncio.timeout(seconds):
                    receive = await _bounded(scope, receive)
            except TimeoutError:
                await _too_slow(send)
                return
        await inner(scope, receive, send)

    return app


async def _too_slow(send: Any) -> None:
    """Answer 408 and close the connection: the body has not come in time."""
    headers = [(b"content-length", b"0"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 408, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _bounded(scope: dict[str, Any], receive: Any) -> Any:
    """Read a body up to the limit; return a `receive` that returns it and then continues."""
    kept: list[dict[str, Any]] = []
    size, more = 0, True
    longest = longest_body(scope.get("path", ""))
    is_long = declared(scope["headers"]) > longest
    while more and not is_long:
        message = await receive()
        kept.append(message)
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
        is_long = size > longest
    if is_long:
        scope[TOO_LONG] = True
        kept = [{"type": "http.request", "body": b"", "more_body": False}]
        receive = _only_the_end(receive)
    waiting = iter(kept)

    async def bounded() -> Any:
        found = next(waiting, None)
        return found if found is not None else await receive()

    return bounded


def _only_the_end(receive: Any) -> Any:
    """Return a `receive` that drops the rest of a body."""

    async def end() -> Any:
        while (message := await receive())["type"] == "http.request":
            pass
        return message

    return end


class BodyLimit:
    """Answers 413 for a body of more than 64 KiB, before any view or form reads it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Call the view, or refuse a body that is too long."""
        if _is_long(request):
            return refused(request, _too_long(request.path))
        if _has_long_fields(request):
            return refused(request, Illegal("sheet_pasted", kilobytes=LONGEST_BODY // 1024))
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer if one of Django's own limits was exceeded first: too many fields, for example."""
        return refused(request, TOO_LARGE) if isinstance(error, RequestDataTooBig) else None


def _too_long(path: str) -> Illegal:
    """Return the refusal of a body that is too long, in the words of what an address takes."""
    if brought_address.is_open(path):
        return Illegal("file_too_big", kilobytes=brought.MOST_BYTES // 1000)
    return too_large() if address.is_open(path) else TOO_LARGE


def _is_long(request: HttpRequest) -> bool:
    """Tell whether a request's body is too long, as received or as declared."""
    raw = request.META.get("CONTENT_LENGTH") or "0"
    is_cut = getattr(request, "scope", {}).get(TOO_LONG, False)
    return is_cut or not raw.isdecimal() or int(raw) > longest_body(request.path)


def _has_long_fields(request: HttpRequest) -> bool:
    """Tell whether the fields beside the file are too long, where a longer body is taken: 64 KiB as everywhere."""
    if request.method != "POST" or not (address.is_open(request.path) or brought_address.is_open(request.path)):
        return False
    try:
        request.POST.keys()
    except RequestDataTooBig:
        return True
    return False


def refused(request: HttpRequest, refusal: Illegal) -> HttpResponse:
    """Return the answer to a body that is too long: JSON for the API, else a page."""
    error = error_json(refusal.code, refusal.params)
    if request.path_info.startswith(settings.API_PATH):
        return JsonResponse(error, status=413)
    context = {"title": _("That did not work"), "text": error["message"], "status": 413}
    return render(request, "error.html", context, status=413)

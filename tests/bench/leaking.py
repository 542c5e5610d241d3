"""Settings of a server that leaks memory and a descriptor with every page: to prove that a soak sees it."""

from __future__ import annotations

import os
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from tests.serving import *  # noqa: F403
from tests.serving import MIDDLEWARE

MIDDLEWARE = [*MIDDLEWARE, "tests.bench.leaking.leak"]
LEAK_BYTES = 2_000_000
_kept: list[object] = []


def leak(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Keep something of every page for ever."""

    def middleware(request: HttpRequest) -> HttpResponse:
        _kept.append((b"x" * LEAK_BYTES, os.open(os.devnull, os.O_RDONLY)))
        return get_response(request)

    return middleware

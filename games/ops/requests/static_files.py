"""Static files: servestatic's middleware answers requests for them, and no other request passes through it.

It is asynchronous, and pages are made in one thread from end to end (games/ops/requests/page_threads.py): such a
middleware among theirs would cost each page two changes of the thread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from asgiref.sync import async_to_sync, sync_to_async
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from servestatic.middleware import ServeStaticMiddleware


def static_files(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: answers what is below STATIC_URL by servestatic, which passes on a file that it does not have."""
    files = async_to_sync(ServeStaticMiddleware(sync_to_async(get_response)))

    def answered(request: HttpRequest) -> HttpResponseBase:
        is_file = request.path_info.startswith(settings.STATIC_URL)
        return cast(HttpResponseBase, files(request)) if is_file else get_response(request)

    return answered

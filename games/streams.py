"""Downloads that are made in pieces while they are sent, so that a long file takes no memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

from asgiref.sync import sync_to_async
from django.db import connection
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header

from games.ops.move_priority import behind_moves
from games.ops.requests.page_threads import page_threads
from games.services.history.exports import File

_END = object()


class Stream(StreamingHttpResponse):
    """A streaming response that makes its pieces one after the other, also under an asynchronous server.

    Under such a server Django's own makes all pieces before it sends the first one.
    """

    def __aiter__(self) -> AsyncIterator[bytes]:
        """Return the pieces, each made in the request's own thread when it is needed."""
        return self._pieces(iter(self))

    async def _pieces(self, pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
        make: Any = sync_to_async(_made)
        while True:
            # A slow reader holds no permit meanwhile.
            permits = page_threads().heavy
            await permits.take(None)
            try:
                piece = await make(pieces)
            finally:
                permits.give_back()
            if piece is _END:
                return
            yield piece


def _made(pieces: Iterator[bytes]) -> object:
    """Make the next piece; the connection is closed so that a slow reader holds none meanwhile."""
    with behind_moves():
        try:
            return next(pieces, _END)
        finally:
            if not connection.in_atomic_block:
                connection.close()


def download(file: File) -> HttpResponseBase:
    """Return the response of a file for download under its name; a list of parts is sent at once."""
    disposition = content_disposition_header(as_attachment=True, filename=file.save_as)
    headers = {"Content-Disposition": disposition or "attachment"}
    if isinstance(file.parts, list):
        return HttpResponse(file.parts, content_type=file.kind, headers=headers)
    parts: Iterable[Any] = (part for part in file.parts if part)
    return Stream(parts, content_type=file.kind, headers=headers)

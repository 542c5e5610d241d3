"""Answers that are made piece by piece while they are sent: files whose length is no memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

from asgiref.sync import sync_to_async
from django.db import connection
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header

from games import turns
from games.places import Place, gates
from games.services.downloads import File

_END = object()


class Stream(StreamingHttpResponse):
    """An answer of pieces that are made one after the other, also where the server is asynchronous.

    Django's own would make all pieces before it sends the first one there.
    """

    def __aiter__(self) -> AsyncIterator[bytes]:
        """Return the pieces, each made in the request's own thread when it is its turn."""
        return self._pieces(iter(self))

    async def _pieces(self, pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
        make: Any = sync_to_async(_made)
        while True:
            # Who reads slowly keeps no place meanwhile.
            place = await gates().heavy.wait()
            try:
                piece = await make(pieces, place)
            finally:
                if not place.is_in_use:
                    place.leave()
            if piece is _END:
                return
            yield piece


def _made(pieces: Iterator[bytes], place: Place) -> object:
    """Make the next piece, and give its place back."""
    place.is_in_use = True
    try:
        with connection.execute_wrapper(turns.after_moves):
            return next(pieces, _END)
    finally:
        place.leave()


def download(file: File) -> HttpResponseBase:
    """Return a file to be saved under its name: what is at hand already at one go."""
    disposition = content_disposition_header(as_attachment=True, filename=file.save_as)
    headers = {"Content-Disposition": disposition or "attachment"}
    if isinstance(file.parts, list):
        return HttpResponse(file.parts, content_type=file.kind, headers=headers)
    parts: Iterable[Any] = (part for part in file.parts if part)
    return Stream(parts, content_type=file.kind, headers=headers)

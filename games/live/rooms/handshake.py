"""Handshakes: the parts of a browser's headers that are kept. The others are dropped to save memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, parse_cookie
from django.utils.translation import get_language_from_request

from games.addresses import client_address
from games.kernel.contract import Illegal, JsonObject
from games.live.rooms.frames import Batch
from games.ops import move_priority
from games.services.logs import log_views
from games.services.nights import attendance, tv_screens
from games.services.people import lost_answers
from games.services.tables import access
from games.services.tables.access import Access, Asker


@dataclass(frozen=True, slots=True)
class Visit:
    """A connecting browser and its goal: the public id of a table or a night.

    `session_key` is None without a session cookie, `address` empty if it is unknown; `tv` is the cookie of a TV screen,
    `screen` the digest of the secret of a screen of the house.
    """

    public_id: str
    session_key: str | None
    language: str
    address: str
    tv: str = ""
    screen: str = ""


def visit_of(scope: Any, public_id: str) -> Visit:
    """Return the visit of a WebSocket's scope."""
    cookies = parse_cookie(_header(scope, b"cookie"))
    key = cookies.get(settings.SESSION_COOKIE_NAME) or None
    language = language_of({**scope, "cookies": cookies})
    tv, screen = cookies.get(tv_screens.COOKIE, ""), tv_screens.digest_in(cookies)
    return Visit(public_id, key, language, client_address(scope), tv, screen)


def language_of(scope: Any) -> str:
    """Return the language of a connection, the same as for a page of that browser."""
    if settings.IS_PSEUDO:
        return settings.PSEUDO_LANGUAGE
    request = HttpRequest()
    request.COOKIES = scope.get("cookies", {})
    request.META["HTTP_ACCEPT_LANGUAGE"] = _header(scope, b"accept-language")
    return get_language_from_request(request)


def _header(scope: Any, name: bytes) -> str:
    """Return a header's value, its lines joined; empty without it."""
    return "; ".join(v.decode("latin1") for key, v in scope["headers"] if key == name)


@dataclass(frozen=True, slots=True)
class AccessRequest:
    """A browser's request for access; `session` is None if it has not been read yet."""

    visit: Visit
    session: JsonObject | None
    as_tv: bool


@move_priority.short_turns()
def answer_hellos(hellos: Sequence[AccessRequest]) -> list[tuple[JsonObject, Access] | Illegal]:
    """Return each browser's session and access, or Illegal as in `access.accesses`."""
    keys = {hello.visit.session_key for hello in hellos if hello.session is None}
    read = attendance.sessions(keys)
    for session in read.values():
        lost_answers.note_use(session)
    sessions = [read[hello.visit.session_key] if hello.session is None else hello.session for hello in hellos]
    rights = attendance.browsers_rights(sessions, [tv_screens.read(hello.visit.tv) for hello in hellos])
    askers = [
        Asker(hello.visit.public_id, player_id, tv, hello.as_tv, screen=hello.visit.screen)
        for hello, (player_id, tv) in zip(hellos, rights, strict=True)
    ]
    return [
        right if isinstance(right, Illegal) else (session, right)
        for session, right in zip(sessions, access.accesses(askers), strict=True)
    ]


@dataclass(frozen=True, slots=True)
class SnapshotRequest:
    """A request for a snapshot: the entries after `after`, or everything for None."""

    right: Access
    after: int | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The first state for a connection; equal requests get the same object."""

    batch: Batch
    chat: list[JsonObject]


@move_priority.short_turns()
def take_snapshots(requests: Sequence[SnapshotRequest]) -> list[Snapshot | Illegal]:
    """Return the snapshot of each request, or Illegal as in `access.pulses`.

    The right is read once more: the player may have been removed since it was read, before there was a connection to
    close.
    """
    keys = [(each.right.table_id, each.after) for each in requests]
    chats = log_views.chats({table_id for table_id, _ in keys})
    snapshots: dict[tuple[int, int | None], Snapshot | Illegal] = {}
    for each, page in zip(keys, log_views.pages(keys), strict=True):
        if isinstance(page, Illegal):
            snapshots[each] = page
        elif each not in snapshots:
            snapshots[each] = Snapshot(Batch(page, with_table=False), chats.get(each[0], []))
    # Read last: a player may have lost the right while the rest was read.
    pulses = access.pulses([each.right for each in requests])
    return [pulse if isinstance(pulse, Illegal) else snapshots[each] for each, pulse in zip(keys, pulses, strict=True)]

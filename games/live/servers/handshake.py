"""Handshakes: the part of a browser's headers that is kept. The rest of it is dropped to save memory."""

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
from games.services.logs import log_views
from games.services.nights import attendance, tv_screens
from games.services.tables import access
from games.services.tables.access import Access, Asker


@dataclass(frozen=True, slots=True)
class Visit:
    """A connecting browser and its goal: the public id of a table or a night.

    `session_key` is None without a session's cookie, `address` empty where it is not known; `tv` is
    a screen's cookie.
    """

    public_id: str
    session_key: str | None
    language: str
    address: str
    tv: str = ""


def visit_of(scope: Any, public_id: str) -> Visit:
    """Return the visit of a WebSocket's scope."""
    cookies = parse_cookie(_header(scope, b"cookie"))
    key = cookies.get(settings.SESSION_COOKIE_NAME) or None
    language = language_of({**scope, "cookies": cookies})
    return Visit(public_id, key, language, client_address(scope), cookies.get(tv_screens.COOKIE, ""))


def language_of(scope: Any) -> str:
    """Return the language of a connection, as a page of the same browser would have it."""
    request = HttpRequest()
    request.COOKIES = scope.get("cookies", {})
    request.META["HTTP_ACCEPT_LANGUAGE"] = _header(scope, b"accept-language")
    return get_language_from_request(request)


def _header(scope: Any, name: bytes) -> str:
    """Return a header's value, its lines joined; empty without it."""
    return "; ".join(v.decode("latin1") for key, v in scope["headers"] if key == name)


@dataclass(frozen=True, slots=True)
class Hello:
    """A browser that asks to be let in; `session` is None as long as it has not been read."""

    visit: Visit
    session: JsonObject | None
    as_tv: bool


def answer_hellos(hellos: Sequence[Hello]) -> list[tuple[JsonObject, Access] | Illegal]:
    """Return the session and the right of each; Illegal as `access.accesses`."""
    keys = {hello.visit.session_key for hello in hellos if hello.session is None}
    read = attendance.sessions(keys)
    sessions = [read[hello.visit.session_key] if hello.session is None else hello.session for hello in hellos]
    whoevers = attendance.browsers_rights(sessions, [tv_screens.read(hello.visit.tv) for hello in hellos])
    askers = [
        Asker(hello.visit.public_id, player_id, tv, hello.as_tv)
        for hello, (player_id, tv) in zip(hellos, whoevers, strict=True)
    ]
    return [
        right if isinstance(right, Illegal) else (session, right)
        for session, right in zip(sessions, access.accesses(askers), strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A snapshot that is asked for: what follows on entry `after`, or all for None."""

    right: Access
    after: int | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The first state for a newcomer; equal requests get the same object."""

    batch: Batch
    chat: list[JsonObject]


def take_snapshots(wanted: Sequence[Wanted]) -> list[Snapshot | Illegal]:
    """Return what each is shown; Illegal as `access.pulses`.

    The right is read once more: who was shown the door after it was read, and before there
    was a connection to close, has it no more.
    """
    asked = [(each.right.table_id, each.after) for each in wanted]
    chats = log_views.chats({table_id for table_id, _ in asked})
    shown: dict[tuple[int, int | None], Snapshot | Illegal] = {}
    for each, page in zip(asked, log_views.pages(asked), strict=True):
        if isinstance(page, Illegal):
            shown[each] = page
        elif each not in shown:
            shown[each] = Snapshot(Batch(page, with_table=False), chats.get(each[0], []))
    # Read last: nothing is shown to who lost the right while the rest was read.
    pulses = access.pulses([each.right for each in wanted])
    return [pulse if isinstance(pulse, Illegal) else shown[each] for each, pulse in zip(asked, pulses, strict=True)]

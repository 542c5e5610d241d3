"""Links to a night that are shown, copied or scanned, with full addresses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import SafeString, mark_safe
from segno import helpers

from games import addresses, interfaces, row_ids
from games.kernel.contract import Illegal
from games.models import Night, Player, SeriesDate, Table
from games.services.draws import waiting_tables
from games.services.nights import phone_address, wifi
from games.services.tables import setup
from games.services.tables.seating import joining

_ORIGIN = re.compile(r"(?P<scheme>https?://)?(?P<host>[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?)(:(?P<port>[0-9]{1,5}))?")


def onward(request: HttpRequest, otherwise: str) -> str:
    """Return where a reader was on the way to: the form's or address's `next` if it is the house's own."""
    to = request.POST.get("next") or request.GET.get("next", "")
    is_own = url_has_allowed_host_and_scheme(to, {request.get_host()}, require_https=request.is_secure())
    return to if is_own else otherwise


def night_url(night: Night) -> str:
    """Return the address of a night's page."""
    return reverse("night", args=[night.public_id])


def table_url(table: Table) -> str:
    """Return the address of a table's page."""
    return reverse("table", args=[table.public_id])


def after_joining(night: Night, player: Player) -> str:
    """Return the address for a new member; take the seat that they come to (`waiting_tables.seat_newcomer`).

    If no table waits, it is the table that takes newcomers, or the only one to watch, else the night.
    """
    if (own := own_table(night, player)) is not None:
        return table_url(own)
    if (found := _seated(night, player)) is not None:
        return table_url(found)
    waiting = [t for t in _live(night, Table.Status.LOBBY) if _has_room(t)]
    playing = _live(night, Table.Status.PLAYING, Table.Status.PAUSED)
    choice = [table for table in playing if joining.is_open(table)] or playing
    if not waiting and len(choice) == 1:
        return table_url(choice[0])
    return night_url(night)


def coming_back(night: Night, player: Player) -> str:
    """Return the address for a returning member; takes no seat."""
    own = own_table(night, player)
    return table_url(own) if own is not None else night_url(night)


def own_table(night: Night, player: Player) -> Table | None:
    """Return the unfinished table where the player sits, a running one first."""
    own_tables = night.tables.filter(seats__player=player).exclude(status=Table.Status.FINISHED)
    found = list(own_tables.order_by("-number"))
    running = [t for t in found if t.is_running]
    return next(iter(running or found), None)


def _live(night: Night, *statuses: Table.Status) -> Sequence[Table]:
    return list(night.tables.filter(status__in=statuses).order_by("number"))


def _has_room(table: Table) -> bool:
    """Tell whether a table has a free seat before play; those of a tournament are drawn for their people."""
    return table.seats.count() < setup.seat_bounds(table)[1] and not hasattr(table, "pairing")


def _seated(night: Night, player: Player) -> Table | None:
    """Return the waiting table where a new member sits now; None if they choose, or another one was quicker."""
    try:
        return waiting_tables.seat_newcomer(night, player)
    except Illegal:
        return None


_ANSWER = "answer-"
_ONLY_HERE = {"localhost", "127.0.0.1", "::1", "0.0.0.0"}  # noqa: S104 (compared, not bound)


def base_url(request: HttpRequest, night: Night | None = None) -> str:
    """Return the address at which others reach this server, without the last slash.

    It is PUBLIC_URL; else, under `serve`, one of this computer's (a night's own, if there is a night); else the address
    at which the connection arrived; never the Host header, which a client can forge.
    """
    if settings.PUBLIC_URL:
        return settings.PUBLIC_URL
    arrived = arrived_at(request)
    found = interfaces.for_phones([arrived]) if night is None else phone_address.of(night, arrived)
    return _origin(request, found or arrived)


def typed_origin(text: str) -> str:
    """Return the origin of an address as somebody typed it, with http:// where none is named.

    Raises Illegal `poster_address` for a path, a user, and what is no name or number of a host.
    """
    found = _ORIGIN.fullmatch(text.strip().rstrip("/").lower())
    if found is None or int(found["port"] or 1) not in range(1, 65536):
        raise Illegal("poster_address")
    return (found["scheme"] or "http://") + found["host"] + (f":{found['port']}" if found["port"] else "")


def arrived_at(request: HttpRequest) -> str:
    """Return the address of the server's end of a connection; the system's word, not the browser's."""
    return addresses.plain(request.META.get("SERVER_NAME", ""))


def _origin(request: HttpRequest, name: str) -> str:
    """Return the origin of a host at the port at which a connection arrived."""
    port = request.META.get("SERVER_PORT", "")
    if not port.isdecimal() or port == "0":
        # A Unix socket, or a server without an address: only this computer is certain.
        name, port = "localhost", ""
    name = f"[{name}]" if ":" in name else name
    is_usual = port in {"", {"http": "80", "https": "443"}.get(request.scheme or "", "")}
    return f"{request.scheme}://{name}" + ("" if is_usual else f":{port}")


def lan_address(request: HttpRequest) -> str:
    """Return host and port of the house by its name in the LAN, to be typed; "" where it has none."""
    name = "" if settings.PUBLIC_URL else interfaces.announced_name()
    return _origin(request, name).split("//", 1)[-1] + settings.BASE_PATH.rstrip("/") if name else ""


def lasting_origin(request: HttpRequest) -> str:
    """Return the origin for what is printed: PUBLIC_URL, else the name in the LAN, else `base_url`'s."""
    name = "" if settings.PUBLIC_URL else interfaces.announced_name()
    return _origin(request, name) if name else base_url(request)


def is_only_here(request: HttpRequest, night: Night) -> bool:
    """Tell whether a night's links work only on this computer."""
    return urlsplit(base_url(request, night)).hostname in _ONLY_HERE


def join_url(request: HttpRequest, night: Night, token: str = "") -> str:
    """Return the full join link of a night: the QR code's, or with the token that a member may pass on."""
    return base_url(request, night) + reverse("join_link", args=[night.public_id, token or night.token("join")])


def cookie_of(date: SeriesDate) -> str:
    """Return the name of the cookie in which a device keeps the secret of its answer for a date."""
    return f"{_ANSWER}{date.pk}"


def answer_secrets(request: HttpRequest) -> dict[int, str]:
    """Return the secrets of answers that a device keeps, by the ids of their dates."""
    kept = {name: secret for name, secret in request.COOKIES.items() if name.startswith(_ANSWER)}
    found = {row_ids.row_id(name.removeprefix(_ANSWER)): secret for name, secret in kept.items()}
    return {date: secret for date, secret in found.items() if date is not None}


def tv_url(request: HttpRequest, night: Night) -> str:
    """Return the full TV link of a night."""
    return base_url(request, night) + reverse("tv", args=[night.public_id, night.token("tv")])


def screens_addresses(request: HttpRequest) -> list[str]:
    """Return the addresses of the page of screens that are typed on a television, the shortest lasting one first."""
    found = [lan_address(request), base_url(request).split("//", 1)[-1] + settings.BASE_PATH.rstrip("/")]
    return [f"{address}/tv" for address in dict.fromkeys(found) if address]


def wifi_qr(night: Night) -> SafeString | str:
    """Return the QR code by which a phone joins the night's Wi-Fi; "" if the host has entered none."""
    network = wifi.of(night)
    if not network.name:
        return ""
    security = "WPA" if network.password else "nopass"
    return qr_svg(helpers.make_wifi_data(network.name, network.password or None, security))


@lru_cache(maxsize=64)
def qr_svg(text: str) -> SafeString:
    """Return the QR code of a link that many pages show; see `secret_qr_svg`."""
    return secret_qr_svg(text)


def secret_qr_svg(text: str) -> SafeString:
    """Return a QR code as inline SVG that fills its box, dark on light in every theme; nothing of it is kept."""
    code = segno.make(text, error="m", micro=False)
    svg = code.svg_inline(border=2, dark="#1c1510", light="#ffffff", omitsize=True, svgclass="qr")
    return mark_safe(svg)  # noqa: S308 (made by segno; the link is drawn, not written)

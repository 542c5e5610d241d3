"""The doctor's findings from outside: the house's own address, requested like by a browser."""

from __future__ import annotations

import base64
import http.client
import ipaddress
import json
import os
import ssl
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from games import addresses, interfaces, scopes
from games.management import lan
from games.ops.doctor.findings import Finding, good, look, wrong
from games.services import processes
from games.version import version

SECONDS = 4.0
SOON_DAYS = 14


def _public() -> SplitResult:
    return urlsplit(settings.PUBLIC_URL)


def _line() -> http.client.HTTPConnection:
    """Return a connection to PUBLIC_URL, not yet open."""
    public = _public()
    kind = http.client.HTTPSConnection if public.scheme == "https" else http.client.HTTPConnection
    return kind(public.hostname or "", public.port, timeout=SECONDS)


def _request(path: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    """Request a path below BASE_PATH at PUBLIC_URL, without redirects; return the response and its body.

    Raises OSError, HTTPException.
    """
    with closing(_line()) as line:
        line.request("GET", settings.BASE_PATH + path, headers=headers)
        answer = line.getresponse()
        return answer, b"" if answer.status == 101 else answer.read(100_000)


def _can_request() -> bool:
    """Tell whether there is a public address, and a server to answer."""
    return addresses.is_web(settings.PUBLIC_URL) and processes.is_running()


def public_address() -> Iterator[Finding]:
    """Check that the address of links and QR codes leads to this house."""
    topic = _("public address")
    if not settings.PUBLIC_URL:
        text = _("PUBLIC_URL is not set: links lead to the address by which a night's host comes, else to %(url)s.")
        yield good(topic, text % {"url": lan.addresses(settings.HOST or lan.EVERYWHERE, settings.PORT)[0]})
        return
    if not addresses.is_web(settings.PUBLIC_URL):
        return  # told with the settings
    if not _can_request():
        yield look(topic, _("%(url)s can be asked only while a server runs.") % {"url": settings.PUBLIC_URL})
        return
    yield _answered(topic)


def _answered(topic: str) -> Finding:
    about = {"url": settings.PUBLIC_URL + settings.BASE_PATH}
    try:
        answering = json.loads(_request("healthz")[1])["version"]
    except ssl.SSLCertVerificationError as error:
        return wrong(
            topic, _("Browsers will refuse %(url)s: %(error)s") % {**about, "error": error.verify_message}, _renew()
        )
    except (OSError, http.client.HTTPException) as error:
        remedy = _("Does its name lead here, does the proxy run, does the firewall let it pass?")
        return wrong(topic, _("%(url)s does not answer: %(error)s") % {**about, "error": error}, remedy)
    except (ValueError, KeyError, TypeError):
        remedy = _(
            "PUBLIC_URL, BASE_PATH and the proxy have to speak of the same place; a proxy keeps the path as it is."
        )
        return wrong(topic, _("Something else than this house answers at %(url)s.") % about, remedy)
    if answering != version():
        return look(
            topic,
            _("Version %(version)s answers at %(url)s.") % {**about, "version": answering},
            _("Restart the server."),
        )
    return good(topic, _("The house answers at %(url)s.") % about)


def _renew() -> str:
    return _("Get a certificate for this name; Caddy does it by itself.")


def tls() -> Iterator[Finding]:
    """Check how long the certificate is valid."""
    if _public().scheme != "https":
        yield good("TLS", _("Not used: fine on a pub's own network, where screens may go dark during play."))
    elif _can_request():
        yield _certificate()


def _certificate() -> Finding:
    public = _public()
    try:
        ends = _not_after(public.hostname or "", public.port or 443)
    except OSError as error:
        return wrong("TLS", _("No certificate was shown: %(error)s") % {"error": error}, _renew())
    days = (ends - datetime.now(UTC)).days
    text = _("The certificate is good for %(days)s more days.") % {"days": days}
    return look("TLS", text, _renew()) if days < SOON_DAYS else good("TLS", text)


def _not_after(host: str, port: int) -> datetime:
    """Return the time at which a server's certificate ends; raises OSError."""
    line = http.client.HTTPSConnection(host, port, timeout=SECONDS)
    with closing(line):
        line.connect()
        certificate = line.sock.getpeercert() or {}
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(str(certificate.get("notAfter"))), UTC)


def proxy() -> Iterator[Finding]:
    """Check that the proxy tells the house that browsers came by HTTPS."""
    topic = _("proxy headers")
    if not settings.BEHIND_TLS:
        yield good(topic, _("No proxy is set, and none is believed."))
        return
    if not _can_request():
        return
    try:
        answer, _body = _request("")
    except (OSError, http.client.HTTPException):
        return  # reported by public_address
    if answer.status in {301, 302, 307, 308} and answer.getheader("Location", "").startswith("https:"):
        yield wrong(
            topic, _("Browsers are sent in a circle: the house does not hear that they came by HTTPS."), _named()
        )
    elif answer.status == http.client.BAD_REQUEST:
        text = _("The house is asked for under a name that is not its own.")
        yield wrong(topic, text, _("The proxy has to pass Host on as it is, or ALLOWED_HOSTS has to name it."))
    else:
        yield good(topic, _("The proxy says how browsers came, and is believed."))


def _named() -> str:
    return _("The proxy has to set X-Forwarded-Proto and X-Forwarded-For, and PROXIES has to name its address.")


def of_request(request: HttpRequest) -> Iterator[Finding]:
    """Yield a finding if a request's headers show a proxy that the house is not configured for."""
    if scopes.is_hidden_https(request):
        text = _("This page came by HTTPS through a proxy, and the house does not know of it.")
        yield wrong(
            _("proxy headers"), text, _("Set PUBLIC_URL and BEHIND_TLS=1; PROXIES names a proxy of another machine.")
        )


def websocket() -> Iterator[Finding]:
    """Check that WebSockets get through: without them no page shows moves."""
    if not _can_request():
        return
    key = base64.b64encode(os.urandom(16)).decode()
    public = _public()
    headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key}
    try:
        answer, _body = _request("ws/night/doctor/", Origin=f"{public.scheme}://{public.netloc}", **headers)
    except (OSError, http.client.HTTPException):
        return  # reported by public_address
    if answer.status == http.client.SWITCHING_PROTOCOLS:
        yield good("WebSocket", _("WebSockets get through."))
    elif answer.status == http.client.FORBIDDEN:
        yield wrong("WebSocket", _("The house refuses them: page and house differ in name or HTTPS."), _named())
    else:
        text = _("They do not get through: the answer is %(status)s.") % {"status": answer.status}
        yield wrong("WebSocket", text, _("The proxy has to pass Upgrade and Connection on (docs/operations.md)."))


def local_network() -> Iterator[Finding]:
    """Check the addresses at which phones reach this computer without a proxy."""
    topic, host = _("phones"), settings.HOST
    if host and ipaddress_of(host) is not None and ipaddress.ip_address(host).is_loopback:
        text = _("HOST lets only this computer in.")
        yield (
            good(topic, text)
            if settings.BEHIND_TLS
            else look(topic, text, _("Leave HOST empty so that phones come in."))
        )
        return
    found = [each for each in interfaces.addresses() if each.kind != interfaces.NetworkKind.SELF_MADE]
    if not found:
        yield wrong(topic, _("This computer is in no network."), _("Join the Wi-Fi that the guests' phones are in."))
        return
    urls = ", ".join(f"http://{each.text}:{settings.PORT}{settings.BASE_PATH}" for each in found if each.is_for_phones)
    if not urls:
        text = _("This computer has addresses of VPNs and containers alone.")
        yield look(topic, text, _("Join the Wi-Fi that the guests' phones are in."))
        return
    if interfaces.announced_name() and processes.is_running():
        yield good(topic, _("In this network the house is %(name)s, too.") % {"name": interfaces.announced_name()})
    yield good(
        topic, _("Phones in the same Wi-Fi reach %(urls)s, unless the Wi-Fi keeps guests apart.") % {"urls": urls}
    )


def televisions() -> Iterator[Finding]:
    """Name the address that is typed on a television."""
    best = settings.PUBLIC_URL or lan.best(settings.PORT)
    if not settings.PUBLIC_URL and interfaces.announced_name() and processes.is_running():
        best = f"http://{interfaces.announced_name()}:{settings.PORT}"
    if best:
        typed = best.split("//", 1)[-1].removesuffix(":80") + settings.BASE_PATH + "tv"
        yield good(_("televisions"), _("A television opens %(address)s once, and shows letters.") % {"address": typed})


def ipaddress_of(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an IP address; None for a name."""
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


CHECKS: tuple[Callable[[], Iterator[Finding]], ...] = (
    public_address,
    tls,
    proxy,
    websocket,
    local_network,
    televisions,
)

"""Only pages of ours may open a line: scheme, host and port of the Origin all fit (§1)."""

import pytest

from games.live.rooms.handshake import language_of
from games.live.routing import is_allowed, parse_origin
from tests.live.wire import Wire


def scope(host: str = "pub.local:8000", origin: str | None = None, **more: str) -> dict:
    headers = [(b"host", host.encode())]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    extra = [(k.replace("_", "-").encode(), v.encode()) for k, v in more.items()]
    return {"type": "websocket", "headers": headers + extra, "path": "/ws/table/x/"}


@pytest.mark.parametrize(
    ("host", "origin", "is_fine"),
    [
        ("pub.local:8000", "http://pub.local:8000", True),
        ("PUB.local:8000", "http://pub.LOCAL:8000", True),
        ("pub.local", "http://pub.local:80", True),
        ("[::1]:8000", "http://[::1]:8000", True),
        ("pub.local:8000", "https://pub.local:8000", False),
        ("pub.local:8000", "http://pub.local", False),
        ("pub.local:8000", "http://pub.local:8001", False),
        ("pub.local:8000", "http://evil.local:8000", False),
        ("pub.local:8000", "http://pub.local.evil.com:8000", False),
        ("pub.local:8000", "http://pub.local:8000@evil.com", False),
        ("pub.local:8000", "http://pub.local:8000/path", False),
        ("pub.local:8000", "null", False),
        ("pub.local:8000", "", False),
        ("pub.local:8000", "http://", False),
        ("pub.local:8000", "http://pub.local:99999", False),
        ("pub.local:8000", "file://pub.local:8000", False),
        ("", "http://pub.local", False),
    ],
)
def test_an_origin_is_ours_or_refused(host, origin, is_fine):
    assert is_allowed(scope(host, origin)) is is_fine


def test_two_origins_are_none():
    both = scope(origin="http://pub.local:8000")
    both["headers"].append((b"origin", b"http://pub.local:8000"))
    assert not is_allowed(both)


def test_no_origin_comes_from_no_browser(settings):
    assert not is_allowed(scope())
    settings.ALLOW_NO_ORIGIN = True
    assert is_allowed(scope())
    assert not is_allowed(scope(origin="http://evil.local"))


def test_the_public_address_and_trusted_origins_are_ours(settings):
    settings.PUBLIC_URL = "https://games.example.org"
    settings.CSRF_TRUSTED_ORIGINS = ["https://*.pub.example"]
    assert is_allowed(scope(origin="https://games.example.org"))
    assert is_allowed(scope(origin="https://a.pub.example"))
    assert not is_allowed(scope(origin="https://pub.example"))
    assert not is_allowed(scope(origin="http://a.pub.example"))
    assert not is_allowed(scope(origin="https://notpub.example"))


def test_behind_tls_the_page_is_https(settings):
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    asked = scope("pub.example", "https://pub.example", x_forwarded_proto="https")
    assert is_allowed(asked)
    assert not is_allowed(scope("pub.example", "https://pub.example"))


def test_a_host_that_is_not_allowed_makes_nothing_ours(settings):
    settings.ALLOWED_HOSTS = ["pub.local", "[::1]"]
    assert is_allowed(scope("[::1]:8000", "http://[::1]:8000"))
    assert is_allowed(scope(origin="http://pub.local:8000"))
    assert not is_allowed(scope("rebound.evil", "http://rebound.evil"))


def test_an_origin_has_three_parts():
    assert parse_origin("https://Pub.Example/") == ("https", "pub.example", 443)
    assert parse_origin("ws://pub.example") is None


@pytest.mark.parametrize("path", ["/ws/table/x/", "/ws/nothing/", "/ws/table/ä/", "/"])
async def test_a_foreign_page_and_a_wrong_path_are_refused_before_they_are_accepted(path):
    origin = b"http://evil.local" if path == "/ws/table/x/" else b"http://pub.local"
    wire = Wire(path, [(b"host", b"pub.local"), (b"origin", origin)])
    assert not await wire.open()


@pytest.mark.parametrize(
    ("cookie", "header", "language"),
    [
        ("de", "nb", "de"),
        ("", "nb-NO,nb;q=0.9,en;q=0.5", "nb"),
        ("xx", "fr,de;q=0.2", "de"),
        ("", "", "en"),
        ("", ";;q=,\x00", "en"),
    ],
)
def test_a_line_speaks_the_language_of_the_page(settings, cookie, header, language):
    asked = scope(accept_language=header) | {"cookies": {settings.LANGUAGE_COOKIE_NAME: cookie}}
    assert language_of(asked) == language

"""Where mail goes: one address for the settings, EMAIL_URL."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit

_BACKENDS = "django.core.mail.backends"
# Scheme → (STARTTLS, TLS from the start, the usual port).
_SMTP = {"smtp": (False, False, 25), "smtp+tls": (True, False, 587), "smtps": (False, True, 465)}


def read(url: str) -> dict[str, Any]:
    """Return Django's settings for an address.

    `console:` prints mail where the server logs; `smtp://`, `smtp+tls://` (STARTTLS) and
    `smtps://user:password@host:port` send it. Characters of the user and the password that
    mean something in an address are percent-encoded. Raises ValueError for anything else.
    """
    parts = urlsplit(url)
    found: dict[str, Any] = {"host": "", "port": 25, "user": "", "password": ""}
    found |= {"tls": False, "ssl": False}
    if parts.scheme == "console":
        return found | {"backend": f"{_BACKENDS}.console.EmailBackend"}
    if parts.scheme not in _SMTP or not parts.hostname:
        raise ValueError("EMAIL_URL is console: or smtp://, smtp+tls://, smtps:// with a host")
    tls, ssl, port = _SMTP[parts.scheme]
    return found | {
        "backend": f"{_BACKENDS}.smtp.EmailBackend",
        "host": parts.hostname,
        "port": parts.port or port,
        "user": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "tls": tls,
        "ssl": ssl,
    }

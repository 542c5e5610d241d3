"""Devices that have logged in to an account: wrong passwords from elsewhere do not shut the owner out there.

A browser keeps a signed cookie that names the accounts it has logged in to. It gives no access: it only selects the
count for login attempts.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from allauth.account.utils import filter_users_by_email
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core import signing
from django.http import HttpRequest, HttpResponse

COOKIE = "device"
_SALT = "games.known_device"
MOST_ACCOUNTS = 8


def account_named(request: HttpRequest, credentials: Mapping[str, Any]) -> int | None:
    """Return the id of the account that the credentials name, by user name or e-mail in any case; None if none."""
    email, name = credentials.get("email") or "", credentials.get("username") or ""
    found = filter_users_by_email(email, prefer_verified=True) if email else []
    if not found:
        found = list(get_user_model().objects.filter(username__iexact=name or email).order_by("pk")[:1])
    return min((user.pk for user in found), default=None)


def device_of(request: HttpRequest, user_id: int | None) -> str | None:
    """Return the name under which attempts of a known device are counted; None for an unknown device."""
    if user_id is None:
        return None
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated and user.pk == user_id:
        return f"session-{request.session.session_key}"
    device, accounts = _read(request)
    return device if user_id in accounts else None


def _read(request: HttpRequest) -> tuple[str, list[int]]:
    """Return a browser's own name and the ids of the accounts it has logged in to; without a cookie, new ones."""
    try:
        device, accounts = signing.loads(
            request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=settings.SESSION_COOKIE_AGE
        )
    except (signing.BadSignature, ValueError, TypeError):
        return secrets.token_urlsafe(12), []
    return str(device), [each for each in accounts if isinstance(each, int)]


def remember(request: HttpRequest, response: HttpResponse, user: Any) -> None:
    """Add the account that has just logged in to the browser's cookie."""
    device, accounts = _read(request)
    kept = [user.pk, *(each for each in accounts if each != user.pk)][:MOST_ACCOUNTS]
    response.set_cookie(
        COOKIE,
        signing.dumps([device, kept], salt=_SALT),
        max_age=settings.SESSION_COOKIE_AGE,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
        path=settings.BASE_PATH,
    )

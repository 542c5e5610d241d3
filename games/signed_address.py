"""Addresses that take more than usual: a part of each is signed for an hour, for an account and one purpose.

The servers know such an address by its signature before any of a body is kept; its view asks for the account and its
rights all the same.
"""

from __future__ import annotations

from django.core import signing

_SECONDS = 3600


def token(purpose: str, user_id: int, about: str = "") -> str:
    """Return the part of an address that is signed for an account; `about` is the row's public id, "" for none."""
    return _signer(purpose).sign(f"{user_id}.{about}")


def account_of(purpose: str, signed: str, about: str = "") -> int | None:
    """Return the account for which a part was signed within the hour; None for another purpose or another row."""
    try:
        account, _dot, of = _signer(purpose).unsign(signed, max_age=_SECONDS).partition(".")
        return int(account) if of == about else None
    except (signing.BadSignature, ValueError):
        return None


def _signer(purpose: str) -> signing.TimestampSigner:
    return signing.TimestampSigner(salt=f"games.{purpose}")

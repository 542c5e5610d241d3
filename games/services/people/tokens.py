"""Tokens of the API: created, shown once, found by their digest, revoked.

A token has 256 random bits, so its plain SHA-256 reveals nothing about it.
"""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import DatabaseError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.kernel.contract import Illegal
from games.models import ApiToken
from games.services import audit
from games.services.people import accounts, players

PREFIX = "stt_"
RANDOM_BYTES = 32
START_CHARACTERS = 10
LONGEST_NAME = 60
MOST_TOKENS = 20
COARSE = timedelta(hours=1)


def digest_of(secret: str) -> str:
    """Return the stored form of a token."""
    return hashlib.sha256(secret.encode()).hexdigest()


@transaction.atomic
def create(
    user: AbstractBaseUser,
    name: str,
    scope: str = ApiToken.Scope.READ,
    expires_at: datetime | None = None,
    *,
    by: AbstractBaseUser | None = None,
) -> tuple[ApiToken, str]:
    """Create a token for an account, which gets a player if it has none; `by` is a user of the staff.

    Returns the row and the token, which cannot be read again. Raises Illegal `token_name`,
    `bad_scope`, `token_over`, `too_many_tokens`.
    """
    name = check(user, name, scope, expires_at)
    accounts.own_player(user, players.name_for(user) or "?")
    secret = PREFIX + secrets.token_urlsafe(RANDOM_BYTES)
    row = ApiToken.objects.create(
        user_id=user.pk,
        name=name,
        scope=scope,
        digest=digest_of(secret),
        start=secret[:START_CHARACTERS],
        expires_at=expires_at,
    )
    if by is not None:
        audit.note("token_created", by, row.name, account=str(user), scope=scope)
    return row, secret


def clean_name(raw: str) -> str:
    """Return a token's name with single spaces; raises Illegal `token_name`."""
    name = " ".join(raw.split())
    if not 0 < len(name) <= LONGEST_NAME or not players.is_plain(name):
        raise Illegal("token_name", longest=LONGEST_NAME)
    return name


def check(user: AbstractBaseUser, name: str, scope: str, expires_at: datetime | None) -> str:
    """Return the cleaned name for a token that can be created; raises Illegal as `create`."""
    name = clean_name(name)
    if scope not in ApiToken.Scope.values:
        raise Illegal("bad_scope")
    if expires_at is not None and expires_at <= timezone.now():
        raise Illegal("token_over")
    if live(user).count() >= MOST_TOKENS:
        raise Illegal("too_many_tokens", most=MOST_TOKENS)
    return name


def _valid() -> QuerySet[ApiToken]:
    """Return the tokens that are valid now."""
    is_lasting = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return ApiToken.objects.filter(is_lasting, revoked_at=None)


def live(user: AbstractBaseUser) -> QuerySet[ApiToken]:
    """Return the valid tokens of an account, newest first."""
    return _valid().filter(user_id=user.pk)


def find(secret: str) -> ApiToken | None:
    """Return the token with a secret, with its account; None if it is not valid.

    Its use is recorded at most once an hour.
    """
    if not secret.startswith(PREFIX) or not secret.isascii():
        return None
    row = _valid().select_related("user").filter(digest=digest_of(secret)).first()
    if row is None or not row.user.is_active:
        return None
    _note_use(row)
    return row


def _note_use(row: ApiToken) -> None:
    """Record the use of a token; a busy database must not fail the request."""
    now = timezone.now()
    if row.last_used_at is None or row.last_used_at <= now - COARSE:
        with suppress(DatabaseError), transaction.atomic():
            ApiToken.objects.filter(pk=row.pk).update(last_used_at=now)


@transaction.atomic
def revoke(user: Any, token_id: int, *, by: AbstractBaseUser | None = None) -> ApiToken:
    """Revoke one of an account's tokens; a second call has no further effect. Raises Illegal `no_such_token`."""
    row = ApiToken.objects.select_for_update().filter(user_id=user.pk, pk=token_id).first()
    if row is None:
        raise Illegal("no_such_token")
    if row.revoked_at is None:
        row.revoked_at = timezone.now()
        row.save(update_fields=["revoked_at"])
        if by is not None:
            audit.note("token_revoked", by, row.name, account=str(user))
    return row

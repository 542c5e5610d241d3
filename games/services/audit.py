"""Writing the audit: one line for each act of a host or an admin."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractBaseUser, User

from games.kernel.contract import Illegal
from games.models import AuditEntry, Night, Player

LONGEST_REASON = 200


def reason(raw: str) -> str:
    """Return why somebody did something, on one line; raises Illegal `no_reason_given`."""
    text = " ".join(raw.split())
    if not 0 < len(text) <= LONGEST_REASON or not text.isprintable():
        raise Illegal("no_reason_given", longest=LONGEST_REASON)
    return text


def note(
    act: str,
    by: Player | AbstractBaseUser,
    subject: object = "",
    *,
    night: Night | None = None,
    **data: Any,
) -> AuditEntry:
    """Write down that `by` (a host's player or a user of the staff) did something."""
    player = by if isinstance(by, Player) else None
    user = by if isinstance(by, User) else None
    return AuditEntry.objects.create(
        act=act,
        actor_name=str(by)[:150],
        player=player,
        user=user,
        night=night,
        subject=str(subject)[:200],
        data=data,
    )

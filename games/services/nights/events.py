"""Events of a night, for its page and the audit."""

from __future__ import annotations

from typing import Any, TypeAlias

from django.contrib.auth.models import AbstractBaseUser

from games.models import Night, NightEvent, Player
from games.services import audit, publication
from games.services.acts import Log

Who: TypeAlias = Player | AbstractBaseUser
LOG = Log("night")
"""The log of a night: its news."""


def record(night: Night, event_type: str, *, actor: Who | None = None, **data: Any) -> None:
    """Record an event of a night, of a type that has words, and publish that the night changed.

    With an `actor` (the host, or staff) the act is written to the audit too.
    """
    LOG.check(event_type)
    if actor is not None:
        about = {key: value for key, value in data.items() if key != "name"}
        subject = data.get("name", night.name)
        audit.note(LOG.code(event_type), actor, subject, night=night, **about)
    NightEvent.objects.create(night=night, type=event_type, data=data)
    publication.publish_later(publication.NightTouched(night.pk, night.public_id))

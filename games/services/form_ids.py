"""Form ids: a form, or a request of the API, is carried out once, however often it is sent.

A page makes an id with its form, and a program one of its own with its request. Sent again by the same person with
the same content, it gets the first answer; with another content it is refused. What is refused may be sent again.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction

from games.kernel.contract import Illegal
from games.models import Player, SentForm
from games.services import row_locks

LONGEST = 48
KEPT = timedelta(days=30)
"""The time for which an id is known."""


def new() -> str:
    """Return an id for a form."""
    return uuid.uuid4().hex


@transaction.atomic
def once(
    by: Player | AbstractBaseUser, form_id: str | None, content: object, act: Callable[[], int | None]
) -> int | None:
    """Carry out `act`, which returns the id of the row that it makes (None: it makes none), and return that id.

    If `by` has sent `form_id` before, nothing is done and the id of that time is returned. None as `form_id` stands
    for a caller that has no form. `content` is anything with a text that says all of it. Two of the same id at once
    are one after the other: the second waits for the first one's row. Raises Illegal `bad_form_id`, `form_changed`,
    `gone_player`, and what `act` raises, in which case the id stays unused.
    """
    if form_id is None:
        return act()
    if not is_usable(form_id):
        raise Illegal("bad_form_id")
    if isinstance(by, Player):
        row_locks.person(by)
    whose: dict[str, Any] = {"player": by} if isinstance(by, Player) else {"user": by}
    said = digest(content)
    try:
        with transaction.atomic():
            row = SentForm.objects.create(form_id=form_id, digest=said, **whose)
    except IntegrityError:
        return _answered(SentForm.objects.get(form_id=form_id, **whose), said)
    row.made = act()
    row.save(update_fields=["made"])
    return row.made


def is_usable(form_id: str) -> bool:
    """Tell whether a form may have this id."""
    return 0 < len(form_id) <= LONGEST and form_id.isprintable()


def _answered(row: SentForm, said: str) -> int | None:
    if row.digest != said:
        raise Illegal("form_changed")
    return row.made


def digest(content: object) -> str:
    """Return the SHA-256 of all that a form says."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()

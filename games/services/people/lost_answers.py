"""Lost answers: a guest's joining or sitting down is sent again by a page that never saw the session's new key.

The key of before is good for this alone: the same form again, once within 60 seconds, while nobody has used the new
key. What was sent has to be equal in everything: address, fields with the page's own token and form id, cookies. So
who planted or copied a key, and does not have the page, fetches nothing with it.
"""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.kernel.contract import Illegal
from games.models import Player, SentForm
from games.ops.session_keys import SessionStore, Stored, stored
from games.services import form_ids, row_locks
from games.services.people import players

SECONDS = 60
MARK = "unused_key"
"""The session's note of its key that nobody has used: the row of the form, and the second of the answer."""


def note(session: Any, player: Player, form_id: str, content: object) -> None:
    """Remember that the answer to a form brings the session's present key; nothing for a form without a usable id."""
    if not form_ids.is_usable(form_id):
        return
    with suppress(Illegal), transaction.atomic():
        row_locks.person(player)
        told = {"digest": form_ids.digest(content), "unused_key": _digits(session), "sent_at": timezone.now()}
        row, _is_new = SentForm.objects.update_or_create(player=player, form_id=form_id, defaults=told)
        session[MARK] = [row.pk, int(time.time())]


def note_use(session: Any) -> None:
    """Note that the key of a session is being used: the answer that brought it has arrived."""
    row_id, since = session.get(MARK, (0, 0))
    if time.time() - since > SECONDS:
        return
    unused = SentForm.objects.filter(pk=row_id).exclude(unused_key="")
    if unused.exists():
        unused.update(unused_key="")


def fetch(form_id: str, content: object) -> SessionStore | None:
    """Return the session that the lost answer to this form would have brought, under yet another key; else None.

    Of several that ask at once one gets it.
    """
    since = timezone.now() - timedelta(seconds=SECONDS)
    sent = SentForm.objects.filter(sent_at__gte=since, form_id=form_id, digest=form_ids.digest(content))
    row = sent.exclude(unused_key="").first()
    if row is None:
        return None
    try:
        return _claimed(row)
    except Illegal:
        return None


@transaction.atomic
def _claimed(row: SentForm) -> SessionStore | None:
    """Return the session of a lost answer under another key, if nobody was quicker; raises `gone_player`."""
    if row.player is None:
        return None
    row_locks.person(row.player)
    session = SessionStore(Stored(row.unused_key))
    player = players.not_banned(players.session_player(session))
    if player is None or player.pk != row.player_id or player.user_id is not None:
        return None
    if not SentForm.objects.filter(pk=row.pk, unused_key=row.unused_key).update(unused_key=""):
        return None
    session.pop(MARK, None)
    session.cycle_key()
    return session


def _digits(session: Any) -> str:
    return str.__str__(stored(session.session_key))

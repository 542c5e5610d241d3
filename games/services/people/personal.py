"""Data of a person beside the rooms: the row with the nickname, the account, the audit, sent forms."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry as AdminEntry

from games.kernel.contract import JsonObject
from games.models import DELETED_NAME, ApiToken, AuditEntry, Player, SentForm
from games.services import server_time
from games.services.kept import Kept, Leaver, time_text
from games.services.people import players


def _forget(leaver: Leaver) -> None:
    """Remove the name from the audit, delete the account, and leave a row without a name."""
    SentForm.objects.filter(player=leaver.player).delete()
    _clear_audit(leaver)
    user: Any = leaver.player.user
    cleared: dict[str, Any] = {"nickname": DELETED_NAME, "language": "", "user": None}
    Player.objects.filter(pk__in=leaver.ids).update(**cleared)
    Player.objects.filter(pk=leaver.player.pk).update(deleted_at=server_time.now())
    if user is not None:
        user.delete()


def _clear_audit(leaver: Leaver) -> None:
    AuditEntry.objects.filter(player=leaver.player).update(actor_name=DELETED_NAME)
    for entry in AuditEntry.objects.filter(data__player__in=leaver.ids):
        entry.subject = DELETED_NAME
        entry.data.pop("reason", None)
        entry.save(update_fields=["subject", "data"])
    for entry in AuditEntry.objects.filter(data__account=str(leaver.player.user or "")):
        entry.data["account"] = DELETED_NAME
        entry.save(update_fields=["data"])


def _join(source: Player, target: Player) -> None:
    """Delete the forms that both have sent; what the source hides stays hidden."""
    sent = SentForm.objects.filter(player=target).values("form_id")
    SentForm.objects.filter(player=source, form_id__in=sent).delete()


def _own(player: Player) -> JsonObject:
    return {
        "player": {
            "id": player.pk,
            "nickname": player.nickname,
            "language": player.language,
            "in_leaderboards": player.is_listed,
            "hides_grades": player.hides_grades,
            "wants_mail": player.wants_mail,
            "since": time_text(player.created_at),
            "names": sorted(players.names_of(player)),
        },
        "account": _account(player.user),
    }


def _account(user: Any) -> JsonObject | None:
    """Return the stored data of an account, without the password's hash; None without an account."""
    if user is None:
        return None
    return {
        "username": user.get_username(),
        "email": user.email,
        "since": time_text(user.date_joined),
        "last_login": time_text(user.last_login),
        "devices": [
            {"address": row.ip, "browser": row.user_agent, "since": time_text(row.created_at)}
            for row in user.usersession_set.order_by("created_at")
        ],
        "tokens": [
            {"name": row.name, "may": row.scope, "since": time_text(row.created_at)}
            for row in user.api_tokens.order_by("created_at")
        ],
    }


OF_ACCOUNT = (ApiToken, UserSession, EmailAddress, Authenticator, AdminEntry)
"""The models of an account, which go with it."""
KEPT = Kept((Player, AuditEntry, SentForm, *OF_ACCOUNT), forget=_forget, join=_join, own=_own)

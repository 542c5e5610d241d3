"""Data of a person beside the rooms: the row with the nickname, the account, the audit, sent forms."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry as AdminEntry
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.models import DELETED_NAME, STRUCK, ApiToken, AuditEntry, BackgroundTask, MailRecipient, Player, SentForm
from games.services import server_time
from games.services.people import players
from games.services.personal_rooms import (
    BY_HAND,
    BY_ITSELF,
    MONTH,
    NAMELESS,
    NOBODY,
    STAFF,
    UNTIL_YOU,
    WITH_YOU,
    YOU,
    YOU_AND_STAFF,
    Kept,
    Leaver,
    NoticeRow,
    days_of,
    time_text,
)


def _forget(leaver: Leaver) -> None:
    """Remove the name from the audit, delete the account, and leave a row without a name."""
    SentForm.objects.filter(player=leaver.player).delete()
    _clear_audit(leaver)
    user: Any = leaver.player.user
    noted = AdminEntry.objects.filter(object_repr__in=leaver.names | _shown(user))
    noted.update(object_repr=DELETED_NAME, change_message="")
    cleared: dict[str, Any] = {"nickname": DELETED_NAME, "language": "", "user": None}
    Player.objects.filter(pk__in=leaver.ids).update(**cleared)
    Player.objects.filter(pk=leaver.player.pk).update(deleted_at=server_time.now())
    if user is not None:
        # A session keeps the account's name of its login.
        devices = UserSession.objects.filter(user=user).values("session_key")
        Session.objects.filter(session_key__in=devices).delete()
        user.delete()


def _clear_audit(leaver: Leaver) -> None:
    """Remove the name from the acts of the person and of others about the person, and strike the reasons."""
    user = leaver.player.user
    theirs = Q(player__in=leaver.ids) | (Q() if user is None else Q(user=user))
    AuditEntry.objects.filter(theirs).update(actor_name=DELETED_NAME)
    for entry in AuditEntry.objects.filter(data__player__in=leaver.ids):
        entry.subject = DELETED_NAME
        entry.data.pop("reason", None)
        entry.save(update_fields=["subject", "data"])
    if user is not None:
        for entry in AuditEntry.objects.filter(data__account=str(user)):
            # The subject is the name that the person gave a token.
            entry.subject, entry.data["account"] = STRUCK, DELETED_NAME
            entry.save(update_fields=["subject", "data"])
    _strike_reasons(leaver, theirs)


_REPEATED = ("correction_agreed", "correction_refused")
"""Acts whose reason is what another person wrote."""


def _strike_reasons(leaver: Leaver, theirs: Q) -> None:
    """Strike the reasons that the person wrote, wherever an act repeats them, and those that name the person."""
    entries = AuditEntry.objects.filter(Q(night__in=leaver.nights) | Q(night=None) | theirs, data__has_key="reason")
    own = {_reason_of(entry) for entry in entries.filter(theirs).exclude(act__in=_REPEATED)}
    for entry in entries:
        if _reason_of(entry) in own or leaver.is_named_in(entry.data["reason"]):
            entry.data["reason"] = STRUCK
            entry.save(update_fields=["data"])


def _reason_of(entry: AuditEntry) -> tuple[int | None, str, str]:
    """Return the reason in an act, with the night and the thing that it is about."""
    return entry.night_id, entry.subject, entry.data["reason"]


def _shown(user: Any) -> set[str]:
    """Return the names under which the admin notes that a row of an account was changed."""
    return {*map(str, EmailAddress.objects.filter(user=user)), *map(str, ApiToken.objects.filter(user=user))}


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
            "banned_at": time_text(player.banned_at),
            "names": sorted(players.names_of(player)),
        },
        "account": _account(player.user),
        "acts": [_act(row) for row in _acts_of(player).select_related("night").order_by("pk")],
    }


def _acts_of(player: Player) -> QuerySet[AuditEntry]:
    """Return what a person did that is noted; an account's acts may be its own alone."""
    theirs = Q(player=player) | (Q() if player.user is None else Q(user=player.user))
    return AuditEntry.objects.filter(theirs)


def _act(row: AuditEntry) -> JsonObject:
    """Return a noted act without those whom it was about."""
    night = None if row.night is None else row.night.public_id
    return {"act": row.act, "night": night, "at": time_text(row.at)}


def _account(user: Any) -> JsonObject | None:
    """Return the stored data of an account, without the password's hash; None without an account."""
    if user is None:
        return None
    return {
        "username": user.get_username(),
        "email": user.email,
        "staff": user.is_staff,
        "addresses": [
            {"email": row.email, "confirmed": row.verified, "first": row.primary}
            for row in EmailAddress.objects.filter(user=user).order_by("pk")
        ],
        "two_factor": [
            {"kind": row.type, "since": time_text(row.created_at), "last_used": time_text(row.last_used_at)}
            for row in Authenticator.objects.filter(user=user).order_by("pk")
        ],
        "since": time_text(user.date_joined),
        "last_login": time_text(user.last_login),
        "devices": [
            {
                "address": row.ip,
                "browser": row.user_agent,
                "since": time_text(row.created_at),
                "last_seen": time_text(row.last_seen_at),
            }
            for row in user.usersession_set.order_by("created_at")
        ],
        "tokens": [
            {
                "name": row.name,
                "begins": row.start,
                "may": row.scope,
                "since": time_text(row.created_at),
                "last_used": time_text(row.last_used_at),
                "until": time_text(row.expires_at),
                "taken_back": time_text(row.revoked_at),
            }
            for row in user.api_tokens.order_by("created_at")
        ],
    }


OF_ACCOUNT = (ApiToken, UserSession, EmailAddress, Authenticator, AdminEntry)
"""The models of an account, which go with it."""
_SAID = (
    NoticeRow(
        _("Your nickname and names before it, your language, and your wishes about leaderboards, grades and mails"),
        {Player: "nickname language user merged_into created_at devices_since is_listed hides_grades wants_mail"},
        _("so that others know who plays, and pages are as you want them"),
        _("everybody at your nights; everybody at the house if you are in the leaderboards"),
        UNTIL_YOU,
        NAMELESS,
        ("player",),
    ),
    NoticeRow(
        _("That you are banned from this house, or have deleted your data"),
        {Player: "banned_at deleted_at"},
        _("so that a ban holds"),
        STAFF,
        _("until the staff lift the ban, else for good"),
        NAMELESS,
    ),
    NoticeRow(
        _("Your account: its name, mail addresses, the password as a one-way code, and what two-factor needs"),
        {
            User: "username password first_name last_name email last_login is_superuser is_staff is_active date_joined",
            EmailAddress: "user email verified primary",
            EmailConfirmation: "key",
            Authenticator: "user type data created_at last_used_at",
        },
        _("so that you can log in anywhere, and get a new password by mail"),
        YOU_AND_STAFF,
        UNTIL_YOU,
        WITH_YOU,
        ("account",),
    ),
    NoticeRow(
        _("The devices on which you are logged in: network address, browser, times"),
        {
            UserSession: "user created_at ip last_seen_at session_key user_agent data",
            Session: "session_data",
        },
        _("so that the house knows you again, and you can log another device out"),
        YOU,
        _("until you log out, else half a year"),
        BY_ITSELF,
    ),
    NoticeRow(
        _("Tokens for programs that act for you"),
        {ApiToken: "user name scope digest start created_at last_used_at expires_at revoked_at"},
        _("so that your programs get in"),
        YOU_AND_STAFF,
        _("until you take them back"),
        BY_HAND,
    ),
    NoticeRow(
        _("What hosts and staff did, and to whom: who was shown the door, which result was corrected and why"),
        {
            AuditEntry: "act actor_name player user night subject data at",
            BackgroundTask: "done_by",
            AdminEntry: "user action_time content_type object_id object_repr action_flag change_message",
        },
        _("so that an act can be looked into later"),
        STAFF,
        days_of("KEEP_AUDIT_DAYS"),
        NAMELESS,
        ("acts",),
    ),
    NoticeRow(
        _("Marks of forms that you have sent, and of addresses that got a mail about an account; nobody can read them"),
        {
            SentForm: "player user form_id digest made unused_key sent_at",
            MailRecipient: "digest sent_at confirmations asked_at last_at",
        },
        _("so that nothing counts twice, and nobody can flood an address"),
        NOBODY,
        MONTH,
        BY_ITSELF,
    ),
)
KEPT = Kept((Player, AuditEntry, SentForm, *OF_ACCOUNT), forget=_forget, join=_join, own=_own, said=_SAID)

"""The audit: one entry for each act of a host or of staff, and the words for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, User
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import DELETED_NAME, AuditEntry, Night, Player
from games.services import acts

LONGEST_REASON = 200
_WORDS: Mapping[str, Any] = {
    "claim_owned": _("confirmed their own history"),
    "claim_disowned": _("refused somebody who claimed their history"),
    "table_paused": _("paused a table"),
    "table_resumed": _("let a table go on"),
    "table_archived": _("archived a table"),
    "table_restored": _("took a table out of the archive"),
    "past_game_entered": _("entered a past game"),
    "past_game_agreed": _("agreed to a past game"),
    "past_game_refused": _("refused a past game"),
    "past_game_objected": _("objected to what somebody agreed to"),
    "past_game_withdrawn": _("took a past game back"),
    "result_corrected": _("corrected a result"),
    "correction_proposed": _("proposed a correction"),
    "correction_agreed": _("agreed to a correction"),
    "correction_refused": _("refused a correction"),
    "player_banned": _("banned a player"),
    "ban_lifted": _("lifted a ban"),
    "player_renamed": _("renamed a player"),
    "players_merged": _("joined two players to one"),
    "player_sheet": _("read what the house keeps of a player"),
    "player_deleted": _("deleted a player's data"),
    "tallies_rebuilt": _("counted a player's sums anew"),
    "venue_added": _("added a venue"),
    "venue_renamed": _("renamed a venue"),
    "venue_hosts_changed": _("changed the hosts of a venue"),
    "house_described": _("described the house"),
    "logo_changed": _("changed the logo of the house"),
    "logo_removed": _("removed the logo of the house"),
    "rules_created": _("made house rules"),
    "rules_changed": _("changed house rules"),
    "policy_changed": _("changed what hosts may play"),
    "two_factor_added": _("set up two-factor login"),
    "two_factor_removed": _("switched two-factor login off"),
    "log_level_changed": _("changed how much is logged"),
    "report_made": _("made a report for a fault"),
    "restore_begun": _("began to restore a backup"),
    "backup_fetched": _("fetched a backup of the house"),
    "task_requested": _("let a background task run"),
    "sheet_taken": _("took a spreadsheet into a season"),
    "season_unshared": _("closed the standing of a season to outsiders"),
    "season_share_renewed": _("gave the standing of a season another link"),
    "screen_taken_in": _("took a big screen in for the house"),
    "screen_renamed": _("renamed a big screen"),
    "screen_sent": _("let a big screen show another night first"),
    "screen_ended": _("took a big screen away"),
    "token_created": _("made an API token"),
    "token_revoked": _("revoked an API token"),
}
"""Code of what is no declared act → its name in the audit."""


def words() -> Mapping[str, Any]:
    """Return the name in the audit of everything that may stand there, by its code."""
    return {**acts.audited(), **_WORDS}


def reason(raw: str) -> str:
    """Return a reason on one line; raises Illegal `no_reason_given` for an empty, long or unprintable one."""
    text = " ".join(raw.split())
    if not 0 < len(text) <= LONGEST_REASON or not text.isprintable():
        raise Illegal("no_reason_given", longest=LONGEST_REASON)
    return text


def name_of(by: Player | AbstractBaseUser | None) -> str:
    """Return the name of an author as it is stored: of a deleted player the placeholder of all languages."""
    if by is None:
        return DELETED_NAME
    return (by.nickname if isinstance(by, Player) else str(by))[:150]


def note(
    act: str,
    by: Player | AbstractBaseUser | None,
    subject: object = "",
    *,
    night: Night | None = None,
    **data: Any,
) -> AuditEntry:
    """Write an act of `by` (a player, a user of the staff, None: nobody who is left) to the audit."""
    player = by if isinstance(by, Player) else None
    user = by if isinstance(by, User) else None
    return AuditEntry.objects.create(
        act=act,
        actor_name=name_of(by),
        player=player,
        user=user,
        night=night,
        subject=str(subject)[:200],
        data=data,
    )

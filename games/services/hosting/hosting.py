"""Acts at a night that answer in words of their own; the rooms imported here declare the others."""

from __future__ import annotations

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.models import Night, Player
from games.services.acts import LogLine
from games.services.arguments import Digits, PastTime, RowId
from games.services.hosting import claims, device_transfer, take_over
from games.services.nights import membership, phone_address, wifi
from games.services.nights.registry import NIGHT, NightRight
from games.services.sharing import links

DECLARING = (device_transfer, take_over, membership, phone_address, wifi, links)
"""The modules that declare acts at a night, beside this one."""


@NIGHT.act(
    "lock",
    NightRight.HOST,
    LogLine("locked", _("The night was locked: nobody new comes in."), _("locked the night")),
    label=_("Lock the night"),
    done=_("The night is locked."),
)
def _lock(night: Night, host: Player) -> None:
    membership.set_lock(night, host, True)


@NIGHT.act(
    "unlock",
    NightRight.HOST,
    LogLine("unlocked", _("The night is open again."), _("opened the night again")),
    label=_("Unlock"),
    done=_("The night is open again."),
)
def _unlock(night: Night, host: Player) -> None:
    membership.set_lock(night, host, False)


@NIGHT.act(
    "remove_newcomers",
    NightRight.HOST,
    LogLine(
        "newcomers_removed",
        _("People without a seat were shown the door: %(count)s."),
        _("showed newcomers without a seat the door"),
    ),
    label=_("Show newcomers the door"),
    question=_(
        "Everybody without a seat who came since then leaves the night, and can't come in again tonight; who waits "
        "at the door, too. Make a new room code as well if strangers have the old one."
    ),
    yes=_("Yes, show them the door"),
    done=_("They are gone."),
)
def _remove_newcomers(night: Night, host: Player, since: PastTime) -> str:
    is_done = membership.remove_newcomers(night, host, since) > 0
    return "" if is_done else gettext("Nobody without a seat has come since then.")


@NIGHT.act(
    "rotate",
    NightRight.HOST,
    LogLine(
        "code_rotated",
        _("There is a new room code; the old one opens nothing any more."),
        _("made a new room code"),
    ),
    label=_("New room code"),
    done=_("There is a new room code. Old links and codes open nothing any more."),
)
def _rotate(night: Night, host: Player) -> str:
    membership.rotate_code(night, host)
    is_over = night.status == Night.Status.CLOSED
    return gettext("Screens show nothing of this night any more.") if is_over else ""


@NIGHT.act(
    "approve_move",
    NightRight.HOST,
    LogLine(
        "move_approved",
        _("The host approved it: %(name)s goes on, on another phone."),
        _("let a guest go on, on another phone"),
    ),
    LogLine(
        "move_agreed",
        _("A host approved another phone of %(name)s; hosts of other nights are asked, too."),
        _("approved a guest's other phone, with other hosts to be asked"),
    ),
    label=_("Approve for %(name)s"),
)
def _approve_move(night: Night, host: Player, player_id: RowId, number: Digits) -> str:
    if device_transfer.approve_move(night, host, player_id, number):
        return gettext("Approved: they go on, on the other phone.")
    return gettext("Noted. They have been at nights of other hosts: those must approve it as well, or their old phone.")


@NIGHT.act(
    "claim_confirm",
    NightRight.HOST,
    LogLine(
        "claim_confirmed",
        _("The host confirmed it: %(name)s and %(by)s are one person."),
        _("confirmed a history"),
        "claim_confirmed",
    ),
    LogLine(
        "claim_agreed",
        _("A host confirmed that %(by)s was %(name)s; hosts of other nights are asked, too."),
        _("confirmed a history, with other hosts to be asked"),
        "claim_agreed",
    ),
    label=_("Yes, I saw it"),
)
def _confirm_claim(night: Night, host: Player, claim_id: RowId) -> str:
    decision = claims.decide(night, host, claim_id, True)
    if not decision.is_done:
        return gettext(
            "Noted. They have been at nights of other hosts: those must confirm it as well, or their old phone."
        )
    names = {"name": decision.claim.guest.nickname, "by": decision.claim.account.nickname}
    return gettext("Confirmed: what %(name)s played belongs to %(by)s now.") % names


@NIGHT.act(
    "claim_refuse",
    NightRight.HOST,
    LogLine(
        "claim_refused",
        _("The host did not confirm that %(by)s was %(name)s."),
        _("refused a history"),
        "claim_refused",
    ),
    label=_("No"),
    done=_("Refused: nothing was joined."),
)
def _refuse_claim(night: Night, host: Player, claim_id: RowId) -> None:
    claims.decide(night, host, claim_id, False)

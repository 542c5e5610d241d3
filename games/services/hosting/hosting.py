"""Carrying out the acts of a host at a night, as `host_acts` declares them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeAlias

from django.utils.translation import gettext as _

from games.kernel.contract import Illegal
from games.models import Night, Player
from games.services.host_acts import NIGHT, Right
from games.services.hosting import claims, device_transfer, take_over
from games.services.nights import membership, phone_address, wifi
from games.services.sharing import links

Service: TypeAlias = Callable[..., str | None]


def check_right(night: Night, player: Player, name: str) -> None:
    """Raise Illegal `not_host`, `removed`, `not_inside`, `practice_night` unless the player has the right to an act."""
    if NIGHT[name].right == Right.HOST:
        membership.check_host(night, player)
    else:
        membership.check_inside(night, player)
    if night.is_practice and name != "close":
        raise Illegal("practice_night")


def carry_out(night: Night, player: Player, name: str, /, **args: Any) -> str:
    """Carry out an act with its declared arguments; return the message to the player, "" for none.

    Raises Illegal as `check_right` and the act's service.
    """
    check_right(night, player, name)
    act = NIGHT[name]
    return _SERVICES[name](night, player, *(args[each] for each in act.args)) or str(act.done)


def _remove_newcomers(night: Night, host: Player, since: datetime) -> str:
    is_done = membership.remove_newcomers(night, host, since) > 0
    return "" if is_done else _("Nobody without a seat has come since then.")


def _rotate(night: Night, host: Player) -> str:
    membership.rotate_code(night, host)
    is_over = night.status == Night.Status.CLOSED
    return _("Screens show nothing of this night any more.") if is_over else ""


def _approve_move(night: Night, host: Player, player: int, number: str) -> str:
    if device_transfer.approve_move(night, host, player, number):
        return _("Approved: they go on, on the other phone.")
    return _("Noted. They have been at nights of other hosts: those must approve it as well, or their old phone.")


def _confirm_claim(night: Night, host: Player, claim: int) -> str:
    decision = claims.decide(night, host, claim, True)
    if not decision.is_done:
        return _("Noted. They have been at nights of other hosts: those must confirm it as well, or their old phone.")
    names = {"name": decision.claim.guest.nickname, "by": decision.claim.account.nickname}
    return _("Confirmed: what %(name)s played belongs to %(by)s now.") % names


def _refuse_claim(night: Night, host: Player, claim: int) -> None:
    claims.decide(night, host, claim, False)


_SERVICES: Mapping[str, Service] = {
    "lock": lambda night, host: membership.set_lock(night, host, True),
    "unlock": lambda night, host: membership.set_lock(night, host, False),
    "rotate": _rotate,
    "admission": membership.set_admission,
    "wifi": wifi.set_of_night,
    "phone_address": phone_address.choose,
    "admit": membership.admit,
    "remove": membership.remove,
    "readmit": membership.readmit,
    "mute": membership.mute,
    "unmute": membership.unmute,
    "remove_newcomers": _remove_newcomers,
    "give_host": membership.give_host,
    "approve_move": _approve_move,
    "refuse_move": device_transfer.refuse_move,
    "claim_confirm": _confirm_claim,
    "claim_refuse": _refuse_claim,
    "take_over": take_over.take_over,
    "reclaim": take_over.reclaim,
    "share": links.open_night,
    "unshare": links.close_night,
    "renew_share": links.renew_night,
    "close": membership.close,
}

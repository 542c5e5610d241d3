"""Carrying out the acts of a host at a night, as `host_acts` declares them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from django.conf import settings
from django.utils.translation import gettext as _

from games.kernel.contract import Illegal
from games.models import Night, Player
from games.services.host_acts import NIGHT, Right
from games.services.nights import device_transfer, membership
from games.services.people import claims

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
    "rotate": membership.rotate_code,
    "admission": membership.set_admission,
    "wifi": membership.set_wifi,
    "admit": membership.admit,
    "remove": membership.remove,
    "give_host": membership.give_host,
    "approve_move": _approve_move,
    "refuse_move": device_transfer.refuse_move,
    "claim_confirm": _confirm_claim,
    "claim_refuse": _refuse_claim,
    "take_over": lambda night, player: membership.hand_over(night, player, settings.HOST_AWAY_SECONDS),
    "close": membership.close,
}

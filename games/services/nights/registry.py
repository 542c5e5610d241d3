"""The registry of the acts at a night, and the rights that they need; the importing of `hosting` brings them all."""

from __future__ import annotations

from enum import StrEnum

from games.kernel.contract import Illegal
from games.models import Night, Player
from games.services.acts import DeclaredActs
from games.services.nights import events, night_rights


class NightRight(StrEnum):
    """The right needed for an act."""

    HOST = "host"
    ANY_HOST = "any_host"
    """The host, of a practice night, too."""
    MEMBER = "member"
    """Any member that is in at the night, within the limits of the act's service."""


def _check_host(night: Night, player: Player) -> None:
    night_rights.check_host(night, player)
    _check_real(night)


def _check_member(night: Night, player: Player) -> None:
    night_rights.check_inside(night, player)
    _check_real(night)


def _check_real(night: Night) -> None:
    if night.is_practice:
        raise Illegal("practice_night")


NIGHT: DeclaredActs[Night, Player] = DeclaredActs(
    "night",
    {NightRight.HOST: _check_host, NightRight.ANY_HOST: night_rights.check_host, NightRight.MEMBER: _check_member},
    log=events.LOG,
)
"""The acts by name, each declared by `NIGHT.act` beside its service."""

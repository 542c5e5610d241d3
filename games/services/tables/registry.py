"""The registry of the acts at a table before and after its play, and the rights that they need.

The commands of a running table are in `games.services.host_acts`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeAlias

from games.kernel.contract import Illegal
from games.models import Player, Table
from games.services import arguments
from games.services.acts import DeclaredActs
from games.services.arguments import Argument
from games.services.nights import rights as night_rights


class TableRight(StrEnum):
    """The right needed for an act."""

    HOST = "host"
    ENTRUSTED = "entrusted"
    """The host and the table's scorekeeper, who enter for people without a phone."""
    MEMBER = "member"
    """Any member that is in at the night, within the limits of the act's service."""


def _check_member(table: Table, player: Player) -> None:
    night_rights.check_inside(table.night, player)


def check_host(table: Table, player: Player) -> None:
    """Raise Illegal `not_host` unless a player is the host of the table's night."""
    night_rights.check_host(table.night, player)


def check_entrusted(table: Table, player: Player) -> None:
    """Raise Illegal `not_host` unless a player is the host or the table's scorekeeper."""
    if player.pk not in (table.night.host_id, table.scorekeeper_id):
        raise Illegal("not_host")


ACTS: DeclaredActs[Table, Player] = DeclaredActs(
    "table",
    {TableRight.HOST: check_host, TableRight.ENTRUSTED: check_entrusted, TableRight.MEMBER: _check_member},
)
"""The acts by name, each declared by `ACTS.act` beside its service; `games.apps` brings them all."""
Mark: TypeAlias = Annotated[str, Argument(arguments.field_of(lambda text: text or ""), name="card")]
"""The mark of the rules card that the sender saw."""
Adult: TypeAlias = Annotated[bool, Argument(arguments.field_of(lambda text: text == "yes"), name="adult")]
"""The confirmation of the sender to be of age."""
Places: TypeAlias = Annotated[int, Argument(arguments.field_of(lambda text: -1 if text == "-1" else 1))]
"""Places that a seat moves down in the order of the seats, 1 or -1."""

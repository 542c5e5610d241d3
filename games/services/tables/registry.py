"""The registries of the acts at a table before and after its play, and of the commands of a running one."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, TypeAlias

from games.kernel.contract import Illegal
from games.models import Player, Table
from games.services import arguments
from games.services.acts import DeclaredActs
from games.services.arguments import Argument
from games.services.nights import night_rights


class TableRight(StrEnum):
    """The right needed for an act."""

    HOST = "host"
    ENTRUSTED = "entrusted"
    """The host and the table's scorekeeper, who enter for people without a phone."""
    MEMBER = "member"
    """Any member that is in at the night, within the limits of the act's service."""
    SEAT = "seat"
    """The player of a seat, for that seat."""


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


def _check_commanding(table: Any, player_id: int | None) -> None:
    """Raise Illegal `not_host` unless a player, by id, is the host of a locked table's night; the house (None) may."""
    if player_id is not None and table.row.night.host_id != player_id:
        raise Illegal("not_host")


def _check_seat(_table: Any, _player_id: int | None) -> None:
    """Pass: whether a seat is somebody's to act for is asked with the seat that a command names (`keeping`)."""


COMMANDS: DeclaredActs[Any, int | None] = DeclaredActs(
    "command",
    {TableRight.HOST: _check_commanding, TableRight.MEMBER: _check_seat, TableRight.SEAT: _check_seat},
)
"""The commands `table.…` by name: their services take a `decisions.LockedTable`, their senders are players by id."""


def _places(sent: object) -> int:
    """Return 1 or -1; raises ValueError for others."""
    found = arguments.whole(sent)
    if found not in (1, -1):
        raise ValueError(sent)
    return found


StartId: TypeAlias = Annotated[
    str, Argument(arguments.field_of(lambda text: text or ""), arguments.short, schema=arguments.SHORT, name="id")
]
"""The sender's own id of a start: the same one starts the game once."""
Mark: TypeAlias = Annotated[str, Argument(arguments.field_of(lambda text: text or ""), name="card")]
"""The mark of the rules card that the sender saw."""
Adult: TypeAlias = Annotated[bool, Argument(arguments.field_of(lambda text: text == "yes"), name="adult")]
"""The confirmation of the sender to be of age."""
Places: TypeAlias = Annotated[
    int, Argument(arguments.field_of(lambda text: -1 if text == "-1" else 1), _places, schema={"enum": [-1, 1]})
]
"""Places that a seat moves down in the order of the seats, 1 or -1."""

"""The registry of the acts on what is owed at a night, and the rights that they need."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from games.models import Night, Player
from games.row_ids import number
from games.services import arguments
from games.services.acts import DeclaredActs
from games.services.arguments import Argument
from games.services.nights import night_rights
from games.services.people import players

Side: TypeAlias = Literal["payer", "payee"]


class OwedRight(StrEnum):
    """The right needed for an act."""

    HOST = "host"
    MEMBER = "member"
    """Members of the night; whether it is their payment, their settling or their seat, the act's service says."""


ACTS: DeclaredActs[Night, Player] = DeclaredActs(
    "owed", {OwedRight.HOST: night_rights.check_host, OwedRight.MEMBER: night_rights.check_inside}
)
"""The acts by name, each declared by `ACTS.act` beside its service; `games.apps` brings them all."""


def _person(text: str | None) -> Player:
    """Return a person; raises ValueError."""
    found = players.current_player(arguments.row_id(text))
    if found is None:
        raise ValueError(text)
    return found


def _amount(text: str | None) -> int:
    """Return an amount of up to twelve digits; raises ValueError."""
    found = number(text or "", digits=12)
    if found is None:
        raise ValueError(text)
    return found


def _currency(text: str | None) -> str:
    return (text or "")[:8]


def _told_person(sent: object) -> Player:
    """Return a person by the number of JSON; raises ValueError."""
    return _person(str(arguments.natural(sent)))


Person: TypeAlias = Annotated[
    Player, Argument(arguments.field_of(_person), _told_person, "no_such_player", arguments.NATURAL)
]
OneSide: TypeAlias = Annotated[
    Side,
    Argument(
        arguments.field_of(arguments.word("payer", "payee")),
        arguments.word("payer", "payee"),
        "payment_moved",
        {"enum": ["payer", "payee"]},
    ),
]
PartyId: TypeAlias = Annotated[int, Argument(arguments.field_of(arguments.row_id), code="payment_moved")]
Amount: TypeAlias = Annotated[int, Argument(arguments.field_of(_amount), code="payment_moved")]
Currency: TypeAlias = Annotated[str, Argument(arguments.field_of(_currency))]
Taker: TypeAlias = Annotated[
    Player | None,
    Argument(
        arguments.field_of(lambda text: None if text == "all" else _person(text)),
        lambda sent: None if sent == "all" else _told_person(sent),
        "no_such_player",
        {"anyOf": [arguments.NATURAL, {"const": "all"}]},
    ),
]
"""Against whom a balance is closed; None, sent as "all", for everybody."""
PaymentId: TypeAlias = Annotated[int, Argument(arguments.field_of(arguments.row_id), code="payment_moved")]
SettlingId: TypeAlias = Annotated[int, Argument(arguments.field_of(arguments.row_id), code="no_such_settling")]
TableId: TypeAlias = Annotated[int, Argument(arguments.field_of(arguments.row_id), code="no_such_table")]

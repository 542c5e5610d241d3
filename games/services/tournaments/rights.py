"""The registry of the acts at a tournament, and the rights that they need.

Rights in a tournament: the host of its night, directors, and members.
"""

from __future__ import annotations

from datetime import time
from enum import StrEnum
from typing import Annotated, TypeAlias

from django.http import QueryDict

from games.kernel.contract import Illegal
from games.models import Night, Player, Tournament
from games.row_ids import number
from games.services import arguments
from games.services.acts import DeclaredActs
from games.services.arguments import Argument
from games.services.nights import events, night_rights


def find(public_id: str) -> Tournament:
    """Return a tournament with its night; raises `no_such_tournament`."""
    found = Tournament.objects.select_related("night__host").filter(public_id=public_id).first()
    if found is None:
        raise Illegal("no_such_tournament")
    return found


def is_director(tournament: Tournament, player: Player | None) -> bool:
    """Tell whether a player directs a tournament: as host of the night, or named by the host and in at the night."""
    if player is None:
        return False
    if tournament.night.host_id == player.pk:
        return True
    is_named = tournament.directors.filter(player=player).exists()
    return is_named and night_rights.is_inside(tournament.night, player)


def check_director(tournament: Tournament, player: Player) -> None:
    """Raise Illegal `removed`, `not_inside`, `not_director` unless a player directs a tournament."""
    night_rights.check_inside(tournament.night, player)
    if not is_director(tournament, player):
        raise Illegal("not_director")


def check_open(tournament: Tournament) -> None:
    """Raise Illegal `night_closed` when the night of a tournament is over."""
    if tournament.night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")


class TournamentRight(StrEnum):
    """The right needed for an act."""

    HOST = "host"
    DIRECTOR = "director"
    MEMBER = "member"


def _check_host(tournament: Tournament, player: Player) -> None:
    night_rights.check_host(tournament.night, player)


def _check_member(tournament: Tournament, player: Player) -> None:
    night_rights.check_inside(tournament.night, player)


ACTS: DeclaredActs[Tournament, Player] = DeclaredActs(
    "tournament",
    {
        TournamentRight.HOST: _check_host,
        TournamentRight.DIRECTOR: check_director,
        TournamentRight.MEMBER: _check_member,
    },
    log=events.LOG,
)
"""The acts by name, each declared by `ACTS.act` beside its service; importing `acts` brings them all."""

ASK = "ask"
"""The word in a form for a kind of proposals that a director confirms."""


def _modes(form: QueryDict, name: str) -> dict[str, int | None]:
    """Return the modes in a form by kind: seconds, None for asking."""
    found = {key.removeprefix("mode-"): str(text) for key, text in form.items() if key.startswith("mode-")}
    return {kind: None if text == ASK else arguments.any_number(text) for kind, text in found.items()}


def _seeds(form: QueryDict, name: str) -> dict[str, int | None]:
    """Return the seeds in a form by people's keys, None for an empty one; 0 for what is no number, which is refused."""
    found = {key.removeprefix("seed-"): str(text).strip() for key, text in form.items() if key.startswith("seed-")}
    return {key: (number(text) or 0) if text else None for key, text in found.items()}


def _amounts(text: str | None) -> list[int]:
    """Return typed amounts between commas or blanks; 0 for what is no number, which is refused."""
    return [number(each) or 0 for each in (text or "")[:200].replace(",", " ").split()]


def _numbers(sent: object) -> dict[str, int | None]:
    """Return an object of numbers and null; raises ValueError."""
    if not isinstance(sent, dict) or len(sent) > arguments.MOST_LISTED:
        raise ValueError(sent)
    return {key: None if value is None else arguments.natural(value) for key, value in sent.items()}


_NUMBERS = {"type": "object", "additionalProperties": {"type": ["integer", "null"], "minimum": 0}}
_AMOUNTS = {"type": "array", "items": arguments.NATURAL}
Modes: TypeAlias = Annotated[dict[str, int | None], Argument(_modes, _numbers, schema=_NUMBERS)]
Seeds: TypeAlias = Annotated[dict[str, int | None], Argument(_seeds, _numbers, schema=_NUMBERS)]
ClockTime: TypeAlias = Annotated[time, Argument(arguments.field_of(arguments.clock_time), code="bad_time")]
Amounts: TypeAlias = Annotated[list[int], Argument(arguments.field_of(_amounts), arguments.naturals, schema=_AMOUNTS)]

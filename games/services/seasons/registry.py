"""The registry of the acts at a season, and the rights that they need."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Annotated, TypeAlias

from games.models import Night, Player, Season
from games.services import arguments
from games.services.acts import DeclaredActs
from games.services.arguments import Argument
from games.services.people import players
from games.services.seasons import rights, season_log


class SeasonRight(StrEnum):
    """The right needed for an act."""

    ORGANISER = "organiser"
    PERSON = "person"
    """Anybody who is not banned, within the limits of the act's service."""


def _check_person(_season: Season, player: Player) -> None:
    players.check_welcome(player)


ACTS: DeclaredActs[Season, Player] = DeclaredActs(
    "season", {SeasonRight.ORGANISER: rights.check_organiser, SeasonRight.PERSON: _check_person}, log=season_log.LOG
)
"""The acts by name, each declared by `ACTS.act` beside its service; `games.apps` brings them all."""


def _night(public_id: str | None) -> Night:
    """Return a night; raises ValueError."""
    found = Night.objects.filter(public_id=public_id or "").first()
    if found is None:
        raise ValueError(public_id)
    return found


OneNight: TypeAlias = Annotated[
    Night,
    Argument(
        arguments.field_of(_night),
        lambda sent: _night(arguments.text(sent)),
        code="no_such_night",
        schema=arguments.STRING,
    ),
]
Ids: TypeAlias = Annotated[list[str], Argument(lambda form, name: [str(each) for each in form.getlist(name)])]
NightDay: TypeAlias = Annotated[date, Argument(arguments.field_of(arguments.day), code="bad_night_day")]
MatchId: TypeAlias = Annotated[int, Argument(arguments.field_of(arguments.row_id), code="no_such_match")]
EntrantId: TypeAlias = Annotated[int, Argument(arguments.field_of(arguments.row_id), code="no_such_entrant")]
ProposalId: TypeAlias = Annotated[int, Argument(arguments.field_of(arguments.row_id), code="no_proposal")]
SheetId: TypeAlias = Annotated[int, Argument(arguments.field_of(arguments.row_id), code="no_such_sheet")]

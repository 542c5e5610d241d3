"""*That is me*: people say that a name of a season's spreadsheets is theirs, and an organiser agrees or does not.

Who says so reads no names, but places and points alone: names that are nobody's are read by organisers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Player, Season, SeasonName, SheetRow
from games.services import arguments, audit, row_locks
from games.services.acts import LogLine
from games.services.arguments import Argument, Ticked, Yes
from games.services.people import players
from games.services.seasons import season_log, season_nights, sheet_names, standing_cache
from games.services.seasons.frozen import StandingRow
from games.services.seasons.registry import ACTS, SeasonRight
from games.services.seasons.rights import check_open, is_organiser, reader_of

NameId: TypeAlias = Annotated[int, Argument(arguments.field_of(arguments.row_id), code="no_such_name")]


@dataclass(frozen=True, slots=True)
class UnclaimedRow:
    """A row of the standing that is a name's of a spreadsheet and nobody's: the name's id, and the row."""

    name_id: int
    row: StandingRow


def unclaimed(season: Season) -> QuerySet[SeasonName]:
    """Return the names of a season that count in its standing and are nobody's, and nobody is asked about them."""
    rows = sheet_names.rows_of(season).values("name")
    return season.names.filter(pk__in=rows, player=None, asked=None).exclude(name="")


def claimable(season: Season, player: Player | None) -> list[UnclaimedRow]:
    """Return what somebody may say is theirs, in the order of the standing; [] while they wait for an answer."""
    if season.status != Season.Status.OPEN or (player and season.names.filter(claimant=player).exists()):
        return []
    free = set(unclaimed(season).filter(claimant=None).values_list("pk", flat=True))
    standing = standing_cache.season_standing(season).rows if free else ()
    return [UnclaimedRow(-row.player, row) for row in standing if -row.player in free]


def claims(season: Season) -> QuerySet[SeasonName]:
    """Return the names of a season that somebody says are theirs, for its organisers."""
    return unclaimed(season).exclude(claimant=None).select_related("claimant")


@ACTS.act(
    "claim_name",
    SeasonRight.PERSON,
    LogLine("name_claimed", _("Somebody says that a name of a spreadsheet is theirs.")),
    done=_("Noted. An organiser is asked whether it is you."),
    label=_("That is me"),
)
@transaction.atomic
def claim(season: Season, by: Player, name_id: NameId, listed: Ticked = False) -> None:
    """Say that a name of a spreadsheet is one's own; `listed`: the own name may be shown to everybody from now on.

    An organiser's own word is enough. Raises Illegal `season_closed`, `gone_player`, `not_in_season`, `no_such_name`,
    `name_claimed`, and as `decide`.
    """
    check_open(season)
    by = row_locks.person(by)
    if not reader_of(season, by, [placed.night for placed in season_nights.nights_of(season)]).may_read:
        raise Illegal("not_in_season")
    row = unclaimed(season).select_for_update(of=("self",)).filter(pk=name_id).first()
    if row is None:
        raise Illegal("no_such_name")
    if row.claimant_id is not None or season.names.filter(claimant=by).exists():
        raise Illegal("name_claimed")
    if listed:
        players.set_listed(by, True)
    row.claimant = by
    row.save(update_fields=["claimant"])
    season_log.note(season, "name_claimed", by)
    if is_organiser(season, by):
        decide(season, by, row.pk, True)


@ACTS.act(
    "decide_name",
    SeasonRight.ORGANISER,
    LogLine("name_given", _("An organiser agreed that a name of a spreadsheet is somebody's.")),
    LogLine("name_not_given", _("An organiser did not agree that a name of a spreadsheet is somebody's.")),
    audit={"name_given": _("gave somebody the points of a name"), "name_not_given": _("gave nobody a name's points")},
    done=_("Noted."),
    label=_("Yes, that is so"),
    words={"no": _("No")},
)
@transaction.atomic
def decide(season: Season, by: Player, name_id: NameId, agrees: Yes) -> None:
    """Agree as an organiser that a name is whose who says so, or do not.

    Raises Illegal `season_closed`, `no_such_name`, and `sheet_person_twice` for who has another name of one evening.
    """
    check_open(season)
    row = claims(season).select_for_update(of=("self",)).filter(pk=name_id).first()
    if row is None or row.claimant is None:
        raise Illegal("no_such_name")
    person = row.claimant
    days = set(sheet_names.rows_of(season).filter(name=row).values_list("day", flat=True))
    theirs = SheetRow.objects.filter(pk__in=sheet_names.rows_of(season).filter(name__player=person))
    if agrees and days & set(theirs.values_list("day", flat=True)):
        raise Illegal("sheet_person_twice")
    row.claimant, row.player = None, person if agrees else None
    row.save(update_fields=["claimant", "player"])
    act = "name_given" if agrees else "name_not_given"
    season_log.note(season, act, by)
    audit.note(act, by, season.name, season=season.public_id, player=person.pk)

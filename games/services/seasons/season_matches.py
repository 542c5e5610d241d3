"""Matches of a season: their stages, and byes and absences with notice, as organisers give them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Match, Membership, Night, Player, Season, SeasonNotice, SeasonStage
from games.services import row_locks
from games.services.acts import LogLine
from games.services.arguments import RowId, Typed
from games.services.people import name_order, players
from games.services.seasons import season_log, season_nights
from games.services.seasons.registry import ACTS, MatchId, OneNight, SeasonRight
from games.services.seasons.rights import check_open, check_organiser
from games.services.seasons.season_nights import Placed

LONGEST_STAGE = 16


@ACTS.act(
    "stage",
    SeasonRight.ORGANISER,
    LogLine("stage_set", _("A match of %(day)s is of the stage: %(stage)s.")),
    done=_("Saved."),
    label=_("Save"),
)
@transaction.atomic
def set_stage(season: Season, by: Player, match_id: MatchId, stage: Typed) -> None:
    """Say of which stage a match of the season is, "" for none.

    Raises Illegal `season_closed`, `not_organiser`, `no_such_match`, `bad_stage`.
    """
    check_open(season)
    check_organiser(season, by)
    match = Match.objects.select_related("table__night").filter(pk=match_id).first()
    if match is None or match.table.game_id != season.game_id or not season_nights.is_in(season, match.table.night):
        raise Illegal("no_such_match")
    stage = " ".join(stage.split())
    if len(stage) > LONGEST_STAGE or not players.is_plain(stage):
        raise Illegal("bad_stage", longest=LONGEST_STAGE)
    if stage:
        SeasonStage.objects.update_or_create(season=season, match=match, defaults={"stage": stage})
    else:
        season.stages.filter(match=match).delete()
    day = match.table.night.day.isoformat()
    season_log.note(season, "stage_set", by, match=match.pk, day=day, stage=stage or "–")


@ACTS.act(
    "notice",
    SeasonRight.PERSON,
    LogLine("notice_given", _("A bye or an absence of %(day)s was noted or taken back.")),
    done=_("Saved."),
    label=_("Save"),
)
@transaction.atomic
def give_notice(season: Season, by: Player, night: OneNight, player_id: RowId, kind: Typed) -> None:
    """Give a person a bye at a night, or note that they were absent with notice; "" takes it back.

    Organisers do, and the host of the night. Raises Illegal `season_closed`, `banned`, `not_organiser`, `night_not_in`,
    `no_such_player`, `no_such_notice`.
    """
    check_open(season)
    players.check_welcome(by)
    if night.host_id != by.pk:
        check_organiser(season, by)
    if not season_nights.is_in(season, night):
        raise Illegal("night_not_in")
    if kind and kind not in SeasonNotice.Kind.values:
        raise Illegal("no_such_notice")
    person = people(season, season_nights.nights_of(season)).filter(pk=player_id).first()
    if person is None:
        raise Illegal("no_such_player")
    row_locks.person(person)
    row_locks.night(night)
    if kind:
        SeasonNotice.objects.update_or_create(season=season, night=night, player=person, defaults={"kind": kind})
    else:
        season.notices.filter(night=night, player=person).delete()
    season_log.note(season, "notice_given", by, night=night.public_id, day=night.day.isoformat())


@transaction.atomic
def note_absences(night: Night, said_no: Collection[int]) -> None:
    """Note for the seasons of a night, before anything is played, which of their people had said that they do not come.

    `said_no` are ids of players.
    """
    for season in season_nights.seasons_of(night) if said_no else ():
        known = people(season, season_nights.nights_of(season)).filter(pk__in=said_no)
        kind = SeasonNotice.Kind.ABSENT
        rows = [SeasonNotice(season=season, night=night, player=player, kind=kind) for player in known]
        SeasonNotice.objects.bulk_create(rows, ignore_conflicts=True)


def people(season: Season, placed: Sequence[Placed]) -> QuerySet[Player]:
    """Return the people of a season: its entrants, and who was in at a night of it; by name."""
    nights = [each.night.pk for each in placed]
    inside = Membership.objects.filter(night__in=nights, status=Membership.Status.IN)
    found = Q(pk__in=inside.values("player")) | Q(pk__in=season.entrants.values("player"))
    return Player.objects.filter(found, merged_into=None, deleted_at=None).order_by(name_order.order("nickname"), "pk")


def matches_of(season: Season, night_ids: Collection[int]) -> list[Match]:
    """Return the matches of nights in the season's game, the oldest first.

    Each with the season's stage as `stage`, and the id of its night as `night`.
    """
    rows = Match.objects.filter(table__night__in=night_ids, table__game_id=season.game_id)
    stages = dict(season.stages.values_list("match", "stage"))
    found: list[Match] = list(rows.annotate(night=F("table__night")))
    for match in found:
        match.stage = stages.get(match.pk, "")  # type: ignore[attr-defined]
    return found


def join(source: Player, target: Player) -> None:
    """Leave one notice a night to a merged player: the target's own."""
    theirs = list(SeasonNotice.objects.filter(player=target).values_list("season", "night"))
    for season_id, night_id in theirs:
        SeasonNotice.objects.filter(player=source, season=season_id, night=night_id).delete()

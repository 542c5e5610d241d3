"""Seasons: made, changed, closed and opened again by their organisers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games import plugin
from games.kernel.contract import Illegal
from games.kernel.options import Values
from games.kernel.seasons.options import SEASON_RULES, rewards_absence
from games.models import Night, Player, Season, SeasonVersion, Venue
from games.models.night import day_of
from games.services import form_ids, row_locks
from games.services.acts import LogLine
from games.services.arguments import RowId, Yes
from games.services.history import player_history
from games.services.nights import venues
from games.services.people import players
from games.services.seasons import frozen, played, season_log, season_nights, sheet_names, standings
from games.services.seasons.registry import ACTS, SeasonRight
from games.services.seasons.rights import check_open, check_organiser

LONGEST_NAME = 80
MOST_DAYS = 800
MOST_SEASONS = 50
"""The most open seasons of an organiser."""
CLOSES_AFTER = timedelta(days=14)
"""The time after its last day in which a season is still open for corrections."""
season_log.LOG.add(
    LogLine("created", _("The season was made.")),
    LogLine("changed", _("The season's name, days or place were changed.")),
    LogLine("rules_changed", _("The rules were changed: version %(version)s.")),
    LogLine("closed_itself", _("The season has closed itself: its standing is final.")),
)


@dataclass(frozen=True, slots=True)
class SeasonDraft:
    """A season as it is entered. `venue` is a public id or ""; `presets` and `media` are what counts, () for all."""

    name: str
    first_day: date
    last_day: date
    game_id: str
    unit: str
    venue: str = ""
    presets: tuple[str, ...] = ()
    media: tuple[str, ...] = ()


def find(public_id: str) -> Season:
    """Return a season; raises `no_such_season`."""
    season = Season.objects.select_related("organiser", "second", "venue").filter(public_id=public_id).first()
    if season is None:
        raise Illegal("no_such_season")
    return season


def check_maker(by: Player) -> None:
    """Raise Illegal `banned`, `no_account` unless a player may make seasons."""
    players.check_welcome(by)
    if by.user_id is None:
        raise Illegal("no_account")


@transaction.atomic
def create(by: Player, draft: SeasonDraft, preset: str, form_id: str | None = None) -> Season:
    """Make a season under a preset of the rules, once for a `form_id`.

    Raises Illegal `no_account`, `banned`, `gone_player`, `too_many_seasons`, `no_such_preset`, as `_checked`, and as
    `form_ids.once`.
    """
    content = ["season", asdict(draft), preset]
    made = form_ids.once(by, form_id, content, lambda: _create(by, draft, preset).pk)
    return Season.objects.get(pk=made or 0)


def _create(by: Player, draft: SeasonDraft, preset: str) -> Season:
    by = row_locks.person(by)
    check_maker(by)
    own = Season.objects.filter(organiser=by, status=Season.Status.OPEN)
    if own.count() >= MOST_SEASONS and not players.is_staff(by):
        raise Illegal("too_many_seasons", most=MOST_SEASONS)
    if preset not in {each.id for each in SEASON_RULES.presets}:
        raise Illegal("no_such_preset")
    fields = _checked(by, draft, None)
    values = SEASON_RULES.values(preset)
    _check_rules(draft.game_id, values)
    season = Season.objects.create(organiser=by, preset=preset, options=values, **fields)
    SeasonVersion.objects.create(season=season, version=1, preset=preset, options=values)
    season_log.note(season, "created", by)
    return season


def _checked(by: Player, draft: SeasonDraft, season: Season | None) -> dict[str, Any]:
    """Return the fields of a draft.

    Raises Illegal `season_name`, `season_days`, `no_such_game`, `no_such_unit`, `no_such_preset`, `no_such_medium`,
    `no_such_venue`, `not_venue_host`.
    """
    name = " ".join(draft.name.split())
    if not 0 < len(name) <= LONGEST_NAME or not players.is_plain(name):
        raise Illegal("season_name", longest=LONGEST_NAME)
    if not timedelta(0) <= draft.last_day - draft.first_day <= timedelta(days=MOST_DAYS):
        raise Illegal("season_days")
    if not player_history.FIRST_DAY <= draft.first_day <= draft.last_day <= player_history.LAST_DAY:
        raise Illegal("season_days")
    game = plugin.game(draft.game_id)
    if draft.unit not in game.units:
        raise Illegal("no_such_unit", units=", ".join(game.units))
    _check_known(draft.presets, [each.id for each in game.options.presets], "no_such_preset")
    _check_known(draft.media, game.media, "no_such_medium")
    venue = Venue.objects.filter(public_id=draft.venue).first() if draft.venue else None
    if draft.venue and venue is None:
        raise Illegal("no_such_venue")
    if venue is not None and (season is None or season.venue_id != venue.pk):
        venues.check_host(venue, by)
    days = {"first_day": draft.first_day, "last_day": draft.last_day}
    counts = {"game_id": draft.game_id, "unit": draft.unit}
    return {"name": name, "venue": venue, **days, **counts, "presets": [*draft.presets], "media": [*draft.media]}


def _check_known(named: Collection[str], known: Collection[str], code: str) -> None:
    if not set(named) <= set(known):
        raise Illegal(code, known=", ".join(known))


def _check_rules(game_id: str, values: Values) -> None:
    """Raise `season_absence` for rules under which who stays away would win, `season_matches` for a game without."""
    if plugin.game(game_id).lower_is_better and rewards_absence(values):
        raise Illegal("season_absence")
    if played.is_by_matches(values) and plugin.game(game_id).rules.match_end is None:
        raise Illegal("season_matches")


def proposed_preset(game_id: str) -> str:
    """Return the preset that is proposed for a game: points per game where fewer is better."""
    return "per_game" if plugin.game(game_id).lower_is_better else SEASON_RULES.presets[0].id


def held(season: Season, by: Player) -> Season:
    """Hold a season with its organiser who acts, renewed in place; raises `gone_player`, `no_such_season`."""
    row_locks.person(by)
    row = Season.objects.select_for_update(no_key=True).filter(pk=season.pk).first()
    if row is None:
        raise Illegal("no_such_season")
    season.refresh_from_db()
    check_organiser(season, by)
    return season


@transaction.atomic
def change(season: Season, by: Player, draft: SeasonDraft) -> None:
    """Change name, days, place and what counts; raises Illegal `season_closed`, `not_organiser`, and as `create`."""
    held(season, by)
    check_open(season)
    fields = _checked(by, draft, season)
    _check_rules(draft.game_id, played.values_of(season))
    for name, value in fields.items():
        setattr(season, name, value)
    season.save(update_fields=[*fields])
    season_log.note(season, "changed", by)


@transaction.atomic
def set_rules(season: Season, by: Player, preset: str, values: Mapping[str, Any], version: int) -> None:
    """Change the rules of a season, which counts all of it anew.

    `version` is the one that the change was made from. Raises Illegal `season_closed`, `not_organiser`,
    `season_changed`, `no_such_preset`, `season_absence`, `season_matches`, `sheet_no_games`; OptionErrors for bad
    values.
    """
    held(season, by)
    check_open(season)
    if season.version != version:
        raise Illegal("season_changed")
    if preset not in {each.id for each in SEASON_RULES.presets}:
        raise Illegal("no_such_preset")
    valid = SEASON_RULES.validate(values)
    _check_rules(season.game_id, valid)
    sheet_names.check_rules(season, valid["worth"])
    if valid == season.options and preset == season.preset:
        return
    season.preset, season.options, season.version = preset, valid, season.version + 1
    season.save(update_fields=["preset", "options", "version"])
    SeasonVersion.objects.create(season=season, version=season.version, preset=preset, options=valid)
    season_log.note(season, "rules_changed", by, version=season.version)


@ACTS.act(
    "second",
    SeasonRight.ORGANISER,
    LogLine("second_named", _("A second organiser was named.")),
    done=_("Saved."),
    label=_("Second organiser"),
    yes=_("Save"),
)
@transaction.atomic
def name_second(season: Season, by: Player, player_id: RowId | None = None) -> None:
    """Set the second organiser, an account that `by` has met; None removes the one there is.

    Raises Illegal `not_organiser`, `no_such_player`, `no_account`.
    """
    held(season, by)
    second = None
    if player_id is not None:
        second = player_history.people_met(by).filter(pk=player_id).exclude(pk=season.organiser_id or 0).first()
        if second is None:
            raise Illegal("no_such_player")
        if second.user_id is None:
            raise Illegal("no_account")
    season.second = second
    season.save(update_fields=["second"])
    season_log.note(season, "second_named", by)


@ACTS.act(
    "close",
    SeasonRight.ORGANISER,
    LogLine("closed", _("The season was closed: its standing is final.")),
    label=_("Close the season"),
    question=_("The standing is then final, whatever is corrected later. You can open the season again."),
    yes=_("Yes, close it"),
    done=_("The season is closed: its standing is final."),
)
@transaction.atomic
def close(season: Season, by: Player) -> None:
    """Close a season: its standing is final; raises Illegal `season_closed`, `not_organiser`."""
    held(season, by)
    check_open(season)
    _freeze(season)
    season_log.note(season, "closed", by)


def _freeze(season: Season) -> None:
    season.frozen = frozen.to_json(standings.computed(season, played.played(season)))
    season.status, season.closed_at = Season.Status.CLOSED, datetime.now(UTC)
    season.save(update_fields=["frozen", "status", "closed_at"])


@ACTS.act(
    "reopen",
    SeasonRight.ORGANISER,
    LogLine("reopened", _("The season was opened again.")),
    label=_("Open it again"),
    done=_("The season is open again."),
)
@transaction.atomic
def reopen(season: Season, by: Player) -> None:
    """Open a closed season again; its standing is computed from the results. Raises `not_organiser`, `season_open`."""
    held(season, by)
    if season.status == Season.Status.OPEN:
        raise Illegal("season_open")
    season.frozen, season.status, season.closed_at = None, Season.Status.OPEN, None
    season.stays_open = season.stays_open or season.last_day + CLOSES_AFTER < day_of(datetime.now(UTC))
    season.save(update_fields=["frozen", "status", "closed_at", "stays_open"])
    season_log.note(season, "reopened", by)


@ACTS.act(
    "stay",
    SeasonRight.ORGANISER,
    LogLine("stays_open", _("The season does not close itself.")),
    LogLine("closes_itself", _("The season closes itself after its end.")),
    done=_("Saved."),
    label=_("Keep it open"),
    words={"no": _("Let it close itself")},
)
@transaction.atomic
def set_stays_open(season: Season, by: Player, stays: Yes) -> None:
    """Say whether a season closes itself two weeks after its last day; raises `season_closed`, `not_organiser`."""
    held(season, by)
    check_open(season)
    season.stays_open = stays
    season.save(update_fields=["stays_open"])
    season_log.note(season, "stays_open" if stays else "closes_itself", by)


@ACTS.act(
    "remove",
    SeasonRight.ORGANISER,
    LogLine("archived", _("The season was archived.")),
    label=_("Remove the season"),
    question=_("The nights and their results stay. A season that was played goes to the archive."),
    yes=_("Yes, remove it"),
    done=_("Done."),
)
@transaction.atomic
def remove(season: Season, by: Player) -> bool:
    """Delete a season without a played night and without a spreadsheet, else archive it; tell whether it is deleted."""
    held(season, by)
    has_sheets = season.sheets.filter(is_in=True).exists()
    if season.frozen is None and not has_sheets and not season_nights.with_nights(season_nights.nights_of(season)):
        season.delete()
        return True
    if season.status == Season.Status.OPEN:
        _freeze(season)
    season.status = Season.Status.ARCHIVED
    season.save(update_fields=["status"])
    season_log.note(season, "archived", by)
    return False


def before(season: Season) -> Season | None:
    """Return the season on which one follows, else the newest before it of the same organiser, game and unit."""
    if season.former is not None and season.former.status != Season.Status.ARCHIVED:
        return season.former
    if season.organiser_id is None:
        return None
    same = Season.objects.filter(organiser=season.organiser_id, game_id=season.game_id, unit=season.unit)
    found = same.filter(last_day__lt=season.first_day).exclude(status=Season.Status.ARCHIVED)
    return found.order_by("-last_day", "-pk").first()


def days_left(season: Season, today: date) -> int | None:
    """Return in how many days an ended season closes itself; None while it goes on, and if it does not."""
    if season.status != Season.Status.OPEN or season.stays_open or today <= season.last_day:
        return None
    return max(0, (season.last_day + CLOSES_AFTER - today).days)


def close_due(now: datetime) -> int:
    """Close the seasons that ended two weeks ago; return their number."""
    due = Season.objects.filter(status=Season.Status.OPEN, stays_open=False, last_day__lt=day_of(now) - CLOSES_AFTER)
    ids = list(due.values_list("pk", flat=True))
    for pk in ids:
        with transaction.atomic():
            season = due.select_for_update(no_key=True).filter(pk=pk).first()
            if season is not None:
                _freeze(season)
                season_log.note(season, "closed_itself", None)
    return len(ids)


def seasons_of(player: Player) -> QuerySet[Season]:
    """Return the seasons that a player organises, is counted in, or was at a night of; open ones first."""
    own = Q(organiser=player) | Q(second=player) | Q(entrants__player=player)
    mine = Night.objects.filter(memberships__player=player, memberships__status="in", is_practice=False)
    dates = Q(series__dates__night__in=mine)
    opened = Q(
        series=None,
        organiser__opened__in=mine,
        organiser__opened__day__gte=F("first_day"),
        organiser__opened__day__lte=F("last_day"),
    )
    own |= Q(names__player=player)
    rows = Season.objects.filter(own | Q(nights__night__in=mine, nights__is_in=True) | opened | dates)
    return rows.exclude(status=Season.Status.ARCHIVED).distinct().order_by("-status", "-last_day", "-pk")

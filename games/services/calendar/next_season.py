"""The next season: begun by one tap of an organiser, with the rules, the series and the link of the one that ends.

Its days begin with the day after, and are as long: whole months follow whole months. Points are not carried on, and
nobody is counted in: who was is asked anew (`entrants.asked_of`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta
from django.db import transaction
from django.db.models import Q
from django.utils.dates import MONTHS
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Player, Season, SeasonVersion
from games.models.night import today
from games.services.acts import LogLine
from games.services.history import player_history
from games.services.people import players
from games.services.seasons import season_log, seasons
from games.services.seasons.registry import ACTS, SeasonRight

ASKS_BEFORE = timedelta(days=7)
"""The time before its last day from which organisers are asked whether the next season begins."""
YEAR, QUARTER, MONTH = range(350, 380), range(80, 100), range(27, 35)
"""The days of a season that is named by the year, by a season of the year, or by a month."""


def of(season: Season) -> Season | None:
    """Return the season that was begun as the next one, None before."""
    return season.followers.exclude(status=Season.Status.ARCHIVED).order_by("first_day", "pk").first()


def is_asked(season: Season) -> bool:
    """Tell whether its organisers are asked for the next season: from a week before its end until it closes itself."""
    is_time = season.last_day - ASKS_BEFORE <= today() <= season.last_day + seasons.CLOSES_AFTER
    return is_time and season.status != Season.Status.ARCHIVED and not _all_ended(season) and of(season) is None


def _all_ended(season: Season) -> bool:
    """Tell whether a season is one of series that have all ended."""
    return season.series.exists() and not season.series.filter(ended_at=None).exists()


def asked_of(player: Player | None) -> list[Season]:
    """Return the seasons whose organisers, a player is one, are asked for the next one."""
    if player is None:
        return []
    rows = Season.objects.filter(Q(organiser=player) | Q(second=player))
    rows = rows.filter(last_day__range=(today() - seasons.CLOSES_AFTER, today() + ASKS_BEFORE))
    return [season for season in rows.order_by("last_day", "pk") if is_asked(season)]


def days_after(first: date, last: date, day: date) -> tuple[date, date]:
    """Return the days that follow on a season's, as long; of those that would be over on a day the first that are not.

    Where the season had whole months, such as those of a year, so have they.
    """
    span = relativedelta(last + timedelta(days=1), first)
    months = span.years * 12 + span.months if not span.days else 0
    begin, count = last + timedelta(days=1), 0
    while True:
        count += 1
        end = begin + (relativedelta(months=months) if months else timedelta(days=(last - first).days + 1))
        if end > day or count > seasons.MOST_DAYS:
            return begin, end - timedelta(days=1)
        begin = end


def name_after(name: str, before: tuple[date, date], after: tuple[date, date]) -> str:
    """Return the name of a next season: with the next year, season of the year, month or number, else with a 2."""
    found = _by_days(name, before, after)
    if found == name:
        number = re.search(r"(?<![\d/–-])(\d{1,3})(\D*)$", name)
        if number is None:
            found = f"{name[: seasons.LONGEST_NAME - 2]} 2"
        else:
            found = f"{name[: number.start()]}{int(number[1]) + 1}{number[2]}"
    return found if len(found) <= seasons.LONGEST_NAME else name


def _by_days(name: str, before: tuple[date, date], after: tuple[date, date]) -> str:
    """Return a name with the years of other days, and with their month or season of the year."""
    length = (before[1] - before[0]).days + 1
    if length in MONTH:
        name = _renamed(name, [str(month) for month in MONTHS.values()], after[0].month - before[0].month)
    if length in QUARTER:
        of_year = [gettext("Winter"), gettext("Spring"), gettext("Summer"), gettext("Autumn")]
        name = _renamed(name, of_year, 1)
    both = re.search(r"\b(\d{4})(\s*[/–-]\s*)(\d{2}|\d{4})\b", name)
    if both is not None:
        if length not in YEAR or int(both[1]) != before[0].year:
            return name
        years = f"{after[0].year}{both[2]}{str(after[1].year)[-len(both[3]) :]}"
        return name[: both.start()] + years + name[both.end() :]
    return re.sub(rf"\b{before[0].year}\b", str(after[0].year), name)


def _renamed(name: str, words: Sequence[str], steps: int) -> str:
    """Return a name with another one of some words that follow each other."""
    for place, word in enumerate(words):
        if re.search(rf"\b{re.escape(word)}\b", name):
            return re.sub(rf"\b{re.escape(word)}\b", words[(place + steps) % len(words)], name)
    return name


@ACTS.act(
    "begin_next",
    SeasonRight.ORGANISER,
    LogLine("next_begun", _("The next season was begun: %(name)s.")),
    LogLine("begun_after", _("The season follows on %(name)s.")),
    done=_("The next season is made. Whoever was counted in is asked anew."),
    label=_("Begin the next season"),
)
@transaction.atomic
def begin(season: Season, by: Player) -> Season:
    """Make the season that follows on one, with its rules, series, organisers and link; a second request gets the same.

    Raises Illegal `not_organiser`, `no_such_season`, `too_many_seasons`, `season_days`.
    """
    seasons.held(season, by)
    if season.status == Season.Status.ARCHIVED:
        raise Illegal("no_such_season")
    found = of(season)
    if found is not None:
        return found
    _check_number(season, by)
    made = _made(season)
    made.series.set(season.series.filter(ended_at=None))
    SeasonVersion.objects.create(season=made, version=1, preset=made.preset, options=made.options)
    season_log.note(season, "next_begun", by, name=made.name)
    season_log.note(made, "begun_after", by, name=season.name)
    return made


def _check_number(season: Season, by: Player) -> None:
    own = Season.objects.filter(organiser=season.organiser_id or 0, status=Season.Status.OPEN)
    if own.count() >= seasons.MOST_SEASONS and not players.is_staff(by):
        raise Illegal("too_many_seasons", most=seasons.MOST_SEASONS)


def _made(season: Season) -> Season:
    before = (season.first_day, season.last_day)
    after = days_after(*before, today())
    if after[1] > player_history.LAST_DAY:
        raise Illegal("season_days")
    same = ("organiser", "second", "venue", "game_id", "unit", "presets", "media", "preset", "options", "entry_key")
    return Season.objects.create(
        name=name_after(season.name, before, after),
        first_day=after[0],
        last_day=after[1],
        former=season,
        **{field: getattr(season, field) for field in same},
    )

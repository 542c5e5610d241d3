"""Series of evenings: made, changed and ended by their organisers.

Days of a series by its rule, as local days: clocks that change move no evening.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, takewhile
from typing import Any

from dateutil.rrule import FR, MO, MONTHLY, SA, SU, TH, TU, WE, WEEKLY, rrule
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games import plugin
from games.kernel.contract import Illegal
from games.models import Night, Player, Season, Series, SeriesDate, Venue
from games.models.night import today
from games.models.series import USUAL_MINUTES, new_key
from games.services import form_ids, row_locks
from games.services.arguments import RowId
from games.services.calendar import answers, series_seasons, starting
from games.services.calendar.rights import SERIES, SeriesRight
from games.services.history import player_history
from games.services.nights import venues, wifi
from games.services.people import name_order, players
from games.services.publication import Occurrence
from games.services.seasons import seasons

WEEKDAYS = (MO, TU, WE, TH, FR, SA, SU)
OF_MONTH = {
    Series.Repeat.FIRST: 1,
    Series.Repeat.SECOND: 2,
    Series.Repeat.THIRD: 3,
    Series.Repeat.FOURTH: 4,
    Series.Repeat.LAST: -1,
}


def recurring_days(series: Series, since: date) -> Iterator[date]:
    """Yield the days of a series by its rule from a day on, without end if it has none."""
    first = datetime.combine(series.first_day, time())
    weekday = WEEKDAYS[series.weekday]
    if (nth := OF_MONTH.get(Series.Repeat(series.repeat))) is not None:
        rule = rrule(MONTHLY, dtstart=first, byweekday=weekday(nth))
    else:
        rule = rrule(
            WEEKLY, dtstart=first, byweekday=weekday, interval=1 + (series.repeat == Series.Repeat.FORTNIGHTLY)
        )
    found = (each.date() for each in rule.xafter(datetime.combine(since, time()), inc=True))
    last = series.last_day
    return found if last is None else takewhile(lambda day: day <= last, found)


LONGEST_NAME, LONGEST_PLACE = 80, 120
MOST_SERIES = 20
"""The most series of an organiser that go on."""
AHEAD = 10
"""The number of dates that are planned ahead."""
USUAL_SEASON = timedelta(days=91)
SHORTEST, LONGEST = 15, 24 * 60 - 1
MOST_SIZE = 20
KEPT_AFTER_END = timedelta(days=30)
"""The time for which the feed of an ended series still says that its dates are cancelled."""
CHANGED: Occurrence[SeriesDate] = Occurrence()
"""A date to come changed its day, time or place, or was cancelled."""


@dataclass(frozen=True, slots=True)
class SeriesDraft:
    """A series as it is entered. `venue` is a public id or ""; `weekday` counts from Monday as 0.

    `counts` is "game:unit" of a season that begins with the series, "" for none. `seasons` are ids of seasons in which
    its nights count beside that, of those that its organiser is offered (`series_seasons`); None: as they are. `rules`
    are house rules as `starting.rules_fields` has them. `night` is the public id of the night that the series is made
    of, "" for none: it is the first date's. Of the Wi-Fi None is what stays; of a new series it is that night's.
    """

    name: str
    weekday: int
    start: time
    repeat: str = Series.Repeat.WEEKLY
    first_day: date | None = None
    last_day: date | None = None
    minutes: int = USUAL_MINUTES
    game_id: str = ""
    venue: str = ""
    place: str = ""
    size: int = 0
    is_listed: bool = False
    names_open: bool = False
    opens_itself: bool = False
    poster_opens: bool = False
    counts: str = ""
    rules: str = starting.SAME
    wifi_name: str | None = None
    wifi_password: str | None = None
    night: str = ""
    seasons: tuple[str, ...] | None = None


def find(key: str) -> Series:
    """Return the series of a link, an ended one too; raises `no_such_series`."""
    rows = Series.objects.select_related("organiser", "second", "venue", "house_rules")
    series = rows.filter(key=key).first()
    if series is None:
        raise Illegal("no_such_series")
    return series


@transaction.atomic
def create(by: Player, draft: SeriesDraft, form_id: str | None = None) -> Series:
    """Make a series with its next dates, and a season that they count in where the draft says so; once for a `form_id`.

    Raises Illegal `no_account`, `banned`, `gone_player`, `too_many_series`, `no_such_night`, as `_checked`,
    `starting.check_night`, `wifi.said`, `wifi.put`, `seasons.create`, `series_seasons.set_seasons` and `form_ids.once`.
    """
    content = ["series", asdict(draft)]
    made = form_ids.once(by, form_id, content, lambda: _create(by, draft).pk)
    return Series.objects.get(pk=made or 0)


def _create(by: Player, draft: SeriesDraft) -> Series:
    by = row_locks.person(by)
    seasons.check_maker(by)
    if Series.objects.filter(organiser=by, ended_at=None).count() >= MOST_SERIES and not players.is_staff(by):
        raise Illegal("too_many_series", most=MOST_SERIES)
    night = _night(by, draft.night) if draft.night else None
    fields = _checked(by, draft, None, night)
    network = wifi.said(wifi.of(night) if night else wifi.Wifi(), draft.wifi_name, draft.wifi_password)
    season = _season(by, draft, fields) if draft.counts else None
    series = Series(organiser=by, **fields)
    wifi.put(series, network)
    series.save()
    _count(series, by, draft)
    if season is not None:
        series.seasons.add(season)
    plan(series)
    if night is not None:
        about = {"day": night.day, "start": series.start, "minutes": series.minutes, "place": place_of(series)}
        SeriesDate.objects.update_or_create(
            series=series, planned=night.day, defaults={"night": night}, create_defaults={"night": night, **about}
        )
    return series


def _night(by: Player, public_id: str) -> Night:
    """Return the held night that a series is made of; raises `no_such_night`, as `starting.check_night`."""
    found = Night.objects.filter(public_id=public_id).first()
    if found is None:
        raise Illegal("no_such_night")
    found = row_locks.night(found)
    starting.check_night(found, by)
    return found


def _season(by: Player, draft: SeriesDraft, fields: dict[str, Any]) -> Season:
    """Make the season of a new series, of the three months that begin with it."""
    game_id, _colon, unit = draft.counts.partition(":")
    if game_id not in plugin.all_games():
        raise Illegal("no_such_game")
    first = fields["first_day"]
    last = min(first + USUAL_SEASON, fields["last_day"] or date.max)
    of_season = seasons.SeasonDraft(fields["name"], first, last, game_id, unit, draft.venue)
    return seasons.create(by, of_season, seasons.proposed_preset(game_id))


def _checked(by: Player, draft: SeriesDraft, series: Series | None, night: Night | None = None) -> dict[str, Any]:
    """Return the fields of a draft; `night` is the one that a new series is made of.

    Raises Illegal `series_name`, `series_repeat`, `series_days`, `series_time`, `series_place`, `series_size`,
    `no_such_game`, `no_such_venue`, `not_venue_host`, as `starting.rules_fields`.
    """
    name, place = (" ".join(text.split()) for text in (draft.name, draft.place))
    if not 0 < len(name) <= LONGEST_NAME or not players.is_plain(name):
        raise Illegal("series_name", longest=LONGEST_NAME)
    if len(place) > LONGEST_PLACE or not players.is_plain(place):
        raise Illegal("series_place", longest=LONGEST_PLACE)
    if draft.repeat not in Series.Repeat.values or draft.weekday not in range(7):
        raise Illegal("series_repeat")
    if not SHORTEST <= draft.minutes <= LONGEST:
        raise Illegal("series_time")
    if draft.size not in range(MOST_SIZE + 1):
        raise Illegal("series_size", most=MOST_SIZE)
    if draft.game_id and draft.game_id not in plugin.all_games():
        raise Illegal("no_such_game")
    venue = Venue.objects.filter(public_id=draft.venue).first() if draft.venue else None
    if draft.venue and venue is None:
        raise Illegal("no_such_venue")
    if venue is not None and (series is None or series.venue_id != venue.pk):
        venues.check_host(venue, by)
    first = night.day if night is not None and draft.first_day is None else draft.first_day
    fields = {"name": name, "place": place, "venue": venue, **_days(first, draft.last_day, series)}
    fields |= _beginning(by, draft, series, night)
    same = ("repeat", "weekday", "start", "minutes", "game_id", "size")
    ticks = ("is_listed", "names_open", "opens_itself", "poster_opens")
    return fields | {each: getattr(draft, each) for each in (*same, *ticks)}


def _beginning(by: Player, draft: SeriesDraft, series: Series | None, night: Night | None) -> dict[str, Any]:
    """Return the house rules with which the nights begin."""
    if night is not None:
        same = starting.rules_of_night(night, draft.game_id)
    else:
        is_same_game = series is not None and series.game_id == draft.game_id
        same = starting.chosen_rules(series if is_same_game else None)
    return starting.rules_fields(by, draft.game_id, draft.rules, same)


def _days(first: date | None, last: date | None, series: Series | None) -> dict[str, date | None]:
    first = first or (series.first_day if series is not None else today())
    known = player_history.FIRST_DAY <= first <= player_history.LAST_DAY
    if not known or (last is not None and not first <= last <= player_history.LAST_DAY):
        raise Illegal("series_days")
    return {"first_day": first, "last_day": last}


@transaction.atomic
def change(series: Series, by: Player, draft: SeriesDraft) -> None:
    """Change a series; dates to come follow it where they have no time or place of their own.

    Dates that are on no day of the new rule go, or are cancelled if somebody has answered. Raises as `create`.
    """
    SERIES.need(series, by, SeriesRight.ORGANISER)
    before = {name: getattr(series, name) for name in ("start", "minutes")}
    place = place_of(series)
    for name, value in _checked(by, draft, series).items():
        setattr(series, name, value)
    wifi.put(series, wifi.said(wifi.of(series), draft.wifi_name, draft.wifi_password))
    series.save()
    _count(series, by, draft)
    _follow(series, before, place)
    plan(series)


def _count(series: Series, by: Player, draft: SeriesDraft) -> None:
    """Let the nights of a series count in the seasons that a draft names."""
    if draft.seasons is not None:
        series_seasons.set_seasons(series, by, list(draft.seasons))


def _follow(series: Series, before: dict[str, Any], place: str) -> None:
    """Let the dates to come follow a change of their series."""
    coming = list(series.dates.filter(day__gte=today(), night=None))
    last = max((each.planned for each in coming), default=today())
    on_rule = {day for day in islice(recurring_days(series, today()), 400) if day <= last}
    for each in coming:
        has_moved = each.day != each.planned
        if each.planned not in on_rule and not has_moved:
            _drop(each)
            continue
        changed = {n: getattr(series, n) for n, old in before.items() if getattr(each, n) == old != getattr(series, n)}
        if each.place == place != place_of(series):
            changed["place"] = place_of(series)
        note_change(each, **changed)


def _drop(each: SeriesDate) -> None:
    if each.answers.exists():
        note_change(each, is_cancelled=True)
    else:
        each.delete()


def note_change(each: SeriesDate, **changed: Any) -> None:
    """Change day, time, place or cancelling of a date, count it and tell it; no change counts as none."""
    real = {name: value for name, value in changed.items() if getattr(each, name) != value}
    if not real:
        return
    for name, value in real.items():
        setattr(each, name, value)
    each.changes, each.changed_at = each.changes + 1, datetime.now(UTC)
    each.save(update_fields=[*real, "changes", "changed_at"])
    if each.ends_at > timezone.now():
        CHANGED.tell(each)


def place_of(series: Series) -> str:
    """Return where a series is held: the venue's name and the line of its address."""
    return ", ".join(filter(None, (series.venue.name if series.venue else "", series.place)))


def plan(series: Series) -> int:
    """Plan the next AHEAD dates of a series by its rule; return how many are new."""
    known = set(series.dates.values_list("planned", flat=True))
    following = islice(recurring_days(series, max(today(), series.first_day)), AHEAD)
    rows = [
        SeriesDate(
            series=series, planned=day, day=day, start=series.start, minutes=series.minutes, place=place_of(series)
        )
        for day in following
        if day not in known
    ]
    return len(SeriesDate.objects.bulk_create(rows, ignore_conflicts=True))


def plan_all(_now: datetime) -> int:
    """Plan the next dates of all series that go on; return how many are new."""
    return sum(plan(series) for series in Series.objects.filter(ended_at=None).select_related("venue"))


@SERIES.act("second", SeriesRight.ORGANISER, done=_("Saved."), label=_("Second organiser"), yes=_("Save"))
def name_second(series: Series, by: Player, player_id: RowId | None = None) -> None:
    """Name the second organiser, an account that `by` has met; nobody without it.

    Raises Illegal as `rights.check_organiser`, `no_such_player`, `no_account`.
    """
    second = None
    if player_id is not None:
        second = player_history.people_met(by).filter(pk=player_id).exclude(pk=series.organiser_id or 0).first()
        if second is None:
            raise Illegal("no_such_player")
        if second.user_id is None:
            raise Illegal("no_account")
    series.second = second
    series.save(update_fields=["second"])


@SERIES.act(
    "feed",
    SeriesRight.ORGANISER,
    done=_("The feed has a new address; the old one is dead."),
    label=_("Give the feed a new address"),
    by_page="The feed's address is shown on the page of the series alone.",
)
def renew_feed(series: Series, by: Player) -> None:
    """Give the feed a new address; the old one opens nothing any more. Raises as `rights.check_organiser`."""
    series.feed_key = new_key()
    series.save(update_fields=["feed_key"])


@SERIES.act(
    "end",
    SeriesRight.ORGANISER,
    done=_("The series has ended. Its nights stay."),
    label=_("End the series"),
    question=_("Its dates are cancelled, its link opens nothing any more. The nights and the seasons stay."),
    yes=_("Yes, end it"),
)
def end(series: Series, by: Player) -> None:
    """End a series: its dates to come are cancelled, its nights and its seasons stay."""
    for each in series.dates.filter(day__gte=today(), night=None):
        note_change(each, is_cancelled=True)
    series.ended_at = datetime.now(UTC)
    series.save(update_fields=["ended_at"])


def delete_ended(now: datetime) -> int:
    """Delete the series that were ended a month ago; return their number."""
    rows = Series.objects.filter(ended_at__lt=now - KEPT_AFTER_END)
    count = rows.count()
    rows.delete()
    return count


def series_of(player: Player) -> QuerySet[Series]:
    """Return the series that a player organises, has answered for, or was at a night of."""
    nights = Night.objects.filter(memberships__player=player, memberships__status="in", series_date__isnull=False)
    mine = Q(organiser=player) | Q(second=player) | Q(dates__answers__player=player) | Q(dates__night__in=nights)
    return Series.objects.filter(mine, ended_at=None).distinct().order_by(name_order.order("name"), "pk")


def listed() -> list[SeriesDate]:
    """Return the next date of each series that is on the front page, the soonest first."""
    coming = SeriesDate.objects.filter(series__is_listed=True, series__ended_at=None, day__gte=today())
    return _first_of_each(coming)


def _first_of_each(rows: QuerySet[SeriesDate]) -> list[SeriesDate]:
    found: dict[int, SeriesDate] = {}
    for each in rows.filter(is_cancelled=False).select_related("series__venue").order_by("day", "start"):
        found.setdefault(each.series_id, each)
    return list(found.values())


def next_date(series: Series, after: date | None = None) -> SeriesDate | None:
    """Return the next date of a series, from today or after a day; None if there is none."""
    coming = series.dates.filter(is_cancelled=False)
    coming = coming.filter(day__gte=today()) if after is None else coming.filter(day__gt=after)
    return coming.order_by("day", "start").first()


def forget(player: Player) -> None:
    """Leave what a deleted player organised to the second organiser, else to the staff; their answers go."""
    answers.forget(player)
    Series.objects.filter(second=player).update(second=None)
    for series in Series.objects.filter(organiser=player):
        series.organiser, series.second = series.second, None
        series.save(update_fields=["organiser", "second"])

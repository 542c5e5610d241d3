"""Dates of a series: cancelled, moved and added by organisers; a night is opened on one.

Words of a date, for mails and messages.
"""

from __future__ import annotations

from datetime import date, timedelta

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Answer, Night, Player, Series, SeriesDate
from games.models.night import today
from games.services import row_locks
from games.services.arguments import NumberOrNone, Typed, Yes
from games.services.calendar import all_series, answers, rights, starting
from games.services.calendar.rights import DATE, SERIES, SeriesDay, SeriesRight, SeriesTime, check_noter
from games.services.draws import waiting_tables
from games.services.history import player_history
from games.services.nights import membership, room_codes, wifi
from games.services.people import players
from games.services.publication import Occurrence
from games.services.regions import written
from games.services.seasons import season_matches, season_nights

MOST_PLACES = 500
LONGEST_PLACE = 220
"""That of a series with its venue's name before it."""
MOST_DATES = 400
OPENED: Occurrence[SeriesDate, Night] = Occurrence()
"""A night was opened on a date."""


def find(series: Series, planned: date) -> SeriesDate:
    """Return a date of a series by the day for which it was planned; raises `no_such_date`."""
    rows = series.dates.select_related("series__venue", "night__host")
    found = rows.filter(planned=planned).first()
    if found is None:
        raise Illegal("no_such_date")
    found.series = series
    return found


def _check_ahead(each: SeriesDate) -> None:
    """Raise Illegal `date_over` for a date that is over."""
    if each.day < today():
        raise Illegal("date_over")


@DATE.act(
    "cancel",
    SeriesRight.ORGANISER,
    done=_("The date is cancelled. Its page and the feed say so."),
    label=_("Cancel this date"),
    yes=_("Yes, cancel it"),
)
def cancel(each: SeriesDate, by: Player) -> None:
    """Cancel a date; its answers stay. Raises as `rights.check_organiser`, `date_over`, `date_has_night`."""
    _check_ahead(each)
    if each.night_id is not None:
        raise Illegal("date_has_night")
    all_series.note_change(each, is_cancelled=True)


@DATE.act("restore", SeriesRight.ORGANISER, done=_("The date is held after all."), label=_("Hold it after all"))
def restore(each: SeriesDate, by: Player) -> None:
    """Let a cancelled date be held after all; raises as `rights.check_organiser`, `date_over`."""
    _check_ahead(each)
    all_series.note_change(each, is_cancelled=False)


@DATE.act("move", SeriesRight.ORGANISER, done=_("Saved. The date's page and the feed say so."), label=_("Save"))
def move(each: SeriesDate, by: Player, day: SeriesDay, start: SeriesTime, place: Typed) -> None:
    """Give a date another day, time or place.

    Raises as `rights.check_organiser`, `date_over`, `date_has_night`, `series_days`, `series_place`.
    """
    _check_ahead(each)
    if each.night_id is not None:
        raise Illegal("date_has_night")
    if not today() <= day <= player_history.LAST_DAY:
        raise Illegal("series_days")
    place = " ".join(place.split())
    if len(place) > LONGEST_PLACE or not players.is_plain(place):
        raise Illegal("series_place", longest=LONGEST_PLACE)
    all_series.note_change(each, day=day, start=start, place=place)


@SERIES.act("add", SeriesRight.ORGANISER, done=_("The date is added."), label=_("Another date"), yes=_("Add"))
def add(series: Series, by: Player, day: SeriesDay) -> SeriesDate:
    """Add a date outside of the rule; raises Illegal `series_days`, `date_twice`, `too_many_dates`."""
    if not today() <= day <= player_history.LAST_DAY:
        raise Illegal("series_days")
    if series.dates.filter(planned=day).exists() or series.dates.filter(day=day).exists():
        raise Illegal("date_twice")
    if series.dates.filter(day__gte=today()).count() >= MOST_DATES:
        raise Illegal("too_many_dates", most=MOST_DATES)
    about = {"start": series.start, "minutes": series.minutes, "place": all_series.place_of(series)}
    return SeriesDate.objects.create(series=series, planned=day, day=day, **about)


@DATE.act("places", SeriesRight.ORGANISER, done=_("Saved."), label=_("Most people (empty: any number)"), yes=_("Save"))
def set_places(each: SeriesDate, by: Player, places: NumberOrNone) -> None:
    """Let so many people come, 0 for any number; raises as `rights.check_organiser`, `date_over`, `bad_places`."""
    _check_ahead(each)
    if not 0 <= places <= MOST_PLACES:
        raise Illegal("bad_places", most=MOST_PLACES)
    with answers.moving_up(each):
        each.places = places
        each.save(update_fields=["places"])


@DATE.act(
    "list",
    SeriesRight.NOTER,
    done=_("Saved."),
    label=_("Take answers of people whom the house knows alone"),
    words={"no": _("Take answers by a mere name again")},
)
@transaction.atomic
def set_accounts_only(each: SeriesDate, by: Player, only: Yes) -> None:
    """Set whether answers by a mere name are taken, too: as an organiser, or as host of the date's night.

    Raises Illegal `banned`, `gone_player`, `not_series_organiser`, `series_ended`, `date_over`.
    """
    by = row_locks.person(by)
    each = SeriesDate.objects.select_for_update(no_key=True, of=("self",)).select_related("series").get(pk=each.pk)
    check_noter(each, by)
    rights.check_goes_on(each.series)
    _check_ahead(each)
    each.accounts_only = only
    each.save(update_fields=["accounts_only"])


@DATE.act(
    "not_tonight",
    SeriesRight.ORGANISER,
    done=_("Saved."),
    label=_("Not tonight: it does not open by itself"),
    words={"no": _("Let it open by itself after all")},
)
def set_not_tonight(each: SeriesDate, by: Player, stays: Yes) -> None:
    """Say whether the night of a date stays shut though the series opens by itself.

    Raises as `rights.check_organiser`, `date_over`, `date_has_night`.
    """
    _check_ahead(each)
    if each.night_id is not None:
        raise Illegal("date_has_night")
    each.not_tonight = stays
    each.save(update_fields=["not_tonight"])


@DATE.act("open", SeriesRight.OPENER, label=_("Open the night"))
def open_night(each: SeriesDate, by: Player, address: str) -> Night:
    """Open the night of a date with `by`, an organiser or evening host, as its host; a second request gets the same.

    Raises as `rights.check_opener`, `date_cancelled`, `date_not_today`, and as `membership.host_night`.
    """
    if each.night is not None and each.night.status != Night.Status.CLOSED:
        return each.night
    if each.is_cancelled:
        raise Illegal("date_cancelled")
    if each.day != today():
        raise Illegal("date_not_today")
    venue = each.series.venue
    if each.night is not None:
        _keep_in_seasons(each.night)
    night = room_codes.host_night(by, each.series.name, venue.public_id if venue else "", address)
    return _opened(each, night)


def open_now(series: Series) -> Night | None:
    """Return the open night of a date of a series, the newest; None while none is open."""
    rows = Night.objects.filter(series_date__series=series).exclude(status=Night.Status.CLOSED)
    return rows.order_by("-pk").first()


@transaction.atomic
def open_itself(each: SeriesDate, host: Player) -> bool:
    """Open the night of a date by order of the house, with tables that wait; tell whether it was opened now.

    Raises as `rights.check_opener` and `membership.host_night`.
    """
    DATE.need(each, host, SeriesRight.OPENER)
    if each.night is not None or each.is_cancelled or each.not_tonight:
        return False
    venue = each.series.venue
    night = membership.host_night(host, each.series.name, venue.public_id if venue else "", by_house=True)
    each.opened_itself = True
    night = _opened(each, night)
    terms = starting.terms_of(each.series, host)
    if terms is not None:
        waiting_tables.set_up(night, each.series.game_id, terms, answers.coming(each).people)
    return True


def _opened(each: SeriesDate, night: Night) -> Night:
    """Note the night that was opened on a date; its day is the date's, its Wi-Fi that of the series."""
    night = row_locks.night(night)
    wifi.put(night, wifi.of(each.series))
    night.day = each.day
    night.save(update_fields=["day", "wifi_name", "wifi_sealed", "wifi_password"])
    each.night = night
    each.save(update_fields=["night", "opened_itself"])
    absent = each.answers.filter(says=Answer.Says.NO, player__isnull=False)
    season_matches.note_absences(night, set(absent.values_list("player", flat=True)))
    OPENED.tell(each, night)
    return night


def _keep_in_seasons(night: Night) -> None:
    """Keep a night in its seasons, though another one is opened on its date: both count as one."""
    for season in season_nights.seasons_of(night):
        season_nights.put_in(season, night)


def of_night(night: Night) -> SeriesDate | None:
    """Return the date on which a night was opened, if any, of a series that goes on."""
    rows = SeriesDate.objects.filter(night=night, series__ended_at=None)
    return rows.select_related("series__venue", "series__house_rules").first()


def following(night: Night) -> SeriesDate | None:
    """Return the next date of the series of a night: after the night's own, and not over."""
    own = of_night(night)
    found = None
    if own is not None:
        found = all_series.next_date(own.series, max(own.day, night.day, today() - timedelta(days=1)))
    if own is not None and found is not None:
        found.series = own.series
    return found


def when_text(date: SeriesDate, form: written.DayForm = "full") -> str:
    """Return day and time of a date in words."""
    return gettext("%(day)s, %(time)s") % {"day": written.day(date.day, form), "time": written.hour(date.start)}

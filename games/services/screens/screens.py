"""Screens of the house: taken in by letters, let show a night or a series, named, sent to a table, taken away.

A night is shown where its host, and all nights of a series where an organiser of it has said so. The staff take
screens in for the house, name them and take them away; they let no night be shown.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Night, Player, Screen, ScreenShow, Series
from games.services import audit, publication, row_locks, server_time
from games.services.acts import LogLine
from games.services.arguments import Short, Ticked, Typed
from games.services.calendar import dates, rights
from games.services.calendar.rights import SERIES, SeriesRight
from games.services.nights import events, membership, night_rights, tv_screens
from games.services.nights.registry import NIGHT, NightRight
from games.services.people import name_order, players
from games.services.screens import screen_letters

LONGEST_NAME = 60
SHOWN = LogLine("screen_shown", _("A big screen shows this night."), _("let a big screen show a night"))
HIDDEN = LogLine("screen_hidden", _("A big screen shows this night no more."), _("took a night off a big screen"))
_SHOW, _HIDE, _HERE_NO_MORE = _("Show us there"), _("Not here any more"), _("The screen shows this no more.")


def usable(night: Night, host: Player) -> QuerySet[Screen]:
    """Return the screens that a night's host may use for it, besides those whose letters the host enters.

    Those that show it or its series, those that the host took in, and those that showed a night that the host opened.
    """
    own = Q(taken_by=host) | Q(shows__night=night)
    own |= Q(shows__night__opened_by=host, shows__is_off=False) | Q(shows__night__host=host, shows__is_off=False)
    date = dates.of_night(night)
    if date is not None:
        own |= Q(shows__series=date.series_id)
    return Screen.objects.filter(own, taken_at__isnull=False).distinct().order_by(name_order.order("name"), "pk")


def of_house() -> QuerySet[Screen]:
    """Return all screens that were taken in, for the staff."""
    return (
        Screen.objects.filter(taken_at__isnull=False)
        .select_related("taken_by")
        .order_by(name_order.order("name"), "pk")
    )


def _at(night: Night, host: Player, public_id: str) -> Screen:
    """Return a screen that an open night's host may use, held with the night.

    Raises `not_host`, `night_closed`, `no_such_screen`.
    """
    _check_open(night, host)
    rows = Screen.objects.filter(public_id=public_id, pk__in=usable(night, host).values("pk"))
    return _held(rows)


def _check_open(night: Night, host: Player) -> None:
    night_rights.check_host(row_locks.night(night), host)
    players.check_welcome(host)
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")


def _held(rows: QuerySet[Screen]) -> Screen:
    """Return the only screen of some rows, held; raises `no_such_screen`."""
    found = rows.select_for_update(no_key=True, of=("self",)).first()
    if found is None:
        raise Illegal("no_such_screen")
    return found


# Acts of a night's host


@NIGHT.act(
    "enter_screen",
    NightRight.HOST,
    SHOWN,
    label=_("Letters on the screen"),
    yes=_SHOW,
    done=_("The screen shows this night."),
)
@transaction.atomic
def enter(night: Night, host: Player, letters: Typed, name: Typed = "", all_nights: Ticked = False) -> None:
    """Take in the screen that shows some letters, and let it show the night.

    With `all_nights`, all of the night's series, which takes an organiser. Raises `not_host`, `night_closed`,
    `wrong_letters`, `too_many_tries`, `screen_name`, `banned`, `not_series_organiser`.
    """
    _check_open(night, host)
    name = _clean_name(name) if name.strip() else ""
    series = _series_of(night, host) if all_nights else None
    screen = screen_letters.used(letters, f"player-{host.pk}")
    _take_in(screen, name, host)
    _show(screen, night, host)
    if series is not None:
        _show_all_nights(screen, series, host)


def _show_all_nights(screen: Screen, series: Series, by: Player) -> None:
    """Let a screen show all nights of a series."""
    ScreenShow.objects.update_or_create(screen=screen, series=series, defaults={"by": by, "at": server_time.now()})
    audit.note("series_screen_shown", by, series.name, series=series.public_id, screen=screen.public_id)


def _series_of(night: Night, host: Player) -> Series:
    """Return the series of a night that its host organises; raises `not_series_organiser`."""
    date = dates.of_night(night)
    if date is None:
        raise Illegal("not_series_organiser")
    rights.check_organiser(date.series, host)
    return date.series


def _take_in(screen: Screen, name: str, by: Player | None) -> None:
    """Note that a screen was taken in by a host, or by the staff; one that was before stays with whom it obeys."""
    if screen.taken_at is None:
        screen.taken_at, screen.taken_by, screen.is_staffs = server_time.now(), by, by is None
        screen.name = name or gettext("Big screen %(n)s") % {"n": of_house().count() + 1}
    elif by is None:
        screen.is_staffs = True
    screen.name = name or screen.name
    screen.save(update_fields=["taken_at", "taken_by", "is_staffs", "name"])


def _show(screen: Screen, night: Night, host: Player) -> None:
    """Let a screen show a night, before all others that it may show."""
    shown_before = tv_screens.showing([screen.secret_hash]).get(screen.secret_hash)
    now = {"by": host, "at": server_time.now(), "is_off": False}
    ScreenShow.objects.update_or_create(screen=screen, night=night, defaults=now)
    if screen.tables == Screen.Tables.ONE:
        screen.tables, screen.table = Screen.Tables.LATEST, None
        screen.save(update_fields=["tables", "table"])
    events.record(night, SHOWN.type, actor=host, screen=screen.public_id)
    if shown_before is not None and shown_before.night != night:
        _changed([shown_before.night])


def _changed(nights: Iterable[Night]) -> None:
    """Tell screens of nights that one of them shows something else."""
    for night in nights:
        publication.publish_later(
            publication.ScreensChanged(night.pk), publication.NightTouched(night.pk, night.public_id)
        )


@NIGHT.act("show_on_screen", NightRight.HOST, SHOWN, label=_SHOW, done=_("The screen shows this night."))
@transaction.atomic
def show(night: Night, host: Player, screen: Short) -> None:
    """Let a screen that the host may use show the night.

    Raises `not_host`, `night_closed`, `banned`, `no_such_screen`.
    """
    _show(_at(night, host, screen), night, host)


@NIGHT.act("hide_screen", NightRight.HOST, HIDDEN, label=_HIDE, done=_HERE_NO_MORE)
@transaction.atomic
def hide(night: Night, host: Player, screen: Short) -> None:
    """Take a night off a screen, also where it is shown as one of its series.

    Raises `not_host`, `night_closed`, `banned`, `no_such_screen`.
    """
    found = _at(night, host, screen)
    off = {"by": host, "at": server_time.now(), "is_off": True}
    ScreenShow.objects.update_or_create(screen=found, night=night, defaults=off)
    events.record(night, HIDDEN.type, actor=host, screen=found.public_id)
    _changed([night])


@NIGHT.act("send_screen", NightRight.HOST, label=_("What it shows"), yes=_("Send it there"), done=_("Saved."))
@transaction.atomic
def send(night: Night, host: Player, screen: Short, tables: Typed) -> None:
    """Send a screen to the table that plays ("latest"), to all by turns ("turns"), or to one by its id.

    Raises `not_host`, `night_closed`, `banned`, `no_such_screen`, `no_such_table_here`.
    """
    found = _at(night, host, screen)
    if not tv_screens.showing([found.secret_hash]).get(found.secret_hash, None):
        raise Illegal("no_such_screen")
    by_word = {Screen.Tables.LATEST.value, Screen.Tables.TURNS.value}
    running = {table.public_id: table for table in tv_screens.running_tables(night)}
    if tables not in by_word and tables not in running:
        raise Illegal("no_such_table_here")
    found.tables = tables if tables in by_word else Screen.Tables.ONE
    found.table = running.get(tables)
    found.save(update_fields=["tables", "table"])
    _changed([night])


@NIGHT.act("rename_screen", NightRight.HOST, label=_("Name of the screen"), yes=_("Save"), done=_("Saved."))
@transaction.atomic
def rename(night: Night, host: Player, screen: Short, name: Typed) -> None:
    """Name a screen anew; raises `not_host`, `night_closed`, `banned`, `no_such_screen`, `screen_name`."""
    _rename(_at(night, host, screen), name)


@NIGHT.act(
    "call_aloud",
    NightRight.HOST,
    LogLine("calling_changed", _("The host said whether the big screens call aloud.")),
    label=_("Call aloud on the big screen"),
    yes=_("Save"),
    done=_("Saved."),
)
@transaction.atomic
def set_calling(night: Night, host: Player, calls: Ticked = False) -> None:
    """Let the night's big screens say who wins, who pays and who plays where, or no longer.

    Raises `not_host`, `night_closed`.
    """
    membership.change(night, host, calls_aloud=calls)
    events.record(night, "calling_changed", actor=host, calls=calls)


def _rename(screen: Screen, name: str) -> None:
    screen.name = _clean_name(name)
    screen.save(update_fields=["name"])


def _clean_name(raw: str) -> str:
    """Return a screen's name with single spaces; raises `screen_name`."""
    name = " ".join(raw.split())
    if not 0 < len(name) <= LONGEST_NAME or not players.is_plain(name):
        raise Illegal("screen_name", longest=LONGEST_NAME)
    return name


@NIGHT.act(
    "end_screen",
    NightRight.HOST,
    LogLine("screen_ended", _("A big screen was taken away."), _("took a big screen away")),
    label=_("Take this screen away"),
    question=_("It shows letters again, for everybody who lets it show something."),
    yes=_("Yes, take it away"),
    done=_("The screen shows letters again."),
)
@transaction.atomic
def end(night: Night, host: Player, screen: Short) -> None:
    """Take a screen away that the host took in: it shows letters again.

    Raises `not_host`, `night_closed`, `banned`, `no_such_screen`, `not_screens_keeper`.
    """
    found = _at(night, host, screen)
    if found.is_staffs or found.taken_by_id != host.pk:
        raise Illegal("not_screens_keeper")
    events.record(night, "screen_ended", actor=host, screen=found.public_id)
    _end(found)


def _end(screen: Screen) -> None:
    """Delete a screen: the browser's secret opens nothing any more."""
    shown = tv_screens.showing([screen.secret_hash]).values()
    screen.delete()
    _changed([each.night for each in shown])


# Acts of an organiser


@SERIES.act(
    "show_on_screen",
    SeriesRight.ORGANISER,
    label=_("Show all its nights there"),
    done=_("The screen shows all nights of this series by itself."),
    audit={"series_screen_shown": _("let a big screen show all nights of a series")},
)
def show_series(series: Series, by: Player, screen: Short) -> None:
    """Let a screen that shows, or showed, a night of the series show all of them; raises `no_such_screen`."""
    found = _held(Screen.objects.filter(public_id=screen, pk__in=usable_by_series(series, by).values("pk")))
    _show_all_nights(found, series, by)
    if (night := dates.open_now(series)) is not None:
        _changed([night])


@SERIES.act(
    "hide_screen",
    SeriesRight.ORGANISER,
    label=_HIDE,
    done=_HERE_NO_MORE,
    audit={"series_screen_hidden": _("took a series off a big screen")},
)
def hide_series(series: Series, by: Player, screen: Short) -> None:
    """Take a series off a screen; a night that was shown there by itself stays. Raises `no_such_screen`."""
    shows = ScreenShow.objects.filter(series=series, screen__public_id=screen)
    if not shows.delete()[0]:
        raise Illegal("no_such_screen")
    audit.note("series_screen_hidden", by, series.name, series=series.public_id, screen=screen)
    if (night := dates.open_now(series)) is not None:
        _changed([night])


def usable_by_series(series: Series, by: Player) -> QuerySet[Screen]:
    """Return the screens that an organiser may use for a series: of its nights, and those that `by` took in."""
    own = Q(taken_by=by) | Q(shows__series=series) | Q(shows__night__series_date__series=series, shows__is_off=False)
    return Screen.objects.filter(own, taken_at__isnull=False).distinct().order_by(name_order.order("name"), "pk")


# Acts of the staff


@transaction.atomic
def enter_by_staff(letters: str, name: str, by: AbstractBaseUser) -> Screen:
    """Take the screen that shows some letters in for the house, as a user of the staff.

    Raises Illegal `wrong_letters`, `too_many_tries`, `screen_name`.
    """
    name = _clean_name(name) if name.strip() else ""
    screen = screen_letters.used(letters, f"account-{by.pk}")
    _take_in(screen, name, None)
    audit.note("screen_taken_in", by, screen.name, screen=screen.public_id)
    return screen


@transaction.atomic
def rename_by_staff(screen: Screen, name: str, by: AbstractBaseUser) -> None:
    """Name a screen anew, as a user of the staff; raises `no_such_screen`, `screen_name`."""
    found = _held(of_house().filter(pk=screen.pk))
    _rename(found, name)
    audit.note("screen_renamed", by, found.name, screen=found.public_id)


@transaction.atomic
def send_by_staff(screen: Screen, night: Night, by: AbstractBaseUser) -> None:
    """Let a screen show that one first of the open nights that it may show; raises `no_such_screen`."""
    found = _held(of_house().filter(pk=screen.pk))
    shows = list(found.shows.filter(Q(night=night, is_off=False) | Q(series__dates__night=night)))
    is_off = found.shows.filter(night=night, is_off=True).exists()
    if not shows or is_off or night.status == Night.Status.CLOSED:
        raise Illegal("no_such_screen")
    before = tv_screens.showing([found.secret_hash]).values()
    ScreenShow.objects.filter(pk__in=[each.pk for each in shows]).update(at=server_time.now())
    audit.note("screen_sent", by, found.name, night=night, screen=found.public_id)
    _changed([*(each.night for each in before), night])


@transaction.atomic
def end_by_staff(screen: Screen, by: AbstractBaseUser) -> None:
    """Take any screen away, as a user of the staff; raises `no_such_screen`."""
    found = _held(of_house().filter(pk=screen.pk))
    audit.note("screen_ended", by, found.name, screen=found.public_id)
    _end(found)


def end_of_banned(player: Player, by: AbstractBaseUser | None) -> None:
    """Take away the screens that a banned player took in, but for those of the staff."""
    for screen in Screen.objects.filter(taken_by=player, is_staffs=False):
        _end(screen)

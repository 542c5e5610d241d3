"""Series: evenings that come again, their dates, and the answers of those who come."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.house import zone
from games.models.night import new_public_id

USUAL_MINUTES = 240


def new_key() -> str:
    """Return a random key for a link: 22 characters, 128 bits."""
    return secrets.token_urlsafe(16)


class Series(models.Model):
    """Evenings that come again: on which days by `repeat` and `weekday` from `first_day`, at the house's local time.

    `key` is the link's, for who was told it; `feed_key` that of the calendar feed, which can be renewed. `public_id`
    identifies the row and grants no right. `place` is one line, an address beside the venue's name. Its nights count
    in its `seasons`, each in those whose days hold it; `season` is where a database of before had the only one: nothing
    reads it (`services.calendar.series_seasons`). `size` is the
    number of people whom a table wants, 0 for none. With `names_open` the link shows who comes, else only how many.
    With `opens_itself` the house opens its nights, with `poster_opens` the poster's code lets people into an open one.
    Without an organiser it is the staff's. A series that was ended
    (`ended_at`) is deleted some time later. Its nights begin with its Wi-Fi, whose password is sealed
    (services.nights.wifi), and its house rules: `house_rules`, a named set, else `options` under `preset`, "" for
    the house's own choice.
    """

    class Repeat(models.TextChoices):
        """The rule by which the evenings come again."""

        WEEKLY = "weekly", _("every week")
        FORTNIGHTLY = "fortnightly", _("every two weeks")
        FIRST = "first", _("the first of the month")
        SECOND = "second", _("the second of the month")
        THIRD = "third", _("the third of the month")
        FOURTH = "fourth", _("the fourth of the month")
        LAST = "last", _("the last of the month")

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    key = models.CharField(max_length=32, unique=True, default=new_key)
    feed_key = models.CharField(max_length=32, unique=True, default=new_key)
    name = models.CharField(_("name"), max_length=80)
    organiser = models.ForeignKey(
        "games.Player", verbose_name=_("organiser"), null=True, on_delete=models.SET_NULL, related_name="series"
    )
    second = models.ForeignKey(
        "games.Player",
        verbose_name=_("second organiser"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="series_as_second",
    )
    venue = models.ForeignKey(
        "games.Venue", verbose_name=_("venue"), null=True, on_delete=models.SET_NULL, related_name="series"
    )
    place = models.CharField(_("place"), max_length=120, blank=True)
    seasons = models.ManyToManyField("games.Season", verbose_name=_("seasons"), blank=True, related_name="series")
    season = models.ForeignKey("games.Season", null=True, editable=False, on_delete=models.SET_NULL, related_name="+")
    repeat = models.CharField(_("how often"), max_length=12, choices=Repeat, default=Repeat.WEEKLY)
    weekday = models.PositiveSmallIntegerField(_("weekday"))
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"), null=True)
    start = models.TimeField(_("time"))
    minutes = models.PositiveSmallIntegerField(_("minutes"), default=USUAL_MINUTES)
    game_id = models.CharField(_("game"), max_length=32, blank=True)
    house_rules = models.ForeignKey(
        "games.HouseRules",
        verbose_name=_("house rules"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="series",
    )
    preset = models.CharField(max_length=32, blank=True)
    options = models.JSONField(default=dict)
    wifi_name = models.CharField(_("Wi-Fi for guests"), max_length=32, blank=True)
    wifi_sealed = models.BinaryField(default=b"")
    size = models.PositiveSmallIntegerField(_("people at a table"), default=0)
    is_listed = models.BooleanField(_("on the front page"), default=False)
    names_open = models.BooleanField(_("the link shows names"), default=False)
    opens_itself = models.BooleanField(_("opens by itself"), default=False)
    poster_opens = models.BooleanField(_("the poster opens the door"), default=False)
    ended_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name, verbose_name_plural = _("series of evenings"), _("series of evenings")
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class SeriesDate(models.Model):
    """A date of a series, with a page of its own. `planned` is the day by the series' rule: it stays when it moves.

    `changes` counts those of day, time, place and cancelling, `changed_at` is the last one's time. `places` is the
    number of people who may come, 0 for any. `accounts_only`: it takes no answers by a mere name any more. `night` was
    opened on it, by the house if `opened_itself`; with `not_tonight` the house does not.
    """

    series = models.ForeignKey(Series, on_delete=models.CASCADE, related_name="dates")
    planned = models.DateField()
    day = models.DateField(_("day"), db_index=True)
    start = models.TimeField(_("time"))
    minutes = models.PositiveSmallIntegerField(_("minutes"), default=USUAL_MINUTES)
    place = models.CharField(_("place"), max_length=220, blank=True)
    is_cancelled = models.BooleanField(_("cancelled"), default=False)
    places = models.PositiveSmallIntegerField(_("places"), default=0)
    accounts_only = models.BooleanField(default=False)
    opened_itself = models.BooleanField(default=False)
    not_tonight = models.BooleanField(default=False, db_default=False)
    changes = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField(default=timezone.now)
    night = models.OneToOneField("games.Night", null=True, on_delete=models.SET_NULL, related_name="series_date")

    class Meta:
        verbose_name, verbose_name_plural = _("date"), _("dates")
        ordering = ["day", "start", "pk"]
        constraints = [models.UniqueConstraint(fields=["series", "planned"], name="one_date_a_planned_day")]

    def __str__(self) -> str:
        return f"{self.series} {self.day}"

    @property
    def starts_at(self) -> datetime:
        """The time at which it begins, in the house's zone."""
        return datetime.combine(self.day, self.start, zone())

    @property
    def ends_at(self) -> datetime:
        """The time at which it ends: so many minutes later, whatever the clocks do that night."""
        return (self.starts_at.astimezone(UTC) + timedelta(minutes=self.minutes)).astimezone(zone())


class EveningHost(models.Model):
    """Somebody who hosts the nights of a series that its organisers do not come to; `place` is their order, from 1."""

    series = models.ForeignKey(Series, on_delete=models.CASCADE, related_name="evening_hosts")
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="evenings_to_host")
    place = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["place", "pk"]
        constraints = [models.UniqueConstraint(fields=["series", "player"], name="one_evening_host_a_series")]

    def __str__(self) -> str:
        return f"{self.player} @ {self.series}"


class Answer(models.Model):
    """An answer for a date: a player's, or of a mere name. `extra` more people come along.

    `since` is when somebody first said yes: where places are few they are given in this order; `moved_up_at` is when
    one that waited got a place. `secret_hash` is that of the link by which a name changes its answer. `marked_by`
    entered it for somebody else. Thirty days after the date names, words and secrets go, and the counts stay.
    """

    class Says(models.TextChoices):
        """The word of an answer."""

        YES = "yes", _("yes")
        NO = "no", _("no")
        MAYBE = "maybe", _("maybe")

    date = models.ForeignKey(SeriesDate, on_delete=models.CASCADE, related_name="answers")
    player = models.ForeignKey("games.Player", null=True, on_delete=models.CASCADE, related_name="answers")
    name = models.CharField(max_length=96, blank=True)
    says = models.CharField(max_length=8, choices=Says)
    extra = models.PositiveSmallIntegerField(default=0)
    word = models.CharField(max_length=80, blank=True)
    secret_hash = models.CharField(max_length=64, blank=True, db_index=True)
    marked_by = models.ForeignKey("games.Player", null=True, on_delete=models.SET_NULL, related_name="answers_marked")
    since = models.DateTimeField(default=timezone.now)
    moved_up_at = models.DateTimeField(null=True)
    answered_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["since", "pk"]
        constraints = [models.UniqueConstraint(fields=["date", "player"], name="one_answer_a_date")]

    def __str__(self) -> str:
        return f"{self.player or self.name} @ {self.date}: {self.says}"

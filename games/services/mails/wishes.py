"""The wish for mails about dates: accounts that want them, with a confirmed address, series by series."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import MailStop, Player, Series
from games.ops import mail_settings
from games.services import row_locks
from games.services.arguments import Yes
from games.services.calendar.rights import SERIES, SeriesRight
from games.services.people import players


def are_sent() -> bool:
    """Tell whether the house sends mails about dates: its links have to be reached from home, too."""
    return mail_settings.has_mail_server() and bool(settings.PUBLIC_URL)


def address_of(player: Player) -> str:
    """Return the confirmed main address of a player's account, "" without one."""
    rows = EmailAddress.objects.filter(user=player.user_id, user__is_active=True, verified=True, primary=True)
    return rows.values_list("email", flat=True).first() or ""


def readers() -> QuerySet[Player]:
    """Return the people who get mails: they want them, have a confirmed address, and are welcome."""
    confirmed = EmailAddress.objects.filter(user=OuterRef("user"), verified=True, primary=True)
    rows = Player.objects.filter(wants_mail=True, banned_at=None, deleted_at=None, merged_into=None)
    return rows.filter(Exists(confirmed), user__is_active=True)


def readers_of(series: Series) -> QuerySet[Player]:
    """Return the people who get mails about a series, if they have to do with it."""
    return readers().exclude(mail_stops__series=series)


@transaction.atomic
def set_wanted(player: Player, wanted: bool) -> None:
    """Send a person mails about dates, or none; raises Illegal `gone_player`, `no_account`, `no_confirmed_address`."""
    player = row_locks.person(player)
    if wanted:
        _check_can_get(player)
    player.wants_mail = wanted
    player.save(update_fields=["wants_mail"])


def _check_can_get(player: Player) -> None:
    players.check_welcome(player)
    if player.user_id is None:
        raise Illegal("no_account")
    if not address_of(player):
        raise Illegal("no_confirmed_address")


@transaction.atomic
def stop(series: Series, player: Player) -> None:
    """Send a person no more mails about a series; raises Illegal `gone_player`."""
    player = row_locks.person(player)
    MailStop.objects.get_or_create(series=series, player=player)


@transaction.atomic
def resume(series: Series, player: Player) -> None:
    """Send a person mails about a series again; raises Illegal `gone_player`."""
    player = row_locks.person(player)
    MailStop.objects.filter(series=series, player=player).delete()


@SERIES.act("mails", SeriesRight.PERSON, done=_("Saved."), label=_("Send them again"), words={"no": _("No more mails")})
def choose(series: Series, player: Player, wanted: Yes) -> None:
    """Send a person mails about a series, or no more; raises Illegal `gone_player`."""
    (resume if wanted else stop)(series, player)


def is_stopped(series: Series, player: Player) -> bool:
    """Tell whether a person wants no mails about a series."""
    return MailStop.objects.filter(series=series, player=player).exists()


def join(source: Player, target: Player) -> None:
    """Leave a merged player one row a series and one mail an occasion; the wish is the account's."""
    source.mail_stops.filter(series__in=list(target.mail_stops.values_list("series", flat=True))).delete()
    about = ("date", "season", "kind", "number")
    had = set(target.mails.values_list(*about))
    twice = [pk for pk, *occasion in source.mails.values_list("pk", *about) if tuple(occasion) in had]
    source.mails.filter(pk__in=twice).delete()
    if source.user_id is not None:
        Player.objects.filter(pk=target.pk).update(wants_mail=source.wants_mail)


def forget(player: Player) -> None:
    """Delete what is kept of mails to a deleted player."""
    player.mails.all().delete()
    player.mail_stops.all().delete()
    Player.objects.filter(pk=player.pk).update(wants_mail=False)

"""Links in mails: signed, and good for one thing each, without a login.

A link names its purpose, the date or series and the person, and is signed with the house's key and the address to which
it was sent: with another address of the account it opens nothing.
"""

from __future__ import annotations

from django.utils.crypto import constant_time_compare, salted_hmac

from games.kernel.contract import Illegal
from games.models import Player, Series, SeriesDate
from games.models.night import today
from games.row_ids import row_id
from games.services.calendar.rights import check_goes_on
from games.services.mails import wishes
from games.services.people import players

ANSWER, STOP = "answer", "stop"


def token(purpose: str, about: int, player_id: int, address: str) -> str:
    """Return the token of a link: ids of what it is about and of the person, and a signature of 128 bits."""
    value = f"{about}:{player_id}:{address.casefold()}"
    signature = salted_hmac(f"games.mail.{purpose}", value, algorithm="sha256").hexdigest()[:32]
    return f"{about}-{player_id}-{signature}"


def _read(purpose: str, found: str) -> tuple[int, Player]:
    """Return what a token is about, and the present person; raises Illegal `no_such_mail_link`."""
    parts = found.split("-")
    ids = [row_id(part) for part in parts[:2]]
    if len(parts) == 3 and ids[0] is not None and ids[1] is not None:
        player = players.current_player(ids[1])
        address = wishes.address_of(player) if player is not None else ""
        if player is not None and address:
            wanted = token(purpose, ids[0], ids[1], address)
            if constant_time_compare(found, wanted):
                return ids[0], player
    raise Illegal("no_such_mail_link")


def read_answer(found: str) -> tuple[SeriesDate, Player]:
    """Return date and person of a link by which one answers.

    Raises Illegal `no_such_mail_link`, `mail_link_over` after the date's day, `series_ended`, `banned`.
    """
    date_id, player = _read(ANSWER, found)
    date = SeriesDate.objects.select_related("series__venue", "night").filter(pk=date_id).first()
    if date is None:
        raise Illegal("no_such_mail_link")
    check_goes_on(date.series)
    if date.day < today():
        raise Illegal("mail_link_over")
    players.check_welcome(player)
    return date, player


def read_stop(found: str) -> tuple[Series, Player]:
    """Return series and person of a link by which one stops mails; raises Illegal `no_such_mail_link`."""
    series_id, player = _read(STOP, found)
    series = Series.objects.filter(pk=series_id).first()
    if series is None:
        raise Illegal("no_such_mail_link")
    return series, player

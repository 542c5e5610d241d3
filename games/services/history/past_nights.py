"""Past nights: evenings that were held without the house, closed from the start, for their past games."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Membership, Night, Player, Result, Venue
from games.models.night import today
from games.services import form_ids, row_locks
from games.services.acts import LogLine
from games.services.history import past_games
from games.services.history.past_games import PastGame
from games.services.history.player_history import FIRST_DAY
from games.services.nights import venues
from games.services.nights.events import LOG, record
from games.services.people import players

LONGEST_NAME = 80
LOG.add(
    LogLine("past_night", _("%(name)s entered this evening, which was held without the house.")),
)


@dataclass(frozen=True, slots=True)
class Evening:
    """A past night as entered: its day, a name ("" for one made of the day), a venue by public id or ""."""

    day: date
    name: str = ""
    venue: str = ""


def check_author(by: Player) -> None:
    """Raise Illegal `no_account`, `banned` unless a player may enter past nights."""
    players.check_welcome(by)
    if by.user_id is None:
        raise Illegal("no_account")


@transaction.atomic
def enter(by: Player, evening: Evening, past_game: PastGame, form_id: str | None = None) -> Result:
    """Write a past game of an evening that was held without the house, once for a `form_id`.

    Its night is made with the first game; further ones of the same day, venue and author come into the same.
    Raises Illegal `no_account`, `banned`, `bad_day`, `night_name`, `no_such_venue`, `not_venue_host`, and as
    `past_games.enter`.
    """
    past_games.hold_people(by, past_game)
    content = ["past night", asdict(evening), asdict(past_game)]
    made = form_ids.once(by, form_id, content, lambda: _enter(by, evening, past_game).pk)
    return past_games.entered(made)


def _enter(by: Player, evening: Evening, past_game: PastGame) -> Result:
    check_author(by)
    if not FIRST_DAY <= evening.day <= today():
        raise Illegal("bad_day")
    venue = _venue(evening.venue)
    venues.check_host(venue, by)
    name = " ".join(evening.name.split())
    if len(name) > LONGEST_NAME or not players.is_plain(name):
        raise Illegal("night_name")
    return past_games.write(_night(by, evening.day, name, venue), by, past_game)


def _venue(public_id: str) -> Venue | None:
    venue = Venue.objects.filter(public_id=public_id).first() if public_id else None
    if public_id and venue is None:
        raise Illegal("no_such_venue")
    return venue


def _night(by: Player, day: date, name: str, venue: Venue | None) -> Night:
    """Return the author's past night of a day at a venue, with this name if one is given; made now if there is none."""
    # Two games of one evening, entered at the same time, are of one night.
    row_locks.person(by)
    found = Night.objects.filter(is_past=True, host=by, day=day, venue=venue, **({"name": name} if name else {}))
    if (night := found.order_by("pk").first()) is not None:
        return night
    named = name or gettext("Evening of %(day)s") % {"day": date_format(day, "DATE_FORMAT")}
    night = Night.objects.create(
        name=named, host=by, opened_by=by, venue=venue, day=day, is_past=True,
        status=Night.Status.CLOSED, code=None, closed_at=datetime.now(UTC),
    )  # fmt: skip
    Membership.objects.create(night=night, player=by)
    record(night, "past_night", name=by.nickname, player=by.pk)
    return night

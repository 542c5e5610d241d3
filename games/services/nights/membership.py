"""Nights: opening and closing, room codes, members, the host. Device transfers are in `device_transfer`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.crypto import constant_time_compare

from games.kernel.contract import Illegal
from games.models import Membership, Night, Player, Seat, Table, Venue
from games.models.night import CODE_ALPHABET, new_code
from games.services.clock import server_time
from games.services.nights import without_phone
from games.services.nights.events import Who, record
from games.services.people import players
from games.services.seats import seats
from games.services.tables import publication
from games.services.tables.commands import HOUSE, Actor, Request, new_command_id
from games.services.tables.commit import submit


def host_night(player: Player, name: str, venue: str = "") -> Night:
    """Open a night with the player as its host, at a venue by public id or at none.

    Raises `night_name`, `no_such_venue`, `too_many_nights`, `banned`, `no_code`.
    """
    players.check_welcome(player)
    _check_nights(player)
    name = " ".join(name.split())
    if not 0 < len(name) <= 80 or not players.is_plain(name):
        raise Illegal("night_name")
    place = Venue.objects.filter(public_id=venue).first() if venue else None
    if venue and place is None:
        raise Illegal("no_such_venue")
    for _ in range(20):
        try:
            with transaction.atomic():
                night = Night.objects.create(name=name, host=player, venue=place)
                Membership.objects.create(night=night, player=player)
                record(night, "night_opened", name=player.nickname, player=player.pk)
        except IntegrityError:
            continue  # the code is in use by another night: draw another
        return night
    raise Illegal("no_code")


def _check_nights(player: Player) -> None:
    """Raise Illegal `too_many_nights` for a host with NIGHTS_PER_HOST open nights; never for staff."""
    most = settings.NIGHTS_PER_HOST
    open_nights = Night.objects.filter(host=player, is_practice=False).exclude(status=Night.Status.CLOSED)
    if most and not players.is_staff(player) and open_nights.count() >= most:
        raise Illegal("too_many_nights", most=most)


def find_by_code(code: str) -> Night:
    """Return the open night of a room code, in any spelling; raises `wrong_code`."""
    cleaned = "".join(c for c in code.upper() if c in CODE_ALPHABET)
    night = Night.objects.filter(code=cleaned).exclude(status=Night.Status.CLOSED).first()
    if not cleaned or night is None:
        raise Illegal("wrong_code")
    return night


def find_by_token(public_id: str, token: str, purpose: str) -> Night:
    """Return the night of a link; raises `wrong_link`."""
    night = Night.objects.filter(public_id=public_id).first()
    if night is None or not constant_time_compare(night.token(purpose), token):
        raise Illegal("wrong_link")
    return night


def join(night: Night, player: Player) -> Membership:
    """Let a player in, or let them wait if the host admits by hand.

    A member stays one. Raises `night_closed`, `night_locked`, `night_full`,
    `removed`, `banned`.
    """
    players.check_welcome(player)
    with transaction.atomic():
        night = Night.objects.select_for_update().get(pk=night.pk)
        member = Membership.objects.filter(night=night, player=player).first()
        if member is not None:
            if member.status == Membership.Status.KICKED:
                raise Illegal("removed")
            return member
        _check_room(night)
        status = Membership.Status.WAITING if night.admit_by_hand else Membership.Status.IN
        member = Membership.objects.create(night=night, player=player, status=status)
        event_type = "asked_in" if night.admit_by_hand else "joined"
        record(night, event_type, name=player.nickname, player=player.pk)
        return member


def bring(night: Night, keeper: Player, nickname: str) -> Player:
    """Add a person without a phone as a member, with `keeper` as the keeper.

    Raises `removed`, `not_inside`, `night_closed`, `night_locked`, `night_full`, and as `players.clean_nickname`.
    """
    with transaction.atomic():
        night = Night.objects.select_for_update().get(pk=night.pk)
        check_inside(night, keeper)
        _check_room(night)
        person = players.new_guest(nickname)
        Membership.objects.create(night=night, player=person, keeper=keeper)
        record(night, "brought", name=person.nickname, player=person.pk, by=keeper.nickname, by_player=keeper.pk)
        return person


def _check_room(night: Night) -> None:
    """Raise Illegal unless the night takes another guest."""
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    if night.status == Night.Status.LOCKED or night.is_practice:
        raise Illegal("night_locked")
    inside = Q(status=Membership.Status.IN) | Q(status=Membership.Status.WAITING)
    if night.memberships.filter(inside).count() >= night.cap:
        raise Illegal("night_full", cap=night.cap)


def check_host(night: Night, player: Player | None) -> None:
    """Raise `not_host` unless the player is the night's host."""
    if player is None or night.host_id != player.pk:
        raise Illegal("not_host")


def is_inside(night: Night, player: Player | None) -> bool:
    """Tell whether a player is in at a night."""
    if player is None:
        return False
    return night.memberships.filter(player=player, status=Membership.Status.IN).exists()


def membership(night: Night, player: Player) -> Membership:
    """Return a player's membership of a night; raises Illegal `removed`, `not_inside`."""
    member = night.memberships.filter(player=player).first()
    if member is None:
        raise Illegal("not_inside")
    if member.status == Membership.Status.KICKED:
        raise Illegal("removed")
    return member


def check_inside(night: Night, player: Player) -> None:
    """Raise Illegal `removed`, `not_inside` unless a player is in at a night."""
    if membership(night, player).status != Membership.Status.IN:
        raise Illegal("not_inside")


@transaction.atomic
def admit(night: Night, host: Player, player_id: int) -> None:
    """Let a waiting player in; raises `not_host`, `no_such_player`."""
    check_host(night, host)
    member = night.memberships.filter(player__id=player_id, status=Membership.Status.WAITING).first()
    if member is None:
        raise Illegal("no_such_player")
    member.status = Membership.Status.IN
    member.save(update_fields=["status"])
    record(night, "joined", name=member.player.nickname, player=member.player_id)


@transaction.atomic
def remove(night: Night, host: Player, player_id: int, by: Who | None = None) -> None:
    """Remove a player from the night and from every seat, and close the player's sockets.

    `by` is a user of the staff acting in the host's place, here and below.
    Raises `not_host`, `no_such_player`, `host_stays`.
    """
    check_host(night, host)
    if player_id == night.host_id:
        raise Illegal("host_stays")
    member = night.memberships.filter(player__id=player_id).select_related("player").first()
    if member is None:
        raise Illegal("no_such_player")
    free_seats(night, player_id, Actor(host.pk) if by is None else HOUSE)
    member.status = Membership.Status.KICKED
    member.save(update_fields=["status"])
    without_phone.pass_on(night, member.player)
    person = {"name": member.player.nickname, "player": player_id}
    record(night, "kicked", actor=by or host, **person)
    publication.publish_later(publication.PlayerRemoved(night.pk, player_id))


def free_seats(night: Night, player_id: int, by: Actor) -> None:
    """Take a player off every seat of a night."""
    for seat in Seat.objects.filter(table__night=night, player_id=player_id).select_related("table"):
        _empty_seat(seat, by)


def _empty_seat(seat: Seat, actor: Actor) -> None:
    """Take a player off a seat: it is deleted before the start, emptied during play."""
    if seat.table.status == Table.Status.LOBBY:
        seats.drop_seat(seat)
    elif seat.table.is_running:
        request = Request("table.kick", {"seat": seat.index}, new_command_id())
        submit(seat.table_id, actor, request)


@transaction.atomic
def set_lock(night: Night, host: Player, locked: bool) -> None:
    """Lock the night to new members, or open it again; raises `not_host`, `night_closed`."""
    _change(night, host, status=Night.Status.LOCKED if locked else Night.Status.OPEN)
    record(night, "locked" if locked else "unlocked", actor=host)


@transaction.atomic
def set_admission(night: Night, host: Player, by_hand: bool, cap: int) -> None:
    """Set whether the host admits by hand, and the cap (2–500); raises `not_host`, `night_closed`, `bad_cap`."""
    if not 2 <= cap <= 500:
        raise Illegal("bad_cap")
    _change(night, host, admit_by_hand=by_hand, cap=cap)
    record(night, "admission_changed", actor=host, by_hand=by_hand, cap=cap)


@transaction.atomic
def set_wifi(night: Night, host: Player, name: str, password: str) -> None:
    """Set the Wi-Fi for guests' phones; an empty name removes it.

    IEEE 802.11: a name has 1 to 32 bytes, a WPA passphrase 8 to 63 ASCII characters, an open network
    none. Raises `not_host`, `night_closed`, `wifi_name`, `wifi_password`.
    """
    name = name.strip()
    if len(name.encode()) > 32 or not name.isprintable():
        raise Illegal("wifi_name")
    is_passphrase = 8 <= len(password) <= 63 and password.isascii() and password.isprintable()
    if password and not (name and is_passphrase):
        raise Illegal("wifi_password")
    _change(night, host, wifi_name=name, wifi_password=password)
    record(night, "wifi_changed")


@transaction.atomic
def rotate_code(night: Night, host: Player) -> None:
    """Make a new room code and new links: the old ones become invalid, and TV screens close."""
    code = new_code()
    while Night.objects.filter(code=code).exists():
        code = new_code()
    _change(night, host, code=code, code_version=night.code_version + 1)
    record(night, "code_rotated", actor=host)
    publication.publish_later(publication.CodeChanged(night.pk))


@transaction.atomic
def close(night: Night, host: Player, by: Who | None = None) -> None:
    """Close the night: no code, no new members; running tables are broken off."""
    check_host(night, host)
    _end(night, Actor(host.pk) if by is None else HOUSE)
    record(night, "closed", actor=by or host)


@transaction.atomic
def close_unused(night: Night) -> None:
    """Close an unused night by order of the house."""
    _end(night, HOUSE)
    record(night, "closed_unused", hours=settings.UNUSED_NIGHT_HOURS)


def _end(night: Night, actor: Actor) -> None:
    """Break off the running tables and close the night; raises `night_closed`."""
    for table in night.tables.filter(status__in=[Table.Status.PLAYING, Table.Status.PAUSED]):
        submit(table.pk, actor, Request("table.end", {}, new_command_id()))
    cleared = {"code": None, "wifi_name": "", "wifi_password": ""}
    _set(night, status=Night.Status.CLOSED, closed_at=datetime.now(UTC), **cleared)


def _change(night: Night, host: Player, **fields: Any) -> None:
    """Set fields of an open night; raises `not_host`, `night_closed`."""
    check_host(night, host)
    _set(night, **fields)


def _set(night: Night, **fields: Any) -> None:
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    for key, value in fields.items():
        setattr(night, key, value)
    night.save(update_fields=list(fields))


@transaction.atomic
def hand_over(night: Night, player: Player, host_gone_seconds: int) -> None:
    """Make a member the host after the host has been away long enough.

    Raises `not_inside`, `host_is_here`.
    """
    night = Night.objects.select_for_update().get(pk=night.pk)
    if not is_inside(night, player):
        raise Illegal("not_inside")
    limit = server_time.now() - timedelta(seconds=host_gone_seconds)
    if night.host_away_since is None or night.host_away_since > limit:
        raise Illegal("host_is_here")
    night.host, night.host_away_since = player, None
    night.save(update_fields=["host", "host_away_since"])
    record(night, "host_changed", name=player.nickname, player=player.pk)


@transaction.atomic
def give_host(night: Night, host: Player, player_id: int, by: Who | None = None) -> None:
    """Make another member the host by the host's order; raises `not_host`, `no_such_player`, `no_phone`."""
    check_host(night, host)
    member = night.memberships.filter(player__id=player_id, status=Membership.Status.IN).first()
    if member is None:
        raise Illegal("no_such_player")
    if member.keeper_id is not None:
        raise Illegal("no_phone")
    night.host, night.host_away_since = member.player, None
    night.save(update_fields=["host", "host_away_since"])
    person = {"name": member.player.nickname, "player": player_id}
    record(night, "host_changed", actor=by or host, **person)

"""Nights: opening and closing, room codes, members, the host. Device transfers are in `device_transfer`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import KeptLine, Membership, Night, Player, Venue
from games.models.night import CODE_ALPHABET, new_code
from games.services import publication, row_locks, server_time
from games.services.acts import LogLine
from games.services.arguments import Cap, RowId, Ticked
from games.services.commands import HOUSE, Actor
from games.services.nights import former_hosts, newcomers, night_rights, without_phone
from games.services.nights.events import LOG, Who, record
from games.services.nights.registry import NIGHT, NightRight
from games.services.people import players
from games.services.publication import Occurrence

LEFT: Occurrence[Night, int, Actor] = Occurrence()
"""A player, by id, has to leave the seats of a night, in the name of the house or of a host."""
CLOSING: Occurrence[Night, Actor] = Occurrence()
"""A night is about to be closed, in the name of the house or of its host."""
CLOSED: Occurrence[Night] = Occurrence()
"""A night was closed."""
LOG.add(
    LogLine("night_opened", _("%(name)s opened the night.")),
    LogLine("night_opened_itself", _("The house opened the night; its host is %(name)s.")),
    LogLine("asked_in", _("%(name)s waits at the door.")),
    LogLine("closed_unused", _("The night was closed: nobody had used it for %(hours)s hours.")),
)


@transaction.atomic
def host_night(player: Player, name: str, venue: str = "", *, by_house: bool = False) -> Night:
    """Open a night with the player as its host, at a venue by public id or at none; `by_house` the house opens it.

    Raises `night_name`, `no_such_venue`, `too_many_nights`, `banned`, `gone_player`, `no_code`.
    """
    player = row_locks.present(player)
    players.check_welcome(player)
    _check_nights(player)
    name = " ".join(name.split())
    if not 0 < len(name) <= 80 or not players.is_plain(name):
        raise Illegal("night_name")
    place = Venue.objects.filter(public_id=venue).first() if venue else None
    if venue and place is None:
        raise Illegal("no_such_venue")
    for _try in range(20):
        try:
            with transaction.atomic():
                now = server_time.now()
                night = Night.objects.create(name=name, host=player, opened_by=player, venue=place, host_seen_at=now)
                Membership.objects.create(night=night, player=player, joined_at=now)
                event_type = "night_opened_itself" if by_house else "night_opened"
                record(night, event_type, name=player.nickname, player=player.pk)
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


def find_by_invitation(public_id: str, token: str) -> tuple[Night, bool]:
    """Return the night of a join link, and whether it is the QR code's; raises `wrong_link`.

    The other kind of link is that of who typed the room code: whoever they pass it on to comes as they did.
    """
    try:
        return find_by_token(public_id, token, "join"), True
    except Illegal:
        return find_by_token(public_id, token, "code"), False


def invitation(night: Night, player: Player) -> str:
    """Return the token of the join link that a member may pass on."""
    is_invited = night.memberships.filter(player=player, is_invited=True).exists()
    return night.token("join" if is_invited or night.host_id == player.pk else "code")


@transaction.atomic
def join(
    night: Night, player: Player, *, is_invited: bool = True, is_expected: bool = False, address: str = ""
) -> Membership:
    """Let a player in, or let them wait if the host admits by hand, or if their name looks like the host's.

    So does an invited one who is not expected and comes after a crowd of newcomers of their address (`newcomers`).
    A member stays one. Raises `night_closed`, `night_locked`, `night_full`, `removed`, `banned`,
    `gone_player`, and while too many newcomers are there `too_many_at_door`, `too_many_by_code`.
    """
    player, night = row_locks.present(player), row_locks.night(night)
    players.check_welcome(player)
    member = Membership.objects.filter(night=night, player=player).first()
    if member is not None:
        if member.status == Membership.Status.KICKED:
            raise Illegal("removed")
        return member
    _check_room(night)
    newcomers.note_address(night, player, address)
    waits = night.admit_by_hand or newcomers.looks_like_host(night, player.pk, player.nickname)
    waits = waits or (is_invited and not is_expected and newcomers.is_one_too_many(night, player))
    newcomers.check(night, waits=waits, is_invited=is_invited)
    status = Membership.Status.WAITING if waits else Membership.Status.IN
    about = {"is_invited": is_invited, "joined_at": server_time.now()}
    member = Membership.objects.create(night=night, player=player, status=status, **about)
    event_type = "asked_in" if waits else "joined"
    record(night, event_type, name=player.nickname, player=player.pk)
    return member


@transaction.atomic
def bring(night: Night, keeper: Player, nickname: str, regular: Player | None = None) -> Player:
    """Add a person without a phone as a member, with `keeper` as the keeper: somebody new, or the held `regular`.

    The caller has checked that the keeper is offered the regular. Who was brought to this night before stays its
    member, and has this keeper from now on. Raises `removed`, `not_inside`, `night_closed`, `night_locked`,
    `night_full`, `too_many_by_code`, `nickname_of_host`, and as `players.clean_nickname`.
    """
    row_locks.night(night)
    member = night_rights.check_inside(night, keeper)
    if regular is not None and night.memberships.filter(player=regular).update(keeper=keeper):
        return regular
    nickname = nickname if regular is None else regular.nickname
    _check_room(night)
    by_host = night.host_id == keeper.pk
    if not by_host:
        newcomers.check_by_code(night)
    if not by_host and newcomers.looks_like_host(night, None, nickname):
        raise Illegal("nickname_of_host", host=night.host.nickname)
    person = regular or players.new_guest(nickname)
    about = {"is_invited": by_host, "joined_at": server_time.now()}
    Membership.objects.create(night=night, player=person, keeper=keeper, **about)
    by: dict[str, Any] = {"by": member.player.nickname, "by_player": member.player_id}
    record(night, "brought", name=person.nickname, player=person.pk, **by)
    return person


def _check_room(night: Night) -> None:
    """Raise Illegal unless the night takes another guest."""
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    if night.status == Night.Status.LOCKED or night.is_practice:
        raise Illegal("night_locked")
    newcomers.check_cap(night)


@NIGHT.act(
    "admit",
    NightRight.HOST,
    LogLine("joined", _("%(name)s joined.")),
    label=_("Let in"),
)
@transaction.atomic
def admit(night: Night, host: Player, player_id: RowId) -> None:
    """Let a waiting player in; raises `not_host`, `night_closed`, `no_such_player`, `night_full`."""
    night_rights.check_host(row_locks.night(night), host)
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    member = night.memberships.filter(player__id=player_id, status=Membership.Status.WAITING).first()
    if member is None:
        raise Illegal("no_such_player")
    newcomers.check_cap(night)
    member.status, member.is_invited = Membership.Status.IN, True
    member.save(update_fields=["status", "is_invited"])
    record(night, "joined", name=member.player.nickname, player=member.player_id)


@NIGHT.act(
    "remove",
    NightRight.HOST,
    LogLine("kicked", _("%(name)s was shown the door."), _("showed somebody the door")),
    label=_("Show the door"),
    question=_("%(name)s leaves the night and every seat, and can't come in again unless you let them."),
    yes=_("Yes, show the door"),
    words={
        "waiting": _("Not tonight"),
        "waiting_question": _("%(name)s can't come in tonight, by no link and no code."),
        "waiting_yes": _("Yes, not tonight"),
    },
)
@transaction.atomic
def remove(night: Night, host: Player, player_id: RowId, by: Who | None = None) -> None:
    """Remove a player from the night and from every seat, and close the player's sockets.

    `by` is a user of the staff acting in the host's place, here and below.
    Raises `not_host`, `no_such_player`, `host_stays`, `former_host_stays`.
    """
    night_rights.check_host(row_locks.night_and_tables(night), host)
    if player_id == night.host_id:
        raise Illegal("host_stays")
    if by is None:
        former_hosts.check_stays(night, player_id)
    member = night.memberships.filter(player__id=player_id).select_related("player").first()
    if member is None:
        raise Illegal("no_such_player")
    LEFT.tell(night, player_id, Actor(host.pk) if by is None else HOUSE)
    member.status = Membership.Status.KICKED
    member.save(update_fields=["status"])
    without_phone.pass_on(night, member.player)
    person = {"name": member.player.nickname, "player": player_id}
    record(night, "kicked", actor=by or host, **person)
    publication.publish_later(publication.PlayerRemoved(night.pk, player_id))


@NIGHT.act(
    "readmit",
    NightRight.HOST,
    LogLine(
        "readmitted",
        _("%(name)s was let in again."),
        _("let somebody in again who had been shown the door"),
    ),
    label=_("Let in again"),
)
@transaction.atomic
def readmit(night: Night, host: Player, player_id: RowId) -> None:
    """Let a player in again who was shown the door; raises `not_host`, `night_closed`, `night_full`, `no_such_player`.

    Who is banned, or gone, is no such player. Seats are not given back.
    """
    player = row_locks.person(player_id)
    night_rights.check_host(row_locks.night(night), host)
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    member = night.memberships.filter(player__id=player_id, status=Membership.Status.KICKED).first()
    if member is None or player.banned_at is not None:
        raise Illegal("no_such_player")
    newcomers.check_cap(night)
    member.status = Membership.Status.IN
    member.save(update_fields=["status"])
    record(night, "readmitted", actor=host, name=player.nickname, player=player_id)


@NIGHT.act(
    "mute",
    NightRight.HOST,
    LogLine("muted", _("%(name)s was muted in the chat."), _("muted somebody in the chat")),
    label=_("Mute in the chat"),
)
def mute(night: Night, host: Player, player_id: RowId) -> None:
    """Keep a member from chatting at the night's tables.

    Raises `not_host`, `no_such_player`, `host_stays`, `former_host_stays`.
    """
    _set_muted(night, host, player_id, is_muted=True)


@NIGHT.act(
    "unmute",
    NightRight.HOST,
    LogLine("unmuted", _("%(name)s may chat again."), _("let somebody chat again")),
    label=_("Let them chat again"),
)
def unmute(night: Night, host: Player, player_id: RowId) -> None:
    """Let a member chat again; raises `not_host`, `no_such_player`."""
    _set_muted(night, host, player_id, is_muted=False)


@transaction.atomic
def _set_muted(night: Night, host: Player, player_id: int, *, is_muted: bool) -> None:
    """Mute a member or end that; lines that wait for the end of a game go when a member is muted."""
    night_rights.check_host(row_locks.night(night), host)
    if is_muted and player_id == night.host_id:
        raise Illegal("host_stays")
    if is_muted:
        former_hosts.check_stays(night, player_id)
    member = night.memberships.filter(player__id=player_id, status=Membership.Status.IN).first()
    if member is None:
        raise Illegal("no_such_player")
    if member.is_muted == is_muted:
        return
    member.is_muted = is_muted
    member.save(update_fields=["is_muted"])
    if is_muted:
        KeptLine.objects.filter(table__night=night, player__id=player_id).delete()
    record(night, "muted" if is_muted else "unmuted", actor=host, name=member.player.nickname, player=player_id)


def is_muted(night: Night, player: Player) -> bool:
    """Tell whether the host keeps a player from chatting; a player who has become the host is free again."""
    return night.host_id != player.pk and night.memberships.filter(player=player, is_muted=True).exists()


@transaction.atomic
def remove_newcomers(night: Night, host: Player, since: datetime) -> int:
    """Remove everybody who came, or began to wait, at `since` or later and never had a seat at the night.

    The host and former hosts stay. Returns their number; raises `not_host`.
    """
    night_rights.check_host(row_locks.night_and_tables(night), host)
    found = night.memberships.exclude(status=Membership.Status.KICKED).exclude(
        player__in=[night.host_id, *former_hosts.ids(night)]
    )
    gone = list(found.filter(joined_at__gte=since).exclude(player__in=newcomers.seated(night)).select_related("player"))
    night.memberships.filter(pk__in=[each.pk for each in gone]).update(status=Membership.Status.KICKED)
    for member in gone:
        without_phone.pass_on(night, member.player)
        publication.publish_later(publication.PlayerRemoved(night.pk, member.player_id))
    if gone:
        record(night, "newcomers_removed", actor=host, count=len(gone), since=since.isoformat())
    return len(gone)


@transaction.atomic
def set_lock(night: Night, host: Player, locked: bool) -> None:
    """Lock the night to new members, or open it again; raises `not_host`, `night_closed`."""
    change(night, host, status=Night.Status.LOCKED if locked else Night.Status.OPEN)
    record(night, "locked" if locked else "unlocked", actor=host)


@NIGHT.act(
    "admission",
    NightRight.HOST,
    LogLine("admission_changed", _("The host changed who may come in."), _("changed who may come in")),
    label=_("Who may come in"),
    yes=_("Save"),
    done=_("Saved."),
)
@transaction.atomic
def set_admission(night: Night, host: Player, by_hand: Ticked, cap: Cap) -> None:
    """Set whether the host admits by hand, and the cap (2–500); raises `not_host`, `night_closed`, `bad_cap`."""
    if not 2 <= cap <= 500:
        raise Illegal("bad_cap")
    change(night, host, admit_by_hand=by_hand, cap=cap)
    record(night, "admission_changed", actor=host, by_hand=by_hand, cap=cap)


@transaction.atomic
def rotate_code(night: Night, host: Player) -> None:
    """Make a new room code and new links: the old ones become invalid, and TV screens close.

    A closed night gets no code: its links, those of screens that show its results, end.
    """
    night_rights.check_host(row_locks.night(night), host)
    code = None if night.status == Night.Status.CLOSED else new_code()
    while code is not None and Night.objects.filter(code=code).exists():
        code = new_code()
    night.code, night.code_version = code, night.code_version + 1
    night.save(update_fields=["code", "code_version"])
    record(night, "code_rotated", actor=host)
    publication.publish_later(publication.CodeChanged(night.pk))


@NIGHT.act(
    "close",
    NightRight.ANY_HOST,
    LogLine("closed", _("The night was closed."), _("closed the night")),
    label=_("Close the night"),
    question=_(
        "The code opens nothing any more, and a game that is still being played is broken off without a "
        "result. This can't be undone."
    ),
    yes=_("Yes, close the night"),
    done=_("The night is closed. Good night!"),
)
@transaction.atomic
def close(night: Night, host: Player, by: Who | None = None) -> None:
    """Close the night: no code, no new members; running tables are broken off, waiting ones are put away empty.

    Raises `not_host`, `night_closed`, `taken_over_lately`.
    """
    night_rights.check_host(row_locks.night_and_tables(night), host)
    if by is None:
        former_hosts.check_trial(night)
    _end(night, Actor(host.pk) if by is None else HOUSE)
    record(night, "closed", actor=by or host)


@transaction.atomic
def close_unused(night: Night, hours: int) -> None:
    """Close a night that nobody has used for so many hours by order of the house; its tables are held."""
    _end(night, HOUSE)
    record(night, "closed_unused", hours=hours)


def _end(night: Night, actor: Actor) -> None:
    """End the tables that are not over and close the night; raises `night_closed`."""
    CLOSING.tell(night, actor)
    cleared = {"code": None, "wifi_name": "", "wifi_sealed": b"", "wifi_password": ""}
    _set(night, status=Night.Status.CLOSED, closed_at=datetime.now(UTC), **cleared)
    CLOSED.tell(night)


def change(night: Night, host: Player, **fields: Any) -> None:
    """Set fields of an open night; raises `not_host`, `night_closed`."""
    night_rights.check_host(row_locks.night(night), host)
    _set(night, **fields)


def _set(night: Night, **fields: Any) -> None:
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    for key, value in fields.items():
        setattr(night, key, value)
    night.save(update_fields=list(fields))


@NIGHT.act(
    "give_host",
    NightRight.HOST,
    former_hosts.HANDED_OVER,
    label=_("Make host"),
    question=_("%(name)s hosts the night from then on, and only %(name)s can hand it back."),
    yes=_("Yes, make host"),
    done=_("You have handed the night over."),
)
@transaction.atomic
def give_host(night: Night, host: Player, player_id: RowId, by: Who | None = None) -> None:
    """Make another member the host by the host's order; raises `not_host`, `no_such_player`, `no_phone`."""
    night_rights.check_host(row_locks.night(night), host)
    member = night.memberships.filter(player__id=player_id, status=Membership.Status.IN).first()
    if member is None:
        raise Illegal("no_such_player")
    if member.keeper_id is not None:
        raise Illegal("no_phone")
    former_hosts.change_host(night, member.player)
    person = {"name": member.player.nickname, "player": player_id}
    record(night, "host_changed", actor=by or host, **person)

"""Moving a guest to another phone: a six-digit number that is approved by name and works once.

Who must approve is in `agreement`. A phone that goes on by the word of hosts takes the guest's
older devices off: the name moves on and is not copied, so that no host keeps it for later.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import F, Q, QuerySet

from games.kernel.contract import Illegal
from games.models import DeviceMove, Membership, Night, Player
from games.services.nights import without_phone
from games.services.nights.events import record
from games.services.nights.membership import check_host
from games.services.people import agreement, players
from games.services.seats import kept_seats
from games.services.tables import publication

MOVE_MINUTES = 10
# Hosts of other nights are not in the room: they have to be asked by other ways first.
OTHERS_HOURS = 24
# Phones that wait for one name, and wrong numbers that are typed for it.
MOST_MOVES = 5
MOST_WRONG = 10


def ask_move(night: Night, player_id: int, instead_of: str = "") -> tuple[DeviceMove, str]:
    """Ask to go on as a player on another phone.

    Returns the request, with its six-digit number, and the secret that this browser must
    keep to use it; `instead_of` is the secret of what it asked before, which is withdrawn.
    Raises `no_such_player`, `night_closed`, `host_not_on_offer`, and `has_account` for a
    player who is reached by logging in; `too_many_tries` while too many wait for the name.
    """
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    member = night.memberships.filter(player__id=player_id, status=Membership.Status.IN).first()
    if member is None:
        raise Illegal("no_such_player")
    if member.player.user_id is not None:
        raise Illegal("has_account")
    if member.player_id == night.host_id:
        raise Illegal("host_not_on_offer")
    if instead_of:
        _open().filter(secret_hash=_hash(instead_of)).delete()
    secret = secrets.token_urlsafe(24)
    move = DeviceMove.objects.create(
        night=night,
        player_id=player_id,
        number=_new_number(member.player),
        secret_hash=_hash(secret),
        expires_at=datetime.now(UTC) + timedelta(minutes=MOVE_MINUTES),
    )
    record(night, "move_asked", name=member.player.nickname, player=member.player_id)
    _tell_own_device(member.player)
    return move, secret


def _open() -> QuerySet[DeviceMove]:
    """Return the requests that still count."""
    return DeviceMove.objects.filter(used_at=None, expires_at__gt=datetime.now(UTC))


def _new_number(player: Player) -> str:
    """Return a six-digit number that no other phone shows now.

    It is approved by name and number: two phones with one number would both be let in.
    """
    if _open().filter(player=player).count() >= MOST_MOVES:
        raise Illegal("too_many_tries", seconds=60 * MOVE_MINUTES)
    shown = set(_open().values_list("number", flat=True))
    while (number := f"{secrets.randbelow(10**6):06}") in shown:
        pass
    return number


def _hash(secret: str) -> str:
    """Return what is stored of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _tell_own_device(player: Player) -> None:
    """Let what the guest, or who acts for them, has open show after the commit that there is something to answer."""
    for player_id in (player.pk, *sorted(without_phone.keepers(player))):
        transaction.on_commit(partial(publication.publish, publication.PlayerAsked(player_id)))


def waiting(night: Night) -> list[Player]:
    """Return the guests of this night with open requests of another phone.

    Asked at another night, too: then this night's host is one of those who must agree. The
    number stays with the phone. Nobody whose host is the guest: that is theirs to answer.
    """
    moves = _open().filter(Q(night=night) | agreement.was_at(night)).exclude(player=night.host_id)
    found = [move.player for move in moves.select_related("player").order_by("pk") if _waits_for(move, night.host_id)]
    return list({player.pk: player for player in found}.values())


def _waits_for(move: DeviceMove, host_id: int) -> bool:
    return not move.is_own and host_id not in move.agreed and move.player.is_guest


@transaction.atomic
def _of_number(moves: QuerySet[DeviceMove], player_id: int, number: str) -> DeviceMove | None:
    """Return the request with a number for a player; a wrong number is counted.

    After ten wrong ones for a name its phones have to ask anew: nobody types on until one fits.
    """
    asked = list(moves.select_for_update().filter(player__id=player_id).select_related("player"))
    found = next((move for move in asked if secrets.compare_digest(move.number.encode(), number.encode())), None)
    if found is None:
        ids = [move.pk for move in asked]
        DeviceMove.objects.filter(pk__in=ids).update(wrong=F("wrong") + 1)
        DeviceMove.objects.filter(pk__in=ids, wrong__gte=MOST_WRONG).delete()
    return found


def approve_move(night: Night, host: Player, player_id: int, number: str) -> bool:
    """Give a host's word that a phone which shows a number is a guest's, named by id.

    Returns whether that is enough: not while hosts of other nights have yet to agree. Raises
    `not_host`, `wrong_number`, `host_not_on_offer`.
    """
    check_host(night, host)
    if player_id == host.pk:
        raise Illegal("host_not_on_offer")
    move = _of_number(_open().filter(Q(night=night) | agreement.was_at(night)), player_id, number)
    if move is None:
        raise Illegal("wrong_number")
    return _agree(move, night, host)


def approve_for(keeper: Player, player_id: int, number: str) -> bool:
    """Give the word of one who acts for a person without a phone, in the place of their night's host.

    Returns whether that is enough, as `approve_move`. Raises `not_keeper`, `wrong_number`.
    """
    if player_id not in without_phone.persons(keeper):
        raise Illegal("not_keeper")
    move = _of_number(_open(), player_id, number)
    if move is None:
        raise Illegal("wrong_number")
    return _agree(move, move.night, move.night.host, by=keeper)


def refuse_for(keeper: Player, player_id: int) -> None:
    """Refuse all phones that ask to go on as a person without one; raises `not_keeper`."""
    if player_id not in without_phone.persons(keeper):
        raise Illegal("not_keeper")
    _refuse(list(_open().filter(player__id=player_id).select_related("night", "player")))


@transaction.atomic
def _agree(move: DeviceMove, night: Night, host: Player, by: Player | None = None) -> bool:
    """Note a host's word, given by themselves or `by` another; what waits for other hosts may wait longer."""
    move.agreed = sorted({*move.agreed, host.pk})
    is_enough = move.is_own or not agreement.missing(move.player, move.agreed)
    if not is_enough:
        move.expires_at = datetime.now(UTC) + timedelta(hours=OTHERS_HOURS)
    move.save(update_fields=["agreed", "expires_at"])
    event = "move_approved" if is_enough else "move_agreed"
    record(night, event, actor=by or host, name=move.player.nickname, player=move.player_id)
    return is_enough


def agree_myself(player: Player, number: str) -> None:
    """Let a guest's own device approve the phone that shows a number; raises `wrong_number`."""
    move = _of_number(_open(), player.pk, number)
    if move is None:
        raise Illegal("wrong_number")
    move.is_own = True
    move.save(update_fields=["is_own"])


def refuse_myself(player: Player) -> None:
    """Let a guest's own device refuse all phones that ask to go on as that guest."""
    _refuse(list(_open().filter(player=player).select_related("night", "player")))


def refuse_move(night: Night, host: Player, player_id: int) -> None:
    """Let a host refuse the phones that ask at their night; raises `not_host`, `move_gone`."""
    check_host(night, host)
    moves = list(_open().filter(night=night, player__id=player_id).select_related("night", "player"))
    if not moves:
        raise Illegal("move_gone")
    _refuse(moves)


@transaction.atomic
def _refuse(moves: Sequence[DeviceMove]) -> None:
    """End some requests, and tell each of their nights once."""
    DeviceMove.objects.filter(pk__in=[move.pk for move in moves]).delete()
    for night, player in {(move.night, move.player) for move in moves}:
        record(night, "move_refused", name=player.nickname, player=player.pk)


def others_missing(secret: str) -> int:
    """Return how many more hosts must agree to what a browser asks; 0 where nothing is asked."""
    move = _open().filter(secret_hash=_hash(secret)).select_related("player", "night").first()
    if move is None or move.is_own:
        return 0
    return len(agreement.missing(move.player, [*move.agreed, move.night.host_id]))


@transaction.atomic
def use_move(secret: str) -> Player | None:
    """Return the player of an approved move, once; None while it is not approved.

    Whether it may is looked at now: who has come to another night, hosts one or got an
    account since is not given away by what was said before. Once a phone goes on by the word
    of hosts, others have to ask anew. Raises `move_gone`.
    """
    asked = _open().filter(secret_hash=_hash(secret))
    # One phone after the other goes on as the same player.
    Player.objects.select_for_update(no_key=True).filter(pk__in=asked.values("player")).first()
    move = asked.select_for_update().select_related("player").first()
    if move is None or not move.player.is_guest or move.player.banned_at is not None:
        raise Illegal("move_gone")
    if not move.is_own and _still_waits(move):
        return None
    move.used_at = datetime.now(UTC)
    move.save(update_fields=["used_at"])
    if not move.is_own:
        players.take_off_devices(move.player)
        _open().filter(player=move.player).delete()
    kept_seats.got_phone(move.player)
    record(move.night, "move_used", name=move.player.nickname, player=move.player_id)
    return move.player


def _still_waits(move: DeviceMove) -> bool:
    """Tell whether hosts have yet to agree, or the guest's own device has time left to answer."""
    is_missing = bool(agreement.missing(move.player, move.agreed))
    return is_missing or agreement.seconds_left(move.player, move.asked_at) > 0

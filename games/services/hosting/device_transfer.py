"""Device transfer: a guest continues on another phone, approved by name and a one-time six-digit number.

`agreement` decides whose approval is needed. If hosts approved a transfer, the guest's older devices are
signed out: the name moves and is not copied, so that no host can keep it for later.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import DeviceMove, Membership, Night, Player
from games.services import publication, row_locks
from games.services.acts import LogLine
from games.services.arguments import RowId
from games.services.hosting import kept_seats
from games.services.nights import agreement, former_hosts, night_rights, without_phone
from games.services.nights.events import LOG, record
from games.services.nights.registry import NIGHT, NightRight
from games.services.people import players

MOVE_MINUTES = 10
# Hosts of other nights are not in the room and must be reached in another way first.
AGREEMENT_HOURS = 24
# The most phones that wait for one guest, and the most wrong numbers typed for the guest.
MOST_MOVES = 5
MOST_WRONG = 10
LOG.add(
    LogLine("move_asked", _("%(name)s wants to go on, on another phone.")),
    LogLine("move_used", _("%(name)s goes on, on another phone now.")),
)


@transaction.atomic
def request_move(night: Night, player_id: int, instead_of: str = "") -> tuple[DeviceMove, str]:
    """Request to continue as a guest on another phone.

    Returns the request, with its six-digit number, and the secret that this browser must
    keep to use it; `instead_of` is the secret of the browser's earlier request, which is withdrawn.
    Raises `no_such_player`, `night_closed`, `host_not_on_offer`, `has_account` for a player
    that has to log in instead, and `too_many_tries` if too many phones wait for the guest.
    """
    if night.memberships.filter(player__id=player_id).exists():
        row_locks.person(player_id)
    if row_locks.night(night).status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    member = night.memberships.filter(player__id=player_id, status=Membership.Status.IN).first()
    if member is None:
        raise Illegal("no_such_player")
    if member.player.user_id is not None:
        raise Illegal("has_account")
    if member.player_id in (night.host_id, *former_hosts.ids(night)):
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
    _notify_own_devices(member.player)
    return move, secret


def _open() -> QuerySet[DeviceMove]:
    """Return the requests that are neither used nor expired."""
    return DeviceMove.objects.filter(used_at=None, expires_at__gt=datetime.now(UTC))


def _new_number(player: Player) -> str:
    """Return a six-digit number that no other phone shows now.

    Approval is by name and number: two phones with the same number would both be let in.
    """
    if _open().filter(player=player).count() >= MOST_MOVES:
        raise Illegal("too_many_tries", seconds=60 * MOVE_MINUTES)
    taken = set(_open().values_list("number", flat=True))
    while (number := f"{secrets.randbelow(10**6):06}") in taken:
        pass
    return number


def _hash(secret: str) -> str:
    """Return the stored form of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _notify_own_devices(player: Player) -> None:
    """Tell the devices of the guest and of the guest's keepers, after the commit, that a request waits."""
    for player_id in (player.pk, *sorted(without_phone.keepers(player))):
        transaction.on_commit(partial(publication.publish, publication.PlayerAsked(player_id)))


def waiting(night: Night) -> list[Player]:
    """Return the guests with open requests that this night's host has yet to approve.

    This includes requests made at another night by guests of this one. The number is shown
    only on the phone. The host's own requests are left out: only their own device can answer them.
    """
    moves = _open().filter(Q(night=night) | agreement.was_at(night)).exclude(player=night.host_id)
    found = [move.player for move in moves.select_related("player").order_by("pk") if _waits_for(move, night.host_id)]
    return list({player.pk: player for player in found}.values())


def _waits_for(move: DeviceMove, host_id: int) -> bool:
    return not move.is_own and host_id not in move.agreed and move.player.is_guest


def _of_number(moves: QuerySet[DeviceMove], player_id: int, number: str) -> DeviceMove | None:
    """Return a held player's request with a number, or None; a wrong number is counted.

    After MOST_WRONG wrong numbers for a guest the requests are deleted, so that the number cannot be guessed.
    """
    requests = list(moves.filter(player__id=player_id).select_related("player"))
    found = next((move for move in requests if secrets.compare_digest(move.number.encode(), number.encode())), None)
    if found is None:
        ids = [move.pk for move in requests]
        DeviceMove.objects.filter(pk__in=ids).update(wrong=F("wrong") + 1)
        DeviceMove.objects.filter(pk__in=ids, wrong__gte=MOST_WRONG).delete()
    return found


def _answer(is_complete: bool | None) -> bool:
    """Return the answer of an approval; raises `wrong_number` for None, after the commit that counts it."""
    if is_complete is None:
        raise Illegal("wrong_number")
    return is_complete


def approve_move(night: Night, host: Player, player_id: int, number: str) -> bool:
    """Approve, as a host, the phone that shows a number for a guest.

    Returns whether the approval is complete: it is not while hosts of other nights have yet to agree. Raises
    `not_host`, `wrong_number`, `host_not_on_offer`, `gone_player`.
    """
    return _answer(_approve(night, host, player_id, number))


@transaction.atomic
def _approve(night: Night, host: Player, player_id: int, number: str) -> bool | None:
    """Approve a phone as `approve_move`; return None for a wrong number."""
    row_locks.person(player_id)
    night_rights.check_host(row_locks.night(night), host)
    if player_id in (host.pk, *former_hosts.ids(night)):
        raise Illegal("host_not_on_offer")
    move = _of_number(_open().filter(Q(night=night) | agreement.was_at(night)), player_id, number)
    return None if move is None else _agree(move, night, host)


def approve_for(keeper: Player, player_id: int, number: str) -> bool:
    """Approve, as the keeper of a person without a phone, the phone of a request, in place of the host there.

    Returns whether the approval is complete, as `approve_move`. Raises `not_keeper`, `wrong_number`, `gone_player`.
    """
    return _answer(_approve_for(keeper, player_id, number))


@transaction.atomic
def _approve_for(keeper: Player, player_id: int, number: str) -> bool | None:
    """Approve a phone as `approve_for`; return None for a wrong number."""
    row_locks.everywhere(player_id)
    kept_at = without_phone.nights(keeper, player_id)
    if not kept_at:
        raise Illegal("not_keeper")
    move = _of_number(_open(), player_id, number)
    return None if move is None else [_agree(move, night, night.host, by=keeper) for night in kept_at][-1]


@transaction.atomic
def refuse_for(keeper: Player, player_id: int) -> None:
    """Refuse, as the keeper of a person without a phone, all phones that ask for that person; raises `not_keeper`."""
    row_locks.everywhere(player_id)
    if player_id not in without_phone.persons(keeper):
        raise Illegal("not_keeper")
    _refuse(_open().filter(player__id=player_id))


def _agree(move: DeviceMove, night: Night, host: Player, by: Player | None = None) -> bool:
    """Record a host's approval, given by the host or `by` a keeper; a request that needs other hosts waits longer."""
    move.agreed = sorted({*move.agreed, host.pk})
    is_enough = move.is_own or not agreement.missing(move.player, move.agreed)
    if not is_enough:
        move.expires_at = datetime.now(UTC) + timedelta(hours=AGREEMENT_HOURS)
    move.save(update_fields=["agreed", "expires_at"])
    event = "move_approved" if is_enough else "move_agreed"
    record(night, event, actor=by or host, name=move.player.nickname, player=move.player_id)
    return is_enough


def agree_myself(player: Player, number: str) -> None:
    """Approve the phone that shows a number, from the guest's own device; raises `wrong_number`, `gone_player`."""
    _answer(_agree_myself(player, number))


@transaction.atomic
def _agree_myself(player: Player, number: str) -> bool | None:
    """Approve a phone as `agree_myself`; return None for a wrong number."""
    player = row_locks.person(player)
    move = _of_number(_open(), player.pk, number)
    if move is None:
        return None
    move.is_own = True
    move.save(update_fields=["is_own"])
    return True


@transaction.atomic
def refuse_myself(player: Player) -> None:
    """Refuse all phones that ask to continue as a guest, from the guest's own device; raises `gone_player`."""
    _refuse(_open().filter(player=row_locks.person(player)))


@NIGHT.act(
    "refuse_move",
    NightRight.HOST,
    LogLine("move_refused", _("%(name)s does not go on, on another phone: that was refused.")),
    label=_("No"),
    done=_("Refused: nobody else goes on under this name."),
)
@transaction.atomic
def refuse_move(night: Night, host: Player, player_id: RowId) -> None:
    """Refuse, as the host, the phones that ask for a guest at this night; raises `not_host`, `move_gone`."""
    row_locks.person(player_id)
    night_rights.check_host(row_locks.night(night), host)
    if not _refuse(_open().filter(night=night, player__id=player_id)):
        raise Illegal("move_gone")


def _refuse(moves: QuerySet[DeviceMove]) -> int:
    """Delete a held player's requests, and tell each of their nights once; return the number of requests."""
    found = list(moves.select_related("night", "player"))
    DeviceMove.objects.filter(pk__in=[move.pk for move in found]).delete()
    for night, player in {(move.night, move.player) for move in found}:
        record(night, "move_refused", name=player.nickname, player=player.pk)
    return len(found)


def missing_count(secret: str) -> int:
    """Return the number of further hosts that must approve a browser's request; 0 without a request."""
    move = _open().filter(secret_hash=_hash(secret)).select_related("player", "night").first()
    if move is None or move.is_own:
        return 0
    return len(agreement.missing(move.player, [*move.agreed, move.night.host_id]))


@transaction.atomic
def use_move(secret: str) -> Player | None:
    """Return the player of an approved request, once; None while it is not approved.

    The approval is checked at this moment: if the guest has come to another night, hosts one or got an account
    since, earlier approvals may not be enough. After a transfer approved by hosts, other phones must ask again.
    Raises `move_gone`.
    """
    requests = _open().filter(secret_hash=_hash(secret))
    # The hold lets only one phone at a time continue as this player.
    if (player_id := requests.values_list("player", flat=True).first()) is not None:
        row_locks.person(player_id)
    move = requests.select_related("player").first()
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
    """Tell whether hosts have yet to agree, or the guest's own device still has time to answer."""
    is_missing = bool(agreement.missing(move.player, move.agreed))
    return is_missing or agreement.seconds_left(move.player, move.asked_at) > 0

"""Data of a person in nights: memberships, devices, hosting, and names in the night's events."""

from __future__ import annotations

from datetime import datetime

from django.db.models import OuterRef
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.models import DELETED_NAME, DeviceMove, Membership, Night, NightEvent, Player, Series, Venue
from games.services.commands import HOUSE
from games.services.nights import former_hosts, membership, without_phone
from games.services.personal_rooms import (
    BY_ITSELF,
    DAY,
    FOR_GOOD,
    NAMELESS,
    NIGHT,
    UNTIL_YOU,
    WITH_YOU,
    Kept,
    Leaver,
    NoticeRow,
    Traces,
    days_of,
    name_of,
    time_text,
)

# Field of a player id in an event of a night → the fields with that player's names.
_NAMES = {"player": ("name", "to"), "by_player": ("by",)}


def _stop(leaver: Leaver) -> None:
    """End the player's hosting, and pass on the people without phones that the player keeps."""
    leaver.player.hosted.filter(is_practice=True).delete()
    former_hosts.forget(leaver.ids, leaver.nights)
    for night in leaver.nights:
        without_phone.pass_on(night, leaver.player)


def _forget(leaver: Leaver) -> None:
    """Remove the name from the nights' events, and delete memberships and moves of devices."""
    for event in NightEvent.objects.filter(night__in=leaver.nights):
        _clear_event(event, leaver)
    Membership.objects.filter(player=leaver.player).delete()
    DeviceMove.objects.filter(player=leaver.player).delete()


def _clear_event(event: NightEvent, leaver: Leaver) -> None:
    """Remove the name from one event; an old one has no player ids: in it the name decides."""
    before = dict(event.data)
    for role, keys in _NAMES.items():
        is_theirs = event.data.get(role) in leaver.ids
        is_old = role == "player" and not _NAMES.keys() & before.keys()
        for key in keys:
            if key in before and (is_theirs or (is_old and before[key] in leaver.names)):
                event.data[key] = DELETED_NAME
    if event.data != before:
        event.save(update_fields=["data"])


def _join(source: Player, target: Player) -> None:
    """Leave one membership per night; a removal of either counts, but not where one of them hosts or hosted."""
    DeviceMove.objects.filter(player=source).delete()
    kept = {member.night_id: member for member in Membership.objects.filter(player=target)}
    for member in Membership.objects.filter(player=source).select_related("night"):
        other = kept.get(member.night_id)
        if other is None:
            continue
        hosts = {member.night.host_id, *former_hosts.ids(member.night)}
        is_host = not hosts.isdisjoint((source.pk, target.pk))
        statuses = {member.status, other.status} - ({Membership.Status.KICKED} if is_host else set())
        first = (status for status in (Membership.Status.KICKED, Membership.Status.IN) if status in statuses)
        other.status = next(first, other.status)
        other.is_muted |= member.is_muted
        other.is_invited |= member.is_invited
        other.gone_at = other.gone_at and member.gone_at
        other.save(update_fields=["status", "is_muted", "is_invited", "gone_at"])
        member.delete()


def _joined(source: Player, target: Player) -> None:
    """Set right what follows from the joined memberships: former hosts, keepers, and seats after a removal."""
    former_hosts.join(source.pk, target.pk)
    members = Membership.objects.filter(player=target)
    if source.user_id or target.user_id or members.filter(keeper=None).exists():
        # One of the two has a phone.
        members.update(keeper=None)
    for member in members.filter(status=Membership.Status.KICKED).select_related("night"):
        membership.LEFT.tell(member.night, target.pk, HOUSE)


def _own(player: Player) -> JsonObject:
    rows = Membership.objects.filter(player=player).select_related("night", "keeper")
    return {"nights": [_night(row) for row in rows.order_by("joined_at", "pk")]}


def _night(row: Membership) -> JsonObject:
    return {
        "night": row.night.public_id,
        "name": row.night.name,
        "joined_at": time_text(row.joined_at),
        "gone_at": time_text(row.gone_at),
        "status": row.status,
        "host": row.night.host_id == row.player_id,
        "hosted_before": row.player_id in former_hosts.ids(row.night),
        "opened": row.night.opened_by_id == row.player_id,
        "keeps_kitty": row.night.kitty_holder_id == row.player_id,
        "keeper": name_of(row.keeper),
        "muted": row.is_muted,
        "invited": row.is_invited,
    }


def _traces(guest: OuterRef, before: datetime) -> Traces:
    """Return the nights that a guest hosts, is at or came to lately, or must still be recognised at as removed."""
    own = Membership.objects.filter(player=guest)
    return (
        Night.objects.filter(host=guest),
        own.filter(joined_at__gte=before),
        own.exclude(night__status=Night.Status.CLOSED),
        own.filter(status=Membership.Status.KICKED, night__closed_at__gte=before),
    )


_SAID = (
    NoticeRow(
        _("Which nights you were at, from when until when, and whether you were muted or shown the door there"),
        {Membership: "night player status keeper is_muted is_invited joined_at gone_at"},
        _("so that the night knows who is there, and you find your evenings again"),
        NIGHT,
        UNTIL_YOU,
        WITH_YOU,
        ("nights",),
    ),
    NoticeRow(
        _("Which nights you hosted or opened, and whether you keep the kitty"),
        {Night: "name host former_hosts opened_by kitty_holder"},
        _("so that somebody is there who decides"),
        NIGHT,
        FOR_GOOD,
        NAMELESS,
    ),
    NoticeRow(
        _("News of a night: who came, went, has another name"),
        {NightEvent: "type data"},
        _("so that everybody sees what happens"),
        NIGHT,
        days_of("KEEP_CHAT_DAYS"),
        BY_ITSELF,
    ),
    NoticeRow(
        _("The Wi-Fi that you entered for your guests; its password encrypted"),
        {
            Night: "wifi_name wifi_sealed wifi_password phone_address",
            Series: "wifi_name wifi_sealed",
        },
        _("so that guests reach the house"),
        NIGHT,
        _("until the night closes or the series ends: then its key is thrown away"),
        BY_ITSELF,
    ),
    NoticeRow(
        _("That you want to go on with another phone"),
        {DeviceMove: "night player number secret_hash agreed is_own wrong asked_at expires_at used_at"},
        _("so that nobody goes on in your name but you"),
        _("you and the night's host"),
        DAY,
        BY_ITSELF,
    ),
)
KEPT = Kept((Night, Membership, DeviceMove, Venue), _stop, _forget, _join, _joined, _own, _traces, said=_SAID)

"""Deletion of a person's data; results stay, without a name.

The name is removed from the stored rows themselves, including the house's events in the logs,
so that no code that reads them has to hide it (docs/decisions/deleted-names.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games.kernel.contract import Illegal, JsonObject
from games.models import (
    DELETED_NAME,
    AuditEntry,
    ChatMessage,
    DeviceMove,
    DiceTally,
    HistoryClaim,
    HouseRules,
    HouseRulesVersion,
    KeptLine,
    LogEntry,
    Membership,
    Night,
    NightEvent,
    Player,
    Result,
    ResultLine,
    Seat,
    SentForm,
    Table,
    Tally,
)
from games.services import audit, holds, log_files
from games.services.calendar import all_series
from games.services.history import corrections
from games.services.mails import wishes
from games.services.nights import former_hosts, without_phone
from games.services.payments import erasure
from games.services.people import players
from games.services.seasons import entrants
from games.services.seats.seats import drop_seat
from games.services.tables import publication
from games.services.tables.commands import Actor, Request, new_command_id
from games.services.tables.commit import submit
from games.services.tournaments import tournaments

# Field of a player id in an event of a night → the fields with that player's names.
_NAMES = {"player": ("name", "to"), "by_player": ("by",)}


def check(player: Player) -> None:
    """Raise Illegal if a player cannot be deleted now.

    `gone_player`, `hosts_a_night` (with its `night`: close it or hand it over first), and
    `staff_account` for accounts of staff, whose acts must keep a name.
    """
    if not player.is_somebody:
        raise Illegal("gone_player")
    if player.user is not None and player.user.is_staff:
        raise Illegal("staff_account")
    hosted = player.hosted.filter(is_practice=False).exclude(status=Night.Status.CLOSED).first()
    if hosted is not None:
        raise Illegal("hosts_a_night", night=hosted.name)


@transaction.atomic
def delete(player: Player, by: AbstractBaseUser | None = None) -> None:
    """Delete a player's account, chat and name, wherever they are stored; raises as `check`.

    `by` is a user of the staff acting for the player, for the audit.
    """
    (player,), _nights = holds.everywhere(player)
    check(player)
    ids = {player.pk, *players.joined_to(player.pk)}
    player.hosted.filter(is_practice=True).delete()
    nights = list(Night.objects.filter(memberships__player=player))
    former_hosts.forget(ids, nights)
    for night in nights:
        without_phone.pass_on(night, player)
    touched = _stand_up(player)
    names = _names_of(player, ids)
    _clear_events(nights, ids, names)
    found = Table.objects.filter(night__in=nights) | Table.objects.filter(
        pk__in=LogEntry.objects.filter(actor=player).values("table")
    )
    for table_id in set(found.values_list("pk", flat=True)) | log_files.acted_at(ids):
        log_files.bring_back(table_id)
        _clear_log(table_id, ids)
    _clear_rows(player, ids, nights, names)
    _clear_person(player, ids)
    entrants.forget(player)
    tournaments.forget(ids)
    all_series.forget(player)
    wishes.forget(player)
    erasure.forget(player)
    corrections.go_on_without(player)
    if by is not None:
        audit.note("player_deleted", by, DELETED_NAME, player=player.pk)
    news: list[publication.News] = [publication.PlayerChanged(player.pk)]
    news += [publication.TableTouched(table.pk, table.public_id) for table in touched]
    news += [publication.NightTouched(night.pk, night.public_id) for night in nights]
    publication.publish_later(*news)


def _stand_up(player: Player) -> list[Table]:
    """Free the player's seats at tables that are not over; return all the player's tables."""
    seats = list(Seat.objects.filter(player=player).select_related("table__night"))
    for seat in seats:
        if seat.table.status == Table.Status.LOBBY:
            drop_seat(seat)
        elif seat.table.is_running:
            request = Request("table.leave", {}, new_command_id())
            submit(seat.table_id, Actor(player.pk), request)
    return [seat.table for seat in seats]


def _names_of(player: Player, ids: Iterable[int]) -> set[str]:
    """Return the names that a player has had; the audit knows those under which a host entered a result."""
    names = set(Player.objects.filter(pk__in=ids).values_list("nickname", flat=True))
    names |= set(AuditEntry.objects.filter(player=player).values_list("actor_name", flat=True))
    names |= set(Seat.objects.filter(player=player).values_list("name", flat=True))
    return names | set(ResultLine.objects.filter(player=player).values_list("name", flat=True))


def _clear_events(nights: list[Night], ids: set[int], names: set[str]) -> None:
    """Remove the name from the nights' events.

    Old events have no player ids: in these the name decides.
    """
    for event in NightEvent.objects.filter(night__in=nights):
        before = dict(event.data)
        for role, keys in _NAMES.items():
            is_theirs = event.data.get(role) in ids
            is_old = role == "player" and not _NAMES.keys() & before.keys()
            for key in keys:
                if key in before and (is_theirs or (is_old and before[key] in names)):
                    event.data[key] = DELETED_NAME
        if event.data != before:
            event.save(update_fields=["data"])


def _clear_log(table_id: int, ids: set[int]) -> None:
    """Remove the name from a table's log: only events of the house contain it, in entries of any command.

    `by_player` of an event is who entered it, or accepted the rules, for another person.
    """
    sitting: dict[int, str] = {}
    for entry in LogEntry.objects.filter(table_id=table_id).order_by("seq").iterator():
        before = repr(entry.events)
        for event in entry.events:
            if event["type"] == "table.started":
                for index, seat in enumerate(event["data"]["seats"]):
                    _clear_seat(seat, index, ids, sitting)
            elif event["type"] == "table.scorekeeper_named" and event["data"]["player"] in ids:
                event["data"]["name"] = DELETED_NAME
            elif isinstance(event["data"].get("seat"), int) and event["type"].startswith("table."):
                _clear_seat(event["data"], event["data"]["seat"], ids, sitting)
            if event["data"].get("by_player") in ids:
                event["data"]["by"] = DELETED_NAME
        if repr(entry.events) != before:
            entry.save(update_fields=["events"])
    for index, name in sitting.items():
        # An empty seat may still have the name of the player that left it.
        Seat.objects.filter(table_id=table_id, index=index, player=None, name=name).update(name=DELETED_NAME)


def _clear_seat(data: JsonObject, index: int, ids: set[int], sitting: dict[int, str]) -> None:
    """Remove the name from an event about a seat; `sitting` maps the player's seats to the name used there."""
    if index in sitting and data.get("before") == sitting[index]:
        data["before"] = DELETED_NAME
    if data.get("player") in ids:
        sitting[index] = data["name"]
        data["name"] = DELETED_NAME
    elif "player" in data:
        sitting.pop(index, None)
    elif index in sitting and data.get("name") == sitting[index]:
        data["name"] = DELETED_NAME


def _clear_rows(player: Player, ids: set[int], nights: list[Night], names: set[str]) -> None:
    """Remove the name from seats, results, house rules and the audit; chat is deleted."""
    ChatMessage.objects.filter(player=player).delete()
    KeptLine.objects.filter(player=player).delete()
    Seat.objects.filter(player=player).update(name=DELETED_NAME)
    lines = ResultLine.objects.filter(player=player)
    lines.update(name=DELETED_NAME)
    lines.filter(consent=ResultLine.Consent.ASKED).update(consent=ResultLine.Consent.REFUSED)
    rules = HouseRules.objects.filter(owner=player)
    for field in ("created_by", "updated_by"):
        rules.filter(**{f"{field}__in": names}).update(**{field: DELETED_NAME})
    versions = HouseRulesVersion.objects.filter(rules__owner=player, by_name__in=names)
    versions.update(by_name=DELETED_NAME)
    corrected = Result.objects.filter(table__night__in=nights, by_name__in=names)
    corrected.update(by_name=DELETED_NAME)
    Result.objects.filter(author=player).update(by_name=DELETED_NAME)
    AuditEntry.objects.filter(player=player).update(actor_name=DELETED_NAME)
    for entry in AuditEntry.objects.filter(data__player__in=ids):
        entry.subject = DELETED_NAME
        entry.data.pop("reason", None)
        entry.save(update_fields=["subject", "data"])
    for entry in AuditEntry.objects.filter(data__account=str(player.user or "")):
        entry.data["account"] = DELETED_NAME
        entry.save(update_fields=["data"])


def _clear_person(player: Player, ids: set[int]) -> None:
    """Delete the account and leave a row without a name, to which results can refer."""
    Tally.objects.filter(player=player).delete()
    DiceTally.objects.filter(player=player).delete()
    Membership.objects.filter(player=player).delete()
    DeviceMove.objects.filter(player=player).delete()
    SentForm.objects.filter(player=player).delete()
    HistoryClaim.objects.filter(guest=player).delete()
    HistoryClaim.objects.filter(account=player).delete()
    user: Any = player.user
    cleared: dict[str, Any] = {"nickname": DELETED_NAME, "language": "", "user": None}
    Player.objects.filter(pk__in=ids).update(**cleared)
    Player.objects.filter(pk=player.pk).update(deleted_at=datetime.now(UTC))
    if user is not None:
        user.delete()

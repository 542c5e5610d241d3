"""Data of a person in logs: the acts, and names in the house's events of a table."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

from django.db.models import OuterRef
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import CORRECT, CORRECT_RESULT, JsonObject
from games.models import DELETED_NAME, STRUCK, LogEntry, LogFile, Player, Result, Seat, Table
from games.services.people import players
from games.services.personal_rooms import FOR_GOOD, NAMELESS, TABLE, Kept, Leaver, NoticeRow, Traces, time_text
from games.services.storage import log_files
from games.services.tables import log


def _forget(leaver: Leaver) -> None:
    """Remove the name from the logs of all tables of the player's nights, and of all tables where the player acted."""
    found = Table.objects.filter(night__in=leaver.nights) | Table.objects.filter(
        pk__in=LogEntry.objects.filter(actor=leaver.player).values("table")
    )
    for table_id in set(found.values_list("pk", flat=True)) | log_files.acted_at(leaver.ids):
        log_files.bring_back(table_id)
        _clear_log(table_id, leaver.ids)
        _strike_reasons(table_id, leaver)


def _clear_log(table_id: int, ids: Collection[int]) -> None:
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


def _clear_seat(data: JsonObject, index: int, ids: Collection[int], sitting: dict[int, str]) -> None:
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


def _strike_reasons(table_id: int, leaver: Leaver) -> None:
    """Strike the reasons of corrections in a table's log that the person wrote, or that name the person.

    They stand in the game's own events, and by these in its state and its results.
    """
    of_person = Result.objects.filter(table=table_id, is_correction=True, by_name__in=leaver.names)
    written = set(of_person.values_list("seq", flat=True))
    struck = []
    for entry in LogEntry.objects.filter(table_id=table_id, command__name__in=(CORRECT, CORRECT_RESULT)):
        reason = entry.command["args"].get("reason", "")
        if entry.actor_id in leaver.ids or entry.seq in written or leaver.is_named_in(reason):
            entry.command = _without_reason(entry.command, reason)
            entry.events = _without_reason(entry.events, reason)
            entry.save(update_fields=["command", "events"])
            struck.append(entry.seq)
    if struck:
        Result.objects.filter(table=table_id, seq__in=struck).update(note=STRUCK)
        log.read_anew(table_id)


def _without_reason(value: Any, reason: str) -> Any:
    """Return JSON with `[struck]` in place of a reason, wherever that is the whole of a text."""
    if isinstance(value, dict):
        return {key: _without_reason(each, reason) for key, each in value.items()}
    if isinstance(value, list):
        return [_without_reason(each, reason) for each in value]
    return STRUCK if value == reason else value


def _own(player: Player) -> JsonObject:
    entrusted = Table.objects.filter(scorekeeper=player).order_by("pk").values_list("public_id", flat=True)
    return {"commands": [_command(row) for row in _entries(player)], "scorekeeper_of": list(entrusted)}


def _entries(player: Player) -> Iterator[LogEntry]:
    rows = LogEntry.objects.filter(actor=player).select_related("table")
    rows = rows.only("table__public_id", "seq", "seat", "command", "created_at")
    yield from rows.order_by("table", "seq").iterator(chunk_size=1000)
    # A file keeps the ids of players who have been merged into this one since.
    ids = {player.pk, *players.joined_to(player.pk)}
    for table in Table.objects.filter(pk__in=log_files.acted_at([player.pk])):
        for row in log_files.rows(table.pk):
            if row.actor_id in ids:
                row.table = table
                yield row


def _command(row: LogEntry) -> JsonObject:
    return {
        "table": row.table.public_id,
        "seq": row.seq,
        "at": time_text(row.created_at),
        "seat": row.seat,
        "command": row.command,
    }


def _traces(guest: OuterRef, before: datetime) -> Traces:
    """Return the entries of logs that a guest made."""
    return (LogEntry.objects.filter(actor=guest), LogFile.objects.filter(actors=guest))


_SAID = (
    NoticeRow(
        _("Everything that you do at a table, with its time"),
        {
            LogEntry: "command_id command actor events dice throw",
            LogFile: "name",
            Table: "state scorekeeper",
        },
        _("so that a game can be shown again and checked, and counts once"),
        TABLE,
        FOR_GOOD,
        NAMELESS,
        ("commands", "scorekeeper_of"),
    ),
)
KEPT = Kept(
    (Table, LogEntry, LogFile), forget=_forget, join=log_files.join_actors, own=_own, traces=_traces, said=_SAID
)

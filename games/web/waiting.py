"""Corrections that wait for somebody to agree, as the results page of a night shows them."""

from __future__ import annotations

from typing import Any

from games.models import Night, Player, ResultLine, Table


def waiting(night: Night, player: Player) -> list[dict[str, Any]]:
    """Return the corrections of a night that wait, as its results page shows them to a player."""
    tables = night.tables.exclude(corrections=[]).only("public_id", "corrections", "game_id", "number")
    return [_waiting(table, each, player, night.host_id) for table in tables for each in table.corrections]


def _waiting(table: Table, found: dict[str, Any], player: Player, host_id: int) -> dict[str, Any]:
    lines = {line.seat: line for line in ResultLine.objects.filter(result_id=found["result"])}
    asked = [lines[seat] for seat in found["waiting"] if seat in lines]
    own = lines.get(found["seat"])
    return {
        "table": table,
        "id": found["id"],
        "by": own,
        "moves": [(lines[int(seat)], n) for seat, n in found["points"].items() if int(seat) in lines],
        "reason": found["reason"],
        "asked": asked,
        "may_agree": player.pk == host_id or any(line.player_id == player.pk for line in asked),
        "is_own": own is not None and own.player_id == player.pk,
    }

"""Snapshots of tables that are in no database."""

from __future__ import annotations

from typing import Any

from games.services.tables.snapshot import TableSnapshot


def made(game: str, seq: int, state: Any, **more: Any) -> TableSnapshot:
    """Return the snapshot of a table that is played."""
    about = {"table_id": 1, "public_id": "t", "night_id": 1, "dice_seed": "", "dice_salt": "", "dice_drawn": 0}
    kept = {"status": "playing", "clocks": {}, "state_seq": 0}
    return TableSnapshot(**{"game_id": game, "seq": seq, "state": state, **about, **kept, **more})

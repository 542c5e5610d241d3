"""The tables of the database. `games.services` is the only writer."""

from games.models.night import DeviceMove, Membership, Night, NightEvent
from games.models.player import Player
from games.models.result import Result, ResultLine
from games.models.table import ChatMessage, LogEntry, Seat, Table

__all__ = [
    "ChatMessage",
    "DeviceMove",
    "LogEntry",
    "Membership",
    "Night",
    "NightEvent",
    "Player",
    "Result",
    "ResultLine",
    "Seat",
    "Table",
]

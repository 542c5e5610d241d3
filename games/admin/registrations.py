"""The models of the admin: importing this module registers them."""

from games.admin.tournaments import tournaments

__all__ = [
    *("accounts", "audit", "house_rules", "log", "nights", "players", "results", "screens", "tables", "tokens"),
    "tournaments",
]

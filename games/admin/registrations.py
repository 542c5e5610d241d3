"""The models of the admin: importing this module registers them."""

from games.admin import accounts, audit, house_rules, log, nights, players, results, screens, tables, tokens
from games.admin.organisers import seasons, series, tournaments

__all__ = [
    "accounts", "audit", "house_rules", "log", "nights", "players", "results", "screens", "seasons", "series", "tables",
    "tokens", "tournaments",
]  # fmt: skip

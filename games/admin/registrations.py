"""The models of the admin: importing this module registers them."""

from games.admin import accounts, audit, house_rules, log, nights, players, results, screens, tables, tokens
from games.admin.tournaments import tournaments

__all__ = ["accounts", "audit", "house_rules", "log", "nights", "players", "results", "screens", "tables"]
__all__ += ["tokens", "tournaments"]

"""What may be done how often: one declaration for the site, the API and the sockets.

`LIMITS` says what is counted and for whom; how many a minute is in REST_FRAMEWORK's
DEFAULT_THROTTLE_RATES, under the same names. Whoever is known counts for themselves, by player
and else by account, however they ask (page, token, socket): a pub behind one address is locked
out by nobody. Only those who say nothing of themselves count by address, an IPv6 one with its
whole network (/64). The refusal is `too_many` (429) everywhere; guessing (games/services/doors.py,
games/web/throttle.py) is told as `too_many_tries`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.addresses import network_of
from games.services import doors, tries

LIMITS: Mapping[str, str] = {
    "command": "whatever changes something, by a page or the API",
    "asker": "pages and addresses of the API that somebody known reads",
    "anonymous": "addresses of the API that somebody unknown reads",
    "stranger": "pages that somebody unknown reads: a whole pub may come in at once",
    "rename": "other nicknames: each is a line in everybody's news",
    "night": "nights that are opened",
    "table": "tables that are opened",
    "rules": "changes of house rules",
    "correction": "corrections of results",
    "chat": "lines of chat",
    "heavy": "pages that are worked out over many results",
    "export": "files that are made",
}
WRITES: Mapping[str, tuple[str, ...]] = {
    "host": ("night",),
    "api_nights": ("night",),
    "new_table": ("table",),
    "api_night_tables": ("table",),
    "table_act/again": ("table",),
    "api_table_again": ("table",),
    "rule_new": ("rules",),
    "rule_change": ("rules",),
    "rule_import": ("rules",),
    "rule_act": ("rules",),
    "rule_policy": ("rules",),
    "correct": ("correction",),
    "api_result_corrections": ("correction",),
    "answer_correction": ("correction",),
    "api_table_correction": ("correction",),
    "my_data_file": ("export",),
}
"""Address name (for an act: with the act) → what a POST to it counts as, besides `command`."""
READS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("night_results", "api_night_leaderboard", "player", "leaders", "players"), ("heavy",)),
    **dict.fromkeys(("api_player", "api_player_results", "api_player_rivals", "api_results"), ("heavy",)),
    **dict.fromkeys(("api_players", "api_leaderboard", "api_night_files", "api_table_files"), ("heavy",)),
    **dict.fromkeys(("replay", "replay_frames", "api_table_replay", "dice_check"), ("heavy",)),
    **dict.fromkeys(("night_file", "table_file", "table_log", "rule_export"), ("export",)),
    **dict.fromkeys(("api_night_file", "api_table_file"), ("export",)),
}
"""Address name → what reading it counts as. All of these wait their turn (games/turns.py)."""
LOOKS = {"rules_preview"}
"""Addresses that take a form and change nothing."""
SAFE = {"GET", "HEAD", "OPTIONS"}


def general(method: str, url_name: str, who: str) -> str:
    """Return the limit that any request of the site counts for."""
    if who.startswith("address-"):
        return "stranger"
    return "asker" if method in SAFE or url_name in LOOKS else "command"


def of(method: str, url_name: str, parts: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the limits of a request that its address has besides the general ones."""
    if method in SAFE:
        return READS.get(url_name, ())
    return WRITES.get(url_name) or WRITES.get(f"{url_name}/{parts.get('act', '')}", ())


def is_heavy(method: str, url_name: str, parts: Mapping[str, Any]) -> bool:
    """Tell whether a request takes much of the processor."""
    return bool({"heavy", "export"} & set(of(method, url_name, parts)))


def whose(player: Any, account: Any, address: str) -> str:
    """Return who is counted: a player, an account that has none yet, else an address."""
    if player is not None:
        return f"player-{player.pk}"
    if account is not None and account.is_authenticated:
        return f"account-{account.pk}"
    return f"address-{network_of(address)}"


def spend(name: str, who: str) -> None:
    """Count something; raises Illegal `too_many` (with `seconds`) for more than a minute has."""
    tries.spend(f"limit:{name}:{who}", doors.allowed(name))

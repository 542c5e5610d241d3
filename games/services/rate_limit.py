"""Rate limits: the number of requests per minute, for pages, the API and sockets alike.

The numbers are in REST_FRAMEWORK's DEFAULT_THROTTLE_RATES, by the limit's name; this module decides which
limits a request counts for. Known players count by player, else by account, on every way in (page, token,
socket), so that guests behind a pub's single address do not lock each other out. Only unknown browsers
count by address, an IPv6 one with its network (/64).

The counters are in Django's cache, which all processes share if REDIS_URL is set. A window of a minute, or of an
hour where the rate says so, begins with the first count. `spend` refuses with `too_many`; `check` and `note`, for
guesses such as room codes, with `too_many_tries` (both 429, with the `seconds` to wait).
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Mapping
from typing import Any, cast

from django.conf import settings
from django.core.cache import cache

from games.addresses import network_of
from games.kernel.contract import Illegal
from games.ops import logs

logger = logging.getLogger(__name__)

WINDOW_SECONDS = 60
_WINDOWS = {"min": WINDOW_SECONDS, "hour": 3600}

WRITES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("host", "api_nights"), ("night",)),
    **dict.fromkeys(
        ("new_table", "practice", "study", "api_night_tables", "table_act/again", "api_table_again"), ("table",)
    ),
    **{"api_table_acts/again": ("table",), "api_date_acts/answer": ("answer",)},
    **dict.fromkeys(
        ("rule_new", "rule_change", "rule_import", "rule_act", "rule_policy", "api_rules_acts"), ("rules",)
    ),
    **dict.fromkeys(("season_new", "season_change", "season_rules", "season_act", "season_request"), ("season",)),
    "season_name": ("season",),
    **dict.fromkeys(("season_sheet_read", "season_sheet_columns", "season_sheet_names"), ("season", "heavy")),
    **dict.fromkeys(("series_new", "series_change", "series_act", "date_act"), ("season",)),
    **dict.fromkeys(("series_webhooks", "night_webhooks", "webhook_act"), ("season",)),
    **dict.fromkeys(("date_act/open", "api_date_acts/open"), ("season", "night")),
    **dict.fromkeys(("date_answer", "mail_answer"), ("answer",)),
    **dict.fromkeys(("season_proposal", "season_asked", "season_entry"), ("season",)),
    **dict.fromkeys(("api_all_series", "api_season_acts", "api_series_acts", "api_date_acts"), ("season",)),
    **dict.fromkeys(("api_webhook_acts", "api_night_acts/add_webhook"), ("season",)),
    **dict.fromkeys(("correct", "api_result_corrections", "past_game", "api_night_past_games"), ("correction",)),
    **dict.fromkeys(("answer_correction", "api_table_correction"), ("correction",)),
    **dict.fromkeys(("past_night", "api_past_games"), ("correction", "night")),
    **dict.fromkeys(("answer_past_game", "answer_evening", "api_result_consent"), ("correction",)),
    "screen_letters": ("screen",),
    "my_data_file": ("export",),
    **dict.fromkeys(("my_match_bring", "api_my_matches"), ("match_file",)),
    **dict.fromkeys(("study_engine", "position_keep"), ("engine",)),
    "api_table_grades_deeper": ("deeper",),
    "api_table_proposal": ("proposal",),
}
"""URL name (for an act: "name/act") → the limits that a POST to it counts for, besides `command`."""
READS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("night_results", "api_night_leaderboard", "player", "leaders", "players"), ("heavy",)),
    **dict.fromkeys(("api_player", "api_player_results", "api_player_rivals", "api_results"), ("heavy",)),
    **dict.fromkeys(("api_players", "api_leaderboard", "api_night_files", "api_table_files"), ("heavy",)),
    **dict.fromkeys(("replay", "replay_frames", "api_table_replay", "dice_check"), ("heavy",)),
    **dict.fromkeys(("my_play", "player_figures", "season_figures", "api_season_figures"), ("heavy",)),
    **dict.fromkeys(("my_quiz", "api_my_quiz", "my_match", "api_my_match"), ("heavy",)),
    "my_match_file": ("export",),
    **dict.fromkeys(("shared", "shared_picture", "api_shared"), ("heavy",)),
    **dict.fromkeys(("house_dice", "player_dice", "table_dice"), ("heavy",)),
    **dict.fromkeys(("season", "season_live", "api_season", "api_season_share", "api_schema"), ("heavy",)),
    **dict.fromkeys(("season_sheet", "season_sheet_columns", "season_sheet_names"), ("heavy",)),
    **dict.fromkeys(("house_rolls", "player_rolls"), ("export",)),
    **dict.fromkeys(("night_file", "table_file", "table_log", "rule_export"), ("export",)),
    **dict.fromkeys(("api_night_file", "api_table_file", "season_csv"), ("export",)),
    **dict.fromkeys(("tournament_csv", "tournament_draws_file"), ("export",)),
}
"""URL name → the limits that reading it counts for. All of these wait for a permit
(games/ops/requests/page_threads.py).
"""
LINKS: Mapping[str, str] = {
    **dict.fromkeys(("join_link", "move_ask", "move_wait", "move_use"), "join"),
    **dict.fromkeys(("tv", "tv_live"), "tv"),
}
"""URL name of a night's link → its kind. With a right token they count by night and kind, for the limit `link`."""
SCREENS = {"screen", "screen_live", "screen_letters"}
"""URL names of what screens of the house ask for: those that were taken in count each for the limit `link`."""
KEPT = {"jsi18n", "manifest"}
"""URL names of what every page loads and the house has ready: refusing it would cost more than giving it."""
COMMANDS: Mapping[str, str] = {
    "table.dice_tip": "dice_tip",
    **dict.fromkeys(("table.join", "table.leave"), "coming"),
    "table.nudge": "nudge",
}
"""Command that its sender may repeat without end → its limit. Those of a game end with the game's own rules."""
READING_FORMS = {"rules_preview", "past_points"}
"""URL names that take a form and change nothing."""
SAFE = {"GET", "HEAD", "OPTIONS"}


# Which limits a request counts for


def subject(player: Any, account: Any, address: str) -> str:
    """Return the key to count by: a player, an account that has none yet, else an address."""
    if player is not None:
        return f"player-{player.pk}"
    if account is not None and account.is_authenticated:
        return f"account-{account.pk}"
    return f"address-{network_of(address)}"


def general(method: str, url_name: str, counted_by: str) -> str:
    """Return the limit that every request for a page counts for."""
    if counted_by.startswith("address-"):
        return "stranger"
    return "asker" if method in SAFE or url_name in READING_FORMS else "command"


def link(night: Any, kind: str, counted_by: str) -> str:
    """Return the key by which a night's link with a right token is counted for a stranger."""
    return f"{kind}-{night.pk}-{counted_by}"


def special(method: str, url_name: str, kwargs: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the limits that a request counts for besides the general one."""
    if method in SAFE:
        return READS.get(url_name, ())
    return WRITES.get(f"{url_name}/{kwargs.get('act', '')}") or WRITES.get(url_name, ())


def is_heavy(method: str, url_name: str, kwargs: Mapping[str, Any]) -> bool:
    """Tell whether a request takes much processor time."""
    return bool({"heavy", "export"} & set(special(method, url_name, kwargs)))


# Counting


def spend_command(name: str, player_id: int | None) -> None:
    """Count a command of a player; raises Illegal `too_many`. The house's own are not counted."""
    limit = COMMANDS.get(name)
    if limit is not None and player_id is not None:
        spend(limit, f"player-{player_id}")


def rate(name: str) -> tuple[int, int]:
    """Return the number that the settings allow, and the seconds of its window ("10/min", "60/hour")."""
    rates: dict[str, str] = cast("Any", settings.REST_FRAMEWORK)["DEFAULT_THROTTLE_RATES"]
    count, _slash, window = rates[name].partition("/")
    return int(count), _WINDOWS[window]


def per_minute(name: str) -> int:
    """Return the number of a limit per window, which is a minute for most."""
    return rate(name)[0]


def spend(name: str, counted_by: str) -> None:
    """Count a request; raises Illegal `too_many` if a minute's limit is exceeded.

    Refused requests count, too, so that a flood stays refused.
    """
    if note(name, counted_by) > per_minute(name):
        raise Illegal("too_many", seconds=_seconds_left(name, counted_by))


def check(name: str, counted_by: str) -> None:
    """Raise Illegal `too_many_tries` if a minute's tries are used up; counts nothing."""
    if cache.get(_key(name, counted_by), 0) >= per_minute(name):
        logs.note_attack(logger, name)
        raise Illegal("too_many_tries", seconds=_seconds_left(name, counted_by))


def note(name: str, counted_by: str) -> int:
    """Count a request; return the number in its window.

    Incrementing is one atomic step of the cache, so simultaneous requests are all counted.
    """
    key, seconds = _key(name, counted_by), rate(name)[1]
    if cache.add(key, 0, seconds):
        _begin_window(key, seconds)
    try:
        return int(cache.incr(key))
    except ValueError:
        # The window ended between the two steps: this request is the first of the next one.
        cache.set(key, 1, seconds)
        _begin_window(key, seconds)
        return 1


def _key(name: str, counted_by: str) -> str:
    return f"limit:{name}:{counted_by}"


def _begin_window(key: str, seconds: int) -> None:
    cache.set(f"{key}:until", time.time() + seconds, seconds)


def _seconds_left(name: str, counted_by: str) -> int:
    left: float = cache.get(f"{_key(name, counted_by)}:until", 0.0) - time.time()
    return min(max(1, math.ceil(left)), rate(name)[1])

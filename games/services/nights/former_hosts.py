"""Former hosts of a night: hosts that were replaced while they were away, and the new host's limits.

`Night.former_hosts` holds {"player": id, "at": milliseconds of the house's time}, the earliest first. It is read with
the host in one row, so that no other act comes between the two. It binds the night and not a person: handing the night
on frees nobody. Once a former host is host again, their entry and all later ones are gone.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Night, Player
from games.services import server_time
from games.services.acts import LogLine

HANDED_OVER = LogLine("host_changed", _("%(name)s is the host now."), _("handed the night over"))

EVENING_MS = 12 * 60 * 60 * 1000
"""The time in which a former host may take the night back."""
TRIAL_MS = 15 * 60 * 1000
"""The time after a take-over in which the new host ends nothing and changes no result."""


def change_host(night: Night, player: Player) -> None:
    """Make a player the host of a locked night; the player counts as present for the moment."""
    night.former_hosts = _before(night, player.pk)
    _write_host(night, player)


def take_from_host(night: Night, player: Player) -> None:
    """Make a player the host of a locked night in place of one who is away."""
    entry = {"player": night.host_id, "at": server_time.now_ms()}
    kept = _before(night, player.pk)
    if player.pk not in ids(night) and not is_nobodys(night):
        kept = [*kept, entry]
    night.former_hosts = kept
    _write_host(night, player)


def _before(night: Night, player_id: int) -> list[dict[str, int]]:
    """Return the entries before a player's own: all if the player has none."""
    found, entries = ids(night), list(night.former_hosts)
    return entries[: found.index(player_id)] if player_id in found else entries


def _write_host(night: Night, player: Player) -> None:
    night.host, night.host_away_since, night.host_seen_at = player, None, server_time.now()
    night.save(update_fields=["host", "host_away_since", "host_seen_at", "former_hosts"])


def ids(night: Night) -> list[int]:
    """Return the ids of a night's former hosts, the earliest first."""
    return [entry["player"] for entry in night.former_hosts]


def is_nobodys(night: Night) -> bool:
    """Tell whether the host is an account that nobody can log in to, as the demo's."""
    return night.host.user is not None and not night.host.user.is_active


def may_reclaim(night: Night, player_id: int) -> bool:
    """Tell whether a player may be host again without being asked: that evening, while the night is not closed."""
    since = server_time.now_ms() - EVENING_MS
    is_open = night.status != Night.Status.CLOSED
    return is_open and any(each["player"] == player_id and each["at"] > since for each in night.former_hosts)


def check_stays(night: Night, player_id: int) -> None:
    """Raise Illegal `former_host_stays` for a player who may take the night back."""
    if may_reclaim(night, player_id):
        raise Illegal("former_host_stays")


def trial_minutes(night: Night) -> int:
    """Return the minutes left, rounded up, in which the host ends nothing and changes no result; 0 without any."""
    if not night.former_hosts:
        return 0
    left: int = night.former_hosts[-1]["at"] + TRIAL_MS - server_time.now_ms()
    return max(0, -(-left // 60_000))


def check_trial(night: Night) -> None:
    """Raise Illegal `taken_over_lately` while the host of a night may end nothing and change no result."""
    if minutes := trial_minutes(night):
        raise Illegal("taken_over_lately", minutes=minutes)


def has_hosted(player_id: int, nights: Iterable[Night]) -> bool:
    """Tell whether a night was taken over from a player who has not been its host again."""
    return any(player_id in ids(night) for night in nights)


def forget(player_ids: Iterable[int], nights: Iterable[Night]) -> None:
    """Remove players that are gone, or banned, from the former hosts of nights."""
    gone = set(player_ids)
    for night in nights:
        if gone & set(ids(night)):
            night.former_hosts = [each for each in night.former_hosts if each["player"] not in gone]
            night.save(update_fields=["former_hosts"])


def join(source_id: int, target_id: int) -> None:
    """Have the player `target_id` stand for `source_id`, who was merged into it, both held everywhere."""
    for night in Night.objects.filter(memberships__player=target_id).exclude(former_hosts=[]):
        if not {source_id, target_id} & set(ids(night)):
            continue
        for each in night.former_hosts:
            each["player"] = target_id if each["player"] == source_id else each["player"]
        if night.host_id in (source_id, target_id):
            night.former_hosts = _before(night, target_id)
        night.save(update_fields=["former_hosts"])

"""Succession: the order and the times in which members may take over a night without its host.

Pure: times come in and go out. Those with a seat at a running table come first, the longest there before the others,
then the members without one by the time they came: of both, those that were members before the host was gone. Who
came later and has sat down since comes last. One after the other gets the right, and nobody loses it by that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

STEP = timedelta(seconds=60)
"""The time that each has the right before the next one in the order has it as well."""


@dataclass(frozen=True, slots=True)
class Successor:
    """A member with a phone who is in and not banned; `sits_since` is None without a seat at a running table."""

    player_id: int
    joined_at: datetime
    sits_since: datetime | None = None


def order(candidates: Iterable[Successor], gone_at: datetime) -> tuple[int, ...]:
    """Return the ids of those that come one after the other; empty if nobody has more right than the others.

    `gone_at` is the time at which the host was last there.
    """
    found = list(candidates)
    before = [each for each in found if each.joined_at <= gone_at]
    later = [each for each in found if each.joined_at > gone_at]
    groups = (_seated(before), [each for each in before if each.sits_since is None], _seated(later))
    return tuple(each.player_id for group in groups for each in sorted(group, key=_place))


def _seated(candidates: Iterable[Successor]) -> list[Successor]:
    return [each for each in candidates if each.sits_since is not None]


def _place(candidate: Successor) -> tuple[datetime, datetime, int]:
    since = candidate.joined_at if candidate.sits_since is None else candidate.sits_since
    return since, candidate.joined_at, candidate.player_id


def times(
    candidates: Sequence[Successor], gone_at: datetime, free_at: datetime, *, is_anybodys: bool = False
) -> Mapping[int, datetime]:
    """Return player → the time from which the player may take over, in the order of these times.

    `free_at` is the time of the first of them. Where the order is empty, and at a night that is `is_anybodys` (its
    host is an account that nobody can log in to), all candidates may from then on.
    """
    in_order = () if is_anybodys else order(candidates, gone_at)
    if not in_order:
        return {each.player_id: free_at for each in sorted(candidates, key=lambda each: each.joined_at)}
    return {player_id: free_at + place * STEP for place, player_id in enumerate(in_order)}


def may_now(found: Mapping[int, datetime], now: datetime) -> tuple[int, ...]:
    """Return the players that may take over now, in order: the first n of them."""
    return tuple(player_id for player_id, at in found.items() if at <= now)


def steps(free_at: datetime, now: datetime, most: int) -> int:
    """Return how many have got the right so far, at most `most`: pages look again when the number changes."""
    if now < free_at:
        return 0
    return min(most, (now - free_at) // STEP + 1)

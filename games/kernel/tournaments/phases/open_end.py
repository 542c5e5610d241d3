"""Open end: everybody plays all evening, paired by nearest record."""

from __future__ import annotations

from games.kernel.tournaments.asking import Asking
from games.kernel.tournaments.phases.phase import Groups, Phase, split

NEAR = 2
"""Twice the difference up to which a pair starts at once."""


class OpenEnd(Phase):
    """Free people are paired by nearest record; a far pair, and a rematch, only after patience."""

    def goes_on(self, now: int) -> bool:
        """Tell whether matches may still begin."""
        here = [name for name in self.players if not self.tournament.players[name].is_withdrawn]
        return now <= self.format.last_start and len(here) > 1

    def propose(self, asking: Asking) -> None:
        """Propose the pairs that may start, best ones first."""
        free = asking.free(self.players)
        if not self.goes_on(asking.now):
            if free and self.tournament.busy:
                asking.wait("over")
            return
        order = asking.by_lot(free)
        pairs, later = self._pairs(order, asking)
        for met, far, _, first, second in sorted(pairs):
            pair = (order[first], order[second])
            if asking.taken.isdisjoint(pair):
                why = "rematch" if met else "far" if far > NEAR else "pair"
                asking.propose([asking.match(pair)], why)
        self._wait(asking, later)

    def _pairs(
        self, order: list[str], asking: Asking
    ) -> tuple[list[tuple[bool, int, int, int, int]], list[tuple[int, str, str]]]:
        """Return the pairs that may start, as sort keys, and those that may later, with the minute."""
        record = self.record()
        nets = [record.net(name) for name in order]
        since = [asking.since(name) for name in order]
        patience, now = self.format.patience, asking.now
        pairs, later = [], []
        for first, one in enumerate(order):
            opponents = record.opponents[one]
            for second in range(first + 1, len(order)):
                met = order[second] in opponents
                difference = abs(nets[first] - nets[second])
                longest = min(since[first], since[second])
                at = longest + (2 * patience if met else patience if difference > NEAR else 0)
                if at <= now:
                    pairs.append((met, difference, longest, first, second))
                elif at <= self.format.last_start:
                    later.append((at, one, order[second]))
        return pairs, later

    def _wait(self, asking: Asking, later: list[tuple[int, str, str]]) -> None:
        """Say until when the others wait."""
        left = set(asking.free(self.players))
        if not left or asking.waits:
            return
        minutes = [at for at, one, other in later if one in left and other in left]
        if minutes:
            asking.wait("patience", min(minutes))
        elif self.tournament.busy or asking.taken:
            asking.wait("nobody_free")
        elif len(left) > 1:
            asking.wait("over", self.format.last_start + 1)

    def base_groups(self) -> Groups:
        """Order by wins less losses, then wins, then the matches among equals."""
        record = self.record()
        groups = split(self.players, lambda name: (record.net(name), record.wins[name]))
        return [part for group in groups for part in split(group, self.among_equals(group))]

"""Open end: everybody plays all evening, paired by nearest record."""

from __future__ import annotations

from collections import Counter
from statistics import median

from games.kernel.tournaments.asking import Asking
from games.kernel.tournaments.phases.gone_home import GONE_HOME, Gone
from games.kernel.tournaments.phases.phase import EndOutlook, Groups, Phase, split
from games.kernel.tournaments.uncertain import Uncertain, last, together

NEAR = 2
"""Twice the difference up to which a pair starts at once."""
BEGUN = 0.33
"""The part of a match that those have behind them in the mean who play at the last start. From simulated nights."""


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

    def ends(self, seen: EndOutlook) -> Uncertain:
        """Return when the last match will end of those that are played at the last start."""
        last_start, point = self.format.last_start, seen.pace * self.format.length
        running = last((self.end_of(match, seen) for match in self.running()), seen.start)
        if seen.now >= last_start or len(self.here()) < 2:
            return self.with_playoffs(running, seen)
        behind = together(len(self.here()) // 2, point, self.boards())
        # Play-offs for the cup are rare: people have played numbers of their own, and each other.
        return Uncertain(max(seen.start.mean, last_start) + behind.mean - BEGUN * point, behind.variance)

    def is_over(self) -> bool:
        """Tell whether no match begins any more, and none is played."""
        return self.is_closed or (self.tournament.now > self.format.last_start and not self.running())

    def gone_at_end(self) -> frozenset[str]:
        """Return the people who have withdrawn before the last match had ended."""
        if self.gone_when_closed is not None:
            return self.gone_when_closed
        end = (
            max((match.ended or 0 for match in self.matches), default=0) if self.is_over() else self.tournament.now + 1
        )
        players = self.tournament.players
        return frozenset(name for name in super().gone_at_end() if players[name].since < end)

    def gone(self) -> list[Gone]:
        """Return who has played too few matches for a place: less than half the median of those who are here.

        Before the end only those are told who have gone home.
        """
        if self.tournament.version < GONE_HOME:
            return []
        counts = Counter(name for each in self.matches if each.counts for name in each.players)
        left = self.gone_at_end()
        usual = median([counts[name] for name in self.players if name not in left] or counts.values() or [0])
        few = [Gone(name, counts[name], usual) for name in self.players if 2 * counts[name] < usual]
        return few if self.is_over() else [each for each in few if each.name in left]

    def base_groups(self) -> Groups:
        """Order by wins less losses, then wins, then the matches among equals; at the end too few matches come last."""
        record = self.record()
        few = {each.name for each in self.gone()} if self.is_over() else set()
        groups = split(self.players, lambda name: (name not in few, record.net(name), record.wins[name]))
        return [part for group in groups for part in split(group, self.among_equals(group))]

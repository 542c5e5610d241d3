"""Everybody against everybody, in groups; and the fixed schedule of some matches each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import gcd

from games.kernel.tournaments.asking import Asking
from games.kernel.tournaments.formats import check_entry
from games.kernel.tournaments.phases.phase import PLAYOFF, Groups, Phase, split
from games.kernel.tournaments.state import TournamentMatch

Edge = tuple[str, str]


def berger(players: Sequence[str]) -> list[list[Edge]]:
    """Return the rounds of Berger's tables: everybody meets everybody once; of an odd number one rests."""
    ring: list[str | None] = [*players, *([None] if len(players) % 2 else [])]
    size = len(ring)
    last = ring[-1:]
    rounds = []
    for number in range(size - 1):
        # In each round the ring of all but the last turns by half its length.
        turned = [ring[(number * (size // 2) + at) % (size - 1)] for at in range(size - 1)] + last
        pairs = [(turned[at], turned[size - 1 - at]) for at in range(size // 2)]
        if number % 2:
            pairs[0] = pairs[0][::-1]
        rounds.append([(one, other) for one, other in pairs if one is not None and other is not None])
    return rounds


def schedule(players: Sequence[str], matches: int) -> list[list[Edge]]:
    """Return the rounds in which each player has so many matches, no pair twice.

    Where people and matches are both odd, the last one plays one match less.
    """
    count = len(players)
    matches = min(matches, count - 1)
    if count % 2 == 0:
        return berger(players)[:matches]
    # Odd: neighbours of a circle at some distances, two matches each; for one more, every second step of length 1.
    distances = range(1, count // 2 + 1) if matches % 2 == 0 else range(2, count // 2 + 1)
    chosen = sorted(distances, key=lambda each: gcd(each, count))[: matches // 2]
    edges = [(players[at], players[(at + far) % count]) for far in chosen for at in range(count)]
    if matches % 2:
        edges += [(players[at], players[at + 1]) for at in range(0, count - 1, 2)]
    return in_rounds(edges)


def in_rounds(edges: Sequence[Edge]) -> list[list[Edge]]:
    """Return edges in rounds, each in the first one where both are free."""
    rounds: list[list[Edge]] = []
    for edge in edges:
        for round_ in rounds:
            if not any(set(edge) & set(other) for other in round_):
                round_.append(edge)
                break
        else:
            rounds.append([edge])
    return rounds


class Pairs(Phase):
    """A fixed set of pairs, each of which plays as soon as both are free, in the order of the rounds."""

    stretch = 1.35

    def begin(self, players: Sequence[str], at: int) -> None:
        """Begin without a draw in the first phase; later ones are drawn as they are seeded."""
        super().begin(players, at)
        self.rounds: list[list[Edge]] = []
        if self.number:
            self.draw(players)

    def wants_draw(self) -> bool:
        """Tell whether the pairs are not drawn yet."""
        return not self.rounds and sum(not self.tournament.players[name].is_withdrawn for name in self.players) > 1

    def draws(self, asking: Asking) -> list[list[str]]:
        """Return the people in the order of a lot."""
        here = [name for name in self.players if not self.tournament.players[name].is_withdrawn]
        return [asking.by_lot(here)] if self.wants_draw() else []

    def admit(self, name: str) -> None:
        """Take a latecomer in until the first result."""
        check_entry(not any(match.ended is not None for match in self.matches), "too_late")
        self.players.append(name)
        if self.rounds:
            self.insert(name)

    def insert(self, name: str) -> None:
        """Give a latecomer their pairs."""
        raise NotImplementedError

    def bind(self, match: TournamentMatch) -> None:
        """Take any pair of the phase: a director may add one."""
        self.refuse_unless_member(match.players)

    def _open(self) -> list[tuple[int, Edge]]:
        """Return round and pair of the matches to come between players that have not withdrawn."""
        played = [m.players for m in self.matches if m.status != "void" and m.round != PLAYOFF]
        met = {*played, *((other, one) for one, other in played)}
        here = {name for name in self.players if not self.tournament.players[name].is_withdrawn}
        return [
            (number, edge)
            for number, edges in enumerate(self.rounds, 1)
            for edge in edges
            if edge not in met and edge[0] in here and edge[1] in here
        ]

    def round(self) -> int | None:
        """Return the first round with an open match."""
        running = [m.round for m in self.tournament.running() if m.round and m.phase == self.number]
        return min([number for number, _ in self._open()[:1]] + running, default=None)

    def goes_on(self, now: int) -> bool:
        """Tell whether there is more to play."""
        return self.wants_draw() or bool(self._open())

    def propose(self, asking: Asking) -> None:
        """Propose every open pair whose two are free."""
        free = set(asking.free(self.players))
        open_ = [each for each in self._open() if not free.isdisjoint(each[1])] if free else []
        for number, edge in open_:
            if free.issuperset(edge) and (entry := asking.match(edge, number)) is not None:
                asking.propose([entry], "pair")
                free.difference_update(edge)
        if not asking.waits and any(name in free for _, edge in open_ for name in edge):
            asking.wait("nobody_free")

    def left(self) -> float:
        """Return the largest number of matches that one player has still to play."""
        if not self.rounds:
            return len(self.players)
        counts = Counter(name for _, edge in self._open() for name in edge)
        return max(counts.values(), default=0)


class RoundRobin(Pairs):
    """Everybody meets everybody of their group."""

    def draw(self, players: Sequence[str]) -> None:
        """Make the groups, the seeded order dealt forth and back."""
        check_entry(not self.rounds, "bad_entry")
        number = min(self.format.groups, max(1, len(players) // 2))
        self.parts: Groups = [[] for _ in range(number)]
        for at, name in enumerate(players):
            row, column = divmod(at, number)
            self.parts[column if row % 2 == 0 else number - 1 - column].append(name)
        self._pair()

    def _pair(self) -> None:
        tables = [berger(part) for part in self.parts]
        longest = max(len(table) for table in tables)
        self.rounds = [[e for table in tables for e in (table[at : at + 1] or [[]])[0]] for at in range(longest)]

    def insert(self, name: str) -> None:
        """Put a latecomer into the smallest group."""
        min(self.parts, key=len).append(name)
        self._pair()

    def base_groups(self) -> Groups:
        """Order each group by wins, the matches among equals and score difference; then groups place by place."""
        if not self.rounds:
            return [list(self.players)]
        keys: dict[str, tuple[int, ...]] = {}
        for part in self.parts:
            place = 0
            for group in self._ordered(part):
                for name in group:
                    keys[name] = (-place, self.record().wins[name], self.difference(name))
                place += len(group)
        return split(self.players, lambda name: keys.get(name, (-len(self.players),)))

    def tie(self) -> str:
        """Return what decides where all else is equal: a play-off for the first place, a lot, "" for nothing.

        "" is the rule of tournaments that began with the second version of the pairing.
        """
        return self.format.tie or ("playoff" if self.tournament.version > 2 else "")

    def has_lots(self) -> bool:
        """Tell whether lots order those who are equal in everything else."""
        return self.tie() == "lot"

    def cut(self) -> int:
        """Return how many people the end tells from the others: with play-offs, the winner."""
        return super().cut() or (1 if self.tie() == "playoff" else 0)

    def _ordered(self, part: Sequence[str]) -> Groups:
        groups = split(part, lambda name: self.record().wins[name])
        groups = [each for group in groups for each in split(group, self.among_equals(group))]
        return [each for group in groups for each in split(group, self.difference)]

    def difference(self, name: str) -> int:
        """Return the points won less those lost."""
        total = 0
        for match in self.matches:
            if name in match.players and match.counts and match.score and match.round != PLAYOFF:
                mine = match.players.index(name)
                total += match.score[mine] - match.score[1 - mine]
        return total


class Schedule(Pairs):
    """Everybody plays a fixed number of matches."""

    def draw(self, players: Sequence[str]) -> None:
        """Make the schedule."""
        check_entry(not self.rounds, "bad_entry")
        self.rounds = schedule(players, self.format.matches)

    def insert(self, name: str) -> None:
        """Give a latecomer matches: they step between pairs that have not begun, last rounds first."""
        met = {frozenset(match.players) for match in self.matches if match.status != "void"}
        edges = [edge for round_ in self.rounds for edge in round_]
        counts = Counter(each for edge in edges for each in edge)
        want = min(self.format.matches, len(self.players) - 1)
        mine: list[Edge] = [(name, each) for each in self.players if each != name and counts[each] < want][:want]
        taken = {each for edge in mine for each in edge}
        for edge in reversed(edges):
            if len(mine) + 2 <= want and frozenset(edge) not in met and taken.isdisjoint(edge):
                edges.remove(edge)
                mine += [(name, edge[0]), (name, edge[1])]
                taken.update(edge)
        self.rounds = in_rounds(edges + mine)

    def base_groups(self) -> Groups:
        """Order by wins less losses, then wins, then the matches among equals."""
        record = self.record()
        groups = split(self.players, lambda name: (record.net(name), record.wins[name]))
        return [part for group in groups for part in split(group, self.among_equals(group))]

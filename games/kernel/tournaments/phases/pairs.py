"""Everybody against everybody, in groups; and the fixed schedule of some matches each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from math import gcd
from statistics import fmean

from games.kernel.tournaments.asking import Asking
from games.kernel.tournaments.formats import check_entry
from games.kernel.tournaments.phases.gone_home import GONE_HOME, Gone, GoneHome
from games.kernel.tournaments.phases.phase import PLAYOFF, EndOutlook, Groups, Phase, Record, split
from games.kernel.tournaments.state import TournamentMatch
from games.kernel.tournaments.uncertain import Uncertain, last, together

Edge = tuple[str, str]
WAITING, FEWER_WITH = 1.05, 0.57
"""The wait for each other, as a part of what is played: WAITING / n ** FEWER_WITH for n matches each. From simulated
nights."""


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

    is_last_round = False
    """No match begins any more."""
    _settled: GoneHome | None = None

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
        return [] if self.is_last_round else self._unplayed(self.here())

    def _unplayed(self, names: Sequence[str]) -> list[tuple[int, Edge]]:
        """Return round and pair of the matches between players that have not begun."""
        played = [m.players for m in self.matches if m.status != "void" and m.round != PLAYOFF]
        met = {*played, *((other, one) for one, other in played)}
        here = set(names)
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

    def ends(self, seen: EndOutlook) -> Uncertain:
        """Return when whoever has most to play will have played it and waited for the others, and the play-offs."""
        planned, point = self._planned(), seen.pace * self.format.length
        open_ = [edge for _, edge in planned._open()]
        running = [(match, self.end_of(match, seen)) for match in self.running()]
        end = last((found for _, found in running), seen.start)
        if not open_:
            return self.with_playoffs(end, seen)
        left = {name: found.mean - seen.start.mean for match, found in running for name in match.players}
        counts = Counter(name for edge in open_ for name in edge)
        to_play = [left.get(name, 0) + counts[name] * point for name in self.here()]
        most = max(Counter(name for edges in planned.rounds for edge in edges for name in edge).values())
        lasting = max(to_play) + WAITING / most**FEWER_WITH * fmean(to_play)
        if (boards := self.boards()) is not None:
            at_once = min(len(counts) // 2, boards)
            lasting = max(lasting, sum(to_play) / 2 / boards - point + together(at_once, point).mean)
        variance = together(1, point).variance * max(counts.values()) + seen.start.variance
        return self.with_playoffs(Uncertain(max(end.mean, seen.start.mean + lasting), variance), seen, pairs=open_)

    def _planned(self) -> Pairs:
        """Return the phase with its pairs; before the draw, one with as many as it will make."""
        if self.rounds:
            return self
        planned = type(self)(self.tournament, self.number, self.format)
        planned.begin(self.here(), self.began)
        if planned.wants_draw():
            planned.draw(self.here())
        return planned

    # Who has gone home

    def changed(self, match: TournamentMatch | None = None) -> None:
        """Forget what was computed from matches."""
        super().changed(match)
        self._settled = None

    def goes(self, name: str) -> None:
        """Count anew without them."""
        self.changed()

    def is_over(self) -> bool:
        """Tell whether nothing is left to play."""
        return self.is_closed or not (self.running() or self.wants_draw() or self._open())

    def gone(self) -> list[Gone]:
        """Return who has gone home with matches left, with what follows from it at the end."""
        if self.tournament.version < GONE_HOME or not self.rounds:
            return []
        left = self.gone_at_end()
        counts = Counter(name for m in self.matches if m.counts and m.round != PLAYOFF for name in m.players)
        if self.is_last_round:
            most = max((counts[name] for name in self.players if name not in left), default=0)
            return [Gone(name, counts[name], most) for name in self.players if name in left and counts[name] < most]
        to_come = Counter(name for _, edge in self._unplayed(self.players) for name in edge)
        return [Gone(n, counts[n], counts[n] + to_come[n]) for n in self.players if n in left and to_come[n]]

    def settled(self) -> GoneHome:
        """Return what has followed from who went home, at the end; before it, nothing."""
        found = self._settled
        is_over = self.tournament.version >= GONE_HOME and bool(self.rounds) and self.is_over()
        if found is None or found.is_over != is_over:
            found = self._settled = self._settle() if is_over else GoneHome(is_over=False)
        return found

    def _settle(self) -> GoneHome:
        gone = self.gone()
        struck = frozenset(each.name for each in gone if each.is_struck)
        losers = {each.name for each in gone} - struck
        edges = [] if self.is_last_round else [edge for _, edge in self._unplayed(self.players)]
        lost = [edge if edge[0] in losers else edge[::-1] for edge in edges if losers.intersection(edge)]
        return GoneHome(True, struck, tuple(each for each in lost if struck.isdisjoint(each)), frozenset(losers))

    def counted_wins_and_losses(self) -> Record | None:
        """Return the wins and losses that count in the standing, once something has followed from who went home."""
        settled = self.settled()
        return self.counted() if settled.struck or settled.walkovers else None

    def counted(self, group: Sequence[str] | None = None) -> Record:
        """Return the record as it counts in the standing, among all or among a group; walkovers are in it."""
        settled = self.settled()
        inside = set(self.players if group is None else group) - settled.struck
        matches = [m for m in self.matches if m.round != PLAYOFF and inside.issuperset(m.players)]
        record = self._counted(matches)
        for loser, winner in settled.walkovers:
            if inside.issuperset((loser, winner)):
                record.losses[loser] += 1
                if winner in settled.losers:
                    record.losses[winner] += 1
                else:
                    record.wins[winner] += 1
        return record

    def among_equals(self, group: Sequence[str]) -> Callable[[str], int]:
        """Return the wins less losses of matches among a group."""
        return self.counted(group).net

    def struck_last(self, groups: Groups) -> Groups:
        """Return the groups of a standing with those whose matches do not count behind all others."""
        struck = self.settled().struck
        found = [[name for name in group if name not in struck] for group in groups]
        return [group for group in [*found, [name for name in self.players if name in struck]] if group]


class RoundRobin(Pairs):
    """Everybody meets everybody of their group."""

    def with_playoffs(
        self, end: Uncertain, seen: EndOutlook, *, rounds: int = 0, pairs: Sequence[tuple[str, str]] = ()
    ) -> Uncertain:
        """Return the end after play-offs that have begun: points part nearly all who are equal otherwise."""
        has_any = any(match.round == PLAYOFF for match in self.matches)
        return super().with_playoffs(end, seen) if has_any else end

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
        wins, differences, struck = self.counted().wins, self.differences(), self.settled().struck
        for part in self.parts:
            place = 0
            for group in self._ordered([name for name in part if name not in struck], wins, differences):
                for name in group:
                    keys[name] = (-place, wins[name], differences[name])
                place += len(group)
        return self.struck_last(split(self.players, lambda name: keys.get(name, (-len(self.players),))))

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

    def _ordered(self, part: Sequence[str], wins: Counter[str], differences: dict[str, int]) -> Groups:
        groups = split(part, wins.__getitem__)
        groups = [each for group in groups for each in split(group, self.among_equals(group))]
        return [each for group in groups for each in split(group, differences.__getitem__)]

    def differences(self) -> dict[str, int]:
        """Return everybody's points won less those lost, of the matches that count in the standing."""
        totals: defaultdict[str, int] = defaultdict(int)
        struck = self.settled().struck
        for match in self.matches:
            if match.counts and match.score and match.round != PLAYOFF and struck.isdisjoint(match.players):
                ahead = match.score[0] - match.score[1]
                totals[match.players[0]] += ahead
                totals[match.players[1]] -= ahead
        return totals


class Schedule(Pairs):
    """Everybody plays a fixed number of matches."""

    def end_rounds(self) -> None:
        """Let no match begin any more."""
        check_entry(bool(self.matches), "bad_entry")
        self.is_last_round = True
        self.changed()

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
        record = self.counted()
        groups = split(self.players, lambda name: (record.net(name), record.wins[name]))
        return self.struck_last([part for group in groups for part in split(group, self.among_equals(group))])

"""Rounds in step: Swiss by score, and neighbours of a season's table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

from games.kernel.tournaments.asking import Asking
from games.kernel.tournaments.chance import BY_STATE
from games.kernel.tournaments.formats import check_entry
from games.kernel.tournaments.pairing.matching import MOST, Cost
from games.kernel.tournaments.pairing.remaining import can_be_played, pairings, rest_of
from games.kernel.tournaments.phases.phase import PLAYOFF, EndOutlook, Groups, Phase, split
from games.kernel.tournaments.state import TournamentMatch
from games.kernel.tournaments.uncertain import Uncertain, last, later, together

NOBODY = ""
"""The opponent of a bye."""
Pair = tuple[str, str]
PairCost = Callable[[str, str], Cost]
TRIES = 40
"""Attempts to play the rest of a tournament without a rematch, before another draw of this round is tried."""
DRAWS = 8
BYE = 1_000_000
"""The cost of a bye of a Swiss for each win above the lowest score."""
FEW = 10
"""Up to so many people, a bye among them, all pairings of a Swiss round are tried, since version 2 of the pairing."""


class InStep(Phase):
    """Rounds that begin together: each player present at the beginning of a round has a match or a bye in it."""

    in_step = True

    def begin(self, players: Sequence[str], at: int) -> None:
        """Begin before the first round."""
        super().begin(players, at)
        self.fields: list[list[str]] = []
        """The players present at the beginning of each round."""
        self.byes: list[tuple[str, int]] = []
        self.missed: Counter[str] = Counter()
        self.late: set[str] = set()
        self.ended_after: int | None = None
        """The round that was made the last one."""

    def most_rounds(self) -> int:
        """Return the number of rounds: the wanted one, at most as many as new opponents allow."""
        if self.ended_after is not None:
            return self.ended_after
        count = len(self.players)
        return min(self.format.rounds or max(1, (count - 1).bit_length()), self.limit(count))

    def limit(self, count: int) -> int:
        """Return the most rounds for a number of people."""
        raise NotImplementedError

    # The log

    def end_rounds(self) -> None:
        """Let the round that has begun last be the last one; what waits in it for a board is played."""
        check_entry(bool(self.fields), "bad_entry")
        self.ended_after = len(self.fields)

    def admit(self, name: str) -> None:
        """Take a latecomer in at the next round."""
        check_entry(not self.is_last_round(), "too_late")
        self.players.append(name)
        self.missed[name] += len(self.fields)

    def is_last_round(self) -> bool:
        """Tell whether the last round has begun."""
        return len(self.fields) >= self.most_rounds()

    def bind(self, match: TournamentMatch) -> None:
        """Put a match into the round that is played, or begin the next one with it."""
        self.refuse_unless_member(match.players)
        if match.round != PLAYOFF:
            match.round = self._enter_round(match.players, match.round)

    def bye(self, name: str, round_: int) -> None:
        """Give a player a bye."""
        self.refuse_unless_member([name])
        self._enter_round([name], round_)
        self.byes.append((name, round_))
        self.tournament.players[name].byes += 1
        self.changed()

    def _enter_round(self, names: Iterable[str], number: int | None) -> int:
        """Return the round in which players have a match or a bye; raises EntriesRefused if one of them has had it."""
        if number is None:
            number = len(self.fields) + (not self.fields or not self._left(len(self.fields)))
        check_entry(len(self.fields) <= number <= len(self.fields) + 1 and number > 0, "bad_entry")
        if number > len(self.fields):
            check_entry(not self.fields or not self._is_played(), "bad_entry")
            self.fields.append([name for name in self.players if self.tournament.is_here(name)])
        placed = self._placed(number)
        check_entry(not any(name in placed for name in names), "bad_entry")
        return number

    def _is_played(self) -> bool:
        """Tell whether the round that has begun has running matches."""
        return any(match.phase == self.number for match in self.tournament.busy.values())

    def _placed(self, number: int) -> set[str]:
        """Return the players who have a match or a bye in a round."""
        placed = {name for name, at in self.byes if at == number}
        return placed.union(*(m.players for m in self.matches if m.round == number and m.status != "void"))

    def _left(self, number: int) -> list[str]:
        """Return the players without a match in a round that has begun."""
        placed = self._placed(number)
        return [n for n in self.fields[number - 1] if n not in placed and self.tournament.is_here(n)]

    def comes_back(self, name: str) -> None:
        """Return the number of rounds that a player missed."""
        player = self.tournament.players[name]
        if name in self.players:
            self.missed[name] += sum(name not in field for field in self.fields[player.mark :])

    # What follows

    def round(self) -> int | None:
        """Return the round that has begun last."""
        return len(self.fields) or None

    def goes_on(self, now: int) -> bool:
        """Tell whether there is a round to play, or to finish."""
        if sum(not self.tournament.players[name].is_withdrawn for name in self.players) < 2:
            return False
        return not self.is_last_round() or bool(self._left(len(self.fields)))

    def propose(self, asking: Asking) -> None:
        """Propose the rest of the round, or, when all matches have ended, the next one."""
        number = len(self.fields)
        names = self._left(number) if number else []
        if not names:
            if self._is_played():
                if asking.free(self.players):
                    asking.wait("round_over")
                return
            if self.is_last_round():
                return
            number += 1
            names = [name for name in self.players if self.tournament.is_here(name)]
        if len(names) < 2 and number > len(self.fields):
            return
        self._propose_round(asking, asking.free(names), number)

    def _propose_round(self, asking: Asking, names: list[str], number: int) -> None:
        """Propose matches, as far as there are tables, and the bye."""
        order = asking.by_lot(names) + [NOBODY] * (len(names) % 2)
        entries, byes = [], []
        for one, other in self.paired(order, number, asking):
            if NOBODY in (one, other):
                byes.append(one or other)
            else:
                length = self.length_before_last(self.most_rounds() - number)
                entries.append(asking.match((one, other), number, forced=self.is_forced(one, other), length=length))
        is_forced = any(entry is not None and "forced" in entry for entry in entries)
        asking.propose(entries, "forced" if is_forced else "pair", is_asked=is_forced)
        if asking.break_end is None:
            for name in byes:
                asking.taken.add(name)
                entry = {"type": "bye", "player": name, "phase": self.number, "round": number}
                asking.propose([entry | {"version": asking.version}], "bye")
        if not asking.waits and asking.free(self.players):
            asking.wait("round_over")

    def paired(self, order: list[str], number: int, asking: Asking) -> list[Pair]:
        """Return the pairs of a round; an odd number has an empty name at its end."""
        raise NotImplementedError

    def is_forced(self, one: str, other: str) -> bool:
        """Tell whether a pair is a rematch that the format does not want."""
        return False

    def rested(self, order: Sequence[str]) -> set[str]:
        """Return the players that had a bye and may have no other one; none once all had one."""
        had = {name for name, _ in self.byes}
        return had if any(name not in had for name in order if name) else set()

    def ends(self, seen: EndOutlook) -> Uncertain:
        """Return when the last match of each round will end, one after another, and the play-offs."""
        ends = [self.end_of(match, seen) for match in self.running()]
        end, number, pairs = last(ends, seen.start), len(self.fields), len(self.here()) // 2
        if number and (left := len(self._left(number)) // 2):
            # They wait for a board.
            length = seen.pace * self.length_before_last(self.most_rounds() - number)
            first = min(ends, default=seen.start)
            end = later(end, first.plus(together(left, length, self.boards())))
        rounds = max(0, self.most_rounds() - number) if pairs else 0
        others = min(rounds, len(self.format.last_lengths))
        # All before those are of one length, however many there are.
        for before_last, count in [(others, rounds - others), *((each, 1) for each in range(others))]:
            length = seen.pace * self.length_before_last(before_last)
            end = end.plus(together(pairs, length, self.boards()).times(count))
        return self.with_playoffs(end, seen, rounds=rounds)

    def parts_equals_by_meetings(self) -> bool:
        """Tell whether those who are equal are parted by the matches between them, before a play-off."""
        return self.format.tie == "head_to_head" or self.format.kind == "neighbours"


class Swiss(InStep):
    """Swiss system: equal scores are paired, no pair twice."""

    def limit(self, count: int) -> int:
        """Return the rounds after which everybody has met everybody."""
        return max(1, count - 1 + count % 2)

    def score(self, name: str) -> int:
        """Return wins and byes."""
        return self.record().wins[name] + self.unplayed(name)[0]

    def unplayed(self, name: str) -> tuple[int, int]:
        """Return the byes, which count as wins, and the rounds missed, which count as losses."""
        return sum(each == name for each, _ in self.byes), self.missed[name]

    def is_forced(self, one: str, other: str) -> bool:
        """Tell whether a pair has met."""
        return self.record().met[frozenset((one, other))] > 0

    def paired(self, order: list[str], number: int, asking: Asking) -> list[Pair]:
        """Return the pairs with the least float after which the other rounds can be played without a rematch."""
        after = self.most_rounds() - number
        here = [name for name in self.players if self.tournament.is_here(name)]
        cost = self._float_of(order, asking.version)
        if asking.version > 1 and len(here) <= FEW:
            return self._least_of_all(order, cost, [*here, *([NOBODY] * (len(here) % 2))], after, asking)
        return self._least_by_lots(order, cost, after, asking)

    def _least_of_all(
        self, order: list[str], cost: PairCost, everybody: list[str], after: int, asking: Asking
    ) -> list[Pair]:
        """Return the pairs of the least float, found by trying all; `order` lists people without a pair."""
        ways = pairings([[None if one == other else cost(one, other) for other in order] for one in order])
        first: list[Pair] | None = None
        for way in ways:
            pairs = [(order[one], order[other]) for one, other in way]
            first = first or pairs
            if after <= 0 or can_be_played(self._allowed(everybody, pairs), after):
                return pairs
        return first or pairs_of(order, cost, asking)

    def _least_by_lots(self, order: list[str], cost: PairCost, after: int, asking: Asking) -> list[Pair]:
        """Return a little float after which the other rounds can be played, as far as some lots tell."""
        best: list[Pair] | None = None
        for _ in range(DRAWS):
            pairs = pairs_of(order, cost, asking)
            best = best or pairs
            if self._can_go_on(order, pairs, after, asking):
                return pairs
            order = [*asking.lot.shuffled(name for name in order if name), *([NOBODY] if NOBODY in order else [])]
        return self._first_of_rest(order, after + 1, asking) or best or []

    def _float_of(self, order: list[str], version: int) -> PairCost:
        """Return the cost of a pair: that of a bye first, then the float; None for a rematch or an unfair bye.

        Since version 3, of equal floats, that of the higher scores counts for more than all below it.
        """
        scores = {name: self.score(name) for name in order if name}
        rested, lowest = self.rested(order), min(scores.values(), default=0)
        opponents = self.record().opponents
        whole, weights = float_weights(scores.values()) if version >= BY_STATE else (1, {})

        def cost(one: str, other: str) -> Cost:
            if not one or not other:
                name = one or other
                return None if name in rested else whole * BYE * (scores[name] - lowest)
            if other in opponents[one]:
                return None
            difference = abs(scores[one] - scores[other])
            return (whole * (1000 + difference) + weights.get(max(scores[one], scores[other]), 0)) * difference

        return cost

    def _can_go_on(self, order: list[str], pairs: list[Pair], rounds: int, asking: Asking) -> bool:
        """Tell whether the rounds after this one can be played without a rematch, as far as some tries tell."""
        opponents = self.record().opponents
        fewest = min((len(order) - 1 - len(opponents[name]) for name in order if name), default=0)
        # With partners enough, there is always a round (Dirac 1952); one of them goes in this round.
        if rounds <= 0 or fewest - rounds >= len(order) // 2:
            return True
        allowed = self._allowed(order, pairs)
        return any(rest_of(allowed, rounds, asking) is not None for _ in range(TRIES))

    def _allowed(self, order: list[str], pairs: list[Pair]) -> list[list[bool]]:
        """Return the possible pairs that remain after some pairs."""
        met = {frozenset(pair) for pair in pairs} | {pair for pair, times in self.record().met.items() if times}
        met |= {frozenset((name, NOBODY)) for name in self.rested(order)}
        return [[one != other and frozenset((one, other)) not in met for other in order] for one in order]

    def _first_of_rest(self, order: list[str], rounds: int, asking: Asking) -> list[Pair] | None:
        """Return the first round of a way to play all that are left."""
        for _ in range(TRIES if rounds > 1 else 0):
            rest = rest_of(self._allowed(order, []), rounds, asking)
            if rest is not None:
                return [(order[one], order[other]) for one, other in rest]
        return None

    def cut(self) -> int:
        """Return how many people the end tells from the others: with play-offs, the winner."""
        return super().cut() or (1 if self.format.tie in ("", "playoff") else 0)

    def base_groups(self) -> Groups:
        """Order by wins, then as the rule for ties says."""
        groups = split(self.players, self.score)
        if self.format.tie == "head_to_head":
            return [part for group in groups for part in split(group, self.among_equals(group))]
        if self.format.tie == "buchholz":
            return [part for group in groups for part in split(group, self.buchholz)]
        if self.format.tie == "wins":
            return [part for group in groups for part in split(group, lambda name: self.record().wins[name])]
        return groups

    def buchholz(self, name: str) -> int:
        """Return the sum of the opponents' scores, the worst left out.

        Since version 3 a round without a match, as of a bye or one that was missed, counts as one against an opponent
        of the same score as one's own.
        """
        scores = [
            self.score(match.players[name == match.players[0]])
            for match in self.matches
            if match.counts and name in match.players and match.round != PLAYOFF
        ]
        if self.tournament.version > 2:
            scores += [self.score(name)] * self._rounds_without_match(name)
        return sum(scores) - min(scores, default=0)

    def _rounds_without_match(self, name: str) -> int:
        """Return in how many rounds that have begun a player had no match, and will have none."""
        count = len(self.fields)
        played = {m.round for m in self.matches if name in m.players and m.round != PLAYOFF and m.status != "void"}
        return count - len(played) - (count > 0 and name in self._left(count))


class Neighbours(InStep):
    """Those present are paired with their neighbours in a season's table."""

    def limit(self, count: int) -> int:
        """Return the wanted number: neighbours may meet again."""
        return self.format.rounds or max(1, (count - 1).bit_length())

    def paired(self, order: list[str], number: int, asking: Asking) -> list[Pair]:
        """Return nearest neighbours, no pair three times in a row; the bye goes to the last of the table."""
        table = [name for name in self.format.order if name in order]
        table += [name for name in self.players if name in order and name not in set(table)]
        rank = {name: at for at, name in enumerate(table)}
        rested = self.rested(order)
        twice = self._met_in(number - 1) & self._met_in(number - 2)

        def cost(one: str, other: str) -> Cost:
            if not one or not other:
                name = one or other
                return None if name in rested else 1_000_000 * (len(table) - rank[name])
            return None if frozenset((one, other)) in twice else abs(rank[one] - rank[other])

        return pairs_of(order, cost, asking)

    def _met_in(self, number: int) -> set[frozenset[str]]:
        return {frozenset(m.players) for m in self.matches if m.round == number > 0 and m.status != "void"}

    def base_groups(self) -> Groups:
        """Order by wins less losses, then wins, then the matches among equals."""
        record = self.record()
        groups = split(self.players, lambda name: (record.net(name), record.wins[name]))
        return [part for group in groups for part in split(group, self.among_equals(group))]


def float_weights(scores: Collection[int]) -> tuple[int, dict[int, int]]:
    """Return a weight above all those of float together, and score → the weight of a float of 1 in its group.

    In a group it weighs more than all float of the groups below; where costs would be too large, the lowest groups are
    left out. No float of a group is larger than if each of it met one of the lowest.
    """
    groups, lowest = Counter(scores), min(scores, default=0)
    spread = max(scores, default=0) - lowest
    room, whole, above = MOST // (max(BYE, 1000 + spread) * spread + 1), 1, {}
    for score in sorted(groups, reverse=True):
        larger = whole * (groups[score] * (score - lowest) + 1)
        if larger > room:
            break
        whole = above[score] = larger
    return whole, {score: whole // product for score, product in above.items()}


def pairs_of(order: list[str], cost: PairCost, asking: Asking) -> list[Pair]:
    """Return pairs of least cost; players left over are paired in their order."""
    costs: list[list[Cost]] = [[None] * len(order) for _ in order]
    for at, one in enumerate(order):
        for before in range(at):
            costs[at][before] = costs[before][at] = cost(one, order[before])
    found = asking.best_pairs(costs)
    inside = {at for pair in found for at in pair}
    left = [at for at in range(len(order)) if at not in inside]
    found += list(zip(left[::2], left[1::2], strict=False))
    return [(order[one], order[other]) for one, other in found]

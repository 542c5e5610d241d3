"""Lives: two defeats and out, then a bracket."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from games.kernel.tournaments.asking import Asking
from games.kernel.tournaments.formats import check_entry
from games.kernel.tournaments.phases.brackets import Boards, Bracket, knockout_of, seed_order
from games.kernel.tournaments.phases.phase import PLAYOFF, EndOutlook, Groups, Phase, split
from games.kernel.tournaments.state import TournamentMatch
from games.kernel.tournaments.uncertain import Uncertain, last
from games.kernel.tournaments.uncertain import match as match_of

WAVE, TAIL = 1.1, 0.5
"""The minutes of as many matches as can be played at once, and those until the last of all ends, in mean matches."""


class Lives(Phase):
    """Free people with the same lives are paired at random until the lives left fill a bracket."""

    bracket: Bracket | None = None

    def begin(self, players: Sequence[str], at: int) -> None:
        """Give everybody their lives."""
        super().begin(players, at)
        self.given = dict.fromkeys(players, self.format.lives)

    # Lives

    def _before(self) -> list[TournamentMatch]:
        """Return the decided matches before the bracket."""
        inside = self.bracket.bound if self.bracket else {}
        return [m for m in self.matches if m.counts and m.round != PLAYOFF and m.id not in inside]

    def lives_before(self, name: str) -> int:
        """Return a player's lives; of a bracket, those at its beginning."""
        return max(0, self.given.get(name, 0) - self._losses()[name])

    def _losses(self) -> dict[str, int]:
        """Return everybody's losses before the bracket; kept until a match changes."""
        if self._kept is None:
            self._kept = dict.fromkeys(self.tournament.players, 0)
            for match in self._before():
                if match.loser:
                    self._kept[match.loser] += 1
        return self._kept

    _kept: dict[str, int] | None = None

    def changed(self, match: TournamentMatch | None = None) -> None:
        """Forget what was computed from matches."""
        super().changed(match)
        self._kept = None
        if self.bracket:
            self.bracket.changed(match)

    def lives(self, name: str) -> int | None:
        """Return the lives left; one in the bracket, whose first round was the second life's worth."""
        if name not in self.given:
            return None
        if self.bracket:
            return 1 if self.bracket.is_alive(name) else 0
        return self.lives_before(name)

    def is_out(self, name: str) -> bool:
        """Tell whether a player has no life left."""
        return self.lives(name) in (None, 0)

    def places(self) -> int:
        """Return the places of the bracket; 1 without one, for two or three people."""
        count = len(self.players)
        return 1 if count < 4 else 4 if count < 12 else 8 if count < 48 else 16

    def lives_left(self) -> int:
        """Return the sum of lives of the players that have not withdrawn."""
        return sum(self.lives_before(name) for name in self._alive())

    def _alive(self) -> list[str]:
        players = self.tournament.players
        return [name for name in self.players if self.lives_before(name) and not players[name].is_withdrawn]

    # The log

    def admit(self, name: str) -> None:
        """Take a latecomer in: with all lives until the first player is out, with one until the bracket."""
        check_entry(self.bracket is None and (self.places() > 1 or len(self._alive()) > 1), "too_late")
        is_early = all(self.lives_before(each) for each in self.players)
        self.players.append(name)
        self.given[name] = self.format.lives if is_early else 1
        self.changed()

    def wants_draw(self) -> bool:
        """Tell whether the bracket is due."""
        is_due = self.bracket is None and self.places() > 1 and self.lives_left() <= self.places()
        return is_due and not self.tournament.busy and len(self._alive()) > 1

    def draws(self, asking: Asking) -> list[list[str]]:
        """Return the players of the bracket: first those with two lives, each group by lot."""
        order = asking.by_lot(self._alive())
        return [sorted(order, key=lambda name: -self.lives_before(name))] if self.wants_draw() else []

    def draw(self, players: Sequence[str]) -> None:
        """Begin the bracket: a player with two lives takes two places, and so skips the first round."""
        check_entry(self.wants_draw(), "bad_entry")
        check_entry(set(players) <= set(self._alive()), "player_gone")
        strong = [name for name in players if self.lives_before(name) > 1]
        weak = [name for name in players if self.lives_before(name) == 1]
        spots = self.places() // 2
        pairs = max(0, len(weak) - (spots - len(strong)))
        alone = strong + weak[: len(weak) - 2 * pairs]
        paired = weak[len(weak) - 2 * pairs :]
        units: list[tuple[str | None, str | None]] = [(name, None) for name in alone]
        units += [(paired[at], paired[at + 1]) for at in range(0, len(paired), 2)]
        units += [(None, None)] * (spots - len(units))
        places = [name for at in seed_order(spots) for name in units[at]]
        self.bracket = Bracket(places, knockout_of(len(places)), self.tournament)
        self.changed()

    def bind(self, match: TournamentMatch) -> None:
        """Find the place of a match in the bracket; before it, both must have lives."""
        self.refuse_unless_member(match.players)
        if match.round == PLAYOFF:
            return
        if self.bracket:
            self.bracket.bind(match)
        else:
            check_entry(all(self.lives_before(name) for name in match.players), "player_gone")

    def comes_back(self, name: str) -> None:
        """Keep what was decided without them."""
        if self.bracket:
            self.bracket.comes_back(name)

    def goes(self, name: str) -> None:
        """Move others on."""
        self.changed()

    # Proposals

    def round(self) -> int | None:
        """Return the round of the bracket."""
        return self.bracket.round() if self.bracket else None

    def goes_on(self, now: int) -> bool:
        """Tell whether there is more to play."""
        if self.bracket:
            return self.bracket.is_undecided()
        return len(self._alive()) > 1

    def propose(self, asking: Asking) -> None:
        """Propose pairs before the bracket, or the bracket's matches."""
        if self.bracket:
            self.bracket.propose(asking, self.length_before_last)
            return
        free = [name for name in asking.free(self.players) if self.lives_before(name)]
        ready = asking.by_lot(self._of_batch(free, asking))
        pairing = _Pairing(self, asking, ready)
        pairing.run()
        left = asking.free(free)
        if left and not asking.waits:
            if pairing.quota <= 0:
                asking.wait("lives_left")
            elif (minute := pairing.next_minute(left)) is not None:
                asking.wait("patience", minute)
            elif self.tournament.busy or asking.taken:
                asking.wait("nobody_free")

    def _of_batch(self, free: list[str], asking: Asking) -> list[str]:
        """Return the players that were free at the last batch."""
        if not (every := self.format.batch):
            return free
        last = self.batch_before(asking.now)
        if asking.now < self.began + every:
            # The first round begins at once.
            last = self.began
        ready = [name for name in free if asking.since(name) <= last]
        if len(ready) < len(free):
            asking.wait("patience", last + every)
        return ready

    def batch_before(self, now: int) -> int:
        """Return the minute of the last batch."""
        return self.began + (now - self.began) // self.format.batch * self.format.batch

    # Corrections and the standing

    def warnings(self) -> list[tuple[TournamentMatch, TournamentMatch]]:
        """Return the matches of players without a life, and bracket matches whose players are not the bracket's."""
        if not any(match.is_corrected or match.status == "void" for match in self.matches):
            return []
        lost: defaultdict[str, list[TournamentMatch]] = defaultdict(list)
        for match in sorted(self._before(), key=lambda each: each.end_number):
            lost[match.loser or ""].append(match)
        found: list[tuple[TournamentMatch, TournamentMatch]] = []
        for match in self.matches:
            if match.status != "void" and match.round != PLAYOFF and not match.stands:
                causes = [cause for name in match.players if (cause := self._without_life(name, match, lost[name]))]
                found += [(match, cause) for cause in causes[:1]]
        warned = {match.id for match, _ in found}
        return found + [each for each in self.bracket.warnings() if each[0].id not in warned] if self.bracket else found

    def _without_life(
        self, name: str, match: TournamentMatch, lost: Sequence[TournamentMatch]
    ) -> TournamentMatch | None:
        """Return the last corrected match that took a player's last life before another match; None without one."""
        before = [each for each in lost if each.end_number <= match.ends_before]
        if len(before) < self.given.get(name, 0):
            return None
        return ([each for each in before if each.is_corrected] or before)[-1]

    def base_groups(self) -> Groups:
        """Order by the bracket; then the loser of a later match first."""
        return split(self.players, self._stage)

    def _stage(self, name: str) -> tuple[Any, ...]:
        """Return a player's sort key: by the stage reached or lost in."""
        player = self.tournament.players[name]
        if self.bracket and self.bracket.has(name):
            return (2, *self.bracket.stage(name))
        if not self.bracket and not self.is_out(name) and not player.is_withdrawn:
            return (1, 0)
        if player.is_withdrawn and self.lives_before(name):
            return (0, player.since)
        return (0, max((m.ended or 0 for m in self._before() if m.loser == name), default=0))

    def ends(self, seen: EndOutlook) -> Uncertain:
        """Return when the bracket will end, which begins when the lives that are too many for it are lost."""
        running = {each.id: self.end_of(each, seen) for each in self.running()}

        def length(back: int) -> float:
            return seen.pace * self.length_before_last(back)

        boards = self.boards()
        if self.bracket:
            all_boards = Boards(boards, seen.start, running.values())
            return last(self.bracket.ends(seen.start, running, length, all_boards)[-1:], seen.start)
        end = last(running.values(), seen.start)
        usual, alive = seen.pace * self.format.length, self._alive()
        lives = self.lives_left() - len(running)
        at_once = max(1, min(len(alive) // 2, boards or len(alive)))
        # Others play on while the last of them plays.
        begun = Uncertain(sum(each.mean for each in running.values()) / len(running)) if running else seen.start
        waves = max(0.0, (lives - self.places()) / at_once)
        if waves:
            end = Uncertain(max(end.mean, begun.mean + (waves * WAVE + TAIL) * usual), match_of(usual).variance * waves)
        if self.places() == 1:
            return end
        places: list[str | None] = [*alive[: self.places()]]
        places += [None] * (self.places() - len(places))
        bracket = Bracket(places, knockout_of(len(places)), self.tournament)
        return bracket.ends(end, {}, length, Boards(boards, end, ()))[-1]


class _Pairing:
    """The pairs of one minute before the bracket."""

    def __init__(self, phase: Lives, asking: Asking, ready: list[str]) -> None:
        self.phase = phase
        self.asking = asking
        self.ready = ready
        self.opponents = phase.record().opponents
        self.lives = {name: phase.lives_before(name) for name in phase.players}
        running = phase.tournament.running()
        self.quota = phase.lives_left() - len(running) - phase.places()
        self.running = [match.players for match in running]

    def run(self) -> None:
        """Pair equal lives first, other lives after patience, and rematches where no other pair is possible."""
        self._pair(lambda one, other: self._same(one, other) and self._is_new(one, other), "pair")
        self._pair(lambda one, other: self._is_new(one, other) and self._may_cross(one, other), "far")
        self._pair(lambda one, other: self._is_forced(one, other) and self._same(one, other), "forced")
        self._pair(self._is_forced, "forced")

    def _pair(self, allows: Callable[[str, str], bool], why: str) -> None:
        """Pair people as a rule allows; those with the fewest possible partners come first."""
        people = [name for name in self.ready if name not in self.asking.taken]
        partners: dict[str, list[str]] = {name: [] for name in people}
        for one, other in combinations(people, 2) if self.quota > 0 else ():
            if allows(one, other):
                partners[one].append(other)
                partners[other].append(one)
        for name in sorted(people, key=lambda each: len(partners[each])):
            if self.quota <= 0 or name in self.asking.taken:
                continue
            open_ = [each for each in partners[name] if each not in self.asking.taken]
            if open_:
                other = min(open_, key=lambda each: len(partners[each]))
                entry = self.asking.match((name, other), forced=why == "forced")
                if entry is None:
                    return
                self.quota -= 1
                self.asking.propose([entry], why, is_asked=why == "forced")

    def _same(self, one: str, other: str) -> bool:
        return self.lives[one] == self.lives[other]

    def _is_new(self, one: str, other: str) -> bool:
        return other not in self.opponents[one]

    def _may_cross(self, one: str, other: str) -> bool:
        return self._has_waited(one) or self._has_waited(other)

    def _has_waited(self, name: str) -> bool:
        """Tell whether a player's wait for an opponent with equal lives is over."""
        return self.asking.now - self.asking.since(name) >= self.phase.format.patience or not self._can_be_met(name)

    def _can_be_met(self, name: str) -> bool:
        """Tell whether a running match can bring a new opponent with equal lives."""
        return any(
            self._is_new(name, each) and self.lives[each] - self.lives[name] in (0, 1)
            for pair in self.running
            for each in pair
        )

    def _is_forced(self, one: str, other: str) -> bool:
        return not self._is_new(one, other) and not (self._has_others(one) or self._has_others(other))

    def _has_others(self, name: str) -> bool:
        """Tell whether a player may still meet a new opponent, free or playing."""
        others = [*self.asking.free(self.phase.players), *self.asking.taken, *(one for p in self.running for one in p)]
        return any(one != name and self.lives[one] and self._is_new(name, one) for one in others)

    def next_minute(self, left: list[str]) -> int | None:
        """Return the minute in which a player's patience ends, if an opponent of another group is free."""
        minutes = [
            self.asking.since(name) + self.phase.format.patience
            for name in left
            if any(one != name and self._is_new(name, one) for one in left)
        ]
        return min((minute for minute in minutes if minute > self.asking.now), default=None)

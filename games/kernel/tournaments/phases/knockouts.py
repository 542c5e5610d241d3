"""Knock-outs: single with consolation, rolling eights and re-entry; and double elimination."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.kernel.tournaments.asking import Asking
from games.kernel.tournaments.formats import check_entry
from games.kernel.tournaments.phases.brackets import Boards, Bracket, double_of, knockout_of, places_for
from games.kernel.tournaments.phases.phase import PLAYOFF, EndOutlook, Groups, Phase, split
from games.kernel.tournaments.state import TournamentMatch
from games.kernel.tournaments.uncertain import Uncertain, last

TOGETHER = 0.83
"""The duration of a double elimination, as a part of one whose halves have nothing to do with each other. From
simulated nights."""


class Knockout(Phase):
    """People are drawn into brackets: one, or one of eight after another, and the consolation."""

    def begin(self, players: Sequence[str], at: int) -> None:
        """Begin without a draw in the first phase; later ones are drawn as they are seeded."""
        super().begin(players, at)
        self.queue = list(players)
        self.brackets: list[Bracket] = []
        self.consolation: Bracket | None = None
        self.losers: list[str] = []
        """Latecomers: too late for a bracket, in time for the consolation."""
        if self.number:
            for part in eights(players) if self.format.rolling else [players]:
                self.draw(part)

    # Draws

    def wants_draw(self) -> bool:
        """Tell whether people wait for a bracket: the first, the next eight, the rest of the evening, consolation."""
        waiting = len(self._waiting())
        if not self.brackets:
            return waiting > 1
        if waiting >= 8 or (waiting > 1 and not any(each.is_undecided() for each in self.brackets)):
            return True
        return self._wants_consolation()

    def _waiting(self) -> list[str]:
        return [name for name in self.queue if not self.tournament.players[name].is_withdrawn]

    def _wants_consolation(self) -> bool:
        return self.consolation is None and self.format.consolation and len(self._first_losers()) > 1 and self._knows()

    def _knows(self) -> bool:
        """Tell whether each player that is not out has ended a match."""
        started = {name for match in self.matches if match.counts for name in match.players}
        still = [name for name in self.players if any(each.is_alive(name) for each in self.brackets)]
        running = {name for match in self.tournament.running() for name in match.players}
        return not self._waiting() and all(name in started for name in still) and not running - started

    def _first_losers(self) -> list[str]:
        """Return the players for the consolation: losers of their first match, and latecomers."""
        if self._firsts is None:
            self._firsts = self._lost_first()
        return self._firsts

    _firsts: list[str] | None = None

    def _lost_first(self) -> list[str]:
        seen: set[str] = set()
        losers = []
        for match in sorted(self.matches, key=lambda each: each.end_number):
            inside = self.consolation is not None and match.id in self.consolation.bound
            if match.counts and not inside and match.round != PLAYOFF:
                losers += [match.loser] if match.loser and match.loser not in seen else []
                seen.update(match.players)
        still = [name for name in losers if not self._plays_on(name)]
        return [n for n in [*still, *self.losers] if not self.tournament.players[n].is_withdrawn]

    def _plays_on(self, name: str) -> bool:
        return name in self.queue or any(each.is_alive(name) for each in self.brackets)

    def draws(self, asking: Asking) -> list[list[str]]:
        """Return the brackets that are due."""
        if not self.wants_draw():
            return []
        waiting = self._waiting()
        if self.brackets and (len(waiting) < 2 or self._wants_consolation()):
            return [asking.by_lot(self._first_losers())]
        order = asking.by_lot(waiting)
        if self.format.seeding == "given":
            seeds = {name: self.tournament.players[name].seed or 0 for name in waiting}
            order.sort(key=lambda name: (not seeds[name], seeds[name]))
        if not self.format.rolling:
            return [order]
        if self.brackets:
            return [order[:8]]
        return eights(order)

    def draw(self, players: Sequence[str]) -> None:
        """Make a bracket of people in seeded order: consolation, where they are not waiting for another."""
        waiting = set(self._waiting())
        if not set(players) <= waiting:
            check_entry(self._wants_consolation() and set(players) <= set(self._first_losers()), "bad_entry")
            self.consolation = self._bracket(players)
            self.losers = []
        else:
            # The eights of the first draw come one after another.
            check_entry(self.wants_draw() or not self.matches, "bad_entry")
            self.brackets.append(self._bracket(players))
            self.queue = [name for name in self.queue if name not in set(players)] if self.format.rolling else []
        self.changed()

    def _bracket(self, players: Sequence[str]) -> Bracket:
        places = places_for(players)
        return Bracket(places, knockout_of(len(places)), self.tournament)

    # The log

    def all_brackets(self) -> list[Bracket]:
        """Return all brackets, the consolation last."""
        return [*self.brackets, *([self.consolation] if self.consolation else [])]

    def changed(self, match: TournamentMatch | None = None) -> None:
        """Forget what was computed from matches."""
        super().changed(match)
        self._firsts = None
        for bracket in self.all_brackets():
            bracket.changed(match)

    def admit(self, name: str) -> None:
        """Give a latecomer a bye, else a place in the next eight or in the consolation."""
        if not self.brackets or any(each.take_bye(name) for each in self.brackets):
            self.queue += [] if self.brackets else [name]
        elif self.format.rolling:
            self.queue.append(name)
        else:
            has_place = self.format.consolation and self.consolation is None
            check_entry(has_place or (self.consolation is not None and self.consolation.take_bye(name)), "too_late")
            self.losers += [name] if has_place else []
        if name not in self.players:
            self.players.append(name)
        self.changed()

    def may_enter_again(self, name: str) -> bool:
        """Tell whether a player is out and may enter once more."""
        until = self.format.reentry_until
        lost = [m for m in self.matches if m.counts and m.loser == name and 1 <= (m.round or 0) <= until]
        return bool(lost) and self.is_out(name) and not self._is_for_consolation(name)

    def _is_for_consolation(self, name: str) -> bool:
        return self.consolation is not None and self.consolation.has(name) and self.consolation.is_alive(name)

    def bind(self, match: TournamentMatch) -> None:
        """Find the spot of a match."""
        self.refuse_unless_member(match.players)
        if match.round == PLAYOFF:
            return
        for bracket in self.all_brackets():
            pair = set(match.players)
            if any(each.is_ready and set(each.sides) == pair for each in bracket.outcomes()):
                bracket.bind(match)
                return
        check_entry(is_good=False, code="bad_entry")

    def comes_back(self, name: str) -> None:
        """Keep what was decided without them."""
        for bracket in self.all_brackets():
            bracket.comes_back(name)

    def goes(self, name: str) -> None:
        """Move others on."""
        self.changed()

    # What follows

    def is_out(self, name: str) -> bool:
        """Tell whether a player has lost and waits for no other bracket."""
        if name not in self.players:
            return True
        if not self.brackets or any(each.is_alive(name) for each in self.all_brackets()) or name in self.queue:
            return False
        may_come = self.format.consolation and self.consolation is None
        return not (may_come and name in self._first_losers())

    def round(self) -> int | None:
        """Return the first round with an open match."""
        return min((number for each in self.all_brackets() if (number := each.round())), default=None)

    def goes_on(self, now: int) -> bool:
        """Tell whether there is more to play."""
        return self.wants_draw() or any(each.is_undecided() for each in self.all_brackets())

    def propose(self, asking: Asking) -> None:
        """Propose the matches of all brackets."""
        for bracket in self.all_brackets():
            bracket.propose(asking, None if bracket is self.consolation else self.length_before_last)

    def warnings(self) -> list[tuple[TournamentMatch, TournamentMatch]]:
        """Return the warnings of all brackets, and consolation matches of players that won their first match."""
        found = [each for bracket in self.all_brackets() for each in bracket.warnings()]
        if self.consolation:
            firsts = {match.loser: match for match in reversed(self.matches) if match.counts}
            warned = {match.id for match, _ in found}
            for id_ in self.consolation.bound:
                match = self.tournament.matches[id_]
                causes = [c for name in match.players if (c := self._wrong_for_consolation(name)) is not None]
                if firsts and causes and match.status != "void" and not match.stands and id_ not in warned:
                    found.append((match, causes[0]))
        return found

    def _wrong_for_consolation(self, name: str) -> TournamentMatch | None:
        """Return the corrected first match that a player has not lost; None without one."""
        inside = self.consolation.bound if self.consolation else {}
        mine = [m for m in self.matches if name in m.players and m.counts and m.id not in inside]
        first = min(mine, key=lambda each: each.end_number, default=None)
        return first if first is not None and first.winner == name and first.is_corrected else None

    def base_groups(self) -> Groups:
        """Order by the stage in which people went out; the consolation follows the main brackets."""
        return split(self.players, self._stage)

    def _stage(self, name: str) -> tuple[Any, ...]:
        """Return a player's sort key: the best of the player's brackets, the consolation below."""
        main = max((each.stage(name) for each in self.brackets if each.has(name)), default=None)
        in_consolation = self.consolation is not None and self.consolation.has(name)
        if self.consolation is not None and in_consolation and (main is None or main[0] == 0):
            return (0, *self.consolation.stage(name))
        return (1, *main) if main is not None else (1, 0, -1) if name in self.queue else (0, -1)

    def ends(self, seen: EndOutlook) -> Uncertain:
        """Return when the last bracket will end, the consolation that is still to come among them."""
        running = {match.id: self.end_of(match, seen) for match in self.running()}
        boards = Boards(self.boards(), seen.start, running.values())
        usual = seen.pace * self.format.length

        def length(back: int) -> float:
            return seen.pace * self.length_before_last(back)

        ends = [seen.start]
        firsts: list[Uncertain] = []
        expected = 0.0
        for bracket in self._present_brackets():
            found = bracket.ends(seen.start, running, length, boards)
            ends.append(last(found[-1:], seen.start))
            first = bracket.firsts()
            firsts += [found[at] for at in first]
            expected += sum(first.values())
        if self.consolation is not None:
            ends.append(self.consolation.ends(seen.start, running, lambda _back: usual, boards)[-1])
        elif self.format.consolation and (count := round(expected) + len(self._first_losers())) > 1:
            start = last(firsts, seen.start)
            bracket = Bracket(places := places_for(self.here()[:count]), knockout_of(len(places)), self.tournament)
            ends.append(bracket.ends(start, {}, lambda _back: usual, boards)[-1])
        return last(ends, seen.start)

    def _present_brackets(self) -> list[Bracket]:
        """Return the brackets; before the draw, those that it will make."""
        waiting = self._waiting()
        if self.brackets or len(waiting) < 2:
            return self.brackets
        return [self._bracket(part) for part in (eights(waiting) if self.format.rolling else [waiting])]

    def passed(self, name: str) -> int:
        """Return the number of rounds that a player passed without an opponent."""
        return sum(each.byes(name) for each in self.all_brackets() if each.has(name))


class Double(Knockout):
    """Double elimination: a second loss is the end, and the winner of the lower bracket must win the final twice."""

    def ends(self, seen: EndOutlook) -> Uncertain:
        """Return when the second final will have ended; those who wait for each other have often the same reason."""
        end, boards = super().ends(seen), self.boards()
        if boards is not None and 2 * boards < len(self.here()):
            return end
        return Uncertain(seen.start.mean + TOGETHER * (end.mean - seen.start.mean), end.variance)

    def _bracket(self, players: Sequence[str]) -> Bracket:
        places = places_for(players)
        return Bracket(places, double_of(len(places)), self.tournament)


def eights(order: Sequence[str]) -> list[list[str]]:
    """Return the players in groups of eight; the last is shorter, with two players at least."""
    parts = [list(order[at : at + 8]) for at in range(0, len(order), 8)]
    if len(parts) > 1 and len(parts[-1]) == 1:
        parts[-1].insert(0, parts[-2].pop())
    return parts

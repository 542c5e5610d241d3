"""A phase of a tournament: what all kinds have in common."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from games.kernel.tournaments.formats import EntriesRefused, Format, check_entry, length_from_last
from games.kernel.tournaments.phases.gone_home import Gone
from games.kernel.tournaments.phases.playoffs import DecidedPair, Race, rounds_for
from games.kernel.tournaments.state import TournamentMatch, TournamentState
from games.kernel.tournaments.uncertain import Uncertain, rest_of_match, together

if TYPE_CHECKING:
    from games.kernel.tournaments.asking import Asking

Groups = list[list[str]]
"""People in the order of a standing; those in one list are equal."""
PLAYOFF = 0
"""The round of a match that is played for a place alone."""
PLAYOFFS = 0.42
"""The part of the play-offs to be expected that a forecast has: in the mean there are as many, in most nights none."""


@dataclass(slots=True)
class Record:
    """Wins, losses and meetings of a phase; play-offs count among the meetings alone."""

    wins: Counter[str] = field(default_factory=Counter)
    losses: Counter[str] = field(default_factory=Counter)
    met: Counter[frozenset[str]] = field(default_factory=Counter)
    opponents: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def meet(self, match: TournamentMatch) -> None:
        """Count a meeting."""
        one, other = match.players
        self.met[frozenset(match.players)] += 1
        self.opponents[one].add(other)
        self.opponents[other].add(one)

    def net(self, name: str) -> int:
        """Return wins less losses."""
        return self.wins[name] - self.losses[name]


@dataclass(frozen=True, slots=True)
class EndOutlook:
    """A view of the end: when the phase begins or goes on, the minute of asking, and the minutes for each point."""

    start: Uncertain
    now: int
    pace: float


class Phase:
    """A phase: its people, its matches, what may be played next, and its standing."""

    in_step = False
    """Rounds begin together."""

    def __init__(self, tournament: TournamentState, number: int, format_: Format) -> None:
        self.tournament = tournament
        self.number = number
        self.format = format_
        self.players: list[str] = []
        self.matches: list[TournamentMatch] = []
        self.began = 0
        self.lots: list[list[str]] = []
        """The orders by lot of those who were equal in everything else."""
        self.gone_when_closed: frozenset[str] | None = None
        """The people who had withdrawn when the next phase began."""
        self._record: Record | None = None

    # What the log does

    def begin(self, players: Sequence[str], at: int) -> None:
        """Begin with people, in the order of their entry or as seeded by the phase before."""
        self.players = list(players)
        self.began = at

    def wants_draw(self) -> bool:
        """Tell whether people wait for a draw that is written into the log."""
        return False

    def draw(self, players: Sequence[str]) -> None:
        """Carry out a draw; raises EntriesRefused where none is due."""
        raise EntriesRefused("bad_entry")

    def admit(self, name: str) -> None:
        """Take a latecomer in; raises EntriesRefused when it is too late."""
        self.players.append(name)

    def may_enter_again(self, name: str) -> bool:
        """Tell whether a player that is out may enter once more."""
        return False

    def add(self, match: TournamentMatch) -> None:
        """Take a match of the log; raises EntriesRefused where the format does not have it."""
        self.bind(match)
        self.matches.append(match)
        self.changed(match)

    def bind(self, match: TournamentMatch) -> None:
        """Check a match against the format, and find its place there."""

    def bye(self, name: str, round_: int) -> None:
        """Take a bye of the log; raises EntriesRefused where the format has none."""
        raise EntriesRefused("bad_entry")

    def comes_back(self, name: str) -> None:
        """Note the return of a player."""

    def goes(self, name: str) -> None:
        """Note the withdrawal or pause of a player."""

    def changed(self, match: TournamentMatch | None = None) -> None:
        """Forget what was computed from matches; given a match, it has begun or ended, and no other has changed."""
        self._record = None

    def close(self) -> None:
        """End, as the next phase begins: who goes or comes later changes nothing here."""
        self.gone_when_closed = self.gone_at_end()

    def end_rounds(self) -> None:
        """Let no other round begin; raises EntriesRefused where the format has no such end."""
        raise EntriesRefused("bad_entry")

    # What follows from it

    @property
    def is_closed(self) -> bool:
        """Tell whether the next phase has begun, or the tournament is over."""
        return self.gone_when_closed is not None or self.tournament.status == "finished"

    def is_over(self) -> bool:
        """Tell whether nothing is left to play."""
        return self.is_closed

    def gone_at_end(self) -> frozenset[str]:
        """Return the people who have withdrawn; after the end, those who had then."""
        if self.gone_when_closed is not None:
            return self.gone_when_closed
        return frozenset(name for name in self.players if self.tournament.players[name].is_withdrawn)

    def gone(self) -> list[Gone]:
        """Return who has gone home, where something follows from it for the standing at the end."""
        return []

    def counted_wins_and_losses(self) -> Record | None:
        """Return the wins and losses that count in the standing; None: all of them."""
        return None

    def as_played(self) -> Record:
        """Return the wins and losses of the matches that were played, without play-offs."""
        return self._counted(match for match in self.matches if match.round != PLAYOFF)

    def record(self) -> Record:
        """Return the record of the phase."""
        if self._record is None:
            self._record = self._counted(match for match in self.matches if match.round != PLAYOFF)
            for match in self.matches:
                if match.round == PLAYOFF and match.status != "void":
                    self._record.meet(match)
        return self._record

    @staticmethod
    def _counted(matches: Iterable[TournamentMatch]) -> Record:
        record = Record()
        for match in matches:
            if match.status != "void":
                record.meet(match)
            if match.counts and match.winner and match.loser:
                record.wins[match.winner] += 1
                record.losses[match.loser] += 1
        return record

    def is_out(self, name: str) -> bool:
        """Tell whether a player has no more matches in this phase."""
        return name not in self.players

    def lives(self, name: str) -> int | None:
        """Return the lives left, where the format has lives."""
        return None

    def unplayed(self, name: str) -> tuple[int, int]:
        """Return wins and losses without a match."""
        return 0, 0

    def passed(self, name: str) -> int:
        """Return the number of rounds that a player passed without an opponent and without an entry of the log."""
        return 0

    def round(self) -> int | None:
        """Return the round that is played, where the format has rounds."""
        return None

    def warnings(self) -> list[tuple[TournamentMatch, TournamentMatch]]:
        """Return matches that a correction would not have made, each with the match that was corrected."""
        return []

    def draws(self, asking: Asking) -> list[list[str]]:
        """Return the draws that are due, each as people in seeded order."""
        return []

    def propose(self, asking: Asking) -> None:
        """Propose what may be played now, and say why others wait."""
        raise NotImplementedError

    def goes_on(self, now: int) -> bool:
        """Tell whether matches may still begin between players that are not pausing."""
        return False

    def length_before_last(self, rounds: int) -> int:
        """Return the length of a match that is so many rounds before the last one."""
        return length_from_last(self.format, rounds)

    # The forecast

    def ends(self, seen: EndOutlook) -> Uncertain:
        """Return when the phase will end if there is no break."""
        raise NotImplementedError

    def running(self) -> list[TournamentMatch]:
        """Return the running matches of the phase in the order of the log."""
        return [match for match in self.tournament.running() if match.phase == self.number]

    def end_of(self, match: TournamentMatch, seen: EndOutlook) -> Uncertain:
        """Return when a running match will end."""
        rest = rest_of_match(seen.pace * match.length, seen.now - match.started)
        return Uncertain(seen.now + rest.mean, rest.variance)

    def boards(self) -> int | None:
        """Return the number of boards that are in order; None: enough."""
        tables = self.format.tables
        return None if tables is None else max(1, tables - len(self.tournament.tables_out))

    def here(self) -> list[str]:
        """Return the people of the phase that have not withdrawn."""
        return [name for name in self.players if not self.tournament.players[name].is_withdrawn]

    def with_playoffs(
        self, end: Uncertain, seen: EndOutlook, *, rounds: int = 0, pairs: Sequence[tuple[str, str]] = ()
    ) -> Uncertain:
        """Return the end after the play-offs that may follow what is left: rounds by score, or pairs."""
        cut, people = self.cut(), {name: at for at, name in enumerate(self.here())}
        if not 0 < cut < len(people):
            return end
        playoffs = [match for match in self.matches if match.round == PLAYOFF and match.status != "void"]
        if playoffs:
            left = self._left_of_playoffs(playoffs, people, cut) - any(m.status == "running" for m in playoffs)
            more = Uncertain(max(0, left))
        else:
            decided = [
                DecidedPair(people[match.winner], people[match.loser])
                for match in self.matches
                if match.counts and match.winner in people and match.loser in people
            ]
            extra = [self.unplayed(name)[0] for name in people]
            pairs = [*pairs, *(match.players for match in self.running())]
            known = [(people[one], people[other]) for one, other in pairs if one in people and other in people]
            more = Race(len(people), cut, decided, extra, known, rounds, self.parts_equals_by_meetings()).play_offs()
        one = together(2, seen.pace * self.format.length)
        if not playoffs:
            # Most nights have none, and some have many.
            more = Uncertain(PLAYOFFS * more.mean, more.variance)
        return Uncertain(
            end.mean + more.mean * one.mean,
            end.variance + more.mean * one.variance + more.variance * one.mean**2,
        )

    def _left_of_playoffs(self, playoffs: Sequence[TournamentMatch], people: Container[str], cut: int) -> int:
        """Return the rounds of play-offs that are left in the group that the cut divides."""
        losses = Counter(match.loser for match in playoffs if match.counts)
        before = 0
        for each in self.base_groups():
            group = [name for name in each if name in people]
            if before < cut < before + len(group):
                counts = Counter(losses[name] for name in group)
                return rounds_for([counts[number] for number in range(max(counts) + 1)], cut - before)
            before += len(group)
        return 0

    def parts_equals_by_meetings(self) -> bool:
        """Tell whether those who are equal are parted by the matches between them, before a play-off."""
        return True

    def groups(self) -> Groups:
        """Return the people of the phase in the order of its standing, play-offs and lots counted."""
        losses: Counter[str] = Counter()
        for match in self.matches:
            if match.round == PLAYOFF and match.counts and match.loser:
                losses[match.loser] += 1
        groups = [part for group in self.base_groups() for part in split(group, lambda name: -losses[name])]
        return [part for group in groups for part in self._by_lot(group)]

    def _by_lot(self, group: list[str]) -> Groups:
        """Return a group in the order of the last lot that has all of it, if there is one."""
        lot = next((each for each in reversed(self.lots) if set(group) <= set(each)), None)
        return [group] if lot is None else [[name] for name in sorted(group, key=lot.index)]

    def base_groups(self) -> Groups:
        """Return the people in the order of the standing, play-offs left out."""
        raise NotImplementedError

    def has_lots(self) -> bool:
        """Tell whether lots order those who are equal in everything else."""
        return False

    def cut(self) -> int:
        """Return the number of players that go on to the next phase; 0 in the last."""
        advance = self.tournament.plan.advance
        return advance[self.number] if self.number < len(advance) else 0

    def among_equals(self, group: Sequence[str]) -> Callable[[str], int]:
        """Return the wins less losses of matches among a group."""
        inside = set(group)
        matches = [m for m in self.matches if m.round != PLAYOFF and inside.issuperset(m.players)]
        return self._counted(matches).net

    def refuse_unless_member(self, names: Iterable[str]) -> None:
        """Refuse players that are not in this phase."""
        check_entry(set(names) <= set(self.players), "player_gone")


def split(group: Iterable[str], key: Callable[[str], Any]) -> Groups:
    """Return a group parted by a key, largest first; equal people keep their order."""
    parts: dict[Any, list[str]] = {}
    for name in group:
        parts.setdefault(key(name), []).append(name)
    return [parts[value] for value in sorted(parts, reverse=True)]

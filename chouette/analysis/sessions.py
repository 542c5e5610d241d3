"""Problems of a session at this house: whose each choice was, in a chouette with a cube for each member.

A play is whoever moved's, at the cubes in play; a double or none is each member's for their own cube and the Box's for
each of theirs; an answer is the owner's of the decision; an extra is the dropper's who gives or keeps it; a settlement
is that of both sides. What the clock did and what the rules forced is nobody's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from chouette.analysis.engine import Stakes
from chouette.analysis.problems import Problem
from chouette.board.plays import results
from chouette.board.position import START
from chouette.export.record import BEAVER, DOUBLE, DROP, NO_DOUBLE, PLAY, RACCOON, TAKE
from chouette.rules.cube import beavers, obligations
from chouette.rules.cube.cubes import (
    cube_of,
    decision_cubes,
    extras_of,
    holder,
    live,
    other,
    turnable,
)
from chouette.rules.events.fold import EVENTS
from chouette.rules.events.game import TimedOut, TurnBegan
from chouette.rules.events.session import GameStarted
from chouette.rules.options.declaration import rule
from chouette.rules.play import by_notation, movers_view
from chouette.rules.session import match
from chouette.rules.state import AGAINST, BOX, CENTRE, MOVE, OFFER, TEAM, WINDOW, Cube, Game, State, initial
from games.kernel.contract import Event, JsonObject, Seat
from games.kernel.replay import Entry, is_house, upcast
from games.kernel.sets import Sets

SETTLEMENT, PLAY_ON, EXTRA, NO_EXTRA = "settlement", "play_on", "extra", "no_extra"
UNCOUNTED = (SETTLEMENT, EXTRA, NO_EXTRA)
"""The kinds that are graded and count in no PR: backgammon of two does not know them."""
MOST_GROUPS = 4
"""A play is judged for so many owners of a cube at most, with and without Jacoby alive."""

_KINDS = {"accept": TAKE, "drop": DROP, "raccoon": RACCOON}
_OFFERS = {"beavered": "B", "raccooned": "R"}
_TAKEN, _TIMES = 2, {"B": 4, "R": 8}
"""The multiple of its value before the double that a cube shows when taken; when a beaver or raccoon is answered."""


@dataclass(frozen=True, slots=True)
class Bound:
    """The obligations under which the Box chose about one of several cubes: the legal sets and every cube's problem."""

    cube: int
    sets: Sets
    problems: Mapping[int, Problem]


@dataclass(frozen=True, slots=True)
class Share:
    """The share of a seat in a cube: `value` is the cube's, negative for the side that is not on turn.

    `group` is the number of the cube's kind among the groups of the choice; None where it is in none of them.
    """

    seat: Seat
    group: int | None
    value: float


@dataclass(frozen=True, slots=True)
class SessionChoice:
    """A choice of a session, with whose it was.

    `groups` are the problem at each kind of cubes in play with the sum of their values, the heaviest first; a
    cube action has one. `seat` is None where the choice was nobody's. `suggestions` are plays that others had
    suggested, by seat. `points` are what a settlement brought the seat, in cubes, and `may_double` says that its cube
    could still be doubled before the roll. `bound` is None where no obligation binds. `shares` are what each seat has
    in the cubes in play of a play.
    """

    seq: int
    seat: Seat | None
    role: str
    kind: str
    groups: tuple[tuple[Problem, int], ...]
    suggestions: tuple[tuple[Seat, str], ...] = ()
    points: float = 0.0
    may_double: bool = False
    bound: Bound | None = None
    shares: tuple[Share, ...] = ()

    @property
    def problem(self) -> Problem:
        """Return the problem at the heaviest group of cubes."""
        return self.groups[0][0]


def choices(
    options: Mapping[str, Any], seats: int, entries: Iterable[Entry], first: int = 1
) -> Iterator[SessionChoice]:
    """Yield the choices of a session in order, those before entry `first` left out.

    `seats` is the number that the table was opened with. A session on a real board has none: its plays are not known.
    """
    if options.get("board") == "wood":
        return
    reader = _SessionReader(initial(dict(options), seats))
    for entry in entries:
        reader.begin_entry(entry)
        for event in entry.events:
            if not is_house(event):
                found = reader.read(upcast(event, EVENTS.upcasts), entry.seq)
                yield from found if entry.seq >= first else ()


class _SessionReader:
    """A reader of the log; `has_begun` says that a play was made in this game."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.has_begun, self.has_doubled = False, False
        self.late: set[Seat] = set()
        self.quiet: set[Seat] = set()

    def begin_entry(self, entry: Entry) -> None:
        """Note the seats for which the clock acts in an entry: their answers may open with a later entry."""
        self.late = {
            event.data["seat"] for event in entry.events if event.type == TimedOut.name and not event.data.get("again")
        }
        self.quiet |= self.late

    def read(self, event: Event, seq: int) -> Sequence[SessionChoice]:
        """Apply an event; return the choices that it made."""
        game, write = self.state.game, _WRITERS.get(event.type)
        is_on = game is not None and game.turn in (TEAM, BOX)
        found = tuple(write(self, game, event.data, seq)) if write is not None and game is not None and is_on else ()
        self.state = EVENTS.fold(self.state, event, seq)
        if event.type == GameStarted.name:
            self.has_begun, self.has_doubled = False, False
        elif event.type == TurnBegan.name:
            self.has_doubled, self.quiet = False, set()
        return found

    def rolled(self, game: Game, data: JsonObject, seq: int) -> Iterator[SessionChoice]:
        """Yield that nobody doubled before a roll."""
        if not self.has_doubled:
            yield from self._doubles(game, (), seq)

    def doubled(self, game: Game, data: JsonObject, seq: int) -> Iterator[SessionChoice]:
        """Yield the doubles of a turn, and the decisions not to double of the same side."""
        self.has_doubled = True
        yield from self._doubles(game, tuple(data["cubes"]), seq)

    def played(self, game: Game, data: JsonObject, seq: int) -> Iterator[SessionChoice]:
        """Yield a play, at each kind of cubes in play."""
        position, dice = movers_view(game), tuple(data["dice"])
        result = by_notation(position, dice)[data["play"]]
        is_opening = not self.has_begun and position == START and dice[0] != dice[1]
        groups = tuple(
            (Problem(0, PLAY, position, stakes, dice, data["play"], result, is_opening=is_opening), weight)
            for stakes, weight in self._groups(game)
        )
        self.has_begun = True
        seat = data["seat"]
        if groups:
            is_free = seat not in self.late and len(results(position, dice)) > 1
            drawn = tuple((line.seat, line.play) for line in game.talk if line.play and line.seat != seat)
            whose, shares = seat if is_free else None, tuple(self._shares(game, [each.stakes for each, _ in groups]))
            yield SessionChoice(seq, whose, _role(game, seat), PLAY, groups, drawn, shares=shares)

    def answered(self, game: Game, data: JsonObject, seq: int) -> Iterator[SessionChoice]:
        """Yield the answers to the doubles of a turn; of a single cube's stakes each member answers for their own."""
        side, batch = other(game.turn), tuple(game.batch)
        batch = decision_cubes(game, batch) if game.turn == TEAM else batch
        sets = obligations.answers(self.state.options, obligations.batch_of(game, batch)) if game.turn == TEAM else None
        takes = tuple(index for index in batch if index in data["takes"])
        is_forced = sets is not None and sets.marks is not None and takes in sets.marks.forced
        for index in batch:
            kind = TAKE if index in takes else DROP
            kind = BEAVER if kind == TAKE and (is_forced or index in data["beavers"]) else kind
            if kind == TAKE and self._must_reconsider(game, index, data["takes"]):
                continue
            cube = game.cubes[index]
            problem = replace(self._problem(game, cube, kind, "D"), must_raise=is_forced and kind == BEAVER)
            count = 1 if sets is None and game.is_single else self._count(game, index, side)
            found = self._choice(game, problem, holder(game, cube, side), seq, count)
            yield found if sets is None else replace(found, bound=self._bound(game, index, sets))

    def _must_reconsider(self, game: Game, index: int, takes: Sequence[int]) -> bool:
        """Tell whether a take is none yet: alone in taking, its member has to beaver or to drop after all."""
        is_bound = rule(self.state.options, "sole_taker") == "must_beaver_or_drop"
        return (
            is_bound
            and beavers.is_sole_taker(game, list(takes))
            and obligations.may_beaver(self.state.options, game.cubes[index].value)
        )

    def replied(self, game: Game, data: JsonObject, seq: int) -> Iterator[SessionChoice]:
        """Yield the answers to beavers and raccoons, sole takers' (beaver or drop), and extras given or kept."""
        for index, kind, seat, reply in data["replies"]:
            cube = game.cubes[index]
            if kind in _OFFERS:
                count = self._count(game, index, TEAM if seat != cube.against else BOX)
                yield self._choice(game, self._problem(game, cube, _KINDS[reply], _OFFERS[kind]), seat, seq, count)
            elif kind == "must_beaver":
                problem = self._taken(game, cube, BEAVER if reply == "beaver" else DROP)
                yield self._choice(game, replace(problem, must_raise=True), seat, seq)
            elif kind == "extra":
                problem = self._taken(game, cube, EXTRA if reply == "give" else NO_EXTRA)
                problem = replace(problem, offer="B") if index in game.beavers else problem
                yield self._choice(game, problem, seat, seq)

    def settled(self, game: Game, data: JsonObject, seq: int) -> Iterator[SessionChoice]:
        """Yield a settlement for both sides of a cube.

        An extra that goes out with its taker's own cube does so at the same terms, to which its other side has not
        agreed: for them it is nobody's.
        """
        cube = game.cubes[data["cube"]]
        if data["how"] != "settled":
            return
        own = cube_of(game, cube.member)
        has_followed = cube.is_extra and own is not None and game.cubes[own].result is not None
        turned = own if cube.is_extra else data["cube"]
        may_double = game.stage in (WINDOW, OFFER) and turned in turnable(self.state, game, game.turn)
        for side in (TEAM, BOX):
            seat, sign = holder(game, cube, side), 1 if side == TEAM else -1
            problem = replace(self._problem(game, cube, SETTLEMENT), player=int(side != game.turn))
            if game.stage == MOVE:
                problem = replace(problem, dice=tuple(game.dice))
            yield SessionChoice(
                seq,
                None if has_followed and side == BOX else seat,
                _role(game, seat),
                SETTLEMENT,
                ((problem, cube.value),),
                points=sign * data["points"] / cube.value,
                may_double=may_double,
            )

    def _doubles(self, game: Game, doubled: tuple[int, ...], seq: int) -> Iterator[SessionChoice]:
        if not self.has_begun:
            return
        cubes = decision_cubes(game, turnable(self.state, game, game.turn))
        for index in cubes:
            cube, is_made = game.cubes[index], index in doubled
            problem = self._problem(game, cube, DOUBLE if is_made else NO_DOUBLE)
            if not (is_made or problem.stakes.may_double):
                continue
            count = self._count(game, index, game.turn)
            found = self._choice(game, problem, holder(game, cube, game.turn), seq, count)
            if game.turn == BOX:
                sets = obligations.offers(self.state.options, obligations.batch_of(game, cubes))
                found = replace(found, bound=self._bound(game, index, sets))
            yield found

    def _bound(self, game: Game, index: int, sets: Sets) -> Bound | None:
        """Return the obligations about one of several cubes, None without any."""
        if not sets.laws and not (sets.marks is not None and sets.marks.forced):
            return None
        kind, offer = (DOUBLE, "") if game.turn == BOX else (TAKE, "D")
        return Bound(index, sets, {each: self._problem(game, game.cubes[each], kind, offer) for each in sets.of})

    def _choice(self, game: Game, problem: Problem, seat: Seat, seq: int, count: int = 1) -> SessionChoice:
        """Return a seat's choice about a cube and what goes with it, `count` of one value; nobody's by the clock."""
        is_clocks = seat in self.late or (problem.kind != DOUBLE and seat in self.quiet)
        whose = None if is_clocks else seat
        return SessionChoice(seq, whose, _role(game, seat), problem.kind, ((problem, count * problem.stakes.cube),))

    def _count(self, game: Game, index: int, side: str) -> int:
        """Return the number of cubes, all of one value, that are turned or answered with a cube by one decision.

        A member's extras go with their own cube, and all stakes in a single cube together.
        """
        if game.is_single:
            return len(live(game))
        return 1 + len(extras_of(game, index)) if side == TEAM else 1

    def _problem(self, game: Game, cube: Cube, kind: str, offer: str = "") -> Problem:
        """Return the problem of a cube action; an answer is judged at the cube as it stood before the double."""
        stakes = self._stakes(game, cube)
        if offer in _OFFERS.values():
            stakes = self._before(stakes, _TIMES[offer])
        is_dead = not self.has_begun or not stakes.may_double
        return Problem(0, kind, movers_view(game), stakes, played=kind, offer=offer, is_dead=is_dead)

    def _taken(self, game: Game, cube: Cube, kind: str) -> Problem:
        """Return the problem of a choice about a cube that has just been taken, at the cube before the double."""
        stakes = self._before(self._stakes(game, cube), _TAKEN)
        return Problem(0, kind, movers_view(game), stakes, played=kind, offer="D", is_dead=not self.has_begun)

    def _before(self, stakes: Stakes, times: int) -> Stakes:
        """Return the stakes before a double that was taken.

        Whose the cube was then the log no longer tells; the equity of a take does not differ by it.
        """
        return replace(stakes, cube=max(stakes.cube // times, 1), owner=1)

    def _groups(self, game: Game) -> list[tuple[Stakes, int]]:
        """Return the stakes of each kind of cubes in play with the sum of their values, the heaviest first."""
        found: dict[tuple[int, bool], tuple[Stakes, int]] = {}
        for index in live(game):
            stakes = self._stakes(game, game.cubes[index])
            key = (stakes.owner, stakes.jacoby)
            before, weight = found.get(key, (stakes, 0))
            found[key] = (max(before, stakes, key=lambda each: each.cube), weight + game.cubes[index].value)
        return sorted(found.values(), key=lambda each: -each[1])[:MOST_GROUPS]

    def _shares(self, game: Game, groups: Sequence[Stakes]) -> Iterator[Share]:
        """Yield what both sides have in each cube in play, extras too; a partner shares the Box's half and half."""
        numbers = {(stakes.owner, stakes.jacoby): number for number, stakes in enumerate(groups)}
        for cube in game.cubes:
            if cube.result is None:
                stakes = self._stakes(game, cube)
                group = numbers.get((stakes.owner, stakes.jacoby))
                value = cube.value if game.turn == TEAM else -cube.value
                yield Share(cube.member, group, value)
                is_shared = game.partner is not None and not cube.is_extra
                against = [game.box, game.partner] if is_shared else [cube.against]
                yield from (Share(seat, group, -value / len(against)) for seat in against if seat is not None)

    def _stakes(self, game: Game, cube: Cube) -> Stakes:
        """Return what a cube is played for, in the view of the side on turn."""
        state, mine = self.state, game.turn
        theirs = AGAINST if mine == TEAM else "member"
        owner = 0 if cube.owner == CENTRE else -1 if cube.owner == theirs else 1
        length = state.options["match_length"] if match.is_match(state) else 0
        seats = (cube.member, cube.against) if mine == TEAM else (cube.against, cube.member)
        score = tuple(match.points_of(state, seat) for seat in seats) if length else (0, 0)
        return Stakes(
            cube=cube.value,
            owner=owner,
            length=length,
            score=(score[0], score[1]),
            is_crawford=game.is_crawford,
            jacoby=not length and bool(rule(state.options, "jacoby")) and not cube.turned,
            beavers=not length and bool(rule(state.options, "beavers")),
        )


def _role(game: Game, seat: Seat) -> str:
    """Return the role of a seat in a game: box, captain or member."""
    if seat in (game.box, game.partner):
        return "box"
    return "captain" if seat == game.captain else "member"


_WRITERS = {
    "dice_rolled": _SessionReader.rolled,
    "doubled": _SessionReader.doubled,
    "play_made": _SessionReader.played,
    "answers_opened": _SessionReader.answered,
    "replies_opened": _SessionReader.replied,
    "cube_settled": _SessionReader.settled,
}

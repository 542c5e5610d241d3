"""The next Box, and the line behind (docs/rules-chouette.md §5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from chouette.rules.events.fold import EVENTS
from chouette.rules.events.session import LineSet, LotsDrawn, OrderRolled
from chouette.rules.session import start, start_score
from chouette.rules.state import TO_THROW, Draft, State, initial, is_two, rule_of
from games.kernel.contract import Decision, Seat
from games.kernel.dice import Dice
from games.kernel.options import Values
from games.kernel.standings import draw_lots, throw_for_order

BOX_STAYS, CAPTAIN_WINS, STAND_IN_WINS, BELOW_EVEN = (
    "box_stays", "captain_wins", "last_captain_wins", "box_below_even",
)  # fmt: skip


DRAWN, BY_HAND = "drawn", "by_hand"
"""Origins of a first line without rolls (§4.12)."""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game as the rotation reads it.

    `line` is Box, Captain, next, … without a partner; `captains` are the seats that played for the
    Team, in order. `results` are the members' points against the Box, `box_net` the Box's.
    `box_wins`: the Box won the last cubes; it is never inferred from the points.
    """

    line: tuple[Seat, ...]
    captains: tuple[Seat, ...]
    results: Mapping[Seat, int]
    box_wins: bool
    box_net: int
    must_break_even: bool = False


@dataclass(frozen=True, slots=True)
class Next:
    """The next line and its reason: `box_stays`, `captain_wins`, `last_captain_wins`, `box_below_even`.

    `last` is a partner that stands behind all others, else None.
    """

    line: tuple[Seat, ...]
    why: str
    last: Seat | None = None

    @property
    def loser(self) -> Seat:
        """The seat at the end of the line because it lost; only a partner may stand behind it."""
        return self.line[-1 if self.last is None else -2]


def with_partner(found: Next, box: Seat, partner: Seat) -> Next:
    """Return the next line with the partner in it (§4.10).

    The partner is the next Captain if the Box changes, whichever side won; while the Box stays, last.
    """
    if found.line[0] == box:
        return Next((*found.line, partner), found.why, partner)
    return Next((found.line[0], partner, *found.line[1:]), found.why)


def next_line(rotation: str, record: FinishedGame) -> Next:
    """Return the line of the next game by a rotation."""
    return _ROTATIONS[rotation](record)


def _captain_result(record: FinishedGame) -> Next:
    """Rotation by the Box's result against the first Captain alone.

    The stand-in of a winning Captain is Captain next in any case.
    """
    box, captain = record.line[:2]
    rest = _without(record.line, box, captain)
    if record.results[captain] <= 0:
        return Next((box, *rest, captain), BOX_STAYS)
    if len(record.captains) > 1:
        stand_in = record.captains[1]
        rest = (stand_in, *_without(rest, stand_in))
    return Next((captain, *rest, box), CAPTAIN_WINS)


def _last_man_standing(record: FinishedGame) -> Next:
    """Rotation in which a Captain moves to the end on going out; the last one plays for the Box."""
    box, last = record.line[0], record.captains[-1]
    former = record.captains[:-1]
    team = (*_without(record.line, box, *former), *former)
    rest = _without(team, last)
    if record.box_wins:
        return Next((box, *rest, last), BOX_STAYS)
    return Next((last, *rest, box), STAND_IN_WINS if former else CAPTAIN_WINS)


def _game_result(record: FinishedGame) -> Next:
    """Rotation by the game: the Box stays if it wins (and at least breaks even).

    A Captain whose double was dropped keeps the claim; a losing Captain hands it on. At the bottom stand, in
    the order in which they went out, the Captains and stand-ins that lost, and a claim that the Box has beaten.
    """
    box, claim = record.line[0], _claim(record)
    lost = {captain for captain in record.captains[:-1] if record.results[captain] <= 0}
    if record.box_wins:
        lost.add(claim)
    bottom = tuple(captain for captain in record.captains if captain in lost)
    rest = (*_without(record.line, box, claim, *bottom), *bottom)
    if not record.box_wins:
        return Next((claim, *rest, box), CAPTAIN_WINS)
    if record.must_break_even and record.box_net < 0:
        return Next((*rest, box), BELOW_EVEN)
    return Next((box, *rest), BOX_STAYS)


def _claim(record: FinishedGame) -> Seat:
    """Return the seat with the claim to the Box: a Captain that lost has handed it on."""
    claim = record.captains[0]
    for captain, following in zip(record.captains, record.captains[1:], strict=False):
        if captain == claim and record.results[captain] <= 0:
            claim = following
    return claim


def _without(line: tuple[Seat, ...], *seats: Seat) -> tuple[Seat, ...]:
    return tuple(seat for seat in line if seat not in seats)


_ROTATIONS: dict[str, Callable[[FinishedGame], Next]] = {
    "captain_result": _captain_result,
    "last_man_standing": _last_man_standing,
    "game_result": _game_result,
}


def open_table(options: Values, seats: int, dice: Dice) -> Decision[State]:
    """Return the first entry of a table, with the line rolled, drawn by lot, or in the order of the seats.

    With real dice the order of the seats stands until they are typed (§4.12). In a money game or a
    match the two highest play; where two study a position, the first seat is on roll, without an
    order roll. Raises ValueError for fewer than 2 or more than 10 seats.
    """
    draft = Draft(EVENTS, initial(options, seats), dice, seq=1)
    _set_first_line(draft, seats, dice)
    start_score.give(draft)
    return draft.decision()


def _set_first_line(draft: Draft, seats: int, dice: Dice) -> None:
    if is_two(draft.state) and seats == 2 and draft.state.options["start_position"] != start.NORMAL:
        draft.add(LineSet(line=[1, 0], why="study"))
        return
    how = rule_of(draft.state, "line_order")
    if how == "die":
        _roll_for_order(draft)
    elif how == "lot":
        order, pairs = draw_lots(tuple(range(seats)), dice)
        draft.add(LotsDrawn(dice=pairs))
        draft.add(LineSet(line=order, why=DRAWN))
    else:
        why = TO_THROW if how == "typed" else BY_HAND
        draft.add(LineSet(line=list(range(seats)), why=why))


def _roll_for_order(draft: Draft) -> None:
    order, rolls = throw_for_order(tuple(range(len(draft.state.players))), draft.dice)
    for roll in rolls:
        draft.add(OrderRolled(rolls=roll))
    draft.add(LineSet(line=order[:2] if is_two(draft.state) else order, why="rolled"))

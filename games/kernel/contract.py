"""The contract between the house and a game's rules: its words and its invariants; the functions are in rules.py.

A game is a set of pure functions over an immutable state of its own. `decide` turns a legal
command into events, `fold` applies an event to the state. Only events are stored, so a later
fix of a rule never breaks an old game.

Invariants, checked by `tests/contract` for every registered game:

* while a game is not over, at least one required choice is open;
* every option of a choice, listed or stated as a rule (`sets.Sets`), is accepted by `decide`,
  and nothing else is;
* `decide` never mutates, and draws no dice when it raises;
* folding the log gives the same state as playing did, and `load(dump(state)) == state`;
* `view(state, viewer, times)` holds nothing that the viewer may not know, not even events that the
  seat received while another player sat on it;
* `resample` returns states in which the viewer sees the same view, choices and events, and in which
  exactly the same things are hidden as in the events;
* nothing is open for a seat that is `gone`, and only JOIN brings it back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from games.kernel.data.records import record
from games.kernel.sent import SentChoice
from games.kernel.sets import Sets
from games.kernel.text import gettext_noop as _

CONTRACT_VERSION = 4
"""The version of the contract; a game states the one that it was written for (docs/adding-a-game.md, section 10)."""

Seat: TypeAlias = int
"""A place at the table, counted from 0 round to the left."""

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object: keys are strings, values are JSON values."""

TIMEOUT = "timeout"
"""House command `{"seat": s}`: the clock acts for a seat that let a timed choice run out."""
LEAVE = "leave"
"""House command `{"seat": s}`: the player of a seat leaves for good and nobody takes the seat."""
LEAVE_AFTER = "leave_after"
"""House command `{"seat": s}`: the player of a seat leaves with the end of the running game, at no cost.

For games that are played one after another at a table: it is listed while a game is on, for each seat whose player
may go then. Between two games the house sends LEAVE, which costs nothing there.
"""
CLOSE = "close"
"""House command `{}`: the host ends an open-ended table at a point where ending it is fair."""
CLOSE_AFTER = "close_after"
"""House command `{"on": bool}`: the host announces that an open-ended table closes after the current
game, or withdraws the announcement; for games that are played one after another at a table.
"""
JOIN = "join"
"""House command `{"seat": s}`: a player takes a seat at a running table, and plays from the
next game on, or at once if the rules allow it.

For games that take newcomers: while `choices(state, None)` lists JOIN, the house lets players join. `s`
is a seat that is `gone`, for its last player, or the number of seats so far, for any other
player. A returning player never gets a second seat: list a seat that is gone as soon as it is free.
"""
VACATE = "vacate"
"""House command `{"seat": s}`: the person on a seat leaves, and the seat stays in the game.

For games in which leaving has a price: while it is listed for a seat, the house sends it when a person
leaves that seat empty, is removed from it, or is replaced. It draws no dice, and may come in a pause.
"""
OCCUPY = "occupy"
"""House command `{"seat": s}`: a player takes a seat that VACATE freed; only while it is listed."""
PLACE = "place"
"""House command `{"seat": s, "to": n}`: the host moves a seat to place `n` (from 0) of the order of play.

For games whose house rules let the host set that order: it is listed for each seat with every place except
the present one.
"""
TAKE_BACK = "take_back"
"""House command `{"seat": s}`: the host undoes the last act that a seat entered for the real table.

For tables at which players enter what happens at a real table: it is listed for the seats whose last act can
still be undone. A seat's own command of the same name does the same until another seat has acted. Where it would undo
dice that the house threw for a person, the rules raise BEFORE_HOUSE_DICE.
"""
BEFORE_HOUSE_DICE = "before_house_dice"
"""The code of a refused TAKE_BACK: the house has thrown since, and its dice are never thrown again."""
STATE_RESULT = "state_result"
"""House command: the host alone states the result of a game that is played at a real table.

Its arguments are the game's own: each result that may be stated is listed.
"""
PLAYED = "played"
"""House command: one game that was played while the house was out of reach, as told in the form of the game.

For tables of a real board or a real cup, whose rules have a `form`; the arguments are the form's
(`figures.game_forms`), and the rules decide them into the events of that game. It is listed while a game can be handed
over; as with CORRECT the listed option is only an example. It draws no dice.
"""
TAKE_BACK_GAME = "take_back_game"
"""House command `{}`: what was handed over last is taken back whole, or the game that was played last.

Its event's Outcome, if the game had a result, is a correction that amends it. It is listed while the rules can do so.
"""
TAKEN_BACK = _("[taken back]")
"""The note of the Outcome by which a game that was taken back counts for nothing."""
FLAG = "flag"
"""House command `{"seat": s}`: the reserve of a seat's game clock is used up (`Timer`)."""
TIME_LIMIT = "time_limit"
"""House command `{}`: the time that the table's game may take is over (`Timer`)."""
CLOCK = "clock"
"""House command: the host puts game clocks in at a table that has none, from its next game on.

Its arguments are values of the game's house rules about clocks, by their ids: each set of them is listed.
"""
CORRECT = "correct"
"""House command `{"seat", "points": {seat: n}, "reason"}`: an agreed correction of results.

For games that keep a score sheet of their own: while `choices(state, None)` lists CORRECT, the
house writes corrections with this command, and the event's Outcome becomes the row of results. `seat`
proposed the correction, None stands for the host; `points` are signed, by seat as a string. The listed
option is only an example: other arguments are accepted too. All players whose consent is needed have agreed.
"""

CORRECT_RESULT = "correct_result"
"""House command `{"seat", "of": seq, "told": {"winner": seat, …}, "reason"}`: an agreed correction of a game's result.

For tables at which people tell the results of a real table, and where more than points follows from a result, such as
the score of a match: the result of the game that entry `of` ended is replaced by `told`, a winner and the game's own
figures (`past.PastSheet.TOLD`). It is listed as soon as a result can be corrected, at a table that is over,
too, which may then go on. As with CORRECT the listed option is only an example, `seat` proposed the correction, and
all whose consent is needed have agreed. The rules raise `no_change` for the result as it stands.
"""


OVER: Literal["over"] = "over"
"""`Event.until`: only the audience may read the event until the table has ended."""


@record(frozen=True, slots=True)
class Command:
    """A request to the rules.

    `seat` is the acting seat, or None for the house (clock and host). `basis` is the seq of the log
    entry that opened the decision that this command answers; None skips the check (used by the house
    and by replays of recorded play). `clocks` are the milliseconds that running game clocks have left until their
    flags fall, by seat; below 0 if one should have fallen. A clock that is not in it does not run. `by_bot`: a bot
    plays the seat that acts, or that the house acts for.
    """

    name: str
    seat: Seat | None
    args: JsonObject = field(default_factory=dict)
    basis: int | None = None
    clocks: Mapping[Seat, int] = field(default_factory=dict)
    by_bot: bool = False


@record(frozen=True, slots=True)
class Event:
    """A fact, named in the past tense.

    `data` is JSON and enough to rebuild the state without running rules. `v` is the version of the
    data's shape. `audience` lists the seats that may read `data`, None means everybody; the right belongs
    to the players on these seats when the event is written, not to later ones. All others get the entry's
    seq and nothing else. With `until="over"` everybody may read it once the table has ended.
    """

    type: str
    data: JsonObject = field(default_factory=dict)
    v: int = 1
    audience: tuple[Seat, ...] | None = None
    until: Literal["over"] | None = None

    def to_json(self) -> JsonObject:
        """Return the stored form of the event."""
        out: JsonObject = {"type": self.type, "data": self.data, "v": self.v}
        if self.audience is not None:
            out["audience"] = list(self.audience)
        if self.until is not None:
            out["until"] = self.until
        return out

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Event:
        """Read the stored form; raises KeyError when a field is missing."""
        audience = raw.get("audience")
        return cls(
            raw["type"],
            raw["data"],
            raw.get("v", 1),
            None if audience is None else tuple(audience),
            raw.get("until"),
        )

    def is_open(self, *, is_over: bool) -> bool:
        """Tell whether everybody may read the data; `is_over`: the table has ended."""
        return self.audience is None or (is_over and self.until == OVER)

    def is_for(self, viewer: Seat | None, *, is_over: bool = False) -> bool:
        """Tell whether `viewer` (None = a spectator) may read the data."""
        return self.is_open(is_over=is_over) or (viewer is not None and viewer in (self.audience or ()))


@record(frozen=True, slots=True)
class Times:
    """The times of a player on a seat, as spans of seqs (first, end); `end` is exclusive, None if still there."""

    spans: tuple[tuple[int, int | None], ...]

    def __contains__(self, seq: int) -> bool:
        """Tell whether the player sat there when entry `seq` was written."""
        return any(first <= seq and (end is None or seq < end) for first, end in self.spans)

    def last_since(self, seq: int) -> bool:
        """Tell whether the player has sat there ever since entry `seq` was written."""
        return any(first <= seq and end is None for first, end in self.spans)


ALWAYS = Times(((0, None),))


@record(frozen=True, slots=True)
class Choice:
    """An open decision of one seat (or of the house: seat None).

    `options` are all legal arguments: a list of them, or `Sets`, a sequence of them that is sent as a
    rule from which they can be computed. `opened_at` is the seq of the entry that opened the choice, and
    the `basis` of an answer. The game waits for `required` choices; the others (calling a breach, ending
    the evening) may be ignored for ever. `seconds` limits a required choice by a house rule; when the time
    has run out the house sends TIMEOUT for the seat. For other choices `seconds` is only shown, so that a
    clock does not reveal which seats have answered. Bots answer at least `not_before` seconds after the choice
    opened, so that people can see the events before it. All readers of the choice see `options`, so they
    must hold no secret.
    """

    name: str
    seat: Seat | None
    opened_at: int
    options: tuple[JsonObject, ...] | Sets = ({},)
    required: bool = True
    seconds: int | None = None
    not_before: int = 0

    def to_json(self) -> SentChoice:
        """Return the choice as sent to browsers and programs: `sets` instead of `options` for a `Sets` rule."""
        options = self.options
        # A tuple is the usual form, and not looked up among the classes of sets.
        if isinstance(options, tuple):
            return {
                "name": self.name,
                "seat": self.seat,
                "basis": self.opened_at,
                "options": list(options),
                "required": self.required,
                "seconds": self.seconds,
            }
        return {
            "name": self.name,
            "seat": self.seat,
            "basis": self.opened_at,
            "sets": options.to_json(),
            "required": self.required,
            "seconds": self.seconds,
        }


@dataclass(frozen=True, slots=True)
class Timer:
    """A time that runs beside the choices, for a person on `seat`, or (None) for the table.

    It runs for `ms` milliseconds from entry `opened_at` on, and stands in pauses; a timer with the same name, seat and
    entry is the same one. When it has run out the house sends the command `name`: FLAG or TIME_LIMIT.
    """

    name: str
    seat: Seat | None
    opened_at: int
    ms: int

    @property
    def args(self) -> JsonObject:
        """The arguments of its command."""
        return {} if self.seat is None else {"seat": self.seat}


@dataclass(frozen=True, slots=True)
class Amended:
    """The right ranking and figures of an earlier game's result, as a correction has them; its points stay."""

    ranking: tuple[tuple[Seat, ...], ...]
    stats: Mapping[Seat, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one finished game; a table may play many.

    `points` per seat, in `unit`: one of the units that the game declares. `ranking` lists
    groups of seats, best first; every seat with points is in exactly one group. `stats` holds
    per seat the figures that the game declares in its `stat_labels` (ints). Seats that took no
    part in the game, because they left before it began or came later, are left out of all three.

    A correction moves points that were booked wrongly: no game was played, so it does not count as
    one, and `points` holds only the seats concerned. `note` gives its reason. Where it changes who has won
    (CORRECT_RESULT), `amended` says so by the seqs of the entries that ended these games.

    `without_house`: the game, or a part of it, was played while the house was out of reach (PLAYED).

    `transfers` are the points as (payer, payee, points) where the game knows who pays whom; where it doesn't, the
    losers are taken to pay the winners in the fewest payments.
    """

    reason: str
    points: Mapping[Seat, int]
    ranking: tuple[tuple[Seat, ...], ...]
    stats: Mapping[Seat, Mapping[str, int]] = field(default_factory=dict)
    unit: str = "points"
    is_correction: bool = False
    note: str = ""
    amended: Mapping[int, Amended] = field(default_factory=dict)
    transfers: tuple[tuple[Seat, Seat, int], ...] = ()
    without_house: bool = False


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """The end of a match between two seats, to `length` points; `scores` by seat.

    `how` is "played", or "given_up" if the loser left.
    """

    winner: Seat
    loser: Seat
    length: int
    scores: Mapping[Seat, int]
    how: Literal["played", "given_up"]


class Illegal(Exception):
    """A command that the rules refuse. `code` is translated with `params` when it is shown."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params


S = TypeVar("S")


@record(frozen=True, slots=True)
class Decision(Generic[S]):
    """The result of `decide` and `open`: the events of one log entry, and the state after them.

    `state` is `fold` of the events with the entry's seq, so callers need not fold them again.
    """

    events: tuple[Event, ...]
    state: S


def match(choices: Sequence[Choice], command: Command) -> Choice:
    """Return the open choice that `command` answers, with its arguments checked.

    Raises Illegal: `not_open` (no such choice for this seat now), `stale` (the answer is
    to an earlier decision), `bad_args` (not one of the listed options).
    """
    found = next((c for c in choices if c.name == command.name), None)
    if found is None:
        raise Illegal("not_open", name=command.name)
    if command.basis is not None and command.basis != found.opened_at:
        raise Illegal("stale", basis=command.basis, open=found.opened_at)
    if not _is_option(found.options, command.args):
        raise Illegal("bad_args", name=command.name)
    return found


def _is_option(options: tuple[JsonObject, ...] | Sets, args: object) -> bool:
    if isinstance(options, Sets):
        return args in options
    # Equality is checked first: it is cheap and rules out most options, so that types are compared for few.
    equal = [option for option in options if option == args]
    return any(same_json(args, option) for option in equal)


def same_json(a: object, b: object) -> bool:
    """Tell whether two JSON values are equal and of the same types: 1, 1.0, true differ."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same_json(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_json, a, b))
    return a == b

"""The state of a table: the session, the running game and its cubes.

Immutable; only `fold` makes new ones. The words are those of docs/rules-chouette.md §1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from chouette.board.position import START, Position
from chouette.rules.options.declaration import rule
from chouette.rules.options.session import MOST_PLAYERS
from games.kernel import draft
from games.kernel.contract import JsonObject, Seat
from games.kernel.options import Values
from games.kernel.records import changed

IN, COMING, LEFT, WATCHING = "in", "coming", "left", "watching"
PLAYED_ON = "played_on"
"""Somebody has left for good, and a bot plays their game out (§7)."""
ORDER, BETWEEN, PLAYING, OVER = "order", "between", "playing", "over"
BOX, TEAM = "box", "team"
CENTRE, MEMBER, AGAINST = "centre", "member", "against"

OPENING, AUTOMATIC, WINDOW, OFFER = "opening", "automatic", "window", "offer"
ANSWERS, REPLIES, ROLL, MOVE, ENDED = "answers", "replies", "roll", "move", "ended"
QUIET = (WINDOW, OFFER, ROLL, MOVE)
"""The stages in which nobody has to answer anything: then cubes are settled and given up."""

HIGHEST_CUBE = 2**15
"""A cube of this value is not turned again: no id or score sheet has room for more."""
KEPT = 30
"""How many lines of talk and suggestions are kept for the screen."""


@dataclass(frozen=True, slots=True)
class Player:
    """One seat. `auto` is auto no double; `proxy` is who takes over the cube of a leaver."""

    status: str = IN
    auto: bool = False
    proxy: Seat | None = None


@dataclass(frozen=True, slots=True)
class Transfer:
    """Points that go from `payer` to `payee`; `why` is how the cube ended (§6)."""

    payer: Seat
    payee: Seat
    points: int
    why: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the score sheet: game `number`, or a correction (0) by a seat, with its reason.

    Of a game: `line` is Box, Captain, … as it began, `winner` is `box` or `team`.
    """

    number: int
    transfers: tuple[Transfer, ...]
    by: Seat | None = None
    reason: str = ""
    line: tuple[Seat, ...] = ()
    winner: str = ""
    is_crawford: bool = False


@dataclass(frozen=True, slots=True)
class Cube:
    """A doubling cube between a member and the Box, or, an extra, another player (§4.8).

    `owner` is `centre`, `member` or `against`. `turned`: offered and taken in this game.
    `result` is what the member has won or lost with it; None while it is in the game.
    """

    member: Seat
    against: Seat
    value: int = 1
    owner: str = CENTRE
    turned: bool = False
    result: int | None = None
    how: str = ""
    is_extra: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """An answer that a cube waits for after a take.

    `kind` is `extra` (`seat` may give one at `value`), `beaver`, `must_beaver`, `beavered`
    (the doubler answers) or `raccooned` (the beaverer answers). Each is a decision of its
    own, opened at `opened`: a reply of one seat makes no other seat's stale.
    """

    kind: str
    cube: int
    seat: Seat
    value: int
    opened: int = 0


@dataclass(frozen=True, slots=True)
class Resignation:
    """`by` offers `level` times the cube; `waiting` are the cubes that have not answered.

    What is `accepted` or `refused` is sealed until all have answered; then it takes effect.
    """

    by: Seat
    level: int
    waiting: tuple[int, ...]
    opened: int
    accepted: tuple[int, ...] = ()
    refused: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """`by` proposes to settle a cube for `points` to its member."""

    cube: int
    by: Seat
    points: int
    opened: int


@dataclass(frozen=True, slots=True)
class Closed:
    """What became of something that `seat` had asked the other side: nobody waits for it now.

    `what` is `settlement` (of `cube`) or `take_back`; it was `accepted`, `refused` (`by` says
    who answered) or has `lapsed`. Kept until the next play.
    """

    seat: Seat
    what: str
    became: str
    cube: int | None = None
    by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of talk, or a suggested play where `play` is not empty.

    For `audience` alone: for those who sat there as entry `seq` was written.
    """

    seat: Seat
    text: str
    play: str
    audience: tuple[Seat, ...]
    seq: int


@dataclass(frozen=True, slots=True)
class Sealed:
    """That a word or an answer about a cube was sealed: by which seat, in entry `seq`."""

    cube: int
    seat: Seat
    seq: int


@dataclass(frozen=True, slots=True)
class Played:
    """The last play: by whom, from which position (the Box's view), with which dice.

    `asked` is the seq at which it was asked back, None before; `agreed` have let it go back.
    `advisers` had been asked for advice on the play, `drawn` are the plays that were suggested.
    """

    seat: Seat
    side: str
    dice: tuple[int, ...]
    play: str
    before: Position
    asked: int | None = None
    agreed: tuple[Seat, ...] = ()
    advisers: tuple[Seat, ...] = ()
    drawn: tuple[Line, ...] = ()


@dataclass(frozen=True)
class Game:
    """The game that runs. `line` is Box, Captain, next, … as it began (a partner who plays on for
    a Box that has left takes its place); `captain` acts now.

    `captains` have played for the Team, first Captain first. `position` is in the Box's view.
    `words` are (cube, doubles), `answers` (cube, takes), sealed until all are there; `batch`
    holds the cubes offered now, `sealed` who sealed which of them, and when. `outs` are the cubes
    in the order in which they went out. `reopened` are (seat, seq) of those whose time ran out
    once in this decision. `grace` is the seq at which the grace time of the cube window ended.
    `proxies` are (who left, who looks after their cube). `said` are the sealed replies to a round
    of `asks`: (cube, kind, seat, reply). `declined` are the resignations refused in this game:
    (cube, who offered, level).
    """

    number: int
    line: tuple[Seat, ...]
    cubes: tuple[Cube, ...]
    captain: Seat
    captains: tuple[Seat, ...]
    partner: Seat | None = None
    is_crawford: bool = False
    position: Position = START
    turn: str = ""
    dice: tuple[int, ...] = ()
    stage: str = OPENING
    opened: int = 0
    reopened: tuple[tuple[Seat, int], ...] = ()
    opening: tuple[tuple[Seat, int], ...] = ()
    ties: int = 0
    words: tuple[tuple[int, bool], ...] = ()
    grace: int | None = None
    batch: tuple[int, ...] = ()
    answers: tuple[tuple[int, bool], ...] = ()
    sealed: tuple[Sealed, ...] = ()
    asks: tuple[Ask, ...] = ()
    said: tuple[tuple[int, str, Seat, str], ...] = ()
    proxies: tuple[tuple[Seat, Seat], ...] = ()
    resignation: Resignation | None = None
    refused: tuple[tuple[Seat, int], ...] = ()
    declined: tuple[tuple[int, Seat, int], ...] = ()
    proposals: tuple[Proposal, ...] = ()
    closed: tuple[Closed, ...] = ()
    asked: tuple[Seat, ...] = ()
    talk: tuple[Line, ...] = ()
    outs: tuple[int, ...] = ()
    paid: tuple[Transfer, ...] = ()
    last: Played | None = None

    @property
    def box(self) -> Seat:
        """The seat of the Box."""
        return self.line[0]


@dataclass(frozen=True)
class State:
    """Everything about a table.

    `line` is that of the next game while none runs. `value` is what its cubes start at,
    `carry` asks its Box whether that doubles; `partner` is None until the Box has chosen,
    then -1 for nobody. `crawford` is `before`, `now` or `after`. `loser` stands at the end
    of the line for having lost; `order` are the rolls that made the first line.
    """

    options: Values
    players: tuple[Player, ...]
    phase: str = ORDER
    opened: int = 0
    line: tuple[Seat, ...] = ()
    order: tuple[JsonObject, ...] = ()
    game: Game | None = None
    value: int = 1
    carry: bool = False
    partner: Seat | None = None
    crawford: str = "before"
    sheet: tuple[Row, ...] = ()
    loser: Seat | None = None
    last_game: JsonObject | None = None
    ended: JsonObject | None = None


def initial(options: Values, seats: int) -> State:
    """Return the state before any event; raises ValueError for fewer than 2 or over 10 seats."""
    if not 2 <= seats <= MOST_PLAYERS:
        raise ValueError("backgammon takes 2 to 10 players")
    return State(dict(options), (Player(),) * seats)


def is_over(state: State) -> bool:
    """Tell whether nothing more will be played at this table."""
    return state.phase == OVER


def playing(state: State) -> Game:
    """Return the game that runs; raises LookupError when none does."""
    if state.game is None or state.phase != PLAYING:
        raise LookupError("no game is running")
    return state.game


def with_game(state: State, **changes: Any) -> State:
    """Return the state with parts of its game changed."""
    return state if state.game is None else changed(state, game=changed(state.game, **changes))


def is_two(state: State) -> bool:
    """Tell whether two play by themselves: a money game or a match."""
    return bool(state.options["format"] != "chouette")


def present(state: State, seat: Seat) -> bool:
    """Tell whether a seat is at the table."""
    return 0 <= seat < len(state.players) and state.players[seat].status != LEFT


def rule_of(state: State, option_id: str) -> Any:
    """Return the value of a house rule, or what holds where it means nothing."""
    return rule(state.options, option_id)


Draft: TypeAlias = draft.Draft[State]
"""A decision about a table of this game in the making."""

"""The state of a table: the session, the running game and its cubes.

Immutable; only `fold` makes new ones. Terms are explained in docs/rules-chouette.md §1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from chouette.board.position import START, Position
from chouette.rules.options.declaration import rule
from chouette.rules.options.needs import MOST_PLAYERS
from games.kernel import draft
from games.kernel.contract import JsonObject, Seat
from games.kernel.data.records import changed
from games.kernel.options import Values

IN, COMING, LEFT, WATCHING = "in", "coming", "left", "watching"
PLAYED_ON = "played_on"
"""The status of a player that has left for good while a bot plays their game out (§7)."""
ORDER, PAUSE, BETWEEN, PLAYING, OVER = "order", "pause", "between", "playing", "over"
NO_GAME = (PAUSE, BETWEEN)
"""The phases between two games: the pause after one, then the beginning of the next."""
TO_THROW = "to_throw"
"""The reason of a line for which real dice still have to be thrown (§4.12)."""
BOX, TEAM = "box", "team"
CENTRE, MEMBER, AGAINST = "centre", "member", "against"

OPENING, AUTOMATIC, WINDOW, OFFER = "opening", "automatic", "window", "offer"
ANSWERS, REPLIES, ROLL, MOVE, ENDED = "answers", "replies", "roll", "move", "ended"
WOOD, RESULT = "wood", "result"
"""The stages of a game on a real board: it runs there, or a told result waits for the other side."""
QUIET = (WINDOW, OFFER, ROLL, MOVE, WOOD)
"""The stages in which no answer is due: cubes may be settled and resigned."""

OPENERS = 2
"""The number of seats that begin each game: Box and Captain."""

HIGHEST_CUBE = 2**15
"""A cube of this value is not turned again: no id or score sheet has room for more."""
KEPT_GAMES = 6
"""Number of games at a real board that may be taken back one after the other."""
KEPT_ACTS = 8
"""Number of acts at a real board that may be taken back one after the other."""
KEPT = 30
"""Number of lines of talk and suggestions that are kept for the screen."""


@dataclass(frozen=True, slots=True)
class Player:
    """One seat. `auto` is auto no double; `proxy` is the seat that takes over the cube of a leaver.

    `sits_out`: keeps its place in the line and does not play the running or next game.
    `leaves`: leaves at the end of the running game.
    """

    status: str = IN
    auto: bool = False
    proxy: Seat | None = None
    sits_out: bool = False
    leaves: bool = False


@dataclass(frozen=True, slots=True)
class CubeTransfer:
    """Points that go from `payer` to `payee`; `why` is how the cube ended (§6)."""

    payer: Seat
    payee: Seat
    points: int
    why: str


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A row of the score sheet: game `number`, or a correction (0) by a seat, with its reason.

    Of a game: `line` is Box, Captain, … as it began, `winner` is `box` or `team`. `seq` is the entry that wrote it.
    `is_struck`: by a correction the match had ended before this game, which counts for nothing. `is_without_house`: it
    was played while the house was out of reach.
    """

    number: int
    transfers: tuple[CubeTransfer, ...]
    by: Seat | None = None
    reason: str = ""
    line: tuple[Seat, ...] = ()
    winner: str = ""
    is_crawford: bool = False
    seq: int = 0
    is_struck: bool = False
    is_without_house: bool = False


@dataclass(frozen=True, slots=True)
class Cube:
    """A doubling cube between a member and the Box, or, an extra, another player (§4.8).

    `owner` is `centre`, `member` or `against`. `turned`: offered and taken in this game.
    `result` is the member's points with it; None while it is in the game.
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
    """A question about a cube that waits for a reply after a take.

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
    """An offer by `by` to lose `level` times the cube; `waiting` are the cubes without an answer.

    `accepted` and `refused` cubes are sealed until all are answered; then they take effect.
    """

    by: Seat
    level: int
    waiting: tuple[int, ...]
    opened: int
    accepted: tuple[int, ...] = ()
    refused: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal by `by` to settle a cube for `points` to its member."""

    cube: int
    by: Seat
    points: int
    opened: int


@dataclass(frozen=True, slots=True)
class Closed:
    """A request of `seat` to the other side that is no longer open.

    `what` is `settlement` (of `cube`) or `take_back`; it was `accepted`, `refused` (`by` is the
    seat that answered) or has `lapsed`. Kept until the next play.
    """

    seat: Seat
    what: str
    became: str
    cube: int | None = None
    by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """A line of talk, or a suggested play where `play` is not empty.

    For `audience` only: the players on these seats when entry `seq` was written.
    """

    seat: Seat
    text: str
    play: str
    audience: tuple[Seat, ...]
    seq: int


@dataclass(frozen=True, slots=True)
class Sealed:
    """The fact that a seat sealed a word or an answer about a cube, in entry `seq`."""

    cube: int
    seat: Seat
    seq: int


@dataclass(frozen=True, slots=True)
class Wait:
    """Time that `seat` has for itself in the ring of a cube window, from entry `opened` on.

    `is_late`: the grace time again for a seat that came late; else the time for a decision.
    """

    seat: Seat
    opened: int
    is_late: bool = False
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class LastPlay:
    """The last play: its seat, the position before it (the Box's view), its dice.

    `asked` is the seq of the request to take it back, None without one; `agreed` are the seats that have agreed.
    `advisers` had been asked for advice on the play, `drawn` are the suggested plays.
    """

    seat: Seat
    side: str
    dice: tuple[int, ...]
    play: str
    before: Position
    asked: int | None = None
    agreed: tuple[Seat, ...] = ()
    advisers: tuple[Seat, ...] = ()
    drawn: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class ToldResult:
    """A told result of a game on a real board: by `seat`, that `winner` (a side) has won at `level` (1 to 3)."""

    seat: Seat
    winner: str
    level: int


@dataclass(frozen=True, slots=True)
class GameClock:
    """The clocks of a game between two seats; `left` are their reserves by seat, in milliseconds, as last pressed.

    `runs` is the seat whose clock has run since entry `since`, None while both stand. `turn` is the seat on turn, on a
    real board, where only the presses tell. `game` is the number of the game for which the reserves were given.
    `fallen` are the seats whose flags have fallen, `lost` the seat that loses the match by it.
    """

    left: tuple[int, ...]
    game: int
    runs: Seat | None = None
    since: int = 0
    turn: Seat | None = None
    fallen: tuple[Seat, ...] = ()
    lost: Seat | None = None


@dataclass(frozen=True, slots=True)
class ClockRules:
    """The rules of game clocks that are put in after the start: values of the house rules of these names."""

    clock: str
    clock_expiry: str


@dataclass(frozen=True, slots=True)
class Given:
    """Points that a seat gets in a match beside its games: at the start (game 0), or for time in game `game`."""

    seat: Seat
    points: int
    game: int


@dataclass(frozen=True)
class Game:
    """The running game.

    `line` is Box, Captain, next, … as the game began (a partner that plays on for a Box that has left
    takes its place); `captain` is the acting Captain, `captains` are all Captains, the first one first.
    `position` is in the Box's view. `words` are (cube, doubles), `answers` (cube, takes), sealed until all
    are given; `batch` are the cubes offered now, `sealed` the seats and entries that sealed each; `beavers`
    are the cubes whose takers beaver, sealed with their answers, until they are raised. `outs` are the cubes
    in the order in which they went out. `reopened` are (seat, seq) of seats whose time ran out once in this
    decision. `ring` is the seq at which the Captain asked to roll while others might still double,
    `ring_over` says that its time is over, `waits` are the times of single seats in it. `proxies` are
    (leaver, seat that looks after the cube). `said` are the sealed replies to a round of `asks`: (cube,
    kind, seat, reply). `declined` are the resignations refused in this game: (cube, resigning seat, level).
    `deputies` are (side, seat that rolls and moves in place of its Captain or Box). `told` is the result that
    waits for the other side, on a real board. `is_without_house`: it was played while the house was out of reach.

    `is_single`: the Team has a single cube (§4.12). Each member in the game then has their stake in it: a cube
    each, all of the same value and owner, which are turned together.
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
    ring: int | None = None
    ring_over: bool = False
    waits: tuple[Wait, ...] = ()
    batch: tuple[int, ...] = ()
    answers: tuple[tuple[int, bool], ...] = ()
    sealed: tuple[Sealed, ...] = ()
    beavers: tuple[int, ...] = ()
    asks: tuple[Ask, ...] = ()
    said: tuple[tuple[int, str, Seat, str], ...] = ()
    proxies: tuple[tuple[Seat, Seat], ...] = ()
    resignation: Resignation | None = None
    refused: tuple[tuple[Seat, int], ...] = ()
    declined: tuple[tuple[int, Seat, int], ...] = ()
    proposals: tuple[Proposal, ...] = ()
    closed: tuple[Closed, ...] = ()
    asked: tuple[Seat, ...] = ()
    talk: tuple[Remark, ...] = ()
    outs: tuple[int, ...] = ()
    paid: tuple[CubeTransfer, ...] = ()
    last: LastPlay | None = None
    deputies: tuple[tuple[str, Seat], ...] = ()
    is_single: bool = False
    told: ToldResult | None = None
    is_without_house: bool = False

    @property
    def box(self) -> Seat:
        """The seat of the Box."""
        return self.line[0]


@dataclass(frozen=True, slots=True)
class BoardAct:
    """An act at a real board that may be taken back: the choice `name` of `seat`, with the table before it.

    `game` and `phase` are as they were before it, and so are the parts that begin the next game. `is_last`: no
    seat has acted after it. `seq` is its entry.
    """

    seat: Seat
    name: str
    phase: str
    game: Game | None
    carry: bool
    agreed: tuple[tuple[Seat, bool], ...]
    partner: Seat | None
    crawford: str
    is_last: bool = True
    seq: int = 0


@dataclass(frozen=True, slots=True)
class GameBefore:
    """The table before a game at a real board, which began in entry `seq`; `rows` is the length of the score sheet."""

    seq: int
    players: tuple[Player, ...]
    line: tuple[Seat, ...]
    why: str
    line_box: Seat | None
    passed: tuple[Seat, ...]
    carry: bool
    agreed: tuple[tuple[Seat, bool], ...]
    partner: Seat | None
    crawford: str
    rows: int
    loser: Seat | None
    last_game: JsonObject | None


@dataclass(frozen=True)
class State:
    """The whole state of a table.

    `line` is the next game's while no game runs, including seats that sit it out; while a game runs, the
    line in which it began. `why` is the reason why `line_box` became its Box. `paused` is the seq at which
    the pause after the last game began, `ready` are the seats that go on. `passed` are the seats that have
    passed on the Box of the next game, in that order. `closes`: the house closes the table after the running
    game. `carry`: the next game starts doubled if its Box agrees; `agreed` are (seat, agrees) of the seats asked.
    `partner` is None until the Box has chosen, then -1 for no partner. `crawford` is `before`, `now` or
    `after`. `loser` stands at the end of the line because it lost; `order` are the rolls for the first line.
    `acts` are the last acts of the running game on a real board, the newest last; `before` is the table before each of
    the last games there, which may be taken back, and `fixed` the entry of the last event that can't be.
    `is_time_over`: the time limit of the match has been reached.
    """

    options: Values
    players: tuple[Player, ...]
    phase: str = ORDER
    opened: int = 0
    line: tuple[Seat, ...] = ()
    why: str = ""
    line_box: Seat | None = None
    paused: int | None = None
    ready: tuple[Seat, ...] = ()
    closes: bool = False
    passed: tuple[Seat, ...] = ()
    order: tuple[JsonObject, ...] = ()
    game: Game | None = None
    carry: bool = False
    agreed: tuple[tuple[Seat, bool], ...] = ()
    partner: Seat | None = None
    crawford: str = "before"
    sheet: tuple[ScoreRow, ...] = ()
    loser: Seat | None = None
    last_game: JsonObject | None = None
    ended: JsonObject | None = None
    acts: tuple[BoardAct, ...] = ()
    before: tuple[GameBefore, ...] = ()
    fixed: int = 0
    clock: GameClock | None = None
    given: tuple[Given, ...] = ()
    is_time_over: bool = False
    clock_wishes: tuple[tuple[Seat, str], ...] = ()
    clock_rules: ClockRules | None = None


def initial(options: Values, seats: int) -> State:
    """Return the state before any event; raises ValueError for fewer than 2 or over 10 seats."""
    if not 2 <= seats <= MOST_PLAYERS:
        raise ValueError("backgammon takes 2 to 10 players")
    return State(dict(options), (Player(),) * seats)


def is_over(state: State) -> bool:
    """Tell whether the session at this table has ended."""
    return state.phase == OVER


def playing(state: State) -> Game:
    """Return the running game; raises LookupError without one."""
    if state.game is None or state.phase != PLAYING:
        raise LookupError("no game is running")
    return state.game


NO_RING: JsonObject = {"ring": None, "ring_over": False, "waits": ()}
"""A game's fields while no ring is open."""


def with_game(state: State, **changes: Any) -> State:
    """Return the state with parts of its game changed."""
    return state if state.game is None else changed(state, game=changed(state.game, **changes))


def is_two(state: State) -> bool:
    """Tell whether the table plays a game of two: a money game or a match."""
    return bool(state.options["format"] != "chouette")


def is_wood(state: State) -> bool:
    """Tell whether dice and checkers are on a real board; tables older than the option play on the screen."""
    return bool(state.options.get("board") == "wood")


def stage_of(state: State, stage: str) -> str:
    """Return the stage of a game: always WOOD on a real board, else `stage`."""
    return WOOD if is_wood(state) else stage


def lineup(state: State) -> tuple[Seat, ...]:
    """Return the line of the next game without the seats that sit it out."""
    return tuple(seat for seat in state.line if not state.players[seat].sits_out)


def is_carry_open(state: State) -> bool:
    """Tell whether the next game may start doubled and the seat that is to be its Box has not been asked yet (§4.2)."""
    return state.carry and not any(seat in lineup(state)[:1] for seat, _ in state.agreed)


def first_value(state: State) -> int:
    """Return the value at which the cubes of the next game start: 2 if a double is carried over and its Box agrees."""
    return 2 if state.carry and any(agrees and seat in lineup(state)[:1] for seat, agrees in state.agreed) else 1


def is_present(state: State, seat: Seat) -> bool:
    """Tell whether a seat is at the table, or a bot plays on for it."""
    return 0 <= seat < len(state.players) and state.players[seat].status != LEFT


def rule_of(state: State, option_id: str) -> Any:
    """Return the value of a house rule, or the value in force where the rule has no meaning."""
    return rule(state.options, option_id)


Draft: TypeAlias = draft.Draft[State]
"""A decision in the making about a table of this game."""

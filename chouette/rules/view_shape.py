"""The shape of the view of a table of backgammon (docs/protocol.md); choices are in choice_shapes.py.

A cube is an int that stands for it in choices and events.
"""

from __future__ import annotations

from typing import Annotated, NotRequired, TypeAlias, TypedDict

from chouette.rules import state
from games.kernel.contract import Seat
from games.kernel.options import Values
from games.kernel.sent import OneOf, SentLine

CubeId: TypeAlias = int
Side: TypeAlias = Annotated[str, OneOf(state.BOX, state.TEAM)]
MaybeSide: TypeAlias = Annotated[str, OneOf(state.BOX, state.TEAM, "")]
BoxReason: TypeAlias = Annotated[
    str,
    OneOf(
        "rolled", "drawn", "by_hand", "box_stays", "captain_wins", "last_captain_wins", "box_below_even", "moved_up",
        "passed_on",
    ),
]  # fmt: skip
"""Reasons for the Box: the highest die, the lot, the host's line; as the last game ended (`box_below_even`: the
Box before won, but below even); the Box before has left or sits out; the seat before passed the Box on.
"""
CaptainReason: TypeAlias = Annotated[
    str, OneOf("rolled", "drawn", "by_hand", "next_in_line", "stood_in", "partner", "passed_on")
]
"""Reasons for the Captain: the second highest die, the lot, the host's line, the line; `stood_in` for the Captain
of the last game, who had won; `partner` of the Box before; `passed_on`: was to be Box.
"""


class PauseView(TypedDict):
    """The pause after a game: the entry that began it, its length, which of the next Box and Captain have gone on."""

    opened: int
    seconds: int
    ready: list[Seat]
    waiting: list[Seat]


class RolesView(TypedDict):
    """Box and Captain of the running game, else of the next one, with the reasons."""

    box: Seat
    captain: Seat
    box_why: BoxReason
    captain_why: CaptainReason


class LastAct(TypedDict):
    """On a real board the act, a choice, that may be taken back."""

    seat: Seat
    act: str


class DieView(TypedDict):
    """A die that a seat has thrown."""

    seat: Seat
    die: int


class OrderRolls(TypedDict):
    """Dice that were thrown together for the first line."""

    rolls: list[DieView]


class TableSeat(TypedDict):
    """A seat. `played_on` has left, and a bot plays their game out.

    `role` is of the running game; `stand_in` plays for a Captain who has won and is out. `proxy` is the seat named to
    look after their cube, while that counts. `sits_out`: not in the game that runs, or comes, and keeps the place in
    the line. `leaves` after this game.
    """

    seat: Seat
    status: Annotated[str, OneOf(state.IN, state.COMING, state.LEFT, state.PLAYED_ON, state.WATCHING)]
    role: Annotated[str, OneOf("box", "captain", "stand_in", "member", "partner", "out", "none")]
    total: int
    cube: CubeId | None
    proxy: Seat | None
    sits_out: bool
    leaves: bool


class GivenPoints(TypedDict):
    """Points of the score beside the games: given at the start (game 0), or for time in that game."""

    seat: Seat
    points: int
    game: int


class TimeLimitView(TypedDict):
    """The time limit of a match; `over`: it has been reached."""

    minutes: int
    over: bool


class ClockView(TypedDict):
    """Game clocks: the reserves by seat in milliseconds, as last pressed, and the seat whose clock runs.

    `turn` is on a real board the seat on turn, `delay` the free milliseconds of a turn. The flags of `fallen` have
    fallen.
    """

    left: list[int]
    runs: Seat | None
    turn: Seat | None
    delay: int
    fallen: list[Seat]


class StartView(TypedDict):
    """The start of the first game, in the Box's view (as in `BoardView`)."""

    points: list[int]
    off: list[int]
    dice: list[int]
    value: int
    owner: str


class BoardView(TypedDict):
    """The board in the Box's view.

    `points` are 26: positive are the Box's, which moves 24 → 1; [25] is the Box's bar, [0] the Team's (≤ 0). `off` and
    `pips` are Box, Team; `pips` null while the house rules hide them. `dice` are rolled and not played yet.
    `last_play` is null once it stands for good.
    """

    points: list[int]
    off: list[int]
    pips: list[int] | None
    position_id: str
    dice: list[int]
    last_play: LastPlayView | None


class LastPlayView(TypedDict):
    """The last play; `before` are the 26 points before it."""

    seat: Seat
    side: Side
    dice: list[int]
    play: str
    before: list[int]
    asked_back: bool


class CubeView(TypedDict):
    """A cube. `worth` are the points of a single game, a gammon and a backgammon on it as it is now (Jacoby).

    `result` are the member's points. `holder` decides for the member's side (the caretaker of the cube, if they left).
    `how` is "" while it is in the game.
    """

    cube: CubeId
    member: Seat
    against: Seat
    holder: Seat
    value: int
    worth: list[int]
    owner: Annotated[str, OneOf(state.CENTRE, state.MEMBER, state.AGAINST)]
    turned: bool
    extra: bool
    result: int | None
    how: str


class RingView(TypedDict):
    """The time in which the others may still double once the Captain has asked to roll."""

    opened: int
    seconds: int
    over: bool


class WaitView(TypedDict):
    """The time of a single seat; `seconds` null: no limit."""

    seat: Seat
    opened: int
    seconds: int | None


class CubeWindow(TypedDict):
    """The Team's cube window while it is open.

    `may_double` are the cubes in the order in which they speak, `spoken` those that have, in an open order; sealed
    words are not shown. The ring waits for `asked`, `thinking` have a time of their own.
    """

    may_double: list[CubeId]
    spoken: list[CubeId]
    ring: RingView | None
    asked: list[Seat]
    thinking: list[Seat]
    waits: list[WaitView]


class SecondChance(TypedDict):
    """A seat whose time has run out once in this decision; `then` is the effect of the next time, `points` its cost."""

    seat: Seat
    opened: int
    seconds: int
    then: Annotated[str, OneOf("drop", "leave")]
    points: int | None


class AskView(TypedDict):
    """An unanswered question after the takes; the ones listed in choices come first."""

    kind: Annotated[str, OneOf("extra", "beaver", "must_beaver", "beavered", "raccooned")]
    cube: CubeId
    seat: Seat
    value: int


class ResignationView(TypedDict):
    """An offer to resign; `waiting` are the cubes without an answer."""

    by: Seat
    level: int
    waiting: list[CubeId]


class ProposalView(TypedDict):
    """A proposal to settle a cube for points to its member."""

    cube: CubeId
    by: Seat
    points: int


class RequestView(TypedDict):
    """An open request: the seat that asks (`by`) and the seats that have not answered yet (`to`).

    The game goes on without their answers. Everybody sees it, but not the points of a settlement.
    """

    what: Annotated[str, OneOf("settlement", "take_back")]
    by: Seat
    to: list[Seat]


class DecisionsView(TypedDict):
    """The open questions of a game.

    `batch` is doubled and to be answered; the answers of `answered` are given, sealed until all are there. `proposals`
    are shown to the two parties of the cube only. `asked` are members asked for advice by the Captain.
    """

    batch: list[CubeId]
    window: CubeWindow | None
    reopened: list[SecondChance]
    answered: list[CubeId]
    asks: list[AskView]
    resignation: ResignationView | None
    proposals: list[ProposalView]
    requests: list[RequestView]
    asked: list[Seat]


class ToldView(TypedDict):
    """The result on a real board that waits for the other side; `level` is 1 to 3."""

    seat: Seat
    winner: Side
    level: int


class DeputiesView(TypedDict):
    """The seats that roll and move in place of the Box or Captain."""

    box: Seat | None
    team: Seat | None


class GameView(BoardView, DecisionsView):
    """A game. On stage `wood` it runs on a real board; on `result` `told` waits.

    `on_roll` rolls and moves for the side on turn. `single`: the Team has a single cube: `cubes` are the stakes in it,
    all alike, and the Captain's stands for it in choices. `outs` are the cubes in the order in which they went out.
    """

    number: int
    running: bool
    box: Seat
    captain: Seat
    first_captain: Seat
    partner: Seat | None
    stage: Annotated[
        str,
        OneOf(
            state.OPENING, state.AUTOMATIC, state.WINDOW, state.OFFER, state.ANSWERS, state.REPLIES, state.ROLL,
            state.MOVE, state.ENDED, state.WOOD, state.RESULT,
        ),
    ]  # fmt: skip
    turn: MaybeSide
    on_roll: Seat | None
    deputies: DeputiesView
    opening: list[DieView]
    ties: int
    single: bool
    cubes: list[CubeView]
    outs: list[CubeId]
    told: ToldView | None


class SheetTransfer(TypedDict):
    """Points from a payer to a payee."""

    payer: Seat
    payee: Seat
    points: int
    why: str


class RowFacts(TypedDict):
    """The facts of a row of the score sheet; `seq` is the entry that wrote it: its seats are of those who sat there.

    `line` is Box, Captain, … of that game. `struck`: the match had ended before that game, which counts for nothing;
    `without_house`: it was played while the house was out of reach. A correction has no game, line and winner, but a
    seat `by` that made it and a reason.
    """

    game: int | None
    seq: int
    by: Seat | None
    reason: str
    line: list[Seat]
    winner: MaybeSide
    crawford: bool
    struck: bool
    without_house: bool
    transfers: list[SheetTransfer]


class RowFigures(TypedDict):
    """The points of a row by seat, the totals after it, and the sum of its points, which is 0."""

    points: list[int]
    totals: list[int]
    check: int


class ScoreRowView(RowFacts, RowFigures):
    """A row of the score sheet; `score` is of the match, after it."""

    score: list[int] | None


class Following(TypedDict):
    """The next Box with the reason; `now` and `next` are seats of those who will be there, `box` and `captain` of
    those who were.
    """

    why: BoxReason
    now: Seat | None
    next: Seat
    box: Seat
    captain: Seat
    stood_in: Seat | None


class EndedGame(TypedDict):
    """The last game as its event tells it."""

    number: int
    reason: str
    winner: Side
    box: Seat
    captain: Seat
    last_captain: Seat
    partner: Seat | None
    points: list[int]
    why: BoxReason
    line_before: list[Seat]
    line_after: list[Seat]
    loser: Seat


class LastGame(EndedGame):
    """The last game; `side` has won, "" if neither."""

    side: MaybeSide
    headline: SentLine
    following: Following


class EndOfSession(TypedDict):
    """The end of the session; `leaders` have `best` points. `score` is the match's, the winner's first."""

    reason: Annotated[str, OneOf("closed", "too_few", "match_won", "time", "time_limit")]
    winner: Seat | None
    best: int
    leaders: list[Seat]
    score: list[int]
    headline: SentLine


class SessionOutcome(TypedDict):
    """The end of the session under the shell's name for the end of a game that was played out."""

    reason: str
    winner: NotRequired[Seat | None]


class TalkLine(TypedDict):
    """A line of talk."""

    seat: Seat
    text: str


class SuggestedPlay(TypedDict):
    """A suggested play."""

    seat: Seat
    play: str


OwnWord = TypedDict("OwnWord", {"for": CubeId, "says": bool})
"""The word that I have said about a cube."""
OwnAnswer = TypedDict("OwnAnswer", {"for": CubeId, "takes": bool, "beavers": bool})
"""The answer that I have given about a cube."""
OwnReply = TypedDict("OwnReply", {"for": CubeId, "reply": str})
"""The reply that I have given after the takes."""


class ClosedRequest(TypedDict):
    """A request to the other side since the last play; `by` is the seat that refused or accepted."""

    what: Annotated[str, OneOf("settlement", "take_back")]
    became: Annotated[str, OneOf("accepted", "refused", "lapsed")]
    cube: CubeId | None
    by: Seat | None


class InGame(TypedDict):
    """The part of a view for the seat alone, beside `auto`.

    `talk` are its newest lines; `hears` are the seats that my talk reaches, mine included. `words` are mine in the open
    window, `given` my answers in the open batch, `replied` those in the open round after the takes, `resigned_to` my
    answer to the resignation.
    """

    talk: list[TalkLine]
    suggestions: list[SuggestedPlay]
    may_talk: bool
    hears: list[Seat]
    words: list[OwnWord]
    given: list[OwnAnswer]
    replied: list[OwnReply]
    resigned_to: bool | None
    closed: list[ClosedRequest]


class OwnView(InGame):
    """The part of a view for the seat alone. `auto`: auto no double."""

    auto: bool


class ScoreView(TypedDict):
    """The points won in the match, and its length; null in other formats."""

    score: list[int] | None
    match_length: int | None


class Company(TypedDict):
    """The part of a view that headlines are made from: roles, format and line, as in `SessionView`."""

    roles: RolesView | None
    format: Annotated[str, OneOf("chouette", "money", "match")]
    line: list[Seat]


class SessionView(ScoreView):
    """The view of a table without its last game.

    `phase` is `pause` while the result of a game stands. `roles` are null in money games and matches. `closes`: the
    host has announced the end after this game. `options` are the complete house rules.

    `line` is Box, Captain, next, …: of the running game as it began, else of the next one, without seats that sit it
    out. `order` are the rolls that made the first line; `to_throw` have still to throw a real die for it, and until
    then there is no Box. `question` is the Box's before the opening roll.

    `crawford`: this is the Crawford game; `crawford_next`:
    between two games, the next one is. `start` is where the first game will start, before it does. `game` is the
    running game, else the last one. `totals` are by seat, and their sum is 0.

    The game waits for `waiting_for`, whoever has answered in secret among them, and for the choice `asked`, "over" at
    the end. `me` is null for spectators.
    """

    phase: Annotated[str, OneOf(state.ORDER, state.PAUSE, state.BETWEEN, state.PLAYING, state.OVER)]
    pause: PauseView | None
    roles: RolesView | None
    last_act: LastAct | None
    closes: bool
    options: Values
    format: Annotated[str, OneOf("chouette", "money", "match")]
    line: list[Seat]
    order: list[OrderRolls]
    to_throw: list[Seat]
    question: Annotated[str, OneOf("carry", "partner", "")]
    seats: list[TableSeat]
    given: list[GivenPoints]
    time_limit: TimeLimitView | None
    clock: ClockView | None
    crawford: bool
    crawford_next: bool
    start: StartView | None
    game: GameView | None
    sheet: list[ScoreRowView]
    totals: list[int]
    ended: EndOfSession | None
    outcome: SessionOutcome | None
    waiting_for: list[Seat]
    asked: str
    me: OwnView | None


class View(SessionView):
    """The view of a table."""

    last_game: LastGame | None

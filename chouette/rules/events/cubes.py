"""Events of the cubes: doubles, answers, beavers, extras, settlements, resignations."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, TypeAlias

from chouette.rules.cube.cubes import holder
from chouette.rules.events.fact import Fact
from chouette.rules.events.phrases import points_of
from chouette.rules.state import (
    ANSWERS,
    MEMBER,
    NO_RING,
    REPLIES,
    ROLL,
    TEAM,
    Ask,
    Closed,
    Cube,
    CubeTransfer,
    Game,
    Proposal,
    Resignation,
    Sealed,
    State,
    Wait,
    is_wood,
    stage_of,
    with_game,
)
from games.kernel.contract import JsonObject, Seat
from games.kernel.data.records import changed
from games.kernel.sent import Items
from games.kernel.sentences import (
    Node,
    alike,
    each,
    equals,
    first,
    given,
    more,
    name_of,
    names_of,
    ngettext,
    no,
    phrase,
    pick,
    say,
    size,
    times,
    when,
)
from games.kernel.text import gettext_noop as _


class CubeSealed(Fact):
    """A sealed word about a cube. In old logs the event may also switch auto no double on."""

    seat: Seat
    cube: int
    double: bool
    auto: bool = False

    def apply(self, state: State, seq: int) -> State:
        """Replace an earlier word."""
        if self.auto:
            players = list(state.players)
            players[self.seat] = replace(players[self.seat], auto=True)
            state = changed(state, players=tuple(players))
        game, cube = _of(state), self.cube
        others = tuple(one for one in game.sealed if one.cube != cube)
        words = tuple(word for word in game.words if word[0] != cube)
        sealed = (*others, Sealed(cube, self.seat, seq))
        return with_game(state, words=(*words, (cube, self.double)), sealed=sealed)


class CubeSpoken(Fact):
    """A word about a cube in an open order; in a sealed one, in old logs, only that a word was given."""

    seat: Seat
    cube: int
    says: bool | None = None
    sentence = when(given("says"), when("says", _("%(name)s says: double."), _("%(name)s says: no double.")))

    def apply(self, state: State, seq: int) -> State:
        """Add the word."""
        if self.says is None:
            return state
        words = (*_of(state).words, (self.cube, self.says))
        return with_game(state, words=words, opened=seq, reopened=())


class RingOpened(Fact):
    """A side is about to roll, and the others may still double for so many seconds."""

    seat: Seat
    seconds: int
    sentence = _("%(name)s is about to roll: does anybody double?")

    def apply(self, state: State, seq: int) -> State:
        """Open the ring."""
        return with_game(state, ring=seq)


class RingEnded(Fact):
    """Nobody has doubled in time."""

    def apply(self, state: State, seq: int) -> State:
        """End the ring."""
        return with_game(state, ring_over=True)


class WaitAsked(Fact):
    """A member asks for time; `late`: by a word that came after the roll had been asked for."""

    seat: Seat
    late: bool
    sentence = when(no("late"), _("%(name)s says: wait."))

    def apply(self, state: State, seq: int) -> State:
        """Start the seat's own time, which replaces an earlier one."""
        waits = _without_waits(_of(state), self.seat)
        return with_game(state, waits=(*waits, Wait(self.seat, seq, self.late)))


class WaitEnded(Fact):
    """A member's own time is over."""

    seat: Seat

    def apply(self, state: State, seq: int) -> State:
        """End the time."""
        return with_game(state, waits=_without_waits(_of(state), self.seat))


def _without_waits(game: Game, seat: Seat) -> tuple[Wait, ...]:
    return tuple(replace(wait, is_over=True) if wait.seat == seat else wait for wait in game.waits)


class WindowClosed(Fact):
    """All have spoken before the Team's roll; `doubles` are the cubes that are turned."""

    seat: Seat | None
    doubles: list[int]

    def apply(self, state: State, seq: int) -> State:
        """Close the window."""
        return with_game(state, **NO_RING, words=(), sealed=(), stage=ROLL, opened=seq, reopened=())


class ExtraOffered(Fact):
    """The Box doubles the extra of a member."""

    seat: Seat
    member: Seat
    cube: int
    sentence = _("%(name)s doubles the extra of %(member)s.")

    def apply(self, state: State, seq: int) -> State:
        """Keep the word."""
        return with_game(state, words=(*_of(state).words, (self.cube, True)))


_VALUE = times("values.0", 2)
_CUBES = each(("members", "values"), say("%(who)s %(value)s", who=name_of("members"), value=times("values", 2)))


class Doubled(Fact):
    """A double of cubes, of values before it: by the Box, or by members; `by` one for the whole Team."""

    side: str | None = None
    box: Seat
    cubes: list[int]
    members: list[Seat]
    values: list[int]
    by: Seat | None = None
    answered_by = ("answer", "answer_batch")
    sentence = first(
        (given("by"), say(_("%(name)s doubles for the Team to %(value)s."), name=name_of("by"), value=_VALUE)),
        (
            (alike("values"), equals("side", "box")),
            say(
                _("%(name)s doubles %(names)s to %(value)s."),
                name=name_of("box"),
                names=names_of("members"),
                value=_VALUE,
            ),
        ),
        (
            alike("values"),
            ngettext(
                "%(names)s doubles to %(value)s.",
                "%(names)s double to %(value)s.",
                "members.length",
                names=names_of("members"),
                value=_VALUE,
            ),
        ),
        (equals("side", "box"), say(_("%(name)s doubles: %(cubes)s."), name=name_of("box"), cubes=_CUBES)),
        otherwise=say(_("The Team doubles: %(cubes)s."), cubes=_CUBES),
    )

    def apply(self, state: State, seq: int) -> State:
        """Double: earlier proposals end, and the last play can't be taken back any more.

        On a real board another double may join unanswered ones.
        """
        game = _of(state)
        before = game.batch if game.stage == ANSWERS else ()
        return with_game(
            state,
            stage=ANSWERS,
            turn=game.turn if self.side is None else self.side,
            batch=tuple(sorted({*before, *self.cubes})),
            answers=(),
            beavers=(),
            words=(),
            sealed=(),
            proposals=(),
            last=None,
            opened=seq,
            reopened=(),
        )


class DoubleWithdrawn(Fact):
    """A double at a real board is withdrawn."""

    seat: Seat
    side: str
    cubes: list[int]
    is_headline = True
    sentence = _("%(name)s withdraws the double.")

    def apply(self, state: State, seq: int) -> State:
        """Withdraw it; the rest of the batch is asked again, and without any the game continues."""
        batch = tuple(cube for cube in _of(state).batch if cube not in self.cubes)
        stage = {} if batch else {"stage": stage_of(state, ROLL), "turn": ""}
        return with_game(state, batch=batch, opened=seq, reopened=(), **stage)


class AnswerSealed(Fact):
    """A seat's answers to doubles, which it alone knows."""

    seat: Seat
    cubes: list[int]
    takes: list[int]
    beavers: list[int] | None = None

    def apply(self, state: State, seq: int) -> State:
        """Keep the answers."""
        game = _of(state)
        answers = tuple((cube, cube in self.takes) for cube in self.cubes)
        sealed = tuple(Sealed(cube, self.seat, seq) for cube in self.cubes)
        beavers = (*game.beavers, *(self.beavers or ()))
        return with_game(state, answers=(*game.answers, *answers), beavers=beavers, sealed=(*game.sealed, *sealed))


class AnswerGiven(Fact):
    """All learn that a seat has answered."""

    seat: Seat
    cubes: list[int]


class AnswersOpened(Fact):
    """The answers to a batch of doubles are shown."""

    takes: list[int]
    drops: list[int]
    beavers: list[int]
    sentence = first(
        (more("takes", 1), _("The answers are shown.")),
        (more("drops", 1), _("The answers are shown.")),
        (("takes", "drops"), _("The answers are shown.")),
    )

    def apply(self, state: State, seq: int) -> State:
        """Open them."""
        return with_game(state, answers=(), sealed=(), stage=REPLIES, opened=seq, reopened=())


def _with_extras(data: JsonObject) -> JsonObject:
    """Add the extras that version 2 names; in version 1 each extra was turned by an event of its own (§4.8)."""
    return {"extras": [], **data}


class DoubleTaken(Fact):
    """A double is taken, with the extras of the member's cube: [cube, value] each."""

    cube: int
    value: int
    owner: str
    member: Seat
    seat: Seat
    extras: list[list[int]]
    version = 2
    upcasts = {1: _with_extras}
    sentence = when(
        ["same", "seat", "member"],
        _("%(name)s takes at %(value)s."),
        _("%(name)s takes the cube of %(member)s at %(value)s."),
    )

    def apply(self, state: State, seq: int) -> State:
        """Turn the cubes."""
        for index, value in [[self.cube, self.value], *self.extras]:
            state = _put(state, index, value=value, owner=self.owner, turned=True)
        return state


AskRow: TypeAlias = Annotated[list[Any], Items(str, int, Seat, int)]
"""Kind, cube, seat and value of a question, as in `state.Ask`."""
ReplyRow: TypeAlias = Annotated[list[Any], Items(int, str, Seat, str)]
"""Cube, kind, seat and reply."""


class AsksOpened(Fact):
    """Questions about cubes: rows of `state.Ask`."""

    asks: list[AskRow]

    def apply(self, state: State, seq: int) -> State:
        """Ask them."""
        asks = tuple(replace(Ask(*row), opened=seq) for row in self.asks)
        return with_game(state, asks=(*_of(state).asks, *asks))


def _reply_text(kind: str, reply: str, who: Node) -> Node:
    """Return a reply in words, except replies that the next event tells; by paths of its kind and its word."""

    def by_word(among: dict[str, str]) -> Node:
        return pick(reply, {word: say(text, name=who) for word, text in among.items()}, otherwise=None)

    return pick(
        kind,
        {
            "extra": by_word({"keep": _("%(name)s gives no extra.")}),
            "beaver": by_word({"no": _("%(name)s does not beaver.")}),
            "must_beaver": by_word({"drop": _("%(name)s does not beaver, and drops.")}),
            "beavered": by_word({"accept": _("%(name)s accepts the beaver."), "drop": _("%(name)s drops the beaver.")}),
            "raccooned": by_word(
                {"accept": _("%(name)s accepts the raccoon."), "drop": _("%(name)s drops the raccoon.")}
            ),
        },
        otherwise=None,
    )


class ReplySealed(Fact):
    """A seat's reply to a question about a cube, which it alone knows."""

    cube: int
    kind: str
    seat: Seat
    reply: str

    def apply(self, state: State, seq: int) -> State:
        """Keep the reply."""
        return with_game(state, said=(*_of(state).said, (self.cube, self.kind, self.seat, self.reply)))


class ReplyGiven(Fact):
    """All learn that a seat has replied."""

    cube: int
    kind: str
    seat: Seat

    def apply(self, state: State, seq: int) -> State:
        """End the seat's second time."""
        reopened = tuple(row for row in _of(state).reopened if row[0] != self.seat)
        return with_game(state, reopened=reopened)


class RepliesOpened(Fact):
    """The replies of a round are shown: [cube, kind, seat, reply] each."""

    replies: list[ReplyRow]
    sentence = each("replies", _reply_text("item.1", "item.3", name_of("item.2")), join=" ", once=True)

    def apply(self, state: State, seq: int) -> State:
        """Remove the questions of this round: all have been answered."""
        answered = {(cube, kind, seat) for cube, kind, seat, _ in self.replies}
        asks = tuple(ask for ask in _of(state).asks if (ask.cube, ask.kind, ask.seat) not in answered)
        return with_game(state, asks=asks, said=())


class Replied(Fact):
    """A reply that was not sealed, in old logs."""

    cube: int
    kind: str
    seat: Seat
    reply: str
    sentence = _reply_text("kind", "reply", name_of("seat"))

    def apply(self, state: State, seq: int) -> State:
        """Remove the question."""
        game, seat = _of(state), self.seat
        answered = (self.cube, self.kind, seat)
        asks = tuple(ask for ask in game.asks if (ask.cube, ask.kind, ask.seat) != answered)
        reopened = tuple(row for row in game.reopened if row[0] != seat)
        return with_game(state, asks=asks, reopened=reopened)


class CubeRaised(Fact, abstract=True):
    """A cube is doubled once more, with its extras: [cube, value] each; the owner stays the same."""

    cube: int
    value: int
    forced: bool
    member: Seat
    seat: Seat
    extras: list[list[int]]
    version = 2
    upcasts = {1: _with_extras}
    answered_by = ("reply",)

    def apply(self, state: State, seq: int) -> State:
        """Raise the cube and its extras."""
        state = with_game(state, beavers=tuple(cube for cube in _of(state).beavers if cube != self.cube))
        for index, value in [[self.cube, self.value], *self.extras]:
            state = _put(state, index, value=value)
        return state


class Beavered(CubeRaised):
    """A beaver (§4.6)."""

    sentence = when(
        "forced",
        _("%(name)s has to beaver: the cube of %(member)s is at %(value)s."),
        _("%(name)s beavers: the cube of %(member)s is at %(value)s."),
    )


class Raccooned(CubeRaised):
    """A raccoon (§4.6)."""

    sentence = _("%(name)s raccoons: the cube of %(member)s is at %(value)s.")


class ExtraGiven(Fact):
    """A player pays and gives a member an extra cube (§4.8)."""

    seat: Seat
    member: Seat
    value: int
    paid: int
    sentence = say(_("%(name)s pays %(paid)s and gives %(member)s an extra at %(value)s."), paid=points_of("paid"))

    def apply(self, state: State, seq: int) -> State:
        """Add the cube."""
        game = _of(state)
        cube = Cube(self.member, self.seat, self.value, MEMBER, turned=True, is_extra=True)
        paid = CubeTransfer(self.seat, self.member, self.paid, "extra")
        return with_game(state, cubes=(*game.cubes, cube), paid=(*game.paid, paid))


class BatchClosed(Fact):
    """A batch of doubles is answered, with all that followed from it."""

    def apply(self, state: State, seq: int) -> State:
        """Go on to the roll."""
        closed = {"batch": (), "beavers": (), "asks": (), "said": ()}
        turn = "" if is_wood(state) else _of(state).turn
        return with_game(state, stage=stage_of(state, ROLL), turn=turn, opened=seq, reopened=(), **closed)


_WON = {"points": points_of(size("points")), "how": phrase("how_text")}


class CubeSettled(Fact):
    """A cube goes out: the member's points, and how."""

    cube: int
    member: Seat
    against: Seat
    points: int
    how: str
    is_headline = True
    sentence = first(
        (
            equals("points", 0),
            say(_("%(winner)s and %(loser)s settle for nothing."), winner=name_of("against"), loser=name_of("member")),
        ),
        (
            more("points", 0),
            say(
                _("%(winner)s wins %(points)s from %(loser)s: %(how)s."),
                winner=name_of("member"),
                loser=name_of("against"),
                **_WON,
            ),
        ),
        otherwise=say(
            _("%(winner)s wins %(points)s from %(loser)s: %(how)s."),
            winner=name_of("against"),
            loser=name_of("member"),
            **_WON,
        ),
    )

    def ends_acts(self) -> bool:
        """Tell whether it was settled: earlier acts can't be taken back after that."""
        return self.how == "settled"

    def apply(self, state: State, seq: int) -> State:
        """Take the cube out of the game, with everything that is open about it."""
        index = self.cube
        if self.how == "settled":
            state = _closed(state, index, "accepted")
        state = _put(state, index, result=self.points, how=self.how)
        game = _of(state)
        offered = game.resignation
        if offered is not None:
            offered = replace(offered, waiting=tuple(cube for cube in offered.waiting if cube != index))
        return with_game(
            state,
            outs=(*game.outs, index),
            words=tuple(word for word in game.words if word[0] != index),
            answers=tuple(answer for answer in game.answers if answer[0] != index),
            sealed=tuple(one for one in game.sealed if one.cube != index),
            batch=tuple(cube for cube in game.batch if cube != index),
            beavers=tuple(cube for cube in game.beavers if cube != index),
            asks=tuple(ask for ask in game.asks if ask.cube != index),
            said=tuple(row for row in game.said if row[0] != index),
            resignation=offered,
            proposals=tuple(p for p in game.proposals if p.cube != index),
        )


class ResignationOffered(Fact):
    """A side wants to resign at a level: 1, 2 or 3 times the cube."""

    seat: Seat
    level: int
    cubes: list[int]
    answered_by = ("answer_resignation",)
    is_headline = True
    sentence = say(_("%(name)s wants to resign: %(level)s."), level=phrase("level_text"))

    def apply(self, state: State, seq: int) -> State:
        """Ask the others."""
        offered = Resignation(self.seat, self.level, tuple(self.cubes), seq)
        refused = (*_of(state).refused, (self.seat, self.level))
        return with_game(state, resignation=offered, refused=refused)


class Answered(Fact, abstract=True):
    """A seat's answer to a resignation, for its cubes."""

    seat: Seat
    cubes: list[int]
    accept: bool

    def apply(self, state: State, seq: int) -> State:
        """Count the answer."""
        offered, cubes = _of(state).resignation, tuple(self.cubes)
        if offered is None:
            return state
        waiting = tuple(cube for cube in offered.waiting if cube not in cubes)
        # In the order of the cubes, so that the state doesn't show which answer came first.
        accepted = tuple(sorted(offered.accepted + (cubes if self.accept else ())))
        refused = tuple(sorted(offered.refused + (() if self.accept else cubes)))
        return with_game(state, resignation=replace(offered, waiting=waiting, accepted=accepted, refused=refused))


class ResignationAnswered(Answered):
    """An answer that was not sealed, in old logs."""

    sentence = when("accept", _("%(name)s accepts the resignation."), _("%(name)s refuses the resignation."))


class ResignationAnswerSealed(Answered):
    """An answer that its seat alone knows."""


class ResignationAnswerGiven(Fact):
    """All learn that a seat has answered a resignation."""

    seat: Seat
    cubes: list[int]


class ResignationClosed(Fact):
    """The answers to a resignation are shown."""

    accepted: list[int]
    refused: list[int]
    is_headline = True
    sentence = when(no("accepted"), _("Nobody accepts the resignation: play goes on."))

    def apply(self, state: State, seq: int) -> State:
        """Note the refused level: a leaver pays more than that (§7).

        Lower offers become legal again with the next play; a real board has no plays, so there at once.
        """
        game, offered = _of(state), _of(state).resignation
        refused = [(cube, offered.by, offered.level) for cube in sorted(offered.refused)] if offered else []
        may_offer = {"refused": ()} if is_wood(state) else {}
        return with_game(state, resignation=None, declined=(*game.declined, *refused), **may_offer)


class SettlementAsked(Fact):
    """A seat asks another to settle a cube; for how much is told to the two of them alone, by what follows."""

    seat: Seat
    to: Seat
    cube: int
    answered_by = ("answer_proposal",)
    sentence = _("%(name)s proposes a settlement to %(to)s.")


class SettlementProposed(Fact):
    """A seat proposes to settle a cube for some points; only the two of them know.

    `is_told`: everybody has heard of it before, without the points; not so in older logs.
    """

    seat: Seat
    to: Seat
    cube: int
    points: int
    is_told: bool = False
    answered_by = ("answer_proposal",)
    sentence = when("is_told", None, _("%(name)s proposes a settlement to %(to)s."))

    def apply(self, state: State, seq: int) -> State:
        """Ask the other one; an earlier proposal about the cube ends."""
        kept = tuple(p for p in _of(state).proposals if p.cube != self.cube)
        proposal = Proposal(self.cube, self.seat, self.points, seq)
        closed = tuple(c for c in _of(state).closed if c.cube != self.cube)
        return with_game(state, proposals=(*kept, proposal), closed=closed)


class SettlementLapsed(Fact):
    """A proposal to settle got no answer in time."""

    seat: Seat
    to: Seat
    cube: int
    sentence = _("The settlement that %(name)s proposed to %(to)s has lapsed.")

    def apply(self, state: State, seq: int) -> State:
        """Note it."""
        return _closed(state, self.cube, "lapsed")


class SettlementRefused(Fact):
    """A player does not settle."""

    seat: Seat
    cube: int
    sentence = _("%(name)s does not settle.")

    def apply(self, state: State, seq: int) -> State:
        """End the proposal."""
        state = _closed(state, self.cube, "refused")
        kept = tuple(p for p in _of(state).proposals if p.cube != self.cube)
        return with_game(state, proposals=kept)


def _closed(state: State, cube: int, became: str) -> State:
    """Return the state with the outcome of the proposal to settle a cube; unchanged if there is none."""
    game = _of(state)
    found = next((p for p in game.proposals if p.cube == cube), None)
    if found is None:
        return state
    member = holder(game, game.cubes[cube], TEAM)
    other = None if became == "lapsed" else member if found.by == game.box else game.box
    closed = Closed(found.by, "settlement", became, cube, other)
    return with_game(state, closed=(*(c for c in game.closed if c.cube != cube), closed))


def _of(state: State) -> Game:
    """Return the game; raises LookupError before the first game."""
    if state.game is None:
        raise LookupError("a cube's event before any game")
    return state.game


def _put(state: State, index: int, **changes: Any) -> State:
    """Return the state with one cube changed."""
    cubes = list(_of(state).cubes)
    cubes[index] = replace(cubes[index], **changes)
    return with_game(state, cubes=tuple(cubes))

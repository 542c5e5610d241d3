"""Events of a game: the opening roll, turns, dice, plays, Captains, talk."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chouette.rules.cube.cubes import roller
from chouette.rules.events.fact import Fact
from chouette.rules.state import (
    AUTOMATIC,
    BOX,
    KEPT,
    MOVE,
    NO_RING,
    OFFER,
    OPENING,
    ROLL,
    WINDOW,
    Closed,
    Cube,
    Game,
    LastPlay,
    Remark,
    State,
    stage_of,
    with_game,
)
from games.kernel.contract import Seat
from games.kernel.data.records import changed
from games.kernel.sentences import equals, faces, missing, name_of, say, when
from games.kernel.text import gettext_noop as _


class OpeningDieRolled(Fact):
    """A die of the opening roll; `typed` where real dice may be thrown."""

    seat: Seat
    die: int
    typed: bool | None = None
    sentence = when("typed", _("%(name)s types %(die)s for the opening."), _("%(name)s rolls %(die)s for the opening."))
    is_in_view = True

    def apply(self, state: State, seq: int) -> State:
        """Add the die; the other opener's decision keeps its basis."""
        return with_game(state, opening=(*_of(state).opening, (self.seat, self.die)))


class OpeningTied(Fact):
    """The opening roll ties: at a die, or as told of a real board; `ties` counts them."""

    die: int | None
    ties: int
    sentence = when(missing("die"), _("A tie of the opening roll."), _("A tie at %(die)s: both roll again."))

    def apply(self, state: State, seq: int) -> State:
        """Roll again."""
        return _game(state, seq, opening=(), ties=self.ties, stage=stage_of(state, OPENING))


class AutomaticAsked(Fact):
    """The Box decides whether all cubes are doubled after a tie."""

    seat: Seat
    value: int
    sentence = _("A tie: %(name)s decides whether all cubes go to %(value)s.")

    def apply(self, state: State, seq: int) -> State:
        """Wait for the answer."""
        return _game(state, seq, stage=AUTOMATIC)


class AutomaticAnswered(Fact):
    """The Box agrees to the automatic double, or does not."""

    seat: Seat
    agree: bool
    sentence = when(
        "agree",
        _("%(name)s agrees to the automatic double."),
        _("%(name)s does not agree to the automatic double."),
    )

    def apply(self, state: State, seq: int) -> State:
        """Go on with the opening."""
        return _game(state, seq, stage=stage_of(state, OPENING))


class CubesDoubled(Fact):
    """An automatic double of all cubes, to `value`."""

    value: int
    sentence = _("Automatic double: all cubes are at %(value)s.")

    def apply(self, state: State, seq: int) -> State:
        """Set the value of all cubes; an automatic double is no turned cube (§4.2)."""
        cubes: list[Cube] = [replace(cube, value=self.value) for cube in _of(state).cubes]
        return with_game(state, cubes=tuple(cubes))


class DoubleCarried(Fact):
    """A second tie: the next game starts doubled if its Box agrees."""

    sentence = _("A second tie: the next game starts doubled if its Box agrees.")

    def apply(self, state: State, seq: int) -> State:
        """Keep it for the next game."""
        return changed(state, carry=True)


class TurnBegan(Fact):
    """A side's turn begins, at a stage; with the dice of the opening roll, or none."""

    side: str
    seat: Seat | None
    stage: str
    dice: list[int]
    is_headline = True
    sentence = when("dice", say(_("%(name)s begins with %(dice)s."), dice=faces("dice")))

    def apply(self, state: State, seq: int) -> State:
        """Begin the turn."""
        dice = tuple(self.dice)
        return _game(state, seq, turn=self.side, stage=self.stage, dice=dice, words=(), sealed=(), **NO_RING)


class DiceAwaited(Fact):
    """A player throws real dice, which are still to be typed."""

    seat: Seat
    sentence = _("%(name)s throws the dice at the table.")

    def apply(self, state: State, seq: int) -> State:
        """Wait for real dice: doubling is over, and the dice have to be typed."""
        return _game(state, seq, stage=ROLL)


class DiceRolled(Fact):
    """A roll; `typed` where real dice may be thrown."""

    seat: Seat
    dice: list[int]
    typed: bool | None = None
    is_headline = True
    sentence = when(
        "typed",
        say(_("%(name)s types %(dice)s."), dice=faces("dice")),
        say(_("%(name)s rolls %(dice)s."), dice=faces("dice")),
    )
    is_in_view = True

    def apply(self, state: State, seq: int) -> State:
        """Roll: earlier proposals end, and the last play can't be taken back any more.

        Proposals and requests that lapse by the roll have events before it.
        """
        return _game(state, seq, stage=MOVE, dice=tuple(self.dice), proposals=(), last=None, refused=())


class PlayMade(Fact):
    """A play, in notation, and the position after it."""

    seat: Seat
    play: str
    dice: list[int]
    position: list[int]
    is_headline = True
    sentence = when(equals("play", "cannot move"), _("%(name)s cannot move."), _("%(name)s plays %(play)s."))
    is_in_view = True

    def apply(self, state: State, seq: int) -> State:
        """Make the play; the talk about it ends."""
        game = _of(state)
        drawn = tuple(line for line in game.talk if line.play)
        last = LastPlay(self.seat, game.turn, game.dice, self.play, game.position, advisers=game.asked, drawn=drawn)
        talk = tuple(line for line in game.talk if not line.play)
        ended: dict[str, Any] = {"dice": (), "asked": (), "refused": (), "proposals": (), "closed": ()}
        return _game(state, seq, position=tuple(self.position), last=last, talk=talk, **ended)


class PlayAskedBack(Fact):
    """A player asks to take the play back."""

    seat: Seat
    answered_by = ("answer_take_back",)
    sentence = _("%(name)s asks to take the play back.")

    def apply(self, state: State, seq: int) -> State:
        """Ask the others."""
        return _with_last(state, asked=seq, agreed=())


class PlayBackAgreed(Fact):
    """A player lets the play go back."""

    seat: Seat
    sentence = _("%(name)s lets the play go back.")

    def apply(self, state: State, seq: int) -> State:
        """Count the answer."""
        last = _of(state).last
        return _with_last(state, agreed=(*last.agreed, self.seat)) if last else state


class PlayBackRefused(Fact):
    """A player lets the play stand."""

    seat: Seat
    sentence = _("%(name)s lets the play stand.")

    def apply(self, state: State, seq: int) -> State:
        """End the request."""
        return with_game(_closed(state, "refused", self.seat), last=None)


class PlayBackLapsed(Fact):
    """A request to take a play back got no answer in time."""

    seat: Seat
    sentence = _("%(name)s got no answer in time: the play stands.")

    def apply(self, state: State, seq: int) -> State:
        """End the request."""
        return _closed(state, "lapsed")


def _closed(state: State, became: str, by: Seat | None = None) -> State:
    """Return the state with the outcome of the request to take the last play back."""
    game = _of(state)
    if game.last is None:
        return state
    asker = roller(game, game.last.side)
    return with_game(state, closed=(*game.closed, Closed(asker, "take_back", became, by=by)))


class PlayTakenBack(Fact):
    """The last play is taken back."""

    seat: Seat | None
    is_headline = True
    sentence = _("The play is taken back.")

    def apply(self, state: State, seq: int) -> State:
        """Give the roll back to be played again, with the advice that had been asked for and given."""
        last = _of(state).last
        if last is None:
            return state
        state = _closed(state, "accepted")
        return _game(
            state,
            seq,
            asked=last.advisers,
            talk=(*_of(state).talk, *last.drawn)[-KEPT:],
            turn=last.side,
            stage=MOVE,
            dice=last.dice,
            position=last.before,
            words=(),
            sealed=(),
            **NO_RING,
            last=None,
        )


class CaptainChanged(Fact):
    """The Team has another Captain: `stand_in`, or for good."""

    seat: Seat
    before: Seat
    why: str
    is_headline = True
    sentence = when(
        equals("why", "stand_in"), _("%(name)s stands in for %(before)s."), _("%(name)s is the new Captain.")
    )

    def apply(self, state: State, seq: int) -> State:
        """Pass the Team's die of the opening on to the new Captain, as no roll has been asked for yet."""
        game = _of(state)
        opening = tuple((self.seat if roller == self.before else roller, die) for roller, die in game.opening)
        return with_game(state, captain=self.seat, captains=(*game.captains, self.seat), opening=opening, **NO_RING)


class DeputyNamed(Fact):
    """A Captain or Box hands the dice to a deputy."""

    seat: Seat
    deputy: Seat
    side: str
    is_final = True
    sentence = _("%(name)s hands the dice to %(deputy)s.")

    def apply(self, state: State, seq: int) -> State:
        """Let the deputy roll and move for the side; an open decision of the side gets a new basis."""
        game = _of(state)
        state = with_game(state, deputies=(*game.deputies, (self.side, self.deputy)))
        return _with_new_basis(state, self.side, seq)


class DeputyEnded(Fact):
    """A deputy gives the dice back."""

    deputy: Seat
    side: str
    sentence = say(_("%(name)s gives the dice back."), name=name_of("deputy"))

    def apply(self, state: State, seq: int) -> State:
        """Give the dice back to the Captain or Box; a ring that the deputy opened ends."""
        game = _of(state)
        ring = NO_RING if game.stage == WINDOW else {}
        state = with_game(state, deputies=tuple(row for row in game.deputies if row[0] != self.side), **ring)
        return _with_new_basis(state, self.side, seq)


def _with_new_basis(state: State, side: str, seq: int) -> State:
    game = _of(state)
    is_open = game.turn == side and game.stage in (OFFER, ROLL, MOVE)
    return _game(state, seq) if is_open else state


class CubeHanded(Fact):
    """Another seat looks after a leaver's cube now."""

    member: Seat
    before: Seat
    seat: Seat
    sentence = _("%(name)s now looks after the cube of %(member)s.")

    def apply(self, state: State, seq: int) -> State:
        """Hand the cube on, with the questions about it (§7)."""
        member, seat = self.member, self.seat
        proxies = tuple(pair for pair in _of(state).proxies if pair[0] != member)
        return with_game(with_questions_passed(state, self.before, seat, member), proxies=(*proxies, (member, seat)))


def with_questions_passed(state: State, before: Seat, seat: Seat, member: Seat | None) -> State:
    """Return the state with questions to one seat passed to another: about a member's cube, or about any (None).

    Questions of extras stay, and so do replies already given.
    """
    game = _of(state)

    def addressee(cube: int, kind: str, current: Seat) -> Seat:
        is_about = member is None or game.cubes[cube].member == member
        return seat if current == before and is_about and kind != "extra" else current

    asks = tuple(replace(ask, seat=addressee(ask.cube, ask.kind, ask.seat)) for ask in game.asks)
    said = tuple((cube, kind, addressee(cube, kind, current), reply) for cube, kind, current, reply in game.said)
    return with_game(state, asks=asks, said=said)


class BoxChanged(Fact):
    """The partner plays on for a Box that has left (§4.10)."""

    seat: Seat
    before: Seat
    is_headline = True
    sentence = _("%(name)s plays on as the Box.")

    def apply(self, state: State, seq: int) -> State:
        """Let the partner take over the Box's whole result."""
        game, seat, before = _of(state), self.seat, self.before

        def successor(old: Seat) -> Seat:
            return seat if old == before else old

        offered = game.resignation
        return with_game(
            state,
            line=(seat, *(old for old in game.line[1:] if old != seat)),
            partner=None,
            deputies=tuple(row for row in game.deputies if row[0] != BOX),
            cubes=tuple(replace(cube, against=successor(cube.against)) for cube in game.cubes),
            opening=tuple((successor(old), die) for old, die in game.opening),
            asks=tuple(replace(ask, seat=successor(ask.seat)) for ask in game.asks),
            said=tuple((cube, kind, successor(old), reply) for cube, kind, old, reply in game.said),
            refused=tuple((successor(old), level) for old, level in game.refused),
            declined=tuple((cube, successor(old), level) for cube, old, level in game.declined),
            proposals=tuple(replace(each, by=successor(each.by)) for each in game.proposals),
            resignation=offered and replace(offered, by=successor(offered.by)),
        )


class TimedOut(Fact):
    """A player's time is up; with `again` it is reopened: the seat has the same time once more."""

    seat: Seat
    again: bool
    is_final = True
    is_headline = True
    sentence = when(
        "again", _("Time is up for %(name)s, who has the same time once more."), _("Time is up for %(name)s.")
    )

    def apply(self, state: State, seq: int) -> State:
        """Reopen the seat's decision."""
        if not self.again:
            return state
        return with_game(state, reopened=(*_of(state).reopened, (self.seat, seq)))


def _of(state: State) -> Game:
    """Return the game, running or just ended; raises LookupError before the first game."""
    if state.game is None:
        raise LookupError("a game's event before any game")
    return state.game


def _game(state: State, seq: int, **changes: Any) -> State:
    """Return the state with the game changed and a new decision opened."""
    return with_game(state, opened=seq, reopened=(), **changes)


def _with_last(state: State, **changes: Any) -> State:
    last = _of(state).last
    return with_game(state, last=replace(last, **changes)) if last else state


class Talked(Fact):
    """A line of talk of a seat, read by its `audience` alone."""

    seat: Seat
    text: str

    def apply(self, state: State, seq: int) -> State:
        """Keep the line."""
        return _keep(state, Remark(self.seat, self.text, "", self.audience, seq))


class PlaySuggested(Fact):
    """A play suggested by a member, read by its `audience` alone."""

    seat: Seat
    play: str

    def apply(self, state: State, seq: int) -> State:
        """Keep the suggestion, which replaces an earlier one."""
        if state.game is None:
            return state
        others = tuple(ln for ln in state.game.talk if not (ln.play and ln.seat == self.seat))
        line = Remark(self.seat, "", self.play, self.audience, seq)
        return _keep(with_game(state, talk=others), line)


class TalkOpened(Fact):
    """A Captain asks a member for advice."""

    seat: Seat
    by: Seat
    sentence = _("%(by)s asks %(name)s for advice.")

    def apply(self, state: State, seq: int) -> State:
        """Let the member speak."""
        if state.game is None:
            return state
        return with_game(state, asked=(*state.game.asked, self.seat))


def _keep(state: State, line: Remark) -> State:
    if state.game is None:
        return state
    return with_game(state, talk=(*state.game.talk, line)[-KEPT:])

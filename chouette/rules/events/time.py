"""Events about time: game clocks, a match's time limit, and points given beside the games (§12)."""

from __future__ import annotations

from chouette.rules.events.fact import Fact
from chouette.rules.events.phrases import points_of
from chouette.rules.state import ClockRules, GameClock, Given, State
from games.kernel.contract import Seat
from games.kernel.data.records import changed
from games.kernel.sentences import equals, first, say
from games.kernel.text import gettext_noop as _

MATCH, MINUTE, GAME, POINT, BELL = "match", "minute", "game", "point", "bell"
"""The effects of a fallen flag."""


class ClockSet(Fact):
    """The clocks are put in before game `game`, with these reserves in milliseconds by seat."""

    left: list[int]
    game: int

    def apply(self, state: State, seq: int) -> State:
        """Put them in; they stand."""
        return changed(state, clock=GameClock(tuple(self.left), self.game, since=seq))


class ClockWished(Fact):
    """A seat would like game clocks of a kind from the next game on (null: rather none); the other one has to agree."""

    seat: Seat
    clock: str | None
    is_aloud = True
    sentence = first(
        (equals("clock", "delay"), _("%(name)s would like a game clock: simple delay, 12 seconds a turn.")),
        otherwise=_("%(name)s would rather go on without a game clock."),
    )

    def apply(self, state: State, seq: int) -> State:
        """Keep the wish."""
        wishes = {**dict(state.clock_wishes), self.seat: self.clock}
        return changed(state, clock_wishes=tuple((seat, kind) for seat, kind in wishes.items() if kind is not None))


class ClockAgreed(Fact):
    """Game clocks are put in before the next game, by both players or by the host, with these house rules."""

    clock: str
    clock_expiry: str
    is_aloud = True
    sentence = first(
        (equals("clock", "delay"), _("From the next game on there is a game clock: simple delay, 12 seconds a turn.")),
        otherwise=_("From the next game on there is a game clock: simple delay for pairs, 18 seconds a turn."),
    )

    def apply(self, state: State, seq: int) -> State:
        """Keep the rules of the clock."""
        return changed(state, clock_wishes=(), clock_rules=ClockRules(self.clock, self.clock_expiry))


class ClockPressed(Fact):
    """A clock stops or starts: the reserves left, and the seat whose clock runs from now on (null: none).

    `turn` is the seat on turn, on a real board.
    """

    left: list[int]
    runs: Seat | None
    turn: Seat | None = None

    def apply(self, state: State, seq: int) -> State:
        """Keep the reserves."""
        now = _clock(state)
        clock = GameClock(tuple(self.left), now.game, self.runs, seq, self.turn, now.fallen, now.lost)
        return changed(state, clock=clock)


class FlagFell(Fact):
    """A seat's reserve is used up; `left` are the reserves after it, `effect` is what follows by the house rules."""

    seat: Seat
    left: list[int]
    effect: str
    is_aloud = True
    is_headline = True
    sentence = first(
        (equals("effect", MATCH), _("%(name)s's time is up: the match is lost.")),
        (equals("effect", MINUTE), _("%(name)s's time is up: one minute more, then the match is lost.")),
        (equals("effect", POINT), _("%(name)s's time is up: the other side gets a point, and there is a minute more.")),
        (equals("effect", GAME), _("%(name)s's time is up: the game is lost.")),
        otherwise=_("%(name)s's time is up."),
    )

    def apply(self, state: State, seq: int) -> State:
        """Keep the reserves; the clock that runs begins a turn anew."""
        now = _clock(state)
        lost = self.seat if self.effect == MATCH else now.lost
        fallen = (*now.fallen, self.seat)
        clock = GameClock(tuple(self.left), now.game, now.runs, seq, now.turn, fallen, lost)
        return changed(state, clock=clock)


class TimeLimitReached(Fact):
    """The time of the match is over: the game in play is the last one, unless the score is equal after it."""

    fixes_games = True
    is_aloud = True
    is_headline = True
    sentence = first(
        (
            equals("options.format", "match"),
            _("The time of the match is over: the game in play is played out, then who is ahead wins."),
        ),
        otherwise=_("The time is over: the game in play is played out, then who is ahead wins."),
    )

    def apply(self, state: State, seq: int) -> State:
        """Note it."""
        return changed(state, is_time_over=True)


class PointsGiven(Fact):
    """A seat gets points in a match beside its games: at its start (game 0), or for time in a game."""

    seat: Seat
    points: int
    game: int
    sentence = first(
        (equals("game", 0), say(_("%(name)s starts the match with %(points)s."), points=points_of("points"))),
        otherwise=say(_("%(name)s gets %(points)s."), points=points_of("points")),
    )

    def apply(self, state: State, seq: int) -> State:
        """Add them to the score."""
        return changed(state, given=(*state.given, Given(self.seat, self.points, self.game)))


def _clock(state: State) -> GameClock:
    """Return the clocks; standing ones without a reserve for a log that lacks its beginning."""
    return state.clock or GameClock((0,) * len(state.players), 0)

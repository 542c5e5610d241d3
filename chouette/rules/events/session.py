"""Events of the session: the line, games and their results, seats joined and left, the score sheet."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, TypeAlias

from chouette.rules.events.fact import Fact
from chouette.rules.events.game import with_questions_passed
from chouette.rules.events.phrases import HOST_OR_SEAT, points_of
from chouette.rules.state import (
    BETWEEN,
    CENTRE,
    COMING,
    ENDED,
    IN,
    KEPT_GAMES,
    LEFT,
    OPENING,
    OVER,
    PAUSE,
    PLAYED_ON,
    PLAYING,
    TO_THROW,
    WATCHING,
    Cube,
    CubeTransfer,
    Game,
    GameBefore,
    Player,
    ScoreRow,
    State,
    is_carry_open,
    is_wood,
    lineup,
    stage_of,
    with_game,
)
from games.kernel.contract import JsonObject, Seat
from games.kernel.data.records import changed
from games.kernel.sent import Items
from games.kernel.sentences import each, equals, first, missing, more, name_of, say, signed, together, when
from games.kernel.standings import RolledDie
from games.kernel.text import gettext_noop as _

MOVED_UP = ("joined", "left")
"""Reasons for which a line is set between two games, other than the last game or the first rolls."""


TransferRow: TypeAlias = Annotated[list[Any], Items(Seat, Seat, int, str)]
"""Payer, payee, points, and why."""


class OrderRolled(Fact):
    """Dice for the first line, one for each seat."""

    rolls: list[RolledDie]
    sentence = say(_("For the order: %(rolls)s."), rolls=each("rolls", "%(name)s %(die)s"))

    def apply(self, state: State, seq: int) -> State:
        """Keep the throws."""
        return changed(state, order=(*state.order, self.data()))


class OrderDieThrown(Fact):
    """A die for the first line; `typed` where real dice are thrown: by the player, or by the house."""

    seat: Seat
    die: int
    typed: bool | None = None
    sentence = when("typed", _("%(name)s throws %(die)s for the line."), _("The house throws %(die)s for %(name)s."))

    def apply(self, state: State, seq: int) -> State:
        """Add the die to the round of throws that it belongs to: the first, or one after a tie."""
        number = sum(roll["seat"] == self.seat for block in state.order for roll in block["rolls"])
        roll = {"seat": self.seat, "die": self.die}
        blocks = list(state.order)
        if number == len(blocks):
            blocks.append({"rolls": [roll]})
        else:
            blocks[number] = {"rolls": [*blocks[number]["rolls"], roll]}
        return changed(state, order=tuple(blocks))


class LotsDrawn(Fact):
    """The dice of a line drawn by lot."""

    dice: list[list[int]]


_LINE = each("line", name_of("item"))


class LineSet(Fact):
    """The line of the next game, and why it is so: the Box first, then the Captain."""

    line: list[Seat]
    why: str
    is_headline = True
    sentence = first(
        (equals("why", TO_THROW), None),
        ((equals("why", "drawn"), more("line", 2)), say(_("The line, by lot: %(names)s."), names=_LINE)),
        ((equals("why", "by_hand"), more("line", 2)), say(_("The line, set by hand: %(names)s."), names=_LINE)),
        (more("line", 2), say(_("The line: %(names)s."), names=_LINE)),
        (equals("why", "rolled"), say(_("The line: %(names)s."), names=_LINE)),
    )

    def apply(self, state: State, seq: int) -> State:
        """Set the line; waiting players in it play from now on."""
        line = tuple(self.line)
        phase = PAUSE if state.phase == PAUSE else BETWEEN
        state = changed(state, phase=phase, line=line, opened=seq, partner=None)
        if self.why not in MOVED_UP:
            state = changed(state, why=self.why, line_box=line[0] if line else None)
        for seat in range(len(state.players)):
            if state.players[seat].status in (IN, COMING):
                state = with_player(state, seat, status=IN if seat in line else WATCHING)
        return state


class BoxPassed(Fact):
    """The Box passes the Box on to another seat."""

    seat: Seat
    to: Seat
    sentence = _("%(name)s passes the Box on to %(to)s.")

    def apply(self, state: State, seq: int) -> State:
        """Note the pass; each seat may pass the Box of one game on once."""
        return changed(state, passed=(*state.passed, self.seat))


class PartnerChosen(Fact):
    """The Box takes a partner, or none."""

    seat: Seat
    partner: Seat | None
    sentence = when(
        missing("partner"),
        _("%(name)s plays the Box without a partner."),
        _("%(name)s takes %(partner)s as partner in the Box."),
    )

    def apply(self, state: State, seq: int) -> State:
        """Keep the partner for the next game."""
        return changed(state, partner=-1 if self.partner is None else self.partner, opened=seq)


class CarryAnswered(Fact):
    """The Box agrees that the game starts doubled, at `value`, or does not."""

    seat: Seat
    agree: bool
    value: int
    sentence = when(
        "agree",
        _("%(name)s agrees: the game starts doubled."),
        _("%(name)s does not agree: the game starts at 1."),
    )

    def apply(self, state: State, seq: int) -> State:
        """Keep the answer."""
        return changed(state, agreed=(*state.agreed, (self.seat, self.value > 1)), opened=seq)


class GameStarted(Fact):
    """A game starts, with the value and the owner of its cubes; `single`: only a single game counts."""

    number: int
    line: list[Seat]
    partner: Seat | None
    value: int
    owner: str
    crawford: bool
    position: list[int]
    single: bool = False
    is_headline = True
    sentence = together(
        when(
            more("line", 2),
            say(
                _("Game %(number)s: %(box)s is the Box, %(captain)s is Captain."),
                box=name_of("line.0"),
                captain=name_of("line.1"),
            ),
            say(_("Game %(number)s: %(box)s against %(captain)s."), box=name_of("line.0"), captain=name_of("line.1")),
        ),
        when("crawford", _("Crawford game: nobody doubles.")),
        when(more("value", 1), _("The cubes start at %(value)s.")),
    )

    def apply(self, state: State, seq: int) -> State:
        """Start the game; the opening roll of Box and Captain is one decision, and either may roll first."""
        line = tuple(self.line)
        members = [seat for seat in line[1:] if seat != self.partner]
        game = Game(
            number=self.number,
            line=line,
            cubes=tuple(Cube(seat, line[0], self.value, self.owner, turned=self.owner != CENTRE) for seat in members),
            captain=line[1],
            captains=(line[1],),
            partner=self.partner,
            is_crawford=self.crawford,
            is_single=self.single,
            position=tuple(self.position),
            opened=seq if is_wood(state) else state.opened,
            stage=stage_of(state, OPENING),
        )
        crawford = "now" if self.crawford else state.crawford
        state = _with_mark(state, seq)
        parts: dict[str, Any] = {"carry": False, "agreed": (), "partner": None, "crawford": crawford, "ready": ()}
        return changed(state, phase=PLAYING, game=game, **parts)


def _with_mark(state: State, seq: int) -> State:
    """Keep the table before a game at a real board that may be taken back whole; game clocks are never set back."""
    if not is_wood(state) or state.clock is not None:
        return state
    names = ("players", "line", "why", "line_box", "passed", "carry", "agreed", "partner", "crawford", "loser")
    parts: dict[str, Any] = {name: getattr(state, name) for name in names}
    mark = GameBefore(seq=seq, rows=len(state.sheet), last_game=state.last_game, **parts)
    return changed(state, before=(*state.before, mark)[-KEPT_GAMES:])


class GameEnded(Fact):
    """A game is over, with the points of each seat, who paid whom, and the line before and after.

    `without_house`: it was played while the house was out of reach.
    """

    number: int
    reason: str
    winner: str
    box: Seat
    captain: Seat
    last_captain: Seat
    stand_in: Seat | None
    partner: Seat | None
    points: list[int]
    ranking: list[list[Seat]]
    stats: list[JsonObject]
    transfers: list[TransferRow]
    loser: Seat
    why: str
    line_before: list[Seat]
    line_after: list[Seat]
    without_house: bool = False
    is_final = True
    is_aloud = True
    sentence = say(
        _("Game %(number)s is over: %(points)s."),
        points=each(
            "points",
            when("item", say("%(who)s %(gain)s", who=name_of("index"), gain=signed("item"))),
            none="0",
        ),
    )

    def apply(self, state: State, seq: int) -> State:
        """End the game, and with it auto no double, sitting out and announced leaving."""
        row = ScoreRow(
            self.number,
            transfers_of(self.transfers),
            line=tuple(self.line_before),
            winner=self.winner,
            is_crawford=state.crawford == "now",
            seq=seq,
            is_without_house=self.without_house,
        )
        crawford = "after" if state.crawford == "now" else state.crawford
        state = with_game(state, stage=ENDED, opened=seq, talk=(), proposals=(), closed=(), resignation=None)
        players = tuple(replace(player, auto=False, sits_out=False, leaves=False) for player in state.players)
        state = changed(state, players=players)
        for seat, player in enumerate(state.players):
            if player.status == PLAYED_ON:
                state = with_player(state, seat, status=LEFT)
        return changed(
            state,
            sheet=(*state.sheet, row),
            crawford=crawford,
            loser=self.loser,
            passed=(),
            last_game=self.data(),
        )


class PauseBegan(Fact):
    """A pause between two games begins, of so many seconds."""

    seconds: int

    def apply(self, state: State, seq: int) -> State:
        """Start the pause."""
        return changed(state, phase=PAUSE, paused=seq, ready=())


class WentOn(Fact):
    """A player is ready for the next game."""

    seat: Seat

    def apply(self, state: State, seq: int) -> State:
        """Note it."""
        return changed(state, ready=(*state.ready, self.seat))


class PauseEnded(Fact):
    """The pause is over."""

    def apply(self, state: State, seq: int) -> State:
        """End the pause."""
        return changed(state, phase=BETWEEN, opened=seq, ready=())


class SatOut(Fact):
    """A player sits the next game out, or plays it after all."""

    seat: Seat
    on: bool
    sentence = when("on", _("%(name)s sits out the next game."), _("%(name)s plays the next game."))

    def apply(self, state: State, seq: int) -> State:
        """Set whether the seat sits out; the Box may change by it, so the choice of a partner is open again.

        A new Box that has to be asked whether the game starts doubled has its whole time for that.
        """
        before = lineup(state)[:1]
        state = changed(with_player(state, self.seat, sits_out=self.on), partner=None)
        is_asked = self.on and lineup(state)[:1] != before and is_carry_open(state)
        return changed(state, opened=seq) if is_asked and state.phase == BETWEEN else state


class LeavingAnnounced(Fact):
    """A player leaves after this game, or stays after all."""

    seat: Seat
    on: bool
    sentence = when("on", _("%(name)s leaves after this game."), _("%(name)s stays after this game."))

    def apply(self, state: State, seq: int) -> State:
        """Keep the announcement."""
        return with_player(state, self.seat, leaves=self.on)


class ClosingAnnounced(Fact):
    """The table closes after this game, or goes on after all; in the log the house's own event says so."""

    on: bool
    spoken = when("on", _("The table closes after this game."), _("The table goes on after this game."))

    def apply(self, state: State, seq: int) -> State:
        """Keep the announcement."""
        return changed(state, closes=self.on)


class SessionEnded(Fact):
    """The session or the match is over: `match_won`, `too_few` players, `closed` by the host.

    A match also by `time`, when a flag has fallen; it and a money session by the `time_limit`.
    """

    reason: str
    winner: Seat | None
    is_aloud = True
    sentence = first(
        (equals("reason", "match_won"), say(_("%(name)s wins the match."), name=name_of("winner"))),
        (equals("reason", "time"), say(_("%(name)s wins the match on time."), name=name_of("winner"))),
        (
            (equals("reason", "time_limit"), equals("options.format", "money")),
            say(_("The time is over: %(name)s is ahead and wins the session."), name=name_of("winner")),
        ),
        (
            equals("reason", "time_limit"),
            say(_("The time is over: %(name)s is ahead and wins the match."), name=name_of("winner")),
        ),
        (equals("reason", "too_few"), _("One player is left: that is the end.")),
        otherwise=_("The table is closed."),
    )

    def apply(self, state: State, seq: int) -> State:
        """End the session."""
        return changed(state, phase=OVER, ended=self.data())


class RowCorrected(Fact):
    """A correction of the score sheet, by a seat or the host: rows [payer, payee, points, why]."""

    seat: Seat | None
    transfers: list[TransferRow]
    why: str
    fixes_games = True
    is_headline = True
    sentence = say(
        _("%(name)s corrects the sheet: %(paid)s (%(why)s)."),
        name=HOST_OR_SEAT,
        paid=each(
            "transfers",
            say(
                _("%(payer)s pays %(payee)s %(points)s"),
                payer=name_of("item.0"),
                payee=name_of("item.1"),
                points=points_of("item.2"),
            ),
        ),
    )

    def apply(self, state: State, seq: int) -> State:
        """Add a row to the sheet."""
        row = ScoreRow(0, transfers_of(self.transfers), self.seat, self.why, seq=seq)
        return changed(state, sheet=(*state.sheet, row))


class SeatJoined(Fact):
    """A newcomer gets the next seat; a returning player gets the old seat."""

    seat: Seat
    fixes_games = True
    is_headline = True
    sentence = _("%(name)s joins.")

    def apply(self, state: State, seq: int) -> State:
        """Add the seat, to play from the next game on."""
        seat = self.seat
        if seat == len(state.players):
            state = changed(state, players=(*state.players, Player()))
        if state.why == TO_THROW:
            state = changed(state, order=_without_dice_of(state, seat))
        return with_player(state, seat, status=COMING)


def _without_dice_of(state: State, seat: Seat) -> tuple[JsonObject, ...]:
    """Return the throws for the first line without throws by an earlier player of the seat."""
    blocks = [[roll for roll in block["rolls"] if roll["seat"] != seat] for block in state.order]
    return tuple({"rolls": rolls} for rolls in blocks if rolls)


class SeatLeft(Fact):
    """A player leaves for good; a proxy looks after the cube, or a bot plays the game out (§7).

    In events older than `played_on` the proxy gets the leaver's other questions, too.
    """

    seat: Seat
    proxy: Seat | None
    played_on: bool | None = None
    fixes_games = True
    is_final = True
    is_headline = True
    sentence = first(
        ("played_on", _("%(name)s has left; a bot plays the game out.")),
        (missing("proxy"), _("%(name)s has left.")),
        otherwise=_("%(name)s has left; %(proxy)s looks after the cube."),
    )

    def apply(self, state: State, seq: int) -> State:
        """Mark the seat as left; its proxy gets the questions about its cube."""
        seat, proxy = self.seat, self.proxy
        state = changed(state, agreed=tuple(answer for answer in state.agreed if answer[0] != seat))
        status = PLAYED_ON if self.played_on else LEFT
        state = with_player(state, seat, status=status, auto=False, proxy=None, sits_out=False, leaves=False)
        if proxy is None or state.game is None:
            return state
        game = state.game
        own = None if self.played_on is None else seat
        return with_game(with_questions_passed(state, seat, proxy, own), proxies=(*game.proxies, (seat, proxy)))


class ProxyNamed(Fact):
    """A player names a proxy, the player that takes over the cube after a leave; None names nobody."""

    seat: Seat
    proxy: Seat | None
    sentence = when(
        missing("proxy"),
        _("%(name)s names nobody to take over the cube."),
        _("%(name)s names %(proxy)s to take over the cube."),
    )

    def apply(self, state: State, seq: int) -> State:
        """Keep the name."""
        return with_player(state, self.seat, proxy=self.proxy)


class AutoSet(Fact):
    """A player says no double by itself from now on, or no more."""

    seat: Seat
    on: bool

    def apply(self, state: State, seq: int) -> State:
        """Keep it."""
        return with_player(state, self.seat, auto=self.on)


def with_player(state: State, seat: Seat, **changes: Any) -> State:
    """Return the state with one player changed."""
    players = list(state.players)
    players[seat] = replace(players[seat], **changes)
    return changed(state, players=tuple(players))


def transfers_of(rows: list[list[Any]]) -> tuple[CubeTransfer, ...]:
    """Return transfers from their JSON form: [payer, payee, points, why] each."""
    return tuple(CubeTransfer(*row) for row in rows)

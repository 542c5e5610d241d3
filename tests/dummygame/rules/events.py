"""The events of Sealed Bids: what each holds, says and does to the state, old versions included."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from games.kernel import events
from games.kernel.contract import JsonObject, Seat
from games.kernel.dice import typed
from games.kernel.events import Registry
from games.kernel.sentences import each, given, name_of, say, when
from games.kernel.text import gettext_noop as _
from games.kernel.words import Words
from tests.dummygame.rules.state import Player, State

WORDS = {
    "bid": Words(
        own=_("Your turn: bid"),
        others=_("Bids: waiting for %(names)s"),
        question=when("view.last", _("What do you bid this time?"), _("What do you bid?")),
        label=_("Bid %(number)s"),
        lapse=_("When the time runs out, your lowest number is bid."),
    ),
    "thank": Words(own=_("Your turn: thank the others"), label=say(_("Thank %(name)s"), name=name_of("to"))),
    "take_back": Words(label=_("Take back"), key="B"),
    "type_die": Words(
        own=_("Your turn: throw your die"), others=_("A tie: %(names)s throw a die each"), label=typed.LABEL
    ),
    "over": Words(others=_("All sets are played")),
}
EVENTS: Registry[State] = Registry(
    {"bids_told": each("bids", say("%(who)s %(bid)s", who=name_of("item.0"), bid="item.1"))}, words=WORDS
)


class Fact(events.Fact[State]):
    """An event of Sealed Bids."""

    declared = EVENTS


def _put(state: State, seat: Seat, **changes: Any) -> State:
    """Return the state with one player changed."""
    players = list(state.players)
    players[seat] = replace(players[seat], **changes)
    return replace(state, players=tuple(players))


class HandsDealt(Fact):
    """A set begins."""

    sentence = _("The hands are dealt.")

    def apply(self, state: State, seq: int) -> State:
        """Deal every number to every player."""
        hand = tuple(range(1, state.options["numbers"] + 1))
        players = tuple(
            Player(hand, opened=seq, is_in=plays, has_part=plays)
            for plays in (p.is_in or p.is_coming for p in state.players)
        )
        return replace(state, players=players, set=state.set + 1, round=1, dice_shown=False)


class DieDealt(Fact):
    """A seat gets a die that it alone sees."""

    seat: Seat
    die: int
    sentence = _("%(name)s has a %(die)s.")

    def apply(self, state: State, seq: int) -> State:
        """Give the die to the seat."""
        return _put(state, self.seat, die=self.die, die_seq=seq)


class DiceShown(Fact):
    """All dealt dice are shown: [seat, die] each, in version 1 as `dice`, which are those that fell in an entry."""

    shown: list[list[int]]
    version = 2
    upcasts = {1: lambda data: {"shown": data["dice"]}}
    sentence = say(
        _("The dice are shown: %(shown)s."),
        shown=each("shown", say("%(who)s %(die)s", who=name_of("item.0"), die="item.1")),
    )

    def apply(self, state: State, seq: int) -> State:
        """Note that nothing is hidden any more."""
        return replace(state, dice_shown=True)


class BidSealed(Fact):
    """A seat bids; it alone sees the number."""

    seat: Seat
    number: int

    def apply(self, state: State, seq: int) -> State:
        """Keep the bid."""
        return _put(state, self.seat, bid=self.number, opened=seq)


class BidCounted(Fact):
    """All learn that a seat has bid."""

    seat: Seat
    sentence = _("%(name)s has bid.")


class BidReturned(Fact):
    """A seat takes its bid back."""

    seat: Seat
    sentence = _("%(name)s takes the bid back.")

    def apply(self, state: State, seq: int) -> State:
        """Forget the bid."""
        return _put(state, self.seat, bid=None, opened=seq)


def _reveal_v2(data: JsonObject) -> JsonObject:
    """Version 2 says which dice broke a tie, and who won; before, the highest number that nobody shared."""
    numbers = [number for _, number in data["bids"]]
    unique = [(number, seat) for seat, number in data["bids"] if numbers.count(number) == 1]
    return {**data, "winner": max(unique)[1] if unique else None, "thrown": []}


class TieRolled(Fact):
    """The dice that break a tie."""

    rolls: list[list[JsonObject]]

    def apply(self, state: State, seq: int) -> State:
        """Change nothing: `BidsRevealed` tells what follows."""
        return state


class BidsRevealed(Fact):
    """The bids are opened: [seat, number] each, the dice that broke a tie, and the winner of the round."""

    bids: list[list[int]]
    thrown: list[list[int]]
    winner: Seat | None
    version = 2
    upcasts = {1: _reveal_v2}
    is_headline = True
    is_aloud = True
    sentence = when(
        given("winner"), _("%(winner)s takes the point: %(bids_told)s."), _("Nobody takes the point: %(bids_told)s.")
    )

    def apply(self, state: State, seq: int) -> State:
        """Score the round, and go on to the next."""
        for seat, number in self.bids:
            player = state.players[seat]
            hand = player.hand
            if not state.options["reuse"]:
                hand = tuple(n for n in hand if n != number)
            others = tuple(other for other, _ in self.bids if other != seat)
            state = _put(
                state, seat, hand=hand, bid=None, opened=seq, bid_sum=player.bid_sum + number,
                points=player.points + (self.winner == seat),
                to_thank=others if state.options.get("thanks") else (),
            )  # fmt: skip
        return replace(state, round=state.round + 1, last=self.data(), tie=None)


class Tied(Fact):
    """Real dice are to be thrown for a tie, by `seats`."""

    bids: list[list[int]]
    seats: list[Seat]
    thrown: list[list[int]]
    sentence = _("A tie: %(seats)s throw a die each.")

    def apply(self, state: State, seq: int) -> State:
        """Wait for the dice."""
        return replace(state, tie={**self.data(), "fell": [], "opened": seq})


class DieTyped(Fact):
    """A die thrown for a tie; `typed` where it is a real one."""

    seat: Seat
    die: int
    typed: bool | None = None
    sentence = _("%(name)s throws a %(die)s.")

    def apply(self, state: State, seq: int) -> State:
        """Lay the die beside the others."""
        tie = state.tie
        return replace(state, tie=tie and {**tie, "fell": [*tie["fell"], [self.seat, self.die]]})


class Thanked(Fact):
    """A seat thanks others for a round."""

    seat: Seat
    to: list[Seat]
    sentence = _("%(name)s thanks %(to)s.")

    def apply(self, state: State, seq: int) -> State:
        """Note the thanks."""
        left = tuple(seat for seat in state.players[self.seat].to_thank if seat not in self.to)
        return _put(state, self.seat, to_thank=left)


class SeatLeft(Fact):
    """A player leaves for good; nobody has to thank who has left."""

    seat: Seat
    sentence = _("%(name)s is out.")

    def apply(self, state: State, seq: int) -> State:
        """Take the seat out of the round."""
        for seat, player in enumerate(state.players):
            state = _put(state, seat, to_thank=tuple(s for s in player.to_thank if s != self.seat))
        if (tie := state.tie) is not None:
            seats = [seat for seat in tie["seats"] if seat != self.seat]
            fell = [one for one in tie["fell"] if one[0] != self.seat]
            state = replace(state, tie={**tie, "seats": seats, "fell": fell})
        return _put(state, self.seat, is_in=False, is_coming=False, bid=None, to_thank=())


class SeatJoined(Fact):
    """A player joins, and plays from the next set on."""

    seat: Seat
    sentence = _("%(name)s plays from the next set on.")

    def apply(self, state: State, seq: int) -> State:
        """Add the seat."""
        if self.seat == len(state.players):
            state = replace(state, players=(*state.players, Player(is_in=False, has_part=False)))
        return _put(state, self.seat, is_coming=True)


def _ended_v2(data: JsonObject) -> JsonObject:
    """Version 2 says who had a part; before, nobody came later, and all had one."""
    return {**data, "seats": list(range(len(data["points"])))}


class SetEnded(Fact):
    """A set ends, with the points of each seat; `seats` had a part."""

    reason: str
    points: list[int]
    ranking: list[list[Seat]]
    stats: list[JsonObject]
    seats: list[Seat]
    version = 2
    upcasts = {1: _ended_v2}
    is_headline = True
    sentence = say(
        _("The set is over: %(gained)s."), gained=each("points", say("%(who)s %(item)s", who=name_of("index")))
    )


class GameOver(Fact):
    """Nothing more is played."""

    sentence = _("The game is over.")

    def apply(self, state: State, seq: int) -> State:
        """End the table."""
        return replace(state, over=True)

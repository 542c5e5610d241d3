"""The rules of a game: everything that the house calls, as one record of functions.

A game makes one `Rules` record, by keywords: a function that the contract does not know, such as a misspelt one, is an
error of the types, and the game is not loaded. So is a missing one, but for those with a default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from games.kernel.contract import (
    ALWAYS,
    Choice,
    Command,
    Decision,
    Event,
    JsonObject,
    MatchEnd,
    Outcome,
    Seat,
    Timer,
    Times,
)
from games.kernel.dice import Dice
from games.kernel.events import Registry
from games.kernel.figures.game_forms import GameForm
from games.kernel.options import OptionSet, Values
from games.kernel.sent import ChoiceShape, SentChoice
from games.kernel.words import Headline

S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)


class ViewFunction(Protocol[S_contra]):
    """The function `view` of a game."""

    def __call__(self, state: S_contra, viewer: Seat | None, times: Times = ALWAYS, /) -> Mapping[str, Any]:
        """Return the view of `viewer`."""


def _no_seats(state: Any, /) -> tuple[Seat, ...]:
    return ()


def _everybody(state: Any, seat: Seat | None, /) -> bool:
    return True


def _nobody(state: Any, seat: Seat, /) -> bool:
    return False


def _no_choices(state: Any, choices: tuple[Choice, ...], /) -> tuple[Choice, ...]:
    return ()


def _no_timers(state: Any, /) -> tuple[Timer, ...]:
    return ()


def _nothing(state: Any, choice: Choice, /) -> Mapping[str, Any]:
    return {}


def _no_form(options: Values, /) -> GameForm | None:
    return None


def _nothing_since(state: Any, seq: int, /) -> tuple[str, JsonObject] | None:
    return None


def _no_payees(state: Any, command: Command, /) -> tuple[Seat, ...]:
    return ()


@dataclass(slots=True, kw_only=True, eq=False)
class Rules(Generic[S]):
    """The functions of a game, over its state S. See `contract` for the invariants."""

    version: int
    """Version of the state's dumped form; after a higher one, cached states are rebuilt from the log."""

    events: Registry[S]
    """The declarations of the game's events: fields, sentences, effects, older versions."""

    options: Callable[[], OptionSet]
    """Return the declaration of the house rules and presets."""

    open: Callable[[Values, int, Dice], Decision[S]]
    """`open(options, seats, dice)`: return the first events of a table (for example the draw for the first
    player): entry 1.
    """

    initial: Callable[[Values, int], S]
    """`initial(options, seats)`: return the state before any event."""

    choices: Callable[[S, Seat | None], tuple[Choice, ...]]
    """`choices(state, seat)`: return the open choices of a seat, or of the house for None.

    Empty for a seat that the state does not know: a player may just be taking it.
    """

    decide: Callable[[S, Command, Dice, int], Decision[S]]
    """`decide(state, command, dice, seq)`: return the events and the state of a command in log entry `seq`.

    Raises Illegal and then draws no dice. Dice of an entry that has an event with an audience stay hidden until the
    table has ended, for the audience they are what the event tells; the house sees to it (services/dice).
    """

    fold: Callable[[S, Event, int], S]
    """`fold(state, event, seq)`: return the state after an event of log entry `seq`; total: no checks, no dice.

    It handles events in their newest version only; `upcasts` of their classes convert older ones.
    """

    view: ViewFunction[S]
    """`view(state, viewer, times)`: return the view of `viewer` (None = a spectator): everything that a browser gets.

    `times` are the times at which the reader has sat on the seat. Information that the seat received
    at other times is left out, except what the seat's present player needs: open questions to the seat,
    and acts that are set for it and will be carried out by themselves.
    """

    resample: Callable[[S, Seat | None, Random], S]
    """`resample(state, viewer, rng)`: return a state that `viewer` (None = a spectator) cannot tell from `state`.

    Hidden facts are chosen anew among all that agree with the events that the viewer has read; the same
    state if nothing is hidden. Used by bots that must guess, and by the tests of secrecy.
    """

    is_over: Callable[[S], bool]
    """`is_over(state)`: tell whether nothing more will be played at this table."""

    gone: Callable[[S], tuple[Seat, ...]]
    """`gone(state)`: return the seats whose players left for good: by LEAVE, or by a TIMEOUT's rule.

    The house frees these seats; their players may go, watch, or come back by JOIN.
    """

    outcome: Callable[[Event], Outcome | None]
    """`outcome(event)`: return the result that an event states, None for every other event."""

    faults: Callable[[S], tuple[str, ...]]
    """`faults(state)`: return the invariants that `state` breaks, in words; empty if there are none."""

    dump: Callable[[S], JsonObject]
    """`dump(state)`: return the state as JSON."""

    load: Callable[[JsonObject], S]
    """`load(raw)`: return the state that `dump` wrote."""

    # What many games have no need of.

    played_on: Callable[[S], tuple[Seat, ...]] = _no_seats
    """`played_on(state)`: return the seats, all of them `gone`, whose game a bot plays on."""

    match_end: Callable[[S, Event], MatchEnd | None] | None = None
    """`match_end(state, event)`: return the end of a match that an event states; `state` is the one after it.

    None for a game that is not played in matches.
    """

    order: Callable[[S], tuple[Seat, ...]] = _no_seats
    """`order(state)`: return the seats of those who are there, in the order of play of the next game.

    For games that newcomers join: where a table is divided the first of them stay.
    """

    throwing: Callable[[S, Seat | None], tuple[Seat | None, tuple[Seat, ...]]] | None = None
    """`throwing(state, seat)`: return the seat that throws the dice for a command of `seat`, and the other seats.

    The others are in the order in which their devices are asked to contribute. With None the asking seat throws, and
    the seats before it come first.
    """

    may_speak: Callable[[S, Seat | None], bool] = _everybody
    """`may_speak(state, seat)`: tell whether words of a seat (None: of a person without one) may be read by all now.

    While it is False of None, a game with restricted advice is running: chat lines of people without that right are
    kept back until it is True of None.
    """

    has_secrets: Callable[[S, Seat], bool] = _nobody
    """`has_secrets(state, seat)`: tell whether others must not see a seat's view or its choices.

    A device that several people share asks to be handed over before it shows such a seat.
    """

    to_enter: Callable[[S, tuple[Choice, ...]], tuple[Choice, ...]] = _no_choices
    """`to_enter(state, choices)`: return a seat's open choices that host and scorekeeper are shown, to enter them.

    It picks choices by their names and by what everybody knows: things done or said openly at a real table, no talk, no
    consents between a few, nothing that is sealed.
    """

    about: Callable[[S, Choice], Mapping[str, Any]] = _nothing
    """`about(state, choice)`: return the data of an open choice's words beside its arguments and the view.

    `each` has the data of each option. It is asked when the choice is sent, to those alone who may see its options.
    """

    headlines: Callable[[Sequence[Event], Any], Sequence[Headline]] | None = None
    """`headlines(events, view)`: return what a big screen tells of an entry's events, as a spectator reads them.

    It joins several events into one, the `view` being the one after them. With None they are the lines of the events
    that are headlines by themselves.
    """

    picture: Callable[[Any, Sequence[str]], str] | None = None
    """`picture(view, names)`: return a spectator's view as SVG (`games.kernel.pictures`); `names` are by seat.

    It has what is told of the seats, too: points, and whose turn it is. It is made once for each entry, for screens
    that run no script; with None these list names, and points where the view has them.
    """

    payees: Callable[[S, Command], tuple[Seat, ...]] = _no_payees
    """`payees(state, command)`: return the seats that get points by a legal command because its seat agrees, or offers
    to.
    """

    timers: Callable[[S], tuple[Timer, ...]] = _no_timers
    """`timers(state)`: return the times that run beside the choices: game clocks, and a time limit of the table.

    The rules list the house commands FLAG and TIME_LIMIT while such a time runs.
    """

    form: Callable[[Values], GameForm | None] = _no_form
    """`form(options)`: return the form of a game that was played without the house (contract.PLAYED).

    None under house rules with which the table waits for the house: on a screen there is nothing to play with.
    """

    before: Callable[[Values, int, JsonObject], S] | None = None
    """`before(options, seats, told)`: return the state in which a past game as told in the form begins.

    None for a game that begins as `open` has it, whoever is told in which part.
    """

    taking_back: Callable[[S, int], tuple[str, JsonObject] | None] = _nothing_since
    """`taking_back(state, seq)`: return the house command by which the last thing done since entry `seq` is taken back.

    None when the game is as it was then, or earlier: a game that has ended since is taken back from its beginning.
    Raises Illegal `cannot_take_back` where something since is final. For games that list PLAYED.
    """

    # The shapes of what is sent, for schemas and for the browser's types: of a game that leaves them out, views and
    # choices are JSON objects, and nothing holds them to more.

    view_shape: type[Any] | None = None
    """The TypedDict of the view."""

    choice_shapes: Mapping[str, ChoiceShape] = field(default_factory=dict)
    """The shapes of the choices of seats by their names: of all of them, or of none."""

    def sent(self, state: S, choice: Choice) -> SentChoice:
        """Return a choice as sent, with the data of its words."""
        about = self.about(state, choice)
        return {**choice.to_json(), "about": about} if about else choice.to_json()

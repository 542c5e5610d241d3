"""The open decisions of a table, with every legal set of arguments."""

from __future__ import annotations

from collections.abc import Iterable

from chicago.rules.game import breaches, coming_and_going, played_rounds
from chicago.rules.state import IN, State, is_over, must_declare, pause_between, seats_in, staying
from chicago.rules.throwing import entering, taking_back, throws
from chicago.rules.throwing.scoring import Valuation, declarations
from games.kernel.contract import (
    JOIN,
    LEAVE,
    OCCUPY,
    PLAYED,
    TAKE_BACK,
    TAKE_BACK_GAME,
    TIMEOUT,
    VACATE,
    Choice,
    JsonObject,
    Seat,
)
from games.kernel.dice import typed
from games.kernel.house_choices import house_choices

Options = tuple[JsonObject, ...]


def _as_options(valuations: Iterable[Valuation]) -> Options:
    return tuple({"ones": v.ones, "sixes": v.sixes, "high": v.high} for v in valuations)


DECLARATIONS = _as_options(declarations())


def choices(state: State, seat: Seat | None) -> tuple[Choice, ...]:
    """Return the open choices of a seat, or of the house for None."""
    if is_over(state):
        return ()
    if seat is None:
        return _of_house(state)
    if not 0 <= seat < len(state.players):
        return ()
    if state.players[seat].status != IN:
        return _take_back(state, seat)
    if state.breach is not None:
        return _vote(state, seat)
    return (*_refill(state, seat), *_turn(state, seat), *_take_back(state, seat), *_aside(state, seat))


def awaited(state: State) -> tuple[Seat, ...]:
    """Return the seats that the game waits for.

    While a seat has to refill, the game waits for it, not for the next throw (§4.4.5).
    """
    if is_over(state):
        return ()
    if state.breach is not None:
        return breaches.still_to_vote(state)
    seats = {state.naming, state.refill} - {None}
    if not seats:
        seats = {state.on_turn}
    return tuple(sorted(seat for seat in seats if seat is not None))


def _required(state: State, name: str, seat: Seat, opened: int, options: Options = ({},)) -> Choice:
    seconds = state.options["turn_seconds"] or None
    return Choice(name, seat, opened, options, required=True, seconds=seconds, not_before=_pause(state, opened))


def _pause(state: State, opened: int) -> int:
    """Return the seconds of a bot's pause after an end, for people to see the entry that opened its decision."""
    if state.ending is None or state.ending["seq"] != opened or state.turn.throws:
        return 0
    return pause_between(state)


def _optional(name: str, seat: Seat, opened: int, options: Options = ({},)) -> Choice:
    return Choice(name, seat, opened, options, required=False)


def _vote(state: State, seat: Seat) -> tuple[Choice, ...]:
    if state.breach is None or seat not in breaches.still_to_vote(state):
        return ()
    both: Options = ({"guilty": True}, {"guilty": False})
    return (_required(state, "vote_breach", seat, state.breach.opened, both),)


def _refill(state: State, seat: Seat) -> tuple[Choice, ...]:
    if state.refill != seat:
        return ()
    return (_required(state, "refill", seat, state.refill_opened),)


def _turn(state: State, seat: Seat) -> tuple[Choice, ...]:
    if state.naming == seat:
        named: Options = tuple({"seat": s} for s in seats_in(state))
        return (_required(state, "name_loser", seat, state.opened, named),)
    if state.on_turn != seat or state.naming is not None:
        return ()
    if count := throws.dice_to_type(state):
        return (_for_turn(state, "type_dice", seat, typed.listed(count)),)
    found = _entering(state, seat) if entering.is_by_result(state) else []
    ways = throws.ways_on(state)
    if ways:
        lays: Options = tuple(map(throws.lay_json, ways))
        found.append(_for_turn(state, "throw", seat, lays))
    if throws.can_stand(state):
        found.append(_for_turn(state, "stand", seat, _ways_to_stand(state)))
    return tuple(found)


def _entering(state: State, seat: Seat) -> list[Choice]:
    """Return the choices to enter the result of real dice, and before it the starter's declaration."""
    found = [_for_turn(state, "enter_result", seat, entering.entries(state))]
    if declarations := _as_options(entering.ways_to_declare(state)):
        found.append(_optional("declare", seat, state.opened, declarations))
    return found


def _for_turn(state: State, name: str, seat: Seat, options: Options) -> Choice:
    if state.refill is not None:
        return _optional(name, seat, state.opened, options)
    return _required(state, name, seat, state.opened, options)


def _ways_to_stand(state: State) -> Options:
    return DECLARATIONS if must_declare(state) else ({},)


def _take_back(state: State, seat: Seat) -> tuple[Choice, ...]:
    """Return the choice to take the seat's turn back; a seat that this turn made safe has it, too."""
    return (_optional(TAKE_BACK, seat, state.opened),) if taking_back.is_own(state, seat) else ()


def _aside(state: State, seat: Seat) -> tuple[Choice, ...]:
    """Return the choices apart from the course of play: breaches, a leaver's forfeits."""
    found = []
    accused = breaches.accusable(state, seat)
    if accused:
        calls: Options = tuple({"seat": s, "breach": k} for s in accused for k in breaches.KINDS)
        found.append(_optional("call_breach", seat, state.calls_opened, calls))
    offers = [o for o in state.offers if o.until_round >= state.round.number and o.seat != seat]
    if offers:
        opened = max(offer.opened for offer in offers)
        found.append(_optional("take_for", seat, opened, tuple({"seat": o.seat} for o in offers)))
    return tuple(found)


def _of_house(state: State) -> tuple[Choice, ...]:
    seats = {
        TIMEOUT: awaited(state),
        LEAVE: staying(state),
        JOIN: coming_and_going.joinable(state),
        VACATE: coming_and_going.vacatable(state),
        OCCUPY: coming_and_going.vacant(state),
        TAKE_BACK: sorted(taking_back.takeable(state)),
    }
    found = house_choices(state.opened, seats, can_close=coming_and_going.can_close(state))
    told, is_back = played_rounds.examples(state), played_rounds.may_take_back(state)
    return (
        *found,
        *((Choice(PLAYED, None, state.opened, told, required=False),) if told else ()),
        *((Choice(TAKE_BACK_GAME, None, state.opened, required=False),) if is_back else ()),
    )


def to_enter(state: State, found: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Return the choices of a seat that another player may enter: all with real dice, which lie open to everybody."""
    return found if typed.is_on(state.options) else ()

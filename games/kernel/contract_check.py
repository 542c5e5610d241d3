"""The check of a game against the contract, by random play: for `manage.py check_game`, without a test run.

It plays tables, and holds each step to the promises in `contract`. The tests (`tests/contract`) hold a game to more:
what a viewer can't rule out, what who takes a seat may see, commands that nobody listed, coming and going.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from games.kernel.contract import OVER, Command, Illegal, JsonObject
from games.kernel.data.schemas import choice_schemas, event_schemas, is_as_declared, view_schema
from games.kernel.dice import event_faces
from games.kernel.dice.chains import DiceWanted, NoDiceYet
from games.kernel.options import Values
from games.kernel.pictures import checking
from games.kernel.replay import fold_entry
from games.kernel.rules import Rules
from games.kernel.simulate import RandomDice, SimulatedStep, open_choices, play

MOST_ENTRIES = 400
"""The number of entries after which a table that has not ended is left."""
TRIES, MOST_OPTIONS = 2, 5
"""Numbers of states that a viewer can't tell apart, and of options of a choice, that are tried at each step."""
NONSENSE = {"no_such_argument": True}
"""Arguments that no choice lists."""


@dataclass(frozen=True, slots=True)
class At:
    """A step of a simulated table, the state before it (of entry 1: the initial state), and the dice that it drew.

    `hidden` are the types of events with hidden dice that the game's script names.
    """

    rules: Rules[Any]
    seats: int
    before: Any
    step: SimulatedStep[Any]
    rng: random.Random
    drawn: tuple[int, ...] = ()
    hidden: Collection[str] = ()

    @property
    def state(self) -> Any:
        """The state after the step."""
        return self.step.state


class NotedDice(RandomDice):
    """Repeatable dice that note what was drawn."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self._drawn: list[int] = []

    def roll(self, count: int) -> tuple[int, ...]:
        """Return `count` values of 1..6, and note them."""
        found = super().roll(count)
        self._drawn += found
        return found

    def noted(self) -> tuple[int, ...]:
        """Return what was drawn since the last call."""
        found, self._drawn = tuple(self._drawn), []
        return found


def faults(rules: Rules[Any], values: Values, seats: int, seed: str, hidden: Collection[str] = ()) -> Iterator[str]:
    """Yield what is wrong at one simulated table, in words; nothing where the contract is kept. `hidden` as in `At`."""
    rng = random.Random(seed)
    before, dice = rules.initial(dict(values), seats), NotedDice(rng)
    try:
        for step in play(rules, dict(values), seats, rng, dice=dice, limit=MOST_ENTRIES):
            at = At(rules, seats, before, step, rng, dice.noted(), hidden)
            for promise, is_kept in PROMISES.items():
                if not is_kept(at):
                    yield f"entry {step.entry.seq}: {promise}"
            before = step.state
    except Exception as error:
        yield f"a legal command fails: {error!r}"


def _somebody_is_asked(at: At) -> bool:
    asked = any(choice.required for choice in open_choices(at.rules, at.state, at.seats))
    return asked != at.rules.is_over(at.state)


def _state_survives(at: At) -> bool:
    return bool(at.rules.load(_over_the_wire(at.rules.dump(at.state))) == at.state)


def _log_gives_state(at: At) -> bool:
    return bool(fold_entry(at.rules, at.before, at.step.entry) == at.state)


def _is_sound(at: At) -> bool:
    return not at.rules.faults(at.state)


def _options_are_accepted(at: At) -> bool:
    kept = at.rules.dump(at.state)
    for choice in open_choices(at.rules, at.state, at.seats, house=True):
        for args in at.rng.sample(choice.options, min(MOST_OPTIONS, len(choice.options))):
            command = Command(choice.name, choice.seat, args, choice.opened_at)
            try:
                at.rules.decide(at.state, command, RandomDice(random.Random(1)), at.step.entry.seq + 1)
            except Illegal:
                return False
    return bool(at.rules.dump(at.state) == kept)


def _others_are_refused(at: At) -> bool:
    for choice in open_choices(at.rules, at.state, at.seats, house=True):
        for args, basis in ((NONSENSE, choice.opened_at), (choice.options[0], choice.opened_at - 1)):
            try:
                at.rules.decide(at.state, Command(choice.name, choice.seat, args, basis), NoDiceYet(), 10**6)
            except Illegal:
                continue
            except DiceWanted:
                pass
            return False
    return True


def _views_tell_nothing(at: At) -> bool:
    """Compare the view of each viewer at tables that they can't tell apart."""
    for viewer in [*range(at.seats), None] * TRIES:
        other = at.rules.resample(at.state, viewer, at.rng)
        if at.rules.view(other, viewer) != at.rules.view(at.state, viewer):
            return False
    return True


def _dice_are_told(at: At) -> bool:
    """Look for the dice as a device does that checks them; hidden ones are checked when the table has ended."""
    events = at.step.entry.events
    if event_faces.are_told([event for event in events if event.audience is None], at.drawn):
        return True
    return event_faces.are_told(events, at.drawn, at.hidden) and all(
        event.type in at.hidden and event.until == OVER and event.audience == (event.data.get("seat"),)
        for event in events
        if event_faces.faces(event)
    )


def _is_wire(at: At) -> bool:
    return all(_over_the_wire(v := at.rules.view(at.state, viewer)) == v for viewer in (*range(at.seats), None))


def _is_as_declared(at: At) -> bool:
    """Hold events, and the views and choices of each viewer, to their schemas."""
    events, view, choices = _schemas(at.rules)
    if not all(is_as_declared(_over_the_wire(one.data), events.get(one.type)) for one in at.step.entry.events):
        return False
    for viewer in (*range(at.seats), None):
        if view is not None and not is_as_declared(_over_the_wire(at.rules.view(at.state, viewer)), view):
            return False
        for choice in at.rules.choices(at.state, viewer) if choices and viewer is not None else ():
            if not is_as_declared(_over_the_wire(at.rules.sent(at.state, choice)), choices.get(choice.name)):
                return False
    return True


@cache
def _schemas(rules: Rules[Any]) -> tuple[dict[str, JsonObject], JsonObject | None, dict[str, JsonObject]]:
    """Return the schemas of a game's events, of its view, and of its choices."""
    return event_schemas(rules.events), view_schema(rules), choice_schemas(rules)


def _picture_is_plain(at: At) -> bool:
    make = at.rules.picture
    names = [f"<{seat}> & co" for seat in range(at.seats)]
    return make is None or not any(checking.faults(make(at.rules.view(at.state, None), names)))


def _results_add_up(at: At) -> bool:
    found = (at.rules.outcome(event) for event in at.step.entry.events)
    return all(
        sorted(outcome.points) == sorted(seat for group in outcome.ranking for seat in group)
        for outcome in found
        if outcome is not None and not outcome.is_correction
    )


Promise: TypeAlias = Callable[[At], bool]
PROMISES: Mapping[str, Promise] = {
    "somebody has a required choice as long as the game is not over": _somebody_is_asked,
    "the events of the log give the state": _log_gives_state,
    "a dumped state loads as itself": _state_survives,
    "the rules find no fault in a state": _is_sound,
    "every option that is listed is accepted, and deciding changes nothing": _options_are_accepted,
    "what is not listed, and what answers an earlier decision, is refused and draws no dice": _others_are_refused,
    "dice that are drawn are told as `dice` or `die` by an event whose name says that they were, or all of them to "
    "their owners alone by events that the game's script names": _dice_are_told,
    "a view is JSON": _is_wire,
    "events, views and choices are as the game declares them": _is_as_declared,
    "a view tells nothing that its viewer may not know": _views_tell_nothing,
    "a picture is an SVG of shapes and words alone": _picture_is_plain,
    "a result ranks every seat that has points": _results_add_up,
}
"""The promises of the contract that are checked at each step, in words."""


def _over_the_wire(value: Any) -> Any:
    return json.loads(json.dumps(value))

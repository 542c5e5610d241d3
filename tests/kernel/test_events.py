"""Events as classes: stored under their names, refused where a sentence names what is not there."""

from __future__ import annotations

from typing import Any

import pytest

from games.kernel import events
from games.kernel.contract import Event, Seat
from games.kernel.events import Registry
from games.kernel.sentences import equals, given, phrase, say, when


def game(phrases: dict[str, Any] | None = None) -> type[events.Fact[int]]:
    """Return the base of a game whose state is a number."""

    class Fact(events.Fact[int]):
        declared = Registry[int](phrases)

    return Fact


def test_an_event_is_stored_under_its_name_with_its_fields_and_read_again() -> None:
    fact = game()

    class MatTaken(fact):  # type: ignore[valid-type, misc]
        seat: Seat
        stock: int

        def apply(self, state: int, seq: int) -> int:
            return state + self.stock

    event = MatTaken(seat=1, stock=4).event()
    assert event == Event("mat_taken", {"seat": 1, "stock": 4})
    assert fact.declared.fold(3, event, 1) == 7
    assert fact.declared.fold(3, Event("unheard_of"), 1) == 3, "an unknown event changes nothing"


def test_a_field_with_a_default_is_stored_only_where_it_differs_and_missing_in_older_logs() -> None:
    fact = game()

    class DiceThrown(fact):  # type: ignore[valid-type, misc]
        seat: Seat
        typed: bool | None = None

    assert DiceThrown(seat=0).event().data == {"seat": 0}
    assert DiceThrown(seat=0, typed=False).event().data == {"seat": 0, "typed": False}
    assert DiceThrown.from_event(Event("dice_thrown", {"seat": 0})).typed is None


def test_an_event_for_some_seats_knows_its_readers() -> None:
    fact = game()

    class Talked(fact):  # type: ignore[valid-type, misc]
        seat: Seat

    told = Talked(seat=2).event(audience=[3, 2, 3])
    assert told.audience == (2, 3) and told.data == {"seat": 2}
    assert Talked.from_event(told).audience == (2, 3)


@pytest.mark.parametrize(
    "sentence",
    [
        "%(name)s takes %(mats)s.",
        say("%(what)s", what="nothing.here"),
        say("%(what)s", what=phrase("unheard_of")),
        when(given("nobody"), "A", "B"),
        when(equals("seat", 1), "%(loser)s"),
        "%(deep)s",
    ],
)
def test_a_sentence_that_names_neither_a_field_nor_a_phrase_is_refused(sentence: Any) -> None:
    fact = game({"deep": say("%(x)s", x="nowhere.at_all"), "sound": "%(seat)s"})
    said = sentence
    with pytest.raises(TypeError, match="MatTaken"):

        class MatTaken(fact):  # type: ignore[valid-type, misc]
            seat: Seat
            sentence = said

    class MatGiven(fact):  # type: ignore[valid-type, misc]
        seat: Seat
        sentence = "%(name)s: %(sound)s"


def test_two_events_of_one_name_and_a_field_with_a_taken_name_are_refused() -> None:
    fact = game()

    class GameOver(fact):  # type: ignore[valid-type, misc]
        pass

    with pytest.raises(TypeError, match="two events"):

        class GameOver(fact):  # type: ignore[valid-type, misc, no-redef]
            pass

    with pytest.raises(TypeError, match="something else"):

        class Odd(fact):  # type: ignore[valid-type, misc]
            sentence: str

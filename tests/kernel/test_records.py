"""Frozen records: copies with some fields changed, and answers that are kept."""

from dataclasses import dataclass, replace

import pytest

from games.kernel.data.records import changed, kept


@dataclass(frozen=True)
class Record:
    """A record as states are made of."""

    one: int = 1
    two: tuple[int, ...] = ()


def test_a_changed_record_is_what_replace_makes_and_the_old_one_stays() -> None:
    old = Record(5)
    assert changed(old, two=(3,)) == replace(old, two=(3,))
    assert old == Record(5)


def test_a_field_that_a_record_has_not_is_refused() -> None:
    with pytest.raises(TypeError):
        changed(Record(), three=3)


def test_what_was_said_of_one_state_is_never_said_of_another_one_even_an_equal_one() -> None:
    asked: list[Record] = []

    @kept
    def answer(state: Record) -> int:
        asked.append(state)
        return state.one

    first, equal, other = Record(1), Record(1), Record(2)
    assert [answer(first), answer(first), answer(equal), answer(other), answer(first)] == [
        1, 1, 1, 2, 1,
    ]  # fmt: skip
    assert asked == [first, equal, other, first]

"""Options stated as a rule: the laws, their JSON, and a list that says the same."""

from __future__ import annotations

import random

import pytest

from games.kernel.contract import Choice, Command, Illegal, match
from games.kernel.sets import Alike, Least, Requires, Sets, least, subsets
from tests.frames import listed

EVERY = (
    Sets("take", (0, 1, 2), (), True),
    Sets("take", (0, 1, 2, 3), (Alike("a", ((0, 1), (2, 3))),), True),
    Sets("cubes", (2, 5, 7), (Requires("b", (2, 7), 5),)),
    Sets("take", (0, 1, 2, 3, 4), (Least("c", 3, ((0,), (1, 2))),), True),
    Sets("take", (0, 1, 2), (Alike("a", ((0, 1),)), Requires("b", (2,), 0), Least("c", 2)), True),
)


@pytest.mark.parametrize("sets", EVERY)
def test_what_a_client_works_out_from_the_rule_is_what_the_server_accepts(sets: Sets) -> None:
    choice = Choice("answer", 0, 4, sets)
    assert "options" not in choice.to_json()
    assert listed(choice.to_json()) == list(sets) == [sets[i] for i in range(len(sets))]
    for some in subsets((*sets.of, 9)):
        args = {sets.key: sorted(some)}
        if args in list(sets):
            assert match([choice], Command("answer", 0, args, 4)) is choice
        else:
            with pytest.raises(Illegal, match="bad_args"):
                match([choice], Command("answer", 0, args, 4))


@pytest.mark.parametrize(
    "args",
    [{}, {"take": None}, {"take": [1, 0]}, {"take": [0, 0]}, {"take": [True]}, {"take": [0.0]}, {"take": (0,)},
     {"take": [0], "x": 1}, {"cubes": [0]}, {"take": ["0"]}, [0], None],
)  # fmt: skip
def test_a_set_is_ids_ascending_and_nothing_else(args: object) -> None:
    assert args not in EVERY[0]


def test_a_predicate_on_size_with_exceptions_is_stated_as_one_law() -> None:
    rng = random.Random(1)
    for count in range(1, 8):
        few = rng.randint(0, count)
        spared = {frozenset({rng.randrange(count)})}

        def is_too_small(some: frozenset[int], few: int = few, spared: object = spared) -> bool:
            return len(some) < few and some not in spared  # type: ignore[operator]

        law = least("min", range(count), is_too_small)
        for some in subsets(range(count))[1:]:
            assert (law is not None and law.forbids(some)) == is_too_small(some)


def test_nine_things_and_all_their_laws_travel_in_little_space() -> None:
    laws = (Alike("u", (tuple(range(9)),)), Requires("m", tuple(range(1, 9)), 0), Least("n", 3, ((0,),)))
    assert len(str(Choice("answer", 0, 1, Sets("take", tuple(range(9)), laws, True)).to_json())) < 500

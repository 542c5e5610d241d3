"""The dice of PND-1: the vectors of the protocol, links of chains, and what one honest party guarantees."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kernel.dice import chains

SERVER, FIRST, SECOND = bytes(range(32)), b"\x11" * 32, b"\x22" * 32
LENGTH = 1000
COMMITTED = {
    (chains.SERVER, SERVER): "dfb5b741689ea22dddc4bd5ecfd5544f2046c1bd14b750707d85b9ef4b379d0b",
    (chains.SEAT, FIRST): "8d928da5010168cd3e7d2fff7ae006d4bcd32685e71e147b9098ed44b3dc9e94",
    (chains.SEAT, SECOND): "f9d3ec99aef8d3f72477abdec03d800da6078f94f270d81a4c9ba2a3c6e9b14a",
}
THROWN = {2: [[5, 1], [1, 2], [6, 3]], 3: [[2, 3, 2], [3, 4, 4], [4, 3, 1]]}


def link(tag: str, secret: bytes, k: int) -> bytes:
    return chains.link_of(tag, secret, LENGTH, k)


@pytest.mark.parametrize("which", COMMITTED, ids=lambda which: f"{which[0]} {which[1][:1].hex()}")
def test_the_vectors_of_what_is_published_first(which: tuple[str, bytes]) -> None:
    assert link(*which, 0).hex() == COMMITTED[which]


@pytest.mark.parametrize("n", THROWN)
def test_the_vectors_of_throws(n: int) -> None:
    for k, dice in enumerate(THROWN[n], 1):
        links = {1: link(chains.SEAT, FIRST, k), 2: link(chains.SEAT, SECOND, k)}
        signed = chains.message("game-0001", k, n, b"", links)
        assert list(islice(chains.faces(link(chains.SERVER, SERVER, k), signed), n)) == dice


@given(st.integers(0, 4096), st.integers(1, 64))
def test_a_link_from_checkpoints_is_the_one_that_hashing_from_the_end_gives(index: int, steps: int) -> None:
    found = chains.link_of(chains.SEAT, FIRST, 4096, index)
    assert chains.back(chains.SEAT, FIRST, 4096 - index) == found
    if index >= steps:
        last = chains.link_of(chains.SEAT, FIRST, 4096, index - steps)
        assert chains.is_next(chains.SEAT, found, last) == (steps == 1)
        assert not chains.is_next(chains.SERVER, found, last)


@pytest.mark.parametrize("index", [-1, 1001])
def test_a_chain_has_no_links_beyond_its_ends(index: int) -> None:
    with pytest.raises(ValueError, match="has none"):
        link(chains.SERVER, SERVER, index)


def test_chains_of_the_house_follow_each_other_and_tell_nothing_of_the_next() -> None:
    seed, last = b"s" * 32, chains.SERVER_LENGTH
    assert [chains.FIRST_CHAIN.at(k).number for k in (1, last, last + 1)] == [0, 0, 1]
    assert chains.FIRST_CHAIN.at(last + 1).first == last + 1
    for k, number in ((1, 0), (last + 1, 1)):
        assert chains.back(chains.SERVER, chains.server_link(seed, k), 1) == chains.commitment(seed, number)
    assert chains.back(chains.SERVER, chains.server_link(seed, last), last) == chains.commitment(seed, 0)
    assert chains.server_link(seed, last) != seed


def dice_of(server: bytes, links: dict[int, bytes], k: int = 1, ctx: bytes = b"c" * 32) -> tuple[int, int]:
    first, second = islice(chains.faces(server, chains.message("t", k, 2, ctx, links)), 2)
    return first, second


@pytest.mark.parametrize("honest", ["server", "opponent", "roller"])
def test_one_honest_contributor_leaves_the_others_no_way_to_bend_the_dice(honest: str) -> None:
    """The others bind themselves to what they like first; only then does the honest link come in.

    They grind among four tries each for high dice, against every honest link that they can guess.
    """
    rng = random.Random(honest)
    fell: Counter[tuple[int, int]] = Counter()
    for _ in range(1800):
        bound = {name: rng.randbytes(32) for name in ("server", "opponent", "roller")}
        guess = rng.randbytes(32)
        tries = [
            {**bound, honest: guess, other: rng.randbytes(32)} for other in bound if other != honest for _ in "1234"
        ]
        best = max(tries, key=lambda links: sum(dice_of(links["server"], {0: links["opponent"], 1: links["roller"]})))
        thrown = {**best, honest: rng.randbytes(32)}
        fell[dice_of(thrown["server"], {0: thrown["opponent"], 1: thrown["roller"]})] += 1
    # The chi-square of 36 equal pairs has 35 degrees of freedom: beyond 80 once in 50,000 honest runs.
    assert sum((fell[a, b] - 50) ** 2 / 50 for a in range(1, 7) for b in range(1, 7)) < 80


def test_without_an_honest_one_the_dice_can_be_chosen_which_is_why_opponents_have_a_part() -> None:
    links, wish = {0: b"o" * 32, 1: b"r" * 32}, (6, 6)
    assert any(dice_of(bytes([a, b]) * 16, links) == wish for a in range(64) for b in range(64))


@pytest.mark.parametrize("changed", ["table", "k", "n", "ctx", "seat", "link"])
def test_dice_hang_on_all_that_a_throw_is_bound_to(changed: str) -> None:
    about: dict[str, Any] = {"table": "t", "k": 1, "n": 2, "ctx": b"c", "links": {0: b"a" * 32, 1: b"b" * 32}}
    other = {
        "table": {"table": "u"},
        "k": {"k": 2},
        "n": {"n": 3},
        "ctx": {"ctx": b"d"},
        "seat": {"links": {0: b"a" * 32, 2: b"b" * 32}},
        "link": {"links": {0: b"a" * 32, 1: b"c" * 32}},
    }[changed]
    one, two = (chains.faces(b"s" * 32, chains.message(**each)) for each in (about, {**about, **other}))
    assert list(islice(one, 20)) != list(islice(two, 20))


def test_dice_that_are_not_asked_for_use_no_throw_up() -> None:
    dice = chains.ThrowDice("t", "00" * 32, 1, "")
    assert (dice.throw, dice.thrown) == (None, [])
    assert (*dice.roll(2), *dice.roll(1)) == tuple(dice.thrown)
    assert dice.throw is not None and (dice.throw.k, dice.throw.n, dice.throw.level) == (1, 2, "C")

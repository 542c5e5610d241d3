"""Backgammon positions for tests: by hand, and random ones for Hypothesis."""

from hypothesis import strategies as st

from chouette.board import plays
from chouette.board.position import BAR, START, swap, winner_value

dice = st.tuples(st.integers(1, 6), st.integers(1, 6))


def placed(**points):
    """Return a position of `p6=2, p0=-1, ...`."""
    found = [0] * 26
    for name, count in points.items():
        found[int(name[1:])] = count
    return tuple(found)


@st.composite
def scattered(draw):
    """Draw a position with up to 15 checkers a side anywhere, crowded or bare."""
    points = [0] * 26
    low, high = draw(st.sampled_from([(1, 24), (1, 24), (1, 8), (1, 6), (17, 24)]))
    width = draw(st.sampled_from([2, 3, 5, 15]))
    own = draw(st.integers(0, 15))
    while own:
        point = draw(st.one_of(st.integers(low, high), st.just(BAR)))
        count = draw(st.integers(1, min(own, width)))
        points[point] += count
        own -= count
    free = [point for point in range(1, BAR) if not points[point]]
    theirs = draw(st.integers(1, 15))
    while theirs:
        point = draw(st.one_of(st.sampled_from(free), st.just(0)))
        count = draw(st.integers(1, min(theirs, width)))
        points[point] -= count
        theirs -= count
    return tuple(points)


@st.composite
def played(draw):
    """Draw a position from random play, as games have them."""
    position = START
    rng = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, 60))):
        rolled = rng.randint(1, 6), rng.randint(1, 6)
        result = rng.choice(sorted(plays.results(position, rolled)))
        if winner_value(result):
            break
        position = swap(result)
    return position


positions = st.one_of(scattered(), played())

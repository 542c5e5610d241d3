"""Seasons drawn by Hypothesis, as JSON, with rules that are not refused."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from games.kernel.seasons.rules import EQUALS, TIES, WORTHS

PLAYERS = ("anna", "bert", "carl", "dora", "Émile", "zoë")
NUMBERS = st.one_of(st.integers(-6, 6), st.sampled_from(["1/3", "0.1", "-2.5", "7/2"]))
COUNTS = st.one_of(
    st.just("all"),
    st.builds(lambda n: {"best": n}, st.integers(0, 5)),
    st.builds(lambda k: {"without_worst": k}, st.integers(0, 6)),
)
STAGES = ("", "final", "semi-final", "unknown")


@st.composite
def rules(draw: st.DrawFn) -> dict[str, Any]:
    """Draw rules; each but the worth may be left out."""
    found: dict[str, Any] = {
        "worth": draw(st.sampled_from(WORTHS)),
        "places": draw(st.one_of(st.just("field"), st.lists(NUMBERS, max_size=4))),
        "equal": draw(st.sampled_from(EQUALS)),
        "count": draw(COUNTS),
        "missed": draw(st.one_of(st.just("struck"), NUMBERS)),
        "least_nights": draw(st.integers(0, 3)),
        "ties": draw(st.permutations(TIES).flatmap(lambda ties: st.integers(0, 3).map(lambda n: list(ties)[:n]))),
        "lower_is_better": draw(st.booleans()),
        "bye": draw(st.sampled_from(["1/2", 1, "0.3"])),
        "absent": draw(st.sampled_from(["1/3", 0])),
        "stages": draw(st.dictionaries(st.sampled_from(STAGES[:3]), st.lists(NUMBERS, min_size=2, max_size=2))),
    }
    if found["worth"] == "keizer":
        found["count"] = "all"
    if found["worth"] == "per_game":
        found["missed"] = "struck"
    left_out = draw(st.sets(st.sampled_from([key for key in found if key not in ("worth", "places")])))
    return {key: value for key, value in found.items() if key not in left_out or (key == "count" and value != "all")}


@st.composite
def nights(draw: st.DrawFn, *, fewest_games: int = 0) -> dict[str, Any]:
    """Draw a night without its id."""
    some = st.lists(st.sampled_from(PLAYERS), unique=True, max_size=6)
    pairs = st.lists(st.sampled_from(PLAYERS), min_size=2, max_size=2, unique=True)
    matches = st.lists(
        st.tuples(pairs, st.sampled_from(STAGES)).map(lambda m: [*m[0], m[1]] if m[1] else m[0]), max_size=3
    )
    return {
        "weight": draw(st.sampled_from([1, 1, 2, 9, "1.5"])),
        "rows": [
            {"player": player, "points": draw(NUMBERS), "games": draw(st.integers(fewest_games, 4))}
            for player in draw(some)
        ],
        "matches": draw(matches),
        "bye": draw(st.lists(st.sampled_from(PLAYERS), unique=True, max_size=2)),
        "absent": draw(st.lists(st.sampled_from(PLAYERS), unique=True, max_size=2)),
    }


@st.composite
def seasons(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a season as the command reads it."""
    by = draw(rules())
    each = nights(fewest_games=1 if by["worth"] == "per_game" else 0)
    return {"rules": by, "nights": [{"id": f"n{i}", **n} for i, n in enumerate(draw(st.lists(each, max_size=6)))]}

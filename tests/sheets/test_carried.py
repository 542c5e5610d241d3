"""Points carried over are in the total under every rule, struck by none, and no attendance."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from games.kernel.seasons import Count, NightOfSeason, NightPoints, SeasonRules, standing_of

PLAYERS = ("anna", "bert", "carl", "dora")
POINTS = st.integers(-9, 9) | st.fractions(-9, 9, max_denominator=4)


@st.composite
def nights(draw: st.DrawFn) -> list[NightOfSeason]:
    """Return up to five nights of some of four people."""
    found = []
    for number in range(draw(st.integers(0, 5))):
        there = draw(st.lists(st.sampled_from(PLAYERS), unique=True))
        rows = tuple(NightPoints(player, draw(st.integers(-9, 9)), draw(st.integers(1, 3))) for player in there)
        found.append(NightOfSeason(str(number), draw(st.integers(1, 3)), rows))
    return found


@settings(max_examples=80, deadline=None)
@given(
    nights=nights(),
    carried=st.dictionaries(st.sampled_from((*PLAYERS, "emil")), st.tuples(POINTS, st.integers(1, 5))),
    worth=st.sampled_from(["points", "per_game", "places", "won", "attendance"]),
    count=st.sampled_from([Count(), Count("best", 2), Count("without_worst", 1), Count("without_worst", 9)]),
    least=st.integers(0, 3),
    lower=st.booleans(),
)
def test_what_is_carried_over_is_added_to_the_total_and_changes_no_night(
    nights: list[NightOfSeason],
    carried: dict[str, tuple[Fraction, int]],
    worth: str,
    count: Count,
    least: int,
    lower: bool,
) -> None:
    rules = SeasonRules(worth=worth, count=count, least_nights=least, lower_is_better=lower)  # type: ignore[arg-type]
    before = {place.player: place for place in standing_of(rules, nights).places}
    found = standing_of(rules, nights, [NightPoints(player, *both) for player, both in carried.items()])
    attended = {player: sum(player in night.attended for night in nights) for player in (*PLAYERS, "emil")}
    for place in found.places:
        old = before.get(place.player)
        assert place.nights == attended[place.player]
        assert (place.counted, place.struck) == ((old.counted, old.struck) if old else ((), ()))
        points, games = carried.get(place.player, (0, 0))
        if worth != "per_game":
            assert place.total == (old.total if old else 0) + points
        else:
            counted = [night for night in nights if night.id in place.counted]
            rows = [(night.weight, night.attended[place.player]) for night in counted]
            over = games + sum(weight * row.games for weight, row in rows)
            sums = points + sum(weight * row.points for weight, row in rows)
            assert place.total == (Fraction(sums) / over if over else 0)
    ranked = {place.player for place in found.places}
    assert ranked == before.keys() | (carried.keys() if least <= 1 else set())

"""The cube for money and at a match score (docs/rules-chouette.md §§4.4, 4.6, 8)."""

import pytest

from chouette.bot.equity_table import MatchScore, equity, match_offer, match_value, worth
from chouette.bot.janowski import (
    CENTRE,
    MINE,
    THEIRS,
    Outlook,
    cubeful,
    offer,
    outlook,
    replies,
)


def even(win, life=0.68):
    return Outlook(win, 1.0, 1.0, life)


def test_a_dead_cube_is_taken_from_a_quarter_a_live_one_from_a_fifth():
    assert offer(even(0.7499, 0), CENTRE).is_take
    assert not offer(even(0.7501, 0), CENTRE).is_take
    assert offer(even(0.7999, 1), CENTRE).is_take
    assert not offer(even(0.8001, 1), CENTRE).is_take


@pytest.mark.parametrize("win", [0.1, 0.3, 0.5, 0.77, 0.95])
def test_owning_the_cube_is_never_worse_and_the_sides_see_the_same(win):
    seen = Outlook(win, 1.3, 1.2, 0.68)
    assert cubeful(seen, THEIRS) <= cubeful(seen, CENTRE) <= cubeful(seen, MINE)
    assert cubeful(seen, MINE) == pytest.approx(-cubeful(seen.swapped(), THEIRS))
    assert cubeful(seen, CENTRE) == pytest.approx(-cubeful(seen.swapped(), CENTRE))


def test_who_is_too_good_plays_on_unless_gammons_do_not_count():
    seen = outlook((0.95, 0.8, 0.0, 0.01, 0.0), is_race=False)
    assert offer(seen, CENTRE).gain < 0
    assert offer(seen, CENTRE, jacoby=True).gain > 0


def test_nobody_doubles_when_even():
    assert offer(even(0.5), CENTRE).gain < 0
    assert offer(even(0.72), CENTRE).gain > 0


def reply(win, kind, *ways):
    worth = replies(cubeful(even(win), THEIRS), kind)
    return max(ways or worth, key=worth.__getitem__)


def test_beavers_are_for_whoever_is_ahead_after_taking():
    assert reply(0.4, "beaver") == "beaver"
    assert reply(0.6, "beaver") == "no"
    assert reply(0.7, "beavered", "accept", "drop", "raccoon") == "raccoon"
    assert reply(0.7, "beavered", "accept", "drop") == "accept"
    assert reply(0.1, "beavered", "accept", "drop") == "drop"
    assert reply(0.6, "raccooned") == "accept"
    assert reply(0.95, "raccooned") == "drop"


def test_who_must_beaver_or_drop_drops_what_costs_more_than_a_drop():
    assert reply(0.58, "must_beaver") == "beaver"
    assert reply(0.7, "must_beaver") == "drop"


def test_an_extra_is_given_when_the_drop_was_right():
    assert reply(0.85, "extra") == "give"
    assert reply(0.7, "extra") == "keep"


def test_the_match_table_is_fair_and_rises_with_the_lead():
    for mine in range(1, 26):
        for theirs in range(1, 26):
            assert equity(mine, theirs) == pytest.approx(1 - equity(theirs, mine))
            assert equity(mine, theirs + 1) >= equity(mine, theirs)
    assert equity(2, 1) == pytest.approx(0.3125)
    assert equity(2, 1, post_crawford=True) == 0.5
    assert (equity(0, 3), equity(3, -1)) == (1.0, 0.0)


PLAIN = (0.5, 0.1, 0.0, 0.1, 0.0)


def test_the_trailer_doubles_at_once_after_the_crawford_game():
    seen = outlook(PLAIN, is_race=False)
    assert match_offer(seen, PLAIN, MatchScore(4, 1, True), 1, CENTRE).gain > 0


def test_a_leader_who_needs_one_point_never_doubles():
    chances = (0.7, 0.1, 0.0, 0.1, 0.0)
    seen = outlook(chances, is_race=False)
    assert match_offer(seen, chances, MatchScore(1, 4, True), 1, CENTRE).gain <= 0


@pytest.mark.parametrize("score", [MatchScore(7, 7), MatchScore(3, 5), MatchScore(2, 2), MatchScore(1, 3, True)])
def test_both_sides_share_the_match(score):
    seen = outlook(PLAIN, is_race=False)
    for owner, theirs in ((CENTRE, CENTRE), (MINE, THEIRS), (THEIRS, MINE)):
        mine = match_value(seen, PLAIN, score, 1, owner)
        other = match_value(seen.swapped(), PLAIN, score.swapped(), 1, theirs)
        assert mine + other == pytest.approx(1)


def test_gammons_are_worth_nothing_to_a_leader_who_needs_one_point():
    assert worth(MatchScore(1, 3, True), 1).gains[1] == 0
    assert worth(MatchScore(2, 1, True), 1).gains[1] > 0
    assert worth(MatchScore(2, 1, True), 1).gains[3] == 0

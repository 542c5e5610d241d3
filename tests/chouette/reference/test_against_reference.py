"""The engine held to a second reading of docs/rules-chouette.md (see `against_reference`)."""

from collections import Counter

import pytest

from tests.chouette.reference.against_reference import play

CHUNKS, SESSIONS = 2, 40
OFTEN = {
    "a bot plays on", "a forced beaver", "a proxy looks after a cube", "a resignation accepted in part",
    "a round of several: beavered", "box_changed", "captain_result, the Box kept",
    "captain_result, the Box lost", "cube_handed", "extra_given", "game_result, the Box kept",
    "game_result, the Box lost", "last_man_standing, the Box kept", "last_man_standing, the Box lost",
    "leaving in a resignation", "leaving in a round", "partner, the Box kept", "partner, the Box lost", "raccooned",
    "somebody of the Team leaves", "the Box leaves",
}  # fmt: skip


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_sessions_go_as_the_page_says(chunk):
    met = Counter()
    for seed in range(chunk * SESSIONS, (chunk + 1) * SESSIONS):
        met += play(seed)
    assert met["games"] > SESSIONS
    # In so few sessions one thing or another may not come up.
    assert len(OFTEN - met.keys()) <= 6, sorted(OFTEN - met.keys())

"""Golden sessions: complete logs per preset, replayed with asserted sheets."""

import json
from pathlib import Path

import pytest

from chouette.rules import rules
from chouette.rules.options.declaration import OPTIONS
from games.kernel.replay import first_gap, fold_all, outcomes
from tests.chouette.export import mat_reader
from tests.chouette.make_logs import EXPORTED, NAMES, exported, log_of, shows
from tests.chouette.table import check
from tests.kept_logs import played_again

LOGS, OLD_LOGS = Path(__file__).parent / "logs", Path(__file__).parent / "old_logs"
PRESETS = [preset.id for preset in OPTIONS.presets]

# Each preset's session of bots, counted by hand from what was doubled, taken and won:
# the line of each game, Box first, and the points of Anna, Bert, …
SHEETS = {
    "german": [
        # Two double, later the Captain, all taken; the Team wins a single game at 2.
        ([3, 1, 2, 0], [2, 2, 2, -6]),
        # All three double at once; the Team wins a gammon at 2.
        ([1, 2, 0, 3], [4, -12, 4, 4]),
        # Two double and are taken, the third cashes 1 later; a single game at 2 for the two.
        ([2, 0, 3, 1], [2, 1, -5, 2]),
    ],
    "club": [
        # The same dice and cubes; nothing is doubled by a tie.
        ([3, 1, 2, 0], [2, 2, 2, -6]),
        # An automatic double, then three to 4; a gammon at 4.
        ([1, 2, 0, 3], [8, -24, 8, 8]),
        # An automatic double; two to 4, the third cashes 2; a single game at 4.
        ([2, 0, 3, 1], [4, 2, -10, 4]),
    ],
    "last_man_standing": [
        # Both double, the Box takes and loses a single game at 2.
        ([1, 0, 2], [2, -4, 2]),
        # One doubles, later the other; the Box redoubles both to 4, both drop and pay 2.
        ([0, 2, 1], [4, -2, -2]),
        # The Box doubles both; one redoubles to 4 and wins it, the other cashes 2.
        ([0, 1, 2], [-6, 4, 2]),
    ],
    "wood": [
        # The Box doubles both, both take; a gammon at 2.
        ([1, 0, 2], [-4, 8, -4]),
        # The Box doubles both, both drop.
        ([1, 2, 0], [-1, 2, -1]),
    ],
    "money": [
        # To 2, to 4, and a double to 8 that is dropped. A drop at 1. A single game at 2. To 2, and back to 4: dropped.
        ([1, 0], [4, -4]),
        ([1, 0], [1, -1]),
        ([1, 0], [2, -2]),
        ([1, 0], [2, -2]),
    ],
    "match": [
        # 4–0 by a single game at 4, the Crawford game a gammon: 6–0.
        ([1, 0], [-4, 4]),
        ([1, 0], [-2, 2]),
    ],
}


def sessions_of(preset):
    return json.loads((LOGS / f"{preset}.json").read_text())


ALL = [
    pytest.param(session, id=f"{path.stem}: {session['title']}")
    for path in sorted(LOGS.glob("*.json"))
    for session in sessions_of(path.stem)
]


# Written before rounds were sealed, when extras were turned by themselves and leavers resigned.
OLD = [
    pytest.param(session, id=f"{path.stem}: {session['title']}")
    for path in sorted((Path(__file__).parent / "old_logs").glob("*.json"))
    for session in json.loads(path.read_text())
]


def test_every_log_belongs_to_a_preset_and_every_preset_has_one():
    assert sorted(path.stem for path in LOGS.glob("*.json")) == sorted(PRESETS)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_bots_session_of_a_preset_has_the_sheet_that_was_counted_by_hand(preset):
    session = sessions_of(preset)[0]
    length = {"match_length": 5} if preset == "match" else {}
    assert session["options"] == OPTIONS.values(preset, length), "the preset's own rules"
    started = [
        event.data["line"] for entry in log_of(session) for event in entry.events if event.type == "game_started"
    ]
    assert list(zip(started, session["rows"], strict=True)) == SHEETS[preset]


@pytest.mark.parametrize("session", [*ALL, *OLD])
def test_the_log_alone_leads_to_the_sheet(session):
    log = log_of(session)
    assert first_gap([entry.seq for entry in log]) is None
    state = fold_all(rules, session["options"], session["seats"], log)
    assert rules.is_over(state)
    check(state)
    view = rules.view(state, None)
    assert [row["points"] for row in view["sheet"]] == session["rows"]
    assert view["totals"] == session["totals"]
    assert sum(session["totals"]) == 0
    found = [outcome for _, outcome in outcomes(rules, log)]
    games = [outcome for outcome in found if not outcome.is_correction]
    back = [outcome for outcome in found if outcome.reason == "taken_back"]
    assert len(games) - len(back) == len([row for row in view["sheet"] if row["game"]])


@pytest.mark.parametrize("path", sorted(OLD_LOGS.glob("*.json")), ids=lambda path: path.stem)
def test_a_log_of_an_older_version_still_leads_to_its_sheet(path):
    """There a time-out was told of a seat where the grace time was over for all, and auto stayed on."""
    for session in json.loads(path.read_text()):
        state = fold_all(rules, session["options"], session["seats"], log_of(session))
        check(state)
        assert [row["points"] for row in rules.view(state, None)["sheet"]] == session["rows"]


@pytest.mark.parametrize("session", ALL)
def test_the_same_commands_and_dice_still_give_the_same_events(session):
    for _ in played_again(rules, session, log_of(session)):
        pass


@pytest.mark.parametrize("session", ALL)
def test_the_session_shows_what_it_is_kept_for(session):
    events = [event for entry in log_of(session) for event in entry.events]
    assert all(shows(events, wanted) for wanted in session["shows"])


def test_the_sessions_together_show_every_event_there_is():
    from chouette.rules.events.fold import EVENTS

    seen = {event.type for param in (*ALL, *OLD) for entry in log_of(param.values[0]) for event in entry.events}
    assert set(EVENTS.kinds) <= seen


def test_a_session_as_a_file_is_what_it_was():
    session = sessions_of(EXPORTED)[0]
    text = exported(session)
    assert text == (LOGS / f"{EXPORTED}.mat").read_text()
    match = mat_reader.read(text)
    assert len(match.games) == 3 and match.games[0].names[0] == NAMES[1]

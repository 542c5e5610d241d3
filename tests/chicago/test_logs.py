"""Golden evenings: complete logs per preset, replayed with asserted results."""

import json
from pathlib import Path

import pytest

from chicago.rules import rules
from chicago.rules.options.declaration import OPTIONS
from games.kernel.contract import Event
from games.kernel.replay import Entry, first_gap, fold_all, outcomes
from tests.chicago.make_logs import shows
from tests.chicago.table import check
from tests.kept_logs import played_again

LOGS = Path(__file__).parent / "logs"
# Kept as they were written before people could join, before announcements said what counts, and before the log told for
# whom the house throws and which forfeits go with a turn.
OLD_LOGS = Path(__file__).parent / "old_logs"
PRESETS = [preset.id for preset in OPTIONS.presets]
# The result of each preset's full game: (seats, entries, reason, points).
FULL_GAMES = {
    "classic": (4, 45, "rounds_played", [2, 2, 1, 1]),
    "bavarian": (5, 109, "played_off", [0, 0, 0, 1, 0]),
    "mats": (3, 28, "played_off", [0, 1, 0]),
    "tschigg": (4, 96, "played_off", [0, 1, 0, 0]),
    "forfeits": (5, 101, "rounds_played", [3, 1, 1, 3, 1]),
}


def games_of(preset):
    return json.loads((LOGS / f"{preset}.json").read_text())


def log_of(game):
    return [Entry(raw["seq"], tuple(Event.from_json(event) for event in raw["events"])) for raw in game["entries"]]


ALL = [
    pytest.param(game, id=f"{path.stem}: {game['title']}")
    for path in sorted(LOGS.glob("*.json"))
    for game in games_of(path.stem)
]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_a_golden_evening_with_the_asserted_result(preset):
    full = games_of(preset)[0]
    own = OPTIONS.values(preset, {"rounds": full["options"]["rounds"]})
    # House rules that came later are not in the log.
    assert {**own, **full["options"]} == own, "the first game is played by the preset's own rules"
    result = full["result"]
    assert FULL_GAMES[preset] == (
        full["seats"],
        len(full["entries"]),
        result["reason"],
        result["points"],
    )


def test_every_log_belongs_to_a_preset():
    assert sorted(path.stem for path in LOGS.iterdir()) == sorted(PRESETS)


@pytest.mark.parametrize("game", ALL)
def test_the_log_alone_leads_to_the_result(game):
    log = log_of(game)
    assert first_gap([entry.seq for entry in log]) is None
    state = fold_all(rules, game["options"], game["seats"], log)
    assert rules.is_over(state) and state.outcome == game["result"]
    check(state)
    ((seq, outcome),) = outcomes(rules, log)
    assert seq == log[-1].seq
    assert list(outcome.points.values()) == [game["result"]["points"][seat] for seat in outcome.points]


OLD = [
    pytest.param(game, id=f"{path.stem}: {game['title']}")
    for path in sorted(OLD_LOGS.glob("*.json"))
    for game in json.loads(path.read_text())
]


@pytest.mark.parametrize("game", OLD)
def test_a_log_of_an_earlier_version_still_leads_to_its_result(game):
    log = log_of(game)
    for count in range(1, len(log) + 1):
        check(fold_all(rules, game["options"], game["seats"], log[:count]))
    assert fold_all(rules, game["options"], game["seats"], log).outcome == game["result"]


@pytest.mark.parametrize("game", ALL)
def test_the_same_commands_and_dice_still_give_the_same_events(game):
    for state in played_again(rules, game, log_of(game)):
        check(state)


@pytest.mark.parametrize("game", ALL)
def test_the_evening_shows_what_it_is_kept_for(game):
    events = [event for entry in log_of(game) for event in entry.events]
    assert all(shows(events, wanted) for wanted in game["shows"])


def test_the_evenings_together_show_every_event_there_is():
    from chicago.rules.fold import EVENTS

    seen = {event.type for param in ALL for entry in log_of(param.values[0]) for event in entry.events}
    assert set(EVENTS.kinds) <= seen

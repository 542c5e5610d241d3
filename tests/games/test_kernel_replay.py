"""Events of any version are read as today's; what is hidden until the end is read then."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from games.kernel.contract import Event
from games.kernel.data.records import changed, kept_by
from games.kernel.replay import Entry, newest
from games.plugin import game
from games.services.seats.sittings import ONLOOKER
from tests.chouette.make_logs import log_of

OLD_LOGS = Path(__file__).parents[1] / "chouette" / "old_logs"
VERSION_1 = sorted(path for path in OLD_LOGS.glob("*.json") if not path.stem.startswith("before_the_ring"))
TURNED = ("double_taken", "beavered", "raccooned")


@pytest.mark.parametrize("path", VERSION_1, ids=lambda path: path.stem)
def test_a_double_of_version_1_is_read_as_one_without_extras(path: Path) -> None:
    rules = game("chouette").rules
    found = 0
    for session in json.loads(path.read_text()):
        for entry in log_of(session):
            for old, new in zip(entry.events, newest(rules, entry).events, strict=True):
                if old.type not in TURNED:
                    assert new is old
                    continue
                found += 1
                assert old.v == 1 and "extras" not in old.data
                assert new == replace(old, v=2, data={**old.data, "extras": []})
    assert found


def test_an_event_of_today_stays_as_it_is() -> None:
    entry = Entry(1, (Event("double_taken", {"cube": 0, "extras": [[1, 4]]}, v=2),))
    assert newest(game("chouette").rules, entry) == entry


def test_what_is_hidden_until_the_end_is_for_everybody_then() -> None:
    hidden = Event("die_dealt", {"die": 5}, audience=(1,), until="over")
    assert Event.from_json(json.loads(json.dumps(hidden.to_json()))) == hidden
    assert (hidden.is_for(1), hidden.is_for(0), hidden.is_for(None)) == (True, False, False)
    assert hidden.is_for(0, is_over=True) and hidden.is_for(None, is_over=True)
    assert not replace(hidden, until=None).is_for(0, is_over=True)
    assert not ONLOOKER.may_read(hidden, 3)
    assert replace(ONLOOKER, is_over=True).may_read(hidden, 3)


class _Table:
    def __init__(self, cubes: tuple[int, ...], position: int) -> None:
        self.cubes, self.position = cubes, position


def test_an_answer_is_kept_for_states_with_the_same_parts() -> None:
    asked = []

    @kept_by(lambda table: (table.cubes,), 256)
    def total(table: _Table) -> int:
        asked.append(table.position)
        return sum(table.cubes)

    first = _Table((1, 2), 1)
    moved = changed(first, position=2)
    turned = changed(moved, cubes=(1, 4))
    assert [total(each) for each in (first, moved, turned, moved)] == [3, 3, 5, 3]
    assert asked == [1, 2]

"""kill -9 before every write of the database between a result or a correction, the draw after it, and the call-up."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests import seeds
from tests.faults.houses.houses import House
from tests.faults.houses.last_statement import VARIABLE, Bound
from tests.faults.test_killed_director import count, send

pytestmark = [pytest.mark.server, pytest.mark.timeout(3000)]
PEOPLE = 6
POINTS = {"result": 48, "correct": 9}
"""Act → the number of writes before each of which the server is killed; it makes as many, and a few more."""
REST_SECONDS, WAIT_SECONDS = 2.5, 60.0
CASES = [(act, point) for act, points in POINTS.items() for point in range(points)]


@pytest.fixture(scope="module")
def bound(tmp_path_factory: pytest.TempPathFactory) -> Bound:
    """The bound of the house's server."""
    return Bound(tmp_path_factory.mktemp("bound") / "bound")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, bound: Bound) -> Iterator[House]:
    """A house whose server ends itself at the bound."""
    found = House(tmp_path_factory.mktemp("house"), 1, **{VARIABLE: str(bound.place)})
    found.open()
    yield found
    bound.arm(-1)
    found.close()


def is_dead(house: House) -> bool:
    """Tell whether the server has ended itself."""
    process = house.servers[0].process
    return process is None or process.poll() is not None


def rested(house: House, made: dict[str, Any]) -> dict[str, Any]:
    """Return the tournament when the server is dead, or has written nothing to the log for some seconds."""
    told, since = house.world("tournament_told", made["tournament"]), time.monotonic()
    while not is_dead(house) and time.monotonic() < since + REST_SECONDS:
        time.sleep(0.1)
        now = house.world("tournament_told", made["tournament"])
        if len(now["log"]) > len(told["log"]):
            told, since = now, time.monotonic()
    return dict(house.world("tournament_told", made["tournament"]))


def until(house: House, made: dict[str, Any], matches: int) -> dict[str, Any]:
    """Return the tournament when so many matches are being played and its tables stand open."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        told: dict[str, Any] = house.world("tournament_told", made["tournament"])
        running = [each for each in told["matches"] if each["status"] == "running"]
        if len(running) == matches and not told["faults"]:
            return told
        assert time.monotonic() < deadline, (len(running), told["faults"])
        time.sleep(0.2)


def begun(house: House, made: dict[str, Any]) -> list[str]:
    """Let the house call three pairs, and the first match end; return the ids of the three matches."""
    told = until(house, made, PEOPLE // 2)
    ids = [match["id"] for match in told["matches"]]
    assert send(house, made, "result", {"match": ids[0], "winner": told["matches"][0]["players"][0]})
    until(house, made, PEOPLE // 2 - 1)
    return ids


def act_of(name: str, told: dict[str, Any], ids: list[str]) -> tuple[str, dict[str, Any]]:
    """Return the act: the result after which the house draws two pairs, or a correction of the first result."""
    by_id = {match["id"]: match for match in told["matches"]}
    match = by_id[ids[1] if name == "result" else ids[0]]
    winner = match["players"][0] if name == "result" else match["players"][1]
    return name, {"match": match["id"], "winner": winner}


@pytest.mark.parametrize(("name", "point"), seeds.share_of_day(CASES, 24))
def test_nothing_is_lost_and_nobody_paired_twice_when_the_server_ends_at_a_write(
    house: House, bound: Bound, name: str, point: int
) -> None:
    house.revive()
    made = house.world("tournament", PEOPLE)
    ids = begun(house, made)
    before = house.world("tournament_told", made["tournament"])
    act, args = act_of(name, before, ids)
    bound.arm(point)
    is_acknowledged = send(house, made, act, args)
    after = rested(house, made)
    assert is_dead(house), bound.left()
    bound.arm(-1)
    house.revive()
    assert after["log"][: len(before["log"])] == before["log"]
    carried_out = count(after, act, args) - count(before, act, args)
    assert carried_out == 1 if is_acknowledged else carried_out in (0, 1)
    if not carried_out:
        assert send(house, made, act, args)
    # The free people are all called to new matches; a correction alone leaves two who have just met.
    told = until(house, made, PEOPLE // 2 if act == "result" else PEOPLE // 2 - 1)
    assert told["log"][: len(after["log"])] == after["log"]
    assert count(told, act, args) == count(before, act, args) + 1
    playing = Counter(key for each in told["matches"] if each["status"] == "running" for key in each["players"])
    assert set(playing.values()) == {1}

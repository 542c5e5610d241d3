"""kill -9 of the server amid a director's acts, and between them: results, corrections, withdrawals, draws, tables."""

from __future__ import annotations

import json
import random
import signal
import threading
import time
import urllib.error
import urllib.request
from typing import Any

import pytest

from tests.faults.houses.houses import House

pytestmark = [pytest.mark.server, pytest.mark.timeout(600), pytest.mark.day(parts=17, turn=16)]
PEOPLE, KILLS = 8, 4
LATEST_KILL = 1.5
"""The latest kill, in durations of an act: the server dies before, amid or after its transaction."""
TOKEN = "t" * 32


def send(house: House, made: dict[str, Any], act: str, args: dict[str, Any]) -> bool:
    """Send an act to the API; return whether the server said that it was carried out."""
    request = urllib.request.Request(
        f"{house.urls[0]}/api/v1/tournaments/{made['tournament']}/acts/",
        json.dumps({"act": act, "args": args}).encode(),
        {"Cookie": f"{made['cookie']}; csrftoken={TOKEN}", "X-CSRFToken": TOKEN, "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return bool(answer.status == 200)
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{act} {args}: {error.read().decode()}") from error
    except OSError:
        # The server died before it answered.
        return False


def kill_amid(house: House, made: dict[str, Any], act: str, args: dict[str, Any], after: float) -> bool:
    """Send an act, kill the server so many seconds later, start it again; return whether the act was acknowledged."""
    answers: list[bool] = []
    sender = threading.Thread(target=lambda: answers.append(send(house, made, act, args)))
    sender.start()
    time.sleep(after)
    house.servers[0].stop(signal.SIGKILL)
    sender.join()
    house.servers[0].start()
    return answers == [True]


def acts_for(state: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return acts that a director could carry out now, each with what it is about."""
    running = [match for match in state["matches"] if match["status"] == "running"]
    done = [match for match in state["matches"] if match["status"] == "done"]
    found = [("result", {"match": m["id"], "winner": m["players"][0]}) for m in running]
    for match in done[-1:]:
        loser = next(key for key in match["players"] if key != match["winner"])
        found.append(("correct", {"match": match["id"], "winner": loser}))
    found += [("void", {"match": match["id"]}) for match in running[:1]]
    return found


def count(state: dict[str, Any], act: str, args: dict[str, Any]) -> int:
    """Return how often the log has an act about the same match."""
    return sum(entry["type"] == act and entry["match"] == args["match"] for entry in state["log"])


def wait_for_matches(house: House, made: dict[str, Any]) -> dict[str, Any]:
    """Return the tournament once the house has called somebody to a table, which it does by itself."""
    for _ in range(200):
        state: dict[str, Any] = house.world("tournament_told", made["tournament"])
        if any(match["status"] == "running" for match in state["matches"]):
            return state
        time.sleep(0.2)
    raise AssertionError("the house calls nobody")


def duration(house: House, made: dict[str, Any]) -> float:
    """Return the seconds that the house takes for an act, on this machine and now."""
    act, args = acts_for(wait_for_matches(house, made))[0]
    since = time.monotonic()
    assert send(house, made, act, args)
    return time.monotonic() - since


def test_no_act_of_a_director_is_lost_or_doubled_when_the_server_is_killed(laptop: House) -> None:
    rng = random.Random(7)
    made = laptop.world("tournament", PEOPLE)
    lasting = duration(laptop, made)
    for _ in range(KILLS):
        before = wait_for_matches(laptop, made)
        act, args = rng.choice(acts_for(before))
        is_acknowledged = kill_amid(laptop, made, act, args, rng.uniform(0, LATEST_KILL * lasting))
        after = wait_for_matches(laptop, made)
        assert after["log"][: len(before["log"])] == before["log"]
        carried_out = count(after, act, args) - count(before, act, args)
        assert carried_out == 1 if is_acknowledged else carried_out in (0, 1), (act, args)
        if not carried_out:
            assert send(laptop, made, act, args)
        rested = wait_for_matches(laptop, made)
        assert count(rested, act, args) == count(before, act, args) + 1
    deadline = time.monotonic() + 30
    while (faults := laptop.world("tournament_told", made["tournament"])["faults"]) and time.monotonic() < deadline:
        time.sleep(0.5)
    assert faults == []

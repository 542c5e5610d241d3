"""A night of 24 by script, under a clock of the test's own: three come late, two leave, a result is corrected later."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

import pytest

from games.kernel.contract import Illegal
from games.services import server_time
from games.services.tournaments import automatic, draw_check
from tests import seeds
from tests.tournaments.test_against_the_kernel import check
from tests.tournaments.world import Evening

pytestmark = [pytest.mark.django_db, pytest.mark.long, pytest.mark.timeout(1200)]
PEOPLE, LATE, MINUTES = 21, 3, 300
MINUTES_A_POINT, LENGTH = 8, 3
MOST_TAPS = 60


class Clock:
    """The house's time in this test."""

    def __init__(self) -> None:
        self.time: datetime = server_time.now()

    def now(self) -> datetime:
        return self.time


@pytest.mark.parametrize("seed", seeds.share_of_day(range(8), 8))
def test_a_night_of_24_needs_few_taps_and_loses_nobody(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, rng = Clock(), random.Random(seed)
    monkeypatch.setattr(server_time, "now", clock.now)
    evening = Evening(*(f"P{number}" for number in range(PEOPLE)), length=LENGTH)
    taps = 0

    def tap(act: str, **args: object) -> None:
        nonlocal taps
        taps += 1
        evening.do(evening.host, act, **args)

    ends: dict[str, datetime] = {}
    tap("enter", players=[player.pk for player in evening.people.values()])
    tap("confirm", seen=PEOPLE, minute=0)
    for minute in range(MINUTES):
        clock.time += timedelta(minutes=1)
        automatic.run_due()
        reading = evening.read()
        running = {m["id"]: m for m in reading.state["matches"] if m["status"] == "running"}
        for match_id in running.keys() - ends.keys():
            lasting = rng.gammavariate(8, LENGTH * MINUTES_A_POINT / 8)
            ends[match_id] = clock.time + timedelta(minutes=lasting)
        for match_id in [key for key in running if ends[key] <= clock.time]:
            won = rng.choice(running[match_id]["players"])
            for key in running[match_id]["players"]:
                evening.do(evening.player(key), "tell", match=match_id, winner=won)
        if minute in (10, 20, 30):
            evening.people[f"Late{minute}"] = late = evening.joined(f"Late{minute}")
            evening.do(late, "come_in", mark="")
        if minute in (60, 90):
            evening.do(evening.people[f"P{minute // 30}"], "leave", when="after")
        if minute == 120:
            tap("break", after=0, minutes=15)
        if minute == 150:
            first = next(m for m in evening.read().state["matches"] if m["status"] == "done")
            tap("correct", match=first["id"], winner=next(k for k in first["players"] if k != first["winner"]))
        if evening.read().state["status"] == "running" and minute > 180:
            asked = [p for p in evening.read().proposals if p.get("mode") == "ask"]
            if asked:
                now = evening.read()
                tap("confirm", seen=len(now.log), minute=now.minute)
        if evening.read().state["status"] == "finished":
            break
    check(evening)
    reading = evening.read()
    assert reading.state["status"] == "finished"
    assert taps <= MOST_TAPS
    plays = {row["player"]: row["wins"] + row["losses"] for row in reading.state["players"]}
    assert min(count for key, count in plays.items() if not gone(reading.state, key)) >= 3
    assert draw_check.check(evening.tournament).faults == ()
    with pytest.raises(Illegal):
        evening.do(evening.host, "finish")


def gone(state: dict[str, list[dict[str, object]]], key: str) -> bool:
    """Tell whether a player has withdrawn."""
    return any(row["player"] == key and row["status"] == "withdrawn" for row in state["players"])

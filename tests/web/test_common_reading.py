"""One reading for all who ask at the same time: never older than each would have made, and nothing of a reader."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import transaction
from django.urls import reverse

from games.web.common_reading import CommonReading
from games.web.fragments import CommonContext
from games.web.tournaments import page
from tests.tournaments.world import Evening
from tests.web.pages import browser_of

CALLERS = 6


class Readings:
    """Readings of a number that counts them; each begins at once, and ends when it is let go."""

    def __init__(self) -> None:
        self.common: CommonReading[str, int] = CommonReading()
        self.begun = threading.Semaphore(0)
        self.let_go = threading.Semaphore(0)
        self.made = 0
        self.pool = ThreadPoolExecutor(CALLERS + 1)

    def make(self) -> int:
        """Count a reading; raise ValueError for the third."""
        self.made += 1
        found = self.made
        self.begun.release()
        assert self.let_go.acquire(timeout=10)
        if found == 3:
            raise ValueError
        return found

    def call(self, key: str = "night") -> Future[int]:
        """Ask for the number in a thread of its own."""
        return self.pool.submit(self.common.read, key, self.make)

    def all_wait(self) -> None:
        """Wait until all callers but the first wait for the next reading, one of them to make it."""
        until = time.monotonic() + 10
        while time.monotonic() < until:
            found: Any = self.common._next.get("night")
            if found is not None and len(found._condition._waiters) == CALLERS - 1:
                return
            time.sleep(0.01)
        raise AssertionError("not all wait")


@pytest.fixture
def readings() -> Iterator[Readings]:
    found = Readings()
    yield found
    for _ in range(100):
        found.let_go.release()
    found.pool.shutdown()


def test_who_comes_while_a_reading_is_under_way_shares_the_next_one(readings: Readings) -> None:
    first = readings.call()
    assert readings.begun.acquire(timeout=10)
    others = [readings.call() for _ in range(CALLERS)]
    readings.all_wait()
    readings.let_go.release()
    assert first.result(10) == 1
    assert readings.begun.acquire(timeout=10)
    readings.let_go.release()
    assert [each.result(10) for each in others] == [2] * CALLERS
    assert readings.made == 2


def test_a_caller_gets_no_reading_that_began_before_the_call(readings: Readings) -> None:
    first = readings.call()
    assert readings.begun.acquire(timeout=10)
    later = readings.call()
    readings.let_go.release(2)
    assert (first.result(10), later.result(10)) == (1, 2)
    readings.let_go.release()
    with pytest.raises(ValueError):
        readings.call().result(10)


def test_readings_of_other_keys_do_not_wait_for_each_other(readings: Readings) -> None:
    first, other = readings.call(), readings.call("another night")
    assert readings.begun.acquire(timeout=10) and readings.begun.acquire(timeout=10)
    readings.let_go.release(2)
    assert {first.result(10), other.result(10)} == {1, 2}


def test_a_refusal_is_told_to_all_who_share_it_and_the_next_caller_reads_anew(readings: Readings) -> None:
    readings.made = 1
    first = readings.call()
    assert readings.begun.acquire(timeout=10)
    others = [readings.call() for _ in range(CALLERS)]
    readings.all_wait()
    readings.let_go.release(2)
    assert first.result(10) == 2
    for each in others:
        with pytest.raises(ValueError):
            each.result(10)
    readings.let_go.release()
    assert readings.call().result(10) == 4


@pytest.mark.django_db(transaction=True)
def test_inside_a_transaction_a_reading_is_nobody_elses() -> None:
    common: CommonReading[str, int] = CommonReading()
    common._next["night"] = others = Future()
    others.set_result(0)
    with transaction.atomic():
        assert common.read("night", lambda: 7) == 7


def test_a_common_part_sees_nothing_but_the_common_context_and_is_made_once() -> None:
    common = CommonContext({"is_director": False, "tournament": None})
    found = common.part("tournaments/parts/proposals.html", oob=True)
    assert 'hx-swap-oob="true"' in found and "csrf" not in found
    assert common.part("tournaments/parts/proposals.html", oob=True) is found
    assert "hx-swap-oob" not in common.part("tournaments/parts/proposals.html", oob=False)


@pytest.mark.django_db
@pytest.mark.parametrize("medium", ["", "wood"])
def test_what_readers_of_a_tournament_share_is_of_no_one_of_them(medium: str) -> None:
    """Each sees the same but for the own card and the own place; what is common has no form and so no token."""
    evening = Evening("Kari", "Nils", "Uli", medium=medium)
    evening.begin()
    found = [page.context_of(evening.tournament, evening.people[name]) for name in ("Kari", "Nils")]
    parts = [[each["common"].part(f"tournaments/parts/{name}.html", oob=True) for name in COMMON] for each in found]
    assert parts[0] == parts[1]
    assert not any("<form" in part or "csrf" in part for part in parts[0])
    assert 'class="me"' not in "".join(parts[0])
    mine = browser_of(evening.people["Kari"]).get(reverse("tournament", args=[evening.tournament.public_id]))
    assert 'class="me"' in mine.content.decode()


COMMON = ("status", "pot", "running", "finished", "people")


@pytest.mark.django_db
def test_a_director_and_a_player_who_ask_together_see_their_own_page() -> None:
    evening = Evening("Kari", "Nils")
    evening.begin()
    cup = evening.tournament
    director, player = page.context_of(cup, evening.host), page.context_of(cup, evening.people["Kari"])
    assert director["common"] is not player["common"]
    assert "<form" in browser_of(evening.host).get(reverse("tournament", args=[cup.public_id])).content.decode()
    assert (director["is_director"], player["is_director"]) == (True, False)

"""Whatever meets on one person and one night, the laws hold; on SQLite, and on PostgreSQL (tests/ops/scaled.py).

A day's run has the meetings that went wrong once, and a share of all others. `ALL_DAYS=1 pytest tests/collisions` has
every pair of acts at every place of the first one.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import product

import pytest
from django.db import connection

from games.models import Player
from tests import seeds
from tests.collisions import laws, meeting
from tests.collisions.acts import ACTS, NEEDS
from tests.collisions.scene import Scene

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(3600)]

# Each went wrong on one database or on both, before there were holds.
ONCE = (
    *(("confirm_claim", "sit"), ("confirm_claim", "join"), ("confirm_claim", "table_join")),
    *(("merge", "last_answer"), ("merge", "past_game"), ("merge", "chat"), ("merge", "join")),
    *(("delete", "give_host"), ("delete", "host"), ("delete", "past_game"), ("delete", "join")),
    *(("delete", "ask_move"), ("delete", "correct"), ("remove", "give_host")),
    *(("rotate", "rotate"), ("close", "close"), ("close", "lock")),
    # Two directors at once, and one beside the table.
    *(("cup_confirm", "cup_confirm_too"), ("cup_result", "cup_result_too"), ("cup_result", "cup_played")),
)
PAIRS = [tuple(sorted(pair)) for pair in ONCE]
# Who waits to be let in has none of these yet.
OF_MEMBERS = {"persons_lobby", "ending", "over", "result", "claim", "move", "absence", "former_host"}
# What these change would forbid the others.
LAST = ("admission", "absence", "former_host")


def needs(*names: str) -> set[str]:
    """Return what acts need together."""
    return {need for name in names for need in NEEDS[name]}


def is_possible(*names: str) -> bool:
    """Tell whether acts can meet: all that they need can be there together."""
    return "admission" not in needs(*names) or not needs(*names) & OF_MEMBERS


OTHERS = sorted({tuple(sorted(pair)) for pair in product(ACTS, ACTS) if is_possible(*pair)} - set(PAIRS))
PLACES = 2
"""The number of places of each act at which a pair of a day's run meets."""
DAYS = 60
IS_WHOLE = os.environ.get("ALL_DAYS") == "1"


@pytest.fixture(autouse=True)
def _watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No limit of acts in a time, and nothing left open."""
    monkeypatch.setattr("games.services.rate_limit.spend", lambda *_: None)
    yield
    meeting.end_watching()


def made(*names: str) -> Scene:
    """Return a scene in which acts are possible."""
    scene = Scene()
    for need in sorted(needs(*names), key=lambda need: (LAST.index(need) + 1 if need in LAST else 0, need)):
        getattr(scene, need)
    return scene


def names(scene: Scene) -> set[str]:
    """Return all names that the person of a scene has had."""
    return {scene.person.nickname, f"{scene.person.nickname}x"}


_lengths: dict[str, int] = {}


def length(name: str) -> int:
    """Return the number of places of an act when it meets nothing."""
    if name not in _lengths:
        scene = made(name)
        _lengths[name], _ = meeting.length(lambda: ACTS[name](scene))
    return _lengths[name]


def places(first: str, second: str) -> list[int]:
    """Return the places of the first act at which the second one comes: all, or the day's few."""
    every = range(length(first) + 1)
    if IS_WHOLE or len(every) <= PLACES:
        return list(every)
    return sorted(random.Random(f"{seeds.day()} {first} {second}").sample(every, PLACES))


@pytest.mark.parametrize("name", sorted(ACTS))
def test_each_act_is_possible_alone_and_keeps_the_laws(name: str) -> None:
    scene = made(name)
    count, fault = meeting.length(lambda: ACTS[name](scene))
    assert (fault, laws.broken(names(scene))) == ("", [])
    assert count


@pytest.mark.parametrize(("one", "other"), [*PAIRS, *seeds.share_of_day(OTHERS, DAYS)], ids=str)
def test_the_laws_hold_whatever_meets(one: str, other: str) -> None:
    for first, second in {(one, other), (other, one)}:
        for at in places(first, second):
            scene = made(first, second)
            faults = meeting.meet(lambda: ACTS[first](scene), lambda: ACTS[second](scene), at)  # noqa: B023
            found = faults + laws.broken(names(scene))
            assert found == [], f"{first} meets {second} at its place {at} on {connection.vendor}"
    assert Player.objects.exists()

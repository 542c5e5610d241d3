"""The house with a false clock, and its tournament nights."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from pytest_django import DjangoDbBlocker

from tests.browser.conftest import open_house
from tests.browser.people import LAPTOP, TV, Person
from tests.browser.tournament_night.false_clock import SETTINGS, VARIABLE, FalseClock
from tests.browser.tournament_night.night import TournamentNight
from tests.browser.tournament_night.plans import NAMES, Plan
from tests.server import Server, collected_static


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> FalseClock:
    """The clock of the house."""
    return FalseClock(tmp_path_factory.mktemp("clock") / "clock")


@pytest.fixture(scope="module")
def house(
    tmp_path_factory: pytest.TempPathFactory, clock: FalseClock, django_db_blocker: DjangoDbBlocker
) -> Iterator[Server]:
    """A house with a false clock; its logs are proved when it closes."""
    environment = {"DJANGO_SETTINGS_MODULE": SETTINGS, VARIABLE: str(clock.place)}
    environment["COLLECTED_STATIC"] = str(collected_static())
    with open_house(tmp_path_factory.mktemp("house"), django_db_blocker, **environment) as running:
        yield running


@pytest.fixture
def begin(clock: FalseClock, person: Callable[..., Person]) -> Callable[[Plan, int], TournamentNight]:
    """Begin a night with its browsers."""

    def made(plan: Plan, seed: int) -> TournamentNight:
        phones = {name: person(name, dark=number % 2 == 1) for number, name in enumerate(NAMES[: plan.phones])}
        director, screen = person("Hanna", screen=LAPTOP), person("TV", screen=TV)
        return TournamentNight(clock, director, screen, phones, length=plan.length, seed=seed)

    return made

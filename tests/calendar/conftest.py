"""Fixtures of series."""

from __future__ import annotations

from datetime import time, timedelta

import pytest

from games.models import Player, Series, SeriesDate
from games.models.night import today
from games.services.calendar import all_series
from games.services.calendar.all_series import SeriesDraft
from tests.seasons.world import account


@pytest.fixture
def olga(db: None) -> Player:
    """An organiser with an account."""
    return account("Olga")


def draft(**fields: object) -> SeriesDraft:
    """Return a series that is held tomorrow for the first time, and every week then."""
    first = today() + timedelta(days=1)
    base = {"name": "Club", "weekday": first.weekday(), "start": time(19, 30), "first_day": first, "size": 5}
    return SeriesDraft(**{**base, **fields})


@pytest.fixture
def club(olga: Player) -> Series:
    """A weekly series of Olga's."""
    return all_series.create(olga, draft())


@pytest.fixture
def date(club: Series) -> SeriesDate:
    """The first date of the series."""
    found = club.dates.first()
    assert found is not None
    found.series = club
    return found

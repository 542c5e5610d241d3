"""Fixtures of spreadsheets: a season of an organiser's."""

import pytest

from games.models import Player, Season
from tests.seasons import world


@pytest.fixture
def olga(db: None) -> Player:
    """An organiser with an account."""
    return world.account("Olga")


@pytest.fixture
def season(olga: Player) -> Season:
    """A season of Olga's."""
    return world.make(olga)

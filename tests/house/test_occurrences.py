"""Occurrences: rooms that come later act upon them in the same transaction."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.db import transaction

from games.models import Player
from games.services.publication import Occurrence
from tests.architecture.figures import import_graph


def unheard(modules: list[str]) -> list[str]:
    """Return the occurrences of modules that nobody follows."""
    return [
        f"{module}.{name}"
        for module in modules
        for name, value in vars(import_module(module)).items()
        if isinstance(value, Occurrence) and not value.is_followed
    ]


def test_followers_are_called_in_their_order_and_once() -> None:
    heard: list[str] = []
    told: Occurrence[str] = Occurrence()
    first, second = (lambda what: heard.append(f"1 {what}")), (lambda what: heard.append(f"2 {what}"))
    told.follow(first, second)
    told.follow(first)
    told.tell("closed")
    assert heard == ["1 closed", "2 closed"]


@pytest.mark.django_db
def test_an_exception_of_a_follower_undoes_what_was_told() -> None:
    def fails(player: Player) -> None:
        raise ValueError(player.nickname)

    made: Occurrence[Player] = Occurrence()
    made.follow(fails)
    with pytest.raises(ValueError, match="Ada"), transaction.atomic():
        made.tell(Player.objects.create(nickname="Ada"))
    assert not Player.objects.filter(nickname="Ada").exists()


def test_every_occurrence_of_the_house_is_followed() -> None:
    modules = [module for module in import_graph() if module.startswith("games.services.")]
    assert unheard(modules) == []


def test_a_planted_occurrence_without_followers_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.services.server_time.PLANTED", Occurrence(), raising=False)
    assert unheard(["games.services.server_time"]) == ["games.services.server_time.PLANTED"]

"""Fixtures of nights, staff and house rules, and of the channel layer; `conftest` imports them."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable

import pytest
from channels.layers import get_channel_layer
from django.contrib.auth.models import Permission, User
from django.test import Client

from games.live.rooms import relay
from games.models import HouseRules, Night, Player
from games.services.house_rules import sets
from games.services.house_rules.sets import HostsMay, SetDraft, SetKeeper
from games.services.nights import membership
from games.services.people import players
from games.services.tables import setup
from tests import sealed_tables

SECONDS = 5


@pytest.fixture(autouse=True)
def _layer_is_left(request: pytest.FixtureRequest) -> None:
    """On Redis, leave the layer before the test's event loop ends.

    The layer unsubscribes when its reader is cancelled. Where its own task is cancelled at
    the same time, as at the end of a loop, that can wait for ever.
    """
    if relay.is_shared() and inspect.iscoroutinefunction(request.function):
        request.getfixturevalue("leave_layer")


@pytest.fixture
async def leave_layer() -> AsyncIterator[None]:
    """Stop the hub of this loop first, then the layer's connection."""
    # It brings Twisted along, which most files of tests do without.
    from games.live.rooms import hub

    yield
    tasks = list(hub.current()._tasks.values())
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=SECONDS)
    await asyncio.wait_for(get_channel_layer().flush(), SECONDS)


@pytest.fixture
def guest(night: Night) -> Callable[..., Player]:
    """Let somebody into the night."""

    def make(name: str = "Late") -> Player:
        player = players.new_guest(name)
        membership.join(night, player)
        return player

    return make


@pytest.fixture
def staff(db: None) -> User:
    """A user of the staff who may keep the house's rules."""
    user = User.objects.create_user("bar", password="x", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="change_houserules"))
    return user


@pytest.fixture
def bar(staff: User) -> Client:
    """The browser of the staff."""
    client = Client()
    client.force_login(staff)
    return client


@pytest.fixture
def make_rules(staff: User) -> Callable[..., HouseRules]:
    """Make a set of the house: make_rules("Pub", "choose", numbers=4)."""

    def made(name: str = "Pub", hosts_may: str = HostsMay.CHANGE, **options: object) -> HouseRules:
        return sets.create(SetKeeper(user=staff), "dummygame", SetDraft(name, "quick", options, hosts_may))

    return made


@pytest.fixture
def sealed_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the dice of tables that start now come from their sealed seed alone, as before there were chains."""
    monkeypatch.setattr(setup, "_begin", sealed_tables.begun)

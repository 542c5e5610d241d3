"""Who may act for whom: actor × kind of seat × medium × command, by one table that stands here.

A command of a game that the table does not name fails here, and so does a new command of the house. Each day has a
share of the worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction

from games import plugin
from games.kernel.contract import Illegal
from games.models import Membership, Player, Table
from games.services.acts import ALL
from games.services.commands import Actor, Request, new_command_id
from games.services.hosting import kept_seats
from games.services.nights import membership
from games.services.people import players
from games.services.tables import log, setup
from games.services.tables.commit import submit
from games.services.tables.registry import TableRight
from tests import seeds
from tests.contract.driver import evening, few_cases
from tests.tables.host.host_commands import act

pytestmark = pytest.mark.django_db

# What a command of a game is: done or said openly; sealed, told to few until it is opened; talk; what two agree on.
OPEN, SEALED, TALK, CONSENT = "open", "sealed", "talk", "consent"
COMMANDS: dict[str, dict[str, tuple[str, ...]]] = {
    "chicago": {
        OPEN: (
            *("throw", "type_dice", "declare", "enter_result", "stand", "name_loser", "refill", "take_for"),
            *("call_breach", "vote_breach", "take_back"),
        ),
    },
    "chouette": {
        OPEN: (
            *("automatic", "begin_game", "double", "withdraw_double", "offer", "result", "answer_result", "tie"),
            *("order_die", "opening_roll", "start_study", "partner", "roll", "type_dice", "move", "wait", "resign"),
            *("next", "sit_out", "pass_box", "leave_after", "name_proxy", "name_deputy", "take_back"),
        ),
        SEALED: ("cube", "auto", "answer", "answer_batch", "reply", "answer_resignation"),
        TALK: ("say", "suggest", "ask_advice"),
        CONSENT: ("propose", "answer_proposal", "answer_take_back", "correct", "clock"),
    },
    "dummygame": {OPEN: ("type_die", "thank"), SEALED: ("bid", "take_back")},
    "bluffing": {OPEN: ("throw", "announce", "believe", "lift")},
}
MEDIA: dict[str, dict[str, tuple[str, dict[str, str]]]] = {
    "chicago": {"screen": ("classic", {}), "typed": ("classic", {"dice": "typed"})},
    "chouette": {
        "screen": ("german", {}),
        "typed": ("german", {"dice": "typed"}),
        "wood": ("wood", {"line_order": "by_hand"}),
    },
    "dummygame": {"screen": ("endless", {}), "typed": ("endless", {"dice": "typed"})},
}
# The kinds of a seat: a person with a phone that has accepted the rules, or not yet; one without; a bot; nobody.
PHONE, INVITED, KEPT, BOT, EMPTY = "phone", "invited", "kept", "bot", "empty"
KINDS = (PHONE, INVITED, KEPT, BOT, EMPTY)
ACTORS = ("own", "host", "scorekeeper", "keeper", "other seat", "member", "stranger")
TARGET = 2

# Who acts for a kept seat: the keeper only where no scorekeeper is named.
KEEPERS = ("host", "scorekeeper", "keeper")
# Commands of the house that a seat's own player sends; the others are the host's.
OF_A_SEAT, OF_MEMBERS, OF_THE_HOST = (
    tuple(sorted(name for name, act in ALL["command"].items() if act.right == right))
    for right in (TableRight.SEAT, TableRight.MEMBER, TableRight.HOST)
)
# Codes that say that this actor may not, whatever the game's state is.
NO_RIGHT = {"not_keeper", "not_seated", "not_host", "removed", "accept_first", "not_accepted"}


def may_play(actor: str, kind: str, medium: str, sort: str) -> bool:
    """Tell whether an actor may send a command of the game for the seat: the law."""
    if kind in (BOT, EMPTY, INVITED):
        return False
    if actor == "own":
        return True
    if kind == KEPT:
        return actor in KEEPERS
    return medium != "screen" and sort == OPEN and actor in ("host", "scorekeeper")


def may_as_seat(actor: str, kind: str, name: str) -> bool:
    """Tell whether an actor may send a command of the house as the seat's person."""
    if kind in (BOT, EMPTY):
        return False
    if actor == "own":
        return True
    return kind == KEPT and actor in KEEPERS and name != "table.dice_tip"


@dataclass(frozen=True)
class World:
    """A running table of three seats, the last of a certain kind, and players by their part in it."""

    table: Table
    people: dict[str, Player]

    def may(self, actor: str, name: str, *, as_seat: bool = True, **args: Any) -> bool:
        """Tell whether the house does not refuse an actor the right to a command; nothing stays of it.

        A scorekeeper is named for what the scorekeeper sends: else the keeper has no say.
        """
        seat = TARGET if as_seat and actor != "own" else None
        request = Request(name, args, new_command_id(), None if name.startswith("table.") else 0, seat=seat)
        with undone():
            if actor == "scorekeeper":
                Table.objects.filter(pk=self.table.pk).update(scorekeeper=self.people[actor])
            try:
                submit(self.table.pk, Actor(self.people[actor].pk), request)
            except Illegal as refusal:
                return refusal.code not in NO_RIGHT
        return True


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    log.forget_all()


@pytest.fixture
def make_world(night, host, open_table, make_player) -> Callable[..., World]:
    """Return what makes a world: make_world("chicago", "typed", KEPT)."""

    def made(game: str, medium: str, kind: str) -> World:
        preset, changes = MEDIA[game][medium]
        table = open_table(game, preset, seats=2, **changes)
        people = {"host": host, "other seat": table.seats.get(index=1).player}
        for name in ("scorekeeper", "keeper", "member"):
            people[name] = players.new_guest(name)
            membership.join(night, people[name])
        people["stranger"] = make_player("Stranger")
        membership.join(membership.host_night(make_player("Otto"), "Elsewhere"), people["stranger"])
        people["own"] = _seated(table, people, kind)
        setup.start(table, host, new_command_id())
        table.refresh_from_db()
        _changed(table, people, kind)
        return World(Table.objects.get(pk=table.pk), people)

    return made


def _seated(table: Table, people: dict[str, Player], kind: str) -> Player:
    """Seat somebody on the last seat before play: a person without a phone, else one with a phone."""
    if kind == KEPT:
        kept_seats.seat_person(table, people["host"], "Kari")
        kari = table.seats.get(index=TARGET).player
        Membership.objects.filter(player=kari).update(keeper=people["keeper"])
        return kari
    ben = players.new_guest("Ben")
    membership.join(table.night, ben)
    setup.sit(table, ben, accept=True, nonce="b")
    return ben


def _changed(table: Table, people: dict[str, Player], kind: str) -> None:
    """Make the last seat of a running table one of a kind."""
    host = people["host"]
    if kind == BOT:
        act(table, host, "substitute", seat=TARGET, bot=next(iter(plugin.game(table.game_id).bot_levels)))
    if kind in (EMPTY, INVITED):
        act(table, host, "kick", seat=TARGET)
    if kind == INVITED:
        carla = players.new_guest("Carla")
        membership.join(table.night, carla)
        act(table, host, "substitute", seat=TARGET, player=carla.pk)
        people["own"] = carla


def worlds() -> list[Any]:
    """Return every game, medium and kind of seat that go together: real equipment knows no bots at a real board."""
    return [
        pytest.param(game, medium, kind, id=f"{game}-{medium}-{kind}")
        for game, media in MEDIA.items()
        for medium in media
        for kind in KINDS
        if (medium, kind) != ("wood", BOT)
    ]


def each_world_of_day(turn: int) -> pytest.MarkDecorator:
    """Return the mark of a test of all worlds, of which each day has three; `turn` gives another test others."""
    return pytest.mark.parametrize(("game", "medium", "kind"), seeds.share_of_day(worlds(), 11, turn))


def test_the_table_names_every_command_of_every_game() -> None:
    found: dict[str, set[str]] = {}
    for case in few_cases():
        names = {
            choice.name
            for step in evening(case)
            for seat in range(case.seats)
            for choice in case.rules.choices(step.state, seat)
        }
        found.setdefault(case.game_id, set()).update(names)
    for game, names in found.items():
        assert names - {name for sort in COMMANDS[game].values() for name in sort} == set(), game


def test_a_seat_and_a_member_have_few_commands_of_the_house_and_the_host_all_others() -> None:
    assert (OF_A_SEAT, OF_MEMBERS) == (("table.accept", "table.dice_tip", "table.leave"), ("table.join",))
    assert set(OF_THE_HOST) == ALL["command"].keys() - {*OF_A_SEAT, *OF_MEMBERS}


@each_world_of_day(0)
def test_commands_of_a_game_are_sent_for_a_seat_by_those_alone_whom_the_table_names(
    make_world, game: str, medium: str, kind: str
) -> None:
    world = make_world(game, medium, kind)
    wrong = [
        f"{actor}: {name}"
        for actor in actors(kind)
        for sort, names in COMMANDS[game].items()
        for name in names
        if world.may(actor, name) != may_play(actor, kind, medium, sort)
    ]
    assert wrong == []


@each_world_of_day(5)
def test_the_houses_commands_of_a_seat_are_sent_by_its_person_or_the_keeper_alone(
    make_world, game: str, medium: str, kind: str
) -> None:
    world = make_world(game, medium, kind)
    wrong = [
        f"{actor}: {name}"
        for actor in actors(kind)
        for name in OF_A_SEAT
        if world.may(actor, name, tip="0" * 64) != may_as_seat(actor, kind, name)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("game", "medium"),
    seeds.share_of_day([(game, medium) for game, media in MEDIA.items() for medium in media], 7),
)
def test_acts_of_a_host_are_the_hosts_and_nobody_else_joins_somebody(make_world, game: str, medium: str) -> None:
    world = make_world(game, medium, PHONE)
    member = world.people["member"].pk
    for actor in actors(PHONE):
        args = {"seat": TARGET, "sitter": world.people["own"].pk, "player": member, "on": True, "to": 0, "k": 1}
        found = {name for name in OF_THE_HOST if world.may(actor, name, as_seat=False, **args)}
        assert found == (set(OF_THE_HOST) if actor == "host" else set()), actor
        if actor != "host":
            joins = world.may(actor, "table.join", as_seat=False, player=world.people["keeper"].pk)
            assert not joins, "the scorekeeper seats people without a phone, and nobody else anybody"


@pytest.mark.parametrize("kind", seeds.share_of_day(KINDS, 5))
def test_a_bot_acts_for_its_own_seat_alone_and_a_device_gives_its_own_links(make_world, kind: str) -> None:
    world = make_world("dummygame", "typed", kind)
    if kind == BOT:
        request = Request("bid", {"number": 1}, new_command_id(), seat=1)
        with undone():
            receipt = submit(world.table.pk, Actor(None, TARGET), request)
            assert {event.data["seat"] for event in receipt.events} == {TARGET}
    for actor in actors(kind):
        if actor != "own":
            assert not world.may(actor, "table.link", k=1, link="0" * 64)


def actors(kind: str) -> list[str]:
    """Return who sends something: a person without a phone, a bot and nobody send nothing themselves."""
    return [actor for actor in ACTORS if actor != "own" or kind in (PHONE, INVITED)]

"""An act upon a seat names the person whom its sender sees there: a sleeping phone's old tap hits nobody else."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from games.models import Player, Table
from games.services.commands import Actor, Request, new_command_id
from games.services.hosting import kept_seats
from games.services.nights import membership
from games.services.people import merging
from games.services.tables import setup
from games.services.tables.commit import submit
from games.services.tables.registry import COMMANDS
from tests.conftest import choices_at
from tests.tables.host.host_commands import act, sitter, whole
from tests.tables.host.test_host_commands import refused
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db

UPON_A_SEAT = [name.removeprefix("table.") for name, act in COMMANDS.items() if "seat" in act.args]


@pytest.fixture
def table(start_table) -> Table:
    return start_table("dummygame", "endless", seats=3)


@pytest.fixture
def ben(table: Table) -> Player:
    found = table.seats.get(index=1).player
    assert found is not None
    return found


@pytest.fixture
def carla(table: Table, ben: Player, host: Player, guest) -> Player:
    """Carla, who sits on Ben's seat by now."""
    found = guest("Carla")
    act(table, host, "kick", seat=1)
    act(table, host, "substitute", seat=1, player=found.pk)
    act(table, found, "accept")
    return found


def test_every_act_of_a_host_upon_a_seat_names_its_sitter() -> None:
    assert {"kick", "move", "substitute", "forfeit", "play_on", "place", "take_back", "nudge"} == set(UPON_A_SEAT)
    assert all("sitter" in COMMANDS[f"table.{name}"].args for name in UPON_A_SEAT)


@pytest.mark.parametrize("name", UPON_A_SEAT)
def test_an_old_tap_that_meant_somebody_else_changes_nothing_and_says_so(table, host, ben, carla, name: str) -> None:
    before = table.entries.count()
    for meant in (ben.pk, None, 2**60):
        with refused("other_sitter"):
            act(table, host, name, seat=1, sitter=meant, bot="low", to=0)
    assert (table.entries.count(), sitter(table, 1)) == (before, carla.pk)


@pytest.mark.parametrize("named", [{}, {"sitter": "1"}, {"sitter": True}, {"sitter": 1.0}, {"sitter": [1]}])
def test_an_act_upon_a_seat_that_names_nobody_is_refused(table, host, named: dict[str, object]) -> None:
    before = table.entries.count()
    with refused("bad_argument"):
        submit(table.pk, Actor(host.pk), Request("table.kick", {"seat": 1, **named}, new_command_id()))
    assert table.entries.count() == before


def test_who_goes_on_as_another_player_of_the_same_person_is_still_meant(table, host, ben, make_player) -> None:
    account = make_player("Ben A")
    account.user = User.objects.create_user("ben")
    account.save()
    merging.merge(ben, account)
    act(table, host, "kick", seat=1, sitter=ben.pk)
    assert sitter(table, 1) is None
    whole(table)


def test_the_api_refuses_an_old_tap_with_conflict(table, host, ben, carla) -> None:
    sent = {"id": "tap", "name": "table.kick", "args": {"seat": 1, "sitter": ben.pk}}
    answer = browser_of(host).post(f"/api/tables/{table.public_id}/commands/", sent, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "other_sitter")
    assert "Carla" in answer.json()["message"]


def test_an_old_tap_for_a_kept_seat_is_not_carried_out_for_who_is_kept_there_now(open_table, host, night) -> None:
    table = open_table("dummygame", "endless", seats=2)
    kept_seats.seat_person(table, host, "Kari")
    setup.start(table, host, new_command_id())
    kari = sitter(table, 2)
    choice = next(c for c in choices_at(table) if c.seat == 2)
    per = membership.bring(night, host, "Per")
    act(table, host, "substitute", seat=2, player=per.pk)
    for name, args in (("bid", choice.options[0]), ("table.leave", {})):
        request = Request(name, args, new_command_id(), choice.opened_at, seat=2, sitter=kari)
        with refused("other_sitter"):
            submit(table.pk, Actor(host.pk), request)
    assert sitter(table, 2) == per.pk


def test_somebody_without_a_phone_is_seated_instead_of_nobody_else(table, host, ben, carla) -> None:
    """The form offers empty seats: by the time it comes somebody may sit there."""
    with refused("other_sitter"):
        kept_seats.seat_person(table, host, "Kari", instead_of=1)
    assert sitter(table, 1) == carla.pk

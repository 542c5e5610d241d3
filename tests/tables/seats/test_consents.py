"""Whoever keeps a seat agrees to nothing for it by which they get points themselves."""

from __future__ import annotations

from typing import Any

import pytest

from games import plugin
from games.models import Player, Table
from games.services.commands import Actor, Request, new_command_id
from games.services.hosting import kept_seats
from games.services.tables import log, setup
from games.services.tables.commit import submit
from tests.tables.host.host_commands import act
from tests.tables.seats.test_kept_seats import refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(open_table, host: Player) -> Table:
    """A chouette of the host, a guest, and Kari whose seat the host keeps; its first game runs."""
    found = open_table("chouette", "wood", seats=2, line_order="by_hand", settlements=True)
    kept_seats.seat_person(found, host, "Kari")
    setup.start(found, host, new_command_id())
    sent(found, host, "begin_game", {})
    return Table.objects.get(pk=found.pk)


def sent(table: Table, by: Player, name: str, args: dict[str, Any], seat: int | None = None) -> log.Receipt:
    """Send a command of the game, for another's seat if one is named."""
    table = Table.objects.get(pk=table.pk)
    own = table.seats.get(player=by).index
    choices = plugin.game(table.game_id).rules.choices(log.state_of(table), own if seat is None else seat)
    basis = next((choice.opened_at for choice in choices if choice.name == name), table.seq)
    return submit(table.pk, Actor(by.pk), Request(name, args, new_command_id(), basis, seat=seat))


def test_who_keeps_a_seat_pays_themselves_nothing_from_it(table, host) -> None:
    act(table, host, "state_result", result={"winner": "box", "level": 1})
    pay = {"payer": 2, "payee": 0, "points": 1, "reason": "A slip"}
    before = Table.objects.get(pk=table.pk).seq
    with refused("own_gain"):
        sent(table, host, "correct", pay, seat=2)
    assert Table.objects.get(pk=table.pk).seq == before
    sent(table, host, "correct", {**pay, "payee": 1}, seat=2)


@pytest.mark.parametrize("points", [-3, 3])
def test_who_keeps_a_seat_settles_its_cube_to_their_own_gain_neither_by_offer_nor_by_answer(
    table, host, points: int
) -> None:
    """Seat 0, the host, is the Box; points go to the member, Kari."""
    cube = own_cube(table, 2)
    offer = {"cube": cube, "points": points}
    if points < 0:
        with refused("own_gain"):
            sent(table, host, "propose", offer, seat=2)
        sent(table, host, "propose", offer)
        with refused("own_gain"):
            sent(table, host, "answer_proposal", {"cube": cube, "accept": True}, seat=2)
        sent(table, host, "answer_proposal", {"cube": cube, "accept": False}, seat=2)
        return
    sent(table, host, "propose", offer)
    events = sent(table, host, "answer_proposal", {"cube": cube, "accept": True}, seat=2).events
    assert any(event.type == "cubes_ended" or "settled" in repr(event.data) for event in events)


def own_cube(table: Table, seat: int) -> int:
    """Return the cube of a member."""
    state = log.state_of(table)
    choices = plugin.game(table.game_id).rules.choices(state, seat)
    return next(option["cube"] for c in choices if c.name == "propose" for option in c.options)

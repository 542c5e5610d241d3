"""Devices of seats: a chain each, and the links that it gives for throws."""

from __future__ import annotations

from typing import Any

from games.kernel.dice import chains
from games.models import Table
from games.services.commands import HOUSE, Actor, Request, new_command_id
from games.services.dice import dice_chains
from games.services.dice.dice_chains import UnderWay
from games.services.tables import log, throws
from games.services.tables.commit import submit
from games.services.tables.log import Receipt
from tests import snapshots
from tests.conftest import answer, choices_at


class Device:
    """The device of a seat at a table: it has told its tip."""

    def __init__(self, table: Table, seat: int, secret: bytes = b"") -> None:
        self.table, self.seat = table, seat
        self.secret = secret or bytes([seat + 1]) * 32
        self.player_id = table.seats.get(index=seat).player_id
        self.used = 0
        self.send(throws.TIP, tip=self.link(0))

    def link(self, index: int) -> str:
        """Return a link of its chain."""
        return chains.link_of(chains.SEAT, self.secret, chains.SEAT_LENGTH, index).hex()

    def send(self, name: str, **args: Any) -> Receipt:
        """Send a command as its player."""
        return submit(self.table.pk, Actor(self.player_id), Request(name, args, new_command_id()))

    def give(self) -> Receipt:
        """Give the next link for the throw under way."""
        self.used += 1
        return self.send(throws.LINK, k=under_way(self.table).k, link=self.link(self.used))


def under_way(table: Table) -> UnderWay:
    """Return the throw under way; there is one."""
    found = log.snapshot_of(Table.objects.get(pk=table.pk)).under_way
    assert found is not None
    return found


def is_under_way(table: Table) -> bool:
    """Tell whether a throw waits for devices."""
    return log.snapshot_of(Table.objects.get(pk=table.pk)).under_way is not None


@snapshots.kept()
def throw(table: Table, command_id: str = "") -> Receipt:
    """Throw for the seat on turn, laying nothing out; who must stand does so first."""
    while not any(choice.name == "throw" for choice in choices_at(table)):
        answer(table, next(choice for choice in choices_at(table) if choice.required))
    choice = next(c for c in choices_at(table) if c.name == "throw")
    actor = Actor(table.seats.get(index=choice.seat).player_id)
    request = Request("throw", choice.options[0], command_id or new_command_id(), choice.opened_at)
    return submit(table.pk, actor, request)


@snapshots.kept()
def begin_a_roll(table: Table) -> bool:
    """Play on until a throw waits for devices; tell whether one does before the table stands still."""
    for _ in range(60):
        choice = next((choice for choice in choices_at(table) if choice.required and choice.options), None)
        if choice is None:
            return False
        answer(table, choice)
        if is_under_way(table):
            return True
    return False


def be_silent(table: Table) -> Receipt:
    """Let the device that is asked now be silent for too long, as the clock tells."""
    k = under_way(table).k
    return submit(table.pk, HOUSE, Request(throws.SILENT, {"k": k}, new_command_id()))


def chains_of(table: Table) -> dice_chains.Chains:
    """Return where a table's chains stand."""
    found = log.snapshot_of(Table.objects.get(pk=table.pk)).chains
    assert found is not None
    return found

"""A night that is closed at the moment of another act: one comes first, and nobody sits or plays there afterwards."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import connection

from games.kernel.contract import Illegal
from games.models import Night, Player, Seat, Table
from games.services.commands import new_command_id
from games.services.hosting import kept_seats
from games.services.nights import membership
from games.services.tables import setup

pytestmark = [pytest.mark.django_db(transaction=True)]

ROUNDS = 4

ACTS: dict[str, Callable[[Table, Player], object]] = {
    "start": lambda table, host: setup.start(table, host, new_command_id()),
    "sit": lambda table, host: setup.sit(table, host, accept=True),
    "add_bot": lambda table, host: setup.add_bot(table, host, "low"),
    "seat_person": lambda table, host: kept_seats.seat_person(table, host, "Kari"),
    "open_table": lambda table, host: setup.open_table(table.night, host, "dummygame", "quick", {}),
}


def at_once(*acts: Callable[[], object]) -> list[str]:
    """Carry out acts at the same moment, each with a connection of its own; return the codes of the refused ones."""
    gate, codes = threading.Barrier(len(acts)), []

    def run(act: Callable[[], object]) -> None:
        gate.wait()
        try:
            act()
        except Illegal as refusal:
            codes.append(refusal.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return codes


@pytest.mark.parametrize("name", ACTS)
def test_an_act_beside_the_closing_of_its_night_is_done_before_it_or_refused(name: str, make_player) -> None:
    for _ in range(ROUNDS):
        host, guest = make_player("Hanna"), make_player("Nils")
        night = membership.host_night(host, "Thursday")
        membership.join(night, guest)
        table = setup.open_table(night, host, "dummygame", "quick", {})
        for player in (guest,) if name == "sit" else (host, guest):
            setup.sit(table, player, accept=True)
        mine, other = (Table.objects.select_related("night").get(pk=table.pk) for _ in range(2))
        codes = at_once(lambda: ACTS[name](mine, host), lambda: membership.close(other.night, host))  # noqa: B023
        assert codes in ([], ["night_closed"])
        assert Night.objects.get(pk=night.pk).status == Night.Status.CLOSED
        assert not night.tables.filter(status__in=[Table.Status.PLAYING, Table.Status.PAUSED]).exists()
        assert not Seat.objects.filter(table__night=night, table__status=Table.Status.LOBBY).exists()

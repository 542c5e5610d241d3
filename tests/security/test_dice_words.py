"""The page of the dice promises no more than sealed seeds and chains hold; the attacks it names work."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse

from games.kernel import dice
from games.kernel.dice import chains
from games.models import Player, Table
from games.services.commands import new_command_id
from games.services.tables import setup
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


def test_the_page_of_the_dice_says_who_could_cheat_how(
    sealed_dice: None, start_table: Callable[..., Table], host: Player
) -> None:
    over = start_table()
    Table.objects.filter(pk=over.pk).update(status=Table.Status.FINISHED)
    for table in (start_table(), over):
        page = browser_of(host).get(reverse("dice_check", args=[table.public_id])).content.decode()
        assert "What this does not rule out" in page
        assert "database while a game is played knows the secret number" in page
        assert "the last to accept the rules can try out numbers" in page
        assert "the house can&#x27;t choose a number that suits it" not in page


def test_the_page_of_chains_says_who_could_cheat_how(
    open_table: Callable[..., Table], start_table: Callable[..., Table], host: Player
) -> None:
    for table in (open_table(), start_table()):
        page = browser_of(host).get(reverse("dice_check", args=[table.public_id])).content.decode()
        assert "What this does not rule out" in page
        assert "can be foreseen by those who read the house" in page
        assert "hands their phone to a friend" in page
        assert "and the house act together" in page


def test_who_sits_down_last_and_knows_the_seed_can_choose_no_die_of_a_chain(
    open_table: Callable[..., Table], host: Player
) -> None:
    """The numbers at the door are no part of the dice; the chain was bound before."""
    table = open_table("chouette", "german", seats=3)
    setup.sit(table, table.seats.get(index=2).player, accept=True, nonce="a wish")
    head, committed, *_ = setup.start(table, host, new_command_id()).events
    assert "a wish" not in str(head.data)
    assert committed.data["commitment"] == chains.commitment(bytes.fromhex(table.dice_seed), 0).hex()


def test_who_sits_down_last_and_knows_the_seed_can_choose_the_first_die(
    sealed_dice: None, open_table: Callable[..., Table], host: Player
) -> None:
    """What the words warn of, carried out: it is no promise, and a protocol that ends it changes this test."""
    table = open_table("chouette", "german", seats=3)
    last = table.seats.get(index=2)
    others = [seat.nonce for seat in table.seats.order_by("index")[:2]]
    number = next(n for n in range(10_000) if _first(table, [*others, str(n)]) == 6)
    setup.sit(table, last.player, accept=True, nonce=str(number))
    setup.start(table, host, new_command_id())
    table.refresh_from_db()
    assert dice.fair_die(table.dice_seed, table.dice_salt, 0) == 6


def _first(table: Table, nonces: list[str]) -> int:
    """Return the first die of a table with these numbers."""
    return dice.fair_die(table.dice_seed, dice.salt_of(nonces), 0)

"""Who is here: gone home and back by one tap, by those who may say it, and asked first at a table in play."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import Night, Player, Table
from games.services.commands import Actor, Request, new_command_id
from games.services.draws import drawn_tables
from games.services.draws.drawn_tables import DrawWish
from games.services.nights import membership
from games.services.people import merging, players
from games.services.tables import setup
from games.services.tables.commit import submit
from games.services.tables.seating import leaving
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


def refused(code: str):
    return pytest.raises(Illegal, match=f"'{code}'")


@pytest.fixture
def table(start_table: Callable[..., Table]) -> Table:
    """A table in play of three seats."""
    return start_table(seats=3)


@pytest.fixture
def guests(night: Night) -> dict[str, Player]:
    """Kari, who has brought her uncle, Nils and Uli, at the night."""
    found = {name: players.new_guest(name) for name in ("Kari", "Nils", "Uli")}
    for player in found.values():
        membership.join(night, player)
    return found | {"Uncle": membership.bring(night, found["Kari"], "Uncle")}


def names(night: Night) -> set[str]:
    return {row.player.nickname for row in leaving.members_here(night)}


def test_each_says_it_of_themselves_a_keeper_of_who_they_keep_the_host_of_everybody(
    night: Night, host: Player, guests: dict[str, Player]
) -> None:
    everybody = names(night)
    for by, about in (("Kari", "Kari"), ("Kari", "Uncle"), ("Hanna", "Nils")):
        speaker = host if by == "Hanna" else guests[by]
        leaving.go_home(night, speaker, guests[about].pk)
        assert names(night) == everybody - {about}
        leaving.come_back(night, speaker, guests[about].pk)
        assert names(night) == everybody
    for about in ("Uli", "Uncle"):
        with refused("not_for_them"):
            leaving.go_home(night, guests["Nils"], guests[about].pk)
    assert names(night) == everybody


def test_strangers_and_who_was_shown_the_door_say_nothing_of_anybody(
    night: Night, host: Player, guests: dict[str, Player]
) -> None:
    stranger = players.new_guest("Stranger")
    with refused("not_inside"):
        leaving.go_home(night, stranger, guests["Nils"].pk)
    with refused("no_such_player"):
        leaving.go_home(night, host, stranger.pk)
    membership.remove(night, host, guests["Nils"].pk)
    with refused("removed"):
        leaving.go_home(night, guests["Nils"], guests["Nils"].pk)
    membership.close(night, host)
    with refused("night_closed"):
        leaving.go_home(night, guests["Kari"], guests["Kari"].pk)


def test_two_taps_at_once_note_it_once(night: Night, guests: dict[str, Player]) -> None:
    for _ in range(2):
        leaving.go_home(night, guests["Kari"], guests["Kari"].pk)
    assert night.events.filter(type="gone_home").count() == 1


def test_at_a_table_in_play_it_asks_first_and_then_the_seat_is_free(
    night: Night, host: Player, table: Table, guests: dict[str, Player]
) -> None:
    sitter = table.seats.exclude(player=None).exclude(player=host).first()
    assert sitter is not None
    assert sitter.player is not None
    with refused("plays_still"):
        leaving.go_home(night, host, sitter.player.pk)
    assert table.seats.filter(player=sitter.player).exists()
    assert sitter.player.nickname in names(night)
    leaving.go_home(night, host, sitter.player.pk, sure=True)
    assert not table.seats.filter(player=sitter.player).exists()
    assert sitter.player.nickname not in names(night)


def test_only_who_is_here_is_drawn(night: Night, guests: dict[str, Player]) -> None:
    leaving.go_home(night, guests["Nils"], guests["Nils"].pk)
    assert guests["Nils"].pk not in {row.player_id for row in drawn_tables.people(night)}
    with refused("no_such_player"):
        drawn_tables.draw_tables(night, DrawWish("chouette", 4, "lot"), [player.pk for player in guests.values()])


def test_who_takes_a_seat_is_here(night: Night, host: Player, table: Table, guests: dict[str, Player]) -> None:
    for player in (guests["Kari"], guests["Nils"]):
        leaving.go_home(night, player, player.pk)
    setup.sit(setup.open_table(night, host, "dummygame", "quick", {}), guests["Kari"])
    assert "Kari" in names(night)
    sitter = table.seats.exclude(player=None).first()
    assert sitter is not None
    args = {"seat": sitter.index, "sitter": sitter.player_id, "player": guests["Nils"].pk}
    submit(table.pk, Actor(host.pk), Request("table.substitute", args, new_command_id()))
    assert "Nils" in names(night)


def test_of_two_who_become_one_the_one_who_is_here_counts(night: Night, guests: dict[str, Player]) -> None:
    leaving.go_home(night, guests["Nils"], guests["Nils"].pk)
    merging.merge(guests["Nils"], guests["Kari"])
    assert "Kari" in names(night)
    leaving.go_home(night, guests["Uli"], guests["Uli"].pk)
    leaving.go_home(night, guests["Kari"], guests["Kari"].pk)
    merging.merge(guests["Uli"], guests["Kari"])
    assert "Kari" not in names(night)


def test_the_page_has_the_tap_for_those_who_may_and_the_same_tap_back(
    night: Night, host: Player, guests: dict[str, Player]
) -> None:
    page = reverse("night", args=[night.public_id])
    home, back = (reverse("night_act", args=[night.public_id, act]) for act in ("go_home", "come_back"))
    browser = browser_of(guests["Kari"])
    assert browser.get(page).content.decode().count(f'action="{home}"') == 2
    browser.post(home, {"player": guests["Kari"].pk})
    assert "Kari" not in names(night)
    assert [row["player"].nickname for row in browser.get(page).context["gone"]] == ["Kari"]
    browser.post(back, {"player": guests["Kari"].pk})
    assert "Kari" in names(night)
    browser.post(home, {"player": guests["Uli"].pk})
    assert "Uli" in names(night)

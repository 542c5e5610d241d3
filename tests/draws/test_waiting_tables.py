"""Newcomers of waiting tables: at one as long as it wants them, then spread over two; moved, halved and joined."""

from __future__ import annotations

import threading

import pytest
from django.db import close_old_connections
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import GamePolicy, Membership, Night, Player, Table
from games.services.draws import waiting_tables
from games.services.hosting import kept_seats
from games.services.nights import membership
from games.services.people import players
from games.services.tables import setup
from tests.web.pages import browser_of, join_link, night_page, page_of, table_do

pytestmark = pytest.mark.django_db


def refused(code: str):
    return pytest.raises(Illegal, match=f"'{code}'")


@pytest.fixture
def table(night: Night, host: Player) -> Table:
    """A chouette that waits, with its host."""
    found = setup.open_table(night, host, "chouette", "german", {"max_players": 10})
    setup.sit(found, host, accept=True)
    return found


def come(night: Night, *names: str) -> list[Player]:
    """Let guests join and take the seats that they come to."""
    found = []
    for name in names:
        player = players.new_guest(name)
        membership.join(night, player)
        waiting_tables.seat_newcomer(night, player)
        found.append(player)
    return found


def seated(night: Night) -> list[list[str]]:
    """Return the names at each waiting table, in order."""
    return [list(each.seats.values_list("name", flat=True)) for each in waiting_tables.waiting(night)]


SIX = ("Anna", "Bert", "Carl", "Dora", "Emil", "Fred")


def test_a_landlord_with_six_guests_has_two_tables_of_four_and_three(night: Night, table: Table) -> None:
    come(night, *SIX[:5])
    assert seated(night) == [["Hanna", *SIX[:5]]]
    come(night, SIX[5])
    assert seated(night) == [["Hanna", "Anna", "Bert", "Carl"], ["Dora", "Emil", "Fred"]]
    come(night, "Gina", "Hans")
    assert seated(night) == [["Hanna", "Anna", "Bert", "Carl", "Gina", "Hans"], ["Dora", "Emil", "Fred"]]


@pytest.mark.parametrize(
    ("people", "want", "most", "tables"),
    [
        (0, 6, 6, 1),
        (6, 6, 6, 1),
        (7, 6, 6, 2),
        (13, 6, 10, 3),
        (6, 5, 10, 1),
        (8, 5, 10, 2),
        (12, 0, 8, 2),
        (9, 20, 20, 1),
    ],
)
def test_tables_are_as_many_as_the_sizes_of_draws_give(people: int, want: int, most: int, tables: int) -> None:
    assert waiting_tables.count_for(people, want, most) == tables


@pytest.mark.parametrize(("want", "people"), [(4, 6), (5, 6), (8, 9)])
def test_the_size_wanted_is_the_houses_and_each_part_has_three(
    night: Night, table: Table, want: int, people: int
) -> None:
    GamePolicy.objects.create(game_id="chouette", seats=want)
    come(night, *(f"Guest {number}" for number in range(people - 2)))
    assert len(seated(night)) == 1
    come(night, "Last")
    assert sorted(map(len, seated(night))) == [people // 2, people - people // 2]


def test_what_was_accepted_stands_at_the_second_table(night: Night, table: Table) -> None:
    guests = come(night, *SIX[:5])
    for each in guests:
        setup.sit(table, each, accept=True, nonce=f"of {each.nickname}")
    come(night, SIX[5])
    second = waiting_tables.waiting(night)[1]
    accepted = {seat.name: (seat.accepted_at is not None, seat.nonce) for seat in second.seats.all()}
    assert accepted == {"Dora": (True, "of Dora"), "Emil": (True, "of Emil"), "Fred": (False, "")}


def test_the_host_bots_and_people_without_a_phone_stay(night: Night, table: Table, host: Player) -> None:
    come(night, *SIX[:3])
    for name in ("Opa Karl", "Oma Else"):
        kept_seats.seat_person(table, host, name, is_adult=True)
    come(night, "Dora")
    assert seated(night) == [["Hanna", "Anna", "Opa Karl", "Oma Else"], ["Bert", "Carl", "Dora"]]


def test_one_table_brings_them_together_and_nobody_is_spread_any_more(night: Night, table: Table, host: Player) -> None:
    come(night, *SIX)
    (anna,) = Player.objects.filter(nickname="Anna")
    with refused("not_host"):
        waiting_tables.join_all(night, anna)
    second = waiting_tables.waiting(night)[1]
    (emil,) = Player.objects.filter(nickname="Emil")
    waiting_tables.join_all(night, host)
    assert seated(night) == [["Hanna", *SIX]]
    live = reverse("table_live", args=[second.public_id]) + "?seated"
    assert browser_of(emil).get(live, headers={"HX-Request": "true"})["HX-Redirect"] == page_of(table)
    night.refresh_from_db()
    come(night, "Gina")
    assert len(seated(night)) == 1


def test_whoever_looks_at_a_table_that_nobody_used_is_led_to_the_night_when_it_closes(
    night: Night, table: Table, host: Player
) -> None:
    anna = come(night, *SIX)[0]
    second = waiting_tables.waiting(night)[1]
    waiting_tables.join_all(night, host)
    phone, live = browser_of(anna), reverse("table_live", args=[second.public_id])
    assert phone.get(page_of(second)).status_code == 200
    membership.close(night, host)
    assert phone.get(live, headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    assert phone.get(page_of(second))["Location"] == night_page(night)
    assert f"Table {second.number}<" not in phone.get(night_page(night)).content.decode()


def test_where_the_rules_seat_fewer_than_wait_the_host_reads_why_there_is_no_one_table(
    night: Night, host: Player
) -> None:
    found = setup.open_table(night, host, "chouette", "german", {"max_players": 6})
    setup.sit(found, host, accept=True)
    come(night, *SIX)
    why = "One table is too small: 7 people wait, and these rules seat 6."
    for page in (page_of(found), night_page(night)):
        text = " ".join(browser_of(host).get(page).content.decode().split())
        assert why in text and "One table</button>" not in text
    with refused("table_full"):
        waiting_tables.join_all(night, host)
    emil = Player.objects.get(nickname="Emil")
    setup.vacate(waiting_tables.waiting(night)[1], emil, emil.seats.get().seat_id)
    text = " ".join(browser_of(host).get(night_page(night)).content.decode().split())
    assert why not in text and "One table</button>" in text


def test_six_can_be_split_by_one_tap_and_five_cannot(night: Night, table: Table, host: Player) -> None:
    come(night, *SIX[:4])
    with refused("bad_split"):
        waiting_tables.halve(table, host)
    assert "Split these" not in browser_of(host).get(page_of(table)).content.decode()
    come(night, SIX[4])
    assert "Split these 6" in browser_of(host).get(page_of(table)).content.decode()
    browser_of(host).post(table_do(table, "halve"))
    assert seated(night) == [["Hanna", "Anna", "Bert"], ["Carl", "Dora", "Emil"]]


def test_one_tap_moves_somebody_to_the_other_table(night: Night, table: Table, host: Player) -> None:
    guests = come(night, *SIX)
    first, second = waiting_tables.waiting(night)
    anna, dora, emil = guests[0], guests[3], guests[4]

    def seat_of(player: Player) -> str:
        return Table.objects.get(seats__player=player).seats.get(player=player).seat_id

    with refused("not_host"):
        waiting_tables.change_table(second, anna, seat_of(dora), first.public_id)
    waiting_tables.change_table(second, dora, seat_of(dora), first.public_id)
    waiting_tables.change_table(first, host, seat_of(anna), second.public_id)
    assert seated(night) == [["Hanna", "Bert", "Carl", "Dora"], ["Emil", "Fred", "Anna"]]
    for wrong in ("nowhere", second.public_id):
        with refused("not_waiting"):
            waiting_tables.change_table(second, emil, seat_of(emil), wrong)
    answer = browser_of(emil).post(table_do(second, "change_table"), {"seat": seat_of(emil), "to": first.public_id})
    assert answer["Location"] == page_of(first)


def test_who_was_moved_is_led_to_their_table(night: Night, table: Table) -> None:
    guests = come(night, *SIX[:5])
    browser = browser_of(guests[4])
    assert "?seated" in browser.get(page_of(table)).content.decode()
    come(night, SIX[5])
    second = waiting_tables.waiting(night)[1]
    answer = browser.get(reverse("table_live", args=[table.public_id]) + "?seated", headers={"HX-Request": "true"})
    assert answer["HX-Redirect"] == page_of(second)


def test_other_rules_are_accepted_anew(night: Night, table: Table, host: Player) -> None:
    other = setup.open_table(night, host, "chouette", "german", {"max_players": 8})
    waiting_tables.change_table(table, host, table.seats.get().seat_id, other.public_id)
    assert other.seats.get().accepted_at is None


def test_between_tables_of_the_host_newcomers_choose(night: Night, table: Table, host: Player) -> None:
    setup.open_table(night, host, "chouette", "german", {"max_players": 10})
    (anna,) = come(night, "Anna")
    assert seated(night) == [["Hanna"], []]
    assert not anna.seats.exists()


@pytest.mark.parametrize("screen", ["tv", "tv_plain"])
def test_the_big_screen_shows_all_waiting_tables(night: Night, table: Table, screen: str) -> None:
    come(night, *SIX)
    text = browser_of().get(reverse(screen, args=[night.public_id, night.token("tv")])).content.decode()
    for name in ("Table 1", "Table 2", "Hanna", *SIX):
        assert name in text


def test_a_guest_who_joins_by_the_link_sits_at_the_right_table(night: Night, table: Table) -> None:
    come(night, *SIX[:5])
    answer = browser_of().post(join_link(night), {"nickname": "Fred"})
    assert answer["Location"] == page_of(waiting_tables.waiting(night)[1])


@pytest.mark.django_db(transaction=True)
def test_two_who_come_at_once_are_both_seated_once(night: Night, table: Table) -> None:
    come(night, *SIX[:5])
    both = [players.new_guest(name) for name in ("Gina", "Hans")]
    for each in both:
        membership.join(night, each)
    barrier = threading.Barrier(2)

    def sit(player: Player) -> None:
        barrier.wait()
        try:
            waiting_tables.seat_newcomer(night, player)
        finally:
            close_old_connections()

    threads = [threading.Thread(target=sit, args=[each]) for each in both]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    names = seated(night)
    assert sorted(name for one in names for name in one) == sorted(["Hanna", *SIX[:5], "Gina", "Hans"])
    assert len(names) == 2
    assert min(map(len, names)) >= 3
    assert Membership.objects.filter(night=night).count() == 8

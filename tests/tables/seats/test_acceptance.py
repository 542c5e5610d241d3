"""Forfeits at a table of the house (docs/rules-chicago.md §4.4): the rules card, its price, the door.

Leaving costs three forfeits whichever way somebody leaves; a substitute accepts the rules card for
themselves before their first throw, in every game; where adults only may play, everybody is asked at the door.
"""

from __future__ import annotations

import pytest

from games.kernel.contract import Illegal
from games.models import Player, Seat, Table
from games.services import commands
from games.services.commands import Request
from games.services.nights import membership
from games.services.tables import log, setup
from tests.conftest import answer, choices_at
from tests.house_rules.test_form import new_table, posted
from tests.tables.commit.commits import Answers, take
from tests.tables.host.host_commands import act, whole
from tests.web.pages import browser_of, join_link, night_page, page_of, read, table_do

pytestmark = pytest.mark.django_db


def refused(code: str):
    """Assert that a service refuses with a code."""
    return pytest.raises(Illegal, match=f"^\\('{code}'")


@pytest.fixture
def table(start_table) -> Table:
    """A running table of forfeits with four people."""
    return start_table("chicago", "forfeits", seats=4)


def forfeits(table: Table) -> list[int]:
    table.refresh_from_db()
    return [player.forfeits for player in log.state_of(table).players]


def player_at(table: Table, seat: int) -> Player:
    player = table.seats.get(index=seat).player
    assert player is not None
    return player


def turn(table: Table) -> int:
    table.refresh_from_db()
    return log.state_of(table).on_turn


def other_seat(table: Table) -> int:
    """Return a guest's seat."""
    return next(s.index for s in table.seats.order_by("-index") if s.player_id != table.night.host_id)


# "Leaving costs three forfeits at once, whichever way somebody leaves."


def test_leaving_ones_seat_costs_three_forfeits(table):
    seat = other_seat(table)
    events = [e.type for e in act(table, player_at(table, seat), "leave").events]
    assert events == ["table.left", "seat_vacated", "forfeit_taken", "offer_made"]
    assert forfeits(table)[seat] == 3
    whole(table)


def test_being_taken_off_the_seat_costs_three_forfeits_and_giving_it_up_no_more(table, host):
    seat = other_seat(table)
    act(table, host, "kick", seat=seat)
    assert forfeits(table)[seat] == 3
    act(table, host, "forfeit", seat=seat)
    assert forfeits(table)[seat] == 3
    whole(table)


def test_being_shown_the_door_of_the_night_costs_three_forfeits(table, host):
    seat = other_seat(table)
    membership.remove(table.night, host, player_at(table, seat).pk)
    assert forfeits(table)[seat] == 3


def test_being_replaced_costs_three_forfeits_and_so_does_the_substitutes_leaving(table, host, guest):
    seat, late = other_seat(table), guest()
    events = [e.type for e in act(table, host, "substitute", seat=seat, player=late.pk).events]
    assert events == ["table.substituted", "seat_vacated", "forfeit_taken", "offer_made"] and forfeits(table)[seat] == 3
    assert [e.type for e in act(table, late, "accept").events] == ["table.accepted", "seat_occupied"]
    act(table, late, "leave")
    assert forfeits(table)[seat] == 6
    whole(table)


def test_a_pause_saves_nobody_the_forfeits(table, host):
    seat = other_seat(table)
    act(table, host, "pause")
    act(table, player_at(table, seat), "leave")
    assert forfeits(table)[seat] == 3
    act(table, host, "resume")
    whole(table)


def test_an_empty_seat_and_a_bot_pay_nothing(table, host):
    seat = other_seat(table)
    act(table, host, "kick", seat=seat)
    act(table, host, "substitute", seat=seat, bot="easy")
    act(table, host, "substitute", seat=seat, bot="strong")
    assert forfeits(table)[seat] == 3


def test_who_takes_their_own_seat_back_pays_for_leaving_again(table):
    seat = other_seat(table)
    leaver = player_at(table, seat)
    act(table, leaver, "leave")
    act(table, leaver, "join")
    act(table, leaver, "leave")
    assert forfeits(table)[seat] == 6
    whole(table)


@pytest.mark.parametrize("preset", ["classic", "bavarian", "tschigg"])
def test_without_forfeits_the_seat_waits_as_it_is(start_table, preset):
    table = start_table("chicago", preset, seats=3)
    assert [e.type for e in act(table, player_at(table, 1), "leave").events] == ["table.left"]


# "A substitute accepts the rules card for themselves before their first throw."


@pytest.fixture
def substitute(table, host, guest) -> Player:
    """A guest who has been given the seat that is on turn."""
    late = guest()
    act(table, host, "substitute", seat=turn(table), player=late.pk)
    return late


def throw(table: Table) -> commands.Request:
    choice = next(c for c in choices_at(table) if c.name == "throw")
    return Request("throw", choice.options[0], commands.new_command_id(), choice.opened_at)


def test_a_substitute_accepts_the_rules_card_before_their_first_throw(table, substitute):
    assert table.seats.get(player=substitute).accepted_at is None
    with refused("accept_first"):
        answer(table, next(c for c in choices_at(table) if c.name == "throw"))
    events = act(table, substitute, "accept").events
    assert [(e.type, e.data["seat"]) for e in events] == [
        ("table.accepted", turn(table)),
        ("seat_occupied", turn(table)),
    ]
    answer(table, next(c for c in choices_at(table) if c.name == "throw"))
    with refused("accepted"):
        act(table, substitute, "accept")
    whole(table)


@pytest.mark.django_db(transaction=True)
def test_commands_that_are_committed_together_ask_for_the_rules_card_too(table, substitute):
    answers, request = Answers(), throw(table)
    take([answers.asked(table, request, turn(table))])
    act(table, substitute, "accept")
    take([answers.asked(table, request, turn(table))])
    assert answers.told[0].code == "accept_first" and answers.told[1].seq == table.seq + 1


def test_a_member_whom_the_host_seats_accepts_for_themselves(table, host, guest):
    late = guest()
    act(table, host, "join", player=late.pk)
    assert table.seats.get(player=late).accepted_at is None
    act(table, late, "accept")
    own = guest("Own")
    act(table, own, "join")
    assert table.seats.get(player=own).accepted_at is not None


def test_nobody_accepts_for_somebody_else(table, host, guest):
    late, seat = guest(), other_seat(table)
    act(table, host, "substitute", seat=seat, player=late.pk)
    with refused("accepted"):
        act(table, host, "accept", seat=seat, adult=True)
    assert table.seats.get(player=late).accepted_at is None


def test_the_page_asks_a_substitute_and_says_so(table, substitute):
    page = read(browser_of(substitute).get(page_of(table)).content.decode())
    assert page.by_id("accept-bar") is not None and page.by_id("accept-rules") is not None


@pytest.mark.parametrize("preset", ["classic", "bavarian"])
def test_a_substitute_accepts_the_rules_card_first_in_every_game(start_table, host, guest, preset):
    table, late = start_table("chicago", preset, seats=3), guest()
    act(table, host, "substitute", seat=turn(table), player=late.pk)
    with refused("accept_first"):
        answer(table, next(c for c in choices_at(table) if c.name == "throw"))
    act(table, late, "accept")
    answer(table, next(c for c in choices_at(table) if c.name == "throw"))


# "Adults only if the house says so": asked at the table's door.


@pytest.fixture
def adults(open_table) -> Table:
    """A table for adults only that waits to start."""
    return open_table("chicago", "forfeits", seats=3, adults_only=True)


def test_nobody_sits_down_at_a_table_for_adults_without_saying_that_they_are_of_age(adults, guest):
    late = guest()
    for accept in (True, False):
        with refused("adults_only"):
            setup.sit(adults, late, accept=accept)
    setup.sit(adults, late, is_adult=True)
    with refused("adults_only"):
        setup.sit(adults, late, accept=True)
    setup.sit(adults, late, accept=True, is_adult=True)


def test_the_pages_ask_and_the_server_insists(adults, guest, night):
    late = guest()
    browser = browser_of(late)
    page = read(browser.get(page_of(adults)).content.decode())
    assert page.by_id("adult") is not None and "required" in page.by_id("adult").attrs
    card = page.all("input", name="card")[0].attrs["value"]
    browser.post(table_do(adults, "accept"), {"card": card})
    browser.post(table_do(adults, "sit"))
    assert not adults.seats.filter(player=late).exists()
    assert 'name="adult"' in browser.get(night_page(night)).content.decode()
    browser.post(table_do(adults, "accept"), {"card": card, "adult": "yes"})
    assert adults.seats.get(player=late).accepted_at is not None


def test_the_api_asks_too(adults, guest):
    late = guest()
    browser, path = browser_of(late), f"/api/tables/{adults.public_id}/seats/"
    answer = browser.post(path, {}, content_type="application/json")
    assert answer.json()["code"] == "adults_only" and not adults.seats.filter(player=late).exists()
    assert browser.post(path, {"adult": True}, content_type="application/json").status_code == 201


def test_a_running_table_for_adults_asks_whoever_joins_or_takes_over(start_table, host, guest):
    table = start_table("chicago", "forfeits", seats=3, adults_only=True)
    late, other = guest(), guest("Other")
    for said in ({}, {"adult": False}, {"adult": "yes"}):
        with refused("adults_only"):
            act(table, late, "join", **said)
    act(table, late, "join", adult=True)
    act(table, host, "substitute", seat=turn(table), player=other.pk)
    with refused("adults_only"):
        act(table, other, "accept")
    act(table, other, "accept", adult=True)
    assert Seat.objects.get(table=table, player=other).accepted_at is not None
    whole(table)


def test_a_host_cannot_say_for_somebody_else_that_they_are_of_age(start_table, host, guest):
    table, late = start_table("chicago", "forfeits", seats=3, adults_only=True), guest()
    act(table, host, "join", player=late.pk, adult=True, in_person=True)
    assert Seat.objects.get(table=table, player=late).accepted_at is None


def test_without_forfeits_the_rule_means_nothing(open_table, guest):
    table = open_table("chicago", "classic", seats=2, adults_only=True)
    setup.sit(table, guest(), accept=True)


def test_the_host_who_opens_a_table_for_adults_is_asked_like_everybody_else(night, host):
    sent = posted("chicago", "forfeits", adults_only=True) | {"sit": "1"}
    answer = browser_of(host).post(new_table(night), sent)
    table = Table.objects.get(night=night)
    assert answer["Location"] == page_of(table) and not table.seats.exists()


def test_whoever_scans_the_code_finds_the_door_of_the_table_for_adults(adults, night):
    joined = browser_of().post(join_link(night), {"nickname": "Kari"})
    assert joined["Location"] == page_of(adults)
    assert not adults.seats.filter(name="Kari").exists()


def test_who_plays_again_is_not_asked_again(adults, host):
    setup.start(adults, host, "start")
    for seat in (1, 2):
        act(adults, host, "forfeit", seat=seat)
    following = setup.play_again(adults, host)
    setup.sit(following, host, accept=True, nonce="fresh")

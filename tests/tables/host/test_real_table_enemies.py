"""What somebody might try where one device enters for many: harmless, or refused with a code, and nothing changed."""

from __future__ import annotations

from typing import Any

import pytest

from games.kernel.contract import Illegal
from games.models import Night, Player, Result, Table
from games.services.commands import Actor, Request, new_command_id
from games.services.hosting import device_transfer, kept_seats
from games.services.nights import membership
from games.services.tables import log, setup
from games.services.tables.commit import submit
from tests.conftest import choices_at
from tests.tables.host.host_commands import act, named, whole
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
TOO_MANY = 3_000


def refused(code: str) -> Any:
    """Assert that a service refuses with a code."""
    return pytest.raises(Illegal, match=f"^\\('{code}'")


@pytest.fixture
def table(open_table: Any, host: Player) -> Table:
    """A chouette at a real board: the host, two guests with phones, and Kari, who has none."""
    table = open_table("chouette", "wood", seats=3, line_order="by_hand")
    kept_seats.seat_person(table, host, "Kari")
    setup.start(table, host, new_command_id())
    table.refresh_from_db()
    return table


@pytest.fixture
def elsewhere(make_player: Any) -> Night:
    """A night of another host in the same house, with somebody without a phone."""
    otto = make_player("Otto")
    night = membership.host_night(otto, "Elsewhere")
    membership.bring(night, otto, "Uli")
    return night


def request_of(table: Table, seat: int, name: str, option: int = 0) -> Request:
    """Return an answer to what is open for a seat, as two devices that show the same would send it."""
    choice = next(c for c in choices_at(table) if c.seat == seat and c.name == name)
    return Request(choice.name, choice.options[option], new_command_id(), choice.opened_at, seat=seat)


def again(request: Request) -> Request:
    """Return the same request as another device sends it: with an id of its own."""
    return Request(request.name, request.args, new_command_id(), request.basis, seat=request.seat)


def person(table: Table, index: int) -> Player:
    found = table.seats.get(index=index).player
    assert found is not None
    return found


def state(table: Table) -> Any:
    return log.state_of(Table.objects.get(pk=table.pk))


# Somebody of another night


def test_a_host_of_another_night_enters_nothing_here_and_seats_nobody(table: Table, elsewhere: Night) -> None:
    otto, before = elsewhere.host, table.seq
    with refused("removed"):
        submit(table.pk, Actor(otto.pk), request_of(table, 0, "begin_game"))
    with refused("not_host"):
        kept_seats.seat_person(table, otto, "Nils")
    with refused("not_host"):
        kept_seats.name_scorekeeper(table, otto, otto.pk)
    with refused("not_keeper"):
        device_transfer.approve_for(otto, person(table, 3).pk, "000000")
    for name in ("state_result", "take_back", "scorekeeper"):
        with pytest.raises(Illegal) as refusal:
            act(table, otto, name, seat=0, player=otto.pk, result={"winner": "box", "level": 1})
        assert refusal.value.code in {"removed", "not_host"}
    table.refresh_from_db()
    assert table.seq == before
    assert not Player.objects.filter(nickname="Nils").exists()


def test_nobody_of_another_night_is_named_scorekeeper_here(table: Table, host: Player, elsewhere: Night) -> None:
    with refused("no_such_player"):
        act(table, host, "scorekeeper", player=elsewhere.host_id)


def test_by_the_api_a_table_of_another_night_is_not_to_be_seen(table: Table, elsewhere: Night) -> None:
    browser, where = browser_of(elsewhere.host), f"/api/tables/{table.public_id}/"
    command = {"id": "c-1", "name": "begin_game", "args": {}, "basis": 1, "seat": 0}
    posts = ((f"{where}commands/", command), (f"{where}seats/", {"person": "Nils"}))
    for address, body in (*posts, (f"{where}scorekeeper/", {"player": elsewhere.host_id})):
        answer = browser.post(address, body, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (403, "not_inside")


# Two who enter


def test_two_devices_that_enter_the_same_count_once(table: Table, host: Player) -> None:
    act(table, host, "scorekeeper", player=person(table, 1).pk)
    request = request_of(table, 0, "begin_game")
    submit(table.pk, Actor(host.pk), request)
    with pytest.raises(Illegal) as refusal:
        submit(table.pk, Actor(person(table, 1).pk), again(request))
    assert refusal.value.code in {"not_open", "stale"}
    assert state(table).game.number == 1
    whole(table)


def test_a_scorekeeper_is_one_no_more_once_another_is_named(table: Table, host: Player) -> None:
    first, second = person(table, 1), person(table, 2)
    act(table, host, "scorekeeper", player=first.pk)
    act(table, host, "scorekeeper", player=second.pk)
    with refused("not_keeper"):
        submit(table.pk, Actor(first.pk), request_of(table, 0, "begin_game"))
    submit(table.pk, Actor(second.pk), request_of(table, 0, "begin_game"))
    with refused("not_host"):
        kept_seats.seat_person(table, first, "Nils")
    whole(table)


# Taps


def test_a_double_tap_on_an_offer_offers_once_and_withdraws_nothing(table: Table, host: Player) -> None:
    submit(table.pk, Actor(host.pk), request_of(table, 0, "begin_game"))
    request = request_of(table, 0, "offer", -1)
    first = submit(table.pk, Actor(host.pk), request)
    assert submit(table.pk, Actor(host.pk), request).seq == first.seq, "the same tap, sent again"
    with refused("not_open"):
        submit(table.pk, Actor(host.pk), again(request))
    assert state(table).game.batch == (0, 1, 2)


def test_two_who_take_the_same_act_back_take_back_one(table: Table, host: Player) -> None:
    """The Box has begun and told a tie: it and the host tap at once, and the beginning stands."""
    submit(table.pk, Actor(host.pk), request_of(table, 0, "begin_game"))
    submit(table.pk, Actor(host.pk), request_of(table, 0, "offer", -1))
    own, seen = request_of(table, 0, "take_back"), Table.objects.get(pk=table.pk).seq
    hosts = Request("table.take_back", named(table, "table.take_back", {"seat": 0}), new_command_id(), seen)
    submit(table.pk, Actor(host.pk), own)
    for late in (hosts, again(hosts), again(own)):
        with refused("stale"):
            submit(table.pk, Actor(host.pk), late)
    assert state(table).game.stage == "wood"
    whole(table)


def test_what_the_house_alone_has_logged_since_makes_no_act_of_the_host_stale(table: Table, host: Player) -> None:
    submit(table.pk, Actor(host.pk), request_of(table, 0, "begin_game"))
    seen = Table.objects.get(pk=table.pk).seq
    act(table, host, "nudge", seat=1)
    submit(
        table.pk,
        Actor(host.pk),
        Request("table.take_back", named(table, "table.take_back", {"seat": 0}), new_command_id(), seen),
    )
    assert state(table).game is None
    for basis in (seen, seen + 100, 0):
        with refused("stale"):
            submit(
                table.pk,
                Actor(host.pk),
                Request("table.take_back", named(table, "table.take_back", {"seat": 0}), new_command_id(), basis),
            )
    whole(table)


def test_a_result_that_the_host_states_on_top_of_an_agreed_one_is_refused(table: Table, host: Player) -> None:
    submit(table.pk, Actor(host.pk), request_of(table, 0, "begin_game"))
    submit(table.pk, Actor(host.pk), request_of(table, 0, "result"))
    seen = Table.objects.get(pk=table.pk).seq
    submit(table.pk, Actor(person(table, 1).pk), request_of(table, 1, "answer_result"))
    submit(table.pk, Actor(host.pk), request_of(table, 0, "begin_game"))
    stated = {"result": {"winner": "team", "level": 3}}
    with refused("stale"):
        submit(table.pk, Actor(host.pk), Request("table.state_result", stated, new_command_id(), seen))
    assert state(table).game.number == 2


# One seat, two phones


def test_of_two_phones_that_both_are_approved_the_first_has_the_seat(table: Table, night: Night, host: Player) -> None:
    kari = person(table, 3)
    asked = [device_transfer.request_move(night, kari.pk) for _ in range(2)]
    for move, _ in asked:
        device_transfer.approve_move(night, host, kari.pk, move.number)
    (_, first), (_, second) = asked
    assert device_transfer.use_move(first) == kari
    since = Player.objects.get(pk=kari.pk).devices_since
    for secret in (first, second):
        with refused("move_gone"):
            device_transfer.use_move(secret)
    assert Player.objects.get(pk=kari.pk).devices_since == since, "the phone that came first stays in"
    whole(table)


def test_a_phone_is_not_let_in_by_who_kept_the_seat_before(table: Table, night: Night, host: Player) -> None:
    kari, keeper = person(table, 3), person(table, 1)
    act(table, host, "scorekeeper", player=keeper.pk)
    (first, secret), (second, other) = (device_transfer.request_move(night, kari.pk) for _ in range(2))
    device_transfer.approve_for(keeper, kari.pk, first.number)
    device_transfer.use_move(secret)
    with refused("not_keeper"):
        device_transfer.approve_for(keeper, kari.pk, second.number)
    with refused("move_gone"):
        device_transfer.use_move(other)


# Huge sheets


@pytest.mark.parametrize("count", [TOO_MANY, 61])
def test_a_huge_sheet_of_a_past_game_is_refused_before_anything_is_worked_out(
    night: Night, host: Player, count: int
) -> None:
    people = [membership.bring(night, host, f"Guest {n}").pk for n in range(8)]
    lines = [{"player": people[n % 8], "points": 10**30 if n else -(10**30)} for n in range(count)]
    browser = browser_of(host)
    sheet = {"game": "chouette", "preset": "german", "lines": lines}
    answer = browser.post(f"/api/nights/{night.public_id}/past-games/", sheet, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) in {
        (400, "too_many_seats"),
        (400, "bad_field"),
        (413, "too_long"),
    }
    assert not Result.objects.exists()


def test_a_form_of_thousands_of_lines_is_refused(night: Night, host: Player) -> None:
    fields = {f"points-{n}": "1" for n in range(TOO_MANY)}
    answer = browser_of(host).post(f"/night/{night.public_id}/past-game/", {"game": "chouette", **fields})
    assert answer.status_code in {400, 413}
    assert not Result.objects.exists()

"""What was done on a seat is told of the people who sat there then (docs/protocol.md §5, `before`)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.kernel.contract import Event
from games.models import DELETED_NAME, Player, Table
from games.services.history import exports
from games.services.logs import log_views
from games.services.people import deletion, merging
from games.services.seats import sittings
from games.services.seats.sittings import ONLOOKER, Sitting
from games.services.tables import snapshot
from tests.conftest import answer, choices_at
from tests.tables.host.host_commands import act
from tests.tables.test_log import play_out
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db

SEAT, BOT = 1, "low"


@pytest.fixture
def table(start_table: Callable[..., Table]) -> Table:
    """A table of three, in play."""
    return start_table("dummygame", seats=3)


@pytest.fixture
def anna(table: Table) -> Player:
    """The guest on the seat that will change hands."""
    player = table.seats.get(index=SEAT).player
    assert player is not None
    return player


def before(table: Table, seat: int = SEAT) -> list[tuple[str, int]]:
    """Return the earlier people of a seat as its table object tells them."""
    told = log_views.snapshot(table.pk).table
    assert told is not None
    return [(one["name"], one["upto"]) for one in told["seats"][seat].get("before", [])]


def substitute(table: Table, host: Player, **by: object) -> int:
    """Put another on the seat; return the entry."""
    return act(table, host, "substitute", seat=SEAT, **by).seq


def test_a_seat_that_changed_hands_names_its_earlier_people_up_to_the_entry_of_the_next(
    table: Table, anna: Player, host: Player, guest: Callable[..., Player]
) -> None:
    assert before(table) == []
    first = substitute(table, host, player=guest("Carla").pk)
    second = substitute(table, host, bot=BOT)
    assert before(table) == [(anna.nickname, first), ("Carla", second)]
    assert before(table, 0) == before(table, 2) == []
    snapshot.forget_all()
    assert before(table) == [(anna.nickname, first), ("Carla", second)], "also as read from the log"


def test_an_empty_seat_is_still_called_by_who_left_it_until_somebody_else_sits_down(
    table: Table, anna: Player, host: Player, guest: Callable[..., Player]
) -> None:
    act(table, anna, "leave")
    assert before(table) == []
    change = substitute(table, host, player=guest("Carla").pk)
    assert before(table) == [(anna.nickname, change)]


def test_who_comes_back_is_nobody_else(table: Table, anna: Player, host: Player) -> None:
    act(table, anna, "leave")
    substitute(table, host, player=anna.pk)
    assert before(table) == []


def test_two_who_became_one_are_one_person(
    table: Table, anna: Player, host: Player, guest: Callable[..., Player]
) -> None:
    carla = guest("Carla")
    act(table, anna, "leave")
    substitute(table, host, player=carla.pk)
    merging.merge(anna, carla)
    assert before(table) == []


@pytest.mark.parametrize("is_kept", [True, False])
def test_the_name_of_who_is_deleted_is_nowhere_in_it(
    table: Table, anna: Player, host: Player, guest: Callable[..., Player], is_kept: bool
) -> None:
    change = substitute(table, host, player=guest("Carla").pk)
    assert before(table) == [(anna.nickname, change)]
    deletion.delete(anna)
    if not is_kept:
        snapshot.forget_all()
    assert before(table) == [(DELETED_NAME, change)]


def test_a_name_deleted_after_the_end_is_gone_also_from_a_seat_where_it_sat_before() -> None:
    sat = (Sitting(0, 7, 0, end=5, name="Anna"), Sitting(0, 8, 5, name="Carla"), Sitting(1, 7, 9, name="Anna"))
    assert sittings.names_before(sittings.named(sat, {7: None})) == {0: [{"name": DELETED_NAME, "upto": 5}]}


def test_a_move_is_no_longer_for_a_seat_that_changed_hands(
    table: Table, host: Player, guest: Callable[..., Player]
) -> None:
    substitute(table, host, player=guest("Carla").pk)
    receipt = answer(table, choices_at(table)[0])
    assert set(log_views.entry_json(receipt.entry, ONLOOKER)) <= {"type", "seq", "events", "throw"}


def test_the_page_the_api_and_the_log_as_a_file_tell_them(
    table: Table, anna: Player, host: Player, guest: Callable[..., Player]
) -> None:
    carla = guest("Carla")
    change = substitute(table, host, player=carla.pk)
    act(table, carla, "accept")
    told = [{"name": anna.nickname, "upto": change}]
    seats = browser_of(host).get(f"/api/tables/{table.public_id}/").json()["table"]["seats"]
    assert [seat.get("before") for seat in seats] == [None, told, None]
    assert exports.log_json(play_out(table))["table"]["seats"][SEAT]["before"] == told


def test_the_right_to_read_does_not_depend_on_a_name() -> None:
    event = Event("bid", {"seat": 0}, audience=(0,))
    one, renamed = (Sitting(0, 7, 1, name=name) for name in ("Anna", DELETED_NAME))
    assert one == renamed and hash(one) == hash(renamed)
    assert sittings.reader((renamed,), 7, 0).may_read(event, 2)

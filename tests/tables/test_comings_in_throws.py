"""Who comes and goes while a throw is under way: accepted at once, carried out after the dice, and no throw is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from games.kernel.contract import Illegal
from games.models import Night, Player, Table
from games.services import publication
from games.services.commands import Actor, Request, new_command_id
from games.services.nights import membership
from games.services.people import deletion
from games.services.tables import log, relay, snapshot
from games.services.tables.commit import submit
from games.services.tables.log import Receipt
from games.services.tables.relay import TableNews
from tests.devices import Device, be_silent, begin_a_roll, is_under_way, throw, under_way
from tests.tables.test_throws import is_sound

pytestmark = pytest.mark.django_db
StartTable = Callable[..., Table]


@pytest.fixture
def table(start_table: StartTable) -> Table:
    return start_table("chicago", "classic", seats=3)


@pytest.fixture
def all_devices(table: Table) -> dict[int, Device]:
    return {seat: Device(table, seat) for seat in range(3)}


@pytest.fixture
def newcomer(guest: Callable[..., Player]) -> Player:
    """A member of the night without a seat."""
    return guest("Nina")


def act(table: Table, who: Player | int, name: str, /, **args: Any) -> Receipt:
    player_id = who if isinstance(who, int) else who.pk
    return submit(table.pk, Actor(player_id), Request(name, args, new_command_id()))


def begin(table: Table) -> int:
    """Begin a throw, and return its thrower."""
    throw(table)
    seat = under_way(table).seat
    assert seat is not None
    return seat


def finish(table: Table, all_devices: dict[int, Device]) -> None:
    """Let all who are asked give their links."""
    while is_under_way(table):
        all_devices[under_way(table).waiting[0]].give()


def types(table: Table, last: int) -> list[str]:
    """Return the first event of each of the last entries."""
    return [entry.events[0].type for entry in log.entries(table.pk)[-last:]]


def sitters(table: Table) -> list[int | None]:
    return [seat.player_id for seat in table.seats.order_by("index")]


def test_who_comes_in_a_throw_sits_down_with_the_entry_after_the_dice(
    table: Table, all_devices: dict[int, Device], newcomer: Player
) -> None:
    begin(table)
    answer = act(table, newcomer, "table.join")
    assert [event.type for event in answer.events] == ["table.postponed"]
    assert is_under_way(table) and len(sitters(table)) == 3
    finish(table, all_devices)
    assert types(table, 2) == ["dice_thrown", "table.joined"]
    assert sitters(table)[3] == newcomer.pk
    assert is_sound(table)


def test_a_script_that_joins_and_leaves_drops_no_throw_of_a_chouette(
    start_table: StartTable, guest: Callable[..., Player]
) -> None:
    table, spectator = start_table("chouette", "german", seats=3), guest("Sven")
    all_devices = {seat: Device(table, seat) for seat in range(3)}
    thrown = 0
    while thrown < 12 and begin_a_roll(table):
        answers = [act(table, spectator, name) for name in ("table.join", "table.leave", "table.join", "table.leave")]
        assert {each.events[0].type for each in answers} == {"table.postponed"}
        finish(table, all_devices)
        thrown += 1
    told = [event.type for entry in log.entries(table.pk) for event in entry.events]
    assert thrown == 12 and told.count("table.joined") > 5
    assert "table.throw_dropped" not in told
    assert is_sound(table)


@pytest.mark.parametrize("name", ["table.leave", "table.kick", "table.forfeit", "table.substitute"])
@pytest.mark.parametrize("game", ["chicago", "chouette"])
def test_who_is_not_the_thrower_goes_after_the_dice(
    start_table: StartTable, host: Player, guest: Callable[..., Player], name: str, game: str
) -> None:
    table = start_table(game, {"chicago": "classic", "chouette": "german"}[game], seats=3)
    all_devices = {seat: Device(table, seat) for seat in range(3)}
    thrower = begin(table) if game == "chicago" else begin_a_roll(table) and under_way(table).seat
    seat = next(each for each in range(1, 3) if each != thrower)
    gone = table.seats.get(index=seat).player_id
    if name == "table.leave":
        receipt = act(table, gone, name)
    else:
        more = {"player": guest().pk} if name == "table.substitute" else {}
        receipt = act(table, host, name, seat=seat, sitter=gone, **more)
    assert [event.type for event in receipt.events] == ["table.postponed"]
    assert gone in sitters(table)
    finish(table, all_devices)
    assert gone not in sitters(table)
    told = [event.type for entry in log.entries(table.pk) for event in entry.events]
    assert "table.throw_dropped" not in told and "table.lapsed" not in told
    assert is_sound(table)


def test_the_throwers_own_going_drops_the_throw_and_those_who_wait_come_all_the_same(
    table: Table, all_devices: dict[int, Device], newcomer: Player
) -> None:
    thrower = begin(table)
    act(table, newcomer, "table.join")
    gone = all_devices[thrower].player_id
    receipt = act(table, gone, "table.leave")
    assert receipt.events[-1].type == "table.throw_dropped"
    assert types(table, 2) == ["table.left", "table.joined"]
    assert newcomer.pk in sitters(table) and gone not in sitters(table)
    assert is_sound(table)


def test_what_is_refused_without_a_throw_is_refused_in_one(
    table: Table, all_devices: dict[int, Device], newcomer: Player, make_player: Callable[[str], Player]
) -> None:
    begin(table)
    stranger = make_player("Stranger")
    seated = all_devices[0].player_id
    with pytest.raises(Illegal, match="removed"):
        act(table, stranger, "table.join")
    with pytest.raises(Illegal, match="seated"):
        act(table, seated, "table.join")
    with pytest.raises(Illegal, match="not_seated"):
        act(table, newcomer, "table.leave")
    with pytest.raises(Illegal, match="not_host"):
        act(table, newcomer, "table.kick", seat=0)
    act(table, newcomer, "table.join")
    with pytest.raises(Illegal, match="seated"):
        act(table, newcomer, "table.join")
    assert len(under_way(table).postponed) == 1


def test_an_acceptance_is_repeated_for_the_same_id_and_carried_out_once(
    table: Table, all_devices: dict[int, Device], newcomer: Player
) -> None:
    begin(table)
    request = Request("table.join", {}, "once")
    first = submit(table.pk, Actor(newcomer.pk), request)
    assert submit(table.pk, Actor(newcomer.pk), request).repeated
    finish(table, all_devices)
    again = submit(table.pk, Actor(newcomer.pk), request)
    assert again.repeated and again.seq == first.seq
    assert sitters(table).count(newcomer.pk) == 1


def test_a_process_that_dies_between_acceptance_and_dice_lets_them_come_all_the_same(
    table: Table, all_devices: dict[int, Device], newcomer: Player
) -> None:
    begin(table)
    act(table, newcomer, "table.join")
    log.forget_all()
    while is_under_way(table):
        all_devices[under_way(table).waiting[0]].give()
        log.forget_all()
    assert newcomer.pk in sitters(table)
    assert is_sound(table)


def test_a_commit_that_fails_with_the_dice_keeps_who_waits(
    table: Table, all_devices: dict[int, Device], newcomer: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(table)
    act(table, newcomer, "table.join")
    all_devices[under_way(table).waiting[0]].give()
    last = all_devices[under_way(table).waiting[0]]
    with monkeypatch.context() as broken:
        broken.setattr("games.services.tables.sql.seat_down", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            last.give()
    log.forget_all()
    assert is_under_way(table) and newcomer.pk not in sitters(table)
    last.used = 0
    last.give()
    assert newcomer.pk in sitters(table)
    assert is_sound(table)


def test_what_the_rules_refuse_after_the_dice_is_told_and_stops_nobody_else(
    table: Table, all_devices: dict[int, Device], newcomer: Player, guest: Callable[..., Player], night: Night
) -> None:
    begin(table)
    for each in (newcomer, guest("Ole")):
        act(table, each, "table.join")
    night.memberships.filter(player=newcomer).delete()
    finish(table, all_devices)
    (lapsed,) = [e for entry in log.entries(table.pk) for e in entry.events if e.type == "table.lapsed"]
    assert lapsed.data == {"command": "table.join", "seat": None, "code": "no_such_player"}
    assert len(sitters(table)) == 4
    assert is_sound(table)


def test_who_is_shown_the_door_or_deletes_their_data_in_a_throw_has_left_after_it(
    table: Table, all_devices: dict[int, Device], host: Player, night: Night
) -> None:
    thrower = begin(table)
    first, second = (Player.objects.get(pk=all_devices[seat].player_id) for seat in range(3) if seat != thrower)
    people = [each for each in (first, second) if each != host]
    membership.remove(night, host, people[0].pk)
    for each in people[1:]:
        deletion.delete(each)
    while is_under_way(table):
        be_silent(table)
    assert not {each.pk for each in people} & set(sitters(table))
    told = [event.type for entry in log.entries(table.pk) for event in entry.events]
    assert "table.throw_dropped" not in told and "table.lapsed" not in told
    assert is_sound(table)


def test_acts_of_the_host_on_the_game_wait_for_the_dice(
    table: Table, all_devices: dict[int, Device], host: Player
) -> None:
    thrower = begin(table)
    seat = {"seat": thrower, "sitter": sitters(table)[thrower]}
    for name, args in (("table.play_on", seat), ("table.close", {})):
        with pytest.raises(Illegal, match="throw_under_way"):
            act(table, host, name, **args)
    for name in ("table.nudge", "table.scorekeeper", "table.pause", "table.resume"):
        args = seat if name == "table.nudge" else {"player": host.pk} if "score" in name else {}
        act(table, host, name, **args)
    finish(table, all_devices)
    assert "table.throw_dropped" not in [e.type for entry in log.entries(table.pk) for e in entry.events]


def test_a_table_that_is_broken_off_ends_its_throw(table: Table, all_devices: dict[int, Device], host: Player) -> None:
    begin(table)
    receipt = act(table, host, "table.end")
    assert "table.throw_dropped" in [event.type for event in receipt.events]


def test_another_process_knows_who_waits(
    table: Table,
    all_devices: dict[int, Device],
    newcomer: Player,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    told: list[TableNews] = []
    monkeypatch.setattr(publication, "_listeners", [told.append])
    begin(table)
    before = log.snapshot_of(Table.objects.get(pk=table.pk))
    with django_capture_on_commit_callbacks(execute=True):
        act(table, newcomer, "table.join")
    (news,) = told
    log.forget_all()
    snapshot.keep(before)
    found = relay.news_of(table.pk, news.entry.seq, json.loads(json.dumps(relay.relayed_entry(news))))
    assert found is not None and found.snapshot.chains == news.snapshot.chains


def test_a_throw_that_was_stored_by_an_older_version_goes_on(table: Table, all_devices: dict[int, Device]) -> None:
    begin(table)
    table.refresh_from_db()
    for name in ("lasts", "postponed"):
        del table.chains["under_way"][name]
    table.save(update_fields=["chains"])
    log.forget_all()
    finish(table, all_devices)
    assert is_sound(table)

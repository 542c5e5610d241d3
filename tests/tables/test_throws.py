"""Throws with devices: who has a part, what the dice follow from, and what no side can bend."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from contextlib import nullcontext
from itertools import islice
from typing import Any

import pytest

from games.kernel.contract import Event, Illegal
from games.kernel.dice import chains, dice_check
from games.kernel.replay import Entry
from games.management import log_check
from games.models import Player, Table
from games.services import publication
from games.services.clock import clock
from games.services.commands import Actor, Request, new_command_id
from games.services.dice import dice_chains
from games.services.hosting import kept_seats
from games.services.rolls import roll_files
from games.services.tables import log, relay, setup, snapshot, throws
from games.services.tables.commit import submit
from games.services.tables.relay import TableNews
from tests import snapshots
from tests.conftest import choices_at
from tests.devices import Device, be_silent, chains_of, is_under_way, throw, under_way
from tests.tables.host.host_commands import sitter
from tests.tables.test_clock import at, now  # noqa: F401

pytestmark = pytest.mark.django_db
StartTable = Callable[..., Table]


@pytest.fixture
def table(start_table: StartTable) -> Table:
    return start_table("chicago", "classic", seats=3)


@pytest.fixture
def all_devices(table: Table) -> dict[int, Device]:
    """The devices of all seats."""
    return {seat: Device(table, seat) for seat in range(3)}


def on_turn(table: Table) -> int:
    return next(c.seat for c in choices_at(table) if c.name == "throw" and c.seat is not None)


def opponent(table: Table) -> int:
    return (on_turn(table) - 1) % 3


def last_throw(table: Table) -> dict[str, Any]:
    return log.entries(table.pk)[-1].throw or {}


def on_turn_in(table: Table) -> int:
    """Return who throws in the throw under way."""
    seat = under_way(table).seat
    assert seat is not None
    return seat


def question_of(table: Table) -> dict[str, Any]:
    """Return the request to the device that is asked now."""
    found = dice_chains.question(chains_of(table), table.dice_seed)
    assert found is not None
    return found[1]


def events_since(table: Table, kind: str) -> list[str]:
    """Return the types of all events after the last one of a kind."""
    types = [event.type for entry in log.entries(table.pk) for event in entry.events]
    return types[len(types) - types[::-1].index(kind) :]


def is_sound(table: Table) -> bool:
    table.refresh_from_db()
    return log_check.faults(table) == []


def test_without_devices_a_throw_is_one_entry_of_the_server_alone(table: Table) -> None:
    receipt = throw(table)
    told = receipt.entry.throw or {}
    assert (told["level"], told["links"], told["k"]) == ("C", {}, chains_of(table).k)
    again = chains.load_throw(told).faces(table.public_id)
    assert receipt.entry.dice == tuple(islice(again, 3))
    assert is_sound(table)


def test_with_two_devices_the_opponent_is_asked_first_then_the_thrower_then_the_dice_fall(
    table: Table, all_devices: dict[int, Device]
) -> None:
    roller, other = on_turn(table), opponent(table)
    before = log.snapshot_of(Table.objects.get(pk=table.pk))
    intent = throw(table, "mine")
    assert [event.type for event in intent.events] == ["table.throw_begun"]
    assert under_way(table).waiting[0] == other
    assert log.snapshot_of(Table.objects.get(pk=table.pk)).state == before.state
    all_devices[other].give()
    assert under_way(table).waiting == (roller,)
    result = all_devices[roller].give()
    assert (result.entry.own_id, result.entry.actor_id) == ("mine", all_devices[roller].player_id)
    told = result.entry.throw or {}
    links = {str(seat): all_devices[seat].link(1) for seat in (roller, other)}
    assert (told["level"], told["links"]) == ("A", links)
    assert result.entry.dice == tuple(islice(chains.load_throw(told).faces(table.public_id), 3))
    assert not is_under_way(table)
    assert is_sound(table)


def test_while_a_throw_is_under_way_other_commands_of_the_game_wait(
    table: Table, all_devices: dict[int, Device]
) -> None:
    throw(table, "first")
    for command_id in ("first", "second"):
        with pytest.raises(Illegal, match="throw_under_way"):
            throw(table, command_id)
    for _ in range(2):
        all_devices[under_way(table).waiting[0]].give()
    roller = Actor(log.entries(table.pk)[-1].actor_id)
    again = submit(table.pk, roller, Request("throw", {}, "first", 1))
    assert again.repeated and again.seq == log.entries(table.pk)[-1].seq


def test_a_silent_opponent_is_followed_by_the_next_one(table: Table, all_devices: dict[int, Device]) -> None:
    first = opponent(table)
    throw(table)
    be_silent(table)
    second = under_way(table).waiting[0]
    assert second not in (first, on_turn(table))
    all_devices[second].give()
    all_devices[on_turn(table)].give()
    assert set(last_throw(table)["links"]) == {str(second), str((first + 1) % 3)}
    assert is_sound(table)


@pytest.mark.parametrize(
    ("seats", "silent", "level"),
    [
        ((0, 1, 2), "opponents", "B"),
        ((0, 1, 2), "roller", "B2"),
        ((0, 1, 2), "all", "C"),
    ],
)
def test_silence_leads_to_the_level_that_is_left(
    table: Table, all_devices: dict[int, Device], seats: tuple[int, ...], silent: str, level: str
) -> None:
    roller = on_turn(table)
    throw(table)
    while is_under_way(table):
        asked = under_way(table).waiting[0]
        is_silent = silent == "all" or (silent == "roller") == (asked == roller)
        be_silent(table) if is_silent else all_devices[asked].give()
    assert last_throw(table)["level"] == level
    assert is_sound(table)


def test_a_thrower_without_a_device_throws_with_an_opponents_alone(table: Table) -> None:
    device = Device(table, opponent(table))
    throw(table)
    result = device.give()
    assert (result.entry.throw or {})["level"] == "B"
    assert is_sound(table)


def test_who_is_not_there_is_not_asked(
    table: Table, all_devices: dict[int, Device], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throws, "_present", lambda _: {on_turn(table)})
    throw(table)
    assert under_way(table).waiting == (on_turn(table),)
    monkeypatch.setattr(throws, "_present", lambda _: set())
    all_devices[under_way(table).waiting[0]].give()
    assert last_throw(table)["level"] == "B"
    throw(table)
    assert last_throw(table)["level"] == "C"


def test_a_link_of_another_chain_of_another_throw_or_of_who_is_not_asked_is_refused(
    table: Table, all_devices: dict[int, Device]
) -> None:
    throw(table)
    asked, roller = all_devices[opponent(table)], all_devices[on_turn(table)]
    k = under_way(table).k
    refusals = [
        (asked, {"k": k, "link": "0" * 64}, "bad_link"),
        (asked, {"k": k, "link": roller.link(1)}, "bad_link"),
        (asked, {"k": k, "link": asked.link(0)}, "bad_link"),
        (asked, {"k": k, "link": asked.link(65)}, "bad_link"),
        (asked, {"k": k, "link": None}, "bad_link"),
        (asked, {"k": k + 1, "link": asked.link(1)}, "no_link_wanted"),
        (asked, {"k": k - 1, "link": asked.link(1)}, "no_link_wanted"),
        (roller, {"k": k, "link": roller.link(1)}, "no_link_wanted"),
    ]
    before = chains_of(table)
    for device, args, code in refusals:
        with pytest.raises(Illegal, match=code):
            device.send(throws.LINK, **args)
    assert chains_of(table) == before
    asked.give()
    with pytest.raises(Illegal, match="no_link_wanted"):
        asked.send(throws.LINK, k=k, link=asked.link(1))


def test_no_link_may_be_left_out_by_a_device_that_has_seen_those_of_others(
    table: Table, all_devices: dict[int, Device]
) -> None:
    """It could choose, where it knows the server's as well."""
    throw(table)
    asked = all_devices[under_way(table).waiting[0]]
    for index in (0, 2, 4):
        with pytest.raises(Illegal, match="bad_link"):
            asked.send(throws.LINK, k=under_way(table).k, link=asked.link(index))
    asked.give()
    assert [each.index for each in chains_of(table).seats if each.seat == asked.seat] == [1]


def test_a_link_that_was_given_in_vain_is_told_as_a_tip_and_the_next_one_follows_it(
    table: Table, all_devices: dict[int, Device]
) -> None:
    asked = all_devices[opponent(table)]
    asked.send(throws.TIP, tip=asked.link(3))
    throw(table)
    asked.send(throws.LINK, k=under_way(table).k, link=asked.link(4))
    assert [each.index for each in chains_of(table).seats if each.seat == asked.seat] == [1]


def test_only_the_clock_says_that_a_device_is_silent(table: Table, all_devices: dict[int, Device]) -> None:
    throw(table)
    for device in all_devices.values():
        with pytest.raises(Illegal, match="unknown_command"):
            device.send(throws.SILENT, k=under_way(table).k)


@pytest.fixture
def waiting_table(start_table: StartTable) -> Table:
    """A table whose throws wait, of three with devices."""
    return start_table("chicago", "classic", seats=3, dice_wait=True)


def test_where_throws_wait_the_last_opponent_and_the_thrower_are_waited_for(
    waiting_table: Table,
    now: list[int],  # noqa: F811
) -> None:
    table = waiting_table
    all_devices = {seat: Device(table, seat) for seat in range(3)}
    roller = on_turn(table)
    throw(table)
    assert under_way(table).waiting[-1] == roller
    now[0] += 3_100
    clock.run_due(at(now))
    (last, _) = under_way(table).waiting
    for _ in range(3):
        now[0] += 3_600_000
        clock.run_due(at(now))
    assert under_way(table).waiting == (last, roller), "nobody goes on without the only opponent that is left"
    all_devices[last].give()
    now[0] += 3_600_000
    clock.run_due(at(now))
    assert is_under_way(table), "nor without the thrower"
    all_devices[roller].give()
    assert last_throw(table)["level"] == "A"
    assert is_sound(table)


def test_where_throws_wait_a_phone_that_is_away_is_asked_after_those_that_are_there(
    waiting_table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seat in range(3):
        Device(waiting_table, seat)
    roller = on_turn(waiting_table)
    first, second = ((roller - 1) % 3, (roller - 2) % 3)
    monkeypatch.setattr(throws, "_present", lambda table_id: {roller, second})
    throw(waiting_table)
    assert under_way(waiting_table).waiting == (second, first, roller)


def test_the_host_alone_lets_a_throw_that_waits_go_on(
    waiting_table: Table,
    host: Player,
    now: list[int],  # noqa: F811
) -> None:
    table = waiting_table
    all_devices = {seat: Device(table, seat) for seat in range(3)}
    throw(table)
    k = under_way(table).k
    others = [each for each in all_devices.values() if each.player_id != host.pk]
    for device in others:
        with pytest.raises(Illegal, match="not_host"):
            device.send("table.go_on", k=k)
    for wrong in ({"k": k + 1}, {"k": "1"}, {}):
        with pytest.raises(Illegal, match=r"no_link_wanted|bad_argument"):
            submit(table.pk, Actor(host.pk), Request("table.go_on", wrong, new_command_id()))
    for _ in under_way(table).waiting:
        submit(table.pk, Actor(host.pk), Request("table.go_on", {"k": k}, new_command_id()))
    clock.run_due(at(now))
    assert last_throw(table)["level"] == "C"
    assert is_sound(table)


def test_elsewhere_no_host_leaves_a_device_out(table: Table, all_devices: dict[int, Device], host: Player) -> None:
    throw(table)
    with pytest.raises(Illegal, match="no_link_wanted"):
        submit(table.pk, Actor(host.pk), Request("table.go_on", {"k": under_way(table).k}, new_command_id()))


def test_a_pause_and_a_new_phone_leave_a_throw_waiting(
    waiting_table: Table,
    host: Player,
    now: list[int],  # noqa: F811
) -> None:
    table = waiting_table
    all_devices = {seat: Device(table, seat) for seat in range(3)}
    roller = on_turn(table)
    throw(table)
    all_devices[under_way(table).waiting[0]].give()
    for name in ("table.pause", "table.resume"):
        submit(table.pk, Actor(host.pk), Request(name, {}, new_command_id()))
    now[0] += 3_600_000
    clock.run_due(at(now))
    assert under_way(table).waiting == (roller,)
    # Whose storage is gone tells a new tip: it counts from the next throw on, and the host lets this one go on.
    Device(table, roller, b"x" * 32)
    now[0] += 3_600_000
    clock.run_due(at(now))
    assert under_way(table).waiting == (roller,)
    submit(table.pk, Actor(host.pk), Request("table.go_on", {"k": under_way(table).k}, new_command_id()))
    clock.run_due(at(now))
    assert last_throw(table)["level"] == "B2"
    assert is_sound(table)


def test_the_clock_waits_three_seconds_for_an_opponent_and_thirty_for_the_thrower(
    start_table: StartTable,
    now: list[int],  # noqa: F811
) -> None:
    table = start_table("chicago", "classic", seats=2)
    all_devices = [Device(table, seat) for seat in range(2)]
    roller = on_turn(table)
    throw(table)
    now[0] += 2_900
    clock.run_due(at(now))
    assert under_way(table).waiting == (1 - roller, roller)
    now[0] += 200
    clock.run_due(at(now))
    assert under_way(table).waiting == (roller,)
    now[0] += 26_000
    clock.run_due(at(now))
    assert is_under_way(table)
    now[0] += 1_000
    clock.run_due(at(now))
    assert last_throw(table)["level"] == "C"
    throw(table)
    asked = under_way(table)
    all_devices[asked.waiting[0]].give()
    now[0] += 31_000
    clock.run_due(at(now))
    assert last_throw(table)["level"] == "B2"
    assert is_sound(table)


def test_a_deadline_does_not_run_while_a_throw_is_under_way(
    start_table: StartTable,
    now: list[int],  # noqa: F811
) -> None:
    table = start_table("chicago", "classic", seats=2, turn_seconds=20)
    Device(table, on_turn(table))
    now[0] += 15_000
    throw(table)
    for _ in range(2):
        now[0] += 15_000
        clock.run_due(at(now))
    assert last_throw(table)["level"] == "C"
    assert all(due - now[0] > 0 for due in Table.objects.get(pk=table.pk).clocks.values())


def test_a_pause_keeps_the_throw_and_its_links(
    table: Table,
    all_devices: dict[int, Device],
    host: Player,
    now: list[int],  # noqa: F811
) -> None:
    throw(table)
    all_devices[under_way(table).waiting[0]].give()
    given = under_way(table).links
    submit(table.pk, Actor(host.pk), Request("table.pause", {}, "p"))
    roller = all_devices[on_turn(table) if choices_at(table) else under_way(table).waiting[0]]
    with pytest.raises(Illegal, match="paused"):
        roller.send(throws.LINK, k=under_way(table).k, link=roller.link(1))
    now[0] += 3_600_000
    clock.run_due(at(now))
    submit(table.pk, Actor(host.pk), Request("table.resume", {}, "r"))
    assert under_way(table).links == given
    roller.give()
    assert last_throw(table)["level"] == "A"
    assert is_sound(table)


@pytest.mark.parametrize("act", ["table.kick", "table.substitute"])
def test_a_throw_ends_without_dice_when_the_thrower_is_taken_off_and_its_number_is_used_up(
    table: Table, all_devices: dict[int, Device], host: Player, act: str
) -> None:
    throw(table)
    k, roller = under_way(table).k, under_way(table).seat
    args = {"seat": roller, "sitter": sitter(table, roller), **({"bot": "pub"} if act == "table.substitute" else {})}
    args |= {"bot": next(iter(log_check.plugin.game("chicago").bot_levels))} if "bot" in args else {}
    receipt = submit(table.pk, Actor(host.pk), Request(act, args, "off"))
    assert receipt.events[-1].type == "table.throw_dropped"
    assert not is_under_way(table)
    assert chains_of(table).k == k
    assert roller not in [each.seat for each in chains_of(table).seats]
    assert is_sound(table)


def test_a_new_phone_of_an_opponent_that_has_given_its_link_is_asked_at_the_next_throw(
    table: Table, all_devices: dict[int, Device]
) -> None:
    throw(table)
    roller, (first, *_) = under_way(table).seat, under_way(table).waiting
    all_devices[first].give()
    renewed = Device(table, first, b"new" * 10 + b"on")
    all_devices[roller].give()
    assert last_throw(table)["level"] == "A"
    assert any(each.seat == first and each.link == renewed.link(0) for each in chains_of(table).seats)
    assert is_sound(table)


def test_a_new_tip_in_a_throw_counts_from_the_next_throw_on(table: Table, all_devices: dict[int, Device]) -> None:
    throw(table)
    seat = under_way(table).waiting[0]
    renewed = Device(table, seat, b"n" * 32)
    assert under_way(table).waiting[0] == seat, "nobody is out of a throw without being said to be silent"
    assert question_of(table)["last"] == all_devices[seat].link(0)
    with pytest.raises(Illegal, match="bad_link"):
        renewed.send(throws.LINK, k=under_way(table).k, link=renewed.link(1))
    all_devices[seat].give()
    while is_under_way(table):
        all_devices[under_way(table).waiting[0]].give()
    assert last_throw(table)["links"][str(seat)] == all_devices[seat].link(1)
    assert any(each.seat == seat and each.link == renewed.link(0) for each in chains_of(table).seats)
    assert is_sound(table)


def test_several_new_tips_in_a_throw_leave_its_roll_file_right(table: Table, all_devices: dict[int, Device]) -> None:
    throw(table)
    for device in list(all_devices.values()):
        for secret in (b"n" * 32, b"m" * 32):
            Device(table, device.seat, secret)
    while is_under_way(table):
        all_devices[under_way(table).waiting[0]].give()
    lines = [",".join(roll_files.FIELDS)]
    lines += [",".join(map(str, row)) for row in roll_files.file_rows([Table.objects.get(pk=table.pk)])]
    found = dice_check.check(csv.DictReader(lines))[table.public_id]
    assert (found.rolls > 0, found.faults) == (True, [])


def test_a_phone_that_lost_its_chain_in_a_throw_is_said_to_be_silent(
    table: Table, all_devices: dict[int, Device]
) -> None:
    throw(table)
    seat = under_way(table).waiting[0]
    Device(table, seat, b"n" * 32)
    be_silent(table)
    assert events_since(table, "table.throw_begun") == ["table.dice_tip", "table.link_missed"]


def test_the_silence_of_the_last_phone_is_told_with_the_dice(table: Table, all_devices: dict[int, Device]) -> None:
    """Else the thrower's own phone could not tell that it was late from that it was left out."""
    throw(table)
    roller = on_turn_in(table)
    all_devices[under_way(table).waiting[0]].give()
    be_silent(table)
    last = log.entries(table.pk)[-1]
    assert (last.throw or {})["level"] == "B2"
    assert last.events[0] == Event("table.link_missed", {"k": last.throw["k"], "seat": roller})
    assert is_sound(table)


def test_a_throw_that_is_dropped_after_its_last_link_tells_of_that_link(
    table: Table, all_devices: dict[int, Device], monkeypatch: pytest.MonkeyPatch
) -> None:
    throw(table)
    all_devices[under_way(table).waiting[0]].give()
    monkeypatch.setattr("games.services.tables.commit.throws.dice", lambda *_: 1 / 0)
    given = all_devices[under_way(table).waiting[0]].give()
    assert [event.type for event in given.events] == ["table.link_given", "table.throw_dropped"]
    assert is_sound(table)


@pytest.mark.parametrize("tip", [None, "", "0" * 63, "G" * 64, "A" * 64, 7])
def test_a_tip_that_is_none_is_refused(table: Table, tip: object) -> None:
    player_id = table.seats.get(index=0).player_id
    with pytest.raises(Illegal, match="bad_tip"):
        submit(table.pk, Actor(player_id), Request(throws.TIP, {"tip": tip}, "t"))


def test_a_process_that_dies_between_any_two_steps_leads_to_the_same_dice(
    start_table: StartTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a process knew is forgotten before each step; what is asked and thrown stays the same."""
    table = start_table("chicago", "classic", seats=2)
    all_devices = [Device(table, seat) for seat in range(2)]
    throw(table)
    seen = []
    for _ in range(2):
        before = under_way(table)
        log.forget_all()
        chains._checkpoints.cache_clear()
        assert under_way(table) == before
        seen.append((before.k, before.ctx))
        all_devices[before.waiting[0]].give()
    told = last_throw(table)
    assert {(told["k"], told["ctx"])} == set(seen)
    log.forget_all()
    assert last_throw(table) == told
    assert is_sound(table)


def test_a_commit_that_fails_shows_nobody_the_links(
    table: Table, all_devices: dict[int, Device], monkeypatch: pytest.MonkeyPatch
) -> None:
    throw(table)
    all_devices[under_way(table).waiting[0]].give()
    before = chains_of(table)
    roller = all_devices[under_way(table).waiting[0]]
    with monkeypatch.context() as broken:
        broken.setattr("games.services.tables.sql.update_tables", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            roller.give()
    log.forget_all()
    assert chains_of(table) == before
    roller.used = 0
    roller.give()
    assert last_throw(table)["k"] == before.k


def test_another_process_knows_of_a_throw_what_the_first_one_told(
    table: Table,
    all_devices: dict[int, Device],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    told: list[TableNews] = []
    monkeypatch.setattr(publication, "_listeners", [told.append])
    before = log.snapshot_of(Table.objects.get(pk=table.pk))
    with django_capture_on_commit_callbacks(execute=True):
        throw(table)
        all_devices[under_way(table).waiting[0]].give()
        all_devices[under_way(table).waiting[0]].give()
    for news in told:
        log.forget_all()
        snapshot.keep(before)
        message = json.loads(json.dumps(relay.relayed_entry(news)))
        found = relay.news_of(table.pk, news.entry.seq, message)
        assert found is not None
        assert (found.snapshot.chains, found.entry.throw) == (news.snapshot.chains, news.entry.throw)
        before = found.snapshot
    assert len(told) == 3 and told[-1].entry.throw


def test_the_digest_that_a_throw_publishes_tells_nothing_of_what_is_hidden() -> None:
    """Else anybody could try out what a sealed answer may have been."""

    def digest(number: int, audience: tuple[int, ...] | None) -> str:
        events = (Event("bid_sealed", {"number": number}, audience=audience), Event("bid_counted"))
        return dice_chains.digest("", Entry(7, events))

    assert digest(1, (0,)) == digest(2, (0,))
    assert digest(1, None) != digest(2, None)


def test_the_next_chain_of_the_house_is_committed_before_the_old_one_ends(
    start_table: StartTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chains, "SERVER_LENGTH", 128)
    table = start_table("chicago", "classic", seats=2)
    with snapshots.kept():
        for _ in range(300):
            table.refresh_from_db()
            choice = next(c for c in choices_at(table) if c.required)
            actor = Actor(table.seats.get(index=choice.seat).player_id)
            submit(table.pk, actor, Request(choice.name, choice.options[0], new_command_id(), choice.opened_at))
            if chains_of(table).k > 140 or table.status == "finished":
                break
    told = [(e.seq, ev.data) for e in log.entries(table.pk) for ev in e.events if ev.type == "table.dice_committed"]
    assert [data["first"] for _, data in told] == [1, 129]
    by_k = {entry.throw["k"]: entry.seq for entry in log.entries(table.pk) if entry.throw}
    assert by_k[64] == told[1][0] < by_k[129]
    assert is_sound(table)


def test_a_keeper_of_kept_seats_has_no_chain_but_that_of_their_own_seat(
    open_table: Callable[..., Table], host: Player
) -> None:
    """With one for each seat a single device would be both sides of a throw."""
    table = open_table("chicago", "classic", seats=1)
    kept = [kept_seats.seat_person(table, host, name) for name in ("Kari", "Ole")]
    assert len(kept) == 2
    setup.start(table, host, new_command_id())
    for seat in (1, 2, None):
        request = Request(throws.TIP, {"tip": f"{seat or 0}" * 64, "seat": seat}, new_command_id(), seat=seat)
        with nullcontext() if seat is None else pytest.raises(Illegal, match="not_keeper"):
            submit(table.pk, Actor(host.pk), request)
    assert [each.seat for each in chains_of(table).seats] == [0]
    device = Device(table, 0)
    choice = next(c for c in choices_at(table) if c.name == "throw")
    submit(table.pk, Actor(host.pk), Request("throw", choice.options[0], "t", choice.opened_at, seat=choice.seat))
    device.give()
    assert last_throw(table)["level"] == "B"
    assert is_sound(table)

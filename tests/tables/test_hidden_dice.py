"""Dice that some may not see: nobody outside the audience can compute them from what the house tells everybody."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from games import plugin
from games.kernel.contract import Event
from games.kernel.dice import chains, dice_check
from games.management import log_check
from games.models import Table
from games.services.dice import dice_chains
from games.services.logs import log_views
from games.services.rolls import roll_files
from games.services.seats.sittings import ONLOOKER
from games.services.tables import log
from tests.conftest import answer, choices_at
from tests.devices import Device, chains_of, is_under_way, under_way

pytestmark = pytest.mark.django_db
StartTable = Callable[..., Table]

GAMES = [("bluffing", "pub"), ("dummygame", "hidden")]
games = pytest.mark.parametrize(("game", "preset"), GAMES)


def told(table: Table) -> list[dict[str, Any]]:
    """Return the entries of a table's log as somebody without a seat gets them while it is played."""
    return [log_views.entry_json(entry, ONLOOKER) for entry in log.entries(table.pk)]


def leads_to_a_chain(link: bytes, k: int, entries: list[dict[str, Any]]) -> bool:
    """Tell whether a link for throw `k` is one of a chain that the house has committed to."""
    events = [event for entry in entries for event in entry["events"] if event["type"] == dice_chains.COMMITTED]
    committed = [event["data"] for event in events if event["data"]["first"] <= k]
    tips = {bytes.fromhex(each["commitment"]): k - each["first"] + 1 for each in committed}
    return any(chains.back(chains.SERVER, link, steps) == tip for tip, steps in tips.items())


def computed(entries: list[dict[str, Any]], table: str, count: int) -> dict[int, list[int]]:
    """Return `count` dice of each throw that follow from what everybody is told, by entry.

    A link that is not told may be found by hashing any later one.
    """
    thrown = {entry["seq"]: entry["throw"] for entry in entries if "throw" in entry}
    links = {throw["k"]: bytes.fromhex(throw["server"]) for throw in thrown.values() if throw["server"]}
    found = {}
    for seq, throw in thrown.items():
        later = (chains.back(chains.SERVER, link, k - throw["k"]) for k, link in links.items() if k >= throw["k"])
        link = next((each for each in later if leads_to_a_chain(each, throw["k"], entries)), None)
        if link is not None:
            faces = chains.load_throw({**throw, "server": link.hex()}).faces(table)
            found[seq] = [next(faces) for _ in range(count)]
    return found


def play(table: Table, commands: int, devices: dict[int, Device] | None = None) -> None:
    """Answer choices at random; devices that are asked give their links."""
    rng = random.Random(table.public_id)
    for _ in range(commands):
        required = [choice for choice in choices_at(table) if choice.required]
        if not required:
            return
        choice = rng.choice(required)
        answer(table, choice, rng.randrange(len(choice.options)))
        while devices and is_under_way(table):
            devices[under_way(table).waiting[0]].give()
    table.refresh_from_db()


def hidden(table: Table) -> set[int]:
    """Return the entries that drew dice and have one in an event that not everybody may read."""
    types = plugin.game(table.game_id).hidden_dice
    return {e.seq for e in log.entries(table.pk) if e.dice and any(event.type in types for event in e.events)}


def hold(table: Table) -> None:
    """Hold what can be computed from a table's public log to the dice that everybody may see."""
    entries = log.entries(table.pk)
    drawn = {entry.seq: list(entry.dice) for entry in entries if entry.dice}
    found = computed(told(table), table.public_id, 3)
    assert hidden(table) and not hidden(table) & found.keys(), "hidden dice can be computed"
    for seq, faces in found.items():
        assert faces[: len(drawn[seq])] == drawn[seq][:3]
    assert set(found) == drawn.keys() - hidden(table), "open dice can't be checked at once"


@games
@pytest.mark.parametrize("with_devices", [False, True])
def test_hidden_dice_can_not_be_computed_by_others(
    start_table: StartTable, game: str, preset: str, with_devices: bool
) -> None:
    table = start_table(game, preset, seats=3)
    devices = {seat: Device(table, seat) for seat in range(3)} if with_devices else None
    play(table, 12, devices)
    hold(table)
    if with_devices and game == "bluffing":
        assert {entry.throw["level"] for entry in log.entries(table.pk) if entry.throw} == {"A"}


def test_dice_that_are_always_hidden_drawn_from_open_chains_are_noticed(
    start_table: StartTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dice_chains, "held_back", lambda *_: ())
    table = start_table("bluffing", "pub", seats=3)
    play(table, 12)
    with pytest.raises(AssertionError, match="can be computed"):
        hold(table)


@pytest.mark.parametrize("goes_on", [True, False])
def test_a_link_that_is_held_back_while_its_chain_goes_on_is_noticed(goes_on: bool) -> None:
    """Each later link of a chain tells all before it."""
    seed = bytes(32)
    chain = chains.FIRST_CHAIN if goes_on else chains.FIRST_CHAIN.next_from(2)
    first = dice_chains.first_committed(seed.hex(), waits=False)
    events = [first, dice_chains.committed(seed.hex(), chain, held=1)]
    later = chains.Throw(2, "C", 1, "", chains.server_link(seed, 2, chain).hex(), {})
    entries: list[dict[str, Any]] = [
        {"seq": 1, "events": [event.to_json() for event in events], "throw": {**chains.dump_throw(later), "k": 1}},
        {"seq": 2, "events": [], "throw": chains.dump_throw(later)},
    ]
    entries[0]["throw"]["server"] = None
    found = computed(entries, "t", 1)
    assert found.keys() == ({1, 2} if goes_on else {2})


@games
def test_the_roll_file_has_hidden_dice_when_the_table_has_ended_and_they_prove(
    start_table: StartTable, game: str, preset: str
) -> None:
    table = start_table(game, preset, seats=3)
    devices = {seat: Device(table, seat) for seat in range(3)}
    play(table, 6, devices)
    assert [row["kind"] for row in rows(table) if row["kind"] not in ("seal", "tip")] == []
    play(table, 400, devices)
    assert table.status == Table.Status.FINISHED
    faces = [int(face) for row in rows(table) for face in row["faces"].split()]
    assert faces == [die for entry in log.entries(table.pk) for die in entry.dice]
    (found,) = dice_check.check(rows(table)).values()
    assert found.faults == [] and found.rolls == len([e for e in log.entries(table.pk) if e.throw])
    assert log_check.faults(table) == []
    reader = log_views.snapshot(table.pk).reader(None)
    thrown = [entry for entry in log.entries(table.pk) if entry.throw]
    assert [log_views.entry_json(entry, reader)["throw"] for entry in thrown] == [entry.throw for entry in thrown]


def rows(table: Table) -> list[dict[str, str]]:
    """Return the rows of a table's roll file."""
    found = roll_files.file_rows([Table.objects.get(pk=table.pk)])
    return [dict(zip(roll_files.FIELDS, map(str, row), strict=True)) for row in found]


def test_no_option_says_whether_dice_are_hidden_but_what_was_decided() -> None:
    """An entry whose dice some alone may see holds its link back; one whose dice all may read shows it at once."""
    found = dice_chains.Chains(holds=True, server=chains.ServerChain(2, 9000))
    dice = chains.ThrowDice("t", "00" * 32, 9005, "", chains.ServerChain(2, 9000))
    (die,) = dice.roll(1)
    open_die, sealed = Event("die_thrown", {"die": die}), Event("sealed", {"bid": 1}, audience=(0,))
    assert dice_chains.held_back(found, "00" * 32, dice, [open_die]) == ()
    assert dice_chains.held_back(found, "00" * 32, dice, [open_die, sealed]) == ()
    for events in (
        [sealed],
        [replace(open_die, audience=(0,))],
        [replace(open_die, data={"die": die % 6 + 1}), sealed],
    ):
        assert len(dice_chains.held_back(found, "00" * 32, dice, events)) == 1
    (held,) = dice_chains.held_back(found, "00" * 32, dice, [replace(open_die, audience=(0,))])
    assert (held.data["held"], held.data["first"]) == (9005, 9006)
    assert held.data["commitment"] == chains.commitment(bytes(32), 3).hex()


def test_a_table_that_was_opened_before_links_were_held_back_keeps_its_protocol(
    start_table: StartTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        dice_chains,
        "first_committed",
        lambda seed, *, waits: dice_chains.committed(seed, chains.FIRST_CHAIN, **({"waits": True} if waits else {})),
    )
    table = start_table("bluffing", "pub", seats=2)
    monkeypatch.undo()
    play(table, 400)
    assert chains_of(table).server == chains.FIRST_CHAIN
    assert log_check.faults(table) == []
    (found,) = dice_check.check(rows(table)).values()
    assert found.faults == [] and found.rolls == chains_of(table).k

"""Bots in every seat play every table of every game to its end: by the rules alone, and by the clock."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from games import plugin
from games.kernel.contract import CLOSE, Choice, Command, Illegal, JsonObject
from games.models import LogEntry, Player, Table
from games.services.clock import bots, clock
from games.services.commands import Actor, Request, new_command_id
from games.services.seats import bot_tables
from games.services.tables import log, setup
from games.services.tables.commit import submit
from tests.contract.driver import LONG_ENOUGH, TOO_LONG, Case, preset_cases, seeded
from tests.seeds import day, fix, share_of_day

pytestmark = pytest.mark.django_db

# A table that gets no further in so many looks of the clock hangs: more than a thought takes.
PATIENCE = 100
LATER = datetime(9999, 1, 1, tzinfo=UTC)
# Of a table in the house; by the rules alone an open-ended one goes on for LONG_ENOUGH entries.
A_WHILE = 60

OpenTable = Callable[..., Table]


@pytest.fixture(autouse=True)
def pauses_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock looks so late that what people are shown between two games or rounds has been seen."""
    monkeypatch.setattr(bots, "_is_early", lambda _table, _choice: False)


@pytest.fixture(autouse=True)
def _any_number_at_play(settings: Any) -> None:
    """Every seat may be a bot's, up to ten."""
    settings.BOTS_PER_HOST = 0


def with_bots(case: Case, open_table: OpenTable, host: Player) -> Table:
    """Start a table where every seat is a bot's, of one level after the other."""
    table = open_table(case.game_id, case.preset, seats=0, **dict(case.changes))
    levels = list(case.config.offered_levels)
    for seat in range(case.seats):
        setup.add_bot(table, host, levels[seat % len(levels)])
    setup.start(table, host, "start")
    table.refresh_from_db()
    return table


def played(table: Table, host: Player, most: int = TOO_LONG, *, a_while: int = A_WHILE) -> Table:
    """Let the clock play until the table is over; the host closes what is open-ended."""
    stood, seq = 0, 0
    while clock.run_due(LATER) and stood < PATIENCE and seq < most:
        bot_tables.note_watched([table.pk])
        table.refresh_from_db()
        if table.seq >= a_while:
            close(table, host)
            table.refresh_from_db()
        stood, seq = (stood + 1 if table.seq == seq else 0), table.seq
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED, f"it hangs after entry {table.seq}: {waits_for(table)}"
    return table


def close(table: Table, host: Player) -> None:
    """Let the host end the table where the rules allow it; they are asked first, as they cost little."""
    rules = plugin.game(table.game_id).rules
    with contextlib.suppress(Illegal):
        rules.decide(log.state_of(table), Command(CLOSE, None), seeded(table.seq), table.seq + 1)
        submit(table.pk, Actor(host.pk), Request("table.close", {}, new_command_id()))


def waits_for(table: Table) -> list[str]:
    """Return the last commands of a table, for whoever looks why it hangs."""
    last = LogEntry.objects.filter(table=table).order_by("-seq")[:3]
    return [f"{entry.seq} {entry.command_id} {entry.command}" for entry in last]


def at_random(view: JsonObject, choices: list[Choice], level: str, seed: int) -> tuple[str, JsonObject]:
    """Answer with anything that is listed: what a good bot never does is done, too."""
    choice = random.Random(seed).choice(choices)
    return choice.name, random.Random(seed).choice(choice.options)


def eager(view: JsonObject, choices: list[Choice], level: str, seed: int) -> tuple[str, JsonObject]:
    """Turn every cube that may be turned: double, take all, beaver, raccoon."""
    choice = next((c for c in choices if c.name == "offer"), choices[0])
    return choice.name, max(choice.options, key=lambda args: (_eagerness(args), random.Random(seed).random()))


def _eagerness(args: JsonObject) -> int:
    cubes = args.get("cubes", args.get("take", ()))
    yes = args.get("double") is True or args.get("take") is True or args.get("reply") in ("beaver", "raccoon")
    return len(cubes) if isinstance(cubes, list) else int(yes) + int(args.get("beaver") is True)


def bots_cases() -> list[Case]:
    """Return each preset that takes bots with its fewest seats, and with its most where that is another table."""
    found: dict[tuple[str, str], list[Case]] = {}
    for case in (case for case in preset_cases() if case.config.takes_bots(case.values)):
        found.setdefault((case.game_id, case.preset), []).append(case)
    return [case for cases in found.values() for case in {str(c): c for c in (cases[0], cases[-1])}.values()]


def house_cases() -> list[Case]:
    """Return each preset once, one with its fewest seats and the next with its most."""
    cases = {(case.game_id, case.preset): case for case in bots_cases()}
    fewest = {(case.game_id, case.preset): case for case in reversed(bots_cases())}
    return [(most, fewest[key])[number % 2] for number, (key, most) in enumerate(cases.items())]


def next_command(case: Case, state: Any, rng: random.Random) -> Command:
    """Return what a bot does whom nothing makes wait, as the clock would ask them."""
    levels, waiting = list(case.config.offered_levels), []
    for seat in rng.sample(range(case.seats), case.seats):
        mine = [choice for choice in case.rules.choices(state, seat) if choice.required]
        if not mine:
            continue
        view = case.rules.view(state, seat)
        name, args = case.config.bots.choose(view, mine, levels[seat % len(levels)], rng.randrange(2**32))
        choice = next(choice for choice in mine if choice.name == name)
        command = Command(name, seat, args, choice.opened_at)
        waits = case.config.bots.waits
        if waits is None or not waits(view, list(case.rules.choices(state, seat))):
            return command
        waiting.append(command)
    return waiting[0]


@pytest.mark.parametrize("case", share_of_day(bots_cases(), 4), ids=str)
def test_bots_in_every_seat_play_to_the_end_by_the_rules(case: Case) -> None:
    rng = random.Random(f"{day()} {case}")
    rules, dice = case.rules, seeded(f"{day()} {case}")
    seq, state = 1, rules.open(case.values, case.seats, dice).state
    while not rules.is_over(state):
        assert seq < TOO_LONG
        seq += 1
        command = Command(CLOSE, None) if seq > LONG_ENOUGH else next_command(case, state, rng)
        try:
            state = rules.decide(state, command, dice, seq).state
        except Illegal:
            assert command.name == CLOSE, command
            state = rules.decide(state, next_command(case, state, rng), dice, seq).state


@pytest.mark.parametrize("case", share_of_day(house_cases(), 8), ids=str)
def test_bots_in_every_seat_play_to_the_end_in_the_house(case: Case, open_table: OpenTable, host: Player) -> None:
    played(with_bots(case, open_table, host), host)


@pytest.mark.parametrize("case", share_of_day(house_cases(), 8, turn=4), ids=str)
def test_bots_that_answer_anything_play_to_the_end(
    case: Case, open_table: OpenTable, host: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = plugin.game(case.game_id).bots
    monkeypatch.setattr(bots, "choose", at_random)
    monkeypatch.setattr(bots, "aside", lambda *asked: None, raising=False)
    played(with_bots(case, open_table, host), host)


def test_several_choices_of_one_name_opened_by_one_entry_are_all_answered(open_table: OpenTable, host: Player) -> None:
    """The dummy game's thanks: a seat owes one to each of the others, from the same entry on."""
    table = played(with_bots(Case("dummygame", "polite", 4), open_table, host), host)
    entries = LogEntry.objects.filter(table=table, command__name="thank")
    answered: dict[Any, list[Any]] = {}
    for entry in entries:
        answered.setdefault((entry.seat, entry.command["basis"]), []).append(entry.command["args"]["to"])
    assert answered
    assert all(len(set(to)) == len(to) == 3 for to in answered.values())
    assert len({entry.command_id for entry in entries}) == len(entries)


@pytest.mark.django_db(transaction=True)
def test_also_through_the_writer_that_commits_for_all(open_table: OpenTable, host: Player) -> None:
    """There a repeated id is found by the rules' refusal, and a bot's act of an older look refused."""
    table = played(with_bots(Case("dummygame", "polite", 3), open_table, host), host)
    acts = LogEntry.objects.filter(table=table, seq__gt=1).values_list("command_id", flat=True)
    assert len(set(acts)) == len(acts)


@pytest.mark.parametrize("preset", ["club", "last_man_standing"])
def test_a_bot_box_answers_beavers_of_several_members(
    preset: str, open_table: OpenTable, host: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each cube taken asks for an answer of its own, and all of them at once."""
    bots = plugin.game("chouette").bots
    monkeypatch.setattr(bots, "choose", eager)
    monkeypatch.setattr(bots, "aside", lambda *asked: None)
    fix(monkeypatch, "beavers")
    table = played(with_bots(Case("chouette", preset, 6), open_table, host), host, a_while=LONG_ENOUGH)
    replies = LogEntry.objects.filter(table=table, command__name="reply")
    answered: dict[Any, int] = {}
    for entry in replies:
        answered[key] = answered.get(key := (entry.seat, entry.command["basis"]), 0) + 1
    assert max(answered.values(), default=0) > 1, "nobody was asked about several cubes at once"

"""The service against the pure kernel: whatever is done in whatever order, both say the same, nothing is doubled."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from django.db import connection

from games.kernel.contract import Illegal
from games.kernel.tournaments import answers
from games.models import Pairing, Table
from games.services.commands import Actor, Request, new_command_id
from games.services.tables.commit import submit
from games.services.tournaments import automatic, draw_check, formats
from tests import seeds
from tests.tournaments.world import Evening

pytestmark = pytest.mark.django_db

STEPS = 40
NAMES = ("Kari", "Nils", "Uli", "Ole", "Per", "Siv")
ALL_KINDS = [kind.id for kind in formats.KINDS if not kind.is_of_tables]


class Crash(BaseException):
    """The process ends here: whatever the transaction has written is gone, as after kill -9."""


class CrashAt:
    """Let the process end before the database statement of a number."""

    def __init__(self, at: int) -> None:
        self.at = at

    def __call__(self, execute: Any, *rest: Any) -> Any:
        self.at -= 1
        # Once: the database itself takes back what is not committed.
        if self.at == -1:
            raise Crash
        return execute(*rest)


def check(evening: Evening) -> None:
    """Check the laws: state is the kernel's replay of the rows; a match has one pairing, a person one open match."""
    tournament = evening.tournament
    reading = evening.read()
    rows = list(tournament.entries.order_by("number"))
    assert [row.number for row in rows] == list(range(len(rows))) == list(range(tournament.length))
    given = {"format": tournament.format, "log": [row.data for row in rows], "now": reading.minute}
    said = answers.answer({**given, "seed": tournament.seed})
    gone = {"gone": reading.gone} if reading.gone else {}
    assert said == {"state": reading.state, "proposals": reading.proposals, "standing": reading.standing, **gone}
    assert tournament.status == said["state"]["status"]
    matches = {match["id"]: match for match in said["state"]["matches"]}
    pairings = {row.match: row for row in Pairing.objects.filter(tournament=tournament).select_related("table")}
    assert matches.keys() == pairings.keys()
    busy = Counter(key for match in matches.values() if match["status"] == "running" for key in match["players"])
    assert max(busy.values(), default=1) == 1
    for key, match in matches.items():
        row = pairings[key]
        assert row.is_open == (match["status"] == "running")
        if row.table is not None and not row.is_open:
            assert row.table.status == Table.Status.FINISHED
        kept = None if row.table is None else getattr(row.table, "match", None)
        assert (kept is not None) == (match["status"] == "done"), (match, evening.read().log)
        if kept is not None:
            assert kept.winner == evening.player(match["winner"])


def acts_of(evening: Evening, rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Return acts of the director that make sense now, and some that do not."""
    reading = evening.read()
    keys = [row["player"] for row in reading.state["players"]] or ["p1"]
    ids = [match["id"] for match in reading.state["matches"]] or ["m1"]
    match = next((each for each in reading.state["matches"] if each["status"] == "running"), None)
    known = match or {"id": rng.choice(ids), "players": keys}
    result = {"match": known["id"], "winner": rng.choice(known["players"]), "points": rng.choice([None, 0, 1])}
    confirm = {"seen": len(reading.log), "minute": reading.minute, "which": rng.choice([None, None, 0, 1])}
    return [
        *[("confirm", confirm)] * 6,
        *[("result", result)] * 6,
        ("correct", {**result, "match": rng.choice(ids)}),
        ("void", {"match": rng.choice(ids)}),
        ("stand", {"match": rng.choice(ids)}),
        ("withdraw", {"who": rng.choice(keys), "when": rng.choice(["now", "after", "one"])}),
        ("return", {"who": rng.choice(keys)}),
        ("pair", {"one": rng.choice(keys), "other": rng.choice(keys)}),
        ("enter", {"players": [rng.choice(list(evening.people.values())).pk]}),
        ("break", {"after": 0, "minutes": 5}),
        ("finish", {}),
        ("reopen", {}),
    ]


def step(evening: Evening, rng: random.Random) -> None:
    """Do something: an act, the house's own round, or a minute that passes; in some the process ends halfway."""
    name, args = rng.choice(acts_of(evening, rng))
    ends = rng.random() < 0.2
    try:
        with connection.execute_wrapper(CrashAt(rng.randrange(40) if ends else 10**9)):
            kind = rng.random()
            if kind < 0.2:
                automatic.run_due()
            elif kind < 0.3:
                evening.later(minutes=rng.randrange(9))
            else:
                evening.do(evening.host, name, **args)
    except (Illegal, Crash):
        pass


@pytest.mark.parametrize("kind", seeds.share_of_day(ALL_KINDS, 4))
@pytest.mark.parametrize("medium", ["", "wood"])
def test_any_order_of_acts_and_of_ends_of_the_process_is_the_kernels_replay(kind: str, medium: str) -> None:
    rng = random.Random(f"{seeds.first_seed()}:{kind}:{medium}")
    evening = Evening(*NAMES, kind=kind, medium=medium, length=1)
    evening.do(evening.host, "enter", players=[player.pk for player in evening.people.values()])
    for _ in range(STEPS):
        step(evening, rng)
        check(evening)
    if evening.tournament.seed_opened_at is not None:
        assert draw_check.check(evening.tournament).faults == ()


@pytest.mark.usefixtures("sealed_dice")
def test_a_process_that_ends_between_a_result_and_the_next_pairing_loses_and_doubles_nothing() -> None:
    evening = Evening(*NAMES, medium="screen", length=1)
    evening.begin()
    first = evening.tournament.pairings.order_by("pk")[0].table
    assert first is not None
    seat = first.seats.get(index=0)
    request = Request("table.leave", {}, new_command_id())
    submit(first.pk, Actor(seat.player_id), request)
    at, is_done = 0, False
    while not is_done:
        try:
            with connection.execute_wrapper(CrashAt(at)):
                automatic.run(evening.read().tournament, automatic.server_time.now())
            is_done = True
        except Crash:
            at += 3
            check_open(evening)
    check_open(evening)
    assert evening.types().count("result") == 1


def check_open(evening: Evening) -> None:
    """Check that nobody is in two matches, and that the table's result is in the log once at most."""
    reading = evening.read()
    busy = Counter(key for m in reading.state["matches"] if m["status"] == "running" for key in m["players"])
    assert max(busy.values()) == 1
    assert evening.types().count("result") <= 1
    assert evening.types().count("correct") == 0

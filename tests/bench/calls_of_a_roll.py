"""The calls of Python functions that a roll takes in the commit, at a chouette of five.

`python -m tests.bench.calls_of_a_roll [throws]` plays a table of the German chouette, whose dice are the same in each
run, and counts calls of the house's and the games' functions between the submission of a roll and its receipt: of the
rolls that open the ring of cubes (the dearest is the first one of a game), and of those that throw dice. Functions with
a name count: no steps of generators, no comprehensions, no lambdas, and nothing of libraries. With `--functions` it
prints which functions the dearest ring and the throws call how often.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TypeVar

R = TypeVar("R")

SEATS, THROWS = 5, 400
SOURCES = tuple(f"{Path(__file__).parents[2] / name}{os.sep}" for name in ("games", "chouette", "chicago"))
STEPS = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
RING, THROW = "opens the ring", "throws dice"


def calls_of(work: Callable[[], R]) -> tuple[R, Counter[CodeType]]:
    """Return what `work` returns, and how often it calls each function with a name."""
    found: Counter[CodeType] = Counter()

    def note(frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if event == "call" and not code.co_flags & STEPS and not code.co_name.startswith("<"):
            found[code] += 1

    sys.setprofile(note)
    try:
        result = work()
    finally:
        sys.setprofile(None)
    return result, Counter({code: count for code, count in found.items() if code.co_filename.startswith(SOURCES)})


def table_of_five() -> Any:
    """Return a started table with the same dice in each run."""
    from games.models import Table
    from games.services.nights import membership
    from games.services.people import players
    from games.services.tables import setup

    host = players.new_guest("Hanna")
    night = membership.host_night(host, "Bench")
    table = setup.open_table(night, host, "chouette", "german", {})
    Table.objects.filter(pk=table.pk).update(dice_seed="07" * 32, public_id="callsofaroll")
    table.refresh_from_db()
    for index in range(SEATS):
        guest = host if index == 0 else players.new_guest(f"Guest {index}")
        membership.join(night, guest)
        setup.sit(table, guest, accept=True, nonce=str(index))
    setup.start(table, host, "start")
    return table


def played(throws: int) -> dict[str, list[Counter[CodeType]]]:
    """Return the calls of rolls, by kind, until so many have thrown; nobody doubles."""
    from games.services.commands import Actor, Request
    from games.services.tables import snapshot as table_snapshot
    from games.services.tables.commit import submit

    table = table_of_five()
    people = dict(table.seats.values_list("index", "player_id"))
    found: dict[str, list[Counter[CodeType]]] = {RING: [], THROW: []}
    while len(found[THROW]) < throws:
        snapshot = table_snapshot.cached(table.pk)
        assert snapshot is not None
        open_now = [c for seat in range(SEATS) for c in snapshot.choices(seat) if c.required]
        choice = next((c for c in open_now if c.name == "roll"), open_now[0])
        args = next((args for args in choice.options if not args.get("double")), choice.options[0])
        request = Request(choice.name, args, f"c{snapshot.seq}", choice.opened_at)
        receipt, calls = calls_of(partial(submit, table.pk, Actor(people[choice.seat]), request))
        if choice.name == "roll":
            found[THROW if receipt.entry.dice else RING].append(calls)
    return found


def line(kind: str, rolls: list[Counter[CodeType]]) -> str:
    """Return the median, the least and the most calls of one kind of rolls."""
    counts = sorted(each.total() for each in rolls)
    middle = statistics.median(counts)
    return f"a roll that {kind}: {middle:.0f} calls in the median, {counts[0]} to {counts[-1]} ({len(counts)} rolls)"


def functions(rolls: list[Counter[CodeType]], most: int = 60) -> list[str]:
    """Return the functions that are called most often, with their calls a roll."""
    together: Counter[CodeType] = sum(rolls, Counter())
    rows = together.most_common(most)
    return [f"{n / len(rolls):8.1f}  {code.co_qualname}  {code.co_filename}:{code.co_firstlineno}" for code, n in rows]


def main(argv: list[str]) -> None:
    """Print the figures, on a database that is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{folder}/bench.sqlite3"
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        numbers = [int(arg) for arg in argv if arg.isdigit()]
        for kind, rolls in played(numbers[0] if numbers else THROWS).items():
            print(line(kind, rolls))
            if "--functions" in argv:
                print("\n".join(functions([max(rolls, key=Counter.total)] if kind == RING else rolls)))


if __name__ == "__main__":
    main(sys.argv[1:])

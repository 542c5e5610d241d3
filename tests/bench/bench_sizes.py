"""What a backgammon table sends, in bytes: the view that travels with every entry, and the choices.

`python -m tests.bench.bench_sizes`. Ten players; the bound of a view is 6 kB and is held by
tests/chouette/session/test_size.py. Lasting members (the sheet, house rules, first rolls) travel when
they change, so they stand in a column of their own.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from typing import Any

import django

SEATS, COMMANDS, SEEDS = 10, 400, 4


def size(value: Any) -> int:
    """Return how many bytes a JSON value takes on the line."""
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())


def split(view: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what of a view travels with every entry, and what only when it has changed."""
    from games.plugin import game

    names = game("chouette").lasting
    passing = {name: value for name, value in view.items() if name not in names}
    return passing, {name: view[name] for name in names}


def nine_cubes(preset: str) -> Any:
    """Return a table at which the Box answers nine cubes at once."""
    from tests.chouette.table import LONG_RACE, Table

    table = Table("ABCDEFGHIJ", preset, position=LONG_RACE, max_players=SEATS)
    table.start()
    table.double("BCDEFGHIJ")
    return table


def long_evening(games: int) -> Any:
    """Return a table after so many games."""
    from tests.chouette.table import TEAM_WINS, Table

    table = Table("ABCDEFGHIJ", position=TEAM_WINS, max_players=SEATS)
    for _ in range(games):
        table.start()
        table.double()
        table.play(2, 1)
    return table


def at_random() -> Iterator[tuple[Any, list[Any]]]:
    """Yield views, each with its seat's choices, of sessions played at random."""
    import chouette.rules as rules
    from chouette.rules.options.declaration import OPTIONS
    from tests.chouette.sessions import Session

    for seed in range(SEEDS):
        options = OPTIONS.values(("german", "club")[seed % 2], {"max_players": SEATS})
        table = Session(random.Random(seed), options, SEATS)
        while not rules.is_over(table.state) and len(table.log) < COMMANDS:
            table.act()
            for seat in range(SEATS):
                yield rules.view(table.state, seat), [c.to_json() for c in rules.choices(table.state, seat)]


def rows() -> Iterator[tuple[str, int, int, int]]:
    """Yield what is measured: its name, the view that travels, what lasts, the choices."""
    import chouette.rules as rules

    for preset in ("german", "club"):
        table = nine_cubes(preset)
        passing, lasting = split(table.look("A"))
        choices = [choice.to_json() for choice in rules.choices(table.state, table.seat("A"))]
        yield f"the Box answers nine cubes, {preset}", size(passing), size(lasting), size(choices)
    for games in (1, 10, 40):
        passing, lasting = split(long_evening(games).look("A"))
        yield f"after {games} games", size(passing), size(lasting), 0
    measured = [(*map(size, split(view)), size(choices)) for view, choices in at_random()]
    for name, at in (("half of all views", 0.5), ("99 of 100", 0.99), ("the largest", 1.0)):
        columns = (sorted(column) for column in zip(*measured, strict=True))
        passing_size, lasting_size, choice_size = (found[int((len(found) - 1) * at)] for found in columns)
        yield f"at random: {name}", passing_size, lasting_size, choice_size


def main() -> None:
    """Print the sizes."""
    print(f"{'bytes, ten players':<40}{'view':>8}{'lasting':>9}{'choices':>9}")
    for name, *sizes in rows():
        print(f"{name:<40}{sizes[0]:>8}{sizes[1]:>9}{sizes[2]:>9}")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    main()

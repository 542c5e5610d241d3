"""How long the odds take, cold and warm: `python -m tests.bench.bench_odds`."""

from time import perf_counter

from chicago.odds import exact, graph, objective
from chicago.rules import rules
from chicago.rules.options.declaration import OPTIONS
from tests.chicago.botplay import Table

CACHED = (
    graph.graph,
    exact._targets,
    exact.beat_table,
    exact._against_one,
    exact._three_ones,
    objective._solution,
)


def forget():
    """Empty every cache of the odds, as in a process that has just started."""
    for function in CACHED:
        function.cache_clear()


def seconds(work):
    """Return how long one call takes."""
    start = perf_counter()
    work()
    return perf_counter() - start


def cold_and_warm(work, times=20):
    """Return the seconds of a first call and the median of later ones."""
    forget()
    cold = seconds(work)
    return cold, sorted(seconds(work) for _ in range(times))[times // 2]


def questions():
    """Yield what is asked of the odds in play, by name."""
    for preset in OPTIONS.presets:
        options = OPTIONS.values(preset.id)
        table = Table(options, preset.seats[0] + 1, 1)
        seat = next(iter(table.awaited()))
        seen = rules.view(table.state, seat)
        seen["cup"] = {"laid": [], "rolled": [1, 4, 6], "throws": 1, "in_cup": 0}
        yield f"{preset.id}: the table of the rules page", lambda o=options: exact.odds_table(o)
        yield f"{preset.id}: one chance", lambda o=options: exact.beat_chance(o, 3, 123)
        yield (
            f"{preset.id}: a starter's chances",
            lambda v=seen: objective.ways(objective.aim_of(v), objective.turn_of(v)),
        )


def main():
    """Print milliseconds cold and warm for each question, and how many times faster warm is."""
    print(f"{'':44}{'cold ms':>10}{'warm ms':>10}{'ratio':>8}")
    for name, work in questions():
        cold, warm = cold_and_warm(work)
        print(f"{name:44}{cold * 1e3:10.2f}{warm * 1e3:10.3f}{cold / warm:8.0f}")


if __name__ == "__main__":
    main()

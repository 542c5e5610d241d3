"""The time of pairings of 200 people and of a draw for 40: `python -m tests.bench.bench_tournaments`.

The times are milliseconds of processor, so that other work on the machine counts little.
"""

from itertools import combinations
from time import process_time

from games.kernel.draws import draw
from games.kernel.tournaments import answers
from tests.bench.live.report import aim_line

PEOPLE = 200
KINDS = ("open_end", "lives", "knockout", "double", "round_robin", "schedule", "swiss", "neighbours")
MOST_OF_A_PAIRING, MOST_OF_A_DRAW = 0.200, 0.050


def median(work, times=9):
    """Return the median seconds of processor of some calls."""
    taken = []
    for _ in range(times):
        start = process_time()
        work()
        taken.append(process_time() - start)
    return sorted(taken)[times // 2]


def begun(kind):
    """Return the input of a tournament that has just begun, and of one after two rounds of results."""
    log = [{"at": 0, "type": "enter", "player": f"p{at}"} for at in range(PEOPLE)] + [{"at": 0, "type": "start"}]
    given = {"format": {"kind": kind}, "log": log, "now": 0, "seed": 7}
    yield f"{kind}: the first pairs", given
    log = list(log)
    for minute in (1, 2):
        proposed = answers.answer(given | {"log": log, "now": minute})["proposals"]
        entries = [{"at": minute} | entry for each in proposed for entry in each.get("entries", [])]
        matches = [entry for entry in entries if entry["type"] == "match"]
        results = [{"at": minute, "type": "result", "match": m["id"], "winner": m["players"][0]} for m in matches]
        log += entries + results
    yield f"{kind}: after two rounds", given | {"log": log, "now": 9}


def of_strangers():
    """Return the wishes of 40 people who have sat together in six lots."""
    people = [{"player": f"p{at}"} for at in range(40)]
    wish = {"people": people, "size": {"want": 5}, "way": "lot", "seed": 0}
    met = [
        [one, other, 1]
        for seed in range(6)
        for table in draw.answer(wish | {"seed": seed})["tables"]
        for one, other in combinations(table, 2)
    ]
    return wish | {"way": "strangers", "met": met}


def tell(name, taken, most):
    """Print the milliseconds of something and the most that it may take."""
    print(f"{name:48}{1000 * taken:8.1f} ms of processor (at most {1000 * most:.0f})")


def main():
    """Print milliseconds of each, beside the most that they may take."""
    most = 0.0
    for kind in KINDS:
        for name, given in begun(kind):
            taken = median(lambda given=given: answers.answer(given))
            most = max(most, taken)
            tell(f"{PEOPLE} people, {name}", taken, MOST_OF_A_PAIRING)
    wish = of_strangers()
    taken = median(lambda: draw.answer(wish))
    tell("a draw of strangers for 40 people", taken, MOST_OF_A_DRAW)
    for name, found, aim in (
        (f"pairing {PEOPLE} people, ms at most", most, MOST_OF_A_PAIRING),
        ("draw of strangers for 40, ms", taken, MOST_OF_A_DRAW),
    ):
        print("- " + aim_line(name, f"≤ {1000 * aim:g}", -1000 * found, -1000 * aim))


if __name__ == "__main__":
    main()

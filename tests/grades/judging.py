"""An engine and a grading module for the tests: every choice is an error, at any depth."""

from io import StringIO

from django.core.management import call_command

from games.kernel.figures.skill import Depth
from tests import snapshots
from tests.conftest import answer, choices_at


class Judge:
    """An engine that finds an error in everything."""

    name, level = "judge 1", "quick"
    closed = 0

    def __init__(self, depth=Depth.FIRST):
        self.level = {Depth.FIRST: "quick", Depth.DEEP: "deep", Depth.DEEPER: "deepest"}[depth]

    def at(self, depth):
        return Judge(depth)

    def close(self):
        Judge.closed += 1


class Grading:
    """A grading module for any game: a row for each seat of each entry."""

    FORMULA = 1
    HOW_TO_GET_ONE = "ask a judge"
    IS_EXACT = False
    graded, asked, levels = True, [], []

    def engine(self):
        return Judge()

    def has_engine(self):
        return self.engine() is not None

    def rows(self, game, engine):
        self.levels.append(engine.level)
        if engine.level == "quick":
            self.asked.append((game.first, game.entries[-1].seq))
        yield from self.every(game, engine)

    def row(self, game, engine, number):
        return list(self.every(game, engine))[number]

    def every(self, game, engine):
        for entry in game.entries[game.first - 1 :]:
            for seat in range(game.seats):
                about = {"seq": entry.seq, "seat": seat, "counts": True, "error": 0.1, "level": engine.level}
                yield about | {"kind": "play", "xgid": "", "graded": self.graded, "suggested": [1]}


@snapshots.kept()
def play_out(table):
    while open_choices := [c for c in choices_at(table) if c.required]:
        answer(table, open_choices[0])
    table.refresh_from_db()
    return table


def work():
    out = StringIO()
    call_command("analyser", "--once", stdout=out, stderr=out)
    return out.getvalue()

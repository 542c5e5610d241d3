"""Grading ahead: the choices of games that are being played are judged already, so that little is left at the end.

Nothing is kept or shown: the engine remembers its answers, and the pass after the game's end finds them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games import plugin
from games.kernel.figures.skill import GameToGrade
from games.models import Result, Table
from games.services.grades import jobs
from games.services.tables import log

LEAST_ENTRIES = 12
"""A table is looked at again after so many entries: the log is read from its start."""
MOST_CHOICES = 40
"""After so many choices it is others' turn, however many there are: some seven seconds of an engine."""


class Ahead:
    """The tables that play, with the entry up to which each was looked at."""

    def __init__(self, engines: Mapping[str, plugin.GradingEngine]) -> None:
        known = jobs.graded_games()
        self._engines = {game_id: each for game_id, each in engines.items() if not known[game_id].IS_EXACT}
        self._seen: dict[int, int] = {}

    def work(self, go_on: Callable[[], object]) -> bool:
        """Judge some new choices of the table with the most of them; tell whether there was one.

        `go_on` is called after each choice, and raises where the work is left.
        """
        playing = Table.objects.filter(status=Table.Status.PLAYING, game_id__in=self._engines)
        known = dict(playing.values_list("pk", "seq"))
        self._seen = {pk: seq for pk, seq in self._seen.items() if pk in known}
        new = {pk: seq - self._seen.get(pk, 0) for pk, seq in known.items()}
        table_id = max(new, key=lambda each: new[each], default=None)
        if table_id is None or new[table_id] < LEAST_ENTRIES:
            return False
        self._judge(Table.objects.get(pk=table_id), known[table_id], go_on)
        return True

    def _judge(self, table: Table, upto: int, go_on: Callable[[], object]) -> None:
        """Judge choices from the running game's start, or from where the last look ended, up to an entry at most.

        All choices of an entry are judged in one turn, so that the next one begins behind it.
        """
        results = Result.objects.filter(table=table, seq__isnull=False, is_correction=False)
        ended = results.order_by("-seq").values_list("seq", flat=True).first() or 0
        first = max(ended, self._seen.get(table.pk, 0)) + 1
        played = GameToGrade(table.options, log.seat_count(table), log.entries(table.pk, upto=upto), first)
        seen = first - 1
        for number, row in enumerate(jobs.graded_games()[table.game_id].rows(played, self._engines[table.game_id])):
            if number >= MOST_CHOICES and row["seq"] > seen:
                break
            seen = row["seq"]
            go_on()
        else:
            seen = upto
        self._seen[table.pk] = seen

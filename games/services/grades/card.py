"""The line about grades on the card of a game's result: the best play, and the roll with the most luck."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games import plugin
from games.game_texts import gettext_of
from games.kernel.figures.skill_rates import rate, sum_of
from games.models import GameGrades, Result, ResultLine, Table
from games.services.grades import jobs, visibility
from games.services.grades.numbers import level_text, rate_text
from games.services.grades.visibility import SeenGame, Viewer
from games.services.regions import written

LEAST_CHOICES = 10
"""Fewer choices that count don't make a game the best one."""


@dataclass(frozen=True, slots=True)
class LastGameLine:
    """The card's line on a table's last finished game, for a viewer, in the current language; "" for nothing.

    `ended` is the entry that ended the game, None before any has ended; `is_awaited` tells that it is to be graded yet.
    """

    ended: int | None
    is_awaited: bool
    text: str


def line(table: Table, by: Viewer) -> LastGameLine:
    """Return the line of a table's last finished game."""
    results = Result.objects.filter(table=table, seq__isnull=False, is_correction=False)
    result = results.order_by("-seq").first()
    game = plugin.all_games().get(table.game_id)
    if result is None or game is None or game.grading is None:
        return LastGameLine(result.seq if result else None, is_awaited=False, text="")
    grades = GameGrades.objects.filter(result=result).first()
    if grades is None or not grades.formula:
        return LastGameLine(result.seq, _is_awaited(game.grading, result, grades), "")
    seen = visibility.seen(table, grades, by)
    return LastGameLine(result.seq, is_awaited=False, text=_text(game, game.grading, seen, by) if seen.rows else "")


def _is_awaited(grading: plugin.Grading, result: Result, grades: GameGrades | None) -> bool:
    tries = grades.tries if grades else 0
    return result.medium == plugin.SCREEN and tries < jobs.MOST_TRIES and grading.has_engine()


def _text(game: plugin.GameConfig, grading: plugin.Grading, seen: SeenGame, by: Viewer) -> str:
    told = [_best(game, grading, seen, by), _swing(grading, seen, by)]
    if not any(told):
        return ""
    return " · ".join([*filter(None, told), f"{seen.grades.engine}, {level_text(seen.grades.level)}"])


def _best(game: plugin.GameConfig, grading: plugin.Grading, seen: SeenGame, by: Viewer) -> str:
    """Return the sentence on the lowest rate among the lines shown; a single one is not called the best."""
    rates = {row.seat: rate([sum_of(_of(seen, row))], grading.SCALE) for row in seen.lines}
    known = {seat: found for seat, found in rates.items() if found.choices >= LEAST_CHOICES}
    if not known:
        return ""
    seat = min(known, key=lambda each: known[each].value or 0.0)
    about = {
        "name": seen.line(seat).name,
        "rate": f"{gettext_of(game, grading.RATE)} {rate_text(known[seat])}",
        "n": known[seat].choices,
    }
    if len(known) > 1:
        return _("Best game: %(name)s, %(rate)s (%(n)s choices)") % about
    if _is_own(seen.line(seat), by):
        return _("Your game: %(rate)s (%(n)s choices)") % about
    return _("%(name)s: %(rate)s (%(n)s choices)") % about


def _swing(grading: plugin.Grading, seen: SeenGame, by: Viewer) -> str:
    swing = grading.swing(seen.rows)
    if swing is None or not round(swing.points, 1):
        return ""
    about = {
        "name": seen.line(swing.seat).name,
        "dice": "-".join(map(str, swing.dice)),
        "points": written.signed(swing.points),
    }
    if len(seen.lines) == 1 and _is_own(seen.line(swing.seat), by):
        return _("your biggest swing: %(dice)s (%(points)s)") % about
    return _("biggest swing: %(name)s's %(dice)s (%(points)s)") % about


def _of(seen: SeenGame, of: ResultLine) -> list[dict[str, object]]:
    return [row for row in seen.rows if row["seat"] == of.seat]


def _is_own(of: ResultLine, by: Viewer) -> bool:
    return by.player_id is not None and of.player_id == by.player_id

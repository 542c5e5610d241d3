"""The grades of a table's games for its replay: the course of each game, its mistakes, the worst in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from games import plugin
from games.game_texts import gettext_of
from games.kernel.figures.skill import Mistake, Swing
from games.models import Player, Table
from games.services.grades import numbers, visibility
from games.services.grades.visibility import SeenGame
from games.services.logs.replays import Span
from games.services.regions import written
from games.web import exercises

WORST, DECIMALS = 10, 3


def graded_games(table: Table, player: Player, spans: Sequence[Span]) -> list[dict[str, Any]]:
    """Return each graded game as the player may see it.

    `{"first", "ended", "made_with", "label", "course", "mistakes", "worst", "luck"}`: `course` are pairs of entry and
    equity; `mistakes` are `{"seq", "seat", "row", "error", "text", "card", "played", "better", "study", "deeper"}` in
    the order of the log, of one entry the reader's own first. `seq` is the entry before the choice: there the table is
    as whoever chose saw it. `card` is the mistake in short (`_card`), `played` and `better` are what the game's element
    draws, `study` is an address or "", `deeper` the level of a deeper look or ""; `worst` are numbers of those with the
    largest errors; `luck` are the rolls with much luck, `{"seq", "points", "text"}` in the order of the log.
    """
    game = plugin.game(table.game_id)
    if game.grading is None:
        return []
    seen = visibility.games(table, visibility.viewer(table, player))
    by_end = {each.result.seq: each for each in seen}
    found = ((span, each) for span in spans if (each := _of(span, by_end)) is not None)
    return [_told(game, game.grading, span, each, player) for span, each in found]


def _of(span: Span, by_end: dict[int | None, SeenGame]) -> SeenGame | None:
    """Return the graded game of a span; the last span of a table may end later than its game, with a correction."""
    return next((seen for end, seen in by_end.items() if end is not None and span.first <= end <= span.last), None)


def _told(
    game: plugin.GameConfig, grading: plugin.Grading, span: Span, seen: SeenGame, player: Player
) -> dict[str, Any]:
    def is_own(mistake: Mistake) -> bool:
        return seen.line(mistake.seat).player_id == player.pk

    alike = _alike(grading.mistakes(seen.rows))
    found = sorted((each[0] for each in alike), key=lambda each: (each.seq, not is_own(each)))
    times = {each[0].row: len(each) for each in alike}
    mistakes = [
        {
            "seq": each.seq - 1,
            "seat": each.seat,
            "error": each.error,
            "text": _text(game, each, seen),
            "card": _card(game, each, _("You") if is_own(each) else seen.line(each.seat).name, times[each.row]),
            **_drawn(each),
            "study": _study(game, each),
            "row": each.row,
            "deeper": each.deeper,
        }
        for each in found
    ]
    first = grading.first_side(seen.rows)
    return {
        "first": span.first,
        "ended": seen.result.seq,
        "made_with": _made_with(seen),
        "label": _("Equity of %(name)s after each play") % {"name": seen.line(first).name} if first is not None else "",
        "course": list(grading.course(seen.rows)),
        "mistakes": mistakes,
        "worst": sorted(range(len(found)), key=lambda number: -found[number].error)[:WORST],
        "luck": [_luck(each, seen) for each in grading.lucky(seen.rows)],
    }


def _alike(found: Sequence[Mistake]) -> list[list[Mistake]]:
    """Return mistakes with those that are the same: about several cubes of one value a side may err at once."""
    same: dict[Any, list[Mistake]] = {}
    for each in found:
        same.setdefault((each.seq, each.seat, each.sentence, each.position, each.error), []).append(each)
    return list(same.values())


def _drawn(mistake: Mistake) -> dict[str, str]:
    """Return the choice made and the better one as the game's element draws them, "" where it cannot."""
    if not mistake.is_drawn or mistake.chosen is None or mistake.best is None:
        return {"played": "", "better": ""}
    return {"played": mistake.chosen.text, "better": mistake.best.text}


def _card(game: plugin.GameConfig, mistake: Mistake, who: str, times: int) -> dict[str, Any] | None:
    """Return a mistake in short: `{"who", "chosen", "best", "cost", "ways": [{"text", "equity", "mark"}]}`.

    `times` is how often it was made at once. None where the game has no short words for it.
    """
    if mistake.chosen is None or mistake.best is None:
        return None
    ways = [
        {"text": gettext_of(game, way.text), "equity": written.signed(way.equity, DECIMALS), "mark": way.mark}
        for way in mistake.ways
    ]
    cost = written.percent(-mistake.error / 100, 1) if mistake.is_chance else written.rounded(-mistake.error, DECIMALS)
    best = _("best %(choice)s") % {"choice": exercises.said(game, mistake.best)}
    chosen = exercises.said(game, mistake.chosen) + (f" ×{times}" if times > 1 else "")
    return {"who": who, "chosen": chosen, "best": best, "cost": cost, "ways": ways}


def _made_with(seen: SeenGame) -> str:
    """Return what the figures of a game were made with: engine, level, pass, formula, numbers of choices."""
    grades = seen.grades
    counted = sum(bool(row["counts"]) for row in seen.rows)
    level = numbers.level_text(grades.level)
    about = {"engine": grades.engine, "level": level, "formula": grades.formula, "n": counted}
    about["pass"] = _("deep pass") if grades.is_deep else _("first pass")
    text = _("%(engine)s, %(level)s (%(pass)s), formula %(formula)s; choices that count: %(n)s") % about
    missing = sum(not row["graded"] for row in seen.rows)
    if missing:
        text += "; " + _("not graded, as the engine had no answer: %(n)s") % {"n": missing}
    levels = [row["deeper"] for row in seen.rows if row["deeper"]]
    if levels:
        deeper = {"n": len(levels), "level": written.names(sorted(set(levels)))}
        text += "; " + _("looked at more deeply (%(level)s): %(n)s") % deeper
    return text


def _study(game: plugin.GameConfig, mistake: Mistake) -> str:
    """Return the address of the study of the position before a mistake, "" where there is none."""
    if game.study is None or not mistake.position:
        return ""
    return f"{reverse('study', args=[game.game_id])}?{urlencode({'position': mistake.position})}"


def _luck(roll: Swing, seen: SeenGame) -> dict[str, Any]:
    about = {
        "name": seen.line(roll.seat).name,
        "dice": "-".join(map(str, roll.dice)),
        "points": written.signed(roll.points),
    }
    return {"seq": roll.seq, "points": roll.points, "text": _("%(name)s threw %(dice)s: luck %(points)s.") % about}


def _text(game: plugin.GameConfig, mistake: Mistake, seen: SeenGame) -> str:
    """Return the sentence of a mistake in the current language, with who had suggested the better play."""
    name = seen.line(mistake.seat).name
    error = written.rounded(mistake.error, DECIMALS)
    text = gettext_of(game, mistake.sentence) % {**mistake.values, "name": name, "error": error}
    text = " ".join(filter(None, [text, exercises.ways_of(game, mistake)]))
    if mistake.suggested:
        names = written.names(seen.line(seat).name for seat in mistake.suggested)
        text = f"{text} " + _("Suggested it: %(names)s.") % {"names": names}
    if mistake.deeper:
        text = f"{text} " + _("(Looked at more deeply: %(level)s.)") % {"level": mistake.deeper}
    return text

"""The page of one's own play: how well, by night and by part, and how lucky."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import plugin
from games.game_texts import gettext_of
from games.kernel.figures.skill import OtherRate
from games.kernel.figures.skill_rates import FULL, LEAST_GAMES, Mean, Rate
from games.services.grades import jobs, numbers, own_play
from games.services.grades.own_play import Area, OwnPlay
from games.services.regions import written
from games.web import charts, exercises
from games.web.errors import pages_refusals
from games.web.identity import player_of

LEAST_CHOICES = 10
"""Of an area with fewer choices nothing is said in words."""
LEAST_AREAS = 2
"""With one area there is nothing to compare."""


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def my_play(request: HttpRequest) -> HttpResponse:
    """Show the reader's own play; nobody else's page leads here."""
    player = player_of(request)
    if player is None:
        return redirect("me")
    found = own_play.own_play(player)
    context = {
        "sections": [_section(each) for each in found],
        "how_to_get_one": jobs.how_to_get_engines(),
        "most": own_play.MOST_GAMES,
        "full": FULL,
        "least": LEAST_GAMES,
    }
    return render(request, "people/my_play.html", context)


def _section(of: OwnPlay) -> dict[str, Any]:
    """Return the play at one game for the template."""
    game = plugin.game(of.game_id)
    grading = jobs.graded_games()[of.game_id]
    return {
        "title": game.title,
        "rate": gettext_of(game, grading.RATE),
        "whole": told(of.whole),
        "summary": _summary(game, of),
        "nights": [{"night": each, "rate": told(each.rate), "so_far": told(each.so_far)} for each in of.nights[::-1]],
        "chart": charts.band([_range(each.so_far) for each in of.nights]),
        "parts": [_part(game, heading, labels, of) for heading, labels in grading.PARTS.items()],
        "luck": written.signed(of.luck.points),
        "rolls": of.luck.rolls,
        "cost": None if of.cost is None else written.rounded(of.cost, 1),
        "others": [_other(game, *each) for each in of.others],
        "without_luck": [None if each is None else _mean(each) for each in of.without_luck],
        "made_with": "; ".join(_made(*each) for each in of.made_with),
        "formula": grading.FORMULA,
        "what_counts": [exercises.said(game, each) for each in grading.WHAT_COUNTS],
        "is_cut": of.is_cut,
    }


def _summary(game: plugin.GameConfig, of: OwnPlay) -> list[str]:
    """Return in three sentences what cost most, what comes next and what goes best; none from few choices."""
    grading = jobs.graded_games()[of.game_id]
    known = [_area(game, each) for each in of.areas if each.rate.choices >= LEAST_CHOICES]
    if len(known) < LEAST_AREAS or not known[0]["rate"].value:
        return []
    most, second = known[:2]
    best = min(known, key=lambda each: float(each["rate"].value))
    about = {"area": best["area"], "rate": gettext_of(game, grading.RATE), "value": numbers.rate_text(best["rate"])}
    return [
        _("What cost you most: %(area)s, %(share)s %% of all your errors, in %(n)s choices.") % most,
        _("What comes next: %(area)s, %(share)s %% in %(n)s choices.") % second,
        _("What goes best: %(area)s, with %(value)s where all choices have %(whole)s (%(rate)s).")
        % {**about, "whole": numbers.rate_text(of.whole)},
    ]


def _area(game: plugin.GameConfig, area: Area) -> dict[str, Any]:
    label = gettext_of(game, jobs.graded_games()[game.game_id].AREAS[area.name])
    share = written.rounded(100 * area.share, 0)
    return {"area": label, "share": share, "n": area.rate.choices, "rate": area.rate}


def _made(engine: str, level: str, formula: int) -> str:
    """Return what figures were made with in words."""
    about = {"engine": engine, "level": level, "formula": formula}
    return _("%(engine)s, %(level)s, formula %(formula)s") % about


def _part(game: plugin.GameConfig, heading: str, labels: Any, of: OwnPlay) -> dict[str, Any]:
    """Return a heading with the parts below it that have a choice; without any it has no rows."""
    rates = of.parts[heading]
    rows = [(gettext_of(game, label), told(rates[name])) for name, label in labels.items() if rates[name].choices]
    return {"title": gettext_of(game, heading), "rows": rows}


def _other(game: plugin.GameConfig, other: OtherRate, whole: Rate, parts: Mapping[str, Rate]) -> dict[str, Any]:
    """Return a rate that is counted otherwise, with that of each part that has a choice."""
    labels = jobs.graded_games()[game.game_id].PARTS[other.heading]
    return {
        "title": gettext_of(game, other.label),
        "about": exercises.said(game, other.about),
        "whole": told(whole),
        "rows": [(gettext_of(game, labels[name]), told(of)) for name, of in parts.items() if of.choices],
    }


def told(of: Rate) -> dict[str, Any]:
    """Return a rate in words: value, range, choices, games; a rate of few choices has no decimal."""
    about = None
    if of.low is not None and of.high is not None:
        low, high = (written.rounded(each, numbers.places(of)) for each in (of.low, of.high))
        about = _("%(low)s to %(high)s") % {"low": low, "high": high}
    return {"value": numbers.rate_text(of), "range": about, "n": of.choices, "games": of.games}


def _mean(of: Mean) -> dict[str, Any]:
    """Return a mean in words: value, range, games; of few games it has no range."""
    about = None
    if of.n >= LEAST_GAMES and of.low is not None and of.high is not None:
        about = _("%(low)s to %(high)s") % {"low": written.signed(of.low), "high": written.signed(of.high)}
    return {"value": written.signed(float(of.mean)), "range": about, "games": of.n}


def _range(of: Rate) -> tuple[float, float, float] | None:
    if of.value is None:
        return None
    return of.value, of.value if of.low is None else of.low, of.value if of.high is None else of.high

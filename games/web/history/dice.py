"""Pages of the dice: figures of a table, a player and the house, compared with honest dice; and roll files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import plugin
from games.kernel.contract import Illegal
from games.kernel.figures import dice_counts, rolls
from games.kernel.figures.dice_counts import Counts, Figure
from games.models import Table
from games.services.history import exports
from games.services.rolls import dice_figures, roll_files, roll_levels
from games.services.rolls.dice_figures import GameCounts
from games.streams import download
from games.web.errors import pages_refusals
from games.web.identity import need_inside, player_of
from games.web.people.player import visible_player
from games.web.tables.page import find_table


@dataclass(frozen=True, slots=True)
class DiceFigure:
    """A figure on the page: shares of `n`, a chi-square as it is; `low` is None with too few rolls."""

    label: str
    figure: Figure
    found: float
    expected: float
    low: float | None
    high: float | None
    control: float


@dataclass(frozen=True, slots=True)
class Section:
    """A section of figures: of all dice, or of a game's own rates."""

    title: str
    rows: list[DiceFigure]


@dataclass(frozen=True, slots=True)
class LevelRow:
    """A level of rolls: its meaning in words, its number of rolls, and their share."""

    level: str
    words: str
    rolls: int
    share: float


def _row(label: str, figure: Figure) -> DiceFigure:
    by = 1 / figure.n if figure.is_share and figure.n else 1
    low, high = figure.within or (None, None)
    return DiceFigure(
        label=label,
        figure=figure,
        found=figure.found * by,
        expected=figure.expected * by,
        low=None if low is None else low * by,
        high=None if high is None else high * by,
        control=figure.control * by,
    )


def _label(figure: Figure) -> str:
    """Return the label of a figure of all dice."""
    kind, subject = figure.id.split()
    if kind == "face":
        return subject
    return {
        "faces": _("Faces, all six together"),
        "pairs": _("Pairs of two dice, all 21 together"),
        "serial": _("One roll after the other, all 36 together"),
    }[subject]


def sections(found: Iterable[GameCounts]) -> list[Section]:
    """Return the sections of a page: all dice, chi-squares, and each game's own rates."""
    found = list(found)
    counts, control = dice_figures.together(found)
    every = dice_counts.figures(counts, control)
    shares = [_row(_label(each), each) for each in every if each.is_share]
    evenness = [_row(_label(each), each) for each in every if not each.is_share]
    result = [Section(_("Faces"), shares), Section(_("Evenness"), evenness)]
    return [*result, *(_of_game(each) for each in found if each.counts.trials)]


def _of_game(found: GameCounts) -> Section:
    game = plugin.game(found.game_id)
    rates = dice_counts.rates(found.counts, found.control, game.rate_labels)
    return Section(str(game.title), [_row(str(game.rate_labels[each.id]), each) for each in rates])


def _page(request: HttpRequest, found: list[GameCounts], **more: Any) -> HttpResponse:
    counts: Counts = dice_figures.together(found)[0]
    context = {"rolls": counts.rolls, "sections": sections(found) if counts.rolls else []}
    context |= {"shares": _level_rows(counts), "unknown": _older_rolls(counts), **more}
    return render(request, "history/dice.html", context)


def _level_rows(counts: Counts) -> list[LevelRow]:
    every = counts.levels.total()
    words = _level_words()
    return [LevelRow(name, words[name], n, n / every) for name, n in roll_levels.counted(counts.levels)]


def _older_rolls(counts: Counts) -> int:
    """Return how many rolls were counted before levels were counted."""
    return counts.rolls - (counts.levels.total() - counts.levels[rolls.TYPED])


def _level_words() -> dict[str, str]:
    """Return the meaning of each level of rolls, by level."""
    return {
        "A": _("phones of both sides and the house"),
        "B": _("one side's phone and the house"),
        "B2": _("the other side's phone and the house: the thrower's phone was silent"),
        "C": _("the house alone"),
        rolls.SEALED: _("the house alone, with a number sealed before play"),
        rolls.TYPED: _("real dice, typed in"),
    }


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def house_dice(request: HttpRequest) -> HttpResponse:
    """Show the figures of all dice of the house, without names, to everybody."""
    waiting = dice_figures.waiting().count()
    return _page(request, dice_figures.of_player(None), is_house=True, waiting=waiting)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def player_dice(request: HttpRequest, player_id: int) -> HttpResponse:
    """Show the figures of a player's dice, with the rights of the player's page."""
    who = visible_player(request, player_id)
    return _page(request, dice_figures.of_player(who), who=who, may_have_file=_may_have_file(request, who.pk))


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def table_dice(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the figures of a table's dice, as far as they are public, to the members of its night."""
    table = find_table(public_id)
    need_inside(request, table.night)
    is_over = table.status == Table.Status.FINISHED
    levels = roll_levels.by_seat(roll_files.of_table(table))
    about = {"table": table, "night": table.night, "game": plugin.game(table.game_id), "is_over": is_over}
    return _page(request, [dice_figures.of_table(table)], levels=levels, level_names=roll_levels.LEVELS, **about)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def house_rolls(request: HttpRequest) -> HttpResponseBase:
    """Return the roll file of the house to the staff; raises Illegal `not_staff`."""
    if not request.user.is_staff:
        raise Illegal("not_staff")
    return download(exports.house_rolls())


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def player_rolls(request: HttpRequest, player_id: int) -> HttpResponseBase:
    """Return a player's roll file to that player and to staff; raises as `visible_player`, and Illegal `not_yours`."""
    player = visible_player(request, player_id)
    if not _may_have_file(request, player.pk):
        raise Illegal("not_yours")
    return download(exports.player_rolls(player))


def _may_have_file(request: HttpRequest, player_id: int) -> bool:
    """Tell whether the asker may have a player's roll file: it shows where and when the player played."""
    viewer = player_of(request)
    return request.user.is_staff or (viewer is not None and viewer.pk == player_id)

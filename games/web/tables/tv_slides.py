"""Slides of the big screen while no game runs: house rules, results of tonight and of the last nights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.core.cache import cache
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Membership, Night, Player, Season, Tournament
from games.services.calendar import dates, feeds
from games.services.history import score_sheets
from games.services.house_rules.cards import RulesCard, game_title
from games.services.regions import region, written
from games.services.seasons import played, season_nights, standing_cache, standing_columns
from games.services.seasons.standing_columns import Shown
from games.services.tournaments import results
from games.services.tournaments.overview import Overview
from games.web.exercises import position_context
from games.web.labels import exact, signed

MOST_LINES = 5
MOST_RULES = 3
"""Fewer than MOST_LINES, because a rule may take two lines."""
NIGHTS = 4
MOST_SEASONS = 2
SEASON_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Slide:
    """A heading and lines, each with a text at its right end or ""; beside them the picture of an exercise, if any."""

    title: str
    lines: tuple[tuple[str, str], ...]
    exercise: Mapping[str, Any] | None = None


def slides(night: Night, card: RulesCard | None) -> list[Slide]:
    """Return the slides that are not empty; `card` is that of the table that is about to start."""
    found = [rules_slide(card)] if card is not None else []
    found += [*result_slides(night), date_slide(night), nights_slide(night)]
    return [slide for slide in found if slide.lines]


def result_slides(night: Night, shown: Tournament | None = None) -> list[Slide]:
    """Return the slides of tonight's results and those of the night's seasons, without empty ones.

    A tournament that is shown already has no slide.
    """
    tournaments = [tournament_slide(each) for each in results.of_night(night) if each.tournament != shown]
    found = (*tournaments, tonight_slide(night), position_slide(night), *season_slides(night), date_slide(night))
    return [slide for slide in found if slide.lines]


def tournament_slide(found: Overview) -> Slide:
    """Return the slide of a tournament's first places, with their wins and losses, or their bank."""
    rows = (
        (f"{one.place}. {one.name}", str(one.bank) if found.is_of_tables else f"{one.wins}–{one.losses}")
        for one in found.standing[:MOST_LINES]
    )
    return Slide(found.tournament.name, tuple(rows))


def date_slide(night: Night) -> Slide:
    """Return the slide of the next date of a night's series: when, and how many come; empty without one."""
    date = dates.following(night)
    if date is None:
        return Slide("", ())
    return Slide(
        _("Next time: %(name)s") % {"name": date.series.name}, ((dates.when_text(date), ""), (feeds.counts(date), ""))
    )


def position_slide(night: Night) -> Slide:
    """Return the slide of the position of the night: the question with the votes so far, later the engine's list."""
    found = position_context(night, None)
    if not found:
        return Slide("", ())
    title = _("The position of the night: what would you choose?")
    if not found["is_told"]:
        votes = ngettext("%(n)s vote", "%(n)s votes", found["voted"]) % {"n": found["voted"]}
        lines = [(found["question"], ""), *((way["label"], "") for way in found["ways"])]
        return Slide(title, (*lines, (_("On your phone: Results"), votes)), found)
    told = (_("It was %(name)s's choice.") % {"name": found["name"]}, "") if found["name"] else (found["question"], "")
    lines = [
        (f"{line['label']} ({line['votes']})", f"−{line['error']}" if line["error"] else "✓") for line in found["lines"]
    ]
    return Slide(title, (told, *lines), found)


def rules_slide(card: RulesCard) -> Slide:
    """Return a few house rules: first the differences from the variant, then the first of the card."""
    lines = [line for group in card.groups for line in group.lines]
    first = sorted(lines, key=lambda line: not line.changed)[:MOST_RULES]
    return Slide(_("House rules"), tuple((line.text, "") for line in first))


def tonight_slide(night: Night) -> Slide:
    """Return the leaders of tonight's score sheets, all on one slide: the fewer, the more sheets there are."""
    sheets = score_sheets.sheets(night)[:MOST_LINES]
    if len(sheets) == 1:
        (sheet,) = sheets
        title = _("Tonight: %(game)s") % {"game": _sheet_title(night, sheet)}
        return Slide(title, tuple((ranked.who.name, _total(sheet, ranked.total)) for ranked in _leaders(sheet, 1)))
    lines = []
    for sheet in sheets:
        title = _sheet_title(night, sheet)
        for ranked in _leaders(sheet, len(sheets)):
            lines.append((written.labelled(title, ranked.who.name), _total(sheet, ranked.total)))
    return Slide(_("Tonight"), tuple(lines))


def _leaders(sheet: score_sheets.Sheet, sheets: int) -> list[score_sheets.Ranked]:
    """Return the first of a sheet that have room among a number of sheets on one slide."""
    return score_sheets.ranking(sheet)[: MOST_LINES // sheets]


def _sheet_title(night: Night, sheet: score_sheets.Sheet) -> str:
    """Return a sheet's game and unit: "Chicago · Rounds paid"."""
    return f"{game_title(sheet.game_id)} · {score_sheets.unit_label(night, sheet)}"


def nights_slide(night: Night) -> Slide:
    """Return the winners of each game of the host's last nights.

    A winner is named if they are here tonight or have chosen to be in the leaderboards; of others only the total is
    shown.
    """
    before = Night.objects.filter(host=night.host, created_at__lt=night.created_at, tables__results__isnull=False)
    nights = before.distinct().order_by("-day", "-created_at")[:NIGHTS]
    pairs = ((one, sheet) for one in nights for sheet in score_sheets.sheets(one))
    return Slide(_("The last nights"), tuple(_winner_line(night, *pair) for pair in islice(pairs, MOST_LINES)))


def _winner_line(night: Night, before: Night, sheet: score_sheets.Sheet) -> tuple[str, str]:
    """Return the line of another night's sheet: its winners by name, if they may be named, and their total."""
    first = [ranked for ranked in score_sheets.ranking(sheet) if ranked.place == 1]
    names = [ranked.who.name for ranked in first if _may_be_named(ranked.who, night)]
    text = f"{written.day(before.day, 'yearless')} · {before.name} · {_sheet_title(before, sheet)}"
    total = _total(sheet, first[0].total)
    if not names:
        return text, total
    shown = names[0] if len(first) == 1 else _("%(name)s and others") % {"name": names[0]}
    return text, f"{shown} {total}"


def season_slides(night: Night) -> list[Slide]:
    """Return a slide for each season of a night: its first places, and what tonight has changed about them."""
    return [standing_slide(season, night) for season in season_nights.seasons_of(night)[:MOST_SEASONS]]


def standing_slide(season: Season, night: Night | None) -> Slide:
    """Return the slide of a season's first places; without a night it names listed people alone."""
    rows = _season_places(season)
    named = ((f"{place}. {_named(player, night)}{arrow}", total) for player, place, arrow, total in rows)
    return Slide(season.name, tuple(named))


def _season_places(season: Season) -> Any:
    """Return [[player's id, place, arrow, total], …] of a season.

    They are worked out every SEASON_SECONDS, because a screen asks often and a long season takes time. Names are not
    kept: whose data were deleted is not shown a moment longer.
    """
    key = f"season-places-{season.pk}-{region.tag()}"
    found = cache.get(key)
    if found is None:
        found = _first_places(season)
        cache.set(key, found, SEASON_SECONDS)
    return found


def _first_places(season: Season) -> list[list[Any]]:
    placed = season_nights.nights_of(season)
    found = played.played(season, placed)
    standing = standing_cache.season_standing(season, found)
    before = {each.move.player: each.move.before for each in standing_cache.tonight(season, found, placed, standing)}
    rows = []
    for row in standing.ranked[:MOST_LINES]:
        was = before.get(row.player)
        arrow = "" if was is None or row.place is None or was == row.place else " ▲" if was > row.place else " ▼"
        shown = standing_columns.line(standing_columns.values(row, Shown.TV), standing_columns.columns(Shown.TV), exact)
        rows.append([row.player, row.place, arrow, shown])
    return rows


def _named(player_id: int, night: Night | None) -> str:
    """Return a player's name on the screen of a night, or of none; who is neither there nor listed is a guest."""
    player = Player.objects.filter(pk=player_id).first()
    is_shown = player is not None and (player.deleted_at or _is_known(player_id, night))
    return player.displayed_name if player is not None and is_shown else _("a guest")


def _may_be_named(person: score_sheets.Who, night: Night) -> bool:
    """Tell whether the winner of another night may be named at this one."""
    return person.is_bot if person.player_id is None else _is_known(person.player_id, night)


def _is_known(player_id: int, night: Night | None) -> bool:
    """Tell whether a player is at a night, if there is one, or shown in the leaderboards."""
    is_here = Membership.objects.filter(night=night, player_id=player_id, status=Membership.Status.IN)
    return (night is not None and is_here.exists()) or Player.objects.filter(pk=player_id, is_listed=True).exists()


def _total(sheet: score_sheets.Sheet, total: int) -> str:
    """Return a total as text, with a sign if the sheet has totals below 0."""
    is_signed = any(each < 0 for each in sheet.totals)
    return signed(total) if is_signed else str(total)

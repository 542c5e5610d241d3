"""Slides of the big screen while no game runs: house rules, results of tonight and of the last nights."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from games.models import Membership, Night, Player
from games.services.history import score_sheets
from games.services.house_rules.cards import Card, game_title

MOST_LINES = 5
MOST_RULES = 3
"""Fewer than MOST_LINES, because a rule may take two lines."""
NIGHTS = 4


@dataclass(frozen=True, slots=True)
class Slide:
    """A heading and lines, each with a text at its right end or ""."""

    title: str
    lines: tuple[tuple[str, str], ...]


def slides(night: Night, card: Card | None) -> list[Slide]:
    """Return the slides that are not empty; `card` is that of the table that is about to start."""
    found = [rules_slide(card)] if card is not None else []
    found += [sheet_slide(sheet) for sheet in score_sheets.sheets(night)]
    found.append(nights_slide(night))
    return [slide for slide in found if slide.lines]


def rules_slide(card: Card) -> Slide:
    """Return a few house rules: first the differences from the variant, then the first of the card."""
    lines = [line for group in card.groups for line in group.lines]
    first = sorted(lines, key=lambda line: not line.changed)[:MOST_RULES]
    return Slide(_("House rules"), tuple((line.text, "") for line in first))


def sheet_slide(sheet: score_sheets.Sheet) -> Slide:
    """Return the leaders of tonight's score sheet."""
    title = _("Tonight: %(game)s") % {"game": game_title(sheet.game_id)}
    return Slide(title, tuple(ranking(sheet)[:MOST_LINES]))


def nights_slide(night: Night) -> Slide:
    """Return the winners of the host's last nights.

    A winner is named if they are here tonight or have chosen to be in the leaderboards; of others only the points are
    shown.
    """
    before = Night.objects.filter(host=night.host, created_at__lt=night.created_at, tables__results__isnull=False)
    lines = []
    for one in before.distinct().order_by("-created_at")[:NIGHTS]:
        day = date_format(localtime(one.created_at), "MONTH_DAY_FORMAT")
        for sheet in score_sheets.sheets(one)[:1]:
            best = max(range(len(sheet.people)), key=lambda i: sheet.totals[i])
            name, points = ranking(sheet)[0]
            text = f"{name} {points}" if _may_be_named(sheet.people[best], night) else points
            lines.append((f"{day} · {one.name}", text))
    return Slide(_("The last nights"), tuple(lines))


def _may_be_named(person: score_sheets.Who, night: Night) -> bool:
    """Tell whether the winner of another night may be named at this one."""
    if person.player_id is None:
        return person.is_bot
    is_here = Membership.objects.filter(night=night, player_id=person.player_id, status=Membership.Status.IN)
    return is_here.exists() or Player.objects.filter(pk=person.player_id, is_listed=True).exists()


def ranking(sheet: score_sheets.Sheet) -> list[tuple[str, str]]:
    """Return the people of a sheet with their totals, highest first; totals have signs if one is below 0."""
    rows = sorted(zip(sheet.people, sheet.totals, strict=True), key=lambda row: -row[1])
    is_signed = any(total < 0 for total in sheet.totals)
    return [
        (person.name, f"{total:+d}".replace("-", "−") if is_signed and total else str(total)) for person, total in rows
    ]

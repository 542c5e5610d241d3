"""The facts of a message as JSON, and its text in the house's language. Of people only listed ones have a name."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games import plugin
from games.kernel.contract import JsonObject
from games.models import Night, Player, Season, SeriesDate, WebhookMessage
from games.models.house import facts, zone
from games.services.calendar import answers, feeds, season_days
from games.services.calendar.dates import when_text
from games.services.history import score_sheets
from games.services.history.score_sheets import Who
from games.services.regions import region
from games.services.seasons import standing_cache, standing_columns
from games.services.seasons.standing_columns import Shown

MOST_LINES = 20
Kind = WebhookMessage.Kind


def made(row: WebhookMessage) -> JsonObject:
    """Return a message as it is now."""
    language = facts().language or settings.LANGUAGE_CODE
    with translation.override(language), region.by_house(), timezone.override(zone()):
        message: JsonObject = {"version": 1, "kind": row.kind, "id": row.message_id}
        if row.date is not None:
            message["date"] = _date(row.date)
        if row.night is not None:
            message["night"] = {"id": row.night.public_id, "name": row.night.name, "day": row.night.day.isoformat()}
        message["text"] = _text(row, message)
        return message


def _date(date: SeriesDate) -> JsonObject:
    coming = answers.coming(date)
    found: JsonObject = {
        "series": date.series.name,
        "starts_at": date.starts_at.isoformat(),
        "place": date.place,
        "cancelled": date.is_cancelled,
        "people": coming.people,
        "missing": coming.missing,
    }
    if settings.PUBLIC_URL and date.series.ended_at is None:
        page = reverse("series_date", args=[date.series.key, date.planned.isoformat()])
        found["url"] = settings.PUBLIC_URL + page
    return found


def _text(row: WebhookMessage, message: JsonObject) -> str:
    """Return the text of a message, and add the results or the standing that it tells."""
    if row.kind == Kind.TEST:
        return _("A test from Stammtisch: messages arrive here.")
    if row.kind == Kind.RESULTS and row.night is not None:
        message["results"] = _results(row.night)
        return _results_text(row.night, message)
    if row.date is None:
        return ""
    # A row that an earlier version wrote has no season.
    season = row.season or next(iter(season_days.told(row.date.series, row.date.day)), None)
    if row.kind == Kind.STANDING and season is not None:
        message["standing"] = {"season": season.name, "places": _places(season)}
        return _standing_text(season, message)
    return _date_text(row, row.date)


def _date_text(row: WebhookMessage, date: SeriesDate) -> str:
    names = {"series": date.series.name, "when": when_text(date)}
    if date.is_cancelled:
        return _("%(series)s: cancelled on %(when)s") % names
    heads = {
        Kind.OPENED: _("%(series)s: the night is open"),
        Kind.CHANGED: _("%(series)s: changed, now %(when)s"),
    }
    head = heads.get(Kind(row.kind), _("%(series)s: next on %(when)s")) % names
    return "\n".join(filter(None, (head, date.place, feeds.counts(date), str(_date(date).get("url", "")))))


def _name(player_id: int | None, listed: dict[int, str]) -> str:
    return listed.get(player_id or 0, _("a guest"))


def _listed(ids: set[int | None]) -> dict[int, str]:
    """Return the names of those who are shown to everybody."""
    rows = Player.objects.filter(pk__in=[each for each in ids if each], is_listed=True, deleted_at=None)
    return dict(rows.values_list("pk", "nickname"))


def _results(night: Night) -> list[JsonObject]:
    found = []
    for sheet in score_sheets.sheets(night):
        listed = _listed({who.player_id for who in sheet.people})
        lines = [
            {"place": row.place, "name": _name_of(row.who, listed), "points": row.total}
            for row in score_sheets.ranking(sheet)
        ]
        found.append({"game": sheet.game_id, "unit": sheet.unit, "games": sheet.length, "lines": lines})
    return found


def _name_of(who: Who, listed: dict[int, str]) -> str:
    return who.name if who.is_bot else _name(who.player_id, listed)


def _results_text(night: Night, message: JsonObject) -> str:
    lines = [_("%(night)s: the results") % {"night": night.name}]
    for sheet in message["results"]:
        game = plugin.game(sheet["game"])
        lines.append(f"{game.title} ({game.units[sheet['unit']]})")
        lines += [f"{row['place']}. {row['name']}: {row['points']}" for row in sheet["lines"][:MOST_LINES]]
    return "\n".join(lines)


def _places(season: Season) -> list[JsonObject]:
    standing = standing_cache.season_standing(season)
    listed = _listed({row.player for row in standing.rows})
    return [
        {"place": row.place, "name": _name(row.player, listed)} | standing_columns.values(row, Shown.MESSAGE)
        for row in standing.rows
    ]


def _standing_text(season: Season, message: JsonObject) -> str:
    rows = [row for row in message["standing"]["places"] if row["place"] is not None]
    shown = standing_columns.columns(Shown.MESSAGE)
    lines = [f"{row['place']}. {row['name']}: {standing_columns.line(row, shown)}" for row in rows[:MOST_LINES]]
    return "\n".join([_("%(season)s: the standing") % {"season": season.name}, *lines])

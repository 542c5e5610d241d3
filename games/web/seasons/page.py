"""The page of a season: its standing, what tonight changes, its nights, rules and log."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import plugin
from games.game_texts import gettext_of
from games.kernel.contract import Illegal
from games.kernel.options import by_group
from games.kernel.seasons.options import SEASON_RULES
from games.models import Membership, Night, Player, Season, SeasonNotice, SeriesDate
from games.models.night import today
from games.services.calendar import all_series
from games.services.history import awaited, player_history
from games.services.house_rules.cards import fill
from games.services.people import merging, players
from games.services.regions import written
from games.services.seasons import (
    entrants,
    played,
    proposals,
    requests,
    rights,
    season_log,
    season_matches,
    season_nights,
    seasons,
    sheet_names,
    standing_cache,
    standing_columns,
    standings,
)
from games.services.seasons.frozen import Column, SeasonStanding, StandingRow
from games.services.seasons.played import SeasonPlayed
from games.services.seasons.rights import SeasonReader
from games.services.seasons.season_nights import Placed
from games.services.seasons.standing_columns import TOTAL, Shown, nights_in_words
from games.services.seasons.standings import Change
from games.services.sharing import links
from games.services.sheets import name_claims, sheets
from games.streams import download
from games.web import charts, fragments
from games.web.errors import pages_refusals, refusal_text
from games.web.history.figures import figures_context
from games.web.identity import is_banned, need_player, player_of
from games.web.labels import exact
from games.web.links import base_url
from games.web.payments import awaited_words
from games.web.seasons import next_seasons
from games.web.seasons.claiming import claim_context
from games.web.sharing.page import share_context

PARTS = "seasons/parts/season_live.html"
COLOURS = 12
CHART_STEPS = 12
CHART_PEOPLE = 8
LOG_LENGTH = 30
NIGHTS_SHOWN = 16
"""The newest nights that the page shows; `?nights=all` shows all."""
CANDIDATES = 30
NIGHT_ACTS = ("weigh", "day", "part", "detach", "stage", "notice")
"""Acts that stand at each night."""


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def season(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a season to its organisers, entrants and guests."""
    shown = ShownSeason.of(request, public_id)
    context = shown.context()
    may_share = context["organises"] and shown.season.status != Season.Status.ARCHIVED
    context |= share_context(request, links.of_season(shown.season), may_share, "season_act", public_id)
    context |= claim_context(request, shown.season, shown.reader.player)
    key = shown.season.entry_key if context["organises"] else ""
    context["entry_link"] = base_url(request) + reverse("season_entry", args=[public_id, key]) if key else ""
    return render(request, "seasons/season.html", context | fragments.on_page(request, PARTS, context))


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def season_live(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the parts of a season's page that change while a night goes on."""
    return fragments.parts(request, PARTS, ShownSeason.of(request, public_id).live_context())


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def season_csv(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Return the standing of a season as a file."""
    shown = ShownSeason.of(request, public_id)
    return download(standing_columns.standing_csv(shown.season, shown.standing, shown.name))


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def figures(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show points per game and ratings of a season's people to its readers."""
    shown = ShownSeason.of(request, public_id)
    found = standings.figures_of(shown.season, shown.placed)
    people = Player.objects.in_bulk([each.player for each in found])
    rows = [(shown.name_of(people.get(each.player)), shown.page_of(people.get(each.player)), each) for each in found]
    context = {"season": shown.season, "unit": standings.unit_of(shown.season)} | figures_context(rows)
    context["game"] = plugin.all_games().get(shown.season.game_id)
    return render(request, "seasons/figures.html", context)


@dataclass(frozen=True, slots=True)
class ShownSeason:
    """A season as a reader sees it. `played` is None for a closed season, whose standing is frozen.

    `texts` are the names of spreadsheets that are nobody's, by the negative ids under which the standing has them.
    `chosen` is the public id of the night that an organiser changes: its forms alone are on the page. `two` are the ids
    of two people of whom it is to be said whether they are one. `met` are the people whose own pages the reader may
    open.
    """

    season: Season
    reader: SeasonReader
    placed: Sequence[Placed]
    played: SeasonPlayed | None
    standing: SeasonStanding
    people: Mapping[int, Player]
    texts: Mapping[int, str]
    met: frozenset[int]
    is_whole: bool = False
    chosen: str = ""
    two: tuple[str, str] | None = None

    @classmethod
    def of(cls, request: HttpRequest, public_id: str) -> ShownSeason:
        """Return a season for the asking player; raises Illegal `no_such_season`, `not_in_season`."""
        found = seasons.find(public_id)
        if player_of(request) is None and not is_banned(request):
            raise Illegal("not_in_season")
        placed = season_nights.nights_of(found)
        reader = rights.reader_of(found, need_player(request), [each.night for each in placed])
        rights.check_reader(found, reader)
        is_whole, chosen = request.GET.get("nights") == "all", request.GET.get("night", "")
        two = (request.GET["one"], request.GET.get("other", "")) if "one" in request.GET else None
        return cls.made(found, reader, placed, is_whole=is_whole, chosen=chosen, two=two)

    @classmethod
    def made(
        cls,
        found: Season,
        reader: SeasonReader,
        placed: Sequence[Placed],
        *,
        is_whole: bool = False,
        chosen: str = "",
        two: tuple[str, str] | None = None,
    ) -> ShownSeason:
        """Return a season as a reader sees it, with all nights or the newest."""
        games = played.played(found, placed) if found.frozen is None else None
        standing = standing_cache.season_standing(found, games)
        people = Player.objects.in_bulk({row.player for row in standing.rows} | {each[0] for each in standing.beside})
        texts = sheet_names.texts(found)
        met = _met(reader.player, people)
        return cls(found, reader, placed, games, standing, people, texts, met, is_whole, chosen, two)

    def name(self, player_id: int) -> str:
        """Return how a player is shown: by name, or as a guest; names that are nobody's are for who sees everybody."""
        if player_id < 0:
            return (self.texts.get(player_id) if self.reader.sees_all else None) or _("a guest")
        return self.name_of(self.people.get(player_id))

    def name_of(self, player: Player | None) -> str:
        """Return how a player is shown who is no text of a spreadsheet."""
        if player is not None and player.deleted_at is not None:
            return player.displayed_name
        return player.nickname if player is not None and self.reader.sees(player.pk) else _("a guest")

    def page_of(self, player: Player | None) -> int | None:
        """Return the id of a player whose page may be linked."""
        is_named = player is not None and player.deleted_at is None and self.reader.sees(player.pk)
        return player.pk if player is not None and is_named and player.pk in self.met else None

    @property
    def columns(self) -> tuple[Column, ...]:
        """The nights of the standing that are shown."""
        return self.standing.columns if self.is_whole else self.standing.columns[-NIGHTS_SHOWN:]

    def live_context(self) -> dict[str, Any]:
        """Return the context of the parts that change."""
        changes = self._changes()
        return {
            "season": self.season,
            "organises": rights.is_organiser(self.season, self.reader.player),
            "unit": standings.unit_of(self.season),
            "headings": [each.label for each in standing_columns.columns(Shown.TABLE)],
            "columns": [_column(column) for column in self.columns],
            "is_whole": self.is_whole,
            "has_more": not self.is_whole and max(len(self.standing.columns), len(self.placed)) > NIGHTS_SHOWN,
            "rows": [self._row(row) for row in self.standing.ranked],
            "unranked": [self._row(row) for row in self.standing.rows if row.place is None],
            "beside": [
                {"name": self.name(player), "day": date.fromisoformat(night[:10]), "points": exact(str(points))}
                for player, night, points in self.standing.beside
            ],
            "changes": [self._change(change) for change in changes],
            **self._awaited(),
            "is_fewer_better": standings.lower_is_better(self.season),
        }

    def _awaited(self) -> dict[str, Any]:
        """Return what waits for somebody's consent in an open season, with what it would add to the standing."""
        season = self.season
        if self.played is None or self._is_by_matches:
            return {}
        found = [
            each
            for each in awaited.of_nights([placed.night for placed in self.placed])
            if played.counts(season, each.result)
        ]
        added = awaited.uncounted(found, season.game_id, season.unit)
        people = {player.pk: player for each in found for player, _points in each.moves}
        rows = awaited_words.rows(found, self.name_of)
        if self.reader.sees_all:
            rows += [{"text": awaited_words.of_name(name)} for name in season.names.exclude(asked=None)]
        would_count = awaited_words.points([(people[pk], n) for pk, n in added.items()], self.name_of)
        return {"awaited": rows, "would_count": would_count, "with_nights": True}

    def _changes(self) -> list[Change]:
        if self.played is None:
            return []
        return standing_cache.tonight(self.season, self.played, self.placed, self.standing)

    def _row(self, row: StandingRow) -> dict[str, Any]:
        player = self.people.get(row.player)
        return {
            "place": str(row.place),
            "player": player if self.page_of(player) is not None else None,
            "name": self.name(row.player),
            "is_own": self.reader.player is not None and row.player == self.reader.player.pk,
            "total": exact(row.total),
            "nights": nights_in_words(row.nights),
            "beside": self._beside(row),
            "numbers": [(each is TOTAL, _shown(each.read(row))) for each in standing_columns.columns(Shown.TABLE)],
            "cells": self._cells(row),
        }

    def _beside(self, row: StandingRow) -> str:
        """Return what a list says beside a name."""
        return standing_columns.line(
            standing_columns.values(row, Shown.LIST), standing_columns.columns(Shown.LIST), exact
        )

    def _cells(self, row: StandingRow) -> SafeString:
        """Return the cells of a row, one a night: they are too many for a template's loop."""
        struck, hidden = set(row.struck), escape(_("struck:"))
        cells = []
        for column in self.columns:
            worth = exact(row.worths.get(column.id, ""))
            if column.id in struck:
                worth = f'<s><span class="visually-hidden">{hidden} </span>{worth}</s>'
            cells.append(f'<td class="num">{worth}</td>')
        return mark_safe("".join(cells))  # noqa: S308 (numbers alone)

    def _change(self, change: Change) -> dict[str, Any]:
        passed = [self.name(player) for player in change.passed]
        return {
            "name": self.name(change.move.player),
            "before": change.move.before,
            "after": change.move.after,
            "passed": passed,
        }

    def context(self) -> dict[str, Any]:
        """Return the context of the whole page."""
        live, read = self.live_context(), self._read()
        organises = live["organises"]
        return live | {
            "reader": self.reader,
            "game": plugin.all_games().get(self.season.game_id),
            "variants": _variants(self.season),
            "days_left": seasons.days_left(self.season, today()),
            "is_outdated": standing_cache.is_outdated(self.season),
            "chart": self._chart(),
            "place_headings": [each.label for each in standing_columns.columns(Shown.PLACES)],
            "rule_change": self._rule_change(),
            "card": rules_card(self.season),
            "nights": self._nights(read),
            "is_over": self.season.last_day < today(),
            # The night that is changed, and all nights, stand behind the fold.
            "is_unfolded": self.is_whole or bool(self.chosen),
            "change_start": "?nights=all&night=" if self.is_whole else "?night=",
            "acts": {act: reverse("season_act", args=[self.season.public_id, act]) for act in NIGHT_ACTS},
            "open_night": self._open_night(),
            "series": list(self.season.series.filter(ended_at=None)),
            **next_seasons.context_of(self.season, self.reader.player),
            "log": [_log_line(event) for event in self.season.events.select_related("by")[:LOG_LENGTH]],
            "people": self._people() if self._changeable() else (),
            "notice_kinds": SeasonNotice.Kind.choices,
            "is_of_sheets": not self.placed and any(not column.is_carried for column in self.standing.columns),
            **(self._beginning() if not self.standing.columns else {}),
            **self._joining(),
            **self._entrants(),
            **(self._organisers_context() if organises else {}),
        }

    def _beginning(self) -> dict[str, Any]:
        """Return what an empty season tells: its first date, and the standing of the season before it."""
        return {"is_empty": True, "first_date": first_date(self.season), "former": self._former()}

    def _former(self) -> dict[str, Any] | None:
        """Return the season before this one with its standing, if the reader may read it."""
        found = seasons.before(self.season)
        if found is None:
            return None
        placed = season_nights.nights_of(found)
        reader = rights.reader_of(found, self.reader.player, [each.night for each in placed])
        if not reader.may_read:
            return None
        shown = ShownSeason.made(found, reader, placed)
        return {"season": found, "rows": shown.placed_rows()}

    def placed_rows(self) -> list[dict[str, Any]]:
        """Return place, name and numbers of who has a place."""
        return self._places_of(self.standing.ranked)

    def _nights(self, read: set[int]) -> list[dict[str, Any]]:
        """Return the nights that are shown, the newest first, where matches count with the newest ones' matches.

        Of older ones the matches are told of the chosen night.
        """
        shown = self.placed if self.is_whole else self.placed[-NIGHTS_SHOWN:]
        may_change = self._changeable()
        whole = {each.night.pk for each in self.placed[-NIGHTS_SHOWN:]}
        whole |= {each.night.pk for each in shown if each.night.public_id == self.chosen}
        matches, notices = self._matches(whole)
        of_day = Counter(each.night.day for each in self.placed)
        of_part = Counter(each.key for each in self.placed)
        return [
            {"night": each.night, "weight": each.weight}
            | {"can_be_parted": of_day[each.night.day] > 1, "is_joined": of_part[each.key] > 1}
            | {
                "may_read": each.night.pk in read,
                "may_change": each.night.pk in may_change,
                "is_chosen": each.night.public_id == self.chosen,
            }
            | {"matches": matches.get(each.night.pk, ()), "notices": notices.get(each.night.pk, ())}
            for each in reversed(shown)
        ]

    def _changeable(self) -> set[int]:
        """Return the nights at which the reader changes something.

        Organisers do at all of them; where matches count hosts note byes and absences at their own.
        """
        own = self.reader.player
        if self.season.status != Season.Status.OPEN or own is None:
            return set()
        if rights.is_organiser(self.season, own):
            return {each.night.pk for each in self.placed}
        return {each.night.pk for each in self.placed if self._is_by_matches and each.night.host_id == own.pk}

    @property
    def _is_by_matches(self) -> bool:
        return played.is_by_matches(played.values_of(self.season))

    def _matches(self, nights: Collection[int]) -> tuple[dict[int, list[Any]], dict[int, list[Any]]]:
        """Return the matches and notices of nights, by night; none where matches do not count."""
        matches: dict[int, list[Any]] = defaultdict(list)
        notices: dict[int, list[Any]] = defaultdict(list)
        if self._is_by_matches:
            for match in season_matches.matches_of(self.season, nights):
                matches[match.night].append(self._match(match))  # type: ignore[attr-defined]
            for row in self.season.notices.filter(night__in=nights).select_related("player"):
                notices[row.night_id].append(self._notice(row))
        return matches, notices

    def _match(self, match: Any) -> dict[str, Any]:
        both = {"winner": self.name(match.winner_id), "loser": self.name(match.loser_id)}
        return {"pk": match.pk, "stage": match.stage, "row": match, **both}

    def _notice(self, row: SeasonNotice) -> dict[str, Any]:
        name = row.player.displayed_name if self.reader.sees(row.player_id) else _("a guest")
        return {"player": row.player_id, "name": name, "kind": row.get_kind_display()}

    def _open_night(self) -> Night | None:
        """Return the night that goes on and that the reader is at."""
        read = self._read()
        running = (each.night for each in self.placed if each.night.status != Night.Status.CLOSED)
        return next((night for night in running if night.pk in read), None)

    def _read(self) -> set[int]:
        """Return the nights whose results the reader may open."""
        inside = Membership.objects.filter(player=self.reader.player, status=Membership.Status.IN)
        return set(inside.values_list("night", flat=True))

    def _organisers_context(self) -> dict[str, Any]:
        player: Any = self.reader.player
        past = season_nights.past(self.season, player, self.placed)
        others = season_nights.candidates(self.season, player, self.placed)
        others = others.exclude(pk__in=[night.pk for night in past])
        return {
            "taken_out": season_nights.taken_out(self.season),
            "past": past,
            "candidates": others[:CANDIDATES],
            "to_ask_for": requests.candidates(self.season, player, self.placed)[:CANDIDATES],
            "asked_for": self.season.requests.filter(is_refused=False).select_related("night"),
            "sheets": sheets.taken(self.season),
            "name_claims": name_claims.claims(self.season),
            "unclaimed_count": name_claims.unclaimed(self.season).count(),
            "seconds": player_history.people_met(player).filter(user__isnull=False).exclude(pk=player.pk)[:CANDIDATES],
        }

    def _entrants(self) -> dict[str, Any]:
        """Return the entrants that are visible to the reader, and the numbers of all and of the others."""
        own = self.reader.player
        hosts = own is not None and any(own.pk in (each.night.host_id, each.night.opened_by_id) for each in self.placed)
        found, number = entrants.seen(self.season, self.reader, hosts=hosts)
        return {"entrants": found, "entrant_count": number, "unnamed_entrants": number - len(found)}

    def _joining(self) -> dict[str, Any]:
        """Return the people that the reader may propose to join, each with nights played, and the waiting proposals."""
        reader, season = self.reader.player, self.season
        if reader is None or season.status != Season.Status.OPEN:
            return {}
        found = proposals.seen_by(season, reader, [each.night for each in self.placed], self.reader)
        known, rows = {each.pk for each in found}, {row.player: row for row in self.standing.rows}
        nights = {each.pk: rows[each.pk].nights if each.pk in rows else 0 for each in found}
        told = [(str(each.pk), f"{each.nickname} ({nights_in_words(nights[each.pk])})") for each in found]
        waiting = [row for row in proposals.waiting(season) if {row.source_id, row.target_id} <= known] if found else []
        two = [each for pk in self.two or () for each in found if str(each.pk) == pk]
        both = proposals.both_of(season, two[0], two[1], self.placed) if len({each.pk for each in two}) > 1 else None
        asked: dict[str, Any] = {"two": both, "not_two": self.two and not both, "said_two": self.two or ("", "")}
        if both is not None:
            try:
                merging.check(two[0], two[1])
            except Illegal as refusal:
                asked["two_refused"] = refusal_text(refusal)
        return {"joinable": told if len(told) > 1 else [], "proposals": waiting, **asked}

    def _people(self) -> Sequence[Player]:
        """Return the people that may get a bye, where matches count."""
        if not self._is_by_matches:
            return ()
        return list(season_matches.people(self.season, self.placed))

    def _chart(self) -> charts.Places | None:
        """Return the chart of places over the season, of the first few and of the reader."""
        if self.played is None or len(self.played.columns) < 2:
            return None
        steps = standing_cache.course(self.season, self.played, self.standing, CHART_STEPS)
        rows = self.standing.ranked
        own = self.reader.player.pk if self.reader.player is not None else 0
        drawn = [row for index, row in enumerate(rows) if index < CHART_PEOPLE or row.player == own]
        return charts.places(
            [
                (self.name(row.player), index % COLOURS, [places.get(str(row.player)) for places in steps])
                for index, row in enumerate(drawn)
            ]
        )

    def _rule_change(self) -> dict[str, Any] | None:
        """Return the standings by the rules before their last change and after it, and who moved by it."""
        if self.played is None or self.season.version == 1:
            return None
        last = self.season.versions.filter(version=self.season.version - 1).first()
        if last is None:
            return None
        before = standing_cache.by_rules(self.season, self.played, last.options)
        moves = standings.moves(before, self.standing)
        return {
            "moves": [{"name": self.name(move.player), "before": move.before, "after": move.after} for move in moves],
            "tables": [(_("Before"), self._places(before)), (_("Now"), self._places(self.standing))],
            "at": last_change.created_at if (last_change := self.season.versions.first()) is not None else None,
        }

    def _places(self, standing: SeasonStanding) -> list[dict[str, Any]]:
        """Return the places of a standing, of those without one last."""
        return self._places_of(standing.rows)

    def _places_of(self, rows: Sequence[StandingRow]) -> list[dict[str, Any]]:
        shown = standing_columns.columns(Shown.PLACES)
        numbers = [{each.key: _shown(each.read(row)) for each in shown} for row in rows]
        return [
            {"place": row.place, "name": self.name(row.player), "numbers": found}
            for row, found in zip(rows, numbers, strict=True)
        ]


def _met(reader: Player | None, people: Collection[int]) -> frozenset[int]:
    """Return those of some people whose pages a reader may open: themselves and whom they have met; staff all."""
    if reader is None or players.is_staff(reader):
        return frozenset(people if reader is not None else ())
    met = player_history.met(reader).filter(player__in=people)
    return frozenset(met.values_list("player", flat=True)) | {reader.pk}


def _shown(value: standing_columns.Value) -> str:
    return "" if value is None else exact(str(value))


def _column(column: Any) -> dict[str, Any]:
    day = date.fromisoformat(column.day)
    label = _("carried over") if column.is_carried else f"{day.day}. {day.month}."
    return {"label": label, "weight": column.weight}


def _variants(season: Season) -> list[str]:
    """Return the names of the variants and media that count, where not all do."""
    game = plugin.all_games().get(season.game_id)
    if game is None:
        return []
    labels = {preset.id: gettext_of(game, preset.label) for preset in game.options.presets}
    return [*(labels.get(each, each) for each in season.presets), *(str(game.media.get(m, m)) for m in season.media)]


def first_date(season: Season) -> SeriesDate | None:
    """Return the next date on which a night of a season is held; None without a series that has one."""
    after = max(season.first_day, today()) - timedelta(days=1)
    coming = [all_series.next_date(each, after) for each in season.series.filter(ended_at=None)]
    inside = [each for each in coming if each is not None and season.first_day <= each.day <= season.last_day]
    return min(inside, key=lambda each: (each.day, each.start), default=None)


def rules_card(season: Season) -> list[str]:
    """Return the rules of a season in sentences."""
    values = played.values_of(season)
    lines = [line for _group, part in by_group(SEASON_RULES.card(values)) for line in part]
    return [fill(line.sentence, SEASON_RULES[line.option], line.value, {}) for line in lines]


def _log_line(event: Any) -> dict[str, Any]:
    data = dict(event.data)
    for key in ("day", "to"):
        with suppress(KeyError, TypeError, ValueError):
            data[key] = written.day(date.fromisoformat(data[key]))
    return {"at": event.created_at, "by": event.by, "text": season_log.LOG.text(event.type, data)}

"""A player's page: results over time, opponents, roles, with filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django import forms
from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from games import plugin
from games.game_texts import gettext_of
from games.kernel.contract import Illegal
from games.models import Membership, Player, ResultLine
from games.services.history import player_history
from games.services.history.player_history import Filters, MatchRival, ResultSums, Rival
from games.services.nights import venues as night_venues
from games.services.payments import accounts
from games.services.people import players
from games.services.tournaments import results
from games.web import charts
from games.web.errors import pages_refusals
from games.web.identity import player_of
from games.web.labels import rules_label
from games.web.payments import words
from games.web.tournaments.words import format_text

PAGE = 25
MATCHES = 25
"""The latest matches that the page lists."""
A_GUEST = _("a guest")
"""An opponent whom the reader has not met."""
HEAD_FIGURES = {"played", "won"}
"""Figures that the head of every record shows already."""


class FilterForm(forms.Form):
    """The filters of a player's results, read from the query string."""

    game = forms.ChoiceField(label=_("Game"), required=False)
    preset = forms.ChoiceField(label=_("Variant"), required=False)
    venue = forms.TypedChoiceField(label=_("Venue"), required=False, coerce=int, empty_value=None)
    opponent = forms.TypedChoiceField(label=_("Against"), required=False, coerce=int, empty_value=None)
    since = forms.DateField(label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label=_("Until"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, data: Any, rivals: list[Rival]) -> None:
        super().__init__(data)
        games = plugin.all_games()
        everything = [("", _("all"))]
        self._offer("game", everything + [(g.game_id, g.title) for g in games.values()])
        self._offer("preset", [*everything, *_presets()])
        venues = [(str(v.pk), v.name) for v in night_venues.listed()]
        self._offer("venue", everything + venues)
        self._offer("opponent", everything + [(str(r.player_id), r.nickname) for r in rivals])
        if not venues:
            del self.fields["venue"]

    def _offer(self, name: str, choices: list[tuple[str, Any]]) -> None:
        cast(forms.ChoiceField, self.fields[name]).choices = choices

    @property
    def filters(self) -> Filters:
        """The filters of the form; of a form with errors, only its valid fields."""
        self.is_valid()
        return Filters(**{name: value for name, value in self.cleaned_data.items() if value})


def _presets() -> list[tuple[str, Any]]:
    """Return the presets of all games, each id once."""
    found: dict[str, str] = {}
    for game in plugin.all_games().values():
        for preset in game.options.presets:
            found.setdefault(preset.id, gettext_of(game, preset.label))
    return list(found.items())


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def player(request: HttpRequest, player_id: int) -> HttpResponse:
    """Show a player's history to that player, to players they have met and to staff."""
    viewer = player_of(request)
    today = _current(viewer, player_id)
    if today is not None and today.pk != player_id:
        return redirect("player", today.pk)
    found = _visible_player(request, viewer, today)
    everything = player_history.lines_of(found, Filters())
    met_by = None if request.user.is_staff else viewer
    met = player_history.rivals(found, everything, viewer=met_by)
    form = FilterForm(request.GET or None, met)
    filters = form.filters if form.is_bound else Filters()
    lines = player_history.lines_of(found, filters)
    matches = player_history.matches_played(found, filters, viewer=met_by)
    records = player_history.records(lines)
    games_met = met if filters == Filters() else player_history.rivals(found, lines, viewer=met_by)
    context = {
        "who": found,
        "is_me": found == viewer,
        "open_payments": [_open(each) for each in accounts.open_payments(found)] if found == viewer else [],
        "form": form,
        "is_filtered": filters != Filters(),
        "records": [record_context(record) for record in records],
        "rivals": _rivals(games_met, player_history.match_rivals(matches)),
        "tournaments": _tournaments(found) if filters == Filters() else [],
        "matches": [(each, str(each.other.displayed_name if each.is_met else A_GUEST)) for each in matches[:MATCHES]],
        "match_count": len(matches),
        "page": page_of(request, lines, sum(record.count for record in records)),
        "query": _query(request),
    }
    return render(request, "people/player.html", context)


def _tournaments(found: Player) -> list[tuple[results.PlayedTournament, str]]:
    """Return a player's tournaments with their formats in words."""
    return [(each, format_text(each.tournament)) for each in results.of_player(found)]


def _rivals(games: Sequence[Rival], matches: Sequence[MatchRival]) -> list[dict[str, Any]]:
    """Return who was met in games or in matches, most of both first."""
    found: dict[int, dict[str, Any]] = {}
    for game in games:
        found[game.player_id] = {"player_id": game.player_id, "nickname": game.nickname, "games": game}
    for match in matches:
        row = found.setdefault(match.player_id, {"player_id": match.player_id, "nickname": match.nickname})
        row["matches"] = match

    def met(row: Mapping[str, Any]) -> int:
        played = row.get("matches")
        return (row["games"].games if "games" in row else 0) + (played.won + played.lost if played else 0)

    return sorted(found.values(), key=met, reverse=True)


def _open(each: accounts.Open) -> dict[str, Any]:
    """Return a payment that is not booked, for the template."""
    text = words.amount(each.payment.amount, each.payment.currency)
    return {"night": each.night, "payment": each.payment, "text": text}


def visible_player(request: HttpRequest, player_id: int) -> Player:
    """Return the player of the page; the id of a merged player leads to the one that remains.

    Raises Http404, and Illegal `guests_only`, `not_met` for readers without a right to the page.
    """
    viewer = player_of(request)
    return _visible_player(request, viewer, _current(viewer, player_id))


def _current(viewer: Player | None, player_id: int) -> Player | None:
    """Return the present player of an id, and whether the reader has met them."""
    return players.current_player(player_id, is_met=player_history.is_met(viewer, "pk"))


def _visible_player(request: HttpRequest, viewer: Player | None, found: Player | None) -> Player:
    """Return the player if the reader may see the page; raises as `visible_player`."""
    if found is None:
        raise Http404
    has_met = viewer == found or found.is_met  # type: ignore[attr-defined]
    if not (request.user.is_staff or has_met):
        raise Illegal("guests_only" if viewer is None else "not_met")
    return found


def page_of(request: HttpRequest, lines: QuerySet[ResultLine], count: int) -> Page[Any]:
    """Return a page of `count` results, the newest first, each with the number of players at the table."""
    ordered = lines.order_by("-result__finished_at", "-pk")
    page: Page[Any] = Paginator(range(count), PAGE).get_page(request.GET.get("page"))
    first = max(0, page.start_index() - 1)
    rows = player_history.page_of(ordered, first, first + PAGE)
    # The tables of nights at which the reader was not do not open.
    inside = Membership.objects.filter(player=player_of(request), status=Membership.Status.IN)
    found = rows.annotate(is_open=Exists(inside.filter(night=OuterRef("result__table__night"))))
    page.object_list = [row_of(line) | {"is_open": line.is_open} for line in found]
    return page


def row_of(line: ResultLine) -> dict[str, Any]:
    """Return a line of a result for the template."""
    game = plugin.all_games().get(line.result.game_id)
    rules = rules_label(line.result) if game else line.result.preset
    unit = game.unit_label(line.result.unit, line.result.table.options) if game else line.result.unit
    return {"line": line, "result": line.result, "game": game, "rules": rules, "unit": unit}


def _query(request: HttpRequest) -> str:
    """Return the query string without the page, for links to other pages."""
    kept = request.GET.copy()
    kept.pop("page", None)
    return kept.urlencode()


def record_context(record: ResultSums) -> dict[str, Any]:
    """Return a record with its labels, its chart and its table of latest results."""
    game = plugin.all_games().get(record.game_id)
    labels = game.stat_labels if game else {}
    roles = game.role_labels if game else {}
    return {
        "record": record,
        "title": game.title if game else record.game_id,
        "unit": game.units.get(record.unit, record.unit) if game else record.unit,
        "fewer": bool(game and game.lower_is_better),
        "figures": [
            (label, record.stats[name])
            for name, label in labels.items()
            if record.stats[name] and name not in roles and name not in HEAD_FIGURES
        ],
        "roles": [(roles[name], record.roles[name]) for name in roles if name in record.roles],
        "chart": charts.line([step.total for step in record.steps]),
        "steps": record.steps[: -player_history.LATEST - 1 : -1],
        "more": max(0, record.count - player_history.LATEST),
    }

"""The page of a tournament: for directors its proposals, matches and people; for everybody the next match, standing."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from games.kernel.tournaments import formats
from games.models import Membership, Night, Player, Tournament
from games.services.nights import membership
from games.services.tournaments import draw_check, files, overview, participants, rights
from games.services.tournaments.overview import Overview, Person
from games.streams import download
from games.web import fragments
from games.web.errors import pages_refusals
from games.web.identity import need_player
from games.web.tournaments.making import ASK, WAITS
from games.web.tournaments.words import ENTRIES, WHY, format_text, rounds_of

PARTS = "tournaments/parts/tournament_live.html"
DONE_SHOWN = 12
"""The latest results that the page shows; `?results=all` shows all."""


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def tournament(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a tournament to the members of its night."""
    context = page_context(request, public_id)
    if context["is_director"]:
        context |= _tools(context["shown"])
    asked = {name: request.GET[name] for name in ("match", "results") if name in request.GET}
    context["live_query"] = urlencode({"status": context["tournament"].status, **asked})
    return render(request, "tournaments/tournament.html", context | fragments.on_page(request, PARTS, context))


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def tournament_live(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the parts of the page that change; a page of another status (`?status=`) reloads, with its other tools."""
    context = page_context(request, public_id)
    if request.GET.get("status", context["tournament"].status) != context["tournament"].status:
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    return fragments.parts(request, PARTS, context)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def tournament_print(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show pairings, standing and rounds as a sheet for paper."""
    context = page_context(request, public_id)
    return render(request, "tournaments/print.html", {**context, "done": context["shown"].done})


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def tournament_csv(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Return the standing and the matches as a file."""
    found, _player = found_for(request, public_id)
    return download(files.csv_of(overview.of(found)))


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def tournament_draws(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show what a recount of the draws finds."""
    found, _player = found_for(request, public_id)
    context = {"tournament": found, "night": found.night, "finding": draw_check.check(found)}
    return render(request, "tournaments/draws.html", context)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def tournament_draws_file(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Return the log with the draws as a file."""
    found, _player = found_for(request, public_id)
    return download(files.draws_of(found))


def found_for(request: HttpRequest, public_id: str) -> tuple[Tournament, Player]:
    """Return a tournament and the asking player, a member of its night."""
    player = need_player(request)
    found = rights.find(public_id)
    membership.check_inside(found.night, player)
    return found, player


def page_context(request: HttpRequest, public_id: str) -> dict[str, Any]:
    """Return the context of the page and of its parts."""
    found, player = found_for(request, public_id)
    context = context_of(found, player)
    if request.GET.get("results") == "all":
        context |= {"done": context["shown"].done, "is_whole": True}
    if context["is_director"]:
        wanted = request.GET.get("match", "")
        context["focus"] = next((each for each in context["shown"].matches if each.id == wanted), None)
    return context


def context_of(found: Tournament, player: Player | None) -> dict[str, Any]:
    """Return the context of a tournament as a player sees it; None: a screen."""
    shown = overview.of(found)
    is_open = found.night.status != Night.Status.CLOSED
    is_director = is_open and rights.is_director(found, player)
    me = None if player is None else shown.of(player)
    return {
        "tournament": found,
        "night": found.night,
        "shown": shown,
        "is_open": is_open,
        "is_director": is_director,
        "is_host": player is not None and found.night.host_id == player.pk,
        "me": me,
        "my_match": None if me is None else shown.match_of(me),
        "my_next_at": None if me is None else shown.next_at(me),
        "spoken_for": set() if player is None else participants.acts_for(found, player),
        "format": format_text(found),
        "card": participants.card(found) if found.medium and _must_read(found, me) else None,
        "has_place": is_open and found.status != Tournament.Status.FINISHED,
        "proposals": _proposals(shown) if is_director else [],
        "not_entered": participants.not_entered(found) if is_director and is_open else [],
        "waits": [(WHY[why], at) for why, at in shown.waits()],
        "done": shown.done[:DONE_SHOWN],
        "rounds": rounds_of(shown),
    }


def _must_read(found: Tournament, me: Person | None) -> bool:
    """Tell whether a player has still to accept the rules card."""
    return me is None or not me.has_accepted


def _proposals(shown: Overview) -> list[dict[str, Any]]:
    return [
        {
            "which": each.which,
            "why": WHY[each.why],
            "is_asked": each.is_asked,
            "matches": each.matches,
            "byes": each.byes,
            "others": [ENTRIES.get(other, other) for other in dict.fromkeys(each.others)],
            "drawn": each.drawn,
        }
        for each in shown.proposals()
    ]


def _tools(shown: Overview) -> dict[str, Any]:
    """Return what the director's tools choose among."""
    found = shown.tournament
    inside = found.night.memberships.filter(status=Membership.Status.IN).select_related("player")
    named = list(found.directors.select_related("player"))
    known = {row.player_id for row in named} | {found.night.host_id}
    with_phone = inside.filter(keeper=None).exclude(player__in=known).order_by("player__nickname")
    boards = max((each.tables or 0 for each in formats.read(found.format).phases), default=0)
    return {
        "directors": named,
        "could_direct": [row.player for row in with_phone],
        "boards": range(1, boards + 1),
        "auto_waits": [str(each) for each in WAITS],
        "auto_now": ASK if found.auto_seconds is None else str(found.auto_seconds),
    }

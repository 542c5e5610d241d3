"""The page of a tournament: for directors its proposals, matches and people; for everybody the next match, standing."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from games.kernel.tournaments import formats
from games.models import Membership, Night, Player, Tournament
from games.models.house import zone
from games.services import server_time
from games.services.draws import strengths
from games.services.nights import night_rights
from games.services.people import name_order, players
from games.services.regions import region
from games.services.tables import host_commands
from games.services.tournaments import (
    closing,
    draw_check,
    entry_fees,
    files,
    log,
    modes,
    overview,
    participants,
    rights,
    tournaments,
)
from games.services.tournaments import formats as tournament_formats
from games.services.tournaments.acts import is_lost, penalty
from games.services.tournaments.formats import TooFewBoards, is_seeded
from games.services.tournaments.overview import MatchShown, Overview, Person
from games.services.tournaments.rights import ASK
from games.services.tournaments.tables import match_tables, out_tables
from games.streams import download
from games.web import fragments
from games.web.common_reading import CommonReading
from games.web.errors import pages_refusals
from games.web.fragments import CommonContext
from games.web.identity import need_player_at_night
from games.web.tournaments.making import WAITS
from games.web.tournaments.on_night import ring_of
from games.web.tournaments.words import (
    ENTRIES,
    LAST_SESSION,
    WHY,
    WHY_START,
    format_text,
    rounds_of,
    thrown_away_text,
    ties_text,
)

PARTS = "tournaments/parts/tournament_live.html"
PARTS_WITH_TOOLS = "tournaments/parts/live_with_tools.html"
DONE_SHOWN = 12
"""The latest results that the page shows; `?results=all` shows all."""


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def tournament(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a tournament to the members of its night."""
    found, player = found_for(request, public_id)
    context = asked_context(found, player, request.GET)
    if context["is_director"]:
        context |= _tools(context["shown"]) | {"lists": players.device_keys(f"tournament.{public_id}", player)}
    asked = {name: request.GET[name] for name in ("match", "results") if name in request.GET}
    context["live_query"] = urlencode({"status": context["tournament"].status, **asked})
    return render(request, "tournaments/tournament.html", context | fragments.on_page(request, PARTS, context))


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def tournament_live(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the parts of the page that change; a director's page of another status (`?status=`) has other tools."""
    context = page_context(request, public_id)
    is_of_now = request.GET.get("status", context["tournament"].status) == context["tournament"].status
    if is_of_now or not context["is_director"]:
        return fragments.parts(request, PARTS, context)
    return fragments.parts(request, PARTS_WITH_TOOLS, context | _tools(context["shown"]))


@require_http_methods(["GET", "HEAD"])
@pages_refusals
@region.by_house()
def tournament_print(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show pairings, standing and rounds as a sheet for paper."""
    context = page_context(request, public_id)
    shown = context["shown"]
    context |= {"done": shown.done, "now": server_time.now()}
    context["running"] = sorted(shown.running, key=lambda match: match.board or 0)
    return render(request, "tournaments/print.html", context)


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
    finding = draw_check.check(found)
    context = {"tournament": found, "night": found.night, "finding": finding}
    context["thrown_away"] = [thrown_away_text(each) for each in finding.thrown_away]
    return render(request, "tournaments/draws.html", context)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def tournament_draws_file(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Return the log with the draws as a file."""
    found, _player = found_for(request, public_id)
    return download(files.draws_of(found))


def found_for(request: HttpRequest, public_id: str) -> tuple[Tournament, Player]:
    """Return a tournament and the asking player, a member of its night."""
    player = need_player_at_night(request)
    found = rights.find(public_id)
    night_rights.check_inside(found.night, player)
    return found, player


def page_context(request: HttpRequest, public_id: str) -> dict[str, Any]:
    """Return the context of the page and of its parts."""
    return asked_context(*found_for(request, public_id), request.GET)


def asked_context(found: Tournament, player: Player, asked: QueryDict) -> dict[str, Any]:
    """Return the context of a page whose address asks for all results, or for one match."""
    context = context_of(found, player)
    if asked.get("results") == "all":
        context |= {"done": context["shown"].done, "is_whole": True}
    if context["is_director"]:
        wanted = asked.get("match", "")
        shown = context["shown"]
        context["focus"] = focus = next((each for each in shown.matches if each.id == wanted), None)
        table = None if focus is None else focus.table
        context["clocks"] = [] if table is None else host_commands.game_clock_choices(table)
        context["penalty"] = 0 if focus is None else _penalty(shown, focus)
    return context


def context_of(found: Tournament, player: Player | None) -> dict[str, Any]:
    """Return the context of a tournament as a player sees it; None: a screen."""
    is_director = found.night.status != Night.Status.CLOSED and rights.is_director(found, player)
    key = found.public_id, is_director, region.tag()
    common = _readings.read(key, lambda: CommonContext(_read(found.public_id, is_director=is_director)))
    values = common.values
    found, shown, is_open = values["tournament"], values["shown"], values["is_open"]
    me = None if player is None else shown.of(player)
    return {
        **values,
        "common": common,
        "is_host": player is not None and found.night.host_id == player.pk,
        "me": me,
        "my_match": None if me is None else shown.match_of(me),
        "my_table": None if me is None else shown.table_of(me),
        "my_next_at": None if me is None else shown.next_at(me),
        "spoken_for": set() if player is None else participants.acts_for(found, player),
        "given_up_by": None if me is None or not is_open else shown.given_up_by(me),
        "directs_only": is_director and found.non_playing.filter(player=player).exists(),
        "card": participants.card(found) if found.medium and _must_read(found, me) else None,
        "for_table": out_tables.people(shown.reading) if is_open and (is_director or _is_out(me)) else [],
        "to_agree": _to_agree(shown, player) if is_open and shown.is_of_tables else [],
    }


_readings: CommonReading[tuple[str, bool, str | None], CommonContext] = CommonReading()
"""The readings of tournaments for their pages, by tournament, whether its directors ask, and language."""


def _read(public_id: str, *, is_director: bool) -> dict[str, Any]:
    """Return the part of the context that is the same for all directors, or for all others, in a language."""
    found = rights.find(public_id)
    is_open = found.night.status != Night.Status.CLOSED
    players = found.participants.values_list("player", flat=True)
    shown = overview.of(found, strengths.of(found.night.host, players) if is_director else {})
    return {
        "tournament": found,
        "night": found.night,
        "shown": shown,
        "is_open": is_open,
        "is_director": is_director and is_open,
        "format": format_text(found),
        "session_minutes": match_tables.session_minutes(found),
        "has_place": is_open and found.status != Tournament.Status.FINISHED,
        "proposals": _proposals(shown) if is_director else [],
        "few_boards": _few_boards(shown) if is_director and is_open else None,
        "seeds": _seeds(shown) if is_director else [],
        "again": log.may_enter_again(shown.reading) if is_open else set(),
        "last_start": _last_start(shown) if is_open else None,
        "has_last_round": is_director and is_open and closing.has_last_round(shown.reading),
        "cup_left": closing.cup_left(shown.reading),
        "pot": entry_fees.pot(found),
        "not_entered": participants.not_entered(found) if is_director and is_open else [],
        "waits": [(WHY[why], at) for why, at in shown.waits()],
        "done": shown.done[:DONE_SHOWN],
        "rounds": rounds_of(shown),
        "ties": ties_text(shown),
    }


def _last_start(shown: Overview) -> datetime | None:
    """Return until when matches of an open end that is played may start."""
    minute = closing.last_start_of(shown.reading)
    is_running = shown.tournament.status == Tournament.Status.RUNNING
    return shown.at(minute) if is_running and minute is not None and minute >= shown.reading.minute else None


def _closes(shown: Overview) -> str:
    """Return the closing time of an open end as a form has it; "" where it has none any more."""
    if shown.tournament.status == Tournament.Status.FINISHED or closing.kind_of(shown.reading) != closing.OPEN_END:
        return ""
    at = shown.tournament.closes_at or tournaments.usual_close(server_time.now())
    return f"{timezone.localtime(at, zone()):%H:%M}"


def _to_agree(shown: Overview, player: Player | None) -> list[Person]:
    """Return the people that a player may agree for to a last session: oneself, kept ones, as director everybody."""
    found = shown.tournament
    if player is None or found.status != Tournament.Status.RUNNING or any(each.is_last for each in shown.sessions):
        return []
    keys = participants.acts_for(found, player)
    is_director = rights.is_director(found, player)
    left = [each for each in shown.people.values() if each.status not in ("out", "withdrawn")]
    return [each for each in left if is_director or each.key in keys]


def _is_out(me: Person | None) -> bool:
    return me is not None and me.status == "out"


def _seeds(shown: Overview) -> list[tuple[Person, int | None]]:
    """Return who can be given a seed, with it; without any seeds, those that follow from the strengths."""
    found = shown.tournament
    if found.status != Tournament.Status.ENTRY or not is_seeded(found.format):
        return []
    known = log.seeds_of(shown.reading.log)
    strong = sorted((each for each in shown.waiting if each.strength), key=lambda each: each.strength or 0)
    usual = {} if known else {person.key: place for place, person in enumerate(strong, 1)}
    people = name_order.by_name(shown.waiting, lambda each: each.name)
    return [(each, known.get(each.key, usual.get(each.key))) for each in people]


def _must_read(found: Tournament, me: Person | None) -> bool:
    """Tell whether a player has still to accept the rules card."""
    return me is None or not me.has_accepted


def _penalty(shown: Overview, match: MatchShown) -> int:
    """Return the points that who is here starts with when the other comes now; 0 for none, and for a lost match."""
    if match_tables.session_minutes(shown.tournament):
        return 0
    started = shown.reading.match(match.id)["started"]
    points = penalty(shown.tournament, started, shown.reading.minute)
    return 0 if is_lost(match.length, points) or match.status != "running" else points


def _proposals(shown: Overview) -> list[dict[str, Any]]:
    return [
        {
            "which": each.which,
            "why": WHY_START if "start" in each.others else WHY[each.why],
            "at": each.at,
            "ring": ring_of(each),
            "matches": each.matches,
            "byes": each.byes,
            "others": [LAST_SESSION] if each.is_last else [ENTRIES.get(e, e) for e in dict.fromkeys(each.others)],
            "tables": each.tables,
            "drawn": each.drawn,
            "ends_in_break": each.ends_in_break,
        }
        for each in shown.proposals()
    ]


def _few_boards(shown: Overview) -> TooFewBoards | None:
    """Return what too few boards mean, before the start."""
    found = shown.tournament
    if found.status != Tournament.Status.ENTRY:
        return None
    here = [each for each in shown.people.values() if each.status != "withdrawn"]
    closes = found.closes_at or tournaments.usual_close(server_time.now())
    return tournament_formats.too_few_boards(
        found.format, len(here), max(0, int((closes - server_time.now()).total_seconds() // 60))
    )


def _mode_text(found: Tournament, kind: str) -> str:
    seconds = modes.seconds_of(found, kind)
    return ASK if seconds is None else str(seconds)


def _tools(shown: Overview) -> dict[str, Any]:
    """Return what the director's tools choose among."""
    found = shown.tournament
    inside = found.night.memberships.filter(status=Membership.Status.IN).select_related("player")
    named = list(found.directors.select_related("player"))
    known = {row.player_id for row in named} | {found.night.host_id}
    with_phone = inside.filter(keeper=None).exclude(player__in=known).order_by(name_order.order("player__nickname"))
    plans = () if shown.is_of_tables else formats.read(found.format).phases
    most_boards = max((each.tables or 0 for each in plans), default=0)
    return {
        "closes": _closes(shown),
        "directors": named,
        "could_direct": [row.player for row in with_phone],
        "later": [tournament_formats.kind_of(kind) for kind in tournament_formats.LATER],
        "later_counts": tournament_formats.AFTER[1:],
        "later_lengths": tournament_formats.LENGTHS,
        "length": tournament_formats.phases(found.format)[-1].get("length"),
        "boards": range(1, most_boards + 1),
        "auto_waits": [str(each) for each in WAITS],
        "modes": [(kind, label, _mode_text(found, kind)) for kind, label in modes.KINDS.items()],
    }

"""Making a tournament: the format with its settings, the length, the tables."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_time
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.kernel.contract import Illegal
from games.models import Night, Tournament
from games.models.house import zone
from games.row_ids import number
from games.services import server_time
from games.services.nights import membership
from games.services.tables import here
from games.services.tournaments import formats, modes, tournaments
from games.services.tournaments.formats import ChosenFormat, FormatKind, Setting
from games.services.tournaments.tournaments import TournamentDraft
from games.web import form_ids
from games.web.errors import pages_refusals, refusal_text, status_of
from games.web.nights.page import find_night, need_inside

WAITS = (0, 10, 20, 40, 60)
ASK = "ask"
NO_TABLES = "none"
MOST_BOARDS = 99
RAISED = ("not_host", "practice_night", "night_closed")
"""Refusals that have a page, or need another page than the form."""


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def new(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the form of a new tournament of a night to its host; a POST makes it."""
    night = find_night(public_id)
    host = need_inside(request, night)
    membership.check_host(night, host)
    sent = request.POST if request.method == "POST" else request.GET
    kind = formats.kind_of(sent.get("kind", formats.KINDS[0].id))
    error, status, code = "", 200, ""
    if request.method == "POST":
        try:
            made = tournaments.make(night, host, _draft(request, kind), form_ids.sent(request))
        except Illegal as refusal:
            if refusal.code in RAISED:
                raise
            error, status, code = refusal_text(refusal), status_of(refusal), refusal.code
        else:
            return redirect("tournament", made.public_id)
    context = _context(night, kind, request.POST) | {"error": error, "form_id": form_ids.shown(request, code)}
    return render(request, "tournaments/new.html", context, status=status)


def _draft(request: HttpRequest, kind: FormatKind) -> TournamentDraft:
    """Return the tournament that a form says; raises Illegal as `tournaments.make`."""
    typed = request.POST
    closes_at = _closing_time(typed.get("closes", ""))
    game_id = typed.get("game") or next(iter(tournaments.games_with_matches()), "")
    medium = typed.get("medium", NO_TABLES)
    boards = number(typed["boards"]) if typed.get("boards") else None
    if typed.get("boards") and (boards is None or not 0 < boards <= MOST_BOARDS):
        raise Illegal("no_such_board")
    auto = typed.get("auto", ASK)
    choice = ChosenFormat(
        kind.id,
        number(typed.get("length", "")) or 0,
        _minutes(closes_at),
        boards,
        number(typed.get("after", "")) or 0,
        {each.name: _value(each, typed.get(each.name, "")) for each in kind.settings},
    )
    name = typed.get("name", "")
    seconds = None if auto == ASK else number(auto)
    return TournamentDraft(name, game_id, "" if medium == NO_TABLES else medium, choice, seconds, closes_at)


def _value(setting: Setting, text: str) -> Any:
    """Return the chosen value of a setting; its default for none of its choices."""
    return next((value for value, _label in setting.choices if str(value) == text), setting.default)


def _closing_time(text: str) -> datetime:
    """Return the next time of day that a form says; raises Illegal `bad_time`."""
    try:
        typed = parse_time(text[:8])
    except ValueError:
        typed = None
    if typed is None:
        raise Illegal("bad_time")
    now = timezone.localtime(server_time.now(), zone())
    found = now.replace(hour=typed.hour, minute=typed.minute, second=0, microsecond=0)
    return found if found > now else found + timedelta(days=1)


def _minutes(closes_at: datetime) -> int:
    return max(0, int((closes_at - server_time.now()).total_seconds() // 60))


def _context(night: Night, kind: FormatKind, typed: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of the form: those typed, else the proposed ones."""
    people = here.members(night).count()
    closes = timezone.localtime(tournaments.usual_close(server_time.now()), zone())
    settings = [
        (each, [(value, label, str(value) == typed.get(each.name, str(each.default))) for value, label in each.choices])
        for each in kind.settings
    ]
    chosen = {each.name: _value(each, typed.get(each.name, "")) for each in kind.settings}
    length = formats.proposed_length(kind.id, people, formats.USUAL_MINUTES, chosen)
    games = tournaments.games_with_matches()
    values = {
        "name": _("Tournament"),
        "length": str(length),
        "closes": f"{closes:%H:%M}",
        "boards": "",
        "after": "0",
        "medium": "",
        "auto": str(modes.AUTO_SECONDS),
    }
    values |= {name: typed[name] for name in values if name in typed}
    game = next(iter(games.values()), None)
    media = [] if game is None else [(medium, label) for medium, label in game.media.items() if medium != "typed"]
    return {
        "night": night,
        "kind": kind,
        "kinds": formats.KINDS,
        "settings": settings,
        "people": people,
        "proposed": length,
        "values": values,
        "lengths": [str(each) for each in formats.LENGTHS],
        "after": [str(each) for each in formats.AFTER] if kind.is_in_rounds else [],
        "media": media,
        "waits": [str(each) for each in WAITS],
        "status": Tournament.Status,
    }

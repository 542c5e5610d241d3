"""The question whether somebody is counted in: at a night of the season, once on each device, or by a link."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games import plugin
from games.kernel.contract import Illegal
from games.models import Night, Player, Season
from games.row_ids import row_id
from games.services.people import players
from games.services.seasons import entrants, season_nights, seasons
from games.services.sheets import name_claims
from games.web import drafts
from games.web.errors import pages_refusals, refusal_text, refusals_as_messages, status_of
from games.web.guests import become_for_good, guest, known_nickname
from games.web.identity import come_in, need_player, player_of
from games.web.seasons.claiming import claim_context, note_listed_asked
from games.web.seasons.page import first_date, rules_card

ASKED = "seasons_asked"
MOST = 50
"""The most answers that a browser's session keeps."""


def season_for(request: HttpRequest, night: Night, player: Player) -> Season | None:
    """Return an open season of a night that asks the player: not counted in there, and not asked on this device before.

    None while there is no such season.
    """
    if night.is_practice:
        return None
    asked = set(request.session.get(ASKED, []))
    new = [season for season in season_nights.seasons_of(night) if season.pk not in asked]
    counted = set(player.entries.filter(season__in=new).values_list("season", flat=True)) if new else set()
    return next((season for season in new if season.pk not in counted), None)


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def entry(request: HttpRequest, public_id: str, key: str) -> HttpResponse:
    """Show what a season is to whoever has the link for it, and count them in when they say so.

    Who is not known on this device gives a nickname, as at the door of a night.
    """
    if request.method != "POST":
        return _entry_page(request, entrants.find_by_key(public_id, key), known_nickname(request))
    known, nickname = player_of(request), request.POST.get("nickname", "")
    try:
        with transaction.atomic():
            player = known or guest(request, nickname)
            found = entrants.enter_by_key(public_id, key, player)
            if request.POST.get("listed"):
                players.set_listed(player, True)
            if (name_id := row_id(request.POST.get("name", ""))) is not None:
                name_claims.claim(found, player, name_id)
    except Illegal as refusal:
        found, status = entrants.find_by_key(public_id, key), status_of(refusal)
        return _entry_page(request, found, nickname, refusal=refusal_text(refusal), status=status)
    if known is None:
        become_for_good(request, player)
        come_in(request)
    note_listed_asked(request)
    messages.success(request, _("You are counted in."))
    return redirect("season", found.public_id)


def _entry_page(
    request: HttpRequest, found: Season, nickname: str, *, refusal: str = "", status: int = 200
) -> HttpResponse:
    """Render the page of a season's link, with the name that was typed."""
    player = player_of(request)
    context = {
        "nickname": nickname,
        "refusal": refusal,
        "form_id": drafts.shown_form_id(request),
        "season": found,
        "game": plugin.all_games().get(found.game_id),
        "card": rules_card(found),
        "player": player,
        **claim_context(request, found, player),
        "is_entrant": player is not None and found.entrants.filter(player=player).exists(),
        "first_date": first_date(found),
    }
    return render(request, "seasons/entry.html", context, status=status)


@require_POST
@pages_refusals
def answer_asking(request: HttpRequest, public_id: str) -> HttpResponse:
    """Count the player in, or ask no more on this device; then go back to the night."""
    season, player = seasons.find(public_id), need_player(request)
    with refusals_as_messages(request):
        if request.POST.get("answer") == "yes":
            entrants.enter(season, player, listed="listed" in request.POST)
            note_listed_asked(request)
            messages.success(request, _("You are counted in."))
    request.session[ASKED] = [*request.session.get(ASKED, []), season.pk][-MOST:]
    night = Night.objects.filter(public_id=request.POST.get("night", "")).first()
    return redirect("season", public_id) if night is None else redirect("night", night.public_id)

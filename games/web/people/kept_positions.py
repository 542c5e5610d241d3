"""Positions that the reader keeps from the page of a study: taken into their list, and out of it."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games import plugin
from games.kernel.options import OptionErrors
from games.services.grades import kept_positions
from games.web.errors import forms_only, pages_refusals, refusals_as_messages
from games.web.guests import become_for_good, guest, known_nickname
from games.web.identity import need_player
from games.web.nights.practice import reason, studied


@forms_only("home")
@pages_refusals
def keep(request: HttpRequest, game_id: str) -> HttpResponse:
    """Keep a position (`name`, `position`), and go back to its study; the player is made now if there was none."""
    game, plan = studied(game_id)
    position = request.POST.get("position", "")[: plugin.LONGEST_PASTED]
    try:
        with refusals_as_messages(request), transaction.atomic():
            player = guest(request, known_nickname(request) or _("Guest"))
            found = kept_positions.keep(player, game_id, request.POST.get("name", ""), position)
            become_for_good(request, player)
            position = found.position
            messages.success(request, _("%(name)s is among your positions.") % {"name": found.name})
    except OptionErrors as refused:
        messages.error(request, reason(game, plan, refused))
    return redirect(_study(game_id, position))


@require_POST
@pages_refusals
def delete(request: HttpRequest, public_id: str) -> HttpResponse:
    """Delete a position of the reader's, and go back to its study."""
    found = kept_positions.delete(need_player(request), public_id)
    messages.success(request, _("The position is deleted."))
    return redirect(_study(found.game_id, found.position))


def _study(game_id: str, position: str) -> str:
    return f"{reverse('study', args=[game_id])}?{urlencode({'position': position})}"

"""The page of the webhooks of a series or a night, for its organisers or its host."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from games import refusals
from games.kernel.contract import Illegal
from games.models import Night, Player, Series, Webhook
from games.services import arguments
from games.services.calendar.rights import SERIES
from games.services.nights.registry import NIGHT
from games.services.people import players
from games.services.webhooks import by_apprise, posting, webhooks
from games.services.webhooks.webhooks import ACTS, check_right
from games.web.calendar import page
from games.web.errors import pages_refusals, refusal_text, refusals_as_messages, status_of
from games.web.identity import find_night, need_inside, need_player


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def series_webhooks(request: HttpRequest, key: str) -> HttpResponse:
    """Show the webhooks of a series; a POST adds one."""
    series = page.open_series(key)
    return _page(request, series, need_player(request), series.name, reverse("series", args=[key]))


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def night_webhooks(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the webhooks of a night; a POST adds one."""
    night = find_night(public_id)
    return _page(request, night, need_inside(request, night), night.name, reverse("night", args=[public_id]))


def _page(request: HttpRequest, about: Series | Night, player: Player, title: str, back: str) -> HttpResponse:
    check_right(about, player)
    error, status = "", 200
    if request.method == "POST":
        try:
            acts: Any = SERIES if isinstance(about, Series) else NIGHT
            messages.success(request, acts.carry_out(about, player, "add_webhook", request.POST, arguments.typed))
            return redirect(request.path)
        except Illegal as refusal:
            error, status = refusal_text(refusal), status_of(refusal)
    context = {
        "title": title,
        "back": back,
        "rows": [_line(each) for each in webhooks.webhooks_of(about)],
        "shapes": webhooks.shapes_for(player),
        "lacks_apprise": players.is_staff(player) and not by_apprise.is_installed(),
        "typed": request.POST,
        "error": error,
        "is_full": webhooks.webhooks_of(about).count() >= webhooks.MOST,
    }
    return render(request, "calendar/webhooks.html", context, status=status)


def _line(webhook: Webhook) -> dict[str, Any]:
    fault = refusals.translate(webhook.fault, {}) if webhook.fault else ""
    is_waiting = webhook.messages.filter(ended="", sent_at=None).exists()
    return {"webhook": webhook, "host": posting.shown(webhook.address), "fault": fault, "is_waiting": is_waiting}


@require_POST
@pages_refusals
def webhook_act(request: HttpRequest, public_id: str, act: str) -> HttpResponse:
    """Carry out an act at a webhook, and go back to the page."""
    player = need_player(request)
    webhook = webhooks.find(public_id, player)
    if act not in ACTS:
        raise Http404
    with refusals_as_messages(request):
        messages.success(request, ACTS.carry_out(webhook, player, act, request.POST, arguments.typed))
    if webhook.series is not None:
        return redirect("series_webhooks", webhook.series.key)
    return redirect("night_webhooks", webhook.night.public_id if webhook.night is not None else "")

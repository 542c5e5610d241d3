"""Past games: the forms in which they are entered, and what their people answer."""

from __future__ import annotations

from datetime import date

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games import plugin
from games.kernel.contract import Illegal
from games.models import Night, Result
from games.models.night import today
from games.row_ids import LARGEST_ID
from games.services.history import consent, past_games
from games.services.history.past_games import Evening
from games.services.nights import venues
from games.web import drafts
from games.web.errors import pages_refusals, refusals_as_messages, status_of
from games.web.history.past_form import PastForm, reckoned
from games.web.identity import find_night, need_player, need_player_at_night


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def past_game(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the form of a past game of a night to the people who may enter one; a POST writes it."""
    night = find_night(public_id)
    player = need_player_at_night(request)
    past_games.check_author(night, player)
    return _form_page(request, PastForm(_game(request), night, player, _typed(request)))


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def past_night(request: HttpRequest) -> HttpResponse:
    """Show the form of a past game of an evening held without the house; a POST writes it."""
    player = need_player(request)
    past_games.check_night_author(player)
    return _form_page(request, PastForm(_game(request), None, player, _typed(request)))


def _typed(request: HttpRequest) -> QueryDict:
    """Return what was typed, with the kind of the form that its address names."""
    if request.method == "POST":
        return request.POST
    typed = QueryDict(mutable=True)
    for kind in ("totals", "told"):
        if request.GET.get(kind):
            typed[kind] = "yes"
    return typed


def _form_page(request: HttpRequest, form: PastForm) -> HttpResponse:
    """Write the game of a form that was sent, else show the form, with its errors."""
    status, code = 200, ""
    if request.method == "POST" and "more" not in request.POST:
        try:
            result = _enter(request, form)
        except Illegal as refusal:
            form.refuse(refusal)
            status, code = status_of(refusal), refusal.code
        else:
            return _entered(request, result)
    context = form.context() | {"form_id": drafts.shown_form_id(request, code), "today": today()}
    if form.night is None:
        context["venues"] = venues.listed()
        context["day"] = request.POST.get("day") or today().isoformat()
    return render(request, "history/past_game.html", context, status=status)


def _enter(request: HttpRequest, form: PastForm) -> Result:
    game, form_id = form.past_game(), drafts.sent_form_id(request)
    if form.night is not None:
        return past_games.enter(form.night, form.by, game, form_id)
    evening = Evening(_day(request), request.POST.get("name", ""), request.POST.get("venue", ""))
    return past_games.enter_night(form.by, evening, game, form_id)


def _day(request: HttpRequest) -> date:
    """Return the typed day; raises Illegal `bad_day`."""
    try:
        day = parse_date(request.POST.get("day", ""))
    except ValueError:
        day = None
    if day is None:
        raise Illegal("bad_day")
    return day


def _entered(request: HttpRequest, result: Result) -> HttpResponse:
    if result.is_proposed:
        messages.success(request, _("Noted. The game is in the sheet as soon as somebody else of it agrees."))
    else:
        messages.success(request, _("The game is in the sheet. Its people are asked before it counts for them."))
    return redirect("night_results", result.table.night.public_id)


def _game(request: HttpRequest) -> plugin.GameConfig:
    """Return the game that is entered, by default the first one; raises Illegal `no_such_game`."""
    game_id = request.POST.get("game") or request.GET.get("game") or next(iter(plugin.all_games()))
    found = plugin.all_games().get(game_id)
    if found is None:
        raise Illegal("no_such_game")
    return found


@require_POST
@pages_refusals
def past_points(request: HttpRequest) -> HttpResponse:
    """Return the points of a form that is being filled in, and the fields of its game; nothing is written."""
    game = _game(request)
    return render(request, "history/parts/past_points.html", reckoned(game, request.POST) | {"oob": True})


@require_POST
@pages_refusals
def answer_past_game(request: HttpRequest, result_id: int) -> HttpResponse:
    """Agree to a past game, refuse it, object to what was agreed for somebody, or take it back as its author.

    Then show the page of the question again.
    """
    player, result_id = need_player(request), min(result_id, LARGEST_ID)
    night = Night.objects.filter(tables__results=result_id).first()
    said = request.POST.get("answer", "")
    with refusals_as_messages(request):
        if said == "withdraw":
            consent.withdraw(result_id, player)
        elif said == "object":
            consent.object_to(result_id, player)
        else:
            consent.answer(result_id, player, agrees=said == "yes")
    return _back(request, night)


@require_POST
@pages_refusals
def answer_evening(request: HttpRequest, public_id: str) -> HttpResponse:
    """Agree to all past games of an evening as they were shown, or refuse them; then show the page again."""
    player, night = need_player(request), find_night(public_id)
    with refusals_as_messages(request):
        agrees = request.POST.get("answer") == "yes"
        consent.answer_evening(None, request.POST.get("key", ""), player, agrees=agrees)
    return _back(request, night)


def _back(request: HttpRequest, night: Night | None) -> HttpResponse:
    if request.POST.get("back") in ("home", "me") or night is None:
        return redirect("me" if request.POST.get("back") == "me" else "home")
    return redirect("night_results", night.public_id)

"""Correcting a result: points for each seat and a reason, as a row of its own; of a match on a real board, the result.

The host's correction counts at once unless it moves points to the host, a player's as soon as all players have agreed
whose points it lowers.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games import plugin
from games.kernel.contract import Illegal
from games.models import Player, Result, ResultLine
from games.services.history import corrections, winner_corrections
from games.services.nights import former_hosts
from games.web import drafts
from games.web.errors import pages_refusals, refusal_text, refusals_as_messages, status_of
from games.web.identity import need_inside
from games.web.labels import rules_label
from games.web.tables.page import find_table

# Code of a refusal → the field that shows it; the others show at the points.
_FIELDS = {"no_reason": "reason"}
MOST_DIGITS = 9


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def correct(request: HttpRequest, result_id: int) -> HttpResponse:
    """Show the form of a correction to the host and the players of the result; a POST carries it out.

    Raises Illegal `not_host` for others.
    """
    rows = Result.objects.select_related("table__night__host").prefetch_related("lines__player")
    result = get_object_or_404(rows, pk=result_id)
    night = result.table.night
    player = need_inside(request, night)
    is_host = night.host_id == player.pk
    if not is_host and all(line.player_id != player.pk for line in result.lines.all()):
        raise Illegal("not_host")
    counts_at_once = is_host and not former_hosts.trial_minutes(night)
    errors: dict[str, str] = {}
    status, refused = 200, ""
    if request.method == "POST":
        try:
            row = _sent(request, result, player)
        except Illegal as refusal:
            errors[_FIELDS.get(refusal.code, "points")] = refusal_text(refusal)
            status, refused = status_of(refusal), refusal.code
        else:
            if row is None:
                messages.info(request, _waits(is_host=counts_at_once))
            return redirect("night_results", night.public_id)
    context = {
        **_context(request, result, errors),
        "is_host": counts_at_once,
        "form_id": drafts.shown_form_id(request, refused),
    }
    return render(request, "history/correct.html", context, status=status)


@require_POST
@pages_refusals
def answer_correction(request: HttpRequest, public_id: str, correction_id: str) -> HttpResponse:
    """Agree to a correction that waits, or refuse it, and go back to the results."""
    table = find_table(public_id)
    player = need_inside(request, table.night)
    with refusals_as_messages(request, table.game_id):
        corrections.answer(table.pk, correction_id, player, agrees=request.POST.get("agrees") == "yes")
    return redirect("night_results", table.night.public_id)


def _waits(*, is_host: bool) -> str:
    """Return the message about a correction that others must agree to."""
    if is_host:
        return _("It moves points to you: it counts as soon as another player of the game, or the staff, agrees.")
    return _("The correction counts as soon as everybody has agreed whom it lowers.")


def _sent(request: HttpRequest, result: Result, player: Player) -> Result | None:
    """Carry out what was typed, as `corrections.correct`."""
    form_id, reason = drafts.sent_form_id(request), request.POST.get("reason", "")
    if not winner_corrections.takes(result):
        return corrections.correct(result, player, _points(request, result), reason, form_id)
    return corrections.correct(result, player, {}, reason, form_id, told=_told(request, result))


def _told(request: HttpRequest, result: Result) -> dict[str, int]:
    """Return the chosen result; raises Illegal `bad_told`."""
    names = ["winner", *(field.id for field in plugin.game(result.game_id).told_fields)]
    chosen = {name: request.POST.get(name, "") for name in names}
    if not all(text.isascii() and text.isdigit() and len(text) < MOST_DIGITS for text in chosen.values()):
        raise Illegal("bad_told")
    return {name: int(text) for name, text in chosen.items()}


def _points(request: HttpRequest, result: Result) -> dict[int, int]:
    """Return the typed points of each seat; an empty field is 0. Raises Illegal `bad_points`."""
    found = {}
    for line in result.lines.all():
        text = request.POST.get(f"seat-{line.seat}", "").strip().replace("\u2212", "-") or "0"
        digits = text.removeprefix("-").removeprefix("+")
        if not (digits.isascii() and digits.isdigit() and len(digits) < MOST_DIGITS):
            raise Illegal("bad_points", most=corrections.MOST_POINTS)
        found[line.seat] = int(text)
    return found


def _context(request: HttpRequest, result: Result, errors: dict[str, str]) -> dict[str, Any]:
    game = plugin.game(result.game_id)
    lines = sorted(result.lines.all(), key=lambda line: line.seat)
    return {
        "result": result,
        "night": result.table.night,
        "game": game,
        "rules": rules_label(result),
        "unit": game.unit_label(result.unit, result.table.options),
        "rows": [(line, request.POST.get(f"seat-{line.seat}", "")) for line in lines],
        "told": _told_fields(request, result) if winner_corrections.takes(result) else (),
        "chosen": request.POST.get("winner", ""),
        "winner": _winner(lines),
        "reason": request.POST.get("reason", ""),
        "errors": errors,
    }


def _told_fields(request: HttpRequest, result: Result) -> list[dict[str, Any]]:
    """Return the fields that say, beside the winner, how the game was won, with the chosen words."""
    fields = plugin.game(result.game_id).told_fields
    return [{"field": field, "chosen": request.POST.get(field.id, "")} for field in fields]


def _winner(lines: list[ResultLine]) -> int | None:
    """Return the seat that has won a game by the results so far; None of a game that counts for nothing."""
    first = [line.seat for line in lines if line.rank == 1]
    return first[0] if len(first) == 1 else None

"""Acts at a tournament, as games/services/tournaments/acts.py declares them: POST tournament/<id>/do/<act>/."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from games.models import Tournament
from games.row_ids import number, row_id
from games.services.tournaments import modes
from games.services.tournaments.acts import ACTS, carry_out
from games.web import fragments
from games.web.errors import pages_refusals, refusals_as_messages
from games.web.tournaments.making import ASK
from games.web.tournaments.page import PARTS, context_of, found_for


@require_POST
@pages_refusals
def tournament_act(request: HttpRequest, public_id: str, act: str) -> HttpResponse:
    """Carry out an act; answer with the page's new parts (htmx) or go back to the page."""
    found, player = found_for(request, public_id)
    if act not in ACTS:
        raise Http404
    is_done = False
    with refusals_as_messages(request):
        args = {name: POSTED[name](request, name) for name in map(_plain, ACTS[act].args)}
        if done := carry_out(found, player, act, args):
            messages.success(request, done)
        is_done = True
    if not Tournament.objects.filter(pk=found.pk).exists():
        return redirect("night", found.night.public_id)
    if fragments.is_htmx(request):
        return fragments.parts(request, PARTS, context_of(found, player), always=True, done=is_done)
    return redirect("tournament", public_id)


def _plain(name: str) -> str:
    return name.removesuffix("?")


def _text(request: HttpRequest, name: str) -> str:
    return request.POST.get(name, "")[:200]


def _number(request: HttpRequest, name: str) -> int | None:
    return number(request.POST.get(name, ""))


def _people(request: HttpRequest, name: str) -> list[int]:
    found = (row_id(text) for text in request.POST.getlist(name))
    return [each for each in found if each is not None]


def _modes(request: HttpRequest, _name: str) -> dict[str, int | None]:
    """Return the posted modes by kind: seconds, None for asking. A number that can't be read is none that is taken."""
    found: dict[str, int | None] = {}
    for kind in modes.KINDS:
        text = request.POST.get(f"mode-{kind}")
        if text is not None:
            seconds = number(text)
            found[kind] = None if text == ASK else -1 if seconds is None else seconds
    return found


def _amounts(request: HttpRequest, name: str) -> list[int]:
    """Return typed amounts between commas or blanks; 0 for what is no number, which is refused."""
    return [number(text) or 0 for text in request.POST.get(name, "")[:200].replace(",", " ").split()]


def _fee(request: HttpRequest, name: str) -> int:
    """Return a typed fee; -1 for what is no number, which is refused."""
    text = request.POST.get(name, "").strip() or "0"
    found = number(text)
    return -1 if found is None else found


def _seeds(request: HttpRequest, _name: str) -> dict[str, int | None]:
    """Return the posted seeds by people's keys; 0 for what is no number, which is refused."""
    found: dict[str, int | None] = {}
    for name, text in request.POST.items():
        if name.startswith("seed-"):
            typed = str(text).strip()
            found[name.removeprefix("seed-")] = (number(typed) or 0) if typed else None
    return found


POSTED: Mapping[str, Callable[[HttpRequest, str], Any]] = {
    "player": lambda request, name: row_id(request.POST.get(name, "")),
    "players": _people,
    "modes": _modes,
    "seeds": _seeds,
    "prizes": _amounts,
    "fee": _fee,
    **dict.fromkeys(("seen", "minute", "which", "points", "after", "minutes", "board", "count", "length"), _number),
    **dict.fromkeys(("who", "when", "one", "other", "match", "winner", "mark", "waits", "kind"), _text),
}
"""Argument of an act → the function that reads it from a form."""

"""Drawing tables for many: the wish, the proposal in which a tap moves a person, and the opening of all tables.

Splitting and joining tables for many, by the host on the night's page: POST night/<id>/tables/regroup/.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from games import plugin
from games.game_texts import gettext_of
from games.kernel.contract import Illegal
from games.kernel.draws import wishes
from games.models import DrawnRound, Night, Player
from games.row_ids import number, row_id
from games.services.draws import drawn_rounds, drawn_tables, regrouping, strengths
from games.services.draws.drawn_rounds import Limit
from games.services.draws.drawn_tables import DrawnRules, DrawWish, OpenedRound
from games.services.house_rules import offers, sets
from games.services.nights import night_rights
from games.services.regions import written
from games.web import drafts, fragments
from games.web.errors import pages_refusals, refusal_text, refusals_as_messages, status_of
from games.web.identity import find_night, need_inside
from games.web.links import night_url
from games.web.nights.page import PARTS, page_context

USUAL_SIZE = "4"
MOST_TABLES = 32
SIZES = {
    **{
        str(n): (ngettext_lazy("%(n)s at a table", "%(n)s at a table", "n"), n, 0)
        for n in range(wishes.SMALLEST, wishes.LARGEST + 1)
    },
    **{f"t{n}": (ngettext_lazy("%(n)s table", "%(n)s tables", "n"), 0, n) for n in range(1, MOST_TABLES + 1)},
}
"""Size of the form → its words, the people at a table, and the number of tables; one of the two is 0."""
SMALLEST_GAME = 3
WAY_LABELS = {
    "lot": _("by lot"),
    "strangers": _("not with the same people again"),
    "snake": _("tonight's leaders at different tables"),
    "strong": _("tonight's leaders together"),
    "strength": _("by strength, the strong together"),
    "ladder": _("one moves up a table, one moves down"),
    "captains": _("with a captain at each table"),
}
LIMITS = {
    "": (_("until it is ended by hand"), Limit()),
    **{f"g{n}": (ngettext_lazy("%(n)s game", "%(n)s games", "n"), Limit(games=n)) for n in (1, 2, 3, 4, 5, 6, 8, 10)},
    **{f"m{n}": (ngettext_lazy("%(n)s minute", "%(n)s minutes", "n"), Limit(minutes=n)) for n in (20, 30, 45, 60, 90)},
}
"""Limit of a round: value of the form → its words, and the limit."""
OVER = -1
"""In place of a table's number: for people whom no table has."""


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def draw_tables(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the wish; a POST keeps strengths, shows its proposal, moves a person in it, or opens the tables."""
    night = find_night(public_id)
    host = need_inside(request, night)
    night_rights.check_host(night, host)
    places: dict[int, int] = {}
    error, status, code = "", 200, ""
    if request.method == "POST":
        try:
            _keep_strengths(request, night, host)
            if "open" in request.POST:
                return _open(request, night, host)
            places = _posted(request) if "keep" in request.POST else _places(request, night)
        except Illegal as refusal:
            if refusal.code in ("not_host", "night_closed", "practice_night"):
                raise
            error, status, code = refusal_text(refusal), status_of(refusal), refusal.code
            places = _posted(request)
    context = _context(request, night, host, places) | {"error": error, "form_id": drafts.shown_form_id(request, code)}
    return render(request, "tables/draw.html", context, status=status)


def _keep_strengths(request: HttpRequest, night: Night, host: Player) -> None:
    """Keep the strengths that the form shows, where they have changed; raises as `strengths.keep`."""
    posted = {
        pk: number(str(text)) if text else None
        for name, text in request.POST.items()
        if name.startswith("strength-") and (pk := row_id(name.removeprefix("strength-"))) is not None
    }
    known = strengths.of(host, posted)
    changed = {pk: value for pk, value in posted.items() if known.get(pk) != value}
    if changed:
        strengths.keep(night, host, changed)


def _posted(request: HttpRequest) -> dict[int, int]:
    """Return player → table of the proposal that a form shows, OVER for none."""
    found = {}
    for name, text in request.POST.items():
        pk = row_id(name.removeprefix("at-")) if name.startswith("at-") else None
        if pk is not None:
            table = number(str(text))
            found[pk] = OVER if table is None else table
    return found


def _places(request: HttpRequest, night: Night) -> dict[int, int]:
    """Return the proposal: drawn anew, or with one person moved."""
    if "move" in request.POST:
        moved, _colon, to = request.POST["move"].partition(":")
        found, pk = _posted(request), row_id(moved)
        if pk in found:
            target = number(to)
            found[pk] = OVER if target is None else target
        return found
    ids = [pk for pk in map(row_id, request.POST.getlist("players")) if pk is not None]
    captains = tuple(pk for pk in map(row_id, request.POST.getlist("captains")) if pk is not None)
    _words, want, count = _size(request)
    wish = DrawWish(_game_id(request), want, request.POST.get("way", drawn_tables.WAYS[0]), captains, count)
    tables, over = drawn_tables.draw_tables(night, wish, ids)
    return {pk: at for at, table in enumerate(tables) for pk in table} | dict.fromkeys(over, OVER)


def _size(request: HttpRequest) -> tuple[Any, int, int]:
    """Return the chosen size, as in SIZES; raises Illegal `bad_draw`."""
    chosen = request.POST.get("size", USUAL_SIZE)
    if chosen not in SIZES:
        raise Illegal("bad_draw")
    return SIZES[chosen]


def _game_id(request: HttpRequest) -> str:
    return request.POST.get("rules", "").split(":")[0]


def _rules(request: HttpRequest) -> DrawnRules:
    """Return the chosen house rules; raises Illegal `no_such_game`, `no_such_rules`."""
    game_id, _colon, chosen = request.POST.get("rules", "").partition(":")
    kind, _dash, name = chosen.partition("-")
    if game_id not in plugin.all_games():
        raise Illegal("no_such_game")
    if kind == "set":
        found = sets.find(name)
        return DrawnRules(game_id, found.preset, found)
    return DrawnRules(game_id, name)


def _open(request: HttpRequest, night: Night, host: Player) -> HttpResponse:
    """Open the tables of a proposal, and go to the night."""
    places = _posted(request)
    numbers = sorted({at for at in places.values() if at != OVER})
    tables = [[pk for pk, at in places.items() if at == each] for each in numbers]
    typed, rules = request.POST, _rules(request)
    want, way = _size(request)[1], typed.get("way", "")
    if way not in WAY_LABELS or typed.get("limit", "") not in LIMITS:
        raise Illegal("bad_draw")
    as_round = OpenedRound(want, way, LIMITS[typed.get("limit", "")][1])
    drawn_tables.open_together(night, host, rules, tables, form_id=drafts.sent_form_id(request), as_round=as_round)
    messages.success(request, gettext("The tables are open."))
    return redirect("night", night.public_id)


def _context(request: HttpRequest, night: Night, host: Player, places: dict[int, int]) -> dict[str, Any]:
    """Return the values of the form, and the proposal by tables."""
    here = drawn_tables.people(night)
    before = drawn_rounds.last(night)
    typed = request.POST if request.method == "POST" else _of_round(before)
    count = max(places.values(), default=OVER) + 1
    names = {row.player_id: row.player.nickname for row in here}
    groups = [
        (at, _next(at, count), [(pk, names[pk]) for pk in places if places[pk] == at and pk in names])
        for at in range(count)
    ]
    chosen = set(request.POST.getlist("players")) if "players" in typed else {str(pk) for pk in names}
    captains = set(request.POST.getlist("captains"))
    kept, size = strengths.of(host, names), typed.get("size", USUAL_SIZE)
    return {
        "night": night,
        "before": before,
        "limits": _limit_words(),
        "limit": typed.get("limit", ""),
        "here": [(row, str(row.player_id) in chosen, str(row.player_id) in captains) for row in here],
        "captains": captains,
        "strengths": [(row, kept.get(row.player_id)) for row in here],
        "strength_values": strengths.VALUES,
        "rules": _rule_choices(host),
        "chosen_rules": typed.get("rules", ""),
        "sizes": _sizes(len(here), size),
        "size": size,
        "ways": [(way, WAY_LABELS[way]) for way in drawn_tables.WAYS],
        "way": typed.get("way", drawn_tables.WAYS[0]),
        "groups": groups,
        "over": [(pk, names[pk]) for pk, at in places.items() if at == OVER and pk in names],
        "places": [(pk, "" if at == OVER else at) for pk, at in places.items()],
    }


def _sizes(count: int, chosen: str) -> list[tuple[str, str]]:
    """Return the sizes that so many people fill, the usual one and the chosen one, with their words."""
    return [
        (value, words % {"n": want or tables})
        for value, (words, want, tables) in SIZES.items()
        if max(want, wishes.SMALLEST * tables) <= count or value in (USUAL_SIZE, chosen)
    ]


def _limit_words() -> list[tuple[str, str]]:
    """Return the choices of how long a round lasts, with their words."""
    return [
        (value, str(words) if limit == Limit() else words % {"n": limit.games or limit.minutes})
        for value, (words, limit) in LIMITS.items()
    ]


def _of_round(before: DrawnRound | None) -> Mapping[str, str]:
    """Return the wish by which the last round was drawn, as a form would post it."""
    if before is None:
        return {}
    rules = f"preset-{before.preset}" if before.rules is None else f"set-{before.rules.public_id}"
    limit = f"g{before.games}" if before.games else f"m{before.minutes}" if before.minutes else ""
    size = str(before.want or f"t{before.tables.count()}")
    return {"rules": f"{before.game_id}:{rules}", "size": size, "way": before.way, "limit": limit}


def _next(at: int, count: int) -> str:
    """Return the table to which a tap moves a person of a table, "-" for none: that of a single one."""
    return "-" if count == 1 else str((at + 1) % count)


def _rule_choices(host: Player) -> list[tuple[str, str]]:
    """Return the house rules for tables of more than two, by value and label: rule sets first, then variants."""
    found = []
    for game in plugin.all_games().values():
        on_offer = offers.on_offer(host, game.game_id)
        found += [
            (f"{game.game_id}:set-{each.public_id}", written.labelled(game.title, each.name)) for each in on_offer
        ]
        for preset in game.options.presets:
            if game.options.seats(preset.id, game.options.values(preset.id))[1] >= SMALLEST_GAME:
                label = written.labelled(game.title, gettext_of(game, preset.label))
                found.append((f"{game.game_id}:preset-{preset.id}", label))
    return found


@require_POST
@pages_refusals
def regroup(request: HttpRequest, public_id: str) -> HttpResponse:
    """Join two tables where a `target` is named, else split one; answer with the night's new parts, or its page."""
    night = find_night(public_id)
    host = need_inside(request, night)
    is_done = False
    with refusals_as_messages(request):
        source = request.POST.get("table", "")
        if target := request.POST.get("target"):
            regrouping.join(night, host, source, target)
        else:
            ids = [pk for pk in map(row_id, request.POST.getlist("players")) if pk is not None]
            regrouping.split(night, host, source, ids)
        is_done = True
    if fragments.is_htmx(request):
        context = page_context(request, find_night(public_id))
        return fragments.parts(request, PARTS, context, always=True, done=is_done)
    return redirect(night_url(night))

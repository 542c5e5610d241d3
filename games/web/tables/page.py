"""The page of a table: the waiting room before the start, the game after it.

`templates/tables/table.html` gets:

* `table`, `night`, `game` (the GameConfig), `seat` (the reader's own Seat or None),
  `is_host`, `is_tv` (False here), `is_asked` (another device wants to go on as the reader),
  `config` for the page's module (`json_script`);
* `texts`: the part of the catalogue of JavaScript's texts that it needs;
* `waits`: why the table waits while the house is out of reach, "screen" or "form", "" where games can be told then;
* `first`, once play has begun: {"table", "state"}, the reader's view of the table now (docs/protocol.md §5), so that
  the board is shown before the live connection is open;
* while `table.status == "lobby"` also the context of `table_lobby.html`; from then on `card`,
  the rules card, and `takes_in`: newcomers may join now; while it runs, for the host,
  `why_open`: why the table cannot be closed now, "" if it can; `order`: the seats in the order of play
  if the host may change it; `takes_back`: the seats whose last act at a real table the host may take back;
  `close_after`: "on" if the host may announce that the table closes after this game, "off" if they may
  withdraw that, else "".

`config` is {"table", "night", "game", "element", "module", "hiddenDice", "status", "host", "tv", "seat",
"leaving": {"kind", "note"}, "real", "tournament", "scripts",
"urls": {"table", "night", "admit", "again", "results", "people", "events", "dice", "grades", "played", "socket",
"nightSocket"}};
`module` and `hiddenDice` are addresses, the second "" where the game has no such module; `grades` is "" where no
choices are graded, `played` where the table waits for a house that is out of reach; `scripts` are those of every page
that a table loads after its board.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods

from games import json_text, plugin
from games.game_texts import gettext_of
from games.kernel.contract import BEFORE_HOUSE_DICE, CLOSE, CLOSE_AFTER, PLACE, TAKE_BACK, Command, Illegal
from games.models import Membership, Night, Player, Seat, Table
from games.services.calendar import answers, expected
from games.services.draws import waiting_tables
from games.services.hosting import kept_seats
from games.services.house_rules.cards import table_card
from games.services.logs import log_views
from games.services.nights import agreement, membership, without_phone
from games.services.people import name_order, players
from games.services.point_values import own_values
from games.services.regions import written
from games.services.tables import host_commands, log, setup
from games.services.tables.seating import acceptance, joining
from games.web import fragments, links
from games.web.assets import catalogues, import_map
from games.web.errors import pages_refusals, refusal_text
from games.web.identity import need_inside
from games.web.nights.absent_host import host_gone, taken_by
from games.web.nights.page import fresh_page

PARTS = "tables/parts/table_live.html"
OTHERS_SHOWN = 3
"""The other waiting tables to which one tap moves somebody."""
compressed = gzip_page(render)
"""As `render`, for the page of a table once play has begun: a phone waits for it first (docs/security.md)."""


def find_table(public_id: str) -> Table:
    """Return a table with its night; raises Http404."""
    return get_object_or_404(Table.objects.select_related("night__host", "scorekeeper", "pairing"), public_id=public_id)


def never_started(found: Table) -> bool:
    """Tell whether a table still waited when its night was closed: it has no page any more."""
    return found.status == Table.Status.LOBBY and found.night.status == Night.Status.CLOSED


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def table(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a table to the members of its night."""
    found = find_table(public_id)
    player = need_inside(request, found.night)
    if found.is_past:
        return redirect("night_results", found.night.public_id)
    if never_started(found):
        return redirect("night", found.night.public_id)
    context = page_context(request, found, player)
    if found.status == Table.Status.LOBBY:
        context["live_mark"] = fragments.mark_of(request, PARTS, context)
        return render(request, "tables/table.html", context)
    return compressed(request, "tables/table.html", context)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def table_live(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the parts of the waiting room; once play has begun, reload the whole page."""
    found = find_table(public_id)
    try:
        player = need_inside(request, found.night)
    except Illegal:
        return fresh_page(request)
    return lobby_parts(request, found, player)


def lobby_parts(
    request: HttpRequest, found: Table, player: Player, *, always: bool = False, done: bool = False
) -> HttpResponse:
    """Return the waiting room's parts for htmx; `done` clears the form of an act."""
    if found.status != Table.Status.LOBBY or never_started(found):
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    moved_to = _moved_to(request, found, player)
    if moved_to is not None:
        return HttpResponse(status=204, headers={"HX-Redirect": links.table_url(moved_to)})
    context = page_context(request, found, player)
    return fragments.parts(request, PARTS, context, always=always, done=done)


def _moved_to(request: HttpRequest, found: Table, player: Player) -> Table | None:
    """Return the table to which somebody was moved who sat here when the page was loaded."""
    if "seated" not in request.GET or found.seats.filter(player=player).exists():
        return None
    own = links.own_table(found.night, player)
    return own if own is not None and own.pk != found.pk else None


def page_context(request: HttpRequest, found: Table, player: Player) -> dict[str, Any]:
    """Return the context of the table's page."""
    seats = list(found.seats.select_related("player"))
    seat = next((s for s in seats if s.player_id == player.pk), None)
    is_host = found.night.host_id == player.pk
    context: dict[str, Any] = {
        "table": found,
        "night": found.night,
        "game": plugin.game(found.game_id),
        "seat": seat,
        "is_host": is_host,
        "is_entrusted": player.pk in (found.night.host_id, found.scorekeeper_id),
        "is_tv": False,
        "is_for_adults": acceptance.is_for_adults(found),
        "config": config(found, player, seat, is_host=is_host),
        "texts": texts_part(found),
        "waits": "" if goes_on(found) else "form" if is_real(found) else "screen",
        "is_asked": agreement.has_request(player),
    }
    if found.status != Table.Status.LOBBY:
        context["card"] = table_card(found)
        context["first"] = first_state(found, player)
        context["is_shared"] = "kept" in context["first"]["state"]
        context["takes_in"] = joining.is_open(found)
        if context["is_entrusted"] and found.is_running:
            context["places"] = free_places(found, seats, takes_in=context["takes_in"])
            context |= _offered(found, player)
        context["takes_bots"] = plugin.game(found.game_id).takes_bots(found.options)
        if is_host and found.is_running:
            context |= {"why_open": open_reason(found), "close_after": close_after(found)}
            clocks = host_commands.offered_game_clocks(found)
            context["clocks"] = [(json_text.to_text(rules), words) for rules, words in clocks]
            told, why_told = seats_to_take_back(found, seats), why_not_taken_back(found, seats)
            is_handed = host_commands.has_been_handed_over(found.pk, found.seq)
            context |= {"order": order(found, seats), "told": told, "why_told": why_told, "is_handed": is_handed}
    else:
        context |= _waiting_context(request, found, seats, player)
        context |= _offered(found, player) if context["is_entrusted"] else {}
    return context


def _waiting_context(request: HttpRequest, found: Table, seats: list[Seat], player: Player) -> dict[str, Any]:
    """Return what the page of a table that waits has beside what every page has."""
    is_host = found.night.host_id == player.pk
    context = lobby_context(request, found, seats, player)
    mark_kept(found, seats, player)
    context |= _of_waiting(found, is_host=is_host)
    context["scorers"] = scorers(found) if is_host and len(seats) > 1 else []
    context["host_gone"] = host_gone(found.night, player)
    context["taken_by"] = taken_by(found.night, player)
    return context


def _of_waiting(found: Table, *, is_host: bool) -> dict[str, Any]:
    """Return the other waiting tables to which people can be moved, and what its host may do with those who wait."""
    return {
        "other_tables": waiting_tables.others(found)[:OTHERS_SHOWN],
        "may_halve": is_host and waiting_tables.may_halve(found),
        "together": waiting_tables.together(found.night) if is_host else None,
    }


def _offered(found: Table, player: Player) -> dict[str, Any]:
    """Return the people without a phone who can be seated by one tap: those expected tonight, other regulars."""
    offered = kept_seats.offered_regulars(found.night, player)
    rows = expected.to_seat(found.night, offered)
    known = {row.player_id for row in rows}
    names = [(row.pk, answers.shown_name(row)) for row in rows]
    return {"offered": [each for each in offered if each.pk not in known], "expected": names}


def texts_part(found: Table) -> str:
    """Return the part of JavaScript's texts that a table needs: all if it is not an ordinary table on the screen."""
    is_usual = plugin.game(found.game_id).has_element and not is_real(found)
    return catalogues.TABLE if is_usual else catalogues.ALL


def first_state(found: Table, player: Player | None) -> dict[str, Any]:
    """Return the table object and the `state` frame of a reader now; `player` is None for a TV screen."""
    now, player_id = log_views.snapshot(found.pk), None if player is None else player.pk
    kept, state = now.kept(player_id), now.state_for(now.reader(player_id))
    return {"table": now.table, "state": {**state, "kept": kept} if kept else state}


def config(
    found: Table, player: Player | None, seat: Seat | None, *, is_host: bool, is_tv: bool = False
) -> dict[str, Any]:
    """Return the configuration of the page's module; `player` is None for a screen."""
    game, keys = plugin.game(found.game_id), players.device_keys(found.public_id, player)
    return {
        "table": found.public_id,
        "outbox": keys[0],
        "joined": keys[1:],
        "night": found.night.public_id,
        "game": found.game_id,
        "element": game.element,
        "module": import_map.address_of(game.script),
        "hiddenDice": import_map.address_of(f"{found.game_id}/hidden_dice.js"),
        "status": found.status,
        "host": is_host,
        "tv": is_tv,
        "seat": None if seat is None else seat.index,
        "adults": acceptance.is_for_adults(found),
        "leaving": {"kind": game.leaving, "note": str(game.leaving_note)},
        "real": is_real(found),
        "tournament": hasattr(found, "pairing"),
        "scripts": [] if is_tv else [static("games/pages/base.js")],
        "urls": {**_page_urls(found), **_socket_paths(found)},
    }


def _page_urls(found: Table) -> dict[str, str]:
    """Return the addresses of the pages around a table."""
    return {
        "table": reverse("table", args=[found.public_id]),
        "night": reverse("night", args=[found.night.public_id]),
        "admit": reverse("night_act", args=[found.night.public_id, "admit"]),
        "again": reverse("table_act", args=[found.public_id, "again"]),
        "results": reverse("night_results", args=[found.night.public_id]),
        "people": reverse("api_night_people", args=[found.night.public_id]),
        "events": reverse("api_events", args=[found.public_id]),
        "dice": reverse("dice_check", args=[found.public_id]),
        "grades": reverse("api_table_grades_line", args=[found.public_id]) if _is_graded(found) else "",
        "played": reverse("api_table_played", args=[found.public_id]) if goes_on(found) else "",
    }


def is_real(found: Table) -> bool:
    """Tell whether real dice or a real board lie on a table."""
    return plugin.game(found.game_id).medium(found.options) != plugin.SCREEN


def goes_on(found: Table) -> bool:
    """Tell whether games can be told at a table while its house is out of reach."""
    return plugin.game(found.game_id).rules.form(found.options) is not None


def _is_graded(found: Table) -> bool:
    """Tell whether the choices at a table are graded where there is an engine."""
    return plugin.game(found.game_id).grading is not None and not is_real(found)


def _socket_paths(found: Table) -> dict[str, str]:
    """Return the paths of the live connections."""
    return {
        "socket": f"{settings.BASE_PATH}ws/table/{found.public_id}/",
        "nightSocket": f"{settings.BASE_PATH}ws/night/{found.night.public_id}/",
    }


def open_reason(found: Table) -> str:
    """Return why the host cannot close a running table now, in words; "" if they can."""
    if found.status == Table.Status.PAUSED:
        return refusal_text(Illegal("paused"))
    rules = plugin.game(found.game_id).rules
    try:
        # The rules decide as for the act itself; nothing is written.
        rules.decide(log.state_of(found), Command(CLOSE, None, {}), log.dice_of(found), found.seq + 1)
    except Illegal as refusal:
        return refusal_text(refusal, found.game_id)
    return ""


def close_after(found: Table) -> str:
    """Return the announcement open to the host about the end of a table that plays: "on", "off", or "" for none."""
    if found.status != Table.Status.PLAYING:
        return ""
    choices = plugin.game(found.game_id).rules.choices(log.state_of(found), None)
    announced = next((choice for choice in choices if choice.name == CLOSE_AFTER), None)
    return "" if announced is None else "on" if announced.options[0]["on"] else "off"


def order(found: Table, seats: list[Seat]) -> list[Seat]:
    """Return the seats in the order of play if the host may change it now; else an empty list."""
    if found.status != Table.Status.PLAYING:
        return []
    choices = plugin.game(found.game_id).rules.choices(log.state_of(found), None)
    ways = next((choice.options for choice in choices if choice.name == PLACE), ())
    placed: dict[int, set[int]] = {}
    for way in ways:
        placed.setdefault(way["seat"], set()).add(way["to"])
    # Moves to a seat's own place are not among the options.
    stands = {min(set(range(len(placed))) - places): seat for seat, places in placed.items()}
    by_index = {seat.index: seat for seat in seats}
    return [by_index[stands[place]] for place in sorted(stands)]


def seats_to_take_back(found: Table, seats: list[Seat]) -> list[Seat]:
    """Return the seats whose last act at a real table the host may take back now."""
    if found.status != Table.Status.PLAYING:
        return []
    choices = plugin.game(found.game_id).rules.choices(log.state_of(found), None)
    ways = next((choice.options for choice in choices if choice.name == TAKE_BACK), ())
    by_index = {seat.index: seat for seat in seats}
    return [by_index[way["seat"]] for way in ways if way["seat"] in by_index]


def why_not_taken_back(found: Table, seats: list[Seat]) -> str:
    """Return in words that acts before dice of the house are not taken back, if that is so now; else ""."""
    if found.status != Table.Status.PLAYING:
        return ""
    rules, state = plugin.game(found.game_id).rules, log.state_of(found)
    for seat in seats:
        try:
            # The rules decide as for the act itself; nothing is written.
            rules.decide(state, Command(TAKE_BACK, None, {"seat": seat.index}), log.dice_of(found), found.seq + 1)
        except Illegal as refusal:
            if refusal.code == BEFORE_HOUSE_DICE:
                return refusal_text(refusal, found.game_id)
    return ""


def lobby_context(request: HttpRequest, found: Table, seats: list[Seat], player: Player) -> dict[str, Any]:
    """Return the context of the waiting room: seats, rules, bots, the join link."""
    game = plugin.game(found.game_id)
    few, many = setup.seat_bounds(found)
    url = links.join_url(request, found.night, membership.invitation(found.night, player))
    return {
        "seats": seats,
        "few": few,
        "many": many,
        "free": many - len(seats),
        "card": table_card(found),
        "has_own_values": own_values.has_own(found),
        "bot_levels": list(game.offered_levels.items()) if game.takes_bots(found.options) else [],
        "missing_levels": game.missing_levels if game.takes_bots(found.options) else {},
        "why_no_bots": no_bots_reason(game, found),
        "not_yet": not_yet_reason(seats, few, many),
        "join_url": url,
        "qr": links.qr_svg(url),
        "is_only_here": links.is_only_here(request, found.night),
        "is_open": found.night.status == Night.Status.OPEN,
    }


def mark_kept(found: Table, seats: list[Seat], player: Player) -> None:
    """Set the keeper's name on the seats of people without a phone, and whether the reader is the keeper."""
    kept = {member.player_id: member for member in without_phone.people(found.night)}
    for seat in seats:
        member = kept.get(seat.player_id) if seat.player_id is not None else None
        keeper = member and (found.scorekeeper or member.keeper)
        marks = {"keeper_name": keeper.nickname if keeper else "", "is_mine_to_enter": keeper == player}
        seat.__dict__.update(marks)


def scorers(found: Table) -> list[Player]:
    """Return the members of the night with a phone, by name: each may become the scorekeeper."""
    inside = found.night.memberships.filter(status=Membership.Status.IN, keeper=None).select_related("player")
    return name_order.by_name((member.player for member in inside), lambda player: player.nickname)


def free_places(found: Table, seats: list[Seat], *, takes_in: bool) -> list[tuple[str, str]]:
    """Return the places at a running table where a player can be seated, as value and label: a new or an empty seat."""
    gone = plugin.game(found.game_id).rules.gone(log.state_of(found))
    empty = [s for s in seats if s.player_id is None and not s.bot_level and s.index not in gone]
    new = [("", _("a new seat"))] if takes_in else []
    return new + [(str(seat.index), _("instead of %(name)s") % {"name": seat.name}) for seat in empty]


def no_bots_reason(game: plugin.GameConfig, found: Table) -> str:
    """Return why no bot can play at a table of a game that has bots; "" if they can."""
    needs = game.options.bots_need
    if needs is None or not game.bot_levels or game.takes_bots(found.options):
        return ""
    return gettext_of(game, needs.reason)


def not_yet_reason(seats: list[Seat], few: int, many: int) -> str:
    """Return in words why the game cannot start yet; "" if it can."""
    if len(seats) < few:
        missing = few - len(seats)
        text = ngettext("%(n)d more player is needed.", "%(n)d more players are needed.", missing)
        return text % {"n": missing}
    if len(seats) > many:
        return _("These rules seat %(many)d players at most.") % {"many": many}
    waiting = [seat.name for seat in seats if seat.accepted_at is None]
    if waiting:
        return _("The rules card is still to be accepted by %(names)s.") % {"names": written.names(waiting)}
    return ""

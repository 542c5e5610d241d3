"""Making a tournament: the format with its settings, the length, the tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from games import plugin
from games.game_texts import gettext_of
from games.kernel.contract import Illegal
from games.kernel.options import IntOption, OptionErrors
from games.models import Night, Tournament
from games.models.house import zone
from games.refusals import translate_option
from games.row_ids import number
from games.services import arguments, server_time
from games.services.house_rules import offers
from games.services.nights import night_rights
from games.services.regions import written
from games.services.tables.seating import leaving
from games.services.tournaments import closing, formats, modes, tournaments
from games.services.tournaments.formats import ChosenFormat, FormatKind, Setting, TooFewBoards
from games.services.tournaments.rights import ASK
from games.services.tournaments.tournaments import TournamentDraft
from games.web import drafts
from games.web.errors import pages_refusals, refusal_text, status_of
from games.web.house_rules.options_form import PREFIX, OptionRow, OptionsForm
from games.web.identity import find_night, need_inside

IN_FRONT = ("open_end", "knockout", "round_robin")
"""The formats that are offered in front; the others stand behind a fold."""
WAITS = (0, 10, 20, 40, 60)
LAST = (
    ("last", gettext_lazy("Points in the last round")),
    ("before_last", gettext_lazy("Points in the round before it")),
)
"""Fields of the lengths of the last rounds, the last one first."""
ALONE_MINUTES, LATE_MINUTES = 3, 5
ALONE, LATE = (1, 3, 5, 10), (0, 3, 5, 10)
"""The minutes that are offered for a result said by one side, and for each penalty point of who comes late."""
NEVER = "never"
SESSION = "minutes-"
"""Before the minutes of a money session, in the field of the length."""
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
    night_rights.check_host(night, host)
    sent = request.POST if request.method == "POST" else request.GET
    kind = formats.kind_of(sent.get("kind", formats.KINDS[0].id))
    error, status, code = "", 200, ""
    if request.method == "POST":
        try:
            made = tournaments.make(night, host, _draft(request, kind), drafts.sent_form_id(request))
        except OptionErrors as refusal:
            error, status, code = _first(refusal, request.POST), 400, "bad_options"
        except Illegal as refusal:
            if refusal.code in RAISED:
                raise
            error, status, code = refusal_text(refusal), status_of(refusal), refusal.code
        else:
            return redirect("tournament", made.public_id)
    context = _context(night, kind, sent) | {"error": error, "form_id": drafts.shown_form_id(request, code)}
    return render(request, "tournaments/new.html", context, status=status)


def _first(refusal: OptionErrors, typed: Mapping[str, str]) -> str:
    """Return why the first refused house rule of a match is refused, with its name."""
    game = plugin.game(typed.get("game") or next(iter(tournaments.games_with_matches())))
    option_id, (code, params) = next(iter(refusal.errors.items()))
    label = gettext_of(game, game.options[option_id].label)
    return written.labelled(label, translate_option(game.options, option_id, code, params))


def _draft(request: HttpRequest, kind: FormatKind) -> TournamentDraft:
    """Return the tournament that a form says; raises Illegal as `tournaments.make`."""
    # Without a length it is the one that the page has proposed.
    typed = request.POST.dict() | {"length": request.POST.get("length") or request.POST.get("proposed", "")}
    closes_at = _closing_time(typed.get("closes", ""))
    game_id = typed.get("game") or next(iter(tournaments.games_with_matches()), "")
    medium = typed.get("medium", NO_TABLES)
    choice = _choice(kind, typed, closes_at)
    name = typed.get("name", "")
    auto = typed.get("auto", ASK)
    seconds = None if auto == ASK else number(auto)
    alone = typed.get("alone", str(ALONE_MINUTES))
    return TournamentDraft(
        name,
        game_id,
        "" if medium == NO_TABLES else medium,
        choice,
        seconds,
        closes_at,
        _rules(typed, game_id, is_session=bool(choice.session)),
        None if alone == NEVER else number(alone) or 0,
        number(typed.get("late", str(LATE_MINUTES))) or 0,
        typed.get("table_rules", "") if kind.is_of_tables else "",
    )


def _choice(kind: FormatKind, typed: Mapping[str, str], closes_at: datetime) -> ChosenFormat:
    """Return the format that a form says; raises Illegal `no_such_board`."""
    count = number(typed["boards"]) if typed.get("boards") else None
    if typed.get("boards") and (count is None or not 0 < count <= MOST_BOARDS):
        raise Illegal("no_such_board")
    after = number(typed.get("after", "")) or 0
    length = typed.get("length", "")
    session = 0 if kind.is_of_tables else _session(length)
    return ChosenFormat(
        kind.id,
        number(length) or int(kind.is_of_tables or bool(session)),
        _minutes(closes_at),
        count,
        after,
        # The page does not show them for rounds without a knock-out after them.
        _last_lengths(typed) if (kind.has_last or after) and not session else (),
        {each.name: _value(each, typed.get(each.name, "")) for each in kind.settings},
        session,
    )


def _session(text: str) -> int:
    """Return the minutes of a chosen money session, 0 for a length in points."""
    return (number(text.removeprefix(SESSION)) or 0) if text.startswith(SESSION) else 0


def _last_lengths(typed: Mapping[str, str]) -> tuple[int, ...]:
    """Return the typed lengths of the last rounds, the last one first; one left out between them is `length`."""
    texts = [typed.get(name, "") for name, _label in LAST]
    while texts and not texts[-1]:
        texts.pop()
    return tuple(number(text or typed.get("length", "")) or 0 for text in texts)


def _rules(typed: Mapping[str, str], game_id: str, *, is_session: bool = False) -> dict[str, Any]:
    """Return the typed values of the house rules that the host of a tournament chooses."""
    game = tournaments.games_with_matches().get(game_id)
    found: dict[str, Any] = {}
    for option_id in tournaments.rules_of_matches(game, is_session=is_session) if game else ():
        text = typed.get(PREFIX + option_id)
        if text is not None and game is not None:
            is_number = isinstance(game.options[option_id], IntOption)
            found[option_id] = (number(text) if text.strip() else 0) if is_number else text
    return found


def _value(setting: Setting, text: str) -> Any:
    """Return the chosen value of a setting; its default for none of its choices."""
    return next((value for value, _label in setting.choices if str(value) == text), setting.default)


def _closing_time(text: str) -> datetime:
    """Return the next time of day that a form says; raises Illegal `bad_time`."""
    try:
        return closing.next_time(arguments.clock_time(text[:8]))
    except ValueError:
        raise Illegal("bad_time") from None


def _minutes(closes_at: datetime) -> int:
    return max(0, int((closes_at - server_time.now()).total_seconds() // 60))


def _rule_rows(game: plugin.GameConfig, typed: Mapping[str, str]) -> list[OptionRow]:
    """Return the house rules that the host of a tournament chooses, as rows of a form with what was typed."""
    usual = game.options.values(game.match_preset)
    typed_values = _rules(typed, game.game_id)
    shown = {name: value for name, value in typed_values.items() if value is not None}
    form = OptionsForm(game.options, usual, {**usual, **shown})
    rows = {row.option.id: row for group in form.groups() for row in group.rows}
    return [rows[option_id] for option_id in game.match_rules]


def _table_rules(night: Night, game: plugin.GameConfig) -> list[tuple[str, str]]:
    """Return the house rules for tables of a session, by value and label: rule sets first, then variants."""
    fits = tournaments.takes_sessions
    sets = [each for each in offers.on_offer(night.host, game.game_id) if fits(game, each.preset, each.options)]
    presets = [each for each in game.options.presets if fits(game, each.id, game.options.values(each.id))]
    named = [(f"set-{each.public_id}", each.name) for each in sets]
    return named + [(f"preset-{each.id}", gettext_of(game, each.label)) for each in presets]


def _values(typed: Mapping[str, str]) -> dict[str, str]:
    """Return the values of the form's plain fields: those typed, else the proposed ones."""
    closes = timezone.localtime(tournaments.usual_close(server_time.now()), zone())
    values = {
        "name": _("Tournament"),
        "length": "",
        "closes": f"{closes:%H:%M}",
        "boards": "",
        "after": "0",
        "medium": "",
        "auto": str(modes.AUTO_SECONDS),
        "alone": str(ALONE_MINUTES),
        "late": str(LATE_MINUTES),
        **{name: "" for name, _label in LAST},
    }
    return values | {name: typed[name] for name in values if name in typed}


def _sessions(game: plugin.GameConfig | None, kind: FormatKind) -> list[tuple[str, int]]:
    """Return the money sessions that a form offers in place of matches, by value and minutes."""
    has_any = game is not None and game.session_preset and not kind.is_of_tables
    return [(f"{SESSION}{minutes}", minutes) for minutes in formats.SESSIONS] if has_any else []


def _context(night: Night, kind: FormatKind, typed: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of the form: those typed, else the proposed ones."""
    people = leaving.members_here(night).count()
    settings = [
        (each, [(value, label, str(value) == typed.get(each.name, str(each.default))) for value, label in each.choices])
        for each in kind.settings
    ]
    games = tournaments.games_with_matches()
    values = _values(typed)
    choice = _chosen(kind, typed, values)
    proposed = 0 if choice is None else _proposed(choice, people)
    game = next(iter(games.values()), None)
    media = [] if game is None else [(medium, label) for medium, label in game.media.items() if medium != "typed"]
    return {
        "night": night,
        "kind": kind,
        "kinds": [each for each in formats.KINDS if each.id in IN_FRONT],
        "more_kinds": [each for each in formats.KINDS if each.id not in IN_FRONT],
        "settings": settings,
        "people": people,
        "proposed": proposed,
        "fits_until": None if choice is None else server_time.now() + timedelta(minutes=choice.minutes),
        "values": values,
        "sessions": _sessions(game, kind),
        "lengths": [str(each) for each in formats.LENGTHS],
        "after": [str(each) for each in formats.AFTER] if kind.is_in_rounds else [],
        "media": media,
        "last": [(name, label, values[name]) for name, label in LAST] if kind.has_last or kind.is_in_rounds else [],
        "rules": [] if game is None or kind.is_of_tables else _rule_rows(game, typed),
        "table_rules": _table_rules(night, game) if kind.is_of_tables and game is not None else [],
        "chosen_rules": typed.get("table_rules", ""),
        "alone": [str(each) for each in ALONE],
        "late": [str(each) for each in LATE],
        "waits": [str(each) for each in WAITS],
        "status": Tournament.Status,
        "few_boards": None if choice is None or not choice.boards else _few_boards(choice, people),
    }


def _chosen(kind: FormatKind, typed: Mapping[str, str], values: Mapping[str, str]) -> ChosenFormat | None:
    """Return the format that a form says as it is; None while the form is not valid."""
    try:
        return _choice(kind, {**values, **{name: typed[name] for name in typed}}, _closing_time(values["closes"]))
    except Illegal:
        return None


def _proposed(choice: ChosenFormat, people: int) -> int:
    """Return the length that is proposed for what a form says."""
    more: formats.PlannedFormat = {"boards": choice.boards, "after": choice.after}
    return formats.proposed_length(choice.kind, people, choice.minutes, choice.settings, **more)


def _few_boards(choice: ChosenFormat, people: int) -> TooFewBoards | None:
    """Return the effect of too few boards for so many people; None with enough."""
    try:
        length = choice.length or _proposed(choice, people)
        return formats.too_few_boards(formats.made(replace(choice, length=length)), people, choice.minutes)
    except Illegal:
        return None

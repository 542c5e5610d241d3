"""Lines of events in words: the same sentences on the page, in exports, in the API and in the admin.

A game declares its sentences with its events (`games.kernel.events`), the house in `SENTENCES`. A page gets them
in its language with its texts (`games.web.assets.catalogues`) and fills them in by itself.

Sentences of the house's own events: acts of the host, joining, leaving (games.kernel.sentences).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from django.utils.translation import get_language, gettext, ngettext, pgettext, trans_real

from games import plugin
from games.game_texts import texts_of
from games.kernel.contract import JsonObject, Seat
from games.kernel.events import Fact
from games.kernel.sentences import (
    OPTIONS,
    Node,
    Scope,
    Telling,
    bound,
    equals,
    filled,
    first,
    person,
    say,
    translated,
    when,
)
from games.kernel.text import gettext_noop as _
from games.models import DELETED_NAME
from games.services.regions import written

HEADLINES = frozenset(
    f"table.{name}"
    for name in ("started", "paused", "resumed", "joined", "left", "kicked", "substituted", "closed", "broken_off")
)
"""Events that get a line on a big screen."""

SILENT = frozenset(
    f"table.{name}"
    for name in (
        *("throw_begun", "throw_dropped", "link_given", "link_missed", "postponed", "lapsed"),
        *("dice_committed", "dice_tip", "dice_revealed", "vacated", "bot_plays_on"),
    )
)
"""Events that have no line."""


def _of(text: str) -> Node:
    """Return a sentence about the person in the event's field `name`."""
    return say(text, name=person("name"))


_SENTENCES: Mapping[str, Node] = {
    "started": _("The game begins."),
    "paused": first(
        (equals("why", "host_away"), _("Paused: the host is away.")),
        (equals("why", "house"), _("The staff of the house has paused the game.")),
        otherwise=_("The host has paused the game."),
    ),
    "resumed": _("The game goes on."),
    "reopened": _("The game goes on."),
    "stood_still": _("The house was away: the game clocks stood still meanwhile."),
    "joined": _of(_("%(name)s joins the table.")),
    "accepted": when(
        "by",
        say(_("%(by)s accepts the rules for %(name)s."), name=person("name"), by=person("by")),
        _of(_("%(name)s accepts the rules card.")),
    ),
    "entered": say(_("Entered by %(by)s:"), by=person("by")),
    "taken_over": _of(_("%(name)s plays on with a phone.")),
    "scorekeeper_named": _of(_("%(name)s is the scorekeeper.")),
    "left": _of(_("%(name)s has left the table.")),
    "kicked": _of(_("The host has taken %(name)s off the seat.")),
    "moved": _of(_("%(name)s goes to another table, after the game that runs.")),
    "substituted": say(_("%(name)s takes the seat of %(before)s."), name=person("name"), before=person("before")),
    "forfeited": _of(_("The seat of %(name)s is given up.")),
    "played_on": _of(_("The host lets the clock play for %(name)s.")),
    "nudged": _of(_("%(name)s is nudged.")),
    "closed": _("The host closes the table."),
    "taken_back": _of(_("The host takes back what %(name)s told last.")),
    "result_stated": _("The host states the result."),
    "handed_over": say(_("%(by)s hands over game %(number)s, played without the house, %(at)s:"), by=person("by")),
    "game_taken_back": _("What was handed over last is taken back."),
    "clock_put_in": _("Game clocks are put in."),
    "placed": _of(_("The host gives %(name)s another place.")),
    "closing_announced": when("on", _("The table closes after this game."), _("The table goes on after this game.")),
    "broken_off": _("The host has broken the game off."),
}

SENTENCES: Mapping[str, Node] = {
    f"table.{name}": bound(node, Scope({}, {}, is_open=True)) for name, node in _SENTENCES.items()
}


BOT_SIGN = " 🤖"
_NUMBERS = range(200)
"""Enough numbers to find one for each plural form of a language."""


def first_and_later(game_id: str) -> tuple[JsonObject, JsonObject]:
    """Return a game's sentences for drawing a page, and those for later events at the table, both as below."""
    sentences = sentences_of(game_id)
    game = plugin.all_games().get(game_id)
    kinds = game.rules.events.kinds if game else {}
    events = sentences["events"]
    first = {name: manner for name, manner in events.items() if name in kinds and kinds[name].is_in_view}
    later = {name: manner for name, manner in events.items() if name not in first}
    return {**sentences, "events": first}, {"events": later}


def sentences_of(game_id: str) -> JsonObject:
    """Return a game's sentences and the house's in the active language.

    They are `{"events": {type: …}, "phrases": {…}, "choices": {name: …}}`. A choice has its `Words`; an event has
    `line`, `spoken`, `spokenFor`, `isAloud`, `isHeadline`, `answeredBy` as its `Fact` says; each where it has any.
    Events that say nothing have {}: one that is not there was written by another version. With "" they are the house's
    alone.
    """
    return _sentences(game_id, get_language() or "en")


@cache
def _sentences(game_id: str, language: str) -> JsonObject:
    house = {name: _without_empty({"line": node, "isHeadline": name in HEADLINES}) for name, node in SENTENCES.items()}
    house |= {name: {} for name in SILENT}
    found: JsonObject = {"events": _in_words(house), "phrases": {}, "choices": {}}
    game = plugin.all_games().get(game_id)
    if game is None:
        return found
    declared = game.rules.events
    events = {name: _manner(kind) for name, kind in declared.kinds.items()} | {name: {} for name in declared.gone}
    with texts_of(game):
        return {
            "events": {**found["events"], **_in_words(events)},
            "phrases": _in_words(declared.phrases),
            "choices": _in_words({name: one.to_json() for name, one in declared.words.items()}),
        }


def _manner(kind: type[Fact[Any]]) -> JsonObject:
    return _without_empty(
        {
            "line": kind.sentence,
            "spoken": kind.spoken,
            "spokenFor": list(kind.spoken_for),
            "isAloud": kind.is_aloud,
            "isHeadline": kind.is_headline,
            "answeredBy": list(kind.answered_by),
        }
    )


def _without_empty(manner: JsonObject) -> JsonObject:
    return {name: value for name, value in manner.items() if value}


def _in_words(nodes: Any) -> Any:
    """Return sentences in the active language."""
    numbers = _number_of_each_form()

    def forms(one: str, many: str) -> list[str]:
        return [ngettext(one, many, number) for number in numbers]

    return {
        name: translated(node, lambda context, text: pgettext(context, text) if context else gettext(text), forms)
        for name, node in nodes.items()
    }


def _plural() -> Callable[[int], int]:
    """Return the function of the active language that gives the place of a number's form among those of `_NUMBERS`.

    Django's French and Italian have a form for millions besides, between the others; a catalogue of the house has none.
    """
    form = trans_real.translation(get_language() or "en").plural
    places = {known: place for place, known in enumerate(sorted({form(number) for number in _NUMBERS}))}
    return lambda number: places.get(form(number), len(places) - 1)


def _number_of_each_form() -> list[int]:
    plural = _plural()
    least = {plural(number): number for number in reversed(_NUMBERS)}
    return [least[place] for place in sorted(least)]


def texts(
    game_id: str, options: Mapping[str, Any], events: Sequence[JsonObject], names: Mapping[Seat, str]
) -> list[str]:
    """Return the lines of an entry's events in the active language; "" for an event that says nothing.

    An event that another version wrote, of a type that is not known here, is its type.
    `events` are `{"type", "data"}`, without data where they are hidden from the reader; `names` are by seat, of those
    who sat there then. A game's own line about a newcomer takes the place of the house's.
    """
    sentences = sentences_of(game_id)
    telling = telling_of(names, sentences["phrases"])
    lines = [_line(sentences["events"], event, options, telling) for event in events]
    is_told = any(line and event["type"] != "table.joined" for line, event in zip(lines, events, strict=True))
    return ["" if is_told and e["type"] == "table.joined" else line for line, e in zip(lines, events, strict=True)]


def _line(manners: JsonObject, event: JsonObject, options: Mapping[str, Any], telling: Telling) -> str:
    if "data" not in event:
        return ""
    if event["type"] not in manners:
        return str(event["type"])
    return filled(manners[event["type"]].get("line"), {**event["data"], OPTIONS: options}, telling)


def with_texts(game_id: str, options: Mapping[str, Any], entry: JsonObject, names: Mapping[Seat, str]) -> JsonObject:
    """Return an entry whose events have their line as `text`, where they say something."""
    lines = texts(game_id, options, entry["events"], names)
    said = [{**event, "text": line} if line else event for event, line in zip(entry["events"], lines, strict=True)]
    return {**entry, "events": said}


def names_at(seats: Sequence[JsonObject], seq: int) -> dict[Seat, str]:
    """Return the names at an entry, from the seats of the table object (docs/protocol.md §5)."""
    return {
        seat["seat"]: next((one["name"] for one in seat.get("before", ()) if seq < one["upto"]), seat["name"])
        for seat in seats
    }


def telling_of(names: Mapping[Seat, str], phrases: JsonObject) -> Telling:
    """Return the parts that sentences are filled in with in the active language; `names` are by seat."""

    def name(seat: Seat) -> str:
        found = names.get(seat)
        if found is None:
            return gettext("Seat %(number)s") % {"number": seat + 1}
        return _person(found.removesuffix(BOT_SIGN))

    return Telling(name, _person, written.names, _plural(), phrases)


def _person(name: str) -> str:
    """Return a stored name; the placeholder of a deleted one in the reader's language."""
    return gettext(DELETED_NAME) if name == DELETED_NAME else name

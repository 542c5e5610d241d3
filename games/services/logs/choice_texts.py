"""Open choices in words, for the API: the same sentences that a page makes of the game's declarations.

`games/kit/words.js` is this module for the browser; `games.kernel.words` says what the words are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from games import plugin
from games.kernel.contract import JsonObject, Seat
from games.kernel.sentences import OPTIONS, filled
from games.kernel.words import EACH, OVER_WORDS
from games.services.logs import event_texts

ASKED = ("own", "question", "lapse")
"""The sentences about a choice as a whole."""
OF_OPTIONS = ("label", "note", "key", "tone")
"""The sentences about each option."""


def with_words(game_id: str, state: JsonObject, names: Mapping[Seat, str]) -> JsonObject:
    """Return what a reader sees of a table (`view`, `choices`) with its words in the active language.

    Choices have `text`, `question`, `lapse` and for each of their `options` an entry of `words`; `text` beside
    them is the sentence of the turn bar.
    """
    view, choices = state["view"], state["choices"]
    if view is None:
        return {**state, "text": ""}
    say = _sayer(game_id, view, choices, names)
    told = [{**choice, **_of_choice(choice, say)} for choice in choices]
    words = plugin.game(game_id).rules.events.words
    ranked = sorted(told, key=lambda choice: words[choice["name"]].order if choice["name"] in words else 0)
    urgent = (one["text"] for one in ranked if one["name"] in words and words[one["name"]].is_urgent)
    mine = (one["text"] if one["name"] in words else gettext("Your turn") for one in ranked if one["required"])
    return {**state, "choices": told, "text": next(filter(None, (*urgent, *mine)), "") or _of_others(view, say)}


Say = Callable[[str, str, Mapping[str, Any]], str]


def _sayer(game_id: str, view: JsonObject, choices: Sequence[JsonObject], names: Mapping[Seat, str]) -> Say:
    """Return a function of a choice's name, of what is said and of the data."""
    sentences = event_texts.sentences_of(game_id)
    telling = event_texts.telling_of(names, sentences["phrases"])
    base = {"view": view, OPTIONS: view.get(OPTIONS, {}), "open": [choice["name"] for choice in choices]}

    def say(name: str, what: str, data: Mapping[str, Any]) -> str:
        return filled(sentences["choices"].get(name, {}).get(what), {**base, **data}, telling)

    return say


def _of_choice(choice: JsonObject, say: Say) -> JsonObject:
    about = choice.get("about", {})
    data = {**{key: value for key, value in about.items() if key != EACH}, "seat": choice["seat"]}
    own, question, lapse = (say(choice["name"], what, data) for what in ASKED)
    found: JsonObject = {"text": own, "question": question, "lapse": lapse}
    if "options" not in choice:
        return found
    each = about.get(EACH) or [{}] * len(choice["options"])
    words = [
        {what: say(choice["name"], what, {**data, **of, **args}) for what in OF_OPTIONS}
        for args, of in zip(choice["options"], each, strict=True)
    ]
    return {**found, "words": words}


def _of_others(view: JsonObject, say: Say) -> str:
    """Return the sentence for everybody about the choice that the game waits for."""
    if view.get("over") or view.get("asked") == OVER_WORDS:
        return say(OVER_WORDS, "others", {"seats": [], "seat": None}) or gettext("The game is over")
    seats = view.get("waiting_for", [])
    return say(view.get("asked", ""), "others", {"seats": seats, "seat": seats[0] if seats else None})

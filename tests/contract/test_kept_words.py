"""The words of the golden evenings are kept: everybody's turn bar, and the headlines, in every language.

`tests/<game>/words.json.gz` was written by the code in which they still stood in the browser's modules; since then the
imperative of four German sentences was mended ("Würfle"), and "3 × a point" is "3 points". It has by evening and entry
`bar`: [seat, text, seats waited for, whether it is no turn], and `headlines`; texts are numbers of `texts`, one for
each language. A language that came later has its texts in a file of its own, `words.fr.json.gz`, in the same order.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from games import plugin
from games.kernel.contract import Event, JsonObject
from games.kernel.sentences import OPTIONS, filled
from games.kernel.words import Line
from games.services.logs import choice_texts, event_texts
from games.services.regions import region
from tests.languages import EVERY, REGIONS

TESTS = Path(__file__).parents[1]
GAMES = ("chicago", "chouette")
OLD_LOGS = {"chicago": {"forfeits 0": 4, "mats 0": 0, "mats 1": 1, "tschigg 4": 4}, "chouette": {}}
"""The evenings whose log has been written anew since then → the number of that of then in the file of old logs."""
NAMES = dict(enumerate(["Ada", "Bo", "Cäcilie", "Dirk", "Eli", "Fay", "Gus", "Hal", "Ida", "Jo"]))


def kept(game: str) -> Any:
    """Return the kept words of a game, with those of each language that came later."""
    was = json.loads(gzip.decompress((TESTS / game / "words.json.gz").read_bytes()))
    for path in sorted((TESTS / game).glob("words.??.json.gz")):
        was["languages"].append(path.name.split(".")[1])
        for texts, later in zip(was["texts"], json.loads(gzip.decompress(path.read_bytes())), strict=True):
            texts.append(later)
    return was


def test_the_words_of_every_language_are_kept() -> None:
    for game in GAMES:
        assert set(kept(game)["languages"]) == set(EVERY)


def golden(game: str) -> Iterator[tuple[str, list[tuple[Any, list[Event]]]]]:
    """Yield the golden evenings of then by name: the state after each entry, and its events."""
    rules = plugin.game(game).rules
    for path in sorted((TESTS / game / "logs").glob("*.json")):
        evenings = json.loads(path.read_text())
        for number in range(len(evenings)):
            name, evening = f"{path.stem} {number}", evenings[number]
            if (old := OLD_LOGS[game].get(name)) is not None:
                evening = json.loads((path.parents[1] / "old_logs" / path.name).read_text())[old]
            state, entries = rules.initial(evening["options"], evening["seats"]), []
            for raw in evening["entries"]:
                events = [Event.from_json(event) for event in raw["events"]]
                for event in events:
                    state = rules.fold(state, event, raw["seq"])
                entries.append((state, events))
            yield name, entries


def bar(game: str, state: Any, seat: int | None) -> tuple[str, list[int]]:
    """Return what a seat or a spectator reads in the bar, and whom the game waits for."""
    rules = plugin.game(game).rules
    open_now = () if seat is None else rules.choices(state, seat)
    # Of a choice as a whole: its many options would only take time.
    choices = [{**rules.sent(state, one), "options": [], "about": _of_all(rules.about(state, one))} for one in open_now]
    view = rules.view(state, seat)
    return choice_texts.with_words(game, {"view": view, "choices": choices}, NAMES)["text"], view["waiting_for"]


def _of_all(about: JsonObject) -> JsonObject:
    return {name: value for name, value in about.items() if name != "each"}


def headlines(game: str, state: Any, events: Sequence[Event]) -> list[JsonObject]:
    """Return the headlines of an entry in words."""
    rules, sentences = plugin.game(game).rules, event_texts.sentences_of(game)
    telling, view = event_texts.telling_of(NAMES, sentences["phrases"]), rules.view(state, None)

    def said(line: Line | None) -> str:
        if line is None:
            return ""
        node = sentences["phrases"].get(line.name) or sentences["events"][line.name]["line"]
        return filled(node, {**line.data, OPTIONS: view["options"]}, telling)

    assert rules.headlines is not None
    made = rules.headlines([event for event in events if event.is_for(None)], view)
    return [
        {
            "kind": one.kind,
            "text": said(one.text),
            "detail": said(one.detail),
            "people": [[gain.seat, gain.text, gain.tone] for gain in one.people],
        }
        for one in made
        if said(one.text)
    ]


@pytest.mark.parametrize("game", GAMES)
def test_everybody_reads_what_they_read_before(game: str) -> None:
    was = kept(game)
    texts = [dict(zip(was["languages"], one, strict=True)) for one in was["texts"]]
    compared = 0
    evenings = dict(golden(game))
    # Later evenings have no words of then.
    for name, entries in ((name, evenings[name]) for name in was["evenings"]):
        for (state, events), before in zip(entries, was["evenings"][name], strict=True):
            for language in was["languages"]:
                with translation.override(language), region.of_reader(REGIONS):
                    for seat, text, waiting, _is_mine in before["bar"]:
                        said, waits = bar(game, state, seat)
                        assert said == texts[text][language]
                        assert set(waits) - {seat} == set(waiting) - {seat}
                        compared += 1
                    told = [
                        {**one, "text": texts[one["text"]][language], "detail": texts[one["detail"]][language]}
                        for one in before["headlines"]
                    ]
                    assert headlines(game, state, events) == told
    assert compared > 3000

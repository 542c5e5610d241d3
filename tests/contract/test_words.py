"""Choices carry their words: every open decision of every game can be read, told apart, and tells no secret."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import translation

from games.kernel.contract import JsonObject, Seat
from games.kernel.sets import Sets
from games.services.logs import choice_texts
from games.services.regions import region
from tests.contract.driver import Case, changed_cases, few_cases, over_the_wire, sampled, viewers
from tests.languages import REGIONS
from tests.seeds import share_of_day

CASES = [case for case in (*few_cases(), *changed_cases()) if case.rules.events.words]
"""Tables of the games that say anything."""
tables = pytest.mark.parametrize("case", share_of_day(CASES, 3), ids=str)
NAMES = {seat: f"P{seat}" for seat in range(12)}
HOLES = ("%(", "None", "undefined", "{", "[")


@pytest.fixture(autouse=True)
def region_of_reader() -> Iterator[None]:
    """Say the reader's region: these tests have no house that has one."""
    with region.of_reader(REGIONS):
        yield


def seen(case: Case, state: Any, viewer: Seat | None) -> JsonObject:
    """Return the view and the choices of a viewer, as sent."""
    choices = [] if viewer is None else [case.rules.sent(state, one) for one in case.rules.choices(state, viewer)]
    return {"view": case.rules.view(state, viewer), "choices": choices}


def texts_in(told: JsonObject) -> Iterator[str]:
    """Yield every text of what is told of a table."""
    yield told["text"]
    for choice in told["choices"]:
        yield from (choice["text"], choice["question"], choice["lapse"])
        for words in choice.get("words", ()):
            yield from words.values()


@tables
@pytest.mark.parametrize("language", ["en", "de"])
def test_whoever_looks_reads_whom_the_game_waits_for_and_nothing_is_left_open(case: Case, language: str) -> None:
    with translation.override(language):
        for step in sampled(case):
            for viewer in viewers(case):
                told = choice_texts.with_words(case.game_id, seen(case, step.state, viewer), NAMES)
                assert told["text"]
                for text in texts_in(told):
                    assert not [hole for hole in HOLES if hole in text], text
                    assert text == " ".join(text.split()), text


@tables
def test_every_option_has_a_label_that_no_other_option_of_its_choice_has(case: Case) -> None:
    for step in sampled(case):
        for viewer in viewers(case):
            told = choice_texts.with_words(case.game_id, seen(case, step.state, viewer), NAMES)
            for choice in told["choices"]:
                if "sets" in choice:
                    continue
                labels = [(words["label"], words["note"]) for words in choice["words"]]
                assert all(label for label, _ in labels), choice["name"]
                assert len(set(labels)) == len(labels), (choice["name"], labels)


@tables
def test_a_letter_belongs_to_one_choice(case: Case) -> None:
    for step in sampled(case):
        for viewer in viewers(case):
            told = choice_texts.with_words(case.game_id, seen(case, step.state, viewer), NAMES)
            owners: dict[str, set[str]] = {}
            for choice in told["choices"]:
                for words in choice.get("words", ()):
                    owners.setdefault(words["key"], set()).add(choice["name"])
            assert not [names for letter, names in owners.items() if letter and len(names) > 1], owners


@tables
def test_whom_the_view_waits_for_has_something_to_answer(case: Case) -> None:
    """Maybe secretly answered already: whether a choice is still required would tell that. When it is over, nobody."""
    for step in sampled(case):
        waiting = case.rules.view(step.state, None).get("waiting_for", [])
        open_to = {seat for seat in viewers(case) if seat is not None and case.rules.choices(step.state, seat)}
        assert waiting == sorted(set(waiting))
        assert set(waiting) <= open_to
        assert not (waiting and case.rules.is_over(step.state))


@tables
def test_the_data_of_words_is_json_beside_the_options_and_depends_on_nothing_hidden(case: Case) -> None:
    rng = random.Random(str(case))
    for step in sampled(case):
        for viewer in viewers(case):
            sent = seen(case, step.state, viewer)["choices"]
            assert over_the_wire(sent) == sent
            for choice in case.rules.choices(step.state, viewer):
                each = case.rules.about(step.state, choice).get("each")
                assert each is None or isinstance(choice.options, Sets) or len(each) == len(choice.options)
            other = case.rules.resample(step.state, viewer, rng)
            assert seen(case, other, viewer)["choices"] == sent

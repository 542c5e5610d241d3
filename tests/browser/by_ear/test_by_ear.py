"""Evenings that somebody plays to their ends by nothing but what a screen reader is told, and by keys: one a day."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chouette.board.position import START, BoardError, swap
from tests.browser.by_ear import evenings
from tests.browser.by_ear.chouette import Listener
from tests.browser.by_ear.sentences import Sentences
from tests.browser.by_ear.tree import Utterance
from tests.browser.people import Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(1200)]

MakePerson = Callable[..., Person]


@pytest.mark.day(parts=2, turn=0)
def test_a_chouette_is_played_to_its_end_by_ear(person: MakePerson) -> None:
    """The heard position is held against the house's after each entry (`evenings.agree`)."""
    figures = evenings.play_chouette(person)
    assert figures.turns > 0
    assert figures.too_much == []


@pytest.mark.day(parts=2, turn=1)
def test_an_evening_of_chicago_is_played_to_its_end_by_ear(person: MakePerson) -> None:
    figures = evenings.play_chicago(person)
    assert figures.entries > 0
    assert figures.too_much == []


@pytest.mark.parametrize(
    ("game", "text", "name", "words"),
    [
        ("chouette", "Kari plays 13/7*(2) bar/22.", "play_made", {"name": "Kari", "play": "13/7*(2) bar/22"}),
        ("chouette", "Kari rolls 6-4.", "dice_rolled", {"name": "Kari", "dice": "6-4"}),
        ("chouette", "Your turn: play 6-4", "turn move", {"dice": "6-4"}),
        ("chouette", "Kari waves.", None, {}),
        ("chicago", "Kari throws 6-4-1.", "dice_thrown", {"name": "Kari", "dice": "6-4-1"}),
    ],
)
def test_a_sentence_is_read_as_it_is_declared(game: str, text: str, name: str | None, words: dict[str, str]) -> None:
    read = Sentences(game).read(text)
    assert (read.name if read else None) == name
    assert (read.words if read else {}) == words


def listener(*texts: str) -> Listener:
    """Return somebody who has heard these texts."""
    found = Listener("Hanna", Sentences("chouette"))
    for text in ("Game 1: Kari is the Box, Hanna is Captain.", *texts):
        found.hear(Utterance(text, 0.0))
    return found


def test_the_heard_position_is_that_of_the_plays() -> None:
    heard = listener("Hanna begins with 3-1.", "Hanna plays 8/5 6/5. Kari rolls 6-4.", "Kari plays 24/14.")
    mine = list(swap(heard.position))
    assert [mine[8], mine[6], mine[5]] == [2, 4, 2]
    assert [heard.position[24], heard.position[14]] == [START[24] - 1, 1]


def test_a_wrong_word_is_a_wrong_play() -> None:
    with pytest.raises(BoardError):
        listener("Hanna begins with 3-1.", "Hanna plays 8/4 6/5.")
    with pytest.raises(AssertionError):
        listener("Hanna begins with 3-1.", "Kari plays 8/5 6/5.")

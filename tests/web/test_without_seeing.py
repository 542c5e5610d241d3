"""The guide for people who play by keys and speech, and letters as they are read out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

from games.models.night import CODE_ALPHABET
from games.web import labels

ASKS = Path("games/static/games/kit/asks.js")
LANGUAGES = [language for language, _ in settings.LANGUAGES]


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_names_every_letter_that_asks(language: str) -> None:
    letters = set(re.findall(r': "([A-Z])"', ASKS.read_text()))
    page = Client(HTTP_ACCEPT_LANGUAGE=language).get("/without-seeing/").content.decode()
    assert len(letters) > 10
    assert {letter for letter in letters if not re.search(rf"[ >]{letter}\u00a0?: ", page)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_has_a_word_of_its_own(language: str) -> None:
    with translation.override(language):
        words = labels.spelled("ABCDEFGHIJKLMNOPQRSTUVWXYZ").split(", ")
        assert len(set(words)) == 26
        spelled = zip(CODE_ALPHABET, labels.spelled(CODE_ALPHABET).split(", "), strict=True)
    assert [letter for letter, word in spelled if letter.isdigit() != (word == letter)] == []

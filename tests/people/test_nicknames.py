"""Nicknames: whatever is typed, what is kept can be seen, is short and stays as it is."""

from __future__ import annotations

import unicodedata

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from games.kernel.contract import Illegal
from games.models import Player
from games.services.people import confusable_names, players

INVISIBLE = (
    "",
    " ",
    "\u200b",
    "\u3164",
    "\u2800",
    "\u115f",
    "\u00ad",
    "\u0301",
    "\u200d",
    "\ufe0f",
)


@given(st.text(max_size=60))
@example("a\u0308\u0308")
@example("ﬁﬁ ½")
@example("👩‍👩‍👧‍👦" * 5)
@example("\ud800")
def test_a_nickname_is_kept_as_it_was_cleaned_or_refused_with_a_code(raw: str) -> None:
    try:
        name = players.clean_nickname(raw)
    except Illegal as refusal:
        assert refusal.code in {"nickname_empty", "nickname_characters", "nickname_long"}
        return
    assert players.clean_nickname(name) == name
    assert name == " ".join(name.split())
    assert unicodedata.is_normalized("NFKC", name)
    assert 0 < len(regex.findall(r"\X", name)) <= players.LONGEST_NICKNAME
    assert len(name) <= 96
    assert not regex.search(r"[\p{Cc}\p{Cs}\p{Co}\u202a-\u202e\u2066-\u2069]", name)
    name.encode()


@pytest.mark.parametrize("raw", INVISIBLE)
def test_a_name_that_nobody_can_see_is_refused(raw: str) -> None:
    with pytest.raises(Illegal) as refusal:
        players.clean_nickname(raw)
    assert refusal.value.code in {"nickname_empty", "nickname_characters"}


@pytest.mark.parametrize("raw", ["evil\u202egnp", "a\u0000b", "a\u2069b", "a\u200bb"])
def test_characters_that_turn_or_hide_text_are_refused(raw: str) -> None:
    with pytest.raises(Illegal, match="nickname_characters"):
        players.clean_nickname(raw)


@pytest.mark.parametrize("name", ["Kari", "Jürgen ⚡", "ആര്യ", "李小龙", "👩🏽‍🚀", "x" * 24])
def test_names_of_the_world_are_welcome(name: str) -> None:
    assert players.clean_nickname(f"  {name}  ") == unicodedata.normalize("NFKC", name)


def test_length_is_counted_in_what_is_seen() -> None:
    assert players.clean_nickname("👨‍👩‍👧" * 12) == "👨‍👩‍👧" * 12
    with pytest.raises(Illegal, match="nickname_long"):
        players.clean_nickname("x" * 25)


@pytest.mark.parametrize("pair", [("Kari", "KARI"), ("Zoë", "zoe"), ("B0b", "bob"), ("l33t", "leet")])
def test_names_that_are_easily_confused_have_one_shape(pair: tuple[str, str]) -> None:
    assert confusable_names.shape(pair[0]) == confusable_names.shape(pair[1])


@pytest.mark.django_db
def test_a_new_name_leaves_played_seats_as_they_were(start_table) -> None:
    table = start_table()
    guest = table.seats.get(index=1).player
    players.rename(guest, "Somebody Else")
    assert Player.objects.get(pk=guest.pk).nickname == "Somebody Else"
    assert table.seats.get(index=1).name == "Guest 1"

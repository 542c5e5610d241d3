"""People: nicknames and guests."""

from __future__ import annotations

import unicodedata

import regex

from games.kernel.contract import Illegal
from games.models import Player

LONGEST_NICKNAME = 24
# Controls, formats (zero-width, bidi), private use, surrogates, line and paragraph breaks.
# U+200D is let through: it joins the parts of one emoji.
_FORBIDDEN = regex.compile(r"[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}--\u200d]", regex.V1)
# Some letters and symbols are drawn as nothing: Hangul fillers, the empty Braille cell.
_VISIBLE = regex.compile(r"[[\p{L}\p{N}\p{S}\p{P}]--[\p{DI}\u2800]]", regex.V1)


def is_plain(text: str) -> bool:
    """Tell whether a line of text is free of control, bidi and zero-width characters."""
    return _FORBIDDEN.search(text) is None


def clean_nickname(raw: str) -> str:
    """Return a nickname in NFKC with single spaces.

    Raises Illegal `nickname_empty`, `nickname_characters` or `nickname_long`
    (more than 24 graphemes).
    """
    name = " ".join(unicodedata.normalize("NFKC", raw).split())
    if not is_plain(name):
        raise Illegal("nickname_characters")
    if not _VISIBLE.search(name):
        raise Illegal("nickname_empty")
    if len(regex.findall(r"\X", name)) > LONGEST_NICKNAME or len(name) > 96:
        raise Illegal("nickname_long", longest=LONGEST_NICKNAME)
    return name


def looks_like(name: str) -> str:
    """Return a nickname's rough shape: two with the same shape are easily confused."""
    folded = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(c for c in folded if not unicodedata.combining(c) and c.isalnum())
    return letters.translate(str.maketrans("01358", "oless")) or folded


def new_guest(nickname: str, language: str = "") -> Player:
    """Create a player without an account; raises as `clean_nickname`."""
    return Player.objects.create(nickname=clean_nickname(nickname), language=language[:8])


def rename(player: Player, nickname: str) -> None:
    """Give a player another nickname; seats and results keep the name they were played under."""
    player.nickname = clean_nickname(nickname)
    player.save(update_fields=["nickname"])

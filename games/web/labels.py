"""Words for a result."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from django.utils.translation import gettext as _

from games import plugin
from games.models import Result
from games.services.house_rules.cards import preset_label
from games.services.regions import region, written


def rules_label(result: Result) -> str:
    """Return the name of a result's rule set or variant, and its medium unless it is the screen."""
    rules = result.table.house_rules_name or preset_label(result.game_id, result.preset)
    medium = "" if result.medium == plugin.SCREEN else plugin.game(result.game_id).media.get(result.medium, "")
    return f"{rules} · {medium}" if medium else rules


def minus(number: object) -> str:
    """Return a number, or its text, with a real minus sign."""
    return str(number).replace("-", "−", 1)


def signed(number: int) -> str:
    """Return points with their sign: +3, −1, 0."""
    return minus(f"{number:+d}") if number else "0"


def spelled(code: Iterable[str]) -> str:
    """Return letters as they are read out, each by its word of the language's spelling alphabet; digits as they are."""
    # Translators: the spelling alphabet, 26 words from A to Z, with spaces between them.
    alphabet = _(
        "Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar Papa Quebec "
        "Romeo Sierra Tango Uniform Victor Whiskey X-ray Yankee Zulu"
    ).split()
    words = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", alphabet, strict=True))
    return ", ".join(words.get(letter, letter) for letter in code)


def exact(total: str) -> str:
    """Return an exact number ("25/2") for readers: at most two decimals, a real minus sign."""
    if total.isdigit() or not total:
        return total
    if total[1:].isdigit() and total[0] == "-":
        return f"−{total[1:]}"
    return _fraction(total, region.tag())


@lru_cache(maxsize=8192)
def _fraction(total: str, _region: str) -> str:
    """Return an exact number that is none, or no whole one, as a region writes it."""
    number = Fraction(total)
    return minus(number.numerator) if number.denominator == 1 else written.short(float(number))

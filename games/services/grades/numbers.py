"""Figures of grades as texts in the current language; Django's own formatting cuts decimals off."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from games.kernel.figures.skill_rates import FULL, Rate


def rounded(value: float, places: int) -> str:
    """Return a number rounded to so many decimals, with the minus of printed numbers."""
    # Adding 0 makes of "-0" a 0.
    return str(number_format(round(value, places) + 0.0, places)).replace("-", "−")


def signed(value: float, places: int = 1) -> str:
    """Return a number with its sign, rounded to so many decimals."""
    sign = "+" if round(value, places) > 0 else "−" if round(value, places) < 0 else ""
    return sign + rounded(abs(value), places)


def level_text(level: str) -> str:
    """Return the level of an engine, which is kept and told to programs in English, for people."""
    if level == "exact":
        return _("exact")
    plain, _comma, luck = level.partition(", luck ")
    return _("%(level)s, luck %(luck)s") % {"level": plain, "luck": luck} if luck else level


def places(of: Rate) -> int:
    """Return the number of decimals of a rate: none for fewer than FULL choices."""
    return 1 if of.choices >= FULL else 0


def rate_text(of: Rate) -> str:
    """Return a rate; "–" without a choice that counts."""
    return "–" if of.value is None else rounded(of.value, places(of))

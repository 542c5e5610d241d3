"""Figures of grades as texts in the current language."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.kernel.figures.skill_rates import FULL, Rate
from games.services.regions import written


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
    return "–" if of.value is None else written.rounded(of.value, places(of))

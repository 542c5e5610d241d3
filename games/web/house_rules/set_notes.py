"""Named rule sets in words, for pages and the admin."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games import plugin
from games.game_texts import gettext_of
from games.kernel.options import Option, OptionSet, Preset
from games.models import HouseRules
from games.refusals import translate_option
from games.services.house_rules.cards import Difference, differences
from games.services.house_rules.compatibility import Fitted, fitted


@dataclass(frozen=True, slots=True)
class SetSummary:
    """A set in a list; `game` is None if the game is not installed any more."""

    rules: HouseRules
    game: plugin.GameConfig | None
    preset: str
    changes: int
    is_sound: bool


def set_summary(rules: HouseRules) -> SetSummary:
    """Return a set for a list."""
    game = plugin.all_games().get(rules.game_id)
    if game is None:
        return SetSummary(rules, None, rules.preset, 0, is_sound=False)
    now = fitted(rules)
    changes = len(differences(game.options, game.options.values(now.preset.id), now.values))
    return SetSummary(rules, game, gettext_of(game, now.preset.label), changes, now.is_sound)


def _label(options: OptionSet, named: Option | Preset) -> str:
    return gettext_of(plugin.game_of(options), named.label)


def stored_faults(options: OptionSet, now: Fitted) -> dict[str, str]:
    """Return the errors of stored values in words, by option id."""
    faults = {}
    for key, why in now.problems.items():
        text = translate_option(options, key, *why)
        value = now.stored.get(key)
        if options[key].problem(value) is not None:
            text = _("“%(value)s” was stored. %(why)s") % {"value": str(value)[:40], "why": text}
        faults[key] = text
    return faults


def change_notes(options: OptionSet, now: Fitted) -> list[str]:
    """Return sentences about the changes of the game since the values were written."""
    found = []
    if now.lost_preset:
        found.append(
            _("The variant “%(id)s” is gone: these rules now start from “%(preset)s”.")
            % {"id": now.lost_preset, "preset": _label(options, now.preset)}
        )
    for key in now.added:
        found.append(
            _("“%(rule)s” is new in the game since then: it is set as in the variant.")
            % {"rule": _label(options, options[key])}
        )
    for key in now.dropped:
        found.append(_("The game has no rule “%(id)s” any more: it is left out.") % {"id": key})
    return found


def problems(options: OptionSet, now: Fitted) -> list[str]:
    """Return the stored values that the game refuses now, each with the reason."""
    return [
        _("“%(rule)s” is set as in the variant. %(why)s") % {"rule": _label(options, options[key]), "why": why}
        for key, why in stored_faults(options, now).items()
    ]


def preset_differences(options: OptionSet, now: Fitted) -> list[Difference]:
    """Return the differences of values from their variant, in words."""
    return differences(options, options.values(now.preset.id), now.values)

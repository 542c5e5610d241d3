"""Rule sets by name as pages and the admin show them: cards, differences, notes, history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from games import plugin
from games.game_texts import gettext_of
from games.kernel.options import Option, OptionSet, Preset
from games.messages import translate_option
from games.models import HouseRules, HouseRulesVersion
from games.services.fitting import Fitted, fitted
from games.web.cards import Card, Difference, differences, rules_card

NEWEST = 20


@dataclass(frozen=True, slots=True)
class SetShown:
    """A set as lists show it; `game` is None for one that is not installed any more."""

    rules: HouseRules
    game: plugin.GameConfig | None
    preset: str
    changes: int
    is_sound: bool


def set_shown(rules: HouseRules) -> SetShown:
    """Return a set as lists show it."""
    game = plugin.all_games().get(rules.game_id)
    if game is None:
        return SetShown(rules, None, rules.preset, 0, is_sound=False)
    now = fitted(rules)
    changes = len(differences(game.options, game.options.values(now.preset.id), now.values))
    return SetShown(rules, game, gettext_of(game, now.preset.label), changes, now.is_sound)


def _label(options: OptionSet, named: Option | Preset) -> str:
    return gettext_of(plugin.game_of(options), named.label)


def told_at(options: OptionSet, now: Fitted) -> dict[str, str]:
    """Return what is wrong with stored values, by option id, in words."""
    told = {}
    for key, why in now.problems.items():
        text = translate_option(options, key, *why)
        value = now.stored.get(key)
        if options[key].problem(value) is not None:
            text = _("“%(value)s” was stored. %(why)s") % {"value": str(value)[:40], "why": text}
        told[key] = text
    return told


def notes(options: OptionSet, now: Fitted) -> list[str]:
    """Return what has changed in the game since the values were written, in sentences."""
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
    """Return stored values that the game refuses now, each with the reason."""
    return [
        _("“%(rule)s” is set as in the variant. %(why)s") % {"rule": _label(options, options[key]), "why": why}
        for key, why in told_at(options, now).items()
    ]


def card_of(stored: HouseRules | HouseRulesVersion) -> Card:
    """Return the rules card of a set, or of a version of one."""
    now = fitted(stored)
    game_id = (stored if isinstance(stored, HouseRules) else stored.rules).game_id
    return rules_card(game_id, now.preset.id, now.values, stored.name, stored.version)


def preset_differences(options: OptionSet, now: Fitted) -> list[Difference]:
    """Return where values leave their variant, in words."""
    return differences(options, options.values(now.preset.id), now.values)


def history(rules: HouseRules) -> list[dict[str, Any]]:
    """Return the newest versions, newest first, each with what it changed of the one before."""
    options = plugin.game(rules.game_id).options
    rows = list(rules.versions.select_related("rules")[: NEWEST + 1])
    read = [fitted(row) for row in rows]
    shown = []
    for index, row in enumerate(rows[:NEWEST]):
        before = read[index + 1] if index + 1 < len(rows) else None
        changed = differences(options, before.values, read[index].values) if before else []
        old_name = rows[index + 1].name if before else row.name
        shown.append(
            {
                "row": row,
                "preset": _label(options, read[index].preset),
                "changed": changed,
                "is_first": before is None,
                "old_name": old_name if old_name != row.name else "",
                "is_current": row.version == rules.version,
            }
        )
    return shown

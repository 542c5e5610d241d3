"""The rules card: a table's house rules in sentences, with marks where they leave the preset."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.translation import gettext

from games import plugin
from games.kernel.options import CardLine, Option, OptionSet, TextOption


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence; `instead` is the preset's own sentence where the house rules leave it."""

    option: str
    text: str
    changed: bool
    instead: str


@dataclass(frozen=True, slots=True)
class Card:
    """A rules card, in the current language. `mark` changes with every rule."""

    title: str
    preset: str
    blurb: str
    groups: tuple[tuple[str, tuple[Line, ...]], ...]
    changes: int
    mark: str


def rules_card(game_id: str, preset_id: str, values: Mapping[str, Any]) -> Card:
    """Return the rules card of complete house rules."""
    game = plugin.game(game_id)
    preset = game.options.preset(preset_id)
    lines = game.options.card(values, preset_id)
    return Card(
        title=str(game.title),
        preset=gettext(preset.label),
        blurb=gettext(preset.blurb),
        groups=tuple(
            (
                gettext(group) if group else "",
                tuple(_line(game.options, ln, preset_id) for ln in part),
            )
            for group, part in groupby(lines, key=lambda line: line.group)
        ),
        changes=sum(line.changed for line in lines),
        mark=card_mark(preset_id, values),
    )


def card_mark(preset_id: str, values: Mapping[str, Any]) -> str:
    """Return a short mark of a rule set: who accepts a card sends the mark of what they read."""
    text = json.dumps([preset_id, dict(values)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _line(options: OptionSet, line: CardLine, preset_id: str) -> Line:
    """Return a line of the card in the current language."""
    option = options[line.option]
    instead = ""
    if line.changed:
        base = options.values(preset_id)[line.option]
        instead = fill(option.sentence(base), option, base)
    return Line(line.option, fill(line.sentence, option, line.value), line.changed, instead)


def fill(sentence: str, option: Option, value: Any) -> str:
    """Return a sentence of the declaration, translated and with its value."""
    if not sentence:
        return ""
    return gettext(sentence).replace("{value}", shown(option, value))


def shown(option: Option, value: Any) -> str:
    """Return a value as it is shown: a text's own default is translated, a guest's text not."""
    if isinstance(option, TextOption) and value == option.default:
        return gettext(value)
    return str(value)

"""Rules cards: house rules in words, and the differences between two sets of values.

Both come from the game's declaration alone and are in the active language. Pages, the admin
and the API show the same card.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext, gettext_lazy, pgettext

from games import plugin
from games.game_texts import gettext_of, texts_of
from games.kernel.contract import Illegal
from games.kernel.options import (
    BoolOption,
    CardLine,
    ChoiceOption,
    Option,
    OptionSet,
    TextOption,
    Values,
    by_group,
)
from games.models import Table, Tournament

YES, NO = gettext_lazy("yes"), gettext_lazy("no")


@dataclass(frozen=True, slots=True)
class RuleSentence:
    """A sentence; `instead` is the preset's own sentence if the house rules differ from it."""

    option: str
    text: str
    changed: bool
    instead: str


class SentenceGroup(NamedTuple):
    """Sentences that belong together, under a heading, "" for none."""

    title: str
    lines: tuple[RuleSentence, ...]


@dataclass(frozen=True, slots=True)
class RulesCard:
    """A rules card, in the current language. `mark` changes with every rule.

    `name` and `version` belong to the rule set, "" and None without one.
    """

    title: str
    preset: str
    blurb: str
    groups: tuple[SentenceGroup, ...]
    changes: int
    mark: str
    name: str = ""
    version: int | None = None


def rules_card(
    game_id: str,
    preset_id: str,
    values: Mapping[str, Any],
    name: str = "",
    version: int | None = None,
) -> RulesCard:
    """Return the rules card of complete house rules."""
    game = plugin.game(game_id)
    preset = game.options.preset(preset_id)
    lines = game.options.card(values, preset_id)
    with texts_of(game):
        return RulesCard(
            title=str(game.title),
            preset=gettext(preset.label),
            blurb=gettext(preset.blurb),
            groups=tuple(
                SentenceGroup(
                    gettext(group) if group else "",
                    tuple(_line(game.options, ln, preset_id, values) for ln in part),
                )
                for group, part in by_group(lines)
            ),
            changes=sum(line.changed for line in lines),
            mark=card_mark(preset_id, values),
            name=name,
            version=version,
        )


def game_title(game_id: str) -> str:
    """Return a game's title; its id if the game is not installed."""
    game = plugin.all_games().get(game_id)
    return str(game.title) if game else game_id


def preset_label(game_id: str, preset: str) -> str:
    """Return a variant's name; its id if the game has no such variant now."""
    game = plugin.all_games().get(game_id)
    found = {each.id: each.label for each in game.options.presets} if game else {}
    return gettext_of(game, found[preset]) if found.get(preset) else preset


def table_card(table: Table | Tournament) -> RulesCard:
    """Return the rules card of a table, or of a tournament's tables, with the name and version of its rule set."""
    name, version = table.house_rules_name, table.house_rules_version
    return rules_card(table.game_id, table.preset, table.options, name, version)


def check_mark(table: Table, mark: str) -> None:
    """Raise Illegal `card_changed` unless a mark is that of the table's present rules card."""
    if mark != card_mark(table.preset, table.options):
        raise Illegal("card_changed")


def card_mark(preset_id: str, values: Mapping[str, Any]) -> str:
    """Return a short mark of house rules; it is sent with an acceptance, to show which card was read."""
    text = json.dumps([preset_id, dict(values)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _line(options: OptionSet, line: CardLine, preset_id: str, values: Mapping[str, Any]) -> RuleSentence:
    """Return a line of the card in the current language."""
    option, words = options[line.option], card_words(options, values)
    instead = ""
    if line.changed:
        base = options.values(preset_id)[line.option]
        instead = fill(option.sentence(base), option, base, words)
    return RuleSentence(line.option, fill(line.sentence, option, line.value, words), line.changed, instead)


def card_words(options: OptionSet, values: Mapping[str, Any]) -> dict[str, str]:
    """Return the translated replacements for the words in a card's sentences, by name."""
    words = options.words(values) if options.words is not None else {}
    return {name: pgettext(*word) for name, word in words.items()}


def fill(sentence: str, option: Option, value: Any, words: Mapping[str, str]) -> str:
    """Return a sentence of the declaration, translated, with its words and value filled in."""
    if not sentence:
        return ""
    text = gettext(sentence)
    for name, word in words.items():
        text = text.replace(f"{{{name}}}", word)
    return text.replace("{value}", display_value(option, value))


def display_value(option: Option, value: Any) -> str:
    """Return a value as text; a text option's own default is translated, an entered text is not."""
    if isinstance(option, TextOption) and value == option.default:
        return gettext(value)
    return str(value)


def value_in_words(option: Option, value: Any) -> str:
    """Return an option's valid value in words: yes, no, a pick's label, or the value itself."""
    if isinstance(option, BoolOption):
        return str(YES if value else NO)
    if isinstance(option, ChoiceOption):
        return gettext(next(pick.label for pick in option.picks if pick.id == value))
    return display_value(option, value)


@dataclass(frozen=True, slots=True)
class Difference:
    """An option with different values in two rule sets, in words; "" where it has no effect."""

    option: str
    label: str
    before: str
    after: str


def differences(options: OptionSet, before: Values, after: Values) -> list[Difference]:
    """Return the differences between two complete sets of values, in the order of the form.

    An option without effect in either is left out, whatever its value.
    """
    found = []
    with texts_of(plugin.game_of(options)):
        for option in options.options:
            cells = [cell(options, option, values) for values in (before, after)]
            if cells[0] != cells[1]:
                found.append(Difference(option.id, gettext(option.label), *cells))
    return found


def cell(options: OptionSet, option: Option, values: Values) -> str:
    """Return an option's value in words, "" if it has no effect under the other values."""
    return value_in_words(option, values[option.id]) if options.is_active(option, values) else ""

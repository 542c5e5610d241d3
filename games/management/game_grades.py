"""The grades of an installed game: what of the house's list it has, from "playable" to "figures"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from games.management import contract_check
from games.management.translations import catalogs
from games.plugin import GameConfig

TABLES = 2
"""The number of tables that are played of each preset with its fewest and its most seats."""


@dataclass(frozen=True, slots=True)
class GradedTopic:
    """One line of the list: a `topic`, whether the game has it, and details in a sentence or less."""

    topic: str
    is_had: bool
    text: str


def grades(game: GameConfig) -> Iterator[GradedTopic]:
    """Yield the grades of a game in the order of the list; the first one is whether it is playable at all."""
    faults = list(contract_faults(game))
    yield GradedTopic(
        "playable", not faults, "; ".join(faults[:3]) or f"contract {game.contract}, {len(cases(game))} tables"
    )
    yield from _words(game)
    yield GradedTopic("own board", game.has_element, game.script)
    yield GradedTopic("bots", game.bots is not None, ", ".join(game.bot_levels) if game.bots else "")
    had = {"odds": game.odds_module, "exports": game.export_module, "figures": game.figures_module}
    yield from (GradedTopic(topic, bool(module), module) for topic, module in had.items())


def cases(game: GameConfig) -> list[tuple[str, int, int]]:
    """Return the tables that are played: preset, seats and number."""
    return [
        (preset.id, seats, number)
        for preset in game.options.presets
        for seats in sorted(set(preset.seats))
        for number in range(TABLES)
    ]


def contract_faults(game: GameConfig) -> Iterator[str]:
    """Yield the promises of the contract that a game breaks, each with the table and the entry."""
    for preset, seats, number in cases(game):
        values, seed = game.options.values(preset), f"{game.label} {number}"
        found = contract_check.faults(game.rules, values, seats, seed, game.hidden_dice)
        yield from (f"{preset}, {seats} seats: {each}" for each in found)


def _words(game: GameConfig) -> Iterator[GradedTopic]:
    """Yield a grade for each language of the house but English: whether the game has all of its texts in it."""
    for language in catalogs.wanted_languages():
        folder = Path(game.path) / "locale" / language
        missing = [fault for path in sorted(folder.glob("LC_MESSAGES/*.po")) for fault in catalogs.faults(path)]
        text = f"{len(missing)} texts to do" if missing else "" if folder.is_dir() else "no texts"
        yield GradedTopic(f"words: {language}", folder.is_dir() and not missing, text)

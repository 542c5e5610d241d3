"""The games that are installed beside the house: packages with an entry point in the group `stammtisch.games`.

`pig-4 = "pig.apps:PigConfig"` is one: the game's id, the version of the contract that it keeps, and its declaration.
Id and version are read without importing the game, and a game of another contract is never imported.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any

from django.apps import AppConfig
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import CONTRACT_VERSION
from games.plugin import GameConfig, Text, check_loads, contract_fault

GROUP = "stammtisch.games"
OWN_LABELS = frozenset({"games", "admin", "daphne", "staticfiles"})
"""The labels of the apps that the settings name by their configs (`games.apps`)."""
_NAME = re.compile(r"([a-z][a-z0-9_]*)-(\d{1,9})", re.ASCII)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A game that the house starts without: its id, and why, as a sentence in the reader's language."""

    game_id: str
    reason: Text


@dataclass(frozen=True, slots=True)
class InstalledGames:
    """The games of entry points: the dotted names of the configs of those that load, and those that are left out."""

    apps: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


def find(apps: Collection[str], entries: Iterable[metadata.EntryPoint] | None = None) -> InstalledGames:
    """Return the games of entry points, beside the apps of the settings; whatever a game raises is caught.

    `entries` are the entry points of the group, by default those of this environment. The settings call this while
    they are made, so that nothing here may read one: texts are lazy.
    """
    named: dict[str, list[metadata.EntryPoint]] = {}
    for entry in sorted(metadata.entry_points(group=GROUP) if entries is None else entries, key=lambda one: one.name):
        named.setdefault(_parts(entry)[0], []).append(entry)
    found, left_out = [], []
    for game_id, same in named.items():
        # The truth of a lazy text would be that of its translation.
        reason = _refusal(game_id, same, apps)
        if reason is None:
            reason = _fault(game_id, same[0])
        if reason is None:
            found.append(_app(same[0]))
        else:
            left_out.append(LeftOut(game_id, reason))
    return InstalledGames(tuple(found), tuple(left_out))


def _parts(entry: metadata.EntryPoint) -> tuple[str, int | None]:
    """Return the id and the contract that an entry point's name states; the whole name and None for another name."""
    match = _NAME.fullmatch(entry.name)
    return (match[1], int(match[2])) if match else (entry.name, None)


def _package(entry: metadata.EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value


def _app(entry: metadata.EntryPoint) -> str:
    """Return the dotted name of a config, as INSTALLED_APPS has it; raises AttributeError for a value that is none."""
    return f"{entry.module}.{entry.attr}"


def _refusal(game_id: str, same: Sequence[metadata.EntryPoint], apps: Collection[str]) -> Text | None:
    """Return why a game is left out by its entry points alone, None for one to be loaded."""
    contract, packages = _parts(same[0])[1], ", ".join(map(_package, same))
    if len(same) > 1:
        text = _("{game} is left out: several packages bring a game of this name ({packages}). Remove all but one.")
        return format_lazy(text, game=game_id, packages=packages)
    if contract is None:
        text = _("{game} ({packages}) is left out: its entry point has to state id and contract, such as pig-{own}.")
        return format_lazy(text, game=game_id, packages=packages, own=CONTRACT_VERSION)
    if game_id in OWN_LABELS or game_id in (name.rpartition(".")[2] for name in apps):
        text = _("{game} ({packages}) is left out: the house itself has a part of this name.")
        return format_lazy(text, game=game_id, packages=packages)
    return contract_fault(game_id, contract)


def _fault(game_id: str, entry: metadata.EntryPoint) -> Text | None:
    """Return why a game's config, rules or bots do not load; None for a game that does."""
    try:
        config_class = import_string(_app(entry))
        if problem := _unfit(config_class, game_id):
            raise ImproperlyConfigured(problem)
        config = config_class(config_class.name, import_module(config_class.name))
        if (reason := contract_fault(game_id, config.contract)) is not None:
            return reason
        check_loads(config)
    except (Exception, SystemExit) as error:
        text = _("{game} ({package}) is left out, as it cannot be loaded: {error}")
        about = {"package": _package(entry), "error": f"{type(error).__name__}: {error}"}
        return format_lazy(text, game=game_id, **about)
    return None


def _unfit(config_class: Any, game_id: str) -> str | None:
    """Return what Django would fail at, or a game has no part in, when it starts with this config."""
    if not issubclass(config_class, GameConfig):
        return f"{config_class.__name__} is no GameConfig"
    if config_class.label != game_id or config_class.name != game_id:
        return f"name and label of {config_class.__name__} have to be {game_id}"
    if config_class.ready is not AppConfig.ready or find_spec(f"{game_id}.models"):
        return "a game has no models and no `ready`: the house keeps its log, and calls its rules"
    return None

"""What a game tells the suite, and the registry that finds all games.

A game is an installed Django app whose AppConfig is a `GameConfig`. Its metadata is here,
without loading its rules; the registry walks the installed apps, so that a game is one
folder and one line in INSTALLED_APPS.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from django.apps import AppConfig, apps

from games.kernel.contract import CONTRACT_VERSION, Choice, JsonObject, Rules
from games.kernel.options import OptionSet

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Text: TypeAlias = "str | _StrPromise"


class Bot(Protocol):
    """A game's bots, as a module: they get what the seat may see and nothing more."""

    def choose(
        self, view: JsonObject, choices: list[Choice], level: str, seed: int
    ) -> tuple[str, JsonObject]:
        """Return the name and the arguments of the choice to take."""


class GameConfig(AppConfig):
    """Metadata of a game; the app's label is the game's id.

    `element` is the custom element that shows a table (`<game>-table`), defined by the ES
    module `script`, a path below the static files. `messages` translates the codes that the
    rules raise, with `%(name)s` parameters. `units` names what results count in, by an
    Outcome's `unit`; only results of one unit are added up. `stat_labels` names the figures
    of an Outcome.
    """

    contract: int = CONTRACT_VERSION
    title: Text
    tagline: Text = ""
    rules_module: str = ""
    bots_module: str = ""
    bot_levels: Mapping[str, Text] = {}
    min_seats: int = 2
    max_seats: int = 8
    units: Mapping[str, Text] = {}
    lower_is_better: bool = False
    stat_labels: Mapping[str, Text] = {}
    messages: Mapping[str, Text] = {}
    rules_template: str = ""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Make a game's config the one that Django picks, beside the imported base class."""
        super().__init_subclass__(**kwargs)
        cls.default = True

    @property
    def game_id(self) -> str:
        """The game's id: the app's label."""
        return self.label

    @property
    def element(self) -> str:
        """The tag of the custom element that shows a table."""
        return f"{self.label}-table"

    @property
    def script(self) -> str:
        """The ES module that defines the element, as imported in the browser."""
        return f"{self.label}/table.js"

    @cached_property
    def rules(self) -> Rules[Any]:
        """The rules, loaded at first use."""
        return cast(Rules[Any], import_module(self.rules_module or f"{self.name}.rules"))

    @cached_property
    def bots(self) -> Bot | None:
        """The bots, loaded at first use; None for a game without."""
        return cast(Bot, import_module(self.bots_module)) if self.bots_module else None

    @cached_property
    def options(self) -> OptionSet:
        """The declaration of the house rules."""
        return self.rules.options()


class UnknownGame(LookupError):
    """No installed game has this id."""


def all_games() -> dict[str, GameConfig]:
    """Return the installed games by id, in the order of INSTALLED_APPS."""
    return {a.label: a for a in apps.get_app_configs() if isinstance(a, GameConfig)}


def game(game_id: str) -> GameConfig:
    """Return one game; raises UnknownGame."""
    try:
        return all_games()[game_id]
    except KeyError:
        raise UnknownGame(game_id) from None

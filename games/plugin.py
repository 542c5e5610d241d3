"""The declaration of a game to the suite, and the registry of all games.

A game is an installed Django app whose AppConfig is a `GameConfig`. Its metadata is here,
without loading its rules; the registry walks the installed apps, so that a game is one
folder and one line in INSTALLED_APPS.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from django.apps import AppConfig, apps
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.game_texts import own_text
from games.kernel.chances import Told
from games.kernel.contract import CONTRACT_VERSION, Choice, JsonObject, Rules, Seat
from games.kernel.options import OptionSet
from games.kernel.replay import Entry

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Text: TypeAlias = "str | _StrPromise"


_TEXTS = (
    *("verbose_name", "title", "tagline", "joining_label", "leaving_note"),
    *("bot_levels", "units", "stat_labels", "role_labels", "odds_labels", "messages"),
)

LEAVING_AT_ONCE, LEAVING_BY_HOST = "at_once", "by_host"

Aside: TypeAlias = Callable[[JsonObject, list[Choice], str, int], "tuple[str, JsonObject] | None"]

Waits: TypeAlias = Callable[[JsonObject, list[Choice]], bool]


class Bot(Protocol):
    """A game's bots, as a module: they get what the seat may see and nothing more.

    A module may also have `aside(view, choices, level, seed)`: it gets the seat's open choices
    that are not required, and returns the name and the arguments of the one to take, or None.
    It is asked at most once per log entry, so it should be quick to say no.

    And `waits(view, choices)`: whether it would rather let others answer something first, before
    it does what is required of it. It is heeded for half a minute, and asked often: no thought.
    """

    def choose(self, view: JsonObject, choices: list[Choice], level: str, seed: int) -> tuple[str, JsonObject]:
        """Return the name and the arguments of the choice to take."""


class Figures(Protocol):
    """The function `figures` of a game's figures module: what only the whole log tells."""

    def __call__(
        self, options: Mapping[str, Any], seats: int, entries: Sequence[Entry], /
    ) -> Mapping[Seat, Mapping[str, int]]:
        """Return figures by seat; `entries` are those since the last result, oldest first."""


class Exports(Protocol):
    """The function `files` of a game's export module: a log in the formats of its field."""

    def __call__(
        self,
        options: Mapping[str, Any],
        seats: int,
        names: Sequence[str],
        entries: Sequence[Entry],
        /,
    ) -> Mapping[str, str]:
        """Return texts by file name; `seats` the game was opened with, `names` by seat."""


class Odds(Protocol):
    """The function `chances` of a game's odds module."""

    def __call__(self, options: Mapping[str, Any], /) -> Sequence[Told]:
        """Return exact chances under complete house rules."""


class GameConfig(AppConfig):
    """Metadata of a game; the app's label is the game's id.

    `element` is the custom element that shows a table (`<game>-table`), defined by the ES module
    `script`, a path below the static files; without `static/<game>/table.js` it is the kit's.
    `messages` translates the codes that the rules raise, with `%(name)s` parameters. `units` names
    what results count in, by an Outcome's `unit`; only results of one unit are added up.
    `stat_labels` names the figures of an Outcome, and those that the game's `figures_module` finds
    in the log of a game;
    `role_labels` names the roles among them: figures that are 1 for who had the role.
    `export_module` writes finished tables in formats that other programs of the field read.
    `odds_module` works out the exact chances of the game; `odds_labels` say what each is of.

    `lasting` names members of the view that seldom change, such as a score sheet: over a
    connection they travel only when they have changed (docs/protocol.md §2).

    `demo` names the presets of the demo night: of the bots' own table, which must come to an
    end by itself, and of the one where bots wait; "" is the first preset.

    `adults_option` and `own_acceptance` are the ids of yes-or-no house rules, "" for a game without:
    that adults alone may play, which is asked at the table's door; and that everybody accepts the
    rules card for themselves, so that substitutes do it before they can do anything else.

    `joining_label` is on the button by which somebody joins a table that runs.

    `leaving` says what happens when a player stands up from a running game: `by_host`, the seat
    waits with its game for a substitute or the forfeit; `at_once`, the rules' LEAVE is carried
    out, and `leaving_note` says in a sentence what that means.
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
    figures_module: str = ""
    role_labels: Mapping[str, Text] = {}
    export_module: str = ""
    odds_module: str = ""
    odds_labels: Mapping[str, Text] = {}
    messages: Mapping[str, Text] = {}
    rules_template: str = ""
    lasting: tuple[str, ...] = ()
    demo: tuple[str, str] = ("", "")
    adults_option: str = ""
    own_acceptance: str = ""
    joining_label: Text = _("Join from the next game")
    leaving: str = LEAVING_BY_HOST
    leaving_note: Text = ""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Make a game's config the one that Django picks, beside the imported base class."""
        super().__init_subclass__(**kwargs)
        cls.default = True

    def __init__(self, app_name: str, app_module: Any) -> None:
        """Make every marked text of the declaration one of the game's own catalogue."""
        super().__init__(app_name, app_module)
        for name in _TEXTS:
            setattr(self, name, self._own(getattr(self, name)))

    def _own(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: self._own(text) for key, text in value.items()}
        return own_text(self, value) if isinstance(value, Promise) else value

    def unit_label(self, unit: str, options: Mapping[str, Any]) -> Text:
        """Return what the results of a table count in, by its house rules; an old unit by its id."""
        return self.units.get(unit, unit)

    @property
    def game_id(self) -> str:
        """The game's id: the app's label."""
        return self.label

    @cached_property
    def has_element(self) -> bool:
        """Tell whether the game ships an element of its own; otherwise the kit's shows its tables."""
        return (Path(self.path) / "static" / self.label / "table.js").is_file()

    @property
    def element(self) -> str:
        """The tag of the custom element that shows a table."""
        return f"{self.label}-table" if self.has_element else "stammtisch-table"

    @property
    def script(self) -> str:
        """The ES module that defines the element, as imported in the browser."""
        return f"{self.label}/table.js" if self.has_element else "games/kit/stammtisch_table.js"

    @cached_property
    def rules(self) -> Rules[Any]:
        """The rules, loaded at first use."""
        return cast(Rules[Any], import_module(self.rules_module or f"{self.name}.rules"))

    def played_on(self, state: Any) -> tuple[int, ...]:
        """Return the seats that were left and whose game a bot plays out; none in most games."""
        asked = getattr(self.rules, "played_on", None)
        return () if asked is None else tuple(asked(state))

    @cached_property
    def bots(self) -> Bot | None:
        """The bots, loaded at first use; None for a game without."""
        return cast(Bot, import_module(self.bots_module)) if self.bots_module else None

    @property
    def aside(self) -> Aside | None:
        """What the bots do beside what is required of them; None for bots who do nothing."""
        return getattr(self.bots, "aside", None)

    @property
    def waits(self) -> Waits | None:
        """Whether a bot leaves others time to answer; None for bots who never do."""
        return getattr(self.bots, "waits", None)

    def may_speak(self, state: Any, seat: Seat | None) -> bool:
        """Tell whether words of a seat (None: of somebody without one) may be read by all now.

        By the rules' function `may_speak(state, seat)`; in a game without one everybody may.
        While it says False of None a game runs in which advice is bound: what is said in the
        chat by those who may not speak is kept back until it says True of None.
        """
        asked = getattr(self.rules, "may_speak", None)
        return True if asked is None else bool(asked(state, seat))

    @cached_property
    def figures(self) -> Figures | None:
        """What finds figures in a game's log, loaded at first use; None for a game without."""
        if not self.figures_module:
            return None
        return cast(Figures, import_module(self.figures_module).figures)

    @cached_property
    def exports(self) -> Exports | None:
        """What writes a table's log in the game's own formats; None for a game without."""
        return cast(Exports, import_module(self.export_module).files) if self.export_module else None

    @cached_property
    def odds(self) -> Odds | None:
        """What works out the game's chances; None for a game without."""
        if not self.odds_module:
            return None
        return cast(Odds, import_module(self.odds_module).chances)

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
    config = apps.app_configs.get(game_id)
    if not isinstance(config, GameConfig):
        raise UnknownGame(game_id)
    return config


def game_of(options: OptionSet) -> GameConfig | None:
    """Return the game that declares these options, None for a declaration of no installed game."""
    return next((found for found in all_games().values() if found.options is options), None)

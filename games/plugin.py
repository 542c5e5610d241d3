"""The declaration of a game to the house, and the registry of all games.

A game is an installed Django app whose AppConfig is a `GameConfig`. Its metadata is here, without loading its rules;
the registry searches the installed apps: a game is one folder and one line in INSTALLED_APPS, or a package that is
installed beside the house (games/ops/installed_games.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from django.apps import AppConfig, apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from games.game_texts import gettext_of, own_text
from games.kernel.bots import Bots
from games.kernel.contract import CONTRACT_VERSION, Choice, Event, Illegal, JsonObject, Seat
from games.kernel.dice import typed
from games.kernel.figures.chances import Chance
from games.kernel.figures.game_forms import GameForm
from games.kernel.figures.past_sheets import PastField, PastSheet
from games.kernel.figures.rolls import Roll, Trial
from games.kernel.figures.skill import Depth, Exercise, GameToGrade, Mistake, OtherRate, Sentence, Swing
from games.kernel.options import OptionSet, Values
from games.kernel.payments import point_values
from games.kernel.replay import Entry
from games.kernel.rules import Rules

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Text: TypeAlias = "str | _StrPromise"


_TEXTS = (
    *("verbose_name", "title", "tagline", "joining_label", "leaving_note"),
    *("bot_levels", "units", "stat_labels", "role_labels", "kind_labels", "odds_labels", "rate_labels", "messages"),
    "paper_figures",
    "medium_labels",
)

LEAVING_AT_ONCE, LEAVING_BY_HOST = "at_once", "by_host"
LONGEST_PASTED = 4000
"""The characters of a pasted position that are read: other programs put a whole board behind its ids."""
SCREEN = "screen"
"""The medium of a game that is played on the screen, with the house's dice."""


class Figures(Protocol):
    """The function `figures` of a game's figures module: figures that only the whole log can give."""

    def __call__(
        self, options: Mapping[str, Any], seats: int, entries: Sequence[Entry], /
    ) -> Mapping[Seat, Mapping[str, int]]:
        """Return figures by seat; `entries` are the entries since the last result, oldest first."""


class GradingEngine(Protocol):
    """A program that judges positions of a game, as its grading module gives it: at its first depth."""

    @property
    def level(self) -> str:
        """Return how deep the engine looks, for people."""

    @property
    def name(self) -> str:
        """Return the engine's name with its version."""

    def at(self, depth: Depth) -> GradingEngine:
        """Return this engine at another depth; both share what runs, and what closes."""

    def close(self) -> None:
        """End what the engine keeps running."""


class Grading(Protocol):
    """A game's grading module: what each choice of a game was worth, by an engine.

    `FORMULA` is the version of its counting, `HOW_TO_GET_ONE` says in one line how to install an engine (a marked text
    of the game's own catalogue). `SCALE` times the mean error of the choices that count is the rate of a player, and
    `RATE` its name. `IS_EXACT` tells that no deeper look finds another figure. `PARTS` are the ways to divide choices,
    each a heading with the labels of its parts by id (marked texts, too). `AREAS` are the
    labels of what a player can work at, by id: each choice belongs to one (`area`). `WHAT_COUNTS` is the formula in
    sentences. `OTHER_RATES` are further rates, counted as other programs do.
    """

    FORMULA: int
    HOW_TO_GET_ONE: str
    SCALE: float
    RATE: str
    IS_EXACT: bool
    PARTS: Mapping[str, Mapping[str, str]]
    AREAS: Mapping[str, str]
    WHAT_COUNTS: Sequence[Sentence]
    OTHER_RATES: Sequence[OtherRate]

    def has_engine(self) -> bool:
        """Tell whether an engine is installed, without starting it."""

    def engine(self) -> GradingEngine | None:
        """Return the engine that is installed, None without one."""

    def rows(self, game: GameToGrade, engine: Any, /) -> Iterable[JsonObject]:
        """Return a row for each choice of a game, with `seq` and `seat`."""

    def row(self, game: GameToGrade, engine: Any, number: int, /) -> JsonObject | None:
        """Return a single one of the rows by its number from 0; None where there are not so many."""

    def course(self, rows: Sequence[JsonObject], /) -> Sequence[tuple[int, float]]:
        """Return how a game went: the equity of its first side after entries of the log."""

    def first_side(self, rows: Sequence[JsonObject], /) -> Seat | None:
        """Return the seat whose side `course` is told of; None where the rows don't tell."""

    def mistakes(self, rows: Sequence[JsonObject], /) -> Sequence[Mistake]:
        """Return the mistakes among rows, in the order of the log."""

    def exercise(self, row: JsonObject, /) -> Exercise | None:
        """Return a row that was a mistake as a choice to be made again; None for other rows."""

    def parts(self, rows: Sequence[JsonObject], /) -> Sequence[Collection[str]]:
        """Return for each row of a game, of all its seats, the ids of the parts that it belongs to."""

    def area(self, parts: Collection[str], /) -> str:
        """Return the id of the area of a choice with these parts."""

    def luck(self, row: JsonObject, /) -> float | None:
        """Return the luck of a row's roll in points, the cubes in play counted; None for a row without one."""

    def luck_of_seat(self, rows: Sequence[JsonObject], seat: Seat, /) -> float | None:
        """Return the luck of all rolls of a game for a seat, in the points of the result, from all rows of the game.

        None where these don't tell it.
        """

    def cost(self, row: JsonObject, /) -> float | None:
        """Return what a row's choice cost in points, all cubes that it was for counted; None where it did not count."""

    def swing(self, rows: Sequence[JsonObject], /) -> Swing | None:
        """Return the roll among rows with the most luck, good or bad; None without any."""

    def lucky(self, rows: Sequence[JsonObject], /) -> Sequence[Swing]:
        """Return the rolls among rows with much luck, good or bad, in the order of the log."""

    def answer(self, position: str, engine: Any, /) -> JsonObject:
        """Return what an engine says of a position of the game's study; raises for a failure of the engine.

        `{"kind": "plays" | "cube", "lines": [{"text", "equity", "error"}], "best"}`: `text` is a play in the game's
        notation or a marked text, `error` what it costs; `best` are marked texts of the best choice, "" for plays.
        """

    def kept_exercise(self, position: str, answer: JsonObject, /) -> Exercise | None:
        """Return a position of the game's study as a choice, by an `answer` to it; None where there is none."""


class MatchFiles(Protocol):
    """A game's module of match files that people bring in, which its engine (`Grading`) grades.

    `SUFFIXES` are the ends of their names.
    """

    SUFFIXES: Sequence[str]

    def refused(self, refusal: Illegal, /) -> Sentence | None:
        """Return the game's own words for a refusal of `look`, None for another one."""

    def look(self, content: bytes, /, *, partly: bool = False) -> JsonObject:
        """Return `{"players": [name, …], "games": number, "length": points or 0}` of a file.

        Raises Illegal, as `bad_file` with the number of `games` that stand whole before what cannot be read, where
        there are some; if `partly`, it tells of these.
        """

    def report(self, content: bytes, engine: Any, go_on: Callable[[], object], /) -> JsonObject:
        """Return the report of a file, calling `go_on` after each choice; raises Illegal `engine_failed`.

        Of a file that cannot be read to its end it is that of the games before:
        `{"engine", "level", "formula", "games", "players": [{"name", "decisions", "error", "luck", "points"}],
        "decisions": [row]}`, with what the game's own module needs beside it.
        """

    def rows(self, report: JsonObject, /) -> Sequence[JsonObject]:
        """Return the decisions of a report as rows of a game, with `seat` the number of the player."""

    def mistakes(self, report: JsonObject, /) -> Sequence[Mistake]:
        """Return the mistakes of a report; `seq` is the number of the decision, `seat` that of the player."""

    def others_word(self, row: JsonObject, /) -> str:
        """Return what the file's own analysis says of a decision, "" for nothing."""


class Exports(Protocol):
    """The function `files` of a game's export module: a log in other formats of the game."""

    def __call__(
        self,
        options: Mapping[str, Any],
        seats: int,
        names: Sequence[str],
        entries: Sequence[Entry],
        grades: Sequence[JsonObject] = (),
        /,
    ) -> Mapping[str, str]:
        """Return texts by file name; `seats` is the number of seats at the start, `names` are by seat.

        `grades` are the rows of the game's grading that the reader may see.
        """


class OddsFunction(Protocol):
    """The function `chances` of a game's odds module."""

    def __call__(self, options: Mapping[str, Any], /) -> Sequence[Chance]:
        """Return exact chances under complete house rules."""


class Thrown(Protocol):
    """A game's rolls, as a module: the dice in its events, and the rates that they are trials of."""

    def rolls(self, event: Event, /) -> Sequence[Roll]:
        """Return the rolls in an event (in its newest version), in the order thrown."""

    def trials(self, state: Any, roll: Roll, /) -> Sequence[Trial]:
        """Return the trials of a roll, with the state before its event; rates are named in `rate_labels`."""


@dataclass(frozen=True, slots=True)
class Practice:
    """A way to play a game against bots alone: a preset with changes, and the number of bots."""

    id: str
    label: Text
    preset: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    bots: int = 1


@dataclass(frozen=True, slots=True)
class Study:
    """The start of a game from a position of the player's own against a bot.

    `option` is the text option with the position; the first seat is on roll there. `script` is an ES module below the
    static files, with style sheets there, that defines `element`: an editor of positions, which shows and changes the
    text field named by its attribute `for`. `picture` is an element of `picture_script` that shows the position of its
    attribute `position`, with the play of its attribute `play`.
    """

    option: str
    preset: str
    changes: Mapping[str, Any]
    script: str
    styles: tuple[str, ...]
    element: str
    help: Text
    example: str
    picture: str
    picture_script: str

    def changes_of(self, pasted: str) -> dict[str, Any]:
        """Return the house rules of a game from a position, in a pasted text."""
        return {**self.changes, self.option: " ".join(pasted[:LONGEST_PASTED].split())}

    def position_of(self, options: OptionSet, pasted: str) -> str:
        """Return the position in a pasted text as the game's option has it; raises OptionErrors."""
        return str(options.values(self.preset, self.changes_of(pasted))[self.option])


class GameRefused(ImproperlyConfigured):
    """A game does not keep the contract: the house does not start with it. The text is a sentence."""


def contract_fault(game_id: str, contract: int) -> Text | None:
    """Return why a game's version of the contract is refused, in a sentence; None for the house's own version."""
    if contract == CONTRACT_VERSION:
        return None
    text = _("{game} was written for contract {contract}, this house has contract {own}: bring the house up to date.")
    if contract < CONTRACT_VERSION:
        text = _(
            "{game} was written for contract {contract}, this house has contract {own}: bring the game up to date "
            "(docs/adding-a-game.md, section 10)."
        )
    return cast(Text, format_lazy(text, game=game_id, contract=contract, own=CONTRACT_VERSION))


def check_loads(config: GameConfig) -> None:
    """Load a game's rules, house rules and bots; raises GameRefused, or whatever the game raises."""
    for preset in config.options.presets:
        config.options.values(preset.id)
    config.bots  # noqa: B018 (loaded by this)


class GameConfig(AppConfig):
    """Metadata of a game; the app's label is the game's id.

    `contract` is the version of the contract that the game was written for: each game states it, and one of another
    version than `CONTRACT_VERSION` is not loaded.

    `element` is the custom element that shows a table (`<game>-table`), defined by the ES module `script`, a path below
    the static files; without `static/<game>/table.js` it is the kit's. `is_zero_sum`: points are transfers, one player
    wins the points that others lose. `past_module` computes the points of a past game from a sheet for each player, if
    the sheet is more than points. `messages` translates the codes that the rules raise, with `%(name)s` parameters.
    `units` are the labels of the units of results, by an Outcome's `unit`; only results of one unit are added up.
    `stat_labels` names the figures of an Outcome, and figures that the game's `figures_module` finds in the log of a
    game; `kind_labels` are words for a game with one of these figures, such as a gammon; `paper_figures` names members
    of a seat in the view, counted while a game runs, that a sheet on paper begins with; `role_labels` names the roles
    among them: figures that are 1 for the player with the role. `export_module` writes finished tables in formats of
    other programs. `odds_module` computes the exact chances of the game; `odds_labels` name the subject of each.
    `rolls_module` returns the dice thrown, their purpose, and the rates that they are trials of; `rate_labels` name
    these rates, in their order on the page of the dice.

    `lasting` names members of the view that seldom change, such as a score sheet: a connection sends them only when
    they have changed (docs/protocol.md §2).

    `demo` names the presets of the demo night: of the bots' own table, which must end by itself, and of the tables that
    wait for a player, with bots where they can play; "" is the first preset.

    `medium_option` is the id of the house rule with the medium of a table: `screen`, or equipment on the table; "" for
    a game that is always played on the screen; `medium_labels` name the media other than the screen.

    `entered_under` are the house rules under which people enter the results of a real table, whose dice the house has
    not seen, and `entered_events` are the types of events with such a result.

    `practice` are the ways to play against bots alone, the usual one first; `study` describes play from a position,
    None for a game without.

    `adults_option` is the id of a yes-or-no house rule, "" for a game without: that only adults may play, which a
    player must confirm before taking a seat.

    `match_preset` is the preset under which two people play a match, and `match_length` the id of the house rule with
    its length; "" for a game that is not played in matches. `match_rules` are ids of the house rules that the host of a
    tournament chooses for its matches, such as clocks; `match_start` those with the points that the first and the
    second seat start a match with, for penalties. `session_preset` is the preset under which two people play a money
    session, and `session_minutes` the id of the house rule with its minutes; "" for a game without.

    `wanted_seats` is how many people a table wants where neither series nor house says it, 0 for any number.

    `joining_label` is on the button that takes a seat at a running table.

    `leaving` is what happens when a player leaves a running game: `by_host`, the seat waits with its game for a
    substitute or the forfeit; `at_once`, the rules' LEAVE is carried out, and `leaving_note` explains in a sentence
    what that means.
    """

    contract: int
    title: Text
    tagline: Text = ""
    rules_module: str = ""
    bots_module: str = ""
    bot_levels: Mapping[str, Text] = {}
    min_seats: int = 2
    max_seats: int = 8
    wanted_seats: int = 0
    units: Mapping[str, Text] = {}
    lower_is_better: bool = False
    is_zero_sum: bool = False
    past_module: str = ""
    stat_labels: Mapping[str, Text] = {}
    figures_module: str = ""
    role_labels: Mapping[str, Text] = {}
    kind_labels: Mapping[str, Text] = {}
    paper_figures: Mapping[str, Text] = {}
    export_module: str = ""
    odds_module: str = ""
    odds_labels: Mapping[str, Text] = {}
    rolls_module: str = ""
    rate_labels: Mapping[str, Text] = {}
    grading_module: str = ""
    match_files_module: str = ""
    messages: Mapping[str, Text] = {}
    rules_template: str = ""
    lasting: tuple[str, ...] = ()
    demo: tuple[str, ...] = ("", "")
    medium_option: str = ""
    medium_labels: Mapping[str, Text] = {}
    entered_under: Mapping[str, str] = {}
    entered_events: tuple[str, ...] = ()
    practice: tuple[Practice, ...] = ()
    study: Study | None = None
    adults_option: str = ""
    match_preset: str = ""
    match_length: str = ""
    match_rules: tuple[str, ...] = ()
    match_start: tuple[str, ...] = ()
    session_preset: str = ""
    session_minutes: str = ""
    joining_label: Text = _("Join from the next game")
    leaving: str = LEAVING_BY_HOST
    leaving_note: Text = ""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Make a game's config the one that Django uses, beside the imported base class."""
        super().__init_subclass__(**kwargs)
        cls.default = True
        if not hasattr(cls, "contract"):
            raise GameRefused(f"{cls.__name__} states no contract: this house has contract {CONTRACT_VERSION}.")

    def __init__(self, app_name: str, app_module: Any) -> None:
        """Make every marked text of the declaration look up the game's own catalogue."""
        super().__init__(app_name, app_module)
        for name in _TEXTS:
            setattr(self, name, self._own(getattr(self, name)))
        self.practice = tuple(replace(way, label=self._own(way.label)) for way in self.practice)
        if self.study is not None:
            self.study = replace(self.study, help=self._own(self.study.help))

    def _own(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: self._own(text) for key, text in value.items()}
        return own_text(self, value) if isinstance(value, Promise) else value

    def unit_label(self, unit: str, options: Mapping[str, Any]) -> Text:
        """Return the label of a table's unit, by its house rules; an old unit's id."""
        return self.units.get(unit, unit)

    def unit_of(self, options: Mapping[str, Any]) -> str:
        """Return the unit of a table's results, by its house rules: most games have one unit."""
        return next(iter(self.units), "points")

    @property
    def usual_level(self) -> str:
        """The level of bots that is offered first: the middle one, of two the weaker one, "" for a game without bots.

        Levels that this machine lacks something for count too.
        """
        levels = list(self.bot_levels)
        return levels[(len(levels) - 1) // 2] if levels else ""

    @property
    def offered_levels(self) -> Mapping[str, Text]:
        """The levels of bots that can be played on this machine now, with their labels."""
        missing = self._missing()
        return {level: label for level, label in self.bot_levels.items() if level not in missing}

    @property
    def missing_levels(self) -> Mapping[str, str]:
        """The labels of levels that can't be played on this machine now, each with what has to be installed for it."""
        return {str(self.bot_levels[level]): gettext_of(self, needs) for level, needs in self._missing().items()}

    def _missing(self) -> Mapping[str, str]:
        return self.bots.missing() if self.bots is not None and self.bots.missing is not None else {}

    def takes_bots(self, options: Mapping[str, Any]) -> bool:
        """Tell whether bots can play at a table with these house rules."""
        return bool(self.bot_levels) and self.options.takes_bots(options)

    def medium(self, options: Mapping[str, Any]) -> str:
        """Return the medium of a table with these house rules: one of `media`."""
        board = self.board(options)
        return typed.TYPED if board == SCREEN and typed.is_on(options) else board

    def board(self, options: Mapping[str, Any]) -> str:
        """Return the board of a table with these house rules: `screen`, or another value of its `medium_option`."""
        return str(options.get(self.medium_option, SCREEN))

    def is_entered(self, options: Mapping[str, Any]) -> bool:
        """Tell whether people enter the results of a real table under these house rules."""
        under = self.entered_under.items()
        return bool(under) and all(options.get(name) == value for name, value in under)

    @cached_property
    def media(self) -> dict[str, Text]:
        """The media of the game, real ones first: own labels, `typed` dice, `screen`."""
        has_typed = any(option.id == "dice" for option in self.options.options)
        real = {typed.TYPED: _("with real dice")} if has_typed else {}
        return {**self.medium_labels, **real, SCREEN: _("on the screen")}

    def at_medium(self, options: Values, medium: str) -> Values:
        """Return house rules with a medium's values in place of their own."""
        board = medium if medium in self.medium_labels else SCREEN
        rules = {self.medium_option: board, "dice": typed.TYPED if medium == typed.TYPED else typed.SERVER}
        return {**options, **{name: value for name, value in rules.items() if name in options}}

    @property
    def game_id(self) -> str:
        """The game's id: the app's label."""
        return self.label

    @property
    def lacks(self) -> tuple[Text, ...]:
        """The parts of a finished game that this one has not yet: texts in the reader's language, bots."""
        language = get_language() or settings.LANGUAGE_CODE
        has_words = language == settings.LANGUAGE_CODE or (Path(self.path) / "locale" / language).is_dir()
        missing = {_("no texts in your language yet"): not has_words, _("no bots yet"): not self.bots_module}
        return tuple(text for text, is_missing in missing.items() if is_missing)

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
    def hidden_dice(self) -> tuple[str, ...]:
        """The types of events with hidden dice, as the game's module for the phones names them; () without one."""
        file = Path(self.path) / "static" / self.label / "hidden_dice.js"
        return tuple(re.findall(r'"(\w+)"', file.read_text(encoding="utf-8"))) if file.is_file() else ()

    @cached_property
    def rules(self) -> Rules[Any]:
        """The rules, loaded at first use; raises GameRefused."""
        if (sentence := contract_fault(self.label, self.contract)) is not None:
            raise GameRefused(sentence)
        return cast(Rules[Any], self._loaded(self.rules_module or f"{self.name}.rules", "rules"))

    def _loaded(self, module: str, record: str) -> Any:
        """Return the record of functions that a module of the game makes; raises GameRefused."""
        try:
            return import_module(module).__dict__[record]
        except KeyError as error:
            raise GameRefused(f"{self.label} is not loaded: {module} makes no record `{record}`.") from error
        except TypeError as error:
            raise GameRefused(f"{self.label} is not loaded: {error}.") from error

    def throwing(self, state: Any, seat: Seat | None, seats: int) -> tuple[Seat | None, tuple[Seat, ...]]:
        """Return the seat that throws the dice for a command of `seat` (None: no seat), and the other seats.

        The others are in the order in which their devices are asked to contribute.
        """
        if self.rules.throwing is not None:
            return self.rules.throwing(state, seat)
        first = seats if seat is None else seat
        return seat, tuple((first - step) % seats for step in range(1, seats + (seat is None)))

    @cached_property
    def bots(self) -> Bots | None:
        """The bots, loaded at first use; None for a game without. Raises GameRefused."""
        return cast(Bots, self._loaded(self.bots_module, "bots")) if self.bots_module else None

    def may_be_entered(self, state: Any, seat: Seat, name: str) -> bool:
        """Tell whether host and scorekeeper may enter a command for a seat, whether or not it is open now."""
        return bool(self.rules.to_enter(state, (Choice(name, seat, 0),)))

    @cached_property
    def figures(self) -> Figures | None:
        """The function that finds figures in a game's log, loaded at first use; None for a game without."""
        if not self.figures_module:
            return None
        return cast(Figures, import_module(self.figures_module).figures)

    @cached_property
    def grading(self) -> Grading | None:
        """The module that grades the game's choices, loaded at first use; None for a game without."""
        return cast(Grading, import_module(self.grading_module)) if self.grading_module else None

    @cached_property
    def match_files(self) -> MatchFiles | None:
        """The module of match files that people bring in; None for a game without."""
        return cast(MatchFiles, import_module(self.match_files_module)) if self.match_files_module else None

    @cached_property
    def exports(self) -> Exports | None:
        """The writer of a table's log in the game's own formats; None for a game without."""
        return cast(Exports, import_module(self.export_module).files) if self.export_module else None

    @cached_property
    def odds(self) -> OddsFunction | None:
        """The function that computes the game's chances; None for a game without."""
        if not self.odds_module:
            return None
        return cast(OddsFunction, import_module(self.odds_module).chances)

    @cached_property
    def past(self) -> PastSheet | None:
        """The sheet of the game's past games, loaded at first use; None if it has only points."""
        return cast(PastSheet, import_module(self.past_module)) if self.past_module else None

    @cached_property
    def past_fields(self) -> tuple[PastField, ...]:
        """The fields of that sheet, with texts of the game's own catalogue; () for a game with points alone."""
        fields = () if self.past is None else self.past.FIELDS
        return tuple(replace(one, label=self._own(one.label), words=self._own(one.words)) for one in fields)

    def told_form(self, options: Values) -> tuple[GameForm, Values] | None:
        """Return the form in which a game is told that the house has not seen, with the house rules that it is for.

        These are the given ones, else the same at the first medium that has a form; None for a game without.
        """
        ways = (options, *(self.at_medium(options, medium) for medium in self.media))
        found = ((form, way) for way in ways if (form := self.rules.form(way)) is not None)
        return next(found, None)

    @cached_property
    def told_fields(self) -> tuple[PastField, ...]:
        """The fields of a game's result that is corrected (contract.CORRECT_RESULT), beside its winner."""
        told = () if self.past is None else self.past.TOLD
        return tuple(one for name in told for one in self.past_fields if one.id == name)

    @cached_property
    def thrown(self) -> Thrown | None:
        """The module of the game's rolls, loaded at first use; None for a game without."""
        return cast(Thrown, import_module(self.rolls_module)) if self.rolls_module else None

    @cached_property
    def options(self) -> OptionSet:
        """The declaration of the house rules: the game's own, and what a point is worth."""
        return point_values.with_values(self.rules.options())


class UnknownGame(Illegal):
    """No installed game has this id: there is none, or the house was started without it."""

    def __init__(self, game_id: str) -> None:
        super().__init__("no_such_game", game=game_id)


def all_games() -> dict[str, GameConfig]:
    """Return the installed games by id, in the order of INSTALLED_APPS."""
    return {a.label: a for a in apps.get_app_configs() if isinstance(a, GameConfig)}


def game(game_id: str) -> GameConfig:
    """Return an installed game; raises UnknownGame."""
    config = apps.app_configs.get(game_id)
    if not isinstance(config, GameConfig):
        raise UnknownGame(game_id)
    return config


def is_installed(game_id: str) -> bool:
    """Tell whether a game with this id is installed; tables of one that was may still be there."""
    return isinstance(apps.app_configs.get(game_id), GameConfig)


def game_of(options: OptionSet) -> GameConfig | None:
    """Return the game that declares these options, with or without the values of points; None if no game does."""
    games = all_games().values()
    return next((found for found in games if options in (found.options, found.rules.options())), None)

"""Events as classes: one declaration for what an event holds, says and does to the state.

A game makes a base of its own facts and declares each event under it:

    class Fact(events.Fact[State]):
        declared = Registry[State](PHRASES)

    class MatTaken(Fact):
        \"\"\"A player takes a mat from the stock (§4.2).\"\"\"
        seat: Seat
        stock: int
        sentence = _("%(name)s takes a %(mat)s; %(stock)s left.")

        def apply(self, state: State, seq: int) -> State: ...

The stored name is the class's in lower case, `mat_taken`. A field with a default is stored only where it has another
value, and read from older logs that lack it. Fields are what JSON holds: numbers, texts, lists, objects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, cast, dataclass_transform

from games.kernel.contract import Event, JsonObject, Seat
from games.kernel.sentences import Node, Scope, bound
from games.kernel.words import Words

S = TypeVar("S")
F = TypeVar("F", bound="Fact[Any]")
Upcasts: TypeAlias = Mapping[tuple[str, int], Callable[[JsonObject], JsonObject]]
"""Functions that turn data of an old version into data of the next one, by (event type, old version)."""
_WORD = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Fact(Generic[S]):
    """An event of a game. Frozen for the type checker alone: a frozen one takes three times as long to make.

    `sentence` is its line in the log; None says nothing. `spoken` is what screen readers hear in place of the line,
    and of the lines of `spoken_for` of the same seat in the same entry. `is_aloud`: also spoken for those who switched
    that on. `answered_by` are the choices that answer it: who has one of them hears it at once. `is_headline`: the
    line stands in the bar of a big screen. `is_in_view`: the page tells it of a view, too, so it needs the line before
    anything has happened.
    """

    declared: ClassVar[Registry[Any]]
    name: ClassVar[str] = ""
    version: ClassVar[int] = 1
    sentence: ClassVar[Node] = None
    spoken: ClassVar[Node] = None
    spoken_for: ClassVar[tuple[str, ...]] = ()
    is_aloud: ClassVar[bool] = False
    is_headline: ClassVar[bool] = False
    is_in_view: ClassVar[bool] = False
    answered_by: ClassVar[tuple[str, ...]] = ()
    upcasts: ClassVar[Mapping[int, Callable[[JsonObject], JsonObject]]] = {}
    audience: ClassVar[tuple[Seat, ...]] = ()
    """The seats that may read it, where not all may; set on each fact."""
    _defaults: ClassVar[Mapping[str, Any]] = {}

    def __init_subclass__(cls, *, abstract: bool = False) -> None:
        """Make the class a record of its fields, and register it; `abstract`: only its subclasses are events."""
        super().__init_subclass__()
        made: Any = dataclass(kw_only=True)(cls)
        if taken := {one.name for one in fields(made)} & _RESERVED:
            raise TypeError(f"{cls.__name__}: {', '.join(sorted(taken))} means something else")
        cls._defaults = {one.name: one.default for one in fields(made) if one.default is not MISSING}
        if not abstract and "declared" in {name for base in cls.__mro__[1:] for name in vars(base)}:
            cls.name = _WORD.sub("_", cls.__name__).lower()
            cls.declared.add(cls)

    def apply(self, state: S, seq: int) -> S:
        """Return the state after this event of log entry `seq`: no checks, no dice, no rules."""
        return state

    def data(self) -> JsonObject:
        """Return the fields as they are stored."""
        found = self.__dict__.copy()
        if "audience" in found:
            del found["audience"]
        for name, default in self._defaults.items():
            if name in found and found[name] == default:
                del found[name]
        return found

    def event(self, audience: Iterable[Seat] | None = None, until: Any = None) -> Event:
        """Return the event to store; with an audience only these seats may read it."""
        if audience is None:
            return Event(self.name, self.data(), self.version)
        readers = tuple(sorted(set(audience)))
        self.__dict__["audience"] = readers
        return Event(self.name, self.data(), self.version, readers, until)

    @classmethod
    def from_event(cls: type[F], event: Event) -> F:
        """Return an event of this class, in its newest version, as a fact that shares the event's data."""
        fact = object.__new__(cls)
        fact.__dict__ = {**event.data, "audience": event.audience} if event.audience else event.data
        return fact

    @classmethod
    def defaults(cls) -> Mapping[str, Any]:
        """Return the values of the fields that may be left out."""
        return cls._defaults

    @classmethod
    def annotations(cls) -> dict[str, str]:
        """Return the fields with their annotations as written, without those of subclasses."""
        return {one.name: str(one.type) for one in fields(cast(Any, cls))}


_RESERVED = frozenset(vars(Fact)) - {"__module__"}


class Registry(Generic[S]):
    """The events of a game by their stored names, the phrases of its sentences, and the words of its choices."""

    def __init__(
        self,
        phrases: Mapping[str, Node] | None = None,
        after: Callable[[S, Any, int], S] | None = None,
        *,
        words: Mapping[str, Words] | None = None,
        gone: tuple[str, ...] = (),
    ) -> None:
        """`after` is what every event does to the state beside its own effect, `words` are by a choice's name.

        `gone`: names that stand in old logs alone, change nothing and say nothing.
        """
        given = phrases or {}
        self.phrases = {name: bound(node, Scope({}, given, is_open=True)) for name, node in given.items()}
        self.words = {name: one.bound(self.phrases) for name, one in (words or {}).items()}
        self.after, self.gone = after, gone
        self.kinds: dict[str, type[Fact[S]]] = {}
        self.upcasts: dict[tuple[str, int], Callable[[JsonObject], JsonObject]] = {}

    def add(self, kind: type[Fact[S]]) -> None:
        """Register a class of events; raises TypeError for a name twice, or a sentence with an unknown parameter."""
        if kind.name in self.kinds:
            raise TypeError(f"there are two events {kind.name}")
        scope = Scope(kind.annotations(), self.phrases)
        try:
            kind.sentence, kind.spoken = bound(kind.sentence, scope), bound(kind.spoken, scope)
        except TypeError as error:
            raise TypeError(f"{kind.__name__}: {error}") from error
        self.kinds[kind.name] = kind
        self.upcasts |= {(kind.name, version): step for version, step in kind.upcasts.items()}

    def read(self, event: Event) -> Fact[S] | None:
        """Return an event in its newest version as a fact; None for an event that the game does not know."""
        kind = self.kinds.get(event.type)
        return kind.from_event(event) if kind else None

    def apply(self, state: S, fact: Fact[S], seq: int) -> S:
        """Return the state after a fact of log entry `seq`."""
        state = fact.apply(state, seq)
        return self.after(state, fact, seq) if self.after else state

    def fold(self, state: S, event: Event, seq: int) -> S:
        """Return the state after an event of log entry `seq`; an unknown event changes nothing."""
        kind = self.kinds.get(event.type)
        if kind is None:
            return state
        fact = kind.from_event(event)
        state = fact.apply(state, seq)
        return state if self.after is None else self.after(state, fact, seq)

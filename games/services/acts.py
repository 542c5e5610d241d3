"""The acts at a thing, each declared once, beside the service that does it.

A room has a registry for each kind of thing that acts are about (`DeclaredActs`): a night, a table before and after its
play, the commands of a running table, a tournament, a season, a series, a date of one, what is owed at a night, a
webhook, a set of house rules. Services are declared there with the right that is needed, the words on their buttons,
what is said afterwards and what they write to a log (`LogLine`) and to the audit; their arguments follow from the types
of their parameters (`arguments`). Pages, the API with its description, logs, the audit, docs and the tests of rights
look acts up there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import wraps
from inspect import signature
from typing import Any, Generic, TypeAlias, TypeVar, cast

from django.db import transaction

from games.services import arguments
from games.services.arguments import SITTER, Parameter

T = TypeVar("T")
S = TypeVar("S")
F = TypeVar("F", bound=Callable[..., Any])
Check: TypeAlias = Callable[[T, S], object]
Reader: TypeAlias = Callable[[Iterable[Parameter], Any], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of a log: the `type` of its rows, its sentence, and the name of its entry in the audit, "" for none.

    `code` is the entry's code if that is not the log's name with the type (`Log.code`).
    """

    type: str
    words: Any
    audit: Any = ""
    code: str = ""


class Log(Mapping[str, LogLine]):
    """The lines that may stand in a log, by type: those that acts declare, and those of other services (`add`)."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lines: dict[str, LogLine] = {}
        LOGS[name] = self

    def __getitem__(self, line_type: str) -> LogLine:
        return self._lines[line_type]

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, *lines: LogLine) -> None:
        """Declare lines; several acts may write one and the same."""
        for line in lines:
            if self._lines.setdefault(line.type, line) is not line:
                raise ValueError(f"{line.type} is declared twice")

    def check(self, line_type: str) -> None:
        """Raise ValueError for a type that is not declared: whoever writes it has to say it in words."""
        if line_type not in self._lines:
            raise ValueError(f"{line_type} has no words in the log of a {self.name}")

    def text(self, line_type: str, params: Mapping[str, Any]) -> str:
        """Return the sentence of a row, with "?" for what it lacks; the type itself if another version wrote it."""
        line = self._lines.get(line_type)
        return line_type if line is None else str(line.words) % defaultdict(lambda: "?", params)

    def code(self, line_type: str) -> str:
        """Return the code in the audit of a type."""
        line = self._lines.get(line_type)
        return (line and line.code) or f"{self.name}_{line_type}"


LOGS: dict[str, Log] = {}
"""The logs by their name."""


@dataclass(frozen=True, slots=True)
class Act:
    """An act: `service` takes the thing, the sender and the arguments, and may return the message to the sender.

    `done` is that message where the service returns no text, "" for none. `label` is on its button; if `question` is
    set, it is asked first, with `yes` on the button that confirms. `words` are on its buttons where it has several, by
    what each of them stands for. `lines` are those that it writes to the log; `audit` names what else it writes to the
    audit, by code.

    Beside the arguments a service takes what the house adds by name (`own`). Of the commands of a running table
    (docs/protocol.md §6) it takes the locked table in place of thing and sender. `settles`: it ends a table, or makes
    or takes back a result; a host who has just taken over may not. `by_page` says in a sentence why the API does not
    carry it out, "" where it does.
    """

    service: Callable[..., Any]
    parameters: tuple[Parameter, ...]
    right: str
    done: Any = ""
    label: Any = ""
    question: Any = ""
    yes: Any = ""
    words: Mapping[str, Any] = field(default_factory=dict)
    audit: Mapping[str, Any] = field(default_factory=dict)
    lines: tuple[LogLine, ...] = ()
    own: tuple[str, ...] = ()
    settles: bool = False
    by_page: str = ""

    @property
    def names_sitter(self) -> bool:
        """Tell whether it names the person on its seat, too (`arguments.Occupied`)."""
        return any(each.argument.is_occupied for each in self.parameters)

    @property
    def args(self) -> tuple[str, ...]:
        """The names of the arguments that are needed."""
        needed = [each.name for each in self.parameters if each.is_needed]
        return (*needed, *([SITTER] if self.names_sitter else []))

    @property
    def may(self) -> tuple[str, ...]:
        """The names of the arguments that may be left out."""
        return tuple(each.name for each in self.parameters if not each.is_needed)

    def keywords(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the service of a command takes beside the table; raises Illegal as each argument."""
        own = {name: args[name] for name in self.own if name in args}
        return arguments.by_keyword(self.parameters, arguments.told(self.parameters, args)) | own

    @property
    def says(self) -> str:
        """The act in a sentence for programmers: the first one of the service's docstring."""
        text = " ".join((self.service.__doc__ or "").split())
        return re.split(r"; raises |\. |\.$", text)[0]


class DeclaredActs(Mapping[str, Act], Generic[T, S]):
    """The acts of a kind of sender at a kind of thing, by name.

    `rights` maps each right to the check that raises Illegal without it. `holds` maps a right to what holds all that it
    depends on, renewed in place: then a service that needs it runs in a transaction, in which the right is asked once
    more, under the hold, whoever calls the service (`need`). `log` is where the acts' lines go.
    """

    def __init__(
        self,
        thing: str,
        rights: Mapping[str, Check[T, S]],
        holds: Mapping[str, Check[T, S]] | None = None,
        log: Log | None = None,
    ) -> None:
        self.thing, self.rights, self.holds, self.log = thing, rights, holds or {}, log
        self._acts: dict[str, Act] = {}
        ALL[thing] = self

    def __getitem__(self, name: str) -> Act:
        return self._acts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._acts)

    def __len__(self) -> int:
        return len(self._acts)

    def act(
        self,
        name: str,
        right: str,
        *lines: LogLine,
        done: Any = "",
        label: Any = "",
        question: Any = "",
        yes: Any = "",
        words: Mapping[str, Any] | None = None,
        audit: Mapping[str, Any] | None = None,
        settles: bool = False,
        by_page: str = "",
    ) -> Callable[[F], F]:
        """Declare the act that a service carries out; the types of its parameters are those of the arguments."""
        if right not in self.rights:
            raise ValueError(f"{right} is no right at a {self.thing}")

        def declared(service: F) -> F:
            if name in self._acts:
                raise ValueError(f"{name} is declared twice")
            if lines:
                assert self.log is not None  # noqa: S101 (a registry whose acts write lines has a log)
                self.log.add(*lines)
            found = arguments.parameters(service)
            held = self._under(right, service) if right in self.holds else service
            more = (words or {}, audit or {}, lines, _own(service, found), settles, by_page)
            self._acts[name] = Act(held, found, right, done, label, question, yes, *more)
            return held

        return declared

    def _under(self, right: str, service: F) -> F:
        """Return a service that holds and asks its right first, in its transaction."""

        @wraps(service)
        def held(thing: T, sender: S, *args: Any, **more: Any) -> Any:
            with transaction.atomic():
                self.need(thing, sender, right)
                return service(thing, sender, *args, **more)

        return cast("F", held)

    def need(self, thing: T, sender: S, right: str) -> None:
        """Hold what a right depends on until the transaction ends, and raise Illegal without the right."""
        self.holds[right](thing, sender)
        self.rights[right](thing, sender)

    def check(self, thing: T, sender: S, name: str) -> None:
        """Raise Illegal unless a sender has the right to an act."""
        self.rights[self._acts[name].right](thing, sender)

    def do(self, thing: T, sender: S, name: str, sent: Any, read: Reader = arguments.as_sent, **added: Any) -> Any:
        """Carry out an act; return what its service returns.

        `sent` are its arguments, as `read` reads them: values by name, a form (`arguments.typed`) or a JSON object
        (`arguments.told_all`). `added` is what the house knows of the request; the service takes what is its `own` of
        that. Raises Illegal as `check`, then as each argument and the service.
        """
        self.check(thing, sender, name)
        act = self._acts[name]
        args = arguments.by_keyword(act.parameters, read(act.parameters, sent))
        return act.service(thing, sender, **args, **{each: added[each] for each in act.own if each in added})

    def carry_out(self, thing: T, sender: S, name: str, sent: Any, read: Reader = arguments.as_sent) -> str:
        """Carry out an act as `do`; return the message to the sender, "" for none."""
        return self.message(name, self.do(thing, sender, name, sent, read))

    def message(self, name: str, returned: Any) -> str:
        """Return the message to the sender of an act whose service has returned something, "" for none."""
        return returned if returned and isinstance(returned, str) else str(self._acts[name].done)


def _own(service: Callable[..., Any], wanted: Iterable[Parameter]) -> tuple[str, ...]:
    """Return the names of a service's parameters, but for the first, that are no arguments of a sender."""
    taken = list(signature(service).parameters)[1:]
    return tuple(each for each in taken if each not in {one.keyword for one in wanted})


ALL: dict[str, DeclaredActs[Any, Any]] = {}
"""The registries by the thing that their acts are about."""


def audited() -> dict[str, Any]:
    """Return the name of what acts and lines of logs write to the audit, by its code."""
    found: dict[str, Any] = {}
    for _thing, acts in sorted(ALL.items()):
        for act in acts.values():
            found |= act.audit
    for _name, log in sorted(LOGS.items()):
        found |= {log.code(line.type): line.audit for line in log.values() if line.audit}
    return found

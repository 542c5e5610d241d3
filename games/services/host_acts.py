"""The acts of a host, each declared once, beside the service that carries it out: its right, arguments, words, traces.

The rooms that own the services fill the registry (`night_act`); importing `hosting/hosting.py` brings all acts of a
night, importing `tables/host_commands.py` those of a table. Pages, the API, sockets, the admin, a night's news and the
audit look acts up here. The words of a table's own news (`table.kicked`, …) and of its host's menu are in the browser
(static/games: house.js, host.js).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from inspect import signature
from typing import Any, TypeVar

from games.services.arguments import SITTER, Parameter, by_keyword, parameters, told

F = TypeVar("F", bound=Callable[..., Any])


class Right(StrEnum):
    """The right needed for an act."""

    HOST = "host"
    MEMBER = "member"
    """Any member that is in at the night, within the limits of the act's service."""
    SEAT = "seat"
    """The player of a seat, for that seat."""


@dataclass(frozen=True, slots=True)
class Traces:
    """The traces of an act: `event` in the night's news, in words, and an entry in the audit.

    `audit` is the entry's name, "" for no entry; `code` its code if that is not `night_<event>`.
    """

    event: str
    news: Any
    audit: Any = ""
    code: str = ""

    @property
    def audit_code(self) -> str:
        """Return the code of the entry in the audit."""
        return self.code or night_code(self.event)


@dataclass(frozen=True, slots=True)
class NightAct:
    """An act at a night: POST night/<id>/do/<name>/.

    `label` is on its button; if `question` is set, it is asked first, with `yes` on the button that confirms.
    `words` are on its buttons where it has several, by what each of them stands for.
    `done` is the message to the sender afterwards, "" for none. `service` takes night, sender and arguments, and may
    return another message.
    """

    service: Callable[..., str | None]
    parameters: tuple[Parameter, ...]
    lines: tuple[Traces, ...]
    label: Any
    question: Any = ""
    yes: Any = ""
    done: Any = ""
    right: Right = Right.HOST
    words: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TableAct:
    """A command `table.…` (docs/protocol.md §6); `audit` as in `Traces`.

    `service` takes the locked table, the arguments of the sender, and those that the house adds (`own`) by name.
    `settles`: it ends a table, or makes or takes back a result; a host who has just taken over may not.
    """

    service: Callable[..., Any]
    parameters: tuple[Parameter, ...]
    own: tuple[str, ...]
    audit: Any = ""
    right: Right = Right.HOST
    settles: bool = False

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
        """Return what the service takes beside the table; raises Illegal as each argument."""
        own = {name: args[name] for name in self.own if name in args}
        return by_keyword(self.parameters, told(self.parameters, args)) | own


def night_code(event: str) -> str:
    """Return the audit code of a night's event."""
    return f"night_{event}"


def table_code(name: str) -> str:
    """Return the audit code of a table's command."""
    return name.replace(".", "_")


NIGHT: dict[str, NightAct] = {}
"""The acts at a night by name, each declared by `night_act`."""


def night_act(
    name: str,
    *lines: Traces,
    label: Any,
    question: Any = "",
    yes: Any = "",
    done: Any = "",
    right: Right = Right.HOST,
    words: Mapping[str, Any] | None = None,
) -> Callable[[F], F]:
    """Declare the act at a night that a service carries out; the types of its parameters are those of the arguments."""

    def declared(service: F) -> F:
        if name in NIGHT:
            raise ValueError(f"{name} is declared twice")
        NIGHT[name] = NightAct(service, parameters(service), lines, label, question, yes, done, right, words or {})
        return service

    return declared


TABLE: dict[str, TableAct] = {}
"""The acts at a running table by name, each declared by `table_act`."""


def table_act(name: str, *, audit: Any = "", right: Right = Right.HOST, settles: bool = False) -> Callable[[F], F]:
    """Declare the command that a service decides; the types of its parameters are those of the arguments."""

    def declared(service: F) -> F:
        if name in TABLE:
            raise ValueError(f"{name} is declared twice")
        wanted = parameters(service)
        taken = list(signature(service).parameters)[1:]
        own = tuple(each for each in taken if each not in {one.keyword for one in wanted})
        TABLE[name] = TableAct(service, wanted, own, audit, right, settles)
        return service

    return declared


def news() -> dict[str, Any]:
    """Return the sentence of each event that acts write to a night's news."""
    return {line.event: line.news for _name, act in sorted(NIGHT.items()) for line in act.lines}


def audited() -> dict[str, Any]:
    """Return the name of each act in the audit, by its code."""
    night = {line.audit_code: line.audit for _name, act in sorted(NIGHT.items()) for line in act.lines if line.audit}
    return night | {table_code(name): act.audit for name, act in sorted(TABLE.items()) if act.audit}

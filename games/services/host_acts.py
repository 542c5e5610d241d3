"""The acts of a host, each declared once, beside the service that carries it out: its right, arguments, words, traces.

The rooms that own the services fill the registry (`night_act`); importing `hosting/hosting.py` brings all acts of a
night. Pages, the API, the admin, a night's news and the audit look acts up here. `tables/host_commands.py` carries
out the acts of a table. The words of a table's own news (`table.kicked`, …) and of its host's menu are in the browser
(static/games: house.js, host.js).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from django.utils.translation import gettext_lazy as _

from games.services.arguments import Parameter, parameters

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


@dataclass(frozen=True, slots=True)
class TableAct:
    """A command `table.…` (docs/protocol.md §6); `audit` as in `Traces`, `may` are optional arguments.

    `settles`: it ends a table, or makes or takes back a result; a host who has just taken over may not.
    """

    args: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    audit: Any = ""
    right: Right = Right.HOST
    settles: bool = False


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
) -> Callable[[F], F]:
    """Declare the act at a night that a service carries out; the types of its parameters are those of the arguments."""

    def declared(service: F) -> F:
        if name in NIGHT:
            raise ValueError(f"{name} is declared twice")
        NIGHT[name] = NightAct(service, parameters(service), lines, label, question, yes, done, right)
        return service

    return declared


TABLE: Mapping[str, TableAct] = {
    "table.join": TableAct(may=("adult", "bot", "player"), right=Right.MEMBER),
    "table.scorekeeper": TableAct(("player",), audit=_("named a scorekeeper")),
    "table.accept": TableAct(may=("adult",), right=Right.SEAT),
    "table.dice_tip": TableAct(("tip",), right=Right.SEAT),
    "table.leave": TableAct(right=Right.SEAT),
    "table.pause": TableAct(may=("host_away",)),
    "table.resume": TableAct(),
    "table.kick": TableAct(("seat", "sitter"), audit=_("took somebody off a seat")),
    "table.move": TableAct(("seat", "sitter"), audit=_("sent somebody to another table")),
    "table.substitute": TableAct(
        ("seat", "sitter"), ("adult", "bot", "player"), audit=_("gave a seat to somebody else")
    ),
    "table.forfeit": TableAct(("seat", "sitter"), audit=_("took a seat out of the game"), settles=True),
    "table.play_on": TableAct(("seat", "sitter")),
    "table.close": TableAct(audit=_("ended a table with its result"), settles=True),
    "table.close_after": TableAct(("on",), settles=True),
    "table.place": TableAct(("seat", "sitter", "to")),
    "table.take_back": TableAct(("seat", "sitter"), audit=_("took back what was told of a real table"), settles=True),
    "table.state_result": TableAct(("result",), audit=_("stated a result alone"), settles=True),
    "table.end": TableAct(audit=_("broke a table off"), settles=True),
    "table.nudge": TableAct(("seat", "sitter")),
    "table.go_on": TableAct(("k",)),
}
"""In `table.join`, `bot` and `player` are for the host, `player` also for the scorekeeper; others join themselves.

`sitter` is the player that the sender sees on the `seat`, None for a bot and for nobody.
"""


def news() -> dict[str, Any]:
    """Return the sentence of each event that acts write to a night's news."""
    return {line.event: line.news for _name, act in sorted(NIGHT.items()) for line in act.lines}


def audited() -> dict[str, Any]:
    """Return the name of each act in the audit, by its code."""
    night = {line.audit_code: line.audit for _name, act in sorted(NIGHT.items()) for line in act.lines if line.audit}
    return night | {table_code(name): act.audit for name, act in TABLE.items() if act.audit}

"""The acts at a thing, each declared once, beside the service that does it.

Those of a host at a night, and the commands of a running table, are in `host_acts`. Here a room has a registry for each
kind of thing that acts are about (`DeclaredActs`): a tournament, a season, a series, a date of one, what is owed at a
night, a webhook, a set of house rules, a table before and after its play. Services are declared there with the right
that is needed, the words on their buttons, what is said afterwards and what they write to the audit; their arguments
follow from the types of their parameters (`arguments`). Pages, the API with its description, the audit, docs and the
tests of rights look acts up there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Generic, TypeAlias, TypeVar, cast

from django.db import transaction

from games.services import arguments
from games.services.arguments import Parameter

T = TypeVar("T")
S = TypeVar("S")
F = TypeVar("F", bound=Callable[..., Any])
Check: TypeAlias = Callable[[T, S], object]
Reader: TypeAlias = Callable[[Iterable[Parameter], Any], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Act:
    """An act: `service` takes the thing, the sender and the arguments, and may return the message to the sender.

    `done` is that message where the service returns no text, "" for none. `label` is on its button; if `question` is
    set, it is asked first, with `yes` on the button that confirms. `words` are on its buttons where it has several, by
    what each of them stands for. `audit` names what it writes to the audit, by code.
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

    @property
    def says(self) -> str:
        """The act in a sentence for programmers: the first one of the service's docstring."""
        text = " ".join((self.service.__doc__ or "").split())
        return re.split(r"; raises |\. |\.$", text)[0]


class DeclaredActs(Mapping[str, Act], Generic[T, S]):
    """The acts of a kind of sender at a kind of thing, by name.

    `rights` maps each right to the check that raises Illegal without it. `holds` maps a right to what holds all that it
    depends on, renewed in place: then a service that needs it runs in a transaction, in which the right is asked once
    more, under the hold, whoever calls the service (`need`).
    """

    def __init__(
        self, thing: str, rights: Mapping[str, Check[T, S]], holds: Mapping[str, Check[T, S]] | None = None
    ) -> None:
        self.thing, self.rights, self.holds = thing, rights, holds or {}
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
        *,
        done: Any = "",
        label: Any = "",
        question: Any = "",
        yes: Any = "",
        words: Mapping[str, Any] | None = None,
        audit: Mapping[str, Any] | None = None,
    ) -> Callable[[F], F]:
        """Declare the act that a service carries out; the types of its parameters are those of the arguments."""
        if right not in self.rights:
            raise ValueError(f"{right} is no right at a {self.thing}")

        def declared(service: F) -> F:
            if name in self._acts:
                raise ValueError(f"{name} is declared twice")
            found = arguments.parameters(service)
            held = self._under(right, service) if right in self.holds else service
            self._acts[name] = Act(held, found, right, done, label, question, yes, words or {}, audit or {})
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

    def do(self, thing: T, sender: S, name: str, sent: Any, read: Reader = arguments.as_sent) -> Any:
        """Carry out an act; return what its service returns.

        `sent` are its arguments, as `read` reads them: values by name, a form (`arguments.typed`) or a JSON object
        (`arguments.told_all`). Raises Illegal as `check`, then as each argument and the service.
        """
        self.check(thing, sender, name)
        act = self._acts[name]
        args = arguments.by_keyword(act.parameters, read(act.parameters, sent))
        return act.service(thing, sender, **args)

    def carry_out(self, thing: T, sender: S, name: str, sent: Any, read: Reader = arguments.as_sent) -> str:
        """Carry out an act as `do`; return the message to the sender, "" for none."""
        said = self.do(thing, sender, name, sent, read)
        return said if said and isinstance(said, str) else str(self._acts[name].done)


ALL: dict[str, DeclaredActs[Any, Any]] = {}
"""The registries by the thing that their acts are about."""


def audited() -> dict[str, Any]:
    """Return the name of what acts write to the audit, by its code."""
    found: dict[str, Any] = {}
    for _thing, acts in sorted(ALL.items()):
        for act in acts.values():
            found |= act.audit
    return found

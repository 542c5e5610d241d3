"""Words of choices and headlines: what is said of an open decision is declared once, with the game's sentences.

A game gives its `Registry` the `Words` of each choice by the choice's name:

    WORDS = {
        "answer": Words(
            own=_("You are doubled: take or drop?"),
            others=_("Take or drop? Waiting for %(names)s"),
            label=pick("take", {True: _("Take"), False: _("Drop")}),
            tone=pick("take", {True: "go", False: "stop"}),
        ),
    }

They are sentences (games.kernel.sentences), filled in when the choice is shown, so that a command is checked without
them. What they may name as a field: `seat`, the choice's; `view`, what the reader sees; `options`, the house rules;
`open`, the names of all choices of the seat; what the game's `about` returns of the choice; and, about one option, its
arguments. `others` has `seats`, who is waited for (`names` are theirs), and `seat`, the first of them.
`games/kit/words.js` is this module for the browser.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal, cast

from games.kernel.contract import JsonObject, Seat
from games.kernel.sent import SentHeadline, SentLine
from games.kernel.sentences import Node, Scope, bound

OVER_WORDS = "over"
"""The name in place of a choice's under which `others` says that the game is over, and how."""
EACH = "each"
"""The member of what `about` returns that has the data of each option, in the order of the options."""
_FIELDS = {"seat": "Seat", "seats": "list[Seat]", "view": "", "options": "", "open": ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The sentences about a choice. Without a label an option's name and arguments are shown.

    The turn bar shows the `own` words of the first choice of a seat that has some. A required choice whose own words
    say nothing is no turn of the seat: the bar shows `others` there, too.
    """

    own: Node = None
    """The sentence for the player whose choice it is: in the imperative, or a question."""
    others: Node = None
    """The sentence for everybody else."""
    title: Node = None
    """The choice in a word, where its options are a list."""
    question: Node = None
    """A question above the buttons, where there is more to say than in the bar."""
    label: Node = None
    """The text of an option's button."""
    note: Node = None
    """The option's cost or gain, below its label."""
    key: Node = None
    """The letter that presses an option's button."""
    tone: Node = None
    """`go` for the main answer, `stop` for one that costs, "" for others."""
    lapse: Node = None
    """The consequence of letting the time run out."""
    is_urgent: bool = False
    """Its own words stand in the bar although the game does not wait for it: others ask something of the seat."""
    order: int = 0
    """The place among the choices of a seat, the least first; what must be answered stands before what may be."""

    def bound(self, phrases: Mapping[str, Node]) -> Words:
        """Return the words with their sentences checked; raises TypeError for an unknown phrase."""
        scope = Scope(_FIELDS, phrases, is_open=True)
        made: Any = {one: bound(getattr(self, one), scope) for one in SENTENCES}
        return replace(self, **made)

    def to_json(self) -> JsonObject:
        """Return the words without what says nothing, the sentences still to be translated."""
        found = {"isUrgent": self.is_urgent, "order": self.order}
        return {name: value for name, value in (asdict(self) | found).items() if value and name != "is_urgent"}


SENTENCES = tuple(one.name for one in fields(Words) if one.name not in ("is_urgent", "order"))
"""The members of `Words` that are sentences."""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of the game by its name, a phrase or an event, with the data that it is filled in with."""

    name: str
    data: JsonObject = field(default_factory=dict)

    @classmethod
    def from_json(cls, sent: SentLine) -> Line:
        """Return a line that was sent."""
        name, data = sent
        return cls(cast(str, name), cast(JsonObject, data))

    def to_json(self) -> SentLine:
        """Return the line as sent."""
        return [self.name, self.data]


@dataclass(frozen=True, slots=True)
class Gain:
    """A part of a headline about one player: a word or a number, with its tone."""

    seat: Seat
    text: str
    tone: Literal["", "plus", "minus"] = ""


@dataclass(frozen=True, slots=True)
class Headline:
    """A headline of a big screen, where the evening turns.

    A `line` stands in the bar until the next one, a `turn` and a `result` have the place beside the board for a moment,
    a result and what `is_great` all of it. `rise` is a number that has become another one, as of a cube. `calls` are
    what a screen that calls aloud says of it: mostly nothing.
    """

    text: Line
    kind: Literal["line", "turn", "result"] = "turn"
    detail: Line | None = None
    people: Sequence[Gain] = ()
    rise: tuple[int, int] | None = None
    is_great: bool = False
    calls: Sequence[Line] = ()

    def to_json(self) -> SentHeadline:
        """Return the headline as sent."""
        found: SentHeadline = {"text": self.text.to_json(), "kind": self.kind}
        if self.detail is not None:
            found["detail"] = self.detail.to_json()
        if self.people:
            found["people"] = [{"seat": one.seat, "text": one.text, "tone": one.tone} for one in self.people]
        if self.rise is not None:
            found["rise"] = list(self.rise)
        if self.is_great:
            found["great"] = True
        if self.calls:
            found["calls"] = [line.to_json() for line in self.calls]
        return found

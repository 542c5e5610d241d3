"""A finding of the doctor about one part of the house."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

State = Literal["good", "look", "wrong"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: a part of the house, its state, a sentence, and the remedy ("" if none is needed).

    `look` deserves attention but does not prevent play; `wrong` must be repaired.
    """

    topic: str
    state: State
    text: str
    remedy: str = ""

    def as_json(self) -> dict[str, str]:
        """Return the finding as JSON."""
        return asdict(self)


def good(topic: str, text: str) -> Finding:
    """Return a finding without a fault."""
    return Finding(topic, "good", text)


def look(topic: str, text: str, remedy: str = "") -> Finding:
    """Return a finding that deserves attention."""
    return Finding(topic, "look", text, remedy)


def wrong(topic: str, text: str, remedy: str) -> Finding:
    """Return the finding of a fault, with its remedy."""
    return Finding(topic, "wrong", text, remedy)

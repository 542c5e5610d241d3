"""A finding: what the doctor says of one part of the house."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

State = Literal["good", "look", "wrong"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: a part of the house, how it is, in a sentence, and what mends it ("" where nothing has to be).

    `look` is worth a look and keeps nobody from playing; `wrong` has to be mended.
    """

    topic: str
    state: State
    text: str
    remedy: str = ""

    def as_json(self) -> dict[str, str]:
        """Return the finding for programs."""
        return asdict(self)


def good(topic: str, text: str) -> Finding:
    """Return that a part is well."""
    return Finding(topic, "good", text)


def look(topic: str, text: str, remedy: str = "") -> Finding:
    """Return that a part is worth a look."""
    return Finding(topic, "look", text, remedy)


def wrong(topic: str, text: str, remedy: str) -> Finding:
    """Return that a part has to be mended, and how."""
    return Finding(topic, "wrong", text, remedy)

"""One table of patterns for what is said, from the sentences that the rules declare (games/kernel/sentences.py)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils import translation

from games.services.logs import event_texts

_PARAMETER = re.compile(r"%\((\w+)\)s")
_DICE, _NUMBER, _TEXT = r"[1-6](?:-[1-6])*", r"[+−-]?\d+", r".+?"
_ENDS = re.compile(r"(?<=[.!?…]) ")
LONGEST = 4
"""The sentences that one declaration says at most."""
MOST = 64
"""The ways of one sentence that are told apart."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A way of a sentence: of an event, or (`turn …`) of a choice that waits for its hearer."""

    name: str
    regex: re.Pattern[str]
    letters: int


@dataclass(frozen=True, slots=True)
class Read:
    """What was heard: an event or a choice by its name, with its parameters in words."""

    name: str
    words: dict[str, str]
    text: str


class Sentences:
    """The patterns of a game in English, those with the most letters of their own first."""

    def __init__(self, game_id: str) -> None:
        with translation.override("en"):
            told = event_texts.sentences_of(game_id)
        self.phrases: dict[str, Any] = told["phrases"]
        found = [
            *(one for name, how in told["events"].items() for one in self._patterns(name, _said(how))),
            *(one for name, how in told["choices"].items() for one in self._patterns(f"turn {name}", [how.get("own")])),
        ]
        self.patterns = sorted(found, key=lambda one: -one.letters)

    def read(self, text: str) -> Read | None:
        """Return what a sentence says, with or without its full stop; None where no declared one says it."""
        for pattern in self.patterns:
            if found := pattern.regex.fullmatch(text) or pattern.regex.fullmatch(text.rstrip(".")):
                return Read(pattern.name, found.groupdict(), text)
        return None

    def read_all(self, text: str) -> list[Read | str]:
        """Return what the sentences of a text say, one after another; one that nobody declared stands as it is."""
        parts = _ENDS.split(text)
        found: list[Read | str] = []
        while parts:
            tries = [(count, " ".join(parts[:count])) for count in range(1, min(len(parts), LONGEST) + 1)]
            reads = [(count, read) for count, one in tries if (read := self.read(one))]
            found.append(reads[0][1] if reads else parts[0])
            parts = parts[reads[0][0] if reads else 1 :]
        return found

    def _patterns(self, name: str, nodes: Iterable[Any]) -> Iterator[Pattern]:
        for way in {way for node in nodes for way in itertools.islice(self._ways(node), MOST)}:
            letters = len(re.sub(r"\(\?P?<?\w*>?.*?\)|\\", "", way))
            if letters > 1:  # a way without a letter of its own says anything
                yield Pattern(name, _compiled(way), letters)

    def _ways(self, node: Any) -> Iterator[str]:
        """Yield the ways of a node as patterns."""
        if not node:
            return
        if "text" in node:
            yield self._filled(node["text"], node.get("with", {}))
        elif "forms" in node:
            for text in node["forms"]:
                yield self._filled(text, node.get("with", {}))
        elif "first" in node:
            for _, then in node["first"]:
                yield from self._ways(then)
        elif "pick" in node:
            for then in (*node["among"].values(), node.get("otherwise")):
                yield from self._ways(then)
        elif "within" in node:
            yield from self._ways(node["say"])
        elif "together" in node:
            parts = [list(self._ways(one)) for one in node["together"]]
            firsts, *rest = [one for one in parts if one] or [[]]
            yield from firsts
            for some in itertools.product(firsts, *rest):
                yield " ".join(some)
        elif "phrase" in node:
            yield from self._ways(self.phrases.get(node["phrase"]))

    def _filled(self, text: str, params: dict[str, Any]) -> str:
        """Return a text as a pattern with a group for each parameter."""
        done, at = "", 0
        for found in _PARAMETER.finditer(text):
            done += re.escape(text[at : found.start()]) + f"(?P<{found[1]}>{_shape(params.get(found[1]))})"
            at = found.end()
        return done + re.escape(text[at:])


def _shape(node: Any) -> str:
    kind = next(iter(node), "") if isinstance(node, dict) else ""
    return {"dice": _DICE, "times": _NUMBER, "signed": _NUMBER}.get(kind, _TEXT)


def _said(how: dict[str, Any]) -> list[Any]:
    return [how.get("spoken"), how.get("line")]


def _compiled(way: str) -> re.Pattern[str]:
    """Return a pattern in which a group that comes twice has a name once."""
    seen: set[str] = set()

    def once(found: re.Match[str]) -> str:
        name = found[1]
        if name in seen:
            return "(?:"
        seen.add(name)
        return found[0]

    return re.compile(re.sub(r"\(\?P<(\w+)>", once, way))

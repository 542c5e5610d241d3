"""A page as a screen reader has it: roles and names, live regions, keys. Nothing here reads the page's DOM."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Error, Page

LOOKS_AGAIN = 0.08
SETTLED = 0.3
"""Seconds without a new word after which somebody acts on what they have heard."""


def unfollowed(text: str) -> None:
    """Tell nobody what is heard and pressed."""


FOLLOWERS: list[Callable[[str], None]] = [unfollowed]
"""The last one is told all that is heard and pressed."""


@dataclass(frozen=True)
class Utterance:
    """What a live region said; `at` is when it was heard."""

    text: str
    at: float


class Tree:
    """The accessibility tree of a page, read anew at each look, and the keys of its keyboard."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._devtools = page.context.new_cdp_session(page)
        self._devtools.send("Accessibility.enable")
        self._known: set[tuple[int, str]] = set()
        self._nodes: dict[str, Any] = {}
        self.keys: list[tuple[str, str]] = []
        self.follow = FOLLOWERS[-1]
        self.listen()  # what stands there already is not said

    def listen(self) -> list[Utterance]:
        """Return what the live regions have said since the last look."""
        nodes = self._devtools.send("Accessibility.getFullAXTree")["nodes"]
        self._nodes = {node["nodeId"]: node for node in nodes}
        lines = {line: None for node in nodes for line in self._lines(node)}
        new = [text for line, text in ((line, line[1]) for line in lines) if line not in self._known and text]
        self._known |= set(lines)
        for text in new:
            self.follow(text)
        return [Utterance(text, time.monotonic()) for text in new]

    def hear(self, seconds: float) -> list[Utterance]:
        """Listen until something was said and it is quiet again, or the time is over."""
        end, heard = time.monotonic() + seconds, list[Utterance]()
        while time.monotonic() < end:
            new = self.listen()
            heard += new
            if heard and time.monotonic() - heard[-1].at > SETTLED:
                break
            time.sleep(LOOKS_AGAIN)
        return heard

    def press(self, key: str, reason: str) -> None:
        """Press a key for a reason that was heard."""
        assert reason, f"{key} was pressed without a reason"
        self.keys.append((key, reason))
        self.follow(f"    {key}")
        self.page.keyboard.press(key)

    def write(self, text: str, reason: str) -> None:
        """Type a text and send it."""
        assert reason, f"{text} was typed without a reason"
        self.keys.append((text, reason))
        self.follow(f"    {text}")
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def named(self, role: str, name: str) -> int | None:
        """Return the first thing of a role whose name matches and that hears, at the last look; None for none."""
        for node in self._nodes.values():
            is_it = _value(node, "role") == role and re.search(name, _value(node, "name")) and not node.get("ignored")
            if is_it and _property(node, "disabled") != "True":
                return int(node["backendDOMNodeId"])
        return None

    def go_to(self, role: str, name: str, seconds: float = 6.0) -> bool:
        """Move the focus by role and name, as a screen reader's quick keys do; tell whether it is there."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.named(role, name)
            if found is not None:
                try:
                    self._devtools.send("DOM.focus", {"backendNodeId": found})
                except Error:  # it has gone between the look and the key
                    pass
                else:
                    return True
            time.sleep(LOOKS_AGAIN)
            self._look()
        return False

    def names(self, role: str) -> list[str]:
        """Return the names of all things of a role, in the order of the page."""
        self._look()
        return [_value(n, "name") for n in self._nodes.values() if _value(n, "role") == role and not n.get("ignored")]

    def _look(self) -> None:
        """Read the tree; what is said meanwhile is heard at the next `listen`."""
        nodes = self._devtools.send("Accessibility.getFullAXTree")["nodes"]
        self._nodes = {node["nodeId"]: node for node in nodes}

    def _lines(self, node: dict[str, Any]) -> Iterator[tuple[int, str]]:
        """Yield the lines of a live region: each thing in it."""
        if _property(node, "live") in {"polite", "assertive"} and not node.get("ignored"):
            for child in self._children(node):
                yield int(child["backendDOMNodeId"]), " ".join(self._texts(child)).strip()

    def _children(self, node: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for name in node.get("childIds", ()):
            child = self._nodes.get(name)
            if child is not None and child.get("ignored"):
                yield from self._children(child)
            elif child is not None:
                yield child

    def _texts(self, node: dict[str, Any]) -> Iterator[str]:
        if _value(node, "role") == "StaticText":
            yield _value(node, "name")
            return
        for child in node.get("childIds", ()):
            if child in self._nodes:
                yield from self._texts(self._nodes[child])


def _value(node: dict[str, Any], what: str) -> str:
    return str(node.get(what, {}).get("value", ""))


def _property(node: dict[str, Any], name: str) -> str:
    return next((str(one["value"].get("value", "")) for one in node.get("properties", ()) if one["name"] == name), "")

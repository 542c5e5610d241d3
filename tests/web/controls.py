"""What a page shows without a tap: its controls, fields and cards, the bar and the foot left out."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from tests.web.pages import VOID

CONTROLS = ("a", "button", "input", "select", "textarea", "summary")
FIELDS = ("input", "select", "textarea")
APART = ("beam", "foot", "skip", "visually-hidden")
"""Classes of what is not counted."""


@dataclass
class Seen(HTMLParser):
    """The controls of a page that are seen without a tap, each by its tag and what names it; and its cards."""

    controls: list[str] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    _open: list[tuple[str, dict[str, str], bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count a tag unless it is hidden, folded or apart."""
        found = {key: value or "" for key, value in attrs}
        classes = found.get("class", "").split()
        is_away = "hidden" in found or tag in ("noscript", "template", "datalist") or not set(classes).isdisjoint(APART)
        is_away = is_away or (tag == "dialog" and "open" not in found)
        is_seen = self._sees(tag) and not is_away
        if is_seen and tag in CONTROLS and found.get("type") != "hidden":
            names = [found.get(name, "") for name in ("id", "name", "value", "href", "aria-label")]
            self.controls.append(" ".join([tag, *filter(None, names)]))
        if is_seen and "card" in classes and tag in ("section", "details", "form"):
            self.cards.append(tag)
        if tag not in VOID:
            self._open.append((tag, found, not is_seen and not (self._sees(tag) and tag == "details")))

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        while self._open and tag not in VOID:
            if self._open.pop()[0] == tag:
                return

    def _sees(self, tag: str) -> bool:
        """Tell whether what begins now is seen: of a closed fold its summary alone is."""
        if any(is_away for _tag, _attrs, is_away in self._open):
            return False
        folds = [(at, attrs) for at, (name, attrs, _away) in enumerate(self._open) if name == "details"]
        closed = [at for at, attrs in folds if "open" not in attrs]
        if not closed:
            return True
        inner = [name for name, _attrs, _away in self._open[closed[0] + 1 :]]
        return (not inner and tag == "summary") or inner[:1] == ["summary"]

    @property
    def fields(self) -> list[str]:
        """The controls in which something is entered or chosen."""
        return [each for each in self.controls if each.split()[0] in FIELDS]


def seen(html: str) -> Seen:
    """Return what a page shows without a tap."""
    found = Seen()
    found.feed(html)
    return found

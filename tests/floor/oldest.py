"""The oldest browsers in which a table is played and a big screen shows it: the one place where they are named.

The page for operators (docs/phones.md) says the same with the years of their devices, and `python -m tests.floor` holds
what is served to them. Joining, results and all other plain pages need no script at all.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Oldest:
    """A browser, its oldest version, and its names in the browser compatibility data."""

    name: str
    version: str
    ids: tuple[str, ...]

    @property
    def words(self) -> str:
        """Return name and version as a text, e.g. "Firefox 115"."""
        return f"{self.name} {self.version}"


OLDEST = (
    Oldest("Safari", "16.0", ("safari", "safari_ios")),
    Oldest("Chromium and Android WebView", "90", ("chrome", "chrome_android", "webview_android")),
    Oldest("Firefox", "115", ("firefox", "firefox_android")),
    Oldest("Samsung Internet", "15.0", ("samsunginternet_android",)),
)
LIB = "ES2021"
"""The newest edition of the language that all of them have, but for what `python -m tests.floor` finds besides."""

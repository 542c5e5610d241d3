"""The refusal of a format, of an entry, or of an input as a whole."""

from __future__ import annotations


class EntriesRefused(Exception):
    """An input that is refused with a code; `entry` is the entry's index in the log."""

    def __init__(self, code: str, entry: int | None = None) -> None:
        super().__init__(code, entry)
        self.code = code
        self.entry = entry


def check(is_good: bool, code: str) -> None:
    """Refuse with a code unless something holds."""
    if not is_good:
        raise EntriesRefused(code)

"""The one error of the board and its notations."""

from __future__ import annotations


class BoardError(ValueError):
    """A position, dice, play or id that can't be read or is not legal: a code and a sentence.

    Its text is `code: sentence`, on one line.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text

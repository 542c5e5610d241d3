"""Going on with what was under way, after a cube has gone out at another's wish."""

from __future__ import annotations

from chouette.rules import answers, replies, resign, window
from chouette.rules.state import PLAYING, Draft, playing


def go_on(draft: Draft) -> None:
    """Close a resignation, a window, a batch or its questions when nobody is left to speak.

    While a resignation waits nothing else goes on.
    """
    if draft.state.phase == PLAYING:
        resign.close_if_complete(draft)
    for close in (
        window.go_on,
        answers.open_if_complete,
        replies.go_on,
    ):
        if draft.state.phase == PLAYING and playing(draft.state).resignation is None:
            close(draft)

"""Going on with what was under way, after a cube has gone out at another's wish."""

from __future__ import annotations

from chouette.rules import answers, replies, window
from chouette.rules.draft import Draft
from chouette.rules.state import PLAYING


def go_on(draft: Draft) -> None:
    """Close a window, a batch or its questions when nobody is left to speak."""
    if draft.state.phase != PLAYING:
        return
    window.go_on(draft)
    answers.open_if_complete(draft)
    replies.go_on(draft)

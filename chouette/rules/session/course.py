"""The course of a game after a cube has gone out at another player's wish."""

from __future__ import annotations

from chouette.rules.cube import answers, beavers, window
from chouette.rules.cube.cubes import cube_points, worth
from chouette.rules.session import ending
from chouette.rules.state import BOX, PLAYING, TEAM, Draft, playing


def go_on(draft: Draft) -> None:
    """Close a resignation, a window, a batch or its questions when nobody is left to speak.

    While a resignation waits nothing else goes on.
    """
    if draft.state.phase == PLAYING:
        close_resignation(draft)
    for close in (
        window.go_on,
        answers.open_if_complete,
        beavers.go_on,
    ):
        if draft.state.phase == PLAYING and playing(draft.state).resignation is None:
            close(draft)


def close_resignation(draft: Draft) -> None:
    """Settle all accepted proposals at one moment, when everybody has answered.

    So nobody becomes Captain, or goes out earlier, by being quicker or slower to accept.
    """
    state, game = draft.state, playing(draft.state)
    offered = game.resignation
    if offered is None or offered.waiting:
        return
    accepted = [i for i in sorted(offered.accepted) if game.cubes[i].result is None]
    refused = [i for i in sorted(offered.refused) if game.cubes[i].result is None]
    draft.add("resignation_closed", accepted=accepted, refused=refused)
    loser = BOX if offered.by == game.box else TEAM
    outs = [(i, cube_points(loser, worth(state, game.cubes[i], offered.level)), "resigned") for i in accepted]
    if outs:
        ending.go_out(draft, outs)

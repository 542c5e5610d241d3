"""The course of a game after a resignation, a settlement or a leaver."""

from __future__ import annotations

from chouette.rules.cube import answers, beavers, window
from chouette.rules.cube.cubes import cube_points, worth
from chouette.rules.events.cubes import ResignationClosed
from chouette.rules.session import ending
from chouette.rules.state import BOX, PLAYING, TEAM, Draft, playing


def go_on(draft: Draft) -> None:
    """Close a resignation, a window, a batch or its questions if no seat still has to speak.

    While a resignation waits for answers, the rest stays as it is.
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
    """Close a resignation when all have answered, and settle the accepted cubes at one moment.

    So the speed of an answer never decides about the Captain or the order of going out.
    """
    state, game = draft.state, playing(draft.state)
    offered = game.resignation
    if offered is None or offered.waiting:
        return
    accepted = [i for i in sorted(offered.accepted) if game.cubes[i].result is None]
    refused = [i for i in sorted(offered.refused) if game.cubes[i].result is None]
    draft.add(ResignationClosed(accepted=accepted, refused=refused))
    loser = BOX if offered.by == game.box else TEAM
    outs = [(i, cube_points(loser, worth(state, game.cubes[i], offered.level)), "resigned") for i in accepted]
    if outs:
        ending.go_out(draft, outs)

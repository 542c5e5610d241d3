"""What was asked of the other side and is over unanswered: settlements, and plays asked back.

A roll, a double and a play end what was proposed before them, a roll and a double also that
a play may go back (docs/rules-chouette.md §§6, 7). Whoever asked is told.
"""

from __future__ import annotations

from chouette.rules.cubes import holder
from chouette.rules.state import BOX, TEAM, Draft, playing


def lapse(draft: Draft) -> None:
    """Tell that what is still open has lapsed; the roll, double or play is written next."""
    game = playing(draft.state)
    for proposal in game.proposals:
        member = holder(game, game.cubes[proposal.cube], TEAM)
        to = member if proposal.by == game.box else game.box
        # As what was proposed, it is told to the two and to nobody else.
        draft.tell((proposal.by, to), "settlement_lapsed", seat=proposal.by, to=to, cube=proposal.cube)
    if game.last is not None and game.last.asked is not None:
        draft.add("play_back_lapsed", seat=game.box if game.last.side == BOX else game.captain)

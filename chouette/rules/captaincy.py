"""Who plays for the Team, and who looks after the cubes of those who left (§§4.7, 7)."""

from __future__ import annotations

from chouette.rules.cubes import cube_of, holder, is_in, live, members_in
from chouette.rules.state import TEAM, Draft, Game, State, playing, present
from games.kernel.contract import Seat

STAND_IN, NEW_CAPTAIN = "stand_in", "new_captain"


def named(state: State, game: Game, seat: Seat) -> Seat | None:
    """Return whom a member has named to look after their cube, if that member is in the game."""
    proxy = state.players[seat].proxy
    return proxy if proxy is not None and is_in(state, game, proxy) else None


def caretaker(state: State, game: Game, leaver: Seat) -> Seat | None:
    """Return who looks after the cube of somebody about to leave, None for nobody.

    The proxy they named, else the Captain; for the Captain the next in line in the game;
    where nobody else is in it, the next of the Team who is still at the table.
    """
    proxy = named(state, game, leaver)
    if proxy is not None:
        return proxy
    members = [seat for seat in members_in(state, game) if seat != leaver]
    if game.captain in members:
        return game.captain
    return next(iter([*members, *_at_the_table(state, game, leaver)]), None)


def _at_the_table(state: State, game: Game, leaver: Seat) -> list[Seat]:
    """Return who of the Team is still at the table, the acting Captain first."""
    team = [seat for seat in game.line[1:] if seat not in (leaver, game.partner) and present(state, seat)]
    return sorted(team, key=lambda seat: seat != game.captain)


def update(draft: Draft) -> None:
    """Hand on the Captain's place and the cubes in charge of somebody who is out.

    A Captain who has won has a stand-in. Where nobody is in the game any more, those who look
    after the last cubes keep them, and one of them plays for the Team.
    """
    members = members_in(draft.state, playing(draft.state))
    if members:
        if playing(draft.state).captain not in members:
            _hand_captaincy(draft, members[0])
        _hand_cubes(draft, members)
        return
    _hand_cubes(draft, tuple(_at_the_table(draft.state, playing(draft.state), -1)))
    decides = [holder(playing(draft.state), playing(draft.state).cubes[i], TEAM) for i in live(playing(draft.state))]
    if playing(draft.state).captain not in decides:
        _hand_captaincy(draft, decides[0])


def _hand_cubes(draft: Draft, fit: tuple[Seat, ...]) -> None:
    """Hand on each cube in charge of somebody who is not fit: to the Captain, else to the next."""
    for leaver, seat in playing(draft.state).proxies:
        own = cube_of(playing(draft.state), leaver)
        if own is None or playing(draft.state).cubes[own].result is not None or seat in fit:
            continue
        heir = playing(draft.state).captain if playing(draft.state).captain in fit else fit[0]
        draft.add("cube_handed", member=leaver, before=seat, seat=heir)


def _hand_captaincy(draft: Draft, seat: Seat) -> None:
    game = playing(draft.state)
    draft.add("captain_changed", seat=seat, before=game.captain, why=_why(game))


def _why(game: Game) -> str:
    own = cube_of(game, game.captain)
    result = game.cubes[own].result if own is not None else None
    return STAND_IN if result is not None and result > 0 else NEW_CAPTAIN

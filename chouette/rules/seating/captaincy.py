"""The Captain, the partner in the Box, deputies, and the caretakers of cubes without a player (§§4.7, 4.10, 7)."""

from __future__ import annotations

from chouette.rules.cube.cubes import cube_of, deputy_of, holder, is_in, live, members_in, roller
from chouette.rules.events.game import CaptainChanged, CubeHanded, DeputyEnded, DeputyNamed
from chouette.rules.events.session import PartnerChosen
from chouette.rules.state import BETWEEN, BOX, QUIET, TEAM, Draft, Game, State, is_present, lineup, playing, rule_of
from games.kernel.contract import JsonObject, Seat

STAND_IN, NEW_CAPTAIN = "stand_in", "new_captain"


def named(state: State, game: Game, seat: Seat) -> Seat | None:
    """Return the proxy that a member has named to look after their cube, if the proxy is in the game."""
    proxy = state.players[seat].proxy
    return proxy if proxy is not None and is_in(state, game, proxy) else None


def caretaker(state: State, game: Game, leaver: Seat) -> Seat | None:
    """Return the seat that looks after a leaver's cube, None if there is none.

    It is the proxy that they named, else the Captain; for the Captain the next in line in the game;
    if no other member is in it, the next of the Team still at the table.
    """
    proxy = named(state, game, leaver)
    if proxy is not None:
        return proxy
    members = [seat for seat in members_in(state, game) if seat != leaver]
    if game.captain in members:
        return game.captain
    return next(iter([*members, *_at_the_table(state, game, leaver)]), None)


def _at_the_table(state: State, game: Game, leaver: Seat) -> list[Seat]:
    """Return the seats of the Team still at the table, the acting Captain first."""
    team = [seat for seat in game.line[1:] if seat not in (leaver, game.partner) and is_present(state, seat)]
    return sorted(team, key=lambda seat: seat != game.captain)


def is_time_to_depute(state: State, game: Game) -> bool:
    """Tell whether deputies may be named now, by the house rules and the course of the game."""
    is_quiet = game.stage in QUIET and game.ring is None and game.resignation is None
    return is_quiet and bool(rule_of(state, "deputy"))


def may_depute(state: State, game: Game, seat: Seat) -> tuple[Seat, ...]:
    """Return the seats that a Captain or Box may name as deputy for the rest of the game: others of their side (§7)."""
    side = BOX if seat == game.box else TEAM
    if not is_time_to_depute(state, game) or deputy_of(game, side) is not None:
        return ()
    if side == BOX:
        return () if game.partner is None or not is_present(state, game.partner) else (game.partner,)
    return tuple(s for s in members_in(state, game) if s != seat) if seat == game.captain else ()


def name_deputy(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Hand the dice to another seat of the same side; the cubes stay with their holders."""
    side = BOX if seat == playing(draft.state).box else TEAM
    draft.add(DeputyNamed(seat=seat, deputy=args["seat"], side=side))


def end_deputy(draft: Draft, side: str) -> None:
    """End a side's deputy, if it has one."""
    found = deputy_of(playing(draft.state), side)
    if found is not None:
        draft.add(DeputyEnded(deputy=found, side=side))


def update(draft: Draft) -> None:
    """Hand on the Captain's place, and the cubes in the care of seats that are out.

    A Captain that has won gets a stand-in. If no member is in the game any more, the caretakers of the
    last cubes keep them, and one of them plays for the Team.
    """
    members = members_in(draft.state, playing(draft.state))
    if not {playing(draft.state).captain, roller(playing(draft.state), TEAM)} <= set(members):
        end_deputy(draft, TEAM)
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
    """Hand on each cube whose caretaker is not fit: to the Captain if fit, else to the first of the fit."""
    for leaver, seat in playing(draft.state).proxies:
        own = cube_of(playing(draft.state), leaver)
        if own is None or playing(draft.state).cubes[own].result is not None or seat in fit:
            continue
        successor = playing(draft.state).captain if playing(draft.state).captain in fit else fit[0]
        draft.add(CubeHanded(member=leaver, before=seat, seat=successor))


def _hand_captaincy(draft: Draft, seat: Seat) -> None:
    game = playing(draft.state)
    draft.add(CaptainChanged(seat=seat, before=game.captain, why=_why(game)))


def _why(game: Game) -> str:
    own = cube_of(game, game.captain)
    result = game.cubes[own].result if own is not None else None
    return STAND_IN if result is not None and result > 0 else NEW_CAPTAIN


NOBODY = -1


def is_large(state: State) -> bool:
    """Tell whether there are enough players for a partner."""
    return bool(len(lineup(state)) >= state.options["partner_from"])


def is_partner_open(state: State) -> bool:
    """Tell whether the Box has to decide now about a partner."""
    optional = rule_of(state, "partner") == "optional_from"
    return optional and state.phase == BETWEEN and is_large(state) and state.partner is None


def chosen(state: State) -> Seat | None:
    """Return the partner of the game about to begin: the last in line, or None."""
    if not is_large(state):
        return None
    if rule_of(state, "partner") == "compulsory_from":
        return lineup(state)[-1]
    taken = state.partner not in (None, NOBODY)
    return lineup(state)[-1] if rule_of(state, "partner") == "optional_from" and taken else None


def answer(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Take the last in line as the Box's partner, or play alone."""
    draft.add(PartnerChosen(seat=seat, partner=lineup(draft.state)[-1] if args["take"] else None))


def share(box_result: int) -> int:
    """Return the partner's half of the Box's result; the odd point is the Box's."""
    half = abs(box_result) // 2
    return half if box_result > 0 else -half

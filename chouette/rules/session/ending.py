"""Cubes that go out, and the end of a game (docs/rules-chouette.md §§4.3, 4.6, 5, 6)."""

from __future__ import annotations

from typing import Any, Literal

from chouette.rules.cube.cubes import cube_of, cube_points, extras_of, live, worth
from chouette.rules.events.cubes import CubeSettled
from chouette.rules.events.session import GameEnded, RowCorrected, SeatLeft, SessionEnded
from chouette.rules.events.wood import GameTakenBack, ResultCorrected
from chouette.rules.seating import captaincy, line, rotation
from chouette.rules.session import match, pause, score_sheet
from chouette.rules.state import BOX, TEAM, Draft, Game, State, is_two, playing, rule_of
from games.kernel import standings
from games.kernel.contract import TAKEN_BACK, Amended, Event, JsonObject, MatchEnd, Outcome, Seat

STATS = ("played", "won", "as_box", "as_captain", "as_member", "gammons")
KINDS = {1: "single", 2: "gammon", 3: "backgammon"}

TIME_UP = "time"
"""The reason of a match's end, and of a cube's, by a fallen flag."""
LIMIT_REACHED = "time_limit"
"""The reason of a match's end by its time limit."""

Out = tuple[int, int, str]
"""A cube, the points for its member, and its kind of end."""


def go_out(draft: Draft, outs: list[Out]) -> None:
    """Settle cubes at one moment; then end the game, or check the Captain's place.

    The extras of a member's cube go out with it at the same terms (§4.8).
    """
    captain = playing(draft.state).captain
    for index, points, how in outs:
        _settle_with_extras(draft, index, points, how)
    if live(playing(draft.state)):
        captaincy.update(draft)
        return
    if outs:
        _write(draft, _winner(playing(draft.state), captain, outs), outs[-1][2])


def finish(draft: Draft, side: str, multiple: int) -> None:
    """End the game for a side that has borne off all: each cube in the game counts, Jacoby per cube (§4.6)."""
    state, game = draft.state, playing(draft.state)
    loser = TEAM if side == BOX else BOX
    outs = []
    for index in live(game):
        points = worth(state, game.cubes[index], multiple)
        how = KINDS[points // game.cubes[index].value]
        outs.append((index, cube_points(loser, points), how))
    go_out(draft, outs)


def _settle_with_extras(draft: Draft, index: int, points: int, how: str) -> None:
    value, extras = playing(draft.state).cubes[index].value, extras_of(playing(draft.state), index)
    settle_cube(draft, index, points, how)
    for extra in extras:
        same = points if how == "settled" else points * playing(draft.state).cubes[extra].value // value
        settle_cube(draft, extra, same, how)


def settle_cube(draft: Draft, index: int, points: int, how: str) -> None:
    """Write that a cube is out of the game, with the points for its member."""
    cube = playing(draft.state).cubes[index]
    draft.add(
        CubeSettled(
            cube=index,
            member=cube.member,
            against=cube.against,
            points=points,
            how=how,
        )
    )


def _winner(game: Game, captain: Seat, outs: list[Out]) -> str:
    """Return the winning side of the game: the winner of the acting Captain's cube at the end.

    0 keeps the Box (§6). Never the sum of the points: a Box can lose the game with net 0.
    """
    own = cube_of(game, captain)
    deciding = next((points for index, points, _ in outs if index == own), outs[-1][1])
    return TEAM if deciding > 0 else BOX


def _write(draft: Draft, winner: str, reason: str) -> None:
    state, game = draft.state, playing(draft.state)
    rows = score_sheet.transfers(game)
    gained = score_sheet.points(rows, len(state.players))
    following = _following(state, game, winner)
    draft.add(
        GameEnded(
            number=game.number,
            reason=reason,
            winner=winner,
            box=game.box,
            captain=game.line[1],
            last_captain=game.captains[-1],
            stand_in=_stand_in(game),
            partner=game.partner,
            points=gained,
            ranking=_ranking(gained),
            stats=[_stats(game, seat, gained[seat]) for seat in range(len(state.players))],
            transfers=[[t.payer, t.payee, t.points, t.why] for t in rows],
            loser=following.loser,
            why=following.why,
            line_before=list(game.line),
            line_after=list(following.line),
            without_house=game.is_without_house,
        )
    )
    _go_on(draft, following, [seat for seat, player in enumerate(state.players) if player.leaves])


def _stand_in(game: Game) -> Seat | None:
    """Return the stand-in of a first Captain that had won their cube, None if there was none."""
    own = cube_of(game, game.captains[0])
    has_won = own is not None and (game.cubes[own].result or 0) > 0
    return game.captains[1] if len(game.captains) > 1 and has_won else None


def _following(state: State, game: Game, winner: str) -> rotation.Next:
    """Return the next line; in a money game or a match both keep their places."""
    results = {c.member: c.result or 0 for c in game.cubes if not c.is_extra}
    if is_two(state):
        why = rotation.BOX_STAYS if winner == BOX else rotation.CAPTAIN_WINS
        return rotation.Next(game.line, why)
    record = rotation.FinishedGame(
        line=_as_it_stood(state, game),
        # A seat that is out and plays for leavers gets no new claim.
        captains=tuple(dict.fromkeys(game.captains)),
        results=results,
        box_wins=winner == BOX,
        box_net=score_sheet.box_result(game),
        must_break_even=rule_of(state, "must_break_even"),
    )
    found = rotation.next_line(rule_of(state, "rotation"), record)
    return found if game.partner is None else rotation.with_partner(found, game.box, game.partner)


def _as_it_stood(state: State, game: Game) -> tuple[Seat, ...]:
    """Return the line of a game without the partner; seats that sat it out keep their place behind its Captain."""
    sitters = [seat for seat in state.line if state.players[seat].sits_out]
    rest = [seat for seat in game.line[2:] if seat != game.partner]
    if sitters:
        rest = sorted([*rest, *sitters], key=state.line.index)
    return (*game.line[:2], *rest)


def _go_on(draft: Draft, following: rotation.Next, leavers: list[Seat]) -> None:
    """Set the next line, or end the session: a match is won, one player is left, or the house closes it.

    Seats that have announced leaving leave now, at no cost.
    """
    for seat in leavers:
        draft.add(SeatLeft(seat=seat, proxy=None, played_on=False))
    line.set_after(draft, following)
    state = draft.state
    won = match.winner(state) if match.is_match(state) else None
    by_time = _by_time(state)
    if won is not None:
        draft.add(SessionEnded(reason="match_won", winner=won))
    elif by_time is not None:
        draft.add(by_time)
    elif len(state.line) < 2:
        line.end_for_want_of_players(draft)
    elif state.closes:
        draft.add(SessionEnded(reason="closed", winner=None))
    else:
        pause.begin(draft)


def _by_time(state: State) -> SessionEnded | None:
    """Return the end by time: of a match whose flag has fallen, or where a side is ahead after the time limit."""
    lost = None if state.clock is None else state.clock.lost
    if lost is not None:
        return SessionEnded(reason=TIME_UP, winner=next(seat for seat in state.line if seat != lost))
    ahead = match.leader(state) if state.is_time_over else None
    return None if ahead is None else SessionEnded(reason=LIMIT_REACHED, winner=ahead)


def _ranking(gained: list[int]) -> list[list[Seat]]:
    """Group the seats by points, most first."""
    return standings.ranking({seat: -points for seat, points in enumerate(gained)})


def _stats(game: Game, seat: Seat, gained: int) -> dict[str, int]:
    kinds = [c for c in game.cubes if c.how in ("gammon", "backgammon") and c.result]
    gammons = sum(seat == (c.member if (c.result or 0) > 0 else c.against) for c in kinds)
    figures = (int(seat in game.line), int(gained > 0), *_roles(game, seat), gammons)
    return dict(zip(STATS, figures, strict=True))


def _roles(game: Game, seat: Seat) -> tuple[int, int, int]:
    """Return 1 or 0 for a seat as the Box, the first Captain, another member; three zeros in a game of two."""
    if len(game.line) < 3 or seat not in game.line:
        return 0, 0, 0
    is_box, is_captain = seat in (game.box, game.partner), seat == game.line[1]
    return int(is_box), int(is_captain), int(not is_box and not is_captain)


def outcome(event: Event) -> Outcome | None:
    """Return the result that an event states, None for every other event."""
    if event.type == RowCorrected.name:
        return _correction(RowCorrected.from_event(event))
    if event.type == ResultCorrected.name:
        return _corrected(ResultCorrected.from_event(event))
    if event.type == GameTakenBack.name:
        return _taken_back(GameTakenBack.from_event(event))
    if event.type != GameEnded.name:
        return None
    ended = GameEnded.from_event(event)
    groups = [tuple(s for s in group if s in ended.line_before) for group in ended.ranking]
    return Outcome(
        ended.reason,
        {seat: ended.points[seat] for seat in ended.line_before},
        tuple(filter(None, groups)),
        {seat: ended.stats[seat] for seat in ended.line_before},
        transfers=_transfers(ended.transfers),
        without_house=ended.without_house,
    )


def _taken_back(taken: GameTakenBack) -> Outcome | None:
    """Return the correction by which a game that was taken back counts for nothing; None if it had no result."""
    if taken.of is None:
        return None
    points, nobody = {seat: taken.points[seat] for seat in taken.line}, dict.fromkeys(STATS, 0)
    amended = Amended((tuple(taken.line),), dict.fromkeys(taken.line, nobody))
    return Outcome(
        "taken_back", points, amended.ranking, is_correction=True, note=TAKEN_BACK, amended={taken.of: amended}
    )


def _transfers(rows: list[list[Any]]) -> tuple[tuple[Seat, Seat, int], ...]:
    """Return payer, payee and points of transfers in their JSON form."""
    return tuple((payer, payee, points) for payer, payee, points, _ in rows)


def _corrected(corrected: ResultCorrected) -> Outcome:
    """Return the outcome of a correction of the result of a game (docs/rules-chouette.md §8): what it moves in all."""
    amended = {row["seq"]: _amended(row) for row in corrected.rows}
    points = dict(enumerate(corrected.points))
    ranking = amended[corrected.of].ranking
    return Outcome("corrected", points, ranking, is_correction=True, note=corrected.why, amended=amended)


def _amended(row: JsonObject) -> Amended:
    return Amended(tuple(tuple(group) for group in row["ranking"]), dict(enumerate(row["stats"])))


def _correction(corrected: RowCorrected) -> Outcome:
    """Return the outcome of a correction of the score sheet (docs/rules-chouette.md §6)."""
    points: dict[Seat, int] = {}
    transfers = _transfers(corrected.transfers)
    for payer, payee, amount in transfers:
        points[payer] = points.get(payer, 0) - amount
        points[payee] = points.get(payee, 0) + amount
    ranking = (tuple(sorted(points)),)
    return Outcome("corrected", points, ranking, is_correction=True, note=corrected.why, transfers=transfers)


def match_end(state: State, event: Event) -> MatchEnd | None:
    """Return the end of the match or money session that an event states; None for others, and for one broken off."""
    if event.type != SessionEnded.name or not match.is_won_by_one(state):
        return None
    ended = SessionEnded.from_event(event)
    won = ended.winner
    if won is None:
        return None
    how: Literal["played", "given_up"] = "given_up" if ended.reason == "too_few" else "played"
    scores = {seat: match.points_of(state, seat) for seat in (won, 1 - won)}
    return MatchEnd(won, 1 - won, match.length(state), scores, how)

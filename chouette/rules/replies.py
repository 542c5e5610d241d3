"""After the takes: extras, beavers, raccoons (docs/rules-chouette.md §§4.4, 4.5, 4.8)."""

from __future__ import annotations

from chouette.rules import batches, ending
from chouette.rules.cubes import holder, live, other, owner_word
from chouette.rules.draft import Draft
from chouette.rules.responses import must_beaver
from chouette.rules.state import (
    BOX,
    HIGHEST_CUBE,
    PLAYING,
    REPLIES,
    TEAM,
    Ask,
    Game,
    State,
    present,
    rule_of,
)
from games.kernel.contract import JsonObject, Seat

# Which are answered first: extras, then beavers, then raccoons.
RANKS = {"extra": 0, "must_beaver": 1, "beaver": 1, "beavered": 2, "raccooned": 3}


def after_answers(draft: Draft, before: Game, takes: list[int], drops: list[int]) -> None:
    """Ask what the takes bring with them; `before` is the game as the batch was offered."""
    forced = _forced_beaver(draft.state, before, takes)
    if forced is not None:
        raise_cube(draft, forced, "beavered", forced=True)
    asks = _extras(draft, before, takes, drops)
    asks += [ask for i in takes if i != forced and (ask := _beaver(draft, before, takes, i))]
    ask_for(draft, asks)
    go_on(draft)


def _forced_beaver(state: State, before: Game, takes: list[int]) -> int | None:
    """Return the Captain's cube that the Box took alone and has to beaver."""
    if before.turn != TEAM:
        return None
    batch = batches.batch_of(before, before.batch)
    plain = frozenset(i for i in takes if not before.cubes[i].is_extra)
    if not must_beaver(state.options, batch, plain):
        return None
    (index,) = plain
    return index if before.cubes[index].value * 4 <= HIGHEST_CUBE else None


def is_sole_taker(before: Game, takes: list[int]) -> bool:
    """Tell whether the Box doubled everyone in the game, two or more, and one alone takes."""
    plain = [i for i in before.batch if not before.cubes[i].is_extra]
    taken = [i for i in takes if i in plain]
    everyone = set(plain) == set(live(before))
    return before.turn == BOX and everyone and len(plain) > 1 and len(taken) == 1


def _extras(draft: Draft, before: Game, takes: list[int], drops: list[int]) -> list[Ask]:
    """Return who may give the lone taker an extra: each dropper who is still at the table."""
    state = draft.state
    if rule_of(state, "sole_taker") != "extras" or not is_sole_taker(before, takes):
        return []
    taker = next(i for i in takes if not before.cubes[i].is_extra)
    value = before.cubes[taker].value
    droppers = [before.cubes[i].member for i in drops if not before.cubes[i].is_extra]
    return [Ask("extra", taker, seat, value) for seat in droppers if present(state, seat)]


def _beaver(draft: Draft, before: Game, takes: list[int], index: int) -> Ask | None:
    """Return the question to a taker: beaver or not, or beaver or drop."""
    state, cube = draft.state, draft.game.cubes[index]
    if not rule_of(state, "beavers") or cube.value * 2 > HIGHEST_CUBE:
        return None
    seat = holder(draft.game, cube, other(before.turn))
    is_bound = rule_of(state, "sole_taker") == "must_beaver_or_drop"
    must = is_bound and not cube.is_extra and is_sole_taker(before, takes)
    return Ask("must_beaver" if must else "beaver", index, seat, cube.value)


def ask_for(draft: Draft, asks: list[Ask]) -> None:
    """Write the questions that the cubes bring."""
    if asks:
        rows = [[ask.kind, ask.cube, ask.seat, ask.value] for ask in asks]
        draft.add("asks_opened", asks=rows)


def active(game: Game) -> tuple[Ask, ...]:
    """Return the questions open now: those of the first rank that has any."""
    if game.stage != REPLIES or not game.asks:
        return ()
    rank = min(RANKS[ask.kind] for ask in game.asks)
    return tuple(ask for ask in game.asks if RANKS[ask.kind] == rank)


def ways(state: State, game: Game, ask: Ask) -> tuple[str, ...]:
    """Return the replies that a question takes."""
    if ask.kind == "extra":
        return ("give", "keep")
    if ask.kind == "beaver":
        return ("beaver", "no")
    if ask.kind == "must_beaver":
        return ("beaver", "drop")
    may_raise = game.cubes[ask.cube].value * 2 <= HIGHEST_CUBE
    if ask.kind == "beavered" and rule_of(state, "raccoons") and may_raise:
        return ("accept", "drop", "raccoon")
    return ("accept", "drop")


def reply(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Answer a question about a cube."""
    found = (a for a in active(draft.game) if a.seat == seat and a.cube == args["cube"])
    give(draft, next(found), args["reply"])


def give(draft: Draft, ask: Ask, said: str) -> None:
    """Write a reply and what it does to the cube."""
    draft.add("replied", cube=ask.cube, kind=ask.kind, seat=ask.seat, reply=said)
    if said == "give":
        give_extra(draft, ask)
    elif said == "beaver":
        raise_cube(draft, ask.cube, "beavered")
    elif said == "raccoon":
        raise_cube(draft, ask.cube, "raccooned")
    elif said == "drop":
        _drop(draft, ask)
    go_on(draft)


def give_extra(draft: Draft, ask: Ask) -> None:
    """The dropper pays v to the taker, who holds a second cube at 2v against them (§4.8)."""
    member = draft.game.cubes[ask.cube].member
    draft.add("extra_given", seat=ask.seat, member=member, value=ask.value * 2, paid=ask.value)


def raise_cube(draft: Draft, index: int, how: str, *, forced: bool = False) -> None:
    """A beaver or a raccoon: twice the value, the same owner; the other side is asked."""
    game = draft.game
    cube = game.cubes[index]
    taker = other(game.turn)
    side = game.turn if how == "beavered" else taker
    draft.add(
        how,
        cube=index,
        value=cube.value * 2,
        forced=forced,
        member=cube.member,
        seat=holder(game, cube, other(side)),
    )
    ask_for(draft, [Ask(how, index, holder(game, cube, side), cube.value * 2)])


def _drop(draft: Draft, ask: Ask) -> None:
    """A drop pays what the cube was at before it was turned last."""
    game = draft.game
    cube = game.cubes[ask.cube]
    loser = game.turn if ask.kind == "beavered" else other(game.turn)
    points = cube.value // 2
    how = "beaver_dropped" if ask.kind == "beavered" else "dropped"
    signed = points if owner_word(loser) != "member" else -points
    ending.go_out(draft, [(ask.cube, signed, how)])


def go_on(draft: Draft) -> None:
    """When nothing is asked any more, no more cubes are offered until the next roll."""
    if draft.state.phase == PLAYING and draft.game.stage == REPLIES and not draft.game.asks:
        draft.add("batch_closed")

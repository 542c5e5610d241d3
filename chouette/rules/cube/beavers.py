"""After the takes: extras, beavers, raccoons (docs/rules-chouette.md §§4.4, 4.5, 4.8).

They come in rounds. All replies to one round are sealed and take effect together, in the order
of the line, so that the order in which people tap never matters.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from chouette.rules.cube import obligations
from chouette.rules.cube.cubes import covered_cubes, cube_points, decision_cubes, holder, live, other, with_extras
from chouette.rules.cube.obligations import must_beaver
from chouette.rules.events.cubes import (
    AsksOpened,
    BatchClosed,
    Beavered,
    ExtraGiven,
    Raccooned,
    RepliesOpened,
    ReplyGiven,
    ReplySealed,
)
from chouette.rules.session import ending
from chouette.rules.state import (
    BOX,
    HIGHEST_CUBE,
    PLAYING,
    REPLIES,
    TEAM,
    Ask,
    Draft,
    Game,
    State,
    is_present,
    playing,
    rule_of,
)
from games.kernel.contract import JsonObject, Seat

# Order of the rounds: extras, then beavers, then raccoons. Tables from before an answer could itself
# be a beaver still have `beaver`, which was asked of each taker.
RANKS = {"extra": 0, "must_beaver": 1, "beaver": 1, "beavered": 2, "raccooned": 3}

BINDING = ("must_beaver", "beavered", "raccooned")
"""The kinds of questions that need a reply: a cube is at stake."""

Reply: TypeAlias = tuple[int, str, Seat, str]
"""A reply: the cube, the kind of question, the seat, the reply's word."""


def after_answers(draft: Draft, before: Game, takes: list[int], drops: list[int]) -> None:
    """Open the questions that the takes lead to, and raise beavered cubes; `before` is the game when it was doubled.

    Extras are given first, and raised with the taker's own cube.
    """
    forced = _forced_beaver(draft.state, before, takes)
    if forced is not None:
        raise_cube(draft, forced, "beavered", forced=True)
    asks = _extras(draft, before, takes, drops)
    asks += [ask for i in takes if (ask := _must_beaver(draft, before, takes, i))]
    ask_for(draft, asks)
    go_on(draft)


def _forced_beaver(state: State, before: Game, takes: list[int]) -> int | None:
    """Return the Captain's cube if it is the only one that the Box took and has to beaver, else None."""
    if before.turn != TEAM:
        return None
    batch = obligations.batch_of(before, before.batch)
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
    """Return the questions of extras for the only taker: one to each dropper still at the table."""
    state = draft.state
    if rule_of(state, "sole_taker") != "extras" or not is_sole_taker(before, takes):
        return []
    taker = next(i for i in takes if not before.cubes[i].is_extra)
    value = before.cubes[taker].value
    droppers = [before.cubes[i].member for i in drops if not before.cubes[i].is_extra]
    return [Ask("extra", taker, seat, value) for seat in droppers if is_present(state, seat)]


def _must_beaver(draft: Draft, before: Game, takes: list[int], index: int) -> Ask | None:
    """Return the question "beaver or drop" to the only taker of a round, None if they have beavered."""
    state, game, cube = draft.state, playing(draft.state), playing(draft.state).cubes[index]
    is_bound = rule_of(state, "sole_taker") == "must_beaver_or_drop" and is_sole_taker(before, takes)
    if not is_bound or cube.is_extra or index in game.beavers or cube.value * 2 > HIGHEST_CUBE:
        return None
    return Ask("must_beaver", index, holder(game, cube, other(before.turn)), cube.value)


def ask_for(draft: Draft, asks: list[Ask]) -> None:
    """Open questions about cubes, if there are any."""
    if asks:
        rows = [[ask.kind, ask.cube, ask.seat, ask.value] for ask in asks]
        draft.add(AsksOpened(asks=rows))


def active(game: Game) -> tuple[Ask, ...]:
    """Return the questions of the open round: of the first rank that has any."""
    if game.stage != REPLIES or not game.asks:
        return ()
    rank = min(RANKS[ask.kind] for ask in game.asks)
    return tuple(ask for ask in game.asks if RANKS[ask.kind] == rank)


def waiting(game: Game) -> tuple[Ask, ...]:
    """Return the unanswered questions of the open round."""
    if not game.asks:
        return ()
    answered = {(cube, kind, seat) for cube, kind, seat, _ in game.said}
    return tuple(ask for ask in active(game) if (ask.cube, ask.kind, ask.seat) not in answered)


def ways(state: State, game: Game, ask: Ask) -> tuple[str, ...]:
    """Return the possible replies to a question."""
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
    found = (a for a in waiting(playing(draft.state)) if a.seat == seat and a.cube == args["cube"])
    seal(draft, next(found), args["reply"])
    go_on(draft)


def default_reply(ask: Ask) -> str:
    """Return the reply of a seat that gives none."""
    return "drop" if ask.kind in BINDING else {"extra": "keep"}.get(ask.kind, "no")


def seal(draft: Draft, ask: Ask, word: str) -> None:
    """Write a sealed reply: it takes effect when the whole round has been answered."""
    draft.tell((ask.seat,), ReplySealed(cube=ask.cube, kind=ask.kind, seat=ask.seat, reply=word))
    draft.add(ReplyGiven(cube=ask.cube, kind=ask.kind, seat=ask.seat))


def go_on(draft: Draft) -> None:
    """Open each round that is complete; after the last no more cubes are offered until the roll."""
    while draft.state.phase == PLAYING and playing(draft.state).stage == REPLIES and not waiting(playing(draft.state)):
        if _raised(draft):
            continue
        if not playing(draft.state).asks:
            draft.add(BatchClosed())
            return
        _open(draft)


def _raised(draft: Draft) -> bool:
    """Raise the cubes that were beavered with the answer, after all extras; tell whether there were any."""
    game = playing(draft.state)
    if not game.beavers or any(ask.kind == "extra" for ask in game.asks):
        return False
    places = {seat: place for place, seat in enumerate(game.line)}
    for cube in sorted(covered_cubes(game, list(game.beavers)), key=lambda i: (places.get(game.cubes[i].member, 0), i)):
        raise_cube(draft, cube, "beavered")
    return True


def _open(draft: Draft) -> None:
    """Let the replies of a round take effect together, in the order of the line (§4.4)."""
    game = playing(draft.state)
    replies = sorted(game.said, key=lambda row: _place(game, row))
    draft.add(RepliesOpened(replies=[list(row) for row in replies]))
    for ask in _answered(game, replies, "give"):
        give_extra(draft, ask)
    for ask in _answered(game, replies, "beaver"):
        raise_cube(draft, ask.cube, "beavered")
    for ask in _answered(game, replies, "raccoon"):
        for cube in covered_cubes(game, [ask.cube]):
            raise_cube(draft, cube, "raccooned")
    drops = _answered(game, replies, "drop")
    ending.go_out(draft, [_drop(game, replace(ask, cube=i)) for ask in drops for i in covered_cubes(game, [ask.cube])])


def _place(game: Game, row: Reply) -> tuple[int, int, int]:
    """Return the sort key of a reply: the member's place in the line, the asked seat's, the cube."""
    cube, _, seat, _ = row
    places = {member: place for place, member in enumerate(game.line)}
    return places.get(game.cubes[cube].member, 0), places.get(seat, 0), cube


def _answered(game: Game, replies: list[Reply], reply: str) -> list[Ask]:
    """Return the questions with this reply."""
    asks = {(ask.cube, ask.kind, ask.seat): ask for ask in game.asks}
    return [asks[cube, kind, seat] for cube, kind, seat, word in replies if word == reply]


def give_extra(draft: Draft, ask: Ask) -> None:
    """Give an extra: the dropper pays v to the taker, and the taker gets a second cube at 2v against them (§4.8)."""
    member = playing(draft.state).cubes[ask.cube].member
    draft.add(ExtraGiven(seat=ask.seat, member=member, value=ask.value * 2, paid=ask.value))


def raise_cube(draft: Draft, index: int, how: str, *, forced: bool = False) -> None:
    """Beaver or raccoon a cube: twice the value, the same owner; then ask the other side.

    For a single cube the other side is asked once about all its stakes (§4.12).
    """
    game = playing(draft.state)
    cube = game.cubes[index]
    side = _answering_side(game, how)
    kind = {Beavered.name: Beavered, Raccooned.name: Raccooned}[how]
    raised = kind(
        cube=index,
        value=cube.value * 2,
        forced=forced,
        member=cube.member,
        seat=holder(game, cube, other(side)),
        extras=with_extras(game, index),
    )
    draft.add(raised)
    if index in decision_cubes(game, live(game)):
        ask_for(draft, [Ask(how, index, holder(game, cube, side), cube.value * 2)])


def _answering_side(game: Game, kind: str) -> str:
    """Return the side that answers a kind of question: the doubler a beaver, else the taker."""
    return game.turn if kind == "beavered" else other(game.turn)


def _drop(game: Game, ask: Ask) -> ending.Out:
    """Return the end of a cube that is dropped: at its value before it was last turned."""
    how = "beaver_dropped" if ask.kind == "beavered" else "dropped"
    return ask.cube, _price(game, ask), how


def _price(game: Game, ask: Ask) -> int:
    """Return the points of a cube for its member if the asked seat drops (§4.4)."""
    return cube_points(_answering_side(game, ask.kind), game.cubes[ask.cube].value // 2)


def sealed_drop(game: Game, index: int) -> tuple[int, str] | None:
    """Return points and kind of end of a cube that was dropped in the open round, None if it was not."""
    drops = _answered(game, [row for row in game.said if row[0] == index or game.is_single], "drop")
    return _drop(game, replace(drops[0], cube=index))[1:] if drops else None


def unanswered_price(game: Game, index: int, side: str) -> int | None:
    """Return the points of a cube for its member if a side leaves before its reply, None if it owes none."""
    about = (ask for ask in waiting(game) if ask.cube == index or game.is_single)
    asks = (replace(ask, cube=index) for ask in about if ask.kind in BINDING)
    return next((_price(game, ask) for ask in asks if _answering_side(game, ask.kind) == side), None)

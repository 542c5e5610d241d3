"""The worth of each possible answer about the cubes.

Each function returns the listed options that it weighs with their worth, in points or match
chances (`chouette.bot.cube_decisions`). Of options worth the same, the first is taken.
A seat with several open cubes gets weights for the first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from chouette.bot import janowski
from chouette.bot.cube_decisions import Judged
from games.kernel.contract import Choice, JsonObject
from games.kernel.sets import Sets

Weighed: TypeAlias = list[tuple[JsonObject, float]]

NEAR = 0.01
"""The gain for which a bot still plays a lost game on, in points for each point of the cubes."""


def best(weighed: Weighed) -> tuple[JsonObject, float]:
    """Return the option that is worth most."""
    return max(weighed, key=lambda way: way[1])


def cubes_of(seen: Judged, choice: Choice) -> list[int]:
    """Return the cubes that an answer to a choice is about."""
    if choice.name == "answer_batch":
        return [index for index in seen.game["batch"] if not seen.cube(index)["extra"]]
    if choice.name == "answer_resignation":
        return _resigned_to(seen, choice)
    if choice.name == "offer":
        return sorted({index for args in choice.options for index in args["cubes"]})
    if choice.name == "cube":
        return sorted({args["cube"] for args in choice.options})
    return [choice.options[0]["cube"]]


def side_of(seen: Judged, choice: Choice) -> str:
    """Return the side for which a seat answers."""
    game = seen.game
    if choice.name in ("answer", "answer_batch"):
        return "box" if game["turn"] == "team" else "team"
    if choice.name == "reply":
        is_doubler = _kind(seen, choice) == "beavered"
        return str(game["turn"]) if is_doubler else "box" if game["turn"] == "team" else "team"
    if choice.name in ("cube", "offer"):
        return str(game["turn"])
    if choice.name == "answer_proposal":
        return "box" if choice.seat == seen.cube(choice.options[0]["cube"])["against"] else "team"
    return "box" if choice.seat == game["box"] else "team"


def ways(seen: Judged, choice: Choice) -> Weighed:
    """Return the options of a choice about cubes with their worth; KeyError for others."""
    return _WEIGH[choice.name](seen, choice)


# Offering.


def _speak(seen: Judged, choice: Choice) -> Weighed:
    """Weigh no double, and a double of each single cube."""
    rolled = no_offer(seen, choice)
    words = sorted(choice.options, key=lambda args: args["double"])
    return [(args, rolled + (seen.offer(args["cube"]).gain if args["double"] else 0.0)) for args in words]


def _offer(seen: Judged, choice: Choice) -> Weighed:
    """Weigh every set of cubes that the Box may offer; rolling is `no_offer`."""
    gains = {index: seen.offer(index).gain for index in cubes_of(seen, choice)}
    rolled = no_offer(seen, choice)
    return [(args, rolled + sum(gains[i] for i in args["cubes"])) for args in choice.options]


def no_offer(seen: Judged, choice: Choice) -> float:
    """Return the worth to the side on turn of turning none of the cubes that it may turn."""
    return sum(seen.offer(index).no_double for index in cubes_of(seen, choice))


# Answering.


def _answer(seen: Judged, choice: Choice) -> Weighed:
    index = choice.options[0]["cube"]
    offer, side = seen.offer(index), side_of(seen, choice)
    taken = seen.of(side, offer.taken)
    found: Weighed = [
        ({"cube": index, "take": True}, taken),
        ({"cube": index, "take": False}, seen.of(side, offer.dropped)),
    ]
    beavered = {"cube": index, "take": True, "beaver": True}
    return [*found, (beavered, taken + _gain_of_beaver(seen, index))] if beavered in choice.options else found


def _gain_of_beaver(seen: Judged, index: int) -> float:
    worth = janowski.replies(seen.outlook, "beaver")
    return (worth["beaver"] - worth["no"]) * 2 * int(seen.cube(index)["value"])


def _answer_batch(seen: Judged, choice: Choice) -> Weighed:
    """Weigh every legal set of takes, each with the beavers that gain something."""
    offers = {index: seen.offer(index) for index in cubes_of(seen, choice)}
    taken = {index: seen.of("box", offer.taken) for index, offer in offers.items()}
    dropped = {index: seen.of("box", offer.dropped) for index, offer in offers.items()}

    gains = {index: _gain_of_beaver(seen, index) for index in offers}
    options = choice.options
    marks = options.marks if isinstance(options, Sets) else None

    def beavered(takes: list[int]) -> list[int]:
        if marks is None:
            return []
        return takes if tuple(takes) in marks.forced else [i for i in takes if i in marks.of and gains[i] > 0]

    def way(takes: list[int]) -> tuple[JsonObject, float]:
        raised = beavered(takes)
        worth = sum(taken[i] if i in takes else dropped[i] for i in offers) + sum(gains[i] for i in raised)
        return {"take": takes, **({"beaver": raised} if raised else {})}, worth

    sets = replace(options, marks=None) if isinstance(options, Sets) else options
    return [way(args["take"]) for args in sets]


def _reply(seen: Judged, choice: Choice) -> Weighed:
    """Weigh the replies to the first open question after the takes."""
    index = choice.options[0]["cube"]
    allowed = [args["reply"] for args in choice.options if args["cube"] == index]
    value = int(seen.cube(index)["value"])
    worth = janowski.replies(seen.outlook, _kind(seen, choice))
    return [({"cube": index, "reply": way}, worth[way] * value) for way in worth if way in allowed]


def _kind(seen: Judged, choice: Choice) -> str:
    """Return the kind of the question that a reply answers."""
    index, asks = choice.options[0]["cube"], seen.game["asks"]
    mine = (a for a in asks if a["cube"] == index and a["seat"] == choice.seat)
    return str(next(mine)["kind"])


# Resigning and settling.


def _resigned_to(seen: Judged, choice: Choice) -> list[int]:
    """Return the cubes for which a seat answers a resignation."""
    waiting: list[int] = seen.game["resignation"]["waiting"]
    if side_of(seen, choice) == "box":
        return list(waiting)
    return [index for index in waiting if seen.cube(index)["holder"] == choice.seat]


def _answer_resignation(seen: Judged, choice: Choice) -> Weighed:
    """Weigh an offered resignation against playing on."""
    level, side = seen.game["resignation"]["level"], side_of(seen, choice)
    mine = _resigned_to(seen, choice)
    accepted = sum(seen.won(index, seen.resigned(index, level), side) for index in mine)
    played = sum(seen.value(index, side) for index in mine)
    if abs(seen.per_point(accepted, mine, side) - seen.per_point(played, mine, side)) < NEAR:
        played = accepted
    return [({"accept": True}, accepted), ({"accept": False}, played)]


def _answer_proposal(seen: Judged, choice: Choice) -> Weighed:
    """Weigh a settlement against playing on."""
    index, side = choice.options[0]["cube"], side_of(seen, choice)
    proposal = next(p for p in seen.game["proposals"] if p["cube"] == index)
    points = proposal["points"] if side == "team" else -proposal["points"]
    return [
        ({"cube": index, "accept": True}, seen.won(index, points, side)),
        ({"cube": index, "accept": False}, seen.value(index, side)),
    ]


_WEIGH: dict[str, Callable[[Judged, Choice], Weighed]] = {
    "cube": _speak,
    "offer": _offer,
    "answer_batch": _answer_batch,
    "answer": _answer,
    "reply": _reply,
    "answer_resignation": _answer_resignation,
    "answer_proposal": _answer_proposal,
}

WEIGHED = frozenset(_WEIGH)
"""The choices that can be weighed."""

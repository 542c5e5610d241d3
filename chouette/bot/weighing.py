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
from chouette.bot.cube_decisions import Judgement
from games.kernel.contract import Choice, JsonObject
from games.kernel.sets import Sets

Weighed: TypeAlias = list[tuple[JsonObject, float]]

NEAR = 0.01
"""The gain for which a bot still plays a lost game on, in points for each point of the cubes."""


RISK = 0.03
"""The cost of an open result to a side, as a part of its variance at cube 1."""


def best(weighed: Weighed) -> tuple[JsonObject, float]:
    """Return the option that is worth most."""
    return max(weighed, key=lambda way: way[1])


def cubes_of(judgement: Judgement, choice: Choice) -> list[int]:
    """Return the cubes that an answer to a choice is about."""
    if choice.name == "answer_batch":
        return [index for index in judgement.game["batch"] if not judgement.cube(index)["extra"]]
    if choice.name == "answer_resignation":
        return _resigned_to(judgement, choice)
    if choice.name == "offer":
        return sorted({index for args in choice.options for index in args["cubes"]})
    if choice.name == "cube":
        return sorted({args["cube"] for args in choice.options})
    return [choice.options[0]["cube"]]


def side_of(judgement: Judgement, choice: Choice) -> str:
    """Return the side for which a seat answers."""
    game = judgement.game
    if choice.name in ("answer", "answer_batch"):
        return "box" if game["turn"] == "team" else "team"
    if choice.name == "reply":
        is_doubler = _kind(judgement, choice) == "beavered"
        return str(game["turn"]) if is_doubler else "box" if game["turn"] == "team" else "team"
    if choice.name in ("cube", "offer"):
        return str(game["turn"])
    if choice.name == "answer_proposal":
        return "box" if choice.seat == judgement.cube(choice.options[0]["cube"])["against"] else "team"
    return "box" if choice.seat == game["box"] else "team"


def ways(judgement: Judgement, choice: Choice) -> Weighed:
    """Return the options of a choice about cubes with their worth; KeyError for others."""
    return _WEIGH[choice.name](judgement, choice)


# Offering.


def _speak(judgement: Judgement, choice: Choice) -> Weighed:
    """Weigh no double, and a double of each single cube."""
    rolled = no_offer(judgement, choice)
    words = sorted(choice.options, key=lambda args: args["double"])
    return [(args, rolled + (judgement.offer(args["cube"]).gain if args["double"] else 0.0)) for args in words]


def _offer(judgement: Judgement, choice: Choice) -> Weighed:
    """Weigh every set of cubes that the Box may offer; rolling is `no_offer`."""
    gains = {index: judgement.offer(index).gain for index in cubes_of(judgement, choice)}
    rolled = no_offer(judgement, choice)
    return [(args, rolled + sum(gains[i] for i in args["cubes"])) for args in choice.options]


def no_offer(judgement: Judgement, choice: Choice) -> float:
    """Return the worth to the side on turn of turning none of the cubes that it may turn."""
    return sum(judgement.offer(index).no_double for index in cubes_of(judgement, choice))


# Answering.


def _answer(judgement: Judgement, choice: Choice) -> Weighed:
    index = choice.options[0]["cube"]
    offer, side = judgement.offer(index), side_of(judgement, choice)
    taken = judgement.of(side, offer.taken)
    found: Weighed = [
        ({"cube": index, "take": True}, taken),
        ({"cube": index, "take": False}, judgement.of(side, offer.dropped)),
    ]
    beavered = {"cube": index, "take": True, "beaver": True}
    return [*found, (beavered, taken + _gain_of_beaver(judgement, index))] if beavered in choice.options else found


def _gain_of_beaver(judgement: Judgement, index: int) -> float:
    worth = janowski.replies(judgement.taken(), "beaver")
    return (worth["beaver"] - worth["no"]) * 2 * int(judgement.cube(index)["value"])


def _answer_batch(judgement: Judgement, choice: Choice) -> Weighed:
    """Weigh every legal set of takes, each with the beavers that gain something."""
    offers = {index: judgement.offer(index) for index in cubes_of(judgement, choice)}
    taken = {index: judgement.of("box", offer.taken) for index, offer in offers.items()}
    dropped = {index: judgement.of("box", offer.dropped) for index, offer in offers.items()}

    gains = {index: _gain_of_beaver(judgement, index) for index in offers}
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


def _reply(judgement: Judgement, choice: Choice) -> Weighed:
    """Weigh the replies to the first open question after the takes."""
    index = choice.options[0]["cube"]
    allowed = [args["reply"] for args in choice.options if args["cube"] == index]
    value = int(judgement.cube(index)["value"])
    worth = janowski.replies(judgement.taken(), _kind(judgement, choice))
    return [({"cube": index, "reply": way}, worth[way] * value) for way in worth if way in allowed]


def _kind(judgement: Judgement, choice: Choice) -> str:
    """Return the kind of the question that a reply answers."""
    index, questions = choice.options[0]["cube"], judgement.game["asks"]
    mine = (a for a in questions if a["cube"] == index and a["seat"] == choice.seat)
    return str(next(mine)["kind"])


# Resigning and settling.


def _resigned_to(judgement: Judgement, choice: Choice) -> list[int]:
    """Return the cubes for which a seat answers a resignation."""
    waiting: list[int] = judgement.game["resignation"]["waiting"]
    if side_of(judgement, choice) == "box":
        return list(waiting)
    return [index for index in waiting if judgement.cube(index)["holder"] == choice.seat]


def _answer_resignation(judgement: Judgement, choice: Choice) -> Weighed:
    """Weigh an offered resignation against playing on."""
    level, side = judgement.game["resignation"]["level"], side_of(judgement, choice)
    mine = _resigned_to(judgement, choice)
    accepted = sum(judgement.won(index, judgement.resigned(index, level), side) for index in mine)
    played = sum(judgement.value(index, side) for index in mine)
    if abs(judgement.per_point(accepted, mine, side) - judgement.per_point(played, mine, side)) < NEAR:
        played = accepted
    return [({"accept": True}, accepted), ({"accept": False}, played)]


def certainty(judgement: Judgement, index: int) -> float:
    """Return the points that a side gives for a certain result in place of an open one on a cube, as people do."""
    win, gammon, backgammon, lost_gammon, lost_backgammon = judgement.chances
    steps = [win, gammon, backgammon, 1 - win, lost_gammon, lost_backgammon]
    if judgement.is_capped(index):
        steps = [win, 0.0, 0.0, 1 - win, 0.0, 0.0]
    # Of 1, 4 and 9 each step adds 1, 3 and 5; of 1, 2 and 3 each adds 1.
    squares = sum(step * times for step, times in zip(steps, (1, 3, 5) * 2, strict=True))
    mean = sum(steps[:3]) - sum(steps[3:])
    return RISK * (squares - mean**2) * int(judgement.cube(index)["value"])


def _answer_proposal(judgement: Judgement, choice: Choice) -> Weighed:
    """Weigh a settlement against playing on: it is worth its certainty as well."""
    index, side = choice.options[0]["cube"], side_of(judgement, choice)
    proposal = next(p for p in judgement.game["proposals"] if p["cube"] == index)
    points = proposal["points"] if side == "team" else -proposal["points"]
    return [
        ({"cube": index, "accept": True}, judgement.won(index, points, side) + certainty(judgement, index)),
        ({"cube": index, "accept": False}, judgement.value(index, side)),
    ]


_WEIGH: dict[str, Callable[[Judgement, Choice], Weighed]] = {
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

"""The worth of each possible answer about the cubes.

Each function returns the listed options that it weighs with their worth, in points or match
chances (`chouette.bot.cube_decisions`). Where two are worth the same, the first is the one to take.
A seat that is asked about several cubes is told about the first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from chouette.bot import janowski
from chouette.bot.cube_decisions import Judged
from chouette.bot.janowski import Offer
from chouette.rules.options.declaration import rule
from games.kernel.contract import Choice, JsonObject

Weighed: TypeAlias = list[tuple[JsonObject, float]]

NEAR = 0.01
"""Nobody plays a lost game to its end for less than this, in points for each on the cube."""


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
    """Weigh no double and double, for the first cube that is asked about."""
    index = choice.options[0]["cube"]
    offer = seen.offer(index)
    doubled = min(offer.taken, offer.dropped)
    return [
        ({"cube": index, "double": False}, offer.no_double),
        ({"cube": index, "double": True}, doubled),
    ]


def _offer(seen: Judged, choice: Choice) -> Weighed:
    """Weigh every set of cubes that the Box may offer; rolling is `no_offer`."""
    gains = {index: seen.offer(index).gain for index in cubes_of(seen, choice)}
    rolled = no_offer(seen, choice)
    return [(args, rolled + sum(gains[i] for i in args["cubes"])) for args in choice.options]


def no_offer(seen: Judged, choice: Choice) -> float:
    """Return what it is worth to the Box to turn none of the cubes that it may offer."""
    return sum(seen.offer(index).no_double for index in cubes_of(seen, choice))


# Answering.


def _answer(seen: Judged, choice: Choice) -> Weighed:
    index = choice.options[0]["cube"]
    offer, side = seen.offer(index), side_of(seen, choice)
    return [
        ({"cube": index, "take": True}, seen.of(side, offer.taken)),
        ({"cube": index, "take": False}, seen.of(side, offer.dropped)),
    ]


def _answer_batch(seen: Judged, choice: Choice) -> Weighed:
    """Weigh every legal set of takes; extras are answered by those who hold them."""
    offers = {index: seen.offer(index) for index in cubes_of(seen, choice)}
    taken = {index: seen.of("box", offer.taken) for index, offer in offers.items()}
    dropped = {index: seen.of("box", offer.dropped) for index, offer in offers.items()}

    def worth(takes: list[int]) -> float:
        if _must_beaver(seen, takes):
            return sum(dropped.values()) - dropped[takes[0]] + _beavered(offers[takes[0]])
        return sum(taken[i] if i in takes else dropped[i] for i in offers)

    return [(args, worth(args["take"])) for args in choice.options]


def _beavered(offer: Offer) -> float:
    """Return what a take with a beaver is worth to the taker: it may be dropped."""
    return -max(2 * offer.taken, -2 * offer.dropped)


def _must_beaver(seen: Judged, takes: list[int]) -> bool:
    """Tell whether the Box would take the Captain's cube alone and have to beaver (§4.5)."""
    if len(takes) != 1 or seen.game["batch"] == takes:
        return False
    is_captains = seen.cube(takes[0])["member"] == seen.game["captain"]
    return is_captains and bool(rule(seen.view["options"], "sole_captain_beaver"))


def _reply(seen: Judged, choice: Choice) -> Weighed:
    """Weigh the replies to the first open question after the takes."""
    index = choice.options[0]["cube"]
    allowed = [args["reply"] for args in choice.options if args["cube"] == index]
    value = int(seen.cube(index)["value"])
    worth = janowski.replies(seen.outlook, _kind(seen, choice))
    return [({"cube": index, "reply": way}, worth[way] * value) for way in worth if way in allowed]


def _kind(seen: Judged, choice: Choice) -> str:
    """Return what kind of question a reply answers."""
    index, asks = choice.options[0]["cube"], seen.game["asks"]
    mine = (a for a in asks if a["cube"] == index and a["seat"] == choice.seat)
    return str(next(mine)["kind"])


# Giving up and settling.


def _resigned_to(seen: Judged, choice: Choice) -> list[int]:
    """Return the cubes for which a seat answers a resignation."""
    waiting: list[int] = seen.game["resignation"]["waiting"]
    if side_of(seen, choice) == "box":
        return list(waiting)
    return [index for index in waiting if seen.cube(index)["holder"] == choice.seat]


def _answer_resignation(seen: Judged, choice: Choice) -> Weighed:
    """Weigh what is offered against playing on."""
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

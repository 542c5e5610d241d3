"""A bot that moves for a side with others in it: it listens to their suggestions, and asks where they disagree.

Who moves decides (docs/rules-chouette.md §4.9). What the bot has asked is read from its view: the question names the
roll and the plays, in notation, which needs no language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from chouette.bot.cube_decisions import on_turn
from chouette.bot.judges import Judge
from chouette.bot.playing import Options
from chouette.rules.options.declaration import rule
from chouette.rules.play import by_notation
from games.kernel.contract import Choice, JsonObject, Seat

LISTEN_SECONDS, ANSWER_SECONDS = 3.0, 20.0
"""The time, from the roll on, that the bot leaves others to suggest a play, and to answer its question."""
MOST_NAMED = 3
_TWO = 2


def play(judge: Judge, view: JsonObject, options: Options) -> JsonObject:
    """Return the play to make: of those that the judge finds about as good as its best, the most suggested."""
    if len(options) == 1:
        return options[0]
    ranked, drawn = judge.ranked(view, options), _suggested(view)
    near = [options[index] for index, worth in ranked if worth >= ranked[0][1] - judge.near]
    return max(near, key=lambda args: drawn[args["play"]])


def question(judge: Judge, view: JsonObject, by_name: dict[str, Choice]) -> tuple[str, JsonObject] | None:
    """Return how the seat that moves asks its side about a roll, None where there is nothing to ask.

    It asks once a roll, where as many want one play as another, and it holds both to be about as good as its best. By a
    member whose advice the Captain may open, if there is one, else in the talk of the side.
    """
    game = view["game"]
    if not {"say", "ask_advice"} & set(by_name) or not game["dice"] or _has_asked(view):
        return None
    seat = next(iter(by_name.values())).seat
    drawn = _suggested(view)
    tied = [text for text, count in drawn.items() if count == max(drawn.values())]
    if seat != game["on_roll"] or len(tied) < _TWO:
        return None
    options = [{"play": text} for text in by_notation(on_turn(game), tuple(game["dice"]))]
    ranked = judge.ranked(view, options)
    near = [options[i]["play"] for i, worth in ranked if worth >= ranked[0][1] - judge.near]
    open_ones = [text for text in near if text in tied][:MOST_NAMED]
    if len(open_ones) < _TWO:
        return None
    if "ask_advice" in by_name:
        return "ask_advice", by_name["ask_advice"].options[0]
    return "say", {"text": f"{_roll(game)} {' · '.join(open_ones)}?"}


def has_question(view: JsonObject, seat: Seat | None) -> bool:
    """Tell whether the seat that moves has asked about this roll, everybody or this seat."""
    game = view["game"]
    return seat in game["asked"] or _is_asked_by(view, game["on_roll"])


def listens(view: JsonObject, choices: list[Choice]) -> tuple[Collection[Seat], float]:
    """Return the seats to which a bot listens before it moves, and for how many seconds from the roll on."""
    choice = next((choice for choice in choices if choice.name == "move" and choice.required), None)
    if choice is None or len(choice.options) == 1:
        return (), 0.0
    advisers = _advisers(view, choice.seat)
    spoken = {line["seat"] for line in view["me"]["suggestions"]}
    silent = [seat for seat in advisers if seat not in spoken]
    if _has_asked(view) and _is_open(view, choice.seat):
        return advisers, ANSWER_SECONDS
    return silent, LISTEN_SECONDS


def _is_open(view: JsonObject, me: Seat | None) -> bool:
    """Tell whether what the bot has asked has no answer yet: a line of another seat, or one play that most want."""
    asked = view["game"]["asked"]
    if asked:
        return not {line["seat"] for line in view["me"]["suggestions"]} & set(asked)
    counts = sorted(_suggested(view).values(), reverse=True)
    is_tied = len(counts) > 1 and counts[0] == counts[1]
    return is_tied and bool(view["me"]["talk"]) and view["me"]["talk"][-1]["seat"] == me


def _advisers(view: JsonObject, me: Seat | None) -> list[Seat]:
    """Return the other seats of the side that may suggest a play."""
    game, hears = view["game"], [seat for seat in view["me"]["hears"] if seat != me]
    if rule(view["options"], "consultation") != "own_cube_turned" or game["turn"] == "box":
        return hears
    turned = {cube["member"] for cube in game["cubes"] if cube["turned"] and cube["result"] is None}
    return [seat for seat in hears if seat in turned or seat in game["asked"]]


def _suggested(view: JsonObject) -> Counter[str]:
    """Return how many seats suggest each play."""
    return Counter(line["play"] for line in view["me"]["suggestions"])


def _has_asked(view: JsonObject) -> bool:
    return bool(view["game"]["asked"]) or _is_asked_by(view, view["game"]["on_roll"])


def _is_asked_by(view: JsonObject, seat: Seat | None) -> bool:
    roll = _roll(view["game"])
    return any(line["seat"] == seat and line["text"].startswith(roll) for line in view["me"]["talk"])


def _roll(game: JsonObject) -> str:
    return "-".join(map(str, sorted(game["dice"], reverse=True))) + ":"

"""The bots of Sealed Bids: one bids low, one bids anything."""

from __future__ import annotations

import random

from games.kernel.bots import Bots
from games.kernel.contract import Choice, JsonObject
from games.kernel.dice import typed


def choose(view: JsonObject, choices: list[Choice], level: str, seed: int) -> tuple[str, JsonObject]:
    """Return the name and the arguments of the choice to take."""
    choice = next(c for c in choices if c.name in ("bid", "thank", "type_die"))
    if choice.name == "type_die":
        return choice.name, typed.BY_HOUSE
    if level == "low" and choice.name == "bid":
        return choice.name, min(choice.options, key=lambda args: args["number"])
    return choice.name, random.Random(seed).choice(choice.options)


bots = Bots(choose=choose)

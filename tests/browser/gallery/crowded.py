"""States with more in them than random play brings: suggested plays, and the longest names."""

from __future__ import annotations

import copy
from dataclasses import replace

from tests.browser.gallery.states import Shown

LONGEST_NAME = 24


def may_suggest(state: Shown) -> bool:
    """Tell whether a state's seat makes a play that its side can suggest."""
    view = state.frames[-1]["view"]
    return bool(view.get("me")) and any(choice["name"] in ("move", "suggest") for choice in state.frames[-1]["choices"])


def with_suggestions(state: Shown, count: int) -> Shown:
    """Return a state in which the others of the seat's side have suggested so many plays."""
    frames = copy.deepcopy(state.frames)
    view = frames[-1]["view"]
    choice = next(one for one in frames[-1]["choices"] if one["name"] in ("move", "suggest"))
    plays = [option["play"] for option in choice["options"]]
    seats = [seat["seat"] for seat in view["seats"]]
    view["me"]["suggestions"] = [
        {"seat": seats[(n + 1) % len(seats)], "play": plays[n % len(plays)]} for n in range(count)
    ]
    return replace(state, name=f"{state.name}, {count} suggestions", frames=frames)


def with_talk(state: Shown, count: int) -> Shown:
    """Return a state in which so many lines have been said on the side of its seat."""
    frames = copy.deepcopy(state.frames)
    view = frames[-1]["view"]
    seats = [seat["seat"] for seat in view["seats"]]
    said = "Over here they would have doubled long ago, and so should you have done"
    view["me"]["talk"] = [{"seat": seats[n % len(seats)], "text": f"{n + 1}. {said}"} for n in range(count)]
    return replace(state, name=f"{state.name}, {count} lines", frames=frames)


def with_long_names(state: Shown) -> Shown:
    """Return a state whose people have names of the longest kind."""
    told = [copy.deepcopy(frames) for frames in (state.frames, state.screen)]
    for frame in (frame for frames in told for frame in frames if "table" in frame):
        for seat in frame["table"]["seats"]:
            seat["name"] = f"{seat['name']} Wilhelmine-Charlotte von".ljust(LONGEST_NAME, "a")[:LONGEST_NAME]
    return replace(state, name=f"{state.name}, long names", frames=told[0], screen=told[1])

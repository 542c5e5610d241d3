"""What views share is encoded once, and a reader's text is that of the own view alone, whoever is read before."""

import json
import random
from itertools import permutations
from typing import Any

from games.live.rooms.frames import Views

LASTING = ("options", "sheet")
PUBLIC = {"phase": "playing", "options": {"a": 1}, "seats": [1, 2], "me": None, "sheet": [[1]], "tail": "ä"}


def shown(text: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(b"{%b}" % text)
    return found


def seats_views(rng: random.Random) -> list[dict[str, Any]]:
    """Return the views of four seats: each hides some members of the others, or has the same objects."""
    secrets = [{"hand": [1]}, {"hand": [2]}, {"hand": [1]}, None]
    views = [{**PUBLIC, "me": each} for each in secrets]
    for view in views:
        for name in rng.sample(sorted(PUBLIC), rng.randrange(3)):
            view[name] = [name, rng.randrange(2)]
    return [*views, PUBLIC]


def test_a_text_holds_the_own_view_alone_in_its_own_order():
    for seed in range(50):
        views = seats_views(random.Random(seed))
        alone = [Views(LASTING).members(view, ()) for view in views]
        for order in random.Random(seed).sample(list(permutations(range(len(views)))), 5):
            together = Views(
                LASTING,
                random.Random(seed).choice(((), ("me",), ("phase", "me"), ("me", "phase"), ("sheet",), ("none",))),
            )
            for index in order:
                text, marks = together.members(views[index], ())
                assert shown(text) == {"view": views[index]}
                assert (text, marks) == alone[index], (seed, order, index)


def test_lasting_members_are_named_to_those_who_have_them():
    views, other = Views(LASTING), {**PUBLIC, "sheet": [[1], [2]], "me": 3}
    _, had = views.members(PUBLIC, ())
    passing = {name: value for name, value in PUBLIC.items() if name not in LASTING}
    assert shown(views.members(PUBLIC, had)[0]) == {"same": ["options", "sheet"], "view": passing}
    told = {"same": ["options"], "view": {**passing, "me": 3, "sheet": [[1], [2]]}}
    assert shown(views.members(other, had)[0]) == told
    assert shown(views.members(None, had)[0]) == {"view": None}


def test_one_view_of_several_readers_is_encoded_once():
    views = Views(LASTING)
    assert views.members(PUBLIC, ())[0] is views.members(PUBLIC, ())[0]

"""A second reading of docs/rules-chouette.md §§4.4–4.6: cubes, and what the Box may do with them.

Written from the page alone; it shares no code with `chouette.rules`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

MOST = 2**15


@dataclass
class Extra:
    """§4.8: a second cube of a lone taker against a dropper."""

    against: int
    value: int
    points: int | None = None


@dataclass
class Cube:
    """A member's cube; `owner` is centre, member or against; `points` the member's once it is out."""

    member: int
    value: int = 1
    owner: str = "centre"
    turned: bool = False
    points: int | None = None
    extras: list[Extra] = field(default_factory=list)

    def turn(self, owner):
        """§4.8: a turned cube turns its extras with it."""
        self.value, self.owner, self.turned = self.value * 2, owner, True
        for extra in self.running():
            extra.value *= 2

    def raise_(self):
        self.value *= 2
        for extra in self.running():
            extra.value *= 2

    def running(self):
        return [extra for extra in self.extras if extra.points is None]

    def end(self, points, is_settled):
        """§4.8: an extra that its parties have not settled ends at the same terms."""
        times = points if is_settled else points / self.value
        for extra in self.running():
            extra.points = int(times if is_settled else times * extra.value)
        self.points = points

    def loses(self, level, jacoby):
        """§4.6: what a level costs on this cube."""
        return self.value * (1 if jacoby and not self.turned else level)

    def may_turn(self, side):
        return self.points is None and self.owner in ("centre", side) and self.value * 2 <= MOST


EACH_ALONE = {
    "uniform_response": "none", "must_take_captain": False, "min_takes": "none", "sole_captain_beaver": False,
    "sole_taker": "free", "box_must_double_captain": False,
}  # fmt: skip


def of_the_house(options):
    """§4.12: with a single cube what the Box may and must do with several has no meaning."""
    return {**options, **EACH_ALONE} if options["cubes"] == "single" else options


def held(options, key, off):
    """The value of an option, or what holds where another one makes it meaningless."""
    if key in ("sole_captain_beaver", "raccoons") and not options["beavers"]:
        return off
    return options[key]


def all_alike(options, cubes, chosen):
    """§4.5 uniform_response: all of a category, or of a value, or none of them."""
    how = options["uniform_response"]
    if how == "none":
        return True
    for one in cubes:
        for two in cubes:
            alike = one.value == two.value if how == "by_value" else (one.owner == "centre") == (two.owner == "centre")
            if alike and (one.member in chosen) != (two.member in chosen):
                return False
    return True


def beaver_forced(options, batch, takes, captain):
    """§4.5 sole_captain_beaver: takes only the Captain's cube and drops at least one other."""
    return held(options, "sole_captain_beaver", False) and takes == {captain} and len(batch) > 1


def may_take(options, batch, in_game, captain, takes):
    """Whether the Box may take just these cubes; `in_game` are all that are in the game."""
    if not takes:
        return True
    doubled = {cube.member for cube in batch}
    others = [c for c in in_game if c.member not in doubled and c.owner == "against" and c.member != captain]
    if options["must_take_captain"] and captain in doubled and captain not in takes and not others:
        return False
    whole = len(batch) == len(in_game) and all(cube.owner == "centre" for cube in batch)
    return all_alike(options, batch, takes) and (not whole or enough(options, batch, captain, takes))


def enough(options, batch, captain, takes):
    """§4.5 min_takes, where all cubes still in the game are turned from the centre in one batch."""
    rule, n = options["min_takes"], len(batch)
    if rule == "half":
        return len(takes) >= n / 2
    if rule == "all_or_none":
        return len(takes) == n
    if rule == "none":
        return True
    net = 0
    for cube in batch:
        worth = 4 if beaver_forced(options, batch, takes, captain) else 2
        net += worth * cube.value if cube.member in takes else -cube.value
    return net >= 0


def answers(options, batch, in_game, captain):
    """Every set of members whose cubes the Box may take."""
    return {t for t in subsets(batch) if may_take(options, batch, in_game, captain, set(t))}


def beavered(options, batch, in_game, captain):
    """Every way to answer: what the Box takes, and what of that it beavers (§4.4) or has to (§4.5)."""
    may = [cube for cube in batch if options["beavers"] and cube.value * 4 <= MOST]
    found = set()
    for takes in answers(options, batch, in_game, captain):
        forced = beaver_forced(options, batch, takes, captain)
        raised = subsets(cube for cube in may if cube.member in takes)
        found |= {(takes, some) for some in raised if not forced or some == takes or not may}
    return found


def offers(options, free, captain):
    """Every set of members whom the Box may double; `free` are the cubes that it may turn."""
    found = set()
    for chosen in subsets(free):
        levels = {cube.value for cube in free if cube.member in chosen}
        left_out = any(c.member == captain and c.member not in chosen and c.value in levels for c in free)
        if options["box_must_double_captain"] and left_out:
            continue
        if chosen and all_alike(options, free, chosen):
            found.add(chosen)
    return found


def subsets(cubes):
    members = [cube.member for cube in cubes]
    return [frozenset(c) for size in range(len(members) + 1) for c in combinations(members, size)]

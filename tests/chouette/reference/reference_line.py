"""A second reading of docs/rules-chouette.md §§4.1, 4.10, 5, 7: the line.

Written from the page alone; it shares no code with `chouette.rules`.
"""

from __future__ import annotations

import itertools


def first(order, rolls, seats, drawn):
    """§4.12: the first line by one die each, by lot (as it was drawn), or as they sit."""
    return {"lot": list(drawn), "by_hand": list(range(seats))}.get(order) or by_dice(rolls, seats)


def by_dice(rolls, seats):
    """§4.1: the highest is Box, and so on; those who tie roll again for their block."""
    fell = {seat: [] for seat in range(seats)}
    for roll in rolls:
        for row in roll:
            fell[row["seat"]].append(row["die"])
    return sorted(fell, key=lambda seat: fell[seat], reverse=True)


def after(options, line, captains, points, team_won, net):
    """§5: (the next line without a partner, who stands at its end for having lost).

    `line` is Box, Captain, …; `captains` who played for the Team, in order; `points` the members'.
    """
    box, team = line[0], list(line[1:])
    kind = options["rotation"]
    if kind == "captain_result":
        return _captain_result(box, team, captains, points)
    if kind == "last_man_standing":
        for captain in captains[:-1]:
            team.remove(captain)
            team.append(captain)
        return _placed(box, team, captains[-1], lost=team_won)
    return _game_result(options, box, team, captains, points, team_won, net)


def _captain_result(box, team, captains, points):
    """Only the first Captain's result counts; who stood in for a winner is Captain next."""
    first = team[0]
    if points[first] > 0 and len(captains) > 1:
        team.remove(captains[1])
        team.insert(1, captains[1])
    return _placed(box, team, first, lost=points[first] > 0)


def _game_result(options, box, team, captains, points, team_won, net):
    """Who dropped, or lost, as Captain or stand-in goes to the bottom, and a Captain with the claim has lost it."""
    claim, fallen = captains[0], []
    for captain, following in itertools.pairwise(captains):
        if points[captain] <= 0:
            fallen.append(captain)
            claim = following if captain == claim else claim
    if not team_won:
        fallen.append(claim)
    fallen.sort(key=captains.index)
    team = [seat for seat in team if seat not in fallen] + fallen
    if team_won:
        return _placed(box, team, claim, lost=True)
    found = [*team, box] if options["must_break_even"] and net < 0 else [box, *team]
    return found, found[-1]


def _placed(box, team, claim, *, lost):
    team.remove(claim)
    found = [claim, *team, box] if lost else [box, *team, claim]
    return found, found[-1]


def with_partner(line, box, partner):
    """§4.10: next Captain whenever the Box is lost; while it is kept, last."""
    return [*line, partner] if line[0] == box else [line[0], partner, *line[1:]]


def with_newcomers(line, loser, newcomers, position):
    """§7: at the end of the line behind the loser, or ahead of the loser."""
    if position == "ahead_of_loser" and loser in line:
        at = line.index(loser)
        return [*line[:at], *newcomers, *line[at:]]
    return [*line, *newcomers]

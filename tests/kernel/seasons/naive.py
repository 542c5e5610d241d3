"""A second, naive implementation of the standing of a season, JSON to JSON: docs/seasons.md sentence by sentence."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any


def number(value: Any) -> F:
    return F(str(value))


def attended(night: dict[str, Any]) -> dict[str, tuple[F, F]]:
    """Return points and games by player who was there."""
    found = {}
    for row in night.get("rows", []):
        found[row["player"]] = (number(row["points"]), number(row.get("games", 1)))
    for player in [p for m in night.get("matches", []) for p in m[:2]] + night.get("bye", []):
        if player not in found:
            found[player] = (F(0), F(0))
    return found


def weight(night: dict[str, Any]) -> F:
    return number(night.get("weight", 1))


def night_worth(rules: dict[str, Any], night: dict[str, Any], player: str) -> F:
    """Return the unweighted worth of a night that a player attended."""
    there = attended(night)
    points, games = there[player]
    worth = rules.get("worth", "points")
    if worth == "points":
        return points
    if worth == "per_game":
        return points / games if games else F(0)
    if worth == "attendance":
        return F(1)
    if worth == "match":
        total = F(0)
        stages = rules.get("stages", {"": [1, 0]})
        for match in night.get("matches", []):
            stage = match[2] if len(match) == 3 else ""
            won, lost = stages.get(stage, stages.get("", [1, 0]))
            total += number(won) if match[0] == player else number(lost) if match[1] == player else 0
        return total
    lower = rules.get("lower_is_better", False)
    ahead = sum(1 for p, _ in there.values() if (p < points if lower else p > points))
    level = sum(1 for p, _ in there.values() if p == points)

    def of_place(place: int) -> F:
        if worth == "won":
            return F(place == 1)
        if rules["places"] == "field":
            return F(len(there) - place)
        return number(rules["places"][place - 1]) if place <= len(rules["places"]) else F(0)

    if rules.get("equal", "mean") == "best":
        return of_place(ahead + 1)
    return sum((of_place(ahead + 1 + i) for i in range(level)), F(0)) / level


def keizer(rules: dict[str, Any], nights: list[dict[str, Any]]) -> list[dict[str, F]]:
    """Return the weighted worths of each night, all computed anew after every night."""
    known: list[str] = []
    totals: dict[str, F] = {}
    worths: list[dict[str, F]] = []
    for t, night in enumerate(nights):
        known.sort(key=lambda p: (-totals[p], p))
        here = sorted(set(attended(night)) | set(night.get("absent", [])))
        known += [p for p in here if p not in known]
        top = max(1, -(-3 * (len(known) - 1) // 2))
        value = {p: top - i for i, p in enumerate(known)}
        worths = []
        for past in nights[: t + 1]:
            got: dict[str, F] = {}
            for match in past.get("matches", []):
                got[match[0]] = got.get(match[0], F(0)) + weight(past) * value[match[1]]
            for p in past.get("bye", []):
                got[p] = got.get(p, F(0)) + weight(past) * value[p] * number(rules.get("bye", "1/2"))
            for p in past.get("absent", []):
                got[p] = got.get(p, F(0)) + weight(past) * value[p] * number(rules.get("absent", "1/3"))
            worths.append(got)
        totals = {p: sum((w.get(p, F(0)) for w in worths), F(0)) for p in known}
    return worths


class Player:
    """What a player has: nights by index, worths, what counts."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.there: list[int] = []
        self.worth: dict[int, F] = {}
        self.counted: list[int] = []
        self.total = F(0)


def choose(rules: dict[str, Any], nights: list[dict[str, Any]], player: Player) -> None:
    """Fill in which nights count, and the total."""
    count, better = rules.get("count", "all"), worse_is_higher(rules)
    candidates = dict(player.worth)
    if count == "all":
        player.counted = list(player.there)
    elif "best" in count:
        left = list(player.there)
        while left and len(player.counted) < count["best"]:
            best = left[0]
            for i in left:
                if (player.worth[i] < player.worth[best]) if better else (player.worth[i] > player.worth[best]):
                    best = i
            left.remove(best)
            player.counted.append(best)
        player.counted.sort()
    else:
        to_strike = count["without_worst"]
        missed = [i for i in range(len(nights)) if i not in player.there]
        if rules.get("missed", "struck") == "struck":
            to_strike -= min(to_strike, len(missed))
            candidates = {i: player.worth[i] for i in player.there}
        else:
            candidates |= {i: number(rules["missed"]) * weight(nights[i]) for i in missed}
        while to_strike and candidates:
            worst = max(candidates)
            for i in sorted(candidates, reverse=True):
                if (candidates[i] > candidates[worst]) if better else (candidates[i] < candidates[worst]):
                    worst = i
            del candidates[worst]
            to_strike -= 1
        player.counted = [i for i in player.there if i in candidates]
        player.total = sum((w for i, w in candidates.items() if i not in player.there), F(0))
    player.total += sum((player.worth[i] for i in player.counted), F(0))
    if rules.get("worth", "points") == "per_game":
        rows = [(weight(nights[i]), *attended(nights[i])[player.name]) for i in player.counted]
        games = sum((w * g for w, _, g in rows), F(0))
        player.total = sum((w * p for w, p, _ in rows), F(0)) / games if games else F(0)


def worse_is_higher(rules: dict[str, Any]) -> bool:
    return rules.get("lower_is_better", False) and rules.get("worth", "points") in ("points", "per_game")


def tie_key(rules: dict[str, Any], nights: list[dict[str, Any]], group: list[Player], tie: str, player: Player) -> F:
    """Return the number by which a criterion sorts a player of a group, lowest first."""
    if tie == "nights":
        return F(-len(player.there))
    if tie == "best_night":
        worths = [player.worth[i] for i in player.counted]
        if worse_is_higher(rules):
            return min(worths) if worths else F(0)
        return -max(worths) if worths else F(0)
    names = [p.name for p in group]
    if rules.get("worth", "points") in ("keizer", "match"):
        matches = [m for n in nights for m in n.get("matches", []) if m[0] in names and m[1] in names]
        return F(sum(m[1] == player.name for m in matches) - sum(m[0] == player.name for m in matches))
    common = [i for i in range(len(nights)) if all(i in p.there for p in group)]
    points = sum((attended(nights[i])[player.name][0] for i in common), F(0))
    return points if rules.get("lower_is_better", False) else -points


def order(
    rules: dict[str, Any], nights: list[dict[str, Any]], group: list[Player], ties: list[str]
) -> list[list[Player]]:
    """Return a group of equals in the parts that share a place."""
    if not ties:
        return [sorted(group, key=lambda p: p.name)]
    parts: dict[F, list[Player]] = {}
    for player in group:
        parts.setdefault(tie_key(rules, nights, group, ties[0], player), []).append(player)
    return [part for key in sorted(parts) for part in order(rules, nights, parts[key], ties[1:])]


def standing(season: dict[str, Any]) -> dict[str, Any]:
    """Return the standing of a season that is not refused."""
    rules, nights = season["rules"], season["nights"]
    players: dict[str, Player] = {}
    keizer_worths = keizer(rules, nights) if rules.get("worth") == "keizer" else None
    for i, night in enumerate(nights):
        there = attended(night)
        for name in [*there, *night.get("absent", [])]:
            players.setdefault(name, Player(name))
        for name in there:
            players[name].there.append(i)
            worth = (
                keizer_worths[i].get(name, F(0)) if keizer_worths else night_worth(rules, night, name) * weight(night)
            )
            players[name].worth[i] = worth
    for player in players.values():
        choose(rules, nights, player)
        if keizer_worths:
            player.total = sum((w.get(player.name, F(0)) for w in keizer_worths), F(0))
    least = rules.get("least_nights", 1)
    groups: dict[F, list[Player]] = {}
    for player in players.values():
        if len(player.there) >= least:
            groups.setdefault(player.total, []).append(player)
    out: list[dict[str, Any]] = []
    for total in sorted(groups, reverse=not worse_is_higher(rules)):
        for part in order(rules, nights, groups[total], rules.get("ties", [])):
            place = len(out) + 1
            out += [written(nights, player, place) for player in part]
    few = sorted((p for p in players.values() if len(p.there) < least), key=lambda p: p.name)
    return {"standings": out, "unranked": [{"player": p.name, "nights": len(p.there)} for p in few]}


def written(nights: list[dict[str, Any]], player: Player, place: int) -> dict[str, Any]:
    return {
        "player": player.name,
        "place": place,
        "total": str(player.total),
        "nights": len(player.there),
        "counted": [nights[i]["id"] for i in player.counted],
        "struck": [nights[i]["id"] for i in player.there if i not in player.counted],
    }

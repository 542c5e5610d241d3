"""Tournaments in the world of a fault run: one with its people, and what the database keeps of it."""

from __future__ import annotations

from collections import Counter
from typing import Any
from uuid import uuid4


def make(count: int, session: Any) -> dict[str, Any]:
    """Begin an open end of so many people with tables on the screen; the house confirms pairings at once."""
    from games.services.nights import membership
    from games.services.people import players
    from games.services.tournaments import acts, formats, log, participants, tournaments

    host = players.new_guest(f"Guest {uuid4().hex[:10]}")
    night = membership.host_night(host, "Club night")
    membership.set_admission(night, host, False, 500)
    people = [players.new_guest(f"Guest {uuid4().hex[:10]}") for _ in range(count)]
    for player in people:
        membership.join(night, player)
    choice = formats.ChosenFormat("open_end", 3, 240, settings={"patience": 3})
    cup = tournaments.make(night, host, tournaments.TournamentDraft("Cup", "chouette", "screen", choice, 0))
    acts.carry_out(cup, host, "enter", {"players": [player.pk for player in people]})
    for player in people:
        acts.carry_out(cup, player, "accept", {"mark": participants.card(cup).mark})
    acts.carry_out(cup, host, "confirm", {"seen": cup.length, "minute": log.read(cup).minute})
    return {"tournament": cup.public_id, "cookie": session(host)}


def told(public_id: str) -> dict[str, Any]:
    """Return the log of a tournament, its matches, and the faults of its rows in words."""
    from games.models import Tournament
    from games.services.tournaments import log

    cup = Tournament.objects.get(public_id=public_id)
    reading = log.read(cup)
    return {"log": list(reading.log), "matches": reading.state["matches"], "faults": _faults(cup, reading)}


def _faults(cup: Any, reading: Any) -> list[str]:
    """Return what is lost or doubled: numbers of the log, tables of matches, draws that are none of the kernel's."""
    from games.kernel.tournaments import recount
    from games.services.tournaments import draw_check

    found = []
    numbers = list(cup.entries.order_by("number").values_list("number", flat=True))
    if numbers != list(range(cup.length)):
        found.append(f"entries {numbers} of {cup.length}")
    pairings = {row.match: row for row in cup.pairings.select_related("table")}
    if pairings.keys() != {match["id"] for match in reading.state["matches"]}:
        found.append(f"pairings {sorted(pairings)}")
    for match in reading.state["matches"]:
        table = pairings[match["id"]].table
        is_over = table is None or table.status == "finished"
        if (match["status"] == "running") == is_over:
            found.append(f"the table of {match['id']}, {match['status']}, is over: {is_over}")
    seated = Counter(
        player
        for row in pairings.values()
        if row.table is not None and row.table.status != "finished"
        for player in row.table.seats.values_list("player", flat=True)
    )
    found += [f"{player} sits at {times} tables" for player, times in seated.items() if times > 1]
    drawn = recount.recount(draw_check.file_of(cup) | {"seed": cup.seed})
    return found + [f"draw {number} is not the kernel's" for number in drawn["faults"]]

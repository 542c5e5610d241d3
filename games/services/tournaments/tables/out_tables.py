"""A table together for people who have nothing more to play in a tournament: proposed, and opened as a drawn round."""

from __future__ import annotations

from games import plugin
from games.kernel.contract import Illegal
from games.models import Night, Player, Tournament
from games.services.draws import drawn_tables
from games.services.draws.drawn_rounds import Limit
from games.services.draws.drawn_tables import DrawnRules, OpenedRound
from games.services.house_rules import offers
from games.services.tournaments.log import LogReading

FEWEST, MOST = 3, 6
"""The people of such a table."""
KIND = "out_table"
"""The kind of the proposal, among the modes of a tournament."""


def people(reading: LogReading) -> list[Player]:
    """Return who is out, here and at no table, the longest ago first; nobody while they are too few for a table."""
    tournament = reading.tournament
    if tournament.status != Tournament.Status.RUNNING:
        return []
    out = sorted((row for row in reading.state["players"] if row["status"] == "out"), key=lambda row: row["since"])
    if len(out) < FEWEST:
        return []
    free = {row.player_id for row in drawn_tables.people(tournament.night)}
    rows = {row.key: row.player for row in tournament.participants.select_related("player")}
    found = [rows[row["player"]] for row in out if rows[row["player"]].pk in free]
    return found[:MOST] if len(found) >= FEWEST else []


def rules(night: Night, game_id: str, count: int) -> DrawnRules | None:
    """Return the house rules for a table of so many: of the first rule set on offer, else of the first variant."""
    options = plugin.game(game_id).options
    for each in offers.on_offer(night.host, game_id):
        if _holds(options.seats(each.preset, each.options), count):
            return DrawnRules(game_id, each.preset, each)
    for preset in options.presets:
        if _holds(options.seats(preset.id, options.values(preset.id)), count):
            return DrawnRules(game_id, preset.id)
    return None


def _holds(bounds: tuple[int, int], count: int) -> bool:
    return bounds[0] <= count <= bounds[1]


def open_table(reading: LogReading) -> None:
    """Open a table for those who are out, in the name of the host; raises `nobody_out`, and as `open_together`."""
    tournament = reading.tournament
    found = people(reading)
    chosen = rules(tournament.night, tournament.game_id, len(found)) if found else None
    if chosen is None:
        raise Illegal("nobody_out")
    as_round = OpenedRound(len(found), drawn_tables.WAYS[0], Limit())
    group = [player.pk for player in found]
    drawn_tables.open_together(tournament.night, tournament.night.host, chosen, [group], as_round=as_round)

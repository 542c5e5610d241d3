"""Proposals: what the engine would enter next, and why people wait."""

from __future__ import annotations

import copy
from typing import Any

from games.kernel.draws.lots import Lot
from games.kernel.tournaments.asking import Asking
from games.kernel.tournaments.entries import VERSION
from games.kernel.tournaments.phases.phase import PLAYOFF, Phase
from games.kernel.tournaments.state import Entered, TournamentState

Json = dict[str, Any]


def proposals(tournament: TournamentState, now: int, lot: Lot, version: int = VERSION) -> list[Json]:
    """Return the proposals for a minute by a version of the pairing; all of them can be confirmed together."""
    tournament.now = now
    asking = Asking(tournament, now, lot, version)
    if tournament.status == "entry":
        here = [player for player in tournament.players.values() if not player.is_withdrawn]
        if len(here) < 2:
            asking.wait("nobody_free")
        else:
            asking.propose([{"type": "start"}], "pair", is_asked=True)
    elif tournament.status == "running":
        _running(tournament, asking)
    return asking.answer()


def _running(tournament: TournamentState, asking: Asking) -> None:
    """Propose returns, draws and matches; when nothing is left, the next phase or the end."""
    phase = tournament.phase
    for player in tournament.players.values():
        if player.is_pausing and _has_waited(tournament, player):
            asking.propose([{"type": "return", "player": player.name, "version": asking.version}], "round_over")
    if phase.wants_draw():
        _draw(phase, asking)
    else:
        phase.propose(asking)
    if asking.proposals or tournament.busy:
        return
    if any(until is not None for until in asking.waits.values()):
        return
    _when_idle(phase, asking)


def _has_waited(tournament: TournamentState, player: Entered) -> bool:
    """Tell whether one match of the others has ended since the pause began; in step, a round."""
    phase = tournament.phase
    if not phase.in_step:
        return tournament.ends > player.mark
    number = phase.round() or 0
    return number > player.mark and not tournament.busy


def _draw(phase: Phase, asking: Asking) -> None:
    """Propose the draws that are due, and the first matches that follow from them."""
    entries: list[Json] = [
        {"type": "phase", "phase": phase.number, "players": players, "version": asking.version}
        for players in phase.draws(asking)
    ]
    # What they lead to is asked of a copy, as nobody has confirmed them yet.
    drawn = copy.deepcopy(phase)
    for entry in entries:
        drawn.draw(entry["players"])
    following = Asking(drawn.tournament, asking.now, asking.lot, asking.version)
    drawn.propose(following)
    matches = [each for proposal in following.proposals for each in proposal["entries"]]
    asking.propose([*entries, *matches], "pair")


def _when_idle(phase: Phase, asking: Asking) -> None:
    """Propose an entry when no match runs and none can begin: a table, a return, play-offs, the end."""
    tournament = phase.tournament
    if "no_table" in asking.waits and tournament.tables_out:
        entry = {"type": "table_in", "table": min(tournament.tables_out), "version": asking.version}
        asking.propose([entry], "no_table", is_asked=True)
        return
    if phase.goes_on(asking.now):
        for name in phase.players:
            if tournament.players[name].is_pausing and not phase.is_out(name):
                asking.propose([{"type": "return", "player": name, "version": asking.version}], "nobody_free")
        if asking.proposals:
            return
    asking.waits.clear()
    if not _lots(phase, asking) and not _playoff(phase, asking):
        _close(phase, asking)


def _contenders(phase: Phase) -> tuple[list[list[str]], list[str]]:
    """Return the standing's groups without withdrawn players, and the group that the cut divides."""
    players = phase.tournament.players
    groups = [[n for n in group if not players[n].is_withdrawn] for group in phase.groups()]
    cut, before = phase.cut(), 0
    for group in groups:
        if before < cut < before + len(group):
            return groups, group
        before += len(group)
    return groups, []


def _lots(phase: Phase, asking: Asking) -> bool:
    """Propose lots between those who are equal in everything else, where the phase has lots; tell whether any is."""
    players = phase.tournament.players
    for group in phase.groups() if phase.has_lots() else ():
        if sum(not players[name].is_withdrawn for name in group) > 1:
            entry = {"type": "lot", "phase": phase.number, "players": asking.by_lot(group), "version": asking.version}
            asking.propose([entry], "over")
    return bool(asking.proposals)


def _playoff(phase: Phase, asking: Asking) -> bool:
    """Propose play-offs in the group that the cut divides; tell whether there are any."""
    _, group = _contenders(phase)
    free = [name for name in group if name not in phase.tournament.busy]
    order = asking.by_lot(free)
    pausing = [name for name in order if phase.tournament.players[name].is_pausing]
    for name in pausing:
        asking.propose([{"type": "return", "player": name, "version": asking.version}], "nobody_free")
    if not pausing:
        for at in range(0, len(order) - 1, 2):
            asking.propose([asking.match(order[at : at + 2], PLAYOFF)], "pair")
    return bool(asking.proposals or asking.waits)


def _close(phase: Phase, asking: Asking) -> None:
    """Propose the next phase, or the end."""
    plan = phase.tournament.plan
    following = phase.number + 1
    names = [name for group in _contenders(phase)[0] for name in group]
    if following < len(plan.phases) and len(names) > 1:
        chosen = names[: plan.advance[phase.number]]
        entry = {"type": "phase", "phase": following, "players": chosen, "version": asking.version}
        asking.propose([entry], "round_over", is_asked=True)
    else:
        asking.propose([{"type": "finish"}], "over", is_asked=True)

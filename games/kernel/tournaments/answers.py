"""The answer to one input: state, proposals and standing; a function of the input alone."""

from __future__ import annotations

from typing import Any

from games.kernel.tournaments import chance, formats, log
from games.kernel.tournaments.entries import VERSION
from games.kernel.tournaments.forecast import forecast
from games.kernel.tournaments.formats import EntriesRefused, check_entry, is_whole
from games.kernel.tournaments.phases.gone_home import Gone
from games.kernel.tournaments.phases.phase import Phase
from games.kernel.tournaments.proposals import proposals
from games.kernel.tournaments.standing import standing, wins_and_losses
from games.kernel.tournaments.state import Entered, TournamentMatch, TournamentState

Json = dict[str, Any]
KEYS = {"format", "log", "now", "seed"}


def answer(given: Any, version: int = VERSION) -> Json:
    """Return the answer to an input, or its refusal, as JSON; `version` is that of the pairing that proposes."""
    try:
        tournament, now, seed = _read(given)
    except EntriesRefused as refused:
        return refusal(refused.code, refused.entry)
    lot = chance.lot_of(tournament, seed, len(given["log"]), version)
    tournament.now = now
    found: Json = {
        "state": state(tournament, now),
        "proposals": proposals(tournament, now, lot, version),
        "standing": standing(tournament),
    }
    gone = [_gone(phase, each) for phase in tournament.phases for each in phase.gone()]
    return found | ({"gone": gone} if gone else {})


def refusal(code: str, entry: int | None = None) -> Json:
    """Return a refusal as JSON."""
    return {"error": {"code": code, "entry": entry}}


def _read(given: Any) -> tuple[TournamentState, int, int | str]:
    """Return tournament, minute and seed of an input; raises EntriesRefused."""
    check_entry(isinstance(given, dict) and given.keys() <= KEYS, "bad_format")
    plan = formats.read(given.get("format"))
    seed, entries = given.get("seed", 0), given.get("log")
    check_entry(isinstance(seed, int | str) and not isinstance(seed, bool), "bad_format")
    check_entry(isinstance(entries, list), "bad_format")
    tournament = log.replay(plan, entries)
    now = given.get("now", tournament.at)
    check_entry(is_whole(now), "bad_format")
    check_entry(now >= tournament.at, "time_backwards")
    return tournament, now, seed


def state(tournament: TournamentState, now: int) -> Json:
    """Return the state as JSON."""
    phase = tournament.phase if tournament.phases else None
    counts = wins_and_losses(tournament)
    return {
        "status": tournament.status,
        "phase": phase.number if phase else 0,
        "round": phase.round() if phase else None,
        "forecast_end": forecast(tournament, now),
        "players": [_player(tournament, player, counts[name]) for name, player in tournament.players.items()],
        "matches": [_match(match) for match in tournament.matches.values()],
        "warnings": [
            {"match": match.id, "because": cause.id, "repairs": ["void", "stand"]}
            for match, cause in log.warnings(tournament)
        ],
    }


def _gone(phase: Phase, gone: Gone) -> Json:
    """Return one who went home with matches left: matches played `of` all, whether they count, and whether for good."""
    about = {"player": gone.name, "phase": phase.number, "played": gone.played, "of": gone.of}
    return about | {"counts": not gone.is_struck, "is_final": phase.is_over()}


def _player(tournament: TournamentState, player: Entered, counts: tuple[int, int]) -> Json:
    return {
        "player": player.name,
        "status": player.status,
        "since": player.since,
        "wins": counts[0],
        "losses": counts[1],
        "lives": tournament.phase.lives(player.name) if tournament.phases else None,
        "byes": tournament.byes(player.name),
    }


def _match(match: TournamentMatch) -> Json:
    return {
        "id": match.id,
        "players": list(match.players),
        "phase": match.phase,
        "round": match.round,
        "length": match.length,
        "table": match.table,
        "status": match.status,
        "winner": match.winner,
        "score": match.score,
        "started": match.started,
        "ended": match.ended,
    }

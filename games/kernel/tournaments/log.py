"""The replay of a log: each type of entry changes the tournament in one function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from games.kernel.tournaments import entries
from games.kernel.tournaments.chance import BY_STATE
from games.kernel.tournaments.formats import EntriesRefused, PhasePlan, check_entry
from games.kernel.tournaments.phases.kinds import next_phase
from games.kernel.tournaments.phases.phase import PLAYOFF
from games.kernel.tournaments.state import Entered, TournamentMatch, TournamentState

Entry = dict[str, Any]


def replay(plan: PhasePlan, log: Sequence[Any]) -> TournamentState:
    """Return the tournament after a log; raises EntriesRefused with the index of the first bad entry."""
    tournament = TournamentState(plan, entries.version_of(log))
    for index, given in enumerate(log):
        try:
            apply(tournament, given)
        except EntriesRefused as refused:
            raise EntriesRefused(refused.code, index) from None
    return tournament


def apply(tournament: TournamentState, given: Any) -> None:
    """Carry out one entry; raises EntriesRefused."""
    entry = entries.read(given)
    check_entry(entry["at"] >= tournament.at, "time_backwards")
    kind = entry["type"]
    if kind in AFTER_START:
        check_entry(
            tournament.status == "running" or (kind in AFTER_END and tournament.status == "finished"), "not_running"
        )
    elif tournament.status == "finished" and kind != "reopen":
        raise EntriesRefused("too_late" if kind == "enter" else "not_running")
    HANDLERS[kind](tournament, entry)
    tournament.at = tournament.now = entry["at"]
    tournament.draws += kind in DRAWN and not entry.get("hand", False)


DRAWN = {"match", "bye", "phase", "lot"}
AFTER_START = DRAWN | {"result", "correct", "void", "stand", "last_round", "finish"}
AFTER_END = {"correct", "void", "stand"}


def _player(tournament: TournamentState, name: str) -> Entered:
    check_entry(name in tournament.players, "no_such_player")
    return tournament.players[name]


def _match(tournament: TournamentState, entry: Entry) -> TournamentMatch:
    check_entry(entry["match"] in tournament.matches, "no_such_match")
    return tournament.matches[entry["match"]]


def _refresh_all(tournament: TournamentState, at: int) -> None:
    """Renew the status of all players: an entry about one can change that of others."""
    tournament.refresh(list(tournament.players), at)


def _enter(tournament: TournamentState, entry: Entry) -> None:
    name = entry["player"]
    is_running = tournament.status == "running"
    if name in tournament.players:
        player = tournament.players[name]
        may = is_running and len(tournament.phases) == 1 and player.status == "out"
        check_entry(may and tournament.phase.may_enter_again(name), "player_twice")
    elif is_running:
        is_late = len(tournament.phases) > 1 or _is_past_last_start(tournament, entry["at"])
        check_entry(not is_late, "too_late")
    if is_running:
        known = name in tournament.players
        tournament.players.setdefault(name, Entered(name, entry["at"], entry.get("seed")))
        try:
            tournament.phase.admit(name)
        except EntriesRefused:
            if not known:
                del tournament.players[name]
            raise
        tournament.phase.changed()
        _refresh_all(tournament, entry["at"])
    else:
        tournament.players[name] = Entered(name, entry["at"], entry.get("seed"))


def _is_past_last_start(tournament: TournamentState, at: int) -> bool:
    format_ = tournament.phase.format
    return format_.kind == "open_end" and at > format_.last_start


def _seed(tournament: TournamentState, entry: Entry) -> None:
    check_entry(tournament.status == "entry", "too_late")
    _player(tournament, entry["player"]).seed = entry["seed"]


def _start(tournament: TournamentState, entry: Entry) -> None:
    check_entry(tournament.status == "entry", "bad_entry")
    names = [name for name, player in tournament.players.items() if not player.is_withdrawn]
    check_entry(len(names) > 1, "too_few")
    tournament.status, tournament.started = "running", entry["at"]
    phase = next_phase(tournament)
    tournament.phases.append(phase)
    phase.begin(names, entry["at"])
    for name in names:
        tournament.players[name].since = entry["at"]


def _withdraw(tournament: TournamentState, entry: Entry) -> None:
    player = _player(tournament, entry["player"])
    when, at = entry["when"], entry["at"]
    check_entry(not player.is_withdrawn and not (player.is_pausing and when == "one"), "player_gone")
    match = tournament.busy.get(player.name)
    if match is not None and when != "now":
        player.leaves = when
        return
    _leave(tournament, player, is_pause=when == "one")
    if match is not None:
        _end(tournament, match, match.players[player.name == match.players[0]], None, at)
    _refresh_all(tournament, at)


def _leave(tournament: TournamentState, player: Entered, *, is_pause: bool) -> None:
    """Let a player pause or withdraw."""
    player.leaves = ""
    player.is_pausing, player.is_withdrawn = is_pause, not is_pause
    player.left = (tournament.draws, player.since) if player.status == "free" else None
    if tournament.phases:
        phase = tournament.phase
        player.mark = (phase.round() or 0) if phase.in_step else tournament.ends
        phase.goes(player.name)


def _return(tournament: TournamentState, entry: Entry) -> None:
    player = _player(tournament, entry["player"])
    check_entry(player.is_withdrawn or player.is_pausing or player.leaves != "", "bad_entry")
    left = player.left if player.is_withdrawn or player.is_pausing else None
    if tournament.phases and (player.is_withdrawn or player.is_pausing):
        tournament.phase.comes_back(player.name)
    player.is_withdrawn = player.is_pausing = False
    player.leaves = ""
    if tournament.phases:
        phase = tournament.phase
        if player.name not in phase.players and phase.number == 0:
            phase.admit(player.name)
        phase.changed()
    _refresh_all(tournament, entry["at"])
    if left is not None and left[0] == tournament.draws and tournament.version >= BY_STATE and player.status == "free":
        # Nothing was drawn without them: they have waited as if they had not gone, and the draw is the same again.
        player.since = left[1]


def _add_match(tournament: TournamentState, entry: Entry) -> None:
    one, other = entry["players"]
    is_playoff = entry.get("round") == PLAYOFF
    check_entry(entry["id"] not in tournament.matches, "bad_entry")
    check_entry(one != other, "player_twice")
    for name in (one, other):
        player = _player(tournament, name)
        check_entry(name not in tournament.busy, "player_busy")
        check_entry(player.status == "free" or (is_playoff and player.status == "out"), "player_gone")
    check_entry(entry.get("phase", 0) == tournament.phase.number, "bad_entry")
    table = entry.get("table")
    _check_table(tournament, table)
    match = TournamentMatch(
        id=entry["id"],
        number=len(tournament.matches) + 1,
        players=(one, other),
        phase=tournament.phase.number,
        round=entry.get("round"),
        length=entry["length"],
        table=table,
        started=entry["at"],
        is_by_hand=entry.get("hand", False) is True,
        ends_before=tournament.ends,
    )
    tournament.phase.add(match)
    tournament.matches[match.id] = match
    tournament.busy[one] = tournament.busy[other] = match
    tournament.refresh([one, other], entry["at"])


def _check_table(tournament: TournamentState, table: int | None) -> None:
    """Refuse a table that is not there, is out of order, or has a match."""
    if table is not None:
        tables = tournament.phase.format.tables
        check_entry(table >= 1 and (tables is None or table <= tables), "no_such_table")
        check_entry(table not in tournament.tables_out and table not in tournament.tables_in_use(), "no_such_table")


def _bye(tournament: TournamentState, entry: Entry) -> None:
    player = _player(tournament, entry["player"])
    check_entry(player.name not in tournament.busy, "player_busy")
    check_entry(player.status == "free", "player_gone")
    check_entry(entry["phase"] == tournament.phase.number, "bad_entry")
    tournament.phase.bye(player.name, entry["round"])


def _check_winner(tournament: TournamentState, match: TournamentMatch, entry: Entry) -> None:
    _player(tournament, entry["winner"])
    check_entry(entry["winner"] in match.players, "bad_entry")


def _result(tournament: TournamentState, entry: Entry) -> None:
    match = _match(tournament, entry)
    check_entry(match.status != "done", "already_decided")
    check_entry(match.status == "running", "not_running")
    _check_winner(tournament, match, entry)
    _end(tournament, match, entry["winner"], entry.get("score"), entry["at"])
    if any(tournament.players[name].is_withdrawn for name in match.players):
        _refresh_all(tournament, entry["at"])
    else:
        tournament.refresh(list(match.players), entry["at"])


def _end(tournament: TournamentState, match: TournamentMatch, winner: str, score: list[int] | None, at: int) -> None:
    """End a match; its players may leave now."""
    tournament.ends += 1
    match.status, match.winner, match.score, match.ended = "done", winner, score, at
    match.end_number = tournament.ends
    _set_free(tournament, match)


def _set_free(tournament: TournamentState, match: TournamentMatch) -> None:
    """Let the players of a match go their ways."""
    for name in match.players:
        tournament.busy.pop(name, None)
        player = tournament.players[name]
        if player.leaves:
            _leave(tournament, player, is_pause=player.leaves == "one")
    tournament.phases[match.phase].changed(match)


def _correct(tournament: TournamentState, entry: Entry) -> None:
    match = _match(tournament, entry)
    check_entry(match.status == "done", "not_running" if match.status == "running" else "already_decided")
    _check_winner(tournament, match, entry)
    match.is_corrected = match.is_corrected or match.winner != entry["winner"]
    match.winner = entry["winner"]
    match.score = entry.get("score")
    tournament.phases[match.phase].changed()
    _refresh_all(tournament, entry["at"])


def _void(tournament: TournamentState, entry: Entry) -> None:
    match = _match(tournament, entry)
    check_entry(match.status != "void", "already_decided")
    was_running = match.status == "running"
    match.status, match.winner, match.score = "void", None, None
    match.ended = entry["at"] if was_running else match.ended
    if was_running:
        _set_free(tournament, match)
    tournament.phases[match.phase].changed()
    _refresh_all(tournament, entry["at"])


def _stand(tournament: TournamentState, entry: Entry) -> None:
    match = _match(tournament, entry)
    check_entry(any(match is each for each, _ in warnings(tournament)), "bad_entry")
    match.stands = True
    tournament.phases[match.phase].changed()


def warnings(tournament: TournamentState) -> list[tuple[TournamentMatch, TournamentMatch]]:
    """Return the warnings of all phases in the order of the log."""
    found = [each for phase in tournament.phases for each in phase.warnings()]
    return sorted(found, key=lambda each: each[0].number)


def _break(tournament: TournamentState, entry: Entry) -> None:
    check_entry(entry["from"] < entry["to"], "bad_entry")
    tournament.breaks.append((entry["from"], entry["to"]))


def _table_out(tournament: TournamentState, entry: Entry) -> None:
    _check_number(tournament, entry["table"])
    check_entry(entry["table"] not in tournament.tables_out, "no_such_table")
    tournament.tables_out.add(entry["table"])


def _table_in(tournament: TournamentState, entry: Entry) -> None:
    check_entry(entry["table"] in tournament.tables_out, "no_such_table")
    tournament.tables_out.discard(entry["table"])


def _check_number(tournament: TournamentState, table: int) -> None:
    """Refuse a table that no phase has."""
    known = [phase.tables for phase in tournament.plan.phases if phase.tables is not None]
    check_entry(1 <= table <= max(known, default=0), "no_such_table")


def _phase(tournament: TournamentState, entry: Entry) -> None:
    names = entry["players"]
    for name in names:
        _player(tournament, name)
    check_entry(len(set(names)) == len(names), "player_twice")
    check_entry(not any(tournament.players[name].is_withdrawn for name in names), "player_gone")
    check_entry(len(names) > 1, "too_few")
    if entry["phase"] == tournament.phase.number:
        tournament.phase.refuse_unless_member(names)
        tournament.phase.draw(names)
        _refresh_all(tournament, entry["at"])
        return
    check_entry(entry["phase"] == len(tournament.phases) < len(tournament.plan.phases), "bad_entry")
    check_entry(not tournament.busy, "player_busy")
    tournament.phase.close()
    phase = next_phase(tournament)
    tournament.phases.append(phase)
    phase.begin(names, entry["at"])
    _refresh_all(tournament, entry["at"])
    for name in names:
        tournament.players[name].since = entry["at"]


def _lot(tournament: TournamentState, entry: Entry) -> None:
    """Order those who are equal in everything else by lot."""
    check_entry(entry["phase"] == tournament.phase.number and tournament.phase.has_lots(), "bad_entry")
    equal = [sorted(group) for group in tournament.phase.groups() if len(group) > 1]
    check_entry(sorted(entry["players"]) in equal, "bad_entry")
    tournament.phase.lots.append(entry["players"])


def _closing(tournament: TournamentState, entry: Entry) -> None:
    """Give an open end another last start; one of this minute lets no match begin any more."""
    last, at = entry["last_start"], entry["at"]
    number = max(0, len(tournament.phases) - 1)
    phases = tournament.plan.phases
    check_entry(phases[number].kind == "open_end" and last >= at, "bad_entry")
    changed = replace(phases[number], last_start=last if last > at else at - 1)
    tournament.plan = replace(tournament.plan, phases=(*phases[:number], changed, *phases[number + 1 :]))
    if tournament.phases:
        tournament.phase.format = changed


def _last_round(tournament: TournamentState, entry: Entry) -> None:
    """Let the round that is played be the last one of the phase."""
    tournament.phase.end_rounds()
    _refresh_all(tournament, entry["at"])


def _finish(tournament: TournamentState, entry: Entry) -> None:
    check_entry(not tournament.busy, "player_busy")
    tournament.status = "finished"


def _reopen(tournament: TournamentState, entry: Entry) -> None:
    check_entry(tournament.status == "finished", "bad_entry")
    tournament.status = "running"


HANDLERS: dict[str, Callable[[TournamentState, Entry], None]] = {
    "enter": _enter,
    "seed": _seed,
    "start": _start,
    "withdraw": _withdraw,
    "return": _return,
    "match": _add_match,
    "bye": _bye,
    "result": _result,
    "correct": _correct,
    "void": _void,
    "stand": _stand,
    "break": _break,
    "table_out": _table_out,
    "table_in": _table_in,
    "phase": _phase,
    "lot": _lot,
    "closing": _closing,
    "last_round": _last_round,
    "finish": _finish,
    "reopen": _reopen,
}

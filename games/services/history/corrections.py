"""Corrections of results: a new row with a reason; existing rows are never changed.

A correction concerns the people who played the game, as the lines of its result name them, whoever sits on their
seats now: they are asked, they pay and they receive. The staff's counts at once, and the host's, unless it moves
points to the host: then the staff or one other player of the game must agree. A player's counts when every player
whose total it lowers has agreed (if points are not transfers: every other player of the game), and may move no one
by more than the sheet's largest result. The host may answer for everybody, and so does for people without a phone
and for those who do not come any more; nobody may so answer what they proposed. Of a past game of an evening elsewhere
that its author corrects, those who have agreed to it and lose by it are asked again (`of_author` in the row). Deleted
players and bots are not asked. Until then it waits in the table's row as

    {"id": str, "result": row id, "seat": the proposer's, "points": {seat as str: n}, "reason": str,
     "waiting": [seats that have not agreed], "one_is_enough": whether the first of them decides}

with seats of the result's lines, and "told" with the right result where that is corrected instead of points
(told_results.py): then the points follow from it, and until the next game has a result its players may agree on any.
If the table still plays a game with a sheet of its own, the correction is written
there too (contract.CORRECT): that sheet is by seat, with all that was ever won on it, so its rows add up to 0.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Max, Min

from games import plugin
from games.kernel.contract import CORRECT, Command, Illegal, JsonObject
from games.models import STRUCK, Night, Player, Result, ResultLine, Table
from games.services import audit, form_ids, row_locks
from games.services.commands import HOUSE, Request, new_command_id
from games.services.history import consent, results, winner_corrections
from games.services.history.winner_corrections import Told
from games.services.nights import former_hosts
from games.services.people import players
from games.services.personal_rooms import Leaver
from games.services.publication import table_changed
from games.services.tables import log
from games.services.tables.commit import submit
from games.services.tables.decisions import Addition, LockedTable, TableDecision

LONGEST_REASON = 200
MOST_POINTS = 100_000
MOST_WAITING = 10
"""The most corrections of a table that wait at the same time."""

By = Player | AbstractBaseUser


@dataclass(frozen=True, slots=True)
class _Moves:
    """The content of a correction: signed points by seat, the reason, the proposer (None: the house).

    `told` is the right result if that is corrected, from which the points follow.
    """

    seat: int | None
    points: Mapping[int, int]
    reason: str
    told: Told | None = None


def correct(
    result: Result,
    by: By,
    points: Mapping[int, int],
    reason: str,
    form_id: str | None = None,
    *,
    told: Told | None = None,
) -> Result | None:
    """Correct a result by `points` (by seat, signed), as a new row; the same `form_id` is carried out once.

    Of a result for which `winner_corrections.takes`, `told` says what is right instead, and `points` is empty. Returns
    None for a player's correction that others must agree to first. If the game's points are transfers between players,
    the row must add up to 0 as the results do. Raises Illegal `is_correction`, `no_reason`, `bad_points`,
    `no_such_seat`, `not_zero`, `told_wanted`, `not_told`, and as `winner_corrections.points`; `not_host` for a player
    that neither hosts the night nor took part, `too_much`, `too_many_waiting`, and as `form_ids.once`. Whoever took the
    night over a short while ago proposes as every player of the game does; if they took no part they get
    `taken_over_lately`.
    """
    content = ["correction", result.pk, sorted(points.items()), reason, *([] if told is None else sorted(told.items()))]
    made = form_ids.once(by, form_id, content, lambda: _made(result, by, points, reason, told))
    return None if made is None else Result.objects.get(pk=made)


def _made(result: Result, by: By, points: Mapping[int, int], reason: str, told: Told | None) -> int | None:
    """Write or propose a correction; return the id of its row once it counts."""
    table = _held(result.table_id, by)
    result.table = table
    if result.is_correction:
        raise Illegal("is_correction")
    lines = _lines_of(result)
    own = _seat_of(lines, by)
    is_host = isinstance(by, Player) and _decides_alone(table, by)
    is_plain = isinstance(by, Player) and not is_host
    if is_plain and own is None:
        _refuse(table, by)
    moves = _moves(result, lines, _Moves(own, points, " ".join(reason.split()), told))
    if is_plain and not (told is not None and winner_corrections.is_newest(result)):
        _check_size(table, result, moves.points)
    favours_host = is_host and own is not None and _is_gain(result, moves.points.get(own, 0))
    asked = _to_agree(table, result, lines, moves, favours_host=favours_host) if is_plain or favours_host else []
    is_again = is_host and not favours_host and table.night.is_past and consent.is_author(result, by)
    if is_again:
        asked = _agreed(result, lines, moves, by)
    if not asked and not favours_host:
        return _write(table, result, by, moves).pk
    if len(table.corrections) >= MOST_WAITING:
        raise Illegal("too_many_waiting", most=MOST_WAITING)
    about: JsonObject = {"reason": moves.reason, "points": _by_name(moves.points), **_told(moves)}
    entry = {"result": result.pk, "seat": own, **about, "waiting": asked, "one_is_enough": favours_host}
    entry |= {"of_author": True} if is_again else {}
    _keep(table, [*table.corrections, {"id": uuid.uuid4().hex[:12], **entry}])
    audit.note("correction_proposed", by, result, night=table.night, **about)
    return None


def _moves(result: Result, lines: Mapping[int, ResultLine], moves: _Moves) -> _Moves:
    """Return the checked content of a correction, with what it moves; raises Illegal as `correct`."""
    if not moves.reason or not players.is_plain(moves.reason) or len(moves.reason) > LONGEST_REASON:
        raise Illegal("no_reason")
    if winner_corrections.takes(result) != (moves.told is not None):
        raise Illegal("told_wanted" if moves.told is None else "not_told")
    if moves.told is None:
        return replace(moves, points=_checked(result, lines, moves.points))
    return replace(moves, points=winner_corrections.points(result, moves.told, moves.reason))


def _told(moves: _Moves) -> JsonObject:
    return {} if moves.told is None else {"told": dict(moves.told)}


@transaction.atomic
def answer(table_id: int, correction_id: str, by: By, *, agrees: bool) -> Result | None:
    """Agree to a correction or refuse it; return its row once it counts.

    The proposer may withdraw it; the host and the staff may answer for everybody, except what they proposed
    themselves. Raises Illegal `no_such_correction`, `not_asked`, `gone_player`.
    """
    table = _held(table_id, by)
    found = next((each for each in table.corrections if each["id"] == correction_id), None)
    if found is None:
        raise Illegal("no_such_correction")
    result = table.results.get(pk=found["result"])
    lines = _lines_of(result)
    said = _say(table, lines, found, by)
    if not (said.decides or said.seats or (said.is_own and not agrees)):
        raise Illegal("not_asked")
    others = [each for each in table.corrections if each is not found]
    about: JsonObject = {name: found[name] for name in ("reason", "points", "told") if name in found}
    audit.note("correction_agreed" if agrees else "correction_refused", by, result, night=table.night, **about)
    waiting = [] if said.decides else [seat for seat in _asked(lines, found) if seat not in said.seats]
    _keep(table, [*others, {**found, "waiting": waiting}] if agrees and waiting else others)
    if waiting or not agrees:
        return None
    return _write_agreed(table, result, lines, found, by)


def follow_log(added: Addition) -> None:
    """Delete the waiting corrections of a result that an entry takes back: the result counts no more."""
    result = added.decision.corrects
    if result is None or added.entry.command["name"] != "table.take_back_game":
        return
    table = Table.objects.get(pk=result.table_id)
    waiting = [found for found in table.corrections if found["result"] != result.pk]
    if waiting != table.corrections:
        _keep(table, waiting)


@transaction.atomic
def strike(leaver: Leaver) -> None:
    """Strike the reasons of corrections that wait, where a person whose data are deleted wrote or is named in them."""
    proposed_at = Table.objects.filter(night__in=leaver.nights).exclude(corrections=[])
    for table_id in sorted(proposed_at.values_list("pk", flat=True)):
        table = log.lock(table_id)
        waiting = [_struck(found, leaver) for found in table.corrections]
        if waiting != table.corrections:
            _keep(table, waiting)


def _struck(found: JsonObject, leaver: Leaver) -> JsonObject:
    line = ResultLine.objects.filter(result=found["result"], seat=found["seat"], player__in=leaver.ids)
    return {**found, "reason": STRUCK} if line.exists() or leaver.is_named_in(found["reason"]) else found


@transaction.atomic
def go_on_without(player: Player) -> None:
    """Let the corrections that wait for a player go on with the others, after the player's data were deleted."""
    found_at = Result.objects.filter(lines__player=player).exclude(table__corrections=[])
    for table_id in sorted(set(found_at.values_list("table", flat=True))):
        table = log.lock(table_id)
        for found in table.corrections:
            result = table.results.get(pk=found["result"])
            lines = _lines_of(result)
            waiting = _asked(lines, found)
            if waiting == found["waiting"]:
                continue
            is_agreed = not waiting and not found.get("one_is_enough")
            others = [each for each in table.corrections if each["id"] != found["id"]]
            _keep(table, others if is_agreed else [*others, {**found, "waiting": waiting}])
            if is_agreed and _still_moves(result, found):
                _write_agreed(table, result, lines, found, None)


@dataclass(frozen=True, slots=True)
class _Say:
    """The say of a person in a correction: their seats among the asked, whether they decide alone, or proposed it."""

    seats: tuple[int, ...]
    decides: bool
    is_own: bool


def may_answer(table: Table, result: Result, found: JsonObject, player: Player) -> tuple[bool, bool]:
    """Tell whether a player may agree to a correction that waits, and whether they proposed it."""
    said = _say(table, _lines_of(result), found, player)
    return said.decides or bool(said.seats), said.is_own


def _say(table: Table, lines: Mapping[int, ResultLine], found: JsonObject, by: By) -> _Say:
    is_own = isinstance(by, Player) and _seat_of(lines, by) == found["seat"] is not None
    if found.get("of_author") and lines and consent.is_author(next(iter(lines.values())).result, by):
        return _Say((), decides=False, is_own=True)
    is_head = not isinstance(by, Player) or _decides_alone(table, by) or players.is_staff(by)
    seats = tuple(seat for seat in _asked(lines, found) if isinstance(by, Player) and lines[seat].player_id == by.pk)
    return _Say(seats, (is_head and not is_own) or (bool(seats) and bool(found.get("one_is_enough"))), is_own)


def _asked(lines: Mapping[int, ResultLine], found: JsonObject) -> list[int]:
    """Return the seats that a correction waits for, without those of people who were deleted meanwhile."""
    return [seat for seat in found["waiting"] if seat in lines and _is_person(lines[seat])]


def _is_person(line: ResultLine) -> bool:
    """Tell whether a line is that of a person whose data were not deleted."""
    return not line.is_bot and line.player is not None and line.player.deleted_at is None


def _lines_of(result: Result) -> dict[int, ResultLine]:
    return {line.seat: line for line in result.lines.select_related("player")}


def _seat_of(lines: Mapping[int, ResultLine], by: By) -> int | None:
    """Return the seat on which somebody played the game; None if they did not."""
    return next((s for s, line in lines.items() if isinstance(by, Player) and line.player_id == by.pk), None)


def _write_agreed(
    table: Table, result: Result, lines: Mapping[int, ResultLine], found: JsonObject, by: By | None
) -> Result:
    """Write a correction that waited, in the name of its proposer; `by` has agreed last.

    Raises Illegal `told_meanwhile` if by now it would move other points than those agreed to.
    """
    if not _still_moves(result, found):
        raise Illegal("told_meanwhile")
    points, told = _points_of(found), found.get("told")
    line = lines.get(found["seat"])
    author = by if line is None or line.player is None else line.player
    return _write(table, result, author, _Moves(found["seat"], points, found["reason"], told))


def _points_of(found: JsonObject) -> dict[int, int]:
    return {int(seat): n for seat, n in found["points"].items()}


def _still_moves(result: Result, found: JsonObject) -> bool:
    """Tell whether a correction that waited moves what it did when it was proposed: other results may have changed."""
    told = found.get("told")
    try:
        return told is None or winner_corrections.points(result, told, found["reason"]) == _points_of(found)
    except Illegal:
        return False


def _decides_alone(table: Table, by: Player) -> bool:
    """Tell whether what a player says counts at once: a host's, unless they have just taken the night over."""
    return table.night.host_id == by.pk and not former_hosts.trial_minutes(table.night)


def _refuse(table: Table, by: By) -> None:
    """Raise Illegal `taken_over_lately` for the host, `not_host` for others."""
    if isinstance(by, Player) and table.night.host_id == by.pk:
        former_hosts.check_trial(table.night)
    raise Illegal("not_host")


def _held(table_id: int, by: By) -> Table:
    """Return a table, locked, with its night and the author held; raises `no_such_table`, `gone_player`."""
    if isinstance(by, Player):
        row_locks.person(by)
    night = Night.objects.filter(tables=table_id).first()
    if night is None:
        raise Illegal("no_such_table")
    row_locks.night(night)
    table = log.lock(table_id)
    table.night = night
    return table


def _by_name(points: Mapping[int, int]) -> dict[str, int]:
    return {str(seat): n for seat, n in points.items()}


def _keep(table: Table, waiting: list[JsonObject]) -> None:
    table.corrections = waiting
    table.save(update_fields=["corrections"])
    table_changed(table)


def _check_size(table: Table, result: Result, changes: Mapping[int, int]) -> None:
    """Raise `too_much` if any seat is moved by more than the sheet's largest result."""
    lines = ResultLine.objects.filter(result__table=table, result__unit=result.unit, result__is_correction=False)
    ends = lines.aggregate(low=Min("points"), high=Max("points"))
    most = max(abs(ends["low"] or 0), abs(ends["high"] or 0))
    if any(abs(n) > most for n in changes.values()):
        raise Illegal("too_much", most=most)


def _is_gain(result: Result, points: int) -> bool:
    """Tell whether points are good for the one who gets them."""
    return points < 0 if plugin.game(result.game_id).lower_is_better else points > 0


def _is_transfer(result: Result, lines: Mapping[int, ResultLine]) -> bool:
    """Tell whether the points of a result are transfers between players."""
    return not plugin.game(result.game_id).lower_is_better and sum(line.points for line in lines.values()) == 0


def _to_agree(
    table: Table, result: Result, lines: Mapping[int, ResultLine], moves: _Moves, *, favours_host: bool
) -> list[int]:
    """Return the seats whose people must agree, without the proposer's.

    The losing ones, or all others if points are not transfers. Of what moves points to the host: everybody for whom
    the host does not answer.
    """
    people = {seat for seat, line in lines.items() if seat != moves.seat and _is_person(line)}
    if favours_host:
        kept = table.night.memberships.filter(keeper__isnull=False).values_list("player", flat=True)
        return sorted(seat for seat in people if lines[seat].player_id not in set(kept))
    if _is_transfer(result, lines):
        people &= {seat for seat, n in moves.points.items() if n < 0}
    return sorted(people)


def _agreed(result: Result, lines: Mapping[int, ResultLine], moves: _Moves, by: By) -> list[int]:
    """Return the seats of people who have agreed to a past game and whom its author now lets lose by a correction."""
    own = {moves.seat} | {seat for seat, line in lines.items() if isinstance(by, Player) and line.player_id == by.pk}
    worse = {seat for seat, n in moves.points.items() if n and not _is_gain(result, n)} - own
    given = ResultLine.Consent.GIVEN
    return sorted(seat for seat in worse if _is_person(lines[seat]) and lines[seat].consent == given)


def _write(table: Table, result: Result, by: By | None, moves: _Moves) -> Result:
    """Write a correction that counts."""
    if moves.told is not None:
        row = winner_corrections.write(result, moves.seat, moves.told, moves.reason)
    else:
        row = _on_sheet(table, result, moves) or _beside(table, result, moves)
    row.corrects, row.by_name = result, audit.name_of(by)
    row.save(update_fields=["corrects", "by_name"])
    about: JsonObject = {"reason": moves.reason, "points": moves.points, **_told(moves)}
    audit.note("result_corrected", by, result, night=table.night, **about)
    table_changed(table)
    return row


def _on_sheet(table: Table, result: Result, moves: _Moves) -> Result | None:
    """Write a correction on the sheet of the running game; None if there is no such sheet."""
    if not table.is_running:
        return None
    choices = plugin.game(table.game_id).rules.choices(log.state_of(table), None)
    if not any(choice.name == CORRECT for choice in choices):
        return None
    args = {"seat": moves.seat, "points": _by_name(moves.points), "reason": moves.reason}
    receipt = submit(table.pk, HOUSE, Request(CORRECT, args, new_command_id()), decide=partial(_corrected, result))
    return Result.objects.get(table=table, seq=receipt.seq)


def _corrected(result: Result, table: LockedTable, args: JsonObject) -> TableDecision:
    """Return the rules' decision on a correction of a result, also in a pause."""
    decided = table.decide(Command(CORRECT, None, args))
    return TableDecision(decided.events, decided.state, corrects=result)


def _beside(table: Table, result: Result, moves: _Moves) -> Result:
    """Write a correction as a row of results alone."""
    row = Result.objects.create(
        table=table,
        number=table.results.count() + 1,
        game_id=result.game_id,
        preset=result.preset,
        reason="corrected",
        unit=result.unit,
        medium=result.medium,
        is_correction=True,
        note=moves.reason,
        finished_at=datetime.now(UTC),
        transfers=[],
    )
    results.copy_lines(result, row, moves.points)
    return row


def _checked(result: Result, lines: Mapping[int, ResultLine], points: Mapping[int, int]) -> dict[int, int]:
    """Return the points that are not 0; raises Illegal as `correct`."""
    if any(type(n) is not int or abs(n) > MOST_POINTS for n in points.values()):
        raise Illegal("bad_points", most=MOST_POINTS)
    if not set(points) <= set(lines):
        raise Illegal("no_such_seat")
    changes = {seat: n for seat, n in sorted(points.items()) if n}
    if not changes:
        raise Illegal("bad_points", most=MOST_POINTS)
    if _is_transfer(result, lines) and sum(changes.values()) != 0:
        raise Illegal("not_zero")
    return changes

"""The check of a table: its log, cached state, seats, dice and results must agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from games import plugin
from games.kernel import dice, replay
from games.kernel.contract import Illegal, JsonObject
from games.kernel.dice import chains
from games.models import LogEntry, Table
from games.services.dice import dice_chains
from games.services.history import matches, results
from games.services.history.winner_corrections import REOPENED
from games.services.seats import bot_tables, seats
from games.services.tables import deadlines, sql
from games.services.tables import log as table_log
from games.services.tables.log import LoggedEntry


def faults(table: Table) -> list[str]:
    """Return the faults of a table in words; empty if there are none."""
    try:
        rules = plugin.game(table.game_id).rules
    except plugin.UnknownGame:
        return [f"the game {table.game_id} is not installed"]
    try:
        rows = table_log.rows(table.pk)
    except Illegal:
        return ["the file of its log is missing or damaged"]
    found = list(_numbering(table, rows))
    if found or not rows:
        return found or _unstarted(table)
    checks: list[Callable[[], Iterator[str]]] = [
        lambda: _opening(table, rows[0]),
        lambda: _commands(rows),
        lambda: _state(table, rules, rows),
        lambda: _deadlines(table),
        lambda: _seats(table, rules, rows),
        lambda: _dice(table, rows),
        lambda: iter(results.differences(table, table_log.entries(table.pk))),
        lambda: iter(matches.differences(table, table_log.entries(table.pk), table_log.state_of(table))),
    ]
    return list(chain.from_iterable(map(_tried, checks)))


def _tried(check: Callable[[], Iterator[str]]) -> list[str]:
    """Return the findings of a check; a log that makes the check fail is a finding, too."""
    try:
        return list(check())
    except Exception as error:
        return [f"the log can't be read: {error!r}"]


def _numbering(table: Table, rows: list[LogEntry]) -> Iterator[str]:
    seqs = [row.seq for row in rows]
    if (gap := replay.first_gap(seqs)) is not None:
        yield f"entry {gap} is missing"
    elif len(seqs) != table.seq:
        yield f"the log ends at {len(seqs)}, the table says {table.seq}"


def _unstarted(table: Table) -> list[str]:
    if table.status == Table.Status.LOBBY or table.is_past:
        return []
    return [f"the table is {table.status} and has no log"]


def _opening(table: Table, first: LogEntry) -> Iterator[str]:
    head = first.events[0]
    if head["type"] != "table.started":
        yield f"the log begins with {head['type']}"
        return
    opening = head["data"]
    kept = {
        "game": table.game_id,
        "preset": table.preset,
        "options": table.options,
    }
    if table.chains is None:
        kept |= {"salt": table.dice_salt, "commitment": dice.commitment(table.dice_seed)}
    elif first.events[1] != _chain_event(table):
        yield "the chain of the dice is not what was told at the start"
    for key, value in kept.items():
        if opening[key] != value:
            yield f"{key} is not what was told at the start"


def _chain_event(table: Table) -> JsonObject:
    """Return the event that published the house's chain when the table started."""
    waits = bool(table.options.get(chains.WAITS))
    told = dice_chains.first_committed(table.dice_seed, waits=waits).to_json()
    if not dice_chains.load(table.chains or {}).holds:  # opened before links were held back
        del told["data"]["holds"]
    return told


def _commands(rows: list[LogEntry]) -> Iterator[str]:
    times = Counter(row.command_id for row in rows)
    for command_id, count in times.items():
        if count > 1:
            yield f"command {command_id} is in the log {count} times"


def _state(table: Table, rules: Any, rows: list[LogEntry]) -> Iterator[str]:
    """Yield a fault if the cached state differs from the log's at the entry that it belongs to."""
    log = table_log.entries(table.pk)
    stored = rules.initial(table.options, table_log.seat_count(table))
    stored = _folded(rules, stored, log[: table.state_seq])
    state = _folded(rules, stored, log[table.state_seq :])
    yield from rules.faults(state)
    if table.state_seq > table.seq:
        yield f"the cached state is of entry {table.state_seq}, the log ends at {table.seq}"
    elif table.rules_version == rules.version and rules.load(table.state) != stored:
        yield "the cached state is not what the log leads to"
    is_over = rules.is_over(state) or _is_broken_off(rows)
    if is_over != (table.status == Table.Status.FINISHED):
        yield f"the table is {table.status}, the game {'is' if is_over else 'is not'} over"


def _is_broken_off(rows: list[LogEntry]) -> bool:
    """Tell whether a table was broken off, and not reopened since."""
    ends = {"table.broken_off": True, REOPENED: False}
    told = [ends[event["type"]] for row in rows for event in row.events if event["type"] in ends]
    return bool(told) and told[-1]


def _folded(rules: Any, state: Any, log: Sequence[replay.Entry]) -> Any:
    for entry in log:
        state = replay.fold_entry(rules, state, entry)
    return state


def _deadlines(table: Table) -> Iterator[str]:
    """Yield faults of open decisions that the clock does not know of."""
    if table.status != Table.Status.PLAYING:
        return
    levels = dict(table.seats.values_list("index", "bot_level"))
    state = table_log.state_of(table)
    open_now = deadlines.open_choices(plugin.game(table.game_id), state, levels)
    if table.chains is not None and table.chains["under_way"] is not None:
        if table.due_at is None:
            yield "a throw is under way, and the clock is not to look"
        return
    without = {index for index, each in sql.seats([table.pk])[table.pk].items() if each.must_accept}
    needed, _ = deadlines.after(plugin.game(table.game_id), state, open_now, levels, table.clocks, without=without)
    may_rest = bot_tables.is_for_bots_alone(table.seats.all())
    for key in sorted(needed.keys() - table.clocks.keys()):
        yield f"decision {key} has no deadline"
    is_waited_for = any(choice.required for s in levels if levels[s] for choice in open_now[s])
    if (needed or is_waited_for) and table.due_at is None and not may_rest:
        yield "somebody's time is running, and the clock is not to look"


def _seats(table: Table, rules: Any, rows: list[LogEntry]) -> Iterator[str]:
    """Yield seats that differ from the log's.

    The player of a seat may change (players are merged), and at a finished table players may have been deleted.
    """
    sitters = seats.sitters(event for row in rows for event in row.events)
    kept = {seat.index: seat for seat in table.seats.all()}
    if sorted(sitters) != sorted(kept):
        yield f"the log has the seats {sorted(sitters)}, the table {sorted(kept)}"
        return
    state = table_log.state_of(table)
    gone = rules.gone(state)
    bots = rules.played_on(state)
    for index, sitter in sorted(sitters.items()) if table.is_running else ():
        seat = kept[index]
        if index in bots:
            if not seat.bot_level:
                yield f"no bot plays on at seat {index}"
            continue
        is_bot, is_there = bool(seat.bot_level), seat.player_id is not None or seat.bot_level
        if (bool(is_there), is_bot) != (sitter.is_there, sitter.is_there and sitter.is_bot):
            yield f"seat {index} is not as the log left it"
        elif is_there and index in gone:
            yield f"somebody sits on seat {index}, which has left the game"


def _dice(table: Table, rows: list[LogEntry]) -> Iterator[str]:
    thrown = [value for row in rows for value in row.dice]
    if len(thrown) != table.dice_drawn:
        yield f"{len(thrown)} dice in the log, {table.dice_drawn} at the table"
    if table.chains is not None:
        yield from _chained(table, table.chains)
        return
    index = dice.first_difference(table.dice_seed, table.dice_salt, thrown)
    if index is not None:
        yield f"die {index} is not what seed and salt say"


def _chained(table: Table, kept: JsonObject) -> Iterator[str]:
    """Yield throws that do not follow from the chains, and chains that differ from the log's."""
    found: dice_chains.Chains | None = None
    begun: dice_chains.Chains | None = None
    for entry in table_log.entries(table.pk):
        if entry.throw is not None and not _is_thrown(table, found, begun, entry, chains.load_throw(entry.throw)):
            yield f"the dice of entry {entry.seq} are not what the chains say"
        found = dice_chains.after(found, entry, entry.throw, entry.command["args"], 0)
        if any(event.type == dice_chains.BEGUN for event in entry.events):
            begun = found
    if found is None or _timeless(found) != _timeless(dice_chains.load(kept)):
        yield "the chains are not where the log left them"


def _is_thrown(
    table: Table,
    before: dice_chains.Chains | None,
    begun: dice_chains.Chains | None,
    entry: LoggedEntry,
    throw: chains.Throw,
) -> bool:
    """Tell whether a throw has the server's link, links of its devices, and the dice that follow from them.

    `before` are the chains before the entry, `begun` those as the throw began: a device that has given its link may
    have gone before the dice fell.
    """
    for seat, link in throw.links.items():
        last = None if begun is None else begun.last_of(int(seat))
        if last is None or not dice_chains.is_next(last, link):
            return False
    faces = tuple(islice(throw.faces(table.public_id), len(entry.dice)))
    server = chains.FIRST_CHAIN if before is None else before.server
    link = chains.server_link(bytes.fromhex(table.dice_seed), throw.k, server).hex()
    return faces == entry.dice and throw.server == link


def _timeless(found: dice_chains.Chains) -> dice_chains.Chains:
    """Return chains without times, and without the digest: names may be deleted from a log."""
    under_way = found.under_way and replace(found.under_way, began=0, due=0, ctx="", lasts=())
    return replace(found, digest="", under_way=under_way)

"""Batches: game commands of many tables, committed together in one transaction.

Each command still has its own log entry and its own answer, and none is answered before the
commit. Only what is plain goes this way: a command of the game, at a table that plays, by
somebody who sits there, which the rules refuse, or after which the seats are who they were,
the game goes on and nobody may speak who might not before. Whatever else comes (the house's
commands, a table that this process has not read yet) is left to `play.submit`, one by one; so
is the whole batch when the database does not take it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeAlias

from django.db import transaction

from games import plugin
from games.kernel import replay
from games.kernel.contract import Command, Event, Illegal
from games.models import Table
from games.services import chat_lines, deadlines, feed, house, known, ledger, play, results, rows
from games.services.known import Known

# After so many entries the table's row gets its state anew. Who reads a table afresh folds
# at most so many.
STATE_EVERY = 50

Answer: TypeAlias = ledger.Receipt | Exception
Done: TypeAlias = Callable[[Answer], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """A command on its way; `done` gets the receipt after the commit, or what was raised."""

    table_id: int
    actor: play.Actor
    request: play.Request
    done: Done


@dataclass(frozen=True, slots=True)
class _Played:
    """A command that the rules have taken, and the table after it."""

    asked: Asked
    seat: int | None
    events: tuple[Event, ...]
    dice: list[int]
    after: Known
    due_at: datetime | None
    open_now: deadlines.Open


@dataclass(slots=True)
class _Places:
    """Who may play where: the tables' rows, their seats, and who is in at their nights.

    Who has still to accept a rules card is left to `play.submit`.
    """

    seqs: dict[int, int]
    levels: dict[int, dict[int, str]]
    seats: dict[tuple[int, int], int]
    inside: set[tuple[int, int]]


@dataclass(slots=True)
class _Decided:
    """What became of some commands: taken, refused by the rules, or left to `play.submit`."""

    played: list[_Played]
    refused: list[tuple[Asked, Illegal]]
    rest: list[Asked]


Told: TypeAlias = ledger.Receipt | Illegal


def carry_out(asked: Sequence[Asked]) -> tuple[list[tuple[Asked, Told]], list[Asked]]:
    """Commit and publish what can go together; return its answers, and the rest in order.

    Raises database errors, and then nothing is committed.
    """
    with transaction.atomic():
        found = _decided(asked, _places(asked))
        # What was accepted once is refused the second time; its asker gets the first answer.
        repeated = ledger.accepted([_id(each) for each, _ in found.refused])
        heads = _write(found.played) if found.played else []
    stored = {}
    for head in heads:
        known.keep(head)
        stored[head.about.table_id] = head.state_seq
    for each in found.played:
        feed.publish(_news(each, stored[each.asked.table_id]))
    answers: list[tuple[Asked, Told]] = [
        (each.asked, ledger.Receipt(each.after.seq, each.events)) for each in found.played
    ]
    answers += [(each, repeated.get(_id(each), refusal)) for each, refusal in found.refused]
    return answers, found.rest


def _id(asked: Asked) -> tuple[int, str]:
    """Return what tells a command from all others: its table and its id there."""
    return asked.table_id, play.scoped(asked.actor, asked.request.command_id)


def _places(asked: Sequence[Asked]) -> _Places:
    """Lock the tables, always in the same order, and read who sits there."""
    seqs = rows.lock(sorted({each.table_id for each in asked}))
    places = _Places(seqs, {}, {}, set())
    for seat in rows.sitting(list(seqs)) if seqs else ():
        places.levels.setdefault(seat.table_id, {})[seat.index] = seat.bot_level
        if seat.player_id is not None:
            places.seats[seat.table_id, seat.player_id] = seat.index
            if seat.is_in and seat.has_accepted:
                places.inside.add((seat.table_id, seat.player_id))
    return places


def _decided(asked: Iterable[Asked], places: _Places) -> _Decided:
    """Let the rules decide in order; after one that is left, its table's others are left too."""
    heads = _current(places.seqs)
    decided = _Decided([], [], [])
    left: set[int] = set()
    ids: set[tuple[int, str]] = set()
    for each in asked:
        table_id = each.table_id
        before = heads.get(table_id)
        found = None
        if before is not None and table_id not in left and _id(each) not in ids:
            found = _play(each, before, places)
        if found is None:
            left.add(table_id)
            decided.rest.append(each)
        elif isinstance(found, Illegal):
            decided.refused.append((each, found))
        else:
            ids.add(_id(each))
            heads[table_id] = found.after
            decided.played.append(found)
    return decided


def _current(seqs: Mapping[int, int]) -> dict[int, Known]:
    """Return the locked tables that this process knows, each as its row stands.

    Where another process has written, its entries are folded on.
    """
    found = {pk: each for pk in seqs if (each := known.get(pk)) is not None}
    behind = [pk for pk, each in found.items() if each.seq < seqs[pk]]
    if behind:
        for table in Table.objects.filter(pk__in=behind).defer("state"):
            found[table.pk] = ledger.known_of(table, found[table.pk])
    return {pk: each for pk, each in found.items() if each.seq == seqs[pk]}


def _play(asked: Asked, before: Known, places: _Places) -> _Played | Illegal | None:
    """Decide one command, or return why the rules refuse it; None where it is not for a batch."""
    if not _is_plain(asked, places):
        return None
    actor, request = asked.actor, asked.request
    seat = actor.bot_seat
    if actor.player_id is not None:
        seat = places.seats[asked.table_id, actor.player_id]
    config = plugin.game(before.about.game_id)
    rules, dice = config.rules, before.dice()
    command = Command(request.name, seat, request.args, request.basis)
    try:
        play.check_at(request, before.seq)
        decision = rules.decide(before.state, command, dice, before.seq + 1)
    except Illegal as refusal:
        return refusal
    state = decision.state
    if rules.is_over(state) or rules.gone(state) != rules.gone(before.state):
        return None
    if config.played_on(state) != config.played_on(before.state):
        return None
    if chat_lines.is_silence_over(before.about.game_id, before.state, state, is_running=True):
        return None
    levels = places.levels[asked.table_id]
    open_now = deadlines.open_choices(before.about.game_id, state, levels)
    clocks, due_at = deadlines.after(before.about.game_id, open_now, levels, before.clocks)
    drawn = before.dice_drawn + len(dice.thrown)
    after = Known(before.about, before.seq + 1, state, drawn, clocks, before.state_seq, before.sat)
    return _Played(asked, seat, decision.events, dice.thrown, after, due_at, open_now)


def _is_plain(asked: Asked, places: _Places) -> bool:
    """Tell whether a command is the game's own, by somebody who sits at the table."""
    actor, request = asked.actor, asked.request
    if not 0 < len(request.command_id) <= play.LONGEST_COMMAND_ID:
        return False
    if request.name.startswith(house.PREFIX):
        return False
    if actor.player_id is None:
        return True
    return request.basis is not None and (asked.table_id, actor.player_id) in places.inside


def _write(played: Sequence[_Played]) -> list[Known]:
    """Write the entries, the results and the heads; return the tables as they stand then."""
    now = datetime.now(UTC)
    rows.insert([_entry(each) for each in played], now)
    for each in played:
        _record(each, now)
    last = {each.asked.table_id: each for each in played}
    heads = [(_stored(each.after), each.due_at) for each in last.values()]
    rows.move_on([_head(after, due_at) for after, due_at in heads])
    return [after for after, _ in heads]


def _entry(each: _Played) -> rows.EntryRow:
    request = each.asked.request
    return rows.EntryRow(
        each.asked.table_id,
        each.after.seq,
        _id(each.asked)[1],
        {"name": request.name, "args": request.args, "basis": request.basis},
        each.seat,
        each.asked.actor.player_id,
        [event.to_json() for event in each.events],
        each.dice,
    )


def _record(each: _Played, now: datetime) -> None:
    """Write the results of an entry that ended a game."""
    rules = plugin.game(each.after.about.game_id).rules
    if all(rules.outcome(event) is None for event in each.events):
        return
    table = Table.objects.select_related("night").defer("state").get(pk=each.asked.table_id)
    results.record(table, replay.Entry(each.after.seq, each.events), now)


def _stored(after: Known) -> Known:
    """Return a table with its state to be stored, where it is time for that."""
    is_due = after.seq - after.state_seq >= STATE_EVERY
    return replace(after, state_seq=after.seq) if is_due else after


def _head(after: Known, due_at: datetime | None) -> rows.HeadRow:
    rules = plugin.game(after.about.game_id).rules
    state = rules.dump(after.state) if after.state_seq == after.seq else None
    return rows.HeadRow(
        after.about.table_id,
        after.seq,
        after.dice_drawn,
        after.clocks,
        due_at,
        state,
        rules.version,
    )


def _news(each: _Played, state_seq: int) -> feed.TableNews:
    return feed.TableNews(
        table_id=each.asked.table_id,
        public_id=each.after.about.public_id,
        game_id=each.after.about.game_id,
        seq=each.after.seq,
        events=each.events,
        state=each.after.state,
        clocks=each.after.clocks,
        command_id=each.asked.request.command_id,
        actor_id=each.asked.actor.player_id,
        meta=False,
        dice_drawn=each.after.dice_drawn,
        state_seq=state_seq,
        due_at=each.due_at,
        open_now=each.open_now,
    )

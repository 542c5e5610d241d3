"""Commands `table.…` at a running table: of the host, and of players that come or go; each declared beside its service.

Each is an entry of the table's log that everybody sees. The host sees nothing hidden and cannot
influence the dice; where the game is concerned (a player leaves for good, the turn of an absent player
is played, an open-ended table ends) the rules decide, through their own house commands.

Game clocks that can be put in at a running table, as house rules and in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_lazy as _

from games import plugin
from games.game_texts import gettext_of
from games.kernel.contract import (
    CLOCK,
    CLOSE,
    CLOSE_AFTER,
    LEAVE,
    LEAVE_AFTER,
    OCCUPY,
    PLACE,
    STATE_RESULT,
    TAKE_BACK,
    TAKE_BACK_GAME,
    TIMEOUT,
    VACATE,
    Event,
    Illegal,
    JsonObject,
)
from games.kernel.replay import is_house
from games.models import Result, Table
from games.services.acts import Act
from games.services.arguments import Level, Occupied, Said, Told, Whole
from games.services.commands import Request
from games.services.nights import former_hosts
from games.services.seats import bots_at_play, seats
from games.services.seats.seats import SeatRow
from games.services.tables import deadlines, log, throws
from games.services.tables.decisions import QUIET_ENTRIES, AuditNote, LockedTable, TableDecision
from games.services.tables.registry import COMMANDS, TableRight
from games.services.tables.seating import acceptance, joining, keeping

PREFIX = "table."
DECLARING = (acceptance, joining, keeping, throws)
"""The modules that declare acts at a table, beside this one."""
_SEATING = ("table.join", "table.substitute")


def decide(
    table: LockedTable, player_id: int | None, name: str, args: JsonObject, seat: int | None = None
) -> TableDecision:
    """Return the decision of a command of the host, or of a player that comes or goes; `seat` is the seat acted for.

    Raises Illegal: `unknown_command`, `not_host`, `taken_over_lately`, `not_started`, `finished`, `bad_argument`,
    `not_seated`, `not_keeper`, `other_sitter`, and the codes of the single acts.
    """
    if name not in COMMANDS:
        raise Illegal("unknown_command", name=name)
    if table.snapshot.status == Table.Status.LOBBY:
        raise Illegal("not_started")
    if table.snapshot.status == Table.Status.FINISHED:
        raise Illegal("finished")
    return carried_out(table, player_id, name, _allowed(table, player_id, name, args, seat), seat)


def seats_bot(request: Request) -> bool:
    """Tell whether a command puts a bot on a seat."""
    return request.name in _SEATING and "bot" in request.args


def carried_out(
    table: LockedTable, player_id: int | None, name: str, args: JsonObject, seat: int | None
) -> TableDecision:
    """Return the decision of a command that is allowed, with its arguments as they are carried out; raises Illegal."""
    act = COMMANDS[name]
    if act.names_sitter:
        seats.check_sitter(table.seats, args)
    decision = replace(_decided(table, act, args), args=args)
    if act.right == TableRight.SEAT:
        entered = keeping.entered(table, player_id, seat, decision.events)
        decision = replace(decision, events=(*decision.events, *entered))
    code = next(iter(act.audit), "")
    if player_id is None or not code:
        return decision
    about = {"table": table.snapshot.public_id, **({"seat": args["seat"]} if "seat" in args else {})}
    return replace(decision, audit=AuditNote(code, about))


def _decided(table: LockedTable, act: Act, args: JsonObject) -> TableDecision:
    """Return the decision of an act's service; where the game lists no such move, its last argument is refused."""
    try:
        decided: TableDecision = act.service(table, **act.keywords(args))
    except Illegal as refusal:
        if refusal.code != "bad_args" or not act.parameters:
            raise
        raise Illegal("bad_argument", name=act.parameters[-1].name) from None
    return decided


def _allowed(table: LockedTable, player_id: int | None, name: str, args: JsonObject, seat: int | None) -> JsonObject:
    """Return the arguments to carry out; raises `not_host`, `taken_over_lately` for acts of the host alone."""
    is_host = player_id is None or table.row.night.host_id == player_id
    is_join = name == "table.join"
    if name == "table.leave":
        return {"seat": _acted_for(table, player_id, seat, name)}
    if name == throws.TIP:
        return {"seat": _acted_for(table, player_id, seat, name), "tip": args.get("tip")}
    if name == "table.accept":
        return {"seat": _acted_for(table, player_id, seat, name), "by": player_id, **_age(args)}
    if is_join and not args.keys() - {"adult"} and player_id is not None:
        return {"player": player_id, "by_host": is_host, "in_person": True, **_age(args)}
    if is_join and player_id is not None:
        _check_may_seat(table, player_id, args)
    else:
        COMMANDS.check(table, player_id, name)
    if COMMANDS[name].settles and player_id is not None:
        former_hosts.check_trial(table.row.night)
    if is_join:
        # The house alone brings people who have accepted the same rules at another table.
        args = {**args, "by_host": True, "in_person": player_id is None and args.get("has_accepted") is True}
    if name == "table.pause" and not args.get("host_away"):
        return {"by_house": True} if player_id is None else {}
    return {**args, "by": player_id} if name in _SEATING else args


def _check_may_seat(table: LockedTable, player_id: int, args: JsonObject) -> None:
    """Raise `not_host` unless a player may seat another: the host anybody, the scorekeeper people without a phone."""
    if player_id == table.row.night.host_id:
        return
    newcomer_id = args.get("player")
    is_id = isinstance(newcomer_id, int) and not isinstance(newcomer_id, bool)
    if player_id != table.row.scorekeeper_id or not is_id or not keeping.is_kept(table.snapshot.night_id, newcomer_id):
        raise Illegal("not_host")


def _age(args: JsonObject) -> JsonObject:
    """Return the argument `adult` (the sender says to be of age), if it was given."""
    return {"adult": args["adult"] is True} if "adult" in args else {}


def _acted_for(table: LockedTable, player_id: int | None, seat: int | None, name: str) -> int:
    """Return the seat for which a player comes or goes: their own, or that of a person without a phone.

    A tip is of the own device alone. Raises `not_seated`, `not_keeper`.
    """
    if player_id is None or seat is None:
        raise Illegal("not_seated")
    found = table.seats[seat]
    if found.player_id != player_id and (found.keeper_id is None or name == throws.TIP):
        raise Illegal("not_keeper")
    return seat


def _event_decision(table: LockedTable, event: Event) -> TableDecision:
    """Return a decision with one event and no change of game or seats."""
    return TableDecision((event,), table.snapshot.state)


@COMMANDS.act("table.pause", TableRight.HOST)
def _pause(table: LockedTable, host_away: Said = False, *, by_house: bool = False) -> TableDecision:
    """Stop the clocks; the game's commands are refused until the host resumes."""
    if table.is_paused:
        raise Illegal("paused")
    why = "host_away" if host_away else "house" if by_house else "host"
    event = Event("table.paused", {"why": why})
    clocks = deadlines.shifted(table.snapshot.clocks, paused=True)
    return replace(_event_decision(table, event), status=Table.Status.PAUSED, clocks=clocks)


@COMMANDS.act("table.resume", TableRight.HOST)
def _resume(table: LockedTable) -> TableDecision:
    """Resume: each clock runs with the time it had left."""
    if not table.is_paused:
        raise Illegal("not_paused")
    clocks = deadlines.shifted(table.snapshot.clocks, paused=False)
    return replace(_event_decision(table, Event("table.resumed")), status=Table.Status.PLAYING, clocks=clocks)


def _sitters_seat(table: LockedTable, index: int) -> SeatRow:
    """Return the seat that a player is to leave; raises `bad_argument`, `seat_empty`."""
    seat = seats.seat_at(table.seats, index)
    if seat.player_id is None:
        raise Illegal("seat_empty")
    return seat


@COMMANDS.act("table.leave", TableRight.SEAT)
def _leave(table: LockedTable, seat: int) -> TableDecision:
    """Empty a seat that its player leaves: the game's rule for leaving applies, or the host chooses what follows.

    While the game is paused nothing can be decided in it, so then the seat always waits for the host.
    """
    found = _sitters_seat(table, seat)
    event, left = seats.seat_event(found, "table.left"), seats.emptied(found)
    is_at_once = plugin.game(table.snapshot.game_id).leaving == plugin.LEAVING_AT_ONCE
    if is_at_once and not table.is_paused and table.lists(LEAVE, {"seat": seat}, table.snapshot.state):
        return table.house_command(event, LEAVE, {"seat": seat}, left)
    return table.passed_on(event, _freed(found), left)


@COMMANDS.act("table.kick", TableRight.HOST, audit={"table_kick": _("took somebody off a seat")})
def _kick(table: LockedTable, seat: Occupied) -> TableDecision:
    """Remove a player from a seat by order of the host."""
    found = _sitters_seat(table, seat)
    return table.passed_on(seats.seat_event(found, "table.kicked"), _freed(found), seats.emptied(found))


@COMMANDS.act("table.move", TableRight.HOST, audit={"table_move": _("sent somebody to another table")})
def _move(table: LockedTable, seat: Occupied) -> TableDecision:
    """Let a person go to another table at no cost: after the running game, or now between two games.

    Raises `not_open` where the game cannot let the person go so.
    """
    found = _sitters_seat(table, seat)
    head, of_seat = seats.seat_event(found, "table.moved"), {"seat": seat}
    if table.lists(LEAVE_AFTER, of_seat, table.snapshot.state):
        return table.house_command(head, LEAVE_AFTER, of_seat)
    if not table.lists(CLOSE, {}, table.snapshot.state):
        raise Illegal("not_open")
    return table.house_command(head, LEAVE, of_seat)


def _freed(seat: SeatRow) -> list[str]:
    """Return the house commands when a seat's person or bot goes: none for a person that has not accepted the rules.

    To the game such a person never sat there, so nothing is to be paid for leaving.
    """
    return [] if seat.must_accept else [VACATE]


@COMMANDS.act("table.substitute", TableRight.HOST, audit={"table_substitute": _("gave a seat to somebody else")})
def _substitute(
    table: LockedTable,
    seat: Occupied,
    player_id: Whole | None = None,
    bot: Level | None = None,
    *,
    adult: Said = False,
    by: int | None = None,
) -> TableDecision:
    """Give a seat, as it is, to a bot (`bot`: level) or a member of the night (`player`: id).

    A member with a phone accepts the rules card before playing; the seat is vacant to the game until then.
    """
    found = seats.seat_at(table.seats, seat)
    if found.index in table.gone:
        raise Illegal("seat_gone")
    if bot is not None:
        seats.check_bots(table.snapshot.game_id, table.row.options)
        if not found.bot_level:
            bots_at_play.check(table.row.night, table.row.pk, table.bots + 1)
        filled = seats.with_bot(table.snapshot.game_id, table.seats, found, bot)
    else:
        filled = seats.with_member(table.snapshot.night_id, table.seats, found, player_id)
    filled = acceptance.seated(table, filled, is_adult=adult, by=by)
    acts = [*([] if found.player_id is None else _freed(found)), *([] if filled.must_accept else [OCCUPY])]
    event = seats.sits_down(filled, "table.substituted", before=found.name)
    return table.passed_on(event, acts, filled).with_more(acceptance.accepted_by(filled))


@COMMANDS.act("table.forfeit", TableRight.HOST, audit={"table_forfeit": _("took a seat out of the game")}, settles=True)
def _forfeit(table: LockedTable, seat: Occupied) -> TableDecision:
    """Apply the game's rule for leaving to a seat that its player left for good and nobody takes."""
    found = seats.seat_at(table.seats, seat)
    head = seats.seat_event(found, "table.forfeited")
    return table.house_command(head, LEAVE, {"seat": seat}, seats.emptied(found))


@COMMANDS.act("table.play_on", TableRight.HOST)
def _play_on(table: LockedTable, seat: Occupied) -> TableDecision:
    """Play the turn of an absent player as the clock would; raises `not_accepted` for one without a clock."""
    found = seats.seat_at(table.seats, seat)
    if found.must_accept:
        raise Illegal("not_accepted", names=found.name)
    return table.house_command(seats.seat_event(found, "table.played_on"), TIMEOUT, {"seat": seat})


@COMMANDS.act("table.close", TableRight.HOST, audit={"table_close": _("ended a table with its result")}, settles=True)
def _close(table: LockedTable) -> TableDecision:
    """End an open-ended table with its result, if the rules allow it."""
    return table.house_command(Event("table.closed"), CLOSE, {})


@COMMANDS.act("table.close_after", TableRight.HOST, settles=True)
def _close_after(table: LockedTable, on: Said) -> TableDecision:
    """Announce that an open-ended table closes after the current game, or withdraw the announcement."""
    return table.house_command(Event("table.closing_announced", {"on": on}), CLOSE_AFTER, {"on": on})


@COMMANDS.act("table.clock", TableRight.HOST, audit={"table_clock": _("put game clocks in")})
def _clock(table: LockedTable, rules: Told) -> TableDecision:
    """Put game clocks in from the next game on; `rules` is one of the sets of house rules that the game lists."""
    return table.house_command(Event("table.clock_put_in"), CLOCK, rules)


@COMMANDS.act("table.place", TableRight.HOST)
def _place(table: LockedTable, seat: Occupied, to: Whole) -> TableDecision:
    """Move a seat to another place in the order of play, if the host sets it."""
    found = seats.seat_at(table.seats, seat)
    return table.house_command(seats.seat_event(found, "table.placed"), PLACE, {"seat": seat, "to": to})


@COMMANDS.act(
    "table.take_back",
    TableRight.HOST,
    audit={"table_take_back": _("took back what was told of a real table")},
    settles=True,
)
def _take_back(table: LockedTable, seat: Occupied) -> TableDecision:
    """Undo the last act that a seat entered for the real table, if the game lets the host do so."""
    found = seats.seat_at(table.seats, seat)
    return table.house_command(seats.seat_event(found, "table.taken_back"), TAKE_BACK, {"seat": seat})


@COMMANDS.act(
    "table.state_result", TableRight.HOST, audit={"table_state_result": _("stated a result alone")}, settles=True
)
def _state_result(table: LockedTable, result: Told) -> TableDecision:
    """State alone the result of a game at the real table; `result` is one of the results that the rules list."""
    return table.house_command(Event("table.result_stated"), STATE_RESULT, result)


@COMMANDS.act("table.end", TableRight.HOST, audit={"table_end": _("broke a table off")}, settles=True)
def _end(table: LockedTable) -> TableDecision:
    """Break off a table without a result."""
    return replace(_event_decision(table, Event("table.broken_off")), status=Table.Status.FINISHED)


@COMMANDS.act("table.nudge", TableRight.HOST)
def _nudge(table: LockedTable, seat: Occupied) -> TableDecision:
    """Nudge a seat: its phone sounds or vibrates."""
    return _event_decision(table, seats.seat_event(seats.seat_at(table.seats, seat), "table.nudged"))


def offered_game_clocks(table: Table) -> list[tuple[JsonObject, str]]:
    """Return the house rules of the clocks that the host may put in now, each with its values in words."""
    if table.status != Table.Status.PLAYING:
        return []
    game = plugin.game(table.game_id)
    listed = next((c.options for c in game.rules.choices(log.state_of(table), None) if c.name == CLOCK), ())
    return [(rules, _in_words(game, rules)) for rules in listed]


def game_clock_choices(table: Table) -> list[list[tuple[str, str]]]:
    """Return the values of each of these house rules, kind and effect, with their labels: two choices of a form."""
    game, listed = plugin.game(table.game_id), [rules for rules, _words in offered_game_clocks(table)]
    found = []
    for rule in listed[0] if listed else ():
        values = list(dict.fromkeys(rules[rule] for rules in listed))
        found.append([(value, _in_words(game, {rule: value})) for value in values])
    return found


def _in_words(game: plugin.GameConfig, rules: Mapping[str, Any]) -> str:
    """Return chosen values of house rules as their labels."""
    labels = {rule: {pick.id: pick.label for pick in getattr(game.options[rule], "picks", ())} for rule in rules}
    return " · ".join(gettext_of(game, labels[rule][value]) for rule, value in rules.items())


@COMMANDS.act(
    "table.take_back_game",
    TableRight.HOST,
    audit={"table_take_back_game": _("took back games that were played without the house")},
    settles=True,
)
def _take_back_game(table: LockedTable) -> TableDecision:
    """Take back what was handed over last; raises `not_open` once something has come after it."""
    if not has_been_handed_over(table.snapshot.table_id, table.snapshot.seq):
        raise Illegal("not_open")
    return taken_back(table, TAKE_BACK_GAME, {}, Event("table.game_taken_back"))


HAND_OVER = "table.hand_over"
"""The name of the command in the entry of a game that was handed over (handover.py)."""


def has_been_handed_over(table_id: int, seq: int) -> bool:
    """Tell whether the last thing of the game up to an entry is one that was played without the house."""
    last = log.entries(table_id, after=max(0, seq - QUIET_ENTRIES))
    of_game = [entry for entry in last if not all(is_house(event) for event in entry.events)]
    return bool(of_game) and of_game[-1].command["name"] == HAND_OVER


def taken_back(table: LockedTable, name: str, args: JsonObject, head: Event) -> TableDecision:
    """Return the decision of a command that takes something back; a result among it becomes a correction."""
    found = table.house_command(head, name, args)
    outcomes = (table.game.rules.outcome(event) for event in found.events[1:])
    seqs = [seq for outcome in outcomes if outcome is not None for seq in outcome.amended]
    results = Result.objects.filter(table=table.snapshot.table_id, seq__in=seqs, is_correction=False)
    return replace(found, corrects=results.first()) if seqs else found

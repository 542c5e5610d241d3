"""The rights over seats of people without a phone: the right to act for a seat, and to see its view.

The keeper of such a seat is the table's scorekeeper, else the member that brought the person; the host may act
for it, too. Where real equipment lies on the table, host and scorekeeper may also enter for people with phones that
have accepted the rules: what everybody reads at once, with a mark, and they see no more by it. No consent by which
points move is given by the player that gets them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from games import plugin
from games.kernel.contract import CORRECT, OVER, Command, Event, Illegal, JsonObject, Seat
from games.models import Membership, Player, ResultLine, Table
from games.services.arguments import Whole
from games.services.commands import Actor, Request
from games.services.seats import seats
from games.services.seats.seats import SeatRow
from games.services.tables.decisions import LockedTable, TableDecision
from games.services.tables.log import ENTERED
from games.services.tables.registry import COMMANDS, TableRight


def keeper_of(kept_by: int | None, scorekeeper: int | None) -> int | None:
    """Return the keeper of a seat: None if its person has a phone (`kept_by` is None)."""
    return None if kept_by is None else scorekeeper or kept_by


def is_entrusted(table: LockedTable, player_id: int) -> bool:
    """Tell whether a player is the host or the table's scorekeeper."""
    return player_id in (table.row.night.host_id, table.row.scorekeeper_id)


def is_real(table: Table) -> bool:
    """Tell whether real equipment lies on a table: a board or dice."""
    return plugin.game(table.game_id).medium(table.options) != plugin.SCREEN


def seat_of(table: LockedTable, actor: Actor, request: Request) -> Seat | None:
    """Return the seat that the actor acts for: the one that the request names, else the actor's own.

    Raises `removed` for a removed player, `bad_argument`, `not_keeper` and `other_sitter` for a seat that the actor may
    not act for.
    """
    if actor.player_id is None:
        return actor.bot_seat
    seat = table.seat_of(actor.player_id)
    if not (table.is_inside(actor.player_id) if seat is None else seat.is_in):
        raise Illegal("removed")
    if request.seat is not None:
        return _seat_named(table, actor.player_id, request)
    return None if seat is None else seat.index


def _seat_named(table: LockedTable, player_id: int, request: Request) -> int:
    """Return the seat that a request names, if its player may act for it; raises `bad_argument`, `not_keeper`.

    Raises `other_sitter` if the request names a sitter that is not there.
    """
    seat = seats.seat_at(table.seats, request.seat)
    if seat.player_id != player_id and not _may_act_for(table, player_id, seat):
        raise Illegal("not_keeper")
    if request.sitter is not None:
        seats.check_is(seat, request.sitter)
    return seat.index


def _may_act_for(table: LockedTable, player_id: int, seat: SeatRow) -> bool:
    """Tell whether a player may act for another person's seat."""
    if seat.player_id is None:
        return False
    if seat.keeper_id is None:
        return is_entrusted(table, player_id) and is_real(table.row)
    return is_entrusted(table, player_id) or keeper_of(seat.keeper_id, table.row.scorekeeper_id) == player_id


def check_may_enter(table: LockedTable, player_id: int, seat: SeatRow, name: str) -> None:
    """Raise Illegal unless a player may now send a command of the game for a seat that they may act for.

    `accept_first` and `not_accepted` until the seat's person has accepted the rules; for a person with a phone
    `not_keeper` for talk, for consents and for what is sealed (`GameConfig.may_be_entered`).
    """
    if seat.must_accept:
        raise Illegal("accept_first") if seat.player_id == player_id else Illegal("not_accepted", names=seat.name)
    if seat.player_id == player_id or seat.keeper_id is not None:
        return
    if not table.game.may_be_entered(table.snapshot.state, seat.index, name):
        raise Illegal("not_keeper")


def checked(
    table: LockedTable, player_id: int | None, command: Command, events: tuple[Event, ...]
) -> tuple[Event, ...]:
    """Return the events of a command of the game, after the one that names who entered it for another's seat.

    Raises Illegal for a consent or a correction that its sender may not enter.
    """
    _check_consent(table, player_id, command)
    if command.name == CORRECT:
        _check_correction(table, player_id, command.seat, events)
    return (*entered(table, player_id, command.seat, events), *events)


def _check_consent(table: LockedTable, player_id: int | None, command: Command) -> None:
    """Raise `own_gain` for a consent for another's seat by which the consenting player gets points."""
    if player_id is None or command.seat is None or table.seats[command.seat].player_id == player_id:
        return
    payees = table.game.rules.payees(table.snapshot.state, command)
    if any(table.seats[index].player_id == player_id for index in payees):
        raise Illegal("own_gain", name=table.seats[command.seat].name)


def _check_correction(table: LockedTable, player_id: int | None, index: int | None, events: tuple[Event, ...]) -> None:
    """Raise Illegal unless a seat's own correction is paid by its person, to people who have played on their seats.

    `not_keeper` for one that is entered for another: only the host pays for a person without a phone, and nothing to
    the host; `other_people` for seats on which others have played.
    """
    outcomes = (table.game.rules.outcome(event) for event in events)
    points = {i: n for outcome in outcomes if outcome is not None for i, n in outcome.points.items()}
    own = None if index is None else table.seats[index]
    if own is not None and player_id is not None and own.player_id != player_id:
        host_id = table.row.night.host_id
        to_host = any(n > 0 and table.seats[i].player_id == host_id for i, n in points.items())
        if own.keeper_id is None or player_id != host_id or to_host:
            raise Illegal("not_keeper")
    _check_played(table, points)


def _check_played(table: LockedTable, indexes: Iterable[int]) -> None:
    """Raise Illegal `other_people` if others than those on the seats now have played all games on one of them."""
    for index in indexes:
        _, player, is_bot = seats.played_by(table.seats[index], table.snapshot.sat)
        player_id = player.pk if isinstance(player, Player) else player
        lines = ResultLine.objects.filter(result__table=table.row, result__is_correction=False, seat=index)
        played = set(lines.values_list("player", "is_bot"))
        if played and (player_id, is_bot) not in played:
            raise Illegal("other_people")


def is_kept(night_id: int, player_id: int | None) -> bool:
    """Tell whether a player is at a night without a phone."""
    if player_id is None:
        return False
    return Membership.objects.filter(night_id=night_id, player__id=player_id, keeper__isnull=False).exists()


def entered(
    table: LockedTable, player_id: int | None, index: int | None, events: tuple[Event, ...]
) -> tuple[Event, ...]:
    """Return the event naming the player that entered events for another's seat; empty for the player's own seat.

    Everybody reads it of a person with a phone, for whom nothing secret is entered. For others, if some of the events
    are not for everybody, only the seat may read it until the end: the mere fact that the seat has answered may be a
    secret.
    """
    if player_id is None or index is None or table.seats[index].player_id == player_id:
        return ()
    by = table.seat_of(player_id)
    name = by.name if by is not None else Player.objects.get(pk=player_id).nickname
    event = Event(ENTERED, {"seat": index, "by": name, "by_player": player_id})
    if table.seats[index].keeper_id is not None and any(each.audience is not None for each in events):
        event = replace(event, audience=(index,), until=OVER)
    return (event,)


@COMMANDS.act("table.scorekeeper", TableRight.HOST, audit={"table_scorekeeper": _("named a scorekeeper")})
def name_scorekeeper(table: LockedTable, player_id: Whole) -> TableDecision:
    """Name a member of the night as the table's scorekeeper; raises `no_such_player`, `no_phone`."""
    member = member_with_phone(table.snapshot.night_id, player_id)
    event = Event("table.scorekeeper_named", {"player": member.player_id, "name": member.player.nickname})
    return TableDecision((event,), table.snapshot.state, scorekeeper=member.player_id)


def member_with_phone(night_id: int, player_id: object) -> Membership:
    """Return a member of a night with a phone; raises `bad_argument`, `no_such_player`, `no_phone`."""
    if isinstance(player_id, bool) or not isinstance(player_id, int):
        raise Illegal("bad_argument", name="player")
    inside = Membership.objects.filter(night_id=night_id, player__id=player_id, status=Membership.Status.IN)
    member = inside.select_related("player").first()
    if member is None:
        raise Illegal("no_such_player")
    if member.keeper_id is not None:
        raise Illegal("no_phone")
    return member


def taken_over(table: LockedTable, args: JsonObject) -> TableDecision:
    """Return the decision that records that the person of a seat now plays with their own phone."""
    seat = seats.seat_at(table.seats, args.get("seat"))
    return TableDecision((seats.seat_event(seat, "table.taken_over"),), table.snapshot.state)

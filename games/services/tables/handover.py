"""The hand-over of games that were played while the house was out of reach (contract.PLAYED).

A device hands its list over with the number of the entry that it saw last. Each game becomes an entry of the table's
log, in the order of the list and once, whoever sends it and however often: its id, which the device made, is that of
its command. The first game that the rules refuse stays on the device with all after it.

Who may enter for others at the table hands over at once: the host and the scorekeeper, at a table without one whoever
sits there. Anybody else's list waits until the host takes it (`HandOver`), and so does one that is not the host's where
something has happened since: then the host chooses what counts, `house`, `device` (what came since is taken back) or
`both`, one after the other. Where the house has another address now, a device is nobody there: its list is proposed
under the name that they say (`propose`), and waits in any case.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.db import transaction

from games import plugin
from games.kernel.contract import PLAYED, Event, Illegal, JsonObject
from games.kernel.replay import is_house
from games.models import HandOver, Membership, Night, Player, Table
from games.services.commands import HOUSE, Request, new_command_id
from games.services.nights import former_hosts
from games.services.people import players
from games.services.publication import table_changed
from games.services.tables import host_commands, log
from games.services.tables.commit import commit, submit
from games.services.tables.decisions import LockedTable, Submission, TableDecision, check_playing
from games.services.tables.log import LoggedEntry, Receipt

MOST_GAMES = 200
MOST_WAITING, MOST_OF_STRANGERS = 10, 4
"""The most lists of a table that wait at the same time: of members of its night, and of devices without a player."""
MOST_TAKEN_BACK = 60
"""The most steps by which a table is brought back to the entry that a device saw last."""
HIGHEST_NUMBER = 1_000_000
KEEP_HOUSE, KEEP_DEVICE, KEEP_BOTH = "house", "device", "both"
WAYS = (KEEP_HOUSE, KEEP_DEVICE, KEEP_BOTH)
_ID = re.compile(r"[A-Za-z0-9_-]{8,32}", re.ASCII)
_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]", re.ASCII)


@dataclass(frozen=True, slots=True)
class HandedGame:
    """A game of a list: the device's own id and number, the time that the device showed ("21:14"), the form as told."""

    id: str
    number: int
    at: str
    game: JsonObject

    def to_json(self) -> JsonObject:
        """Return the game as it is kept."""
        return {"id": self.id, "number": self.number, "at": self.at, "game": self.game}


@dataclass(frozen=True, slots=True)
class PlayedList:
    """A list as a device hands it over; `seq` is the entry that the device saw last.

    `keep` is the host's choice in a conflict, made for the table as it is after entry `upto`.
    """

    seq: int
    games: tuple[HandedGame, ...]
    keep: str = ""
    upto: int | None = None


@dataclass(frozen=True, slots=True)
class HandedOver:
    """The answer to a list: ids and entries of the games `written`, and the first one `refused`, with why.

    `since` are the entries that came after the one that the device saw, where the host has to choose. `waits`: the list
    waits until the host takes it, under this id; 0 where the device has no player here.
    """

    written: tuple[tuple[str, int], ...] = ()
    refused: tuple[str, Illegal] | None = None
    since: tuple[LoggedEntry, ...] = ()
    waits: int | None = None


def read(told: object) -> tuple[HandedGame, ...]:
    """Return the games of a list as sent, in the order of their numbers.

    Raises Illegal `bad_form` with the field, `too_many_games`.
    """
    if not isinstance(told, list) or not told:
        raise Illegal("bad_form", field="games")
    if len(told) > MOST_GAMES:
        raise Illegal("too_many_games", most=MOST_GAMES)
    games = sorted((_read(one) for one in told), key=lambda one: one.number)
    for name, values in (("id", {one.id for one in games}), ("number", {one.number for one in games})):
        if len(values) < len(games):
            raise Illegal("bad_form", field=name)
    return tuple(games)


def _read(told: object) -> HandedGame:
    if not isinstance(told, dict) or set(told) != {"id", "number", "at", "game"}:
        raise Illegal("bad_form", field="games")
    own_id, number, at, game = (told[name] for name in ("id", "number", "at", "game"))
    is_right = {
        "id": isinstance(own_id, str) and _ID.fullmatch(own_id) is not None,
        "number": type(number) is int and 0 < number <= HIGHEST_NUMBER,
        "at": isinstance(at, str) and _TIME.fullmatch(at) is not None,
        "game": isinstance(game, dict),
    }
    for name, is_so in is_right.items():
        if not is_so:
            raise Illegal("bad_form", field=name)
    return HandedGame(own_id, number, at, game)


def may_enter(table: Table, player: Player) -> bool:
    """Tell whether a player's list is written at once: who enters for others there, or sits at a table without one."""
    if player.pk in (table.night.host_id, table.scorekeeper_id):
        return True
    sits = table.seats.filter(player=player, accepted_at__isnull=False)
    return table.scorekeeper_id is None and sits.exists()


@transaction.atomic
def hand_over(table_id: int, by: Player, told: PlayedList) -> HandedOver:
    """Hand a list over, or let it wait for the host; a conflict of the host's own is told, and nothing written.

    Raises Illegal `not_started`, `paused`, `finished`, `not_without_house`, `throw_under_way`, `bad_form` (the field
    `seq` for an entry that the table does not have), `form_changed` for an id whose game was another one, `not_host`
    for a choice of somebody else, `taken_over_lately`, `too_many_lists`, `cannot_take_back`.
    """
    table = _held(table_id)
    _check_goes_on(table, told)
    if not may_enter(table, by):
        if told.keep:
            raise Illegal("not_host")
        return _wait(table, by, told, is_conflict=False)
    is_host = table.night.host_id == by.pk
    if is_host:
        former_hosts.check_trial(table.night)
    since = _since(table, told)
    if told.keep and not is_host:
        raise Illegal("not_host")
    if not since and told.keep != KEEP_HOUSE:
        return _write(table, by, told, is_whole=False)
    if not is_host:
        return replace(_wait(table, by, told, is_conflict=True), since=since)
    if not told.keep or told.upto != table.seq:
        return HandedOver(since=since)
    return _chosen(table, by, told, since)


def written(table_id: int, games: Sequence[HandedGame]) -> HandedOver:
    """Tell which games of a list stand in the log; nothing is written."""
    table = Table.objects.only("pk").get(pk=table_id)
    found = _receipts(table, games)
    return HandedOver(tuple((own_id, receipt.seq) for own_id, receipt in found.items()))


@transaction.atomic
def propose(public_id: str, by: Player | None, name: str, told: PlayedList) -> HandedOver:
    """Let a list wait for the host that a page of another address brings along, under the name that they say.

    A member of the night proposes as themselves. A device proposes one list: what has a game of an earlier one takes
    its place. Raises Illegal `no_such_table`, `removed`, `too_many_lists`, as `clean_nickname`, and as `hand_over`.
    """
    found = Table.objects.filter(public_id=public_id).first()
    if found is None:
        raise Illegal("no_such_table")
    table = _held(found.pk)
    _check_goes_on(table, told)
    is_conflict = bool(_since(table, told))
    if by is not None:
        member = table.night.memberships.filter(player=by).first()
        if member is not None and member.status == Membership.Status.KICKED:
            raise Illegal("removed")
        if member is not None and member.status == Membership.Status.IN:
            return _wait(table, by, told, is_conflict=is_conflict)
    strangers = table.lists_of_games.filter(player=None)
    ids = {one.id for one in told.games}
    before = [each.pk for each in strangers if ids & {one["id"] for one in each.games}]
    if not before and len(strangers) >= MOST_OF_STRANGERS:
        raise Illegal("too_many_lists", most=MOST_OF_STRANGERS)
    said_name = players.clean_nickname(name)
    strangers.filter(pk__in=before).delete()
    HandOver.objects.create(table=table, said_name=said_name, **_kept(table, told, is_conflict=is_conflict))
    table_changed(table)
    return HandedOver(waits=0)


@transaction.atomic
def answer(table_id: int, row_id: int, by: Player, keep: str, upto: int | None) -> HandedOver:
    """Take a list that waits, as its table's host, or drop it (`keep` is `house`), as who proposed it may, too.

    With `both` it comes after all that is there. In a conflict the choice is for the table after entry `upto`: after
    another one nothing is done, and told what came. A list of which a game was refused stays. Raises Illegal
    `not_host`, `no_such_list`, and as `hand_over`.
    """
    table = _held(table_id)
    row = table.lists_of_games.filter(pk=row_id).select_related("player").first()
    if row is None:
        raise Illegal("no_such_list")
    if keep == KEEP_HOUSE and row.player_id == by.pk:
        return _dropped(table, row)
    if table.night.host_id != by.pk:
        raise Illegal("not_host")
    former_hosts.check_trial(table.night)
    told = PlayedList(row.seq, tuple(HandedGame(**one) for one in row.games), keep, upto)
    if keep == KEEP_HOUSE:
        return _dropped(table, row)
    _check_goes_on(table, told)
    since = _since(table, told)
    if since and upto != table.seq:
        return HandedOver(since=since)
    # What nobody here has played is handed over by who takes it.
    found = _chosen(table, row.player or by, told, since)
    return found if found.refused is not None else _dropped(table, row, found)


def _dropped(table: Table, row: HandOver, found: HandedOver | None = None) -> HandedOver:
    row.delete()
    table_changed(table)
    return found or HandedOver()


def _held(table_id: int) -> Table:
    """Return a table, locked, with its night; raises `no_such_table`."""
    table = log.lock(table_id)
    return Table.objects.select_related("night__host").defer("state").get(pk=table.pk)


def _check_goes_on(table: Table, told: PlayedList) -> None:
    check_playing(table.status)
    if plugin.game(table.game_id).rules.form(table.options) is None:
        raise Illegal("not_without_house")
    if not 0 < told.seq <= table.seq:
        raise Illegal("bad_form", field="seq")
    written = _receipts(table, told.games)
    for one in told.games:
        if one.id in written and written[one.id].entry.command["args"]["game"] != one.game:
            raise Illegal("form_changed")


def _receipts(table: Table, games: Sequence[HandedGame]) -> dict[str, Receipt]:
    """Return the receipts of the games of a list that have been handed over before, by their ids."""
    found = log.accepted((table.pk, f"0:{_command_id(one)}") for one in games)
    return {receipt.entry.command["args"]["id"]: receipt for receipt in found.values()}


def _command_id(game: HandedGame) -> str:
    return f"handed:{game.id}"


def _since(table: Table, told: PlayedList) -> tuple[LoggedEntry, ...]:
    """Return the entries of the game that came after the one that a device saw, but for those of its own list."""
    own = {f"0:{_command_id(one)}" for one in told.games}
    entries = log.entries(table.pk, upto=table.seq, after=told.seq)
    return tuple(
        entry for entry in entries if entry.command_id not in own and not all(is_house(event) for event in entry.events)
    )


def _wait(table: Table, by: Player, told: PlayedList, *, is_conflict: bool) -> HandedOver:
    """Let a list wait for the host, in place of an earlier one of the same player.

    Raises Illegal `not_inside`, `too_many_lists`, `bad_form`.
    """
    inside = table.night.memberships.filter(player=by, status=Membership.Status.IN)
    if not inside.exists():
        raise Illegal("not_inside")
    if table.lists_of_games.exclude(player=by).exclude(player=None).count() >= MOST_WAITING:
        raise Illegal("too_many_lists", most=MOST_WAITING)
    kept = _kept(table, told, is_conflict=is_conflict)
    # The host answers the games that the page showed: others are another list, with another id.
    table.lists_of_games.filter(player=by).exclude(games=kept["games"]).delete()
    row, _ = HandOver.objects.update_or_create(table=table, player=by, defaults=kept)
    table_changed(table)
    return HandedOver(waits=row.pk)


def _kept(table: Table, told: PlayedList, *, is_conflict: bool) -> dict[str, Any]:
    """Return the fields of a list that waits; raises `bad_form` for a game that no page could show."""
    form, seats = plugin.game(table.game_id).rules.form(table.options), table.seats.count()
    if form is not None:
        for one in told.games:
            form.check(one.game, seats)
    return {"seq": told.seq, "games": [one.to_json() for one in told.games], "is_conflict": is_conflict}


def _chosen(table: Table, by: Player, told: PlayedList, since: Sequence[LoggedEntry]) -> HandedOver:
    """Carry out the host's choice; where what came since is taken back, all of the list is written or nothing is.

    Raises `cannot_take_back`, also where games of the list would go with it that were handed over before.
    """
    if told.keep == KEEP_HOUSE:
        return HandedOver()
    if told.keep == KEEP_DEVICE and since:
        if any(receipt.seq > since[0].seq for receipt in _receipts(table, told.games).values()):
            raise Illegal("cannot_take_back")
        with transaction.atomic():
            _take_back(table, by, since[0].seq - 1)
            found = _write(table, by, told, is_whole=True)
            if found.refused is not None:
                transaction.set_rollback(True)
        return found
    return _write(table, by, told, is_whole=False)


def _take_back(table: Table, by: Player, seq: int) -> None:
    """Take back, one after the other, what has been done since an entry; raises `cannot_take_back`."""
    rules = plugin.game(table.game_id).rules
    for _number in range(MOST_TAKEN_BACK):
        found = rules.taking_back(log.state_of(Table.objects.get(pk=table.pk)), seq)
        if found is None:
            return
        request = Request("table.take_back_game", {}, new_command_id())
        submit(table.pk, HOUSE, request, decide=partial(_taken_back, by, *found))
    raise Illegal("cannot_take_back")


def _taken_back(by: Player, name: str, args: JsonObject, table: LockedTable, _sent: JsonObject) -> TableDecision:
    return host_commands.taken_back(table, name, args, Event("table.game_taken_back", _author(by)))


def _author(by: Player) -> JsonObject:
    return {"by": by.nickname, "by_player": by.pk}


def _write(table: Table, by: Player, told: PlayedList, *, is_whole: bool) -> HandedOver:
    """Write the games of a list, each by an entry, up to the first that is refused; if `is_whole`, all or none."""
    refused: list[tuple[str, Illegal]] = []
    answers = commit(
        [
            Submission(
                table.pk,
                HOUSE,
                Request(host_commands.HAND_OVER, one.to_json(), _command_id(one)),
                decide=partial(_decided, by, one, refused),
            )
            for one in told.games
        ]
    )
    faults = [one for one in answers if isinstance(one, Exception) and not isinstance(one, Illegal)]
    if faults:
        raise faults[0]
    pairs = zip(told.games, answers, strict=True)
    written = [(game.id, found.seq) for game, found in pairs if isinstance(found, Receipt)]
    if refused and is_whole:
        written = []
    return HandedOver(tuple(written), refused[0] if refused else None)


def _decided(
    by: Player, game: HandedGame, refused: list[tuple[str, Illegal]], table: LockedTable, _sent: JsonObject
) -> TableDecision:
    """Return the rules' decision on a game; after one that was refused the list goes no further."""
    if refused:
        raise refused[0][1]
    head = Event("table.handed_over", {**_author(by), "number": game.number, "at": game.at})
    try:
        check_playing(table.snapshot.status)
        if table.snapshot.under_way is not None:
            raise Illegal("throw_under_way")
        return table.house_command(head, PLAYED, game.game)
    except Illegal as refusal:
        refused.append((game.id, refusal))
        raise


def waiting(table: Table, player: Player) -> list[Mapping[str, Any]]:
    """Return the lists of a table that wait, as its host sees them; for others their own alone."""
    rows = table.lists_of_games.select_related("player")
    if table.night.host_id != player.pk:
        rows = rows.filter(player=player)
    return [
        {
            "id": row.pk,
            "by": {"player": row.player_id, "name": row.name},
            "seq": row.seq,
            "games": row.games,
            "conflict": row.is_conflict,
        }
        for row in rows
    ]


def of_night(night: Night) -> list[HandOver]:
    """Return the lists that wait for a night's host, each with its table."""
    return list(HandOver.objects.filter(table__night=night).select_related("table", "player").defer("table__state"))

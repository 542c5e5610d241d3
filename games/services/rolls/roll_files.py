"""The rolls of tables: read from their logs, with their throwers, and written as roll files.

A roll file is CSV and holds all data needed to throw its dice again (games/kernel/dice/dice_check.py).
It holds no more than everybody may know. For a table in play it has neither the seed, nor hidden rolls, nor
the numbers of the dice, because gaps in the numbers would show that there are hidden rolls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from games import plugin
from games.kernel import replay
from games.kernel.contract import Event, Illegal, JsonObject
from games.kernel.figures import rolls
from games.kernel.figures.rolls import Roll, Trial
from games.models import LogEntry, Night, Player, Table
from games.services.dice import dice_chains
from games.services.people import players
from games.services.storage import log_files
from games.services.tables import log

FIELDS = ("time", "table", "roller", "kind", "level", "faces", "proof")
SEAL, TIP = "seal", "tip"
HOUSE = "house"
"""Kinds of the rows for seals and tips (SEAL, TIP), and the roller of rolls that no seat threw (HOUSE)."""
CHAINS = "pnd1"
"""Level of rows that hold the beginning of a chain."""


@dataclass(frozen=True, slots=True)
class Thrower:
    """The player or bot that threw for a seat; `player_id` is None for a bot and for a deleted player."""

    name: str
    player_id: int | None = None


@dataclass(frozen=True, slots=True)
class TableRoll:
    """A roll of a table, with its time, its thrower, and the trials that it was."""

    at: datetime
    roll: Roll
    thrower: Thrower | None
    trials: Sequence[Trial] = ()
    throw: JsonObject | None = None
    seq: int = 0


@dataclass(frozen=True, slots=True)
class ChainProof:
    """The beginning of a chain of dice, as the house or a seat published it in entry `seq`."""

    seq: int
    at: datetime
    name: str
    kind: str
    text: str


@dataclass
class RollReading:
    """A table's log while it is read: the throwers by seat, the number of dice drawn, the state for trials."""

    table: Table
    with_trials: bool = False
    throwers: dict[int, Thrower] = field(default_factory=dict)
    drawn: int = 0
    state: Any = None
    opening: JsonObject = field(default_factory=dict)
    seed: str = ""
    proofs: list[ChainProof] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Tell whether the table has ended."""
        return self.table.status == Table.Status.FINISHED

    def rolls(self) -> Iterator[TableRoll]:
        """Yield the rolls that everybody may know, oldest first; raises Illegal `no_log_file`."""
        for row in log.rows(self.table.pk, upto=self.table.seq):
            yield from self._of_entry(row)

    def _of_entry(self, row: LogEntry) -> Iterator[TableRoll]:
        config = plugin.game(self.table.game_id)
        entry = replay.newest(config.rules, replay.Entry(row.seq, tuple(map(Event.from_json, row.events))))
        described: list[Roll] = []
        trials: list[Sequence[Trial]] = []
        for event in entry.events:
            if replay.is_house(event):
                self._house_event(event, row)
                continue
            for roll in self._described(config, event):
                described.append(roll)
                trials.append(self._trials(config, roll))
            if self.with_trials:
                self.state = config.rules.fold(self.state, event, row.seq)
        first, level = (self.drawn, rolls.SEALED) if row.throw is None else (0, row.throw["level"])
        found = rolls.matched(entry.events, described, tuple(row.dice), first, row.seat, level=level)
        self.drawn += len(row.dice)
        is_held = dice_chains.is_held(entry.events) and not self.is_over
        for i, roll in enumerate(found):
            if rolls.is_open(roll, is_over=self.is_over) and not is_held:
                is_described = len(found) == len(described) and roll.kind != rolls.OTHER
                thrower = None if roll.seat is None else self.throwers.get(roll.seat)
                yield TableRoll(row.created_at, roll, thrower, trials[i] if is_described else (), row.throw, row.seq)

    def _described(self, config: plugin.GameConfig, event: Event) -> list[Roll]:
        """Return the rolls in a game's event."""
        if config.thrown is None:
            return []
        return [rolls.with_event(event, roll) for roll in config.thrown.rolls(event)]

    def _trials(self, config: plugin.GameConfig, roll: Roll) -> Sequence[Trial]:
        if not self.with_trials or config.thrown is None:
            return ()
        return config.thrown.trials(self.state, roll)

    def _house_event(self, event: Event, row: LogEntry) -> None:
        """Record the data of a house event: the throwers, the chains, and the seed at the end."""
        data = event.data
        if event.type == "table.started":
            self.opening = data
            self.throwers = {index: _thrower(seat) for index, seat in enumerate(data["seats"])}
            if self.with_trials:
                rules = plugin.game(self.table.game_id).rules
                self.state = rules.initial(self.table.options, len(data["seats"]))
        elif event.type == "table.dice_revealed":
            self.seed = data["seed"]
        elif event.type == dice_chains.COMMITTED:
            text = f"commitment={data['commitment']} first={data['first']} length={data['length']}"
            self.proofs.append(ChainProof(row.seq, row.created_at, HOUSE, SEAL, text))
        elif event.type == dice_chains.TIP:
            name = self.throwers[data["seat"]].name if data["seat"] in self.throwers else HOUSE
            self.proofs.append(ChainProof(row.seq, row.created_at, name, TIP, f"seat={data['seat']} tip={data['tip']}"))
        elif event.type in ("table.joined", "table.substituted"):
            self.throwers[data["seat"]] = _thrower(data)
        elif event.type == "table.bot_plays_on":
            # The result is the leaver's; the dice are not.
            self.throwers[data["seat"]] = Thrower(f"{data['name']} 🤖")

    def seal(self) -> str:
        """Return the proof of the sealed seed; it includes the seed once the table has ended."""
        numbers = ".".join(seat["nonce"].encode().hex() for seat in self.opening["seats"])
        found = f"commitment={self.opening['commitment']} salt={self.opening['salt']} numbers={numbers}"
        return f"{found} seed={self.seed or self.table.dice_seed}" if self.is_over else found


def _thrower(seat: JsonObject) -> Thrower:
    return Thrower(seat["name"], seat["player"])


def of_table(table: Table, *, with_trials: bool = False) -> list[TableRoll]:
    """Return the rolls of a table that everybody may know, oldest first; [] before its start."""
    return list(RollReading(table, with_trials).rolls()) if table.seq else []


# Roll files


def file_rows(tables: Iterable[Table], of: Player | None = None) -> Iterator[Sequence[object]]:
    """Yield the rows of a roll file, under FIELDS: the seals of each table, and its rolls.

    `of` limits the file to the rolls of one player. A table whose log can't be read now is left out.
    """
    ids = None if of is None else ids_of(of)
    for table in tables:
        if not table.seq:
            continue
        reading = RollReading(table)
        try:
            found = list(reading.rolls())
        except Illegal:
            continue
        selected = [each for each in found if ids is None or _is_by(each, ids)]
        if not selected and ids is not None:
            continue
        if not reading.proofs:
            sealed_at = table.started_at or table.created_at
            yield (sealed_at.isoformat(), table.public_id, HOUSE, SEAL, rolls.SEALED, "", reading.seal())
        rows: list[ChainProof | TableRoll] = [*reading.proofs, *selected]
        for each in sorted(rows, key=lambda row: row.seq):
            yield _row(table, each, is_over=reading.is_over)


def _is_by(each: TableRoll, ids: set[int]) -> bool:
    return each.thrower is not None and each.thrower.player_id in ids


def _row(table: Table, each: ChainProof | TableRoll, *, is_over: bool) -> Sequence[object]:
    about = (each.at.isoformat(), table.public_id)
    if isinstance(each, ChainProof):
        return (*about, each.name, each.kind, CHAINS, "", each.text)
    roll, name = each.roll, HOUSE if each.thrower is None else each.thrower.name
    return (*about, name, roll.kind, roll.level, rolls.faces_text(roll.faces), _proof(each, is_over=is_over))


def _proof(each: TableRoll, *, is_over: bool) -> str:
    """Return the data needed to throw a roll again, besides the seals."""
    roll, throw = each.roll, each.throw
    if roll.first is None:
        return ""
    if throw is None:
        return f"first={roll.first}" if is_over else ""
    seat = "" if roll.seat is None else f" seat={roll.seat}"
    links = ".".join(f"{seat}:{link}" for seat, link in throw["links"].items())
    about = f"k={throw['k']} n={throw['n']} at={roll.first}{seat} ctx={throw['ctx']} server={throw['server']}"
    return f"{about} links={links}" if links else about


def ids_of(player: Player) -> set[int]:
    """Return the ids of a player in logs: its own, and the ids of players merged into it."""
    return {player.pk, *players.joined_to(player.pk)}


def tables_of_night(night: Night) -> Iterator[Table]:
    """Yield a night's tables in order, each loaded when it is needed."""
    return _each(night.tables.order_by("number").values_list("pk", flat=True))


def tables_of_house() -> Iterator[Table]:
    """Yield all finished tables of the house, oldest first, without practice."""
    return _each(_finished().order_by("pk").values_list("pk", flat=True))


def tables_of_player(player: Player) -> Iterator[Table]:
    """Yield the finished tables at which a player sat or acted, oldest first, without practice."""
    ids = ids_of(player)
    acted = set(LogEntry.objects.filter(actor__in=ids).values_list("table_id", flat=True).distinct())
    seated = set(_finished().filter(seats__player__in=ids).values_list("pk", flat=True))
    every = acted | seated | log_files.acted_at(ids)
    return (table for table in _each(sorted(every)) if _is_counted(table))


def _finished() -> Any:
    return Table.objects.filter(status=Table.Status.FINISHED, night__is_practice=False, seq__gt=0)


def _is_counted(table: Table) -> bool:
    return table.status == Table.Status.FINISHED and not table.night.is_practice and table.seq > 0


def _each(ids: Iterable[int]) -> Iterator[Table]:
    tables = Table.objects.select_related("night").defer("state")
    for pk in ids:
        table = tables.filter(pk=pk).first()
        if table is not None:
            yield table

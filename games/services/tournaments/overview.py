"""A tournament as pages, files and the API show it: people by name, matches with their tables, times of day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil
from typing import Any

from games.kernel.contract import JsonObject
from games.kernel.tournaments import formats
from games.kernel.tournaments.forecast import pace
from games.kernel.tournaments.phases import world_cup
from games.models import Pairing, Participant, Player, Table, Tournament
from games.services.regions import written
from games.services.tournaments import log, modes
from games.services.tournaments.log import LogReading
from games.services.tournaments.tables import match_tables, session_tables

WAITS_FOR_ALL = {"round_over", "lives_left"}
"""Reasons to wait until all running matches have ended."""


@dataclass(frozen=True, slots=True)
class GoneShown:
    """The effect of somebody's going home on the standing: so many matches were played, of so many.

    `counts`: the matches count, and those that are left are lost; else they leave the standing. `needed` are the
    matches that a place of an open end needs. Until it `is_final`, coming back ends it.
    """

    played: int
    of: int
    counts: bool
    is_final: bool
    needed: int = 0


@dataclass(frozen=True, slots=True)
class Person:
    """A person in the tournament: `status` and `since` as the kernel says them, `since` as a time of day.

    `strength` is what the host keeps, for directors alone.
    """

    key: str
    player: Player
    name: str
    status: str
    since: datetime
    wins: int
    losses: int
    lives: int | None
    byes: int
    has_accepted: bool
    place: int = 0
    strength: int | None = None
    has_paid: bool = False
    bank: int | None = None
    agrees: bool = False
    """Bank and agreement to a last session, of a World-Cup Chouette."""
    is_gone: bool = False
    """Gone home; a match at a board that the house knows nothing of may still be running."""
    gone: GoneShown | None = None


@dataclass(frozen=True, slots=True)
class SessionTable:
    """A table of a session: its people with their points, None while it is played."""

    number: int
    table: Table | None
    people: tuple[tuple[Person, int | None], ...]
    is_over: bool

    @property
    def names(self) -> str:
        """The names of its people."""
        return written.names(person.name for person, _points in self.people)


@dataclass(frozen=True, slots=True)
class SessionShown:
    """A session of a World-Cup Chouette: its tables, and until when it is played (then the running games are)."""

    number: int
    is_last: bool
    until: datetime
    is_over: bool
    tables: tuple[SessionTable, ...]


@dataclass(frozen=True, slots=True)
class MatchShown:
    """A match: its two people, its table or board, and what is known of its end.

    `score` and the points at its `start` are in the order of the people; `score` is None where nobody
    has said it. `told` is what they say: key → winner's key.
    """

    id: str
    one: Person
    other: Person
    status: str
    length: int
    phase: int
    round: int | None
    board: int | None
    table: Table | None
    started: datetime
    ended: datetime | None
    winner: Person | None
    score: tuple[int, int] | None
    told: Mapping[str, str]
    start: tuple[int, int] = (0, 0)
    is_broken_off: bool = False

    @property
    def pair(self) -> tuple[Person, Person]:
        """The two people."""
        return self.one, self.other

    @property
    def is_disputed(self) -> bool:
        """Tell whether the two say different results."""
        return len(set(self.told.values())) > 1


@dataclass(frozen=True, slots=True)
class ProposalShown:
    """A proposal: its place among those of the answer, its reason, its matches and other entries.

    `at` is when the house confirms it by itself, None: a director is asked; `seconds` is the whole countdown.
    """

    which: int
    why: str
    at: datetime | None
    seconds: int | None
    matches: tuple[tuple[Person, Person, bool], ...]
    byes: tuple[Person, ...]
    others: tuple[str, ...]
    drawn: int
    tables: tuple[str, ...] = ()
    is_last: bool = False
    """The names at each table of a session, or in the order of a lot, and whether it is the last session."""
    ends_in_break: bool = False
    """By this night's durations it would end in the break that is planned."""


@dataclass(frozen=True, slots=True)
class Overview:
    """A whole tournament at a minute."""

    tournament: Tournament
    reading: LogReading
    people: Mapping[str, Person]
    matches: Sequence[MatchShown]
    standing: Sequence[Person]
    sessions: Sequence[SessionShown] = ()

    @property
    def is_of_tables(self) -> bool:
        """Tell whether it is played at tables for many, without matches."""
        return world_cup.is_played(self.tournament.format)

    @property
    def session(self) -> SessionShown | None:
        """The session that is being played."""
        return self.sessions[-1] if self.sessions and not self.sessions[-1].is_over else None

    def table_of(self, person: Person) -> SessionTable | None:
        """Return the table of the running session at which a person plays."""
        if self.session is None or person.status != "playing":
            return None
        named = (each for each in self.session.tables if any(one.key == person.key for one, _points in each.people))
        return next(named, None)

    @property
    def running(self) -> list[MatchShown]:
        """The running matches in the order of the log."""
        return [each for each in self.matches if each.status == "running"]

    @property
    def done(self) -> list[MatchShown]:
        """The matches that are decided or void, the latest first."""
        found = [each for each in self.matches if each.status != "running"]
        return sorted(found, key=lambda each: each.ended or each.started, reverse=True)

    @property
    def waiting(self) -> list[Person]:
        """The free players, the longest waiting first."""
        return sorted((each for each in self.people.values() if each.status == "free"), key=lambda each: each.since)

    @property
    def away(self) -> list[Person]:
        """The players that pause or have withdrawn."""
        return [each for each in self.people.values() if each.status in ("pausing", "withdrawn")]

    @property
    def out(self) -> list[Person]:
        """The people who have nothing more to play."""
        return [each for each in self.people.values() if each.status == "out"]

    @property
    def forecast(self) -> datetime | None:
        """The time at which the last match will about end."""
        minute = self.reading.state["forecast_end"]
        is_over = self.tournament.status == Tournament.Status.FINISHED
        return None if minute is None or is_over else self.at(minute)

    def at(self, minute: int) -> datetime:
        """Return the time of a minute of the tournament."""
        return self.tournament.created_at + timedelta(minutes=minute)

    def given_up_by(self, person: Person) -> Person | None:
        """Return who has gone home in the last match of a person, which so was won; None where it was otherwise."""
        mine = [each for each in self.matches if person in each.pair and each.status == "done"]
        last = max(mine, key=lambda each: each.ended or each.started, default=None)
        if last is None or last.winner != person or last.score is not None:
            return None
        other = last.one if last.other == person else last.other
        return other if other.status == "withdrawn" and other.since == last.ended else None

    def of(self, player: Player) -> Person | None:
        """Return a player as a person of the tournament."""
        return next((each for each in self.people.values() if each.player.pk == player.pk), None)

    def match_of(self, person: Person) -> MatchShown | None:
        """Return the running match of a person."""
        return next((each for each in self.running if person in each.pair), None)

    def next_at(self, person: Person) -> datetime | None:
        """Return about when a person who waits will play; None: unknown, or no more match begins.

        That is when the first running match should end, or the last one where all must have ended; never in a break.
        """
        if person.status == "free" and self.session is not None:
            return max(self.session.until, self.at(self.reading.minute))
        reasons = {why for why, _until in self.waits()}
        if person.status != "free" or not self.running or "over" in reasons:
            return None
        ends = [each.started + timedelta(minutes=self._pace() * each.length) for each in self.running]
        end = max(ends) if reasons & WAITS_FOR_ALL else min(ends)
        found, ahead = max(end, self.at(self.reading.minute)), self.planned_break()
        return ahead[1] if ahead is not None and ahead[0] <= found < ahead[1] else found

    def _pace(self) -> float:
        """Return the minutes that a match takes for each point of its length, from this night's own durations."""
        done = [each for each in self.reading.state["matches"] if each["status"] == "done"]
        return pace((each["ended"] - each["started"], each["length"]) for each in done)

    def planned_break(self) -> tuple[datetime, datetime] | None:
        """Return the break that is planned or on: its beginning and end; of several the first."""
        planned = [(e["from"], e["to"]) for e in self.reading.log if e["type"] == "break"]
        ahead = sorted(each for each in planned if each[1] > self.reading.minute)
        is_over = self.tournament.status == Tournament.Status.FINISHED
        return None if is_over or not ahead else (self.at(ahead[0][0]), self.at(ahead[0][1]))

    def _ends_in_break(self, entry: JsonObject) -> bool:
        """Tell whether a proposed match or session would end after a break has begun that is still ahead."""
        if entry["type"] == "session":
            lasting: float = world_cup.read_format(self.tournament.format)[1]
        elif entry["type"] == "match":
            lasting = self._pace() * entry["length"]
        else:
            return False
        ahead, now = self.planned_break(), self.at(self.reading.minute)
        return ahead is not None and now < ahead[0] < now + timedelta(minutes=lasting)

    def proposals(self) -> list[ProposalShown]:
        """Return the proposals that can be confirmed."""
        found = [each for each in self.reading.proposals if "entries" in each]
        return [self._proposal(which, each) for which, each in enumerate(found)]

    def _proposal(self, which: int, given: JsonObject) -> ProposalShown:
        entries = given["entries"]
        pairs = [each for each in entries if each["type"] == "match"]
        kind = modes.kind_of(self.reading, given)
        at = self.tournament.countdowns.get(kind)
        return ProposalShown(
            which,
            given["why"],
            None if at is None else datetime.fromisoformat(at),
            modes.seconds_of(self.tournament, kind),
            tuple((*(self.people[key] for key in e["players"]), e.get("forced", False)) for e in pairs),
            tuple(self.people[e["player"]] for e in entries if e["type"] == "bye"),
            tuple(e["type"] for e in entries if e["type"] not in ("match", "bye")),
            sum(len(e["players"]) for e in entries if e["type"] == "phase"),
            tuple(written.names(self.people[key].name for key in group) for e in entries for group in _groups(e)),
            any(e.get("last", False) for e in entries),
            any(self._ends_in_break(e) for e in entries),
        )

    def waits(self) -> list[tuple[str, datetime | None]]:
        """Return why people wait, each with the time at which that ends, None: unknown."""
        found = [(each["why"], each["wait"]["until"]) for each in self.reading.proposals if "wait" in each]
        return [(why, None if until is None else self.at(until)) for why, until in found]

    def warnings(self) -> list[tuple[MatchShown, MatchShown]]:
        """Return matches that a correction would not have made, each with the corrected one."""
        by_id = {each.id: each for each in self.matches}
        rows = self.reading.state["warnings"]
        return [(by_id[row["match"]], by_id[row["because"]]) for row in rows]

    def rounds(self) -> list[tuple[int, int, list[MatchShown]]]:
        """Return the matches that have rounds, by phase and round; void ones and play-offs are left out."""
        found: dict[tuple[int, int], list[MatchShown]] = {}
        for each in self.matches:
            if each.round and each.status != "void":
                found.setdefault((each.phase, each.round), []).append(each)
        return [(phase, number, matches) for (phase, number), matches in sorted(found.items())]


def _groups(entry: JsonObject) -> Sequence[Sequence[str]]:
    """Return the keys of the people in one group of a proposed entry: a table of a session, or a lot."""
    tables: Sequence[Sequence[str]] = [entry["players"]] if entry["type"] == "lot" else entry.get("tables", ())
    return tables


def of(tournament: Tournament, strengths: Mapping[int, int] | None = None) -> Overview:
    """Return a tournament as it is now; `strengths` are those that its readers may see, by players' ids."""
    known = strengths or {}
    reading = log.read(tournament)
    rows = match_tables.people_of(tournament)
    standings = {row["player"]: row for row in reading.standing}
    gone = {row["player"]: _gone(reading, row) for row in reading.gone}
    people = {
        # Wins and losses are those that count.
        key: replace(_person(tournament, rows[key], row | standings.get(key, {}), known), gone=gone.get(key))
        for row in reading.state["players"]
        for key in (row["player"],)
    }
    pairings = {row.match: row for row in tournament.pairings.select_related("table")}
    broken = match_tables.broken_off(tournament) if tournament.medium else set()
    matches = [_match(tournament, each, people, pairings.get(each["id"]), broken) for each in reading.state["matches"]]
    # Those who share a place stand by what they have won so far.
    standing = sorted(
        (people[row["player"]] for row in reading.standing), key=lambda each: (each.place, each.losses - each.wins)
    )
    return Overview(tournament, reading, people, matches, standing, _sessions(reading, people, pairings))


def _sessions(
    reading: LogReading, people: Mapping[str, Person], rows: Mapping[str, Pairing]
) -> tuple[SessionShown, ...]:
    """Return the sessions of a World-Cup Chouette, the first one first."""
    found = []
    for each in reading.state.get("sessions", ()):
        number, tables = each["session"], []
        for given in each["tables"]:
            row, points = rows.get(session_tables.name_of(number, given["table"])), given["points"]
            seated = tuple((people[key], None if points is None else points[key]) for key in given["players"])
            table = None if row is None else row.table
            tables.append(SessionTable(given["table"], table, seated, points is not None))
        minutes = each["started"] + world_cup.read_format(reading.tournament.format)[1]
        until = reading.tournament.created_at + timedelta(minutes=minutes)
        found.append(SessionShown(number, each["last"], until, each["ended"] is not None, tuple(tables)))
    return tuple(found)


def _gone(reading: LogReading, row: Mapping[str, Any]) -> GoneShown:
    kind = formats.read(reading.tournament.format).phases[row["phase"]].kind
    needed = ceil(row["of"] / 2) if kind == "open_end" else 0
    return GoneShown(row["played"], ceil(row["of"]), row["counts"], row["is_final"], needed)


def _person(tournament: Tournament, row: Participant, given: Mapping[str, Any], strengths: Mapping[int, int]) -> Person:
    since = tournament.created_at + timedelta(minutes=given["since"])
    counts = (given["wins"], given["losses"], given["lives"], given["byes"])
    has_accepted = row.accepted_at is not None or not tournament.medium
    name = str(row.player.displayed_name)
    more = (given.get("place", 0), strengths.get(row.player_id), row.is_paid)
    own: dict[str, Any] = {"bank": given.get("bank"), "agrees": bool(given.get("agrees")), "is_gone": row.is_gone}
    return Person(row.key, row.player, name, given["status"], since, *counts, has_accepted, *more, **own)


def _match(
    tournament: Tournament,
    given: Mapping[str, Any],
    people: Mapping[str, Person],
    row: Pairing | None,
    broken: set[str],
) -> MatchShown:
    one, other = (people[key] for key in given["players"])
    table = row.table if row is not None and row.table is not None and row.table.archived_at is None else None
    return MatchShown(
        id=given["id"],
        one=one,
        other=other,
        status=given["status"],
        length=given["length"],
        phase=given["phase"],
        round=given["round"],
        board=given["table"],
        table=table,
        started=tournament.created_at + timedelta(minutes=given["started"]),
        ended=None if given["ended"] is None else tournament.created_at + timedelta(minutes=given["ended"]),
        winner=people.get(given["winner"]),
        score=None if given["score"] is None else (given["score"][0], given["score"][1]),
        told={} if row is None else {key: said["winner"] for key, said in row.told.items()},
        start=(0, 0) if row is None else (row.start.get(one.key, 0), row.start.get(other.key, 0)),
        is_broken_off=given["id"] in broken,
    )

"""Reading: the games of one member against the Box, out of a log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chouette.board.position import swap
from chouette.export import notes
from chouette.export.record import (
    BEAVER,
    DOUBLE,
    DROP,
    NO_DOUBLE,
    OTHER,
    OWN,
    PLAY,
    RACCOON,
    TAKE,
    GameRecord,
    RecordedAct,
    Session,
    plain_names,
)
from chouette.rules.cube.cubes import covered_cubes, cube_of, other
from chouette.rules.events.fold import EVENTS
from chouette.rules.events.session import GameStarted, RowCorrected
from chouette.rules.options.declaration import rule
from chouette.rules.state import BOX, CENTRE, MEMBER, TEAM, Game, State, initial
from games.kernel.contract import Event, JsonObject, Seat
from games.kernel.replay import Entry, is_house, names_after, upcast


def read(
    options: Mapping[str, Any],
    seats: int,
    entries: Iterable[Entry],
    member: Seat,
    names: Sequence[str] = (),
    *,
    grades: Sequence[JsonObject] = (),
) -> Session:
    """Return a session from a member's point of view.

    `seats` is the number that the table was opened with, `names` are by seat (`Seat 1` and so on for seats
    without one); a game has the names of those who sat there when it began, as far as the log tells. A game that
    has not ended is included as far as it was played; games in which the member had no part are left out. `grades` are
    rows of the grading of these games; what was a mistake is a note, too.
    """
    values = dict(options)
    reader = _CubeReader(initial(values, seats), member, plain_names(names), grades)
    for entry in entries:
        for event in entry.events:
            if is_house(event):
                reader.rename(event)
            else:
                reader.read(upcast(event, EVENTS.upcasts), entry.seq)
    return Session(
        name=reader.records[-1].names[0] if reader.records else reader.name(member),
        member=member,
        length=values["match_length"] if values["format"] == "match" else 0,
        jacoby=bool(rule(values, "jacoby")),
        beavers=bool(rule(values, "beavers")),
        records=tuple(reader.records),
        notes=tuple(reader.notes),
    )


class _CubeReader:
    """A reader of the log that follows one cube; `record` is the game in which it is still live."""

    def __init__(self, state: State, member: Seat, names: tuple[str, ...], grades: Sequence[JsonObject] = ()) -> None:
        self.state, self.member, self.names, self.grades = state, member, names, grades
        self.records: list[GameRecord] = []
        self.notes: list[str] = []
        self.record: GameRecord | None = None
        self.cube, self.seq = -1, 0
        self.side = TEAM

    def rename(self, event: Event) -> None:
        """Apply an event of the house: a seat may have another person from now on."""
        names = names_after(dict(enumerate(self.names)), [event])
        self.names = plain_names([names.get(seat, "") for seat in range(max(len(self.names), len(names)))])

    def read(self, event: Event, seq: int) -> None:
        """Apply one event."""
        before = self.state.game
        self.state = EVENTS.fold(self.state, event, seq)
        game = self.state.game
        if event.type == RowCorrected.name:
            self.notes.append(notes.correction(event.data, self.name))
        elif (text := notes.of_time(event, self.name)) is not None:
            self.notes.append(text)
        elif event.type == GameStarted.name and game is not None:
            self._begin(game)
        elif self.record is not None and before is not None:
            for text in notes.notes(event, before, self.name, self.cube):
                self.record.notes.append((len(self.record.acts), text))
            if act := _ACTS.get(event.type):
                record, known = self.record, len(self.record.acts)
                act(self, event.data, before)
                if len(record.acts) == known + 1:
                    self._grade(record, seq)
                self.seq = seq

    def _grade(self, record: GameRecord, seq: int) -> None:
        """Put the grade beside the newest act; of several cubes that were decided at once none is known to be it."""
        at = len(record.acts) - 1
        kind = record.acts[at].kind
        found = [row for row in self.grades if row["seq"] == seq and row["kind"] == kind and row["graded"]]
        if kind != PLAY:
            found = [row for row in found if row["seat"] in (record.own, record.other)]
        else:
            self._grade_no_double(record, seq)
        if len(found) != 1:
            return
        record.graded[at] = found[0]
        if found[0]["counts"] and (text := notes.of_grade(found[0])):
            record.notes.append((at + 1, text))

    def _grade_no_double(self, record: GameRecord, seq: int) -> None:
        """Put the grade of not doubling beside the play that followed, the newest act."""
        between = [row for row in self.grades if self.seq < row["seq"] <= seq and row["kind"] == NO_DOUBLE]
        found = [row for row in between if row["seat"] in (record.own, record.other) and row["graded"]]
        if len(found) == 1:
            record.graded_before[len(record.acts) - 1] = found[0]

    def name(self, seat: Seat) -> str:
        return self.names[seat] if seat < len(self.names) else f"Seat {seat + 1}"

    def _begin(self, game: Game) -> None:
        """Open a record if the member has an opponent in this game."""
        self.side = BOX if self.member == game.box else TEAM
        mine = game.captain if self.side == BOX else self.member
        found = cube_of(game, mine)
        self.record = None
        if found is None:
            return
        self.cube, cube = found, game.cubes[found]
        owners = {CENTRE: "", MEMBER: OWN if self.side == TEAM else OTHER}
        self.record = GameRecord(
            number=game.number,
            own=self.member,
            other=game.box if self.side == TEAM else mine,
            score=self._score(),
            start=game.position if self.side == BOX else swap(game.position),
            value=cube.value,
            owner=owners.get(cube.owner, OTHER if self.side == TEAM else OWN),
            is_crawford=game.is_crawford,
            names=(self.name(self.member), self.name(game.box if self.side == TEAM else mine)),
        )
        self.records.append(self.record)
        self.record.notes += [(0, text) for text in notes.beginning(game, self.name)]

    def _score(self) -> tuple[int, int]:
        """Return the points of earlier games, and those that a match gave beside them: (own, other)."""
        results = [record.result or 0 for record in self.records]
        given = self.state.given
        mine = sum(one.points for one in given if one.seat == self.member)
        theirs = sum(one.points for one in given) - mine
        return mine + sum(max(n, 0) for n in results), theirs + sum(max(-n, 0) for n in results)

    def _add(self, side: str, kind: str, **rest: Any) -> None:
        if self.record is not None:
            self.record.acts.append(RecordedAct(OWN if side == self.side else OTHER, kind, **rest))

    def _automatic(self, data: JsonObject, game: Game) -> None:
        if self.record is not None:
            self.record.value = data["value"]

    def _play(self, data: JsonObject, game: Game) -> None:
        before = game.position if game.turn == BOX else swap(game.position)
        dice = tuple(data["dice"])
        self._add(game.turn, PLAY, dice=dice, play=data["play"], before=before)

    def _take_back(self, data: JsonObject, game: Game) -> None:
        if self.record is not None and self.record.acts:
            self.record.acts.pop()

    def _double(self, data: JsonObject, game: Game) -> None:
        if self.cube in data["cubes"]:
            self._add(game.turn, DOUBLE, value=2 * game.cubes[self.cube].value)

    def _answer(self, data: JsonObject, game: Game) -> None:
        for kind, cubes in ((TAKE, data["takes"]), (DROP, data["drops"])):
            if self.cube in cubes:
                self._add(other(game.turn), kind)

    def _raise(self, data: JsonObject, game: Game, kind: str) -> None:
        """Add a beaver or a raccoon; a beaver replaces the take that it contains."""
        if data["cube"] != self.cube or self.record is None:
            return
        if kind == BEAVER:
            self.record.acts.pop()
        self._add(other(game.turn) if kind == BEAVER else game.turn, kind, value=data["value"])

    def _beaver(self, data: JsonObject, game: Game) -> None:
        self._raise(data, game, BEAVER)

    def _raccoon(self, data: JsonObject, game: Game) -> None:
        self._raise(data, game, RACCOON)

    def _reply(self, data: JsonObject, game: Game) -> None:
        """Add a reply, of a single cube for all its stakes; a drop in answer to "beaver or drop" replaces the take."""
        if self.record is None or self.cube not in covered_cubes(game, [data["cube"]]):
            return
        side = game.turn if data["kind"] == "beavered" else other(game.turn)
        if data["reply"] == "accept":
            self._add(side, TAKE)
        elif data["reply"] == "drop":
            if data["kind"] == "must_beaver":
                self.record.acts.pop()
            self._add(side, DROP)

    def _replies(self, data: JsonObject, game: Game) -> None:
        for index, kind, _, reply in data["replies"]:
            self._reply({"cube": index, "kind": kind, "reply": reply}, game)

    def _end(self, data: JsonObject, game: Game) -> None:
        """Close the record: this cube has ended, and the game continues between others."""
        if data["cube"] != self.cube or self.record is None:
            return
        record, points = self.record, int(data["points"])
        record.result = points if self.side == TEAM else -points
        record.how, record.cube = data["how"], game.cubes[self.cube].value
        if record.acts and record.acts[-1].value:
            self._unanswered(record)
        self.record = None

    def _unanswered(self, record: GameRecord) -> None:
        """Complete an act without an answer, because a seat left while a cube was offered.

        A double is dropped, or removed if the doubler lost; a beaver and a raccoon count as taken.
        """
        last = record.acts[-1]
        answerer = OTHER if last.side == OWN else OWN
        is_won = (record.result or 0) > 0
        if last.kind != DOUBLE:
            record.acts.append(RecordedAct(answerer, TAKE))
        elif is_won == (last.side == OWN):
            record.acts.append(RecordedAct(answerer, DROP))
        else:
            record.acts.pop()


_ACTS = {
    "cubes_doubled": _CubeReader._automatic,
    "play_made": _CubeReader._play,
    "play_taken_back": _CubeReader._take_back,
    "doubled": _CubeReader._double,
    "answers_opened": _CubeReader._answer,
    "beavered": _CubeReader._beaver,
    "raccooned": _CubeReader._raccoon,
    "replied": _CubeReader._reply,
    "replies_opened": _CubeReader._replies,
    "cube_settled": _CubeReader._end,
}

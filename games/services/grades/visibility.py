"""The right to see grades, decided in this one place for pages, API, screens and files.

Own grades are seen in any case. Those of others follow the table's house rule `skill_shown` and each person's own
wish to hide theirs, which wins. Before a table has ended only its players see any.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from games.kernel.contract import JsonObject, Seat
from games.kernel.figures import skill
from games.models import GameGrades, Membership, Player, Result, ResultLine, Table
from games.models import Seat as SeatRow


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody who looks at a table: a player, or (None) a screen of its night.

    `is_at_table`: has or had a seat there; `is_inside`: is a member of the night, or its screen.
    """

    player_id: int | None
    is_at_table: bool
    is_inside: bool


ELSEWHERE = Viewer(None, is_at_table=False, is_inside=False)
"""Somebody who is not at the night, and no player."""


@dataclass(frozen=True, slots=True)
class SeenGame:
    """A graded game as a viewer may see it: the lines of the result whose grades are shown, and these grades.

    A row's `suggested` and `lucks` name seats of shown lines alone; `row` is its number in the game, of all rows,
    and `deeper` the level of a deeper look at it, "" without one.
    """

    grades: GameGrades
    lines: Sequence[ResultLine]
    rows: Sequence[JsonObject] = field(repr=False)

    @property
    def result(self) -> Result:
        """The result of the game."""
        return self.grades.result

    def line(self, seat: Seat) -> ResultLine:
        """Return the line of a seat whose grades are shown."""
        return next(line for line in self.lines if line.seat == seat)


def viewer(table: Table, player: Player | None) -> Viewer:
    """Return a player as a viewer of a table's grades; None is a screen of its night."""
    if player is None:
        return Viewer(None, is_at_table=False, is_inside=True)
    sat = SeatRow.objects.filter(table=table, player=player).exists()
    played = ResultLine.objects.filter(result__table=table, player=player).exists()
    inside = Membership.objects.filter(night=table.night_id, player=player, status=Membership.Status.IN)
    return Viewer(player.pk, is_at_table=sat or played, is_inside=inside.exists())


def may_see(table: Table, line: ResultLine, by: Viewer) -> bool:
    """Tell whether a viewer may see the grades of a result's line at a table."""
    if by.player_id is not None and line.player_id == by.player_id:
        return True
    if not by.is_at_table and table.status != Table.Status.FINISHED:
        return False
    rule = skill.shown(table.options)
    if rule == skill.OWN or not (line.is_bot or is_open(line)):
        return False
    if by.is_at_table or (by.player_id is None and by.is_inside):
        return True
    if rule != skill.ALL:
        return False
    return by.is_inside or bool(line.player and line.player.is_listed)


def is_open(line: ResultLine) -> bool:
    """Tell whether a person lets others see their grades at all; nobody's are nobody's to see."""
    person = line.player
    if person is None or not person.is_somebody or person.hides_grades:
        return False
    return line.consent == ResultLine.Consent.GIVEN


def games(table: Table, by: Viewer) -> list[SeenGame]:
    """Return the graded games of a table as a viewer may see them, oldest first, without those that show nothing."""
    graded = GameGrades.objects.filter(result__table=table, formula__gt=0).select_related("result")
    found = [seen(table, each, by) for each in graded.order_by("result__seq")]
    return [each for each in found if each.rows]


def seen(table: Table, grades: GameGrades, by: Viewer) -> SeenGame:
    """Return a graded game of a table as a viewer may see it; one that shows them nothing has no rows."""
    lines = [
        line
        for line in ResultLine.objects.filter(result=grades.result_id).select_related("player").order_by("seat")
        if may_see(table, line, by)
    ]
    seats = {line.seat for line in lines}
    rows = [
        {
            **row,
            "suggested": [seat for seat in row.get("suggested", ()) if seat in seats],
            **_lucks(row, seats),
            "row": number,
            "deeper": row.get("deeper", ""),
        }
        for number, row in enumerate(grades.rows)
        if row["seat"] in seats
    ]
    return SeenGame(grades, lines, rows)


def _lucks(row: JsonObject, seats: Collection[Seat | None]) -> JsonObject:
    """Return the luck of a row's roll for each of some seats, where the row has it by seat."""
    told = row.get("lucks")
    return {} if told is None else {"lucks": [[seat, points] for seat, points in told if seat in seats]}

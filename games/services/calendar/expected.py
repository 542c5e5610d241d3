"""People expected at a night that was opened on a date: a yes, and not there yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Answer, Night, Player, SeriesDate, Table
from games.services import row_locks
from games.services.arguments import Number, RowId, Typed
from games.services.calendar import answers
from games.services.calendar.answers import Said
from games.services.calendar.dates import of_night
from games.services.calendar.rights import DATE, AnswerId, SeriesRight
from games.services.hosting import kept_seats
from games.services.nights import night_rights, without_phone
from games.services.tables.registry import ACTS, Adult, Mark, TableRight


@dataclass(frozen=True, slots=True)
class Expected:
    """The answers of people who are not there yet; `along` is the number of others who come with somebody."""

    answers: tuple[Answer, ...]
    along: int

    @property
    def names(self) -> list[str]:
        """Return the names of the answers."""
        return [answers.shown_name(row) for row in self.answers]


def at(night: Night) -> Expected:
    """Return the people expected at a night; none where it is over, or of no series."""
    date = of_night(night) if night.status != Night.Status.CLOSED else None
    if date is None:
        return Expected((), 0)
    rows = answers.coming(date).yes
    here = set(night.memberships.values_list("player", flat=True))
    return Expected(
        tuple(row for row in rows if (row.player_id not in here if row.player_id else row.name)),
        sum(row.extra for row in rows),
    )


def to_seat(night: Night, offered: Sequence[Player]) -> list[Answer]:
    """Return the expected answers that one tap seats without a phone: mere names, and regulars on offer."""
    known = {person.pk for person in offered}
    return [row for row in at(night).answers if row.player_id is None or row.player_id in known]


@dataclass(slots=True)
class Tapped:
    """A person to seat by one tap: a regular by the id `known`, else a new one by `name`; `person` once seated."""

    name: str
    known: int | None
    person: Player | None = None


@contextmanager
def seating(night: Night, by: Player, answer_id: int) -> Iterator[Tapped]:
    """Around the seating of an expected person without a phone: afterwards the answer is theirs.

    A regular of that name is the same person. Raises Illegal `no_such_answer`.
    """
    with transaction.atomic():
        offered = kept_seats.offered_regulars(night, by)
        row = next((each for each in to_seat(night, offered) if each.pk == answer_id), None)
        if row is None:
            raise Illegal("no_such_answer")
        yield from _seating(row, offered)


@contextmanager
def seating_name(night: Night, by: Player, name: str) -> Iterator[Tapped]:
    """Around the seating of a person without a phone by a typed name: an answer of that name is theirs afterwards.

    A regular of that name is the same person.
    """
    with transaction.atomic():
        regulars = kept_seats.regulars(night, by)
        said = " ".join(name.split()).casefold()
        named = [row for row in at(night).answers if row.player_id is None and row.name.casefold() == said]
        if len(named) == 1:
            yield from _seating(named[0], regulars)
        else:
            yield Tapped(name, without_phone.of_name(regulars, name))


@ACTS.act("add_person", TableRight.ENTRUSTED, label=_("Add somebody without a phone"), yes=_("Add"))
def seat_person(
    table: Table,
    by: Player,
    name: Typed,
    *,
    mark: Mark | None = "",
    seat: Number | None = None,
    known: RowId | None = None,
    expected: AnswerId | None = None,
    is_adult: Adult = False,
) -> Player:
    """Seat a person without a phone, on a new seat or an empty one: new, a regular `known`, or expected tonight.

    Raises as `kept_seats.seat_person`; `no_such_answer` for an answer that waits no more.
    """
    about: dict[str, Any] = {"mark": mark, "is_adult": is_adult, "instead_of": seat}
    if known is not None:
        return kept_seats.seat_person(table, by, name, known=known, **about)
    around = seating_name(table.night, by, name) if expected is None else seating(table.night, by, expected)
    with around as tapped:
        tapped.person = kept_seats.seat_person(table, by, tapped.name, known=tapped.known, **about)
    return tapped.person


def _seating(row: Answer, regulars: Iterable[Player]) -> Iterator[Tapped]:
    tapped = Tapped(answers.shown_name(row), row.player_id or without_phone.of_name(regulars, row.name))
    yield tapped
    if tapped.person is not None and row.player_id is None:
        answers.give(row, tapped.person)


def names_at_door(night: Night) -> list[str]:
    """Return the names that are proposed at the door: of answers by name, where the list is open to everybody."""
    date = of_night(night)
    if date is None or not date.series.names_open or night.status == Night.Status.CLOSED:
        return []
    return [row.name for row in at(night).answers if row.player_id is None]


def is_expected(night: Night, player: Player, secret: str) -> bool:
    """Tell whether a player who comes has said yes: by an answer of their own, of the device or of their name."""
    date = of_night(night)
    if date is None:
        return False
    found = (answers.of_player(date, player), answers.of_secret(date, secret), answers.of_name(date, player.nickname))
    return any(row is not None and row.says == Answer.Says.YES for row in found)


def come(night: Night, player: Player, secret: str) -> None:
    """Give a player who came the answer of the device, by its secret, else the one by the name chosen at the door."""
    date = of_night(night)
    if date is None:
        return
    if answers.of_secret(date, secret) is not None:
        answers.take(date, secret, player)
    else:
        answers.take_name(date, player)


@DATE.act("along", SeriesRight.PERSON, done=_("One more is expected, with you."), label=_("Somebody comes with me"))
@transaction.atomic
def bring_along(date: SeriesDate, player: Player) -> Answer:
    """Expect one more at the night of a date, along with a player there.

    Raises Illegal `not_inside`, `removed`, and as `answers.answer`.
    """
    player = row_locks.person(player)
    if date.night is None:
        raise Illegal("not_inside")
    night_rights.check_inside(row_locks.night(date.night), player)
    own = answers.of_player(date, player)
    comes = own is not None and own.says == Answer.Says.YES
    more = own.extra + 1 if own is not None and comes else 1
    return answers.answer(date, player, Said(Answer.Says.YES, more, own.word if own is not None else ""))

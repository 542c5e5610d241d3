"""Consent of the people in a past game: it counts in a person's history from then on.

Nobody's word alone writes a game into anybody's history. Each person with a phone is asked, and for a person without
one the night's host or the staff, never the author of the game unless nobody else could be asked. The author's own
line counts with the first word of somebody else. What nobody has answered after DAYS, or refused, stays in the sheet
without a name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.kernel.contract import Illegal
from games.models import Membership, Night, Player, Result, ResultLine
from games.services import audit, publication, row_locks
from games.services.history import night_tallies, tallies
from games.services.nights import former_hosts, without_phone
from games.services.people import players

DAYS = 30
"""The number of days for which a past game can be agreed to."""

By = Player | AbstractBaseUser
Consent = ResultLine.Consent


@dataclass(frozen=True, slots=True)
class ConsentQuestion:
    """A past game with the lines that a person may answer for; none for the host of a proposed game."""

    result: Result
    lines: tuple[ResultLine, ...]


def is_of_staff(by: By) -> bool:
    """Tell whether a player's account, or an account, belongs to staff."""
    return players.is_staff(by) if isinstance(by, Player) else True


def of_new_game(night: Night, by: By, people: Sequence[Player]) -> list[Consent]:
    """Return the consent with which each person's line of a new past game begins."""
    author = _player_of(by)
    is_kept_asked = _has_another_speaker(night, by)
    found = {}
    for person in people:
        if person.pk != author:
            is_asked = is_kept_asked if _is_kept(person) else True
            found[person.pk] = Consent.ASKED if is_asked else Consent.GIVEN
    own = Consent.ASKED if Consent.ASKED in found.values() else Consent.GIVEN
    return [found.get(person.pk, own) for person in people]


def _player_of(by: By) -> int | None:
    player = by if isinstance(by, Player) else players.account_player(by)
    return None if player is None else player.pk


def _account_of(by: By) -> int | None:
    return by.user_id if isinstance(by, Player) else by.pk


def _is_kept(person: Player) -> bool:
    """Tell whether the host or the staff answers for a person."""
    return person.user_id is None and without_phone.is_without_phone(person)


def _has_another_speaker(night: Night, by: By) -> bool:
    """Tell whether somebody other than the author can answer for people without a phone: the host, or staff."""
    if night.host_id != _player_of(by) and night.host.is_somebody:
        return True
    staff = get_user_model().objects.filter(is_active=True, is_staff=True)
    return staff.exclude(pk=_account_of(by) or 0).exists()


def is_author(result: Result, by: By) -> bool:
    """Tell whether a past game was entered by this person."""
    if result.author_id is not None and result.author_id == _player_of(by):
        return True
    account = _account_of(by)
    return account is not None and account == result.author_account_id


def open_games() -> QuerySet[Result]:
    """Return the past games that can still be agreed to."""
    since = datetime.now(UTC) - timedelta(days=DAYS)
    rows = Result.objects.filter(reason=Result.ENTERED, is_correction=False, entered_at__gt=since)
    return rows.select_related("table__night__host", "author").prefetch_related("lines__player")


def questions(player: Player) -> list[ConsentQuestion]:
    """Return the past games that a player is asked about, also as a host, the oldest first."""
    asked = ResultLine.objects.filter(result=OuterRef("pk"), consent=Consent.ASKED)
    own = Q(pk__in=ResultLine.objects.filter(player=player, consent=Consent.ASKED).values("result"))
    hosted = Q(table__night__host=player) & (Exists(asked) | Q(is_proposed=True))
    rows = open_games().filter(own | hosted).order_by("entered_at", "pk")
    found = (question(result, player) for result in rows)
    return [each for each in found if each.lines or may_let_stand(each.result, player)]


def question(result: Result, by: By) -> ConsentQuestion:
    """Return what a person is asked about a past game."""
    return ConsentQuestion(result, tuple(_answerable(result, by)))


def waiting(night: Night) -> list[Result]:
    """Return the past games of a night of which somebody can still agree to a line."""
    rows = open_games().filter(Q(lines__consent=Consent.ASKED) | Q(is_proposed=True), table__night=night)
    return list(rows.distinct().order_by("entered_at", "pk"))


def may_let_stand(result: Result, by: By) -> bool:
    """Tell whether a proposed game stands by this person's word alone: the host's, or the staff's."""
    return result.is_proposed and _speaks(result.table.night, by) and not is_author(result, by)


def _speaks(night: Night, by: By) -> bool:
    """Tell whether a person speaks for people without a phone: the host, unless the night was taken over lately."""
    if is_of_staff(by):
        return True
    return isinstance(by, Player) and night.host_id == by.pk and not former_hosts.trial_minutes(night)


def _answerable(result: Result, by: By) -> list[ResultLine]:
    """Return the lines of a past game that a person may answer for."""
    if is_author(result, by):
        return []
    speaks = _speaks(result.table.night, by)
    own = _player_of(by) if isinstance(by, Player) else None
    asked = (line for line in result.lines.all() if line.consent == Consent.ASKED)
    return [line for line in asked if line.player and (line.player_id == own or (speaks and _is_kept(line.player)))]


@transaction.atomic
def answer(result_id: int, by: By, *, agrees: bool) -> Result:
    """Answer for one's own line of a past game, or as host or staff for people without a phone.

    The first yes of somebody other than the author lets a proposed game stand in the sheet, and the author's own line
    count. Raises Illegal `no_question` to whom nothing is asked, or no more.
    """
    result = _held(result_id, by)
    lines = _answerable(result, by)
    if not lines and not (agrees and may_let_stand(result, by)):
        raise Illegal("no_question")
    night = result.table.night
    if agrees:
        given = [*lines, *(line for line in _author_lines(result) if line.consent == Consent.ASKED)]
        _give(result, given)
    else:
        _set(lines, Consent.REFUSED)
    audit.note("past_game_agreed" if agrees else "past_game_refused", by, result, night=night)
    publication.publish_later(publication.NightTouched(night.pk, night.public_id))
    return result


def _author_lines(result: Result) -> list[ResultLine]:
    lines = (line for line in result.lines.all() if line.player is not None)
    return [
        line
        for line in lines
        if line.player is not None
        and (line.player_id == result.author_id or line.player.user_id == (result.author_account_id or -1))
    ]


def _give(result: Result, lines: Sequence[ResultLine]) -> None:
    """Let lines count in their players' history, with what corrections have moved since; the game stands."""
    if result.is_proposed:
        result.is_proposed = False
        result.save(update_fields=["is_proposed"])
    _set(lines, Consent.GIVEN)
    seats = [line.seat for line in lines]
    _count(result, lines)
    for row in result.corrections.select_related("table__night"):
        moved = list(row.lines.filter(seat__in=seats).exclude(consent=Consent.GIVEN))
        _set(moved, Consent.GIVEN)
        _count(row, moved)
    if result.table.night.is_past:
        for line in lines:
            _come_in(result.table.night, line)


def _count(result: Result, lines: Sequence[ResultLine]) -> None:
    """Add lines that were just agreed to to the tallies."""
    tallies.add(result, lines)
    night_tallies.add(result, lines)


def _set(lines: Sequence[ResultLine], consent: Consent) -> None:
    for line in lines:
        line.consent = consent
    ResultLine.objects.bulk_update(lines, ["consent"])


def _come_in(night: Night, line: ResultLine) -> None:
    """Make a person who has agreed a member of a past night, so that they may read its sheet."""
    if line.player is not None:
        Membership.objects.get_or_create(night=night, player=line.player)


def may_withdraw(result: Result, by: By) -> bool:
    """Tell whether a person may take a past game back: its author, while it counts for nobody."""
    return is_author(result, by) and all(line.consent != Consent.GIVEN for line in result.lines.all())


@transaction.atomic
def withdraw(result_id: int, by: By) -> None:
    """Take a past game back as its author, while nobody else has agreed to it; raises `no_question`."""
    result = _held(result_id, by)
    if not may_withdraw(result, by):
        raise Illegal("no_question")
    night = result.table.night
    audit.note("past_game_withdrawn", by, result, night=night)
    result.table.delete()
    publication.publish_later(publication.NightTouched(night.pk, night.public_id))


def _held(result_id: int, by: By) -> Result:
    """Return a past game that can still be answered, held with its people and its night.

    Raises `no_question`, `gone_player`.
    """
    lines = ResultLine.objects.filter(result=result_id, player__merged_into=None, player__deleted_at=None)
    own = [by] if isinstance(by, Player) else []
    row_locks.people(*lines.filter(player__isnull=False).values_list("player", flat=True), *own)
    night = Night.objects.filter(tables__results=result_id).first()
    if night is None:
        raise Illegal("no_question")
    row_locks.night(night)
    result = open_games().filter(pk=result_id).first()
    if result is None:
        raise Illegal("no_question")
    return result

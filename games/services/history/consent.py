"""Consent of the people in a past game: it counts in a person's history from then on.

Nobody's word alone writes a game into anybody's history. Each person with a phone is asked, and for a person without
one the night's host; if the host is the author, those of the game who win nothing by it; or the staff. The author is
not, unless nobody else could be asked. The author's own line counts with the first word of somebody else. What nobody
has answered after DAYS, or refused, stays in the sheet without a name.

Who has agreed for somebody without a phone is named, and the keeper, or the person with a phone later, may object for
DAYS: then the line is asked about again, and not of the one who had agreed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games import plugin
from games.kernel.contract import Illegal
from games.models import Membership, Night, Player, Result, ResultLine
from games.services import audit, form_ids, publication, row_locks
from games.services.acts import LogLine
from games.services.history import night_tallies, tallies
from games.services.nights import former_hosts, without_phone
from games.services.nights.events import LOG, record
from games.services.people import players

DAYS = 30
"""The number of days for which a past game can be agreed to."""

By = Player | AbstractBaseUser
Consent = ResultLine.Consent


LOG.add(
    LogLine("agreed_for", _("%(by)s agreed for %(name)s to a past game.")),
    LogLine("objected_for", _("%(by)s objects to a past game of %(name)s: it waits again.")),
)


@dataclass(frozen=True, slots=True)
class ConsentQuestion:
    """A past game with the lines that a person may answer for; none for the host of a proposed game."""

    result: Result
    lines: tuple[ResultLine, ...]


@dataclass(frozen=True, slots=True)
class EveningQuestion:
    """The past games of a night by one author about which a person is asked together, and `key`, which names these.

    Games that are added, or corrections that move a line's points, make another key of it.
    """

    night: Night
    games: tuple[ConsentQuestion, ...]
    key: str


def is_of_staff(by: By) -> bool:
    """Tell whether a player's account, or an account, belongs to staff."""
    return players.is_staff(by) if isinstance(by, Player) else True


def of_new_game(night: Night, by: By, people: Sequence[Player], gains: Sequence[bool]) -> list[Consent]:
    """Return the consent with which each person's line of a new past game begins; `gains`: who wins by it."""
    author = _player_of(by)
    speakers = [one for one, wins in zip(people, gains, strict=True) if not wins and one.pk != author]
    is_kept_asked = _has_another_speaker(night, by) or any(not _is_kept(one) for one in speakers)
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
    """Tell whether others answer for a person, who has no phone."""
    return person.user_id is None and without_phone.is_without_phone(person)


def _has_another_speaker(night: Night, by: By) -> bool:
    """Tell whether the host, or staff, who are not the author, can answer for people without a phone."""
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
    """Return the past games that can still be agreed to: entered, or objected to, not long ago."""
    again = ResultLine.objects.filter(result=OuterRef("pk"), consent=Consent.ASKED, agreed_at__gt=since())
    return _past_games().filter(Q(entered_at__gt=since()) | Exists(again))


def _past_games() -> QuerySet[Result]:
    rows = Result.objects.filter(reason=Result.ENTERED, is_correction=False)
    return rows.select_related("table__night__host", "author").prefetch_related("lines__player", "lines__agreed_by")


def since() -> datetime:
    """Return the time from which on games that were entered can still be agreed to."""
    return datetime.now(UTC) - timedelta(days=DAYS)


def questions(player: Player) -> list[ConsentQuestion]:
    """Return the past games that a player is asked about, also as a host, the oldest first."""
    asked = ResultLine.objects.filter(result=OuterRef("pk"), consent=Consent.ASKED)
    mine = Q(table__night__host=player) | Q(pk__in=ResultLine.objects.filter(player=player).values("result"))
    rows = open_games().filter(mine, Exists(asked) | Q(is_proposed=True)).order_by("entered_at", "pk")
    found = (question(result, player) for result in rows)
    return [each for each in found if each.lines or may_let_stand(each.result, player)]


def evenings(found: Sequence[ConsentQuestion]) -> list[EveningQuestion]:
    """Return questions by night and author, in their order."""
    by_author: dict[tuple[int, int | None, int | None], list[ConsentQuestion]] = {}
    for each in found:
        result = each.result
        author = (result.table.night_id, result.author_id, result.author_account_id)
        by_author.setdefault(author, []).append(each)
    return [
        EveningQuestion(games[0].result.table.night, tuple(games), form_ids.digest(list(map(_content, games))))
        for games in by_author.values()
    ]


def _content(question: ConsentQuestion) -> list[object]:
    """Return what a yes to a question is said to: its lines with their points, corrections of them included."""
    seats = {line.seat for line in question.lines}
    rows = ResultLine.objects.filter(result__corrects=question.result, seat__in=seats).order_by("pk")
    moved = list(map(list, rows.values_list("seat", "points")))
    return [question.result.pk, [[line.seat, line.points] for line in question.lines], moved]


@transaction.atomic
def answer_evening(result_id: int | None, key: str, by: Player, *, agrees: bool) -> list[Result]:
    """Answer all past games of a night by one author, as they were shown, at once; `result_id`: one of them, if given.

    Raises Illegal `no_question` if nothing is asked, or if it is something else by now.
    """
    row_locks.person(by)
    asked = next((each for each in evenings(questions(by)) if each.key == key), None)
    if asked is None or result_id not in (None, *(each.result.pk for each in asked.games)):
        raise Illegal("no_question")
    return [answer(each.result.pk, by, agrees=agrees) for each in asked.games]


def question(result: Result, by: By) -> ConsentQuestion:
    """Return what a person is asked about a past game."""
    return ConsentQuestion(result, tuple(_answerable(result, by)))


def refusable(question: ConsentQuestion, by: By) -> list[ResultLine]:
    """Return the lines that a person may say no to: the own one, and as host or staff those of others."""
    speaks = _speaks(question.result.table.night, by)
    return [line for line in question.lines if speaks or line.player_id == _player_of(by)]


def waiting(night: Night) -> list[Result]:
    """Return the past games of a night of which somebody can still agree to a line."""
    return waiting_at([night.pk])


def waiting_at(nights: Collection[int]) -> list[Result]:
    """Return the past games of nights, by id, of which somebody can still agree to a line, the oldest first."""
    asked = ResultLine.objects.filter(result=OuterRef("pk"), consent=Consent.ASKED)
    rows = open_games().filter(Exists(asked) | Q(is_proposed=True), table__night__in=nights)
    return list(rows.order_by("entered_at", "pk"))


def may_let_stand(result: Result, by: By) -> bool:
    """Tell whether a proposed game stands by this person's word alone: the host's, or the staff's."""
    return result.is_proposed and _speaks(result.table.night, by) and not is_author(result, by)


def _speaks(night: Night, by: By) -> bool:
    """Tell whether a person speaks for people without a phone: the host, unless the night was taken over lately."""
    if is_of_staff(by):
        return True
    return isinstance(by, Player) and night.host_id == by.pk and not former_hosts.trial_minutes(night)


def _may_speak(result: Result, by: By) -> bool:
    """Tell whether a person speaks for people without a phone in a past game, who is not its author.

    As in `_speaks`, and where the host is the author or gone, who is in the game, says so and wins nothing by it.
    """
    night = result.table.night
    if _speaks(night, by):
        return True
    has_host = night.host.is_somebody and not is_author(result, night.host)
    if has_host or not isinstance(by, Player) or _is_kept(by):
        return False
    own = [line for line in result.lines.all() if line.player_id == by.pk and line.consent != Consent.REFUSED]
    return bool(own) and not any(gains(result.game_id, _net(result))[line.seat] for line in own)


def _net(result: Result) -> dict[int, int]:
    """Return the points of a result by seat, corrections of it included."""
    found = {line.seat: line.points for line in result.lines.all()}
    for row in ResultLine.objects.filter(result__corrects=result):
        found[row.seat] = found.get(row.seat, 0) + row.points
    return found


def gains(game_id: str, points: Mapping[int, int]) -> dict[int, bool]:
    """Return by seat whether somebody wins by these points: has some, or where fewer is better the fewest."""
    if plugin.game(game_id).lower_is_better:
        least = min(points.values(), default=0)
        return {seat: n == least < max(points.values()) for seat, n in points.items()}
    return {seat: n > 0 for seat, n in points.items()}


def _answerable(result: Result, by: By) -> list[ResultLine]:
    """Return the lines of a past game that a person may answer for."""
    if is_author(result, by):
        return []
    asked = [line for line in result.lines.all() if line.consent == Consent.ASKED and line.player]
    own = _player_of(by) if isinstance(by, Player) else None
    kept = [line for line in asked if line.player_id != own and line.player is not None and _is_kept(line.player)]
    spoken_for = [line for line in kept if _may_be_said(line, by)] if kept and _may_speak(result, by) else []
    return [line for line in asked if line.player_id == own or line in spoken_for]


def _may_be_said(line: ResultLine, by: By) -> bool:
    """Tell whether a person may agree for another one: not if their own agreement was objected to."""
    return line.agreed_at is None or line.agreed_by_id is None or line.agreed_by_id != _player_of(by)


@transaction.atomic
def answer(result_id: int, by: By, *, agrees: bool) -> Result:
    """Answer for one's own line of a past game, or as host or staff for people without a phone.

    The first yes of somebody other than the author lets a proposed game stand in the sheet, and the author's own line
    count. Raises Illegal `no_question` to whom nothing is asked, or no more.
    """
    result = _held(result_id, by)
    lines = _answerable(result, by)
    if not agrees:
        lines = refusable(ConsentQuestion(result, tuple(lines)), by)
    if not lines and not (agrees and may_let_stand(result, by)):
        raise Illegal("no_question")
    night = result.table.night
    if agrees:
        given = [*lines, *(line for line in _author_lines(result) if line.consent == Consent.ASKED)]
        for line in lines:
            _note_speaker(night, line, by)
        _give(result, given)
    else:
        _set(lines, Consent.REFUSED)
    others = [line.player_id for line in lines if line.player_id != _player_of(by)]
    audit.note("past_game_agreed" if agrees else "past_game_refused", by, result, night=night, **_for(others))
    publication.publish_later(publication.NightTouched(night.pk, night.public_id))
    return result


def _for(people: Sequence[int | None]) -> dict[str, list[int | None]]:
    return {"players": list(people)} if people else {}


def _note_speaker(night: Night, line: ResultLine, by: By) -> None:
    """Name who agrees for somebody without a phone, in the line and in the night's log, which the keeper reads."""
    speaker = by if isinstance(by, Player) else players.account_player(by)
    if line.player is None or (speaker is not None and line.player_id == speaker.pk):
        return
    line.agreed_by, line.agreed_at = speaker, datetime.now(UTC)
    line.save(update_fields=["agreed_by", "agreed_at"])
    _record(night, "agreed_for", line.player, by)


def _record(night: Night, kind: str, person: Player, by: By) -> None:
    speaker = _player_of(by)
    record(night, kind, name=person.nickname, player=person.pk, by=audit.name_of(by), by_player=speaker)


def spoken_for(player: Player) -> list[ResultLine]:
    """Return the lines that somebody has agreed to for a player, or for people whom the player keeps, newest first.

    The player may object to them.
    """
    kept = Membership.objects.filter(keeper=player).values("night", "player")
    mine = Q(player=player) | Exists(kept.filter(night=OuterRef("result__table__night"), player=OuterRef("player")))
    rows = ResultLine.objects.filter(
        mine, consent=Consent.GIVEN, agreed_at__gt=since(), result__is_correction=False, player__deleted_at=None
    )
    found = rows.select_related("player", "agreed_by", "result__table__night").order_by("-agreed_at", "-pk")
    return [line for line in found if line.player_id != player.pk or not _is_kept(player)]


@transaction.atomic
def object_to(result_id: int, by: Player) -> Result:
    """Object to what somebody agreed for oneself or a person one keeps: these lines are asked about again.

    Raises Illegal `no_question`.
    """
    result = _held(result_id, by, _past_games())
    seats = [line.seat for line in spoken_for(by) if line.result_id == result.pk]
    if not seats:
        raise Illegal("no_question")
    lines = {line.seat: line for line in result.lines.all()}
    objected = [lines[seat] for seat in seats]
    _take_back(result, seats)
    for line in objected:
        line.agreed_at = datetime.now(UTC)
        line.save(update_fields=["agreed_at"])
        if line.player is not None:
            _record(result.table.night, "objected_for", line.player, by)
    night, people = result.table.night, [line.player_id for line in objected]
    audit.note("past_game_objected", by, result, night=night, **_for(people))
    publication.publish_later(publication.NightTouched(night.pk, night.public_id))
    return result


def _take_back(result: Result, seats: Sequence[int]) -> None:
    """Ask about lines again, with their corrections; about the author's too where nobody else has agreed by then."""
    own = {line.seat for line in _author_lines(result)}
    others = [line for line in result.lines.all() if line.seat not in own and line.seat not in seats]
    back = {*seats, *(own if not any(line.consent == Consent.GIVEN for line in others) else ())}
    rows = ResultLine.objects.filter(Q(result=result) | Q(result__corrects=result), seat__in=back)
    rows.filter(consent=Consent.GIVEN).update(consent=Consent.ASKED)
    people = [pk for pk in rows.values_list("player", flat=True).distinct() if pk is not None]
    tallies.rebuild(people)
    night_tallies.rebuild(people)


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


def _held(result_id: int, by: By, rows: QuerySet[Result] | None = None) -> Result:
    """Return a past game that can still be answered, or one of `rows`, held with its people and its night.

    Raises `no_question`, `gone_player`.
    """
    lines = ResultLine.objects.filter(result=result_id, player__merged_into=None, player__deleted_at=None)
    own = [by] if isinstance(by, Player) else []
    row_locks.people(*lines.filter(player__isnull=False).values_list("player", flat=True), *own)
    night = Night.objects.filter(tables__results=result_id).first()
    if night is None:
        raise Illegal("no_question")
    row_locks.night(night)
    result = (open_games() if rows is None else rows).filter(pk=result_id).first()
    if result is None:
        raise Illegal("no_question")
    return result

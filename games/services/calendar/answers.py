"""Answers for a date: yes, no or maybe, of players, and of mere names, each with a link of its own."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Answer, Player, SeriesDate
from games.models.night import today
from games.services import row_locks
from games.services.arguments import Moment, NumberOrNone, Typed
from games.services.calendar.rights import DATE, AnswerId, SeriesRight, check_goes_on, check_noter, may_mark
from games.services.nights import newcomers
from games.services.people import players
from games.services.publication import Occurrence

MOST_EXTRA = 9
LONGEST_WORD = 80
MOST_ANSWERS = 200
"""The most answers of a date."""
KEPT = timedelta(days=30)
"""The time after a date for which its names are kept."""
MOVED_UP: Occurrence[SeriesDate, list[int]] = Occurrence()
"""A place at a date came free for players who waited, by their ids."""
Says = Answer.Says


@dataclass(frozen=True, slots=True)
class Said:
    """An answer as it is given: yes, no or maybe, how many more come along, and a word."""

    says: str
    extra: int = 0
    word: str = ""


@dataclass(frozen=True, slots=True)
class Coming:
    """The answers of a date: `yes` in their order, those `waiting` for a place, `maybe` and `no`.

    `people` counts everybody who comes, with those who come along; `missing` are needed for a table, 0 if enough come.
    """

    yes: tuple[Answer, ...]
    waiting: tuple[Answer, ...]
    maybe: tuple[Answer, ...]
    no: tuple[Answer, ...]
    people: int
    missing: int

    def of(self, player: Player | None) -> Answer | None:
        """Return a player's own answer."""
        rows = (*self.yes, *self.waiting, *self.maybe, *self.no)
        return None if player is None else next((row for row in rows if row.player_id == player.pk), None)


def coming(date: SeriesDate) -> Coming:
    """Return the answers of a date. Where places are few, a yes that does not fit waits, and later ones behind it."""
    return coming_to([date])[0]


def coming_to(dates: Sequence[SeriesDate]) -> list[Coming]:
    """Return the answers of each of some dates, as `coming` does, read at once."""
    rows: dict[int, list[Answer]] = {date.pk: [] for date in dates}
    found = Answer.objects.filter(date__in=rows).select_related("player", "marked_by")
    for row in found.order_by("since", "pk"):
        rows[row.date_id].append(row)
    return [_coming(date, rows[date.pk]) for date in dates]


def _coming(date: SeriesDate, rows: list[Answer]) -> Coming:
    said = {says: [row for row in rows if row.says == says] for says in Says}
    fitting, people = [], 0
    for row in said[Says.YES]:
        if date.places and people + 1 + row.extra > date.places:
            break
        fitting.append(row)
        people += 1 + row.extra
    waiting = said[Says.YES][len(fitting) :]
    missing = max(0, date.series.size - people)
    return Coming(tuple(fitting), tuple(waiting), tuple(said[Says.MAYBE]), tuple(said[Says.NO]), people, missing)


@contextmanager
def moving_up(date: SeriesDate, own: Answer | None = None) -> Iterator[None]:
    """Around a change of a held date's answers or places: answers that move up by it are noted and told.

    `own` is the answer of whoever makes the change, who is told on the page.
    """
    waited = {row.pk for row in coming(date).waiting} if date.places else set()
    yield
    moved = [row for row in coming(date).yes if row.pk in waited] if waited else []
    Answer.objects.filter(pk__in=[row.pk for row in moved]).update(moved_up_at=datetime.now(UTC))
    told = [row.player_id for row in moved if row.player_id is not None and (own is None or row.pk != own.pk)]
    if told and not date.is_cancelled and date.day >= today():
        MOVED_UP.tell(date, told)


def of_player(date: SeriesDate, player: Player | None) -> Answer | None:
    """Return a player's own answer for a date."""
    return None if player is None else date.answers.filter(player=player).first()


def of_secret(date: SeriesDate, secret: str) -> Answer | None:
    """Return the answer of a link or a cookie."""
    return date.answers.filter(secret_hash=_hash(secret)).exclude(secret_hash="").first() if secret else None


def next_own(player: Player | None, secrets_of: Mapping[int, str], hidden: Collection[int] = ()) -> Answer | None:
    """Return the own answer for the next date until its day is over, a no only where no other is there.

    Own are a player's answers, and a device's: date → the secret that it keeps. Without the dates of the ids `hidden`.
    """
    hashes = {date: _hash(secret) for date, secret in secrets_of.items() if secret}
    own = Q(date__in=hashes, secret_hash__in=hashes.values())
    own |= Q(player=player) if player is not None else Q(pk__in=())
    rows = Answer.objects.filter(own, date__day__gte=today(), date__is_cancelled=False, date__series__ended_at=None)
    rows = rows.exclude(date__in=hidden).select_related("date__series", "date__night", "player")
    rows = rows.order_by("date__day", "date__start", "pk")
    found = [row for row in rows if row.player_id is not None or hashes.get(row.date_id) == row.secret_hash]
    return next((row for row in found if row.says != Says.NO), next(iter(found), None))


def is_first_yes(row: Answer) -> bool:
    """Tell whether an answer is the first yes in its series of its player, or of a name that is no player's."""
    if row.says != Says.YES:
        return False
    others = Answer.objects.filter(date__series=row.date.series_id, player=row.player_id, says=Says.YES)
    return row.player_id is None or not others.exclude(pk=row.pk).exists()


def shown_names(date: SeriesDate, reader: Player, *, sees: bool) -> tuple[list[str], int]:
    """Return who comes beside a reader, for what leaves the house: names, and the number of all others.

    Named are all where the list is open; else, for who `sees` names, those who are shown in the leaderboards.
    """
    names, people = [], 0
    for row in coming(date).yes:
        is_own = row.player_id == reader.pk
        is_named = date.series.names_open or (sees and row.player is not None and row.player.is_listed)
        if is_named and not is_own and shown_name(row):
            names.append(shown_name(row))
        people += row.extra + (not is_own)
    return names, people - len(names)


def of_name(date: SeriesDate, name: str) -> Answer | None:
    """Return the only answer by a mere name that is this name, in any case."""
    named = [row for row in date.answers.filter(player=None) if row.name.casefold() == name.casefold()]
    return named[0] if len(named) == 1 else None


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


@transaction.atomic
def answer(date: SeriesDate, player: Player, said: Said) -> Answer:
    """Answer as a player. Raises Illegal `banned`, `gone_player` and as `_checked`."""
    player = row_locks.person(player)
    players.check_welcome(player)
    _hold(date)
    said = _checked(date, said)
    row = date.answers.filter(player=player).first()
    if row is None:
        _check_room(date)
        row = Answer(date=date, player=player)
    return _write(row, said)


@DATE.act("answer", SeriesRight.PERSON, done=_("Your answer is noted. You can change it here."))
def answer_as_said(date: SeriesDate, player: Player, *, says: Typed, extra: NumberOrNone = 0, word: Typed = "") -> None:
    """Answer for a date as oneself, given in its parts; a second answer takes the place of the first.

    Raises Illegal `banned`, `gone_player`, `date_over`, `date_cancelled`, `long_word`, `too_many_answers`.
    """
    answer(date, player, Said(says, extra, word))


@transaction.atomic
def answer_by_name(date: SeriesDate, name: str, said: Said, secret: str = "") -> tuple[Answer, str]:
    """Answer as a name without a player, and return the answer with its secret; `secret` is of an earlier answer.

    Raises Illegal `accounts_only`, for a bad nickname, `name_answered`, `too_many_answers` and as `_checked`.
    """
    _hold(date)
    said = _checked(date, said)
    row = of_secret(date, secret)
    if row is None:
        if date.accounts_only:
            raise Illegal("accounts_only")
        _check_room(date)
        secret = secrets.token_urlsafe(16)
        row = Answer(date=date, secret_hash=_hash(secret))
    if row.player_id is None:
        row.name = _free_name(date, name, row)
    return _write(row, said), secret


def _free_name(date: SeriesDate, name: str, row: Answer) -> str:
    """Return a clean name that no other answer of the date has; raises as `players.clean_nickname`, `name_answered`."""
    name = players.clean_nickname(name)
    others = date.answers.exclude(pk=row.pk or 0).select_related("player")
    if name.casefold() in {shown_name(other).casefold() for other in others}:
        raise Illegal("name_answered")
    return name


@transaction.atomic
def mark(date: SeriesDate, by: Player, name: str, said: Said) -> Answer:
    """Note the answer of another person, by name, as an organiser or the night's host.

    Raises `not_series_organiser`, and as `answer_by_name`.
    """
    by = row_locks.person(by)
    check_noter(date, by)
    _hold(date)
    said = _checked(date, said)
    _check_room(date)
    row = Answer(date=date, marked_by=by)
    row.name = _free_name(date, name, row)
    return _write(row, said)


@DATE.act(
    "mark",
    SeriesRight.NOTER,
    done=_("Saved."),
    label=_("Answer for somebody"),
    words={"says_yes": _("Yes"), "says_maybe": _("Maybe"), "says_no": _("No")},
)
def mark_as_said(date: SeriesDate, by: Player, *, name: Typed, says: Typed, extra: NumberOrNone, word: Typed) -> None:
    """Note the answer of another person, given in its parts; raises as `mark`."""
    mark(date, by, name, Said(says, extra, word))


@DATE.act("delete", SeriesRight.PERSON, done=_("The answer is deleted."), label=_("Delete"))
@transaction.atomic
def delete(date: SeriesDate, by: Player, answer_id: AnswerId) -> None:
    """Delete an answer of a date, as an organiser, the night's host, or one's own.

    Raises `not_series_organiser`, `no_such_answer`.
    """
    _hold(date)
    row = date.answers.filter(pk=answer_id).first()
    if row is None:
        raise Illegal("no_such_answer")
    if not may_mark(date, by) and row.player_id != by.pk:
        raise Illegal("not_series_organiser")
    with moving_up(date):
        row.delete()


@DATE.act(
    "delete_newcomers",
    SeriesRight.NOTER,
    done=_("They are deleted."),
    label=_("Delete made-up answers"),
    question=_(
        "Every answer goes that came since then from somebody who never played here, by a mere name or not. What was "
        "entered for others stays. If strangers have the link, then take answers of people whom the house knows alone "
        "as well."
    ),
    yes=_("Yes, delete them"),
)
@transaction.atomic
def delete_newcomers(date: SeriesDate, by: Player, since: Moment) -> str:
    """Delete the answers that came at a time or later from whoever never played here, as an organiser or the host.

    What was noted for others, and the own answer, stay. Raises `not_series_organiser`.
    """
    check_noter(date, row_locks.person(by))
    _hold(date)
    rows = date.answers.filter(newcomers.never_played(), answered_at__gte=since, marked_by=None)
    with moving_up(date):
        count = rows.exclude(player=by).delete()[0]
    return "" if count else gettext("No such answer has come since then.")


@transaction.atomic
def take(date: SeriesDate, secret: str, player: Player) -> None:
    """Give a player the answer that their device gave by a name; it is deleted if they have one of their own."""
    player = row_locks.person(player)
    _hold(date)
    row = of_secret(date, secret)
    if row is None or row.player_id is not None:
        return
    if date.answers.filter(player=player).exists():
        with moving_up(date):
            row.delete()
        return
    give(row, player)


@transaction.atomic
def take_name(date: SeriesDate, player: Player) -> None:
    """Give a player the answer by their name, if there is just one and none of their own."""
    player = row_locks.person(player)
    _hold(date)
    if date.answers.filter(player=player).exists():
        return
    row = of_name(date, player.nickname)
    if row is not None:
        give(row, player)


@transaction.atomic
def give(row: Answer, player: Player) -> None:
    """Give an answer by a mere name to a player without one for that date; its link changes nothing any more."""
    player = row_locks.person(player)
    if Answer.objects.filter(date=row.date_id, player=player).exists():
        return
    row.player, row.name, row.secret_hash = player, "", ""
    row.save(update_fields=["player", "name", "secret_hash"])


def _hold(date: SeriesDate) -> None:
    """Hold a date, renewed in place, so that places are given one after the other."""
    row = SeriesDate.objects.select_for_update(no_key=True).filter(pk=date.pk).first()
    if row is None:
        raise Illegal("no_such_date")
    date.places, date.accounts_only, date.is_cancelled = row.places, row.accounts_only, row.is_cancelled
    date.day, date.night_id = row.day, row.night_id


def _checked(date: SeriesDate, said: Said) -> Said:
    """Return a clean answer.

    Raises `series_ended`, `date_over`, `date_cancelled`, `bad_answer`, `bad_extra`, `long_word`.
    """
    check_goes_on(date.series)
    if date.day < today():
        raise Illegal("date_over")
    if date.is_cancelled:
        raise Illegal("date_cancelled")
    if said.says not in Says.values:
        raise Illegal("bad_answer")
    if said.extra not in range(MOST_EXTRA + 1):
        raise Illegal("bad_extra", most=MOST_EXTRA)
    word = " ".join(said.word.split())
    if len(word) > LONGEST_WORD or not players.is_plain(word):
        raise Illegal("long_word", longest=LONGEST_WORD)
    return Said(said.says, said.extra if said.says != Says.NO else 0, word)


def _check_room(date: SeriesDate) -> None:
    if date.answers.count() >= MOST_ANSWERS:
        raise Illegal("too_many_answers", most=MOST_ANSWERS)


def _write(row: Answer, said: Said) -> Answer:
    """Write an answer. A yes keeps its place in the order; one that brings more people than before goes to the end."""
    now = datetime.now(UTC)
    is_same_yes = row.pk is not None and row.says == said.says == Says.YES and said.extra <= row.extra
    with moving_up(row.date, row):
        if not is_same_yes:
            row.since, row.moved_up_at = now, None
        row.says, row.extra, row.word, row.answered_at = said.says, said.extra, said.word, now
        row.save()
    return row


def shown_name(row: Answer) -> str:
    """Return the name of an answer; "" for one whose name has gone."""
    return row.name if row.player is None else row.player.displayed_name


def forget_names(now: datetime) -> int:
    """Delete names, words and links of the answers for dates of a month ago; return their number."""
    rows = Answer.objects.filter(date__day__lt=(now - KEPT).date()).exclude(
        name="", word="", secret_hash="", player=None
    )
    return rows.update(name="", word="", secret_hash="", player=None, marked_by=None)


def join(source: Player, target: Player) -> None:
    """Leave one answer a date to a merged player: the target's own."""
    _drop(source.answers.filter(date__in=list(target.answers.values_list("date", flat=True))))


def forget(player: Player) -> None:
    """Delete the answers of a deleted player."""
    _drop(player.answers.all())


def _drop(rows: QuerySet[Answer]) -> None:
    """Delete answers of one player; those that wait for their places move up."""
    coming_dates = SeriesDate.objects.filter(pk__in=rows.values("date"), day__gte=today(), places__gt=0)
    for date in coming_dates.select_for_update(no_key=True, of=("self",)).select_related("series").order_by("pk"):
        with moving_up(date):
            rows.filter(date=date).delete()
    rows.all().delete()

"""Proposals that two people of a season are one: made by organisers and hosts, decided as claims are.

Each of the two must have agreed: by their own device, which is asked first, or by all hosts of the nights where they
were; for a person with an account nobody else speaks. One refusal ends it. Two who sat at one table are never joined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import JoinProposal, Night, Player, Season
from games.services import audit, row_locks
from games.services.acts import LogLine
from games.services.arguments import RowId, Yes
from games.services.nights import agreement, without_phone
from games.services.people import merging, name_order, players, two_people
from games.services.seasons import season_log, season_nights
from games.services.seasons.registry import ACTS, ProposalId, SeasonRight
from games.services.seasons.rights import SeasonReader, check_open, is_organiser, people_of, reader_of
from games.services.seasons.season_nights import Placed

MOST_WAITING = 30
"""The most proposals of a season that wait at the same time."""
season_log.LOG.add(
    LogLine("joined", _("Two people of the season were joined: they are one person.")),
)


def candidates(season: Season, by: Player) -> list[Player]:
    """Return the people of a season that a person may propose to join: all visible by name; [] without the right."""
    nights = [placed.night for placed in season_nights.nights_of(season)]
    return seen_by(season, by, nights, reader_of(season, by, nights))


def seen_by(season: Season, by: Player, nights: Sequence[Night], reader: SeasonReader) -> list[Player]:
    """Return the `candidates` of a season with these nights, which `by` reads as `reader`."""
    if not (is_organiser(season, by) or any(night.host_id == by.pk for night in nights)):
        return []
    found = Player.objects.filter(pk__in=people_of(season, nights), merged_into=None, deleted_at=None)
    return [each for each in found.order_by(name_order.order("nickname"), "pk") if reader.sees(each.pk)]


@dataclass(frozen=True, slots=True)
class TwoShown:
    """Two people with their past in a season, and the nights of it at which both were."""

    people: tuple[tuple[Player, two_people.Summary], ...]
    occasions: Sequence[two_people.Occasion]


def both_of(season: Season, one: Player, other: Player, placed: Sequence[Placed] | None = None) -> TwoShown:
    """Return two people side by side, as far as the nights of a season go."""
    nights = [each.night.pk for each in (season_nights.nights_of(season) if placed is None else placed)]
    found = tuple((each, two_people.summary(each, nights)) for each in (one, other))
    return TwoShown(found, two_people.occasions(one, other, nights))


@ACTS.act(
    "propose",
    SeasonRight.PERSON,
    LogLine("join_proposed", _("It was proposed that two people of the season are one.")),
    done=_("Proposed. Where all have agreed, the two are one person."),
    label=_("Propose it"),
)
@transaction.atomic
def propose(season: Season, by: Player, one: RowId, other: RowId, sure: Yes = False) -> JoinProposal | None:
    """Propose that two people are one; return None if they are joined by it at once.

    Whoever hosted all nights of a person without a phone has agreed for them by proposing it. Where both were at a
    night of the season, `sure` says that they are one all the same. Raises Illegal `season_closed`, `not_organiser`,
    `no_such_player`, `both_there`, `proposed_already`, `too_many_proposals`, and as `merging.check`.
    """
    check_open(season)
    players.check_welcome(by)
    known = {each.pk for each in candidates(season, by)}
    if not known and not is_organiser(season, by):
        raise Illegal("not_organiser")
    if not {one, other} <= known:
        raise Illegal("no_such_player")
    row_locks.people(one, other, by.pk)
    source, target = _ordered(*row_locks.everywhere(one, other)[0])
    merging.check(source, target)
    if not sure and (met := both_of(season, source, target).occasions):
        raise Illegal("both_there", where="; ".join(each.text for each in met))
    _check_new(season, source, target)
    row = JoinProposal(season=season, by=by, source=source, target=target)
    row.source_agreed, row.target_agreed = _has_agreed(source, by), _has_agreed(target, by)
    row.save()
    season_log.note(season, "join_proposed", by)
    return None if _settle(row, by) else row


def _check_new(season: Season, source: Player, target: Player) -> None:
    """Raise `proposed_already`, `too_many_proposals`; what has waited for too long goes."""
    season.proposals.exclude(created_at__gt=_since()).delete()
    if season.proposals.filter(Q(source=source, target=target) | Q(source=target, target=source)).exists():
        raise Illegal("proposed_already")
    if season.proposals.count() >= MOST_WAITING:
        raise Illegal("too_many_proposals", most=MOST_WAITING)


def _has_agreed(person: Player, by: Player) -> bool:
    """Tell whether a proposal has the agreement of one of the two by being made: it is theirs, or their only host's.

    The host speaks at once for people without a phone alone; of others the own device is asked first.
    """
    if person.pk == by.pk:
        return True
    return without_phone.is_without_phone(person) and not agreement.missing(person, [by.pk])


def _since() -> datetime:
    return datetime.now(UTC) - timedelta(days=agreement.CLAIM_DAYS)


def _ordered(one: Player, other: Player) -> tuple[Player, Player]:
    """Return two players as (source, target): the account is the target, else one with a phone, else the older."""
    ranks = {
        each.pk: (each.user_id is None, without_phone.is_without_phone(each), each.created_at, each.pk)
        for each in (one, other)
    }
    target, source = sorted((one, other), key=lambda each: ranks[each.pk])
    return source, target


def waiting(season: Season) -> QuerySet[JoinProposal]:
    """Return the proposals of a season that are not decided, the oldest first."""
    return season.proposals.filter(created_at__gt=_since()).select_related("source", "target", "by")


def asked_of(player: Player) -> list[JoinProposal]:
    """Return the proposals that wait for a player's answer: as one of the two, or as a host of their nights."""
    rows = JoinProposal.objects.filter(created_at__gt=_since(), season__status=Season.Status.OPEN)
    people = Q(source__memberships__night__host=player) | Q(target__memberships__night__host=player)
    rows = rows.filter(people | Q(source=player) | Q(target=player)).distinct()
    return [row for row in rows.select_related("source", "target", "by", "season") if _asks(row, player)]


def _asks(row: JoinProposal, player: Player) -> bool:
    """Tell whether a proposal waits for a player."""
    if player.pk in (row.source_id, row.target_id):
        return not (row.source_agreed if player.pk == row.source_id else row.target_agreed)
    return player.pk not in row.agreed and any(player.pk in _missing(row, each) for each in (row.source, row.target))


def _missing(row: JoinProposal, person: Player) -> set[int]:
    """Return the ids of those who may still speak for one of the two: the hosts of their nights, or they alone."""
    if row.source_agreed if person.pk == row.source_id else row.target_agreed:
        return set()
    return {person.pk} if person.user_id is not None else agreement.missing(person, row.agreed)


@transaction.atomic
def answer(proposal_id: int | None, by: Player, *, is_true: bool) -> bool:
    """Answer a proposal; tell whether the two are joined by it.

    Raises Illegal `no_proposal`, `banned`, `season_closed`, `too_soon` (with `seconds`: the own device is asked first),
    and as `merging.check`.
    """
    found = JoinProposal.objects.filter(pk=proposal_id or 0).first()
    if found is None:
        raise Illegal("no_proposal")
    held, _nights = row_locks.everywhere(found.source_id, found.target_id, by.pk)
    by = next(each for each in held if each.pk == by.pk)
    players.check_welcome(by)
    row = next((each for each in asked_of(by) if each.pk == found.pk), None)
    if row is None:
        raise Illegal("no_proposal")
    check_open(row.season)
    if not is_true:
        row.delete()
        season_log.note(row.season, "join_refused", None)
        audit.note("claim_refused", by, row.source.nickname, player=row.source_id, account=row.target_id)
        return False
    if by.pk == row.source_id:
        row.source_agreed = True
    elif by.pk == row.target_id:
        row.target_agreed = True
    else:
        _check_asked_first(row, by)
        row.agreed = sorted({*row.agreed, by.pk})
    return _settle(row, by)


def _check_asked_first(row: JoinProposal, by: Player) -> None:
    """Raise `too_soon` while only a person's own device may answer, not yet the host for them."""
    spoken_for = [each for each in (row.source, row.target) if by.pk in _missing(row, each)]
    left = max((agreement.seconds_left(each, row.created_at) for each in spoken_for), default=0)
    if left:
        raise Illegal("too_soon", seconds=left)


def _settle(row: JoinProposal, by: Player) -> bool:
    """Join the two if everybody has agreed, else keep the answers; tell whether they are joined."""
    if any(_missing(row, each) for each in (row.source, row.target)):
        row.save()
        return False
    season, source, target, nickname = row.season, row.source, row.target, row.source.nickname
    row.delete()
    merging.merge(source, target)
    season_log.note(season, "joined", None)
    author = target if by.pk == source.pk else by
    audit.note("claim_confirmed", author, nickname, player=source.pk, account=target.pk)
    return True


@ACTS.act(
    "withdraw",
    SeasonRight.PERSON,
    LogLine("join_refused", _("A proposal to join two people was refused or taken back.")),
    done=_("The proposal is gone."),
    label=_("Take it back"),
)
@transaction.atomic
def withdraw(season: Season, by: Player, proposal_id: ProposalId) -> None:
    """Take a proposal back, as who made it or as an organiser; raises `no_proposal`, `not_organiser`."""
    row = season.proposals.filter(pk=proposal_id).first()
    if row is None:
        raise Illegal("no_proposal")
    if row.by_id != by.pk and not is_organiser(season, by):
        raise Illegal("not_organiser")
    row.delete()
    season_log.note(season, "join_refused", None)

"""Regulars: people without a phone who are seated again by one tap, as the same people."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from games.kernel.contract import Illegal
from games.models import Membership, Night, Player, Seat, Table
from games.services.nights import night_rights, without_phone
from games.services.seasons import season_nights

MOST_OFFERED = 40
"""The most people who are offered at a table."""


def offered(night: Night, by: Player) -> list[Player]:
    """Return the people without a phone who can be seated again by one tap, by name: regulars, and tonight's.

    They have been kept by `by` or at nights of `by`, and where `by` hosts the night also at nights of its seasons.
    Whoever sits at a table of tonight, was shown the door, is banned, or has a phone by now, is not among them.
    """
    ids = without_phone.regulars(by)
    if by.pk == night.host_id:
        nights = [
            placed.night.pk for season in season_nights.seasons_of(night) for placed in season_nights.nights_of(season)
        ]
        kept = Membership.objects.filter(keeper__isnull=False, night__in=nights)
        ids |= set(kept.values_list("player", flat=True))
    seated = Seat.objects.filter(table__night=night, player__isnull=False).exclude(table__status=Table.Status.FINISHED)
    here = Membership.objects.filter(night=night).filter(~Q(status=Membership.Status.IN) | Q(keeper=None))
    found = Player.objects.filter(pk__in=ids, user=None, merged_into=None, deleted_at=None, banned_at=None)
    with_phone = Membership.objects.filter(player=OuterRef("pk"), keeper=None)
    found = found.filter(~Exists(with_phone)).exclude(pk__in=seated.values("player"))
    return list(found.exclude(pk__in=here.values("player")).order_by("nickname", "pk")[:MOST_OFFERED])


def check_offered(night: Night, by: Player, person: Player) -> None:
    """Raise Illegal `not_offered` for a person who is not offered; `removed`, `not_inside` where `by` is not in."""
    night_rights.check_inside(night, by)
    if person.pk not in {each.pk for each in offered(night, by)}:
        raise Illegal("not_offered")

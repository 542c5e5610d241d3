"""People without a phone: members of a night with another member as their keeper."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games.models import Membership, Night, Player, Seat, Table
from games.services import publication
from games.services.acts import LogLine
from games.services.nights import events

events.LOG.add(
    LogLine("brought", _("%(by)s brought %(name)s, who has no phone.")),
)


def people(night: Night) -> QuerySet[Membership]:
    """Return the memberships of people without a phone that are in at a night."""
    inside = night.memberships.filter(status=Membership.Status.IN, keeper__isnull=False)
    return inside.select_related("player", "keeper")


def regulars(player: Player) -> set[int]:
    """Return the ids of people without a phone that a player has kept, hosted, or met at a night of others."""
    kept = Membership.objects.filter(keeper__isnull=False, player__user=None)
    been = Membership.objects.filter(player=player, status=Membership.Status.IN)
    mine = Q(keeper=player) | Q(night__host=player) | Q(night__in=been.values("night"))
    return set(kept.filter(mine).values_list("player", flat=True))


def among(people: QuerySet[Player]) -> QuerySet[Player]:
    """Return those of some players who were brought by others alone, and so have no phone."""
    been = Membership.objects.filter(player=OuterRef("pk"))
    return people.filter(Exists(been.filter(keeper__isnull=False)), ~Exists(been.filter(keeper=None)), user=None)


def of_name(people: Iterable[Player], name: str) -> int | None:
    """Return the id of the only one of some people who has a name as it was typed."""
    said = " ".join(unicodedata.normalize("NFKC", name).split()).casefold()
    found = [each.pk for each in people if each.nickname.casefold() == said]
    return found[0] if len(found) == 1 else None


def note_at(night: Night, keeper: Player, person: Player) -> None:
    """Make a person without a phone a member of a night that they played at, with `keeper` as the keeper."""
    _member, is_new = Membership.objects.get_or_create(night=night, player=person, defaults={"keeper": keeper})
    if is_new:
        name, by = person.nickname, keeper.nickname
        events.record(night, "brought", name=name, player=person.pk, by=by, by_player=keeper.pk)


def pass_on(night: Night, keeper: Player) -> None:
    """Make the host the keeper of all people whose keeper leaves a night."""
    night.memberships.filter(keeper=keeper).update(keeper=night.host)
    for table in night.tables.filter(scorekeeper=keeper):
        table.scorekeeper = None
        table.save(update_fields=["scorekeeper"])
    for table in night.tables.exclude(status=Table.Status.FINISHED):
        publication.table_changed(table)


def keepers(person: Player) -> set[int]:
    """Return the ids of the keepers of a person at open nights: none for a person with a phone.

    These are the members that brought the person, and the scorekeepers of tables where the person sits; a table
    that has ended has no say.
    """
    kept = Membership.objects.filter(player=person, keeper__isnull=False).exclude(night__status=Night.Status.CLOSED)
    found = set(kept.values_list("keeper", flat=True))
    tables = Table.objects.exclude(status=Table.Status.FINISHED).filter(night__in=kept.values("night"))
    tables = tables.filter(seats__player=person, scorekeeper__isnull=False)
    return {pk for pk in found | set(tables.values_list("scorekeeper", flat=True)) if pk is not None}


def is_without_phone(person: Player) -> bool:
    """Tell whether a person has a keeper at any night: brought by a member, and without a phone since."""
    return Membership.objects.filter(player=person, keeper__isnull=False).exists()


def nights(keeper: Player, person_id: int) -> list[Night]:
    """Return the open nights where a player is keeper of a person without a phone."""
    kept = Membership.objects.filter(player__id=person_id, keeper__isnull=False)
    kept = kept.exclude(night__status=Night.Status.CLOSED)
    tables = Table.objects.exclude(status=Table.Status.FINISHED).filter(scorekeeper=keeper, seats__player__id=person_id)
    here = Q(keeper=keeper) | Q(night__in=tables.values("night"))
    return [each.night for each in kept.filter(here).select_related("night__host").order_by("night")]


def hosts(keeper: Player, person_id: int) -> set[int]:
    """Return the ids of the hosts of those nights, in whose place the keeper speaks."""
    return {night.host_id for night in nights(keeper, person_id)}


def persons(keeper: Player) -> set[int]:
    """Return the ids of the people without a phone that a player is keeper of, at open nights."""
    kept = Membership.objects.filter(keeper__isnull=False).exclude(night__status=Night.Status.CLOSED)
    seats = Seat.objects.exclude(table__status=Table.Status.FINISHED)
    at_tables = seats.filter(table__scorekeeper=keeper, player__in=kept.values("player"))
    brought = kept.filter(keeper=keeper).values_list("player", flat=True)
    return set(brought) | {pk for pk in at_tables.values_list("player", flat=True) if pk is not None}


def got_phone(person: Player) -> None:
    """Let a person act for themselves from now on, at every night."""
    Membership.objects.filter(player=person).update(keeper=None)

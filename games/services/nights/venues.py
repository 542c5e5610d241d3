"""Venues: the places of the house, a list that staff keep."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from games.kernel.contract import Illegal
from games.models import Player, Venue
from games.services import audit
from games.services.people import name_order, players

LONGEST_NAME = 80


def listed() -> QuerySet[Venue]:
    """Return all venues, by name."""
    return Venue.objects.order_by(name_order.order("name"), "pk")


def clean_name(raw: str, venue: Venue | None = None) -> str:
    """Return a name for a new venue, or for `venue`; raises `venue_name`, `venue_taken`."""
    name = " ".join(raw.split())
    if not 0 < len(name) <= LONGEST_NAME or not players.is_plain(name):
        raise Illegal("venue_name", longest=LONGEST_NAME)
    others = Venue.objects.exclude(pk=venue.pk) if venue else Venue.objects.all()
    if name.casefold() in {other.casefold() for other in others.values_list("name", flat=True)}:
        raise Illegal("venue_taken")
    return name


def add(name: str, by: AbstractBaseUser) -> Venue:
    """Add a venue; raises as `clean_name`."""
    venue = Venue(name=clean_name(name))
    _save(venue, "venue_added", by)
    return venue


def rename(venue: Venue, name: str, by: AbstractBaseUser) -> None:
    """Give a venue another name; its nights stay with it. Raises as `clean_name`."""
    venue.name = clean_name(name, venue)
    _save(venue, "venue_renamed", by)


def check_host(venue: Venue | None, by: Player) -> None:
    """Raise `not_venue_host` unless a player may enter evenings held at a venue: one of its hosts, if any, or staff."""
    if venue is None or players.is_staff(by):
        return
    hosts = set(venue.hosts.values_list("pk", flat=True))
    if hosts and by.user_id not in hosts:
        raise Illegal("not_venue_host")


@transaction.atomic
def set_hosts(venue: Venue, accounts: Iterable[Any], by: AbstractBaseUser) -> None:
    """Name the accounts that enter evenings held at a venue; without any, every account may."""
    before = set(venue.hosts.values_list("pk", flat=True))
    named = list(accounts)
    if before == {account.pk for account in named}:
        return
    venue.hosts.set(named)
    audit.note("venue_hosts_changed", by, venue.name, venue=venue.public_id)


def _save(venue: Venue, act: str, by: AbstractBaseUser) -> None:
    """Save a venue; raises `venue_taken` if the name was taken at the same moment."""
    try:
        with transaction.atomic():
            venue.save()
            audit.note(act, by, venue.name, venue=venue.public_id)
    except IntegrityError:
        raise Illegal("venue_taken") from None

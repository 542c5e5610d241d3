"""Accounts: the guest of a browser at sign-up and at login."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib.auth.models import AbstractBaseUser, User
from django.db import transaction

from games.kernel.contract import Illegal
from games.models import Player
from games.services import row_locks
from games.services.people import merging, players


def undecided(guest: Player | None) -> bool:
    """Tell whether a browser's player is a guest with a history that an account may claim."""
    return guest is not None and guest.user_id is None and players.has_history(guest)


def player_at_login(user: AbstractBaseUser, guest: Player | None) -> Player | None:
    """Return the browser's player after a login: the account's, or still the guest.

    A guest with a history stays until it is decided whose history it is: nothing is merged silently,
    and logging in loses no seat. None for an account without a player.
    """
    if guest is not None and (guest.user_id == user.pk or undecided(guest)):
        return guest
    own = players.account_player(user)
    if own is None and guest is not None and guest.is_guest and guest.banned_at is None:
        return _first_player(user, guest)
    return own


@transaction.atomic
def _first_player(user: AbstractBaseUser, guest: Player) -> Player | None:
    """Make a guest without a history the player of an account; return the account's player, None for none."""
    guest = row_locks.person(guest)
    own = players.account_player(user)
    return _tie(guest, user) if own is None and guest.is_guest and guest.banned_at is None else own


@transaction.atomic
def claim(user: AbstractBaseUser, guest: Player) -> Player:
    """Make a guest's history the account's: the guest becomes its player, or is merged into it.

    Raises `banned`, `not_a_guest`, `gone_player` and as `merging.check`.
    """
    own = players.account_player(user)
    guest, *others = row_locks.people(guest, *([] if own is None else [own]))
    players.check_welcome(guest)
    if not guest.is_guest:
        raise Illegal("not_a_guest")
    if own is None:
        return _tie(guest, user)
    (own,) = others
    players.check_welcome(own)
    return merging.merge(guest, own)


def _tie(guest: Player, user: AbstractBaseUser) -> Player:
    """Give a held guest an account, through which the player logs in from now on."""
    guest.user_id = user.pk
    guest.save(update_fields=["user"])
    players.come_back(guest)
    return guest


@transaction.atomic
def own_player(user: AbstractBaseUser, nickname: str, language: str = "") -> Player:
    """Return an account's player, created now if it had none; raises as `clean_nickname`."""
    own = players.account_player(user)
    if own is not None:
        return own
    player = players.new_guest(nickname, language)
    player.user_id = user.pk
    player.save(update_fields=["user"])
    return player


def addresses(address: str) -> list[EmailAddress]:
    """Return an e-mail address as accounts that may log in have it, the oldest account first.

    What only the staff has written down of an account is added, unconfirmed.
    """
    email = address.lower()
    for user in User.objects.filter(email__iexact=email, is_active=True):
        # Databases differ in what is the same letter.
        if user.email.lower() == email:
            EmailAddress.objects.get_or_create(user=user, email=email)
    return list(EmailAddress.objects.filter(email=email, user__is_active=True).select_related("user").order_by("user"))

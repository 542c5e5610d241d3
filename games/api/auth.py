"""The asker of an API request: the player and account of a browser's session or of a token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from rest_framework.request import Request

from games.api.authentication import django_request
from games.kernel.contract import Illegal
from games.models import ApiToken, Night, Player
from games.services.history import player_history
from games.services.house_rules.sets import SetKeeper, keeper_of
from games.services.nights import night_rights, tv_screens
from games.services.tables import access


@dataclass(frozen=True, slots=True)
class RequestAsker:
    """The asker of a request. `user` is the account, `tv` the public ids of the nights of the browser's TV links.

    `screen` is the digest of the secret of a screen of the house, "" for none.
    """

    player: Player | None
    user: Any = None
    tv: tuple[str, ...] = ()
    is_banned: bool = False
    screen: str = ""

    @property
    def is_staff(self) -> bool:
        """Tell whether the account is active staff; staff may read everything."""
        return bool(self.user is not None and self.user.is_active and self.user.is_staff)

    @property
    def keeper(self) -> SetKeeper:
        """Return the asker as a keeper of house rules."""
        return keeper_of(self.player, self.user)

    def need_player(self) -> Player:
        """Return the asking player; raises Illegal `banned`, `not_known`."""
        if self.is_banned:
            raise Illegal("banned")
        if self.player is None:
            raise Illegal("not_known")
        return self.player

    def check_guest(self) -> None:
        """Raise Illegal `guests_only` unless the asker is staff or has been at a night; as `need_player` too."""
        if not self.is_staff and not player_history.may_browse(self.need_player()):
            raise Illegal("guests_only")


def asker_of(request: Request) -> RequestAsker:
    """Return the asker of a request."""
    if isinstance(request.auth, ApiToken):
        return RequestAsker(request.user, request.auth.user)
    django = django_request(request)
    (tv,) = tv_screens.visible_nights([tv_screens.read(django.COOKIES.get(tv_screens.COOKIE, ""))])
    screen = tv_screens.digest_in(django.COOKIES)
    if settings.SESSION_COOKIE_NAME not in django.COOKIES:
        return RequestAsker(request.user, tv=tuple(tv), screen=screen)
    return RequestAsker(
        request.user,
        _account(request),
        tuple(tv),
        bool(getattr(django, "banned", False)),
        screen,
    )


def _account(request: Any) -> AbstractBaseUser | None:
    """Return the account that the browser is logged in to (see base.View)."""
    return request.account if request.account.is_authenticated else None


def table_access(request: Request, public_id: str) -> access.Access:
    """Return the access to a table; staff have a spectator's.

    Raises Illegal `no_such_table`, `removed`, `not_inside`.
    """
    asker = asker_of(request)
    player_id = asker.player.pk if asker.player else None
    tv = _visible_nights(asker, public_id)
    right = access.access(public_id, player_id, tv, is_staff=asker.is_staff, screen=asker.screen)
    request.game_id = right.game_id  # refusals are in this game's words (errors.py)
    return right


def log_access(request: Request, public_id: str) -> access.Access:
    """Return the access to a table's log, which a screen does not show; raises as `table_access`."""
    right = table_access(request, public_id)
    if not right.is_guest and not asker_of(request).is_staff:
        raise Illegal("not_inside")
    return right


def _visible_nights(asker: RequestAsker, table_id: str) -> list[str]:
    """Return the public ids of nights whose tables the asker may see without a membership."""
    if not asker.is_staff:
        return list(asker.tv)
    its_night = Night.objects.filter(tables__public_id=table_id)
    return list(its_night.values_list("public_id", flat=True))


def night_access(request: Request, public_id: str) -> Night:
    """Return a night, for its members and staff.

    Raises Illegal `no_such_night`, `removed`, `not_inside`, `not_known`.
    """
    night = Night.objects.select_related("host", "venue").filter(public_id=public_id).first()
    if night is None:
        raise Illegal("no_such_night")
    asker = asker_of(request)
    if not asker.is_staff:
        night_rights.check_inside(night, asker.need_player())
    return night

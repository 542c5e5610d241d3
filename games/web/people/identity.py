"""The player and account of a request: a guest is a browser session that points to a player.

A session that is logged in points to the account's player, or still to the guest that the
browser was before: then the account has yet to say whether that was the same person.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, cast

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions import middleware as sessions
from django.core.cache import cache
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from games.kernel.contract import Illegal
from games.models import Player
from games.services.house_rules import sets
from games.services.house_rules.sets import Keeper
from games.services.people import accounts, players
from games.web import busy

SESSION_KEY = players.SESSION_KEY
CHANGED_SECONDS = 30


class PlayerMiddleware:
    """Sets `request.player` to the session's Player, or None; `request.banned` says why not."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Find the player, then go on; a browser that took a seat gets a new session key."""
        try:
            _set_player(request, find_player(request))
        except busy.NOT_READY as error:
            return busy.not_ready(request, error)
        # The API puts the player in the account's place.
        account = getattr(request, "user", None)
        response = self.get_response(request)
        if getattr(request, "took_seat", False):
            request.user = account  # type: ignore[assignment]
            _note_change(request)
            _rotate(request)
        return response


class SessionMiddleware(sessions.SessionMiddleware):
    """Django's, without forgetting a browser whose key has just been changed elsewhere.

    A page that asks again while another request gets a new key comes with the old one. It is
    told nothing then, and must not take the new cookie away; only a session that was emptied
    in this very request does.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> Any:
        """Save the session and set the cookie; leave both alone for a key that is unknown."""
        session = request.session
        if session.is_empty() and not session.modified:
            if session.accessed:
                patch_vary_headers(response, ("Cookie",))
            return response
        try:
            return super().process_response(request, response)
        except busy.NOT_READY as error:
            # What the session should have kept is lost: the page must not say that it is done.
            return busy.not_ready(request, error)


def _note_change(request: HttpRequest) -> None:
    """Remember for a moment that the key which a request came with gives way to another."""
    if request.session.session_key:
        cache.set(_changed(request.session.session_key), True, CHANGED_SECONDS)


def has_new_key(request: HttpRequest) -> bool:
    """Tell whether a request that belongs to nobody comes with a key that was just changed.

    Its browser has the new one by now, of the same player: nothing is to be told to it.
    """
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    return player_of(request) is None and bool(key) and cache.get(_changed(str(key))) is True


def _changed(key: str) -> str:
    """Return the cache key of a changed session key: a digest, for the cache may be read by others."""
    return "changed-key-" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _rotate(request: HttpRequest) -> None:
    """Give the session a new key: the old one may be known to somebody."""
    request.session.cycle_key()
    if account_of(request) is not None:
        # The account's list of devices goes by the session's key.
        UserSession.objects.create_from_request(request)


def _set_player(request: Any, player: Player | None) -> None:
    """Set `request.player` (None for a banned player) and `request.banned`."""
    request.player = players.not_banned(player)
    request.banned = player is not None and request.player is None


def find_player(request: HttpRequest) -> Player | None:
    """Return the player of the request's session; no query without a session cookie."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    return players.session_player(request.session)


def player_of(request: HttpRequest) -> Player | None:
    """Return the request's player, or None for a browser that has not joined anything."""
    return cast("Player | None", getattr(request, "player", None))


def keeper_of(request: HttpRequest) -> Keeper:
    """Return the request's keeper of house rules; a guest's keeper may keep nothing."""
    return sets.keeper_of(player_of(request), request.user)


def is_banned(request: HttpRequest) -> bool:
    """Tell whether the browser's player is banned."""
    return bool(getattr(request, "banned", False))


def account_of(request: HttpRequest) -> AbstractBaseUser | None:
    """Return the account that this browser is logged in to; no query without a session."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    user = getattr(request, "user", None)
    return cast(AbstractBaseUser, user) if user is not None and user.is_authenticated else None


def need_player(request: HttpRequest) -> Player:
    """Return the request's player; raises Illegal `not_inside` for nobody, `banned`."""
    player = player_of(request)
    if is_banned(request):
        raise Illegal("banned")
    if player is None:
        raise Illegal("not_inside")
    return player


def become(request: HttpRequest, player: Player) -> None:
    """Make this browser the player's, under a new session key: the old one may be known."""
    players.bind_session(request.session, player)
    _set_player(request, player)
    _rotate(request)


@receiver(user_logged_in)
def _logged_in(request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> None:
    """After any login, the admin's too: the browser plays as the account's player.

    Django has given the session a new key already. A guest with a past stays one until the
    account has said whose that is.
    """
    if not hasattr(request, "session"):
        return
    guest = players.browser_guest(request.session)
    player = accounts.player_at_login(user, guest)
    if player is None:
        request.session.pop(SESSION_KEY, None)
    else:
        players.bind_session(request.session, player)
    _set_player(request, player)

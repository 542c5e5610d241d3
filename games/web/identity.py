"""The player and account of a request: a guest is a browser session that points to a player.

A logged-in session points to the account's player, or still to the guest of this browser; in that case the account has
not said yet whether the guest was the same person.

Members: the night of an address, and the asking player as one of its members.
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
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_vary_headers

from games.kernel.contract import Illegal
from games.models import Night, Player
from games.services.house_rules import sets
from games.services.house_rules.sets import SetKeeper
from games.services.nights import night_rights
from games.services.people import accounts, lost_answers, players
from games.web import busy, drafts

SESSION_KEY = players.SESSION_KEY
CHANGED_SECONDS = 30


class PlayerMiddleware:
    """Sets `request.player` to the session's player or None, and `request.banned` if the player is banned."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Find the player and call the view; a browser that took a seat gets a new session key."""
        try:
            _set_player(request, find_player(request))
            _note_use(request)
        except busy.NOT_READY as error:
            return busy.not_ready(request, error)
        # The API replaces the account by the player.
        account = getattr(request, "user", None)
        response = self.get_response(request)
        if getattr(request, "took_seat", False):
            request.user = account  # type: ignore[assignment]
            _note_change(request)
            _rotate(request)
        if getattr(request, "came_in", False):
            _note_answer(request)
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> None:
        """Give a form that is sent again, because its answer was lost, the session of that answer.

        The page's token has been checked by now.
        """
        if request.method != "POST" or request.session.get(SESSION_KEY) is not None:
            return
        session = lost_answers.fetch(form_id, _sent(request)) if (form_id := drafts.sent_form_id(request)) else None
        if session is not None:
            request.session = session
            request.is_sent_again = True  # type: ignore[attr-defined]
            _set_player(request, players.session_player(session))


class SessionMiddleware(sessions.SessionMiddleware):
    """Django's middleware, but it keeps a browser whose key has just been changed by another request.

    A request that was sent before the change comes with the old key. Its answer must not delete the new cookie; only a
    session that was emptied in this same request deletes it.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> Any:
        """Save the session and set the cookie; change neither if the key is unknown."""
        session = request.session
        if session.is_empty() and not session.modified:
            if session.accessed:
                patch_vary_headers(response, ("Cookie",))
            return response
        try:
            return super().process_response(request, response)
        except busy.NOT_READY as error:
            # The session's changes are lost: the page must not report success.
            return busy.not_ready(request, error)


def _note_use(request: HttpRequest) -> None:
    """Note that the browser has the key of its session."""
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        lost_answers.note_use(request.session)


def come_in(request: HttpRequest) -> None:
    """Note that a view let a guest join or sit down; if the answer is lost, the same form may fetch it once."""
    request.came_in = True  # type: ignore[attr-defined]


def _note_answer(request: HttpRequest) -> None:
    """Remember the form whose answer brings a guest a new key; not one that was sent again already."""
    player, form_id = player_of(request), drafts.sent_form_id(request)
    if player is None or player.user_id is not None or account_of(request) is not None:
        return
    if form_id and not getattr(request, "is_sent_again", False):
        lost_answers.note(request.session, player, form_id, _sent(request))


def _sent(request: HttpRequest) -> dict[str, Any]:
    """Return all that makes a form the same: its address, its fields with the page's token, the browser's cookies."""
    cookies = (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME)
    return {
        "path": request.path,
        "fields": sorted(request.POST.lists()),
        "cookies": [request.COOKIES.get(name, "") for name in cookies],
    }


def _note_change(request: HttpRequest) -> None:
    """Remember for 30 s that the session key of this request is being replaced."""
    if request.session.session_key:
        cache.set(_changed(request.session.session_key), True, CHANGED_SECONDS)


def has_new_key(request: HttpRequest) -> bool:
    """Tell whether a request without a player comes with a key that was just replaced.

    Its browser has the new key by now, with the same player: the request needs no answer.
    """
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    return player_of(request) is None and bool(key) and cache.get(_changed(str(key))) is True


def _changed(key: str) -> str:
    """Return the cache key of a replaced session key: a digest, because other programs may read the cache."""
    return "changed-key-" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _rotate(request: HttpRequest) -> None:
    """Give the session a new key: another person may know the old one."""
    request.session.cycle_key()
    if account_of(request) is not None:
        # The account's list of devices uses the session's key.
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
    """Return the request's player; None for a browser without one."""
    return cast("Player | None", getattr(request, "player", None))


def keeper_of(request: HttpRequest) -> SetKeeper:
    """Return the request's keeper of house rules; a guest's keeper has no rights."""
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
    """Return the request's player; raises Illegal `guests_only` without one, `banned`."""
    player = player_of(request)
    if is_banned(request):
        raise Illegal("banned")
    if player is None:
        raise Illegal("guests_only")
    return player


def become(request: HttpRequest, player: Player) -> None:
    """Bind this browser to the player, under a new session key: another person may know the old one."""
    players.bind_session(request.session, player)
    _set_player(request, player)
    _rotate(request)


@receiver(user_logged_in)
def _logged_in(request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> None:
    """After any login, the admin's too, bind the browser to the account's player.

    Django has given the session a new key already. A guest with a history stays until the account has said whether it
    is its own.
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


def find_night(public_id: str) -> Night:
    """Return a night; raises Http404."""
    return get_object_or_404(Night.objects.select_related("host"), public_id=public_id)


def need_player_at_night(request: HttpRequest) -> Player:
    """Return the asking player for a page of a night; raises Illegal `not_inside` where there is none, `banned`."""
    if player_of(request) is None and not is_banned(request):
        raise Illegal("not_inside")
    return need_player(request)


def need_inside(request: HttpRequest, night: Night) -> Player:
    """Return the asking player, a member of the night; raises Illegal `not_inside`, `removed`, `banned`."""
    player = need_player_at_night(request)
    night_rights.check_inside(night, player)
    return player

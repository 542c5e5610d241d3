"""The API's authentication: a token or the browser's session; and its only format, JSON."""

from __future__ import annotations

from typing import Any

from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.permissions import SAFE_METHODS

from games.kernel.contract import Illegal
from games.models import ApiToken, Player
from games.services.people import players, tokens

BEARER = "bearer"


class TokenAuthentication(BaseAuthentication):  # type: ignore[misc]
    """`Authorization: Bearer <token>`: authenticates the player of the token's account."""

    def authenticate(self, request: Any) -> tuple[Player | None, ApiToken] | None:
        """Return the player and the token, or None if no token is sent.

        Raises AuthenticationFailed, and Illegal `banned`, `token_reads`.
        """
        kind, _, secret = request.headers.get("Authorization", "").partition(" ")
        if kind.lower() != BEARER:
            return None
        token = tokens.find(secret.strip())
        if token is None:
            raise AuthenticationFailed
        player = players.account_player(token.user)
        if player is not None and player.banned_at is not None:
            raise Illegal("banned")
        if request.method not in SAFE_METHODS and token.scope != ApiToken.Scope.PLAY:
            raise Illegal("token_reads")
        return player, token

    def authenticate_header(self, request: Any) -> str:
        """Return the `WWW-Authenticate` header of a 401."""
        return 'Bearer realm="api"'


def django_request(request: Any) -> Any:
    """Return Django's request below one of the API; the site's middleware reads and marks that one."""
    return request._request


def note_seat(request: Any) -> None:
    """Have the site's middleware give a browser that took a seat a new session key; a token has no session."""
    django_request(request).took_seat = request.auth is None


class PlayerAuthentication(SessionAuthentication):  # type: ignore[misc]
    """The session's player, found by the site's middleware; unsafe methods need a CSRF token."""

    def authenticate(self, request: Any) -> tuple[Player, None] | None:
        """Return the player, or None for a browser without one."""
        player: Player | None = getattr(django_request(request), "player", None)
        account = getattr(django_request(request), "user", None)
        if player is None and (account is None or not account.is_authenticated):
            return None
        self.enforce_csrf(request)
        return None if player is None else (player, None)


class NoParser(BaseParser):  # type: ignore[misc]
    """Parses nothing: REST framework parses a body for the check of the CSRF token, which a body of JSON never holds.

    Bodies are read by `games.api.fields.raw_body` alone.
    """

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> dict[str, Any]:
        """Return an empty object and leave the body unread."""
        return {}


class OnlyJson(BaseContentNegotiation):  # type: ignore[misc]
    """Uses the view's only parser and renderer, whatever a request accepts."""

    def select_parser(self, request: Any, parsers: Any) -> Any:
        """Return the only parser."""
        return parsers[0]

    def select_renderer(self, request: Any, renderers: Any, format_suffix: Any = None) -> Any:
        """Return the only renderer."""
        return renderers[0], renderers[0].media_type

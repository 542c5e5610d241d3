"""The adapter to django-allauth: addresses, links, and the player after a login."""

from __future__ import annotations

import ipaddress
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.signals import password_changed, password_reset
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from django.contrib.auth import logout
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode

from games.addresses import client_address
from games.services.people import accounts, players
from games.web.nights import links
from games.web.people import known_devices
from games.web.people.identity import become, player_of


class HouseAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Accounts as this house has them: a user name, a password, and e-mail only if wanted."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address that limits count by: as for room codes, from our own proxy only."""
        address = client_address(request)
        try:
            return str(ipaddress.ip_address(address))
        except ValueError:
            return "0.0.0.0"  # noqa: S104 (an address to count by, not to listen at)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a password that is tried; raises a validation error where too many were wrong.

        By the account's id, however it was named and whatever host was asked for. A device where
        the account has been logged in counts by itself: whoever floods the account, or the
        address, does not shut its owner out there.
        """
        user_id = known_devices.account_named(request, credentials)
        device = known_devices.device_of(request, user_id)
        if device is None:
            if not ratelimit.consume(request, app="allauth.account", action="login_any"):
                raise ImmediateHttpResponse(ratelimit.respond_429(request))
            usage = self._consume(request, "login_failed", f"account-{user_id}" if user_id else _name(credentials))
        else:
            usage = self._consume(request, "login_known", f"account-{user_id}-{device}")
        self._login_failed_rl_usage = usage

    def _consume(self, request: HttpRequest, action: str, key: str) -> Any:
        usage = ratelimit.consume(request, app="allauth.account", action=action, key=key)
        if not usage:
            raise self.validation_error("too_many_login_attempts")
        return usage

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return what a reset password makes free again."""
        user_id = known_devices.account_named(request, credentials)
        return f"account-{user_id}" if user_id else _name(credentials)

    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> HttpResponse:
        """Go on after a login or sign-up: first to the question whose the guest's history is."""
        response: HttpResponse = super().post_login(request, user, **kwargs)
        known_devices.remember(request, response, user)
        if accounts.undecided(player_of(request)):
            onward = urlencode({"next": response["Location"]})
            response["Location"] = f"{reverse('account_claim')}?{onward}"
        return response

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Return where a changed password leads."""
        return reverse("me")

    def logout(self, request: HttpRequest) -> None:
        """Log out; a guest who was never joined to the account stays on this browser."""
        player = player_of(request)
        logout(request)
        if player is None:
            return
        if player.user_id is None:
            become(request, player)
        else:
            request.player = None  # type: ignore[attr-defined]
            players.come_back(player)

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Return the link in the mail, below PUBLIC_URL where that is set.

        Otherwise whoever asks for the mail could choose the host in it.
        """
        user_id, _, secret = key.partition("-")
        path = reverse("account_reset_password_from_key", args=[user_id, secret])
        return links.base_url(self.request) + path

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """Return the link in the mail, below PUBLIC_URL where that is set."""
        path = reverse("account_confirm_email", args=[emailconfirmation.key])
        return links.base_url(request) + path


def _name(credentials: dict[str, Any]) -> str:
    """Return what tries on an account that does not exist count by."""
    return f"name-{credentials.get('email') or credentials.get('username') or ''}".casefold()


class HouseSessionsAdapter(DefaultUserSessionsAdapter):  # type: ignore[misc]
    """The list of devices."""

    def end_sessions(self, sessions: list[Any]) -> None:
        """Log devices out; what is open there comes back and finds itself outside."""
        super().end_sessions(sessions)
        for user_id in {session.user_id for session in sessions}:
            players.lines_of_account(user_id)


@receiver([password_changed, password_reset])
def _password_changed(user: Any, **kwargs: Any) -> None:
    """After a new password, what is open elsewhere comes back and finds itself outside."""
    players.lines_of_account(user.pk)

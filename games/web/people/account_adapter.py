"""The adapter of django-allauth: addresses, links, and the player after a login."""

from __future__ import annotations

import ipaddress
import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.signals import email_confirmed, password_changed, password_reset
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from django.contrib.auth import logout
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode

from games.addresses import client_address
from games.models.house import facts
from games.ops import logs, mail_settings
from games.services import house
from games.services.mails import recipients, texts
from games.services.people import accounts, players
from games.web import links
from games.web.identity import become, player_of
from games.web.people import account_mails, known_devices

logger = logging.getLogger(__name__)


class HouseAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """The accounts of this house: a user name, a password, and an optional e-mail address."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client's address for rate limits; a proxy's header counts only from our own proxy."""
        address = client_address(request)
        try:
            return str(ipaddress.ip_address(address))
        except ValueError:
            return "0.0.0.0"  # noqa: S104 (an address to count by, not to listen at)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a login attempt; raises a validation error after too many wrong passwords.

        Attempts are counted by account id, for any spelling of the name. A device that has logged in to the account has
        a count of its own: a flood on the account or the address does not shut out the owner there.
        """
        user_id = known_devices.account_named(request, credentials)
        device = known_devices.device_of(request, user_id)
        if device is None:
            if not ratelimit.consume(request, app="allauth.account", action="login_any"):
                logs.note_attack(logger, "password")
                raise ImmediateHttpResponse(ratelimit.respond_429(request))
            usage = self._consume(request, "login_failed", f"account-{user_id}" if user_id else _name(credentials))
        else:
            usage = self._consume(request, "login_known", f"account-{user_id}-{device}")
        self._login_failed_rl_usage = usage

    def _consume(self, request: HttpRequest, action: str, key: str) -> Any:
        usage = ratelimit.consume(request, app="allauth.account", action=action, key=key)
        if not usage:
            logs.note_attack(logger, "password")
            raise self.validation_error("too_many_login_attempts")
        return usage

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the key of the count that a password reset clears."""
        user_id = known_devices.account_named(request, credentials)
        return f"account-{user_id}" if user_id else _name(credentials)

    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> HttpResponse:
        """Finish a login or sign-up; ask first whether a guest's history in this browser is the account's.

        An admin describes the house before that, until one has.
        """
        response: HttpResponse = super().post_login(request, user, **kwargs)
        known_devices.remember(request, response, user)
        if accounts.undecided(player_of(request)):
            claimed = urlencode({"next": response["Location"]})
            response["Location"] = f"{reverse('account_claim')}?{claimed}"
        if house.is_asked(user):
            # The first evening goes on at the house's page, unless the login was on the way to another.
            is_led = house.is_first_evening(user) and response["Location"] == reverse("me")
            onward = "" if is_led else f"?{urlencode({'next': response['Location']})}"
            response["Location"] = reverse("house") + onward
        return response

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Return the address after a change of the password."""
        return reverse("me")

    def logout(self, request: HttpRequest) -> None:
        """Log out; a guest that was never joined to the account stays in this browser."""
        player = player_of(request)
        logout(request)
        if player is None:
            return
        if player.user_id is None:
            become(request, player)
        else:
            request.player = None  # type: ignore[attr-defined]
            players.come_back(player)

    def get_from_email(self) -> str:
        """Return the sender of mails about accounts, by the house's name."""
        return mail_settings.sender(facts().name)

    def render_mail(self, template_prefix: str, email: Any, context: dict[str, Any], headers: Any = None) -> Any:
        """Return a mail about an account, with a Message-ID of the house's own domain, and the house's pages of law."""
        said = {"Message-ID": mail_settings.message_id(), "Auto-Submitted": "auto-generated", **(headers or {})}
        pages = texts.notice_links(links.base_url(self.request))
        return super().render_mail(template_prefix, email, {**context, **pages}, said)

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """Send the mail about an address that an account has now, if the address may get one."""
        row = emailconfirmation.email_address
        if not row.verified:
            account_mails.send(self, request, row.email, row)

    def get_email_verification_redirect_url(self, email_address: Any) -> str:
        """Return the address after the confirmation of an address: a new password of its account, if that was asked."""
        if email_address.verified and "new_password" in self.request.POST:
            return account_mails.new_password(email_address)
        return str(super().get_email_verification_redirect_url(email_address))


def _name(credentials: dict[str, Any]) -> str:
    """Return the key of the count for an account that does not exist."""
    return f"name-{credentials.get('email') or credentials.get('username') or ''}".casefold()


class HouseSessionsAdapter(DefaultUserSessionsAdapter):  # type: ignore[misc]
    """The list of an account's devices."""

    def end_sessions(self, sessions: list[Any]) -> None:
        """Log devices out; their open pages connect again and are refused."""
        super().end_sessions(sessions)
        for user_id in {session.user_id for session in sessions}:
            players.lines_of_account(user_id)


@receiver([password_changed, password_reset])
def _password_changed(user: Any, **kwargs: Any) -> None:
    """After a change of the password, other devices' open pages connect again and are refused."""
    players.lines_of_account(user.pk)


@receiver(email_confirmed)
def _confirmed(email_address: Any, **kwargs: Any) -> None:
    recipients.confirmed(email_address.email)

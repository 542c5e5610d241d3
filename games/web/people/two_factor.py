"""The pages of the second factor: django-allauth's, with the house's forms, for accounts of the staff."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.mfa import signals
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext_lazy as _

from games.models.house import facts
from games.ops import logs
from games.services import audit
from games.services.people import two_factor
from games.web import links

logger = logging.getLogger(__name__)

View = Callable[..., HttpResponseBase]


class Adapter(DefaultMFAAdapter):  # type: ignore[misc]
    """The house's words and pictures."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("This code is not right, or has been used. The app shows a new one every half minute."),
        "cannot_generate_recovery_codes": _("Set up the app first: these codes stand in for it."),
    }

    def get_totp_issuer(self) -> str:
        """Return the name under which apps list the account."""
        return facts().name or "Stammtisch"

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code for the app."""
        return links.secret_qr_svg(url)


def _numeric(form: Any, label: Any) -> None:
    """Set the label of the field for the code, and its keyboard on phones."""
    field = form.fields["code"]
    field.label = label
    field.widget.attrs.pop("placeholder", None)
    field.widget.attrs |= {"inputmode": "numeric", "autofocus": True, "maxlength": "20"}


class _Once:
    """A code counts once: with a tolerance it is valid for longer than the library keeps it."""

    def clean_code(self) -> str:
        """Return a code that is right and has not been used; raises ValidationError."""
        form: Any = self
        code: str = super().clean_code()  # type: ignore[misc]  # a form's
        key = f"two-factor:{form.user.pk}:{''.join(code.split())}"
        if not cache.add(key, True, settings.MFA_TOTP_PERIOD * (2 * settings.MFA_TOTP_TOLERANCE + 1)):
            raise Adapter().validation_error("incorrect_code")
        return code


class CodeForm(_Once, AuthenticateForm):  # type: ignore[misc]
    """The code after the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _numeric(self, _("Code of the app, or a recovery code"))


class ConfirmForm(_Once, ReauthenticateForm):  # type: ignore[misc]
    """A code in place of the password, before something grave."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _numeric(self, _("Code of the app, or a recovery code"))


class AppForm(ActivateTOTPForm):  # type: ignore[misc]
    """The first code of an app, which proves that it has the secret."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _numeric(self, _("The code that the app shows"))


def of_staff(view: View) -> View:
    """Decorate a page: it is for accounts that may have a second factor."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not two_factor.may_have(request.user):  # type: ignore[arg-type]  # logged in
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return login_required(wrapped)


@receiver(signals.authenticator_added)
def _added(user: Any, authenticator: Authenticator, **kwargs: Any) -> None:
    if authenticator.type == two_factor.APP:
        audit.note("two_factor_added", user, user)


@receiver(signals.authenticator_removed)
def _removed(user: Any, authenticator: Authenticator, **kwargs: Any) -> None:
    if authenticator.type == two_factor.APP:
        audit.note("two_factor_removed", user, user)


@receiver(signals.authentication_failed)
def _failed(**kwargs: Any) -> None:
    """Note a wrong code: whoever types it knows the password."""
    logs.note_attack(logger, "two_factor")

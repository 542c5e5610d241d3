"""The forms of accounts, with the house's own texts."""

from __future__ import annotations

from typing import Any

from allauth.account import forms
from allauth.account.adapter import get_adapter
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.web.people import account_mails


def _put(form: Any, name: str, label: Any, hint: Any = "") -> None:
    """Set a field's label and hint, and remove its placeholder, which would repeat the label."""
    field = form.fields[name]
    field.label, field.help_text = label, hint
    field.widget.attrs.pop("placeholder", None)


class SignupForm(forms.SignupForm):  # type: ignore[misc]
    """A user name and a password; the e-mail address is optional."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _put(self, "username", _("User name"), _("To log in with. The others see your nickname."))
        _put(
            self,
            "email",
            _("E-mail address (not needed)"),
            _("For a forgotten password. Without it, only the people who run the house can help."),
        )
        _put(self, "password1", _("Password"), _("At least 8 characters, and not a common one."))


class LoginForm(forms.LoginForm):  # type: ignore[misc]
    """User name or e-mail address, and password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _put(self, "login", _("User name or e-mail address"))
        _put(self, "password", _("Password"))


class ChangePasswordForm(forms.ChangePasswordForm):  # type: ignore[misc]
    """The old password, and the new one twice."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _put(self, "oldpassword", _("Your password until now"))
        _put(self, "password1", _("New password"), _("At least 8 characters, and not a common one."))
        _put(self, "password2", _("The new one again"))


class ResetPasswordForm(forms.ResetPasswordForm):  # type: ignore[misc]
    """The e-mail address that the link is sent to; one mail for all its accounts."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _put(self, "email", _("E-mail address"))

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        """Send the mail, if the address may get one; return the address."""
        address = str(self.cleaned_data["email"])
        account_mails.send(get_adapter(), request, address)
        return address


class ResetPasswordKeyForm(forms.ResetPasswordKeyForm):  # type: ignore[misc]
    """The new password twice."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _put(self, "password1", _("New password"), _("At least 8 characters, and not a common one."))
        _put(self, "password2", _("The new one again"))


class AddEmailForm(forms.AddEmailForm):  # type: ignore[misc]
    """A further e-mail address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _put(self, "email", _("E-mail address"))

"""The second factor of sign-ins: a code of an app besides the password, for accounts of the staff.

django-allauth keeps the app's secret and the recovery codes (docs/decisions/accounts.md).
"""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AbstractBaseUser, User
from django.db import transaction
from django.db.models import Exists, OuterRef

from games.services import audit

APP = Authenticator.Type.TOTP


def is_on(user: AbstractBaseUser) -> bool:
    """Tell whether an account is asked for a code at its login."""
    return bool(Authenticator.objects.filter(user_id=user.pk, type=APP).exists())


def may_have(user: AbstractBaseUser) -> bool:
    """Tell whether an account may set it up or has it: the staff's, and one that was of the staff."""
    return bool(getattr(user, "is_staff", False)) or is_on(user)


def staff() -> dict[str, bool]:
    """Return of each active account of the staff, by name, whether it is asked for a code."""
    found = Authenticator.objects.filter(user=OuterRef("pk"), type=APP)
    rows = User.objects.filter(is_staff=True, is_active=True).order_by("username")
    return dict(rows.values_list("username", Exists(found)))


@transaction.atomic
def remove(user: User) -> bool:
    """Let an account log in by its password alone, such as after the loss of a phone; tell whether there was a code."""
    count, _ = Authenticator.objects.filter(user=user).delete()
    if count:
        audit.note("two_factor_removed", None, user)
    return bool(count)

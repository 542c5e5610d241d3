"""The second factor of sign-ins: a code of an app besides the password, for accounts of the staff.

django-allauth keeps the app's secret and the recovery codes (docs/decisions/accounts.md).
"""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AbstractBaseUser, User
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from games.services import audit

APP = Authenticator.Type.TOTP


def is_on(user: AbstractBaseUser) -> bool:
    """Tell whether an account is asked for a code at its login."""
    return Authenticator.objects.filter(user_id=user.pk, type=APP).exists()


def may_have(user: AbstractBaseUser) -> bool:
    """Tell whether an account may set it up or has it: the staff's, and one that was of the staff."""
    return bool(getattr(user, "is_staff", False)) or is_on(user)


def staff() -> QuerySet[User]:
    """Return the active accounts of the staff; `has_second_factor` says of each whether it has a second factor."""
    found = Authenticator.objects.filter(user=OuterRef("pk"), type=APP)
    return User.objects.filter(is_staff=True, is_active=True).annotate(has_second_factor=Exists(found))


@transaction.atomic
def remove(user: User) -> bool:
    """Let an account log in by its password alone, such as after the loss of a phone; tell whether there was a code."""
    count, _ = Authenticator.objects.filter(user=user).delete()
    if count:
        audit.note("two_factor_removed", None, user)
    return bool(count)

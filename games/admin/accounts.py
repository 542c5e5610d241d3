"""Accounts, groups and addresses in the admin: nobody of the staff gives anybody more rights than they have.

Only superusers give rights, and only they touch accounts of the staff: whoever could set the password or the address
of such an account would have its rights.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from allauth.account.admin import EmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.admin.base import ReadOnly

RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")

# A second factor has no page: it would show the secret, and let whoever has a superuser's session take it away.
for _model in (User, Group, EmailAddress, Authenticator, UserSession):
    admin.site.unregister(_model)
# allauth's own names are English in every language.
UserSession._meta.verbose_name, UserSession._meta.verbose_name_plural = _("logged-in device"), _("logged-in devices")


def may_touch(request: HttpRequest, account: User | None) -> bool:
    """Tell whether the asker may change an account: superusers may any, others none of the staff but their own."""
    staff: Any = request.user
    is_of_staff = account is not None and (account.is_staff or account.is_superuser)
    return bool(staff.is_superuser or not is_of_staff or account == staff)


@admin.register(UserSession)
class DeviceAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """The devices on which accounts are logged in."""

    help = _("Where accounts are logged in.")
    list_display = fields = readonly_fields = ("account", "since", "last_seen", "address", "browser")
    list_select_related = ("user",)
    search_fields = ("user__username", "ip")
    ordering = ("-last_seen_at",)

    @admin.display(description=_("account"), ordering="user__username")
    def account(self, row: UserSession) -> str:
        """Return the account's name."""
        return str(row.user)

    @admin.display(description=_("logged in since"), ordering="created_at")
    def since(self, row: Any) -> datetime:
        """Return when the device logged in."""
        found: datetime = row.created_at
        return found

    @admin.display(description=_("last seen"), ordering="last_seen_at")
    def last_seen(self, row: Any) -> datetime:
        """Return when the device was seen last."""
        found: datetime = row.last_seen_at
        return found

    @admin.display(description=_("network address"), ordering="ip")
    def address(self, row: UserSession) -> str:
        """Return the network address from which the device logged in."""
        return str(row.ip)

    @admin.display(description=_("browser"))
    def browser(self, row: UserSession) -> str:
        """Return what the browser says of itself."""
        return str(row.user_agent)


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]
    """Accounts; only superusers give rights."""

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return the read-only fields: for others than superusers all rights."""
        own = tuple(super().get_readonly_fields(request, obj))
        return own if request.user.is_superuser else (*own, *RIGHTS)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse accounts of the staff to others than superusers, their passwords too."""
        return super().has_change_permission(request, obj) and may_touch(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse accounts of the staff to others than superusers."""
        return super().has_delete_permission(request, obj) and may_touch(request, obj)


@admin.register(Group)
class RightsAdmin(GroupAdmin):
    """Groups of permissions: superusers change them, others of the staff look at them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Tell whether the asker is a superuser."""
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Tell whether the asker is a superuser."""
        return bool(request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Tell whether the asker is a superuser."""
        return bool(request.user.is_superuser)


@admin.register(EmailAddress)
class AddressAdmin(EmailAddressAdmin):  # type: ignore[misc]
    """Addresses, to which links for a new password go."""

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse addresses of the staff to others than superusers."""
        return super().has_change_permission(request, obj) and may_touch(request, obj and obj.user)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse addresses of the staff to others than superusers."""
        return super().has_delete_permission(request, obj) and may_touch(request, obj and obj.user)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Return the actions on several addresses: for superusers alone."""
        found: dict[str, Any] = super().get_actions(request)
        return found if request.user.is_superuser else {}

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save an address; raises PermissionDenied for one that would be of an account of the staff."""
        if not may_touch(request, obj.user):
            raise PermissionDenied
        super().save_model(request, obj, form, change)

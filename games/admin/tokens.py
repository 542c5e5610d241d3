"""API tokens in the admin: made for an account and shown once, revoked, searched."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.kernel.contract import Illegal
from games.models import ApiToken
from games.services.people import tokens
from games.web.errors import refusal_text


class NewToken(forms.ModelForm):  # type: ignore[type-arg]
    """A token's name, scope, end and account."""

    class Meta:
        model = ApiToken
        fields = ("user", "name", "scope", "expires_at")

    def clean(self) -> dict[str, Any]:
        """Check the token; the services' Illegal becomes a ValidationError."""
        values: dict[str, Any] = super().clean() or {}
        if not self.errors:
            try:
                tokens.check(values["user"], values["name"], values["scope"], values["expires_at"])
            except Illegal as refusal:
                raise ValidationError(refusal_text(refusal), code=refusal.code) from None
        return values


@admin.register(ApiToken)
class TokenAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Tokens; the secret is shown once, when it is made."""

    help = gettext_lazy("Which programs may ask the house, in whose name.")
    list_display = ("name", "user", "scope", "start", "created_at", "last_used_at", "expires_at",
                    "revoked_at")  # fmt: skip
    list_select_related = ("user",)
    list_filter = ("scope", "created_at", "revoked_at")
    search_fields = ("name", "user__username", "start")
    autocomplete_fields = ("user",)
    actions = ("revoke",)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Return the form of a new token; a token is never changed."""
        if obj is None:
            kwargs["form"] = NewToken
        return super().get_form(request, obj, change, **kwargs)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return the read-only fields: all fields of an existing token."""
        return (*self.list_display,) if obj else ()

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return the fields of the page."""
        return (*self.list_display,) if obj else NewToken.Meta.fields

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse to change a token; without a token, tell whether the user may revoke."""
        return obj is None and super().has_change_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: a revoked token stays in the list."""
        return False

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Make the token; `obj` becomes its row. Only superusers make one for somebody else (PermissionDenied)."""
        staff: Any = request.user
        if obj.user != staff and not staff.is_superuser:
            raise PermissionDenied
        row, obj.secret = tokens.create(obj.user, obj.name, obj.scope, obj.expires_at, by=staff)
        obj.pk, obj.start, obj._state = row.pk, row.start, row._state

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: str | None = None) -> HttpResponse:
        """Show the new token; it is shown only now."""
        context = {
            **self.admin_site.each_context(request),
            "title": _("The token “%(name)s” is made") % {"name": obj.name},
            "opts": self.opts,
            "secret": obj.secret,
        }
        return TemplateResponse(request, "admin/games/apitoken/made.html", context)

    @admin.action(description=gettext_lazy("Revoke"), permissions=["change"])
    def revoke(self, request: HttpRequest, rows: QuerySet[ApiToken]) -> None:
        """Revoke the chosen tokens."""
        staff: Any = request.user
        found = list(rows.select_related("user"))
        for row in found:
            tokens.revoke(row.user, row.pk, by=staff)
        text = ngettext("%(n)d token is revoked.", "%(n)d tokens are revoked.", len(found))
        messages.success(request, text % {"n": len(found)})

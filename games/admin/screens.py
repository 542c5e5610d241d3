"""The admin's screens: televisions that were taken in, renamed and taken away by the staff."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.admin.base import Acts, ReadOnly, RowAct
from games.models import Screen
from games.services.screens import screens


class NameForm(forms.Form):
    """The name of a screen."""

    name = forms.CharField(label=_("name"), max_length=screens.LONGEST_NAME)


def _name_form(rows: list[Any], data: Any) -> NameForm:
    return NameForm(data, initial={"name": rows[0].name})


@admin.register(Screen)
class ScreenAdmin(ReadOnly, Acts):
    """Screens without their letters and secrets, which are those of the browser."""

    help = _("Televisions at /tv that hosts or the staff have taken in. Letters are entered at /screens.")
    list_display = ("name", "taken_by", "is_staffs", "tables", "taken_at", "seen_at")
    list_filter = ("is_staffs", "taken_at")
    list_select_related = ("taken_by",)
    search_fields = ("name",)
    fields = readonly_fields = ("name", "taken_by", "is_staffs", "tables", "opened_at", "taken_at", "seen_at")
    acts = {
        "rename": RowAct(
            title=_("Rename the screen"),
            button=_("Save"),
            help=_("Hosts of its nights read the name."),
            do=lambda screen, user, data: screens.rename_by_staff(screen, data["name"], user),
            done=_("Saved."),
            form=_name_form,
            fields={"": "name"},
            many=False,
        ),
        "end": RowAct(
            title=_("Take the screen away"),
            button=_("Take it away"),
            help=_("It shows letters again, whoever it obeyed before."),
            do=lambda screen, user, _data: screens.end_by_staff(screen, user),
            done=_("The screen shows letters again."),
            is_grave=True,
        ),
    }

    def get_queryset(self, request: HttpRequest) -> QuerySet[Screen]:
        """Leave out the screens that wait to be taken in: whoever enters their letters has to stand before them."""
        rows: QuerySet[Screen] = super().get_queryset(request)
        return rows.filter(taken_at__isnull=False)

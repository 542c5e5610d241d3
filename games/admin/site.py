"""The admin's front page: models in groups, with a line of help each."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import BadRequest
from django.db import DataError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.response import SimpleTemplateResponse, TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext_lazy as _

from games.admin import background, diagnosis
from games.admin.backups import fetch, restore
from games.management.backups import stored
from games.ops.doctor import backups, ground
from games.row_ids import row_id
from games.services import tasks

# Heading → models in their order; models in no group come after them, by app.
GROUPS: tuple[tuple[Any, tuple[str, ...]], ...] = (
    (_("Evenings"), ("Night", "Table", "Result", "Tournament", "Venue", "Screen")),
    (_("People"), ("Player", "User", "EmailAddress", "UserSession", "Group")),
    (_("House rules"), ("HouseRules", "GamePolicy", "HouseRulesVersion")),
    (_("Looking things up"), ("AuditEntry", "LogEntry", "ApiToken")),
)
# Help for models whose admin is another app's.
HELP: dict[str, Any] = {
    "User": _("Accounts, and what the staff may do."),
    "Group": _("Permissions that several of the staff have in common."),
    "EmailAddress": _("Addresses of accounts, and whether they were confirmed."),
    "UserSession": _("Where accounts are logged in."),
}


View = Callable[..., HttpResponseBase]


# Messages of Python and Django for a text that is not a number, or has more than 4,300 digits.
_NO_NUMBER = ("expected a number", "invalid literal for int()", "integer string conversion")


def _refuses_numbers(view: View) -> View:
    """Decorate a view: it answers 400 if the address or a form has a number that no row id can have."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if any(row_id(each) is None for each in request.POST.getlist(ACTION_CHECKBOX_NAME)):
            raise BadRequest("not the id of a row")
        try:
            answer = view(request, *args, **kwargs)
            # Choices are read from the database while the page is rendered.
            return answer.render() if isinstance(answer, SimpleTemplateResponse) else answer
        except (OverflowError, DataError, ValueError) as error:
            if isinstance(error, ValueError) and not any(words in str(error) for words in _NO_NUMBER):
                raise
            raise BadRequest("not a number that a row can have") from error

    return wrapped


class HouseSite(AdminSite):
    """The admin of the house."""

    site_header = site_title = "Stammtisch"
    index_title = _("Behind the bar")

    def admin_view(self, view: View, cacheable: bool = False) -> View:  # type: ignore[override]
        """Return a view for staff only, which refuses numbers that no row id can have."""
        return super().admin_view(_refuses_numbers(view), cacheable)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Return the context of every page of the admin; "View site" leads to the house, below its BASE_PATH."""
        return {**super().each_context(request), "site_url": reverse("home")}

    def get_urls(self) -> list[Any]:
        """Return the admin's addresses, with the doctor's page and that of the background tasks."""
        own = [
            path("doctor/", self.admin_view(self.doctor), name="doctor"),
            path("background/", self.admin_view(self.background), name="background"),
            *restore.urls(self.admin_view),
            *fetch.urls(self.admin_view),
        ]
        return [*own, *super().get_urls()]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Show the front page, and that the version is old; to superusers with the state of the backups."""
        own: dict[str, Any] = {"age": list(ground.age())}
        if request.user.is_superuser:
            own |= {
                "backup": background.backup_line(),
                "backup_check": tasks.row(stored.NAME),
                "backup_disk": list(backups.disk()),
                "fetched": fetch.lately(),
                "takes_backup": restore.is_offered(request.user),
            }
        return super().index(request, {**own, **(extra_context or {})})

    def background(self, request: HttpRequest) -> HttpResponse:
        """Show the background tasks; a form lets one run now."""
        return background.view(request, {**self.each_context(request), "title": _("Background tasks")})

    def doctor(self, request: HttpRequest) -> HttpResponseBase:
        """Show the doctor's findings, and what helps to find a fault (games/admin/diagnosis.py)."""
        return diagnosis.page(request, self.each_context(request))

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        """Return the groups with the models that the user may see, each model with its help."""
        apps: list[dict[str, Any]] = super().get_app_list(request, app_label)
        for model in (model for app in apps for model in app["models"]):
            model["help"] = _help(self.get_model_admin(model["model"]), model["object_name"])
        return apps if app_label else _grouped(apps)


def _help(model_admin: Any, name: str) -> Any:
    """Return the help of a model, or ""."""
    return getattr(model_admin, "help", "") or HELP.get(name, "")


def _grouped(apps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the groups, then the apps' remaining models."""
    found = {model["object_name"]: model for app in apps for model in app["models"]}
    groups = []
    for number, (name, names) in enumerate(GROUPS):
        models = [found.pop(each) for each in names if each in found]
        if models:
            groups.append(_group(f"group{number}", name, models))
    for app in apps:
        rest = [model for model in app["models"] if model["object_name"] in found]
        if rest:
            groups.append({**app, "models": rest})
    return groups


def _group(label: str, name: Any, models: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a group in the form in which the admin's templates take an app."""
    url = models[0]["admin_url"] or models[0]["add_url"] or ""
    return {
        "name": name,
        "app_label": label,
        "app_url": url,
        "has_module_perms": True,
        "models": models,
    }

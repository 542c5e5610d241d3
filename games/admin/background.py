"""The admin's list of background tasks, and what the front page says of backups."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from games import refusals
from games.admin.base import refusal_text
from games.kernel.contract import Illegal
from games.management.backups import schedule
from games.models import BackgroundTask, Mail, WebhookMessage
from games.models.delivery import Delivery
from games.services import deliveries, tasks
from games.services.regions import written
from games.services.tasks import Task
from games.services.webhooks import posting


@dataclass(frozen=True, slots=True)
class ListedTask:
    """One task in the list. Templates call what they can: they are not given the task's own functions."""

    task: Task
    row: BackgroundTask
    is_running: bool

    @property
    def is_own(self) -> bool:
        """Tell whether a server does the task, and not a process of its own."""
        return self.task.run is not None

    @property
    def is_on(self) -> bool:
        """Tell whether the house does the task at all."""
        return self.task.is_on()

    @property
    def state(self) -> str:
        """The present state of the task's own process in words, "" for a task of a server."""
        return self.task.state()

    @property
    def can_run(self) -> bool:
        """Tell whether the task can run now."""
        return self.is_own and self.is_on and not self.is_running

    @property
    def next_at(self) -> datetime | None:
        """The time of the next run; None where there is none, or the task runs now."""
        return self.row.due_at if self.can_run else None


def lines() -> list[ListedTask]:
    """Return all tasks."""
    return [ListedTask(task, row, tasks.is_under_way(row)) for task, row in tasks.rows()]


def backup_line() -> ListedTask:
    """Return the backup's line."""
    return next(line for line in lines() if line.task.name == schedule.NAME)


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A mail, or a message to a webhook, that was given up: what it was about, to whom, and why."""

    at: datetime
    about: str
    to: str
    why: str


def _given_up(row: Delivery) -> GivenUp:
    lost = _("Each time its process ended while it was being sent.") if row.fault == deliveries.LOST_FAULT else ""
    if isinstance(row, Mail):
        about = _("Mail: %(series)s, %(day)s") % {"series": row.name, "day": written.day(row.day)}
        why = lost or _("The mail server does not take it: %(fault)s") % {"fault": row.fault}
        return GivenUp(row.due_at, about, row.player.nickname, why)
    assert isinstance(row, WebhookMessage)  # noqa: S101 (no third thing is delivered)
    about = _("Webhook: %(name)s") % {"name": row.webhook.series or row.webhook.night}
    why = lost or (refusals.translate(row.fault, {}) if row.fault else "–")
    return GivenUp(row.due_at, about, posting.shown(row.webhook.address), why)


def view(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """Show the list; a POST lets a task run now. For superusers: results name files of the computer."""
    if not request.user.is_superuser:
        raise PermissionDenied
    if request.method != "POST":
        shown = {**context, "lines": lines(), "given_up": [_given_up(row) for row in deliveries.given_up()]}
        return TemplateResponse(request, "admin/background.html", shown)
    try:
        tasks.request(request.POST.get("task", ""), request.user)
        messages.success(request, _("It begins within seconds. Load this page again to see what came of it."))
    except Illegal as refusal:
        messages.error(request, refusal_text(refusal))
    return redirect("admin:background")

"""The page of the doctor: findings, a test mail, the log level, and a report for a fault. For superusers alone."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest, PermissionDenied
from django.core.management.base import CommandError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from games.management.processes import analyser_process
from games.management.processes.analyser_process import AnalyserState
from games.ops.diagnosis import log_level, report
from games.ops.doctor import checks, mails, network
from games.services import audit
from games.services.grades import jobs
from games.services.regions import written

USUAL = "usual"


def page(request: HttpRequest, context: dict[str, Any]) -> HttpResponseBase:
    """Show the findings, or carry out an act of a form; findings describe the computer."""
    if not request.user.is_superuser:
        raise PermissionDenied
    act = request.POST.get("act", "")
    if act == "level":
        _change_level(request)
        return redirect("admin:doctor")
    if act == "analyser":
        analyser_process.try_again()
        audit.note("task_requested", request.user, jobs.TASK)
        messages.success(request, _("It is started again within seconds."))
        return redirect("admin:doctor")
    if act == "report":
        return _report(request)
    found = [*network.of_request(request), *checks.examine()]
    if address := request.POST.get("address", "").strip():
        found.insert(0, mails.send_test(address))
    shown = {**context, **_level(), "title": _("The doctor's findings"), "findings": found}
    # On a read-only disk it is not known, and the findings say that.
    with suppress(CommandError):
        shown["is_given_up"] = analyser_process.state() is AnalyserState.GIVEN_UP
    return TemplateResponse(request, "admin/doctor.html", shown)


def _level() -> dict[str, Any]:
    """Return what the page shows of the log level."""
    chosen = log_level.chosen()
    until = localtime(datetime.fromtimestamp(chosen.until, UTC)) if chosen else None
    return {
        "chosen": chosen,
        "until": written.moment(until) if until else "",
        "levels": log_level.LEVELS,
        "shown_level": chosen.level if chosen else "INFO",
        "usual": log_level.usual(),
    }


def _change_level(request: HttpRequest) -> None:
    level = request.POST.get("level", "")
    try:
        if level == USUAL:
            log_level.choose_usual()
        else:
            log_level.choose(level, log_level.USUAL_MINUTES)
    except ValueError as error:
        raise BadRequest("no log level") from error
    except OSError as error:
        text = _("The data folder can't be written: %(error)s") % {"error": error.strerror}
        messages.error(request, text)
        return
    audit.note("log_level_changed", request.user, level)  # type: ignore[arg-type]  # a superuser is no stranger


def _report(request: HttpRequest) -> HttpResponse:
    audit.note("report_made", request.user)  # type: ignore[arg-type]  # a superuser is no stranger
    name = f"stammtisch-report-{datetime.now(UTC):%Y-%m-%d-%H%M}.txt"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return HttpResponse(report.make(), content_type="text/plain; charset=utf-8", headers=headers)

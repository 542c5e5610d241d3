"""The admin's page that restores a backup into a new house: sent in pieces, proved beside the house, then a restart.

For the first admin, on SQLite, while the house has no nights. One process serves such a house.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.views.decorators.http import require_POST

from games.management.backups import waiting_house
from games.management.processes import child
from games.ops.requests import restore_address
from games.refusals import error_json, refusal
from games.services import audit, house

_LONGEST_ERROR = 400
_process: subprocess.Popen[str] | None = None
_told = ""


def urls(wrap: Callable[..., Any]) -> list[Any]:
    """Return the addresses below the admin."""
    return [
        path("restore/", wrap(show), name="restore"),
        path("restore/piece/<str:signed>/<int:offset>/", wrap(require_POST(take_piece)), name="restore_piece"),
        path("restore/check/", wrap(require_POST(begin_check)), name="restore_check"),
        path("restore/state/", wrap(state), name="restore_state"),
        path("restore/drop/", wrap(require_POST(drop)), name="restore_drop"),
    ]


def is_offered(user: Any) -> bool:
    """Tell whether an account can restore a backup here, or has done so."""
    return house.is_first_admin(user) and (not waiting_house.why_not() or waiting_house.is_waiting())


def _check_right(request: HttpRequest) -> None:
    """Raise PermissionDenied for anybody but the first admin."""
    if not house.is_first_admin(request.user):
        raise PermissionDenied


def show(request: HttpRequest) -> HttpResponse:
    """Show how far the restore is."""
    _check_right(request)
    user: Any = request.user
    context = {
        **admin.site.each_context(request),
        "why_not": (code := waiting_house.why_not()),
        "why_not_text": refusal(code).text if code else "",
        "state": _state(),
        "told": _told,
        "signed": restore_address.token(user.pk),
        "piece": restore_address.PIECE,
        "most": restore_address.MOST,
    }
    return TemplateResponse(request, "admin/restore.html", context)


def _refused(code: str) -> JsonResponse:
    return JsonResponse(error_json(code, {}), status=refusal(code).status)


def take_piece(request: HttpRequest, signed: str, offset: int) -> HttpResponse:
    """Add a piece to the backup that comes in; the first one begins it anew. Answers with the bytes that are there."""
    _check_right(request)
    if restore_address.account_of(signed) != request.user.pk:
        return _refused("restore_too_old")
    if code := waiting_house.why_not():
        return _refused(code)
    file = waiting_house.incoming()
    there = file.stat().st_size if file.exists() and offset else 0
    if offset != there:
        return JsonResponse({"size": there}, status=409)
    piece = request.read(restore_address.PIECE)
    if there + len(piece) > restore_address.MOST:
        return _refused("restore_too_big")
    try:
        _write(piece, is_first=not offset)
    except OSError:
        return _refused("restore_no_room")
    return JsonResponse({"size": there + len(piece)})


def _write(piece: bytes, *, is_first: bool) -> None:
    """Append a piece, or begin with it; raises OSError."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if is_first else os.O_APPEND)
    with os.fdopen(os.open(waiting_house.incoming(), flags, 0o600), "wb") as file:
        file.write(piece)


def begin_check(request: HttpRequest) -> HttpResponse:
    """Let a process of its own unpack, upgrade and prove the backup; `key` decrypts it."""
    global _process, _told  # noqa: PLW0603
    _check_right(request)
    code = waiting_house.why_not() or ("no_file" if not waiting_house.incoming().exists() else "")
    if code or _is_checking():
        return _refused(code or "task_is_running")
    user: Any = request.user
    audit.note("restore_begun", user)
    key = {"BACKUP_KEY": text} if (text := request.POST.get("key", "").replace("\0", "")) else {}
    _told = ""
    _process = subprocess.Popen(  # noqa: S603 (our own program)
        child.command("restore", "--next-start", str(waiting_house.incoming())),
        cwd=settings.BASE_DIR,
        env=child.environment(**key),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    return JsonResponse({"state": "checking"})


def _is_checking() -> bool:
    return _process is not None and _process.poll() is None


def _state() -> str:
    """Return how far the restore is: "new", "checking", "failed" or "ready"."""
    global _process, _told  # noqa: PLW0603
    if _is_checking():
        return "checking"
    if _process is not None:
        errors = _process.communicate()[1]
        _told = child.sentence_of(errors)[-_LONGEST_ERROR:] if _process.returncode else ""
        _process = None
        waiting_house.incoming().unlink(missing_ok=True)
    if _told:
        return "failed"
    return "ready" if waiting_house.is_waiting() else "new"


def state(request: HttpRequest) -> HttpResponse:
    """Tell how far the restore is."""
    _check_right(request)
    return JsonResponse({"state": _state()})


def drop(request: HttpRequest) -> HttpResponse:
    """Delete the restored house that waits."""
    global _told  # noqa: PLW0603
    _check_right(request)
    if not _is_checking():
        waiting_house.drop()
        _told = ""
    return redirect("admin:restore")

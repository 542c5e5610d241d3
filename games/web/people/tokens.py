"""An account's tokens for the API: made here, shown once, revoked."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.kernel.contract import Illegal
from games.models import ApiToken
from games.row_ids import row_id
from games.services.people import tokens
from games.web.errors import pages_refusals, refusal_text, status_of
from games.web.links import base_url

DAYS = (30, 90, 365)
USUAL_DAYS = 90


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@pages_refusals
def my_tokens(request: HttpRequest) -> HttpResponse:
    """List the account's tokens; a POST makes one and shows it, or revokes one."""
    if request.method != "POST":
        return _page(request)
    if "revoke" in request.POST:
        tokens.revoke(request.user, _id(request.POST["revoke"]))
        messages.success(request, _("The token opens nothing any more."))
        return redirect("my_tokens")
    try:
        row, secret = _make(request)
    except Illegal as refusal:
        context = {"error": refusal_text(refusal), "name": request.POST.get("name", "")}
        return _page(request, status_of(refusal), **context)
    return _page(request, made=row, secret=secret)


def _id(raw: str) -> int:
    """Return a posted row id; raises Illegal `no_such_token`."""
    found = row_id(raw)
    if found is None:
        raise Illegal("no_such_token")
    return found


def _make(request: HttpRequest) -> tuple[ApiToken, str]:
    """Make the requested token; raises Illegal as `tokens.create`."""
    days = request.POST.get("days", "")
    lasting = timedelta(days=int(days)) if days in {str(n) for n in DAYS} else None
    expires_at = timezone.now() + lasting if lasting else None
    scope = request.POST.get("scope", "")
    return tokens.create(request.user, request.POST.get("name", ""), scope, expires_at)  # type: ignore[arg-type]


def _page(request: HttpRequest, status: int = 200, **more: Any) -> HttpResponse:
    context = {
        "tokens": tokens.live(request.user),  # type: ignore[arg-type]
        "scopes": ApiToken.Scope.choices,
        "days": DAYS,
        "usual_days": USUAL_DAYS,
        "longest": tokens.LONGEST_NAME,
        "example": base_url(request) + reverse("api_me"),
        **more,
    }
    return render(request, "account/tokens.html", context, status=status)

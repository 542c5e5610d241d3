"""The page of the house, for its admins: name, place, language, logo; at the first login also a new password.

The house's logo as a file.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from allauth.account.internal.flows import password_change
from csp.decorators import csp_exempt
from django.contrib import messages
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.kernel.contract import Illegal
from games.services import house
from games.services.house import HouseDescription
from games.web import links
from games.web.assets.catalogues import FOR_EVER
from games.web.errors import pages_refusals, refusal_text
from games.web.house import first_evening
from games.web.house.fields import fields
from games.web.identity import account_of


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def describe(request: HttpRequest) -> HttpResponse:
    """Show what is known of the house; a POST keeps what its staff say, or carries out a step of the first evening."""
    user: Any = account_of(request)
    if user is None:
        return redirect(f"{reverse('account_login')}?{urlencode({'next': request.get_full_path()})}")
    if not user.is_superuser:
        raise PermissionDenied
    if request.method != "POST":
        return _page(request, user, house.answers(), {})
    if "step" in request.POST and not house.is_asked(user):
        return first_evening.carry_out(request)
    given = _given(request)
    errors = {name: refusal_text(refusal) for name, refusal in house.check(given).items()}
    errors |= _logo_error(request) | _password_error(request, user)
    if errors:
        return _page(request, user, given, errors)
    _keep(request, user, given)
    messages.success(request, _("Saved."))
    return redirect(links.onward(request, reverse("house")))


def _given(request: HttpRequest) -> HouseDescription:
    """Return what was sent, on one line each but for the texts."""
    sent = {each.name: str(request.POST.get(each.name, each.default)) for each in dataclasses.fields(HouseDescription)}
    return HouseDescription(**{name: _tidy(text, name in house.TEXTS) for name, text in sent.items()})


def _tidy(text: str, is_long: bool) -> str:
    """Return a text without needless blanks, a long one line by line."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return "\n".join(lines).strip() if is_long else " ".join(" ".join(lines).split())


def _logo_error(request: HttpRequest) -> dict[str, str]:
    """Return the refusal of the logo that was sent, if it is refused."""
    file = request.FILES.get("logo")
    if file is None:
        return {}
    try:
        house.check_logo(file.read())
    except Illegal as refusal:
        return {"logo": refusal_text(refusal)}
    file.seek(0)
    return {}


def _password_error(request: HttpRequest, user: Any) -> dict[str, str]:
    """Return why the new password is refused; {} where none is asked for."""
    if not house.has_printed_password(user):
        return {}
    try:
        validate_password(request.POST.get("password", ""), user)
    except ValidationError as error:
        return {"password": " ".join(error.messages)}
    return {}


def _keep(request: HttpRequest, user: Any, given: HouseDescription) -> None:
    """Keep what was sent and found right."""
    house.answer(given, user)
    if (file := request.FILES.get("logo")) is not None:
        house.set_logo(file.read(), user)
    elif "no_logo" in request.POST:
        house.remove_logo(user)
    if house.has_printed_password(user):
        password_change.change_password(user, request.POST.get("password", ""))
        password_change.finalize_password_change(request, user)


def _page(request: HttpRequest, user: Any, given: HouseDescription, errors: dict[str, str]) -> HttpResponse:
    """Render the page with what was given so far."""
    context = {
        "fields": fields(given, errors),
        "errors": errors,
        "takes_backup": house.is_first_admin(user) and house.is_empty(),
        "asks_password": house.has_printed_password(user),
        **(first_evening.context(request, is_asked=house.is_asked(user)) if house.is_first_evening(user) else {}),
    }
    return render(request, "house/describe.html", context, status=400 if errors else 200)


# Without a policy of pages: the house's bare one, under which a file may do nothing.
@csp_exempt()
@require_http_methods(["GET", "HEAD"])
def logo(request: HttpRequest, digest: str = "") -> HttpResponse:
    """Return the logo; its address changes with it, so a browser keeps it for ever."""
    try:
        data, media_type = house.logo(digest)
    except Illegal:
        raise Http404 from None
    return HttpResponse(data, content_type=media_type, headers={"Cache-Control": FOR_EVER})

"""The first login: with the password that was printed, an account reaches the page that replaces it, and no other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from games import refusals
from games.kernel.contract import Illegal
from games.services import house
from games.web.errors import refusal_text, status_of
from games.web.identity import account_of

FIRST = Illegal("own_password_first")
OPEN = {"house", "house_logo", "account_logout", "set_language", "jsi18n", "manifest"}
"""The URL names that such an account reaches: the page of the house, and what it and its head need."""


class OwnPassword:
    """Leads an account with a printed password to the page of the house; below the API's path it is refused."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Call the view."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> HttpResponse | None:
        """Return the answer that takes the view's place; None for whoever has a password of their own."""
        user: Any = account_of(request)
        if user is None or not user.is_superuser or not house.has_printed_password(user):
            return None
        if getattr(request.resolver_match, "view_name", "") in OPEN:
            return None
        if request.path_info.startswith(settings.API_PATH):
            return JsonResponse(refusals.error_json(FIRST.code, {}), status=status_of(FIRST))
        messages.info(request, refusal_text(FIRST))
        asked_for = {"next": request.get_full_path()} if request.method == "GET" else {}
        return redirect(f"{reverse('house')}?{urlencode(asked_for)}" if asked_for else reverse("house"))

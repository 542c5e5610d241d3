"""The house's time zone and language for a request."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.translation.trans_real import parse_accept_lang_header

from games.models.house import facts


class HouseMiddleware:
    """Makes pages in the house's time zone, and in its language where the browser names none that it speaks."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Activate zone and language, and call the view."""
        known = facts()
        timezone.activate(known.zone)
        if known.language and not _names_language(request):
            translation.activate(known.language)
            request.LANGUAGE_CODE = known.language
        return self.get_response(request)


def _names_language(request: HttpRequest) -> bool:
    """Tell whether the browser, by its cookie or its header, names a language of the house's."""
    accepted = parse_accept_lang_header(request.headers.get("accept-language", ""))
    codes = [request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""), *(code for code, _weight in accepted)]
    return any(_is_spoken(code) for code in codes if code)


def _is_spoken(code: str) -> bool:
    try:
        translation.get_supported_language_variant(code)
    except LookupError:
        return False
    return True

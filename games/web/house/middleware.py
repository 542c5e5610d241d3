"""The house's time zone and language for a request, its reader's region, and the look that they have chosen."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from games.models.house import facts
from games.services.regions import region
from games.web import languages
from games.web.context import THEMES, typefaces

KEPT_SECONDS = 365 * 24 * 3600


class HouseMiddleware:
    """Makes pages in the house's time zone, and in its language where the browser names none that it speaks.

    With each page it sets the cookies of the look again: Safari keeps what a script has set for a week.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Activate zone, language and region, and call the view."""
        known = facts()
        timezone.activate(known.zone)
        language = "" if languages.chosen(request) or languages.of_browser(request) else known.language
        if language := settings.PSEUDO_LANGUAGE if settings.IS_PSEUDO else language:
            translation.activate(language)
            request.LANGUAGE_CODE = language
        with region.of_reader(request.headers.get("accept-language", "")):
            response = self.get_response(request)
        if request.method == "GET" and response.get("Content-Type", "").startswith("text/html"):
            _keep_look(request, response)
        return response


def _keep_look(request: HttpRequest, response: HttpResponse) -> None:
    """Set the cookies of static/games/pages/base.js again, if they are right: scripts can still change them."""
    for name, right in (("theme", THEMES), ("typefaces", (typefaces(),))):
        value = request.COOKIES.get(name, "")
        if value in right and name not in response.cookies:
            response.set_cookie(
                name,
                value,
                KEPT_SECONDS,
                secure=settings.SESSION_COOKIE_SECURE,
                samesite="Lax",
                path=settings.BASE_PATH,
            )

"""The web app manifest: the house as an app on a phone's home screen."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from games.models.house import facts

ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("maskable-512.png", 512, "maskable"))
BACKGROUND = "#4d3019"
"""The brown of the pages' head, as `theme-color` in templates/base.html."""


@require_http_methods(["GET", "HEAD"])
@vary_on_headers("Accept-Language", "Cookie")
@cache_control(private=True, max_age=3600)
def manifest(request: HttpRequest) -> JsonResponse:
    """Return the manifest, in the guest's language."""
    content = {
        "name": facts().name or "Stammtisch",
        "short_name": facts().name or "Stammtisch",
        "description": _("The pub's game nights, on everybody's phone."),
        "lang": get_language(),
        "id": reverse("home"),
        "start_url": reverse("home"),
        "scope": reverse("home"),
        "display": "standalone",
        "background_color": BACKGROUND,
        "theme_color": BACKGROUND,
        "icons": [
            {"src": static(f"games/icons/{name}"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
            for name, size, purpose in ICONS
        ],
    }
    return JsonResponse(content, content_type="application/manifest+json")

"""The house's logo as a file."""

from __future__ import annotations

from csp.decorators import csp_exempt
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from games.kernel.contract import Illegal
from games.services import house
from games.web.assets.catalogues import FOR_EVER


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

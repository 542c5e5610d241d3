"""The page of a share link, and its picture: for outsiders, without a player or an account."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games.models import ShareLink
from games.models.house import facts
from games.services.sharing import links as sharing_links
from games.web import links
from games.web.errors import pages_refusals
from games.web.sharing import picture as sharing_picture
from games.web.sharing.card import as_text, card_of

_KEPT_BY_NOBODY = {"Cache-Control": "private, no-cache", "X-Robots-Tag": "noindex, nofollow"}
"""Headers of both answers: a closed link shows nothing at the next look, and no search engine lists it."""


def address_of(request: HttpRequest, key: str) -> str:
    """Return the full address of a share link."""
    return links.base_url(request) + reverse("shared", args=[key])


def share_context(
    request: HttpRequest, link: ShareLink | None, may_share: bool, acts: str, public_id: str
) -> dict[str, Any]:
    """Return what templates/sharing/share.html needs; `acts` names the address of the acts on what is shared."""
    return {
        "may_share": may_share,
        "share_link": address_of(request, link.key) if link is not None else "",
        "share": reverse(acts, args=[public_id, "share"]),
        "unshare": reverse(acts, args=[public_id, "unshare"]),
    }


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def shared(request: HttpRequest, key: str) -> HttpResponse:
    """Show what a share link shows, with its text, its picture, and a button that prints it."""
    card = card_of(sharing_links.find(key))
    address = address_of(request, key)
    context = {
        "card": card,
        "address": address,
        "key": key,
        "picture": links.base_url(request) + reverse("shared_picture", args=[key]),
        "message": as_text(card, address),
        "rows": sum(len(table.lines) for table in card.tables),
    }
    answer = render(request, "sharing/shared.html", context)
    for name, value in _KEPT_BY_NOBODY.items():
        answer.headers[name] = value
    return answer


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def picture(request: HttpRequest, key: str) -> HttpResponse:
    """Return what a share link shows as a PNG; 304 for a reader who has it as it is."""
    card = card_of(sharing_links.find(key))
    footer = facts().name or "Stammtisch"
    mark = f'"{sharing_picture.mark_of(card, footer)}"'
    headers = {**_KEPT_BY_NOBODY, "ETag": mark}
    if request.headers.get("If-None-Match", "") == mark:
        return HttpResponseNotModified(headers=headers)
    return HttpResponse(sharing_picture.drawn(card, footer), content_type="image/png", headers=headers)

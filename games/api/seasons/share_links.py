"""Share links of a night's results and of a season's standing, for those who may open and close them by acts."""

from __future__ import annotations

from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import night_access
from games.api.base import View
from games.api.fields import Shape
from games.api.nights.nights import INSIDE
from games.api.schema import described
from games.api.seasons.seasons import TAG
from games.models import ShareLink
from games.services.nights import night_rights
from games.services.seasons import rights, seasons
from games.services.sharing import links

OF_NIGHT = f"{INSIDE} not_host"
OF_SEASON = "not_known no_such_season not_organiser"


class ShareSerializer(Shape):
    """The open link of results or a standing, all null while none is open. `key` is the part behind `/shared/`."""

    key = serializers.CharField(allow_null=True)
    url = serializers.CharField(allow_null=True)
    opened_at = serializers.DateTimeField(allow_null=True)


def _answer(link: ShareLink | None) -> Response:
    url = None if link is None else reverse("shared", args=[link.key])
    told = {"key": link and link.key, "url": url, "opened_at": link and link.opened_at}
    return Response(ShareSerializer(told).data)


class NightShare(View):
    """The share link of a night's results."""

    @described(
        "getNightShare", "The open link of a night's results for outsiders (the host)", ShareSerializer,
        tag=TAG, codes=OF_NIGHT,
    )  # fmt: skip
    def get(self, request: Request, public_id: str) -> Response:
        """Return the link."""
        player, night = self.player(), night_access(request, public_id)
        night_rights.check_host(night, player)
        return _answer(links.of_night(night))


class SeasonShare(View):
    """The share link of a season's standing."""

    @described(
        "getSeasonShare", "The open link of a season's standing for outsiders (organisers)", ShareSerializer,
        tag=TAG, codes=OF_SEASON,
    )  # fmt: skip
    def get(self, request: Request, public_id: str) -> Response:
        """Return the link."""
        player, season = self.player(), seasons.find(public_id)
        rights.check_organiser(season, player)
        return _answer(links.of_season(season))

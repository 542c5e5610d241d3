"""Share links of a night's results and of a season's standing: read, opened, renewed and closed by who may."""

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
from games.api.tables.seats import NothingBody
from games.models import Night, Player, Season, ShareLink
from games.services.nights import night_rights
from games.services.nights.registry import NIGHT
from games.services.seasons import rights, seasons
from games.services.seasons.registry import ACTS
from games.services.sharing import links

OF_NIGHT = f"{INSIDE} not_host"
OF_SEASON = "not_known no_such_season not_organiser"


class ShareSerializer(Shape):
    """The open link of results or a standing, all null while none is open. `key` is the part behind `/shared/`."""

    key = serializers.CharField(allow_null=True)
    url = serializers.CharField(allow_null=True)
    opened_at = serializers.DateTimeField(allow_null=True)


def _answer(link: ShareLink | None, status: int = 200) -> Response:
    url = None if link is None else reverse("shared", args=[link.key])
    told = {"key": link and link.key, "url": url, "opened_at": link and link.opened_at}
    return Response(ShareSerializer(told).data, status)


class _OfNight(View):
    def host(self, request: Request, public_id: str) -> tuple[Night, Player]:
        """Return the night and the player of the request, its host."""
        player = self.player()
        night = night_access(request, public_id)
        night_rights.check_host(night, player)
        return night, player

    def act(self, request: Request, public_id: str, name: str, status: int = 200) -> Response:
        """Carry out an act of the host; return the link that is open then."""
        night, player = self.host(request, public_id)
        NIGHT.carry_out(night, player, name, {})
        return _answer(links.of_night(night), status)


class NightShare(_OfNight):
    """The share link of a night's results."""

    @described(
        "getNightShare", "The open link of a night's results for outsiders (the host)", ShareSerializer,
        tag=TAG, codes=OF_NIGHT,
    )  # fmt: skip
    def get(self, request: Request, public_id: str) -> Response:
        """Return the link."""
        return _answer(links.of_night(self.host(request, public_id)[0]))

    @described(
        "openNightShare",
        "Open the results of a night to outsiders by a link; an open one stays (the host)",
        ShareSerializer,
        tag=TAG,
        codes=f"{OF_NIGHT} practice_night",
        body=NothingBody,
        status=201,
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Open the link."""
        self.body(NothingBody)
        return self.act(request, public_id, "share", 201)

    @described(
        "closeNightShare",
        "Close the link: it shows nothing any more (the host)",
        ShareSerializer,
        tag=TAG,
        codes=f"{OF_NIGHT} practice_night token_reads no_csrf",
    )
    def delete(self, request: Request, public_id: str) -> Response:
        """Close the link."""
        return self.act(request, public_id, "unshare")


class RenewNightShare(_OfNight):
    """Another address for a night's results."""

    @described(
        "renewNightShare",
        "Give the results of a night another link; the old one shows nothing any more (the host)",
        ShareSerializer,
        tag=TAG,
        codes=f"{OF_NIGHT} share_closed practice_night",
        body=NothingBody,
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Renew the link."""
        self.body(NothingBody)
        return self.act(request, public_id, "renew_share")


class _OfSeason(View):
    def organised(self, public_id: str) -> Season:
        """Return the season, whose organiser asks."""
        player = self.player()
        season = seasons.find(public_id)
        rights.check_organiser(season, player)
        return season

    def act(self, public_id: str, name: str, status: int = 200) -> Response:
        """Carry out an act of an organiser; return the link that is open then."""
        player = self.player()
        season = seasons.find(public_id)
        ACTS.carry_out(season, player, name, {})
        return _answer(links.of_season(season), status)


class SeasonShare(_OfSeason):
    """The share link of a season's standing."""

    @described(
        "getSeasonShare", "The open link of a season's standing for outsiders (organisers)", ShareSerializer,
        tag=TAG, codes=OF_SEASON,
    )  # fmt: skip
    def get(self, request: Request, public_id: str) -> Response:
        """Return the link."""
        return _answer(links.of_season(self.organised(public_id)))

    @described(
        "openSeasonShare",
        "Open the standing of a season to outsiders by a link; an open one stays (organisers)",
        ShareSerializer,
        tag=TAG,
        codes=f"{OF_SEASON} share_closed",
        body=NothingBody,
        status=201,
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Open the link."""
        self.body(NothingBody)
        return self.act(public_id, "share", 201)

    @described(
        "closeSeasonShare",
        "Close the link: it shows nothing any more (organisers)",
        ShareSerializer,
        tag=TAG,
        codes=f"{OF_SEASON} token_reads no_csrf",
    )
    def delete(self, request: Request, public_id: str) -> Response:
        """Close the link."""
        return self.act(public_id, "unshare")


class RenewSeasonShare(_OfSeason):
    """Another address for a season's standing."""

    @described(
        "renewSeasonShare",
        "Give the standing of a season another link; the old one shows nothing any more (organisers)",
        ShareSerializer,
        tag=TAG,
        codes=f"{OF_SEASON} share_closed",
        body=NothingBody,
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Renew the link."""
        self.body(NothingBody)
        return self.act(public_id, "renew_share")

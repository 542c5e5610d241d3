"""Who asks, where nights are held, and the sets of house rules."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from games import plugin
from games.api import shapes, shapes_rules
from games.api.base import ListView, View
from games.api.described import described
from games.api.filters import RulesFilter
from games.api.pages import Pages
from games.models import ApiToken, HouseRules, Venue
from games.services import rules_reading

TAG = "house rules"


class Me(View):
    """The asker."""

    @described(
        "getMe",
        "As whom the house knows the asker",
        shapes.MeSerializer,
        tag="house",
        told="`player` is null for a stranger, `token` for a browser.",
    )
    def get(self, request: Request) -> Response:
        """Return the player, and the token where there is one."""
        token = request.auth if isinstance(request.auth, ApiToken) else None
        found = {"player": self.asker.player, "staff": self.asker.is_staff, "token": token}
        return Response(shapes.MeSerializer(found).data)


class Venues(ListView):
    """Where nights are held."""

    queryset = Venue.objects.none()
    serializer_class = shapes.VenueSerializer
    pagination_class = Pages

    @described(
        "listVenues",
        "The venues of the house",
        shapes.VenueSerializer(many=True),
        tag="house",
        codes="not_found",
    )
    def get(self, request: Request) -> Response:
        """Return a page of venues."""
        return self.page(Venue.objects.order_by("name"))


class RuleSets(ListView):
    """Sets of house rules."""

    queryset = HouseRules.objects.none()
    serializer_class = shapes_rules.HouseRulesSerializer
    pagination_class = Pages
    filterset_class = RulesFilter

    @described(
        "listHouseRules",
        "The sets of house rules that the asker may see",
        shapes_rules.HouseRulesSerializer(many=True),
        tag=TAG,
        codes="not_found",
        told="Those on offer to all hosts, and the asker's own.",
    )
    def get(self, request: Request) -> Response:
        """Return a page of sets, each with its card."""
        rows = rules_reading.visible(self.asker.keeper).filter(game_id__in=plugin.all_games())
        rows = self.filter_queryset(rows.order_by("-is_default", "owner_id", "name", "pk"))
        page = self.paginate_queryset(rows)
        return self.get_paginated_response([rules_reading.set_json(rules) for rules in page])


class RuleSet(View):
    """A set of house rules."""

    @described(
        "getHouseRules",
        "A set of house rules, in values and in words",
        shapes_rules.HouseRulesSerializer,
        tag=TAG,
        codes="no_such_rules no_such_game",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return a set of house rules with its card."""
        return Response(rules_reading.one_set(public_id, self.asker.keeper))


class RuleVersions(View):
    """The history of a set."""

    @described(
        "listHouseRulesVersions",
        "The newest 50 versions of a set, for those who keep it",
        shapes_rules.VersionsSerializer,
        tag=TAG,
        codes="no_such_rules no_such_game not_your_rules",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the versions, newest first."""
        return Response({"versions": rules_reading.versions(public_id, self.asker.keeper)})

"""Sets of house rules by name, with their cards and versions."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import plugin
from games.api.base import ListView, View
from games.api.fields import Json, Shape
from games.api.filters import RulesFilter
from games.api.pagination import Pages
from games.api.schema import described
from games.models import HouseRules
from games.services.house_rules import descriptions, sets

TAG = "house rules"
MOST_VERSIONS = 50


class Bounds(serializers.ListField):  # type: ignore[misc]
    """The minimum and maximum number of seats of a variant, or of a game."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=serializers.IntegerField(), min_length=2, max_length=2, **kwargs)

    def to_representation(self, data: Any) -> Any:
        """Return both numbers."""
        is_game = isinstance(data, plugin.GameConfig)
        return super().to_representation((data.min_seats, data.max_seats) if is_game else data)


class PresetSerializer(Shape):
    """A variant of a game with its complete house rules."""

    id = serializers.CharField()
    label = serializers.CharField()
    seats = Bounds()
    options = Json()


class OrNull(serializers.CharField):  # type: ignore[misc]
    """A text; null if it is empty."""

    def to_representation(self, value: object) -> str | None:
        """Return the text, or None for ""."""
        return super().to_representation(value) or None


class CardLineSerializer(Shape):
    """A sentence; `instead` is the variant's sentence where the rules differ from it."""

    option = serializers.CharField()
    text = serializers.CharField()
    instead = OrNull(allow_null=True)


class CardGroupSerializer(Shape):
    """Related sentences under a title."""

    title = serializers.CharField(allow_blank=True)
    lines = CardLineSerializer(many=True)


class CardSerializer(Shape):
    """House rules in plain words."""

    title = serializers.CharField()
    preset = serializers.CharField()
    blurb = serializers.CharField(allow_blank=True)
    groups = CardGroupSerializer(many=True)


class DifferenceSerializer(Shape):
    """An option that differs, in words."""

    option = serializers.CharField()
    label = serializers.CharField()
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)


class CardedPresetSerializer(PresetSerializer):
    """A variant with its card."""

    blurb = serializers.CharField(allow_blank=True)
    card = CardSerializer()


class HouseRulesSerializer(Shape):
    """A rule set. If it is not `sound`, the game refuses the options named in `problems`."""

    id = serializers.CharField(source="rules.public_id")
    game = serializers.CharField(source="rules.game_id")
    name = serializers.CharField(source="rules.name")
    version = serializers.IntegerField(source="rules.version")
    of_the_house = serializers.BooleanField(source="rules.is_of_the_house")
    default = serializers.BooleanField(source="rules.is_default")
    hosts_may = serializers.ChoiceField(HouseRules.HostsMay.values, source="rules.hosts_may")
    status = serializers.ChoiceField(HouseRules.Status.values, source="rules.status")
    preset = serializers.CharField(source="now.preset.id")
    options = Json(source="now.values")
    sound = serializers.BooleanField(source="now.is_sound")
    problems = serializers.DictField(child=serializers.CharField())
    differences = DifferenceSerializer(many=True)
    card = CardSerializer()
    updated_at = serializers.DateTimeField(source="rules.updated_at")


class VersionSerializer(Shape):
    """A version of a set; `changed` is its difference from the version before."""

    version = serializers.IntegerField(source="row.version")
    name = serializers.CharField(source="row.name")
    preset = serializers.CharField(source="now.preset.id")
    options = Json(source="now.values")
    changed = DifferenceSerializer(many=True)
    by = serializers.CharField(source="row.by_name", allow_blank=True)
    created_at = serializers.DateTimeField(source="row.created_at")


class VersionsSerializer(Shape):
    """The newest versions of a set, the newest first."""

    versions = VersionSerializer(many=True)


class RuleSets(ListView):
    """Sets of house rules."""

    queryset = HouseRules.objects.none()
    serializer_class = HouseRulesSerializer
    pagination_class = Pages
    filterset_class = RulesFilter

    @described(
        "listHouseRules",
        "The sets of house rules that the asker may see",
        HouseRulesSerializer(many=True),
        tag=TAG,
        codes="not_found",
        description="Those on offer to all hosts, and the asker's own.",
    )
    def get(self, request: Request) -> Response:
        """Return a page of sets, each with its card."""
        rows = descriptions.visible(self.asker.keeper).filter(game_id__in=plugin.all_games())
        page = [descriptions.read(rules) for rules in self.paginate_queryset(self.filter_queryset(rows))]
        return self.get_paginated_response(self.get_serializer(page, many=True).data)


class RuleSet(View):
    """A set of house rules."""

    @described(
        "getHouseRules",
        "A set of house rules, in values and in words",
        HouseRulesSerializer,
        tag=TAG,
        codes="no_such_rules no_such_game",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return a set of house rules with its card."""
        rules = descriptions.visible_set(public_id, self.asker.keeper)
        return Response(HouseRulesSerializer(descriptions.read(rules)).data)


class RuleVersions(View):
    """The history of a set."""

    @described(
        "listHouseRulesVersions",
        "The newest 50 versions of a set, for those who keep it",
        VersionsSerializer,
        tag=TAG,
        codes="no_such_rules no_such_game not_your_rules",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the versions, newest first."""
        rules = descriptions.visible_set(public_id, self.asker.keeper)
        sets.check_keeper(rules, self.asker.keeper)
        found = {"versions": descriptions.versions(rules, MOST_VERSIONS)}
        return Response(VersionsSerializer(found).data)

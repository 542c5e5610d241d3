"""What the API says of games, house rules, rules cards and odds."""

from __future__ import annotations

from rest_framework import serializers

from games.api.shapes import Json, Shape
from games.api.shapes_tables import NamedSetSerializer
from games.models import GamePolicy, HouseRules


class _Bounds(serializers.ListField):  # type: ignore[misc]
    """The fewest and the most seats."""

    def __init__(self) -> None:
        super().__init__(child=serializers.IntegerField(), min_length=2, max_length=2)


class PresetSerializer(Shape):
    """A variant of a game with its whole house rules."""

    id = serializers.CharField()
    label = serializers.CharField()
    seats = _Bounds()
    options = Json()


class GameSerializer(Shape):
    """A game; `schema` is the JSON schema of whole house rules, `bots` are levels."""

    id = serializers.CharField()
    title = serializers.CharField()
    tagline = serializers.CharField(allow_blank=True)
    seats = _Bounds()
    bots = serializers.DictField(child=serializers.CharField())
    units = serializers.DictField(child=serializers.CharField())
    stats = serializers.DictField(child=serializers.CharField())
    lower_is_better = serializers.BooleanField()
    odds = serializers.BooleanField()
    presets = PresetSerializer(many=True)
    schema = Json()


class GamesSerializer(Shape):
    """The games of the house."""

    games = GameSerializer(many=True)


class CardLineSerializer(Shape):
    """A sentence; `instead` is the variant's own where the rules leave it."""

    option = serializers.CharField()
    text = serializers.CharField()
    instead = serializers.CharField(allow_null=True)


class CardGroupSerializer(Shape):
    """Sentences that belong together."""

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
    """A set of house rules by name. Not `sound`: the game refuses what `problems` name."""

    id = serializers.CharField()
    game = serializers.CharField()
    name = serializers.CharField()
    version = serializers.IntegerField()
    of_the_house = serializers.BooleanField()
    default = serializers.BooleanField()
    hosts_may = serializers.ChoiceField(HouseRules.HostsMay.values)
    status = serializers.ChoiceField(HouseRules.Status.values)
    preset = serializers.CharField()
    options = Json()
    sound = serializers.BooleanField()
    problems = serializers.DictField(child=serializers.CharField())
    differences = DifferenceSerializer(many=True)
    card = CardSerializer()
    updated_at = serializers.DateTimeField()


class GameRulesSerializer(Shape):
    """What a game can be played by."""

    game = serializers.CharField()
    hosts_may = serializers.ChoiceField(GamePolicy.HostsMay.values)
    schema = Json()
    presets = CardedPresetSerializer(many=True)
    sets = HouseRulesSerializer(many=True)


class VersionSerializer(Shape):
    """A set as it was in a version; `changed` is what it changed of the one before."""

    version = serializers.IntegerField()
    name = serializers.CharField()
    preset = serializers.CharField()
    options = Json()
    changed = DifferenceSerializer(many=True)
    by = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()


class VersionsSerializer(Shape):
    """The newest versions of a set, the newest first."""

    versions = VersionSerializer(many=True)


class SetOfTableSerializer(NamedSetSerializer):
    """The same with the id under which the set is found today; null when it is gone."""

    id = serializers.CharField(allow_null=True)


class TableRulesSerializer(Shape):
    """What a table is played by; `mark` goes with the acceptance of the card."""

    game = serializers.CharField()
    preset = serializers.CharField()
    house_rules = SetOfTableSerializer(allow_null=True)
    options = Json()
    mark = serializers.CharField()
    card = CardSerializer()


class ChanceSerializer(Shape):
    """An exact chance: of what (`about`), in which case, as a fraction and a decimal."""

    about = serializers.CharField()
    case = Json()
    num = serializers.IntegerField()
    den = serializers.IntegerField()
    decimal = serializers.FloatField()


class OddsSerializer(Shape):
    """Exact odds under house rules; `about` says in words what each chance is of."""

    game = serializers.CharField()
    preset = serializers.CharField()
    about = serializers.DictField(child=serializers.CharField())
    chances = ChanceSerializer(many=True)

"""What the API says of errors, people, nights and files."""

from __future__ import annotations

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.models import ApiToken, Membership, Night
from games.refusals import translate


class Shape(serializers.Serializer):  # type: ignore[misc]
    """An object that the API answers with."""


@extend_schema_field({"type": "object", "additionalProperties": True})
class Json(serializers.JSONField):  # type: ignore[misc]
    """A JSON object of the game's own or of other names than ours."""


@extend_schema_field({"type": "object", "additionalProperties": {"type": "integer"}})
class Counts(serializers.JSONField):  # type: ignore[misc]
    """Whole numbers by name."""


class FieldErrorSerializer(Shape):
    """What is wrong with a field."""

    code = serializers.CharField()
    message = serializers.CharField()


class ErrorSerializer(Shape):
    """A refusal. `fields` is there when single fields are wrong, by their path."""

    type = serializers.ChoiceField(["error"])
    code = serializers.CharField()
    message = serializers.CharField()
    params = Json()
    fields = serializers.DictField(child=FieldErrorSerializer(), required=False)


class PersonSerializer(Shape):
    """Somebody of the house."""

    id = serializers.IntegerField()
    name = serializers.CharField(source="nickname")


class VenueSerializer(Shape):
    """A place where nights are held."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()


class TokenSerializer(Shape):
    """The token that is asked with."""

    name = serializers.CharField()
    scope = serializers.ChoiceField(ApiToken.Scope.values)
    expires_at = serializers.DateTimeField(allow_null=True)


class MeSerializer(Shape):
    """Who asks."""

    player = PersonSerializer(allow_null=True)
    staff = serializers.BooleanField()
    token = TokenSerializer(allow_null=True)


class NightSerializer(Shape):
    """A night; `people` are those who are in."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    status = serializers.ChoiceField(Night.Status.values)
    host = PersonSerializer()
    venue = VenueSerializer(allow_null=True)
    admit_by_hand = serializers.BooleanField()
    cap = serializers.IntegerField()
    people = serializers.IntegerField(source="people_count")
    tables = serializers.IntegerField(source="table_count")
    created_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    url = serializers.SerializerMethodField()

    def get_url(self, night: Night) -> str:
        """Return the night's page."""
        return reverse("night", args=[night.public_id])


class OneNightSerializer(NightSerializer):
    """A night with its room code; a closed night has none."""

    code = serializers.CharField(allow_null=True)


class JoinedSerializer(Shape):
    """A night that was joined; `waiting` until the host has let one in."""

    night = serializers.CharField()
    name = serializers.CharField()
    status = serializers.ChoiceField([Membership.Status.IN, Membership.Status.WAITING])


class MemberSerializer(Shape):
    """Somebody at a night."""

    player = PersonSerializer()
    status = serializers.ChoiceField(Membership.Status.values)
    host = serializers.SerializerMethodField()
    joined_at = serializers.DateTimeField()

    def get_host(self, member: Membership) -> bool:
        """Tell whether this is the host."""
        return member.player_id == member.night.host_id


class FileSerializer(Shape):
    """A file to take along."""

    name = serializers.CharField()
    url = serializers.CharField()


class FilesSerializer(Shape):
    """The files that there are."""

    files = FileSerializer(many=True)


@extend_schema_field({"type": ["boolean", "integer", "string"]})
class Value(serializers.Field):  # type: ignore[misc]
    """The value of an option: the game's declaration says which."""

    def to_internal_value(self, data: object) -> object:
        """Return the value as it is."""
        if not isinstance(data, bool | int | str):
            raise serializers.ValidationError(translate("bad_options", {}), "invalid")
        return data

    def to_representation(self, value: object) -> object:
        """Return the value as it is."""
        return value

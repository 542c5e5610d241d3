"""Strict fields of request bodies: no text for a number, no unknown names, nothing twice.

The fields are REST framework's, without their leniency, so that the API and its description agree. Answers are a
`Shape`, defined beside the view that sends them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, ClassVar

from django.http import QueryDict
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, UnsupportedMediaType, ValidationError
from rest_framework.request import Request

from games.kernel.contract import Illegal
from games.live.protocol import LONGEST_FRAME, Bad, load
from games.refusals import translate
from games.services import form_ids

PUBLIC_ID = re.compile(r"[a-z0-9]{1,16}", re.ASCII)
SEAT = re.compile(r"0|[1-9][0-9]{0,2}", re.ASCII)
WHOLE = re.compile(r"-?[0-9]{1,15}", re.ASCII)


class Text(serializers.CharField):  # type: ignore[misc]
    """A string and nothing else; leading and trailing blanks count, too."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Return the text; refuses numbers."""
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


@extend_schema_field({"type": "string", "pattern": "^[a-z0-9]{1,16}$"})
class PublicId(Text):
    """The public id of a night, a venue or a rule set."""

    def to_internal_value(self, data: Any) -> str:
        """Return the id; refuses text that cannot be an id."""
        if not isinstance(data, str) or not PUBLIC_ID.fullmatch(data):
            self.fail("invalid")
        return str(data)


@extend_schema_field({"type": "string", "pattern": "^s[1-9][0-9]*$"})
class SeatId(Text):
    """The id of a seat of a table that waits."""

    def to_internal_value(self, data: Any) -> str:
        """Return the text, which the service looks up; raises Illegal `seat_number` for a number."""
        if isinstance(data, int) and not isinstance(data, bool):
            raise Illegal("seat_number")
        return str(super().to_internal_value(data))


class Whole(serializers.IntegerField):  # type: ignore[misc]
    """A whole number; in a query string, its digits."""

    def to_internal_value(self, data: Any) -> int:
        """Return the number; in JSON, "1" and true are refused."""
        is_query = isinstance(self.root, Query)
        if is_query and isinstance(data, str) and WHOLE.fullmatch(data):
            return int(data)
        is_number = isinstance(data, int) or (isinstance(data, float) and data.is_integer())
        if is_query or isinstance(data, bool) or not is_number:
            self.fail("invalid")
        return int(data)


class YesNo(serializers.BooleanField):  # type: ignore[misc]
    """True or false."""

    def to_internal_value(self, data: Any) -> bool:
        """Return the value; refuses words and numbers."""
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return bool(data)


class Moment(serializers.DateTimeField):  # type: ignore[misc]
    """A day and a time, in the form of ISO 8601."""

    def to_internal_value(self, data: Any) -> datetime:
        """Return the time; refuses others than text, and a time at an end of the calendar, which UTC cannot hold."""
        try:
            found: datetime = super().to_internal_value(data)
        except OverflowError:
            self.fail("overflow")
        return found


class Day(serializers.DateField):  # type: ignore[misc]
    """A day, in the form of ISO 8601."""


@extend_schema_field({"type": "object", "additionalProperties": {"type": "integer"}})
class Points(serializers.Field):  # type: ignore[misc]
    """Signed points by seat, in JSON with the seat as a string."""

    default_error_messages: ClassVar = {"invalid": "Points by seat."}

    def to_internal_value(self, data: Any) -> dict[int, int]:
        """Return the points; refuses anything but seats and whole numbers."""
        if not isinstance(data, dict) or not all(SEAT.fullmatch(seat) for seat in data):
            self.fail("invalid")
        if not all(type(points) is int for points in data.values()):
            self.fail("invalid")
        return {int(seat): points for seat, points in data.items()}


@extend_schema_field({"type": "object", "additionalProperties": {"type": "integer"}})
class Told(serializers.Field):  # type: ignore[misc]
    """A result that is told: whole numbers by name, `winner` (a seat) and the game's own figures."""

    default_error_messages: ClassVar = {"invalid": "Whole numbers by name."}

    def to_internal_value(self, data: Any) -> dict[str, int]:
        """Return the result; refuses anything but whole numbers."""
        if not isinstance(data, dict) or not all(type(number) is int for number in data.values()):
            self.fail("invalid")
        return {str(name): number for name, number in data.items()}


class FormId(Text):
    """An id of the sender's own for a request: the same request with the same id is carried out once."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=form_ids.LONGEST, **kwargs)


class FixedWord(serializers.ChoiceField):  # type: ignore[misc]
    """One of several fixed words."""

    def to_internal_value(self, data: Any) -> str:
        """Return the word; refuses others."""
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return str(super().to_internal_value(data))


class Named(serializers.Serializer):  # type: ignore[misc]
    """Named values; unknown names are refused."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the values; raises ValidationError for unknown names."""
        unknown = sorted(set(data) - set(self.fields)) if isinstance(data, dict) else []
        if unknown:
            raise ValidationError({str(name): [_unknown(name)] for name in unknown})
        return super().to_internal_value(data)


def _unknown(name: object) -> ErrorDetail:
    """Return the error detail of an unknown name."""
    return ErrorDetail(translate("unknown_param", {"name": name}), "unknown")


class Body(Named):
    """The JSON object of a request, of so many bytes at most (`longest`)."""

    longest: ClassVar[int] = LONGEST_FRAME


class Query(Named):
    """The query parameters of an address."""


def single(params: QueryDict, names: Collection[str]) -> dict[str, str]:
    """Return the query parameters.

    Raises Illegal `unknown_param` for an unknown one, ValidationError for one that comes twice, is empty or contains
    NUL.
    """
    for name, values in params.lists():
        if name not in names:
            raise Illegal("unknown_param", name=name[:40])
        if len(values) != 1 or not values[0] or "\0" in values[0]:
            raise ValidationError({name: [ErrorDetail(translate("not_one", {}), "not_one")]})
    return {name: str(params[name]) for name in params}


def read_query(request: Request, kind: type[Query] | None) -> Any:
    """Return the query parameters of a request, read by `kind`."""
    names = kind().fields if kind is not None else ()
    found = single(request.query_params, names)
    if kind is None:
        return {}
    reader = kind(data=found)
    reader.is_valid(raise_exception=True)
    return reader.validated_data


def raw_body(request: Request, longest: int = LONGEST_FRAME) -> dict[str, Any]:
    """Return the JSON object in a request's body; its content type must be JSON, which no HTML form can send.

    Raises UnsupportedMediaType, Bad.
    """
    if request.content_type.split(";")[0].strip().lower() != "application/json":
        raise UnsupportedMediaType(request.content_type)
    try:
        text = str(request.body, "utf-8")
    except UnicodeDecodeError:
        raise Bad("binary") from None
    return load(text, longest)


def read_body(request: Request, kind: type[Body]) -> Any:
    """Return the JSON object in a request's body, read by `kind`; raises as `raw_body` and ValidationError.

    An empty body is an empty object.
    """
    # What came as parts of a form has been read, and has no body any more.
    is_form = request.content_type.startswith("multipart/")
    raw = raw_body(request, kind.longest) if is_form or request.body else {}
    reader = kind(data=raw)
    reader.is_valid(raise_exception=True)
    return reader.validated_data


class Shape(serializers.Serializer):  # type: ignore[misc]
    """An object in an answer of the API."""


@extend_schema_field({"type": "object", "additionalProperties": True})
class Json(serializers.JSONField):  # type: ignore[misc]
    """A JSON object with the game's own or free names; left out if it is optional and absent."""

    def get_attribute(self, instance: Any) -> Any:
        """Return the value; raises SkipField for an absent optional one, also if it may be null."""
        if not self.required and isinstance(instance, Mapping) and self.field_name not in instance:
            raise serializers.SkipField
        return super().get_attribute(instance)


@extend_schema_field({"type": "object", "additionalProperties": {"type": "integer"}})
class NumbersByName(serializers.JSONField):  # type: ignore[misc]
    """Whole numbers by name."""


@extend_schema_field({"type": ["boolean", "integer", "string"]})
class Value(serializers.Field):  # type: ignore[misc]
    """The value of an option; its type is in the game's declaration."""

    def to_internal_value(self, data: object) -> object:
        """Return the value as it is."""
        if not isinstance(data, bool | int | str):
            raise serializers.ValidationError(translate("bad_options", {}), "invalid")
        return data

    def to_representation(self, value: object) -> object:
        """Return the value as it is."""
        return value


class PersonSerializer(Shape):
    """A player by id and name."""

    id = serializers.IntegerField()
    name = serializers.CharField(source="nickname")

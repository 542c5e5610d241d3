"""What the API says of tables, their state and their log (docs/protocol.md §1–§5)."""

from __future__ import annotations

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.api.shapes import Counts, Json, Shape
from games.models import Table
from games.services import terms


class SeatSerializer(Shape):
    """A seat: a player's, a bot's (`bot` is its level) or nobody's at the moment."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    player = serializers.IntegerField(allow_null=True)
    bot = serializers.CharField(allow_blank=True)
    accepted = serializers.BooleanField()
    gone = serializers.BooleanField()


class NamedSetSerializer(Shape):
    """The set of house rules that a table was opened under, as it was called then."""

    name = serializers.CharField()
    version = serializers.IntegerField()


class RowSeatSerializer(Shape):
    """A seat in a list of tables."""

    seat = serializers.IntegerField(source="index")
    name = serializers.CharField()
    player = serializers.IntegerField(source="player_id", allow_null=True)
    bot = serializers.CharField(source="bot_level", allow_blank=True)


class TableRowSerializer(Shape):
    """A table in a list."""

    id = serializers.CharField(source="public_id")
    night = serializers.CharField(source="night.public_id")
    number = serializers.IntegerField()
    game = serializers.CharField(source="game_id")
    preset = serializers.CharField()
    house_rules = serializers.SerializerMethodField()
    status = serializers.ChoiceField(Table.Status.values)
    seats = RowSeatSerializer(many=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    url = serializers.SerializerMethodField()

    @extend_schema_field(NamedSetSerializer(allow_null=True))
    def get_house_rules(self, table: Table) -> object:
        """Return the set of house rules by name; None without one."""
        return terms.set_named(table)

    def get_url(self, table: Table) -> str:
        """Return the table's page."""
        return reverse("table", args=[table.public_id])


class WaitingSerializer(Shape):
    """A correction of a result that waits until the seats in `waiting` have agreed."""

    id = serializers.CharField()
    result = serializers.IntegerField()
    seat = serializers.IntegerField()
    points = Counts()
    reason = serializers.CharField()
    waiting = serializers.ListField(child=serializers.IntegerField())


class TableSerializer(Shape):
    """A table, as docs/protocol.md §5 has it."""

    id = serializers.CharField()
    night = serializers.CharField()
    number = serializers.IntegerField()
    game = serializers.CharField()
    preset = serializers.CharField()
    house_rules = NamedSetSerializer(allow_null=True)
    status = serializers.ChoiceField(Table.Status.values)
    host = serializers.IntegerField()
    broken_off = serializers.BooleanField()
    seats = SeatSerializer(many=True)
    successor = serializers.CharField(allow_null=True)
    corrections = WaitingSerializer(many=True)
    commitment = serializers.CharField()
    url = serializers.CharField()


class SetsSerializer(Shape):
    """The options of a choice stated as a rule (docs/protocol.md §3)."""

    name = serializers.CharField()
    of = serializers.ListField(child=serializers.IntegerField())
    may_be_empty = serializers.BooleanField()
    laws = serializers.ListField(child=Json())


class ChoiceSerializer(Shape):
    """An open decision; `args` of an answer are one of the `options`, or of the `sets`."""

    name = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    basis = serializers.IntegerField()
    options = serializers.ListField(child=Json(), required=False)
    sets = SetsSerializer(required=False)
    required = serializers.BooleanField()
    seconds = serializers.IntegerField(allow_null=True)


class StateSerializer(Shape):
    """What the asker may see of a game (docs/protocol.md §1)."""

    type = serializers.ChoiceField(["state"])
    seq = serializers.IntegerField()
    view = Json(allow_null=True)
    choices = ChoiceSerializer(many=True)
    clocks = Counts()
    joins = serializers.BooleanField(required=False)


class TableStateSerializer(Shape):
    """A table with its state."""

    table = TableSerializer()
    state = StateSerializer()


class EventSerializer(Shape):
    """What happened; a hidden event has its type alone."""

    type = serializers.CharField()
    data = Json(required=False)
    v = serializers.IntegerField(required=False)


class EntrySerializer(Shape):
    """An entry of the log (docs/protocol.md §2)."""

    type = serializers.ChoiceField(["entry"])
    seq = serializers.IntegerField()
    events = EventSerializer(many=True)


class OwnEntrySerializer(EntrySerializer):
    """The entry of a command, with the state after it while it is the last one."""

    id = serializers.CharField()
    view = Json(allow_null=True, required=False)
    choices = ChoiceSerializer(many=True, required=False)
    clocks = Counts(required=False)
    joins = serializers.BooleanField(required=False)


class EventsSerializer(Shape):
    """A part of a table's log; `seq` is the last entry that there is."""

    seq = serializers.IntegerField()
    entries = EntrySerializer(many=True)


class SpanSerializer(Shape):
    """A finished game in the log of a table."""

    number = serializers.IntegerField()
    first = serializers.IntegerField()
    last = serializers.IntegerField()
    reason = serializers.CharField()


class FrameSerializer(Shape):
    """A step of a replay."""

    seq = serializers.IntegerField()
    at = serializers.DateTimeField()
    events = EventSerializer(many=True)
    view = Json(allow_null=True)


class ReplaySerializer(Shape):
    """Steps of a table's finished games."""

    games = SpanSerializer(many=True)
    frames = FrameSerializer(many=True)

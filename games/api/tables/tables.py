"""Tables: state, log, commands, house rules, replay (docs/protocol.md §8)."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import plugin
from games.api.act_bodies import one_of
from games.api.auth import log_access, table_access
from games.api.base import View
from games.api.fields import Body, Json, NumbersByName, Query, Shape, Text, Whole, raw_body
from games.api.house_rules.sets import CardSerializer
from games.api.schema import described
from games.kernel.contract import Illegal, JsonObject
from games.kernel.data import schemas
from games.live.protocol import LARGEST_INT, LONGEST_ID, LONGEST_NAME, read_command
from games.models import Table
from games.services import arguments, commands
from games.services.house_rules import descriptions
from games.services.logs import choice_texts, event_texts, log_views, replays
from games.services.seats.sittings import TableReader
from games.services.tables import access, log, queue
from games.services.tables.registry import COMMANDS
from games.services.tables.snapshot import NO_SEATS, Hand, TableSnapshot, seat_of, seats_to_show

LAST_SEQ = 999_999_999
TAG = "tables"


class ActingSerializer(Shape):
    """A player by id and name."""

    player = serializers.IntegerField()
    name = serializers.CharField()


class BeforeSerializer(Shape):
    """An earlier person of a seat, under the name of that time: of entries before entry `upto`."""

    name = serializers.CharField()
    upto = serializers.IntegerField()


class SeatSerializer(Shape):
    """A seat: a player's, a bot's (`bot` is its level) or an empty one.

    `keeper` acts for a person without a phone. While the table waits, requests name the seat by its `id`, because its
    number moves up when an earlier seat is freed; from the start on by its number, which then stays. `before`, at a
    seat that has changed hands: the people before this one, oldest first.
    """

    id = serializers.CharField()
    seat = serializers.IntegerField()
    name = serializers.CharField()
    player = serializers.IntegerField(allow_null=True)
    bot = serializers.CharField(allow_blank=True)
    accepted = serializers.BooleanField()
    gone = serializers.BooleanField()
    keeper = ActingSerializer(allow_null=True)
    before = BeforeSerializer(many=True, required=False)


class NamedSetSerializer(Shape):
    """The rule set that a table was opened with, under its name at that time."""

    name = serializers.CharField()
    version = serializers.IntegerField()


class ResultPersonSerializer(Shape):
    """A person of a result, under the name of that time; `player` is null for who is known no more."""

    player = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()


class WaitingSerializer(Shape):
    """A correction of a result that waits until the people of the seats in `waiting` have agreed.

    The seats are those of the result's lines, whoever sits there now. `told` is the right result where that is
    corrected (a match on a real board), and `points` is what follows from it. With `one_is_enough`, which is so of
    what moves points to the host, the first answer decides: of one of them, or of the staff.
    """

    id = serializers.CharField()
    result = serializers.IntegerField()
    seat = serializers.IntegerField()
    points = NumbersByName()
    told = NumbersByName(allow_null=True)
    reason = serializers.CharField()
    waiting = serializers.ListField(child=serializers.IntegerField())
    one_is_enough = serializers.BooleanField()
    by = ResultPersonSerializer(allow_null=True)
    asked = ResultPersonSerializer(many=True)


class TableSerializer(Shape):
    """A table, as in docs/protocol.md §5."""

    id = serializers.CharField()
    night = serializers.CharField()
    number = serializers.IntegerField()
    game = serializers.CharField()
    preset = serializers.CharField()
    house_rules = NamedSetSerializer(allow_null=True)
    medium = serializers.CharField(help_text="`screen`, or the real equipment: `typed` for dice, `wood` for a board.")
    status = serializers.ChoiceField(Table.Status.values)
    host = serializers.IntegerField()
    broken_off = serializers.BooleanField()
    scorekeeper = ActingSerializer(allow_null=True)
    seats = SeatSerializer(many=True)
    successor = serializers.CharField(allow_null=True)
    corrections = WaitingSerializer(many=True)
    commitment = serializers.CharField()
    url = serializers.CharField()


class SetsSerializer(Shape):
    """The options of a choice, stated as a rule (docs/protocol.md §3)."""

    name = serializers.CharField()
    of = serializers.ListField(child=serializers.IntegerField())
    may_be_empty = serializers.BooleanField()
    laws = serializers.ListField(child=Json())
    marks = Json(required=False)


class OptionWordsSerializer(Shape):
    """An option in words: what its button says, what it costs or gives, its letter, `go` or `stop`."""

    label = serializers.CharField()
    note = serializers.CharField()
    key = serializers.CharField()
    tone = serializers.CharField()


class ChoiceSerializer(Shape):
    """An open decision; the `args` of an answer are one of the `options` or of the `sets`.

    In the language asked for: `text` is what the player is told, `question` what else is asked, `lapse` what happens
    when the time runs out; `words` are by option. "" where the game says nothing.
    """

    name = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    basis = serializers.IntegerField()
    options = serializers.ListField(child=Json(), required=False)
    sets = SetsSerializer(required=False)
    required = serializers.BooleanField()
    seconds = serializers.IntegerField(allow_null=True)
    about = Json(required=False)
    text = serializers.CharField()
    question = serializers.CharField()
    lapse = serializers.CharField()
    words = OptionWordsSerializer(many=True, required=False)


class StateSerializer(Shape):
    """The asker's view of a game (docs/protocol.md §1); `text` says whom the game waits for, as the turn bar does."""

    type = serializers.ChoiceField(["state"])
    seq = serializers.IntegerField()
    view = Json(allow_null=True)
    choices = ChoiceSerializer(many=True)
    text = serializers.CharField()
    clocks = NumbersByName()
    joins = serializers.BooleanField(required=False)


class TableStateSerializer(Shape):
    """A table with its state."""

    table = TableSerializer()
    state = StateSerializer()


class EventSerializer(Shape):
    """An event; a hidden one has only its type. `text` is its line in the log, in the language asked for."""

    type = serializers.CharField()
    text = serializers.CharField(required=False)
    data = Json(required=False)
    v = serializers.IntegerField(required=False)
    private = serializers.BooleanField(required=False)


class EntrySerializer(Shape):
    """An entry of the log (docs/protocol.md §2); `throw` is the origin of its dice (§9)."""

    type = serializers.ChoiceField(["entry"])
    seq = serializers.IntegerField()
    events = EventSerializer(many=True)
    throw = Json(required=False)


class OwnEntrySerializer(EntrySerializer):
    """The entry of a command, with the state after it while it is the last entry."""

    id = serializers.CharField()
    view = Json(allow_null=True, required=False)
    choices = ChoiceSerializer(many=True, required=False)
    text = serializers.CharField(required=False)
    clocks = NumbersByName(required=False)
    joins = serializers.BooleanField(required=False)


class EventsSerializer(Shape):
    """A part of a table's log; `seq` is the table's last entry."""

    seq = serializers.IntegerField()
    entries = EntrySerializer(many=True)


class SetOfTableSerializer(NamedSetSerializer):
    """The same with the current id of the set; null if the set is gone."""

    id = serializers.CharField(allow_null=True)


class TableRulesSerializer(Shape):
    """The rules of a table; an acceptance of the card sends its `mark`."""

    game = serializers.CharField(source="table.game_id")
    preset = serializers.CharField(source="table.preset")
    house_rules = SetOfTableSerializer(allow_null=True)
    options = Json(source="table.options")
    mark = serializers.CharField(source="card.mark")
    card = CardSerializer()


class SpanSerializer(Shape):
    """A finished game in the log of a table."""

    number = serializers.IntegerField()
    first = serializers.IntegerField()
    last = serializers.IntegerField()
    reason = serializers.CharField()


class FrameSerializer(Shape):
    """A step of a replay; `names` are by seat, of those who sat there then."""

    seq = serializers.IntegerField()
    at = serializers.DateTimeField()
    events = EventSerializer(many=True)
    view = Json(allow_null=True)
    names = serializers.ListField(child=serializers.CharField(allow_blank=True))


class ReplaySerializer(Shape):
    """Steps of a table's finished games."""

    games = SpanSerializer(many=True)
    frames = FrameSerializer(many=True)


def table_now(right: access.Access, seat: int | None = None) -> tuple[TableSnapshot, TableReader]:
    """Return a table as it is now, and the reader of its view for the asker's own seat, or for one that they keep or
    may enter for.

    Raises Illegal `not_keeper` for any other seat.
    """
    now = log_views.snapshot(right.table_id)
    if seat is None or seat == seat_of(now.table or NO_SEATS, right.player_id):
        return now, now.reader(right.player_id)
    if seat not in seats_to_show(now.table or NO_SEATS, right.player_id):
        raise Illegal("not_keeper")
    return now, now.reader(right.player_id, Hand(seat))


def table_json(right: access.Access) -> JsonObject:
    """Return a table as it is now, in the form of docs/protocol.md §5."""
    now, _ = table_now(right)
    return JsonObject(TableSerializer(now.table).data)


def table_state(right: access.Access, seat: int | None = None) -> JsonObject:
    """Return a table and its state in the asker's view, or in that of a seat that they keep."""
    now, reader = table_now(right, seat)
    state = _with_words(now, now.state_for(reader))
    return JsonObject(TableStateSerializer({"table": now.table, "state": state}).data)


def _with_words(now: TableSnapshot, seen: JsonObject) -> JsonObject:
    """Return what a reader sees of a table, its choices in words."""
    names = event_texts.names_at((now.table or NO_SEATS)["seats"], now.seq)
    return choice_texts.with_words(now.game_id, seen, names)


def in_words(right: access.Access, now: TableSnapshot, entries: list[JsonObject]) -> list[JsonObject]:
    """Return entries with the line of each event in the language asked for."""
    table, seats = table_of(right), (now.table or NO_SEATS)["seats"]
    return [
        event_texts.with_texts(table.game_id, table.options, entry, event_texts.names_at(seats, entry["seq"]))
        for entry in entries
    ]


def table_of(right: access.Access) -> Table:
    """Return the row of a table."""
    rows = Table.objects.select_related("night", "house_rules").defer("state")
    return rows.get(pk=right.table_id)


class TableQuery(Query):
    """The seat whose view is shown."""

    seat = Whole(
        min_value=0,
        max_value=LAST_SEQ,
        required=False,
        help_text="A seat without a phone that you keep; your own without it.",
    )


class OneTable(View):
    """A table."""

    queries: ClassVar = {"GET": TableQuery}

    @described(
        "getTable",
        "A table and its state, as the asker may see it",
        TableStateSerializer,
        tag=TAG,
        codes="not_inside removed no_such_table not_keeper",
        query=TableQuery,
        description="Players see their seat's view, everybody else the spectators'. Who keeps seats of people without "
        "a phone sees the view of the one that `seat` names.",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the table object and the state."""
        return Response(table_state(table_access(request, public_id), self.query.get("seat")))


class EventsQuery(Query):
    """The entry after which the log is read."""

    after = Whole(min_value=0, max_value=LAST_SEQ, default=0)


class Events(View):
    """The log of a table."""

    queries: ClassVar = {"GET": EventsQuery}

    @described(
        "listEvents",
        "At most 200 entries of a table's log",
        EventsSerializer,
        tag=TAG,
        codes="not_inside removed no_such_table",
        query=EventsQuery,
        description="Events that the asker may not read come as `hidden`. Ask again after the last one.",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the entries after `?after=`; events that the asker may not read are hidden."""
        right = log_access(request, public_id)
        now, reader = table_now(right)
        found = log.entries(right.table_id, now.seq, self.query["after"], log_views.LONGEST_TAIL)
        entries = in_words(right, now, [log_views.entry_json(entry, reader) for entry in found])
        return Response(EventsSerializer({"seq": now.seq, "entries": entries}).data)


class CommandBody(Body):
    """A command, as in docs/protocol.md §3; other fields are not read."""

    id = Text(max_length=LONGEST_ID, help_text="Your own, new for each command.")
    name = Text(max_length=LONGEST_NAME)
    args = Json(required=False)
    basis = Whole(min_value=0, max_value=LARGEST_INT, required=False, allow_null=True)
    seat = Whole(
        min_value=0,
        max_value=LARGEST_INT,
        required=False,
        allow_null=True,
        help_text="The seat that you act for, where it is not your own.",
    )

    @classmethod
    def schema(cls, plain: dict[str, Any]) -> dict[str, Any]:
        """Return the JSON schema: the fields, and for each command and each choice of a game its own arguments."""
        commands_of_house = {name: arguments.schema(act.parameters) for name, act in sorted(COMMANDS.items())}
        return plain | one_of("name", commands_of_house | _answers(), {})


def _answers() -> dict[str, dict[str, Any]]:
    """Return the schema of the arguments of each choice of the installed games that declare them, by its name."""
    found: dict[str, list[dict[str, Any]]] = {}
    for game in plugin.all_games().values():
        for name, shape in schemas.argument_schemas(game.rules).items():
            shapes = found.setdefault(name, [])
            if shape not in shapes:
                shapes.append(shape)
    return {name: shapes[0] if len(shapes) == 1 else {"anyOf": shapes} for name, shapes in sorted(found.items())}


class Commands(View):
    """Commands and acts at a table."""

    @described(
        "sendCommand",
        "Play, or use a command of the house",
        OwnEntrySerializer,
        tag=TAG,
        codes="not_inside removed no_such_table not_seated not_keeper not_host stale not_open bad_args bad_argument "
        "no_basis not_started paused finished unknown_command bad_command_id table_full other_people",
        body=CommandBody,
        description="`args` are one of the options of an open choice, `basis` is the choice's. Names "
        "with `table.` are the house's and need no basis. The same id is carried out once. Who keeps the seat of "
        "somebody without a phone, and for any seat host and scorekeeper, name it as `seat`.",
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Carry out a command and return its entry; a repeated id returns the same entry again."""
        raw = raw_body(request)
        right = table_access(request, public_id)
        if right.player_id is None:
            raise Illegal("not_seated")
        command = read_command(raw)
        receipt = queue.submit(right.table_id, commands.Actor(right.player_id), command)
        now, reader = self._table_after(right, command.seat)
        after = _with_words(now, now.seen_by(reader)) if now.seq == receipt.seq else {}
        (entry,) = in_words(right, now, [log_views.entry_json(receipt.entry, reader)])
        return Response(OwnEntrySerializer({**entry, "id": command.id, **after}).data)

    def _table_after(self, right: access.Access, seat: int | None) -> tuple[TableSnapshot, TableReader]:
        """Return the table and reader of the answer: of the seat acted for if the asker keeps it, else their own."""
        try:
            return table_now(right, seat)
        except Illegal:
            return table_now(right)


class TableRules(View):
    """The rules of a table."""

    @described(
        "getTableRules",
        "The house rules of a table, in values and in words",
        TableRulesSerializer,
        tag=TAG,
        codes="not_inside removed no_such_table",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the options, the card and its mark."""
        rules = descriptions.table_rules(table_of(table_access(request, public_id)))
        return Response(TableRulesSerializer(rules).data)


class ReplayQuery(Query):
    """The entry from which the replay starts."""

    first = Whole(min_value=1, max_value=LAST_SEQ, default=1)


class Replay(View):
    """The finished games of a table, step by step."""

    queries: ClassVar = {"GET": ReplayQuery}

    @described(
        "getReplay",
        "Up to 60 steps of a table's finished games",
        ReplaySerializer,
        tag=TAG,
        codes="not_inside removed no_such_table no_replay",
        query=ReplayQuery,
        description="Each step has the spectators' view after it. What still runs is not replayed.",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the games and the steps from `?first=` on."""
        table = table_of(log_access(request, public_id))
        frames = [
            event_texts.with_texts(table.game_id, table.options, frame, dict(enumerate(frame["names"])))
            for frame in replays.frames(table, self.query["first"])
        ]
        return Response(ReplaySerializer({"games": replays.games_of(table), "frames": frames}).data)

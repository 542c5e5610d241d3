"""Tables: state, log, commands, house rules, replay (docs/protocol.md §8)."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games.api import shapes, shapes_tables
from games.api.asking import table_access
from games.api.base import View
from games.api.described import described
from games.api.shapes_rules import TableRulesSerializer
from games.api.strict import Body, Query, Text, Whole, raw_body
from games.kernel.contract import Illegal, JsonObject
from games.models import Table
from games.realtime.messages import LARGEST_INT, LONGEST_ID, LONGEST_NAME, read_command
from games.services import ledger, play, reading, replaying, rights, rules_reading, writer
from games.services.heads import TableSnapshot
from games.services.sittings import Reader

LAST_SEQ = 999_999_999
TAG = "tables"


def table_now(right: rights.Access) -> tuple[TableSnapshot, Reader]:
    """Return a table as it stands, and what the asker may read of it."""
    now = reading.snapshot(right.table_id)
    return now, now.reader(right.player_id)


def shown(right: rights.Access) -> JsonObject:
    """Return the table object and the state as the asker may see it."""
    now, reader = table_now(right)
    return {"table": now.table, "state": now.state_for(reader)}


def table_of(right: rights.Access) -> Table:
    """Return the row of a table."""
    rows = Table.objects.select_related("night", "house_rules").defer("state")
    return rows.get(pk=right.table_id)


class OneTable(View):
    """A table."""

    @described(
        "getTable",
        "A table and its state, as the asker may see it",
        shapes_tables.TableStateSerializer,
        tag=TAG,
        codes="not_inside removed no_such_table",
        told="Players see their seat's view, everybody else the spectators'.",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the table object and the state."""
        return Response(shown(table_access(request, public_id)))


class EventsQuery(Query):
    """After which entry the log is read."""

    after = Whole(min_value=0, max_value=LAST_SEQ, default=0)


class Events(View):
    """The log of a table."""

    queries: ClassVar = {"GET": EventsQuery}

    @described(
        "listEvents",
        "At most 200 entries of a table's log",
        shapes_tables.EventsSerializer,
        tag=TAG,
        codes="not_inside removed no_such_table",
        query=EventsQuery,
        told="Events that the asker may not read come as `hidden`. Ask again after the last one.",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the entries after `?after=`, with those events hidden that must be."""
        right = table_access(request, public_id)
        now, reader = table_now(right)
        found = ledger.entries(right.table_id, now.seq, self.query["after"], reading.LONGEST_TAIL)
        return Response({"seq": now.seq, "entries": [reading.entry_json(entry, reader) for entry in found]})


class CommandBody(Body):
    """A command, as docs/protocol.md §3 has it; other fields are not read."""

    id = Text(max_length=LONGEST_ID, help_text="Your own, new for each command.")
    name = Text(max_length=LONGEST_NAME)
    args = shapes.Json(required=False)
    basis = Whole(min_value=0, max_value=LARGEST_INT, required=False, allow_null=True)


class Commands(View):
    """What is done at a table."""

    @described(
        "sendCommand",
        "Play, or use a command of the house",
        shapes_tables.OwnEntrySerializer,
        tag=TAG,
        codes="not_inside removed no_such_table not_seated not_host stale not_open bad_args "
        "no_basis not_started paused finished unknown_command bad_command_id table_full",
        body=CommandBody,
        told="`args` are one of the options of an open choice, `basis` is the choice's. Names "
        "with `table.` are the house's and need no basis. The same id is carried out once.",
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Carry out a command; return its entry, again for an id that was accepted before."""
        raw = raw_body(request)
        right = table_access(request, public_id)
        if right.player_id is None:
            raise Illegal("not_seated")
        asked = read_command(raw)
        receipt = writer.submit(right.table_id, play.Actor(right.player_id), asked)
        now, reader = table_now(right)
        entry: dict[str, Any] = {**reading.entry_json(receipt.entry, reader), "id": asked.id}
        return Response(entry | now.seen_by(reader) if now.seq == receipt.seq else entry)


class TableRules(View):
    """What a table is played by."""

    @described(
        "getTableRules",
        "The house rules of a table, in values and in words",
        TableRulesSerializer,
        tag=TAG,
        codes="not_inside removed no_such_table",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the options, the card and its mark."""
        return Response(rules_reading.of_table(table_of(table_access(request, public_id))))


class ReplayQuery(Query):
    """From which entry on a game is replayed."""

    first = Whole(min_value=1, max_value=LAST_SEQ, default=1)


class Replay(View):
    """The finished games of a table, step by step."""

    queries: ClassVar = {"GET": ReplayQuery}

    @described(
        "getReplay",
        "Up to 60 steps of a table's finished games",
        shapes_tables.ReplaySerializer,
        tag=TAG,
        codes="not_inside removed no_such_table no_replay",
        query=ReplayQuery,
        told="Each step has the spectators' view after it. What still runs is not replayed.",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the games and the steps from `?first=` on."""
        table = table_of(table_access(request, public_id))
        games = [shapes_tables.SpanSerializer(span).data for span in replaying.games_of(table)]
        return Response({"games": games, "frames": replaying.frames(table, self.query["first"])})

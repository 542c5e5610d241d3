"""Seats, and the start of a game."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.act_bodies import old_act
from games.api.auth import table_access
from games.api.authentication import note_seat
from games.api.base import View
from games.api.fields import Body, SeatId, Text, YesNo
from games.api.schema import described
from games.api.tables.tables import TAG, TableSerializer, TableStateSerializer, table_json, table_of, table_state
from games.kernel.contract import Illegal, JsonObject
from games.models import Table
from games.services.tables.registry import ACTS

INSIDE = "not_inside removed no_such_table not_known"


def _find(request: Request, public_id: str) -> Table:
    """Return a table for a player; raises Illegal `not_inside`, and as `table_access`."""
    right = table_access(request, public_id)
    if right.player_id is None:
        raise Illegal("not_inside")
    return table_of(right)


def _tell(request: Request, table: Table, _done: object = None) -> JsonObject:
    """Return a table as it is now."""
    return table_json(table_access(request, table.public_id))


class SitBody(Body):
    """Seats the asker; for the host, a bot; for host and scorekeeper, a person without a phone.

    To accept the house rules, `accept` them with the `mark` of their card; for a person without a phone, with the
    id of the `seat` that you keep.
    """

    bot = Text(max_length=16, required=False, help_text="A level: a bot takes the seat.")
    person = Text(max_length=96, required=False, help_text="The name of a person without a phone, for whom you act.")
    accept = YesNo(required=False, default=False)
    mark = Text(max_length=16, required=False)
    seat = SeatId(required=False, help_text="The id of a seat that you keep: you accept for it.")
    adult = YesNo(required=False, default=False, help_text="You are of age, where adults only may play.")
    nonce = Text(max_length=64, required=False, help_text="Your own random text, for the dice.")


class TakeSeat(View):
    """Taking a seat."""

    @described(
        "takeSeat",
        "Sit down at a table that waits, and accept its rules; or seat a bot, or a person without a phone",
        TableSerializer,
        tag=TAG,
        is_old=True,
        codes=f"{INSIDE} not_host night_closed already_started table_full card_changed bad_level adults_only "
        "night_full bad_argument seat_number seat_empty not_keeper night_locked nickname_empty nickname_characters "
        "nickname_long too_many_bots missing_level no_newcomers",
        body=SitBody,
        status=201,
        description="Sitting down twice is fine: accept later, with the `mark` of the table's rules. "
        "At a table that runs, send the command `table.join`; a person without a phone is seated there, too.",
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Seat the asker or a bot; return the table."""
        body: JsonObject = self.body(SitBody)
        player = self.player()
        table = _find(request, public_id)
        card, adult = {"card": body.get("mark", "")}, {"adult": body["adult"]}
        if "bot" in body:
            ACTS.do(table, player, "add_bot", {"level": body["bot"]})
        elif "person" in body:
            # Without a mark the present card is accepted.
            ACTS.do(table, player, "add_person", {"name": body["person"], "card": body.get("mark"), **adult})
        elif "seat" in body:
            ACTS.do(table, player, "accept_for", {"seat": body["seat"], **card, **adult})
        else:
            said = {**card, "nonce": body.get("nonce", "")} if body["accept"] else {}
            ACTS.do(table, player, "accept" if said else "sit", {**said, **adult})
            note_seat(request)
        return Response(_tell(request, table), 201)


class LeaveSeat(View):
    """Leaving a seat before play."""

    @described(
        "leaveSeat",
        "Free a seat of a table that waits: one's own, or any for the host",
        TableSerializer,
        tag=TAG,
        is_old=True,
        codes=f"{INSIDE} not_host night_closed already_started seat_number seat_empty bad_argument token_reads no_csrf",
        description="`seat` is the seat's `id`, which stays; its number does not: the later seats move up.",
    )
    def delete(self, request: Request, public_id: str, seat: str) -> Response:
        """Free a seat; the later seats move up. Return the table."""
        player = self.player()
        table = _find(request, public_id)
        ACTS.do(table, player, "vacate", {"seat": seat})
        return Response(_tell(request, table))


class Scorekeeper(View):
    """The scorekeeper of a table."""

    post = old_act(
        ACTS,
        "scorekeeper",
        _find,
        _tell,
        operation="nameScorekeeper",
        summary="Name who enters what others at the table do (the host)",
        answer=TableSerializer,
        tag=TAG,
        codes=f"{INSIDE} not_host night_closed bad_argument no_such_player no_phone finished",
        description="Before play and during it. The scorekeeper is a member of the night with a phone.",
    )


class Start(View):
    """The start of a game."""

    post = old_act(
        ACTS,
        "start",
        _find,
        lambda request, table, _done: table_state(table_access(request, table.public_id)),
        operation="startTable",
        summary="Start play (the host); the same id starts the game once",
        answer=TableStateSerializer,
        tag=TAG,
        codes=f"{INSIDE} not_host night_closed already_started not_accepted too_few_seats too_many_seats too_many_bots "
        "bad_command_id",
    )


class Again(View):
    """The next table."""

    post = old_act(
        ACTS,
        "again",
        _find,
        lambda request, _table, done: _tell(request, done),
        operation="playAgain",
        summary="Open the next table with the same rules and people",
        answer=TableSerializer,
        tag=TAG,
        codes=f"{INSIDE} not_seated not_finished night_closed too_many_tables",
        status=201,
        description="Whoever asks second gets the same new table.",
    )

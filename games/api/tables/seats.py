"""Seats, and the start of a game."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.act_bodies import body_of
from games.api.auth import table_access
from games.api.authentication import note_seat
from games.api.base import View
from games.api.fields import Body, SeatId, Text, YesNo
from games.api.schema import described
from games.api.tables.tables import TAG, TableSerializer, TableStateSerializer, table_json, table_of, table_state
from games.kernel.contract import Illegal, JsonObject
from games.live.protocol import LONGEST_ID
from games.models import Player, Table
from games.services.calendar import expected
from games.services.commands import new_command_id
from games.services.hosting import kept_seats
from games.services.tables import access, setup
from games.services.tables.registry import COMMANDS

INSIDE = "not_inside removed no_such_table not_known"


class Seats(View):
    """The seats of a table."""

    def sitting(self, public_id: str) -> tuple[Table, Player, access.Access]:
        """Return the table, the asking player and their access; raises Illegal `not_inside`."""
        player = self.player()
        right = table_access(self.request, public_id)
        if right.player_id is None:
            raise Illegal("not_inside")
        return table_of(right), player, right

    def answer(self, right: access.Access, status: int = 200) -> Response:
        """Return the table as it is now."""
        return Response(table_json(right), status)


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


class TakeSeat(Seats):
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
        table, player, right = self.sitting(public_id)
        if "bot" in body:
            setup.add_bot(table, player, body["bot"])
            return self.answer(right, 201)
        if "person" in body:
            expected.seat_person(table, player, body["person"], mark=body.get("mark"), is_adult=body["adult"])
            return self.answer(right, 201)
        if "seat" in body:
            kept_seats.accept_for(table, player, body["seat"], mark=body.get("mark", ""), is_adult=body["adult"])
            return self.answer(right, 201)
        said = {"mark": body.get("mark", ""), "nonce": body.get("nonce", ""), "is_adult": body["adult"]}
        setup.sit(table, player, accept=body["accept"], **said)
        note_seat(request)
        return self.answer(right, 201)


class LeaveSeat(Seats):
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
        table, player, right = self.sitting(public_id)
        setup.vacate(table, player, seat)
        return self.answer(right)


ScorekeeperBody = body_of(
    "ScorekeeperBody", COMMANDS["table.scorekeeper"].parameters, "The scorekeeper: a member of the night with a phone."
)


class Scorekeeper(Seats):
    """The scorekeeper of a table."""

    @described(
        "nameScorekeeper",
        "Name who enters what others at the table do (the host)",
        TableSerializer,
        tag=TAG,
        is_old=True,
        codes=f"{INSIDE} not_host night_closed bad_argument no_such_player no_phone finished",
        body=ScorekeeperBody,
        description="Before play and during it.",
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Name the scorekeeper; return the table."""
        body: JsonObject = self.body(ScorekeeperBody)
        table, player, right = self.sitting(public_id)
        kept_seats.name_scorekeeper(table, player, body["player"])
        return self.answer(right)


class StartBody(Body):
    """The asker's own id of the request: the same id starts the game once."""

    id = Text(max_length=LONGEST_ID, required=False)


class Start(Seats):
    """The start of a game."""

    @described(
        "startTable",
        "Start play (the host)",
        TableStateSerializer,
        tag=TAG,
        is_old=True,
        codes=f"{INSIDE} not_host night_closed already_started not_accepted too_few_seats too_many_seats too_many_bots",
        body=StartBody,
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Start play; return the table and the state."""
        body: JsonObject = self.body(StartBody)
        table, player, right = self.sitting(public_id)
        setup.start(table, player, body.get("id") or new_command_id())
        return Response(table_state(right))


class NothingBody(Body):
    """An empty body."""


class Again(Seats):
    """The next table."""

    @described(
        "playAgain",
        "Open the next table with the same rules and people",
        TableSerializer,
        tag=TAG,
        is_old=True,
        codes=f"{INSIDE} not_seated not_finished night_closed too_many_tables",
        body=NothingBody,
        status=201,
        description="Whoever asks second gets the same new table.",
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Return the next table."""
        self.body(NothingBody)
        table, player, _ = self.sitting(public_id)
        following = setup.play_again(table, player)
        return self.answer(table_access(request, following.public_id), 201)

"""Seats, and the start of a game."""

from __future__ import annotations

from collections.abc import Callable

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.act_bodies import NothingBody, body_of
from games.api.auth import table_access
from games.api.base import View
from games.api.fields import Body, SeatId, Text, YesNo
from games.api.schema import described
from games.api.tables.tables import TAG, TableSerializer, TableStateSerializer, table_json, table_of, table_state
from games.kernel.contract import Illegal, JsonObject
from games.models import Player, Table
from games.services.tables import access
from games.services.tables.registry import ACTS

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
            # The site's middleware gives a browser a new session key; a token has no session.
            request._request.took_seat = request.auth is None
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
        ACTS.do(table, player, "vacate", {"seat": seat})
        return self.answer(right)


def _old_act(
    act: str, operation: str, summary: str, codes: str, *, body: type[Body], description: str = "", status: int = 200
) -> Callable[..., Response]:
    """Return the POST of an address that an act has had since 1.0.0.

    It answers with the table after it, with its state where play starts, or with the table that the act leads to.
    """
    answer = TableStateSerializer if act == "start" else TableSerializer

    @described(
        operation,
        summary,
        answer,
        tag=TAG,
        is_old=True,
        codes=f"{INSIDE} {codes}",
        description=description,
        body=body,
        status=status,
    )
    def post(self: Seats, request: Request, public_id: str) -> Response:
        """Carry out the act."""
        args = self.body(body)
        table, player, right = self.sitting(public_id)
        done = ACTS.do(table, player, act, args)
        if act == "start":
            return Response(table_state(right))
        return self.answer(table_access(request, done.public_id) if act == "again" else right, status)

    return post


class Scorekeeper(Seats):
    """The scorekeeper of a table."""

    post = _old_act(
        "scorekeeper",
        "nameScorekeeper",
        "Name who enters what others at the table do (the host)",
        "not_host night_closed bad_argument no_such_player no_phone finished",
        body=body_of("ScorekeeperBody", ACTS["scorekeeper"], "The scorekeeper: a member of the night with a phone."),
        description="Before play and during it.",
    )


class Start(Seats):
    """The start of a game."""

    post = _old_act(
        "start",
        "startTable",
        "Start play (the host)",
        "not_host night_closed already_started not_accepted too_few_seats too_many_seats too_many_bots bad_command_id",
        body=body_of(
            "StartBody", ACTS["start"], "The asker's own id of the request: the same id starts the game once."
        ),
    )


class Again(Seats):
    """The next table."""

    post = _old_act(
        "again",
        "playAgain",
        "Open the next table with the same rules and people",
        "not_seated not_finished night_closed too_many_tables",
        body=NothingBody,
        description="Whoever asks second gets the same new table.",
        status=201,
    )

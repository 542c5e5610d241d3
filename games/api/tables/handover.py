"""Games that were played while the house was out of reach: their form, and the hand-over (docs/protocol.md §6).

It is spoken with pages of a table that kept the games, and not in the description for programs.
"""

from __future__ import annotations

from functools import partial

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import plugin
from games.api.auth import table_access
from games.api.base import View
from games.api.fields import Body, FixedWord, Json, Shape, Text, Whole, YesNo
from games.api.tables.tables import (
    LAST_SEQ,
    EntrySerializer,
    ResultPersonSerializer,
    in_words,
    table_now,
    table_of,
)
from games.game_texts import gettext_of
from games.kernel.contract import Illegal
from games.refusals import translate
from games.services.logs import log_views
from games.services.tables import access, handover
from games.services.tables.handover import HandedGame, HandedOver, PlayedList

LARGEST_ID = 2**53
LONGEST_LIST = 64 * 1024
"""The most bytes of a list of games, as a device keeps them (kit/played/device_list.js)."""


class HandedGameSerializer(Shape):
    """A game as its device has it: `game` keeps the form, `at` is only shown."""

    id = serializers.CharField(help_text="8 to 32 letters, digits, - and _, made on the device.")
    number = serializers.IntegerField(help_text="The order of the games.")
    at = serializers.CharField(help_text="A time of day, such as 21:14.")
    game = Json()


class WaitingListSerializer(Shape):
    """A list that waits until the host takes it; with `conflict`, something had happened at the table since `seq`.

    Where `by` has no `player`, a page of another address brought it, of somebody who says that this is their name.
    """

    id = serializers.IntegerField()
    by = ResultPersonSerializer()
    seq = serializers.IntegerField()
    games = HandedGameSerializer(many=True)
    conflict = serializers.BooleanField()


class FormSerializer(Shape):
    """The form of a game (null: the table waits for the house), as fields in words and as a JSON schema.

    `enters` tells whether the asker's own list is written at once; else it waits for the host. `waiting` are the lists
    that wait: for the host all of them, for others their own.
    """

    seq = serializers.IntegerField()
    form = Json(allow_null=True)
    schema = Json(allow_null=True)
    enters = serializers.BooleanField()
    waiting = WaitingListSerializer(many=True)


class WrittenSerializer(Shape):
    """A game that stands in the log, and the entry that it is."""

    id = serializers.CharField()
    entry = serializers.IntegerField()


class RefusedGameSerializer(Shape):
    """The first game that the rules refuse: it stays on the device, with those after it."""

    id = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField()
    params = Json()


class HandedOverSerializer(Shape):
    """The answer to a list of games.

    With entries in `since` nothing was written: the host says what to `keep`, for the table as it is after entry `seq`.
    `waits` is the id of the list while it waits for the host, 0 for that of a device without a player here.
    """

    seq = serializers.IntegerField()
    written = WrittenSerializer(many=True)
    refused = RefusedGameSerializer(allow_null=True)
    since = EntrySerializer(many=True)
    waits = serializers.IntegerField(allow_null=True)


@extend_schema_field(HandedGameSerializer(many=True))
class PlayedGames(serializers.Field):  # type: ignore[misc]
    """A list of games; Illegal `bad_form` names the field of the first that does not keep the form."""

    def to_internal_value(self, data: object) -> tuple[HandedGame, ...]:
        """Return the games in the order of their numbers."""
        return handover.read(data)


class HandOverBody(Body):
    """A list of games; after a conflict the host's choice with it: what to `keep`, seen after entry `upto`.

    With `asks` nothing is written: the answer tells which of the games stand in the log.
    """

    longest = LONGEST_LIST

    seq = Whole(min_value=1, max_value=LAST_SEQ, help_text="The entry that the device saw last.")
    games = PlayedGames()
    keep = FixedWord(handover.WAYS, required=False)
    upto = Whole(min_value=1, max_value=LAST_SEQ, required=False)
    asks = YesNo(default=False)


class ProposalBody(Body):
    """A list that a page of another address brings along, and the name that its sender says."""

    longest = LONGEST_LIST

    name = Text()
    seq = Whole(min_value=1, max_value=LAST_SEQ)
    games = PlayedGames()


class TakeBody(Body):
    """The host's answer to a list: `both` takes it, `house` drops it; `device` takes back what came since.

    Who has proposed the list may drop it, too.
    """

    keep = FixedWord(handover.WAYS)
    upto = Whole(min_value=1, max_value=LAST_SEQ, required=False)


@extend_schema(exclude=True)
class Played(View):
    """The games of a table that were played without the house."""

    def get(self, request: Request, public_id: str) -> Response:
        """Return the form in the asker's language."""
        right, player = table_access(request, public_id), self.player()
        table = table_of(right)
        game = plugin.game(table.game_id)
        form = game.rules.form(table.options)
        told = {
            "seq": table.seq,
            "form": form and form.to_json(partial(gettext_of, game)),
            "schema": form and form.schema(),
            "enters": handover.may_enter(table, player),
            "waiting": handover.waiting(table, player),
        }
        return Response(FormSerializer(told).data)

    def post(self, request: Request, public_id: str) -> Response:
        """Hand a list over; return what became of it."""
        body = self.body(HandOverBody)
        player = self.player()
        right = table_access(request, public_id)
        if body["asks"]:
            return _answer(right, handover.written(right.table_id, body["games"]))
        told = PlayedList(body["seq"], body["games"], body.get("keep", ""), body.get("upto"))
        return _answer(right, handover.hand_over(right.table_id, player, told))


@extend_schema(exclude=True)
class WaitingList(View):
    """A list that waits for the host."""

    def post(self, request: Request, public_id: str, number: int) -> Response:
        """Carry the host's choice out; return what became of the list."""
        body = self.body(TakeBody)
        player = self.player()
        right = table_access(request, public_id)
        number = min(number, LARGEST_ID)
        return _answer(right, handover.answer(right.table_id, number, player, body["keep"], body.get("upto")))


@extend_schema(exclude=True)
class ProposedList(View):
    """A list that a page of another address brings along: whoever knows the table's id proposes it to its host."""

    def post(self, request: Request, public_id: str) -> Response:
        """Let the list wait."""
        body = self.body(ProposalBody)
        if self.asker.is_banned:
            raise Illegal("banned")
        told = PlayedList(body["seq"], body["games"])
        handover.propose(public_id, self.asker.player, body["name"], told)
        return Response(status=204)


def _answer(right: access.Access, found: HandedOver) -> Response:
    """Return what became of a list, in the asker's language."""
    now, reader = table_now(right)
    refused = None
    if found.refused is not None:
        own_id, why = found.refused
        message = translate(why.code, why.params, now.game_id)
        refused = {"id": own_id, "code": why.code, "message": message, "params": dict(why.params)}
    told = {
        "seq": now.seq,
        "written": [{"id": own_id, "entry": seq} for own_id, seq in found.written],
        "refused": refused,
        "since": in_words(right, now, [log_views.entry_json(entry, reader) for entry in found.since]),
        "waits": found.waits,
    }
    return Response(HandedOverSerializer(told).data)

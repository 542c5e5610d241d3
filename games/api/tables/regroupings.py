"""Splitting and joining of tables for many: proposals, those waiting for the end of a game, confirmations."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import night_access
from games.api.base import View
from games.api.fields import Body, PublicId, Shape, Whole
from games.api.nights.nights import INSIDE
from games.api.schema import described
from games.kernel.contract import Illegal
from games.models import Night, Regrouping
from games.services.draws import regrouping
from games.services.draws.regrouping import TableJoin, TableSplit

TAG = "tables"
_MOST_PEOPLE = 10


class PlannedRegroupingSerializer(Shape):
    """A split or a join that waits for the end of a game; `target` is the table of a join, null for a split."""

    table = serializers.CharField()
    target = serializers.CharField(allow_null=True)
    seats = serializers.ListField(child=serializers.IntegerField(), help_text="The seats whose people go.")


class SplitPersonSerializer(Shape):
    """A person at a table that is proposed to be split, in the order of play; `goes`: to the new table."""

    player = serializers.IntegerField()
    name = serializers.CharField()
    goes = serializers.BooleanField()


class SplitSerializer(Shape):
    """A table that is proposed to be split, while so many wait for a seat."""

    table = serializers.CharField()
    waiting = serializers.IntegerField()
    people = SplitPersonSerializer(many=True)


class JoinSerializer(Shape):
    """Two tables that are proposed to be joined: the people of `table` go to `target`."""

    table = serializers.CharField()
    target = serializers.CharField()
    names = serializers.ListField(child=serializers.CharField())


class RegroupingsSerializer(Shape):
    """The regroupings that wait for the end of a game, and the proposed ones: these for the host alone, else empty."""

    waiting = PlannedRegroupingSerializer(many=True)
    splits = SplitSerializer(many=True)
    joins = JoinSerializer(many=True)


class RegroupBody(Body):
    """A table to split (`players` leave it for a new one) or to join (all its people go to the table `target`)."""

    table = PublicId()
    target = PublicId(required=False)
    players = serializers.ListField(
        child=Whole(min_value=1, max_value=2**53), max_length=_MOST_PEOPLE, required=False, help_text="For a split."
    )


class Regroupings(View):
    """Splits and joins of a night's tables for many."""

    @described(
        "listRegroupings",
        "Tables for many that are proposed to be split or joined, and those that wait for it",
        RegroupingsSerializer,
        tag=TAG,
        codes=f"{INSIDE} not_found",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the regrouping that waits; the host gets the proposals as well."""
        night = night_access(request, public_id)
        return Response(_told(night, is_host=self.player().pk == night.host_id))

    @described(
        "regroupTables",
        "Split a table for many, or join two, after the game that runs (the host)",
        RegroupingsSerializer,
        tag=TAG,
        codes=f"{INSIDE} not_host night_closed no_such_table nobody_named no_such_player bad_split bad_join "
        "bad_argument",
        body=RegroupBody,
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Note it; return what waits and what is proposed then."""
        body = self.body(RegroupBody)
        night, host = night_access(request, public_id), self.player()
        if "target" in body and "players" in body:
            raise Illegal("bad_argument", name="players")
        if "target" in body:
            regrouping.join(night, host, body["table"], body["target"])
        else:
            regrouping.split(night, host, body["table"], body.get("players", ()))
        return Response(_told(night, is_host=True))


def _told(night: Night, *, is_host: bool) -> dict[str, Any]:
    is_asked = is_host and night.status != Night.Status.CLOSED and not night.is_practice
    found = {
        "waiting": [_waiting(each) for each in regrouping.waiting(night)],
        "splits": [_split(each) for each in regrouping.splits(night)] if is_asked else [],
        "joins": [_join(each) for each in regrouping.joins(night)] if is_asked else [],
    }
    return dict(RegroupingsSerializer(found).data)


def _waiting(row: Regrouping) -> dict[str, Any]:
    target = None if row.target is None else row.target.public_id
    return {"table": row.source.public_id, "target": target, "seats": row.seats}


def _split(found: TableSplit) -> dict[str, Any]:
    people = [{"player": each.player, "name": each.name, "goes": each.goes} for each in found.people]
    return {"table": found.table.public_id, "waiting": found.waiting, "people": people}


def _join(found: TableJoin) -> dict[str, Any]:
    return {"table": found.source.public_id, "target": found.target.public_id, "names": list(found.names)}

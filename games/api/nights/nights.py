"""The asker's nights: their people, tables and leaderboards; opening a night."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from django.db.models import Count, QuerySet
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.addresses import client_address
from games.api.act_bodies import old_act
from games.api.auth import RequestAsker, night_access
from games.api.authentication import django_request
from games.api.base import ListView, View
from games.api.fields import Body, PersonSerializer, PublicId, Shape, Text
from games.api.filters import NightFilter
from games.api.pagination import Cursor, Pages
from games.api.rate_limit import CodeThrottle
from games.api.schema import described
from games.models import Membership, Night, Player, Table, Venue
from games.services.hosting import take_over
from games.services.nights import room_codes
from games.services.nights.registry import NIGHT

TAG = "nights"
INSIDE = "not_known not_inside removed no_such_night"


class VenueSerializer(Shape):
    """A place where nights are held."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()


class NightSerializer(Shape):
    """A night; `people` and `tables` are counts. A `past` one was held without the house."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    status = serializers.ChoiceField(Night.Status.values)
    host = PersonSerializer()
    venue = VenueSerializer(allow_null=True)
    admit_by_hand = serializers.BooleanField()
    cap = serializers.IntegerField()
    people = serializers.IntegerField(source="people_count")
    tables = serializers.IntegerField(source="table_count")
    day = serializers.DateField()
    past = serializers.BooleanField(source="is_past")
    created_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    url = serializers.SerializerMethodField()

    def get_url(self, night: Night) -> str:
        """Return the address of the night's page."""
        return reverse("night", args=[night.public_id])


class OneNightSerializer(NightSerializer):
    """A night with its room code; a closed night has none."""

    code = serializers.CharField(allow_null=True)


class JoinedSerializer(Shape):
    """A night that was joined; `waiting` until the host lets the player in."""

    night = serializers.CharField()
    name = serializers.CharField()
    status = serializers.ChoiceField([Membership.Status.IN, Membership.Status.WAITING])


class MemberSerializer(Shape):
    """A member of a night."""

    player = PersonSerializer()
    status = serializers.ChoiceField(Membership.Status.values)
    host = serializers.SerializerMethodField()
    joined_at = serializers.DateTimeField()
    here = serializers.SerializerMethodField()

    def get_here(self, member: Membership) -> bool:
        """Tell whether the member is in and has not gone home."""
        return member.status == Membership.Status.IN and member.gone_at is None

    def get_host(self, member: Membership) -> bool:
        """Tell whether the member is the host."""
        return member.player_id == member.night.host_id


def counted(nights: Sequence[Night]) -> Sequence[Night]:
    """Return nights with `people_count` and `table_count` set.

    Two queries for a page: as columns, the counts would be computed for every night before sorting.
    """
    inside = Membership.objects.filter(status=Membership.Status.IN)
    people, tables = _by_night(inside, nights), _by_night(Table.objects.all(), nights)
    for night in nights:
        row: Any = night
        row.people_count, row.table_count = people.get(night.pk, 0), tables.get(night.pk, 0)
    return nights


def _by_night(rows: QuerySet[Any], nights: Sequence[Night]) -> dict[int, int]:
    """Return night → number of its rows."""
    found = rows.filter(night__in=nights).order_by().values("night")
    return dict(found.annotate(n=Count("pk")).values_list("night", "n"))


def nights_of(asker: RequestAsker) -> QuerySet[Night]:
    """Return the nights that the asker is in; for staff, all nights."""
    if asker.is_staff:
        return Night.objects.all()
    memberships = Membership.objects.filter(player=asker.need_player(), status=Membership.Status.IN)
    return Night.objects.filter(pk__in=memberships.values("night"))


def one(night: Night) -> dict[str, Any]:
    """Return a night as JSON for its members."""
    row = Night.objects.select_related("host", "venue").get(pk=night.pk)
    counted([row])
    found: dict[str, Any] = OneNightSerializer(row).data
    return found


class HostBody(Body):
    """The name and the venue of a night."""

    name = Text(max_length=80)
    venue = PublicId(required=False, help_text="A venue's id.")


class Nights(ListView):
    """The nights of the asker."""

    queryset = Night.objects.none()
    serializer_class = NightSerializer
    pagination_class = Cursor
    filterset_class = NightFilter
    orderings: ClassVar = {
        "-created_at": ("-created_at", "-pk"),
        "created_at": ("created_at", "pk"),
    }

    @described(
        "listNights",
        "The nights that the asker is in; for staff all of them",
        NightSerializer(many=True),
        tag=TAG,
        codes="not_known not_found",
    )
    def get(self, request: Request) -> Response:
        """Return a page of nights."""
        rows = nights_of(self.asker).select_related("host", "venue")
        page = counted(self.paginate_queryset(self.filter_queryset(rows)))
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    @described(
        "hostNight",
        "Open a night; the asker is its host",
        OneNightSerializer,
        tag=TAG,
        codes="not_known night_name no_such_venue too_many_nights",
        body=HostBody,
        status=201,
    )
    def post(self, request: Request) -> Response:
        """Open a night."""
        body = self.body(HostBody)
        address = client_address(django_request(request))
        night = room_codes.host_night(self.player(), body["name"], body.get("venue", ""), address)
        return Response(one(night), 201)


class JoinBody(Body):
    """The room code, in any spelling."""

    code = Text(max_length=20)


class Join(View):
    """Joining a night."""

    throttle_classes = [CodeThrottle]

    @described(
        "joinNight",
        "Join a night by its room code",
        JoinedSerializer,
        tag=TAG,
        codes="not_known wrong_code too_many_tries removed night_locked night_full too_many_by_code too_many_at_door",
        body=JoinBody,
    )
    def post(self, request: Request) -> Response:
        """Let the asker in, or have them wait for the host."""
        body = self.body(JoinBody)
        player = self.player()
        address = client_address(django_request(request))
        night = room_codes.by_code(body["code"], address, player)
        member = room_codes.join(night, player, address, by_code=True)
        found = {"night": night.public_id, "name": night.name, "status": member.status}
        return Response(JoinedSerializer(found).data)


class OneNight(View):
    """A night."""

    @described("getNight", "A night", OneNightSerializer, tag=TAG, codes=INSIDE)
    def get(self, request: Request, public_id: str) -> Response:
        """Return the night."""
        return Response(one(night_access(request, public_id)))


def _old_act(act: str, operation: str, summary: str, codes: str, says: str = "") -> Callable[..., Response]:
    """Return the POST of an address that an act has had since 1.0.0; it answers with the night after it."""
    told = {"operation": operation, "summary": summary, "codes": f"{INSIDE} {codes}", "description": says}
    answer = {"answer": OneNightSerializer, "tag": TAG}
    return old_act(NIGHT, act, night_access, lambda _request, night, _done: one(night), **told, **answer)


class Close(View):
    """The end of a night."""

    post = _old_act(
        "close",
        "closeNight",
        "Close a night (the host)",
        "not_host night_closed taken_over_lately",
        "Its code opens nothing any more; tables that still play are broken off.",
    )


class SuccessorSerializer(Shape):
    """A member that may take the night over from `at` on."""

    player = PersonSerializer()
    at = serializers.DateTimeField()


class TakeOverSerializer(Shape):
    """Since when the host has been gone, and who may take over, in order; none while the host is here."""

    host_away_since = serializers.DateTimeField(allow_null=True)
    members = SuccessorSerializer(many=True)


class TakeOver(View):
    """The take-over of a night whose host is gone."""

    @described(
        "getTakeOver",
        "Who may take over from a host who is gone, and from when",
        TakeOverSerializer,
        tag=TAG,
        codes=INSIDE,
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the members that may take over, in order."""
        night = night_access(request, public_id)
        found = take_over.times(night).at
        people = Player.objects.in_bulk(list(found))
        members = [{"player": people[player_id], "at": at} for player_id, at in found.items()]
        return Response(TakeOverSerializer({"host_away_since": night.host_away_since, "members": members}).data)

    post = _old_act(
        "take_over",
        "takeOver",
        "Take over as host from one who is gone",
        "night_closed host_is_here others_first came_later no_phone practice_night",
    )


class Reclaim(View):
    """The return of a night to the host that it was taken over from."""

    post = _old_act(
        "reclaim",
        "reclaimNight",
        "Be host again, that evening, of a night that somebody took over",
        "night_closed not_former_host practice_night",
    )


class RemoveNewcomers(View):
    """The end of a flood of newcomers."""

    post = _old_act(
        "remove_newcomers",
        "removeNewcomers",
        "Show everybody the door who came since a time and never had a seat at the night (the host)",
        "not_host",
        "Who waits at the door, too; where there is nobody, nothing changes. "
        "None of them can come in again at this night.",
    )


class People(ListView):
    """The people of a night."""

    queryset = Membership.objects.none()
    serializer_class = MemberSerializer
    pagination_class = Pages

    @described(
        "listPeople",
        "Who is at a night; the host is told who waits and who was shown the door, too",
        MemberSerializer(many=True),
        tag=TAG,
        codes=f"{INSIDE} not_found",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return a page of people."""
        night = night_access(request, public_id)
        rows = night.memberships.select_related("player", "night").order_by("joined_at", "pk")
        if self.asker.player is None or self.asker.player.pk != night.host_id:
            rows = rows.filter(status=Membership.Status.IN)
        return self.page(rows)


class Venues(ListView):
    """The venues of the house."""

    queryset = Venue.objects.none()
    serializer_class = VenueSerializer
    pagination_class = Pages

    @described(
        "listVenues",
        "The venues of the house",
        VenueSerializer(many=True),
        tag="house",
        codes="not_found",
    )
    def get(self, request: Request) -> Response:
        """Return a page of venues."""
        return self.page(Venue.objects.order_by("name"))

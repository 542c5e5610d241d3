"""The acts at each thing: one address a thing (`…/acts/`), made from the registry of its acts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.db.models import Model
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.addresses import client_address
from games.api.act_bodies import ActOf
from games.api.auth import night_access, table_access
from games.api.authentication import django_request, note_seat
from games.api.base import View
from games.api.calendar.dates import date_of
from games.api.fields import Shape
from games.api.schema import described
from games.api.tables.tables import table_of
from games.refusals import REFUSALS
from games.services import arguments
from games.services.acts import ALL, DeclaredActs
from games.services.calendar import all_series, rights
from games.services.house_rules import descriptions
from games.services.seasons import seasons
from games.services.webhooks import webhooks

SITTING = ("sit", "join", "accept")
"""The acts after which a browser at a table gets a new session key."""


class DoneSerializer(Shape):
    """An act was carried out; `message` is what the page would say then, in the asker's language.

    `made` is the id of what the act made, changed or leads to, as other addresses and acts name it: a table after
    `again`, a night after `open`, a date's planned day, a seat of a table that waits, a person; null for others.
    """

    message = serializers.CharField(allow_blank=True)
    made = serializers.CharField(allow_null=True)


def _made(done: Any) -> str | None:
    """Return the id of what a service of an act has returned, None unless that is a row."""
    names = ("public_id", "seat_id", "planned", "pk") if isinstance(done, Model) else ()
    return next((str(getattr(done, name)) for name in names if hasattr(done, name)), None)


def codes_of(acts: DeclaredActs[Any, Any]) -> str:
    """Return the refusals of the acts at a thing: those that its rights and services name, and of their arguments."""
    told = [check.__doc__ or "" for check in acts.rights.values()]
    told += [act.service.__doc__ or "" for act in acts.values()]
    named = {code for text in told for code in re.findall(r"`(\w+)`", text)}
    return " ".join(sorted({"bad_argument", "not_known"} | (named & REFUSALS.keys())))


def _acts_at(thing: str, find: Callable[[View, Request, dict[str, Any]], Any], *, tag: str, codes: str) -> type[View]:
    """Return the view of the acts at a thing, which `find` finds by its address; `codes` are the refusals of that."""
    acts = ALL[thing]
    title = thing.capitalize()
    says = "An act and its arguments, as the services declare them."
    body = type(f"{title}ActBody", (ActOf,), {"__doc__": says, "__module__": __name__, "acts": acts})

    @described(
        f"actAt{title}",
        f"Carry out an act at a {thing}" if thing != "owed" else "Carry out an act on what is owed at a night",
        DoneSerializer,
        tag=tag,
        codes=f"{codes} {codes_of(acts)}",
        description=" ".join(f"Not `{name}`: {act.by_page}" for name, act in acts.items() if act.by_page),
        body=body,
    )
    def post(self: View, request: Request, **address: Any) -> Response:
        """Carry out the act; return what is said then."""
        sent = self.body(body)
        player = self.player()
        sender = self.asker.keeper if thing == "rules" else player
        about, name = find(self, request, address), sent["act"]
        at = client_address(django_request(request))
        done = acts.do(about, sender, name, sent.get("args", {}), arguments.told_all, address=at)
        if thing == "table" and name in SITTING:
            note_seat(request)
        told = {"message": acts.message(name, done), "made": _made(done)}
        return Response(DoneSerializer(told).data)

    return type(f"{title}Acts", (View,), {"__doc__": f"Acts at a {thing}.", "__module__": __name__, "post": post})


def _night(_view: View, request: Request, address: dict[str, Any]) -> Any:
    return night_access(request, **address)


def _series(_view: View, _request: Request, address: dict[str, Any]) -> Any:
    series = all_series.find(**address)
    rights.check_goes_on(series)
    return series


AT_NIGHT = "not_inside removed no_such_night not_host practice_night"
NightActs = _acts_at("night", _night, tag="nights", codes=AT_NIGHT)
OwedActs = _acts_at("owed", _night, tag="owed", codes=AT_NIGHT)
TableActs = _acts_at(
    "table",
    lambda _view, request, address: table_of(table_access(request, **address)),
    tag="tables",
    codes="not_inside removed no_such_table not_host",
)
SeasonActs = _acts_at(
    "season",
    lambda _view, _request, address: seasons.find(**address),
    tag="seasons",
    codes="no_such_season not_organiser",
)
SeriesActs = _acts_at("series", _series, tag="series", codes="no_such_series series_ended not_series_organiser")
DateActs = _acts_at(
    "date",
    lambda _view, _request, address: date_of(**address),
    tag="series",
    codes="no_such_series series_ended no_such_date not_series_organiser",
)
RulesActs = _acts_at(
    "rules",
    lambda view, _request, address: descriptions.visible_set(address["public_id"], view.asker.keeper),
    tag="house rules",
    codes="no_such_rules no_such_game not_your_rules",
)
WebhookActs = _acts_at(
    "webhook",
    lambda view, _request, address: webhooks.find(address["public_id"], view.player()),
    tag="series",
    codes="no_such_webhook not_series_organiser not_host practice_night",
)

"""Acts by the API: what one made is told by its id, webhooks are read, and addresses of 1.0.0 take what they took."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from games.models import Night, Player, Webhook
from games.models.night import today
from tests.api.world import World, make_world

pytestmark = pytest.mark.django_db
HOOK = {"act": "add_webhook", "args": {"address": "https://chat.example.org/in/secret-path", "shape": "json"}}


@pytest.fixture
def world() -> World:
    return make_world()


def post(client: Client, path: str, **body: Any) -> Any:
    """Return the answer to a POST below /api/v1/."""
    return client.post(f"/api/v1/{path}", body, content_type="application/json")


def test_what_an_act_made_is_told_by_the_id_that_other_addresses_take(world: World) -> None:
    host, table = world.client("host"), f"tables/{world.lobby.public_id}/acts/"
    seat = post(host, table, act="add_bot", args={"level": "easy"}).json()["made"]
    assert seat == world.lobby.seats.latest("pk").seat_id
    assert post(host, table, act="vacate", args={"seat": seat}).status_code == 200
    card = host.get(f"/api/v1/tables/{world.lobby.public_id}/rules/").json()["mark"]
    person = post(host, table, act="add_person", args={"name": "Opa Karl", "card": card}).json()["made"]
    assert Player.objects.get(pk=person).nickname == "Opa Karl"
    series = f"series/{world.date.series.key}/"
    day = (today() + timedelta(days=5)).isoformat()
    planned = post(host, f"{series}acts/", act="add", args={"day": day}).json()["made"]
    assert host.get(f"/api/v1/{series}dates/{planned}/").json()["planned"] == day
    opened = post(host, f"{series}dates/{world.date.planned.isoformat()}/acts/", act="open").json()["made"]
    assert Night.objects.get(public_id=opened).host_id == world.night.host_id
    home = {"player": world.players["nils"].pk, "sure": True}
    assert post(host, f"nights/{world.night.public_id}/acts/", act="go_home", args=home).json()["made"] is None


def test_webhooks_are_read_by_those_who_may_change_them_and_their_secrets_by_nobody(world: World) -> None:
    host, night = world.client("host"), world.night.public_id
    made = [
        post(host, f"{where}/acts/", **HOOK).json()["made"]
        for where in (f"series/{world.date.series.key}", f"nights/{night}")
    ]
    told = host.get("/api/v1/webhooks/")
    assert [each["id"] for each in told.json()["results"]] == made
    assert [(each["series"], each["night"]) for each in told.json()["results"]] == [
        (world.date.series.key, None),
        (None, night),
    ]
    one = host.get(f"/api/v1/webhooks/{made[0]}/")
    assert one.json()["at"] == "chat.example.org"
    for answer in (told, one):
        text = answer.content.decode()
        assert not any(hook.secret in text for hook in Webhook.objects.all())
        assert "secret-path" not in text
    for who in ("reader", "player"):
        assert world.client(who).get("/api/v1/webhooks/").json()["results"] == []
        assert world.client(who).get(f"/api/v1/webhooks/{made[1]}/").json()["code"] == "not_host"
    assert Client().get("/api/v1/webhooks/").json()["code"] == "not_known"
    refused = post(world.client("player"), f"nights/{night}/acts/", **HOOK)
    assert (refused.status_code, refused.json()["code"]) == (403, "not_host")


def test_addresses_of_1_0_0_take_the_bodies_that_they_took(world: World) -> None:
    """Also a whole number with a point, and a time without a zone, which acts refuse."""
    host, night, table = world.client("host"), f"nights/{world.night.public_id}/", f"tables/{world.lobby.public_id}/"
    named = post(host, f"{table}scorekeeper/", player=float(world.night.host_id))
    assert named.json()["scorekeeper"]["player"] == world.night.host_id
    assert post(host, f"{night}remove-newcomers/", since="2100-01-01T00:00").status_code == 200
    assert post(host, f"{night}remove-newcomers/", since="2100-01-01T00:00:00Z").json()["id"] == world.night.public_id
    assert host.generic("POST", f"/api/v1/{night}close/").json()["status"] == "closed"
    assert host.post(f"/api/v1/{night}close/", {"reason": "a form"}).status_code == 415


@pytest.mark.parametrize(
    ("body", "field"),
    [
        *(({"since": since}, "since") for since in (None, "soon", 7, "9999-12-31T23:59:59-23:59")),
        ({}, "since"),
        ({"since": "2100-01-01T00:00:00Z", "colour": 1}, "colour"),
    ],
)
def test_addresses_of_1_0_0_name_the_field_that_is_wrong(world: World, body: dict[str, Any], field: str) -> None:
    refused = post(world.client("host"), f"nights/{world.night.public_id}/remove-newcomers/", **body)
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_field")
    assert set(refused.json()["fields"]) == {field}

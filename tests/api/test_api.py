"""The API: the same as the live line, over HTTP (docs/protocol.md §8)."""

import json
from typing import Any

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client

from games import plugin
from games.models import LogEntry, Night, Player, Table
from games.services.nights import membership
from games.services.tables import sql
from tests.conftest import answer, choices_at
from tests.live.wire import tv_cookie

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    cache.clear()


@pytest.fixture
def table(start_table) -> Table:
    return start_table("dummygame", "endless", seats=2)


def browser(player: Player | None, *, csrf: bool = False, tv: list[Night] | None = None) -> Client:
    client = Client(enforce_csrf_checks=csrf)
    session = client.session
    if player is not None:
        session["player_id"] = player.pk
    session.save()
    if tv is not None:
        client.cookies["tv"] = tv_cookie(*tv)
    client.cookies["sessionid"] = session.session_key
    return client


def post(client: Client, table: Table, body: Any, **headers: str) -> Any:
    raw = body if isinstance(body, str | bytes) else json.dumps(body)
    url = f"/api/tables/{table.public_id}/commands/"
    return client.post(url, raw, content_type="application/json", headers=headers)


def bid(number: int, basis: int = 1, command_id: str = "c-1") -> dict[str, Any]:
    return {"id": command_id, "name": "bid", "args": {"number": number}, "basis": basis}


def test_the_games_are_listed_with_their_house_rules():
    games = Client().get("/api/games/").json()["games"]
    assert [game["id"] for game in games] == list(plugin.all_games())
    for game in games:
        assert game["title"]
        for preset in game["presets"]:
            assert set(preset["options"]) == set(game["schema"]["required"])


def test_a_player_reads_the_table_and_the_state_of_the_own_seat(table, host):
    got = browser(host).get(f"/api/tables/{table.public_id}/").json()
    assert got["table"]["status"] == "playing"
    assert (got["state"]["type"], got["state"]["seq"]) == ("state", 1)
    assert [c["seat"] for c in got["state"]["choices"]] == [0]


def test_a_screen_reads_and_plays_nothing(table, night):
    client = browser(None, tv=[night])
    assert client.get(f"/api/tables/{table.public_id}/").json()["state"]["choices"] == []
    refused = post(client, table, bid(1))
    assert (refused.status_code, refused.json()["code"]) == (403, "not_seated")
    assert LogEntry.objects.filter(table=table).count() == 1


@pytest.mark.parametrize("path", ["", "events/"])
def test_strangers_are_refused_and_no_table_is_not_found(table, make_player, path):
    for player in (None, make_player("Stranger")):
        got = browser(player).get(f"/api/tables/{table.public_id}/{path}")
        assert (got.status_code, got.json()["code"]) == (403, "not_inside")
    got = browser(None).get(f"/api/tables/nothing22222/{path}")
    assert (got.status_code, got.json()["code"]) == (404, "no_such_table")


def test_a_command_is_answered_with_its_entry(table, host):
    entry = post(browser(host), table, bid(3)).json()
    assert (entry["type"], entry["seq"], entry["id"]) == ("entry", 2, "c-1")
    assert entry["view"]["bid"] == 3
    assert entry["choices"][0]["name"] == "take_back"


def test_a_repeated_command_is_carried_out_once(table, host):
    client = browser(host)
    first, again = post(client, table, bid(3)).json(), post(client, table, bid(3)).json()
    assert first == again
    assert LogEntry.objects.filter(table=table).count() == 2


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (bid(1, basis=9), 409, "stale"),
        ({**bid(1), "name": "throw"}, 409, "not_open"),
        (bid(77), 400, "bad_args"),
        ({**bid(1), "basis": None}, 400, "no_basis"),
        ({**bid(1), "id": ""}, 400, "bad_command_id"),
        ({**bid(1), "args": []}, 400, "bad_field"),
        ({"id": "x", "name": "table.pause", "args": {}}, 403, "not_host"),
        ("{", 400, "bad_json"),
        ("[]", 400, "not_an_object"),
        ("x" * 9000, 413, "too_long"),
        ("x" * 70_000, 413, "too_long"),
        ('{"a":' * 500 + "1" + "}" * 500, 400, "too_deep"),
        (b"\xff\xfe", 400, "binary"),
        ('{"id":"\\ud800"}', 400, "bad_field"),
    ],
)
def test_a_refusal_is_an_error_object_and_changes_nothing(table, body, status, code):
    guest = table.seats.get(index=1).player
    refused = post(browser(guest), table, body)
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert refused.json()["message"]
    assert LogEntry.objects.filter(table=table).count() == 1


def test_the_log_is_read_page_by_page_with_secrets_hidden(table, host):
    for _ in range(4):
        answer(table, next(c for c in choices_at(table) if c.name == "bid"))
    client = browser(host)
    got = client.get(f"/api/tables/{table.public_id}/events/?after=2").json()
    assert [entry["seq"] for entry in got["entries"]] == [3, 4, 5]
    assert got["seq"] == 5
    events = [event for entry in got["entries"] for event in entry["events"]]
    sealed = [event["data"]["seat"] for event in events if event["type"] == "bid_sealed"]
    assert sealed == [0]
    assert {"type": "hidden"} in events


@pytest.mark.parametrize("after", ["x", "-1", "1.5", "9" * 30, "²"])
def test_a_bad_after_is_refused(table, host, after):
    got = browser(host).get(f"/api/tables/{table.public_id}/events/", {"after": after})
    assert (got.status_code, got.json()["code"]) == (400, "bad_field")


def test_a_command_from_a_foreign_page_is_refused(table, host):
    refused = post(browser(host, csrf=True), table, bid(1))
    assert (refused.status_code, refused.json()["code"]) == (403, "no_csrf")
    form = browser(host).post(f"/api/tables/{table.public_id}/commands/", {"id": "x"})
    assert (form.status_code, form.json()["code"]) == (415, "bad_json")


def test_with_the_csrf_token_it_is_accepted(table, host):
    client = browser(host, csrf=True)
    token = "t" * 32
    client.cookies["csrftoken"] = token
    assert post(client, table, bid(2), x_csrftoken=token).status_code == 200


def test_other_methods_are_not_offered(table, host):
    got = browser(host).delete(f"/api/tables/{table.public_id}/")
    assert (got.status_code, got.json()["code"]) == (405, "not_allowed")


def test_who_was_shown_the_door_is_out(table, host, night):
    guest = table.seats.get(index=1).player
    membership.remove(night, host, guest.pk)
    refused = post(browser(guest), table, bid(1))
    assert (refused.status_code, refused.json()["code"]) == (403, "removed")


def test_too_many_commands_are_put_off(table, host, monkeypatch, settings):
    monkeypatch.setitem(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "command", "3/min")
    client = browser(host)
    codes = [post(client, table, bid(1, command_id="same")).status_code for _ in range(4)]
    assert codes == [200, 200, 200, 429]
    refused = post(client, table, bid(1))
    assert refused.json()["code"] == "too_many"
    assert int(refused.headers["Retry-After"]) > 0


def test_a_refusal_by_the_game_is_in_the_games_words(start_table, host):
    table = start_table("dummygame", "quick", seats=2)
    refused = post(browser(host), table, {"id": "x", "name": "table.close"}).json()
    assert refused["code"] == "not_open_ended"
    assert refused["message"] == str(plugin.game("dummygame").messages["not_open_ended"])


def test_a_busy_database_says_so(table, host, monkeypatch):
    def locked(*args: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(sql, "lock", locked)
    refused = post(browser(host), table, bid(1))
    assert (refused.status_code, refused.json()["code"]) == (503, "busy")

"""An evening run by programs: tokens host, join, sit, start and play through the same services."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from games import plugin
from games.models import ApiToken, HouseRules, LogEntry, Night, Table
from games.services.house_rules import sets
from games.services.people import players, tokens
from tests.api.world import World, account, make_world
from tests.languages import EVERY
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
JSON = {"content_type": "application/json"}


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    cache.clear()


def program(name: str, scope: str = ApiToken.Scope.PLAY) -> Client:
    """Return a program of somebody's new account."""
    _, secret = tokens.create(account(name), "Script", scope)
    return Client(headers={"Authorization": f"Bearer {secret}"})


@pytest.fixture
def world(db: None) -> World:
    return make_world()


def post(client: Client, path: str, status: int = 200, **body: Any) -> dict[str, Any]:
    answer = client.post(f"/api/{path}", body, **JSON)
    assert answer.status_code == status, answer.content
    return answer.json()


def get(client: Client, path: str, status: int = 200, **query: Any) -> dict[str, Any]:
    answer = client.get(f"/api/{path}", query)
    assert answer.status_code == status, answer.content
    return answer.json()


def play(clients: list[Client], table: str) -> None:
    """Answer every open decision by the first option until the game is over."""
    number = 0
    while True:
        for client in clients:
            shown = get(client, f"tables/{table}/")
            if shown["table"]["status"] == "finished":
                return
            for choice in (c for c in shown["state"]["choices"] if c["required"]):
                number += 1
                sent = {"id": f"c{number}", "name": choice["name"], "basis": choice["basis"]}
                post(client, f"tables/{table}/commands/", **sent, args=choice["options"][0])
                break


def test_a_whole_evening_is_run_by_tokens():
    kari, nils = program("Kari"), program("Nils")
    night = post(kari, "nights/", 201, name="Thursday")
    assert night["host"]["name"] == "Kari"
    joined = post(nils, "nights/join/", code=f" {night['code'].lower()} ")
    assert (joined["night"], joined["status"]) == (night["id"], "in")
    table = post(kari, f"nights/{night['id']}/tables/", 201, game="dummygame", preset="quick")["id"]
    mark = get(nils, f"tables/{table}/rules/")["mark"]
    for client in (kari, nils):
        post(client, f"tables/{table}/seats/", 201, accept=True, mark=mark, nonce="x")
    started = post(kari, f"tables/{table}/start/", id="go")
    assert started["table"]["status"] == "playing"
    play([kari, nils], table)
    (board,) = get(nils, f"nights/{night['id']}/leaderboard/")["boards"]
    assert board["rows"][0]["place"] == 1
    assert {row["name"] for row in board["rows"]} == {"Kari", "Nils"}
    (result,) = get(kari, "results/", night=night["id"])["results"]
    assert {line["name"]: line["points"] for line in result["lines"]} == {
        row["name"]: row["points"] for row in board["rows"]
    }
    again = post(nils, f"tables/{table}/again/", 201)
    assert again["seats"] == post(kari, f"tables/{table}/again/", 201)["seats"]
    assert get(kari, f"tables/{table}/replay/")["frames"][0]["seq"] == 1
    names = [file["name"] for file in get(kari, f"tables/{table}/files/")["files"]]
    assert names[0] == "log.json"
    log = get(kari, f"tables/{table}/files/log.json")
    assert log["entries"][-1]["seq"] == log["entries"][0]["seq"] + len(log["entries"]) - 1
    assert post(kari, f"nights/{night['id']}/close/")["status"] == "closed"


def test_a_start_that_is_sent_twice_starts_once(world):
    kari, table = world.client("host"), world.lobby.public_id
    refused = post(kari, f"tables/{table}/start/", 409)
    assert refused["code"] == "not_accepted"
    mark = get(kari, f"tables/{table}/rules/")["mark"]
    post(world.client("player"), f"tables/{table}/seats/", 201, accept=True, mark=mark)
    first = post(kari, f"tables/{table}/start/", id="go")
    assert post(kari, f"tables/{table}/start/", id="go")["state"]["seq"] == first["state"]["seq"]
    assert LogEntry.objects.filter(table=world.lobby, command__name="table.start").count() == 1


def test_the_rules_card_is_accepted_as_it_was_read_or_not_at_all(world):
    nils, table = world.client("player"), world.lobby.public_id
    for mark in ({}, {"mark": "0" * 16}):
        refused = post(nils, f"tables/{table}/seats/", 409, accept=True, **mark)
        assert refused["code"] == "card_changed"
    assert not world.lobby.seats.get(index=1).accepted_at


def test_the_host_seats_bots_and_frees_seats(world):
    kari, nils = world.client("host"), world.client("player")
    path = f"tables/{world.lobby.public_id}/seats/"
    assert post(nils, path, 403, bot="easy")["code"] == "not_host"
    assert post(kari, path, 201, bot="easy")["seats"][2]["bot"] == "easy"
    assert post(kari, path, 400, bot="genius")["code"] == "bad_level"
    shown = get(kari, f"tables/{world.lobby.public_id}/")["table"]["seats"]
    first, own, bot = (seat["id"] for seat in shown)
    answer = nils.delete(f"/api/{path}{first}/")
    assert (answer.status_code, answer.json()["code"]) == (403, "not_host")
    seats = nils.delete(f"/api/{path}{own}/").json()["seats"]
    assert [(seat["id"], seat["player"]) for seat in seats] == [(first, world.players["kari"].pk), (bot, None)]
    assert kari.delete(f"/api/{path}{own}/").json()["code"] == "seat_empty"
    for number in (0, 1, 9):
        answer = kari.delete(f"/api/{path}{number}/")
        assert (answer.status_code, answer.json()["code"]) == (400, "seat_number")
    rows = get(kari, f"nights/{world.night.public_id}/tables/")["results"]
    assert [seat["id"] for seat in rows[0]["seats"]] == [first, bot]


def test_a_table_opens_under_a_variant_a_set_or_the_default(world):
    kari, path = world.client("host"), f"nights/{world.night.public_id}/tables/"
    first = plugin.game("chicago").options.presets[0].id
    assert post(kari, path, 201, game="chicago")["preset"] == first
    keeper = sets.SetKeeper(user=Night.objects.first().host.user)
    HouseRules.objects.update(is_default=False)
    sets.set_default(world.rules, keeper)
    named = post(kari, path, 201, game="chicago")["house_rules"]
    assert named == {"name": "Thursday rules", "version": 1}
    changed = post(kari, path, 201, game="chicago", preset="bavarian", options={"rounds": 3})
    assert Table.objects.get(public_id=changed["id"]).options["rounds"] == 3
    stale = post(kari, path, 409, game="chicago", rules=world.rules.public_id, version=7)
    assert stale["code"] == "rules_moved_on"


def test_bad_house_rules_are_refused_with_the_reason_at_each_option(world):
    kari, path = world.client("host"), f"nights/{world.night.public_id}/tables/"
    sent = {"rounds": 1000, "no_such": 1, "mats": "none at all"}
    refused = post(kari, path, 400, game="chicago", preset="bavarian", options=sent)
    assert refused["code"] == "bad_options"
    assert {name: why["code"] for name, why in refused["fields"].items()} == {
        "options.rounds": "out_of_range",
        "options.no_such": "unknown_option",
        "options.mats": "not_a_choice",
    }
    assert all(why["message"] for why in refused["fields"].values())


@pytest.mark.parametrize(
    ("body", "field"),
    [({}, "name"), ({"name": 5}, "name"), ({"name": ""}, "name"), ({"name": "x", "at": "y"}, "at"),
     ({"name": "x", "venue": "!"}, "venue")],
)  # fmt: skip
def test_a_body_that_is_wrong_is_refused_with_its_field(world, body, field):
    refused = post(world.client("host"), "nights/", 400, **body)
    assert refused["code"] == "bad_field"
    assert list(refused["fields"]) == [field]
    assert refused["fields"][field]["message"]


def test_what_can_be_written_can_only_be_read_by_a_token_that_reads(world):
    reader = world.client("reader")
    assert get(reader, "me/")["token"]["scope"] == "read"
    get(reader, f"nights/{world.night.public_id}/")
    before = LogEntry.objects.count(), Night.objects.count(), Table.objects.count()
    night, table = f"nights/{world.night.public_id}/", f"tables/{world.playing.public_id}/"
    for path in (
        "nights/",
        "nights/join/",
        f"{night}tables/",
        f"{night}close/",
        f"{table}commands/",
        f"{table}seats/",
        f"{table}start/",
        f"{table}again/",
    ):
        assert post(reader, path, 403)["code"] == "token_reads", path
    answer = reader.delete(f"/api/tables/{world.lobby.public_id}/seats/1/")
    assert (answer.status_code, answer.json()["code"]) == (403, "token_reads")
    assert (LogEntry.objects.count(), Night.objects.count(), Table.objects.count()) == before


def test_a_token_acts_as_its_player_and_sees_what_that_player_sees(world):
    table = f"tables/{world.playing.public_id}/"
    seats = {who: get(world.client(who), table)["state"]["choices"] for who in ("host", "player")}
    for index, choices in enumerate(seats.values()):
        assert {choice["seat"] for choice in choices} <= {index}
    assert get(world.client("staff"), table)["state"]["choices"] == []
    assert get(world.client("other"), table, 403)["code"] == "not_inside"


def test_staff_reads_all_nights_and_plays_at_none(world):
    staff, night = world.client("staff"), world.night.public_id
    assert len(get(staff, "nights/")["results"]) == Night.objects.count()
    assert get(staff, f"nights/{night}/leaderboard/")["boards"]
    assert post(staff, f"nights/{night}/close/", 403)["code"] == "not_host"
    sent = {"id": "x", "name": "table.pause"}
    refused = post(staff, f"tables/{world.playing.public_id}/commands/", 403, **sent)
    assert refused["code"] == "not_seated"


def test_a_session_needs_the_csrf_token_and_a_token_does_not(world):
    guest = browser_of(players.new_guest("Guest"), enforce_csrf_checks=True)
    refused = guest.post("/api/nights/", {"name": "Friday"}, **JSON)
    assert (refused.status_code, refused.json()["code"]) == (403, "no_csrf")
    strict = Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {world.tokens['host']}"})
    post(strict, "nights/", 201, name="Friday")


def test_too_much_is_put_off_by_token_and_by_address(world, monkeypatch, settings):
    for name, rate in (("asker", "3/min"), ("anonymous", "2/min")):
        monkeypatch.setitem(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], name, rate)
    for who, allowed in (("host", 3), ("player", 3), ("guest", 2)):
        client = world.client(who)
        codes = [client.get("/api/me/").status_code for _ in range(allowed + 1)]
        assert codes == [200] * allowed + [429], who
        refused = client.get("/api/me/")
        assert refused.json()["code"] == "too_many"
        assert int(refused["Retry-After"]) > 0


def test_room_codes_cannot_be_tried_out(world):
    other = world.client("other")
    for _ in range(10):
        assert post(other, "nights/join/", 404, code="AAAAA")["code"] == "wrong_code"
    assert post(other, "nights/join/", 429, code=world.night.code)["code"] == "too_many"


def test_words_are_in_the_language_that_is_asked_for(world):
    kari = world.client("host")
    german = {"headers": {"accept-language": "de"}}
    said = {language: kari.get("/api/nights/none/", headers={"accept-language": language}).json() for language in EVERY}
    assert {one["code"] for one in said.values()} == {"no_such_night"}
    assert len({one["message"] for one in said.values()}) == len(EVERY)
    path = f"/api/tables/{world.lobby.public_id}/rules/"
    cards = [kari.get(path).json()["card"], kari.get(path, **german).json()["card"]]
    assert cards[0]["groups"] != cards[1]["groups"]


def test_odds_are_those_of_the_rules_page(world):
    from chicago.odds import exact

    options = plugin.game("chicago").options.values("bavarian")
    told = get(Client(), "games/chicago/odds/", preset="bavarian")["chances"]
    for row in exact.odds_table(options):
        for chance in row.chances:
            case = {"above": row.above, "is_fish": row.is_fish, "throws": chance.throws}
            (found,) = [one for one in told if one["about"] == "beat" and one["case"] == case]
            assert (found["num"], found["den"]) == (chance.num, chance.den)
    rules = get(world.client("host"), "games/chicago/odds/", rules=world.rules.public_id)
    assert rules["preset"] == "bavarian"
    assert get(Client(), "games/dummygame/odds/", 404)["code"] == "no_odds"
    assert get(Client(), "games/skat/odds/", 404)["code"] == "no_such_game"


def test_whatever_is_no_address_says_so_in_json():
    for path in ("nothing/", "nights/a b/", "players/x/", "tables/x/seats/a b/"):
        for method in ("get", "post", "delete", "put"):
            answer = getattr(Client(), method)(f"/api/{path}")
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path


def test_other_methods_are_not_allowed_and_those_that_are_are_named(world):
    answer = world.client("host").put("/api/nights/", {}, **JSON)
    assert (answer.status_code, answer.json()["code"]) == (405, "not_allowed")
    assert {"GET", "POST"} <= set(answer["Allow"].split(", "))

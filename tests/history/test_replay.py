"""Replay: finished games step by step, in the spectators' eyes, and nothing that still runs."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from games import plugin
from games.models import Night, Player, Table
from games.services.logs import replays
from games.services.nights import membership
from games.services.people import players
from games.services.tables import log
from tests.tables.host.host_commands import act
from tests.tables.test_log import play_out
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(start_table: Callable[..., Table]) -> Table:
    """A finished table of a game with sealed bids."""
    return play_out(start_table("dummygame", seats=3))


def steps(client: object, table: Table, first: int) -> list[dict]:
    """Return what the page fetches."""
    return client.get(f"/table/{table.public_id}/replay/frames/?first={first}").json()["frames"]


def test_the_steps_are_the_whole_log_with_the_spectators_view(table: Table, host: Player) -> None:
    client, found = browser_of(host), []
    last = replays.games_of(table)[-1].last
    while len(found) < last:
        found += steps(client, table, len(found) + 1)
    assert [frame["seq"] for frame in found] == list(range(1, last + 1))
    rules = plugin.game(table.game_id).rules
    assert found[-1]["view"] == rules.view(log.state_of(table), None)
    hidden = [e for entry in log.entries(table.pk) for e in entry.events if e.audience]
    told = [event for frame in found for event in frame["events"]]
    assert hidden and sum(event["type"] == "hidden" for event in told) == len(hidden)


def test_what_was_hidden_until_the_end_is_seen_in_the_replay_of_a_table_that_has_ended(
    start_table: Callable[..., Table], host: Player
) -> None:
    """The dummy game's dice; its bids stay hidden for good."""
    table = play_out(start_table("dummygame", "hidden", seats=2))
    told = [event for frame in steps(browser_of(host), table, 1) for event in frame["events"]]
    begun = ["table.started", "table.dice_committed", "hands_dealt", "die_dealt", "die_dealt"]
    assert [event["type"] for event in told][:5] == begun
    assert not any(event["type"] == "bid_sealed" for event in told)


def test_what_was_hidden_until_the_end_is_in_the_log_of_a_table_that_has_ended_and_not_before(
    start_table: Callable[..., Table], host: Player
) -> None:
    table, onlooker = start_table("dummygame", "hidden", seats=2), players.new_guest("Olga")
    membership.join(table.night, onlooker)

    def dealt() -> list[str]:
        found = browser_of(onlooker).get(f"/api/tables/{table.public_id}/events/", {"after": 0}).json()
        return [event["type"] for entry in found["entries"] for event in entry["events"]][3:5]

    assert dealt() == ["hidden", "hidden"]
    play_out(table)
    assert dealt() == ["die_dealt", "die_dealt"]


def test_the_page_begins_where_the_link_says(table: Table, host: Player) -> None:
    client = browser_of(host)
    for query, at in (("", 1), ("?at=3", 3), (f"?ended={table.seq}", 1), ("?at=x", 1)):
        answer = client.get(f"/table/{table.public_id}/replay/{query}")
        assert answer.status_code == 200
        assert answer.context["config"]["at"] == at


def test_a_game_that_still_runs_is_not_replayed(start_table, host: Player) -> None:
    table = play_out(start_table("chicago", "bavarian", seats=3), entries=9)
    client = browser_of(host)
    assert client.get(f"/table/{table.public_id}/replay/").status_code == 400
    assert client.get(f"/table/{table.public_id}/replay/frames/?first=1").status_code == 404


@pytest.mark.parametrize("first", ["", "0", "x", "99999", "-1", "١"])
def test_a_step_that_is_none_is_refused(table: Table, host: Player, first: str) -> None:
    answer = browser_of(host).get(f"/table/{table.public_id}/replay/frames/?first={first}")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_replay")


def test_only_guests_of_the_night_replay(table: Table, night: Night, make_player) -> None:
    stranger = make_player("Stranger")
    address = f"/table/{table.public_id}/replay/"
    for client in (browser_of(), browser_of(stranger)):
        assert client.get(address).status_code == 403
        assert client.get(f"{address}frames/?first=1").json()["code"] == "not_inside"
    membership.join(night, stranger)
    assert browser_of(stranger).get(address).status_code == 200


def test_the_replay_of_a_finished_table_leads_to_its_files(table: Table, host: Player) -> None:
    client = browser_of(host)
    page = client.get(f"/table/{table.public_id}/replay/").content.decode()
    log, rolls = re.findall(r'<a [^>]*href="([^"]+)" download>', page)
    assert client.get(log).json()["entries"]
    assert rolls.endswith("rolls.csv")
    assert client.get(rolls).status_code == 200


def test_a_step_has_the_names_of_those_who_sat_there_then(
    start_table: Callable[..., Table], host: Player, guest: Callable[..., Player]
) -> None:
    table = start_table("dummygame", seats=3)
    (before,) = table.seats.filter(index=1).values_list("name", flat=True)
    carla = guest("Carla")
    change = act(table, host, "substitute", seat=1, player=carla.pk).entry.seq
    act(table, carla, "accept")
    play_out(table)
    names = [frame["names"][1] for frame in replays.frames(table, 1)]
    assert set(names[: change - 1]) == {before} and set(names[change - 1 :]) == {"Carla"}
    assert steps(browser_of(host), table, change + 1)[0]["names"][1] == "Carla", "also from a step in the middle"

"""Tables where a game is played on a real board: no bots, the host's own acts, results and files that say so."""

from __future__ import annotations

import csv
from typing import Any

import pytest

from games import plugin
from games.kernel.contract import Illegal
from games.models import Player, Result, Table
from games.services.commands import Actor, Request, new_command_id
from games.services.history import exports
from games.services.logs import log_views
from games.services.nights import membership
from games.services.people import players
from games.services.tables import log, setup
from games.services.tables.commit import submit
from games.services.tables.snapshot import Hand
from tests.tables.host.test_host_commands import act, refused
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


def answer(table: Table, index: int, name: str, /, **args: Any) -> None:
    """Carry out an act of a seat; it answers what is open, or the last entry."""
    seat, table = table.seats.get(index=index), Table.objects.get(pk=table.pk)
    choices = plugin.game(table.game_id).rules.choices(log.state_of(table), index)
    basis = next((choice.opened_at for choice in choices if choice.name == name), table.seq)
    submit(table.pk, Actor(seat.player_id), Request(name, args, new_command_id(), basis))


@pytest.fixture
def wood(start_table: Any) -> Table:
    """A chouette of three at a real board, whose line is that of the seats, with its first game begun."""
    table = start_table(seats=3, game="chouette", preset="wood", line_order="by_hand")
    answer(table, 0, "begin_game")
    table.refresh_from_db()
    return table


def state(table: Table) -> Any:
    return log.state_of(Table.objects.get(pk=table.pk))


def test_no_bot_sits_down_at_a_real_board(open_table: Any, host: Player) -> None:
    table = open_table(game="chouette", preset="wood", seats=2)
    with refused("no_bots_here"):
        setup.add_bot(table, host, "net")
    page = browser_of(host).get(f"/table/{table.public_id}/").content.decode()
    assert 'id="bot-net"' not in page
    assert "The board is a real one" in page


@pytest.mark.parametrize(("name", "args"), [("substitute", {"seat": 1, "bot": "net"}), ("join", {"bot": "net"})])
def test_no_bot_comes_to_a_real_board_where_a_game_runs(wood: Table, host: Player, name: str, args: Any) -> None:
    before = wood.entries.count()
    with refused("no_bots_here"):
        act(wood, host, name, **args)
    assert wood.entries.count() == before


def test_the_host_alone_states_a_result_and_the_log_says_so(wood: Table, host: Player) -> None:
    with refused("not_host"):
        act(wood, wood.seats.get(index=1).player, "state_result", result={"winner": "box", "level": 1})
    for bad in ({}, {"winner": "box"}, {"winner": "box", "level": 9}, None, [], "box"):
        with refused("bad_argument"):
            act(wood, host, "state_result", result=bad)
    events = act(wood, host, "state_result", result={"winner": "box", "level": 2}).events
    assert [event.type for event in events][:2] == ["table.result_stated", "result_agreed"]
    assert [line.points for line in Result.objects.get().lines.order_by("seat")] == [2, -1, -1]


def test_a_result_waits_for_the_answers_to_a_double(wood: Table, host: Player) -> None:
    answer(wood, 1, "double", cube=0)
    with refused("answers_first"):
        act(wood, host, "state_result", result={"winner": "box", "level": 1})
    with pytest.raises(Illegal, match="answers_first"):
        answer(wood, 0, "result", winner="box", level=1)


def test_the_host_takes_back_what_somebody_told_and_nobody_else_does(wood: Table, host: Player) -> None:
    answer(wood, 1, "double", cube=0)
    answer(wood, 0, "answer_batch", take=[])
    with refused("not_host"):
        act(wood, wood.seats.get(index=1).player, "take_back", seat=0)
    with refused("bad_argument"):
        act(wood, host, "take_back", seat=1)
    events = act(wood, host, "take_back", seat=0).events
    assert [event.type for event in events] == ["table.taken_back", "act_taken_back"]
    assert state(wood).game.batch == (0,)


def test_results_and_files_say_that_a_real_board_was_played_on(wood: Table, host: Player) -> None:
    act(wood, host, "state_result", result={"winner": "team", "level": 3})
    act(wood, host, "close")
    result = Result.objects.get()
    assert result.medium == "wood"
    assert all("luck" not in line.stats for line in result.lines.all()), "nobody told what fell"
    rows = list(csv.DictReader("".join(exports.results_csv(wood.night)).splitlines()))
    assert rows and {row["medium"] for row in rows} == {"wood"}
    assert not [name for name in exports.table_names(wood) if name.endswith((".mat", ".sgf"))]
    browser = browser_of(host)
    (told,) = browser.get("/api/results/").json()["results"]
    assert told["medium"] == "wood"
    page = browser.get(f"/night/{wood.night.public_id}/results/").content.decode()
    assert "on a real board" in page


def test_other_tables_are_played_on_the_screen(start_table: Any, host: Player) -> None:
    table = start_table(seats=2, game="chouette", preset="money")
    assert table.night.tables.count() == 1
    for name in ("state_result", "take_back"):
        with refused("not_open"):
            act(table, host, name, seat=0, result={"winner": "box", "level": 1})


def test_somebody_new_comes_to_a_real_board_and_plays_from_the_next_game(wood: Table, host: Player) -> None:
    guest = players.new_guest("Nils")
    membership.join(wood.night, guest)
    act(wood, guest, "join")
    act(wood, host, "state_result", result={"winner": "box", "level": 1})
    assert state(wood).line == (0, 2, 1, 3)


def dice_page(table: Table, host: Player) -> str:
    return browser_of(host).get(f"/table/{table.public_id}/dice/").content.decode()


def test_the_check_of_the_dice_says_that_people_entered_the_results(wood: Table, host: Player) -> None:
    assert "people enter the results" in dice_page(wood, host)
    act(wood, host, "state_result", result={"winner": "box", "level": 1})
    act(wood, host, "close")
    page = dice_page(wood, host)
    assert 'class="banner error' not in page
    assert "not in order" not in page


# Entering for somebody who has a phone


def shown(table: Table, player: Player, seat: int) -> dict[str, Any]:
    """Return what a player's device is shown of another's seat."""
    now = log_views.snapshot(table.pk)
    return now.seen_by(now.reader(player.pk, Hand(seat)))


def test_host_and_scorekeeper_are_shown_what_somebody_with_a_phone_may_do_and_nothing_that_they_see(
    wood: Table, host: Player
) -> None:
    captain, third = (wood.seats.get(index=index).player for index in (1, 2))
    now = log_views.snapshot(wood.pk)
    seen = shown(wood, host, 1)
    assert {"double", "result"} <= {choice["name"] for choice in seen["choices"]}
    assert not {choice["name"] for choice in seen["choices"]} & {"say", "suggest", "propose", "ask_advice"}
    assert seen["view"] == now.view(now.reader(None))
    assert shown(wood, third, 1)["choices"] == []
    act(wood, host, "scorekeeper", player=third.pk)
    assert shown(wood, third, 1)["choices"] == seen["choices"]
    assert shown(wood, captain, 2)["choices"] == []


def test_what_the_scorekeeper_enters_for_somebody_with_a_phone_is_told_to_all(wood: Table, host: Player) -> None:
    basis = next(choice["basis"] for choice in shown(wood, host, 1)["choices"] if choice["name"] == "double")
    receipt = submit(wood.pk, Actor(host.pk), Request("double", {"cube": 0}, new_command_id(), basis, seat=1))
    told = receipt.events[0]
    assert (told.type, told.data["seat"], told.data["by"], told.audience) == ("table.entered", 1, "Hanna", None)


def test_at_a_table_on_the_screen_nothing_of_anothers_seat_is_shown(start_table: Any, host: Player) -> None:
    table = start_table(seats=2, game="chouette", preset="money")
    assert shown(table, host, 1)["choices"] == []

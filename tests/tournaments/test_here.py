"""Who is here, in a tournament: who goes home is withdrawn and called no more; who is back plays again."""

from __future__ import annotations

import pytest

from games.kernel.contract import Illegal
from games.services.nights import membership
from games.services.tables.seating import leaving
from games.services.tournaments import automatic, participants
from tests.tournaments.world import Evening

pytestmark = pytest.mark.django_db


def refused(code: str):
    return pytest.raises(Illegal, match=f"'{code}'")


def go_home(evening: Evening, name: str, *, sure: bool = False) -> None:
    leaving.go_home(evening.night, evening.people[name], evening.people[name].pk, sure=sure)


def come_back(evening: Evening, name: str) -> None:
    leaving.come_back(evening.night, evening.people[name], evening.people[name].pk)


def status(evening: Evening, name: str) -> str:
    rows = {row["player"]: row["status"] for row in evening.read().state["players"]}
    return str(rows[evening.key(name)])


def test_who_goes_home_before_the_start_is_not_drawn_and_who_is_back_is() -> None:
    evening = Evening("Kari", "Nils", "Uli")
    evening.enter()
    go_home(evening, "Uli")
    with refused("tournament_moved_on"):
        evening.confirm()
    automatic.run_due()
    evening.confirm()
    assert [status(evening, name) for name in evening.people] == ["free", "free", "withdrawn"]
    come_back(evening, "Uli")
    automatic.run_due()
    automatic.run_due()
    assert status(evening, "Uli") == "free"
    assert evening.types().count("return") == 1


def test_a_match_at_another_board_is_played_out_one_at_a_table_of_the_house_is_given_up(sealed_dice: object) -> None:
    board, table = Evening("Kari", "Nils"), Evening("Kari", "Nils", medium="screen")
    for evening in (board, table):
        evening.begin()
    go_home(board, "Kari")
    with refused("plays_still"):
        go_home(table, "Kari")
    go_home(table, "Kari", sure=True)
    automatic.run_due()
    assert board.read().state["matches"][0]["status"] == "running"
    assert table.read().state["matches"][0]["winner"] == table.key("Nils")
    board.do(board.host, "result", match="m1", winner=board.key("Kari"))
    assert [status(evening, "Kari") for evening in (board, table)] == ["withdrawn", "withdrawn"]


def test_who_comes_back_before_the_match_is_over_just_plays_on() -> None:
    evening = Evening("Kari", "Nils")
    evening.begin()
    go_home(evening, "Kari")
    automatic.run_due()
    come_back(evening, "Kari")
    automatic.run_due()
    evening.do(evening.host, "result", match="m1", winner=evening.key("Nils"))
    assert status(evening, "Kari") == "free"


def test_who_was_withdrawn_by_a_director_does_not_come_back_by_themselves() -> None:
    evening = Evening("Kari", "Nils", "Uli")
    evening.begin()
    evening.do(evening.host, "withdraw", who=evening.key("Uli"), when="now")
    go_home(evening, "Uli")
    automatic.run_due()
    evening.do(evening.host, "return", who=evening.key("Uli"))
    assert "Uli" in {row.player.nickname for row in leaving.members_here(evening.night)}
    automatic.run_due()
    assert status(evening, "Uli") != "withdrawn"


def test_all_who_are_here_are_entered_by_one_tap_and_nobody_who_has_gone_home() -> None:
    evening = Evening("Kari", "Nils", "Uli")
    go_home(evening, "Uli")
    shown = [row.player_id for row in participants.not_entered(evening.tournament)]
    assert evening.people["Uli"].pk not in shown
    evening.do(evening.host, "enter", players=shown)
    with refused("no_such_player"):
        evening.do(evening.host, "enter", players=[evening.people["Uli"].pk])
    assert evening.tournament.participants.count() == 3


def test_a_director_says_it_of_everybody_and_not_after_the_end() -> None:
    evening = Evening("Kari", "Nils", "Uli")
    kari = evening.people["Kari"]
    evening.do(evening.host, "name_director", player=kari.pk)
    leaving.go_home(evening.night, kari, evening.people["Nils"].pk)
    evening.tournament.status = "finished"
    evening.tournament.save()
    with refused("not_for_them"):
        leaving.come_back(evening.night, kari, evening.people["Nils"].pk)


def test_who_is_removed_and_let_in_again_plays_again() -> None:
    evening = Evening("Kari", "Nils", "Uli")
    evening.begin()
    membership.remove(evening.night, evening.host, evening.people["Uli"].pk)
    automatic.run_due()
    assert status(evening, "Uli") == "withdrawn"
    membership.readmit(evening.night, evening.host, evening.people["Uli"].pk)
    automatic.run_due()
    assert status(evening, "Uli") != "withdrawn"

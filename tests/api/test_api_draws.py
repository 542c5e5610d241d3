"""Tables for many by programs: drawn by the host alone, opened together, read by everybody of the night."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache

from games.models import DrawnRound, Night, Player
from games.services.nights import membership
from games.services.people import players
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
JSON = {"content_type": "application/json"}


class Club:
    """A night of Hanna's with six guests."""

    def __init__(self) -> None:
        cache.clear()
        self.host = players.new_guest("Hanna")
        self.night: Night = membership.host_night(self.host, "Club night")
        self.guests = [players.new_guest(name) for name in ("Kari", "Nils", "Uli", "Ole", "Per", "Siv")]
        for guest in self.guests:
            membership.join(self.night, guest)

    @property
    def ids(self) -> list[int]:
        return [guest.pk for guest in self.guests]

    def post(self, by: Player, what: str, **body: Any) -> Any:
        return browser_of(by).post(f"/api/v1/nights/{self.night.public_id}/{what}/", body, **JSON)


def code(answer: Any) -> str:
    return str(answer.json()["code"])


def test_a_draw_has_everybody_once_and_keeps_nothing() -> None:
    club = Club()
    answer = club.post(club.host, "draws", game="chicago", size=3, players=club.ids)
    assert sorted(pk for table in answer.json()["tables"] for pk in table) == sorted(club.ids)
    assert (answer.json()["over"], club.night.tables.count()) == ([], 0)
    everybody = club.post(club.host, "draws", game="chicago", size=7).json()
    assert sorted(everybody["tables"][0]) == sorted([club.host.pk, *club.ids])


def test_a_round_is_opened_with_all_its_tables_and_read_by_guests() -> None:
    club = Club()
    tables = [club.ids[:3], club.ids[3:]]
    opened = club.post(club.host, "rounds", game="chicago", preset="bavarian", tables=tables, games=3, way="snake")
    assert opened.status_code == 201
    read = browser_of(club.guests[0]).get(f"/api/v1/nights/{club.night.public_id}/rounds/").json()["results"]
    assert read == [opened.json()]
    assert ([each["people"] for each in read[0]["tables"]], read[0]["games"], read[0]["way"]) == (tables, 3, "snake")


@pytest.mark.parametrize("what", ["draws", "rounds"])
def test_guests_and_strangers_draw_nothing(what: str) -> None:
    club = Club()
    body = {"game": "chicago", "size": 3} if what == "draws" else {"game": "chicago", "tables": [club.ids]}
    assert code(club.post(club.guests[0], what, **body)) == "not_host"
    assert club.post(players.new_guest("Uwe"), what, **body).status_code == 403
    membership.close(club.night, club.host)
    assert code(club.post(club.host, what, **body)) == "night_closed"
    assert not DrawnRound.objects.exists()


def test_bad_input_opens_no_table() -> None:
    club = Club()
    stranger = players.new_guest("Uwe")
    twice = [[club.ids[0], club.ids[1]], [club.ids[1], club.ids[2]]]
    for found, body in (
        ("bad_draw", {"tables": twice}),
        ("no_such_player", {"tables": [[club.ids[0], stranger.pk]]}),
        ("bad_limit", {"tables": [club.ids], "games": 3, "minutes": 30}),
        ("no_such_preset", {"tables": [club.ids], "preset": "nonsense"}),
    ):
        assert code(club.post(club.host, "rounds", game="chicago", **body)) == found
    for body in ({"tables": []}, {"tables": [["Kari"]]}, {"tables": [club.ids], "way": "magic"}):
        assert club.post(club.host, "rounds", game="chicago", **body).status_code == 400
    assert code(club.post(club.host, "draws", game="chess", size=3)) == "no_such_game"
    assert code(club.post(club.host, "draws", game="chicago", size=3, way="ladder")) == "no_round"
    assert code(club.post(club.host, "draws", game="chicago", size=3, players=[stranger.pk, club.ids[0]])) == (
        "no_such_player"
    )
    assert club.night.tables.count() == 0

"""What was played in a tournament is seen: results of the night, screens, shared pages, histories, files, admin."""

from __future__ import annotations

import html
import io
import re
import zipfile

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from games.models import ShareLink
from games.services.nights import membership
from games.services.people import players
from games.services.sharing import links
from games.services.tournaments import results
from tests.admin.pages import staff_browser
from tests.tournaments.world import Evening
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
FOUR = ("Kari", "Nils", "Uli", "Ole")


def read(browser: Client, name: str, *args: object) -> str:
    """Return a page's text."""
    answer = browser.get(reverse(name, args=args))
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", html.unescape(answer.content.decode()))


@pytest.fixture
def evening() -> Evening:
    """A knock-out of four that is over: Kari has won, 3:1 against one and without a score against another."""
    found = Evening(*FOUR, kind="knockout", settings={"consolation": False})
    found.begin()
    while found.read().state["status"] != "finished":
        for match in found.read().state["matches"]:
            if match["status"] == "running":
                winner = found.key("Kari") if found.key("Kari") in match["players"] else match["players"][0]
                score = {"points": 1} if match["round"] == 1 else {}
                found.do(found.host, "result", match=match["id"], winner=winner, **score)
        found.confirm()
    return found


def test_the_nights_results_have_standing_and_matches(evening: Evening) -> None:
    page = read(browser_of(evening.people["Nils"]), "night_results", evening.night.public_id)
    assert "No game has been finished yet" not in page
    assert page.index("Kari") < page.index("Cup") or "Cup" in page
    assert "3:1" in page or "1:3" in page
    assert "Kari won" in page and "1:0" not in page and "0:1" not in page
    assert "2–0" in page


def test_screens_show_the_standing_after_the_end_of_the_night(evening: Evening) -> None:
    membership.close(evening.night, evening.host)
    evening.night.refresh_from_db()
    for name in ("tv", "tv_plain"):
        page = read(Client(), name, evening.night.public_id, evening.night.token("tv"))
        assert "Cup" in page and "Good night!" in page
        assert page.index("Kari") > 0


def test_outsiders_read_it_by_the_nights_link_with_listed_names_alone(evening: Evening) -> None:
    players.set_listed(evening.people["Kari"], True)
    links.open_night(evening.night, evening.host)
    key = ShareLink.objects.get().key
    page = read(Client(), "shared", key)
    assert "Cup · Knock-out" in page and "Kari" in page
    assert not any(name in page for name in ("Nils", "Uli", "Ole"))
    assert "1. Kari: 2–0" in page, "as text for a messenger"
    assert "Kari – a guest 3:1" in page and "Kari won against a guest" in page
    picture = Client().get(reverse("shared_picture", args=[key]))
    assert Image.open(io.BytesIO(picture.content)).height > 500


def test_places_and_matches_stand_in_each_persons_history_and_head_to_head(evening: Evening) -> None:
    kari, nils = evening.people["Kari"], evening.people["Nils"]
    page = read(browser_of(nils), "player", kari.pk)
    assert "Cup" in page and "1 of 4" in page and "Matches won" in page
    assert "won against" in page and "3:1" in page
    told = browser_of(kari).get(f"/api/v1/players/{kari.pk}/").json()
    (cup,) = told["tournaments"]
    assert (cup["place"], cup["people"], cup["wins"], cup["losses"]) == (1, 4, 2, 0)
    met = browser_of(kari).get(f"/api/v1/players/{kari.pk}/rivals/").json()["matches"]
    assert sorted((row["won"], row["lost"]) for row in met) == [(1, 0), (1, 0)]
    filtered = browser_of(kari).get(reverse("player", args=[kari.pk]), {"until": "2001-01-01"}).content.decode()
    assert "1 of 4" not in filtered


def test_a_correction_after_the_end_follows_into_histories(evening: Evening) -> None:
    final = evening.read().state["matches"][-1]
    loser = next(key for key in final["players"] if key != final["winner"])
    evening.do(evening.host, "correct", match=final["id"], winner=loser)
    assert evening.tournament.participants.get(key=loser).place == 1
    assert evening.tournament.participants.get(player=evening.people["Kari"]).place == 2


def test_a_tournament_of_before_places_were_kept_is_read_from_its_log(evening: Evening) -> None:
    evening.tournament.participants.update(place=None, wins=0, losses=0)
    (played,) = results.of_player(evening.people["Kari"])
    assert (played.place, played.wins, played.losses) == (1, 2, 0)


def test_the_nights_files_have_it(evening: Evening) -> None:
    host = browser_of(evening.host)
    answer = host.get(f"/night/{evening.night.public_id}/files/night.zip")
    archive = zipfile.ZipFile(io.BytesIO(answer.getvalue()))
    (name,) = [each for each in archive.namelist() if "tournament-1-cup" in each]
    lines = archive.read(name).decode("utf-8-sig").splitlines()
    assert lines[0] == "Place,Name,Wins,Losses,Opponent,Score,Round,Time,Winner"
    assert lines[1].startswith("1,Kari,2,0")
    assert any(",,2," in line and line.endswith(",Kari") for line in lines[5:]), "a result without a score"
    listed = host.get(f"/api/v1/nights/{evening.night.public_id}/files/").content.decode()
    assert "tournament-1-cup.csv" in listed


def test_the_admin_lists_it_with_places_and_its_file(evening: Evening) -> None:
    staff = staff_browser("root", ["view_tournament", "view_participant"])
    assert "Kari" in read(staff, "admin:games_tournament_changelist")
    page = read(staff, "admin:games_tournament_change", evening.tournament.pk)
    assert "Kari won" in page and "Standing and matches as CSV" in page
    file = staff.get(reverse("admin:games_tournament_file", args=[evening.tournament.pk, "standing.csv"]))
    assert file.getvalue().decode("utf-8-sig").startswith("Place,Name")
    other = staff_browser("other")
    assert other.get(reverse("admin:games_tournament_changelist")).status_code == 403


def test_a_tournament_in_which_nothing_was_played_stands_nowhere() -> None:
    empty = Evening("Kari", "Nils")
    empty.enter()
    assert results.of_night(empty.night) == []
    assert "Cup" not in read(browser_of(empty.host), "night_results", empty.night.public_id).split("<main")[-1]

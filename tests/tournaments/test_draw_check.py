"""The check of a tournament's draws: who made its entries, draws that were thrown away, and what decides ties."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.urls import reverse

from games.kernel.contract import JsonObject
from games.models import Tournament
from games.services.regions import written
from games.services.tournaments import automatic, draw_check, modes
from games.web.tournaments.words import thrown_away_text
from tests.tournaments.world import Evening
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


def drawn(evening: Evening) -> list[JsonObject]:
    """Return the matches that are proposed; ids and boards are left out."""
    entries = [entry for each in evening.read().proposals for entry in each.get("entries", ())]
    return [{"players": entry["players"]} for entry in entries if entry["type"] == "match"]


def started(*names: str, **more: Any) -> Evening:
    """Return an evening with a tournament that has started; its draws are the same in each run."""
    evening = Evening(*names, **more)
    Tournament.objects.update(seed="fixed")
    evening.enter()
    evening.confirm()
    return evening


def finished(evening: Evening) -> Evening:
    """Play what runs, and end the tournament."""
    for match in evening.read().state["matches"]:
        if match["status"] == "running":
            evening.do(evening.host, "result", match=match["id"], winner=match["players"][0])
    evening.do(evening.host, "finish")
    evening.tournament.refresh_from_db()
    return evening


def test_a_director_who_plays_gets_no_other_opponent_by_a_break_or_a_board() -> None:
    evening = started("Kari", "Nils", "Uli", "Ole", "Per", "Siv", kind="swiss", boards=3)
    before = drawn(evening)
    evening.do(evening.host, "break", after=200, minutes=10)
    assert drawn(evening) == before
    for act in ("board_out", "board_in"):
        evening.do(evening.host, act, board=3)
    assert drawn(evening) == before
    evening.confirm()
    assert draw_check.check(finished(evening).tournament).thrown_away == ()


def test_draws_that_were_thrown_away_stand_on_the_page_with_who_made_the_entry() -> None:
    evening = started("Kari", "Nils", "Uli", "Ole", "Per", "Siv", kind="swiss")
    evening.confirm()
    for match in evening.read().state["matches"]:
        evening.do(evening.host, "result", match=match["id"], winner=match["players"][0])
    before = drawn(evening)
    evening.do(evening.host, "withdraw", who=evening.key("Per"), when="now")
    assert drawn(evening) != before
    evening.do(evening.people["Per"], "again")
    assert drawn(evening) == before
    evening.do(evening.people["Kari"], "leave", when="now")
    evening.confirm()
    finding = draw_check.check(finished(evening).tournament)
    texts = [thrown_away_text(each) for each in finding.thrown_away]
    assert texts == [
        "Draw 2 was proposed otherwise before Hanna withdrew Per.",
        "Draw 2 was proposed otherwise before Per came back.",
        "Draw 2 was proposed otherwise before Kari stopped playing.",
    ]
    page = browser_of(evening.people["Nils"]).get(reverse("tournament_draws", args=[evening.tournament.public_id]))
    assert all(text in page.content.decode() for text in texts)


def test_the_file_names_by_keys_who_made_each_entry() -> None:
    evening = started("Kari", "Nils", "Uli", "Ole")
    evening.do(evening.people["Kari"], "leave", when="now")
    automatic.run_due()
    evening.later(seconds=60)
    automatic.run_due()
    file = draw_check.file_of(evening.tournament)
    assert file["by"][:6] == ["d1"] * 5 + [evening.key("Kari")]
    assert None in file["by"][6:], "what the house has confirmed"
    text = json.dumps(file)
    assert not any(name in text for name in ("Hanna", "Kari"))


@pytest.mark.parametrize(
    ("entry", "is_by_house", "text"),
    [
        ({"type": "table_out", "table": 1}, False, "Draw 4 was proposed otherwise before Hanna put a board out."),
        ({"type": "enter", "player": "p1"}, False, "Draw 4 was proposed otherwise before Hanna entered Kari."),
        ({"type": "withdraw", "player": "p1"}, True, "Draw 4 was proposed otherwise before the house withdrew Kari."),
        (
            {"type": "match", "hand": True},
            False,
            "Draw 4 was proposed otherwise before Hanna paired two people by hand.",
        ),
        ({"type": "match"}, True, "Draw 4 was proposed otherwise before the house confirmed a part of it."),
        ({"type": "reopen"}, False, "Draw 4 was proposed otherwise before Hanna entered something else."),
    ],
)
def test_each_entry_that_has_turned_a_draw_is_told_in_words(entry: JsonObject, is_by_house: bool, text: str) -> None:
    evening = Evening("Kari")
    by = None if is_by_house else evening.host
    person = evening.people["Kari"] if "player" in entry else None
    assert thrown_away_text(draw_check.ThrownAway(4, entry, by, person)) == text


def circle(tie: str) -> Evening:
    """Play everybody against everybody with three; each has won once."""
    evening = started("Kari", "Nils", "Uli", kind="round_robin", settings={"tie": tie})
    beats = {"p1": "p2", "p2": "p3", "p3": "p1"}
    for _ in range(3):
        evening.confirm()
        (match,) = [each for each in evening.read().state["matches"] if each["status"] == "running"]
        one, other = match["players"]
        evening.do(evening.host, "result", match=match["id"], winner=one if beats[one] == other else other)
    return evening


def page_of(evening: Evening) -> str:
    return browser_of(evening.host).get(reverse("tournament", args=[evening.tournament.public_id])).content.decode()


def test_a_lot_between_equals_is_proposed_with_its_order_confirmed_by_the_house_and_proven() -> None:
    evening = circle("lot")
    reading = evening.read()
    (proposal,) = reading.proposals
    assert (proposal["entries"][0]["type"], modes.kind_of(reading, proposal)) == ("lot", "draw")
    order = [evening.player(key).nickname for key in proposal["entries"][0]["players"]]
    page = page_of(evening)
    assert "Equal places by lot" in page and written.names(order) in page and "then the lot." in page
    automatic.run_due()
    evening.later(seconds=30)
    automatic.run_due()
    assert [row["place"] for row in evening.read().standing] == [1, 2, 3]
    finding = draw_check.check(finished(evening).tournament)
    assert (finding.faults, finding.unknown) == ((), 0)


def test_a_play_off_between_equals_is_proposed_and_the_page_says_so() -> None:
    evening = circle("playoff")
    (proposal,) = evening.read().proposals
    assert proposal["entries"][0]["round"] == 0
    assert "then a play-off about the first place" in page_of(evening)


def test_the_page_says_how_byes_count_among_equals() -> None:
    evening = started("Kari", "Nils", "Uli", kind="swiss", settings={"tie": "buchholz"})
    assert "A bye or a missed round counts" in page_of(evening)


def test_the_host_chooses_by_the_form_and_by_the_api_what_decides_ties() -> None:
    evening = Evening()
    host = browser_of(evening.host)
    making = reverse("tournament_new", args=[evening.night.public_id])
    assert "a play-off for the first place" in host.get(f"{making}?kind=round_robin").content.decode()
    form = {"name": "Cup", "length": "3", "closes": "23:30", "medium": "none", "auto": "20", "kind": "round_robin"}
    assert host.post(making, {**form, "tie": "lot"}).status_code == 302
    assert evening.night.tournaments.latest("pk").format["tie"] == "lot"
    address = f"/api/v1/nights/{evening.night.public_id}/tournaments/"
    body = {"name": "Cup", "game": "chouette", "kind": "round_robin", "length": 3, "settings": {"tie": "lot"}}
    assert host.post(address, body, content_type="application/json").json()["format"]["tie"] == "lot"
    refused = host.post(address, {**body, "settings": {"tie": "dice"}}, content_type="application/json")
    assert refused.json()["code"] == "tournament_format"

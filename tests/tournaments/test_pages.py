"""The pages of tournaments: making each kind, directing it by forms, the screen, files, bad forms."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.kernel.tournaments import recount
from games.models import Player, Tournament
from games.services import server_time
from games.services.nights import membership
from games.services.people import merging
from games.services.tables import setup
from games.services.tournaments import automatic, formats, log
from games.services.tournaments.acts import ACTS
from games.web.tournaments import on_night
from tests.seeds import share_of_day
from tests.tournaments.world import Evening
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
FORM = {"name": "Cup", "length": "3", "closes": "23:30", "medium": "wood", "auto": "20"}
PAGES = ("tournament", "tournament_live", "tournament_print", "tournament_csv", "tournament_draws")


def act(browser: Client, tournament: Tournament, name: str, **form: Any) -> Any:
    """Send the form of an act."""
    return browser.post(reverse("tournament_act", args=[tournament.public_id, name]), form)


@pytest.mark.parametrize("kind", share_of_day([kind.id for kind in formats.KINDS if not kind.is_of_tables], 4))
def test_a_tournament_of_each_kind_is_made_and_directed_by_forms(kind: str) -> None:
    evening = Evening("Kari", "Nils", "Uli", "Ole", "Per", "Siv")
    host, guest = browser_of(evening.host), browser_of(evening.people["Kari"])
    making = reverse("tournament_new", args=[evening.night.public_id])
    assert host.get(f"{making}?kind={kind}").status_code == 200
    assert guest.get(making).status_code == 403
    assert host.post(making, {**FORM, "kind": kind}).status_code == 302
    cup = evening.night.tournaments.latest("pk")
    act(host, cup, "enter", players=[player.pk for player in evening.people.values()])
    for _ in range(3):
        cup.refresh_from_db()
        act(host, cup, "confirm", seen=cup.length, minute=log.read(cup).minute)
    for browser in (host, guest):
        for name in PAGES:
            assert browser.get(reverse(name, args=[cup.public_id])).status_code == 200, name
        assert "Cup" in browser.get(reverse("night", args=[evening.night.public_id])).content.decode()
    screen = browser_of(None).get(reverse("tv", args=[evening.night.public_id, evening.night.token("tv")]))
    assert "tv-pairs" in screen.content.decode()
    matches = log.read(cup).state["matches"]
    for match in matches:
        act(host, cup, "result", match=match["id"], winner=match["players"][1], points="1")
    act(host, cup, "finish")
    cup.refresh_from_db()
    assert (bool(matches), cup.status) == (True, "finished")
    file = json.loads(host.get(reverse("tournament_draws_file", args=[cup.public_id])).content)
    assert recount.recount(file)["faults"] == []


def test_money_sessions_are_made_by_the_form_and_pages_and_the_api_say_their_minutes() -> None:
    evening = Evening("Kari", "Nils")
    host = browser_of(evening.host)
    making = reverse("tournament_new", args=[evening.night.public_id])
    assert 'value="minutes-30"' in host.get(making).content.decode()
    # What only matches have, of a form that was half filled in before, is left out.
    form = {**FORM, "kind": "open_end", "medium": "none", "length": "minutes-30", "last": "5", "o-match_minutes": "50"}
    assert host.post(making, form).status_code == 302
    evening.tournament = evening.night.tournaments.latest("pk")
    assert (evening.tournament.preset, evening.tournament.format["length"]) == ("money", 4)
    evening.begin()
    key = evening.read().state["matches"][0]["players"][0]
    mine = browser_of(evening.player(key)).get(reverse("tournament", args=[evening.tournament.public_id]))
    assert "money sessions of 30 minutes" in mine.content.decode() and "to 4 points" not in mine.content.decode()
    focus = host.get(reverse("tournament", args=[evening.tournament.public_id]), {"match": "m1"}).content.decode()
    assert "Points ahead, if known" in focus and "Points of the loser" not in focus
    told = host.get(f"/api/v1/tournaments/{evening.tournament.public_id}/").json()
    assert told["session_minutes"] == 30
    body = {"name": "Second", "game": "chouette", "kind": "swiss", "session_minutes": 45}
    made = host.post(f"/api/v1/nights/{evening.night.public_id}/tournaments/", body, content_type="application/json")
    assert (made.status_code, made.json()["session_minutes"], made.json()["format"]["length"]) == (201, 45, 6)


def test_lives_in_batches_are_made_by_the_form_and_pair_only_at_their_minutes() -> None:
    evening = Evening(*(f"P{number}" for number in range(12)))
    host = browser_of(evening.host)
    making = reverse("tournament_new", args=[evening.night.public_id])
    assert host.post(making, {**FORM, "kind": "lives", "batch": "10", "medium": "none"}).status_code == 302
    cup = evening.tournament = evening.night.tournaments.latest("pk")
    assert cup.format["batch"] == 10
    act(host, cup, "enter", players=[player.pk for player in evening.people.values()])
    for _ in range(2):
        cup.refresh_from_db()
        act(host, cup, "confirm", seen=cup.length, minute=log.read(cup).minute)
    running = [m for m in evening.read().state["matches"] if m["status"] == "running"]
    assert len(running) == 6
    evening.later(minutes=4)
    for match in running[:4]:
        act(host, cup, "result", match=match["id"], winner=match["players"][0])
    page = host.get(reverse("tournament", args=[cup.public_id]))
    assert not any("entries" in each for each in evening.read().proposals), "eight are free, before the next batch"
    assert page.status_code == 200
    evening.later(minutes=6)
    entries = [entry for each in evening.read().proposals for entry in each.get("entries", ())]
    assert len([entry for entry in entries if entry["type"] == "match"]) >= 3


def test_the_file_has_the_standing_and_the_matches() -> None:
    evening = Evening("Kari", "Nils")
    evening.begin()
    evening.do(evening.host, "result", match="m1", winner=evening.key("Kari"), points=2)
    found = browser_of(evening.host).get(reverse("tournament_csv", args=[evening.tournament.public_id]))
    rows = list(csv.reader(io.StringIO(found.content.decode("utf-8-sig"))))
    assert rows[1][:4] == ["1", "Kari", "1", "0"]
    assert {rows[3][1], rows[3][4]} == {"Kari", "Nils"}
    assert rows[3][5] in ("3:2", "2:3") and rows[3][8] == "Kari"


def test_a_form_of_an_act_without_any_arguments_breaks_nothing() -> None:
    evening = Evening("Kari", "Nils")
    evening.begin()
    host, before = browser_of(evening.host), evening.types()
    for name in set(ACTS) - {"finish", "last_round", "hold", "go_on", "come_in"}:
        assert act(host, evening.tournament, name).status_code == 302, name
    assert [kind for kind in evening.types() if kind not in before] == []
    assert act(host, evening.tournament, "no-such-act").status_code == 404


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"closes": "soon"}, "A time is needed"),
        ({"length": "0"}, "from 1 to 25"),
        ({"name": " "}, "Give the tournament a name"),
        ({"boards": "0"}, "This board is not there"),
        ({"auto": "5000"}, "from 0 to 300 seconds"),
    ],
)
def test_a_bad_form_says_what_is_wrong_and_keeps_what_was_typed(change: dict[str, str], text: str) -> None:
    evening = Evening()
    making = reverse("tournament_new", args=[evening.night.public_id])
    answer = browser_of(evening.host).post(making, {**FORM, "kind": "open_end", **change})
    assert answer.status_code == 400
    assert text in answer.content.decode()
    assert 'value="23:30"' in answer.content.decode() or "closes" in change


def test_names_are_text_on_pages() -> None:
    evening = Evening("<b>Kari", "Nils")
    evening.begin()
    for name in PAGES[:3]:
        page = browser_of(evening.host).get(reverse(name, args=[evening.tournament.public_id])).content.decode()
        assert "<b>Kari" not in page, name


def test_a_directors_page_of_another_status_gets_its_other_tools_and_a_guests_gets_none() -> None:
    evening = Evening("Kari", "Nils")
    live = reverse("tournament_live", args=[evening.tournament.public_id])
    host, guest = browser_of(evening.host), browser_of(evening.people["Kari"])
    tools = 'id="t-tools"'
    assert tools not in host.get(f"{live}?status=entry").content.decode()
    found = host.get(f"{live}?status=running")
    assert tools in found.content.decode()
    assert "HX-Refresh" not in found.headers
    mark = re.findall('data-mark="([^"]+)"', found.content.decode())[0]
    assert host.get(f"{live}?status=running&have={mark}").status_code == 204
    assert tools not in guest.get(f"{live}?status=running").content.decode()


def test_a_directors_page_names_the_results_that_its_device_noted_before_two_players_were_joined() -> None:
    evening = Evening("Kari", "Nils")
    page = reverse("tournament", args=[evening.tournament.public_id])
    guest, account = evening.host, Player.objects.create(nickname="Account")
    key = f"tournament.{evening.tournament.public_id}"
    assert f'data-lists="{key}.{guest.pk}"' in browser_of(guest).get(page).content.decode()
    merging.merge(guest, account)
    lists = f"{key}.{account.pk} {key}.{guest.pk}"
    assert f'data-lists="{lists}"' in browser_of(account).get(page).content.decode()


def test_a_screen_shows_the_standing_for_some_minutes_after_the_end_unless_a_table_is_open() -> None:
    evening = Evening("Kari", "Nils")
    night, cup = evening.night, evening.tournament
    evening.begin()
    match = evening.read().state["matches"][0]
    evening.do(evening.host, "result", match=match["id"], winner=match["players"][0])
    evening.do(evening.host, "finish")
    screen, address = browser_of(None), reverse("tv", args=[night.public_id, night.token("tv")])
    winner = evening.player(match["players"][0]).nickname
    page = screen.get(address).content.decode()
    assert "The tournament is over." in page
    assert f'class="is-called"><b>1</b><span>{winner}</span' in page
    assert "data-match" not in page
    cup.entries.update(created_at=server_time.now() - on_night.ENDED)
    assert "tv-tournament" not in screen.get(address).content.decode()
    cup.entries.update(created_at=server_time.now())
    setup.open_table(night, evening.host, "dummygame", "quick", {})
    assert "tv-tournament" not in screen.get(address).content.decode()


def test_an_act_leaves_the_page_with_the_match_and_the_results_that_its_address_asks_for() -> None:
    evening = Evening("Kari", "Nils")
    host, cup = browser_of(evening.host), evening.tournament
    evening.begin()
    match = evening.read().state["matches"][0]
    page = f"http://testserver/tournament/{cup.public_id}/?match={match['id']}&results=all#t-focus"
    address = reverse("tournament_act", args=[cup.public_id, "result"])
    form, htmx = {"match": match["id"], "winner": match["players"][0]}, {"HX-Request": "true"}
    asked = host.post(address, form, headers={**htmx, "HX-Current-URL": page}).content.decode()
    assert 'id="t-focus-title"' in asked
    for bad in ("", "http://[", "?match=%00", f"?match={match['id']}x"):
        answer = host.post(address, form, headers={**htmx, "HX-Current-URL": bad})
        assert answer.status_code == 200
        assert 'id="t-focus-title"' not in answer.content.decode()


def test_members_of_other_nights_see_nothing_of_it() -> None:
    evening, other = Evening("Kari"), Evening("Nils")
    stranger = browser_of(other.people["Nils"])
    for name in (*PAGES, "tournament_draws_file"):
        assert stranger.get(reverse(name, args=[evening.tournament.public_id])).status_code == 403, name
    membership.close(evening.night, evening.host)
    page = browser_of(evening.host).get(reverse("tournament", args=[evening.tournament.public_id]))
    assert "t-enter-more" not in page.content.decode()


def test_a_ring_on_the_page_and_on_the_screen_runs_until_the_house_confirms() -> None:
    evening = Evening("Kari", "Nils")
    evening.enter()
    evening.confirm()
    automatic.run_due()
    screen = reverse("tv", args=[evening.night.public_id, evening.night.token("tv")])
    pages = {
        "page": (browser_of(evening.host), reverse("tournament", args=[evening.tournament.public_id])),
        "screen": (browser_of(None), screen),
    }
    for name, (browser, url) in pages.items():
        assert "t-ring" in browser.get(url).content.decode(), name
    act(browser_of(evening.host), evening.tournament, "hold")
    for name, (browser, url) in pages.items():
        assert "t-ring" not in browser.get(url).content.decode(), name


def test_the_modes_are_set_by_one_form_and_a_number_that_is_none_changes_nothing() -> None:
    evening = Evening("Kari", "Nils")
    host = browser_of(evening.host)
    act(host, evening.tournament, "modes", **{"mode-start": "40", "mode-pairing": "ask"})
    evening.tournament.refresh_from_db()
    assert (evening.tournament.modes["start"], evening.tournament.modes["pairing"]) == (40, None)
    before = dict(evening.tournament.modes)
    act(host, evening.tournament, "modes", **{"mode-start": "20", "mode-bye": "soon"})
    evening.tournament.refresh_from_db()
    assert evening.tournament.modes == before


def test_clock_lengths_minutes_and_seeds_are_chosen_in_the_forms() -> None:
    evening = Evening("Kari", "Nils")
    host = browser_of(evening.host)
    making = reverse("tournament_new", args=[evening.night.public_id])
    terms = {
        "o-clock": "delay",
        "o-match_minutes": "50",
        "last": "",
        "before_last": "5",
        "alone": "never",
        "late": "10",
    }
    form = {**FORM, "medium": "screen", "kind": "knockout", "seeding": "given"}
    assert host.post(making, {**form, **terms}).status_code == 302
    cup = evening.night.tournaments.latest("pk")
    assert (cup.options["clock"], cup.options["match_minutes"], cup.format["last_lengths"]) == ("delay", 50, [3, 5])
    assert (cup.alone_minutes, cup.late_minutes) == (None, 10)
    act(host, cup, "enter", players=[player.pk for player in evening.people.values()])
    page = reverse("tournament", args=[cup.public_id])
    assert 'name="seed-p1"' in host.get(page).content.decode()
    act(host, cup, "seed", **{"seed-p1": "2", "seed-p2": "1"})
    assert [entry["seed"] for entry in log.read(cup).log if entry["type"] == "seed"] == [2, 1]
    assert act(host, cup, "seed", **{"seed-p1": "first"}).status_code == 302
    assert log.seeds_of(log.read(cup).log) == {"p1": 2, "p2": 1}


def test_the_last_rounds_of_a_round_robin_are_those_of_the_knock_out_after_it() -> None:
    evening = Evening("Kari", "Nils")
    host, making = browser_of(evening.host), reverse("tournament_new", args=[evening.night.public_id])
    form = {**FORM, "kind": "round_robin", "last": "7"}
    assert host.post(making, {**form, "after": "4"}).status_code == 302
    assert evening.night.tournaments.latest("pk").format["phases"][1]["last_lengths"] == [7]
    assert host.post(making, {**form, "after": "0"}).status_code == 302
    assert "last_lengths" not in evening.night.tournaments.latest("pk").format


@pytest.mark.parametrize(
    "typed", [{"o-clock": "hourglass"}, {"o-match_minutes": "soon"}, {"last": "99"}, {"late": "999"}, {"alone": "0"}]
)
def test_terms_that_no_match_has_are_refused_and_the_form_keeps_what_was_typed(typed: dict[str, str]) -> None:
    evening = Evening("Kari", "Nils")
    making = reverse("tournament_new", args=[evening.night.public_id])
    before = evening.night.tournaments.count()
    form = {**FORM, "name": "Long night", "medium": "screen", "kind": "knockout"}
    answer = browser_of(evening.host).post(making, {**form, **typed})
    assert (answer.status_code, evening.night.tournaments.count()) == (400, before)
    assert 'value="Long night"' in answer.content.decode()


def test_fee_and_prizes_are_entered_by_forms_and_everybody_sees_what_they_add_up_to() -> None:
    evening = Evening("Kari", "Nils")
    evening.enter()
    host, cup = browser_of(evening.host), evening.tournament
    act(host, cup, "prizes", fee="10", prizes="12, 5", waits="on")
    act(host, cup, "paid", who="p1")
    page = browser_of(evening.people["Nils"]).get(reverse("tournament", args=[cup.public_id])).content.decode()
    assert "1 of 2 have paid: 10." in " ".join(page.split())
    assert "7 more than was paid" in " ".join(page.split())
    assert 'name="who" value="p2"' in host.get(reverse("tournament", args=[cup.public_id])).content.decode()
    act(host, cup, "prizes", fee="ten", prizes="12", waits="")
    cup.refresh_from_db()
    assert (cup.fee, cup.waits_for_paid) == (10, True)


@pytest.mark.parametrize(
    ("medium", "boards", "shown"), [("", None, ""), ("", 4, "<b>1</b"), ("screen", None, "<b>1</b>")]
)
def test_the_screen_calls_people_to_boards_to_tables_or_to_each_other(
    medium: str, boards: int | None, shown: str
) -> None:
    names = ("Kari", "Nils", "Uli", "Ole")
    # Of a single match at a table the screen shows the table itself.
    evening = Evening(*names, medium=medium, boards=boards)
    evening.begin()
    page = browser_of(None).get(reverse("tv", args=[evening.night.public_id, evening.night.token("tv")]))
    assert page.status_code == 200
    content = page.content.decode()
    assert all(name in content for name in names)
    assert shown in content

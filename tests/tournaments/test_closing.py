"""The end by a director: the last round now, another closing time, no cup dropped silently, who directs only."""

from __future__ import annotations

import html
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from games.kernel.contract import Illegal
from games.models.house import zone
from games.services import server_time
from games.services.tables.seating import leaving
from games.services.tournaments import automatic, overview
from tests.tournaments.world import Evening
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
SIX = ("Kari", "Nils", "Uli", "Ole", "Per", "Siv")


def refused(code: str):
    return pytest.raises(Illegal, match=f"'{code}'")


def page(evening: Evening, who: str | None = None) -> str:
    """Return the tournament's page as a person reads it; None: the host."""
    browser = browser_of(evening.host if who is None else evening.people[who])
    where = reverse("tournament", args=[evening.tournament.public_id])
    return re.sub(r"\s+", " ", html.unescape(browser.get(where).content.decode()))


def end_all(evening: Evening) -> None:
    for match in evening.read().state["matches"]:
        if match["status"] == "running":
            evening.do(evening.host, "result", match=match["id"], winner=match["players"][0])


def test_the_last_round_of_an_open_end_is_followed_by_its_cup() -> None:
    evening = Evening(*SIX, settings={"cup": 2})
    evening.begin()
    assert "Last round now" in page(evening)
    evening.later(minutes=20)
    evening.do(evening.host, "last_round")
    assert evening.types()[-1] == "closing"
    assert "Last round now" not in page(evening)
    with refused("not_open"):
        evening.do(evening.host, "last_round")
    end_all(evening)
    while evening.read().state["phase"] == 0:
        # Those who are equal play for their place in it.
        evening.confirm()
        end_all(evening)
    assert len([entry for entry in evening.read().log if entry["type"] == "phase"]) == 1


def test_the_end_drops_no_cup_silently() -> None:
    evening = Evening(*SIX, settings={"cup": 2})
    evening.begin()
    end_all(evening)
    with refused("cup_left"):
        evening.do(evening.host, "finish")
    assert "The cup of the best 2 is still to come." in page(evening)
    evening.do(evening.host, "finish", without=True)
    assert evening.read().state["status"] == "finished"


@pytest.mark.parametrize(
    ("kind", "settings"), [("swiss", {"rounds": 4}), ("schedule", {"matches": 4}), ("neighbours", {"rounds": 3})]
)
def test_the_round_that_is_played_is_the_last_one(kind: str, settings: dict[str, int]) -> None:
    evening = Evening(*SIX, kind=kind, settings=settings)
    evening.begin()
    evening.do(evening.host, "last_round")
    assert evening.types()[-1] == "last_round"
    with refused("no_closing"):
        evening.do(evening.host, "closing", closes=server_time.now().time())
    end_all(evening)
    rounds = {m["round"] for m in evening.read().state["matches"]}
    evening.confirm()
    assert {m["round"] for m in evening.read().state["matches"]} - {0} == rounds


@pytest.mark.parametrize("kind", ["lives", "knockout", "double", "round_robin"])
def test_other_formats_say_that_they_have_no_last_round_and_no_closing_time(kind: str) -> None:
    evening = Evening(*SIX, kind=kind)
    evening.begin()
    assert "Last round now" not in page(evening) and "Another closing time" not in page(evening)
    with refused("no_last_round"):
        evening.do(evening.host, "last_round")
    with refused("no_closing"):
        evening.do(evening.host, "closing", closes=server_time.now().time())


def test_another_closing_time_moves_the_last_start() -> None:
    evening = Evening(*SIX)
    evening.begin()
    at = timezone.localtime(server_time.now() + timedelta(minutes=150), zone())
    answer = browser_of(evening.host).post(
        reverse("tournament_act", args=[evening.tournament.public_id, "closing"]), {"closes": f"{at:%H:%M}"}
    )
    assert answer.status_code == 302
    reading = evening.read()
    # 1.8 matches of three points lie between.
    assert reading.log[-1]["type"] == "closing" and 105 <= reading.log[-1]["last_start"] <= 107
    assert evening.tournament.closes_at is not None
    assert f"{at:%H:%M}" in page(evening)
    bad = browser_of(evening.host).post(
        reverse("tournament_act", args=[evening.tournament.public_id, "closing"]), {"closes": "25:99"}, follow=True
    )
    assert bad.status_code == 200 and len(evening.read().log) == len(reading.log)
    told = browser_of(evening.host).post(
        f"/api/v1/tournaments/{evening.tournament.public_id}/acts/",
        {"act": "closing", "args": {"closes": "x"}},
        content_type="application/json",
    )
    assert told.status_code == 400


def test_a_director_who_directs_only_is_passed_over_and_plays_by_their_own_wish_alone() -> None:
    evening = Evening("Kari", "Nils", "Uli")
    evening.do(evening.host, "name_director", player=evening.people["Kari"].pk)
    everybody = [evening.host.pk, *(player.pk for player in evening.people.values())]
    evening.do(evening.host, "direct_only", only=True)
    evening.do(evening.people["Kari"], "enter", players=everybody)
    assert set(evening.tournament.participants.values_list("player", flat=True)) == set(everybody) - {evening.host.pk}
    with refused("only_directs"):
        evening.do(evening.people["Kari"], "enter", players=[evening.host.pk])
    # Also after entering.
    evening.do(evening.people["Kari"], "direct_only", only=True)
    statuses = {row["player"]: row["status"] for row in evening.read().state["players"]}
    assert statuses[evening.key("Kari")] == "withdrawn"
    with refused("only_directs"):
        evening.do(evening.host, "return", who=evening.key("Kari"))
    evening.do(evening.people["Kari"], "again")
    assert not evening.tournament.non_playing.filter(player=evening.people["Kari"]).exists()
    with refused("not_director"):
        evening.do(evening.people["Nils"], "direct_only", only=True)
    assert 'name="only"' in page(evening) and 'name="only"' not in page(evening, "Nils")


def test_who_directs_only_is_not_taken_back_by_being_here_again() -> None:
    evening = Evening("Kari", "Nils", "Uli")
    evening.do(evening.host, "name_director", player=evening.people["Kari"].pk)
    evening.begin()
    end_all(evening)
    evening.do(evening.people["Kari"], "direct_only", only=True)
    kari = evening.people["Kari"]
    leaving.go_home(evening.night, kari, kari.pk, sure=True)
    automatic.run_due()
    leaving.come_back(evening.night, kari, kari.pk)
    automatic.run_due()
    statuses = {row["player"]: row["status"] for row in evening.read().state["players"]}
    assert statuses[evening.key("Kari")] == "withdrawn"


def test_who_has_gone_home_in_a_running_match_is_marked_and_the_other_reads_what_happens() -> None:
    evening = Evening("Kari", "Nils")
    evening.begin()
    kari = evening.people["Kari"]
    leaving.go_home(evening.night, kari, kari.pk, sure=True)
    automatic.run_due()
    for who in (None, "Nils"):
        assert "Kari has gone home" in page(evening, who)
    assert "say that you have won" in page(evening, "Nils")
    evening.do(evening.host, "withdraw", who=evening.key("Kari"), when="now")
    assert "Kari has gone home: the match is yours." in page(evening, "Nils")


def test_the_standing_says_what_counts_of_who_has_gone_home() -> None:
    evening = Evening(*SIX, kind="round_robin")
    evening.begin()
    end_all(evening)
    evening.do(evening.host, "withdraw", who=evening.key("Kari"), when="now")
    assert "gone home after 1 of 5: these matches count only if half are played" in page(evening, "Nils")
    while evening.read().state["status"] != "finished":
        evening.confirm()
        end_all(evening)
    assert "1 of 5 played: these matches don't count" in page(evening, "Nils")
    shown = overview.of(evening.tournament)
    last = shown.standing[-1]
    assert (last.name, last.wins, last.losses) == ("Kari", 0, 0)


def test_the_proposed_length_follows_the_closing_time_and_what_the_form_says() -> None:
    evening = Evening(*(f"P{number}" for number in range(24)))
    host = browser_of(evening.host)
    making = reverse("tournament_new", args=[evening.night.public_id])

    def proposed(**typed: object) -> int:
        text = host.get(making, typed).content.decode()
        return int(re.findall(r'name="proposed" value="(\d+)"', text)[0])

    in_hours = {n: f"{timezone.localtime(server_time.now() + timedelta(hours=n), zone()):%H:%M}" for n in (2, 4, 7)}
    for kind in ("swiss", "knockout", "double", "schedule"):
        lengths = [proposed(kind=kind, closes=in_hours[n]) for n in (2, 4, 7)]
        assert lengths == sorted(lengths) and lengths[0] < lengths[-1], (kind, lengths)
    assert proposed(kind="schedule", boards=4, closes=in_hours[7]) < proposed(kind="schedule", closes=in_hours[7])
    form = {"kind": "swiss", "name": "Cup", "length": "", "proposed": "3", "closes": in_hours[4], "medium": "none"}
    assert host.post(making, form).status_code == 302
    assert evening.night.tournaments.latest("pk").format["length"] == 3

"""Bad input to a tournament: on its page, by the API and by the command each has a clear answer and loses nothing."""

from __future__ import annotations

import html
import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.urls import reverse

from games.models import Player, TournamentEntry
from games.services.tournaments import automatic
from tests.architecture.sources import ROOT
from tests.tournaments.test_pages import FORM
from tests.tournaments.world import Evening
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
Send = Callable[..., tuple[int, str]]
"""A person's act with its arguments → the answer's status and text."""


def by_page(evening: Evening, by: Player, act: str, **args: Any) -> tuple[int, str]:
    """Send a form; what is wrong stands on the page that it leads to."""
    address = reverse("tournament_act", args=[evening.tournament.public_id, act])
    return 200, html.unescape(browser_of(by).post(address, args, follow=True).content.decode())


def by_api(evening: Evening, by: Player, act: str, **args: Any) -> tuple[int, str]:
    address = f"/api/v1/tournaments/{evening.tournament.public_id}/acts/"
    body = {"act": act, "args": args}
    answer = browser_of(by).post(address, body, content_type="application/json")
    return answer.status_code, f"{answer.json().get('code')} {answer.json().get('message', '')}"


OK = {by_page: 200}
"""The status of a refused form, whose page says why."""


@pytest.fixture(params=["page", "api"])
def send(request: pytest.FixtureRequest) -> Send:
    cache.clear()
    return {"page": by_page, "api": by_api}[request.param]


def log_of(evening: Evening) -> list[Any]:
    return [row.data for row in TournamentEntry.objects.filter(tournament=evening.tournament)]


def loses_nothing(evening: Evening, before: list[Any]) -> None:
    """The log is as it was, and the pages still open."""
    assert log_of(evening) == before
    for name in ("tournament", "tournament_live", "tournament_print"):
        assert browser_of(evening.host).get(reverse(name, args=[evening.tournament.public_id])).status_code == 200


def test_a_second_result_of_a_match_is_refused_and_the_first_stays(send: Send) -> None:
    evening = Evening("Kari", "Nils")
    evening.begin()
    one, other = evening.read().match("m1")["players"]
    assert send(evening, evening.host, "result", match="m1", winner=one)[0] == 200
    before = log_of(evening)
    status, text = send(evening, evening.host, "result", match="m1", winner=other)
    assert status == OK.get(send, 409) and "has its result already" in text
    loses_nothing(evening, before)
    assert evening.read().match("m1")["winner"] == one


def test_a_result_for_somebody_who_withdrew_is_refused_as_the_match_went_to_the_opponent(send: Send) -> None:
    evening = Evening("Kari", "Nils")
    evening.begin()
    gone, stays = evening.read().match("m1")["players"]
    evening.do(evening.host, "withdraw", who=gone, when="now")
    before = log_of(evening)
    status, text = send(evening, evening.host, "result", match="m1", winner=gone)
    assert status == OK.get(send, 409) and "has its result already" in text
    status, text = send(evening, evening.host, "pair", one=gone, other=stays)
    assert status == OK.get(send, 409) and "has withdrawn" in text
    loses_nothing(evening, before)


def test_a_field_of_one_does_not_start(send: Send) -> None:
    evening = Evening("Kari")
    evening.enter()
    before = log_of(evening)
    reading = evening.read()
    status, text = send(evening, evening.host, "confirm", seen=len(reading.log), minute=reading.minute)
    assert status == OK.get(send, 409) and "proposed" in text
    loses_nothing(evening, before)
    page = browser_of(evening.host).get(reverse("tournament", args=[evening.tournament.public_id])).content.decode()
    assert "Kari" in page


def test_a_length_of_nothing_makes_no_tournament_and_no_phase(send: Send) -> None:
    evening = Evening("Kari", "Nils")
    host = browser_of(evening.host)
    making = reverse("tournament_new", args=[evening.night.public_id])
    typed = host.post(making, {**FORM, "kind": "open_end", "length": "0", "name": "Typed before"})
    assert typed.status_code == 400 and "Typed before" in typed.content.decode()
    assert "from 1 to 25" in typed.content.decode()
    body = {"name": "Cup", "game": "chouette", "kind": "open_end", "length": 0}
    address = f"/api/v1/nights/{evening.night.public_id}/tournaments/"
    assert host.post(address, body, content_type="application/json").status_code == 400
    before = log_of(evening)
    status, text = send(evening, evening.host, "phase", kind="knockout", count=2, length=0)
    assert status == OK.get(send, 400) and "from 1 to 25" in text
    assert evening.night.tournaments.count() == 1
    loses_nothing(evening, before)


def test_two_directors_who_confirm_at_once_start_each_match_once_and_the_second_reads_why(send: Send) -> None:
    evening = Evening("Kari", "Nils", "Uli", "Ole")
    evening.enter()
    evening.do(evening.host, "name_director", player=evening.people["Kari"].pk)
    evening.confirm()
    reading = evening.read()
    shown = {"seen": len(reading.log), "minute": reading.minute}
    assert send(evening, evening.host, "confirm", **shown)[0] == 200
    before = log_of(evening)
    status, text = send(evening, evening.people["Kari"], "confirm", **shown)
    assert status == OK.get(send, 409) and "Something has happened meanwhile" in text
    loses_nothing(evening, before)
    assert len(evening.read().state["matches"]) == 2


def test_a_log_with_an_unknown_entry_is_said_to_be_so_and_the_night_goes_on() -> None:
    evening = Evening("Kari", "Nils")
    evening.begin()
    at = len(evening.read().log)
    TournamentEntry.objects.create(
        tournament=evening.tournament,
        number=at,
        data={"at": 10**6, "type": "dance"},
        created_at=evening.night.created_at,
    )
    evening.tournament.length += 1
    evening.tournament.save()
    before = log_of(evening)
    host = browser_of(evening.host)
    page = host.get(reverse("tournament", args=[evening.tournament.public_id]))
    assert page.status_code == 503 and "Nothing is lost" in page.content.decode()
    assert host.get(f"/api/v1/tournaments/{evening.tournament.public_id}/").json()["code"] == "log_unread"
    for address in (
        reverse("night", args=[evening.night.public_id]),
        reverse("tv", args=[evening.night.public_id, evening.night.token("tv")]),
    ):
        assert host.get(address).status_code == 200, address
    automatic.run_due()
    assert log_of(evening) == before


ENTERED = [{"at": 0, "type": "enter", "player": name} for name in "ab"]
PLAYED = [
    *ENTERED,
    {"at": 0, "type": "start"},
    {"at": 1, "type": "match", "id": "m1", "players": ["a", "b"], "length": 3},
]
WON = {"at": 2, "type": "result", "match": "m1", "winner": "a"}


@pytest.mark.parametrize(
    ("log", "length", "code"),
    [
        ([*PLAYED, WON, WON | {"winner": "b"}], 3, "already_decided"),
        (
            [*PLAYED, {"at": 2, "type": "withdraw", "player": "b", "when": "now"}, WON | {"winner": "b"}],
            3,
            "already_decided",
        ),
        ([ENTERED[0], {"at": 0, "type": "start"}], 3, "too_few"),
        ([], 0, "bad_format"),
        ([*PLAYED, {"at": 2, "type": "dance"}], 3, "unknown_entry"),
        # Two directors who have confirmed the same proposal.
        ([*PLAYED, PLAYED[-1]], 3, "bad_entry"),
        ([*PLAYED, PLAYED[-1] | {"id": "m2"}], 3, "player_busy"),
    ],
)
def test_the_command_answers_bad_input_with_code_and_entry(log: list[Any], length: int, code: str) -> None:
    text = json.dumps({"format": {"kind": "open_end", "length": length}, "log": log, "now": 5, "seed": 7})
    command = [sys.executable, "-m", "games.kernel.tournaments"]
    done = subprocess.run(command, input=text, cwd=ROOT, capture_output=True, text=True, check=False)
    entry = len(log) - 1 if log else None
    assert (done.returncode, done.stderr) == (2, "")
    assert json.loads(done.stdout) == {"error": {"code": code, "entry": entry}}

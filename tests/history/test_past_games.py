"""A game that was played without the server is entered afterwards, and counts for the people who agree to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import AuditEntry, Night, Player, Result, Table, Tally
from games.services.history import consent, corrections, exports, past_games, score_sheets, tallies
from games.services.history.past_games import PastGame, PastLine
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(host: Player, guest: Callable[..., Player]) -> list[Player]:
    """Four members of the night, the host first."""
    return [host, *(guest(name) for name in ("Kari", "Bruno", "Anna"))]


def refused(code: str):
    return pytest.raises(Illegal, match=code)


def chicago(people: list[Player], *points: int, **more: object) -> PastGame:
    lines = [PastLine(player.pk, n) for player, n in zip(people, points, strict=False)]
    return PastGame("chicago", "bavarian", lines, **more)


def chouette(people: list[Player], *said: dict[str, str]) -> PastGame:
    lines = [PastLine(player.pk, words=words) for player, words in zip(people, said, strict=False)]
    return PastGame("chouette", "german", lines)


def test_a_past_game_counts_in_sheet_tallies_and_audit(night: Night, host: Player, people: list[Player]) -> None:
    result = past_games.enter(night, host, chicago(people, 0, 0, 1))
    assert (result.reason, result.unit, result.by_name, result.seq) == ("entered", "rounds", "Hanna", None)
    assert [(line.points, line.rank, line.stats) for line in result.lines.order_by("seat")] == [
        (0, 1, {}), (0, 1, {}), (1, 3, {}),
    ]  # fmt: skip
    (sheet,) = score_sheets.sheets(night)
    assert sheet.totals == (0, 0, 1)
    assert not Tally.objects.exists()
    consent.answer(result.pk, people[2], agrees=True)
    assert Tally.objects.get(player=people[2], venue=None).points == 1
    acts = list(AuditEntry.objects.order_by("pk").values_list("act", flat=True))
    assert acts == ["past_game_entered", "past_game_agreed"]


def test_the_tallies_worked_out_anew_are_the_same(night: Night, host: Player, people: list[Player]) -> None:
    result = past_games.enter(night, host, chicago(people, 0, 2, 1))
    consent.answer(result.pk, people[1], agrees=True)
    fields = ("player_id", "unit", "venue_id", "played", "won", "points", "stats")
    before = sorted(map(str, Tally.objects.values_list(*fields)))
    tallies.rebuild()
    assert sorted(map(str, Tally.objects.values_list(*fields))) == before


def test_the_cubes_of_a_chouette_come_to_points_that_add_up_to_nothing(
    night: Night, host: Player, people: list[Player]
) -> None:
    said = (
        {"side": "box"},
        {"cube": "2", "winner": "member", "level": "2"},
        {"cube": "4"},
        {"cube": "1", "winner": "box"},
    )
    result = past_games.enter(night, host, chouette(people, *said))
    assert [line.points for line in result.lines.order_by("seat")] == [1, 4, -4, -1]


def test_a_past_game_is_undone_by_a_correction(night: Night, host: Player, people: list[Player]) -> None:
    result = past_games.enter(night, host, chicago(people, 0, 3))
    corrections.correct(result, host, {1: -3}, "Entered twice")
    (sheet,) = score_sheets.sheets(night)
    assert sheet.totals == (0, 0)


def test_a_closed_night_takes_past_games_from_staff_alone_and_keeps_their_time(
    night: Night, host: Player, people: list[Player], staff: User
) -> None:
    night.status, night.closed_at = Night.Status.CLOSED, night.created_at + timedelta(hours=4)
    night.save()
    with refused("past_by_staff"):
        past_games.enter(night, host, chicago(people, 0, 1))
    assert past_games.enter(night, staff, chicago(people, 0, 1)).finished_at == night.closed_at
    at = night.created_at + timedelta(hours=1)
    assert past_games.enter(night, staff, chicago(people, 0, 1, at=at)).finished_at == at
    for wrong in (night.created_at - timedelta(minutes=1), night.closed_at + timedelta(minutes=1)):
        with refused("not_in_night"):
            past_games.enter(night, staff, chicago(people, 0, 1, at=wrong))


def test_what_cannot_be_a_result_is_refused_and_nothing_is_written(
    night: Night, host: Player, people: list[Player], make_player: Callable[[str], Player]
) -> None:
    stranger = make_player("Uli")
    points = PastLine
    for code, told in {
        "too_few_seats": chicago(people[:1], 1),
        "player_twice": chicago([people[0], people[0]], 0, 1),
        "no_such_player": chicago([people[0], stranger], 0, 1),
        "bad_points": chicago(people, 0, -1),
        "not_zero": PastGame("chouette", "money", [points(people[0].pk, 2), points(people[1].pk, -1)]),
        "no_such_game": PastGame("skat", "x", []),
        "no_such_preset": PastGame("chicago", "skat", []),
        "one_box": chouette(people, *[{"cube": "2"}] * 3),
        "bad_word": chouette(people, {"side": "box"}, {"cube": "3"}, {}),
    }.items():
        with refused(code):
            past_games.enter(night, host, told)
    with refused("bad_points"):
        past_games.enter(night, host, chicago(people, 0, 0))
    with refused("bad_word"):
        past_games.enter(
            night, host, PastGame("chicago", "bavarian", [PastLine(p.pk, words={"x": "y"}) for p in people])
        )
    with refused("not_inside"):
        past_games.enter(night, stranger, chicago(people, 0, 1))
    with refused("no_part"):
        past_games.enter(night, people[3], chicago(people, 0, 1))
    with refused("nickname_empty"):
        past_games.enter(night, host, PastGame("chicago", "bavarian", [points(host.pk, 0), points(None, 1, name=" ")]))
    assert not Result.objects.exists() and not Table.objects.exists()


def test_files_and_checks_know_that_there_is_no_log(night: Night, host: Player, people: list[Player]) -> None:
    table = past_games.enter(night, host, chicago(people, 0, 1)).table
    assert exports.table_names(table) == []
    with refused("no_such_file"):
        exports.table_file(table, "log.json")
    assert b"PK" in b"".join(exports.night_file(night, exports.EVERYTHING).parts)
    assert ",entered," in "".join(map(str, exports.night_file(night, exports.RESULTS).parts))
    out = StringIO()
    call_command("check_logs", stdout=out)
    assert "no fault" in out.getvalue()


def test_the_host_enters_a_past_game_on_a_page_and_strangers_do_not(
    night: Night, host: Player, people: list[Player], make_player: Callable[[str], Player]
) -> None:
    address = reverse("past_game", args=[night.public_id])
    page: Client = browser_of(host)
    assert page.get(f"{address}?game=chouette").status_code == 200
    typed = {"game": "chicago", "preset": "bavarian", "lines": "4"}
    typed |= {"who-0": str(people[0].pk), "points-0": "0", "who-1": str(people[1].pk), "points-1": "1"}
    wrong = page.post(address, {**typed, "points-1": "x"})
    assert wrong.status_code == 400 and not Result.objects.exists()
    assert 'id="line-1-error"' in wrong.content.decode()
    assert page.post(address, typed).status_code == 302
    shown = page.get(reverse("night_results", args=[night.public_id])).content.decode()
    assert "entered by Hanna" in shown
    table = Result.objects.get().table
    assert page.get(reverse("table", args=[table.public_id])).status_code == 302
    assert page.get(reverse("night", args=[night.public_id])).status_code == 200
    assert page.get(reverse("player", args=[people[1].pk])).status_code == 200
    assert browser_of(people[1]).get(address).status_code == 200
    assert browser_of(make_player("Uli")).get(address).status_code == 403


def test_a_program_enters_a_past_game(night: Night, host: Player, people: list[Player]) -> None:
    address = reverse("api_night_past_games", args=[night.public_id])
    lines = [{"player": people[0].pk, "said": {"side": "box"}}, {"player": people[1].pk, "said": {"cube": "4"}}]
    body = {"game": "chouette", "preset": "money", "lines": lines}
    answer = browser_of(host).post(address, json.dumps(body), content_type="application/json")
    assert answer.status_code == 201, answer.content
    assert [line["points"] for line in answer.json()["lines"]] == [4, -4]
    assert (answer.json()["reason"], answer.json()["by"]) == ("entered", "Hanna")
    bad = {**body, "lines": [{"player": people[0].pk}, {"player": people[1].pk}]}
    answer = browser_of(host).post(address, json.dumps(bad), content_type="application/json")
    assert answer.status_code == 400 and answer.json()["code"] == "one_box"
    assert answer.json()["message"] != "one_box"


@pytest.mark.parametrize(
    "at",
    ["0001-01-01T00:00", "0001-01-01T00:00+14:00", "9999-12-31T23:59", "9999-12-31T23:59-14:00", "2026-02-30T10:00"],
)
def test_a_time_at_an_end_of_the_calendar_is_refused_and_is_no_failure(
    night: Night, host: Player, people: list[Player], at: str
) -> None:
    kari, bruno = people[1].pk, people[2].pk
    body = {"game": "chicago", "preset": "bavarian", "at": at}
    lines = [{"player": kari, "points": 0}, {"player": bruno, "points": 1}]
    page, api = reverse("past_game", args=[night.public_id]), reverse("api_night_past_games", args=[night.public_id])
    browser = browser_of(host)
    typed = {"lines": "4", "who-0": kari, "points-0": "0", "who-1": bruno, "points-1": "1"}
    assert browser.post(page, body | typed).status_code == 400
    assert browser.post(api, json.dumps(body | {"lines": lines}), content_type="application/json").status_code == 400
    assert not Result.objects.exists()


USUAL = (("cube", "2"), ("winner", "box"), ("level", "1"))


@pytest.mark.parametrize(
    ("game", "medium", "kept"),
    [
        ("chouette", "", "wood"), ("chouette", "wood", "wood"), ("chouette", "typed", "typed"),
        ("chouette", "screen", "screen"), ("chicago", "", "typed"), ("chicago", "screen", "screen"),
    ],
)  # fmt: skip
def test_a_past_game_was_played_where_its_sheet_says(
    night: Night, host: Player, people: list[Player], game: str, medium: str, kept: str
) -> None:
    told = chicago(people, 0, 0, 1, medium=medium)
    if game == "chouette":
        told = replace(chouette(people[:3], {"side": "box"}, {}, {}), medium=medium)
    assert past_games.enter(night, host, told).medium == kept
    browser = browser_of(host)
    assert ("with real dice" in browser.get(f"/night/{night.public_id}/results/").content.decode()) == (kept == "typed")


def test_a_game_is_not_played_where_it_cannot_be(night: Night, host: Player, people: list[Player]) -> None:
    with refused("no_such_medium"):
        past_games.enter(night, host, chicago(people, 0, 0, 1, medium="wood"))


def test_the_form_asks_where_a_past_game_was_played(night: Night, host: Player, people: list[Player]) -> None:
    browser, address = browser_of(host), reverse("past_game", args=[night.public_id])
    assert '<option value="wood">on a real board</option>' in browser.get(f"{address}?game=chouette").content.decode()
    said = {"lines": "4"}
    said |= {f"who-{n}": str(player.pk) for n, player in enumerate(people[:3])}
    said |= {"game-box": "0", "game-winner": "team", "game-level": "1"}
    posted = {"game": "chouette", "preset": "german", "medium": "typed", **said}
    bad = browser.post(address, posted | {"medium": "beer"})
    assert bad.status_code == 400 and 'id="medium-error"' in bad.content.decode()
    assert browser.post(address, posted).status_code == 302
    assert Result.objects.get().medium == "typed"

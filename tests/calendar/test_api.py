"""Series and dates by the API: whoever has the link reads, people answer as themselves, organisers change."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from games.models import ApiToken, Player, Series, SeriesDate
from games.models.night import today
from games.services.calendar import all_series, answers
from games.services.calendar.answers import Said
from games.services.people import tokens
from tests.calendar.conftest import draft
from tests.seasons.world import account

pytestmark = pytest.mark.django_db


def program(player: Player | None) -> Client:
    """Return a program with a player's token, or with none."""
    if player is None:
        return Client()
    secret = tokens.create(player.user, "Script", ApiToken.Scope.PLAY)[1]
    return Client(headers={"Authorization": f"Bearer {secret}"})


def address(date: SeriesDate, act: str = "") -> str:
    act = f"{act}/" if act else ""
    return f"/api/v1/series/{date.series.key}/dates/{date.planned.isoformat()}/{act}"


def post(client: Client, where: str, **body: Any) -> tuple[int, Any]:
    answer = client.post(where, body, content_type="application/json")
    return answer.status_code, answer.json()


def test_who_has_the_link_reads_counts_and_names_are_for_those_who_see_them(olga: Player, date: SeriesDate) -> None:
    anna = account("Anna")
    answers.answer(date, anna, Said("yes", 2, "late"))
    stranger = program(None).get(address(date)).json()
    assert (stranger["people"], stranger["missing"], stranger["own"]) == (3, 2, None)
    assert stranger["answers"] == [{"name": "", "says": "yes", "extra": 2, "word": "", "waiting": False}]
    assert program(olga).get(address(date)).json()["answers"][0]["name"] == "Anna"
    own = program(anna).get(address(date)).json()
    assert own["own"] == {"says": "yes", "extra": 2, "word": "late", "waiting": False}
    assert own["answers"][0]["name"] == "Anna"
    assert program(None).get(f"/api/v1/series/{'x' * 22}/").json()["code"] == "no_such_series"


def act_at(client: Client, where: str, act: str, **args: Any) -> tuple[int, Any]:
    return post(client, f"{where}acts/", act=act, args=args)


def test_an_answer_is_given_as_oneself_and_changed(date: SeriesDate) -> None:
    anna = program(account("Anna"))
    assert act_at(anna, address(date), "answer", says="yes")[0] == 200
    assert act_at(anna, address(date), "answer", says="maybe", word="later")[0] == 200
    assert (anna.get(address(date)).json()["own"]["says"], date.answers.count()) == ("maybe", 1)
    assert act_at(program(None), address(date), "answer", says="yes")[0] == 401
    for wrong in ({"says": "perhaps"}, {"says": "yes", "extra": 10}, {"says": "yes", "extra": "1"}, {}):
        assert act_at(anna, address(date), "answer", **wrong)[0] == 400
    assert date.answers.get().says == "maybe"


def test_organisers_change_dates_and_nobody_else_does(olga: Player, date: SeriesDate) -> None:
    anna, organiser = program(account("Anna")), program(olga)
    moved = {"day": date.day.isoformat(), "start": "20:15", "place": "At the lake"}
    for act, args in (("cancel", {}), ("restore", {}), ("move", moved)):
        assert act_at(anna, address(date), act, **args)[0] == 403
    assert act_at(anna, address(date), "open")[0] == 403
    assert act_at(organiser, address(date), "move", **moved)[0] == 200
    told = organiser.get(address(date)).json()
    assert (told["starts_at"][11:16], told["place"]) == ("20:15", "At the lake")
    for act, is_cancelled in (("cancel", True), ("restore", False)):
        assert act_at(organiser, address(date), act)[0] == 200
        assert organiser.get(address(date)).json()["cancelled"] is is_cancelled
    assert act_at(organiser, address(date), "open")[0] == 409
    series = f"/api/v1/series/{date.series.key}/"
    day = (today() + timedelta(days=3)).isoformat()
    assert act_at(anna, series, "add", day=day)[0] == 403
    assert act_at(organiser, series, "add", day=day)[0] == 200
    assert act_at(organiser, series, "add", day=day)[1]["code"] == "date_twice"


def test_the_night_of_today_is_opened_once(olga: Player) -> None:
    club = all_series.create(olga, draft(first_day=today(), weekday=today().weekday()))
    date = club.dates.first()
    date.series = club
    nights = {act_at(program(olga), address(date), "open")[1]["made"] for _twice in range(2)}
    date.refresh_from_db()
    assert nights == {date.night.public_id}


def test_a_series_is_made_once_for_an_id_and_listed_for_its_people(olga: Player) -> None:
    client = program(olga)
    sent = {"name": "Fridays", "weekday": 4, "start": "19:30", "counts": "chouette:points", "id": "friday-1"}
    made = [post(client, "/api/v1/series/", **sent) for _twice in range(2)]
    assert [status for status, _told in made] == [201, 201]
    series = Series.objects.get()
    assert {told["key"] for _status, told in made} == {series.key}
    assert made[0][1]["season"] == series.seasons.get().public_id
    assert len(made[0][1]["dates"]) == 10
    assert [row["name"] for row in client.get("/api/v1/series/").json()["results"]] == ["Fridays"]
    assert program(account("Eve")).get("/api/v1/series/").json()["count"] == 0
    assert post(client, "/api/v1/series/", **{**sent, "id": "other", "weekday": 7})[0] == 400
    assert post(client, "/api/v1/series/", **{**sent, "id": "other", "start": "25:00"})[0] == 400
    assert Series.objects.count() == 1


def test_an_ended_series_is_gone(olga: Player, date: SeriesDate) -> None:
    all_series.end(date.series, olga)
    for where in (address(date), f"/api/v1/series/{date.series.key}/"):
        assert program(olga).get(where).status_code == 410

"""The changes of docs/changing-things.md at work: run in a copy of the sources where `changes` has planted them."""

# ruff: noqa: F401, F811 (fixtures)

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import plugin
from games.kernel.seasons.__main__ import answer
from games.models import Mail, Player, Season, ShareLink, Table
from games.models.night import today
from games.services.calendar import answers, dates
from games.services.calendar.answers import Said
from games.services.clock import clock
from games.services.sharing import links
from games.services.tables import setup
from games.services.webhooks import messages
from games.web.sharing import card, picture
from games.web.tables import tv_slides
from tests.conftest import choices_at
from tests.mails.conftest import anna, club, date, reader, send, server
from tests.seasons.test_pages import act, browser, page
from tests.seasons.world import FIRST, THURSDAYS, account, evening, guests, make, night_of, play, set_rules, totals
from tests.security.roles import roles

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga(db: None) -> Player:
    """An organiser with an account that gets mails."""
    return reader("Olga")


@pytest.fixture
def season(olga: Player) -> Season:
    """A season of two nights: Anna was at both."""
    found = make(olga)
    anna, bert = guests("Anna", "Bert")
    evening(olga, FIRST, {anna: 5, bert: -5})
    evening(olga, THURSDAYS[1], {anna: 2, olga: -2})
    return found


def named(name: str) -> Player:
    """Return a player by nickname."""
    return Player.objects.get(nickname=name)


def api(player: Player, path: str, **body: Any) -> Any:
    """Return the answer of the API to a player's page: to a GET, or with a body to a POST."""
    client = browser(player)
    address = f"/api/v1/{path}"
    return client.post(address, body, content_type="application/json") if body else client.get(address)


def test_an_act(olga: Player, season: Season) -> None:
    shown = act(olga, season, "greet", words="Welcome")
    assert "Everybody is greeted." in shown and "Greet everybody" in shown
    assert "An organiser greets everybody: Welcome" in page(olga, season)
    told = api(olga, f"seasons/{season.public_id}/acts/", act="greet", args={"words": "By program"})
    assert told.status_code == 200, told.content
    assert "greets everybody: By program" in page(olga, season)
    act(named("Anna"), season, "greet", words="Mine")
    assert "Mine" not in page(olga, season)
    assert "greet" in json.dumps(Client().get("/api/v1/schema/?format=json").json())
    assert "POST season_act/greet" in roles.rows().keys() & roles.expected("roles_pages.txt").keys()


def test_a_rule_of_a_season(olga: Player, season: Season) -> None:
    before = totals(season)
    set_rules(season, olga, welcome=3)
    assert totals(season) == {name: str(int(total) + 3) for name, total in before.items()}
    assert "Whoever came has 3 points more." in page(olga, season)
    assert 'name="o-welcome"' in browser(olga).get(reverse("season_rules", args=[season.public_id])).content.decode()
    night = {"id": "1", "rows": [{"player": "anna", "points": 1}]}
    told = answer(json.dumps({"rules": {"welcome": 3}, "nights": [night]}).encode())
    assert told["standings"][0]["total"] == "4"


def test_a_column_of_a_standing(olga: Player, season: Season) -> None:
    anna = named("Anna")
    shown = page(olga, season)
    assert ">Games</th>" in shown and "2 nights · 2 games" in shown
    assert shown.count('<td\n          class="num">2</td>') == 1
    file = browser(olga).get(reverse("season_csv", args=[season.public_id])).content.decode("utf-8-sig")
    head, first = list(csv.reader(io.StringIO(file)))[:2]
    assert dict(zip(head, first, strict=True)).items() >= {"Name": "Anna", "Games": "2", "Total": "7"}.items()
    assert api(olga, f"seasons/{season.public_id}/").json()["standing"][0]["games"] == 2
    links.open_season(season, olga)
    link = ShareLink.objects.get()
    assert Client().get(f"/api/v1/shared/{link.key}/").json()["rankings"][0]["rows"][0]["games"] == 2
    made = card.card_of(link)
    assert "1. a guest: 7 · 2 games" in card.as_text(made, "")
    assert made.tables[0].lines[0].drawn == "7 · 2 games" and picture.drawn(made, "")
    assert "2 nights · 2 games" in Client().get(reverse("shared", args=[link.key])).content.decode()
    assert messages._places(season)[0] == {"place": 1, "name": "a guest", "total": "7", "games": 2}
    night = night_of(olga, THURSDAYS[2], anna, close=False)
    play(night, {anna: 1, olga: -1})
    assert tv_slides.season_slides(night)[0].lines[0][1] == "8 · 3 games"
    described = json.dumps(Client().get("/api/v1/schema/?format=json").json()["components"]["schemas"])
    assert described.count('"games": {"type": "integer"') >= 2


def test_a_standing_that_was_closed_before_its_columns_grew_is_shown(olga: Player, season: Season) -> None:
    act(olga, season, "close")
    season.refresh_from_db()
    for row in season.frozen["rows"]:
        del row["games"]
    season.save()
    assert ">Games</th>" in page(olga, season)
    assert api(olga, f"seasons/{season.public_id}/").json()["standing"][0]["games"] == 0


def test_a_page(olga: Player, season: Season) -> None:
    seasons_old = reverse("seasons_old")
    assert season.name not in browser(olga).get(seasons_old).content.decode()
    act(olga, season, "close")
    assert season.name in browser(olga).get(seasons_old).content.decode()
    assert "GET seasons_old" in roles.rows().keys() & roles.expected("roles_pages.txt").keys()


def test_a_mail(server: Any, olga: Player, date: Any, anna: Player) -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
    answers.answer(date, anna, Said("yes"))
    date.day, date.minutes = today(), 24 * 60  # It goes on at whatever time of day this test runs.
    date.save()
    dates.open_night(date, olga, "127.0.0.1")
    assert Mail.objects.get(kind="opened").player == anna
    send(timezone.now())
    # What else is due depends on the time of day.
    (mail,) = (each for each in server.got if "the night is open" in str(each["Subject"]))
    assert "Come in." in mail.get_content()


def test_a_house_rule(open_table: Any, night: Any, host: Player) -> None:
    table: Table = open_table("chicago", "bavarian", hurry=True)
    setup.start(table, host, "start")
    assert {choice.seconds for choice in choices_at(table) if choice.required} == {10}
    form = browser(host).get(reverse("new_table", args=[night.public_id]) + "?game=chicago").content.decode()
    assert 'name="o-hurry"' in form


def test_a_bot(open_table: Any, host: Player) -> None:
    table: Table = open_table("chicago", "bavarian", seats=1, rounds=1)
    for level in ("dozing", "dozing"):
        setup.add_bot(table, host, level)
    setup.start(table, host, "start")
    while clock.run_due():
        pass
    assert {seat.bot_level for seat in table.seats.all()} >= {"dozing"}
    assert "Dozing" in [str(label) for label in plugin.game("chicago").bot_levels.values()]


def test_a_language(olga: Player) -> None:
    client = browser(olga)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "sv"
    shown = client.get(reverse("seasons")).content.decode()
    assert "Ny: " in shown
    assert '<html lang="sv"' in shown
    assert "Svenska" in client.get(reverse("me")).content.decode()
    assert "Rundor" not in client.get(reverse("rules", args=["chicago"])).content.decode()

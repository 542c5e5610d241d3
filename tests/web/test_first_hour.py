"""What stands in front in the first hour: few controls, the rest behind one fold of the page, nothing taken away."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games import plugin
from games.models import Night, Player, Table
from games.models.night import today
from games.services import house
from games.services.house import HouseDescription
from games.services.nights import membership
from games.services.tables import setup
from games.services.tournaments import formats, tournaments
from tests.seasons.test_pages import browser
from tests.seasons.world import account, make
from tests.web.controls import seen
from tests.web.pages import browser_of, night_page, page_of, read

pytestmark = pytest.mark.django_db
MOST = 12
"""The most controls that are seen without a tap on the pages of a first evening."""


@pytest.fixture(autouse=True)
def _two_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the house have the games that it comes with."""
    games = {name: game for name, game in plugin.all_games().items() if name in ("chouette", "chicago")}
    monkeypatch.setattr(plugin, "all_games", lambda: games)


@pytest.fixture
def hanna(db: None) -> Player:
    """A host with an account."""
    return account("Hanna")


@pytest.fixture
def night(hanna: Player) -> Night:
    return membership.host_night(hanna, "Thursday")


def page(client: Client, where: str) -> str:
    answer = client.get(where)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_fresh_night_shows_its_host_twelve_controls_at_most_and_the_rest_behind_one_fold(
    hanna: Player, night: Night
) -> None:
    html = page(browser(hanna), night_page(night))
    found = seen(html)
    assert len(found.controls) <= MOST, found.controls
    assert [each for each in found.controls if each == "summary"] == ["summary"], "one fold"
    kept = ("lock", "rotate", "tv-link", "admission", "newcomers", "wifi", "screens", "for-programs", "close-night")
    assert [each for each in kept if read(html).by_id(each) is None] == []
    assert all(reverse(name, args=[night.public_id]) in html for name in ("tournament_new", "night_webhooks"))
    assert reverse("series_new") in html


@pytest.mark.parametrize("game", ["chouette", "chicago"])
def test_the_form_of_a_table_and_its_waiting_room_show_twelve_controls_at_most(
    hanna: Player, night: Night, game: str
) -> None:
    client, form = browser(hanna), reverse("new_table", args=[night.public_id])
    found = seen(page(client, f"{form}?game={game}"))
    assert len(found.controls) <= MOST, found.controls
    preset = plugin.all_games()[game].options.presets[0].id
    client.post(form, {"game": game, "preset": preset, "sit": "on"})
    html = page(client, page_of(Table.objects.get()))
    assert len(seen(html).controls) <= MOST, seen(html).controls
    assert read(html).by_id("person-name") is not None


def test_ones_own_page_shows_twelve_controls_at_most_to_guests_and_accounts(hanna: Player, night: Night) -> None:
    for client in (browser(hanna), Client(), browser_of()):
        found = seen(page(client, reverse("me")))
        assert len(found.controls) <= MOST, found.controls
    html = page(browser(hanna), reverse("me"))
    assert all(reverse(name) in html for name in ("my_tokens", "my_data", "usersessions_list", "account_email"))


def test_a_series_takes_four_fields_and_the_place(hanna: Player) -> None:
    names = {each.split()[2] for each in seen(page(browser(hanna), reverse("series_new"))).fields}
    assert names == {"name", "weekday", "start", "counts", "place"}


def test_a_new_tournament_offers_three_formats_in_front_and_the_others_behind_a_fold(
    hanna: Player, night: Night
) -> None:
    form = reverse("tournament_new", args=[night.public_id])
    html = page(browser(hanna), form)
    assert len([each for each in seen(html).controls if "?kind=" in each]) == 3
    assert all(f"?kind={kind.id}" in html for kind in formats.KINDS)
    chosen = page(browser(hanna), f"{form}?kind=swiss")
    assert any(each.endswith("?kind=swiss") for each in seen(chosen).controls), "the chosen one is seen"


def test_how_proposals_are_confirmed_is_asked_in_three_lists_and_the_others_behind_a_fold(
    hanna: Player, night: Night
) -> None:
    made = tournaments.make(
        night, hanna, tournaments.TournamentDraft("Cup", "chouette", "", formats.ChosenFormat("open_end", 3, 240))
    )
    html = page(browser(hanna), reverse("tournament", args=[made.public_id]))
    part = html[html.index('name="mode-') :]
    part = part[: part.index("</form>")]
    assert part[: part.index("<details")].count("<select") + 1 == 3
    assert html.count('name="mode-') == 10


def test_a_season_stands_in_table_join_rules_and_one_fold(hanna: Player) -> None:
    season = make(hanna, first_day=today(), last_day=today())
    html = page(browser(hanna), reverse("season", args=[season.public_id]))
    assert len(seen(html).cards) == 3, "join, rules, manage beside the table"
    assert read(html).by_id("season-standing") and read(html).by_id("season-close")


# A first evening leads itself.


@pytest.fixture
def chief(db: None) -> Client:
    """The browser of the admin of a new house."""
    client = Client()
    client.force_login(User.objects.create_superuser("chief", password="a-good-one-1"))
    return client


def test_a_first_evening_is_three_steps_on_one_page_each_gone_when_done(chief: Client) -> None:
    where = reverse("house")
    assert where in page(chief, "/")
    html = page(chief, where)
    assert read(html).by_id("step-house") is not None and read(html).by_id("step-invite") is None
    assert chief.post(where, {"name": "Silver Calf"})["Location"] == where
    html = page(chief, where)
    assert read(html).by_id("step-house") is None and read(html).by_id("step-invite") is not None
    assert chief.post(where, {"step": "night", "name": "Opening", "nickname": "Hanna"})["Location"] == where
    html, night = page(chief, where), Night.objects.get()
    assert night.code in html and read(html).by_id("step-table") is not None
    membership.join(night, Player.objects.create(nickname="Anna"))
    assert read(page(chief, where)).by_id("step-invite") is None, "somebody has come"
    answer = chief.post(where, {"step": "table", "game": "chouette"})
    table = Table.objects.get()
    assert (answer["Location"], table.seats.count()) == (page_of(table), 1)
    assert read(page(chief, where)).by_id("step-table") is None
    assert where not in page(chief, "/"), "nothing is left"


def test_a_step_that_is_refused_says_why_and_nothing_else_is_reached_by_it(chief: Client) -> None:
    where = reverse("house")
    chief.post(where, {"step": "night", "name": "Opening", "nickname": "Hanna"})
    assert not Night.objects.exists(), "the house is named first"
    house.answer(HouseDescription(name="Calf"), User.objects.get())
    refused = chief.post(where, {"step": "table", "game": "chouette"}, follow=True)
    assert refused.status_code in (200, 403) and not Table.objects.exists()
    told = chief.post(where, {"step": "night", "name": " ", "nickname": "H"}, follow=True).content.decode()
    assert "Give the night a name" in told and not Night.objects.exists()
    assert chief.post(where, {"step": "table", "game": "nothing"}, follow=True).status_code in (200, 403, 404)


def test_a_house_with_a_table_has_no_first_evening(chief: Client, hanna: Player, night: Night) -> None:
    setup.open_table(night, hanna, "chicago", "classic", {})
    assert "step-" not in page(chief, reverse("house"))

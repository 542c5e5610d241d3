"""A past game is told in the form of its game: the rules decide its points, as at a table (docs/host.md)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games import plugin
from games.kernel.contract import Illegal, JsonObject
from games.kernel.figures import told_games
from games.models import Night, Player, Result
from games.services.history import past_games
from games.services.history.past_games import PastGame, PastLine
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(host: Player, guest: Callable[..., Player]) -> list[Player]:
    """Four members of the night, the host first."""
    return [host, *(guest(name) for name in ("Kari", "Bruno", "Anna"))]


def sent(people: list[Player], game: str, preset: str, **more: object) -> dict[str, Any]:
    who = {f"who-{n}": str(player.pk) for n, player in enumerate(people)}
    return {"game": game, "preset": preset, "lines": str(len(people)), "form_id": "told-1", **who, **more}


def enter(night: Night, form: dict[str, Any], host: Player) -> Any:
    return browser_of(host).post(f"/night/{night.public_id}/past-game/?game={form['game']}", form)


def points() -> dict[str, int]:
    return {line.name: line.points for line in Result.objects.get().lines.all()}


def test_a_chouette_is_entered_by_box_winner_level_and_cubes(night: Night, host: Player, people: list[Player]) -> None:
    told = {"game-box": "1", "game-winner": "team", "game-level": "1", "seat-cube-2": "4", "seat-winner-3": "box"}
    assert enter(night, sent(people, "chouette", "german", **told), host).status_code == 302
    assert points() == {"Hanna": 1, "Kari": -1 - 4 + 1, "Bruno": 4, "Anna": -1}


def test_a_gap_between_the_lines_leaves_everybody_who_they_are(
    night: Night, host: Player, people: list[Player]
) -> None:
    form = sent(people, "chouette", "german", lines="5", **{"game-box": "4", "game-winner": "box", "game-level": "2"})
    form |= {"who-1": "", "who-4": str(people[1].pk), "seat-cube-3": "2"}
    assert enter(night, form, host).status_code == 302
    # By the Jacoby rule a gammon counts on a turned cube alone.
    assert points() == {"Hanna": -1, "Kari": 1 + 1 + 4, "Bruno": -1, "Anna": -4}


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"game-winner": "team", "game-level": "1"}, "Box"),
        ({"game-box": "1", "game-winner": "nobody", "game-level": "1"}, "Winner"),
        ({"game-box": "7", "game-winner": "team", "game-level": "1"}, "Box"),
        ({"game-box": "1", "game-winner": "team", "game-level": "1", "seat-cube-2": "3"}, "Cube"),
    ],
)
def test_what_is_missing_is_said_by_its_label_and_nothing_typed_is_lost(
    night: Night, host: Player, people: list[Player], told: dict[str, str], said: str
) -> None:
    answer = enter(night, sent(people, "chouette", "german", **told), host)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert f"“{said}”" in page
    assert '<option value="team" selected>' in page or told["game-winner"] == "nobody"
    assert not Result.objects.exists()


def test_rounds_of_chicago_give_its_points(night: Night, host: Player, people: list[Player]) -> None:
    rounds = {"round-low-0": "1", "round-low-1": "2", "round-chicks-1": ["0", "3"], "round-low-2": "1"}
    form = sent(people, "chicago", "classic", told="yes", **rounds, **{"round-end-2": "yes"})
    assert enter(night, form, host).status_code == 302
    assert points() == {"Hanna": 0, "Kari": 2, "Bruno": 1, "Anna": 0}


def test_a_game_of_chicago_that_is_not_over_is_refused(night: Night, host: Player, people: list[Player]) -> None:
    answer = enter(night, sent(people, "chicago", "classic", told="yes", **{"round-low-0": "1"}), host)
    assert "A past game is over: say how it ended." in answer.content.decode()
    assert not Result.objects.exists()


def test_chicago_is_entered_by_its_points_as_ever(night: Night, host: Player, people: list[Player]) -> None:
    form = sent(people, "chicago", "bavarian", **{f"points-{n}": str(int(n == 2)) for n in range(4)})
    assert enter(night, form, host).status_code == 302
    assert points() == {"Hanna": 0, "Kari": 0, "Bruno": 1, "Anna": 0}


def test_the_page_offers_the_form_of_the_game(night: Night, host: Player, people: list[Player]) -> None:
    browser = browser_of(host)
    page = browser.get(f"/night/{night.public_id}/past-game/?game=chouette").content.decode()
    assert all(f'name="{name}"' in page for name in ("game-box", "game-winner", "seat-cube-0", "seat-winner-3"))
    page = browser.get(f"/night/{night.public_id}/past-game/?game=chicago").content.decode()
    assert 'name="points-0"' in page and "told=yes" in page
    page = browser.get(f"/night/{night.public_id}/past-game/?game=chicago&told=yes").content.decode()
    assert 'name="round-low-0"' in page and 'name="points-0"' not in page


def test_another_variant_has_other_fields_and_points_are_told_while_it_is_filled_in(people: list[Player]) -> None:
    form = sent(people[:2], "chouette", "money", **{"game-box": "0", "game-winner": "team", "game-level": "1"})
    page = Client().post("/past-game/points/", {**form, "game-cube": "8"}).content.decode()
    assert 'name="game-cube"' in page and 'name="seat-cube-0"' not in page
    assert '<output id="past-points-1" class="num" hx-swap-oob="true"\n  >8</output>' in page
    assert "Hanna" not in page, "nobody learns a name by an id"


@pytest.mark.parametrize("seed", range(6))
def test_the_points_of_a_past_game_are_those_of_a_table_by_the_same_rules(
    night: Night, host: Player, people: list[Player], seed: int
) -> None:
    rng = random.Random(seed)
    game = plugin.game("chouette")
    preset = rng.choice(["german", "club", "last_man_standing"])
    seats = {str(n): {"cube": str(2 ** rng.randrange(4))} for n in range(1, 4) if rng.random() < 0.7}
    told: JsonObject = {"game": {"box": 0, "winner": rng.choice(["box", "team"]), "level": rng.choice("123")}}
    told["seats"] = seats
    lines = [PastLine(player.pk) for player in people]
    past_games.enter(night, host, PastGame("chouette", preset, lines, told=told))
    found = game.told_form(game.options.values(preset))
    assert found is not None
    assert [points()[player.nickname] for player in people] == told_games.points(game.rules, found[1], 4, told)
    assert sum(points().values()) == 0


@pytest.mark.parametrize("told", [{}, [], {"game": {}}, {"game": {"box": 0}, "seats": {"9": {}}}, {"rounds": []}])
def test_what_keeps_no_form_is_refused(night: Night, host: Player, people: list[Player], told: Any) -> None:
    with pytest.raises(Illegal, match="bad_form"):
        past_games.enter(night, host, PastGame("chouette", "german", [PastLine(p.pk) for p in people], told=told))

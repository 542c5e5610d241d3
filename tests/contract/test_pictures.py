"""Pictures of a table: well-formed, made of shapes and words alone, and nobody's secrets in them."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

from games import plugin
from games.kernel import simulate
from games.kernel.pictures import checking
from games.kernel.pictures.svg import Drawing, shortened
from tests.seeds import first_seed

GAMES = [game for game in plugin.all_games().values() if game.rules.picture is not None]
EVIL = ['<script>alert("1")</script>', "&amp;\x00\x1b]]>", "Ωλ 🤖 Åse", "", *[f"Gast {i}" for i in range(20)]]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.label)
@pytest.mark.parametrize("seed", range(first_seed(), first_seed() + 3))
def test_a_picture_of_any_state_is_well_formed_and_tells_what_a_spectator_sees(game, seed):
    rng = random.Random(seed)
    preset = rng.choice(game.options.presets)
    seats = rng.choice(preset.seats)
    rules, draw = game.rules, game.rules.picture
    for step in simulate.play(rules, game.options.values(preset.id), seats, rng, limit=120, house=True):
        view = rules.view(step.state, None)
        svg = draw(view, EVIL)
        assert list(checking.faults(svg)) == []
        other = rules.resample(step.state, None, rng)
        assert draw(rules.view(other, None), EVIL) == svg, "a picture tells what a spectator cannot know"


def test_names_of_people_are_words_in_a_picture_and_no_elements():
    drawing = Drawing()
    drawing.words(0, 0, 20, EVIL[0])
    drawing.words(0, 0, 20, EVIL[1])
    texts = [element.text for element in ElementTree.fromstring(drawing.svg()).iter() if element.tag.endswith("text")]
    assert texts == [EVIL[0], "&amp;]]>"]


@pytest.mark.parametrize(
    "offence",
    [
        "<script/>",
        '<rect onclick="x"/>',
        '<rect style="fill:red"/>',
        '<a href="https://example.org"/>',
        '<image width="1"/>',
        "<foreignObject/>",
        "<rect>",
    ],
)
def test_what_a_page_could_not_hold_as_it_is_is_found(offence):
    svg = Drawing().svg()
    assert list(checking.faults(svg)) == []
    assert list(checking.faults(svg.replace(" />", f">{offence}</svg>")))


def test_a_long_name_is_cut_to_the_room_of_its_line():
    assert shortened("Ada", 20, 200) == "Ada"
    assert shortened("Brunhilde-Margarete", 20, 100) == "Brunhil…"

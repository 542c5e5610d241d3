"""What Chicago tells the house agrees with what its rules do."""

import re
from pathlib import Path

import chicago.rules
from chicago import rules
from chicago.figures import figures
from chicago.rules.ending import STATS
from games.kernel import contract
from games.kernel.options import OptionSet
from games.plugin import game

GAME = Path(chicago.rules.__file__).parents[1]
KERNEL = set(re.findall(r'Illegal\("(\w+)"', Path(contract.__file__).read_text()))


def test_every_code_that_the_game_raises_has_a_message():
    source = "".join(path.read_text() for path in GAME.rglob("*.py"))
    raised = set(re.findall(r'Illegal\("(\w+)"', source)) - KERNEL
    assert raised and raised <= set(game("chicago").messages)


def test_every_contradiction_of_the_house_rules_has_a_message():
    assert {e.code for e in chicago.rules.options().exclusions} <= set(game("chicago").messages)


def test_every_figure_of_an_outcome_has_a_label():
    found = figures(rules.options().values("classic"), 2, [])
    assert set(game("chicago").stat_labels) == {*STATS, *found[0]}


def test_the_registry_finds_the_rules_and_the_bots():
    config = game("chicago")
    assert config.rules is chicago.rules and isinstance(config.options, OptionSet)
    assert config.element == "chicago-table" and config.lower_is_better
    assert (config.min_seats, config.max_seats) == (2, 12)
    assert set(config.bot_levels) == {"easy", "medium", "strong"}

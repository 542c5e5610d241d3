"""What Chicago tells the house agrees with what its rules do."""

import re
from pathlib import Path

from chicago.figures import figures
from chicago.odds.exact import beat_chance
from chicago.rules import rules
from chicago.rules.game.ending import STATS
from games.kernel import contract
from games.kernel.options import OptionSet
from games.plugin import game
from games.refusals import REFUSALS
from tests.chicago.table import Table

GAME = Path(__file__).parents[2] / "chicago"
KERNEL = set(re.findall(r'Illegal\("(\w+)"', Path(contract.__file__).read_text()))


def test_every_code_that_the_game_raises_has_a_message():
    source = "".join(path.read_text() for path in GAME.rglob("*.py"))
    raised = set(re.findall(r'Illegal\("(\w+)"', source)) - KERNEL
    assert raised and raised <= {*game("chicago").messages, *REFUSALS}


def test_every_contradiction_of_the_house_rules_has_a_message():
    assert {e.code for e in rules.options().exclusions} <= set(game("chicago").messages)


def test_every_figure_of_an_outcome_has_a_label():
    found = figures(rules.options().values("classic"), 2, [])
    assert set(game("chicago").stat_labels) == {*STATS, *found[0]}


def test_the_registry_finds_the_rules_and_the_bots():
    config = game("chicago")
    assert config.rules is rules and isinstance(config.options, OptionSet)
    assert config.element == "chicago-table" and config.lower_is_better
    assert (config.min_seats, config.max_seats) == (2, 12)
    assert set(config.bot_levels) == {"easy", "medium", "strong"}


def test_in_bavarian_phase_2_luck_counts_what_beats_the_high():
    t = Table("bavarian", 3)
    for low in (0, 0, 1, 2):
        t.settle(high=(low + 1) % 3, low=low)
    assert t.view["phase"] == "playing_off"
    before = figures(t.options, 3, t.log)
    t.round((1, 2, 3), (1, 2, 2), (1, 2, 3))
    after = figures(t.options, 3, t.log)
    promised = [beat_chance(t.options, 1, 105), beat_chance(t.options, 1, 105)]
    found = [after[seat]["luck"] - before[seat]["luck"] for seat in (1, 2)]
    assert all(abs(f + 100 * float(p)) <= 1 for f, p in zip(found, promised, strict=True)), "neither was high"


def test_newcomers_have_luck_too():
    t = Table("classic", 2)
    t.house("join", seat=2)
    t.round((2, 2, 3), (1, 2, 2), (1, 1, 2))
    assert figures(t.options, 2, t.log)[2]["luck"] > 0

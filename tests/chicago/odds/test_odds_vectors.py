"""The odds against tables made by another program (tests/chicago/vectors).

Left out: `conv=free` (turning after the last throw too) and `pool=table` (sixes laid out
before count as well) are games that no house rule of ours describes.
"""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from chicago.odds.exact import beat_chance, three_ones
from chicago.rules.options.declaration import OPTIONS

VECTORS = Path(__file__).parents[1] / "vectors"
RETURN = {"no": "off", "third": "third"}
CONV = {"none": "off", "first": "first_throw", "any": "same_throw"}
TRIPLE = {"pair": "free", "two_ones": "forced"}
MODES = {
    "bavarian_high": {"chick": "one_throw", "fish": "equal"},
    "classic_high_100_60": {"chick": "any", "fish": "by_sum"},
}


def load(name):
    return json.loads((VECTORS / f"chicago_{name}.json").read_text())


def changes_of(variant):
    """Return our house rules for a variant key, None for a game that they do not describe."""
    keys = dict(part.split("=") for part in variant.split(";"))
    if keys["conv"] not in CONV or keys["pool"] != "same":
        return None
    return {
        "keep": "any",
        "free_return": RETURN[keys["return"]],
        "sixes_turn": CONV[keys["conv"]],
        "three_sixes": TRIPLE[keys["triple"]],
        "followers": keys["throws"],
    }


def tables():
    return list(_tables())


def _tables():
    for mode, worth in MODES.items():
        for variant, table in load(mode)["tables"].items():
            changes = changes_of(variant)
            if changes is not None:
                options = OPTIONS.values("classic", {**changes, **worth})
                yield pytest.param(options, table, id=f"{mode};{variant}")


def is_another_game(options, target):
    """Three ones are beaten only by a Chick, and the reference lets 6-6-6 go back for it.

    There turning three sixes into two ones is a choice; here `three_sixes = forced` leaves
    none (docs/rules-chicago.md §2), and with two ones out no Chick in one throw can come.
    """
    forced = options["three_sixes"] == "forced" and options["chick"] == "one_throw"
    return forced and target == "300"


@pytest.mark.parametrize(("options", "table"), tables())
def test_a_followers_best_chance_is_that_of_the_reference_table(options, table):
    for throws, chances in table.items():
        for target, (exact, _) in chances.items():
            if throws != "1" and is_another_game(options, target):
                continue
            assert beat_chance(options, int(throws), int(target)) == Fraction(exact), target


@pytest.mark.parametrize(("options", "table"), tables())
def test_where_three_sixes_may_go_back_three_ones_are_beaten_as_in_the_reference(options, table):
    free = {**options, "three_sixes": "free"}
    for throws, chances in table.items():
        if throws == "1" or not is_another_game(options, "300"):
            continue
        exact = Fraction(chances["300"][0])
        assert beat_chance(free, int(throws), 300) == exact
        assert beat_chance(options, int(throws), 300) < exact


def ours():
    return [row for row in load("three_ones")["rows"] if changes_of(row["variant"])]


@pytest.mark.parametrize("row", ours(), ids=lambda row: f"{row['variant']};{row['throws']}")
def test_three_ones_come_as_often_as_in_the_reference(row):
    options = OPTIONS.values("bavarian", changes_of(row["variant"]))
    assert three_ones(options, row["throws"]) == Fraction(row["p"])

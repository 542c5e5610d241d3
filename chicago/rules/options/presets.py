"""The variants as presets over the options (docs/rules-chicago.md §4), and contradictions."""

from __future__ import annotations

from chicago.rules.options.game import MATS_IN_PLAY
from games.kernel.options import Exclusion, Preset
from games.kernel.text import gettext_noop as _

_STRICT_TURN = {
    "sixes_turn": "same_throw",
    "three_sixes": "forced",
    "chick": "one_throw",
}

_BAVARIAN = {
    **_STRICT_TURN,
    "keep": "ones_and_sixes",
    "valuation": "fixed",
    "followers": "exactly",
    "mats": "n_plus_1",
    "playing_off": "discard",
}

PRESETS = (
    Preset(
        "classic",
        _("Classic"),
        _("The starter declares what counts, everybody must beat what stands, and the low pays the round."),
        {"sixes_turn": "first_throw"},
        (2, 12),
    ),
    Preset(
        "bavarian",
        _("Bavarian"),
        _(
            "The low of each round takes a beer mat; then the high of each round gets rid of one. "
            "The last player with mats pays the round."
        ),
        _BAVARIAN,
        (2, 12),
    ),
    Preset(
        "mats",
        _("Bavarian with cup and mats"),
        _(
            "Cup, dice and beer mats are on the table: you enter what is announced, “123 in two”, and the server "
            "keeps what stands, who starts, the mats and who pays."
        ),
        {**_BAVARIAN, "dice": "typed", "entry": "result", "turn_seconds": 0},
        (2, 12),
    ),
    Preset(
        "tschigg",
        _("Tschigg"),
        _(
            "The Swiss game: the starter declares what counts, and in the second phase the best "
            "gives a beer mat to the worst."
        ),
        {**_STRICT_TURN, "mats": "two_n_minus_1", "playing_off": "give"},
        (2, 12),
    ),
    Preset(
        "forfeits",
        _("Forfeits"),
        _("A party game for neutral forfeits: triples name the loser, a Chick hits everybody else."),
        {"valuation": "fixed", "forfeits": True},
        (3, 8),
    ),
)

EXCLUSIONS = (
    Exclusion(
        {"forfeits": (True,), "mats": MATS_IN_PLAY},
        "forfeits",
        "forfeits_with_mats",
        _("A game is played for beer mats or for forfeits, not for both."),
    ),
)

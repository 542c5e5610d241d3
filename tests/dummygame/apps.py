"""A third game for the tests, installed by one line in tests/settings.py."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.plugin import GameConfig


class DummyGameConfig(GameConfig):
    """Sealed bids: everybody bids a number in secret, the best unique one takes a point."""

    name = "tests.dummygame"
    label = "dummygame"
    contract = 4
    lasting = ("options", "last")
    verbose_name = title = _("Sealed Bids")
    tagline = _("Everybody bids in secret; the best number that nobody shares wins.")
    bots_module = "tests.dummygame.bots"
    bot_levels = {"low": _("bids low"), "wild": _("bids anything")}
    min_seats = 2
    max_seats = 4
    units = {"points": _("points")}
    stat_labels = {"rounds_won": _("Rounds won"), "bid_sum": _("Sum of bids")}
    messages = {
        "bids_are_out": _("Wait until the bids that were made are opened."),
        "not_open_ended": _("This game ends by itself."),
    }

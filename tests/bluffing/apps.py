"""A game for the tests whose dice are always hidden, installed by one line in tests/settings.py."""

from django.utils.translation import gettext_lazy as _

from games.plugin import GameConfig


class BluffingConfig(GameConfig):
    """Two dice under a cup: who throws announces what lies there, and the next one believes it or not."""

    name = "tests.bluffing"
    label = "bluffing"
    contract = 4
    verbose_name = title = _("Bluffing Dice")
    tagline = _("Two dice under a cup: believe what is announced, or lift it.")
    bot_levels = {"plain": _("guesses")}
    max_seats = 4
    units = {"points": _("points")}

"""Chicago as an app of the suite: its declaration, without its rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.game_texts import texts_of
from games.plugin import GameConfig, Text


class ChicagoConfig(GameConfig):
    """The three-dice game Chicago and its variants."""

    name = "chicago"
    label = "chicago"
    lasting = ("options",)
    verbose_name = "Chicago"
    title = _("Chicago")
    tagline = _("Three dice, a cup and beer mats: who pays the round?")
    bots_module = "chicago.bots"
    bot_levels = {"easy": _("Easy"), "medium": _("Medium"), "strong": _("Strong")}
    demo = ("bavarian", "bavarian")
    joining_label = _("Join the table")
    adults_option = "adults_only"
    own_acceptance = "forfeits"
    min_seats = 2
    max_seats = 12
    units = {"rounds": _("Rounds paid"), "forfeits": _("Forfeits")}
    lower_is_better = True
    figures_module = "chicago.figures"
    odds_module = "chicago.odds.described"
    odds_labels = {
        "chick": _("a Chick in the first throw"),
        "one": _("at least one 1 in one throw"),
        "fish": _("a Fish in one throw"),
        "three_ones": _("three ones, playing for nothing else"),
        "beat": _("a follower's best chance to end above a result"),
    }
    stat_labels = {
        "mats": _("Beer mats taken"),
        "rounds_paid": _("Rounds paid"),
        "chicks": _("Chicks"),
        "fish": _("Fish"),
        "throws": _("Throws"),
        "forfeits": _("Forfeits"),
        "side_forfeits": _("Side forfeits"),
        "left": _("Left the game"),
        "luck": _("Luck, in percent points"),
    }
    messages = {
        "game_over": _("The game is over."),
        "throw_on": _("You can't stop yet: throw on."),
        "no_throw_left": _("You have no throw left."),
        "vote_first": _("A breach has been called: the vote comes first."),
        "not_between_rounds": _("An open-ended game can only be closed between two rounds."),
        "forfeits_with_mats": _("A game is played for beer mats or for forfeits, not for both."),
    }
    rules_template = "chicago/rules.html"

    def unit_label(self, unit: str, options: Mapping[str, Any]) -> Text:
        """Return what results count in: forfeits by the name that the house gives them."""
        name = options.get("forfeit_name")
        if unit != "forfeits" or not name:
            return super().unit_label(unit, options)
        with texts_of(self):
            return gettext("Forfeits: %(forfeit)s") % {"forfeit": gettext(name) if name == "a point" else name}

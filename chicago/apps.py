"""Chicago as an app of the suite: its declaration, without its rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.game_texts import texts_of
from games.kernel.contract import BEFORE_HOUSE_DICE
from games.plugin import GameConfig, Practice, Text


class ChicagoConfig(GameConfig):
    """The three-dice game Chicago and its variants."""

    name = "chicago"
    label = "chicago"
    contract = 4
    lasting = ("options",)
    verbose_name = "Chicago"
    title = _("Chicago")
    tagline = _("Three dice, a cup and beer mats: who pays the round?")
    bots_module = "chicago.bots"
    bot_levels = {"easy": _("Easy"), "medium": _("Medium"), "strong": _("Strong")}
    demo = ("bavarian", "bavarian", "mats")
    practice = (
        Practice("bavarian", _("Bavarian, with three bots"), "bavarian", {}, 3),
        Practice("classic", _("Classic, with three bots"), "classic", {}, 3),
        Practice("tschigg", _("Tschigg, with three bots"), "tschigg", {}, 3),
        Practice("two", _("Bavarian, one bot"), "bavarian", {}, 1),
    )
    joining_label = _("Join the table")
    adults_option = "adults_only"
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
    rolls_module = "chicago.rolls"
    grading_module = "chicago.grading"
    entered_under = {"dice": "typed", "entry": "result"}
    entered_events = ("result_entered",)
    rate_labels = {
        "chick": _("Three ones in one throw"),
        "fish": _("No 1 and no 6 in one throw (a Fish)"),
        "triple": _("Three of a kind in one throw"),
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
        "luck_typed": _("Luck with typed dice, in percent points"),
    }
    paper_figures = {"mats": _("Mats"), "forfeits": _("Forfeits")}
    messages = {
        "game_over": _("The game is over."),
        "throw_on": _("You can't stop yet: throw on."),
        "type_first": _("Dice are thrown: first it is typed what fell."),
        "no_throw_left": _("You have no throw left."),
        "result_throws": _("In how many throws? At most %(throws)s, or exactly so many where the house rules say so."),
        "result_value": _("Three dice cannot come to that in so many throws under these house rules."),
        "nothing_to_take_back": _("There is no turn to take back."),
        BEFORE_HOUSE_DICE: _("The house has thrown since: what came before its dice stands."),
        "round_after_end": _("Round %(round)s would come after the end of the game."),
        "bad_round": _("Round %(round)s can't have ended so under these rules: its high, its low or its Chicks."),
        "other_mats": _("By the rules of this table the mats of round %(round)s move in another way."),
        "other_bavarian_mats": pgettext_lazy(
            "Bavarian", "By the rules of this table the mats of round %(round)s move in another way."
        ),
        "other_end": _("By the rules of this table round %(round)s ends the game, or does not, other than told."),
        "vote_first": _("A breach has been called: the vote comes first."),
        "not_between_rounds": _("An open-ended game can only be closed between two rounds."),
        "forfeits_with_mats": _("A game is played for beer mats or for forfeits, not for both."),
    }
    rules_template = "chicago/rules.html"

    def unit_of(self, options: Mapping[str, Any]) -> str:
        """Return forfeits if the game is played for them, else rounds."""
        return "forfeits" if options["forfeits"] else "rounds"

    def unit_label(self, unit: str, options: Mapping[str, Any]) -> Text:
        """Return the unit of results: forfeits by the name that the house gives them."""
        name = options.get("forfeit_name")
        if unit != "forfeits" or not name:
            return super().unit_label(unit, options)
        with texts_of(self):
            return gettext("Forfeits: %(forfeit)s") % {"forfeit": gettext(name) if name == "a point" else name}

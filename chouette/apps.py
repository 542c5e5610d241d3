"""Backgammon as an app of the suite: its declaration, without its rules."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.plugin import GameConfig


class ChouetteConfig(GameConfig):
    """Backgammon: chouette, money game and match play."""

    name = "chouette"
    label = "chouette"
    verbose_name = "Backgammon"
    title = _("Backgammon")
    tagline = _("One against all, with a cube for everybody: chouette, money game, match.")
    bots_module = "chouette.bot.bots"
    bot_levels = {
        "noisy": _("Careless"),
        "net": _("Good"),
        "lookahead": _("Strong"),
    }
    demo = ("match", "german")
    lasting = ("options", "order", "sheet")
    min_seats = 2
    max_seats = 10
    units = {"points": _("Points")}
    figures_module = "chouette.figures"
    export_module = "chouette.export"
    role_labels = {"as_box": _("Box"), "as_captain": _("Captain"), "as_member": _("Member")}
    stat_labels = {
        "played": _("Games played"),
        "won": _("Games won"),
        "as_box": _("Games as the Box"),
        "as_captain": _("Games as the Captain"),
        "as_member": _("Games as a member"),
        "gammons": _("Gammons won"),
        "luck": _("Luck, in pips"),
    }
    leaving = "at_once"
    leaving_note = _(
        "In the middle of a game the member you named looks after your cube, else the Captain, on your "
        "account. For a Box the partner plays on, or a bot on your account, or every live cube is paid: the "
        "house rules say which. Between two games it costs nothing. Where two play, the session then ends."
    )
    messages = {
        "game_over": _("The session is over."),
        "window_open": _("Wait for the Team's doubles: the cube window is still open."),
        "answers_first": _("A double is on the table: first it is answered."),
        "may_not_talk": _("The house rules let you give no advice now."),
        "not_between_games": _("The table can only be closed between two games."),
        "bad_play": _("That is not a play in backgammon notation, such as 13/7*/5."),
        "illegal_play": _("That is not a legal play of this roll."),
        "no_hit": _("Nobody is hit there."),
        "ambiguous_play": _("That may mean several plays: name the points in between."),
        "not_a_position": _("No game can start from this: %(why)s"),
        "position_bad_position_id": _("a position id has 14 characters out of letters, digits, + and /."),
        "position_bad_xgid": _("an XGID has ten fields with colons between them, as backgammon programs write them."),
        "position_bad_points": _("checkers of both sides stand in one place."),
        "position_too_many_checkers": _("a side has more than 15 checkers."),
        "position_both_off": _("nobody has any checkers left."),
        "position_game_over": _("one side has borne off all its checkers, so the game is over."),
        "position_cube_offered": _("a cube has been offered there and not been answered yet."),
        "position_bad_dice": _("a roll is two dice from 1 to 6."),
        "partner_above_max_players": _("That many never play at this table: let more players in, or set this lower."),
        "must_beaver_without_beavers": _("Nobody can be made to beaver where there are no beavers."),
    }
    rules_template = "chouette/rules.html"

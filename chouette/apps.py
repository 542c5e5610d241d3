"""Backgammon as an app of the suite: its declaration, without its rules."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.plugin import GameConfig, Practice, Study


class ChouetteConfig(GameConfig):
    """Backgammon: chouette, money game and match play."""

    name = "chouette"
    label = "chouette"
    contract = 4
    verbose_name = "Backgammon"
    title = _("Backgammon")
    tagline = _("One against all, with a cube for everybody: chouette, money game, match.")
    bots_module = "chouette.bot.bots"
    bot_levels = {
        "noisy": _("Careless"),
        "net": _("Good"),
        "lookahead": _("Strong"),
        "expert": _("Expert"),
    }
    demo = ("match", "german", "wood")
    medium_option = "board"
    medium_labels = {"wood": _("on a real board")}
    entered_under = {"board": "wood"}
    entered_events = ("result_agreed",)
    practice = (
        Practice("match_3", _("Match to 3 points"), "match", {"match_length": 3}),
        Practice("match_5", _("Match to 5 points"), "match", {"match_length": 5}),
        Practice("match_7", _("Match to 7 points"), "match", {"match_length": 7}),
        Practice("money", _("Money game"), "money"),
        Practice("chouette", _("Chouette with three bots"), "german", {}, 3),
    )
    study = Study(
        "start_position",
        "money",
        {"hints": True},
        "chouette/study/editor.js",
        ("chouette/board.css", "chouette/study/editor.css"),
        "chouette-editor",
        _(
            "An XGID, or what GNU Backgammon shows: a position id, with or without a match id. The roll and the cube "
            "count; it is played for points, whatever the score."
        ),
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
        "chouette-position",
        "chouette/study/picture.js",
    )
    lasting = ("options", "order", "sheet")
    match_preset, match_length = "match", "match_length"
    match_rules = ("match_minutes", "clock", "clock_expiry")
    match_start = ("score_first", "score_second")
    session_preset, session_minutes = "money", "match_minutes"
    min_seats = 2
    max_seats = 10
    units = {"points": _("Points")}
    is_zero_sum = True
    past_module = "chouette.past"
    figures_module = "chouette.figures"
    export_module = "chouette.export"
    rolls_module = "chouette.rolls"
    grading_module = "chouette.analysis.house"
    match_files_module = "chouette.analysis.brought"
    rate_labels = {"double": _("Doubles"), "entering": _("Entering from the bar")}
    role_labels = {"as_box": _("Box"), "as_captain": _("Captain"), "as_member": _("Member")}
    stat_labels = {
        "played": _("Games played"),
        "won": _("Games won"),
        "as_box": _("Games as the Box"),
        "as_captain": _("Games as the Captain"),
        "as_member": _("Games as a member"),
        "gammons": _("Gammons won"),
        "luck": _("Pips above the mean of the rolls"),
        "luck_typed": _("Pips above the mean, typed dice"),
    }
    kind_labels = {"gammons": _("gammon")}
    wanted_seats = 6
    leaving = "at_once"
    leaving_note = _(
        "In the middle of a game the member you named looks after your cube, else the Captain, on your "
        "account. For a Box the partner plays on, or a bot on your account, or every live cube is paid: the "
        "house rules say which. Between two games it costs nothing. Where two play, the session then ends."
    )
    messages = {
        "game_over": _("The session is over."),
        "one_box": _("One player of the game was the Box."),
        "window_open": _("The others may still double; then the dice are thrown."),
        "answers_first": _("A double is on the table: first it is answered."),
        "crawford_doubled": _(
            "Game %(game)s would be the Crawford game then, in which nobody doubles: first correct its cube, or take "
            "its double back."
        ),
        "other_box": _("By the rules of this table somebody else was the Box of that game."),
        "other_players": _("By the rules of this table not all of these players had a part in that game."),
        "no_such_start": _("By the rules of this table that game can't have begun so."),
        "cube_too_low": _("A cube that stands at %(value)s can't have ended lower."),
        "nobody_so": _("At least one member's cube has to end as the game did."),
        "one_cube": _("The Team has a single cube: it stood at the same value for all who played to the end."),
        "flag_fell": _("Your time is up."),
        "point_in_money": _("Only in a match a point can be given for time."),
        "start_above_length": _("A match can't start with as many points as it is played to."),
        "may_not_talk": _("The house rules let you give no advice now."),
        "not_between_games": _("The table can only be closed between two games."),
        "bad_play": _("That is not a play in backgammon notation, such as 13/7*/5."),
        "illegal_play": _("That is not a legal play of this roll."),
        "no_hit": _("Nobody is hit there."),
        "ambiguous_play": _("That may mean several plays: name the points in between."),
        "not_a_position": _("No game can start from this: %(why)s"),
        "position_bad_position_id": _("a position id has 14 characters out of letters, digits, + and /."),
        "position_shared_point": _("the position id puts checkers of both sides on one point."),
        "position_too_many_points": _("the position id counts more checkers than the board has room for."),
        "position_bad_match_id": _("a match id has 12 characters, and this one has values that no match can have."),
        "position_bad_xgid": _("an XGID has ten fields with colons between them, as backgammon programs write them."),
        "position_xgid_points": _(
            "the first field of an XGID has 26 characters: a letter from A to O for checkers, a hyphen for none."
        ),
        "position_xgid_roll": _("the fifth field of an XGID is the roll: two dice, such as 31, or 00 before it."),
        "position_xgid_number": _("a field of the XGID has a number that it can't have."),
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

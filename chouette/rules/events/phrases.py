"""Phrases of the chouette's sentences, by name (games.kernel.sentences)."""

from __future__ import annotations

from collections.abc import Mapping

from games.kernel.sentences import (
    Node,
    each,
    equals,
    first,
    given,
    more,
    name_of,
    names_of,
    ngettext,
    no,
    phrase,
    pick,
    same,
    say,
    signed,
    size,
    together,
    when,
)
from games.kernel.text import gettext_noop as _


def points_of(count: Node) -> Node:
    """Return a number of points: "1 point"."""
    return ngettext("%(count)s point", "%(count)s points", count, count=count)


_SEATS = names_of("seats")
_POINTS: Mapping[str, Node] = {"points": signed("points")}
HOST_OR_SEAT = when(given("seat"), name_of("seat"), _("The host"))

PHRASES: Mapping[str, Node] = {
    "points_text": points_of("count"),
    "how_text": pick(
        "how",
        {
            "single": _("single"),
            "gammon": _("gammon"),
            "backgammon": _("backgammon"),
            "dropped": _("dropped"),
            "beaver_dropped": _("beaver dropped"),
            "settled": _("settled"),
            "resigned": _("resigned"),
            "left": _("left"),
            "time": _("on time"),
        },
    ),
    "level_text": pick("level", {1: _("single"), 2: _("gammon"), 3: _("backgammon")}),
    "awaited": when(more("seats", 3), say(_("%(count)s players"), count="seats.length"), names_of("seats")),
    "cube_name": first(
        (("extra", same("member", "seat")), say(_("%(name)s, extra"), name=name_of("against"))),
        ("extra", say(_("%(name)s, extra"), name=name_of("member"))),
        otherwise=name_of("member"),
    ),
    "settles": first(
        (no("points"), _("nobody pays")),
        (more("points", 0), say(_("you get %(points)s"), points=points_of("points"))),
        otherwise=say(_("you pay %(points)s"), points=points_of(size("points"))),
    ),
    "told_text": when(
        equals("winner", "box"),
        say(_("Box wins, %(how)s"), how=phrase("level_text")),
        say(_("Team wins, %(how)s"), how=phrase("level_text")),
    ),
    # Headlines.
    "all_doubled": _("Automatic double: all cubes go to %(value)s!"),
    "doubles_for_team": _("%(name)s doubles for the Team to %(value)s!"),
    "doubles_to": _("%(name)s doubles to %(value)s!"),
    "doubles": _("%(name)s doubles!"),
    "doubles_everybody": _("%(name)s doubles everybody to %(value)s!"),
    "doubles_these": say(_("%(name)s doubles %(names)s to %(value)s!"), names=_SEATS),
    "team_doubles": _("The Team doubles!"),
    "many_double": say(
        _("%(count)s double to %(value)s!"),
        count=pick("count", {4: _("Four"), 5: _("Five"), 6: _("Six"), 7: _("Seven"), 8: _("Eight"), 9: _("Nine")}),
    ),
    "these_double": ngettext(
        "%(names)s doubles to %(value)s!", "%(names)s double to %(value)s!", "seats.length", names=_SEATS
    ),
    "stake": first(
        ("each", say(_("%(value)s each, gammon %(gammon)s"))),
        otherwise=say(_("%(value)s, gammon %(gammon)s")),
    ),
    "takes_and_drops": say(
        _("%(name)s takes against %(takes)s and drops against %(drops)s!"),
        takes=names_of("takes"),
        drops=names_of("drops"),
    ),
    "takes_all": _("%(name)s takes all!"),
    "drops_all": _("%(name)s drops all!"),
    "takes_one": _("%(name)s takes!"),
    "drops_one": _("%(name)s drops!"),
    "everybody_takes": _("Everybody takes!"),
    "everybody_drops": _("Everybody drops!"),
    "members_take": ngettext("%(names)s takes", "%(names)s take", "takes.length", names=names_of("takes")),
    "members_drop": ngettext("%(names)s drops", "%(names)s drop", "drops.length", names=names_of("drops")),
    "members_answer": first(
        (
            ("takes", "drops"),
            say(_("%(takes)s, %(drops)s!"), takes=phrase("members_take"), drops=phrase("members_drop")),
        ),
        ("takes", say(_("%(takes)s!"), takes=phrase("members_take"))),
        otherwise=say(_("%(drops)s!"), drops=phrase("members_drop")),
    ),
    "these_beavered": ngettext("%(names)s beavers!", "%(names)s beaver!", "seats.length", names=_SEATS),
    "these_raccooned": ngettext("%(names)s raccoons!", "%(names)s raccoon!", "seats.length", names=_SEATS),
    "undecided": say(_("Game %(number)s is over: %(points)s."), points=say("%(name)s %(gain)s", gain=signed("points"))),
    "game_won": pick(
        "how",
        {
            "gammon": say(_("Gammon! %(name)s %(points)s"), **_POINTS),
            "backgammon": say(_("Backgammon! %(name)s %(points)s"), **_POINTS),
            "two": say(_("%(name)s wins! %(points)s"), **_POINTS),
            "box": say(_("The Box wins! %(name)s %(points)s"), **_POINTS),
            "team": say(_("The Team wins! %(name)s %(points)s"), **_POINTS),
        },
    ),
    "match_won_by": say(_("%(name)s wins the match, %(score)s!"), score=each("score", "%(item)s", join="–")),
    "session_won_by": say(_("%(name)s wins the session!")),
    "session_over": _("The session is over."),
    "evening_won": ngettext(
        "%(names)s wins the evening with %(points)s!",
        "%(names)s win the evening with %(points)s!",
        "seats.length",
        names=_SEATS,
        **_POINTS,
    ),
    "next_box": pick(
        "why",
        {
            "by_hand": None,
            "passed_on": say(_("The Box was passed on to %(now)s."), now=name_of("now")),
            "moved_up": say(
                _("%(now)s moves up to Box: %(next)s does not play."), now=name_of("now"), next=name_of("next")
            ),
            "captain_wins": say(_("%(next)s has beaten the Box and takes its place."), next=name_of("next")),
            "last_captain_wins": say(
                _("%(next)s, the last Captain, has beaten the Box and takes its place."), next=name_of("next")
            ),
            "box_below_even": say(
                _("%(box)s won the game but lost points in it: the next in line is Box."), box=name_of("box")
            ),
        },
        otherwise=when(
            equals("options.rotation", "captain_result"),
            say(
                _("%(box)s stays Box: %(captain)s, Captain at the start, has not beaten it."),
                box=name_of("box"),
                captain=name_of("captain"),
            ),
            say(_("%(box)s won the game and stays Box."), box=name_of("box")),
        ),
    ),
    "stood_in": when(given("stood_in"), say(_("%(name)s stood in and is the next Captain."), name=name_of("stood_in"))),
    "following": together(phrase("next_box"), phrase("stood_in")),
}

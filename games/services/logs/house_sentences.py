"""Sentences of the house's own events: acts of the host, joining, leaving (games.kernel.sentences)."""

from __future__ import annotations

from collections.abc import Mapping

from games.kernel.sentences import Node, Scope, bound, equals, first, person, say, when
from games.kernel.text import gettext_noop as _

HEADLINES = frozenset(
    f"table.{name}"
    for name in ("started", "paused", "resumed", "joined", "left", "kicked", "substituted", "closed", "broken_off")
)
"""Events that get a line on a big screen."""


def _of(text: str) -> Node:
    """Return a sentence about the person in the event's field `name`."""
    return say(text, name=person("name"))


_SENTENCES: Mapping[str, Node] = {
    "started": _("The game begins."),
    "paused": first(
        (equals("why", "host_away"), _("Paused: the host is away.")),
        (equals("why", "house"), _("The staff of the house has paused the game.")),
        otherwise=_("The host has paused the game."),
    ),
    "resumed": _("The game goes on."),
    "reopened": _("The game goes on."),
    "stood_still": _("The house was away: the game clocks stood still meanwhile."),
    "joined": _of(_("%(name)s joins the table.")),
    "accepted": when(
        "by",
        say(_("%(by)s accepts the rules for %(name)s."), name=person("name"), by=person("by")),
        _of(_("%(name)s accepts the rules card.")),
    ),
    "entered": say(_("Entered by %(by)s:"), by=person("by")),
    "taken_over": _of(_("%(name)s plays on with a phone.")),
    "scorekeeper_named": _of(_("%(name)s is the scorekeeper.")),
    "left": _of(_("%(name)s has left the table.")),
    "kicked": _of(_("The host has taken %(name)s off the seat.")),
    "moved": _of(_("%(name)s goes to another table, after the game that runs.")),
    "substituted": say(_("%(name)s takes the seat of %(before)s."), name=person("name"), before=person("before")),
    "forfeited": _of(_("The seat of %(name)s is given up.")),
    "played_on": _of(_("The host lets the clock play for %(name)s.")),
    "nudged": _of(_("%(name)s is nudged.")),
    "closed": _("The host closes the table."),
    "taken_back": _of(_("The host takes back what %(name)s told last.")),
    "result_stated": _("The host states the result."),
    "clock_put_in": _("Game clocks are put in."),
    "placed": _of(_("The host gives %(name)s another place.")),
    "closing_announced": when("on", _("The table closes after this game."), _("The table goes on after this game.")),
    "broken_off": _("The host has broken the game off."),
}

SENTENCES: Mapping[str, Node] = {
    f"table.{name}": bound(node, Scope({}, {}, is_open=True)) for name, node in _SENTENCES.items()
}

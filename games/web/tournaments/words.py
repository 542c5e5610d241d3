"""Words of tournaments: reasons, proposed entries, formats, rounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.kernel.tournaments import formats as tournament_formats
from games.kernel.tournaments import world_cup
from games.models import Tournament
from games.services.tournaments import formats, match_tables
from games.services.tournaments.overview import MatchShown, Overview

WHY = {
    "pair": _("free for each other"),
    "far": _("waited long enough for somebody nearer"),
    "rematch": _("a rematch: nobody new is free"),
    "forced": _("a rematch that can't be avoided"),
    "bye": _("nobody is left for a match"),
    "nobody_free": _("nobody to play against is free"),
    "patience": _("somebody nearer may become free"),
    "break": _("a break"),
    "no_table": _("no board is free"),
    "lives_left": _("the running matches decide who goes on"),
    "round_over": _("the round is over"),
    "session": _("the session is being played"),
    "over": _("everything is played"),
}
"""Reason of the kernel → its words."""
LAST_SESSION = _("Draw the last session: the largest bank wins")
WHY_START = _("enough people are in it")
ENTRIES = {
    "start": _("Start the tournament"),
    "phase": _("Draw"),
    "return": _("Back from the pause"),
    "table_in": _("A board is used again"),
    "finish": _("End the tournament"),
    "session": _("Draw the next session"),
}
"""Type of a proposed entry → its words."""


def rounds_of(shown: Overview) -> list[tuple[str, list[MatchShown]]]:
    """Return the matches of each round with its heading; those of phases, too, where there are several."""
    if shown.is_of_tables:
        return []
    several = len(tournament_formats.read(shown.tournament.format).phases) > 1
    return [(round_text(phase, number, several=several), matches) for phase, number, matches in shown.rounds()]


def round_text(phase: int, number: int, *, several: bool) -> str:
    """Return the heading of a round."""
    if several and phase:
        return gettext("Final part, round %(number)s") % {"number": number}
    return gettext("Round %(number)s") % {"number": number}


def format_text(found: Tournament) -> str:
    """Return the format in words: kind, length, and what follows."""
    first = formats.phases(found.format)[0]
    if world_cup.is_played(first):
        return _of_tables(first)
    kind, length = formats.kind_of(first["kind"]), first["length"]
    minutes = match_tables.session_minutes(found)
    each_match = (
        ngettext("money sessions of %(n)s minute", "money sessions of %(n)s minutes", minutes) % {"n": minutes}
        if minutes
        else ngettext("to %(n)s point", "to %(n)s points", length) % {"n": length}
    )
    texts = [str(kind.label), each_match]
    last = next((each["last_lengths"] for each in formats.phases(found.format) if each.get("last_lengths")), None)
    if last:
        texts.append(
            ngettext("the last round to %(n)s point", "the last round to %(n)s points", last[0]) % {"n": last[0]}
        )
    plan = tournament_formats.read(found.format)
    for each, count in zip(plan.phases[1:], plan.advance, strict=True):
        if each.kind == "knockout":
            texts.append(gettext("then a knock-out of the best %(count)s") % {"count": count})
        else:
            about = {"count": count, "kind": formats.kind_of(each.kind).label}
            texts.append(gettext("then the best %(count)s: %(kind)s") % about)
    return ", ".join(texts)


def _of_tables(format_: Mapping[str, Any]) -> str:
    """Return the format of a World-Cup Chouette in words: kind, bank, and the minutes of a session."""
    bank, minutes = world_cup.read_format(format_)
    kind = formats.kind_of(format_["kind"])
    texts = [str(kind.label), ngettext("bank of %(n)s point", "bank of %(n)s points", bank) % {"n": bank}]
    texts.append(ngettext("sessions of %(n)s minute", "sessions of %(n)s minutes", minutes) % {"n": minutes})
    return ", ".join(texts)

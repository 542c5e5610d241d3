"""Words of tournaments: reasons, proposed entries, formats, rounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from games.kernel.tournaments import formats as tournament_formats
from games.kernel.tournaments import recount
from games.kernel.tournaments.chance import BY_STATE
from games.kernel.tournaments.entries import version_of
from games.kernel.tournaments.phases import world_cup
from games.models import Tournament
from games.services.tournaments import formats
from games.services.tournaments.draw_check import ThrownAway
from games.services.tournaments.overview import MatchShown, Overview
from games.services.tournaments.tables import match_tables

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
    "lot": _("Equal places by lot"),
}
"""Type of a proposed entry → its words."""

TIES = {
    ("swiss", "playoff"): _(
        "With equal wins a play-off decides about the first place, or about who goes on; other places are shared."
    ),
    ("swiss", "head_to_head"): _("With equal wins their own match decides."),
    ("swiss", "buchholz"): _(
        "With equal wins the wins of the opponents count, without the opponent who has won least. A bye or a missed "
        "round counts as an opponent with as many wins as one's own."
    ),
    ("swiss", "wins"): _("With equal wins a win stands before a bye; other places are shared."),
    ("round_robin", "playoff"): _(
        "With equal wins the matches between them decide, then points won minus points lost, then a play-off about the "
        "first place, or about who goes on."
    ),
    ("round_robin", "lot"): _(
        "With equal wins the matches between them decide, then points won minus points lost, then the lot."
    ),
}
"""Kind of a phase and its setting for ties → what decides between equals."""
_OLD_TIES = {
    ("swiss", "buchholz"): _(
        "With equal wins the wins of the opponents count, without the opponent who has won least."
    ),
    ("round_robin", ""): _("With equal wins the matches between them decide, then points won minus points lost."),
}
"""The rules that were otherwise in tournaments that began before version 3 of the pairing."""
BY_ONESELF = {
    "enter": _("Draw %(number)s was proposed otherwise before %(name)s came in."),
    "withdraw": _("Draw %(number)s was proposed otherwise before %(name)s stopped playing."),
    "return": _("Draw %(number)s was proposed otherwise before %(name)s came back."),
}
THROWN_AWAY = {
    "enter": _("Draw %(number)s was proposed otherwise before %(name)s entered %(person)s."),
    "withdraw": _("Draw %(number)s was proposed otherwise before %(name)s withdrew %(person)s."),
    "return": _("Draw %(number)s was proposed otherwise before %(name)s took %(person)s back."),
    "result": _("Draw %(number)s was proposed otherwise before %(name)s entered a result."),
    "banked": _("Draw %(number)s was proposed otherwise before %(name)s entered the points of a table."),
    "correct": _("Draw %(number)s was proposed otherwise before %(name)s corrected a result."),
    "void": _("Draw %(number)s was proposed otherwise before %(name)s let a match not count."),
    "break": _("Draw %(number)s was proposed otherwise before %(name)s planned a break."),
    "table_out": _("Draw %(number)s was proposed otherwise before %(name)s put a board out."),
    "table_in": _("Draw %(number)s was proposed otherwise before %(name)s put a board in again."),
    "agree": _("Draw %(number)s was proposed otherwise before %(name)s answered about a last session."),
    "closing": _("Draw %(number)s was proposed otherwise before %(name)s gave another closing time."),
    "last_round": _("Draw %(number)s was proposed otherwise before %(name)s let the last round be played."),
    "finish": _("Draw %(number)s was proposed otherwise before %(name)s ended the tournament."),
}
BY_HAND = _("Draw %(number)s was proposed otherwise before %(name)s paired two people by hand.")
IN_PART = _("Draw %(number)s was proposed otherwise before %(name)s confirmed a part of it.")
SOMETHING = _("Draw %(number)s was proposed otherwise before %(name)s entered something else.")


def thrown_away_text(found: ThrownAway) -> str:
    """Return in a sentence before which entry a draw was proposed otherwise."""
    kind, by, person = found.entry["type"], found.by, found.person
    if kind in recount.DRAWS:
        text = BY_HAND if found.entry.get("hand") else IN_PART
    elif by is not None and person is not None and by.pk == person.pk:
        text = BY_ONESELF.get(kind, THROWN_AWAY.get(kind, SOMETHING))
    else:
        text = THROWN_AWAY.get(kind, SOMETHING)
    name = pgettext("who made an entry", "the house") if by is None else by.displayed_name
    told = "" if person is None else person.displayed_name
    return str(text) % {"number": found.number, "name": name, "person": told}


def ties_text(shown: Overview) -> str:
    """Return what decides between equals in the phase that is played; "" where the format has no rule of its own."""
    if shown.is_of_tables:
        return ""
    phase = tournament_formats.read(shown.tournament.format).phases[shown.reading.state["phase"]]
    is_old = version_of(shown.reading.log) < BY_STATE
    if is_old and (phase.kind, phase.tie) in _OLD_TIES:
        return str(_OLD_TIES[phase.kind, phase.tie])
    return str(TIES.get((phase.kind, phase.tie or "playoff"), ""))


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

"""Match files that people bring in: looked at when they come, graded later, beside the analysis that they may hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from chouette.analysis import telling
from chouette.analysis.engine import Engine, EngineFailed
from chouette.analysis.gnubg.program import LONGEST_MATCH
from chouette.analysis.problems import problems
from chouette.analysis.report import names
from chouette.analysis.report import report as graded
from chouette.export.record import NO_DOUBLE, PLAY, Session
from chouette.match_files.games import BadFile
from chouette.match_files.reading import read
from games.kernel.contract import Illegal, JsonObject
from games.kernel.figures.skill import Mistake, Sentence
from games.kernel.text import gettext_noop as _

SUFFIXES = (".mat", ".sgf")
REFUSALS: Mapping[str, str] = {
    "bad_file": _("This is no match file of backgammon that can be read (.mat or .sgf, at most 1 MB and 200 games)."),
    "too_long": _("Matches of more than 64 points are not graded."),
}
_PLACES: Mapping[tuple[str, ...], str] = {
    ("game", "line"): _(
        "Game %(game)s cannot be read in line %(line)s: no play stands there, or one that is not legal."
    ),
    ("game",): _("Game %(game)s cannot be read."),
    ("line",): _("Line %(line)s of this file cannot be read."),
    ("suffix",): _("This file is a text, though its name ends in %(suffix)s: is it a .mat or an .sgf?"),
}
"""Sentences of the place where a file cannot be read, by what is known of it."""


def refused(refusal: Illegal) -> Sentence | None:
    """Return the words for a refusal of `look`, None for another one."""
    known = tuple(key for key in ("game", "line", "suffix") if key in refusal.params)
    if refusal.code == "bad_file" and known in _PLACES:
        return Sentence(_PLACES[known], {key: refusal.params[key] for key in known})
    return Sentence(REFUSALS[refusal.code]) if refusal.code in REFUSALS else None


def opened(content: bytes, suffix: str = "", *, partly: bool = False) -> Session:
    """Return the session in a file, whose name ends in `suffix`; raises Illegal `bad_file`, `too_long`.

    If `partly`, the games before one that cannot be read, where there are any. Of `bad_file`, `at` is the place in
    words ("game 4, line 57"), `game`, `line` or `suffix` what is known of it, and `games` the number of games before.
    """
    try:
        session = read(content, suffix, partly=partly)
    except BadFile as why:
        places = {"game": why.game, "line": why.line, "suffix": why.suffix, "at": why.at}
        places["games"] = len(why.before.records) if why.before else 0
        raise Illegal("bad_file", **{key: said for key, said in places.items() if said}) from why
    if max([session.length, *map(session.length_of, session.records)]) > LONGEST_MATCH:
        raise Illegal("too_long")
    if not session.records:
        raise Illegal("bad_file")
    return session


def look(content: bytes, *, partly: bool = False) -> JsonObject:
    """Return a file's players, number of games and match length in points; raises Illegal as `opened`."""
    session = opened(content, partly=partly)
    return {"players": list(names(session)), "games": len(session.records), "length": session.length}


def report(content: bytes, engine: Engine, go_on: Callable[[], object] = lambda: None) -> JsonObject:
    """Return the report of a file, each decision with what the file itself says of it (`said`, else null).

    Of a file that cannot be read to its end it is that of the games before. Raises Illegal `engine_failed` where
    nothing was graded, and as `look`.
    """
    session = opened(content, partly=True)
    try:
        found = graded(session, engine, go_on)
    except EngineFailed as why:
        raise Illegal("engine_failed") from why
    if found["decisions"] and not any(each["graded"] for each in found["decisions"]):
        raise Illegal("engine_failed")
    for row, said in zip(found["decisions"], _said(session), strict=True):
        row["said"] = said
    return found


def _said(session: Session) -> list[JsonObject | None]:
    """Return for each problem of a session what the file says of it; not doubling stands with the play behind it."""
    found: list[JsonObject | None] = []
    for record in session.records:
        at = 0
        for problem in problems(session, record):
            said = record.said.get(at, {})
            keys = ("plays", "luck") if problem.kind == PLAY else ("cube",)
            found.append({key: said[key] for key in keys if key in said} or None)
            at += problem.kind != NO_DOUBLE
    return found


def rows(found: JsonObject) -> Sequence[JsonObject]:
    """Return the decisions of a report as rows of a game; `seq` is the number of each, `seat` that of the player."""
    return [
        {**row, "seq": number, "seat": row["player"], "suggested": (), "row": number}
        for number, row in enumerate(found["decisions"])
    ]


def mistakes(found: JsonObject) -> Sequence[Mistake]:
    """Return the mistakes of a report; `seq` is the number of the decision, `seat` that of the player."""
    return telling.mistakes(rows(found))


def others_word(row: JsonObject) -> str:
    """Return what the file's own analysis says of a decision, "" for nothing."""
    said = row.get("said") or {}
    if "plays" in said:
        return "; ".join(f"{play} {equity:+.3f} ({level})" for play, equity, level in said["plays"][:2])
    if "cube" in said:
        cube = said["cube"]
        return f"ND {cube['no_double']:+.3f}, DT {cube['take']:+.3f} ({cube['level']})"
    return ""

"""Telling of a graded game: its course in equities, its mistakes in sentences, its luckiest roll."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chouette.analysis.sessions import EXTRA, NO_EXTRA, PLAY_ON, SETTLEMENT, UNCOUNTED
from chouette.board.xgid import parse_xgid
from chouette.export.record import BEAVER, DOUBLE, DROP, NO_DOUBLE, PLAY, RACCOON, TAKE
from games.kernel.contract import JsonObject, Seat
from games.kernel.figures.skill import BEST, CHOSEN, MOST_WAYS, Mistake, Sentence, Swing, Way
from games.kernel.text import gettext_noop as _

LEAST_ERROR = 0.02
"""The least error that is a mistake worth a look: engines differ by less."""

MUCH_LUCK = 0.3
"""The least luck, at a cube of one, that is marked: GNU Backgammon calls such a roll lucky or unlucky."""

_BOX = "box"
_SENTENCES: Mapping[tuple[str, str], str] = {
    (NO_DOUBLE, DOUBLE): _("%(name)s did not double: that cost %(error)s."),
    (DOUBLE, NO_DOUBLE): _("%(name)s doubled: that cost %(error)s."),
    (TAKE, DROP): _("%(name)s took: to drop would have been better by %(error)s."),
    (DROP, TAKE): _("%(name)s dropped: to take would have been better by %(error)s."),
    (DROP, BEAVER): _("%(name)s dropped: to beaver would have been better by %(error)s."),
    (BEAVER, TAKE): _("%(name)s beavered: only to take would have been better by %(error)s."),
    (BEAVER, DROP): _("%(name)s beavered: to drop would have been better by %(error)s."),
    (RACCOON, TAKE): _("%(name)s raccooned: only to take would have been better by %(error)s."),
    (RACCOON, DROP): _("%(name)s raccooned: to drop would have been better by %(error)s."),
    (SETTLEMENT, PLAY_ON): _("%(name)s settled: to play on would have been better by %(error)s."),
    (EXTRA, NO_EXTRA): _("%(name)s gave an extra: to give none would have been better by %(error)s."),
    (NO_EXTRA, EXTRA): _("%(name)s gave no extra: to give one would have been better by %(error)s."),
}
_CHOICES: Mapping[str, str] = {
    **{NO_DOUBLE: _("no double"), DOUBLE: _("double"), TAKE: _("take"), DROP: _("drop")},
    **{BEAVER: _("beaver"), RACCOON: _("raccoon"), SETTLEMENT: _("settlement"), PLAY_ON: _("playing on")},
    **{EXTRA: _("extra"), NO_EXTRA: _("no extra")},
}
_DOUBLES = {NO_DOUBLE: _("no double"), TAKE: _("double, taken"), DROP: _("double, dropped")}
_ANSWERS = {TAKE: _("take"), DROP: _("drop"), BEAVER: _("beaver"), RACCOON: _("raccoon")}
_SETTLEMENTS = {"played": _("settlement"), "best": _("playing on")}
_EXTRAS = {EXTRA: _("extra"), NO_EXTRA: _("no extra")}
_OWN_VIEW = {NO_DOUBLE: _DOUBLES, DOUBLE: _DOUBLES, SETTLEMENT: _SETTLEMENTS, EXTRA: _EXTRAS, NO_EXTRA: _EXTRAS}
"""The ways of kinds whose equities are told in the view of the side that chose; of others it is the doubler's."""
_PLAYED = _("%(name)s played %(played)s with %(dice)s: %(best)s would have been better by %(error)s.")


def course(rows: Sequence[JsonObject]) -> list[tuple[int, float]]:
    """Return the equity of a side after each play by its entry, normalised to the cubes; the side is `first_side`'s."""
    found, is_of_box = [], _tell_of_box(rows)
    for row in rows:
        if row["kind"] == PLAY and row["equities"] is not None:
            equity = row["equities"]["played"]
            found.append((row["seq"], equity if (row["role"] == _BOX) == is_of_box else -equity))
    return found


def first_side(rows: Sequence[JsonObject]) -> Seat | None:
    """Return the seat of the Box; where no choice of theirs is among the rows, the first seat of the other side."""
    is_of_box = _tell_of_box(rows)
    seats = (row["seat"] for row in rows if (row["role"] == _BOX) == is_of_box and row["seat"] is not None)
    return next(seats, None)


def _tell_of_box(rows: Sequence[JsonObject]) -> bool:
    """Tell whether a choice of the Box is among the rows."""
    return any(row["role"] == _BOX and row["seat"] is not None for row in rows)


def luck(row: JsonObject) -> float | None:
    """Return the luck of a roll in points: that of all cubes in play together."""
    return None if row["luck"] is None else float(row["luck"] * row["cube"])


def cost(row: JsonObject) -> float | None:
    """Return what a choice that counts cost in points, at all cubes that it was for; None for others."""
    return float(row["error"] * row["cube"]) if row["counts"] and row["error"] is not None else None


def luck_of_seat(rows: Sequence[JsonObject], seat: Seat) -> float | None:
    """Return the luck of all rolls of a game for a seat, of both sides' at the cubes it has a share in, in points.

    None for a match, whose points are no equities, and where the luck of a roll is not known, as of games graded before
    rows told it by seat.
    """
    lucks = [row.get("lucks") for row in rows if row["kind"] == PLAY]
    if not lucks or None in lucks or parse_xgid(rows[0]["xgid"]).state.match_length:
        return None
    return float(sum(points for each in lucks if each for other, points in each if other == seat))


def swing(rows: Sequence[JsonObject]) -> Swing | None:
    """Return the roll with the most luck, good or bad, times the cubes in play; None without a roll that has luck."""
    return max(_rolls(rows, 0.0), key=lambda each: abs(each.points), default=None)


def lucky(rows: Sequence[JsonObject]) -> list[Swing]:
    """Return the rolls with much luck, good or bad, in the order of the log."""
    return _rolls(rows, MUCH_LUCK)


def _rolls(rows: Sequence[JsonObject], least: float) -> list[Swing]:
    return [
        Swing(row["seq"], row["seat"], tuple(row["dice"]), points)
        for row in rows
        if row["seat"] is not None and (points := luck(row)) is not None and abs(row["luck"]) >= least
    ]


def mistakes(rows: Sequence[JsonObject]) -> list[Mistake]:
    """Return the mistakes: choices of a seat that cost LEAST_ERROR or more, in the order of the log.

    A choice that does not count is none, but for settlements and extras, which count in no PR.
    """
    return [_mistake(row) for row in rows if row["error"] is not None and row["error"] >= LEAST_ERROR and _is_told(row)]


def _is_told(row: JsonObject) -> bool:
    return bool(row["counts"] or (row["kind"] in UNCOUNTED and row["seat"] is not None))


def _ways(row: JsonObject, best: str) -> list[Way]:
    """Return the cube actions of a row, each with its equity for the side that chose."""
    told, kind = row["equities"] or {}, row["kind"]
    labels, sign = _OWN_VIEW.get(kind, _ANSWERS), 1 if kind in _OWN_VIEW else -1
    marks = {_line(best, told): BEST} | {_line(kind, told): CHOSEN}
    return [Way(label, sign * told[each], marks.get(each, "")) for each, label in labels.items() if each in told]


def _line(kind: str, told: Mapping[str, float]) -> str:
    """Return the equity by which a choice is told: a double is worth what the other side leaves of it."""
    if kind == DOUBLE:
        return min((TAKE, DROP), key=lambda each: told.get(each, 0.0))
    return {SETTLEMENT: "played", PLAY_ON: "best"}.get(kind, kind)


def _plays(row: JsonObject) -> list[Way]:
    """Return the best plays of a row's roll, with the one made, which may come after others.

    Grades of an earlier version have the best one and the one made.
    """
    told = row["equities"] or {}
    listed = row.get("listed") or [(row[which], told[which]) for which in ("best", "played") if which in told]
    chosen = next((each for each in listed if each[0] == row["played"]), None)
    found = list(listed[:MOST_WAYS])
    if chosen is not None and chosen not in found:
        found[-1] = chosen
    marks = {row["best"]: BEST, row["played"]: CHOSEN}
    return [Way(text, equity, marks.get(text, "")) for text, equity in found]


def _mistake(row: JsonObject) -> Mistake:
    """Return the mistake of a row; its error is in the units of the cube before it."""
    about = {"seq": row["seq"], "seat": row["seat"], "error": row["error"]}
    about |= {"row": row.get("row", 0), "deeper": row.get("deeper", "")}
    if row["kind"] != PLAY:
        position = row["xgid"] if row["kind"] in (DOUBLE, NO_DOUBLE, SETTLEMENT) else ""
        # Grades of an earlier version do not name what would have been better than a settlement.
        better = PLAY_ON if row["kind"] == SETTLEMENT else row["best"]
        return Mistake(
            **about,
            sentence=_SENTENCES[row["kind"], better],
            position=position,
            chosen=Sentence(_CHOICES[row["kind"]]),
            best=Sentence(_CHOICES[better]),
            ways=_ways(row, better),
        )
    best = row["best"] or ""
    return Mistake(
        **about,
        sentence=_PLAYED,
        values={"played": row["played"], "best": best, "dice": "-".join(map(str, row["dice"]))},
        suggested=tuple(row["suggested"]),
        chosen=Sentence(row["played"]),
        best=Sentence(best),
        is_drawn=True,
        position=row["xgid"],
        ways=_plays(row),
    )

"""A season as JSON: reads rules and nights, writes the standing, refuses what is neither.

Numbers are taken as they are written: 0.1 is 1/10. A fraction may be a text, "1/3". `at` in a refusal leads to the
rule ("rules/worth") or to the night, row, match or player of a night ("nights/3/rows/0"); it is "" where the text is no
object in JSON of this form at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from games.kernel.seasons.rules import (
    EQUALS,
    TIES,
    USUAL_STAGE,
    WORTHS,
    Count,
    NightMatch,
    NightOfSeason,
    NightPoints,
    Number,
    SeasonRules,
)
from games.kernel.seasons.standing import Standing

T = TypeVar("T")

LONGEST_NUMBER = 400
"""The most characters of a number, and its largest exponent."""

_FORM = re.compile(r"(-?[0-9]+)(?:/([0-9]+)|((?:\.[0-9]+)?)(?:[eE]([+-]?[0-9]+))?)")


class SeasonUnreadable(Exception):
    """A season that is refused: a code, and the place in the JSON."""

    def __init__(self, code: str, at: str = "") -> None:
        super().__init__(code, at)
        self.code = code
        self.at = at

    def to_json(self) -> dict[str, Any]:
        """Return `{"error": {"code", "at"}}`."""
        return {"error": {"code": self.code, "at": self.at}}


def season_of(text: bytes) -> tuple[SeasonRules, tuple[NightOfSeason, ...]]:
    """Return the rules and the nights of a season in JSON; raises SeasonUnreadable."""
    season = _parsed(text)
    if not isinstance(season, dict) or not season.keys() <= {"rules", "nights"}:
        raise SeasonUnreadable("bad_json")
    rules = rules_from(season.get("rules", {}))
    return rules, _nights(rules, season.get("nights"))


def _parsed(text: bytes) -> Any:
    """Return the value in a text of JSON, numbers as ints and fractions; raises SeasonUnreadable."""
    try:
        return json.loads(text.decode("utf-8-sig"), parse_int=_exact, parse_float=_exact, parse_constant=_exact)
    except (ValueError, RecursionError):
        raise SeasonUnreadable("bad_json") from None


def _exact(text: str) -> Number:
    """Return the number that a text says; raises ValueError for a text that is none, or too long a one."""
    form = _FORM.fullmatch(text)
    exponent = form[4] if form else None
    if form is None or len(text) > LONGEST_NUMBER or (exponent and abs(int(exponent)) > LONGEST_NUMBER):
        raise ValueError(text)
    if form[2] is not None and not int(form[2]):
        raise ValueError(text)
    exact = Fraction(text)
    return exact.numerator if exact.denominator == 1 else exact


def _number(value: Any, refused: SeasonUnreadable) -> Number:
    """Return a number, or the number that a text says; raises the refusal."""
    if isinstance(value, str):
        try:
            return _exact(value)
        except ValueError:
            raise refused from None
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise refused
    return value


def _count(value: Any, refused: SeasonUnreadable) -> int:
    """Return a whole number from 0; raises the refusal."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise refused
    return value


def _list(value: Any, refused: SeasonUnreadable) -> list[Any]:
    if not isinstance(value, list):
        raise refused
    return value


def _name(value: Any, refused: SeasonUnreadable) -> str:
    if not isinstance(value, str):
        raise refused
    return value


def _one_of(words: Iterable[T], value: Any, refused: SeasonUnreadable) -> T:
    """Return the word that a value is; raises the refusal."""
    for word in words:
        if isinstance(value, str) and word == value:
            return word
    raise refused


def _of_count(value: Any, refused: SeasonUnreadable) -> Count:
    if value == "all":
        return Count()
    if not isinstance(value, dict) or len(value) != 1:
        raise refused
    (kind, number) = next(iter(value.items()))
    if kind == "best":
        return Count("best", _count(number, refused))
    if kind == "without_worst":
        return Count("without_worst", _count(number, refused))
    raise refused


def _of_places(value: Any, refused: SeasonUnreadable) -> tuple[Number, ...] | None:
    if value == "field":
        return None
    return tuple(_number(each, refused) for each in _list(value, refused))


def _of_stages(value: Any, refused: SeasonUnreadable) -> dict[str, tuple[Number, Number]]:
    if not isinstance(value, dict):
        raise refused
    found = {}
    for stage, worths in value.items():
        if len(_list(worths, refused)) != 2:
            raise refused
        found[stage] = (_number(worths[0], refused), _number(worths[1], refused))
    return found


def _bool(value: Any, refused: SeasonUnreadable) -> bool:
    if not isinstance(value, bool):
        raise refused
    return value


_RULES: Mapping[str, Callable[[Any, SeasonUnreadable], Any]] = {
    "worth": lambda value, refused: _one_of(WORTHS, value, refused),
    "places": _of_places,
    "equal": lambda value, refused: _one_of(EQUALS, value, refused),
    "count": _of_count,
    "missed": lambda value, refused: None if value == "struck" else _number(value, refused),
    "least_nights": _count,
    "ties": lambda value, refused: tuple(_one_of(TIES, each, refused) for each in _list(value, refused)),
    "lower_is_better": _bool,
    "bye": _number,
    "absent": _number,
    "stages": _of_stages,
}


def rules_from(value: Any) -> SeasonRules:
    """Return the rules in JSON; raises SeasonUnreadable."""
    if not isinstance(value, dict):
        raise SeasonUnreadable("bad_rules", "rules")
    for key in value:
        if key not in _RULES:
            raise SeasonUnreadable("bad_rules", f"rules/{key}")
    rules = SeasonRules(
        **{key: _RULES[key](each, SeasonUnreadable("bad_rules", f"rules/{key}")) for key, each in value.items()}
    )
    if rules.worth == "places" and "places" not in value:
        raise SeasonUnreadable("bad_rules", "rules/places")
    if rules.worth == "keizer" and rules.count.kind != "all":
        raise SeasonUnreadable("bad_rules", "rules/count")
    if rules.worth == "per_game" and rules.missed is not None:
        raise SeasonUnreadable("missed_per_game", "rules/missed")
    return rules


def _nights(rules: SeasonRules, value: Any) -> tuple[NightOfSeason, ...]:
    nights: list[NightOfSeason] = []
    ids: set[str] = set()
    for index, each in enumerate(_list(value, SeasonUnreadable("bad_night", "nights"))):
        night = _night(rules, each, f"nights/{index}")
        if night.id in ids:
            raise SeasonUnreadable("bad_night", f"nights/{index}")
        ids.add(night.id)
        nights.append(night)
    return tuple(nights)


_NIGHT = {"id", "weight", "rows", "matches", "bye", "absent"}


def _night(rules: SeasonRules, value: Any, at: str) -> NightOfSeason:
    refused = SeasonUnreadable("bad_night", at)
    if not isinstance(value, dict) or not value.keys() <= _NIGHT:
        raise refused
    weight = _number(value.get("weight", 1), refused)
    if not 1 <= weight <= 9:
        raise refused
    night_id = _name(value.get("id"), refused)
    parts = {key: _list(value.get(key, []), refused) for key in ("rows", "matches", "bye", "absent")}
    return NightOfSeason(
        night_id,
        weight,
        _rows(rules, parts["rows"], f"{at}/rows"),
        tuple(
            _match(match, SeasonUnreadable("bad_night", f"{at}/matches/{i}"))
            for i, match in enumerate(parts["matches"])
        ),
        _players(parts["bye"], f"{at}/bye"),
        _players(parts["absent"], f"{at}/absent"),
    )


def _rows(rules: SeasonRules, values: list[Any], at: str) -> tuple[NightPoints, ...]:
    rows: dict[str, NightPoints] = {}
    for index, value in enumerate(values):
        here = f"{at}/{index}"
        row = _row(value, SeasonUnreadable("bad_night", here))
        if row.player in rows:
            raise SeasonUnreadable("player_twice", here)
        if rules.worth == "per_game" and not row.games:
            raise SeasonUnreadable("no_games", here)
        rows[row.player] = row
    return tuple(rows.values())


def _row(value: Any, refused: SeasonUnreadable) -> NightPoints:
    if not isinstance(value, dict) or not value.keys() <= {"player", "points", "games"}:
        raise refused
    games = _number(value.get("games", 1), refused)
    if games < 0:
        raise refused
    return NightPoints(_name(value.get("player"), refused), _number(value.get("points"), refused), games)


def _match(value: Any, refused: SeasonUnreadable) -> NightMatch:
    if len(_list(value, refused)) not in (2, 3):
        raise refused
    winner, loser, stage = (_name(each, refused) for each in (*value, USUAL_STAGE)[:3])
    if winner == loser:
        raise refused
    return NightMatch(winner, loser, stage)


def _players(values: list[Any], at: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for index, value in enumerate(values):
        player = _name(value, SeasonUnreadable("bad_night", f"{at}/{index}"))
        if player in found:
            raise SeasonUnreadable("player_twice", f"{at}/{index}")
        found[player] = None
    return tuple(found)


def to_json(standing: Standing) -> dict[str, Any]:
    """Return a standing as JSON; totals are fractions in lowest terms, as text."""
    return {
        "standings": [
            {
                "player": place.player,
                "place": place.place,
                "total": str(place.total),
                "nights": place.nights,
                "counted": list(place.counted),
                "struck": list(place.struck),
            }
            for place in standing.places
        ],
        "unranked": [{"player": each.player, "nights": each.nights} for each in standing.unranked],
    }

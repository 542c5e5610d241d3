"""The rules of a season as a declaration, from which form, card and schema are derived."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from games.kernel.options import ChoiceOption, IntOption, Needs, OptionSet, Pick, Preset, TextOption
from games.kernel.seasons.rules import USUAL_STAGE, Count, Number, SeasonRules, Tie, Worth
from games.kernel.text import gettext_noop as _

MOST_NIGHTS = 99
MOST_PLACES = 40
MOST_POINTS = 1000
SHARED = "shared"
SEMIFINAL, FINAL = "semi-final", "final"
BY_MATCHES = ("match", "keizer")
"""The worths of a night that matches make, and no other games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorthsOption(TextOption):
    """Whole numbers with spaces between them, best place first."""

    def problem(self, value: object) -> tuple[str, dict[str, Any]] | None:
        """Return the error `not_text`, `too_long` or `not_worths`, or None."""
        found = TextOption.problem(self, value)
        if found is None and not all(_is_worth(word) for word in str(value).split()):
            return "not_worths", {"most": MOST_POINTS}
        return found


def _is_worth(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 4 and int(word) <= MOST_POINTS


_BY_PLACE = Needs("worth", ("places", "field", "won"), _("Only where places count."))
_WITHOUT_WORST = Needs("count", ("without_worst",), _("Only where the worst nights are struck."))
_NOT_PER_GAME = Needs(
    "worth", ("points", "places", "field", "won", "attendance", "match"), _("Not with points per game.")
)
_BY_MATCH = Needs("worth", ("match",), _("Only where matches count."))
_NOT_KEIZER = Needs(
    "worth",
    ("points", "per_game", "places", "field", "won", "attendance", "match"),
    _("In a Keizer standing all count."),
)
_WORTH = _("Worth of a night")
_NIGHTS = _("Which nights count")
_PLACES = _("Places in the season")

_MATCH_WORTHS = (
    ("match_won", _("A match won"), 1, _("A match won is worth {value}.")),
    ("match_lost", _("A match lost"), 0, _("A match lost is worth {value}.")),
    ("semifinal_won", _("A semi-final won"), 2, _("A semi-final won is worth {value}.")),
    ("semifinal_lost", _("A semi-final lost"), 1, _("A semi-final lost is worth {value}.")),
    ("final_won", _("A final won"), 3, _("A final won is worth {value}.")),
    ("final_lost", _("A final lost"), 2, _("A final lost is worth {value}.")),
)
_IN_KEIZER = Needs("worth", ("keizer",), _("Only in a Keizer standing."))
_KEIZER_PARTS = (
    ChoiceOption(
        id="bye",
        label=_("A bye"),
        default="1/2",
        group=_WORTH,
        needs=_IN_KEIZER,
        picks=(
            Pick("1/2", _("half of one's own value"), _("A bye is worth half of one's own value.")),
            Pick("1", _("one's own value"), _("A bye is worth one's own value.")),
            Pick("0", _("nothing"), _("A bye is worth nothing.")),
        ),
    ),
    ChoiceOption(
        id="absent",
        label=_("Absent with notice"),
        default="1/3",
        group=_WORTH,
        needs=_IN_KEIZER,
        picks=(
            Pick("1/3", _("a third of one's own value"), _("Absent with notice is worth a third of one's own value.")),
            Pick("1/2", _("half of one's own value"), _("Absent with notice is worth half of one's own value.")),
            Pick("0", _("nothing"), _("Absent with notice is worth nothing.")),
        ),
    ),
)

_OPTIONS = (
    ChoiceOption(
        id="worth",
        label=_("Worth of a night"),
        default="points",
        group=_WORTH,
        picks=(
            Pick("points", _("points as played"), _("Points count as they were played.")),
            Pick("per_game", _("points per game"), _("Points per game count: all points over all games.")),
            Pick("places", _("places, by a list"), _("Each night's places count.")),
            Pick(
                "field",
                _("places, by how many came"),
                _("Each night's places count: a point for everybody who is behind."),
            ),
            Pick("won", _("nights won"), _("The best of a night gets a point.")),
            Pick("attendance", _("attendance"), _("Everybody who comes gets a point.")),
            Pick("match", _("matches"), _("Matches count, and no other games.")),
            Pick(
                "keizer",
                _("matches, by Keizer"),
                _("Who wins a match gets the loser's value: the first has most, each next one a point less."),
            ),
        ),
    ),
    *(
        IntOption(
            id=id,
            label=label,
            default=default,
            low=0,
            high=MOST_POINTS,
            group=_WORTH,
            unit=_("points"),
            card=card,
            needs=_BY_MATCH,
        )
        for id, label, default, card in _MATCH_WORTHS
    ),
    *_KEIZER_PARTS,
    WorthsOption(
        id="places",
        label=_("Points for the places"),
        default="25 18 15 12 10 8 6 4 2 1",
        group=_WORTH,
        longest=5 * MOST_PLACES,
        help=_("The first place's points first."),
        card=_("The places of a night give {value}; further ones nothing."),
        needs=Needs("worth", ("places",), _("Only where places count by a list.")),
    ),
    ChoiceOption(
        id="equal",
        label=_("Equal points at a night"),
        default="mean",
        group=_WORTH,
        needs=_BY_PLACE,
        picks=(
            Pick("mean", _("share what their places give"), _("Equal ones share what their places give.")),
            Pick("best", _("all get the better place"), _("Equal ones all get the better place.")),
        ),
    ),
    ChoiceOption(
        id="count",
        label=_("Which nights"),
        default="all",
        group=_NIGHTS,
        needs=_NOT_KEIZER,
        picks=(
            Pick("all", _("all"), _("All nights count.")),
            Pick("best", _("the best"), ""),
            Pick("without_worst", _("all but the worst"), ""),
        ),
    ),
    IntOption(
        id="best",
        label=_("How many of the best"),
        default=8,
        low=1,
        high=MOST_NIGHTS,
        group=_NIGHTS,
        unit=_("nights"),
        card=_("Best nights that count: {value}."),
        needs=Needs("count", ("best",), _("Only where the best nights count.")),
    ),
    IntOption(
        id="worst",
        label=_("How many of the worst"),
        default=2,
        low=1,
        high=MOST_NIGHTS,
        group=_NIGHTS,
        unit=_("nights"),
        card=_("Worst nights that are struck: {value}."),
        needs=_WITHOUT_WORST,
    ),
    ChoiceOption(
        id="missed",
        label=_("A missed night"),
        default="struck",
        group=_NIGHTS,
        needs=Needs(_WITHOUT_WORST.id, _WITHOUT_WORST.values, _WITHOUT_WORST.reason, _NOT_PER_GAME),
        picks=(
            Pick("struck", _("is struck first"), _("Missed nights are struck first.")),
            Pick("value", _("has a value"), ""),
        ),
    ),
    IntOption(
        id="missed_value",
        label=_("Value of a missed night"),
        default=0,
        low=-MOST_POINTS,
        high=MOST_POINTS,
        group=_NIGHTS,
        unit=_("points"),
        card=_("A missed night counts as {value}: who stays away gains nothing by it."),
        needs=Needs("missed", ("value",), _("Only where a missed night has a value.")),
    ),
    IntOption(
        id="least_nights",
        label=_("Least nights"),
        default=1,
        low=1,
        high=MOST_NIGHTS,
        group=_NIGHTS,
        unit=_("nights"),
        help=_("Who was there less often has no place yet."),
        card=_("Nights needed for a place: {value}."),
    ),
    ChoiceOption(
        id="who",
        label=_("Who counts"),
        default="everybody",
        group=_NIGHTS,
        picks=(
            Pick("everybody", _("whoever comes"), _("Whoever comes counts, guests too.")),
            Pick("entrants", _("who is counted in"), _("Only those who are counted in count.")),
        ),
    ),
    *(
        ChoiceOption(
            id=f"tie_{number}",
            label=label,
            default=default,
            group=_PLACES,
            picks=(
                Pick("nights", _("more nights"), _("Equal totals: more nights first.")),
                Pick("best_night", _("the better best night"), _("Equal totals: the better best night first.")),
                Pick("duel", _("the nights that all of them played"), _("Equal totals: their common nights decide.")),
                Pick(SHARED, _("share the place"), ""),
            ),
        )
        for number, label, default in (
            (1, _("Equal totals"), "nights"),
            (2, _("Still equal"), "best_night"),
            (3, _("Equal even then"), "duel"),
        )
    ),
)

_ANY = (2, 2)

SEASON_RULES = OptionSet(
    options=_OPTIONS,
    presets=(
        Preset("points", _("All points"), _("Every point of every night counts."), {}, _ANY),
        Preset(
            "per_game",
            _("Points per game"),
            _("Fair for who comes late or seldom: all points over all games."),
            {"worth": "per_game", "least_nights": 3},
            _ANY,
        ),
        Preset(
            "best_nights",
            _("The best nights"),
            _("The eight best nights count."),
            {"count": "best", "best": 8},
            _ANY,
        ),
        Preset(
            "race",
            _("Point race"),
            _("25 points for the best of a night, 18 for the second; the two worst nights are struck."),
            {"worth": "places", "count": "without_worst", "worst": 2},
            _ANY,
        ),
        Preset(
            "matches",
            _("Matches"),
            _("A point for each match won; more for a semi-final and a final."),
            {"worth": "match"},
            _ANY,
        ),
        Preset(
            "keizer",
            _("Matches, by Keizer"),
            _("Who beats the first gets most: for clubs that play matches every week."),
            {"worth": "keizer"},
            _ANY,
        ),
    ),
)  # fmt: skip


def rules_of(values: Mapping[str, Any], *, lower_is_better: bool = False) -> SeasonRules:
    """Return the rules that complete values of the declaration say, for a game where fewer may be better."""
    worth: Worth = "places" if values["worth"] in ("places", "field") else values["worth"]
    return SeasonRules(
        worth=worth,
        places=_places(values) if values["worth"] == "places" else None,
        equal=values["equal"],
        count=_count(values),
        missed=_missed(values),
        least_nights=values["least_nights"],
        ties=_ties(values),
        lower_is_better=lower_is_better,
        bye=Fraction(values["bye"]),
        absent=Fraction(values["absent"]),
        stages={
            stage: (values[f"{name}_won"], values[f"{name}_lost"])
            for stage, name in ((USUAL_STAGE, "match"), (SEMIFINAL, "semifinal"), (FINAL, "final"))
        },
    )


def rewards_absence(values: Mapping[str, Any]) -> bool:
    """Tell whether who stays away would win, where fewer is better: points as played, and missed nights are free.

    They are not where a missed night has a value, or where as many nights are needed as count.
    """
    if values["worth"] != "points":
        return False
    has_value = values["count"] == "without_worst" and values["missed"] == "value"
    return not has_value and not (values["count"] == "best" and values["least_nights"] >= values["best"])


def _places(values: Mapping[str, Any]) -> tuple[Number, ...]:
    return tuple(int(word) for word in values["places"].split())


def _count(values: Mapping[str, Any]) -> Count:
    if not SEASON_RULES.is_active(SEASON_RULES["count"], values):
        return Count()
    if values["count"] == "best":
        return Count("best", values["best"])
    return Count("without_worst", values["worst"]) if values["count"] == "without_worst" else Count()


def _missed(values: Mapping[str, Any]) -> Number | None:
    is_valued = SEASON_RULES.is_active(SEASON_RULES["missed_value"], values)
    return values["missed_value"] if is_valued else None


def _ties(values: Mapping[str, Any]) -> tuple[Tie, ...]:
    """Return the criteria up to the first that lets a place be shared."""
    found: list[Tie] = []
    for name in ("tie_1", "tie_2", "tie_3"):
        if values[name] == SHARED:
            break
        if values[name] not in found:
            found.append(values[name])
    return tuple(found)

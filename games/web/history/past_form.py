"""The form of a past game: what was typed, line by line, and what it shows again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.http import QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from games import plugin
from games.kernel.contract import Illegal
from games.kernel.figures.past_sheets import PastField
from games.models import Membership, Night, Player
from games.models.house import zone
from games.services.history import past_games
from games.services.history.past_games import PastGame, PastLine
from games.services.house_rules.cards import preset_label
from games.services.nights import without_phone
from games.services.people import name_order
from games.web.errors import refusal_text
from games.web.history import told_form
from games.web.history.told_form import ToldForm

NEW = "new"
"""The choice of somebody new in a line, whose name is typed."""
FEW_LINES, FILLED_LINES, MOST_LINES = 4, 8, 30

_CODES_OF = {
    "at": ("not_in_night",),
    "preset": ("no_such_preset",),
    "medium": ("no_such_medium",),
    "day": ("bad_day",),
    "name": ("night_name",),
    "venue": ("no_such_venue", "not_venue_host"),
}
"""Field → the codes of the refusals that it shows; those about a line show there, the others below the lines."""


@dataclass(slots=True)
class PastForm:
    """A form of a past game of a night, or of a past night that is still to be made (`night` None)."""

    game: plugin.GameConfig
    night: Night | None
    by: Player
    typed: QueryDict
    errors: dict[str, str] = field(default_factory=dict)
    slots: list[int] = field(default_factory=list)
    """The form's line of each line of the game."""

    @property
    def is_totals(self) -> bool:
        """Tell whether the form takes the totals of an evening instead of a game."""
        return bool(self.typed.get("totals"))

    @property
    def past_fields(self) -> Sequence[PastField]:
        """The fields of the game's own sheet, none for totals or where the game is told in its form."""
        return () if self.is_totals or self.told else self.game.past_fields

    @property
    def told(self) -> ToldForm | None:
        """The game's form, in which it is told; None where it is not."""
        return told_form.of(self.game, self.preset, self.typed)

    @property
    def preset(self) -> str:
        """The chosen variant; the first one of the game before."""
        return self.typed.get("preset") or self.game.options.presets[0].id

    def past_game(self) -> PastGame:
        """Return the typed game; raises Illegal `bad_points`, `bad_name`, `not_in_night`."""
        self.slots = [slot for slot in range(self.count) if self._is_filled(slot)]
        lines = [self._line(slot) for slot in self.slots]
        medium = self.typed.get("medium", "")
        told = None if self.told is None else self.told.told(self.slots)
        more = (self._at(), medium, self.is_totals, told)
        return PastGame(self.game.game_id, self.typed.get("preset", ""), lines, *more)

    def refuse(self, refusal: Illegal) -> None:
        """Keep the sentence of a refusal for its field."""
        at = next((field for field, codes in _CODES_OF.items() if refusal.code in codes), "lines")
        if refusal.code == "bad_form" and self.told is not None:
            refusal.params["field"] = self.told.label(refusal.params["field"])
        text = refusal_text(refusal, self.game.game_id)
        line = refusal.params.get("line")
        if isinstance(line, int):
            at = f"line-{self.slots[line] if line < len(self.slots) else line}"
        self.errors[at] = text

    @property
    def count(self) -> int:
        """The number of lines that the form shows."""
        shown = lines_of(self.typed) or len(self._start())
        return min(max(shown + ("more" in self.typed), FEW_LINES), MOST_LINES)

    def _start(self) -> list[str]:
        """Return the ids of people in a new form: a small night's members, else none; the author without a night."""
        if self.night is None or self.night.is_past:
            return [str(self.by.pk)]
        inside = self.night.memberships.filter(status=Membership.Status.IN)
        most = MOST_LINES if self.is_totals else FILLED_LINES
        named = inside.order_by(name_order.order("player__nickname"), "pk")
        ids = list(named.values_list("player", flat=True)[: most + 1])
        return [str(pk) for pk in ids] if len(ids) <= most else []

    def _is_filled(self, slot: int) -> bool:
        """Tell whether a line says anything: who, where the game has a sheet of its own, else points."""
        has_person = bool(self.typed.get(f"who-{slot}"))
        return has_person if self.past_fields or self.told else bool(self.typed.get(f"points-{slot}", "").strip())

    def _line(self, slot: int) -> PastLine:
        who, name = self.typed.get(f"who-{slot}", ""), self.typed.get(f"name-{slot}", "")
        is_known = who.isascii() and who.isdigit() and len(who) < 16
        if not is_known and who != NEW:
            raise Illegal("nobody_named", line=self.slots.index(slot))
        player = int(who) if is_known else None
        named = "" if is_known else name
        if self.past_fields:
            return PastLine(player, words=words_of(self.game, self.typed, slot), name=named)
        if self.told:
            return PastLine(player, name=named)
        points = number(self.typed.get(f"points-{slot}", ""))
        if points is None:
            raise Illegal("bad_points", most=self.most, line=self.slots.index(slot))
        return PastLine(player, points, name=named)

    @property
    def most(self) -> int:
        """The most points of a person."""
        options = self.game.options.values(self.preset)
        return past_games.most_points(self.night, self.by, self.game.game_id, self.game.unit_of(options))

    def _at(self) -> datetime | None:
        """Return when the game ended, None if the field is empty; raises Illegal `not_in_night` for no time."""
        text = self.typed.get("at", "").strip()
        if not text:
            return None
        try:
            at = parse_datetime(text)
        except ValueError:
            at = None
        if at is None:
            raise Illegal("not_in_night")
        return at if timezone.is_aware(at) else at.replace(tzinfo=zone())

    def context(self) -> dict[str, Any]:
        """Return the form for its template, with everything typed so far."""
        game, start = self.game, self._start() if "lines" not in self.typed else []
        presets = [(preset.id, preset_label(game.game_id, preset.id)) for preset in game.options.presets]
        groups = people_groups(self.night, self.by)
        rows = [self._row(slot, start[slot] if slot < len(start) else "") for slot in range(self.count)]
        return {
            "game": game,
            "games": list(plugin.all_games().values()),
            "night": self.night,
            "presets": presets,
            "preset": self.preset,
            "media": list(game.media.items()),
            "groups": groups,
            "rows": rows,
            "typed": self.typed,
            "is_totals": self.is_totals,
            "is_told": bool(self.told),
            "is_usual": not self.is_totals and not self.typed.get("told"),
            "may_be_told": not game.past_fields and game.told_form(game.options.values(presets[0][0])) is not None,
            "errors": self.errors,
            # A telephone's keys for numbers have no minus.
            "inputmode": "numeric" if game.lower_is_better else "text",
            **reckoned(self.game, self.typed),
            **self._told_context(rows, groups),
        }

    def _told_context(self, rows: list[dict[str, Any]], groups: list[tuple[str, list[Player]]]) -> dict[str, Any]:
        """Return the form of the game for the template, each line's fields in its row."""
        if self.told is None:
            return {"told": None}
        found = self.told.context(self._names(rows, groups), len(rows))
        for row, (_slot, fields) in zip(rows, found["seats"], strict=True):
            row["of_seat"] = fields
        return {"told": found}

    def _names(self, rows: Sequence[dict[str, Any]], groups: Sequence[tuple[str, list[Player]]]) -> dict[int, str]:
        """Return the names of the people of the lines, as far as they are chosen."""
        known = {str(player.pk): player.nickname for _title, people in groups for player in people}
        return {row["slot"]: known.get(row["who"], row["name"] if row["who"] == NEW else "") for row in rows}

    def _row(self, slot: int, who: str) -> dict[str, Any]:
        """Return a line of the form; `who` is whom a new form begins with."""
        fields = [
            {
                "field": one,
                "words": list(one.words.items()),
                "chosen": self.typed.get(f"{one.id}-{slot}", ""),
                "only": ":".join(one.only) if one.only else "",
            }
            for one in self.past_fields
        ]
        return {
            "slot": slot,
            "mark": f"{slot}-error",
            "who": self.typed.get(f"who-{slot}", who),
            "name": self.typed.get(f"name-{slot}", ""),
            "points": self.typed.get(f"points-{slot}", ""),
            "head": fields[:1],
            "fields": fields[1:],
            "error": self.errors.get(f"line-{slot}", ""),
        }


def people_groups(night: Night | None, by: Player) -> list[tuple[str, list[Player]]]:
    """Return the people to choose from in groups with a heading: who is there, who was, regulars, people met."""
    found = list(past_games.candidates(night, by))
    rows = night.memberships.all() if night else Membership.objects.none()
    status = dict(rows.values_list("player", "status"))
    kept = without_phone.regulars(by)
    titles = {
        "in": _("At the night"),
        "been": _("Left or removed"),
        "kept": _("Without a phone"),
        "met": _("People you have met"),
    }
    groups: dict[str, list[Player]] = {name: [] for name in titles}
    for player in found:
        if status.get(player.pk) == Membership.Status.IN or player.pk == by.pk:
            groups["in"].append(player)
        elif night is not None and not night.is_past and player.pk not in kept:
            groups["been"].append(player)
        else:
            groups["kept" if player.pk in kept else "met"].append(player)
    return [(titles[name], people) for name, people in groups.items() if people]


def reckoned(game: plugin.GameConfig, typed: QueryDict) -> dict[str, Any]:
    """Return what a form comes to so far: the points that the game's sheet computes by line, their sum, the unit."""
    preset = typed.get("preset", "")
    known = preset if preset in {one.id for one in game.options.presets} else game.options.presets[0].id
    options = game.options.values(known)
    told = told_form.of(game, known, typed)
    found: dict[str, Any] = {"unit": game.unit_label(game.unit_of(options), options), "reckoned": {}, "sum_note": ""}
    found["told"] = None if told is None else told.context({}, lines_of(typed))
    slots = [slot for slot in range(lines_of(typed)) if typed.get(f"who-{slot}")]
    try:
        points = _points_so_far(game, typed, slots) if told is None else _points_told(told, known, slots)
    except Illegal as refusal:
        # A game that is told by halves says nothing yet.
        is_half = refusal.code in ("bad_form", "not_ended") or not slots
        return found | {"sum": None, "sum_note": "" if is_half else refusal_text(refusal, game.game_id)}
    total = sum(points.values())
    has_fields = told is not None or (bool(game.past_fields) and not typed.get("totals"))
    if game.is_zero_sum and total:
        found["sum_note"] = _("What some lose others win: the points have to add up to 0.")
    return found | {
        "reckoned": points if has_fields else {},
        "sum": total if points else None,
    }


def lines_of(typed: QueryDict) -> int:
    """Return the number of lines that a sent form has; 0 for one without."""
    text = typed.get("lines", "")
    return min(int(text), MOST_LINES) if text.isascii() and text.isdigit() and len(text) < 4 else 0


def number(text: str) -> int | None:
    """Return typed points, with any minus sign; None for what is no number."""
    plain = text.strip().replace("\u2212", "-")
    digits = plain.removeprefix("-").removeprefix("+")
    return int(plain) if digits.isascii() and digits.isdigit() and len(digits) < 9 else None


def words_of(game: plugin.GameConfig, typed: QueryDict, slot: int) -> dict[str, str]:
    """Return the chosen words of a line, by the field's id."""
    words = {one.id: typed.get(f"{one.id}-{slot}", "") for one in game.past_fields}
    return {name: word for name, word in words.items() if word}


def _points_told(told: ToldForm, preset: str, slots: list[int]) -> dict[int, int]:
    """Return the points of each filled line by the rules; raises as these, and as `past_games.check_number`."""
    past_game = PastGame(told.game.game_id, preset, [PastLine(0) for _slot in slots])
    past_games.check_number(past_game, told.game, told.game.options.values(preset))
    computed = past_games.points_of(told.game, replace(past_game, told=told.told(slots)))
    return {slot: points or 0 for slot, points in zip(slots, computed, strict=True)}


def _points_so_far(game: plugin.GameConfig, typed: QueryDict, slots: list[int]) -> dict[int, int]:
    """Return the points of the form's lines that have some; raises as the game's own sheet."""
    if game.past_fields and not typed.get("totals"):
        lines = [PastLine(0, words=words_of(game, typed, slot)) for slot in slots]
        computed = past_games.points_of(game, PastGame(game.game_id, "", lines))
    else:
        computed = [number(typed.get(f"points-{slot}", "")) for slot in slots]
    return {slot: points for slot, points in zip(slots, computed, strict=True) if points is not None}

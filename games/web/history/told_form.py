"""The form of a game (`rules.form`) on the page of a past game: its fields with what was typed, and the game as told.

Fields are named by their part, their id and, of a line or a round, its number: `game-box`, `seat-cube-2`,
`round-low-0`. People are told by the form's lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from games import plugin
from games.game_texts import gettext_of
from games.kernel.contract import Illegal, JsonObject
from games.kernel.figures.game_forms import MOST_ROUNDS, Fields, FormField, GameForm

FEW_ROUNDS = 3
MOST_IN_ORDER = 10
"""The most people of a list in their order, such as those who threw a Chick."""


@dataclass(frozen=True, slots=True)
class ToldForm:
    """The form of a past game with what was typed, of a variant."""

    game: plugin.GameConfig
    form: GameForm
    typed: QueryDict

    def told(self, slots: Sequence[int]) -> JsonObject:
        """Return the game as told, whose seats are the filled lines `slots`; raises Illegal `bad_form`."""
        seats = {str(slot): seat for seat, slot in enumerate(slots)}
        found: JsonObject = {}
        if self.form.of_game:
            found["game"] = self._part(self.form.of_game, "game-{}", seats)
        if self.form.of_seat:
            rows = {seat: self._part(self.form.of_seat, f"seat-{{}}-{slot}", seats) for slot, seat in seats.items()}
            found["seats"] = {str(seat): row for seat, row in rows.items() if row}
        if self.form.of_round:
            rounds = [self._part(self.form.of_round, f"round-{{}}-{n}", seats) for n in range(self._rounds())]
            found["rounds"] = [one for one in rounds if one]
        return found

    def _part(self, fields: Fields, named: str, seats: Mapping[str, int]) -> JsonObject:
        """Return the values of a part's fields, without those that were left out or mean nothing."""
        found: JsonObject = {}
        for one in fields:
            texts = [text for text in self.typed.getlist(named.format(one.id)) if text]
            if texts and (one.only is None or found.get(one.only[0]) == one.only[1]):
                found[one.id] = self._value(one, texts, seats)
        return found

    def _value(self, one: FormField, texts: Sequence[str], seats: Mapping[str, int]) -> Any:
        if one.kind == "seats":
            return [self._seat(one, text, seats) for text in texts]
        if one.kind == "seat":
            return self._seat(one, texts[-1], seats)
        if one.kind == "count":
            return int(texts[-1]) if texts[-1] in {str(n) for n in range(one.most + 1)} else None
        return texts[-1]

    def _seat(self, one: FormField, text: str, seats: Mapping[str, int]) -> int:
        if text not in seats:
            raise Illegal("bad_form", field=one.id)
        return seats[text]

    def _rounds(self) -> int:
        """Return the number of rounds up to the last one of which anything was typed."""
        ids = {one.id for one in self.form.of_round}
        named = {f"round-{one}-{n}": n for one in ids for n in range(MOST_ROUNDS)}
        typed = [named[name] for name in self.typed if name in named and any(self.typed.getlist(name))]
        return max(typed, default=-1) + 1

    def label(self, field_id: str) -> str:
        """Return the label of a field by its id, "" for none of the form's."""
        fields = (*self.form.of_game, *self.form.of_seat, *self.form.of_round)
        return next((gettext_of(self.game, one.label) for one in fields if one.id == field_id), field_id)

    def context(self, names: Mapping[int, str], count: int) -> dict[str, Any]:
        """Return the form for its template: fields of the game, of each of `count` lines, and of each round."""
        text = partial(gettext_of, self.game)
        shown = self.form.to_json(text)
        people = [(str(slot), names.get(slot) or _("Player %(n)s") % {"n": slot + 1}) for slot in range(count)]
        rounds = min(max(self._rounds() + 1, FEW_ROUNDS), MOST_ROUNDS) if shown["rounds"] else 0
        return {
            "game": [self._shown(one, "game", "", people) for one in shown["game"]],
            "seats": [
                (slot, [self._shown(one, "seat", f"-{slot}", people) for one in shown["seats"]])
                for slot in range(count)
            ],
            "rounds": [
                [self._shown(one, "round", f"-{number}", people) for one in shown["rounds"]] for number in range(rounds)
            ],
        }

    def _shown(self, one: JsonObject, part: str, end: str, people: list[tuple[str, str]]) -> dict[str, Any]:
        """Return a field with its choices, the first one for nothing, and what was typed: one select for each value."""
        name, kind = f"{part}-{one['id']}{end}", one["kind"]
        words = [(word["value"], word["label"]) for word in one.get("words", ())]
        counts = [(str(n), str(n)) for n in range(1, one.get("most", 0) + 1)]
        typed = [text for text in self.typed.getlist(name) if text]
        is_list = kind == "seats"
        chosen = [*typed, ""][: min(MOST_IN_ORDER, len(people))] if is_list else typed[-1:] or [""]
        only = one.get("only")
        return {
            "name": name,
            "label": one["label"],
            "unsaid": one.get("unsaid") or ("–" if is_list else ""),
            "words": people if kind in ("seat", "seats") else words or counts,
            "is_of_people": kind in ("seat", "seats"),
            "chosen": chosen,
            "only": f"{part}-{only['field']}{end}:{only['word']}" if only else "",
        }


def of(game: plugin.GameConfig, preset: str, typed: QueryDict) -> ToldForm | None:
    """Return the form of the game of a variant; None where it is entered by points, or by a sheet for each person."""
    is_offered = bool(game.past_fields) or bool(typed.get("told"))
    if typed.get("totals") or not is_offered or preset not in {one.id for one in game.options.presets}:
        return None
    found = game.told_form(game.options.values(preset))
    return None if found is None else ToldForm(game, found[0], typed)

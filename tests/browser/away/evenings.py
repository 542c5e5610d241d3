"""Two evenings that are never broken: a chouette of five at a real board, a Chicago of five for mats with a real cup.

Each game, or round, is played act by act, and told in its form beside it: what people do while the house is there, and
what they tell while it is away.
"""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass
from typing import Any, Self

from chicago.rules import rules as chicago_rules
from chouette.rules import rules as chouette_rules
from chouette.rules.state import playing
from games.kernel.contract import PLAYED, Command, Illegal, JsonObject
from games.kernel.simulate import RandomDice, open_choices
from tests.chicago.table import Table as ChicagoTable
from tests.chicago.turns.test_played_rounds import _with_fields, told_of
from tests.chouette.table import Table as ChouetteTable

RESULT = "table.state_result"
SEATS = "ABCDE"
USUAL = 0.97
ROTATIONS = ("captain_result", "last_man_standing", "game_result")


@dataclass(frozen=True, slots=True)
class Act:
    """What a seat does; None: the host says how the game has ended."""

    seat: int | None
    name: str
    args: JsonObject


@dataclass(frozen=True, slots=True)
class Played:
    """A game, or a round, as it was played, and as it is told; `cuts` are acts after which it may go on without the
    house.
    """

    acts: tuple[Act, ...]
    told: JsonObject
    cuts: tuple[int, ...] = ()


class Evening:
    """A table of a game, and what happens there by the chances of a seed."""

    rules_of_game: Any
    table: Any
    rng: random.Random

    def fork(self) -> Self:
        """Return the evening as it stands, to be played otherwise."""
        other = copy.copy(self)
        other.table = copy.deepcopy(self.table)
        return other

    def take(self, told: JsonObject) -> bool:
        """Take a game as told; tell whether the rules have taken it."""
        table = self.table
        command = Command(PLAYED, None, told)
        try:
            decided = self.rules_of_game.decide(table.state, command, RandomDice(self.rng), len(table.log) + 1)
        except Illegal:
            return False
        table._write(decided.events)
        return True


class Chouette(Evening):
    """A chouette with doubles, redoubles, drops, ties of the opening roll, and seats that sit a game out."""

    name, preset, is_over = "chouette", "wood", False
    rules_of_game = chouette_rules

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.rules: dict[str, Any] = {
            "line_order": "by_hand",
            "automatics": "carry_over",
            "rotation": rng.choice(ROTATIONS),
            "must_break_even": rng.random() < 0.5,
            "jacoby": rng.random() < 0.5,
        }
        self.table = ChouetteTable(SEATS, preset=self.preset, **self.rules)
        self._acts: list[Act] = []

    def begin(self, view: Any) -> None:
        """Nothing of the house's first entry is chance: the line is that of the seats."""
        assert view["line"] == [*range(len(SEATS))]

    def play(self) -> Played:
        """Play a game to its end."""
        self._acts, table, rng = [], self.table, self.rng
        seats: dict[str, JsonObject] = {}
        game: JsonObject = {}
        if rng.random() < 0.15:
            sitter = rng.choice(table.line[2:])
            self._do(sitter, "sit_out", on=True)
            seats[sitter] = {"sits_out": "yes"}
        if any(choice.name == "automatic" for choice in chouette_rules.choices(table.state, table.seat(table.box))):
            game["carried"] = rng.choice(["yes", "no"])
            self._do(table.box, "automatic", agree=game["carried"] == "yes")
        game["box"] = table.seat(table.box)
        self._do(table.box, "begin_game")
        cuts = [len(self._acts)]
        for _tie in range(rng.choice([0, 0, 0, 1, 2])):
            if table.choice(table.box, "tie"):
                self._do(table.box, "tie")
                game["ties"] = game.get("ties", 0) + 1
        cuts.append(len(self._acts))
        if rng.random() < 0.6:
            self._double(seats)
            cuts.append(len(self._acts))
        game |= {"winner": rng.choice(["box", "team"]), "level": rng.choice("1123")}
        self._acts.append(Act(None, RESULT, {"result": {"winner": game["winner"], "level": int(game["level"])}}))
        table.do(None, "state_result", winner=game["winner"], level=int(game["level"]))
        told = {"game": game, "seats": {str(table.seat(name)): seats[name] for name in sorted(seats)}}
        return Played(tuple(self._acts), told, tuple(cuts))

    def _do(self, who: str, name: str, /, **args: Any) -> None:
        self._acts.append(Act(self.table.seat(who), name, args))
        self.table.do(who, name, **args)

    def _double(self, seats: dict[str, JsonObject]) -> None:
        """Play doubles: the Box doubles all members, some drop, some of the takers redouble."""
        table, rng = self.table, self.rng
        members = [table.names[seat] for seat in playing(table.state).line[1:]]
        value = table.value(members[0])
        drops = set(rng.sample(members, rng.randrange(len(members))))
        self._do(table.box, "offer", cubes=sorted(table.cube(name) for name in members))
        for name in members:
            self._do(name, "answer", cube=table.cube(name), take=name not in drops)
        takers = [name for name in members if name not in drops]
        again = rng.sample(takers, rng.randrange(len(takers))) if rng.random() < 0.5 else []
        for name in members:
            told = {"winner": "box"} if name in drops else {"cube": str(4 * value if name in again else 2 * value)}
            seats[name] = seats.get(name, {}) | told
        for name in sorted(again, key=lambda name: name == table.captain):
            self._do(name, "double", cube=table.cube(name))
        if again:
            self._do(table.box, "answer_batch", take=sorted(table.cube(name) for name in again))

    def standing(self, view: Any) -> JsonObject:
        """Return the standing in a view: points, Box, line, the carried double, and each game's row."""
        # How a cube went out is not told: a drop counts as a plain game.
        told = ("game", "winner", "line", "points", "totals", "struck")
        rows = [{name: row[name] for name in told} for row in view["sheet"]]
        names = ("phase", "line", "totals", "roles", "question", "score", "last_game")
        return {name: view[name] for name in names} | {"rows": rows}

    def now(self) -> JsonObject:
        """Return the standing of the evening that was never broken."""
        return self.standing(chouette_rules.view(self.table.state, None))


class Chicago(Evening):
    """A Chicago whose stock of mats is large; it ends when one is left with mats."""

    name, preset = "chicago", "mats"
    rules_of_game = chicago_rules

    def __init__(self, rng: random.Random, mats: int) -> None:
        self.rng = rng
        self.rules: dict[str, Any] = {
            "mats": "fixed",
            "mats_fixed": mats,
            "playing_off": rng.choice(["discard", "give"]),
        }
        self.table = ChicagoTable(self.preset, len(SEATS), **self.rules)

    def begin(self, view: Any) -> None:
        """Begin with the starter that the house's dice have named."""
        self.table = ChicagoTable(self.preset, len(SEATS), view["starter"], **self.rules)

    @property
    def is_over(self) -> bool:
        """Tell whether the last mat is gone."""
        return chicago_rules.is_over(self.table.state)

    def play(self) -> Played:
        """Play a round to its end."""
        table, acts, cuts = self.table, [], [0]
        way: JsonObject = {}
        told = None
        while told is None:
            choices = [one for one in open_choices(chicago_rules, table.state, len(SEATS)) if one.required]
            choice = next(one for one in choices if one.name != "throw")
            args = self._result(list(choice.options))
            acts.append(Act(choice.seat, choice.name, args))
            command = Command(choice.name, choice.seat, args)
            decided = chicago_rules.decide(table.state, command, RandomDice(self.rng), len(table.log) + 1)
            told = told_of(table._write(decided.events), way)
            if not way and told is None:
                cuts.append(len(acts))
        return Played(tuple(acts), _with_fields(table, told), tuple(cuts))

    def _result(self, options: list[JsonObject]) -> JsonObject:
        """Return a random result of a throw; a Chick comes as seldom as with dice."""
        usual = [one for one in options if one.get("kind") != "chick"]
        return self.rng.choice(usual if usual and self.rng.random() < USUAL else options)

    def standing(self, view: Any) -> JsonObject:
        """Return the standing in a view: mats by seat, the seats that are in, and the end."""
        # Of equals a die says who starts to play the mats off: the house's own.
        names = ("phase", "round", "stock", "mats_out")
        seats = [{name: seat[name] for name in ("seat", "status", "mats", "mats_taken", "rounds_paid")}
                 for seat in view["seats"]]  # fmt: skip
        outcome = view["outcome"] and {name: view["outcome"][name] for name in ("points", "ranking", "losers")}
        return {name: view[name] for name in names} | {"seats": seats, "outcome": outcome}

    def now(self) -> JsonObject:
        """Return the standing of the evening that was never broken."""
        return self.standing(chicago_rules.view(self.table.state, None))

"""A second reading of docs/rules-chicago.md §2 "Real dice": results that are entered, turns that are taken back."""

from __future__ import annotations

from copy import deepcopy
from functools import lru_cache
from itertools import combinations_with_replacement

from tests.chicago.reference import reference_house
from tests.chicago.reference.reference_turn import TABLE_DECLARES, Result, Turn

NOTHING_UNDOES = {"join", "leave", "vacate", "occupy", "call_breach", "take_for"}
DECLARABLE = {(ones, sixes, high) for ones in (100, 1) for sixes in (60, 6) for high in (True, False)}
KEPT = 3


class Entered(Result):
    """A result of which the value is known, and not the dice."""

    def __init__(self, seat, throws, value, fish, valuation, options):
        self.seat, self.throws, self.value, self.fish, self.high = seat, throws, value, fish, valuation[2]
        fewer = options["ties"] == "fewer_throws"
        self.key = (self.value if self.high else -self.value, -self.throws if fewer else 0)


class Game(reference_house.Game):
    declared = entered = began = None
    turn_number = 0
    past = ()
    typed = by_house = False

    def next_turn(self):
        self.declared = self.entered = None
        self.turn_number += bool(self.queue)
        super().next_turn()

    # Entering

    def asks_for_result(self):
        options = self.options
        return options["dice"] == "typed" and options["entry"] == "result" and not self.turn.throws and not self.breach

    def counts(self):
        return self.valuation or self.declared or TABLE_DECLARES

    def entries(self):
        if not self.asks_for_result():
            return set()
        exactly = self.allowed is not None and self.options["followers"] == "exactly"
        known = tuple(sorted((k, v) for k, v in self.options.items() if k != "forfeit_name"))
        return possible(known, self.turn.limit, exactly, self.counts())

    def can_declare(self):
        return DECLARABLE - {self.counts()} if self.asks_for_result() and self.declares() else set()

    def declare(self, valuation):
        self.declared = valuation

    def enter_result(self, seat, throws, value, kind):
        counts = self.counts()
        if self.refill_by is not None:
            self.take_forfeit(seat)
        self.turn.throws = throws
        self.throws[seat] += throws
        if kind in ("chick", "collected"):
            self.turn.rolled = [1, 1, 1] if kind == "chick" else []
            self.chick(seat)
        elif kind in ("triple", "one_six_five"):
            self.naming = True
        else:
            self.entered = Entered(seat, throws, value, kind == "fish", counts, self.options)
            self.stand(seat, counts)

    def result_of(self, seat):
        return self.entered or super().result_of(seat)

    # Taking back

    def remember(self, command, threw):
        """After a command: `threw` says whether dice fell, from the table or the house."""
        if self.options["dice"] != "typed" or self.phase == "over":
            return
        by_table = False
        if command is not None and threw:
            by_table = command.name == "enter_result" or "dice" in command.args
            self.typed, self.by_house = self.typed or by_table, self.by_house or not by_table
        of_house = command is not None and threw and not by_table and not command.by_bot
        if command is not None and (command.name in NOTHING_UNDOES or of_house):
            self.began, self.past = None, ()
        if self.began and self.turn_number != self.began.turn_number:
            if self.typed and not self.by_house:
                self.past = (*self.past, self.began)[-KEPT:]
            self.began = None
        if not self.is_touched():
            self.typed = self.by_house = False
            self.began = self.copied()

    def copied(self):
        game = object.__new__(Game)
        shared = {"chance": self.chance, "options": self.options, "began": None, "past": ()}
        parts = {key: value for key, value in self.__dict__.items() if key not in shared and key != "turn"}
        game.__dict__ = deepcopy(parts) | shared
        game.turn = Turn(self.options, self.turn.limit)
        return game

    def is_touched(self):
        return bool(self.turn.throws or self.awaits or self.declared or self.naming)

    def undoable(self):
        """The starts of the turns that can be taken back, the last one first."""
        if self.options["dice"] != "typed" or self.breach or self.phase == "over":
            return []
        running = [self.began] if self.began and self.typed and not self.by_house else []
        return running + [one for one in reversed(self.past) if one.turn_number >= self.turn_number - KEPT]

    def can_undo(self):
        return {game.on_turn for game in self.undoable()}

    def can_undo_alone(self):
        found = self.undoable()
        if not found:
            return set()
        is_running = found[0] is self.began
        is_last = not self.is_touched() and found[0].turn_number == self.turn_number - 1
        return {found[0].on_turn} if is_running or is_last else set()

    def take_back(self, seat):
        chosen = next(game for game in self.undoable() if game.on_turn == seat)
        past = self.past[1 - KEPT :] if chosen is self.began else self.past[: self.past.index(chosen)]
        self.__dict__ = {**chosen.copied().__dict__, "past": past, "typed": False, "by_house": False}


@lru_cache(maxsize=512)
def possible(known, limit, exactly, valuation):
    """Return (throws, value, kind) of every way in which a turn may end."""
    options, found = dict(known), set()
    cups = {()}
    for throws in range(1, limit + 1):
        further = set()
        for laid in cups:
            for fell in combinations_with_replacement(range(1, 7), 3 - len(laid)):
                turn = Turn(options, limit)
                turn.laid, turn.rolled, turn.throws = list(laid), list(fell), throws
                further |= look_at(turn, options, exactly, valuation, found)
        cups = further
    return found


def look_at(turn, options, exactly, valuation, found):
    """Add what a turn may end with; return what may lie out before the next throw."""
    plain = Result(0, turn, valuation, options)
    if turn.has_chick():
        one_throw = turn.rolled == [1, 1, 1]
        tells = options["chick_pays_schnapps"] and options["chick"] == "any"
        kind = "collected" if tells and not one_throw else "chick"
        found.add((turn.throws, sum({1: valuation[0]}.get(d, d) for d in turn.dice), kind))
        return set()
    if options["forfeits"] and turn.names_loser():
        triple = options["triples_name_loser"] and len(turn.rolled) == 3 and len(set(turn.rolled)) == 1
        found.add((turn.throws, plain.value, "triple" if triple else "one_six_five"))
        return set()
    if not turn.is_forced() and (not exactly or turn.throws == turn.limit):
        found.add((turn.throws, plain.value, "fish" if plain.fish else "sum"))
    return {turn.lying(*way) for way in turn.ways_on()}

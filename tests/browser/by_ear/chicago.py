"""An evening of Chicago by ear: dice and what must be beaten as they were heard, each throw by the odds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from chicago.odds.exact import OddsRules
from chicago.odds.objective import BEAT, NOT_LOW, Aim, ways
from chicago.rules.throwing.scoring import Score
from chicago.rules.throwing.turn import MOST_THROWS, Lay, Turn
from tests.browser.by_ear.sentences import Read, Sentences
from tests.browser.by_ear.tree import Tree

SILENCE = 6.0
"""Seconds after which somebody asks whose turn it is."""
THROWS = {"one": 1, "two": 2, "three": 3}
_CALLED = re.compile(r"(?:Beat|Get below) (?:the high: )?(?:(?P<fish>Fish) ?)?(?P<value>\d+)? ?in (?P<throws>\w+)")
_FACES = ("", "one", "two", "three", "four", "five", "six")
_DIE = re.compile(r"^die (?P<number>[123]) of 3 shows (?P<face>\w+)(?P<laid>, laid out)?$")


@dataclass
class Spoken:
    """What was said of a turn: the names of what each utterance told."""

    said: list[list[str]] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """All names, in their order."""
        return [name for names in self.said for name in names]

    @property
    def most(self) -> int:
        """The most utterances that it may have: one for each throw, and one for its end with all that follows."""
        return self.names.count("dice_thrown") + 1


class Player:
    """Somebody who plays Chicago by ear: the running turn as it was told, and the keys that they press for it."""

    def __init__(self, tree: Tree, name: str, options: Mapping[str, Any], players: int) -> None:
        self.tree, self.name, self.players = tree, name, players
        self.sentences = Sentences("chicago")
        self.house = OddsRules.of(dict(options), None)
        self.thrower = ""
        self.laid: tuple[int, ...] = ()
        self.rolled: tuple[int, ...] = ()
        self.throws = self.asked_again = self.entries = 0
        self.stood: list[str] = []
        self.least_throws = MOST_THROWS
        self.is_over = False
        self.due: Read | None = None
        self.unread: list[str] = []
        self.turns: list[Spoken] = [Spoken()]

    def step(self) -> None:
        """Listen, take in what was said, and do what is due."""
        has_heard = self.listen(SILENCE if self.due is None else 0.1)
        if self.is_over:
            return
        if not has_heard and self.due is None:
            self._ask()
        elif self.due is not None:
            due, self.due = self.due, None
            self._act(due)

    def come_in(self) -> None:
        """Ask how the game stands: whoever comes in has not heard what was thrown."""
        for _ in range(20):
            self.tree.press("g", "the page of the table is open")
            has_heard = False
            for one in self.tree.hear(2.0):
                reads = [read for read in self.sentences.read_all(one.text) if isinstance(read, Read)]
                if "Round " in one.text:  # a slow page may answer twice
                    has_heard = True
                    self.due = next((read for read in reads if read.name.startswith("turn ")), None)
                    self._cup(one.text)
                elif has_heard:
                    for read in reads:
                        self.take_in(read)
            if has_heard:
                return
        raise AssertionError("nobody tells how the game stands")

    def _cup(self, text: str) -> None:
        if found := re.search(r"Dice thrown: ([\d, ]+)", text):
            self.rolled = tuple(int(die) for die in re.findall(r"\d", found[1]))
            self.throws = int(found[1]) if (found := re.search(r"[Tt]hrow (\d) of", text)) else 1
        if found := re.search(r"Laid out: ([\d, ]+)", text):
            self.laid = tuple(int(die) for die in re.findall(r"\d", found[1]))

    def listen(self, seconds: float) -> bool:
        """Take in what is said within a time; tell whether anything was."""
        utterances = self.tree.hear(seconds)
        for one in utterances:
            reads = self.sentences.read_all(one.text)
            for read in reads:
                if isinstance(read, str):
                    self.unread.append(read)
                else:
                    self.take_in(read)
            self.turns[-1].said.append([read if isinstance(read, str) else read.name for read in reads])
        return bool(utterances)

    def take_in(self, read: Read) -> None:
        """Take in what was said."""
        who = read.words.get("name", "")
        if read.name == "dice_thrown":
            self.entries += 1
            self._thrown(who, read)
            if who == self.name:
                self.due = read
        elif read.name in ("stood", "announced", "chick_thrown"):
            self.entries += 1
            self._stood(who)
        elif read.name in ("round_started", "round_ended", "round_lost", "mat_taken", "mat_discarded", "starter_drawn"):
            self.entries += 1
            self.stood, self.least_throws = [], MOST_THROWS
            self._turn_over()
        elif read.name == "game_ended":
            self.is_over = True
        elif read.name.startswith("turn "):
            self.due = read

    def _thrown(self, who: str, read: Read) -> None:
        if who != self.thrower or not self.throws:
            self.thrower, self.throws = who, 0
            self.turns.append(Spoken())
        self.throws += 1
        self.rolled = _dice(read.words["dice"])
        self.laid = _dice(read.words.get("laid", ""))

    def _stood(self, who: str) -> None:
        if who not in self.stood:
            if not self.stood:
                self.least_throws = self.throws or MOST_THROWS
            self.stood.append(who)
        self._turn_over()

    def _turn_over(self) -> None:
        self.throws, self.thrower, self.laid, self.rolled = 0, "", (), ()

    def _ask(self) -> None:
        """Ask whose turn it is: nothing has been said for long."""
        self.asked_again += 1
        for text in self.answer("w", "silence"):
            read = self.sentences.read(text)
            if read is not None and read.name.startswith("turn "):
                self._act(read)
                return

    def answer(self, letter: str, reason: str) -> list[str]:
        """Ask by a letter, and return the sentences of the answer."""
        self.tree.press(letter, reason)
        told: list[str] = []
        for one in self.tree.hear(1.5):
            reads = self.sentences.read_all(one.text)
            events = [read for read in reads if isinstance(read, Read) and not read.name.startswith("turn ")]
            if events:  # an event came between
                for read in events:
                    self.take_in(read)
            else:
                told += [part.rstrip(".") for part in re.split(r"(?<=[.!?]) ", one.text)]
        return told

    def _act(self, read: Read) -> None:
        """Throw, stand, or do a duty."""
        name = read.name.removeprefix("turn ")
        if name in ("throw", "stand", "dice_thrown"):
            self._go_on(read)
        elif self.tree.go_to("button", "^(Refill|Not guilty)"):
            self.tree.press("Enter", read.text)

    def _go_on(self, read: Read) -> None:
        """Take the way with the best chance, of what was heard; whoever begins a turn throws."""
        if not self.throws or read.name == "turn stand":
            self.tree.press("t" if not self.throws else "s", read.text)
            return
        if self.throws >= (self.least_throws if self.stood else MOST_THROWS):
            return  # the turn is over by itself
        turn = Turn(tuple(sorted(self.laid)), tuple(sorted(self.rolled)), self.throws)
        best = ways(self._aim(read), turn)[0]
        if best.lay is None:
            self.tree.press("s", read.text)
            return
        self._lay(best.lay, read)
        self.tree.press("t", read.text)

    def _aim(self, read: Read) -> Aim:
        """Return what the turn is about, as the letter B says it."""
        low, behind = None, self.players - len(self.stood) - 1
        for text in self.answer("b", read.text):
            if found := _CALLED.match(text):
                low = Score(int(found["value"] or 0), False, bool(found["fish"]), THROWS[found["throws"]])
        goal = BEAT if low and not behind else NOT_LOW
        return Aim(self.house, goal, behind, low, throws=self.least_throws if self.stood else None)

    def _lay(self, lay: Lay, read: Read) -> None:
        """Lay out the dice of a way by their numbers; the buttons say which lie out already."""
        if lay.turn and self.tree.go_to("button", "^Turn two sixes$", 1.0):
            self.tree.press("Enter", read.text)
        wanted = list(lay.lay)
        for name in self.tree.names("button"):
            found = _DIE.match(name)
            if not found:
                continue
            face = _FACES.index(found["face"])
            if found["laid"] and face in wanted:
                wanted.remove(face)
            elif found["laid"]:
                self.tree.press(found["number"], read.text)
        for name in self.tree.names("button"):
            found = _DIE.match(name)
            if found and not found["laid"] and _FACES.index(found["face"]) in wanted:
                wanted.remove(_FACES.index(found["face"]))
                self.tree.press(found["number"], read.text)


def _dice(text: str) -> tuple[int, ...]:
    return tuple(int(die) for die in text.split("-") if die)

"""A chouette by ear: the position built from what was heard, and each decision by the net's judgement of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from chouette.board.notation import format_play, parse_play
from chouette.board.plays import legal_plays
from chouette.board.position import START, Position, swap
from chouette.bot.evaluator import boards_of, chosen, judged
from chouette.bot.move_choice import money, ranked
from tests.browser.by_ear.sentences import Read, Sentences
from tests.browser.by_ear.tree import Tree, Utterance

DOUBLES_FROM, DROPS_BELOW = 0.45, -0.6
"""Equities without the cube, to the side that doubles, and to the side that is doubled."""
SILENCE = 7.0
"""Seconds after which somebody asks whose turn it is."""
OF_CUBES = ("captain_changed",)
OF_HOST = ("closing_announced", "table.closing_announced")
DOUBLING = ("doubled", "cube_spoken", "extra_offered")
ANSWERING = (
    "double_taken",
    "answers_opened",
    "cube_settled",
    "beavered",
    "replies_opened",
    "replied",
    "captain_changed",
)
_SIDES = re.compile(r"Box: (?P<box>.+?), Captain: (?P<captain>.+?)\.")
_CHECKERS = re.compile(r"Checkers, (Box|Team): (.+?)\.")
_STANDING = re.compile(r"(\d+) on (?:the bar|point (\d+))")
_DICE = re.compile("[1-6]-[1-6]")
_CAPTION = re.compile(r"^Game \d+\. ")
BETWEEN = ("game_started", "game_ended", "session_ended", "opening_die_rolled", "turn_began", "order_rolled")


@dataclass
class Turn:
    """What was said from one roll to the next."""

    said: list[list[str]] = field(default_factory=list)
    """The names of what each utterance told; a text that nobody declared stands as it is."""

    @property
    def names(self) -> list[str]:
        """All names, in their order."""
        return [name for names in self.said for name in names]

    @property
    def sentences(self) -> int:
        """How many utterances there were, with all that asks as one, all doubles as one, and all answers as one."""
        kinds = [_kind(names) for names in self.said]
        return kinds.count("") + len({kind for kind in kinds if kind})

    @property
    def most(self) -> int:
        """The most utterances that it may have: three, one for all doubles, one for all answers, one for the host."""
        return 3 + sum(any(name in some for name in self.names) for some in (DOUBLING, ANSWERING, OF_HOST))

    @property
    def is_whole(self) -> bool:
        """Tell whether it is a turn in the middle of a game."""
        return bool(self.said) and not any(name in BETWEEN for name in self.names)


class Listener:
    """The game as it was told: who is Box and Captain, whose dice, the position as the Box counts it."""

    def __init__(self, name: str, sentences: Sentences) -> None:
        self.name, self.sentences = name, sentences
        self.box = self.captain = self.roller = ""
        self.position: Position = START
        self.dice: tuple[int, int] | None = None
        self.games_ended = self.entries = 0
        self.is_over = False
        self.turns: list[Turn] = [Turn()]
        self.unread: list[str] = []

    def hear(self, utterance: Utterance) -> list[Read]:
        """Take in what was said: a text may tell of several events."""
        reads = self.sentences.read_all(utterance.text)
        for read in reads:
            if isinstance(read, str):
                self.unread.append(read)
            elif read.name in ("dice_rolled", "turn_began"):
                self.turns.append(Turn())
            if isinstance(read, Read) and read.name in _TAKEN_IN:
                self.entries += 1
                _TAKEN_IN[read.name](self, read.words)
        self.turns[-1].said.append([one if isinstance(one, str) else one.name for one in reads])
        return [one for one in reads if isinstance(one, Read)]

    def summed_up(self, text: str) -> list[Read]:
        """Take in how the game stands, as the letter G tells it; return what waits for me by it."""
        if found := _SIDES.search(text):
            self.box, self.captain = found["box"], found["captain"]
        own = "Box" if self.name == self.box else "Team"
        seen = [0] * 26
        for side, places in _CHECKERS.findall(text):
            for count, place in _STANDING.findall(places):
                at = int(place) if place else (25 if side == own else 0)
                seen[at] += int(count) if side == own else -int(count)
        if any(seen):
            self.position = tuple(seen) if own == "Box" else swap(tuple(seen))
        reads = [read for read in self.sentences.read_all(_CAPTION.sub("", text)) if isinstance(read, Read)]
        for read in reads:
            if read.name == "play_made" and _DICE.fullmatch(read.words.get("play", "")):
                self.rolled({"name": read.words["name"], "dice": read.words["play"]})
            elif read.name == "turn move":
                self.rolled({"name": self.name, "dice": read.words["dice"]})
        return [read for read in reads if read.name.startswith("turn ")]

    def of_mover(self) -> Position:
        """Return the position in the view of whoever has the dice."""
        return self.position if self.roller == self.box else swap(self.position)

    def mine(self) -> Position:
        """Return the position in the view of my side."""
        return self.position if self.name == self.box else swap(self.position)

    def began(self, words: dict[str, str]) -> None:
        """Take in that a game begins."""
        self.box, self.captain = words["box"], words.get("captain", "")
        self.position, self.dice = START, None

    def rolled(self, words: dict[str, str]) -> None:
        """Take in somebody's dice."""
        high, low = words["dice"].split("-")
        self.roller, self.dice = words["name"], (int(high), int(low))

    def played(self, words: dict[str, str]) -> None:
        """Take in a play; one that is none from the heard position is a fault of what was said."""
        assert self.dice, words
        assert words["name"] == self.roller, (words, self.roller)
        text = words.get("play")
        if text:
            result = parse_play(text, self.of_mover(), self.dice).result
            self.position = result if self.roller == self.box else swap(result)
        self.dice = None

    def became_captain(self, words: dict[str, str]) -> None:
        """Take in another Captain, who has the dice of the one before."""
        if self.dice and self.roller == self.captain:
            self.roller = words["name"]
        self.captain = words["name"]

    def became_box(self, words: dict[str, str]) -> None:
        """Take in another Box."""
        self.box = words["name"]

    def ended(self, _words: dict[str, str]) -> None:
        """Take in the end of a game."""
        self.games_ended += 1
        self.dice = None

    def closed(self, _words: dict[str, str]) -> None:
        """Take in the end of the evening."""
        self.is_over = True


def _kind(names: list[str]) -> str:
    """Return "turn", "doubles" or "answers" where an utterance told of nothing else, else ""."""
    if names and all(name.startswith("turn ") for name in names):
        return "turn"
    of = {"doubles": DOUBLING, "answers": (*ANSWERING, *OF_CUBES)}
    return next((kind for kind, some in of.items() if names and set(names) <= set(some)), "")


_TAKEN_IN: dict[str, Callable[[Listener, dict[str, str]], None]] = {
    "game_started": Listener.began,
    "turn_began": Listener.rolled,
    "dice_rolled": Listener.rolled,
    "play_made": Listener.played,
    "captain_changed": Listener.became_captain,
    "box_changed": Listener.became_box,
    "game_ended": Listener.ended,
    "session_ended": Listener.closed,
}


class Player:
    """Somebody who plays by ear: what they hear, and the keys that they press for it."""

    def __init__(self, tree: Tree, name: str) -> None:
        self.tree = tree
        self.heard = Listener(name, Sentences("chouette"))
        self.due: Read | None = None
        self.asked_again = 0

    def come_in(self) -> None:
        """Ask how the game stands, until it is told; what was said before belongs to it."""
        for _ in range(20):
            self.tree.press("g", "the page of the table is open")
            has_heard = False
            for one in self.tree.hear(2.0):
                # A slow page may answer twice.
                if "Game " in one.text and ("Checkers, " in one.text or "roll for the opening" in one.text):
                    has_heard = True
                    self.due = next(iter(self.heard.summed_up(one.text)), None)
                elif has_heard:
                    for read in self.heard.hear(one):
                        self.take_in(read)
            if has_heard:
                return
        raise AssertionError("nobody tells how the game stands")

    def step(self) -> None:
        """Listen, take in what was said, and do what is due."""
        utterances = self.tree.hear(SILENCE if self.due is None else 0.1)
        for one in utterances:
            for read in self.heard.hear(one):
                self.take_in(read)
        if self.heard.is_over:
            return
        if not utterances and self.due is None:
            self._ask()
        elif self.due is not None:
            self._act(self.due)

    def close_after_this_game(self) -> None:
        """Let the table close when this game is over, as its host may."""
        for name in ("^Menu", "^Close after this game$"):
            assert self.tree.go_to("button", name), self.tree.names("button")
            self.tree.press("Enter", "the host wants no other game")
        self.tree.press("Escape", "the menu is open")

    def take_in(self, read: Read) -> None:
        """Note what is due by what was heard."""
        if read.name.startswith("turn ") or (read.name == "ring_opened" and read.words["name"] != self.heard.name):
            self.due = read
        elif read.name in ("dice_rolled", "turn_began"):
            self.due = read if read.words["name"] == self.heard.name else None
        elif read.name not in ("cube_spoken", "wait_asked"):
            self.due = self.due if self.due is not None and self.due.name.startswith("turn ") else None

    def _ask(self) -> None:
        """Ask whose turn it is: nothing has been said for long."""
        self.asked_again += 1
        self.tree.press("w", "silence")
        for one in self.tree.hear(1.0):
            reads = self.heard.sentences.read_all(one.text)
            asked = [read for read in reads if isinstance(read, Read) and read.name.startswith("turn ")]
            if any(isinstance(read, Read) and read not in asked for read in reads):
                for read in self.heard.hear(one):  # an event came between
                    self.take_in(read)
            elif asked:
                self.due = asked[0]
        if self.due is not None:
            self._act(self.due)

    def _act(self, read: Read) -> None:
        """Do what was asked for, once."""
        self.due = None
        name = read.name.removeprefix("turn ")
        if name in ("dice_rolled", "turn_began", "move"):
            self._play(read)
        elif name in _KEYS:
            self.tree.press(_KEYS[name], read.text)
        elif name in ("cube", "offer"):
            self.tree.press(self._word(may_roll="roll" in read.text), read.text)
        elif name == "ring_opened":
            if self._doubles():
                self.tree.press("d", read.text)
        elif name in ("answer", "answer_batch"):
            self.tree.press("t" if self._equity(self.heard.mine(), on_roll=False) > DROPS_BELOW else "p", read.text)
        elif name in ("answer_resignation", "answer_proposal", "answer_take_back"):
            if self.tree.go_to("button", "^(Accept|Agree|Yes)"):
                self.tree.press("Enter", read.text)
        else:
            raise AssertionError(read)

    def _word(self, *, may_roll: bool) -> str:
        if self._doubles():
            return "d"
        return "r" if may_roll else "n"

    def _doubles(self) -> bool:
        return self._equity(self.heard.mine(), on_roll=True) > DOUBLES_FROM

    @staticmethod
    def _equity(position: Position, *, on_roll: bool) -> float:
        """Return the worth of a position to the side whose view it is."""
        seen = position if on_roll else swap(position)
        found = float(money().of(judged(chosen(), boards_of([seen])))[0])
        return found if on_roll else -found

    def _play(self, read: Read) -> None:
        """Type the play that the net takes from the heard position; a roll without one confirms itself."""
        dice, position = self.heard.dice, self.heard.of_mover()
        assert dice, read
        plays = legal_plays(position, dice)
        if not plays[0].moves:
            return
        best = ranked(chosen(), [play.result for play in plays], money(), looks_ahead=False)[0][0]
        if not self.tree.go_to("button", "^Type a play$"):
            return  # somebody's deputy, or a play that was made meanwhile: silence asks again
        self.tree.press("Enter", read.text)
        if self.tree.go_to("textbox", "^Your play"):
            self.tree.write(format_play(plays[best]), read.text)


_KEYS = {"roll": "r", "opening_roll": "r", "partner": "n", "automatic": "n", "reply": "t", "order_die": "r"}
"""The keys of what asks for no judgement of a position."""

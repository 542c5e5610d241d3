"""Random sessions at a real board, and beside a screen that sees the same cube acts and results."""

import random

import pytest

from chouette.board.position import swap, winner_value
from chouette.rules import rules
from games.kernel.contract import CLOSE, CLOSE_AFTER, CORRECT, JOIN, LEAVE, PLACE, Command
from tests.chouette.sessions import ASKED, Session, house_rules, play
from tests.seeds import day

SESSIONS = 25
LENGTH = 160
AS_IT_IS = frozenset({
    "partner", "automatic", "answer_batch", "answer", "reply", "resign", "answer_resignation", "sit_out", "pass_box",
    "leave_after", "name_proxy", "name_deputy", CORRECT, LEAVE, JOIN, CLOSE, CLOSE_AFTER, PLACE,
})  # fmt: skip
"""The commands that are the same at both boards; what the others lead to is told at the real one."""


@pytest.mark.parametrize("number", range(SESSIONS))
def test_a_random_session_at_a_real_board_holds_together(number):
    session = play(f"wood {day()} {number}", board="wood")
    assert all(sum(row["points"]) == 0 for row in rules.view(session.state, None)["sheet"])


@pytest.mark.parametrize("number", range(SESSIONS))
def test_a_wood_table_and_a_screen_table_that_see_the_same_acts_have_the_same_sheet_and_line(number):
    seed = f"beside {day()} {number}"
    rng = random.Random(seed)
    options = {**house_rules(rng), "bot_plays_on": False, "pause_between": 0}
    seats = rng.choice([2, 3, 4, 4, 5, 6])
    pair = Pair(seed, options, seats)
    while len(pair.screen.log) < LENGTH and not rules.is_over(pair.screen.state):
        pair.step()
        pair.compare()


def plain(view):
    """Return a view whose rows do not say by which entry they came: the two logs have others."""
    return {**view, "sheet": [{key: row[key] for key in row.keys() - {"seq"}} for row in view["sheet"]]}


class Pair:
    """A session on the screen that is played at random, and one at a real board that is told of it."""

    def __init__(self, seed, options, seats):
        self.rng = random.Random(seed)
        self.screen = Session(random.Random(seed), options, seats)
        self.wood = Session(random.Random(seed), {**options, "board": "wood"}, seats)
        assert self.wood.state.line == self.screen.state.line

    def step(self):
        """Do something on the screen, and tell it at the real board."""
        state = self.screen.state
        chance = self.rng.random()
        name = LEAVE if chance < 0.01 else JOIN if chance < 0.02 else CLOSE_AFTER if chance < 0.03 else ""
        found = next((c for c in rules.choices(state, None) if c.name == name), None)
        if found is None:
            choices = self.screen.choices()
            required = [c for c in choices if c.required or c.name in ASKED]
            pool = required if required and self.rng.random() < 0.8 else choices
            found = self.rng.choice(pool)
        args = self.rng.choice(found.options)
        command = Command(found.name, found.seat, args, found.opened_at)
        self.screen.give(command)
        if command.name in AS_IT_IS:
            self.tell(command.seat, command.name, command.args)
        elif command.name == "answer_proposal" and command.args["accept"]:
            self.settle(state.game, command)
        self.follow(state, self.screen.log[-1].events)

    def tell(self, seat, name, args):
        self.wood.give(Command(name, seat, args))

    def settle(self, game, command):
        proposal = next(p for p in game.proposals if p.cube == command.args["cube"] and p.by != command.seat)
        self.tell(proposal.by, "propose", {"cube": proposal.cube, "points": proposal.points})
        self.tell(command.seat, "answer_proposal", command.args)

    def follow(self, before, events):
        """Tell what dice, plays and words have led to."""
        for event in events:
            data = event.data
            if event.type == "game_started":
                self.tell(data["line"][0], "begin_game", {})
            elif event.type == "opening_tied" and self.open("tie") is not None:
                self.tell(self.open("tie"), "tie", {})
            elif event.type == "doubled" and data["side"] == "box":
                cubes = [data["cubes"][0]] if self.wood.state.game.is_single else data["cubes"]
                self.tell(data["box"], "offer", {"cubes": cubes})
            elif event.type == "doubled":
                self.double(data["cubes"])
            elif event.type == "play_made" and any(each.type == "game_ended" for each in events):
                self.end(before.game.turn, data["position"])

    def double(self, cubes):
        for cube in cubes:
            if cube not in self.wood.state.game.batch:
                self.tell(self.open("double", {"cube": cube}), "double", {"cube": cube})

    def end(self, side, position):
        """The side that has borne off tells its result."""
        level = winner_value(tuple(position) if side == "box" else swap(tuple(position)))
        teller = self.open("result")
        self.tell(teller, "result", {"winner": side, "level": level})
        self.tell(self.open("answer_result"), "answer_result", {"accept": True})

    def open(self, name, args=None):
        """Return a seat that may do something now, None where nobody may."""
        found = (c for c in self.wood.choices() if c.name == name)
        return next((c.seat for c in found if args is None or args in c.options), None)

    def compare(self):
        """Both have the same line, sheet, roles and cubes."""
        screen, wood = (plain(rules.view(session.state, None)) for session in (self.screen, self.wood))
        for part in ("line", "sheet", "totals", "seats", "last_game", "phase", "roles", "question"):
            assert screen[part] == wood[part], part
        if screen["phase"] == "playing":
            for part in ("cubes", "outs", "batch", "captain", "asks", "answered", "single"):
                assert screen["game"][part] == wood["game"][part], part

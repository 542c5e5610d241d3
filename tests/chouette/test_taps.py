"""How many taps a game takes: what is silent needs none (docs/rules-chouette.md §4.3)."""

from __future__ import annotations

import re

from chouette.bot import bots
from chouette.rules.options.declaration import OPTIONS
from games.kernel.contract import TIMEOUT
from tests.chouette.botplay import session
from tests.chouette.table import LONG_RACE, Table

PLAYS, MOST = 48, 200
NOT_TAPPED = {TIMEOUT, "close", "suggest", "say"}


def taps(command, is_forced) -> int:
    """A play is a tap for each checker moved and one to confirm, the only one there is one tap; all else is one tap.

    A word that doubles nothing is silence: a person who does nothing has said it.
    """
    if command is None or command.name in NOT_TAPPED:
        return 0
    if command.name == "cube":
        return int(command.args["double"])
    if command.name != "move":
        return 1
    play = command.args["play"]
    if play == "cannot move" or is_forced:
        return int(play != "cannot move")
    return 1 + sum(int(times or 1) for times in re.findall(r"\S+/\S+?(?:\((\d)\))?(?:\s|$)", play))


def test_roll_play_and_confirm_take_four_taps_at_most():
    table = Table("ABCD", position=LONG_RACE, grace_seconds=3)
    table.start()
    given = len(table.log)
    table.do("B", "roll")
    table.house("timeout", "C", [2, 1])
    table.move("2/off 1/off")
    assert len(table.log) - given == 3, "one of them is the clock's"


def test_the_box_doubles_three_and_all_answer_in_five_taps_with_the_roll():
    table = Table("ABCD", position=LONG_RACE)
    table.start()
    table.next_turn()
    given = len(table.log)
    table.offer("BCD")
    table.answers(B=True, C=True, D=True)
    table.do("A", "roll", [2, 1])
    assert len(table.log) - given == 5


def test_a_four_handed_game_of_48_plays_takes_200_taps_at_most():
    forced = []

    def choose(view, choices, level, seed):
        if choices[0].name == "move":
            forced.append(len(choices[0].options) == 1)
        return bots.choose(view, choices, level, seed)

    table = session(OPTIONS.values("german"), ["net"] * 4, 7, 6, choose=choose)
    were_forced = iter(forced)
    found = [(command, command.name == "move" and next(were_forced)) for command in table.commands if command]
    tapped = sum(taps(command, is_forced) for command, is_forced in found)
    assert len(forced) > 4 * PLAYS
    assert tapped * PLAYS <= MOST * len(forced), f"{tapped * PLAYS / len(forced):.0f} taps for {PLAYS} plays"

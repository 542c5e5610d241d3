"""A program that speaks as the script in GNU Backgammon does, and may fail: `fake_gnubg.py WAY`.

WAY is `well`, or how it fails from its third answer on: hangs, crashes, lies (an equity of NaN), shifts (an answer to
another question), invents (a play that can't be), breaks (no JSON), late (says nothing at the start).
"""

import json
import sys
import time

from chouette.board.notation import format_play
from chouette.board.plays import legal_plays
from chouette.board.xgid import parse_xgid

MARK = "@answer "


def equity(board):
    """A made-up judgement: the pips of both."""
    theirs, own = (sum((i + 1) * n for i, n in enumerate(side)) for side in board)
    return (theirs - own) / 200


def values(question):
    op = question["op"]
    if op == "listed":
        setup = parse_xgid(question["xgid"])
        plays = legal_plays(setup.position, setup.state.dice)
        return [[format_play(play), -i / 100, 2] for i, play in enumerate(plays)]
    if op == "chances":
        return [[0.5, 0.1, 0.0, 0.1, 0.0, equity(board)] for board in question["boards"]]
    if op == "cube_chances":
        return [0.5, 0.1, 0.0, 0.1, 0.0, 0.0, equity(question["board"]), 2 * equity(question["board"])]
    if op == "cube":
        return [equity(question["board"]), 2 * equity(question["board"])]
    if op == "mean":
        return [equity(question["board"])]
    if op == "after_rolls":
        return [equity(question["board"]) + sum(roll) / 100 for roll in question["rolls"]]
    return [-equity(board) for board in question["boards"]]


def main(way):
    print("GNU Backgammon 9.99 fake")
    if way == "late":
        time.sleep(60)
    json.loads(sys.stdin.readline())
    print(MARK + '{"id": 0, "values": []}', flush=True)
    for count, line in enumerate(sys.stdin):
        question = json.loads(line)
        answer = {"id": question["id"], "values": values(question)}
        if count > 2:
            spoil(way, answer)
        print("prattle\n" + MARK + json.dumps(answer), flush=True)


def spoil(way, answer):
    if way == "hangs":
        time.sleep(60)
    elif way == "crashes":
        sys.exit(0)
    elif way == "lies":
        answer["values"][0] = [answer["values"][0][0], float("nan"), 2] if _is_list(answer) else float("nan")
    elif way == "shifts":
        answer["id"] += 1
    elif way == "invents":
        answer["values"][0] = ["24/1", 0.5, 2] if _is_list(answer) else 99.0
    elif way == "breaks":
        print(MARK + "{", flush=True)


def _is_list(answer):
    return isinstance(answer["values"][0], list)


if __name__ == "__main__":
    main(sys.argv[1])

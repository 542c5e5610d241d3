"""Reference cases made by two independent programs; README.md says how they are written."""

import json
from pathlib import Path

HERE = Path(__file__).parent
MOVES = ("bar_prime_closed", "bearoff", "forced", "opening_selfplay")


def load(name):
    """Return the cases of one file."""
    with (HERE / f"{name}.jsonl").open(encoding="ascii") as lines:
        return [json.loads(line) for line in lines]


def load_moves(name):
    """Return the cases of one file of moves: (position, dice, case)."""
    return [(tuple(case["points"]), case["dice"], case) for case in load(f"moves_{name}")]

"""Write the golden evenings: `python -m tests.chicago.make_logs`.

Each file of `logs/` holds a preset's games, played at random from the first seed (from 0)
that shows what the game is there for. A log holds events, as the product stores them, and
beside them the commands and dice that led to each entry. Write them anew only when a rule
was wrong: that a log can still be read is what they are kept for.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chicago.rules import rules
from games.kernel import simulate

LOGS = Path(__file__).parent / "logs"


@dataclass(frozen=True)
class Evening:
    """A game to be found: what it must show, as event types or `type:key=value`."""

    title: str
    seats: int
    shows: tuple[str, ...]
    changes: dict[str, Any] = field(default_factory=dict)
    house: bool = False


EVENINGS: dict[str, tuple[Evening, ...]] = {
    "classic": (
        Evening("four players, six rounds", 4, ("sixes_turned", "round_lost"), {"rounds": 6}),
        Evening(
            "a starter throws a Chikago",
            3,
            ("chick_thrown", "round_started:restart=true"),
            {"rounds": 3},
        ),
        Evening("alone after a Chikago", 2, ("round_ended:reason=one_left",), {"rounds": 2}),
        Evening("equals throw one die each", 4, ("rolled_off",), {"rounds": 3, "ties": "roll_off"}),
        Evening("closed by the host", 3, ("game_ended:reason=closed", "timed_out"), {}, True),
        Evening(
            "people come and go",
            4,
            (
                "seat_joined:at_once=false",
                "seat_joined:at_once=true",
                "round_restated",
                "game_ended:reason=closed",
            ),
            {},
            True,
        ),
        Evening(
            "rounds played without the house, some taken back",
            4,
            ("chick_told", "rounds_taken_back", "round_ended:reason=full", "game_ended:without_house=true", "stood"),
            {"dice": "typed", "entry": "result", "rounds": 5},
            True,
        ),
    ),
    "bavarian": (
        Evening(
            "five players to the last mat",
            5,
            ("starter_drawn:reason=most_mats", "mat_discarded", "game_ended:reason=played_off"),
        ),
        Evening("three sixes must be turned", 3, ("sixes_turned:forced=true",)),
        Evening(
            "a Chick owes the side forfeit",
            4,
            ("side_forfeit_owed", "mats_removed:to_stock=false"),
            {"chick_pays_schnapps": True},
        ),
        Evening(
            "somebody leaves while dealing",
            4,
            ("mats_removed:to_stock=true", "timed_out", "game_ended:reason=played_off"),
            {},
            True,
        ),
        Evening("two losers", 6, ("game_ended:reason=played_off",), {"losers": 2}),
        Evening(
            "a newcomer before the second mat",
            3,
            ("seat_joined:at_once=true", "player_left", "game_ended:reason=played_off"),
            {},
            True,
        ),
    ),
    "mats": (
        Evening(
            "three players to the last mat",
            3,
            ("result_entered", "mat_taken", "turn_taken_back", "chick_thrown", "game_ended:reason=played_off"),
        ),
        Evening(
            "the starter declares, the host takes back, a bot throws",
            3,
            ("declared", "turn_taken_back:by=host", "dice_thrown", "game_ended:reason=played_off"),
            {"valuation": "starter"},
            True,
        ),
    ),
    "tschigg": (
        Evening(
            "four players, mats given and worked off",
            4,
            ("mat_given", "mat_discarded", "sixes_turned", "game_ended:reason=played_off"),
        ),
        Evening("a Chick cuts the stock", 4, ("chick_thrown", "stock_cut")),
        Evening(
            "dice may go back, fewer throws win",
            3,
            ("mat_given",),
            {"free_return": "third", "ties": "fewer_throws"},
        ),
        Evening("somebody goes home", 3, ("game_ended:reason=abandoned",), {}, True),
        Evening(
            "real dice, typed", 3, ("dice_awaited", "dice_thrown:typed=true"), {"dice": "typed", "entry": "throws"}
        ),
    ),
    "forfeits": (
        Evening(
            "five players, six rounds",
            5,
            (
                "naming_won:kind=triple",
                "forfeit_taken:reason=low",
                "forfeit_taken:reason=not_refilled",
                "breach_settled:guilty=true",
                "breach_settled:guilty=false",
            ),
            {"rounds": 6},
        ),
        Evening(
            "a Chick hits everybody else",
            4,
            ("chick_thrown", "naming_won:kind=one_six_five"),
            {"rounds": 5},
        ),
        Evening(
            "a voter goes home",
            5,
            ("breach_voter_left", "game_ended:reason=rounds_played"),
            {"rounds": 2},
            True,
        ),
        Evening(
            "somebody takes a leaver's forfeits",
            5,
            ("forfeits_taken_over", "player_left", "timed_out", "game_ended:reason=rounds_played"),
            {"rounds": 3},
            True,
        ),
        Evening(
            "a seat changes hands, a breach costs the round",
            4,
            ("seat_vacated", "seat_occupied", "round_ended:reason=breach", "side_forfeit_owed"),
            {"rounds": 4, "chick_pays_schnapps": True},
            True,
        ),
    ),
}


class RecordedDice:
    """Seeded dice that remember what fell."""

    def __init__(self, rng: random.Random) -> None:
        self._dice = simulate.RandomDice(rng)
        self.thrown: list[int] = []

    def roll(self, count: int) -> tuple[int, ...]:
        """Return `count` values of 1..6."""
        out = self._dice.roll(count)
        self.thrown.extend(out)
        return out


def shows(events: Iterable[Any], wanted: str) -> bool:
    """Tell whether some event is of a type, with a value where `wanted` names one."""
    name, _, condition = wanted.partition(":")
    key, _, text = condition.partition("=")
    return any(event.type == name and (not key or str(event.data.get(key)).lower() == text) for event in events)


def play(preset: str, evening: Evening, seed: int) -> dict[str, Any]:
    """Return the log of one game at random."""
    rng = random.Random(seed)
    dice = RecordedDice(rng)
    options = rules.options().values(preset, evening.changes)
    entries, events, before = [], [], 0
    for step in simulate.play(rules, options, evening.seats, rng, dice=dice, house=evening.house):
        entries.append(
            {
                "seq": step.entry.seq,
                "command": step.command
                and {
                    "name": step.command.name,
                    "seat": step.command.seat,
                    "args": step.command.args,
                },
                "dice": dice.thrown[before:],
                "events": [event.to_json() for event in step.entry.events],
            }
        )
        before = len(dice.thrown)
        events += step.entry.events
    return {
        "title": evening.title,
        "shows": list(evening.shows),
        "seats": evening.seats,
        "seed": seed,
        "options": options,
        "result": step.state.outcome,
        "is_fit": all(shows(events, wanted) for wanted in evening.shows),
        "entries": entries,
    }


def find(preset: str, evening: Evening) -> dict[str, Any]:
    """Return the first game that shows what it is there for."""
    for seed in range(20_000):
        game = play(preset, evening, seed)
        if game.pop("is_fit"):
            return game
    raise LookupError(evening.title)


def text(games: list[dict[str, Any]]) -> str:
    """Return the file: one entry a line, so that a difference can be read."""
    blocks = []
    for game in games:
        head = {key: value for key, value in game.items() if key != "entries"}
        lines = [json.dumps(entry, separators=(",", ":")) for entry in game["entries"]]
        body = ",\n  ".join(lines)
        opening = json.dumps(head, sort_keys=True, ensure_ascii=False)[:-1]
        blocks.append(f'{opening}, "entries": [\n  {body}\n]}}')
    return "[\n" + ",\n".join(blocks) + "\n]\n"


def main() -> None:
    """Write all logs."""
    LOGS.mkdir(exist_ok=True)
    for preset, evenings in EVENINGS.items():
        games = [find(preset, evening) for evening in evenings]
        (LOGS / f"{preset}.json").write_text(text(games))
        print(preset, [(game["seed"], len(game["entries"])) for game in games])


if __name__ == "__main__":
    main()

"""Write the golden sessions: `python -m tests.chouette.make_logs`.

Each file of `logs/` holds a preset's sessions: one that bots play from the usual position,
and some at random, from the first seed (from 0) that shows what the session is there for.
A log holds events, as the product stores them, and beside them the commands and dice that
led to each entry. Write them anew only when a rule was wrong: that a log can still be read
is what they are kept for.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chouette.board.gnubg_id import position_id
from chouette.export import mat
from chouette.rules import rules
from games.kernel import simulate
from games.kernel.contract import (
    CLOSE,
    CLOSE_AFTER,
    CORRECT_RESULT,
    FLAG,
    LEAVE,
    PLAYED,
    TAKE_BACK_GAME,
    TIME_LIMIT,
    TIMEOUT,
    Command,
    Event,
    Illegal,
)
from games.kernel.replay import Entry
from tests.chouette.botplay import BotTable, RecordedDice
from tests.chouette.table import FOUR_EACH, LONG_RACE

LOGS = Path(__file__).parent / "logs"
NAMES = ("Anna", "Bert", "Carla", "Dirk", "Edda", "Fritz")
SEEDS = 20_000


@dataclass(frozen=True)
class Evening:
    """A session to be found: what it must show, as event types or `type:key=value`.

    `bots` are the levels of those who play it; without them it is played at random. `corrects`: results of the match
    are corrected now and then, also after its end. `timed`: flags fall, and the time of the match ends. `handed`: games
    are handed over that were played without the house, and taken back.
    """

    title: str
    seats: int
    games: int
    shows: tuple[str, ...]
    changes: dict[str, Any] = field(default_factory=dict)
    bots: tuple[str, ...] = ()
    house: bool = False
    corrects: bool = False
    timed: bool = False
    handed: bool = False


CORRECTED = 0.12
"""The share of steps at which a result is corrected, in a session that corrects any."""

EXPORTED, MEMBER = "club", 1
"""The preset whose first session is also kept as a .mat file, and from whose point of view."""

SHORT = {"start_position": position_id(FOUR_EACH)}
RACE = {"start_position": position_id(LONG_RACE)}

EVENINGS: dict[str, tuple[Evening, ...]] = {
    "german": (
        Evening(
            "four bots, three games",
            4,
            3,
            ("cube_settled:how=dropped", "cube_settled:how=single"),
            bots=("net", "noisy", "net", "noisy"),
        ),
        Evening(
            "the Box drops the Captain's double: a stand-in",
            4,
            2,
            ("captain_changed:why=stand_in", "captain_changed:why=new_captain", "auto_set"),
            RACE,
        ),
        Evening(
            "plays asked back, settlements",
            3,
            1,
            ("play_taken_back", "cube_settled:how=settled"),
            RACE,
        ),
        Evening(
            "a play is not given back, another suggested",
            3,
            1,
            ("play_back_refused", "play_suggested"),
            RACE,
        ),
        Evening("what was asked lapses", 3, 1, ("play_back_lapsed", "settlement_lapsed"), RACE),
        Evening(
            "resignations and a correction",
            3,
            2,
            ("resignation_closed:accepted=[]", "cube_settled:how=resigned", "row_corrected"),
            RACE,
        ),
        Evening(
            "players come, go and sleep",
            5,
            3,
            ("seat_joined", "seat_left", "ring_ended", "wait_ended", "timed_out:again=true"),
            SHORT,
            house=True,
        ),
        Evening("sitting out, going on", 4, 3, ("sat_out", "went_on", "pause_ended", "wait_asked"), SHORT),
        Evening(
            "the Box is passed on, the dice are handed on",
            4,
            2,
            ("box_passed", "deputy_named", "deputy_ended"),
            {"may_decline_box": True, "deputy": True, "line_order": "by_hand", **RACE},
        ),
        Evening("the line by lot", 3, 1, ("line_set:why=drawn",), {"line_order": "lot", **SHORT}),
        Evening(
            "real dice, typed",
            3,
            2,
            ("dice_awaited", "dice_rolled:typed=true", "opening_die_rolled:typed=true"),
            {"dice": "typed"},
        ),
        Evening(
            "a single cube for the Team",
            4,
            2,
            ("game_started:single=true", "beavered", "raccooned", "cube_settled:how=dropped"),
            {"cubes": "single", "beavers": True, "raccoons": True, **RACE},
        ),
        Evening("the end is announced", 4, 9, ("closing_announced:on=true", "leaving_announced"), SHORT, (), True),
        Evening("somebody names a proxy and leaves", 5, 2, ("proxy_named", "seat_left"), RACE, (), True),
        Evening(
            "a partner in the Box",
            5,
            2,
            ("partner_chosen",),
            {"partner": "optional_from", "partner_from": 5, **SHORT},
        ),
        Evening("extras", 4, 2, ("extra_given",), {"sole_taker": "extras", **RACE}),
        Evening("who looks after a cube goes out too", 5, 2, ("cube_handed",), RACE, (), True),
        Evening("the Box leaves: a bot plays on", 4, 2, ("seat_left:played_on=true",), RACE, (), True),
        Evening(
            "the Box leaves: the partner plays on",
            5,
            2,
            ("box_changed",),
            {"partner": "compulsory_from", "partner_from": 5, **RACE},
            house=True,
        ),
    ),
    "club": (
        Evening(
            "four bots, three games",
            4,
            3,
            ("opening_tied", "cubes_doubled", "cube_settled:how=dropped"),
            bots=("net", "noisy", "net", "noisy"),
        ),
        Evening("beavers, accepted and not", 4, 2, ("cube_settled:how=beaver_dropped",), RACE),
        Evening("a raccoon", 4, 2, ("raccooned", "talk_opened"), RACE),
        Evening("the Box must beaver the Captain", 4, 2, ("beavered:forced=true",), RACE),
        Evening("the Box is asked about a second tie", 3, 1, ("automatic_answered:agree=true",)),
        Evening(
            "a second tie goes to the next game",
            3,
            2,
            ("double_carried", "carry_answered:agree=true"),
            {"automatics": "carry_over"},
        ),
    ),
    "last_man_standing": (
        Evening(
            "three bots, three games",
            3,
            3,
            ("cube_settled:how=dropped",),
            bots=("net", "noisy", "net"),
        ),
        Evening("the last Captain plays for the Box", 4, 2, ("game_ended:why=last_captain_wins",), RACE),
    ),
    "wood": (
        Evening(
            "told of a real board: doubles, takes and results, an act taken back",
            3,
            2,
            ("double_taken", "cube_settled:how=gammon", "result_agreed", "act_taken_back:act=answer"),
        ),
        Evening("people leave a real board", 4, 2, ("seat_left", "result_agreed", "double_withdrawn"), house=True),
        Evening(
            "real dice thrown for the line",
            3,
            1,
            ("order_die_thrown", "result_agreed"),
            {"line_order": "typed"},
        ),
        Evening(
            "games played without the house, one of them taken back",
            4,
            5,
            ("cubes_told", "game_taken_back", "game_ended:without_house=true", "result_agreed", "double_taken"),
            handed=True,
        ),
    ),
    "money": (
        Evening("two bots, four games", 2, 4, ("double_taken",), bots=("net", "noisy")),
        Evening("a beaver between two", 2, 2, ("beavered",), RACE),
    ),
    "match": (
        Evening(
            "a match to five through the Crawford game",
            2,
            99,
            ("game_started:crawford=true", "session_ended:reason=match_won", "double_taken"),
            {"match_length": 5},
            bots=("net", "noisy"),
        ),
        Evening(
            "wrong results at a real board, put right: the match goes on, and ends earlier",
            2,
            99,
            ("result_corrected:dropped=true", "match_reopened", "game_started:crawford=true", "result_agreed"),
            {"match_length": 5, "board": "wood"},
            corrects=True,
        ),
        Evening(
            "opened at a score, on the clock: a point for a fallen flag, and the time limit",
            2,
            99,
            ("points_given:game=0", "points_given:game=1", "flag_fell:effect=point", "session_ended:reason=time_limit"),
            {"clock": "delay", "clock_expiry": "point", "score_second": 1, "match_minutes": 40, **SHORT},
            timed=True,
        ),
        Evening(
            "a minute once, then the match is lost, at a real board",
            2,
            99,
            ("flag_fell:effect=minute", "flag_fell:effect=match", "session_ended:reason=time", "double_taken"),
            {"board": "wood", "clock": "pairs", "clock_expiry": "minute"},
            timed=True,
        ),
        Evening(
            "a clock that both agree to between two games",
            2,
            99,
            ("clock_wished:clock=delay", "clock_agreed:clock=delay", "clock_set", "clock_pressed"),
            {"match_length": 3, **SHORT},
        ),
    ),
}


Step = tuple[Command | None, list[int], Entry, Any]


def shows(events: Iterable[Any], wanted: str) -> bool:
    """Tell whether some event is of a type, with a value where `wanted` names one."""
    name, _, condition = wanted.partition(":")
    key, _, text = condition.partition("=")
    return any(event.type == name and (not key or str(event.data.get(key)).lower() == text) for event in events)


def by_bots(evening: Evening, options: dict[str, Any], seed: int) -> list[Step]:
    """Let bots play; return each step."""
    table = BotTable(options, evening.bots, seed, asides=False)
    while not rules.is_over(table.state):
        if table.games < evening.games or not table.house(CLOSE):
            table.step()
    states = [table.state] * len(table.log)
    return list(zip(table.commands, table.falls, table.log, states, strict=True))


def at_random(evening: Evening, options: dict[str, Any], seed: int) -> Iterator[Step]:
    """Play at random, with the house's own commands now and then; yield each step."""
    rng = random.Random(seed)
    dice = RecordedDice(rng)
    seq, command, decision = 1, None, rules.open(options, evening.seats, dice)
    while True:
        entry, state = Entry(seq, decision.events), decision.state
        yield command, dice.taken(), entry, state
        corrected = correction(state, rng) if evening.corrects and rng.random() < CORRECTED else None
        if (rules.is_over(state) and corrected is None) or seq > 400:
            return
        command = corrected or pick(evening, state, rng)
        seq += 1
        decision = rules.decide(state, command, dice, seq)


def correction(state: Any, rng: random.Random) -> Command | None:
    """Return a correction of a random game of a match, None where the rules refuse the one that was drawn."""
    games = [row for row in state.sheet if row.number]
    if not games:
        return None
    told = {"winner": rng.choice((0, 1)), "level": rng.choice((1, 1, 2)), "cube": rng.choice((1, 1, 2))}
    args = {"seat": None, "of": rng.choice(games).seq, "told": told, "reason": "Told the wrong way round"}
    command = Command(CORRECT_RESULT, None, args)
    try:
        rules.decide(state, command, RecordedDice(rng), 1)
    except Illegal:
        return None
    return command


def pick(evening: Evening, state: Any, rng: random.Random) -> Command:
    """Return a random command; the house closes the table after so many games."""
    house = {choice.name: choice for choice in rules.choices(state, None)}
    if len([row for row in state.sheet if row.number]) >= evening.games and CLOSE in house:
        return Command(CLOSE, None, {})
    name = rng.choice([TIMEOUT, "join", LEAVE, CLOSE_AFTER]) if evening.house and rng.random() < 0.1 else ""
    if evening.handed and rng.random() < 0.1:
        return told(house[PLAYED].options[0], state, rng)
    if evening.handed and TAKE_BACK_GAME in house and rng.random() < 0.05:
        name = TAKE_BACK_GAME
    if evening.timed and rng.random() < 0.1:
        name = rng.choice([FLAG, TIME_LIMIT])
    if name in house:
        return Command(name, None, rng.choice(house[name].options))
    choices = simulate.open_choices(rules, state, len(state.players))
    # Who is asked something aside answers it now and then.
    asked = [choice for choice in choices if choice.name.startswith("answer_")]
    return simulate.pick(asked if asked and rng.random() < 0.5 else choices, rng)


def told(example: dict[str, Any], state: Any, rng: random.Random) -> Command:
    """Return a game as told in which some of the Team have cubes of their own, and one may have been out before."""
    box = example["game"]["box"]
    values = {seat: 1 for seat in state.line if seat != box and not state.players[seat].sits_out}
    if state.phase == "playing":
        values = {cube.member: cube.value for cube in state.game.cubes if cube.result is None}
    members = sorted(values)
    seats: dict[str, Any] = {str(seat): {"cube": str(rng.choice((1, 2)) * values[seat])} for seat in members}
    if len(members) > 1 and rng.random() < 0.5:
        seats[str(members[0])]["winner"] = rng.choice(("box", "team"))
    game = {"box": box, "winner": rng.choice(("box", "team")), "level": rng.choice(("1", "1", "2"))}
    return Command(PLAYED, None, {"game": game, "seats": seats})


def play(preset: str, evening: Evening, seed: int) -> dict[str, Any] | None:
    """Return the log of a session if it shows what it is there for."""
    options = rules.options().values(preset, evening.changes)
    run = by_bots if evening.bots else at_random
    steps = list(run(evening, options, seed))
    events = [event for _, _, entry, _ in steps for event in entry.events]
    state = steps[-1][3]
    if not rules.is_over(state) or not all(shows(events, wanted) for wanted in evening.shows):
        return None
    return {
        "title": evening.title,
        "shows": list(evening.shows),
        "seats": evening.seats,
        "seed": seed,
        "options": options,
        "rows": [row["points"] for row in rules.view(state, None)["sheet"]],
        "totals": rules.view(state, None)["totals"],
        "entries": [stored(*step[:3]) for step in steps],
    }


def stored(command: Command | None, dice: list[int], entry: Entry) -> dict[str, Any]:
    """Return an entry as it stands in a file."""
    asked = command and {"name": command.name, "seat": command.seat, "args": command.args}
    events = [event.to_json() for event in entry.events]
    return {"seq": entry.seq, "command": asked, "dice": dice, "events": events}


def find(preset: str, evening: Evening) -> dict[str, Any]:
    """Return the first session that shows what it is there for."""
    for seed in range(SEEDS):
        if found := play(preset, evening, seed):
            print(f"{preset}: {evening.title}, seed {seed}, {len(found['entries'])} entries")
            return found
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


def exported(game: dict[str, Any]) -> str:
    """Return the .mat file of a session."""
    return mat(game["options"], game["seats"], log_of(game), MEMBER, NAMES)


def log_of(game: dict[str, Any]) -> list[Entry]:
    """Return the log that a file holds."""
    return [Entry(raw["seq"], tuple(Event.from_json(event) for event in raw["events"])) for raw in game["entries"]]


def main() -> None:
    """Write all logs, and the file of one of them."""
    LOGS.mkdir(exist_ok=True)
    for preset, evenings in EVENINGS.items():
        games = [find(preset, evening) for evening in evenings]
        (LOGS / f"{preset}.json").write_text(text(games))
        if preset == EXPORTED:
            (LOGS / f"{preset}.mat").write_text(exported(games[0]))
        print(preset, [(game["seed"], len(game["entries"]), game["rows"]) for game in games])


if __name__ == "__main__":
    main()

"""What reads what strangers send: each target takes one input and refuses it in its own way.

It fails by raising anything but its documented error, or by what it let through.
"""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from chouette.board.gnubg_id import parse_position_id, position_id
from chouette.board.match_id import match_id, parse_match_id
from chouette.board.notation import format_play, parse_dice, parse_play
from chouette.board.plays import legal_plays
from chouette.board.position import START, BoardError, Position, checked
from chouette.board.xgid import parse_xgid, xgid
from chouette.rules.session import start
from games import plugin
from games.kernel.contract import Command, Illegal
from games.kernel.options import OptionErrors
from games.kernel.simulate import RandomDice, open_choices, pick, play
from games.live import protocol
from games.live.routing import parse_origin
from games.refusals import error_json
from games.services.house_rules import files
from games.services.people import confusable_names, players
from tests.fuzz.mutate import any_json, as_text, bend_json, bend_text

FRAMES: tuple[dict[str, Any], ...] = (
    {"type": "hello", "protocol": 1, "seq": 41, "tv": False},
    {"type": "command", "id": "c-17", "name": "throw", "args": {"lay": [1]}, "basis": 41},
    {"type": "command", "id": "c-1", "name": "table.kick", "args": {"seat": 1, "sitter": 7}, "basis": None},
    {"type": "ping", "seq": None},
    {"type": "away"},
    {"type": "back"},
    {"type": "chat", "id": "m-3", "text": "Good evening"},
    {"type": "hint", "id": "h-1"},
)
IDS = ("4HPwATDgc/ABMA", "cAkAAAAAAAAA", "sGfwATDgc/ABMA", "MAAAAAAAAAAE", "AAAAAAAAAAAAAA")
XGIDS = (
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
    "-b----E-C---eE---c-e----B-:1:-1:-1:52:3:4:0:7:10",
    "XGID=aFDaB----------------bddfA:2:1:1:D:1:0:3:5:10",
)
PLAYS = ("8/5 6/5", "13/7*/5", "bar/22(2)", "6/off", "24/18, 13/11", "cannot move", "25/20 6/0")
NAMES = ("Kari", "José", "Ann-Marie O'Hara", "花子", "🎲 Dora", "a" * 24)
ORIGINS = ("http://pub.local:8000", "https://[::1]:443", "http://192.168.0.7", "null")


@dataclass(frozen=True)
class Target:
    """A reader: how inputs for it are made, what it does with one, how often it has its turn."""

    name: str
    make: Callable[[random.Random], Any]
    feed: Callable[[Any], object]
    share: int


def _frame(rng: random.Random) -> str | None:
    if rng.random() < 0.01:
        return None
    frame: Any = rng.choice(FRAMES)
    if rng.random() < 0.6:
        for _ in range(rng.randint(1, 3)):
            frame = bend_json(rng, frame)
        return as_text(frame)
    return bend_text(rng, [as_text(frame)])


def feed_frame(text: str | None) -> None:
    """A frame is read or refused with a code of the protocol; what is read can be passed on."""
    try:
        frame = protocol.parse(text)
    except protocol.Bad as bad:
        said = error_json(bad.code, bad.params)
        json.dumps(said, ensure_ascii=False).encode()
        assert said["code"] == bad.code
        assert bad.id is None or 0 < len(bad.id) <= protocol.LONGEST_ID
        return
    if isinstance(frame, protocol.Request):
        passed = json.dumps(frame.args, ensure_ascii=False, allow_nan=False).encode()
        assert b"\0" not in passed
        assert 0 < len(frame.id) <= protocol.LONGEST_ID
        assert frame.basis is None or frame.basis >= 0


@cache
def _moments(game_id: str) -> tuple[tuple[Any, Any, tuple[Any, ...]], ...]:
    """Return rules, states and their open choices: moments of random evenings of a game."""
    config = plugin.game(game_id)
    found = []
    for preset in config.options.presets:
        rng = random.Random(f"{game_id} {preset.id}")
        seats = min(preset.seats[1], max(preset.seats[0], 4))
        values = config.options.values(preset.id)
        evening = play(config.rules, values, seats, rng, house=True, limit=120)
        for number, step in enumerate(evening):
            if number % 3 == 0:
                choices = open_choices(config.rules, step.state, seats, house=True)
                found.append((config.rules, step.state, tuple(choices)))
    return tuple(found)


def _command(game_id: str) -> Callable[[random.Random], Any]:
    def make(rng: random.Random) -> Any:
        rules, state, choices = rng.choice(_moments(game_id))
        if not choices:
            return rules, state, Command("leave", 0, {}, 1)
        right = pick(choices, rng)
        args = bend_json(rng, right.args) if rng.random() < 0.7 else any_json(rng)
        name = right.name if rng.random() < 0.9 else bend_text(rng, [right.name])
        seat = right.seat if rng.random() < 0.9 else rng.choice((None, 0, 1, 7, 99))
        # A seat and a basis are the house's to say; only names and arguments are strangers'.
        return (
            rules,
            state,
            Command(name, seat, args if isinstance(args, dict) else {}, right.basis),
        )

    return make


def feed_command(case: Any) -> None:
    """The rules decide or refuse with a code; the state stays what it was, events are JSON."""
    rules, state, command = case
    before = rules.dump(state)
    try:
        decision = rules.decide(state, command, RandomDice(random.Random(1)), 999)
    except Illegal as refusal:
        said = error_json(refusal.code, refusal.params, None)
        json.dumps(said, ensure_ascii=False)
    else:
        json.dumps([event.to_json() for event in decision.events], ensure_ascii=False, allow_nan=False)
        assert rules.faults(decision.state) == (), (command, rules.faults(decision.state))
    assert rules.dump(state) == before


def _board(read: Callable[[str], Any], write: Callable[[Any], str] | None = None) -> Any:
    """Return a feeder: read or refused as BoardError; what was read is written and read again."""

    def feed(text: str) -> None:
        try:
            found = read(text)
        except BoardError as error:
            assert "\n" not in str(error)
            return
        if write is not None:
            assert read(write(found)) == found

    return feed


POSITIONS: tuple[Position, ...] = (
    START,
    (0, 3, 2, *[0] * 15, -1, *[0] * 3, -1, -2, -2, 0),
    (-1, 2, 2, 2, 2, 2, 2, *[0] * 15, 0, -2, -2, 1),
)


def feed_play(case: tuple[str, Position, tuple[int, int]]) -> None:
    """A play that is read is legal, and written it means the same."""
    text, position, dice = case
    try:
        found = parse_play(text, position, dice)
    except BoardError:
        return
    assert found in legal_plays(position, dice)
    assert parse_play(format_play(found), position, dice) == found


def _play(rng: random.Random) -> tuple[str, Position, tuple[int, int]]:
    position, dice = rng.choice(POSITIONS), (rng.randint(1, 6), rng.randint(1, 6))
    seeds = PLAYS
    if rng.random() < 0.6:
        seeds = tuple(map(format_play, legal_plays(position, dice)))
    return bend_text(rng, seeds), position, dice


def feed_points(points: Any) -> None:
    """A position is 26 whole numbers that can be, or refused."""
    try:
        checked(points)
    except BoardError:
        return


def _points(rng: random.Random) -> list[Any]:
    found: list[Any] = list(rng.choice(POSITIONS))
    for _ in range(rng.randint(0, 3)):
        found[rng.randrange(len(found))] = rng.choice((-16, -3, 0, 1, 2, 15, 16, 10**9))
    return found if rng.random() < 0.9 else found[: rng.randrange(27)]


@cache
def _file() -> dict[str, Any]:
    sets = [
        {
            "game": config.game_id,
            "name": f"Rules of {config.game_id}",
            "preset": config.options.presets[0].id,
            "version": 1,
            "hosts_may": "change",
            "options": dict(config.options.values(config.options.presets[0].id)),
        }
        for config in plugin.all_games().values()
    ]
    return {"kind": files.KIND, "format": files.FORMAT, "sets": sets}


def _rule_file(rng: random.Random) -> bytes:
    whole: Any = _file()
    if rng.random() < 0.7:
        for _ in range(rng.randint(1, 4)):
            whole = bend_json(rng, whole)
        return as_text(whole).encode("utf-8", "surrogatepass")
    return bend_text(rng, [as_text(whole)]).encode("utf-8", "surrogatepass")


def feed_rule_file(raw: bytes) -> None:
    """A file is taken whole or refused with every fault in words."""
    from games.web.house_rules.editor import fault_text

    try:
        found = files.read(raw)
    except files.FileRefused as refusal:
        for fault in refusal.faults:
            json.dumps(fault_text(fault)).encode()
        return
    for one in found:
        options = plugin.game(one.game_id).options
        assert options.validate(options.values(one.draft.preset, one.draft.options))


def _options(rng: random.Random) -> tuple[str, str, dict[str, Any]]:
    config = rng.choice(list(plugin.all_games().values()))
    preset = rng.choice(config.options.presets)
    values = dict(config.options.values(preset.id))
    for _ in range(rng.randint(1, 3)):
        key = rng.choice(list(values))
        values[key] = bend_json(rng, values[key])
    return config.game_id, preset.id, values


def feed_options(case: tuple[str, str, dict[str, Any]]) -> None:
    """House rules fit, or each that does not says why."""
    game_id, preset, values = case
    options = plugin.game(game_id).options
    try:
        found = options.values(preset, values)
    except OptionErrors as errors:
        for code, params in errors.errors.values():
            json.dumps(error_json(code, params, game_id))
        return
    assert options.values(preset, found) == found
    options.card(found, preset)


def feed_nickname(text: str) -> None:
    """A nickname is cleaned, once and for all, or refused."""
    try:
        found = players.clean_nickname(text)
    except Illegal:
        return
    assert players.clean_nickname(found) == found
    found.encode()
    confusable_names.shape(found)


def feed_origin(text: str) -> None:
    """An origin has three parts, or is none."""
    found = parse_origin(text)
    assert found is None or (found[0] in ("http", "https") and 0 <= found[2] < 65536)


def _texts(*seeds: str) -> Callable[[random.Random], str]:
    return lambda rng: bend_text(rng, seeds)


TARGETS: tuple[Target, ...] = (
    Target("frames", _frame, feed_frame, 40),
    Target("commands: chouette", _command("chouette"), feed_command, 4),
    Target("commands: chicago", _command("chicago"), feed_command, 6),
    Target("dice", _texts("31", "66"), _board(parse_dice), 2),
    Target("position ids", _texts(*IDS), _board(parse_position_id, position_id), 12),
    Target("match ids", _texts(*IDS), _board(parse_match_id, match_id), 10),
    Target("XGIDs", _texts(*XGIDS), _board(parse_xgid, xgid), 10),
    Target("starts", _texts("start", *IDS, *XGIDS), _board(start.parse), 4),
    Target("positions", _points, feed_points, 2),
    Target("plays", _play, feed_play, 2),
    Target("rule files", _rule_file, feed_rule_file, 2),
    Target("house rules", _options, feed_options, 2),
    Target("nicknames", _texts(*NAMES), feed_nickname, 2),
    Target("origins", _texts(*ORIGINS), feed_origin, 2),
)

"""What GNU Backgammon reads in the match files: games, scores, acts and results, of sessions under every preset."""

from __future__ import annotations

import random
from typing import Any

import pytest

from chouette.export import mat
from chouette.export.reading import read
from chouette.export.record import BEAVER, DROP, OWN, PLAY, RACCOON, TAKE, GameRecord, RecordedAct
from chouette.rules import rules
from chouette.rules.options.declaration import OPTIONS
from games.kernel.contract import CLOSE, LEAVE
from games.kernel.options import OptionErrors
from tests import seeds
from tests.chouette import botplay
from tests.chouette.export import gnubg
from tests.chouette.export.test_export import NAMES
from tests.chouette.sessions import Session, any_value
from tests.chouette.table import Table
from tests.conftest import require

FILES_A_PRESET = 12
SEATS = {"money": 2, "match": 2}
KEPT = ("format", "match_length", "start_position", "board")


@pytest.fixture(autouse=True)
def _program():
    require(gnubg.PROGRAM, "GNU Backgammon (Debian's package gnubg)")


def acts_of(record: GameRecord) -> tuple[tuple[str, str], ...]:
    """Return a record's acts as GNU Backgammon names them: a beaver doubles; dropping one takes, and resigns then."""
    found: list[RecordedAct] = []
    for act in record.acts:
        if act.kind == DROP and found and found[-1].kind == BEAVER:
            found[-1] = RecordedAct(found[-1].side, TAKE)
        else:
            found.append(act)
    return tuple(("W" if act.side == OWN else "B", _word(act)) for act in found)


def _word(act: RecordedAct) -> str:
    if act.kind == PLAY:
        return "".join(sorted(map(str, act.dice), reverse=True))
    return "double" if act.value else act.kind


def is_sayable(record: GameRecord) -> bool:
    """Tell whether the format has words for all of a game: no automatic double, settlement, raccoon or extra."""
    is_plain = record.value == 1 and record.how != "settled" and all(act.kind != RACCOON for act in record.acts)
    return is_plain and not any("extra" in text for _, text in record.notes)


def hold(options, seats, log, member, folder) -> list[bool]:
    """Hold what the program reads in a member's file to the log; tell of each of its games whether it was sayable."""
    text = mat(options, seats, log, member, NAMES)
    # A game that ended before its first throw has nothing that the program keeps.
    thrown = [r for r in read(options, seats, log, member, NAMES).records if r.is_usual and r.acts]
    found = [game for game in gnubg.games(text, folder) if game.acts]
    assert len(found) == len(thrown), text
    for record, game in zip(thrown, found, strict=True):
        assert game.score == record.score, text
        if record.result is not None and is_sayable(record):
            assert game.acts == acts_of(record), (record.number, text)
            assert game.points == record.result, (record.number, text)
        elif record.result:
            assert game.points is None or game.points * record.result > 0, (record.number, text)
            won = f"Wins {abs(record.result)} point"
            assert record.how == "settled" or won in text, (record.number, text)
    return [is_sayable(record) for record in thrown]


def options_of(preset: str, rng: random.Random, changed: int) -> dict[str, Any]:
    """Return a preset's house rules, with so many of them changed."""
    while True:
        picked = rng.sample([option for option in OPTIONS.options if option.id not in KEPT], changed)
        changes = {option.id: any_value(option, rng) for option in picked}
        try:
            return OPTIONS.values(preset, changes | {"board": "screen"})
        except OptionErrors:
            continue


def random_session(preset: str, seed: int) -> Session:
    """Play a session under a preset, with some of its rules changed in every second one; people come and go."""
    rng = random.Random(seed)
    options = options_of(preset, rng, 5 * (seed % 2))
    table = Session(rng, options, SEATS.get(preset) or rng.choice([3, 4, 5]))
    while not rules.is_over(table.state) and len(table.log) < 300:
        name = rng.choice(["join", LEAVE]) if rng.random() < 0.01 else CLOSE if len(table.log) > 200 else ""
        if not name or not table.house(name):
            table.act()
    return table


@pytest.mark.parametrize("preset", ["german", "club", "last_man_standing", "money", "match"])
def test_files_of_random_sessions_are_read_as_they_were_played(preset, tmp_path):
    first, files, sayable = seeds.first_seed(), 0, []
    for seed in range(first, first + 100):
        table = random_session(preset, seed)
        for member in range(len(table.state.players)):
            if files < FILES_A_PRESET:
                (folder := tmp_path / str(files)).mkdir()
                sayable += hold(table.options, table.seats, table.log, member, folder)
                files += 1
    assert files == FILES_A_PRESET
    assert any(sayable)


@pytest.mark.parametrize(("preset", "options", "levels"), [("money", {}, 2), ("match", {"match_length": 3}, 2)])
def test_games_that_are_played_to_their_end_are_read_as_they_were_played(preset, options, levels, tmp_path):
    seed = seeds.first_seed()
    table = botplay.session(OPTIONS.values(preset, options), ["noisy"] * levels, seed, 3, asides=False)
    for member in range(levels):
        (folder := tmp_path / str(member)).mkdir()
        hold(table.options, levels, table.log, member, folder)


@pytest.mark.parametrize("member", "AB")
def test_a_drop_in_either_column_ends_the_game_with_no_further_double(member, tmp_path):
    table = Table("AB", "money")
    table.start(2, 1)
    table.move("13/11 6/5")
    table.double("B")
    table.box_takes()
    (game,) = gnubg.games(mat(table.options, 2, table.log, table.seat(member), NAMES), tmp_path)
    own, other = ("W", "B") if member == "A" else ("B", "W")
    assert game.acts == ((own, "21"), (other, "double"), (own, "drop"))
    assert (game.points, game.is_resigned) == (-1 if member == "A" else 1, False)


def test_a_game_after_one_that_ended_with_a_beaver_keeps_its_first_play(tmp_path):
    table = Table("AB", "money", beavers=True)
    for dice in ((2, 1), (3, 1)):
        table.start(*dice)
        table.move()
        table.double(table.captain)
        table.box_takes(table.captain, beavers=table.captain)
        table.reply(table.captain, table.captain, "drop")
    first, second = gnubg.games(mat(table.options, 2, table.log, 0, NAMES), tmp_path)
    assert [game.acts[0][1] for game in (first, second)] == ["21", "31"]


@pytest.mark.parametrize("reply", ["accept", "drop"])
@pytest.mark.parametrize("member", "BCD")
def test_a_single_cubes_beaver_is_answered_in_the_file_of_each_member(member, reply, tmp_path):
    table = Table("ABCD", cubes="single", beavers=True)
    table.start(2, 1)
    table.move()
    table.double("B")
    table.box_takes("B", beavers="B")
    table.reply("B", "B", reply)
    if reply == "accept":
        table.do("A", "resign", level=1)
        for name in "BCD":
            table.do(name, "answer_resignation", accept=True)
    (game,) = gnubg.games(mat(table.options, 4, table.log, table.seat(member), NAMES), tmp_path)
    ending = (
        (("W", "double"), ("B", "double"), ("W", "take")) if reply == "accept" else (("W", "double"), ("B", "take"))
    )
    assert game.acts[1:] == ending
    assert game.points == (4 if reply == "accept" else -2)

"""GNU Backgammon as the reader of match files: what it makes of each, as the SGF that it writes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from chouette.board.position import START
from tests.chouette.export import sgf_reader

PROGRAM = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
_RESULT = re.compile(r"([WB])\+(\d+)(R?)")


@dataclass(frozen=True)
class Game:
    """A game as GNU Backgammon reads it.

    `acts` are (side, "double" | "take" | "drop" | the dice in descending order); `positions` stand after each
    play in White's view; `points` are White's, None for a game that has not ended.
    """

    length: int
    score: tuple[int, int]
    acts: tuple[tuple[str, str], ...]
    positions: tuple[tuple[int, ...], ...]
    points: int | None
    is_resigned: bool


def games(text: str, folder: Path) -> list[Game]:
    """Return the games of a match file, read in an empty folder.

    Each file has a process of its own: one that has read another file before may lose a play.
    """
    (folder / "match.mat").write_text(text, encoding="utf-8")
    (folder / "commands").write_text('import mat "match.mat"\nsave match "match.sgf"\n')
    command = [str(PROGRAM), "--tty", "--quiet", "--no-rc", "-c", "commands"]
    environment = {**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    written = folder / "match.sgf"
    # Nothing is saved where the file has no game with a throw.
    text = written.read_text(encoding="utf-8") if written.exists() else ""
    return [_game(nodes) for nodes in sgf_reader.read_trees(text)]


def _game(nodes: list[sgf_reader.Node]) -> Game:
    root = nodes[0]
    info = {key: int(value) for key, value in (pair.split(":") for pair in root["MI"])}
    position, positions, acts = START, [], []
    for node in nodes[1:]:
        for side in {"W", "B"} & node.keys():
            said = node[side][0]
            if re.match(r"[1-6]{2}", said):
                position = sgf_reader.play(position, side, said)
                positions.append(position)
                said = "".join(sorted(said[:2], reverse=True))
            acts.append((side, said))
    won = _RESULT.match(root.get("RE", [""])[0])
    points = None if won is None else int(won[2]) * (1 if won[1] == "W" else -1)
    score = (info["ws"], info["bs"])
    return Game(info.get("length", 0), score, tuple(acts), tuple(positions), points, bool(won and won[3]))

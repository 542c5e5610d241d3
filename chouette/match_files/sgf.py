"""Reading of match files in the Smart Game Format (.sgf), as this house and GNU Backgammon write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from chouette.board.position import BAR, OFF, START, BoardError, checked
from chouette.export.record import DROP, OTHER, OWN, TAKE, GameRecord, Session
from chouette.match_files import foreign
from chouette.match_files.foreign import point_of
from chouette.match_files.games import BadFile, Builder, check_count, check_score, cube_value

Node: TypeAlias = Mapping[str, Sequence[str]]

_TOKEN = re.compile(r"\s*(?:([(;)])|([A-Z]+)\s*(?=\[)|\[((?:\\.|[^\]\\])*)\])", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_RESULT = re.compile(r"([WB])\+(\d{1,6})(R?)")
_SETUP = {"AE", "AW", "AB", "CV", "CO", "CP"}
_OWNERS = {"w": OWN, "b": OTHER}


class _Node(dict[str, list[str]]):
    """The properties of a node, and the number of its line from 1."""

    line = 0


def read(text: str) -> Session:
    """Return the content of a file; raises BadFile."""
    found = Session(name="", member=0, length=0, jacoby=False, beavers=False, records=(), notes=())
    is_turned = False
    try:
        for number, nodes in enumerate(_trees(text), 1):
            root = nodes[0]
            if number == 1:
                if root.get("GM", ["6"]) != ["6"]:
                    raise BadFile("no game of backgammon")
                length = _info(root).get("length", 0)
                found = replace(found, length=length, jacoby="Jacoby" in "".join(root.get("RU", [""])) and not length)
                # Player 0 is whom the file names first.
                is_turned = "PB" in root and next(key for key in root if key in ("PB", "PW")) == "PB"
            check_count(number)
            record = _game(nodes, found, is_turned)
            found = replace(found, name=record.names[0], records=(*found.records, record))
    except BadFile as why:
        why.game, why.before = len(found.records) + 1, found
        raise
    if not found.records:
        raise BadFile("no Smart Game Format")
    return found


def _trees(text: str) -> Iterator[list[_Node]]:
    """Yield the nodes of each game; raises BadFile where the text is none."""
    text = text.rstrip()
    at, depth, name, line = 0, 0, "", 1
    nodes: list[_Node] = []
    while at < len(text):
        found = _TOKEN.match(text, at)
        sign, key, value = found.groups() if found else ("", "", "")
        if found is None or (depth < 1 and sign != "(") or (sign == ")" and not nodes):
            raise BadFile("no Smart Game Format", line=line)
        line, at = line + text.count("\n", at, found.end()), found.end()
        if sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
            if depth == 0:
                yield nodes
                nodes = []
        elif sign == ";":
            nodes.append(_Node())
            nodes[-1].line = line
        elif key and nodes:
            name = key
        elif name and nodes:
            nodes[-1].setdefault(name, []).append(_ESCAPED.sub(r"\1", value))
    if depth:
        raise BadFile("a game that does not end", line=line)


def _info(root: Node) -> dict[str, int]:
    """Return the match information of a game: length, number and scores."""
    pairs = [value.partition(":") for value in root.get("MI", [])]
    return {key: int(value) for key, _, value in pairs if re.fullmatch(r"\d{1,9}", value)}


def _game(nodes: Sequence[_Node], session: Session, is_turned: bool) -> GameRecord:
    root, info = nodes[0], _info(nodes[0])
    length = info.get("length", 0)
    sides = {"W": OTHER, "B": OWN} if is_turned else {"W": OWN, "B": OTHER}
    score, names = (
        (info.get("ws", 0), info.get("bs", 0)),
        ("".join(root.get("PW", [""])), "".join(root.get("PB", [""]))),
    )
    record = GameRecord(
        number=info.get("game", 0),
        own=0,
        other=1,
        score=(score[1], score[0]) if is_turned else score,
        is_crawford="CrawfordGame" in "".join(root.get("RU", [""])),
        names=(names[1], names[0]) if is_turned else names,
        length=None if length == session.length else length,
    )
    builder = Builder(record, session.jacoby and not length, START)
    for node in nodes:
        try:
            check_score(record.score, length)
            if _SETUP & node.keys() and not record.acts:
                _set_up(builder, node, is_turned)
            for player in sides.keys() & node.keys():
                _add(builder, sides[player], player, node[player][0])
                if said := foreign.of_node(node, record.acts[-1], player):
                    record.said[len(record.acts) - 1] = said
            if node is nodes[-1]:
                _stop(builder, node, sides)
        except BadFile as why:
            why.line = why.line or node.line
            raise
    won = _RESULT.match("".join(root.get("RE", [""])))
    if won is None:
        return builder.close(0 if root.get("RE") == ["0"] else None, "settled" if root.get("RE") == ["0"] else "")
    return builder.close(int(won[2]) * (1 if sides[won[1]] == OWN else -1), "resigned" if won[3] else "")


def _set_up(builder: Builder, node: Node, is_turned: bool) -> None:
    """Set the cube and the position of a game that does not begin as usual; raises BadFile."""
    record = builder.record
    if node.get("CV"):
        record.value = cube_value(int(node["CV"][0]) if re.fullmatch(r"\d{1,5}", node["CV"][0]) else 0)
    owner = "".join([*node.get("CO", []), *node.get("CP", [])])
    record.owner = _OWNERS.get(owner, "")
    if is_turned and record.owner:
        record.owner = OTHER if record.owner == OWN else OWN
    if "AE" in node:
        points = [0] * (BAR + 1)
        for name, sign in (("AW", 1), ("AB", -1)):
            for letter in node.get(name, []):
                if not re.fullmatch(r"[a-z]", letter):
                    raise BadFile("a point that is none")
                points[point_of(letter, "W", BAR if sign > 0 else OFF)] += sign
        try:
            position = checked(points)
        except BoardError as why:
            raise BadFile(why.text) from why
        builder.position = tuple(-count for count in position[::-1]) if is_turned else position
        record.start = builder.position


def _stop(builder: Builder, node: Node, sides: Mapping[str, str]) -> None:
    """End a game by a last roll that was not played, which GNU Backgammon writes as one that is set; raises BadFile."""
    side = sides.get("".join(node.get("PL", [])))
    dice = re.fullmatch(r"([1-6])([1-6])", "".join(node.get("DI", [])))
    if side and dice and not sides.keys() & node.keys():
        builder.stop(side, (int(dice[1]), int(dice[2])))


def _add(builder: Builder, side: str, player: str, said: str) -> None:
    if match := re.fullmatch(r"([1-6])([1-6])((?:[a-y][a-z])*)", said):
        letters = match[3]
        steps = [
            (point_of(source, player, BAR), point_of(target, player, BAR))
            for source, target in zip(letters[::2], letters[1::2], strict=True)
        ]
        builder.play(side, (int(match[1]), int(match[2])), steps=tuple(steps))
    elif said == "double":
        builder.double(side)
    elif said in (TAKE, DROP):
        builder.answer(side, said)
    else:
        raise BadFile("a move that is none")

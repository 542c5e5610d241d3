"""A strict reader of the Smart Game Format of backgammon: structure, letters and plays."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from chouette.board.plays import results
from chouette.board.position import START, swap

ONCE = {"FF", "GM", "CA", "AP", "PW", "PB", "RE", "RU", "GC", "C", "CV", "CO", "PL", "W", "B"}
ROOT = {"FF", "GM", "CA", "AP", "MI", "PW", "PB", "RE", "RU", "GC"}
SETUP = {"CV", "CO", "AE", "AW", "AB", "PL"}

Node = dict[str, list[str]]


@dataclass
class Tree:
    """A game that was read: positions after each play in White's view."""

    nodes: list[Node]
    cube: int = 1
    positions: list[tuple[int, ...]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    @property
    def root(self) -> Node:
        return self.nodes[0]

    @property
    def info(self) -> dict[str, int]:
        return {key: int(value) for key, value in (pair.split(":") for pair in self.root["MI"])}


def read(text: str) -> list[Tree]:
    """Read a collection and replay its games."""
    return [replay(nodes) for nodes in read_trees(text)]


def read_trees(text: str) -> list[list[Node]]:
    """Return the nodes of each game of a collection."""
    at, trees = 0, []
    while at < len(text):
        assert text[at] == "("
        at, nodes = read_nodes(text, at + 1)
        assert text[at : at + 2] == ")\n"
        at += 2
        trees.append(nodes)
    return trees


def read_nodes(text: str, at: int) -> tuple[int, list[Node]]:
    nodes: list[Node] = []
    while text[at] == ";":
        at, node = at + 1, {}
        while found := re.compile(r"[A-Z]{1,2}(?=\[)").match(text, at):
            assert found[0] not in node, "the same property twice"
            at, values = found.end(), node.setdefault(found[0], [])
            while text[at] == "[":
                at, value = read_value(text, at + 1)
                values.append(value)
            assert found[0] not in ONCE or len(values) == 1
        nodes.append(node)
        at += text[at] == "\n"
    return at, nodes


def read_value(text: str, at: int) -> tuple[int, str]:
    value = ""
    while text[at] != "]":
        at += text[at] == "\\"
        value += text[at]
        at += 1
    return at + 1, value


def replay(nodes: list[Node]) -> Tree:
    tree = Tree(nodes)
    assert set(tree.root) <= ROOT and (tree.root["FF"], tree.root["GM"]) == (["4"], ["6"])
    position, turn = START, None
    for index, node in enumerate(nodes[1:], 1):
        if set(node) & SETUP:
            assert index == 1 and set(node) <= SETUP
            tree.cube = int(node.get("CV", ["1"])[0])
            position = set_up(node) if "AE" in node else START
            continue
        (player,) = set(node) & {"W", "B"}
        assert set(node) <= {player, "C"}
        said = node[player][0]
        if said in ("double", "take", "drop"):
            tree.said.append(f"{player} {said}")
            continue
        assert turn in (None, player), "out of turn"
        position = play(position, player, said)
        tree.positions.append(position)
        turn = "B" if player == "W" else "W"
    return tree


def set_up(node: Node) -> tuple[int, ...]:
    """Return the position that a node sets, in White's view."""
    assert node["AE"] == ["a:y"]
    points = [0] * 26
    for name, sign in (("AW", 1), ("AB", -1)):
        for letter in node.get(name, []):
            bar = 25 if sign > 0 else 0
            points[bar if letter == "y" else ord(letter) - ord("a") + 1] += sign
    return tuple(points)


def play(position: tuple[int, ...], player: str, said: str) -> tuple[int, ...]:
    """Make a play's pairs of letters; together they are a legal play. All in White's view."""
    assert re.fullmatch(r"[1-6]{2}(?:[a-y][a-xz]){0,4}", said), said
    mine = position if player == "W" else swap(position)
    points = list(mine)
    for source, target in zip(said[2::2], said[3::2], strict=True):
        points[number(source, player)] -= 1
        if target != "z":
            to = number(target, player)
            if points[to] == -1:
                points[to] = 0
                points[0] -= 1
            points[to] += 1
    assert tuple(points) in results(mine, (int(said[0]), int(said[1])))
    return tuple(points) if player == "W" else swap(tuple(points))


def number(letter: str, player: str) -> int:
    if letter == "y":
        return 25
    point = ord(letter) - ord("a") + 1
    return point if player == "W" else 25 - point

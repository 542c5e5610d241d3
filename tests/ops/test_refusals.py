"""One table of refusals: every code that is raised is in it, each is used, each is a whole sentence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from games import plugin
from games.live.protocol import Bad
from games.refusals import REFUSALS, close_of, ends_for_good, error_json, refusal, translate
from tests.architecture import sources

ROOT = Path(settings.BASE_DIR)
TABLE = Path("games/refusals.py")
# What is called with a code as its first argument, and those where it is the second.
FIRST = {"Illegal", Bad.__name__, "refuse", "_refused", "dismiss", "error_json", "translate", "refusal", "close_of"}
SECOND = {"Fault", "catch", "ErrorDetail"}


def modules(folder: str) -> list[ast.Module]:
    """Return the modules of a folder, without the table itself."""
    paths = [path for path in sources.files(".py", under=folder) if path != TABLE and "migrations" not in path.parts]
    return [sources.tree_of(path) for path in paths]


def texts(node: ast.expr | None) -> Iterator[str]:
    """Yield the strings that an expression may be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (*texts(node.body), *texts(node.orelse))


@cache
def raised(tree: ast.AST) -> set[str]:
    """Return the codes that a module refuses with, or puts into words, in a call."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            at = 0 if name in FIRST else 1 if name in SECOND else None
            if at is not None and len(node.args) > at:
                found.update(texts(node.args[at]))
            # A declared argument is refused with the code that it names.
            if name == "Argument":
                found.update(code for each in node.keywords if each.arg == "code" for code in texts(each.value))
    # A message of REST framework's own has its codes.
    return {code for code in found if re.fullmatch(r"[a-z]+(?:_[a-z]+)*", code)} - {"unknown", "invalid_choice"}


@cache
def handed_on(tree: ast.AST) -> set[str]:
    """Return the codes that a module may hand to what raises them: returned, or a value in a table."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Return):
            values = node.value.elts[:1] if isinstance(node.value, ast.Tuple) else [node.value]
        elif isinstance(node, ast.Dict):
            values = list(node.values)
        elif isinstance(node, ast.Tuple):
            values = list(node.elts)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict | ast.DictComp):
            values = [node.value.value] if isinstance(node.value, ast.DictComp) else []
        else:
            values = []
        for value in values:
            first = value.elts[0] if isinstance(value, ast.Tuple) and value.elts else value
            found.update(texts(first))
    return found


def unknown(trees: list[ast.Module], own: set[str]) -> set[str]:
    """Return the codes that modules raise and neither the table nor a game's own texts (`own`) have."""
    return set().union(*map(raised, trees)) - set(REFUSALS) - own


def unused(trees: list[ast.Module], codes: set[str]) -> set[str]:
    """Return the codes of a table that no module raises."""
    return codes - set().union(*map(raised, trees), *map(handed_on, trees))


def game_folders() -> dict[str, str]:
    return {game.game_id: str(Path(game.path).relative_to(ROOT)) for game in plugin.all_games().values()}


EVERYWHERE = ("games", *game_folders().values())


def test_every_code_that_the_house_raises_is_in_the_table() -> None:
    found = set().union(*map(raised, modules("games")))
    assert {"stale", "bad_json", "busy", "not_host", "wrong_code", "file_too_big", "not_one"} <= found
    assert unknown(modules("games"), set()) == set()


@pytest.mark.parametrize("game_id", list(game_folders()))
def test_every_code_that_a_game_raises_is_in_the_table_or_its_own(game_id: str) -> None:
    assert unknown(modules(game_folders()[game_id]), set(plugin.game(game_id).messages)) == set()


def test_no_entry_of_the_table_is_unused() -> None:
    trees = [tree for folder in EVERYWHERE for tree in modules(folder)]
    assert unused(trees, set(REFUSALS)) == set()


@pytest.mark.parametrize(
    "offence",
    [
        'raise Illegal("never_heard_of")',
        'raise Illegal("stale" if old else "never_heard_of", basis=1)',
        'faults.append(Fault(path, "never_heard_of", {}))',
        'socket.refuse("never_heard_of")',
    ],
)
def test_the_guard_finds_a_code_that_is_not_in_the_table(offence: str) -> None:
    assert unknown([ast.parse(offence)], set()) == {"never_heard_of"}
    assert unknown([ast.parse(offence)], {"never_heard_of"}) == set()


def test_the_guard_finds_an_entry_that_nothing_raises() -> None:
    trees = [ast.parse('if refused.code == "never_raised":\n    """Raises `never_raised`."""\n')]
    assert unused(trees, {"never_raised"}) == {"never_raised"}
    assert unused([ast.parse('def why():\n    return "a" if b else "handed_on"\n')], {"handed_on"}) == set()


def test_there_is_no_other_table() -> None:
    """A mapping with codes for keys would be one; examples of params (dicts) and fields of forms are none."""
    assert other_tables(ast.parse("{'stale': 409, 'paused': 409, 'finished': 409, 'busy': 503, 'banned': 403}"))
    for tree in modules("games"):
        assert other_tables(tree) == []


def other_tables(tree: ast.Module) -> list[str]:
    """Return the mappings of a module from five codes or more to sentences or numbers."""
    found = []
    for node in (each for each in ast.walk(tree) if isinstance(each, ast.Dict)):
        pairs = zip(node.keys, node.values, strict=True)
        keys = [key for key, value in pairs if not isinstance(value, ast.Dict)]
        if len({text for key in keys for text in texts(key)} & set(REFUSALS)) >= 5:
            found.append(ast.unparse(node))
    return found


@pytest.mark.parametrize("code", sorted(REFUSALS))
def test_a_sentence_is_whole_with_and_without_its_params(code: str) -> None:
    text = translate(code, {})
    assert text[0].isupper()
    assert text.endswith(".")
    assert "%(" not in text


def test_params_are_filled_in() -> None:
    assert "60" in translate("night_full", {"cap": 60})


def test_a_game_has_codes_of_its_own_and_none_of_the_houses() -> None:
    for game_id, game in plugin.all_games().items():
        assert set(game.messages) & set(REFUSALS) == set()
        for code, text in game.messages.items():
            # Each parameter of a sentence is filled in where it stands.
            params = {name: f"<{name}>" for name in re.findall(r"%\((\w+)\)s", str(text))}
            assert translate(code, params, game_id) == re.sub(r"%\((\w+)\)s", r"<\1>", str(text))
            assert "%(" not in translate(code, {}, game_id)
    assert translate("bids_are_out", {}, "dummygame") != translate("bids_are_out", {})


def test_nobody_is_left_without_a_sentence() -> None:
    for game_id in (None, "", "no_such_game", "chicago"):
        assert translate("never_heard_of", {}, game_id).endswith(".")


def test_an_error_says_it_all() -> None:
    with translation.override("en"):
        error = error_json("stale", {"basis": 1, "open": 2}, "chicago")
    assert error["type"] == "error"
    assert error["code"] == "stale"
    assert error["params"] == {"basis": 1, "open": 2}


def test_statuses_and_closes_are_those_of_the_protocols() -> None:
    for code, entry in REFUSALS.items():
        assert 400 <= entry.status < 600, code
        assert entry.status in (401, 403, 404, 410, 429, 503) or not entry.page, code
        assert entry.close is None or 4400 <= entry.close < 4500, code
    assert ends_for_good("removed")
    assert not ends_for_good("too_many")
    assert close_of("too_many") == 4429
    with pytest.raises(LookupError):
        close_of("stale")


def rows(page: str, heading: str) -> list[tuple[str, str, str]]:
    """Return the rows of the first table of a section: the cells, the second and third empty where there are none."""
    section = (ROOT / "docs" / page).read_text(encoding="utf-8").split(f"\n## {heading}", 1)[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return [(row[0], row[1], row[2] if len(row) > 2 else "") for row in cells]


def codes(cell: str) -> list[str]:
    return list(re.findall(r"`([a-z_]+)`", cell))


def test_the_protocols_list_of_codes_is_the_tables() -> None:
    """docs/protocol.md §7: each code is known, and every close is told with its number."""
    told: dict[str, set[int]] = {}
    for first, _, then in rows("protocol.md", "7. Errors"):
        closes = {int(number) for number in re.findall(r"\b(44\d\d)\b", then)}
        for code in [code for code in codes(first) if code != "params"]:
            assert code in REFUSALS, code
            told.setdefault(code, set()).update(closes)
        for code in set(codes(then)) & set(REFUSALS):
            told.setdefault(code, set()).update(closes)
    closing = {code: {entry.close} for code, entry in REFUSALS.items() if entry.close}
    assert {code: told.get(code) for code in closing} == closing


def test_the_api_page_has_the_codes_at_their_statuses() -> None:
    """docs/api.md §7."""
    found = 0
    for first, second, _ in rows("api.md", "7. Refusals"):
        for code in [code for code in codes(second) if code in REFUSALS]:
            assert str(refusal(code).status) in first, code
            found += 1
    assert found > 25

"""Every refusal is a whole sentence, and none is forgotten."""

import ast
import re
from pathlib import Path

import pytest
from django.utils import translation

from games import messages, plugin
from games.kernel.contract import Illegal
from games.messages import HOUSE, error_json, translate
from games.realtime.messages import Bad

ROOT = Path(messages.__file__).resolve().parent


def raised_codes() -> set[str]:
    """Return the codes in Illegal("…"), Bad("…"), refuse("…") and dismiss("…") of the house."""
    codes = set()
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            first = node.args[0]
            if name in {Illegal.__name__, Bad.__name__, "refuse", "dismiss", "error_json"} and (
                isinstance(first, ast.Constant) and isinstance(first.value, str)
            ):
                codes.add(first.value)
    return codes


def test_every_code_that_the_house_raises_has_a_sentence():
    found = raised_codes()
    assert {"stale", "bad_json", "busy", "not_host", "wrong_code"} <= found
    assert found - set(HOUSE) == set()


@pytest.mark.parametrize("code", sorted(HOUSE))
def test_a_sentence_is_whole_with_and_without_its_params(code):
    text = translate(code, {})
    assert text[0].isupper()
    assert text.endswith(".")
    assert "%(" not in text


def test_params_are_filled_in():
    assert "60" in translate("night_full", {"cap": 60})


def test_a_game_has_codes_of_its_own_and_the_house_comes_first():
    for game_id, game in plugin.all_games().items():
        for code, text in game.messages.items():
            # Each parameter of a sentence is filled in where it stands.
            params = {name: f"<{name}>" for name in re.findall(r"%\((\w+)\)s", str(text))}
            whole = re.sub(r"%\((\w+)\)s", r"<\1>", str(text))
            if code not in HOUSE:
                assert translate(code, params, game_id) == whole
                assert "%(" not in translate(code, {}, game_id)
    assert translate("bids_are_out", {}, "dummygame") != translate("bids_are_out", {})


def test_nobody_is_left_without_a_sentence():
    for game_id in (None, "", "no_such_game", "chicago"):
        assert translate("never_heard_of", {}, game_id).endswith(".")


def test_an_error_says_it_all():
    with translation.override("en"):
        error = error_json("stale", {"basis": 1, "open": 2}, "chicago")
    assert error["type"] == "error"
    assert error["code"] == "stale"
    assert error["params"] == {"basis": 1, "open": 2}

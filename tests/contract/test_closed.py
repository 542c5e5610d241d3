"""The contract is closed: what it does not know is refused, as a type error and when the house starts."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import MISSING, fields
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError

from games.kernel.bots import Bots
from games.kernel.contract import CONTRACT_VERSION
from games.kernel.rules import Rules
from games.plugin import GameConfig, GameRefused, game
from tests.architecture.sources import ROOT, files, text_of
from tests.dummygame.bots import choose

PLANTED = """
from typing import Any
from games.kernel.rules import Rules

def made(anything: Any) -> Rules[list[int]]:
    return Rules(
        version=1, events=anything, options=anything, open=anything, initial=anything, choices=anything,
        decide=anything, fold=anything, view=anything, resample=anything, is_over=anything, gone=anything,
        outcome=anything, faults=anything, dump=anything, load=anything, {hook},
    )
"""
HOOKS = {
    "sound": "may_speak=lambda state, seat: seat in state",
    "misspelt": "may_speek=lambda state, seat: seat in state",
    "other_shape": "may_speak=lambda state: True",
}


@pytest.mark.day(parts=12, turn=1)
def test_a_misspelt_hook_and_one_of_another_shape_are_type_errors(tmp_path: Path) -> None:
    for name, hook in HOOKS.items():
        (tmp_path / f"{name}.py").write_text(PLANTED.format(hook=hook))
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--follow-imports=silent", str(tmp_path)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    assert "sound.py" not in said
    assert re.search(r'misspelt.py:\d+: error: Unexpected keyword argument "may_speek" for "Rules"', said)
    assert re.search(r"other_shape.py:\d+: error: .*incompatible type", said)


OTHER_RULES = """
from dataclasses import fields
from games.kernel.rules import Rules
from tests.dummygame.rules import rules as sound

hooks = {{each.name: getattr(sound, each.name) for each in fields(Rules)}}
rules = Rules(**{hooks})
"""


def with_rules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, hooks: str) -> None:
    """Install rules for the dummy game that are made of its hooks, with others."""
    (tmp_path / "planted_rules.py").write_text(OTHER_RULES.format(hooks=hooks))
    config = game("dummygame")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "planted_rules", raising=False)
    monkeypatch.setattr(config, "rules_module", "planted_rules")
    for name in ("rules", "options"):
        monkeypatch.delitem(config.__dict__, name, raising=False)


def refusal() -> str:
    """Return what `manage.py check`, and so every start, says of the installed games."""
    with pytest.raises((SystemCheckError, GameRefused)) as refused:
        call_command("check")
    return str(refused.value)


@pytest.mark.parametrize(
    ("hooks", "name"),
    [
        ("hooks, may_speek=hooks['may_speak']", "may_speek"),
        ("{name: hook for name, hook in hooks.items() if name != 'resample'}", "resample"),
    ],
    ids=["misspelt", "missing"],
)
def test_a_house_with_a_misspelt_or_missing_hook_does_not_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, hooks: str, name: str
) -> None:
    with_rules(monkeypatch, tmp_path, hooks)
    assert re.search(rf"dummygame is not loaded: .*{name}", refusal())


def test_bots_with_a_misspelt_hook_are_refused() -> None:
    with pytest.raises(TypeError, match="hints"):
        Bots(choose=choose, hints=choose)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("version", "what"), [(3, "bring the game up to date"), (CONTRACT_VERSION + 1, "bring the house up to date")]
)
def test_a_game_of_another_contract_is_refused_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, version: int, what: str
) -> None:
    config = game("dummygame")
    for name in ("rules", "options"):
        monkeypatch.delitem(config.__dict__, name, raising=False)
    monkeypatch.setattr(config, "contract", version)
    sentence = f"dummygame was written for contract {version}, this house has contract {CONTRACT_VERSION}: {what}"
    assert sentence in refusal()
    with pytest.raises(GameRefused, match=what):
        _ = config.rules


def test_a_game_states_its_contract_itself() -> None:
    with pytest.raises(GameRefused, match="states no contract"):
        type("SilentConfig", (GameConfig,), {"__module__": __name__})


def test_only_what_many_games_have_no_need_of_has_a_default() -> None:
    needed = {each.name for each in fields(Rules) if each.default is MISSING and each.default_factory is MISSING}
    assert {each.name for each in fields(Rules)} - needed == {
        *("played_on", "match_end", "throwing", "may_speak", "has_secrets", "to_enter", "payees"),
        *(
            "timers",
            "about",
            "headlines",
            "order",
            "view_shape",
            "choice_shapes",
            "picture",
            "form",
            "before",
            "taking_back",
        ),
    }


BY_NAME = re.compile(r"\b(?:getattr|hasattr)\(\s*[^,]*\b(?:rules|bots|past|grading|thrown)\b[()]*,")


def test_the_house_looks_up_no_hook_by_its_name() -> None:
    assert [str(path) for path in files(".py", under="games") if BY_NAME.search(text_of(path))] == []
    assert BY_NAME.search('hint = getattr(plugin.game(found.game_id).bots, "hint", None)')

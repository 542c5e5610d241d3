"""The browser's modules agree with their declared types, and a planted offence is found."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests import browser_types
from tests.conftest import require

pytestmark = [pytest.mark.long, pytest.mark.day(parts=2)]

OFFENCES = {
    "a name that nothing declares": "export const points = () => signd(3);\n",
    "a part that may be missing": "export const box = document.getElementById('box').hidden;\n",
    "a misspelt field of a view": (
        "/** @param {Chouette.View} view */\nexport const cubes = (view) => view.game?.cubse.length;\n"
    ),
    "a part of a view that may be null": (
        "/** @param {Chicago.View} view */\nexport const losers = (view) => view.outcome.losers;\n"
    ),
    "a word that a view never has": (
        "/** @param {Chicago.View} view */\nexport const isOver = (view) => view.phase === 'ended';\n"
    ),
    "a misspelt argument of a choice": (
        "/** @param {Chicago.Choices['throw']} choice */\nexport const lays = (choice) => choice.options?.[0].lays;\n"
    ),
    "a misspelt field of an event": (
        "/** @param {Chicago.Event} event */\n"
        "export const dice = ({ type, data }) => (type === 'dice_thrown' ? data.dices : []);\n"
    ),
    "a misspelt field": (
        "/** @param {import('games/kit/table.js').Now} now */\nexport const isMine = (now) => now.canAkt;\n"
    ),
}


@pytest.mark.parametrize("offence", OFFENCES)
def test_a_planted_offence_in_a_module_is_found(offence: str, tmp_path: Path) -> None:
    require(shutil.which("npm"), "npm")
    (tmp_path / "planted.js").write_text(OFFENCES[offence])
    settings = json.loads((browser_types.ROOT / "tsconfig.json").read_text())
    settings["extends"] = str(browser_types.ROOT / "tsconfig.json")
    settings["include"] = [str(tmp_path / "planted.js"), *browser_types.DECLARED]
    del settings["compilerOptions"]
    (tmp_path / "tsconfig.json").write_text(json.dumps(settings))
    (error,) = browser_types.errors(tmp_path / "tsconfig.json")
    assert "planted.js" in error

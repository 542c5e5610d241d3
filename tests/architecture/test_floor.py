"""Nothing is served that the oldest browsers lack, planted offences are found, and the docs name the same browsers."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests import browser_types
from tests.conftest import require
from tests.floor import lint
from tests.floor.allowed import ALLOWED
from tests.floor.oldest import LIB, OLDEST

pytestmark = [pytest.mark.long, pytest.mark.day(parts=2)]

SHEETS = {
    "a container without another way": "@container felt (min-width: 20em) { p { color: red } }",
    "a unit of a container": "p { inline-size: 3cqw }",
    "a parent by what it holds": ".a:has(.b) { color: red }",
    "a rule in a rule": ".a { color: red; & .b { color: blue } }",
    "a rule in a rule without a sign": ".a { .b { color: blue } }",
    "a property of its own for a move": "p { translate: 0 2px }",
    "a mixed colour": "p { background: color-mix(in srgb, red, blue) }",
    "a mixed colour in a property of one's own": "p { --ground: color-mix(in srgb, red, blue) }",
    "a range": "@media (width < 30em) { p { color: red } }",
    "a layer": "@layer base { p { color: red } }",
}
GUARDED = {
    "a fallback before it": "p { background: red; background: color-mix(in srgb, red, blue) }",
    "a fallback in an older unit": "p { block-size: 100vh; block-size: 100dvh }",
    "asked for": "@supports selector(:has(a)) { .a:has(.b) { color: red } }",
    "what all have": ".a:is(.b, .c):not(.d, .e)::before { inset: 0; aspect-ratio: 1; gap: min(1vh, 2px) }",
}
MODULES = {
    "a newer method": "export const later = [2, 1].toSorted();\n",
    "a method of a typed value": "/** @param {number[]} all */\nexport const last = (all) => all.at(-1);\n",
    "a question to an element": "export const isSeen = document.body.checkVisibility();\n",
    "a part of a class": "export class A { static { globalThis.name = 'a'; } }\n",
    "a look back": "export const found = /(?<!a)b/.test('ab');\n",
    "a newer selector": "export const box = document.querySelector('p:has(a)');\n",
    "a newer function": "export const copy = structuredClone({});\n",
    "a resolved name": "export const here = import.meta.resolve('x');\n",
    "a newer event": "document.body.addEventListener('scrollend', () => {});\n",
    "a newer property": "document.body.style.scale = '2';\n",
}
ASKED_FOR = (
    "export const seen = document.body.checkVisibility?.() ?? true;\n"
    "export function share() { if ('share' in navigator) navigator.share({}); }\n"
)
TEMPLATES = {"a newer attribute": '<div popover="auto"></div>', "a newer element": "<search></search>"}


def project(tmp_path: Path, module: str = "") -> Path:
    """Return the project of one module, with the house's settings."""
    (tmp_path / "planted.js").write_text(module)
    include = [str(tmp_path / "planted.js"), *browser_types.DECLARED]
    (tmp_path / "tsconfig.json").write_text(
        json.dumps({"extends": str(browser_types.ROOT / "tsconfig.json"), "include": include})
    )
    return tmp_path / "tsconfig.json"


@pytest.fixture(autouse=True)
def npm() -> None:
    """The tools come from npm."""
    require(shutil.which("npm"), "npm")


def test_what_is_served_needs_nothing_that_the_oldest_browsers_lack() -> None:
    assert lint.faults(lint.uses(lint.sheets(), lint.templates())) == []


def test_every_planted_offence_in_a_sheet_or_a_template_is_found(tmp_path: Path) -> None:
    found = lint.uses({**SHEETS, **GUARDED}, TEMPLATES, project(tmp_path))
    assert {use.file for use in found} == {*SHEETS, *TEMPLATES}
    assert all(lint.faults([use])[0] == str(use) for use in found), "none of them is allowed"


def test_every_planted_offence_in_a_module_is_found(tmp_path: Path) -> None:
    offences = "\n".join(f"{{\n{offence.replace('export ', '')}}}" for offence in MODULES.values())
    lines = [n for n, line in enumerate(offences.split("\n"), 1) if line == "{"]
    found = lint.uses({}, {}, project(tmp_path, offences))
    missed = [name for name, first in zip(MODULES, lines, strict=True)
              if not any(first <= use.line <= first + 3 for use in found)]  # fmt: skip
    assert missed == []


def test_what_is_asked_for_before_it_is_used_is_no_offence(tmp_path: Path) -> None:
    assert lint.uses({}, {}, project(tmp_path, ASKED_FOR)) == []


def test_a_newer_method_is_a_wrong_type_as_well(tmp_path: Path) -> None:
    (error,) = browser_types.errors(project(tmp_path, MODULES["a newer method"]))
    assert "toSorted" in error
    settings = json.loads((browser_types.ROOT / "tsconfig.json").read_text())["compilerOptions"]
    assert settings["target"] == settings["lib"][0] == LIB


def test_each_that_is_allowed_has_its_reason_and_one_that_nothing_uses_is_told() -> None:
    assert all(len(reason) > 20 for reason in ALLOWED.values())
    assert lint.faults([]) == [f"tests/floor/allowed.py: nothing uses {key}" for key in ALLOWED]


def test_the_page_of_phones_names_the_oldest_browsers() -> None:
    text = (lint.ROOT / "docs/phones.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([^|]+?) \| ([\d.]+) \|", text, re.MULTILINE))
    assert rows == {browser.name: browser.version for browser in OLDEST}

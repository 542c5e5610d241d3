"""The shape of the sources: short lines, nothing of this or that machine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.architecture.figures import WIDEST, wide_lines
from tests.architecture.sources import ROOT, files, text_of, tracked

TEXT = (".py", ".js", ".css", ".html", ".md", ".toml", ".txt", ".sh", ".cfg", ".yml", ".json", "")


def test_no_line_is_wider_than_120_columns() -> None:
    for suffix in (".py", ".js", ".css", ".html"):
        paths = [path for path in files(suffix) if "migrations" not in path.parts]
        assert len(paths) > 10
        assert [place for path in paths for place in wide_lines(str(path), text_of(path))] == []


def test_the_guard_of_widths_counts_characters() -> None:
    fits = "\u00e4" * WIDEST
    assert wide_lines("a.css", f"{fits}\n{fits}x\n{fits}") == ["a.css:2"]


_UNMERGED = re.compile(r"^(<{7}|>{7}) ", re.MULTILINE)


def test_no_file_has_both_sides_of_a_merge() -> None:
    assert _UNMERGED.search("<" * 7 + " HEAD")
    assert [str(path) for suffix in TEXT for path in files(suffix) if suffix and _UNMERGED.search(text_of(path))] == []


def cases_twice(text: str) -> list[int]:
    """Return the lines of a script with a case that its switch has already: it is never reached."""
    seen: dict[int, set[str]] = {}
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        indent = len(line) - len(line.lstrip())
        if line.lstrip().startswith("switch ("):
            seen[indent + 2] = set()
        elif case := re.match(r"\s*(case .+?):(\s|$)", line):
            cases = seen.setdefault(indent, set())
            found += [number] if case[1] in cases else []
            cases.add(case[1])
    return found


def test_no_switch_of_a_script_has_a_case_twice() -> None:
    assert [(f"{path}", line) for path in files(".js") for line in cases_twice(text_of(path))] == []


def test_a_planted_case_that_stands_twice_is_found() -> None:
    switch = 'switch (kind) {\n  case "a":\n    return 1;\n  case "b": {\n    break;\n  }\n}\n'
    assert cases_twice(switch + switch) == []
    assert cases_twice(switch.replace('"b"', '"a"')) == [4]


@pytest.mark.parametrize("path", files(".html"), ids=str)
def test_templates_have_no_inline_style_or_script(path: Path) -> None:
    """The content security policy lets neither run; a nonce is for the import map alone."""
    text = text_of(path)
    assert not re.search(r"<style\b|\sstyle\s*=", text), "inline style"
    assert not re.search(r"\son[a-z]+\s*=\s*[\"']", text), "inline handler"
    assert "javascript:" not in text
    for attributes in re.findall(r"<script\b([^>]*)>", text):
        has_source = re.search(r"\bsrc\s*=", attributes)
        is_data = re.search(r"type=\"(application/json|importmap)\"", attributes)
        assert has_source or is_data, f"<script{attributes}>"


def test_pages_load_nothing_from_elsewhere() -> None:
    """A cellar pub is offline."""
    for path in files(".html", ".js", ".css"):
        for url in re.findall(r"(?:https?:)?//[a-z0-9][\w.-]*\.[a-z]{2,}", text_of(path)):
            assert url.endswith("www.w3.org"), f"{path}: {url}"


def texts() -> list[Path]:
    return [path for path in tracked() if path.suffix in TEXT and path.name != "LICENSE"]


def test_no_tracked_file_names_a_machine_or_a_registry() -> None:
    bad = re.compile(
        r"(?:^|[\s\"'=(`])/(?:home|root|work|Users|opt)/|--(?:extra-)?index-url|find-links"
        # In pieces, so that this file names none either.
        r"|py"
        r"pi\.org|python"
        r"hosted|npm"
        r"js|regist"
        r"ry\.",
        re.M,
    )
    here = Path(__file__).relative_to(ROOT)
    for path in texts():
        if path == here:
            continue
        try:
            found = bad.search(text_of(path))
        except UnicodeDecodeError:
            continue
        assert found is None, f"{path}: {found and found.group()!r}"


def test_nothing_is_left_to_do_later() -> None:
    note = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b")
    for path in files(".py", ".js", ".css", ".html"):
        assert not note.search(text_of(path)), path

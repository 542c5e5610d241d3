"""The documentation and the code name the same things."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import polib

from games.ops.environment import Environment
from tests.architecture.figures import words
from tests.architecture.sources import ROOT, files, text_of

OF_GAMES = {"CHOUETTE_EVALUATOR", "CHOUETTE_EXPERT"}
"""Variables that a game reads by itself: no part of the house names them."""
CITED = re.compile(r"docs/([\w./-]+\.md)(?:\s+§{1,2}\s*([\d.]+)(?:\s*[–-]\s*([\d.]+))?)?")


def cited() -> list[tuple[Path, str, str, str]]:
    """Return every citation of a page in docs/: where, page, first and last section."""
    paths = [*files(".py", ".js", ".html", ".css", ".md")]
    return [
        (path, page, first.rstrip("."), last.rstrip("."))
        for path in paths
        for page, first, last in CITED.findall(re.sub(r"\s+", " ", text_of(path)))
    ]


def sections_of(page: str) -> set[str]:
    """Return the section numbers of a page: headings, and numbered points as section.point."""
    found: set[str] = set()
    section = ""
    for line in text_of(Path("docs") / page).splitlines():
        if heading := re.match(r"#+\s+§?(\d+(?:\.\d+)*)\.?\s", line):
            section = heading.group(1)
            found.add(section)
    return found


def test_pages_and_sections_that_are_cited_exist() -> None:
    places = cited()
    assert len(places) > 20
    for path, page, first, last in places:
        assert (ROOT / "docs" / page).is_file(), f"{path} cites docs/{page}"
        for section in filter(None, (first, last)):
            known = sections_of(page)
            is_point = section.rsplit(".", 1)[0] in known
            assert section in known or is_point, f"{path} cites docs/{page} §{section}"


def commands() -> list[str]:
    return [path.stem for path in files(".py", under="games/management/commands") if path.stem != "__init__"]


def test_every_management_command_is_documented() -> None:
    page = text_of(Path("docs/operations.md"))
    assert [name for name in commands() if f"`manage.py {name}" not in page] == []


def rows_of_the_environment() -> dict[str, str]:
    """Return the table in docs/operations.md: variable → default."""
    section = text_of(Path("docs/operations.md")).split("## Environment")[1].split("\n## ")[0]
    return dict(re.findall(r"^\| `([A-Z0-9_]+)` \| ([^|]+) \|", section, re.M))


def test_every_variable_of_the_environment_is_documented_with_its_default() -> None:
    declared = {each.name.upper(): each.default for each in fields(Environment)}
    rows = rows_of_the_environment()
    assert rows.keys() - OF_GAMES == declared.keys()
    for name, default in declared.items():
        if isinstance(default, bool):
            assert rows[name] == ("on" if default else "off"), name
        elif default and name != "CONNECTIONS":
            text = ",".join(default) if isinstance(default, tuple) else str(default).removesuffix(".0")
            assert rows[name] == f"`{text}`", name


def test_nobody_reads_the_environment_a_second_time() -> None:
    for path in files(".py", under="games"):
        found = re.findall(r"environ(?:\.get\(|\[)\"([A-Z_]+)", text_of(path))
        assert set(found) <= {"REQUIRE_ALL"}, path


def test_the_readme_begins_with_the_two_commands() -> None:
    top = text_of(Path("README.md"))[:400]
    assert top.index("make play") < top.index("make test")


def test_links_between_pages_lead_somewhere() -> None:
    for page in files(".md"):
        folder = (ROOT / page).parent
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text_of(page)):
            if "://" not in target:
                assert (folder / target).exists(), f"{page} links to {target}"


def test_make_targets_that_the_readme_names_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", text_of(Path("Makefile")), re.M))
    for page in ("README.md", "docs/operations.md", "docs/adding-a-game.md"):
        for target in re.findall(r"`(?:[A-Z]+=\S+ )*make ([a-z-]+)", text_of(Path(page))):
            assert target in targets, f"{page}: make {target}"


def test_python_versions_agree() -> None:
    assert 'requires-python = ">=3.11"' in text_of(Path("pyproject.toml"))
    assert "(3, 11)" in text_of(Path("Makefile"))


def test_every_dependency_is_pinned() -> None:
    import tomllib

    project = tomllib.loads(text_of(Path("pyproject.toml")))["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(name for extra in extras for name in extra)]
    pinned = {
        re.split("==", line)[0].lower().replace("_", "-")
        for line in text_of(Path("constraints.txt")).splitlines()
        if "==" in line
    }
    for requirement in wanted:
        name = re.split(r"[\[<>=~! ]", requirement)[0].lower().replace("_", "-")
        assert name in pinned, f"{name} has no version in constraints.txt"


def missing_places(text: str) -> list[str]:
    """Return the files that a text names in backticks and that are not there."""
    return [name for name in re.findall(r"`([a-z_/]+\.(?:py|md))`", text) if not (ROOT / name).is_file()]


def test_every_place_that_the_glossary_names_is_there() -> None:
    text = text_of(Path("docs/glossary.md"))
    assert text.count("| `games/") > 30
    assert missing_places(text) == []
    assert missing_places("`games/nowhere.py` and `docs/glossary.md`") == ["games/nowhere.py"]


READERS = re.compile(
    r"\*(?:For [a-z ]*(?:hosts|players|operators|programmers)\b|Pour les hôtes\.|Per chi conduce una serata\.)"
)
OF_PROGRAMS = re.compile(r"```|^ {4}\S|manage\.py|stammtisch [a-z]|python -m|\bJSON\b|\bAPI\b|\.venv|/api/", re.M)
"""What a page for hosts does without: commands, formats for programs."""


def shelves() -> str:
    return text_of(Path("docs/README.md"))


def pages() -> list[Path]:
    """Return the pages of docs/ besides its list and the decisions, which have a list of their own."""
    return [path for path in files(".md", under="docs") if path.parent.name != "decisions" and path.name != "README.md"]


def shelf(text: str, name: str) -> set[str]:
    """Return the pages that a shelf of docs/README.md links to."""
    return set(re.findall(r"\]\(([^)#]+\.md)\)", text.split(f"\n## {name}")[1].split("\n## ", maxsplit=1)[0]))


def reader_of(text: str) -> str:
    """Return the line below a page's title."""
    return text.split("\n")[2]


def test_each_page_says_at_its_top_for_whom_it_is_and_stands_on_a_shelf() -> None:
    listed = set(re.findall(r"\]\(([^)#]+\.md)\)", shelves()))
    assert len(pages()) > 25
    for path in pages():
        assert READERS.match(reader_of(text_of(path))), path
        assert str(path.relative_to("docs")) in listed, path
    assert READERS.match("Seasons are many nights.") is None


def test_pages_for_hosts_alone_have_no_commands_and_no_formats_of_programs() -> None:
    for path in (Path("docs/host.md"), Path("docs/house-rules.md"), *files(".md", under="docs/hosts")):
        text = text_of(path).split("\n", 3)[3]
        assert str(path.relative_to("docs")) in shelf(shelves(), "Hosts and players"), path
        assert OF_PROGRAMS.findall(text) == [], path
    for planted in ("```\nin: {}", "\n    make play", "`manage.py backup`", "read as JSON"):
        assert OF_PROGRAMS.search(planted), planted


BOLD = re.compile(r"\*\*([^*]+)\*\*")
AT_THE_START = re.compile(r"^(\s*(?:-|\d\.)\s+|\s*)\*\*[^*]+\*\*", re.MULTILINE)
"""What stands in bold at the start of a line is a heading of its point."""


def language_of(path: Path) -> str:
    """Return the language that a page of the documentation is translated to, such as host.fr.md; "" for English."""
    return path.stem.partition(".")[2]


def not_on_pages(text: str, language: str = "") -> list[str]:
    """Return the words in bold of a page of the documentation that no page of the house has in its language."""
    where = f"/{language or 'de'}/"
    entries = [entry for path in files(".po") if where in str(path) for entry in polib.pofile(str(ROOT / path))]
    if language:
        said = {text for entry in entries for text in (entry.msgstr, *entry.msgstr_plural.values())}
    else:
        said = {text for entry in entries for text in (entry.msgid, entry.msgid_plural)}
    known = {" ".join(text.split()) for text in said}
    named = [re.compile(".+".join(map(re.escape, re.split(r"%\(\w+\)s", each)))) for each in known if "%(" in each[:40]]
    bold = [" ".join(found.split()) for found in BOLD.findall(AT_THE_START.sub(r"\1", text))]
    return [each for each in bold if each not in known and not any(form.fullmatch(each) for form in named)]


def test_words_in_bold_on_pages_for_hosts_are_those_of_the_houses_pages() -> None:
    for path in (Path("docs/host.md"), Path("docs/first-evening.md"), *files(".md", under="docs/hosts")):
        assert not_on_pages(text_of(path), language_of(path)) == [], path
    assert not_on_pages("Tap **Start the game**, or **Hand it to Kari**, or **Begin**.") == ["Begin"]


def test_words_are_counted_without_the_bars_of_tables() -> None:
    assert words("# Two words\n\n| a | b |\n| --- | --- |\n") == 4


def lost_tests(text: str) -> set[str]:
    """Return the tests that a page names in backticks and that are no function, also of a script's, and no module."""
    named = set(re.findall(r"`(test(?:_|[A-Z])\w+)`", text))
    places = files(".py", ".js", under="tests")
    known = {name for path in places for name in re.findall(r"(?:def|function) (test\w+)\(", text_of(path))}
    return named - known - {path.stem for path in places}


def test_every_test_that_a_page_names_exists() -> None:
    whole = "\n".join(text_of(path) for path in files(".md"))
    assert len(set(re.findall(r"`(test_\w+)`", whole))) > 400
    assert lost_tests(whole) == set()
    assert lost_tests("held by `test_that_nobody_wrote`") == {"test_that_nobody_wrote"}


def anchors_of(text: str) -> set[str]:
    """Return the addresses of a page's headings."""
    titles = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", each) for each in re.findall(r"^#+ (.+)$", text, re.M)]
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in titles}


def lost_anchors(text: str, of_page: Callable[[str], str]) -> list[str]:
    """Return the links of a page to headings that are not there; `of_page` returns a linked page's text."""
    links = re.findall(r"\]\(([^)#:]*?)#([^)]+)\)", text)
    return [f"{page}#{anchor}" for page, anchor in links if anchor not in anchors_of(of_page(page) if page else text)]


def test_links_to_headings_lead_to_one() -> None:
    for path in files(".md"):
        folder = (ROOT / path).parent
        lost = lost_anchors(text_of(path), lambda page, folder=folder: (folder / page).read_text(encoding="utf-8"))
        assert lost == [], path
    assert lost_anchors("# One\n[two](#two), [one](#one)", str) == ["#two"]

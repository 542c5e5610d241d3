"""New files under a running house, as `git pull` and `pip install` put them there: it plays on with its own."""

from __future__ import annotations

import importlib
import logging
import os
import re
import shutil
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError

import pytest
from django.contrib.auth.models import User
from django.template import TemplateDoesNotExist, engines
from django.test import Client
from django.urls import reverse

from games.ops.at_start import files
from games.ops.doctor import checks
from tests.architecture.sources import tracked
from tests.server import ROOT, Server

PACKAGE = "late_package"


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of a package with templates and scripts, kept as a process keeps those of the house."""
    package = tmp_path / PACKAGE
    for name, words in {
        "__init__.py": "",
        "late.py": "WORDS = 'of the start'\n",
        "inner/__init__.py": "from late_package.inner.deep import WORDS\n",
        "inner/deep.py": "WORDS = 'deep'\n",
        "static/one.js": "one();",
        "templates/page.html": "of the start",
    }.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(words)
    monkeypatch.setattr(files, "_own", lambda: [(package, PACKAGE)])
    monkeypatch.setattr(files, "_templates", lambda: [package / "templates"])
    monkeypatch.setattr(files, "_kept", None)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.syspath_prepend(str(tmp_path))
    files.keep()
    yield package
    files._changed.clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def test_what_was_there_at_the_start_is_read_and_what_has_come_is_not(house: Path) -> None:
    (house / "static" / "one.js").write_text("another();")
    (house / "static" / "two.js").write_text("two();")
    (house / "templates" / "page.html").unlink()
    assert files.text(house / "static" / "one.js") == "one();"
    assert files.text(house / "templates" / "page.html") == "of the start"
    with pytest.raises(FileNotFoundError):
        files.text(house / "static" / "two.js")
    assert files.below(house / "static", ".js") == [house / "static" / "one.js"]


def test_a_module_that_nobody_has_imported_before_is_that_of_the_start(house: Path) -> None:
    (house / "late.py").write_text("WORDS = 'of a version of later'\n")
    shutil.rmtree(house / "inner")
    assert importlib.import_module(f"{PACKAGE}.late").WORDS == "of the start"
    assert importlib.import_module(f"{PACKAGE}.inner").WORDS == "deep"


def test_that_files_have_changed_is_said_once_in_the_log(house: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    assert not files.look() and not files.has_changed()
    os.utime(house / "late.py", (1, 1))
    assert files.look() and files.look() and files.has_changed()
    assert [record.name for record in caplog.records] == ["games.ops.at_start.files"]


def test_templates_are_found_by_the_houses_loader(house: Path) -> None:
    (loader,) = engines["django"].engine.template_loaders[0].loaders
    loader.get_dirs = lambda: [house / "templates"]
    try:
        (house / "templates" / "page.html").write_text("of a version of later")
        (house / "templates" / "new.html").write_text("new")
        assert loader.get_template("page.html").source == "of the start"
        with pytest.raises(TemplateDoesNotExist):
            loader.get_template("new.html")
    finally:
        del loader.get_dirs


@pytest.mark.django_db
def test_the_doctor_and_the_staffs_pages_say_that_the_house_should_start_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    root, guest = Client(), Client()
    root.force_login(User.objects.create_superuser("root"))
    words = str(files.CHANGED)
    for has_changed in (False, True):
        monkeypatch.setattr(files, "has_changed", lambda has_changed=has_changed: has_changed)
        found = [each for each in checks.files_of_start() if each.state == "look"]
        assert len(found) == has_changed
        for path in (reverse("admin:index"), reverse("home")):
            assert (words in root.get(path).content.decode().replace("&#x27;", "'")) == has_changed
        assert words not in guest.get(reverse("home")).content.decode().replace("&#x27;", "'")


# A whole house


class Clone(Server):
    """A house whose sources are a copy, to be changed under it."""

    def __init__(self, folder: Path) -> None:
        (folder / "data").mkdir()
        super().__init__(folder / "data", DJANGO_SETTINGS_MODULE="games.settings")
        self.sources = folder / "clone"
        for path in tracked():
            (self.sources / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, self.sources / path)

    def put_new_version(self) -> None:
        """Change every file that a process reads after its start, so that one of the old version fails with it."""
        for path in (self.sources / "templates").rglob("*.html"):
            path.write_text("{% load of_a_later_version %}" + path.read_text())
        for path in self.sources.glob("*/static/**/*.css"):
            path.write_text(path.read_text() + ":root { --later: 1 }\n")
        for path in self.sources.glob("games/*/static/**/*.js"):
            path.unlink()
        for folder in ("api", "admin", "web"):
            for path in (self.sources / "games" / folder).rglob("*.py"):
                path.write_text(path.read_text() + "\nimport sys\nassert 'games.asgi' not in sys.modules, __name__\n")

    def asked(self, path: str, language: str = "en") -> tuple[int, str]:
        """Return status and text of a page's or a file's answer; one that hangs fails."""
        headers = {"Accept-Language": language, "Host": f"127.0.0.1:{self.port}"}
        try:
            with urllib.request.urlopen(urllib.request.Request(self.url + path, headers=headers), timeout=30) as answer:
                return answer.status, answer.read().decode(errors="replace")
        except HTTPError as error:
            return error.code, error.read().decode(errors="replace")


@pytest.mark.day(parts=17, turn=9)
@pytest.mark.server
@pytest.mark.timeout(300)
def test_pages_and_files_of_a_running_house_are_those_of_its_start(tmp_path: Path) -> None:
    house = Clone(tmp_path)
    house.manage("prepare")
    house.start()
    try:
        _status, home = house.asked("/")
        named = re.findall(r'(?:href|src)="(/static/[^"#]+)', home)
        before = {path: house.asked(path) for path in named}
        assert len(before) > 4 and {status for status, _text in before.values()} == {200}
        house.put_new_version()
        house.manage("prepare")
        assert {path: house.asked(path) for path in named} == before
        for path in (
            "/rules/",
            "/rules/chicago/",
            "/dice/",
            "/me/",
            "/house-rules/",
            "/admin/login/",
            "/api/v1/schema/",
        ):
            assert house.asked(path)[0] == 200, path
        assert "Würfel" in house.asked("/dice/", "de")[1]
        assert house.asked("/static/games/nothing.css")[0] == 404
        # Somebody tidies up too early.
        (folder,) = {path.parent for path in house.data.glob("static-files/*/.held")}
        for path in named:
            for each in folder.glob(path.removeprefix("/static/") + "*"):
                each.unlink()
        assert {path for path in named if house.asked(path)[0] != 404} == set()
        assert "Traceback" not in house.output()
    finally:
        house.stop()
    house.manage("prepare")
    assert len([each for each in house.data.glob("static-files/*") if each.is_dir()]) == 1

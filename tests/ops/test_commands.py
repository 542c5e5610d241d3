"""The commands of operations: from a fresh clone to an open house, and back."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polib
import pytest
import segno
from django.conf import settings
from django.core.management import CommandError, call_command

from games.management import lan, locks, static_files
from games.management.translations import catalogs, extraction
from games.ops import environment
from games.ops.static import folders
from tests.server import ROOT, free_port


def said(command: str, *args: str) -> str:
    """Run a command here and return what it printed."""
    out = StringIO()
    call_command(command, *args, stdout=out)
    return out.getvalue()


# Addresses


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen()
        yield sock.getsockname()[1]


def test_a_taken_port_gets_a_message_with_a_port_that_is_free(taken_port: int) -> None:
    with pytest.raises(CommandError, match=f"Port {taken_port} is taken") as refusal:
        lan.check_port("127.0.0.1", taken_port)
    other = re.search(r"PORT=(\d+) make play", str(refusal.value))
    assert other is not None
    lan.check_port("127.0.0.1", int(other.group(1)))


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_number_that_is_no_port_gets_a_message(port: int) -> None:
    with pytest.raises(CommandError, match="is no port"):
        lan.check_port("127.0.0.1", port)


def test_an_address_of_another_computer_gets_a_message() -> None:
    with pytest.raises(CommandError, match="can't listen at"):
        lan.check_port("192.0.2.77", free_port())


def test_phones_come_before_this_computer_in_the_list_of_addresses() -> None:
    urls = lan.addresses("0.0.0.0", 8000)
    assert urls[-1] == "http://localhost:8000"
    assert not any("127.0.0.1" in url for url in urls)
    assert lan.addresses("::1", 8000) == ["http://[::1]:8000"]
    assert lan.addresses("192.168.1.5", 80) == ["http://192.168.1.5:80"]


def test_the_qr_code_in_the_terminal_is_the_one_of_the_address() -> None:
    lines = lan.qr_text("http://192.168.1.5:8000").split("\n")
    blocks = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in lines]
    rows = [[c in upper for c in line] for line in blocks for upper in ("▀█", "▄█")]
    wanted = segno.make("http://192.168.1.5:8000", error="m", micro=False).matrix_iter(border=2)
    assert rows[: len(rows[0])] == [[bool(dot) for dot in row] for row in wanted]


@pytest.mark.parametrize(
    ("encoding", "is_windows", "has_colour", "shows"),
    [
        ("utf-8", False, False, True),
        ("cp1252", False, False, False),
        ("ascii", False, True, False),
        ("", False, True, False),
        ("utf-8", True, True, True),
        ("utf-8", True, False, False),
    ],
)
def test_blocks_are_shown_only_by_a_console_that_has_them(
    encoding: str, is_windows: bool, has_colour: bool, shows: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lan.calls, "IS_WINDOWS", is_windows)
    monkeypatch.setattr(lan, "supports_color", lambda: has_colour)
    assert lan.shows_blocks(SimpleNamespace(encoding=encoding)) is shows


def test_the_page_with_the_qr_code_is_in_the_data_folder_and_a_full_disk_is_no_fault(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path / "Jörg & Söhne #1"
    settings.DATA_DIR.mkdir()
    page = lan.write_qr_page("http://192.168.1.5:8000/?a=1&b=<2>")
    (file,) = settings.DATA_DIR.iterdir()
    assert page == file.as_uri() and file.stat().st_mode & 0o077 == 0
    text = file.read_text(encoding="utf-8")
    assert "<svg" in text and "?a=1&amp;b=&lt;2&gt;" in text

    def full(*_: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr(lan, "write_whole", full)
    assert lan.write_qr_page("http://192.168.1.5:8000") == ""


def test_the_browser_opens_once_the_house_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(lan.webbrowser, "open", opened.append)
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        waiting = lan.open_browser("http://192.168.1.5:8000/", "127.0.0.1", sock.getsockname()[1])
        assert opened == []
        sock.listen()
        waiting.join(30)
    assert opened == ["http://192.168.1.5:8000/"]


@pytest.mark.parametrize(
    ("system", "environment", "has"),
    [
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {"DISPLAY": ":10", "SSH_CONNECTION": "192.168.1.9"}, False),
        ("linux", {}, False),
        ("darwin", {}, True),
        ("darwin", {"SSH_CONNECTION": "192.168.1.9"}, False),
    ],
)
def test_a_browser_opens_on_a_desktop_alone(
    system: str, environment: dict[str, str], has: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(lan.calls.sys, "platform", system)
    assert lan.calls.has_desktop() is has


# Translations


def test_every_catalog_compiles_without_gettext(tmp_path: Path) -> None:
    for number, path in enumerate(catalogs.catalog_paths()):
        target = tmp_path / f"{number}.mo"
        polib.pofile(str(path)).save_as_mofile(str(target))
        assert "charset=UTF-8" in polib.mofile(str(target)).metadata["Content-Type"]


@pytest.mark.parametrize(
    ("msgid", "msgstr", "fault"),
    [
        ("Hello", "Hallo", None),
        ("Hello", "", "not translated"),
        ("%(name)s throws", "%(name)s wirft", None),
        ("%(name)s throws", "%(nmae)s wirft", "other placeholders"),
        ("{value} mats", "Filze", "other placeholders"),
        ("<b>Now</b>", "<b>Jetzt", "other placeholders"),
    ],
)
def test_a_translation_keeps_its_placeholders(msgid: str, msgstr: str, fault: str | None) -> None:
    assert catalogs.fault_of(polib.POEntry(msgid=msgid, msgstr=msgstr)) == fault


def test_a_fuzzy_translation_is_a_fault() -> None:
    entry = polib.POEntry(msgid="Hello", msgstr="Hallo", flags=["fuzzy"])
    assert catalogs.fault_of(entry) == "fuzzy"


def test_a_plural_keeps_its_number_and_the_singular_may_drop_it() -> None:
    entry = polib.POEntry(
        msgid="%(n)s mat",
        msgid_plural="%(n)s mats",
        msgstr_plural={0: "ein Filz", 1: "%(n)s Filze"},
    )
    assert catalogs.fault_of(entry) is None
    entry.msgstr_plural[1] = "viele Filze"
    assert catalogs.fault_of(entry) == "other placeholders"


@pytest.mark.day(parts=5, turn=3)
def test_marked_texts_of_rules_pages_and_scripts_are_all_collected() -> None:
    if not extraction.is_possible():
        assert os.environ.get("REQUIRE_ALL") != "1", "GNU gettext is required and missing"
        pytest.skip("GNU gettext is missing")
    with extraction.merged_catalogs() as merged:
        ids = {
            path.relative_to(settings.BASE_DIR).as_posix(): {e.msgid for e in polib.pofile(str(po))}
            for path, po in merged.items()
        }
    assert "Beer mats" in ids["chicago/locale/de/LC_MESSAGES/django.po"]
    assert "It is not your turn." in ids["games/locale/nb/LC_MESSAGES/django.po"]
    assert any("{value}" in text for text in ids["chicago/locale/de/LC_MESSAGES/django.po"])
    assert ids["chicago/locale/de/LC_MESSAGES/djangojs.po"]


# Static files


def test_static_files_are_collected_again_only_when_one_has_changed(settings: Any, tmp_path: Path) -> None:
    extra = tmp_path / "extra"
    extra.mkdir()
    (extra / "one.css").write_text("a {}")
    before_all, settings.DATA_DIR = settings.STATIC_ROOT, tmp_path
    settings.STATICFILES_DIRS = [str(extra)]
    from django.contrib.staticfiles.finders import get_finder

    get_finder.cache_clear()
    try:
        assert static_files.collect_changed()
        assert not static_files.collect_changed()
        before = folders.current()
        folders.hold()
        (extra / "one.css").write_text("b { color: red }")
        assert static_files.collect_changed()
        assert (folders.current() / "one.css").read_text() == "b { color: red }"
        # Whoever serves from the folder of before goes on with it; one that nobody holds goes.
        between = folders.current()
        (extra / "one.css").unlink()
        assert static_files.collect_changed()
        former = tmp_path / "static"
        former.mkdir()
        static_files.delete_former()
        assert (before / "one.css").read_text() == "a {}"
        assert former.exists() and not between.exists()
        # That of 1.0.0, which holds none, goes a day after the upgrade.
        os.utime(folders.pointer(), (1, 1))
        static_files.delete_former()
        assert not former.exists()
    finally:
        static_files.use(before_all)
        get_finder.cache_clear()


def test_a_new_version_keeps_the_modules_of_the_one_before_for_pages_that_are_open(tmp_path: Path) -> None:
    """And those of no version before that: they would become more with each."""
    former, new = tmp_path / "former", tmp_path / "new"
    (former / "games").mkdir(parents=True)
    new.mkdir()
    for name in ("x.older.js", "x.old.js", "x.old.js.gz", "a.old.css"):
        (former / "games" / name).write_text(name)
    paths = {"games/x.js": "games/x.old.js", "games/a.css": "games/a.old.css", "admin/y.js": "admin/y.old.js"}
    (former / "staticfiles.json").write_text(json.dumps({"paths": paths}))
    static_files._bring_former_modules(former, new)
    assert sorted(file.name for file in new.rglob("*.*")) == ["x.old.js", "x.old.js.gz"]
    static_files._bring_former_modules(tmp_path / "none", new)


# A real evening


def start_playing(data: Path, port: int) -> subprocess.Popen[str]:
    """Run `manage.py play` as a person would, on this machine only."""
    environment = {
        **{k: v for k, v in os.environ.items() if k not in ("PUBLIC_URL", "SECRET_KEY")},
        "DJANGO_SETTINGS_MODULE": "games.settings",
        "STAMMTISCH_DATA": str(data),
        "HOST": "127.0.0.1",
        "PORT": str(port),
    }
    return subprocess.Popen(
        [sys.executable, "manage.py", "play"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def wait_for(port: int, process: subprocess.Popen[str]) -> None:
    """Wait until the house answers."""
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    process.kill()
    raise AssertionError(process.communicate()[0])


@pytest.mark.day(parts=17, turn=4)
@pytest.mark.server
def test_play_opens_the_house_and_ctrl_c_closes_it_twice_in_a_row(tmp_path: Path) -> None:
    printed = []
    for stop in (signal.SIGINT, signal.SIGTERM):
        port = free_port()
        process = start_playing(tmp_path, port)
        wait_for(port, process)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as page:
            assert page.status == 200
        process.send_signal(stop)
        printed.append(process.communicate(timeout=30)[0])
        assert process.returncode == 0, printed[-1]
        assert f"http://127.0.0.1:{port}" in printed[-1]
        assert "Traceback" not in printed[-1]
        assert not re.search(r"^\d{4}-\d\d-\d\d |component=", printed[-1], re.M), "sentences, and no line of a log"
    assert "password" in printed[0]
    assert "password" not in printed[1]
    steps = re.findall(r"^Preparing .+…$", printed[0], re.M)
    assert re.search(r"database: \d+ steps.+\n.+for the browsers", "\n".join(steps))
    assert printed[0].index(steps[0]) < printed[0].index("Stammtisch is open")
    assert "Preparing" not in printed[1]
    codes = [re.search(r"room code (\w{5})", text) for text in printed]
    assert codes[0] and codes[1] and codes[0].group(1) == codes[1].group(1)
    assert oct((tmp_path / "secret_key").stat().st_mode)[-3:] == "600"


@pytest.mark.day(parts=5, turn=4)
@pytest.mark.server
def test_play_at_a_taken_port_says_so_and_touches_nothing(tmp_path: Path, taken_port: int) -> None:
    process = start_playing(tmp_path, taken_port)
    printed = process.communicate(timeout=60)[0]
    assert process.returncode == 1
    assert f"Port {taken_port} is taken" in printed
    assert "Traceback" not in printed
    assert not (tmp_path / "stammtisch.sqlite3").exists()


@pytest.mark.day(parts=17, turn=9)
@pytest.mark.server
def test_the_clock_runs_alone_and_stops_when_told(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "games.settings",
        "STAMMTISCH_DATA": str(tmp_path),
        "CLOCK": "off",
    }
    manage = [sys.executable, "manage.py"]
    subprocess.run([*manage, "migrate", "-v", "0"], cwd=ROOT, env=environment, check=True)
    process = subprocess.Popen([*manage, "run_clock"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "The clock is running.\n"
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=30)[0] == "The clock has stopped.\n"
    assert process.returncode == 0


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.ENOSPC])
@pytest.mark.parametrize("command", ["play", "prepare"])
def test_a_data_folder_in_which_nothing_can_be_written_is_told_with_what_mends_it(
    settings, tmp_path, monkeypatch, command, number
):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(lan, "check_port", lambda *_: None)
    monkeypatch.setattr(locks, "is_serving", lambda: False)
    real = os.open

    def refuse(path, flags, *args, **options):
        if str(path).startswith(str(tmp_path)) and flags & os.O_CREAT:
            raise OSError(number, os.strerror(number))
        return real(path, flags, *args, **options)

    monkeypatch.setattr(locks.os, "open", refuse)
    with pytest.raises(CommandError, match="STAMMTISCH_DATA") as told:
        call_command(command)
    assert str(tmp_path) in str(told.value) and os.strerror(number) in str(told.value)


def test_a_new_folder_in_which_no_key_can_be_made_is_told_with_what_mends_it(tmp_path, monkeypatch):
    def refuse(*_args, **_options):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(environment.os, "open", refuse)
    with pytest.raises(environment.Unusable, match=r"Read-only.*write in .*STAMMTISCH_DATA"):
        environment.kept_secret(tmp_path)

"""docs/operations.md to the letter: each block of its shell is run in a fresh folder, or says here why not.

Without network: what the house depends on is taken from where the tests run. Free ports stand for the page's 8000.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.architecture.sources import tracked
from tests.server import ROOT, free_port

PAGE = "docs/operations.md"
SAFE_PLACE = "/safe/place"
WHEEL, TLS, UVICORN = "python3 -m venv stammtisch", "export BEHIND_TLS", "uvicorn"
BACKUP, CHECK, RESTORE, UPGRADE = "backup", "check_backup", "restore", "upgrade"
RUN = {
    "python3 -m venv stammtisch\n": WHEEL,
    "export BEHIND_TLS=1 ": TLS,
    ".venv/bin/python manage.py backup ": BACKUP,
    ".venv/bin/python manage.py check_backup ": CHECK,
    ".venv/bin/python manage.py restore ": RESTORE,
    ".venv/bin/uvicorn ": UVICORN,
    "stammtisch/bin/stammtisch backup ": UPGRADE,
}
"""First words of a block of shell → its name in the tests below."""
NOT_RUN = {
    "python3 -m venv /srv/stammtisch\n": "changes the machine, as root; the same installation is run from the wheel,"
    " and the unit is checked by test_the_units_pass_systemds_own_check",
    "systemd-run --pty ": "needs systemd as root; test_commands_beside_the_service_are_of_its_user_and_folder reads it",
    "mkdir -p ~/.config/systemd/user\n": "changes the user's services; the unit is checked by"
    " test_the_units_pass_systemds_own_check",
    "DATABASE_URL=postgres://… ": "needs PostgreSQL; the same move is made by"
    " test_a_house_moves_to_postgresql_and_back_and_every_row_is_the_same",
    "~/.local/bin/stammtisch backup ": "the command is run from the sources by the block above",
    "make deb\n": "needs a network and root; tests/ops/ways_in.sh builds the package, and installs and removes it in a"
    " bare Debian",
    "make image\n": "needs a container engine; the same steps are run by"
    " test_the_containers_steps_open_a_house_as_an_unprivileged_user",
    "sh deploy/secrets.sh\n": "needs a container engine, a name and a certificate; the first line is run by"
    " test_the_secrets_of_compose_are_made_once",
    "stammtisch/bin/pip install stammtisch_pig-*.whl\n": "needs another's wheel; the same is run by"
    " test_a_new_game_is_a_wheel_that_is_installed_beside_the_house_and_played",
    "scrape_configs:\n": "a part of a file of Prometheus'",
    "games.example.org {": "a file of Caddy's",
    "map $http_upgrade ": "a file of nginx's",
    ".venv/bin/pip install -c constraints.txt channels-redis ": "needs a network, PostgreSQL and Redis;"
    " tests/ops/test_serve_scaled.py starts the same",
}
"""First words of a block → why no test runs it."""


def blocks(text: str) -> list[str]:
    """Return the indented blocks of a page, without their indentation; those of lists are prose."""
    found = re.findall(r"(?:(?<=\n\n)|^)((?: {4}[^\n]*\n)+)", text)
    return [re.sub(r"^ {4}", "", block, flags=re.M) for block in found]


def block(name: str) -> str:
    """Return the page's block of a name."""
    (start,) = (start for start, each in RUN.items() if each == name)
    (found,) = (each for each in blocks((ROOT / PAGE).read_text()) if each.startswith(start))
    return found


def test_each_block_is_run_or_says_why_not() -> None:
    found = blocks((ROOT / PAGE).read_text())
    starts = [*RUN, *NOT_RUN]
    assert [[start for start in starts if each.startswith(start)] for each in found] != []
    assert [each for each in found if sum(each.startswith(start) for start in starts) != 1] == []
    assert [start for start in starts if not any(each.startswith(start) for each in found)] == []


def test_blocks_of_a_planted_page_are_found() -> None:
    assert blocks("Text\n\n    one\n      two\n\nand\n\n    three\n\n- a point\n    is prose\n") == [
        "one\n  two\n",
        "three\n",
    ]


class Operator:
    """Somebody at a shell in a fresh folder, without network, with a free port for the page's."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.environment = {
            "HOME": str(folder / "home"),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PYTHONPATH": sysconfig.get_path("purelib"),
            "PIP_NO_INDEX": "1",
            "PIP_NO_DEPS": "1",
            # pip reads it the other way round: 0 is "no isolation".
            "PIP_NO_BUILD_ISOLATION": "0",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
        }
        (folder / "home").mkdir()
        (folder / "safe").mkdir()

    def letters(self, name: str) -> str:
        """Return a block with this folder's port and safe place."""
        return block(name).replace(SAFE_PLACE, str(self.folder / "safe")).replace("8000", str(self.port))

    def run(self, script: str, where: Path) -> str:
        """Run shell to its end and return what it printed."""
        done = subprocess.run(
            ["sh", "-ec", script],
            cwd=where,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @contextmanager
    def serving(self, script: str, where: Path) -> Iterator[None]:
        """Run shell whose last line serves, as long as the house is needed; Ctrl-C ends it."""
        log = self.folder / "log"
        with log.open("wb") as output:
            shell = subprocess.Popen(
                ["sh", "-ec", script],
                cwd=where,
                env=self.environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        try:
            self._wait(shell, log)
            yield
        finally:
            os.killpg(shell.pid, signal.SIGINT)
            shell.wait(timeout=60)

    def version(self) -> str:
        """Return the version of the house that is open."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=20) as answer:
            return str(json.load(answer)["version"])

    def _wait(self, shell: subprocess.Popen[bytes], log: Path) -> None:
        # As the page's proxy would ask.
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/readyz", headers={"X-Forwarded-Proto": "https"})
        until = time.monotonic() + 150
        while True:
            try:
                with urllib.request.urlopen(request, timeout=20) as answer:
                    assert answer.status == 200
                return
            except OSError:
                assert shell.poll() is None and time.monotonic() < until, log.read_text()
                time.sleep(0.3)


@pytest.fixture
def operator(tmp_path: Path) -> Operator:
    return Operator(tmp_path)


@pytest.fixture
def clone(tmp_path: Path, operator: Operator) -> Path:
    """The sources in a fresh folder, with an empty environment."""
    folder = tmp_path / "clone"
    for path in tracked():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, folder / path)
    # Its pip, where one is asked for, is that of the tests.
    operator.run("python3 -m venv --without-pip .venv", folder)
    return folder


@pytest.mark.day(parts=17)
@pytest.mark.long
@pytest.mark.server
@pytest.mark.timeout(600)
def test_a_house_behind_tls_is_started_backed_up_and_restored_by_the_page(operator: Operator, clone: Path) -> None:
    with operator.serving(operator.letters(TLS), clone):
        operator.run(operator.letters(BACKUP), clone)
    (copy,) = (operator.folder / "safe").iterdir()
    assert copy.stat().st_mode & 0o077 == 0
    assert "is whole" in operator.run(operator.letters(CHECK), clone)
    operator.run(operator.letters(RESTORE), clone)
    script = Path(clone, ".venv/bin/uvicorn")
    if not script.exists():
        # The environment has the packages of another one, and so none of their programs.
        script.write_text(f"#!{clone}/.venv/bin/python\nimport uvicorn\nuvicorn.main()\n")
        script.chmod(0o755)
    with operator.serving(operator.letters(UVICORN), clone):
        pass


@pytest.mark.day(parts=17, turn=5)
@pytest.mark.long
@pytest.mark.server
@pytest.mark.timeout(600)
def test_a_house_is_installed_and_upgraded_from_the_wheel_by_the_page(operator: Operator, clone: Path) -> None:
    pub, data = operator.folder / "pub", operator.folder / "home/.local/share/stammtisch"
    assert "stammtisch-" in operator.run("make wheel", clone)
    shutil.copytree(clone / "dist", pub)
    with operator.serving(operator.letters(WHEEL), pub):
        assert (data / "stammtisch.sqlite3").is_file()
    operator.environment["STAMMTISCH_VERSION"] = "99.0.0"
    operator.run("make wheel", clone)
    shutil.copytree(clone / "dist", pub / "new")
    assert len([*pub.glob("**/stammtisch-*.whl")]) == 2
    with operator.serving(operator.letters(UPGRADE), pub):
        assert operator.version() == "99.0.0"
    assert (pub / "before.backup").is_file()

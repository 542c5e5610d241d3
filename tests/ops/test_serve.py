"""Starting and closing: signals, requests in flight, several processes at one port."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.core.management import CommandError

from games.management import lan
from games.management.processes import workers
from tests.conftest import require
from tests.server import ROOT, Server, free_port, new_database

pytestmark = pytest.mark.timeout(240)
PATIENCE = 90


class House:
    """`manage.py serve`, started as a background job of a shell: with SIGINT ignored."""

    def __init__(self, data: Path, **environment: str) -> None:
        self.port, self.data = free_port(), data
        self.url = f"http://127.0.0.1:{self.port}"
        kept = {k: v for k, v in os.environ.items() if k not in ("SECRET_KEY", "PUBLIC_URL")}
        self.environment = {
            **kept,
            "DJANGO_SETTINGS_MODULE": "tests.serving",
            "STAMMTISCH_DATA": str(data),
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            **environment,
        }
        new_database(data, self.environment, self.manage)
        self.log = (data / "house.log").open("ab")
        self.errors = (data / "house.err").open("ab")
        ignored = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve"],
                cwd=ROOT,
                env=self.environment,
                stdout=self.log,
                stderr=self.errors,
            )
        finally:
            signal.signal(signal.SIGINT, ignored)

    def manage(self, *args: str) -> str:
        command = [sys.executable, "manage.py", *args]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, check=True, stdout=subprocess.PIPE, text=True)
        return done.stdout

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"{self.url}{path}", timeout=10) as answer:
            return answer.read().decode()

    def wait_until(self, what, *args) -> None:
        """Wait until a question about the house is answered by yes."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.process.poll() is None:
            try:
                if what(*args):
                    return
            except (OSError, ValueError):
                pass
            time.sleep(0.1)
        raise AssertionError(self.printed())

    def is_ready(self) -> bool:
        return json.loads(self.get("/readyz"))["ready"]

    def figures(self, name: str) -> dict[str, float]:
        lines = [line for line in self.get("/metrics").splitlines() if line.startswith(name)]
        return {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in lines}

    def worker_pids(self) -> set[int]:
        """Return the processes that the figures speak of."""
        names = self.figures("stammtisch_worker_memory_bytes{")
        return {int(name.split('pid="')[1].split('"')[0]) for name in names}

    def printed(self) -> str:
        return (self.data / "house.log").read_text(errors="replace") + self.logged()

    def logged(self) -> str:
        return (self.data / "house.err").read_text(errors="replace")

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            self.log.close()
            self.errors.close()


@pytest.mark.server
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_closes_the_house_even_one_that_a_shell_put_in_the_background(
    tmp_path: Path, how: signal.Signals
) -> None:
    house = House(tmp_path)
    try:
        house.wait_until(house.is_ready)
    finally:
        code = house.end(how)
    assert code == 0
    assert "Closed. Everything that was played is kept." in house.printed()
    assert "closed all the same" not in house.printed()


@pytest.mark.day(parts=17)
@pytest.mark.server
def test_a_server_that_closes_lets_requests_end_and_waits_for_nothing_else(tmp_path: Path) -> None:
    """Again and again, with requests in flight: what used to wait for ever now ends by itself."""
    server = Server(tmp_path)
    server.migrate()
    is_over = False
    answers: Counter[str] = Counter()

    def ask() -> None:
        while not is_over:
            try:
                with urllib.request.urlopen(f"{server.url}/", timeout=30) as page:
                    answers["whole" if page.read().rstrip().endswith(b"</html>") else "torn"] += 1
            except urllib.error.HTTPError as error:
                answers[str(error.code)] += 1
            except OSError:
                time.sleep(0.02)

    with ThreadPoolExecutor(4) as pool:
        askers = [pool.submit(ask) for _ in range(4)]
        try:
            for _ in range(5):
                server.start()
                whole = answers["whole"]
                while answers["whole"] < whole + 4:
                    time.sleep(0.01)
                server.stop()
        finally:
            is_over = True
            server.stop(signal.SIGKILL)
        for asker in askers:
            asker.result(timeout=60)
    assert set(answers) <= {"whole", "503"}
    assert "closed all the same" not in server.output()


# Several processes


def test_several_workers_need_postgresql_and_redis(settings) -> None:
    # Other dictionaries: Django's own connections are made by what they hold.
    settings.DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3"}}
    with pytest.raises(CommandError, match=r"WORKERS=2 needs PostgreSQL .* and Redis"):
        workers.check(2, "127.0.0.1", is_shared=True)
    workers.check(1, "::1", is_shared=False)
    settings.DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql"}}
    with pytest.raises(CommandError, match=r"WORKERS=2 needs PostgreSQL .* and Redis"):
        workers.check(2, "127.0.0.1", is_shared=False)
    workers.check(2, "127.0.0.1", is_shared=True)
    with pytest.raises(CommandError, match="at least one"):
        workers.check(0, "127.0.0.1", is_shared=True)
    with pytest.raises(CommandError, match="IPv4"):
        workers.check(2, "::1", is_shared=True)


def test_the_refusal_is_one_line_and_an_exit_code(tmp_path: Path) -> None:
    kept = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
    done = subprocess.run(
        [sys.executable, "manage.py", "serve"],
        cwd=ROOT,
        env={**kept, "STAMMTISCH_DATA": str(tmp_path), "WORKERS": "2"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "WORKERS=2 needs PostgreSQL" in done.stderr


@pytest.fixture
def shared() -> Iterator[dict[str, str]]:
    """A fresh PostgreSQL database, and a Redis."""
    found = {name: os.environ.get(f"{name}_TEST", "") for name in ("DATABASE_URL", "REDIS_URL")}
    require(all(found.values()), "PostgreSQL and Redis (DATABASE_URL_TEST, REDIS_URL_TEST)")
    import psycopg

    name, url = f"serve_{uuid.uuid4().hex[:8]}", found["DATABASE_URL"]
    with psycopg.connect(url, autocommit=True) as line:
        line.execute(f"CREATE DATABASE {name}")
    fresh = urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
    yield {"DATABASE_URL": fresh, "REDIS_URL": found["REDIS_URL"]}
    with psycopg.connect(url, autocommit=True) as line:
        line.execute(f"DROP DATABASE {name} WITH (FORCE)")


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.day(parts=17, turn=5)
@pytest.mark.server
@pytest.mark.scaled
def test_two_workers_share_a_port_a_dead_one_comes_back_and_each_runs_the_clock(
    tmp_path: Path, shared: dict[str, str]
) -> None:
    house = House(tmp_path, WORKERS="2", **shared)
    try:
        house.wait_until(house.is_ready)
        house.wait_until(lambda: len(house.worker_pids()) == 2)
        first = house.worker_pids()
        house.wait_until(lambda: house.figures("stammtisch_clock_held").popitem()[1] == 2)
        for victim in sorted(first):
            os.kill(victim, signal.SIGKILL)
            # Figures of the dead go with them, and each worker runs a clock in the end.
            house.wait_until(lambda dead=victim: dead not in house.worker_pids())
            house.wait_until(lambda: len(house.worker_pids()) == 2)
            house.wait_until(lambda: house.figures("stammtisch_clock_held").popitem()[1] == 2)
            house.wait_until(house.is_ready)
        last = house.worker_pids()
        assert not first & last
    finally:
        code = house.end()
    assert code == 0
    assert not any(map(is_alive, last))
    assert house.printed().count("started again") == 2


@pytest.mark.day(parts=17, turn=10)
@pytest.mark.server
@pytest.mark.scaled
def test_workers_end_when_the_process_that_started_them_is_killed(tmp_path: Path, shared: dict[str, str]) -> None:
    house = House(tmp_path, WORKERS="2", **shared)
    try:
        house.wait_until(lambda: len(house.worker_pids()) == 2)
        pids = house.worker_pids()
    finally:
        house.end(signal.SIGKILL)
    until = time.monotonic() + PATIENCE
    while any(map(is_alive, pids)) and time.monotonic() < until:
        time.sleep(0.1)
    assert not any(map(is_alive, pids))


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@pytest.mark.day(parts=17, turn=7)
@pytest.mark.server
@pytest.mark.skipif(not has_ipv6(), reason="this computer has no IPv6")
def test_a_house_without_a_host_is_reached_by_ipv4_and_by_ipv6(tmp_path: Path) -> None:
    house = House(tmp_path, HOST="")
    house.wait_until(house.is_ready)
    by_ipv4, by_ipv6 = (f"http://{host}:{house.port}/" for host in ("127.0.0.1", "[::1]"))
    for url in (by_ipv4, by_ipv6):
        with urllib.request.urlopen(url, timeout=20) as answer:
            assert answer.status == 200
    assert house.end() == 0


@pytest.mark.day(parts=17, turn=8)
@pytest.mark.server
@pytest.mark.scaled
@pytest.mark.skipif(not has_ipv6(), reason="this computer has no IPv6")
def test_several_workers_are_reached_by_ipv6(tmp_path: Path, shared: dict[str, str]) -> None:
    house = House(tmp_path, HOST="", WORKERS="2", **shared)
    house.wait_until(house.is_ready)
    for _ in range(6):
        with urllib.request.urlopen(f"http://[::1]:{house.port}/healthz", timeout=20) as answer:
            assert answer.status == 200
    assert house.end() == 0


@pytest.mark.server
@pytest.mark.skipif(not has_ipv6(), reason="this computer has no IPv6")
def test_a_port_that_another_program_has_by_ipv6_is_taken() -> None:
    port = free_port()
    with socket.socket(socket.AF_INET6) as other:
        other.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        other.bind(("::", port))
        other.listen()
        with pytest.raises(CommandError, match=f"Port {port} is taken"):
            lan.check_port("", port)
    lan.check_port("", port)

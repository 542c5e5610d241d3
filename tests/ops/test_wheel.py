"""The wheel: whole, and enough by itself to open a house in an empty environment; below a path of its host, too."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from games.version import BUILT_ON, RELEASE
from tests.architecture.sources import tracked
from tests.live.client import Client
from tests.live.servers.test_socket_server import OPEN_A_TABLE, chooser, reaches
from tests.server import ROOT, free_port

pytestmark = [pytest.mark.long, pytest.mark.server, pytest.mark.timeout(240)]
SECONDS = 60
PACKAGES = ("games", "chouette", "chicago", "templates")
GUIDE = Path("docs/adding-a-game.md")
OFFLINE = ("-q", "--disable-pip-version-check", "--no-deps", "--no-index")
BUILT = f"{RELEASE}+unknown"
NEXT = f"{RELEASE.rpartition('.')[0]}.{int(RELEASE.rpartition('.')[2]) + 1}"
"""The version of a build from a copy of the sources, without git."""


def run(*command: object, **options: object) -> str:
    """Run a program to its end and return what it printed."""
    done = subprocess.run(
        [str(each) for each in command], capture_output=True, text=True, timeout=120, check=False, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the sources as they are, by what is installed."""
    sources = tmp_path_factory.mktemp("sources")
    for path in tracked():
        if path.parts[0] in PACKAGES or len(path.parts) == 1 or path == GUIDE:
            (sources / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, sources / path)
    run(sys.executable, "-m", "pip", "wheel", *OFFLINE, "--no-build-isolation", "-w", sources / "dist", sources)
    (found,) = (sources / "dist").glob("*.whl")
    return found


def environment(folder: Path, *wheels: Path) -> Path:
    """Make an environment of these wheels, and beside them what the house depends on; return its `stammtisch`."""
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    own = sysconfig.get_path("purelib", "venv", {"base": str(folder)})
    Path(own, "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    run(sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "install", *OFFLINE, *wheels)
    return folder / "bin" / "stammtisch"


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program `stammtisch` of an environment that has the wheel."""
    return environment(tmp_path_factory.mktemp("environment"), wheel)


class House:
    """A house of the installed program, whose home is an empty folder."""

    def __init__(self, program: Path, home: Path, **environment: str) -> None:
        self.program, self.home, self.port = program, home, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.below = environment.get("BASE_PATH", "").rstrip("/")
        own = {"HOME": str(home), "PATH": os.environ["PATH"], "HOST": "127.0.0.1", "PORT": str(self.port)}
        self.environment = {**own, "BOT_DELAY": "0.05", "LOG_FORMAT": "json", "LOG_LEVEL": "INFO", **environment}

    def manage(self, *args: str) -> str:
        return run(self.program, *args, env=self.environment, cwd=self.home)

    def start(self) -> None:
        """Play, and wait until the house is ready."""
        self.log = (self.home / "log").open("ab")
        self.process = subprocess.Popen(
            [self.program, "play"], cwd=self.home, env=self.environment, stdout=self.log, stderr=self.log
        )
        until = time.monotonic() + 90
        while True:
            try:
                self.get("/readyz")
                return
            except OSError:
                assert time.monotonic() < until and self.process.poll() is None, self.printed()
                time.sleep(0.1)

    def get(self, path: str, **headers: str) -> str:
        request = urllib.request.Request(self.url + path, headers=headers)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.read().decode()

    def printed(self) -> str:
        return (self.home / "log").read_text()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(timeout=30) == 0, self.printed()
        self.log.close()


@pytest.fixture
def house(installed: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[House]:
    """An open house; what a test parametrizes is its environment."""
    house = House(installed, tmp_path, **getattr(request, "param", {}))
    house.start()
    yield house
    if house.process.poll() is None:
        house.stop()


def test_the_wheel_has_every_file_of_the_packages_and_the_compiled_translations(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if ".dist-info/" not in name}
        licences = {Path(name).name for name in packed.namelist() if "/licenses/" in name}
    sources = {path.as_posix() for path in tracked() if path.parts[0] in PACKAGES}
    catalogs = {name for name in sources if name.endswith(".po")}
    wanted = {re.sub("^templates/", "games/templates/", name) for name in sources - catalogs}
    wanted.add(f"games/guide/{GUIDE.name}")
    assert wanted - names == set()
    day = f"games/{BUILT_ON}"
    assert day in names
    wanted.add(day)
    assert {Path(name).suffix for name in names - wanted} == {".mo"}
    assert len(names - wanted) == len(catalogs)
    assert licences == {"LICENSE", "OFL.txt", "DejaVu.txt"}
    assert wheel.name == f"stammtisch-{BUILT}-py3-none-any.whl"


def test_each_build_is_installed_over_the_one_before_by_the_documented_command(wheel: Path, tmp_path: Path) -> None:
    """The command as docs/operations.md has it, without a network."""
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "environment")
    python = tmp_path / "environment" / "bin" / "python"
    sources = wheel.parent.parent
    for version in ("0.1.0", f"{RELEASE}.dev703+g3271197aa", RELEASE, f"{NEXT}.dev1+g3271197aa"):
        dist = tmp_path / version
        built = (*OFFLINE, "--no-build-isolation", "-w", dist, sources)
        run(sys.executable, "-m", "pip", "wheel", *built, env={**os.environ, "STAMMTISCH_VERSION": version})
        words = f"{sys.executable} -m pip --python {python} install -U -c constraints.txt {' '.join(OFFLINE)}"
        run("sh", "-c", f"{words} {dist}/stammtisch-*.whl", cwd=sources)
        shown = "from importlib import metadata; print(metadata.version('stammtisch'))"
        assert run(python, "-c", shown) == f"{version}\n"


def test_each_command_of_operators_tells_what_it_does(installed: Path, tmp_path: Path) -> None:
    own = {"env": {"HOME": str(tmp_path)}, "cwd": tmp_path}
    listed = run(installed, "--help", **own)
    assert run(installed, "--version", **own) == f"{BUILT}\n"
    commands = re.findall(r"^  (\w+) +\S", listed, re.M)
    house, files = ["play", "serve", "doctor"], ["backup", "check_backup", "restore"]
    assert commands == [*house, *files, "check", "demo", "admin", "report", "log_level"]
    assert "usage: stammtisch restore" in run(installed, "restore", "--help", **own)


@pytest.mark.day(parts=17, turn=10)
def test_an_installed_house_plays_and_takes_an_older_data_folder_over(house: House) -> None:
    """With pages, games and translations of its own, in the user's data folder."""
    data = house.home / ".local" / "share" / "stammtisch"
    assert (data / "stammtisch.sqlite3").exists()
    assert json.loads(house.get("/healthz")) == {"ok": True, "version": BUILT}
    assert f"Stammtisch {BUILT}" in house.get("/")
    assert "Brettspiel" in (page := house.get("/rules/chouette/", **{"Accept-Language": "de"})) or "Würfel" in page
    evening = json.loads(house.manage("shell", "-v", "0", "-c", OPEN_A_TABLE).splitlines()[-1])

    played = asyncio.run(_moves(house, evening, 6))
    house.stop()
    # A few versions are enough: older ones, step by step, are taken over in tests/ops/test_migrations.py.
    house.manage("migrate", "games", "0051", "-v", "0")
    house.start()
    assert "no fault" in house.manage("check")
    events = house.get(f"/api/tables/{evening['table']}/events/", Cookie=evening["cookies"][0])
    assert json.loads(events)["entries"][-1]["seq"] >= played


async def _moves(house: House, evening: dict[str, Any], entries: int) -> int:
    """Let the people of a table play by its socket until it has so many entries; return how many there are."""
    players = [Client(house.url, evening["table"], cookie, chooser(7)) for cookie in evening["cookies"]]
    async with asyncio.timeout(SECONDS):
        games = [asyncio.create_task(player.play()) for player in players]
        await reaches(players[0], entries)
    for game in games:
        game.cancel()
    assert (players[0].seq or 0) >= entries
    return players[0].seq


@pytest.mark.day(parts=17, turn=4)
def test_a_new_game_is_a_wheel_that_is_installed_beside_the_house_and_played(wheel: Path, tmp_path: Path) -> None:
    """As docs/adding-a-game.md says, with nothing but the two wheels; its tests are green there."""
    home = tmp_path / "home"
    home.mkdir()
    program = environment(tmp_path / "house", wheel)
    own = {"env": {"HOME": str(home), "PATH": os.environ["PATH"]}, "cwd": home}
    assert "Its tests:    python -m pytest stammtisch-duck" in run(program, "new_game", "duck", **own)
    python = program.with_name("python")
    assert "10 passed" in run(python, "-m", "pytest", "-p", "no:django", "stammtisch-duck", **own)
    project = home / "stammtisch-duck"
    run(sys.executable, "-m", "pip", "wheel", *OFFLINE, "--no-build-isolation", "-w", home, project)
    (built,) = home.glob("*.whl")
    shutil.rmtree(project)
    run(sys.executable, "-m", "pip", "--python", python, "install", *OFFLINE, built)
    house = House(program, home)
    house.start()
    try:
        assert "A race to 30." in house.get("/rules/duck/")
        script = OPEN_A_TABLE.replace('"chicago", "bavarian"', '"duck", "short"')
        assert script != OPEN_A_TABLE
        evening = json.loads(house.manage("shell", "-v", "0", "-c", script).splitlines()[-1])
        assert "stammtisch-table" in house.get(f"/table/{evening['table']}/", Cookie=evening["cookies"][0])
        asyncio.run(_moves(house, evening, 12))
        assert "no fault" in house.manage("check")
        findings = json.loads(house.manage("doctor", "--json"))
        assert [each["state"] for each in findings if each["topic"] == "games"] == ["good"]
    finally:
        house.stop()


@pytest.mark.day(parts=17, turn=15)
@pytest.mark.parametrize("house", [{"BASE_PATH": "/games/"}], indirect=True)
def test_a_house_below_a_path_has_its_addresses_cookies_and_redirects_there(house: House) -> None:
    page = house.get("/games/")
    addresses = re.findall(r"\b(?:href|src|action|data-socket|hx-get)=\"(/[^\"]*)", page)
    assert len(addresses) > 8
    assert [each for each in addresses if not each.startswith("/games/")] == []
    style = next(each for each in addresses if each.endswith(".css"))
    assert house.get(style)
    for path in ("/", "/static/games/base.css", "/night/x/"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            house.get(path)
    with urllib.request.urlopen(f"{house.url}/games", timeout=20) as answer:
        assert answer.url == f"{house.url}/games/"
    assert json.loads(house.get("/games/healthz"))["ok"]
    assert f"{house.url}/games" in house.printed()
    evening = json.loads(house.manage("shell", "-v", "0", "-c", OPEN_A_TABLE).splitlines()[-1])
    cookie, table = evening["cookies"][0], evening["table"]
    shown = house.get(f"/games/table/{table}/", Cookie=cookie)
    config = json.loads(re.search(r'<script id="[^"]*config[^"]*" type="application/json">(.*?)</script>', shown)[1])
    assert [each for each in config["urls"].values() if not each.startswith("/games/")] == []
    assert house.get(config["urls"]["events"], Cookie=cookie)
    assert f"{house.url}/games/j/" in house.get(config["urls"]["night"], Cookie=cookie)
    line = f"{house.url.replace('http', 'ws')}{config['urls']['socket']}"
    with connect(line, origin=house.url, additional_headers={"Cookie": cookie}) as socket:
        socket.send(json.dumps({"type": "hello", "protocol": 1, "seq": None}))
        welcome = json.loads(socket.recv(timeout=20))
    assert welcome["table"]["url"] == f"/games/table/{table}/"
    _joins_by_code(house)


def _joins_by_code(house: House) -> None:
    """Join as a browser does: the code, then a nickname; each form's answer leads on below the path."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    address, fields = f"{house.url}/games/join/", [("code", re.search(r"room code (\w{5})", house.printed())[1])]
    for name, value in [*fields, ("nickname", "Kari")]:
        with opener.open(address, timeout=20) as answer:
            token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', answer.read().decode())[1]
        form = f"csrfmiddlewaretoken={token}&{name}={value}".encode()
        headers = {"Origin": house.url}
        with opener.open(urllib.request.Request(address, form, headers), timeout=20) as answer:
            address, page = answer.url, answer.read().decode()
        assert address.startswith(f"{house.url}/games/")
    assert "Kari" in page
    (jar,) = [each.cookiejar for each in opener.handlers if hasattr(each, "cookiejar")]
    assert {each.path for each in jar} == {"/games/"}
    assert {"sessionid", "csrftoken"} <= {each.name for each in jar}

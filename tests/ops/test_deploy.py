"""What the container and the services run: the same steps in a bare folder, without an engine."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import urllib.request
from pathlib import Path

import pytest
import yaml

from games.ops import environment
from tests.architecture.sources import tracked
from tests.conftest import require
from tests.server import ROOT, free_port

SCRIPT = "deploy/container.sh"
NOBODY = 65534
LINE = re.compile(r"^(FROM|WORKDIR|COPY|RUN|USER|ENV|VOLUME|EXPOSE|HEALTHCHECK|CMD) (.+)$", re.M)


def lines() -> list[tuple[str, str]]:
    return LINE.findall((ROOT / "Containerfile").read_text())


def test_the_container_runs_as_nobody_special_with_one_volume_and_a_health_check() -> None:
    found = dict(lines())
    assert found["USER"] == "stammtisch"
    assert found["VOLUME"] == "/data"
    assert "STAMMTISCH_DATA=/data" in found["ENV"]
    assert '"health"' in found["HEALTHCHECK"]
    assert found["CMD"] == '["sh", "/srv/container.sh", "run"]'
    assert ("RUN", f"sh {SCRIPT} build") in lines()
    assert [text for name, text in lines() if name == "FROM" and "/" in text] == []


def test_every_container_has_a_read_only_root_and_names_no_host_of_images() -> None:
    whole = yaml.safe_load((ROOT / "compose.yaml").read_text())
    assert whole.keys() >= {"services", "volumes"}
    own = {name: each for name, each in whole["services"].items() if each["image"] == "stammtisch"}
    assert set(own) == {"house", "server1", "server2"}
    for each in own.values():
        assert each["read_only"] is True
        assert [mount.split(":")[1] for mount in each["volumes"]] == ["/data"]
    assert own["server1"]["volumes"] == own["server2"]["volumes"], "the files of old logs are in one folder"
    assert {name for name, each in whole["services"].items() if "/" in each["image"]} == set()
    large = {name for name, each in whole["services"].items() if each["profiles"] == ["large"]}
    assert large == {"server1", "server2", "database", "redis", "caddy"}
    assert "server1:8000 server2:8000" in (ROOT / "deploy" / "Caddyfile").read_text()


def test_the_image_has_the_tools_of_the_database_that_compose_starts() -> None:
    whole = yaml.safe_load((ROOT / "compose.yaml").read_text())
    version = whole["services"]["database"]["image"].removeprefix("postgres:")
    assert f"postgresql-client-{version} " in " ".join(text for _, text in lines())


def test_no_server_of_compose_starts_without_its_secrets(tmp_path: Path) -> None:
    """Each secret is a file that a variable names, and a missing one is refused before anything else."""
    whole = yaml.safe_load((ROOT / "compose.yaml").read_text())
    for name in ("server1", "server2"):
        given = whole["services"][name]["environment"]
        named = {each.removeprefix("/run/secrets/") for key, each in given.items() if key.endswith("_FILE")}
        assert named == set(whole["services"][name]["secrets"]) == {"secret_key", "database_url"}
        assert not {"SECRET_KEY", "DATABASE_URL"} & given.keys()
        with pytest.raises(environment.Unusable, match=r"SECRET_KEY_FILE is .*, which can't be read"):
            environment.read({"SECRET_KEY_FILE": str(tmp_path / "missing")})
    assert "${SECRET_KEY" not in (ROOT / "compose.yaml").read_text()


def test_the_secrets_of_compose_are_made_once(tmp_path: Path) -> None:
    script, folder = ROOT / "deploy" / "secrets.sh", tmp_path / "secrets"
    kept = []
    for _ in range(2):
        subprocess.run(["sh", str(script)], cwd=tmp_path, check=True)
        kept.append({path.name: path.read_text() for path in folder.iterdir()})
    assert kept[0] == kept[1]
    assert set(kept[0]) == set(yaml.safe_load((ROOT / "compose.yaml").read_text())["secrets"])
    assert kept[0]["database_password"] in kept[0]["database_url"]
    assert len(kept[0]["secret_key"]) == 64 and folder.stat().st_mode & 0o077 == 0
    assert "secrets/" in (ROOT / ".gitignore").read_text().split()
    assert "secrets" in (ROOT / ".containerignore").read_text().split()


@pytest.mark.day(parts=17, turn=14)
@pytest.mark.long
@pytest.mark.server
@pytest.mark.timeout(300)
def test_the_containers_steps_open_a_house_as_an_unprivileged_user(tmp_path: Path) -> None:
    """Without network: what the house depends on is taken from where the tests run."""
    sources, target, data = (tmp_path / name for name in ("sources", "target", "data"))
    ignored = {line for line in (ROOT / ".containerignore").read_text().split() if "*" not in line}
    for path in tracked():
        if path.parts[0] not in ignored:
            (sources / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, sources / path)
    data.mkdir()
    environment = {"PATH": os.environ["PATH"], "TARGET": str(target)}
    environment["PIP_OPTIONS"] = "--no-deps --no-index --no-build-isolation"
    environment["PYTHONPATH"] = sysconfig.get_path("purelib")
    subprocess.run(["sh", SCRIPT, "build"], cwd=sources, env=environment, check=True, timeout=180)
    shutil.copy(sources / SCRIPT, tmp_path / "container.sh")
    shutil.rmtree(sources)
    other: dict[str, int] = {}
    if os.geteuid() == 0 and _is_open_to_all(Path(sys.executable)):
        other = {"user": NOBODY, "group": NOBODY}
        os.chown(data, NOBODY, NOBODY)
        for each in (tmp_path, *tmp_path.parents):
            if each.stat().st_uid == os.geteuid() and each != Path("/"):
                each.chmod(each.stat().st_mode | 0o011)
    port = free_port()
    running = {**environment, "STAMMTISCH_DATA": str(data), "HOST": "127.0.0.1", "PORT": str(port)}
    running |= {"PATH": f"{target}/bin:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}
    step = ["sh", str(tmp_path / "container.sh")]
    log = (tmp_path / "log").open("wb")
    with subprocess.Popen([*step, "run"], cwd="/", env=running, stdout=log, stderr=log, **other) as house:
        try:
            _wait_for(port, house)
            subprocess.run([*step, "health"], env=running, check=True)
        finally:
            house.send_signal(signal.SIGTERM)
            code = house.wait(timeout=30)
    log.close()
    assert code == 0, (tmp_path / "log").read_text()
    assert 'name "admin"' in (tmp_path / "log").read_text()


def _wait_for(port: int, house: subprocess.Popen[bytes]) -> None:
    """Wait until the front page is there."""
    until = time.monotonic() + 200
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=20) as page:
                assert page.status == 200
            return
        except OSError:
            assert house.poll() is None and time.monotonic() < until
            time.sleep(0.5)


def _is_open_to_all(program: Path) -> bool:
    """Tell whether another user may run a program: each folder above it lets everybody through."""
    return all(each.stat().st_mode & 0o001 for each in program.resolve().parents)


def test_commands_beside_the_service_are_of_its_user_and_folder() -> None:
    """Another dynamic user would be given the service's folder, and the running house would lose it."""
    unit = dict(re.findall(r"^(\w+)=(.+)$", (ROOT / "deploy" / "stammtisch.service").read_text(), re.M))
    page = (ROOT / "docs" / "operations.md").read_text()
    commands = re.findall(r"systemd-run (?:[^\n]*\\\n)*[^\n]*", page)
    assert commands
    for command in commands:
        given = dict(re.findall(r"-p (\w+)=(\S+)", command))
        assert given == {name: unit[name] for name in ("DynamicUser", "User", "StateDirectory")}
        assert f"-E {unit['Environment']}" in command


def test_a_house_of_a_user_is_open_without_anybody_logged_in() -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    assert "systemctl --user enable --now stammtisch" in page and "loginctl enable-linger" in page
    assert "WantedBy=default.target" in (ROOT / "deploy" / "stammtisch-user.service").read_text()


@pytest.mark.parametrize("unit", ["stammtisch.service", "stammtisch-user.service"])
def test_the_units_pass_systemds_own_check(unit: str, tmp_path: Path) -> None:
    require(shutil.which("systemd-analyze"), "systemd-analyze")
    # What the units start is not installed here; that a program is missing is no fault of theirs.
    text = re.sub(r"^(Exec\w+=)\S+", r"\1/bin/true", (ROOT / "deploy" / unit).read_text(), flags=re.M)
    (tmp_path / "stammtisch.service").write_text(text)
    scope = ["--user"] if "user" in unit else []
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run(
        ["systemd-analyze", *scope, "verify", str(tmp_path / "stammtisch.service")],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=60,
    )
    if "Failed to initialize manager" in done.stderr:
        pytest.skip("systemd-analyze cannot start here")
    ours = [line for line in done.stderr.splitlines() if "stammtisch" in line]
    assert (done.returncode, ours) == (0, []), done.stderr

"""Every installed distribution is pinned; a service that knows nothing is not believed."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import audit, wheels


def test_every_line_of_the_constraints_is_a_pin():
    pins = audit.pinned(audit.CONSTRAINTS.read_text())
    assert len(pins) > 50
    assert pins["django"].startswith("5.2.")
    for line in ("django", "django>=5", "django==5.2; python_version > '3'", "-r more.txt"):
        with pytest.raises(ValueError, match=r"no pin|names more than a system"):
            audit.pinned(line)
    of_system = "a==1; sys_platform == 'linux'\na==2; sys_platform != 'linux'\n"
    assert audit.pinned(of_system) == {"a": "1" if sys.platform == "linux" else "2"}


def test_what_is_not_pinned_or_another_version_is_named():
    pins = {"django": "5.2.19"}
    assert audit.unpinned({"django": "5.2.19", "setuptools": "1"}, pins) == []
    assert len(audit.unpinned({"django": "5.2.18", "left-pad": "1"}, pins)) == 2


def test_the_libraries_of_the_house_are_pinned_and_installed_as_pinned():
    wanted = ("django", "channels", "daphne", "djangorestframework", "django-allauth", "django-csp")
    found = {name: version for name, version in audit.installed().items() if name in wanted}
    assert set(found) == set(wanted)
    assert audit.unpinned(found, audit.pinned(audit.CONSTRAINTS.read_text())) == []


def test_a_known_vulnerability_fails_the_audit(monkeypatch, capsys):
    monkeypatch.setattr(audit, "offline", list)
    monkeypatch.setattr(audit.sys, "argv", ["audit", "--online"])
    monkeypatch.setattr(audit, "online", lambda folder: ["django 3.0: X-1"])
    assert audit.main() == 1
    assert "django 3.0: X-1" in capsys.readouterr().out
    monkeypatch.setattr(audit, "online", lambda folder: [])
    assert audit.main() == 0
    monkeypatch.setattr(audit, "online", lambda folder: None)
    assert audit.main() == 0
    assert "skipped, no advisory service was reachable" in capsys.readouterr().out


def test_a_service_that_finds_nothing_in_a_bad_release_is_not_asked(monkeypatch, tmp_path):
    asked = []

    def ask(python: Path, service: str, requirements: Path) -> list[str]:
        asked.append((service, requirements.name))
        return ["django 3.0: X-1"] if service == "osv" else []

    monkeypatch.setattr(audit, "ask", ask)
    monkeypatch.setattr(audit.venv, "create", lambda *args, **kwargs: None)
    monkeypatch.setattr(audit.subprocess, "run", lambda *args, **kwargs: None)
    assert audit.online(tmp_path) == ["django 3.0: X-1"]
    assert asked == [
        ("pypi", "known_bad.txt"),
        ("osv", "known_bad.txt"),
        ("osv", "constraints.txt"),
    ]


def test_the_report_of_the_tool_is_read():
    report = {
        "dependencies": [
            {"name": "django", "version": "3.0", "vulns": [{"id": "X-1"}, {"id": "X-2"}]},
            {"name": "channels", "version": "4.3.2", "vulns": []},
            {"name": "left", "skip_reason": "not found"},
        ]
    }
    assert audit.vulnerabilities(report) == ["django 3.0: X-1", "django 3.0: X-2"]


# Wheels


def resolver(monkeypatch, answers):
    """Let the resolver answer: (system, Python) → what it prints, "" for success; the first asks for what has none."""

    def run(command, **_options):
        if "--python-platform" not in command:  # git, which says that something has changed, and pip
            return subprocess.CompletedProcess(command, 1)
        place = command[command.index("--python-platform") + 1], command[command.index("--python-version") + 1]
        text = LACKS if command[-1].endswith("known.in") else answers.get(place, "")
        return subprocess.CompletedProcess(command, 1 if text else 0, "", text)

    monkeypatch.setattr(wheels.subprocess, "run", run)
    monkeypatch.setattr(wheels.venv, "create", lambda *args, **kwargs: None)


LACKS = "error: No solution found when resolving dependencies\n  cause: Because x==1 has no usable wheels and …\n"


def test_a_system_without_a_wheel_fails_and_is_named(monkeypatch, capsys):
    resolver(monkeypatch, {})
    assert wheels.main() == 0
    assert "20 systems and versions were asked for, 0 lack one" in capsys.readouterr().out
    resolver(monkeypatch, {("x86_64-apple-darwin", "3.13"): LACKS})
    assert wheels.main() == 1
    assert "macOS x64, Python 3.13: Because x==1 has no usable wheels" in capsys.readouterr().out


def test_without_a_network_or_with_a_tool_that_refuses_nothing_it_is_skipped(monkeypatch, capsys):
    resolver(monkeypatch, {("x86_64-pc-windows-msvc", "3.11"): "error: Request failed after 3 retries\n"})
    assert wheels.main() == 0
    assert "skipped, no index was reachable (error: Request failed" in capsys.readouterr().out
    monkeypatch.setattr(wheels, "NO_WHEEL", "tomli==2.0.1")
    monkeypatch.setattr(wheels, "resolved", lambda *args: "")
    assert wheels.main() == 0
    assert "skipped" in capsys.readouterr().out

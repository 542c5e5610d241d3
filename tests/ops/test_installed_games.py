"""Games installed beside the house: found by their entry points; the house starts without one that is amiss."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, call_command
from django.utils.translation import override

from games.kernel.contract import CONTRACT_VERSION
from games.management import new_games
from games.ops import installed_games, logs
from games.ops.doctor import checks
from games.ops.installed_games import InstalledGames
from games.plugin import GameConfig
from tests.server import ROOT

HERE = f"-{CONTRACT_VERSION}"


def install(site: Path, game_id: str, *, name: str = "", package: str = "", value: str = "", **spoilt: str) -> None:
    """Put a game with its entry point where packages are; `spoilt` are other texts for its modules."""
    written = new_games.files(game_id) | {f"{game_id}/{module}.py": text for module, text in spoilt.items()}
    package = package or f"stammtisch_{game_id}"
    config = value or f"{game_id}.apps:{game_id.title()}Config"
    entry = f"[{installed_games.GROUP}]\n{name or game_id + HERE} = {config}\n"
    described = f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.1.0\n"
    of_package = {
        f"{package}-0.1.0.dist-info/{one}": text for one, text in (("METADATA", described), ("entry_points.txt", entry))
    }
    for path, text in (written | of_package).items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages that Python imports from; what a test imports of it is forgotten."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "modules", sys.modules.copy())
    return tmp_path


def found(site: Path) -> InstalledGames:
    """Return what a house with its own apps finds in a folder of packages."""
    entries = [entry for each in metadata.distributions(path=[str(site)]) for entry in each.entry_points]
    return installed_games.find(settings.INSTALLED_APPS, entries)


def reasons(site: Path) -> dict[str, str]:
    """Return why games are left out, by their ids."""
    return {each.game_id: str(each.reason) for each in found(site).left_out}


def test_a_game_that_loads_is_found_and_one_of_another_contract_is_never_imported(site: Path) -> None:
    install(site, "duck")
    install(site, "goose", name=f"goose-{CONTRACT_VERSION - 1}", apps="raise SystemExit('imported')")
    install(site, "swan", name=f"swan-{CONTRACT_VERSION + 1}", apps="raise SystemExit('imported')")
    assert found(site).apps == ("duck.apps.DuckConfig",)
    said = reasons(site)
    assert set(said) == {"goose", "swan"}
    assert said["goose"].startswith(f"goose was written for contract {CONTRACT_VERSION - 1}, this house has contract")
    assert said["swan"].endswith("bring the house up to date.")
    assert not {"goose", "swan"} & set(sys.modules)


def test_the_house_itself_has_the_games_of_its_own_environment_and_no_others() -> None:
    assert installed_games.find(settings.INSTALLED_APPS, []) == InstalledGames((), ())


@pytest.mark.parametrize(
    ("spoilt", "why"),
    [
        ({"apps": "import no_such_module"}, "ModuleNotFoundError: No module named 'no_such_module'"),
        ({"apps": "def"}, "SyntaxError"),
        ({"apps": "raise SystemExit(3)"}, "SystemExit: 3"),
        ({"apps": "DuckConfig = 3"}, "issubclass"),
        ({"apps": "from django.apps import AppConfig as DuckConfig"}, "AppConfig is no GameConfig"),
        ({"apps": ""}, 'does not define a "DuckConfig"'),
        ({"rules/__init__": "import no_such_module"}, "No module named 'no_such_module'"),
        ({"rules/__init__": "rules = None"}, "AttributeError"),
        ({"rules/__init__": ""}, "makes no record `rules`"),
        ({"rules/options": "1 / 0"}, "ZeroDivisionError"),
        (
            {"bots": "from games.kernel.bots import Bots\nbots = Bots(chose=None)"},
            "unexpected keyword argument 'chose'",
        ),
        ({"models": ""}, "a game has no models"),
    ],
    ids=lambda value: " ".join(f"{k}: {v}" for k, v in value.items())[:40] if isinstance(value, dict) else "",
)
def test_a_game_that_cannot_be_imported_is_left_out_with_the_reason(
    site: Path, spoilt: dict[str, str], why: str
) -> None:
    install(site, "duck", **spoilt)
    said = reasons(site)["duck"]
    assert said.startswith("duck (stammtisch_duck 0.1.0) is left out, as it cannot be loaded: ")
    assert why in said
    assert found(site).apps == ()


@pytest.mark.parametrize(
    "value", ["!!", "duck.apps", "duck", "duck.apps:DuckConfig.label", "no_such_package.apps:DuckConfig"]
)
def test_an_entry_point_that_leads_to_no_declaration_is_left_out(site: Path, value: str) -> None:
    install(site, "duck", value=value)
    assert "is left out, as it cannot be loaded" in reasons(site)["duck"]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (f"contract = {CONTRACT_VERSION}", f"contract = {CONTRACT_VERSION + 1}", "written for contract"),
        (f"    contract = {CONTRACT_VERSION}\n", "", "states no contract"),
        ('name = label = "duck"', 'name, label = "duck", "chicago"', "name and label of DuckConfig have to be duck"),
        (
            "    name = label",
            "    def ready(self):\n        1 / 0\n\n    name = label",
            "a game has no models and no `ready`",
        ),
    ],
)
def test_a_declaration_that_django_or_the_house_would_fail_at_is_left_out(
    site: Path, old: str, new: str, why: str
) -> None:
    declaration = new_games.files("duck")["duck/apps.py"]
    assert old in declaration
    install(site, "duck", apps=declaration.replace(old, new))
    assert why in reasons(site)["duck"]


def test_of_two_games_with_one_id_neither_is_guessed_and_the_houses_own_stays(site: Path) -> None:
    install(site, "duck")
    install(site, "duck", package="other_duck")
    install(site, "chicago", package="other_chicago")
    install(site, "admin")
    assert found(site).apps == ()
    said = reasons(site)
    assert "several packages bring a game of this name (other_duck 0.1.0, stammtisch_duck 0.1.0)" in said["duck"]
    assert said["chicago"].startswith("chicago (other_chicago 0.1.0) is left out: the house itself has")
    assert said["admin"].startswith("admin (stammtisch_admin 0.1.0) is left out: the house itself has")


@pytest.mark.parametrize("name", ["duck", "duck-", "duck-four", "Duck-4", "duck 4", "1-4"])
def test_an_entry_point_that_does_not_state_id_and_contract_is_refused_unread(site: Path, name: str) -> None:
    install(site, "duck", name=name, apps="raise SystemExit('imported')")
    assert f"has to state id and contract, such as pig-{CONTRACT_VERSION}" in reasons(site)[name]


def test_no_app_of_the_house_can_be_replaced_by_a_game(site: Path) -> None:
    """Django starts with no two apps of one label: all that the settings name are known without loading them."""
    own = {each.label for each in apps.get_app_configs() if not isinstance(each, GameConfig)}
    assert own <= installed_games.OWN_LABELS | {name.rpartition(".")[2] for name in settings.INSTALLED_APPS}


def test_log_doctor_and_check_game_say_which_is_left_out_and_why(settings: Any, site: Path) -> None:
    install(site, "duck", apps="import no_such_module")
    settings.GAMES_LEFT_OUT = found(site).left_out
    reason = str(settings.GAMES_LEFT_OUT[0].reason)
    assert reason in list(logs.start_warnings())
    told = [each for each in checks.games() if each.state == "wrong"]
    assert [(each.topic, each.text) for each in told] == [("games", reason)]
    assert "duck" in told[0].remedy
    with pytest.raises(CommandError, match="no_such_module"):
        call_command("check_game", "duck")
    with override("de"):
        assert "duck (stammtisch_duck 0.1.0) wird ausgelassen" in str(settings.GAMES_LEFT_OUT[0].reason)


def test_the_doctor_names_the_games_that_are_offered() -> None:
    (finding,) = checks.games()
    assert (finding.state, "Chicago" in finding.text) == ("good", True)


@pytest.mark.day(parts=5, turn=2)
def test_commands_run_with_a_game_beside_the_house_and_without_those_that_are_amiss(tmp_path: Path) -> None:
    site = tmp_path / "site"
    install(site, "duck")
    install(site, "goose", **{"rules/state": "1 / 0"})
    install(site, "swan", name=f"swan-{CONTRACT_VERSION + 1}")
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "DATABASE_URL", "REDIS_URL", "DJANGO_"))
    }
    environment = {**kept, "PYTHONPATH": str(site), "STAMMTISCH_DATA": str(tmp_path / "data"), "LAN_NAME": "off"}

    def manage(*args: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", *args]
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    prepared = manage("migrate", "-v", "0")
    assert prepared.returncode == 0, prepared.stderr
    graded = manage("check_game", "duck").stdout
    assert graded.split()[:2] == ["yes", "playable"], graded
    findings = [each for each in json.loads(manage("doctor", "--json").stdout) if each["topic"] == "games"]
    assert [each["state"] for each in findings] == ["wrong", "wrong", "good"]
    assert ["goose" in each["text"] for each in findings] == [True, False, False]
    assert "Duck" in findings[2]["text"]

"""How much of the processors a container or a service manager leaves to the house is read from its control group."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from games.ops.system import core_share


@pytest.fixture
def groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(core_share, "GROUPS", tmp_path / "groups")
    monkeypatch.setattr(core_share, "OWN", tmp_path / "own")
    return tmp_path


def put(groups: Path, own: str, **files: str) -> None:
    (groups / "own").write_text(own)
    for name, text in files.items():
        path = groups / "groups" / name.replace("__", "/").replace("_in_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize(
    ("text", "share"), [("25000 100000\n", 0.25), ("150000 100000\n", 1.5), ("max 100000\n", math.inf)]
)
def test_the_share_of_a_group_of_version_2(groups: Path, text: str, share: float) -> None:
    put(groups, "0::/house\n", house__cpu_in_max=text)
    assert core_share.core_share() == share


def test_the_share_of_a_group_of_version_1_beside_those_of_version_2(groups: Path) -> None:
    own = "3:cpu,cpuacct:/house\n0::/\n"
    put(groups, own, cpu__house__cpu_in_cfs_quota_us="25000\n", cpu__house__cpu_in_cfs_period_us="100000\n")
    assert core_share.core_share() == 0.25
    put(groups, own, cpu__house__cpu_in_cfs_quota_us="-1\n")
    assert core_share.core_share() == math.inf


@pytest.mark.parametrize("own", ["", "nonsense", "0::/gone\n", "0::/house\n"])
def test_where_nothing_is_told_there_is_no_limit(groups: Path, own: str) -> None:
    put(groups, own, house__cpu_in_max="some words more\n")
    assert core_share.core_share() == math.inf

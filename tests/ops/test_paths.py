"""A data folder may have any name: the house's database is in it, and two houses never share one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from games.ops import environment
from tests.server import Server

NAMES = ["Haus #1", "Haus ?1", "Haus ?a=1", "100%41", "Käse & Brot; 'ø'", "a:b@c", "日本 ☕", "-x [1]"]


@pytest.mark.parametrize("name", NAMES)
def test_the_database_is_in_the_data_folder_whatever_its_name(tmp_path: Path, name: str) -> None:
    found = environment.database("", tmp_path / name)
    assert (found["ENGINE"], Path(found["NAME"])) == (
        "django.db.backends.sqlite3",
        tmp_path / name / "stammtisch.sqlite3",
    )


@pytest.mark.parametrize("name", ["Haus #1", "Haus ?1", "100%41"])
def test_a_database_that_earlier_versions_put_elsewhere_is_told_and_not_left_behind(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    before = Path(str(environment.dj_database_url.parse(f"sqlite:///{folder / 'stammtisch.sqlite3'}")["NAME"]))
    assert before.parent != folder
    before.parent.mkdir(exist_ok=True)
    before.touch()
    with pytest.raises(environment.Unusable) as told:
        environment.database("", folder)
    assert str(before) in str(told.value) and str(folder / "stammtisch.sqlite3") in str(told.value)
    before.rename(folder / "stammtisch.sqlite3")
    environment.database("", folder)
    before.touch()  # another house's, which still runs an earlier version
    environment.database("", folder)


@pytest.mark.parametrize(("path", "sign"), [("/x/Haus #1/a.sqlite3", "%23"), ("/x/Haus ?1/a.sqlite3", "%3F")])
def test_an_address_that_ends_in_the_middle_of_a_path_is_refused_with_what_to_write(path: str, sign: str) -> None:
    with pytest.raises(environment.Unusable, match=sign):
        environment.database(f"sqlite:///{path}", Path("/x"))
    written = path.replace("#", "%23").replace("?", "%3F")
    assert environment.database(f"sqlite:///{written}", Path("/x"))["NAME"] == path
    assert environment.database("sqlite:////x/a.sqlite3?timeout=5", Path("/x"))["NAME"] == "/x/a.sqlite3"


@pytest.mark.server
@pytest.mark.day(parts=5, turn=2)
@pytest.mark.timeout(180)
def test_two_houses_whose_folders_differ_behind_a_sign_have_a_database_each(tmp_path: Path) -> None:
    houses = []
    for name in ("Haus #1 ?ü%41", "Haus #2 ?ü%41"):
        (tmp_path / name).mkdir()
        houses.append(Server(tmp_path / name))
    for server in houses:
        server.manage("migrate", "-v", "0")
        path = server.data / "stammtisch.sqlite3"
        with closing(sqlite3.connect(path)) as database:
            assert database.execute("SELECT count(*) FROM django_migrations").fetchone()[0] > 0
    one = houses[0]
    assert "no fault" in one.manage("check_logs")
    one.manage("backup", str(one.data / "one ?ü.backup"))
    assert "is whole" in one.manage("check_backup", str(one.data / "one ?ü.backup"))
    one.manage("restore", str(one.data / "one ?ü.backup"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Haus #1 ?ü%41", "Haus #2 ?ü%41"]

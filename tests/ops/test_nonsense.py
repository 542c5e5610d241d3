"""Nonsense in a variable: the house says it in a sentence, or the doctor does; never a traceback, never silence."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks

from games.ops import environment, variables
from games.ops.doctor import backups, checks, ground, network
from games.ops.doctor.findings import Finding
from tests.server import ROOT

NONSENSE = {
    "analyser": "perhaps",
    "admin_networks": "the bar",
    "admin_path": "<back room>",
    "backup_key": "short",
    "base_path": "/a b/",
    "clock": "on",
    "compress_logs_days": "-1",
    "database_url": "nonsense",
    "debug": "maybe",
    "email_url": "smtp://host:25x",
    "heavy_seconds": "nan",
    "house_country": "Norway",
    "house_language": "tlh",
    "keep_audit_days": "99999999",
    "old_after_days": "99999999",
    "keep_chat_days": "-1",
    "lan_name": "our pub!",
    "log_format": "jsn",
    "log_level": "LOUD",
    "metrics_allow": "everybody",
    "port": "eighty",
    "proxies": "the proxy",
    "public_url": "http://[pub",
    "redis_url": "nonsense",
    "time_zone": "Mars/Olympus",
    "unused_night_hours": "1e3",
}
"""Variable → a value with which no house opens."""
ANYTHING_GOES = {
    "a name, a word or a list of them": {"house_name", "email_from", "allowed_hosts", "admin_hosts", "metrics_token"},
    "Django's own check tells of it (4_0.E001)": {"csrf_trusted_origins"},
    "a folder: made, or refused where it can't be (test_commands.py)": {"stammtisch_data"},
    "the doctor looks at it": {"host", "backup_folder", "secret_key"},
    "set by other programs": {"prometheus_multiproc_dir", "notify_socket"},
}


def start(**changes: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the house that does nothing, with these variables."""
    kept = {name: value for name, value in os.environ.items() if name.lower() not in NONSENSE}
    return subprocess.run(
        [sys.executable, "-c", "from games import settings"],
        env={**kept, **changes}, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def refusal(name: str, value: str, folder: Path) -> str:
    """Return why the settings refuse a value; "" if they take it."""
    try:
        env = environment.read({name.upper(): value})
        variables.check(env)
        environment.base_path(env.base_path)
        environment.lan_name(env.lan_name)
        environment.backup_key(env.backup_key)
        environment.mail(env.email_url)
        environment.house(env, ["en", "de", "nb"])
    except environment.Unusable as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", sorted(NONSENSE))
def test_nonsense_is_refused_by_the_name_of_its_variable(name: str, tmp_path: Path) -> None:
    assert refusal(name, NONSENSE[name], tmp_path).startswith(name.upper())


@pytest.mark.parametrize("name", [each.name for each in fields(environment.Environment)])
def test_every_variable_refuses_nonsense_or_may_be_anything(name: str, tmp_path: Path) -> None:
    free = {each for names in ANYTHING_GOES.values() for each in names}
    kind = next(str(each.type) for each in fields(environment.Environment) if each.name == name)
    if kind in {"int", "float"}:
        assert refusal(name, "-1", tmp_path) and refusal(name, "many", tmp_path) and refusal(name, "inf", tmp_path)
    elif kind == "bool":
        assert refusal(name, "maybe", tmp_path)
        assert [environment.read({name.upper(): text}) for text in ("1", "off", "TRUE")]
    else:
        assert name in NONSENSE or name in free


@pytest.mark.parametrize("name", ["TIME_ZONE", "DATABASE_URL", "EMAIL_URL"])
def test_a_start_ends_with_one_sentence_and_no_traceback(name: str, tmp_path: Path) -> None:
    done = start(**{name: NONSENSE[name.lower()]}, STAMMTISCH_DATA=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith(name) and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "url",
    [*("mysql://me:s3cret@host/house", "postgres://me:s3cret@host:port/house", "postgres://me:s3cret@host", "s3cret"),
     *("http://s3cret", "postgres://[s3cret/house")],
)  # fmt: skip
def test_an_address_with_a_password_is_refused_without_telling_it(url: str, tmp_path: Path) -> None:
    assert refusal("database_url", url, tmp_path).startswith("DATABASE_URL")
    assert "s3cret" not in refusal("database_url", url, tmp_path)
    assert refusal("redis_url", url, tmp_path).startswith("REDIS_URL")
    assert "s3cret" not in refusal("redis_url", url, tmp_path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("database_url", url) for url in ("postgres://u:p%23w@h:5432/d", "postgresql:///d", "sqlite:////tmp/x.db")),
        *(("redis_url", url) for url in ("redis://h", "rediss://:p@h:1/0", "unix:///run/redis.sock")),
        *(("time_zone", "Europe/Oslo"), ("proxies", "172.18.0.0/16,::1"), ("proxies", ""), ("email_url", "console:")),
        *(("admin_path", "back-room"), ("admin_path", "Hinterzimmer/für/uns"), ("debug", "no"), ("clock", "off")),
        *(("keep_chat_days", "0"), ("log_level", "info"), ("analyser", "off"), ("bot_delay", "0.5")),
    ],
)
def test_what_a_house_can_open_with_is_taken(name: str, value: str, tmp_path: Path) -> None:
    assert refusal(name, value, tmp_path) == ""


def test_what_is_not_installed_is_named_with_what_installs_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(variables, "find_spec", lambda name: None)
    for name, url in (("database_url", "postgres://h/d"), ("redis_url", "redis://h")):
        assert "stammtisch[scaled]" in refusal(name, url, tmp_path)


# The doctor


def wrong_of(found: Iterator[Finding]) -> list[str]:
    """Return the texts of what has to be mended; each says how."""
    bad = [each for each in found if each.state == "wrong"]
    assert all(each.remedy for each in bad)
    return [each.text for each in bad]


@pytest.mark.parametrize(
    "url", ["ftp://games.example.org", "https://games example.org", "games.example.org", "https://me@pub.example"]
)
@pytest.mark.django_db
def test_a_public_address_that_no_browser_opens_is_told(settings: Any, url: str) -> None:
    settings.PUBLIC_URL = url
    assert "games.E6" in [each.id for each in run_checks()]
    assert any("PUBLIC_URL" in text for text in wrong_of(checks.configuration()))
    assert list(network.public_address()) == []


@pytest.mark.django_db
def test_the_doctor_tells_of_a_host_that_is_no_address_and_a_folder_that_is_not_there(
    settings: Any, tmp_path: Path
) -> None:
    settings.HOST, settings.BACKUP_FOLDER = "our-pub.invalid", tmp_path / "stick"
    settings.SECRET_KEY, settings.HOUSE_FIXED = "sechs6", {"country": "XX"}
    assert any("our-pub.invalid" in text for text in wrong_of(ground.listening()))
    assert any("stick" in text for text in wrong_of(backups.last_one()))
    assert any("6 characters" in text for text in wrong_of(ground.secret_key()))
    assert any("XX" in text for text in wrong_of(ground.country()))
    for host in ("our..pub", "999.1.1.1", "http://pub"):
        settings.HOST = host
        assert any(host in text for text in wrong_of(ground.listening()))
    settings.HOST, settings.PORT = "", 70_000
    assert any("70000" in text for text in wrong_of(ground.listening()))


@pytest.mark.parametrize("name", ["ALLOWED_HOSTS", "ADMIN_HOSTS"])
@pytest.mark.django_db
def test_an_address_in_place_of_a_host_name_is_told(settings: Any, name: str) -> None:
    setattr(settings, name, ["http://games.example.org"])
    assert any(name in each.text and each.remedy for each in checks.configuration())


@pytest.mark.django_db
def test_the_doctor_has_nothing_to_say_of_what_is_right(settings: Any, tmp_path: Path) -> None:
    settings.HOST, settings.BACKUP_FOLDER, settings.HOUSE_FIXED = "", tmp_path, {"country": "NO"}
    settings.SECRET_KEY, settings.PUBLIC_URL = "k" * 50, "https://games.example.org:8443"
    assert [text for check in ground.CHECKS for text in wrong_of(check())] == []
    assert "games.E6" not in [each.id for each in run_checks()]


@pytest.mark.django_db
@pytest.mark.parametrize(("kind", "is_told"), [("nfs4", True), ("cifs", True), ("fuse.sshfs", True), ("ext4", False)])
def test_a_database_on_a_network_share_is_told(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, is_told: bool
) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(
        "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
        f"40 22 0:35 / {tmp_path.parent}/our\\040share rw shared:2 - {kind} server:/pub rw\n"
    )
    monkeypatch.setattr(ground, "_MOUNTS", mounts)
    monkeypatch.setattr(ground.connection, "vendor", "sqlite")
    monkeypatch.setitem(ground.connection.settings_dict, "NAME", str(tmp_path.parent / "our share" / "house.sqlite3"))
    assert bool(wrong_of(ground.share())) == is_told


@pytest.mark.django_db
def test_a_check_of_the_doctors_own_that_fails_is_a_finding_with_a_topic_and_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def redis() -> Iterator[Finding]:
        raise ValueError("not prepared for this")

    def folders() -> Iterator[Finding]:
        raise OSError("no disk")

    monkeypatch.setattr(checks, "CHECKS", (redis, folders))
    one, two = checks.examine()
    assert (one.topic, two.topic) == ("Redis", "log files")
    assert one.text == "This could not be looked at: ValueError: not prepared for this" and "report" in one.remedy
    assert two.text == "This could not be looked at: no disk" and two.remedy


def test_every_check_of_the_doctor_has_its_topic() -> None:
    assert {check.__name__ for check in checks.CHECKS} <= checks._TOPICS.keys()

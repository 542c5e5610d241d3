"""docs/api.md, sent line by line, and the example client against a real server."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from games.models import Webhook
from games.services.grades import brought
from games.services.house_rules.cards import card_mark
from tests.api.examples import tournament_of
from tests.api.world import World, make_world, waiting_correction
from tests.chouette.analysis.files import SHORT
from tests.server import ROOT, Server

PAGE = ROOT / "docs" / "api.md"
CLIENT = ROOT / "docs" / "examples" / "leaderboard.py"
HOUSE = "http://localhost:8000"
BLOCKS = re.compile(r"^```(sh|json)\n(.*?)^```$", re.M | re.S)


def requests() -> list[tuple[list[str], Any]]:
    """Return each curl of the page as words, with the JSON that follows it, if one does."""
    found: list[tuple[list[str], Any]] = []
    for kind, text in BLOCKS.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "json":
            found[-1] = (found[-1][0], json.loads(text))
        else:
            lines = text.replace("\\\n", " ").splitlines()
            found += [(line, None) for line in lines if line.startswith("curl ")]
    return found


def variables(world: World) -> dict[str, str]:
    return {
        "HOUSE": HOUSE,
        "TOKEN": world.tokens["host"],
        "NIGHT": world.night.public_id,
        "TABLE": world.playing.public_id,
        "WAITING": world.lobby.public_id,
        "OVER": world.finished.public_id,
        "ENDED": str(world.graded.result.seq),
        "SEASON": world.season.public_id,
        "WEBHOOK": Webhook.objects.create(series=world.date.series, address="https://chat.example.org/in").public_id,
        "KEY": world.date.series.key,
        "DATE": world.date.planned.isoformat(),
        "SHARED": world.share.key,
        "CUP": tournament_of(world).public_id,
        "RULES": world.rules.public_id,
        "RESULT": str(world.finished.results.earliest("pk").pk),
        "CORRECTION": waiting_correction(world.finished),
        "GUEST": str(world.players["nils"].pk),
        "PLAYER": str(world.players["kari"].pk),
        "SEAT": world.lobby.seats.get(index=1).seat_id,
        "MARK": card_mark(world.lobby.preset, world.lobby.options),
        "MATCH": brought.bring(world.players["kari"], "chouette", "final.mat", SHORT.encode()).public_id,
        "F7KQX": str(world.night.code),
    }


def send(line: str, client: Client) -> tuple[str, Any]:
    """Send a curl, which the page lets stand for one with the type of JSON; return its path and answer."""
    words = iter(shlex.split(line)[1:])
    method, body, headers, url = "", None, {}, ""
    for word in words:
        if word == "-X":
            method = next(words)
        elif word == "-d":
            body = next(words)
        elif word == "-H":
            name, _, value = next(words).partition(": ")
            headers[name] = value
        elif word == "-o":
            next(words)
        else:
            url = word
    method, path = method or ("POST" if body else "GET"), url.removeprefix(HOUSE)
    return path, client.generic(method, path, body or "", "application/json", headers=headers)


def alike(told: Any, got: Any, where: str) -> None:
    """Hold what the page tells to what was answered: the same names, the same kinds."""
    if told == "…" or where.endswith((".…", ".stats", ".view", ".about")):
        return
    if told is None or got is None:
        assert told is None or got is None, where
    elif isinstance(told, dict):
        if told:
            assert set(told) == set(got), where
        for name in told:
            alike(told[name], got[name], f"{where}.{name}")
    elif isinstance(told, list):
        assert isinstance(got, list), where
        for one in told[:1]:
            assert got, where
            alike(one, got[0], f"{where}[0]")
    else:
        assert type(told) is type(got), (where, told, got)


@pytest.mark.django_db
def test_every_request_on_the_page_is_answered_as_it_says():
    cache.clear()
    world = make_world()
    client, names = world.client("host"), variables(world)
    for line, told in requests():
        sent = re.sub(r"\$([A-Z]+)|(F7KQX)", lambda m: names[m[1] or m[2]], line)
        path, answer = send(sent, client)
        is_refusal = isinstance(told, dict) and told.get("type") == "error"
        assert (answer.status_code >= 400) == is_refusal, (line, answer.content)
        if told is not None:
            alike(told, answer.json(), path)
        if is_refusal:
            assert told == answer.json()


def test_the_page_shows_every_resource():
    schema = SchemaGenerator().get_schema(request=None, public=True)
    shown = "\n".join(line for line, _ in requests())
    for path in schema["paths"]:
        pattern = re.sub(r"\\{\w+\\}", r"[$\\w.]+", re.escape(path))
        if path != "/api/v1/house-rules/{public_id}/versions/":
            assert re.search(pattern + r"(?=[\"'?\s]|$)", shown, re.M), path
    assert "versions/" in PAGE.read_text(encoding="utf-8")


def test_the_rates_on_the_page_are_those_of_the_settings(settings):
    rates = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    told = re.findall(r"^\| [^|]+ \| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.M)
    # Codes that are tried are counted by who tries, the wrong ones by address and all together.
    scopes = ("anonymous", "asker", "command", "heavy", "export", "code", "code", "code_house")
    assert [f"{n}/min" for n in told] == [rates[scope] for scope in scopes]


SETUP = """
from tests.api.world import make_world
world = make_world()
print(world.tokens["reader"], world.night.public_id)
"""


def run_client(token: str, *args: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "STAMMTISCH_TOKEN": token, "LANG": "en"}
    return subprocess.run(
        [sys.executable, str(CLIENT), *args], env=env, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip


@pytest.mark.day(parts=5, turn=1)
@pytest.mark.server
def test_the_example_client_prints_a_nights_leaderboard(tmp_path: Path):
    assert len(CLIENT.read_text().splitlines()) <= 60
    server = Server(tmp_path)
    server.migrate()
    token, night = server.manage("shell", "-v0", "-c", SETUP).split()[-2:]
    server.start()
    try:
        for args in ((server.url, night), (server.url,)):
            done = run_client(token, *args)
            assert done.returncode == 0, done.stderr
            lines = done.stdout.splitlines()
            assert lines[0].startswith("Thursday, ")
            assert lines[2] == "chicago: Rounds paid"
            assert {line.split()[1] for line in lines[3:5]} == {"Kari", "Nils"}
        refused = run_client("stt_wrong", server.url, night)
        assert refused.returncode == 1
        assert "bad_token" in refused.stderr
    finally:
        server.stop()

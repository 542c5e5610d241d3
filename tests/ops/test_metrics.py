"""What monitors are told, and who else is told nothing."""

import json
import logging
import re
import sys

import pytest
from channels.testing import HttpCommunicator
from prometheus_client import REGISTRY

from games import asgi
from games.models import HouseClock
from games.ops import logs, metrics
from games.server import health
from games.services import processes
from games.version import version

PYTHONS = {"generation", "implementation", "major", "minor", "patchlevel", "version"}
"""Labels of the library's own figures of Python."""


def scope(**headers: str) -> dict:
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"headers": named, "client": ["127.0.0.1", 4711]}


async def asked(path: str) -> dict:
    client = HttpCommunicator(asgi.application, "GET", path, headers=[(b"host", b"else.where")])
    client.scope["client"] = ["127.0.0.1", 4711]
    return await client.get_response(timeout=20)


# Health and readiness


async def test_a_living_process_says_so_whatever_host_it_is_asked_for(settings):
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = ["games.example.org"], True
    answer = await asked("/healthz")
    assert (answer["status"], json.loads(answer["body"])) == (200, {"ok": True, "version": version()})


@pytest.mark.django_db(transaction=True)
async def test_ready_is_who_has_database_migrations_layer_and_clock():
    await HouseClock.objects.all().adelete()
    health._is_migrated.clear()
    answer = await asked("/readyz")
    told = {"database": True, "migrations": True, "pages": True, "layer": True, "clock": False}
    assert (answer["status"], json.loads(answer["body"])) == (503, {"ready": False, **told})
    processes._renew_at = 0.0
    await health.in_database(processes.note_running)
    answer = await asked("/readyz")
    assert (answer["status"], json.loads(answer["body"])["ready"]) == (200, True)


@pytest.mark.django_db(transaction=True)
async def test_a_migration_that_is_missing_is_not_ready(monkeypatch):
    health._is_migrated.clear()
    executor = health.MigrationExecutor
    monkeypatch.setattr(executor, "migration_plan", lambda self, targets: [("one", False)])
    answer = await asked("/readyz")
    assert answer["status"] == 503
    assert json.loads(answer["body"])["database"] is True
    assert json.loads(answer["body"])["migrations"] is False


@pytest.mark.django_db(transaction=True)
async def test_static_files_that_are_not_collected_are_not_ready(monkeypatch):
    health._is_migrated.clear()
    monkeypatch.setattr(health.preparation, "missing_files", lambda: iter(["nothing is collected"]))
    answer = await asked("/readyz")
    assert answer["status"] == 503
    assert json.loads(answer["body"])["migrations"] is True
    assert json.loads(answer["body"])["pages"] is False


async def test_a_database_that_is_away_is_not_ready(monkeypatch):
    def away() -> dict:
        raise health.DatabaseError("away")

    monkeypatch.setattr(health, "_database", away)
    answer = await asked("/readyz")
    assert answer["status"] == 503
    assert json.loads(answer["body"])["database"] is False


async def test_a_layer_that_is_away_is_not_ready(monkeypatch):
    class Away:
        async def send(self, channel: str, message: dict) -> None:
            raise OSError("away")

    monkeypatch.setattr(health.relay, "is_shared", lambda: True)
    monkeypatch.setattr(health, "get_channel_layer", Away)
    monkeypatch.setattr(health, "_database", dict)
    answer = await asked("/readyz")
    assert answer["status"] == 503
    assert json.loads(answer["body"])["layer"] is False


# Who may see the figures


def test_figures_are_for_whoever_asks_directly_from_this_machine(settings):
    settings.METRICS_TOKEN, settings.METRICS_ALLOW = "", ["127.0.0.1"]
    assert health.may_see(scope())
    assert not health.may_see({**scope(), "client": ["192.0.2.7", 4711]})
    assert not health.may_see({**scope(), "client": None})


@pytest.mark.parametrize("header", ["x_forwarded_for", "x_forwarded_proto", "x_real_ip", "forwarded"])
def test_what_a_proxy_passes_on_does_not_come_from_this_machine(settings, header):
    settings.METRICS_TOKEN, settings.METRICS_ALLOW = "", ["127.0.0.1"]
    assert not health.may_see(scope(**{header: "127.0.0.1"}))


def test_with_a_token_only_the_token_counts(settings):
    settings.METRICS_TOKEN = "secret"
    assert not health.may_see(scope())
    assert not health.may_see(scope(authorization="Bearer other"))
    assert health.may_see(scope(authorization="Bearer secret", x_forwarded_for="192.0.2.7"))


def test_where_no_address_is_allowed_nobody_reads_the_figures(settings):
    settings.METRICS_TOKEN, settings.METRICS_ALLOW = "", []
    assert not health.may_see(scope())
    assert not health.may_see({**scope(), "client": ["", 0]})
    assert not health.may_see(scope(authorization="Bearer "))


async def test_others_are_told_nothing(settings):
    settings.METRICS_TOKEN = "secret"
    answer = await asked("/metrics")
    assert (answer["status"], answer["body"]) == (403, b"")


# The figures


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


@pytest.mark.django_db(transaction=True)
async def test_answers_are_counted_by_class_of_status_and_monitors_are_not():
    before = value("stammtisch_http_requests_total", status="4xx")
    assert (await asked("/no/such/page"))["status"] in (400, 404)
    assert value("stammtisch_http_requests_total", status="4xx") == before + 1
    await asked("/healthz")
    assert value("stammtisch_http_requests_total", status="4xx") == before + 1


def test_a_batch_is_counted_once_with_all_its_commands():
    names = ("commands_accepted_total", "batch_commands_count", "batch_commands_sum")
    before = [value(f"stammtisch_{name}") for name in names]
    metrics.committed(9, 0.002)
    for _ in range(7):
        metrics.accepted()
    after = [value(f"stammtisch_{name}") for name in names]
    assert [b - a for a, b in zip(before, after, strict=True)] == [7, 1, 9]


@pytest.mark.django_db(transaction=True)
async def test_the_page_of_figures_names_what_is_to_be_watched(settings):
    settings.METRICS_TOKEN, settings.METRICS_ALLOW = "", ["127.0.0.1"]
    answer = await asked("/metrics")
    assert answer["status"] == 200
    page = answer["body"].decode()
    for name in (
        "commands_accepted_total",
        "commands_refused_total",
        "batch_seconds_bucket",
        "batch_commands_bucket",
        "bot_seconds_bucket",
        "http_requests_total",
        "socket_closes_total",
        "sockets",
        "rooms",
        "clock_held",
        "clock_lag_seconds",
        "worker_memory_bytes",
        "worker_cpu_seconds",
    ):
        assert f"# HELP stammtisch_{name.rsplit('_bucket', 1)[0].removesuffix('_total')}" in page
    assert value("stammtisch_worker_memory_bytes") > 1e6
    assert processes.is_running_here() == bool(value("stammtisch_clock_held"))


@pytest.mark.django_db(transaction=True)
async def test_figures_have_no_names_and_no_addresses(settings, night, guest):
    await health.in_database(guest, "Rumpelstilzchen")
    settings.METRICS_TOKEN, settings.METRICS_ALLOW = "", ["127.0.0.1"]
    page = (await asked("/metrics"))["body"].decode()
    assert "Rumpelstilzchen" not in page and night.name not in page and "127.0.0.1" not in page
    labels = {name for line in page.splitlines() for name in re.findall(r'[{,]([a-z_]+)="', line)}
    assert labels <= {"code", "event", "status", "kind", "by", "task", "le", "pid"} | PYTHONS


# Logs


def logged(message: str, *args: object, **fields: object) -> dict:
    record = logging.makeLogRecord({"msg": message, "args": args, "name": "n", **fields})
    return json.loads(logs.JsonFormatter().format(record))


def test_a_record_is_one_json_object_on_one_line():
    record = logging.makeLogRecord({"msg": "two\nlines %s", "args": (1,), "levelname": "INFO"})
    text = logs.JsonFormatter().format(record)
    assert "\n" not in text
    assert {"time", "level", "logger", "version", "message"} == json.loads(text).keys()
    assert (
        logged("m", table="abc", code="stale", seconds=0.5).items()
        >= {
            "table": "abc",
            "code": "stale",
            "seconds": 0.5,
        }.items()
    )


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Not Found: /tv/abc/SECRET-1_x/", "Not Found: /tv/…/"),
        ("Not Found: /j/abc/SECRET/again/use/", "Not Found: /j/…/again/use/"),
        ("from ['192.168.1.7', 4711]", "from ['…]"),
        ("from 192.168.1.7:4711", "from …"),
        ("from ::1 and fe80::1:2", "from … and …"),
        ("sessionid=abc123; csrftoken=x9", "sessionid=…; csrftoken=…"),
        ("GET /rules/chicago/?code=HANNA1", "GET /rules/chicago/?…"),
        ("12:30:45 table t: 1.5 s", "12:30:45 table t: 1.5 s"),
        ("games::module at 10:15", "games::module at 10:15"),
    ],
)
def test_addresses_tokens_and_keys_are_cut_out(text, cleaned):
    assert logs.clean(text) == cleaned


def test_an_error_keeps_its_class_and_place_and_not_what_it_says():
    try:
        raise ValueError("Key (nickname)=(Hanna) already exists")
    except ValueError:
        told = logged("it failed", exc_info=sys.exc_info())
    assert told["error"] == "builtins.ValueError"
    assert "test_metrics.py" in told["at"][-1]
    assert "Hanna" not in json.dumps(told)
    assert "Hanna" not in str(told)

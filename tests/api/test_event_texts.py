"""The log in words: the API, the replay, the export and the admin have the same lines, in the language asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.utils import translation

from games.models import LogEntry
from games.services.history import exports
from games.services.logs import event_texts
from games.services.tables import log
from tests import seeds
from tests.admin.pages import staff_browser
from tests.api.world import World, make_world
from tests.languages import EVERY

pytestmark = pytest.mark.django_db
BEGINS = {
    "en": "The game begins.",
    "de": "Das Spiel beginnt.",
    "nb": "Spillet begynner.",
    "fr": "La partie commence.",
    "it": "La partita comincia.",
}


def texts(entries: list[dict[str, Any]]) -> list[list[str]]:
    """Return the lines of entries."""
    return [[event.get("text", "") for event in entry["events"]] for entry in entries]


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """A night with a table of Chicago that is over, played with the same dice each time."""
    seeds.fix(monkeypatch, "texts of events")
    return make_world()


@pytest.mark.parametrize("language", EVERY)
def test_the_api_the_replay_the_export_and_the_admin_say_the_same(world: World, language: str) -> None:
    table, reader = world.finished, world.client("reader")
    asked = {"HTTP_ACCEPT_LANGUAGE": language}
    entries = reader.get(f"/api/v1/tables/{table.public_id}/events/", **asked).json()["entries"]
    told = texts(entries)
    assert told[0][0] == BEGINS[language]
    assert sum(map(bool, [line for lines in told for line in lines])) > 10

    frames = reader.get(f"/api/v1/tables/{table.public_id}/replay/", **asked).json()["frames"]
    assert texts(frames) == told[: len(frames)] and frames

    file = reader.get(f"/api/v1/tables/{table.public_id}/files/log.json", **asked)
    assert (
        texts(json.loads(file.content if not file.streaming else b"".join(file.streaming_content))["entries"]) == told
    )
    with translation.override(language):
        assert texts(exports.log_json(table)["entries"]) == told
        names = {seat.index: seat.name for seat in table.seats.all()}
        rows = log.rows(table.pk)
        assert [event_texts.texts(table.game_id, table.options, row.events, names) for row in rows] == told

    page = staff_browser("waiter", ["view_logentry"]).get("/admin/games/logentry/", **asked).content.decode()
    last = LogEntry.objects.filter(table=table).order_by("-seq").first()
    assert last is not None and all(line in page for line in told[last.seq - 1] if line and "'" not in line)


def test_what_a_reader_may_not_read_has_no_text(world: World) -> None:
    hidden = {"type": "hidden"}
    assert event_texts.with_texts("chicago", {}, {"events": [hidden]}, {}) == {"events": [hidden]}

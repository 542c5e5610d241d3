"""Lines of logs stand in words where they are written; a type that another version wrote is shown as its code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from games.models import AuditEntry, NightEvent, SeasonEvent
from games.services.acts import ALL, LOGS, LogLine
from games.services.nights import events as night_events
from games.services.seasons import season_log
from games.web.nights import events
from tests.admin.pages import staff_browser
from tests.architecture.sources import files, text_of, tree_of
from tests.seasons import world
from tests.web.pages import browser_of

ROOT = Path(settings.BASE_DIR)
WRITERS = {"season_log.note": "season", "events.record": "night", "record": "night"}
"""A function that writes a row of a log → the log; the row's type is its second argument."""


def written(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the log and the type of each row that a source writes by its literal type."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (log := WRITERS.get(ast.unparse(node.func))) and len(node.args) > 1:
            for each in ast.walk(node.args[1]):
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    yield log, each.value


def wordless(tree: ast.AST) -> list[tuple[str, str]]:
    """Return the rows of a source that no sentence tells."""
    return [(log, each) for log, each in written(tree) if each not in LOGS[log]]


def test_every_row_that_a_service_writes_to_a_log_has_words() -> None:
    sources = [path for path in files(".py", under="games") if any(f"{name}(" in text_of(path) for name in WRITERS)]
    found = {row for path in sources for row in written(tree_of(path))}
    assert len(found) > 50
    assert [row for path in sources for row in wordless(tree_of(path))] == []


@pytest.mark.parametrize("call", ["season_log.note(season, 'planted', by)", "events.record(night, 'planted')"])
def test_a_planted_row_without_words_is_found(call: str) -> None:
    assert wordless(ast.parse(call)) == [("season" if "season" in call else "night", "planted")]
    assert not wordless(ast.parse("season_log.note(season, 'closed', by)"))


@pytest.mark.django_db
def test_a_row_without_words_is_never_written() -> None:
    host = world.account("Hanna")
    night, season = world.night_of(host, world.FIRST, close=False), world.make(host)
    with pytest.raises(ValueError, match="planted has no words in the log of a season"):
        season_log.note(season, "planted", host)
    with pytest.raises(ValueError, match="planted has no words in the log of a night"):
        night_events.record(night, "planted")
    assert not SeasonEvent.objects.filter(type="planted").exists()
    assert not NightEvent.objects.filter(type="planted").exists()


def test_lines_are_declared_once_and_those_of_acts_are_in_their_log() -> None:
    with pytest.raises(ValueError, match="closed is declared twice"):
        LOGS["season"].add(LogLine("closed", "Shut."))
    for acts in ALL.values():
        for act in acts.values():
            assert all(acts.log is not None and acts.log[line.type] is line for line in act.lines)


@pytest.mark.django_db
def test_a_type_that_another_version_wrote_is_shown_as_its_code() -> None:
    host = world.account("Hanna")
    night, season = world.night_of(host, world.FIRST, close=False), world.make(host)
    SeasonEvent.objects.create(season=season, type="rows_of_2_0", data={"day": "2026-11-28"})
    SeasonEvent.objects.create(season=season, type="night_moved", data={"day": "2026-11-28", "to": "long ago"})
    row = NightEvent.objects.create(night=night, type="rows_of_2_0", data={"name": "Ola", "count": 3})
    NightEvent.objects.create(night=night, type="closed_unused", data={})
    browser = browser_of(host)
    assert host.user is not None
    browser.force_login(host.user)
    for address in (
        reverse("season", args=[season.public_id]),
        reverse("night", args=[night.public_id]),
    ):
        answer = browser.get(address)
        assert answer.status_code == 200, address
        assert "rows_of_2_0" in answer.content.decode(), address
    assert events.sentence(row) == "rows_of_2_0"
    chief = staff_browser("chief", ["view_auditentry", "view_night"])
    AuditEntry.objects.create(act="rows_of_2_0", actor_name="Ola")
    for address in ("admin:games_auditentry_changelist", "admin:games_night_change"):
        args = [night.pk] if "night" in address else []
        assert "rows_of_2_0" in chief.get(reverse(address, args=args)).content.decode(), address
    for path in (f"nights/{night.public_id}/", f"seasons/{season.public_id}/"):
        assert browser.get(f"/api/v1/{path}").status_code == 200, path

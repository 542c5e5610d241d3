"""A step of the database only adds what the last release does not need (docs/releasing.md): each step is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest
from django.core.management.base import CommandError
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState

from games.management import locks, preparation
from games.services import processes
from tests.ops import releases
from tests.ops.migration_steps import names

STATES = (migrations.AlterModelOptions, migrations.AlterModelManagers)
TOUCHES = (
    migrations.RemoveField,
    migrations.RenameField,
    migrations.DeleteModel,
    migrations.RenameModel,
    migrations.AlterModelTable,
    migrations.AddConstraint,
    migrations.AlterUniqueTogether,
    migrations.RemoveIndex,
)
ROWS: dict[str, str] = {}
"""Steps that change rows → why the last release does not mind."""


def released() -> tuple[ProjectState, list[str]]:
    """Return the models of the last release, and the names of the steps since."""
    last = releases.last().last_step
    # One file may stand for the steps of the release.
    had = [name for name in names() if name <= last]
    return MigrationLoader(None).project_state(("games", had[-1])), names()[len(had) :]


def offences(step: migrations.Migration, state: ProjectState, kept: Iterable[str]) -> Iterator[str]:
    """Yield what a step takes from the last release, whose models are `kept`; the state then is that after the step."""
    for operation in step.operations:
        for each in _in_database(operation):
            if _model(each) in kept and (words := _offence(each, state)):
                yield f"{step.name}: {each.describe()}: {words}"
        operation.state_forwards("games", state)
    rows = [each for each in step.operations if isinstance(each, (migrations.RunPython, migrations.RunSQL))]
    if rows and step.name not in ROWS:
        yield f"{step.name} changes rows: ROWS says why the last release does not mind"


def _in_database(operation: Operation) -> Sequence[Operation]:
    is_apart = isinstance(operation, migrations.SeparateDatabaseAndState)
    return operation.database_operations if is_apart else [operation]


def _model(operation: Any) -> str:
    is_models = isinstance(operation, (migrations.CreateModel, migrations.DeleteModel))
    name = operation.name if is_models else getattr(operation, "model_name", getattr(operation, "old_name", ""))
    return str(name or getattr(operation, "name", "")).lower()


def _offence(operation: Any, state: ProjectState) -> str:
    if isinstance(operation, TOUCHES):
        return "takes away, renames or forbids what was allowed"
    if isinstance(operation, migrations.AddField):
        return "" if _may_be_left_out(operation.field) else "has no default in the database (db_default)"
    if isinstance(operation, migrations.AlterField):
        model = state.models["games", operation.model_name.lower()]
        return _narrowed(model, operation.name, operation.field)
    return "" if isinstance(operation, (*STATES, migrations.AddIndex)) else "is not known to this test"


def _may_be_left_out(field: Any) -> bool:
    return not field.unique and (field.null or field.has_db_default() or field.many_to_many)


def _narrowed(model: ModelState, name: str, after: Any) -> str:
    before: Any = model.fields[name]
    lengths = [each.max_length or 10**9 for each in (before, after)]
    is_other = before.get_internal_type() != after.get_internal_type()
    is_stricter = (before.null and not after.null) or (after.unique and not before.unique)
    return "takes less than before" if is_other or is_stricter or lengths[1] < lengths[0] else ""


def test_no_step_since_the_last_release_takes_anything_from_it() -> None:
    state, steps = released()
    kept = {name for app, name in state.models if app == "games"}
    found = [
        each for name in steps for each in offences(MigrationLoader(None).get_migration("games", name), state, kept)
    ]
    assert found == []
    assert set(steps) >= {*ROWS}, "a step of an earlier release is not looked at any more"


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("player", "planted", models.BooleanField(default=False)),
        migrations.AddField("player", "planted", models.CharField(max_length=9, null=True, unique=True)),
        migrations.RemoveField("player", "nickname"),
        migrations.RenameField("player", "nickname", "name"),
        migrations.DeleteModel("ChatMessage"),
        migrations.RenameModel("ChatMessage", "Line"),
        migrations.AlterField("player", "nickname", models.CharField(max_length=3)),
        migrations.AlterField("player", "merged_into", models.BigIntegerField()),
        migrations.AlterModelTable("player", "people"),
        migrations.AddConstraint("player", models.UniqueConstraint(fields=["nickname"], name="one_nickname")),
        migrations.RunSQL("DELETE FROM games_player"),
        migrations.SeparateDatabaseAndState(database_operations=[migrations.RemoveField("player", "nickname")]),
    ],
    ids=lambda operation: type(operation).__name__,
)
def test_a_planted_step_that_takes_something_is_found(operation: Operation) -> None:
    state, _steps = released()
    step = migrations.Migration("0099_planted", "games")
    step.operations = [operation]
    kept = {name for app, name in state.models if app == "games"}
    assert len(list(offences(step, state, kept))) == 1


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("player", "planted", models.BooleanField(db_default=False)),
        migrations.AddField("player", "planted", models.BooleanField(null=True)),
        migrations.CreateModel("Planted", [("id", models.BigAutoField(primary_key=True))]),
        migrations.AlterField("player", "nickname", models.CharField(max_length=300)),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("player", "nickname")]),
    ],
    ids=lambda operation: type(operation).__name__,
)
def test_a_step_that_adds_is_none(operation: Operation) -> None:
    state, _steps = released()
    step = migrations.Migration("0099_planted", "games")
    step.operations = [operation]
    assert list(offences(step, state, {name for app, name in state.models if app == "games"})) == []


@pytest.mark.django_db
@pytest.mark.parametrize("since", ["0064_tournament_rule_set", "0098_of_a_release_between"])
@pytest.mark.parametrize("is_open", [True, False])
def test_an_open_house_that_goes_over_a_release_refuses_a_step_that_takes_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, since: str, is_open: bool
) -> None:
    step = migrations.Migration("0099_planted", "games")
    step.not_needed_since = since
    monkeypatch.setattr(processes, "is_running", lambda: is_open)
    monkeypatch.setattr(locks, "is_serving", lambda: False)
    monkeypatch.setattr(preparation, "_missing_steps", lambda: [step])
    monkeypatch.setattr(preparation.schedule, "before_upgrade", lambda: pytest.fail("goes on"))
    is_refused = is_open and since.startswith("0098")
    with pytest.raises(
        CommandError if is_refused else pytest.fail.Exception, match="close the house" if is_refused else "goes on"
    ):
        preparation.prepare(print)

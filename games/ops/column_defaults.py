"""Columns that databases of unreleased builds lack, or have without a default in the database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import Field
from django.db.models.fields import NOT_PROVIDED


class CompleteColumns(Operation):
    """Give columns, named by model and field, what the steps before give them since they were edited.

    A step that has run does not run again. Where the column is missing it is added; where it has no default in the
    database it gets that of the field; elsewhere nothing is done.
    """

    reduces_to_sql = False
    reversible = True

    def __init__(self, columns: Sequence[tuple[str, str]]) -> None:
        self.columns = columns

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Return name and arguments, as Django writes them into a file."""
        return type(self).__name__, [], {"columns": self.columns}

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """The state has them."""

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Add what is missing."""
        for model_name, name in self.columns:
            model = to_state.apps.get_model(app_label, model_name)
            field = model._meta.get_field(name)
            defaults = _defaults(schema_editor.connection, model._meta.db_table)
            if field.column not in defaults:
                schema_editor.add_field(model, field)
            elif defaults[field.column] is None:
                schema_editor.alter_field(model, without_default(field), field)

    def database_backwards(
        self, app_label: str, schema_editor: Any, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Leave them: the steps before would have made the same."""

    def describe(self) -> str:
        """Return what it does, as `migrate --plan` says it."""
        return f"Complete {len(self.columns)} columns"


def _defaults(connection: Any, table: str) -> dict[str, str | None]:
    """Return the default in the database of each column of a table, None where it has none."""
    with connection.cursor() as cursor:
        return {each.name: each.default for each in connection.introspection.get_table_description(cursor, table)}


def without_default(field: Field[Any, Any]) -> Field[Any, Any]:
    """Return a field of a model as it is without a default in the database."""
    found: Any = field.clone()
    found.db_default = NOT_PROVIDED
    found.set_attributes_from_name(field.name)
    found.model = field.model
    return found  # type: ignore[no-any-return]

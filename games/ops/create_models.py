"""All tables of a new house in one step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.migrations.operations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class CreateModels(Operation):
    """Create many models, which may refer to each other in any order.

    Django renders every related model anew after each single operation, which takes most of the time of a new
    house's first start; here the models are rendered once.
    """

    def __init__(self, models: Sequence[CreateModel]) -> None:
        self.models = models

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Return name and arguments, as Django writes them into a file."""
        return type(self).__name__, [], {"models": self.models}

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Add the models to the state, which is rendered when it is asked for."""
        state.__dict__.pop("apps", None)
        for model in self.models:
            model.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Create the tables."""
        for model in self.models:
            model.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: Any, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Drop the tables."""
        for model in reversed(self.models):
            model.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        """Return what it does, as `migrate --plan` says it."""
        return f"Create {len(self.models)} models"

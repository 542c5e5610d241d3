"""One engine a day by turns; `ALL_DAYS=1` has all of them, `ENGINE` has one."""

from __future__ import annotations

import os

import pytest

from tests.engines.engines import of_day


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the engines of other days."""
    kept = of_day(os.environ.get("ENGINE", ""))
    left = [item for item in items if "engine" in getattr(getattr(item, "callspec", None), "params", {})
            and item.callspec.params["engine"] not in kept]  # fmt: skip
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]

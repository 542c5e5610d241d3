"""One engine a day by turns; `ALL_DAYS=1` has all of them, `ENGINE` has one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from tests.browser.conftest import open_house
from tests.conftest import require
from tests.engines.engines import Engine, of_day
from tests.server import Server, collected_static


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the engines of other days."""
    kept = of_day(os.environ.get("ENGINE", ""))
    left = [item for item in items if "engine" in getattr(getattr(item, "callspec", None), "params", {})
            and item.callspec.params["engine"] not in kept]  # fmt: skip
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]


def require_engine(engine: Engine) -> None:
    """Skip, or fail where everything is required, if the machine lacks an engine."""
    require(not engine.missing(), f"{engine.words} ({', '.join(engine.missing())})")


@pytest.fixture
def house(engine: Engine, tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[Server]:
    """A house of its own for an engine, whose pages may stand in frames; nothing in it fails."""
    require_engine(engine)
    with open_house(tmp_path, django_db_blocker, COLLECTED_STATIC=str(collected_static()), IN_FRAMES="1") as running:
        yield running
        assert "Traceback" not in running.output(), running.output()

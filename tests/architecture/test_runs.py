"""How the tests are run: what is named as long or first is there."""

from __future__ import annotations

import pytest

from tests.architecture.sources import files
from tests.conftest import EVENINGS, LONG


@pytest.mark.parametrize("name", [*LONG, *EVENINGS])
def test_a_file_that_is_run_first_exists(name: str) -> None:
    assert [path for path in files(".py", under="tests") if name in f"{path}"], f"{name} names no file"

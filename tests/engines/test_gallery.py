"""The laws of the gallery hold in an engine of another browser, on a share of the states each day."""

from __future__ import annotations

import pytest

from tests.browser.gallery import laws
from tests.browser.gallery.stage import SCREENS, by_table
from tests.engines.conftest import require_engine
from tests.engines.engines import ENGINES, PLAYING, Engine
from tests.engines.stage import Stage
from tests.seeds import share_of_day

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

SHARE = 9
"""Of so many parts of the tables a day's run has one: two tables on a phone and on the big screen."""
PHONE, TV = SCREENS[0], SCREENS[-1]


@pytest.mark.parametrize("engine", PLAYING, ids=lambda one: one.name)
def test_the_laws_hold(engine: Engine) -> None:
    require_engine(engine)
    groups = by_table(laws.all_states())
    states = [state for group in share_of_day(groups, SHARE, every=len(ENGINES)) for state in group]
    stage = Stage(engine)
    try:
        found = laws.faults_on(stage, states, [PHONE, TV])
    finally:
        stage.close()
    assert stage.faults == []
    assert [str(fault) for fault in found] == []

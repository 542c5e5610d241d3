"""What host and scorekeeper may enter for people with phones: nothing sealed, nothing on the screen."""

from __future__ import annotations

import pytest

from games.kernel.contract import Command
from games.kernel.dice import typed
from games.plugin import SCREEN
from tests.contract.driver import Case, evening, few_cases, seeded

LAPSING = {"settlement_lapsed"}
"""A proposal between two that ends by itself with an open act."""

tables = pytest.mark.parametrize("case", few_cases(), ids=str)


@tables
def test_what_others_may_enter_tells_nobody_in_secret(case: Case) -> None:
    """Everybody reads at once who entered it, so the act itself is never for some alone (what lapses by it may be)."""
    rules, config = case.rules, case.config
    is_real = config.medium(case.values) != SCREEN
    entered = 0
    for step in evening(case):
        for seat in range(case.seats):
            for choice in config.rules.to_enter(step.state, rules.choices(step.state, seat)):
                args = next(iter(choice.options))
                decided = rules.decide(step.state, Command(choice.name, seat, args), seeded(choice.name), 999)
                secret = {event.type for event in decided.events if event.audience is not None}
                assert secret <= LAPSING, choice.name
                assert config.may_be_entered(step.state, seat, choice.name)
                entered += 1
    assert bool(entered) == is_real


def test_some_evenings_here_have_real_equipment() -> None:
    assert any(typed.is_on(case.values) for case in few_cases())

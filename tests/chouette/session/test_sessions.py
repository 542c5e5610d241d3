"""Whole sessions under random house rules, with players coming and going.

What must hold stands in `sessions`: rows sum to zero, one Box and one Captain, nobody out
acts, every open game has a legal choice, dropping everything is legal, the replay and the
dump are the state, and no view holds a secret of somebody else's. More sessions by
`python -m tests.chouette.sessions 20000`.
"""

import random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from chouette.rules import rules
from games.kernel.contract import CLOSE, LEAVE, TIMEOUT, Command, Illegal
from games.kernel.replay import outcomes
from tests.chouette import sessions
from tests.chouette.sessions import Session, house_rules, look, replay
from tests.seeds import first_seed

CHUNKS, SESSIONS = 2, 30


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_sessions_hold_together(chunk):
    """Other sessions each day (see tests.seeds)."""
    for seed in range(first_seed() + chunk * SESSIONS, first_seed() + (chunk + 1) * SESSIONS):
        session = sessions.play(seed)
        for _, outcome in outcomes(rules, session.log):
            assert sum(outcome.points.values()) == 0
            ranked = [outcome.points[seat] for group in outcome.ranking for seat in group]
            # A correction is no game: it ranks nobody before anybody.
            assert outcome.is_correction or ranked == sorted(ranked, reverse=True)


@settings(
    max_examples=30,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
class Chouette(RuleBasedStateMachine):
    """Four seats at a table; Hypothesis picks who does what, and shrinks what goes wrong."""

    @initialize(seed=st.integers(0, 2**32), seats=st.sampled_from([4, 4, 2, 3, 6]))
    def open_the_table(self, seed, seats):
        rng = random.Random(seed)
        self.session = Session(rng, house_rules(rng), seats)

    def is_running(self):
        return not rules.is_over(self.session.state)

    def pick(self, pool, data):
        choice = data.draw(st.sampled_from(pool))
        args = data.draw(st.sampled_from(choice.options))
        self.session.give(Command(choice.name, choice.seat, args, choice.opened_at))

    @precondition(is_running)
    @rule(data=st.data())
    def go_on(self, data):
        self.pick([c for c in self.session.choices() if c.required], data)

    @precondition(is_running)
    @rule(data=st.data())
    def do_something_aside(self, data):
        pool = [c for c in self.session.choices() if not c.required]
        if pool:
            self.pick(pool, data)

    @precondition(is_running)
    @rule(name=st.sampled_from(["join", LEAVE, TIMEOUT, TIMEOUT]))
    def the_house_acts(self, name):
        self.session.house(name)

    @precondition(is_running)
    @rule(seat=st.integers(-1, 8), name=st.sampled_from(["roll", "move", "cube", "answer"]))
    def what_is_not_open_is_refused(self, seat, name):
        if any(c.name == name and c.seat == seat for c in self.session.choices()):
            return
        with pytest.raises(Illegal):
            rules.decide(self.session.state, Command(name, seat), self.session.dice, len(self.session.log) + 1)

    @precondition(is_running)
    @rule()
    def the_host_closes(self):
        if len(self.session.log) > 30:
            self.session.house(CLOSE)

    @precondition(lambda self: not self.is_running())
    @rule()
    def nothing_is_open_any_more(self):
        assert self.session.choices() == []

    @invariant()
    def no_view_tells_a_secret(self):
        if hasattr(self, "session"):
            look(self.session)

    def teardown(self):
        if hasattr(self, "session"):
            replay(self.session)


TestChouette = Chouette.TestCase

"""The roll that opens the ring of cubes asks what may be said once, not for each seat and each of its readers."""

import pytest

from tests.bench.calls_of_a_roll import RING, played


@pytest.mark.django_db
def test_the_ring_takes_at_most_600_calls_in_a_chouette_of_five() -> None:
    rings = played(6)[RING]
    assert rings
    assert max(calls.total() for calls in rings) <= 600

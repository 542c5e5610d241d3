"""The soak measures what it says: a server that leaks is caught, one that does not is let pass."""

from __future__ import annotations

from dataclasses import fields

import pytest

from tests.bench.soak import Sample, faults, faults_of_days, soaked, thirds

SECONDS, EVERY, PACE, PAGES = 15.0, 0.5, 4.0, 40


def flat(count: int, **more: float) -> list[Sample]:
    """Return samples of a server whose figures grow by so much each, after a quick start."""
    start = Sample(150, 30, 6, 4, 12, 5)
    names = [field.name for field in fields(Sample)]

    def value(name: str, n: int) -> float:
        return getattr(start, name) * (0.5 if n < count / 8 else 1) + n * more.get(name, 0)

    return [Sample(**{name: value(name, n) for name in names}) for n in range(count)]


def test_what_stays_the_same_after_the_warm_up_has_not_grown() -> None:
    assert faults(flat(360)) == []
    first, last = thirds(flat(360))
    assert first == last == Sample(150, 30, 6, 4, 12, 5)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"memory": 0.1}, ["memory grew from 170 to 190 MB"]),
        ({"memory": 0.05}, []),
        ({"descriptors": 0.1}, ["descriptors grew from 51 to 71"]),
        ({"connections": 0.1}, ["connections grew from 25 to 45"]),
        ({"threads": 0.02}, []),
    ],
)
def test_what_grows_beyond_its_bound_is_told(more: dict[str, float], told: list[str]) -> None:
    assert [text.split(" grew")[0] for text in faults(flat(360, **more))] == [t.split(" grew")[0] for t in told]


def test_what_housekeeping_leaves_and_a_database_that_grows_by_itself_are_told() -> None:
    def day(entries: int, size: int, left: int = 0) -> dict[str, object]:
        return {"left": {"sessions": left}, "entries": entries, "bytes": size}

    assert faults_of_days([day(0, 1_000_000), day(100, 1_100_000), day(500, 2_500_000)]) == []
    assert faults_of_days([day(0, 0), day(0, 0, left=3)]) == ["housekeeping left {'sessions': 3}"]
    assert faults_of_days([day(0, 0), day(10, 1_100_000)]) == ["the database grew by 1100000 bytes in 10 entries"]


@pytest.mark.long
@pytest.mark.server
@pytest.mark.day(parts=4, turn=2)
def test_a_server_that_leaks_is_caught(capfd: pytest.CaptureFixture[str]) -> None:
    run, wrong = soaked("daphne", SECONDS, EVERY, PACE, "tests.bench.leaking", PAGES)
    assert [fault.split()[0] for fault in wrong] == ["memory", "descriptors"]
    assert len(run.samples) > 10
    assert run.answers.total() >= PAGES
    assert "descriptors" in capfd.readouterr().out


@pytest.mark.long
@pytest.mark.server
@pytest.mark.day(parts=4, turn=3)
def test_a_server_keeps_its_descriptors_while_guests_come_and_go() -> None:
    run, wrong = soaked("daphne", SECONDS, EVERY, PACE, least_pages=PAGES)
    # A server that has just started still fills its caches: of memory only half an hour tells.
    assert [fault for fault in wrong if not fault.startswith("memory")] == []
    assert run.visits > 0
    first, last = thirds(run.samples)
    assert last.memory < first.memory * 1.5

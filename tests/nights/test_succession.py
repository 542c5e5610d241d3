"""Who may take over from a host who is gone: an order, and a minute for each before the next."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from games.services.hosting import succession
from games.services.hosting.succession import Successor

GONE = datetime(2026, 3, 5, 20, 0, tzinfo=UTC)
FREE = GONE + timedelta(minutes=5)
AGES = st.integers(-7200, 400).map(lambda seconds: GONE + timedelta(seconds=seconds))


@st.composite
def nights(draw: st.DrawFn) -> list[Successor]:
    """Members of a night, some with a seat that they took after they had come."""
    found = []
    for player_id in draw(st.sets(st.integers(1, 99), max_size=12)):
        joined_at = draw(AGES)
        seconds = draw(st.none() | st.integers(0, 7200))
        sits = None if seconds is None else joined_at + timedelta(seconds=seconds)
        found.append(Successor(player_id, joined_at, sits))
    return found


def test_who_sits_comes_first_the_longest_there_before_the_others_then_who_came_first() -> None:
    minutes = [timedelta(minutes=n) for n in range(100)]
    new_at_the_table = Successor(1, GONE - minutes[90], GONE - minutes[10])
    long_at_the_table = Successor(2, GONE - minutes[60], GONE - minutes[50])
    early_guest, late_guest = Successor(3, GONE - minutes[95]), Successor(4, GONE - minutes[1])
    stranger, seated_stranger = Successor(5, GONE + minutes[3]), Successor(6, GONE + minutes[3], GONE + minutes[4])
    people = [seated_stranger, stranger, late_guest, early_guest, new_at_the_table, long_at_the_table]
    assert succession.order(people, GONE) == (2, 1, 3, 4, 6)


@given(nights())
def test_nobody_who_came_when_the_host_had_gone_is_before_somebody_who_was_there(people: list[Successor]) -> None:
    by_id = {each.player_id: each for each in people}
    order = [by_id[player_id] for player_id in succession.order(people, GONE)]
    ranks = [(each.joined_at > GONE, each.sits_since is None) for each in order]
    assert ranks == sorted(ranks)
    left_out = [each for each in people if each not in order]
    assert all(each.joined_at > GONE and each.sits_since is None for each in left_out)


@given(nights())
def test_the_longest_there_come_first_and_the_order_hangs_on_nothing_else(people: list[Successor]) -> None:
    by_id = {each.player_id: each for each in people}
    order = succession.order(people, GONE)
    seated = [by_id[one].sits_since for one in order if by_id[one].sits_since and by_id[one].joined_at <= GONE]
    assert seated == sorted(seated)
    standing = [by_id[one].joined_at for one in order if by_id[one].sits_since is None]
    assert standing == sorted(standing)
    assert succession.order(people[::-1], GONE) == order


@given(nights(), st.integers(-600, 1800))
def test_after_n_minutes_the_first_n_and_one_more_may(people: list[Successor], seconds: int) -> None:
    order = succession.order(people, GONE)
    may = succession.may_now(succession.times(people, GONE, FREE), FREE + timedelta(seconds=seconds))
    if order:
        assert may == order[: max(0, seconds // 60 + 1)]
    else:
        assert set(may) == ({each.player_id for each in people} if seconds >= 0 else set())


@given(nights())
def test_where_the_host_is_nobody_all_members_may_at_once(people: list[Successor]) -> None:
    found = succession.times(people, GONE, FREE, is_anybodys=True)
    assert found == dict.fromkeys([each.player_id for each in people], FREE)


@given(nights(), st.lists(st.integers(-100_000, 100_000), max_size=10))
def test_a_clock_that_jumps_gives_and_takes_the_right_by_its_time(people: list[Successor], jumps: list[int]) -> None:
    found = succession.times(people, GONE, FREE)
    for jump in jumps:
        now = FREE + timedelta(seconds=jump)
        may = succession.may_now(found, now)
        assert may == tuple(one for one in found if found[one] <= now)
        assert jump >= 0 or may == ()


@given(st.integers(-100_000, 100_000), st.integers(1, 60))
def test_pages_look_again_at_each_step_and_not_for_ever(seconds: int, most: int) -> None:
    now = FREE + timedelta(seconds=seconds)
    n = succession.steps(FREE, now, most)
    assert 0 <= n <= most
    assert n == most or succession.steps(FREE, now + timedelta(seconds=60), most) == (n + 1 if seconds > -60 else 0)

"""Many who ask together: each gets what they would get alone, for a few statements in all."""

import asyncio
import random
import threading

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.kernel.contract import Illegal
from games.live.batching import MOST_AT_ONCE, Together
from games.live.rooms import handshake
from games.live.rooms.handshake import AccessRequest, SnapshotRequest, Visit
from games.models import Player, Table
from games.services.chat import chat
from games.services.nights import attendance, membership
from games.services.people import players
from games.services.tables import access, snapshot
from tests.live.wire import session_cookie


def visit(table: Table | str, player: Player | None) -> Visit:
    public_id = table if isinstance(table, str) else table.public_id
    key = None if player is None else session_cookie(player).partition("=")[2]
    return Visit(public_id, key, "en", "127.0.0.1")


@pytest.fixture
def hellos(start_table, night, host) -> list[AccessRequest]:
    """People of three tables: seated, watching, gone, a stranger, and no table at all."""
    tables = [start_table("dummygame", "endless", seats=seats) for seats in (2, 3, 2)]
    watcher, gone, stranger = (players.new_guest(name) for name in ("Wim", "Gerd", "Sven"))
    membership.join(night, watcher)
    membership.join(night, gone)
    membership.remove(night, host, gone.pk)
    everybody = [watcher, gone, stranger, None]
    found = [
        AccessRequest(visit(table, player), None, as_tv=False)
        for table in tables
        for player in [*(seat.player for seat in table.seats.all()), *everybody]
    ]
    found.append(AccessRequest(visit("nowhere", watcher), None, as_tv=False))
    found.append(AccessRequest(visit(tables[0], watcher), None, as_tv=True))
    random.Random(4).shuffle(found)
    return found


def told(answer: object) -> object:
    return answer.code if isinstance(answer, Illegal) else answer


@pytest.mark.django_db
def test_hellos_together_are_answered_as_one_by_one(hellos):
    together = [told(answer) for answer in handshake.answer_hellos(hellos)]
    assert together == [told(handshake.answer_hellos([hello])[0]) for hello in hellos]
    assert {"removed", "not_inside", "no_such_table"} <= {str(answer) for answer in together}


@pytest.mark.django_db
def test_a_session_that_was_read_is_not_read_again(hellos):
    sessions = [answer[0] if isinstance(answer, tuple) else {} for answer in handshake.answer_hellos(hellos)]
    again = [
        AccessRequest(Visit(hello.visit.public_id, None, "en", ""), session, hello.as_tv)
        for hello, session in zip(hellos, sessions, strict=True)
        if session
    ]
    assert all(isinstance(answer, tuple) for answer in handshake.answer_hellos(again))


@pytest.mark.django_db
def test_a_session_that_has_ended_is_nobodys(host):
    key = session_cookie(host).partition("=")[2]
    assert attendance.sessions([key, None, "unknown"])[key][players.SESSION_KEY] == host.pk
    Session.objects.update(expire_date="2020-01-01T00:00:00+00:00")
    assert attendance.sessions([key, None]) == {key: {}, None: {}}


def wanted(hellos: list[AccessRequest]) -> list[SnapshotRequest]:
    found = [answer[1] for answer in handshake.answer_hellos(hellos) if isinstance(answer, tuple)]
    return [SnapshotRequest(right, after) for right in found for after in (None, 0, 1)]


@pytest.mark.django_db
def test_snapshots_together_are_those_of_one_by_one(hellos, host):
    asked = wanted(hellos)
    chat.say(asked[0].right.table_id, host.pk, "Prost")
    for cache_is_empty in (False, True):
        if cache_is_empty:
            snapshot.forget_all()
        together = handshake.take_snapshots(asked)
        for each, found in zip(asked, together, strict=True):
            (alone,) = handshake.take_snapshots([each])
            assert isinstance(found, handshake.Snapshot)
            assert isinstance(alone, handshake.Snapshot)
            assert found.chat == alone.chat
            assert found.batch.page == alone.batch.page
    assert any(found.chat for found in together if isinstance(found, handshake.Snapshot))


@pytest.mark.django_db
def test_those_who_want_the_same_share_what_is_encoded(hellos):
    asked = [each for each in wanted(hellos) if each.after is None]
    found = handshake.take_snapshots(asked)
    tables = {each.right.table_id for each in asked}
    assert len({id(each) for each in found}) == len(tables) < len(asked)


@pytest.mark.django_db
def test_a_right_that_has_ended_shows_nothing(hellos, night, host):
    asked = wanted(hellos)
    gone = next(each.right for each in asked if each.right.name == "Wim")
    membership.remove(night, host, gone.player_id)
    for each, answer, pulse in zip(
        asked,
        handshake.take_snapshots(asked),
        access.pulses([each.right for each in asked]),
        strict=True,
    ):
        is_gone = each.right.person_id == gone.person_id
        assert isinstance(answer, Illegal) == isinstance(pulse, Illegal) == is_gone
        assert not is_gone or (told(answer), told(pulse)) == ("removed", "removed")


# What a transaction reads is known after its commit only.
@pytest.mark.django_db(transaction=True)
def test_more_people_at_a_table_need_no_more_statements(hellos):
    def statements(some: list[AccessRequest]) -> int:
        with CaptureQueriesContext(connection) as queries:
            handshake.take_snapshots([each for each in wanted(some) if each.after is None])
        return len(queries)

    statements(hellos)  # the tables' states are known from here on
    alone = statements([next(hello for hello in hellos if hello.visit.session_key)])
    assert statements(hellos) == statements(hellos * 5) == alone


@pytest.mark.django_db(transaction=True)
async def test_what_gathers_while_the_database_is_busy_is_asked_at_once():
    busy, visits = threading.Event(), []

    def answer(questions):
        visits.append(len(questions))
        busy.wait(5)
        return [Illegal("not_open") if question == 7 else question * 2 for question in questions]

    together = Together(answer)
    asked = [asyncio.create_task(together.ask(0))]
    while not visits:
        await asyncio.sleep(0.01)
    asked += [asyncio.create_task(together.ask(number)) for number in range(1, MOST_AT_ONCE + 11)]
    await asyncio.sleep(0.05)
    asked[5].cancel()
    busy.set()
    found = await asyncio.gather(*asked, return_exceptions=True)
    assert visits == [1, MOST_AT_ONCE, 10]
    assert isinstance(found[5], asyncio.CancelledError)
    assert isinstance(found[7], Illegal)
    right = [number for number in range(len(asked)) if number not in (5, 7)]
    assert [found[number] for number in right] == [2 * number for number in right]


@pytest.mark.django_db(transaction=True)
async def test_questions_that_come_all_the_time_wait_for_each_other_and_a_first_one_for_none():
    visits = []

    def answer(questions):
        visits.append(list(questions))
        return list(questions)

    together = Together(answer, most=3, apart=0.5)
    assert await together.ask(0) == 0
    found = [asyncio.create_task(together.ask(number)) for number in (1, 2)]
    await asyncio.sleep(0.1)
    found += [asyncio.create_task(together.ask(number)) for number in (3, 4)]
    assert await asyncio.gather(*found) == [1, 2, 3, 4]
    assert visits == [[0], [1, 2, 3], [4]]


@pytest.mark.django_db(transaction=True)
async def test_a_failure_of_the_database_is_told_to_all_who_asked_and_to_nobody_later():
    fails = [True]

    def answer(questions):
        if fails:
            raise ConnectionError
        return list(questions)

    together = Together(answer)
    found = await asyncio.gather(*map(together.ask, range(3)), return_exceptions=True)
    assert all(isinstance(each, ConnectionError) for each in found)
    fails.clear()
    assert await together.ask(9) == 9

"""An entry that another process tells is folded on without a question to the database."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import plugin
from games.models import Table
from games.services import publication
from games.services.tables import relay, snapshot
from games.services.tables.relay import TableNews
from games.services.tables.snapshot import TableSnapshot
from tests.tables.commit.commits import Answers, next_request, take

pytestmark = pytest.mark.django_db(transaction=True)
MakeTable = Callable[..., Table]


@pytest.fixture
def told() -> Iterator[list[TableNews]]:
    """What is told of tables while a test runs."""
    news: list[TableNews] = []

    def listen(each: publication.News) -> None:
        if isinstance(each, TableNews):
            news.append(each)

    kept = list(publication._listeners)
    publication.subscribe(listen)
    yield news
    publication._listeners[:] = kept


def play_once(table: Table, rng: random.Random) -> None:
    """Let somebody do something legal."""
    seat, request = next_request(table, rng)
    take([Answers().asked(table, request, seat)])


def as_known(found: TableSnapshot) -> tuple[object, ...]:
    dumped = plugin.game(found.game_id).rules.dump(found.state)
    return found.table_id, found.seq, dumped, found.dice_drawn, found.clocks, found.state_seq


@pytest.mark.parametrize(
    ("game", "preset", "seats"),
    [("chicago", "bavarian", 3), ("chouette", "german", 4), ("dummygame", "endless", 2)],
)
def test_whoever_follows_knows_what_the_writer_knows_and_asks_nothing(
    start_table: MakeTable, told: list[TableNews], game: str, preset: str, seats: int
) -> None:
    table, rng, followed = start_table(game, preset, seats=seats), random.Random(7), 0
    play_once(table, rng)
    for _ in range(120):
        if told[-1].entry.is_meta:  # the game is over, and its dice may have made it a short one
            table = start_table(game, preset, seats=seats)
            play_once(table, rng)
        before = snapshot.cached(table.pk)
        told.clear()
        play_once(table, rng)
        after = snapshot.cached(table.pk)
        if (entry := relay.relayed_entry(told[-1])) is None:
            continue
        assert before is not None and after is not None
        snapshot.forget_all()
        snapshot.keep(before)
        with CaptureQueriesContext(connection) as asked:
            news = relay.news_of(table.pk, after.seq, json.loads(json.dumps(entry)))
        assert list(asked) == []
        assert news is not None
        followed_on, written = news.entry, told[-1].entry
        assert (followed_on.events, followed_on.own_id, followed_on.actor_id) == (
            written.events,
            written.own_id,
            written.actor_id,
        )
        again = snapshot.cached(table.pk)
        assert again is not None and as_known(again) == as_known(after)
        followed += 1
    assert followed > 20


def test_an_entry_that_does_not_follow_on_what_is_known_is_left_to_the_log(
    start_table: MakeTable, told: list[TableNews]
) -> None:
    table, rng = start_table("chicago", "classic", seats=2), random.Random(3)
    for _ in range(4):
        play_once(table, rng)
    last = told[-1]
    entry = relay.relayed_entry(last)
    assert entry is not None
    now = snapshot.cached(table.pk)
    assert relay.news_of(table.pk, last.entry.seq - 1, entry) is None
    assert relay.news_of(table.pk, last.entry.seq + 2, entry) is None
    again = relay.news_of(table.pk, last.entry.seq, entry)  # it has been read meanwhile
    assert again is not None and again.snapshot.state is last.snapshot.state
    assert snapshot.cached(table.pk) is now
    snapshot.forget_all()
    assert relay.news_of(table.pk, last.entry.seq, entry) is None


def test_what_changes_seats_or_status_is_not_told_whole(start_table: MakeTable, told: list[TableNews]) -> None:
    start_table("chicago", "classic", seats=2)
    assert told and all(relay.relayed_entry(news) is None for news in told)

"""Other processes: one message an entry, and the log where that will not do; no harm done."""

import asyncio

import pytest
from channels.layers import InMemoryChannelLayer, channel_layers

from games.live.rooms import hub, night_room, relay, subscriptions
from games.models import Player, Table
from games.services import publication
from games.services.commands import Actor, Request, new_command_id
from games.services.tables import snapshot
from games.services.tables.commit import submit
from games.services.tables.relay import TableNews
from tests.conftest import answer, choices_at
from tests.live.wire import connect, follow, in_thread, settled
from tests.tables.commit.commits import fail
from tests.tables.host.host_commands import named

pytestmark = pytest.mark.django_db(transaction=True)


class SharedLayer(InMemoryChannelLayer):
    """Stands for a layer that reaches other processes; keeps what was sent."""

    def __init__(self) -> None:
        super().__init__(capacity=1000)
        self.sent: list[dict] = []
        self.fails = False

    async def group_send(self, group, message):
        if self.fails:
            raise ConnectionError("the layer is gone")
        self.sent.append(message)
        await super().group_send(group, message)


@pytest.fixture
def layer():
    layer = SharedLayer()
    old = channel_layers.set("default", layer)
    yield layer
    if old is None:
        channel_layers.backends.pop("default")
    else:
        channel_layers.set("default", old)


@pytest.fixture
def table(start_table) -> Table:
    return start_table("dummygame", "endless", seats=2)


@pytest.fixture
def players(table) -> list[Player]:
    return [seat.player for seat in table.seats.select_related("player")]


def nudge(table: Table, host: Player) -> None:
    submit(
        table.pk,
        Actor(host.pk),
        Request("table.nudge", named(table, "table.nudge", {"seat": 1}), new_command_id()),
    )


def bid(table: Table) -> None:
    """Let whoever is asked answer: an entry that changes neither seats nor status."""
    answer(table, next(choice for choice in choices_at(table) if choice.required))


def unheard(function, *args) -> None:
    """Do something as another process would: nobody here is told, nothing is known of it."""
    unheard_but(lambda news: None, function, *args)


def unheard_but(listener, function, *args) -> None:
    """Do something as another process would; `listener` alone is told."""
    kept, publication._listeners[:] = list(publication._listeners), [listener]
    known_before = dict(snapshot._kept)
    try:
        function(*args)
    finally:
        publication._listeners[:] = kept
        snapshot._kept.clear()
        snapshot._kept.update(known_before)


async def until(condition) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.01)


def of_kind(layer: SharedLayer, kind: str) -> list[dict]:
    return [message for message in layer.sent if message["kind"] == kind]


def after_the_start(layer: SharedLayer) -> list[dict]:
    """The news of entries after the first: the table started before the layer stood, and its news may come late."""
    return [message for message in of_kind(layer, "entry") if message["seq"] > 1]


async def test_the_in_memory_layer_is_sent_nothing(table, players):
    assert not relay.is_shared()


async def test_an_entry_that_changes_seats_or_status_is_one_message_that_says_where_to_look(table, players, layer):
    for player in players:
        await (await connect(table, player)).join()
    await in_thread(nudge, table, players[0])
    await until(lambda: after_the_start(layer))
    await settled()
    assert after_the_start(layer) == [
        {
            "type": "stammtisch.news",
            "origin": relay.PROCESS,
            "kind": "entry",
            "table": table.pk,
            "seq": 2,
            "meta": True,
        }
    ]


async def test_a_plain_entry_is_one_message_that_holds_it_and_is_shown_unread(table, players, layer, monkeypatch):
    wires = [await connect(table, player) for player in players]
    for wire in wires:
        await wire.join()
    await until(lambda: layer.groups.get(relay.table_group(table.pk)))
    news: list[TableNews] = []
    await in_thread(unheard_but, news.append, bid, table)
    (message,) = (relay._message(each) for each in news)
    # The other process's log entry arrives; this one has the table as it was before.
    monkeypatch.setattr(hub.Hub, "entry_committed", fail)
    relay.receive(hub.current(), {"origin": "other", **message})
    assert [(await wire.next("entry"))["seq"] for wire in wires] == [2, 2]


async def test_an_entry_that_is_not_understood_is_read_from_the_log(table, players, layer, caplog):
    wire = await connect(table, players[0])
    await wire.join()
    await in_thread(unheard, bid, table)
    about = {"kind": "entry", "table": table.pk, "seq": 2, "meta": False}
    relay.receive(hub.current(), {"origin": "other", **about, "entry": {"events": [{}]}})
    assert (await wire.next("entry"))["seq"] == 2
    assert any("not understood" in record.getMessage() for record in caplog.records)


async def test_its_own_messages_come_back_and_are_dropped(table, players, layer):
    wire = await connect(table, players[0])
    await wire.join()
    await in_thread(nudge, table, players[0])
    await until(lambda: layer.sent)
    entries = [f for f in await wire.rest() if f["type"] == "entry"]
    assert [entry["seq"] for entry in entries] == [2]


async def test_news_of_another_process_is_read_from_the_log(table, players, layer):
    wire = await connect(table, players[0])
    await wire.join()
    await until(lambda: layer.groups.get(relay.EVERYBODY))
    await in_thread(unheard, nudge, table, players[0])
    message = {"type": "stammtisch.news", "origin": "other", "kind": "entry"}
    await layer.group_send(relay.EVERYBODY, {**message, "table": table.pk, "seq": 2, "meta": True})
    assert (await wire.next("entry"))["seq"] == 2


async def test_a_process_hears_of_the_tables_that_are_looked_at_there_and_no_others(table, players, layer):
    group, other = relay.table_group(table.pk), relay.table_group(table.pk + 1)
    wire = await connect(table, players[0])
    await wire.join()
    await until(lambda: layer.groups.get(group))
    assert other not in layer.groups
    await in_thread(unheard, bid, table)
    message = {"type": "stammtisch.news", "origin": "other", "kind": "entry"}
    news = {**message, "table": table.pk, "seq": 2, "meta": False}
    assert relay.group_of(news) == group
    await layer.group_send(group, news)
    assert (await wire.next("entry"))["seq"] == 2
    await wire.leave()
    await until(lambda: not layer.groups.get(group))


async def test_what_was_told_before_a_room_could_hear_it_is_read_from_the_log(table, players, layer, monkeypatch):
    may_join = asyncio.Event()
    group_add = layer.group_add

    async def late(group, channel):
        if group != relay.EVERYBODY:
            await may_join.wait()
        await group_add(group, channel)

    monkeypatch.setattr(layer, "group_add", late)
    wire = await connect(table, players[0])
    await wire.join()
    await in_thread(unheard, bid, table)
    may_join.set()
    assert (await wire.next("entry"))["seq"] == 2


async def test_pages_of_a_night_load_again_once_a_layer_that_was_away_is_heard(night, players, layer, monkeypatch):
    monkeypatch.setattr(subscriptions, "AGAIN_SECONDS", 0.01)
    monkeypatch.setattr(night_room, "PAUSE_SECONDS", 0.01)
    page, may_fail = await follow(night, players[0]), asyncio.Event()
    receive = layer.receive

    async def failing(channel):
        if not may_fail.is_set():
            may_fail.set()
            raise ConnectionError("the layer is gone")
        return await receive(channel)

    await until(lambda: layer.groups.get(relay.EVERYBODY))
    while await page.rest():
        pass
    monkeypatch.setattr(layer, "receive", failing)
    await layer.group_send(relay.EVERYBODY, {"type": "stammtisch.news", "origin": "other", "kind": "no such kind"})
    await page.next("changed")
    assert may_fail.is_set()


async def test_a_layer_that_lets_nobody_listen_is_asked_again(table, players, layer, monkeypatch):
    monkeypatch.setattr(subscriptions, "AGAIN_SECONDS", 0.01)
    group_add, fails = layer.group_add, [True, True, True]

    async def failing(group, channel):
        if fails:
            fails.pop()
            raise ConnectionError("the layer is gone")
        await group_add(group, channel)

    monkeypatch.setattr(layer, "group_add", failing)
    wire = await connect(table, players[0])
    await wire.join()
    await until(lambda: layer.groups.get(relay.table_group(table.pk)))


async def test_what_another_process_says_reaches_the_rooms(table, players, night):
    wire, page = await connect(table, players[1]), await follow(night, players[1])
    await wire.join()
    here = hub.current()
    say = {"id": 5, "name": "Ola", "text": "Hei", "at": ""}
    other = {"origin": "other"}
    relay.receive(here, {**other, "kind": "chat", "table": table.pk, "message": say})
    assert (await wire.next("chat"))["message"] == say
    relay.receive(here, {**other, "kind": "night", "night": night.pk})
    await page.next("changed")
    known = {str(players[0].pk): "here"}
    relay.receive(here, {**other, "kind": "presence", "table": table.pk, "players": known})
    while (await wire.next("presence"))["presence"] != {"0": "here", "1": "here"}:
        pass
    relay.receive(here, {**other, "kind": "touched", "table": table.pk})
    relay.receive(here, {**other, "kind": "no such kind"})
    relay.receive(here, {**other})
    player = players[1].pk
    relay.receive(here, {**other, "kind": "removed", "night": night.pk, "player": player})
    assert await wire.closed() == 4403
    assert await page.closed() == 4403


async def test_a_layer_that_fails_fails_no_command(table, players, layer, caplog):
    wire = await connect(table, players[0])
    await wire.join()
    layer.fails = True
    frame = {"type": "command", "id": "c", "name": "table.nudge", "args": {"seat": 1, "sitter": players[1].pk}}
    assert (await wire.ask(frame, "entry"))["id"] == "c"
    await until(lambda: any("did not take" in r.getMessage() for r in caplog.records))


async def test_every_kind_of_news_can_be_told(layer):
    news = [
        publication.TableTouched(1, "t"),
        publication.NightTouched(1, "n"),
        publication.ChatSaid(1, "t", {"id": 1}),
        publication.PlayerRemoved(1, 2),
    ]
    for each in news:
        relay.on_news(each)
    await until(lambda: len(layer.sent) == len(news))
    assert {m["kind"] for m in layer.sent} == {"touched", "night", "chat", "removed"}


def test_a_process_without_an_event_loop_tells_the_others_too(layer):
    relay.on_news(publication.NightTouched(1, "n"))
    deadline = asyncio.run(until_sent(layer))
    assert deadline == "night"


async def until_sent(layer: SharedLayer) -> str:
    await until(lambda: layer.sent)
    return layer.sent[0]["kind"]

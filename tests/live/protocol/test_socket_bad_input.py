"""Bad input never raises, never changes the state, and each frame gets its error code (§7)."""

import asyncio
import json
import logging
from collections import Counter
from typing import Any

import pytest

from games.live import consumers, protocol
from games.live.rooms.outbox import LONGEST_QUEUE, MOST_QUEUED, MOST_UNANSWERED, Outbox
from games.models import ChatMessage, LogEntry, Player, Table
from tests.conftest import answer, choices_at
from tests.live.protocol.bad_frames import KINDS, BadFrame, frames
from tests.live.wire import Wire, connect, in_thread

pytestmark = pytest.mark.django_db(transaction=True)
# A connection is closed after 20 bad frames in a row.
FRAMES_A_CONNECTION = 19


@pytest.fixture
def table(start_table) -> Table:
    """A table where seat 1 has had "done" accepted and may bid."""
    table = start_table("dummygame", "endless", seats=2, numbers=3)
    answer(table, choice_of(table, 1), command_id="done")
    answer(table, choice_of(table, 0))
    return table


def choice_of(table: Table, seat: int) -> Any:
    return next(c for c in choices_at(table) if (c.name, c.seat) == ("bid", seat))


@pytest.fixture
def player(table) -> Player:
    return table.seats.get(index=1).player


def everything(table: Table) -> dict[str, Any]:
    """Return all that a bad frame might have changed."""
    row = Table.objects.filter(pk=table.pk).values().get()
    log = list(LogEntry.objects.filter(table=table).values())
    chat = ChatMessage.objects.count()
    return {"row": row, "log": log, "chat": chat, "seats": list(table.seats.values())}


async def put(wire: Wire, bad: BadFrame) -> str:
    """Send a bad frame and return the code that it gets."""
    if isinstance(bad.data, bytes):
        await wire.send_binary(bad.data)
    else:
        await wire.line.send_input({"type": "websocket.receive", "text": bad.data})
    while (frame := await wire.any())["type"] not in {"error", "entry"}:
        pass
    if frame["type"] == "entry":
        assert frame["id"] == "done"
        return "repeated"
    assert frame["message"]
    return frame["code"]


async def test_a_thousand_bad_frames_each_get_their_code_and_change_nothing(table, player, caplog):
    basis = (await in_thread(choice_of, table, 1)).opened_at
    before = await in_thread(everything, table)
    wire, sent, got = await fresh(table, player), 0, Counter()
    for bad in frames(1000, seed=1, basis=basis):
        if sent == FRAMES_A_CONNECTION:
            await wire.leave()
            wire, sent = await fresh(table, player), 0
        code = await put(wire, bad)
        assert code in bad.codes, (bad.kind, bad.data[:200], code)
        got[code] += 1
        sent += 1
        if code == "too_long":
            assert await wire.closed() == 4413
            sent = FRAMES_A_CONNECTION
    assert sum(got.values()) == 1000
    assert await in_thread(everything, table) == before
    assert not [r for r in caplog.records if r.levelno >= logging.ERROR]
    wanted = {"bad_json", "not_an_object", "binary", "too_long", "too_deep", "unknown_type"}
    wanted |= {"bad_field", "stale", "bad_args", "not_open", "not_host", "no_basis", "repeated"}
    assert wanted <= set(got)


async def fresh(table: Table, player: Player) -> Wire:
    wire = await connect(table, player)
    await wire.join()
    return wire


@pytest.mark.parametrize("kind", [k.__name__ for k in KINDS])
async def test_before_hello_nothing_is_done_either(table, player, kind):
    before = await in_thread(everything, table)
    for bad in (b for b in frames(60, seed=2, basis=1) if b.kind == kind):
        wire = await connect(table, player)
        code = await put(wire, bad)
        assert code in bad.codes | {"no_hello"}
    assert await in_thread(everything, table) == before


async def test_twenty_bad_frames_in_a_row_close(table, player):
    wire = await fresh(table, player)
    for _ in range(19):
        await wire.send("no json")
    await wire.ask({"type": "ping", "seq": 3}, "pong")
    for _ in range(20):
        await wire.send("no json")
    assert await wire.closed() == 4400


async def test_more_than_a_hundred_frames_in_twenty_seconds_close(table, player):
    wire = await fresh(table, player)
    for _ in range(100):
        await wire.send({"type": "away"})
    assert await wire.closed() == 4429
    assert wire.passed[-1]["code"] == "too_many"


async def test_who_does_not_say_hello_is_closed(table, player, monkeypatch):
    monkeypatch.setattr(consumers, "HELLO_SECONDS", 0.05)
    wire = await connect(table, player)
    assert (await wire.ask({"type": "ping", "seq": 1}, "error"))["code"] == "no_hello"
    assert await wire.closed() == 4408


async def test_nothing_is_answered_after_the_close(table, player):
    wire = await fresh(table, player)
    await wire.send("x" * 9000)
    await wire.send({"type": "ping", "seq": 1})
    assert await wire.closed() == 4413
    assert await wire.line.receive_nothing()


async def test_a_frame_of_exactly_8_kib_is_read():
    frame = {"type": "chat", "id": "m", "text": ""}
    text = "ä" * ((protocol.LONGEST_FRAME - len(json.dumps(frame))) // 2)
    raw = json.dumps({**frame, "text": text}, ensure_ascii=False)
    assert protocol.parse(raw) == protocol.ChatFrame("m", text)
    with pytest.raises(protocol.Bad, match="too_long"):
        protocol.parse(raw + "  ")


async def test_a_reader_who_never_reads_is_closed_and_holds_little():
    for text, longest in ((b"x", LONGEST_QUEUE), (b"x" * 50_000, MOST_QUEUED // 50_000)):
        taken, sent = asyncio.Event(), []

        async def send(message, taken=taken, sent=sent):
            await taken.wait()
            sent.append(message)

        outbox = Outbox(send)
        for _ in range(10_000):
            outbox.put(text)
            outbox.frame_received()
        assert outbox.is_closing
        assert len(outbox._queue) <= longest
        taken.set()
        await outbox._task
        assert sent[-1] == {"type": "websocket.close", "code": 4430}


async def test_what_the_server_holds_up_goes_out_later_and_in_order():
    sent, may_go = [], [asyncio.Event() for _ in range(20)]

    async def send(message):
        await may_go[len(sent)].wait()
        sent.append(message.get("text") or message["code"])

    outbox = Outbox(send)
    for number, gate in enumerate(may_go[:-1]):
        outbox.put(str(number).encode())
        if number % 3:
            gate.set()
            await asyncio.sleep(0)
    outbox.close(4401)
    outbox.put(b"behind the close")
    for gate in may_go:
        gate.set()
    await outbox._task
    assert sent == [*map(str, range(19)), 4401]


@pytest.mark.parametrize("error", [OSError, RuntimeError, ValueError])
async def test_a_line_that_breaks_while_something_is_sent_harms_nobody(error):
    for is_late in (False, True):

        async def send(message, is_late=is_late):
            if is_late:
                await asyncio.sleep(0)
            raise error

        outbox = Outbox(send)
        outbox.put(b"1")
        if is_late:
            await outbox._task
        outbox.put(b"2")
        assert outbox.is_closing


async def test_a_reader_who_is_never_heard_is_closed_even_where_the_server_takes_all():
    sent: list[dict] = []

    async def send(message):
        sent.append(message)

    outbox = Outbox(send)
    frame = b"x" * (MOST_UNANSWERED // 10)
    for _ in range(8):
        outbox.put(frame)
    outbox.frame_received()
    for _ in range(11):
        outbox.put(frame)
    assert len(sent) == 8 + 10 + 1
    assert sent[-1] == {"type": "websocket.close", "code": 4430}

"""What a room makes of one entry: each distinct view and frame once."""

import json
import random

from games import plugin
from games.kernel import simulate
from games.live.rooms import frames as room_frames
from games.live.rooms.frames import Batch
from games.live.rooms.outbox import Outbox
from games.live.rooms.sockets import Socket, with_field
from games.services.logs.log_views import Page
from games.services.seats.sittings import ONLOOKER, Sitting, TableReader
from games.services.tables.log import LoggedEntry
from tests.tables.snapshots import made


def page_of(game: str, preset: str, seats: int, steps: int) -> Page:
    """Return the page of a simulated table's last entry."""
    config = plugin.game(game)
    options = config.options.values(preset)
    played = simulate.play(config.rules, options, seats, random.Random(3), limit=steps)
    *_, last = played
    table = {"status": "playing", "seats": [], "host": 1}
    entry = LoggedEntry(last.entry.seq, last.entry.events, '7:c"1', 7)
    return Page((entry,), made(game, last.entry.seq, last.state, table=table))


def sits(seat: int | None) -> TableReader:
    """Return who has sat on a seat from the start."""
    return ONLOOKER if seat is None else TableReader(seat, (Sitting(seat, 7, 0),))


def told(batch: Batch, seat: int | None, seq: int, player_id: int | None = None) -> dict:
    sent: list[dict] = []

    async def send(message: dict) -> None:
        sent.append(message)

    socket = Socket(Outbox(send), "en", 0.0)
    socket.reader, socket.seq, socket.player_id = sits(seat), seq - 1, player_id
    batch(socket)
    assert socket.seq == seq
    (message,) = sent
    return json.loads(message["text"])


async def test_a_view_that_all_share_is_encoded_once(monkeypatch):
    encoded = []
    encode = room_frames.encode
    monkeypatch.setattr(room_frames, "encode", lambda value: encoded.append(value) or encode(value))
    page = page_of("chicago", "bavarian", 4, 8)
    batch = Batch(page, with_table=False)
    frames = [told(batch, seat, page.snapshot.seq) for seat in (0, 1, 2, 3, None, 2)]
    assert sum(isinstance(value, dict) and "phase" in value for value in encoded) == 1
    assert all(frame["view"] == page.snapshot.view(ONLOOKER) for frame in frames)
    assert sum(bool(frame["choices"]) for frame in frames) >= 1


async def test_views_that_differ_stay_apart():
    page = page_of("dummygame", "quick", 3, 2)
    batch = Batch(page, with_table=False)
    for seat in (0, 1, 2, None):
        assert told(batch, seat, page.snapshot.seq)["view"] == page.snapshot.view(sits(seat))


async def test_the_senders_frame_has_the_id_and_is_otherwise_the_same():
    page = page_of("dummygame", "quick", 2, 2)
    batch = Batch(page, with_table=True)
    own, other = (told(batch, 0, page.snapshot.seq, player) for player in (7, 8))
    assert own.pop("id") == 'c"1'
    assert own == other
    assert own["table"] == page.snapshot.table


def test_a_field_is_added_to_what_is_encoded():
    assert json.loads(with_field(b'{"a":1}', "b", b'"x"')) == {"a": 1, "b": "x"}

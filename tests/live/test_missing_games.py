"""A page of a table whose game is not installed any more is told so, and does not connect again."""

from __future__ import annotations

import pytest
from django.apps import apps

from games.refusals import NOT_FOUND
from tests.live.wire import connect, in_thread

pytestmark = pytest.mark.django_db(transaction=True)


async def test_the_socket_of_a_table_whose_game_is_missing_says_bye_and_others_of_the_moment_play_on(
    start_table, host, monkeypatch
) -> None:
    table = await in_thread(start_table)
    other = await in_thread(start_table, "bluffing")
    monkeypatch.delitem(apps.app_configs, table.game_id)
    wires = [await connect(one, host) for one in (table, other)]
    for wire in wires:
        await wire.send({"type": "hello", "protocol": 1, "seq": None})
    missing, playing = wires
    assert await missing.closed() == NOT_FOUND
    assert [frame["code"] for frame in missing.passed if frame["type"] == "bye"] == ["no_such_game"]
    await playing.next("state")
    await playing.leave()

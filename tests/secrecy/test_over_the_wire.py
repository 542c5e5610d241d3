"""Nothing that a seat may not know is in any byte that it is sent."""

import json
import os
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from games.kernel.contract import Choice, Event
from games.live import routing  # noqa: F401  starts the relay before a test puts another in its place
from games.live.rooms import hub, relay
from games.models import LogEntry, Table
from games.plugin import all_games
from games.services import publication
from games.services.seats import sittings
from games.services.seats.sittings import TableReader
from games.services.tables.relay import TableNews
from tests.contract.test_views import holds
from tests.secrecy.listeners import Listener, afterwards, browser, in_thread, listen, own_data, while_playing
from tests.secrecy.session import OPENING, SEALED, Evening, open_evening

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(3600)]
SESSIONS = int(os.environ.get("SECRECY_SESSIONS", "0"))
STEPS = 40 if not SESSIONS else 150
TWINS = 5 if not SESSIONS else 12
SEEDS, MOST_SEEDS = 2, 6


@pytest.fixture(autouse=True)
def every_other_entry_comes_from_another_process(monkeypatch):
    """Let the rooms hear of every other entry as another process would tell it, whole."""
    real = relay.on_news

    def on_news(news: publication.News) -> None:
        if not isinstance(news, TableNews) or news.entry.seq % 2:
            real(news)
            return
        message = json.loads(json.dumps({"origin": "other", **relay._message(news)}))
        for each in hub.running():
            each.hand_over(relay.receive, message)

    monkeypatch.setattr(relay, "on_news", on_news)
    others = [listener for listener in publication._listeners if listener is not real]
    monkeypatch.setattr(publication, "_listeners", [*others, on_news])


class Room:
    """A session with everybody who listens to it."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.listeners: list[Listener] = []
        self.before: dict[int, int | None] = {}
        self.compared = 0

    async def open(self, table: Table) -> list[Listener]:
        """Connect all players to a table, spectators too."""
        night, people = self.evening.night, self.evening.players
        return [await listen(p.nickname, table, night, p) for p in people.values()]

    def seats_of(self, listener: Listener) -> set[int]:
        """Return the seat that a listener had as the last entry was written, if any."""
        seat = self.before.get(listener.player.pk) if listener.player is not None else None
        return set() if seat is None else {seat}

    def hold(self, listener: Listener, texts: list[str], events: tuple[Event, ...]) -> None:
        """Fail where texts hold what is kept from a listener."""
        mine = self.seats_of(listener)
        for secret in self.evening.secrets:
            if listener.player is None or listener.player.pk not in secret.heard_by:
                assert not any(secret.words in text for text in texts), (listener.name, secret)
        for event in events:
            if event.audience is not None and not mine & set(event.audience):
                for text in texts:
                    if text.startswith("{"):
                        assert not holds(json.loads(text), event.data), (listener.name, event)

    def hold_log(self, listener: Listener, client: Client, is_over: bool) -> None:
        """Fail where the log tells somebody what their seat heard without them, or not what they heard."""
        pk, table = (listener.player.pk if listener.player is not None else 0), self.evening.table
        if listener.player is None:
            refused = client.get(f"/api/tables/{table.public_id}/events/").json()
            assert refused["code"] == "not_inside", "a screen reads no log"
            return
        sits_now = self.evening.seats.get(pk) is not None
        stored = dict(LogEntry.objects.filter(table=table).values_list("seq", "events"))
        for after in range(0, table.seq, 200):
            cache.clear()
            answer = client.get(f"/api/tables/{table.public_id}/events/?after={after}").json()
            for entry in answer["entries"]:
                sat = self.evening.sat.get(entry["seq"], {})
                for raw, told in zip(stored[entry["seq"]], entry["events"], strict=True):
                    if "audience" in raw:
                        heard = sat.get(pk) in raw["audience"]
                        is_open = is_over and raw.get("until") == "over"
                        is_told = is_open or (heard and sits_now)
                        assert (told["type"] != "hidden") == is_told, (listener.name, entry["seq"], raw)

    def hold_own_data(self, listener: Listener, text: str) -> None:
        """Fail where somebody's own data hold what another one said in secret."""
        for secret in self.evening.secrets:
            if listener.player is None or listener.player.pk != secret.speaker:
                assert secret.words not in text, (listener.name, secret)

    async def step(self) -> bool:
        """Let somebody do something and look at what everybody hears; False at the end."""
        evening = self.evening
        self.before = dict(evening.seats)
        if evening.rng.random() < 0.08 and await in_thread(evening.disturb):
            events: tuple[Event, ...] = ()
        else:
            picked = await in_thread(evening.pick)
            if picked is None:
                return False
            events = await self.play(*picked)
        await in_thread(evening.refresh)
        for listener in self.listeners:
            await listener.until(evening.table.seq)
            self.hold(listener, listener.received(), events)
        return evening.table.status == Table.Status.PLAYING

    async def play(self, choice: Choice, args: dict[str, Any]) -> tuple[Event, ...]:
        """Carry out an answer; where it is a sealed one, its twin beside it."""
        evening = self.evening
        others = other_ways(choice, args)
        if others and self.compared < TWINS:
            return await self.compare(choice, args, evening.rng.choice(others))
        return await in_thread(evening.submit, evening.table, choice, args)

    async def compare(self, choice: Choice, args: dict[str, Any], other: dict[str, Any]) -> tuple[Event, ...]:
        """Answer here one way and at a twin the other way: nobody else can tell which is which."""
        evening = self.evening
        twin = await in_thread(evening.twin)
        listeners = await self.open(twin)
        there = await in_thread(evening.submit, twin, choice, other)
        here = await in_thread(evening.submit, evening.table, choice, args)
        insiders = {s for e in (*here, *there) if e.audience is not None for s in e.audience}
        if insiders and not OPENING & {e.type for e in (*here, *there)}:
            self.compared += 1
            seq = evening.table.seq + 1
            # A screen reads the table that it shows alone, and has no twin.
            for mine, its in zip(self.listeners[:-1], listeners, strict=True):
                if not self.seats_of(mine) & insiders:
                    same = plain(await mine.until(seq)), plain(await its.until(seq))
                    assert same[0] == same[1], (mine.name, choice)
                    await in_thread(self.compare_http, mine, twin)
        for listener in listeners:
            await listener.leave()
        return here

    def compare_http(self, listener: Listener, twin: Table) -> None:
        """Hold what HTTP tells somebody of the two tables against each other."""
        client = browser(listener.night, listener.player)
        told = [while_playing(client, table, listener.night, 0)[:2] for table in (self.evening.table, twin)]
        bodies = [[plain(json.loads(t.split("\n")[-1])) for t in texts] for texts in told]
        for texts in bodies:
            texts[0] = json.dumps(json.loads(texts[0])["state"])
        assert bodies[0] == bodies[1], listener.name

    def look_over_http(self, is_over: bool) -> None:
        """Ask for everything as everybody, and look for what was said in secret."""
        for listener in self.listeners:
            client = browser(listener.night, listener.player)
            if is_over:
                texts = afterwards(client, self.evening.table, listener.night)
                self.hold_own_data(listener, own_data(client))
            else:
                texts = while_playing(client, self.evening.table, listener.night, 0)
            self.hold(listener, texts, ())
            self.hold_log(listener, client, is_over)


def other_ways(choice: Choice, args: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the options that differ in nothing but what only their seat may know yet."""
    secret = SEALED.get(choice.name)
    if secret is None:
        return []
    known = {key: value for key, value in args.items() if key != secret}
    found = [o for o in choice.options if {k: v for k, v in o.items() if k != secret} == known]
    return [option for option in found if option != args]


def plain(frame: Any) -> str:
    """Return a frame without what differs by the clock alone, as text."""

    def cleaned(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: cleaned(v) for k, v in value.items() if k not in ("clocks", "id")}
        return [cleaned(each) for each in value] if isinstance(value, list) else value

    return json.dumps(cleaned(frame), ensure_ascii=False)


async def play_through(game_id: str, seed: int) -> Room:
    """Play a session to its end with everybody listening."""
    room = Room(await in_thread(open_evening, game_id, seed))
    evening = room.evening
    screen = await listen("TV", evening.table, evening.night, None)
    room.listeners = [*await room.open(evening.table), screen]
    try:
        for number in range(STEPS):
            if not await room.step():
                break
            if number % 20 == 19:
                await in_thread(room.look_over_http, False)
        room.before = dict(room.evening.seats)
        await in_thread(room.evening.end)
        await in_thread(room.look_over_http, True)
    finally:
        for listener in room.listeners:
            await listener.leave()
    return room


NOTHING_SEALED = {"bluffing"}
"""Games whose dice alone are hidden: no decision is sealed, so none has a twin."""


@pytest.mark.parametrize("game_id", all_games())
async def test_no_byte_holds_what_its_reader_may_not_know(game_id):
    said = compared = 0
    for seed in range(SESSIONS or MOST_SEEDS):
        room = await play_through(game_id, seed)
        said += len(room.evening.secrets)
        compared += room.compared
        if not await in_thread(lambda played: played.has_hidden, room.evening):
            break
        assert not room.evening.offers_talk or said
        is_compared = compared > 3 or game_id in NOTHING_SEALED
        is_told_enough = is_compared and (not room.evening.offers_talk or said > 10)
        if is_told_enough and not SESSIONS and seed + 1 >= SEEDS:
            break
    else:
        assert is_told_enough, (said, compared)
    print(f"{game_id}: {said} secret lines, {compared} sealed decisions with a twin")


async def test_the_search_bites(monkeypatch):
    """Were talk told to all, it would be found."""
    monkeypatch.setattr(TableReader, "may_read", lambda self, event, seq: True)
    with pytest.raises(AssertionError):
        for seed in range(10):
            await play_through("chouette", seed)


@pytest.mark.day(parts=12, turn=10)
@pytest.mark.parametrize("game_id", ["chouette", "dummygame"])
async def test_the_search_finds_what_an_earlier_sitter_heard(monkeypatch, game_id):
    """Were everything of a seat told to whoever sits there now, it would be found."""
    monkeypatch.setattr(sittings, "_holds", lambda sitting, seq: True)
    with pytest.raises(AssertionError):
        for seed in range(10):
            await play_through(game_id, seed)

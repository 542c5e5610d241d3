"""What a person may read depends on the person and the time: site, API, socket, replay and export agree.

Three in a Team talk; then the seat of one goes to others and comes back. Each who ever sat there
has heard what was said while they did, and reads just that, wherever they ask.
"""

import json
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.models import Night, Player, Seat, Table
from games.services.commands import HOUSE, Actor, Request, new_command_id
from games.services.hosting import device_transfer
from games.services.logs import log_views
from games.services.nights import membership
from games.services.people import merging, players
from games.services.tables import log, setup
from games.services.tables.commit import submit
from tests.live.wire import connect, in_thread
from tests.secrecy.listeners import afterwards, while_playing
from tests.tables.host.host_commands import named
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass
class Team:
    """A chouette whose members talk; `heard` is what was said, by who sat on the seat then."""

    night: Night
    table: Table
    host: Player
    seat: int
    first: Player
    speaker: int
    heard: dict[str, str] = field(default_factory=dict)

    def say(self, word: str, who: str) -> None:
        """Let another member say a word, which `who` (on the seat) hears; "" when nobody sits there."""
        speaker = Seat.objects.get(table=self.table, index=self.speaker).player_id
        choice = next(c for c in self.rules.choices(self.state, self.speaker) if c.name == "say")
        request = Request("say", {"text": word}, new_command_id(), choice.opened_at)
        (event,) = submit(self.table.pk, Actor(speaker), request).events
        assert self.seat in (event.audience or ())
        self.heard[word] = who

    @property
    def rules(self) -> Any:
        from games import plugin

        return plugin.game("chouette").rules

    @property
    def state(self) -> Any:
        self.table.refresh_from_db()
        return log.state_of(self.table)

    def act(self, name: str, **args: Any) -> None:
        """Let the host do something at the table."""
        submit(self.table.pk, Actor(self.host.pk), Request(name, named(self.table, name, args), new_command_id()))

    def words(self, who: str) -> set[str]:
        """Return what somebody has heard on the seat."""
        return {word for word, heard_by in self.heard.items() if heard_by == who}


@pytest.fixture
def team(host, night) -> Team:
    """A table in play with a Team of three, and onlookers at the night."""
    made = [host, *(players.new_guest(f"Guest {n}") for n in range(3))]
    table = setup.open_table(night, host, "chouette", "german", {"consultation": "free"})
    for n, player in enumerate(made):
        membership.join(night, player)
        setup.sit(table, player, accept=True, nonce=f"n{n}")
    setup.start(table, host, new_command_id())
    table.refresh_from_db()
    found = Team(night, table, host, 0, host, 0)
    for number in range(20):
        talkers = [s for s in range(4) if any(c.name == "say" for c in found.rules.choices(found.state, s))]
        if len(talkers) >= 3:
            break
        seat, choice = next((s, c) for s in range(4) for c in found.rules.choices(found.state, s) if c.required)
        sitter = table.seats.get(index=seat).player_id
        request = Request(choice.name, choice.options[0], f"go{number}", choice.opened_at)
        submit(table.pk, Actor(sitter), request)
    mine = [s for s in talkers if table.seats.get(index=s).player_id != host.pk]
    found.seat, found.speaker = mine[0], next(s for s in talkers if s != mine[0])
    found.first = Player.objects.get(seats__table=table, seats__index=found.seat)
    return found


def newcomer(team: Team, name: str) -> Player:
    player = players.new_guest(name)
    membership.join(team.night, player)
    return player


def over_http(team: Team, player: Player | None) -> str:
    """Return all that somebody is told of the table over HTTP while it runs."""
    client = browser_of(player)
    if player is None:
        client.get(reverse("tv", args=[team.night.public_id, team.night.token("tv")]))
    return "\n".join(while_playing(client, team.table, team.night, 0))


async def by_socket(team: Team, player: Player, after: int | None) -> str:
    """Return all that a connection is told that resumes after an entry."""
    wire = await connect(team.table, player)
    told = [await wire.hello(after)]
    told += await wire.rest()
    await wire.leave()
    return json.dumps(told)


def read_of(team: Team, text: str) -> set[str]:
    return {word for word in team.heard if word in text}


def holds_for(team: Team, player: Player, who: str, text: str, *, all_of_it: bool = True) -> None:
    """Fail where a text holds what others heard, or (`all_of_it`) lacks what `who` heard."""
    read = read_of(team, text)
    assert read <= team.words(who), (player.nickname, read)
    assert not all_of_it or read == team.words(who), (player.nickname, read)


def view_of(team: Team, player: Player) -> str:
    head = log_views.snapshot(team.table.pk)
    return json.dumps(head.state_for(head.reader(player.pk)))


async def hold_everywhere(team: Team, player: Player, who: str) -> None:
    """Hold what the API, the pages, the view and the socket tell to what somebody heard."""
    cache.clear()
    holds_for(team, player, who, await in_thread(over_http, team, player))
    holds_for(team, player, who, await in_thread(view_of, team, player))
    for after in (None, 0, team.table.seq // 2, team.table.seq - 1):
        holds_for(team, player, who, await by_socket(team, player, after), all_of_it=after in (None, 0))


async def test_a_new_sitter_reads_nothing_that_was_said_before_they_sat_down(team):
    await in_thread(team.say, "psst-before", "first")
    await hold_everywhere(team, team.first, "first")
    new = await in_thread(newcomer, team, "Nora")
    await in_thread(partial(team.act, "table.substitute", seat=team.seat, player=new.pk))
    await hold_everywhere(team, new, "new")
    await in_thread(team.say, "psst-after", "new")
    await hold_everywhere(team, new, "new")
    assert not await in_thread(lambda: read_of(team, over_http(team, team.first)))


async def test_who_comes_back_reads_again_what_they_heard_and_not_what_was_said_meanwhile(team):
    await in_thread(team.say, "psst-one", "first")
    new = await in_thread(newcomer, team, "Nora")
    await in_thread(partial(team.act, "table.substitute", seat=team.seat, player=new.pk))
    await in_thread(team.say, "psst-two", "new")
    await in_thread(partial(team.act, "table.substitute", seat=team.seat, player=team.first.pk))
    await in_thread(team.say, "psst-three", "first")
    await hold_everywhere(team, team.first, "first")
    assert not await in_thread(lambda: read_of(team, over_http(team, new)))


async def test_what_a_bot_heard_is_not_for_who_takes_the_seat_back(team):
    await in_thread(team.say, "psst-one", "first")
    await in_thread(partial(team.act, "table.substitute", seat=team.seat, bot="net"))
    await in_thread(team.say, "psst-two", "bot")
    await in_thread(partial(team.act, "table.substitute", seat=team.seat, player=team.first.pk))
    await hold_everywhere(team, team.first, "first")


async def test_who_was_kicked_reads_no_more_and_their_successor_starts_anew(team):
    await in_thread(team.say, "psst-one", "first")
    await in_thread(partial(team.act, "table.kick", seat=team.seat))
    assert not await in_thread(lambda: read_of(team, over_http(team, team.first)))
    await in_thread(team.say, "psst-two", "nobody")
    new = await in_thread(newcomer, team, "Nora")
    await in_thread(partial(team.act, "table.substitute", seat=team.seat, player=new.pk))
    await hold_everywhere(team, new, "new")


async def test_who_goes_on_on_another_phone_is_the_same_person(team):
    await in_thread(team.say, "psst-one", "first")

    def move():
        asked, secret = device_transfer.request_move(team.night, team.first.pk)
        device_transfer.approve_move(team.night, team.host, team.first.pk, asked.number)
        return device_transfer.use_move(secret)

    assert await in_thread(move) == team.first
    holds_for(team, team.first, "first", await in_thread(view_of, team, team.first))


async def test_who_was_joined_to_another_player_keeps_what_they_heard(team):
    await in_thread(team.say, "psst-one", "first")
    new = await in_thread(newcomer, team, "Nora")
    await in_thread(merging.merge, team.first, new)
    await in_thread(team.say, "psst-two", "first")
    await hold_everywhere(team, new, "first")


async def test_an_open_line_reads_on_as_whoever_sits_there(team):
    """No frame of a line that is open all the time holds more than its player hears."""
    new = await in_thread(newcomer, team, "Nora")
    lines = {"first": await connect(team.table, team.first), "new": await connect(team.table, new)}
    told = {who: [await line.hello(None)] for who, line in lines.items()}
    for sitter, player in (("first", team.first), ("new", new), ("first", team.first)):
        if team.heard:
            await in_thread(partial(team.act, "table.substitute", seat=team.seat, player=player.pk))
        for who, line in lines.items():
            told[who] += await line.rest()
        await in_thread(team.say, f"psst-{len(team.heard)}", sitter)
        for who, line in lines.items():
            told[who] += await line.rest()
    for who, line in lines.items():
        assert read_of(team, json.dumps(told[who])) == team.words(who)
        await line.leave()


async def test_the_log_after_the_game_tells_nobody_what_a_team_said(team):
    await in_thread(team.say, "psst-one", "first")
    new = await in_thread(newcomer, team, "Nora")
    await in_thread(partial(team.act, "table.substitute", seat=team.seat, player=new.pk))
    await in_thread(team.say, "psst-two", "new")
    end = Request("table.end", {}, new_command_id())
    await in_thread(submit, team.table.pk, HOUSE, end)
    await in_thread(team.table.refresh_from_db)
    for player, who in ((team.first, ""), (new, "new"), (team.host, None)):
        texts = await in_thread(lambda player=player: afterwards(browser_of(player), team.table, team.night))
        if who is not None:
            holds_for(team, player, who, "\n".join(texts), all_of_it=False)
        exported = await in_thread(lambda player=player: exports(browser_of(player), team))
        assert not read_of(team, exported), player.nickname


def exports(client: Client, team: Team) -> str:
    """Return the log, the replay and the files of a table."""
    place = f"/api/tables/{team.table.public_id}"
    found = [client.get(reverse("table_log", args=[team.table.public_id])), client.get(f"{place}/replay/")]
    found += [client.get(file["url"]) for file in client.get(f"{place}/files/").json()["files"]]
    return "\n".join(answer.content.decode("utf-8", "replace") for answer in found)


async def test_a_sealed_answer_is_known_to_who_gave_it_and_not_to_their_successor(night, host, make_player):
    """A bid stays sealed from whoever takes the seat, in every answer of the house."""

    def play():
        table = setup.open_table(night, host, "dummygame", "quick", {})
        kari, nora = make_player("Kari"), make_player("Nora")
        for player in (host, kari, nora):
            membership.join(night, player)
        for player in (host, kari):
            setup.sit(table, player, accept=True, nonce="n")
        setup.start(table, host, "go")
        submit(table.pk, Actor(kari.pk), Request("bid", {"number": 2}, "bid", 1))
        seen = {"before": bid(table, kari)}
        give = partial(Request, "table.substitute")
        submit(table.pk, Actor(host.pk), give({"seat": 1, "sitter": kari.pk, "player": nora.pk}, "a"))
        seen["successor"] = bid(table, nora)
        submit(table.pk, Actor(host.pk), give({"seat": 1, "sitter": nora.pk, "player": kari.pk}, "b"))
        seen["back"] = bid(table, kari)
        return seen

    assert await in_thread(play) == {"before": (2, 2), "successor": (None, None), "back": (2, 2)}


def bid(table: Table, player: Player) -> tuple[Any, Any]:
    """Return a seat's bid as the API's view and as its events tell it."""
    cache.clear()
    client = browser_of(player)
    view = client.get(f"/api/tables/{table.public_id}/").json()["state"]["view"]
    entries = client.get(f"/api/tables/{table.public_id}/events/").json()["entries"]
    told = [e["data"]["number"] for entry in entries for e in entry["events"] if e["type"] == "bid_sealed"]
    return view["bid"], told[0] if told else None


async def test_what_is_known_of_a_table_is_the_same_after_a_restart(team):
    """Another process, or this one started anew, reads from the log who sat where."""
    await in_thread(team.say, "psst-one", "first")
    new = await in_thread(newcomer, team, "Nora")
    await in_thread(partial(team.act, "table.substitute", seat=team.seat, player=new.pk))
    await in_thread(team.say, "psst-two", "new")
    before = await in_thread(view_of, team, new)
    await in_thread(log.forget_all)
    holds_for(team, new, "new", await in_thread(view_of, team, new))
    assert json.loads(before)["view"] == json.loads(await in_thread(view_of, team, new))["view"]

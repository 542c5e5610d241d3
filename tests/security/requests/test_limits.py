"""The site, the API and the sockets share one set of limits; nobody else is locked out by them."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.db import connection
from django.http import HttpResponse, HttpResponseBase
from django.test import AsyncRequestFactory, Client
from django.urls import get_resolver, reverse

from games.addresses import network_of
from games.kernel.contract import Illegal
from games.models import ChatMessage, Night, NightEvent, Player, Table
from games.ops import move_priority
from games.ops.requests import page_threads
from games.services import rate_limit
from games.services.chat import chat
from games.services.history.exports import File
from games.services.nights import membership
from games.services.people import players, tokens
from games.services.tables import setup
from games.services.tables.registry import COMMANDS
from games.streams import Stream, download
from games.web import busy
from tests.security.roles.roles import address, make_world, patterns, rows
from tests.web.pages import browser_of, join_link

pytestmark = pytest.mark.django_db
JSON = {"content_type": "application/json"}
RATES = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]


def api(player: Player) -> Client:
    """Return a program that acts for a player's account, by a token."""
    user = get_user_model().objects.create_user(f"user{player.pk}", password="x")
    Player.objects.filter(pk=player.pk).update(user=user)
    _, secret = tokens.create(user, "bot", "play", None)
    return Client(headers={"Authorization": f"Bearer {secret}"})


def test_every_limit_is_declared_once_with_how_many_and_for_whom() -> None:
    names = {str(pattern.name) for _, pattern in patterns()}
    for declared in (rate_limit.WRITES, rate_limit.READS, rate_limit.LINKS, rate_limit.KEPT):
        assert {name.split("/")[0] for name in declared} <= names
    assert rate_limit.COMMANDS.keys() <= COMMANDS.keys()
    assert set(rate_limit.COMMANDS.values()) <= RATES.keys()
    for declared in (rate_limit.WRITES, rate_limit.READS):
        assert {limit for found in declared.values() for limit in found} <= RATES.keys()
    for name in RATES:
        assert rate_limit.per_minute(name) > 0


def test_renames_are_limited_and_each_is_no_line_in_the_news(night: Night, host: Player) -> None:
    browser = browser_of(host)
    codes = [browser.post(reverse("me"), {"nickname": f"Hanna {n}"}).status_code for n in range(9)]
    most = rate_limit.per_minute("rename")
    assert codes == [302] * most + [429] * (9 - most)
    assert NightEvent.objects.filter(type="renamed").count() == most


def test_joining_under_another_name_again_and_again_counts_as_renaming(night: Night, host: Player) -> None:
    browser = browser_of(host)
    codes = [browser.post(join_link(night), {"nickname": f"Hanna {n}"}).status_code for n in range(8)]
    assert codes.count(429) == 8 - rate_limit.per_minute("rename")


def test_tables_opened_on_the_site_and_by_the_api_count_together(night: Night, host: Player) -> None:
    program, most = api(host), rate_limit.per_minute("table")
    where = reverse("api_night_tables", args=[night.public_id])
    sent = {"game": "dummygame"}
    codes = [program.post(where, sent, **JSON).status_code for _ in range(most)]
    assert codes == [201] * most
    assert program.post(where, sent, **JSON).json()["code"] == "too_many"
    site = Client()
    site.force_login(get_user_model().objects.get())
    page = site.post(reverse("new_table", args=[night.public_id]), {"game": "dummygame", "preset": "quick"})
    assert page.status_code == 429
    assert int(page["Retry-After"]) > 0
    assert Table.objects.count() == most


def test_nights_opened_on_the_site_and_by_the_api_count_together(host: Player) -> None:
    program, most = api(host), rate_limit.per_minute("night")
    codes = [program.post(reverse("api_nights"), {"name": "N"}, **JSON).status_code for _ in range(most)]
    assert codes == [201] * most
    site = Client()
    site.force_login(get_user_model().objects.get())
    assert site.post(reverse("host"), {"name": "N", "nickname": "Hanna"}).status_code == 429


def test_whatever_changes_something_is_counted_for_the_person(night: Night, host: Player) -> None:
    act = reverse("night_act", args=[night.public_id, "lock"])
    browsers = [browser_of(host), browser_of(host)]
    codes = [browsers[n % 2].post(act).status_code for n in range(rate_limit.per_minute("command") + 1)]
    assert codes[-2:] == [302, 429]


def test_one_guests_flood_locks_out_nobody_behind_the_same_address(night: Night, host: Player) -> None:
    guest = players.new_guest("Kari")
    membership.join(night, guest)
    for _ in range(rate_limit.per_minute("rename") + 1):
        rate_limit.note("rename", f"player-{guest.pk}")
    assert browser_of(guest).post(reverse("me"), {"nickname": "Other"}).status_code == 429
    assert browser_of(host).post(reverse("me"), {"nickname": "Other"}).status_code == 302
    assert browser_of().get(join_link(night)).status_code == 200


def test_a_full_pub_behind_one_address_comes_in_within_a_minute(night: Night) -> None:
    night.cap = 300
    night.save()
    for number in range(120):
        browser = browser_of()
        assert browser.get(join_link(night)).status_code == 200
        assert browser.post(join_link(night), {"nickname": f"Guest {number}"}).status_code == 302


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("10.0.0.1", "10.0.0.2", False),
        ("", "", True),
        ("nonsense", "nonsense", True),
    ],
)
def test_an_ipv6_address_counts_with_its_network(one: str, other: str, is_same: bool) -> None:
    assert (network_of(one) == network_of(other)) is is_same


def test_chat_is_limited_for_the_person(open_table: Callable[..., Table], host: Player) -> None:
    table, most = open_table(), rate_limit.per_minute("chat")
    for number in range(most):
        chat.say(table.pk, host.pk, f"line {number}")
    with pytest.raises(Illegal, match="too_many"):
        chat.say(table.pk, host.pk, "one more")
    assert ChatMessage.objects.count() == most
    chat.say(table.pk, table.seats.get(index=1).player_id, "somebody else")


def test_files_are_limited(night: Night, host: Player) -> None:
    browser = browser_of(host)
    where = reverse("night_file", args=[night.public_id, "results.csv"])
    codes = [browser.get(where).status_code for _ in range(rate_limit.per_minute("export") + 1)]
    assert codes[-2:] == [200, 429]
    assert browser.get(reverse("api_night_file", args=[night.public_id, "results.csv"])).status_code == 429


def test_a_night_has_so_many_tables_and_staff_may_open_more(night: Night, host: Player, settings: Any) -> None:
    settings.TABLES_PER_NIGHT = 2
    for _ in range(2):
        setup.open_table(night, host, "dummygame", "quick", {})
    browser = browser_of(host)
    where = reverse("api_night_tables", args=[night.public_id])
    refused = browser.post(where, {"game": "dummygame"}, **JSON)
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_tables")
    page = browser.post(reverse("new_table", args=[night.public_id]), {"game": "dummygame", "preset": "quick"})
    assert page.status_code == 400
    assert night.tables.count() == 2
    host.user = get_user_model().objects.create_user("bar", is_staff=True)
    host.save()
    setup.open_table(night, host, "dummygame", "quick", {})
    settings.TABLES_PER_NIGHT = 0
    host.user.is_staff = False
    host.user.save()
    setup.open_table(night, host, "dummygame", "quick", {})


def test_a_finished_table_opens_no_next_one_beyond_the_nights_tables(
    start_table: Callable[..., Table], host: Player, settings: Any
) -> None:
    table = start_table()
    Table.objects.update(status=Table.Status.FINISHED)
    settings.TABLES_PER_NIGHT = 1
    with pytest.raises(Illegal, match="too_many_tables"):
        setup.play_again(table, host)


def test_a_guest_hosts_so_many_nights_at_a_time(host: Player, settings: Any) -> None:
    settings.NIGHTS_PER_HOST = 2
    first = membership.host_night(host, "One")
    membership.host_night(host, "Two")
    refused = browser_of(host).post(reverse("host"), {"name": "Three", "nickname": "Hanna"})
    assert refused.status_code == 400
    assert "You host 2 nights" in refused.content.decode()
    membership.close(first, host)
    assert membership.host_night(host, "Three")
    host.user = get_user_model().objects.create_user("bar", is_staff=True)
    host.save()
    assert membership.host_night(host, "Four")


def test_a_strangers_get_stores_no_session(night: Night) -> None:
    world = make_world()
    before = Session.objects.count()
    for method, name, parts in rows().values():
        if method == "get" and not name.startswith("tv"):
            browser_of().get(address(world, name, parts))
    browser_of().get(reverse("tv", args=[night.public_id, "0" * 32]))
    assert Session.objects.count() == before


def test_a_stranger_who_switches_the_language_stores_no_session() -> None:
    browser = browser_of()
    browser.post(reverse("set_language"), {"language": "de", "nickname": "Kari;ø"})
    assert Session.objects.count() == 0
    assert 'value="Kari;ø"' in browser.get("/").content.decode()


def test_screens_store_no_session_however_many(night: Night) -> None:
    where = reverse("tv", args=[night.public_id, night.token("tv")])
    assert [browser_of().get(where).status_code for _ in range(25)] == [200] * 25
    assert Session.objects.count() == 0


class Site(page_threads.Application):
    """The site up to the page threads; a page is made once `made` is set."""

    def __init__(self) -> None:
        self.made, self.at_work = asyncio.Event(), 0

    async def asked(self, path: str) -> HttpResponseBase:
        """Return the answer to somebody who asks for a page."""
        request = AsyncRequestFactory().get(path)
        request.scope[page_threads.ENDED] = asyncio.Event()
        return await self.get_response_async(request)


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Site:
    async def made(self: Site, request: Any) -> HttpResponseBase:
        if request.is_turned_away:
            return busy.answer(request)
        self.at_work += 1
        await self.made.wait()
        self.at_work -= 1
        return HttpResponse("a page")

    monkeypatch.setattr(page_threads.Application, "answered", made)
    monkeypatch.setattr(busy, "render", lambda *args, status: HttpResponse(status=status))
    return Site()


RESULTS, LEADERBOARD, LIGHT = "/night/a/results/", "/api/nights/a/leaderboard/", "/night/a/"


async def test_heavy_pages_are_made_one_at_a_time_and_who_waits_too_long_is_told(site: Site, settings: Any) -> None:
    settings.HEAVY_SECONDS = 0.05
    first = asyncio.create_task(site.asked(RESULTS))
    await asyncio.sleep(0)
    page, told = await site.asked(RESULTS), await site.asked(LEADERBOARD)
    assert site.at_work == 1
    assert (page.status_code, told.status_code, json.loads(told.content)["code"]) == (503, 503, "busy")
    assert page["Retry-After"] == told["Retry-After"] == "5"
    site.made.set()
    assert (await first).status_code == 200
    assert (await site.asked(RESULTS)).status_code == 200


async def test_heavy_pages_that_wait_leave_the_places_to_all_others(site: Site, settings: Any) -> None:
    settings.DATABASE_POOL = 3
    heavy = [asyncio.create_task(site.asked(RESULTS)) for _ in range(20)]
    await asyncio.sleep(0.01)
    light = [asyncio.create_task(site.asked(LIGHT)) for _ in range(20)]
    await asyncio.sleep(0.01)
    assert site.at_work == 3
    site.made.set()
    assert {(await page).status_code for page in (*light, *heavy)} == {200}


async def test_who_opens_a_page_does_not_wait_behind_all_phones_that_fetch_what_is_new(site: Site) -> None:
    fetched = [asyncio.create_task(site.asked("/tournament/a/live/")) for _ in range(40)]
    await asyncio.sleep(0.01)
    opened = asyncio.create_task(site.asked("/tournament/a/"))
    await asyncio.sleep(0.01)
    assert site.at_work == page_threads.REFRESHES + 1
    site.made.set()
    assert {(await page).status_code for page in (opened, *fetched)} == {200}


def test_addresses_from_which_open_pages_fetch_what_is_new_have_names_that_say_so() -> None:
    found = [(address, str(pattern.name)) for address, pattern in patterns()]
    live = [name for address, name in found if address.endswith("/live/")]
    assert live and live == [name for _, name in found if name.endswith(page_threads.REFRESH)]


async def test_pieces_of_files_are_made_when_no_heavy_page_is(site: Site) -> None:
    page = asyncio.create_task(site.asked(RESULTS))
    await asyncio.sleep(0.01)
    file = download(File(iter(["one", "two"]), "text/plain", "x.txt"))
    assert isinstance(file, Stream)
    pieces = file.__aiter__()
    first = asyncio.ensure_future(anext(pieces))
    await asyncio.sleep(0.05)
    assert not first.done()
    site.made.set()
    assert await first == b"one"
    # Between two pieces the turn is others': who reads slowly keeps nobody out.
    assert (await site.asked(RESULTS)).status_code == 200
    assert await anext(pieces) == b"two"
    await page


def test_a_page_makes_no_query_while_moves_are_carried_out(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_priority, "LONGEST_WAIT_SECONDS", 20)
    context = {"connection": SimpleNamespace(in_atomic_block=False)}
    done = threading.Event()

    def query(*args: Any) -> None:
        move_priority.after_moves(lambda *args: done.set(), "SELECT 1", None, False, context)

    with move_priority.moves_first():
        page = threading.Thread(target=query)
        page.start()
        assert not done.wait(0.1)
    assert done.wait(10)
    page.join()
    with move_priority.moves_first():
        # One that holds the writer's lock never waits for the writer.
        assert connection.in_atomic_block
        move_priority.after_moves(lambda *args: None, "SELECT 1", None, False, {"connection": connection})


def test_turns_are_short_while_a_page_is_made_and_shortest_for_moves_beside_it() -> None:
    usual = sys.getswitchinterval()
    with move_priority.moves_first():
        assert sys.getswitchinterval() == usual, "moves alone pay nothing for it"
        with move_priority.behind_moves(), move_priority.short_turns():
            beside_a_page = sys.getswitchinterval()
        assert sys.getswitchinterval() == usual
    with move_priority.behind_moves():
        assert beside_a_page < sys.getswitchinterval() < usual
    assert sys.getswitchinterval() == usual


def test_every_file_and_every_page_over_results_waits_its_turn() -> None:
    names = {str(p.name) for _, p in patterns(get_resolver())}
    parts = ("file", "result", "leader", "rivals", "log", "season")
    wanted = {name for name in names if any(part in name for part in parts)}
    light = {"my_data_file", "profile", "account_login", "account_logout", "api_result", "admin:login", "house_logo"}
    light |= {"seasons", "api_seasons"}
    assert wanted - light <= rate_limit.READS.keys() | rate_limit.WRITES.keys()


def test_an_act_by_its_shared_address_counts_as_by_its_own(night: Night, open_table: Any, host: Player) -> None:
    """Opening a table again, and answering a date, keep their limits where all acts of a thing have one address."""
    where = reverse("api_table_acts", args=[open_table("dummygame", "hidden").public_id])
    browser = browser_of(host)
    answers = [
        browser.post(where, {"act": "again", "args": {}}, **JSON).status_code
        for _ in range(rate_limit.per_minute("table") + 1)
    ]
    assert 429 not in answers[:-1] and answers[-1] == 429
    assert browser.post(where, "[", **JSON).status_code == browser.post(where, [1], **JSON).status_code == 400
    assert rate_limit.special("POST", "api_date_acts", {"act": "answer"}) == ("answer",)
    assert rate_limit.special("POST", "api_date_acts", {"act": "cancel"}) == ("season",)

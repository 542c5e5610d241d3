"""Strangers' requests: a form needs its token, looking changes nothing, bodies end at 64 KiB."""

import hashlib
import json
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import get_resolver, reverse

from games.live.servers.connection_limits import BODY_SECONDS
from games.models import Membership, Player, Seat
from games.ops.requests.body_limit import LONGEST_BODY, at_most, declared
from games.ops.session_keys import SessionStore
from games.web import identity
from games.web.people import claims
from tests.people.browsers import log_in, make_account, sign_up
from tests.security.roles.roles import World, address, make_world, rows
from tests.seeds import share_of_day
from tests.web.pages import browser_of, join_link, table_do

pytestmark = pytest.mark.django_db
READS = ("SELECT ", "SAVEPOINT ", "RELEASE SAVEPOINT ")
# What a login, a look or a count writes down: no change of anybody's things.
BOOKKEEPING = {"session", "usersession", "emailaddress"}


@pytest.fixture(autouse=True)
def _no_tries_yet() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def world(db) -> World:
    return make_world()


def strict(world: World, role: str) -> Client:
    """Return a role's browser at a server that checks tokens of forms."""
    browser = Client(enforce_csrf_checks=True)
    browser.cookies = world.browser(role).cookies
    return browser


@pytest.mark.parametrize("role", ["host", "guest", "staff"])
def test_every_post_without_its_token_is_refused(world, role):
    browser, lenient = strict(world, role), world.browser("nobody")
    for row, (method, name, wanted) in rows().items():
        if method == "get":
            continue
        cache.clear()
        where = address(world, name, wanted)
        send = browser.post if method == "post" else browser.delete
        status = send(where, {}, content_type="application/json").status_code
        if status != 403:
            # Nothing to forge: the address takes no such request, or staff are no player here.
            assert status in {401, 404, 405}, (row, status)
            asked = lenient.post if method == "post" else lenient.delete
            assert asked(where, {}, content_type="application/json").status_code == status, row


def test_every_form_of_the_admin_without_its_token_is_refused(world):
    browser = strict(world, "staff")
    names = {key for key in _admin_names() if isinstance(key, str)}
    assert len(names) > 20
    for name in names:
        try:
            where = reverse(f"admin:{name}")
        except Exception:
            where = ""
        if where:
            assert browser.post(where, {}).status_code == 403, name


def _admin_names() -> list[object]:
    return list(get_resolver("games.admin.urls").reverse_dict)


def test_a_page_of_elsewhere_that_has_a_token_is_refused_by_its_origin(world):
    browser = strict(world, "host")
    browser.get(reverse("home"))
    token = browser.cookies["csrftoken"].value
    forged = {"csrfmiddlewaretoken": token, "nickname": "Forged"}
    answer = browser.post(reverse("me"), forged, headers={"origin": "http://evil.example"})
    assert answer.status_code == 403
    own = browser.post(reverse("me"), forged, headers={"origin": "http://testserver"})
    assert own.status_code == 302


def test_a_token_of_the_api_needs_no_form_and_a_cookie_beside_it_lends_it_nothing(world, night):
    browser = strict(world, "host")
    refused = browser.post("/api/nights/", {"name": "X"}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "no_csrf")
    false = browser.post(
        "/api/nights/",
        {"name": "X"},
        content_type="application/json",
        headers={"authorization": "Bearer stt_false"},
    )
    assert (false.status_code, false.json()["code"]) == (401, "bad_token")


def everything() -> str:
    """Return a digest of all rows of the house, but for sessions."""
    found = []
    for model in apps.get_models():
        if model._meta.model_name not in BOOKKEEPING and model is not Session:
            rows = model.objects.order_by("pk").values()
            found.append([model._meta.label, list(rows.values_list())])
    return hashlib.sha256(json.dumps(found, default=str).encode()).hexdigest()


@pytest.mark.parametrize("role", share_of_day(["nobody", "waiting", "onlooker", "host", "staff"], 2))
def test_looking_at_any_address_changes_nothing(world, role):
    browser = world.browser(role)
    # An account that never played gets its (empty) player when it first asks for its data.
    browser.get(reverse("my_data"))
    before, written = everything(), []

    def noted(execute, sql, *rest):
        if not sql.startswith(READS):
            written.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(noted):
        for row, (method, name, wanted) in rows().items():
            if method == "get":
                cache.clear()
                where = address(world, name, wanted)
                browser.get(where)
                browser.head(where)
                assert not written or everything() == before, (row, written)
                written.clear()
    assert everything() == before


def test_following_a_join_link_joins_nobody(night):
    browser = browser_of()
    for method in (browser.get, browser.head, browser.options, browser.put, browser.delete):
        method(join_link(night), follow=True)
    assert night.memberships.count() == 1
    assert Player.objects.count() == 1


# A new session key with every new right.


def key_of(browser: Client) -> str:
    return browser.cookies["sessionid"].value


def test_joining_changes_the_session_key(night):
    browser = browser_of()
    session = SessionStore()
    session.create()
    planted = browser.cookies["sessionid"] = str(session.session_key)
    browser.post(join_link(night), {"nickname": "Kari"})
    assert key_of(browser) != planted
    assert not SessionStore().exists(planted)


def test_logging_in_signing_up_and_out_change_the_session_key(night):
    make_account("kari")
    browser = browser_of()
    browser.post(join_link(night), {"nickname": "Guest"})
    keys = [key_of(browser)]
    for act in (
        lambda: log_in(browser),
        lambda: browser.post(reverse("account_claim"), {"answer": "yes"}),
        lambda: browser.post(reverse("account_logout")),
        lambda: sign_up(browser, "nils"),
    ):
        act()
        keys.append(browser.cookies["sessionid"].value)
    assert len(set(keys)) == len(keys)
    assert not any(SessionStore().exists(key) for key in keys[:-1] if key)
    assert claims.become is identity.become


def test_taking_a_seat_changes_the_session_key_and_the_old_one_opens_nothing(night, open_table):
    table = open_table(seats=1)
    open_table(seats=1)
    browser = browser_of()
    browser.post(join_link(night), {"nickname": "Kari"})
    old = key_of(browser)
    assert browser.post(table_do(table, "sit")).status_code == 302
    assert key_of(browser) != old
    assert Seat.objects.filter(table=table, player__nickname="Kari").exists()
    thief = Client()
    thief.cookies["sessionid"] = old
    assert thief.get(reverse("night", args=[night.public_id])).status_code == 403


def test_taking_a_seat_by_the_api_changes_the_session_key(night, open_table, guest):
    table, player = open_table(seats=1), guest("Kari")
    browser = browser_of(player)
    old = key_of(browser)
    sat = browser.post(f"/api/tables/{table.public_id}/seats/", {}, content_type="application/json")
    assert sat.status_code == 201
    assert key_of(browser) != old
    assert not SessionStore().exists(old)


def test_a_page_that_asks_with_the_key_of_before_leaves_the_new_one_alone(night, open_table):
    table, browser = open_table(seats=1), browser_of()
    open_table(seats=1)
    browser.post(join_link(night), {"nickname": "Kari"})
    late = Client()
    late.cookies["sessionid"] = key_of(browser)
    browser.post(table_do(table, "sit"))
    answer = late.get(reverse("night_live", args=[night.public_id]))
    assert answer.status_code == 204
    assert "sessionid" not in answer.cookies
    assert Membership.objects.filter(night=night, player__nickname="Kari").count() == 1


# Bodies.


@pytest.mark.parametrize("role", ["nobody", "host", "staff"])
def test_a_body_of_more_than_64_kib_is_refused_at_every_address(world, role):
    browser = world.browser(role)
    big = "x" * (LONGEST_BODY + 1)
    for row, (method, name, wanted) in rows().items():
        if method != "post":
            continue
        where = address(world, name, wanted)
        for kind in ("application/json", "application/x-www-form-urlencoded", "text/plain"):
            answer = browser.post(where, big, content_type=kind)
            assert answer.status_code == 413, (row, kind)
        if where.startswith("/api/"):
            assert answer.json()["code"] == "too_long"
            assert answer.json()["message"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "That is too long."),
        ("de", "Das ist zu lang."),
        ("nb", "Det er for langt."),
        ("fr", "C’est trop long."),
        ("it", "È troppo lungo."),
    ],
)
def test_that_a_body_is_too_long_is_said_in_the_readers_language(language, said):
    headers = {"accept-language": language}
    page = browser_of().post(reverse("host"), {"name": "x" * (LONGEST_BODY + 1)}, headers=headers)
    assert page.status_code == 413
    assert said in page.content.decode()
    refused = browser_of().post("/api/nights/", "x" * (LONGEST_BODY + 1), content_type="text/plain", headers=headers)
    assert refused.json()["message"] == said


def test_a_file_of_house_rules_counts_as_a_body(world):
    where = reverse("rule_import")
    big = SimpleUploadedFile("rules.json", b" " * LONGEST_BODY)
    assert world.browser("host").post(where, {"file": big}).status_code == 413
    nearly = SimpleUploadedFile("rules.json", b" " * (LONGEST_BODY - 1024))
    assert world.browser("host").post(where, {"file": nearly}).status_code == 400


def test_a_form_with_too_many_fields_is_refused(world):
    many = "&".join(f"a{n}=1" for n in range(2000))
    kind = "application/x-www-form-urlencoded"
    assert world.browser("host").post(reverse("me"), many, content_type=kind).status_code == 400


async def body_seen(chunks: list[bytes], *headers: tuple[bytes, bytes]) -> tuple[int, bool]:
    """Return how much of a body an application gets, and whether it is told that it is long."""
    seen = []

    async def inner(scope, receive, send):
        size, more = 0, True
        while more:
            message = await receive()
            size, more = size + len(message["body"]), message["more_body"]
        seen.append((size, "games.body_too_long" in scope))

    waiting = iter(chunks)

    async def receive():
        return {"type": "http.request", "body": next(waiting), "more_body": True}

    async def receive_all():
        chunk = next(waiting)
        rest = waiting.__length_hint__()
        return {"type": "http.request", "body": chunk, "more_body": rest > 0}

    endless = len(chunks) > 100
    scope = {"type": "http", "headers": list(headers)}
    await at_most(inner, BODY_SECONDS)(scope, receive if endless else receive_all, None)
    return seen[0]


async def test_no_server_hands_on_more_of_a_body_than_64_kib():
    assert await body_seen([b"x" * 100, b"y" * 5]) == (105, False)
    assert await body_seen([b"x" * LONGEST_BODY]) == (LONGEST_BODY, False)
    assert await body_seen([b"x" * LONGEST_BODY, b"y"]) == (0, True)
    assert await body_seen([b"x" * 1000] * 1000) == (0, True)
    told = (b"content-length", str(LONGEST_BODY + 1).encode())
    assert await body_seen([], told) == (0, True)


def test_a_length_that_is_no_number_is_too_long():
    assert declared([(b"content-length", b"12")]) == 12
    assert declared([(b"content-length", b"-1")]) > LONGEST_BODY
    assert declared([]) == 0

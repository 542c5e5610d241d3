"""Who may do an act at a night, by which way, and what a refusal says: the registry of acts × everybody × site and API.

What each is told follows from the declared right alone, so that a new act needs no line here. Commands of a table are
walked by test_roles.py (sockets) and test_acting.py.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games import refusals
from games.services import server_time
from games.services.acts import Act
from games.services.nights import membership
from games.services.nights.registry import NIGHT, NightRight
from games.services.people import players
from games.services.tables import log
from games.services.tables.registry import COMMANDS, TableRight
from tests.security.roles import roles
from tests.security.roles.roles import API_SENT, ROLES, World, expected

FORMER = "former"
"""Who was the host until somebody took over, and may take the night back that evening."""
EVERYBODY = (*ROLES, FORMER)
MEMBERS = ("onlooker", "guest", "host", FORMER)
OUTSIDE = {"waiting": "not_inside", "other": "not_inside", "kicked": "removed", "banned": "banned"}
"""Who has a name but is not in → the code of every refusal; others hear `not_inside` or, by the API, `not_known`."""
OWN = {"renew_share": "share_closed", "reclaim": "not_former_host", "take_over": "host_is_here"}
"""Act → what its service says in this world to those who have the right."""
API = {
    "close": ("post", "api_night_close"),
    "take_over": ("post", "api_night_take_over"),
    "reclaim": ("post", "api_night_reclaim"),
    "remove_newcomers": ("post", "api_night_remove_newcomers"),
}
"""Act → method and name of its address in the API."""


def right_code(role: str, act: Act, nameless: str) -> str:
    """Return the code with which a role is refused an act for want of the right; "" for who has it: the law."""
    if role not in MEMBERS:
        return OUTSIDE.get(role, nameless)
    return "not_host" if act.right != NightRight.MEMBER and role != "host" else ""


@contextmanager
def undone() -> Iterator[None]:
    """Let nothing of what happens inside stay."""
    cache.clear()
    log.forget_all()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def world(db: None) -> World:
    """Return a world whose night was taken over, an hour ago, from one more member."""
    found = roles.make_world()
    membership.set_admission(found.night, found.people["host"], False, 60)
    found.people[FORMER] = players.new_guest("Former")
    membership.join(found.night, found.people[FORMER])
    found.night.former_hosts = [{"player": found.people[FORMER].pk, "at": server_time.now_ms() - 60 * 60 * 1000}]
    found.night.save(update_fields=["former_hosts"])
    return found


@pytest.fixture
def browsers(world: World) -> dict[str, Client]:
    """Return a browser of everybody."""
    return {role: world.browser(role) for role in EVERYBODY}


def said_by_site(world: World, browser: Client, name: str) -> tuple[int, str]:
    """Return the status of a form's answer and, where it is a page, what stands there."""
    with undone():
        answer = browser.post(reverse("night_act", args=[world.night.public_id, name]), roles.sent_form(world))
        return answer.status_code, html.unescape(answer.content.decode())


def code_by_api(world: World, browser: Client, name: str) -> str:
    """Return the code of a refusal, "" for none; a refusal says in words what its code means."""
    method, address = API[name]
    where = reverse(address, args=[world.night.public_id])
    body = API_SENT.get(where.rstrip("/").rsplit("/", 1)[-1], {})
    with undone():
        answer = getattr(browser, method)(where, body, content_type="application/json")
        if answer.status_code < 400:
            return ""
        found: dict[str, Any] = answer.json()
        assert found["message"] == refusals.translate(found["code"], found["params"]), name
        assert answer.status_code == refusals.refusal(found["code"]).status, name
        return str(found["code"])


def test_an_act_by_the_site_is_for_those_with_its_right_and_the_others_read_why(
    world: World, browsers: dict[str, Client]
) -> None:
    wrong = []
    for name, act in NIGHT.items():
        for role, browser in browsers.items():
            code = right_code(role, act, "not_inside")
            status, page = said_by_site(world, browser, name)
            own = refusals.refusal(OWN[name]) if name in OWN and (name, role) != ("reclaim", FORMER) else None
            allowed = own.status if own is not None and own.page else 302
            is_right = (
                status == refusals.refusal(code).status and refusals.translate(code, {}) in page
                if code
                else (status == allowed)
            )
            if not is_right:
                wrong.append(f"{name}: {role} hears {status}, not {code or allowed}")
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize("name", sorted(API))
def test_an_act_by_the_api_is_for_those_with_its_right_and_the_others_are_told_why(
    name: str, world: World, browsers: dict[str, Client]
) -> None:
    found = {role: code_by_api(world, browser, name) for role, browser in browsers.items()}
    wanted = {role: right_code(role, NIGHT[name], "not_known") or OWN.get(name, "") for role in EVERYBODY}
    if name == "reclaim":
        wanted[FORMER] = ""
    assert found == wanted


ARGS: dict[str, Any] = {
    **{"claim": 1, "number": "123456", "cap": 60, "by_hand": False, "since": "2100-01-01T00:00:00Z"},
    **{"wifi_name": "", "wifi_password": "", "phone_address": "", "sure": True, "calls": False},
    **{"address": "https://chat.example.org/in", "shape": "json"},
    **{"letters": "CCCC", "name": "Bar", "all_nights": False, "screen": "none", "tables": "latest"},
}
"""The arguments of acts at a night, but for the person that they are about."""


@pytest.mark.parametrize("name", sorted(NIGHT))
def test_the_address_of_all_acts_refuses_those_without_the_right_as_the_page_does(
    name: str, world: World, browsers: dict[str, Client]
) -> None:
    sent = {**ARGS, "player": world.people["guest"].pk}
    body = {"act": name, "args": {each.name: sent[each.name] for each in NIGHT[name].parameters}}
    where = reverse("api_night_acts", args=[world.night.public_id])
    for role, browser in browsers.items():
        with undone():
            answer = browser.post(where, body, content_type="application/json")
        code = answer.json().get("code", "")
        if wanted := right_code(role, NIGHT[name], "not_known"):
            assert code == wanted, role
        else:
            assert code not in {"not_host", "not_inside", "removed", "not_known", "banned", "bad_argument"}, role


def test_the_table_of_sockets_says_of_each_command_what_its_right_says() -> None:
    """roles_socket.txt, which test_roles.py plays: what the declared right refuses, and nobody else is refused so."""
    table = expected("roles_socket.txt")
    for name, act in COMMANDS.items():
        told = table[name]
        assert {told[role] for role in ("nobody", "waiting", "other", "kicked", "banned")} == {"-"}, name
        assert told["screen"] == "not_seated", name
        is_hosts, is_seats = act.right == TableRight.HOST, act.right == TableRight.SEAT
        assert (told["onlooker"] == "not_host", told["guest"] == "not_host") == (is_hosts, is_hosts), name
        assert told["host"] not in {"not_host", "not_seated"}, name
        assert (told["onlooker"] == "not_seated") == (is_seats and name != "table.leave"), name

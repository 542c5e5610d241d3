"""Numbers that no row can have, and numbers of 5,000 digits, are refused and never a failure (500)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.contrib import admin
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.models import Night, Player
from games.services.people import players
from tests.security.roles.roles import World, address, make_world, rows

NUMBERS = [str(2**63), "-" + str(2**63 + 1), "7" * 5000, "٣" * 20]
NAMES = ("page", "player", "opponent", "after", "cursor")
IN_ADDRESSES = [n for n in NUMBERS if n.isascii() and n.isdigit()]
FIELDS = (
    "player", "claim", "cap", "seat", "version", "revoke", "page", "days", "number", "opponent", "at", "first", "ended",
    "seat-0", "since", "code",
)  # fmt: skip


def forms() -> Iterator[dict[str, str]]:
    """Yield a form for each number: every field has every number once, and none is longer than a body may be."""
    for turn in range(len(NUMBERS)):
        yield {field: NUMBERS[(turn + place) % len(NUMBERS)] for place, field in enumerate(FIELDS)}


@pytest.fixture
def world(db: None) -> World:
    """A night with everybody, and no counts of requests from before."""
    cache.clear()
    return make_world()


def fails(browser: Client, method: str, where: str, body: object = None, kind: str = "") -> Iterator[str]:
    """Yield what was asked where the house failed."""
    cache.clear()
    browser.raise_request_exception = False
    if kind:
        answer = browser.generic(method.upper(), where, str(body), kind)
    else:
        answer = getattr(browser, method)(where, body or {})
    if answer.status_code >= 500:
        yield f"{method} {where[:90]} {str(body)[:60]}"


def test_no_address_fails_at_a_number_that_no_row_has(world: World) -> None:
    found = []
    browsers = [world.browser(role) for role in ("host", "staff")]
    for name, (method, at, parts) in rows().items():
        for key in {"player_id", "result_id", "number"} & parts.keys():
            for number in IN_ADDRESSES:
                usual = address(world, at, parts)
                old = str(world.people["guest"].pk) if key == "player_id" else None
                where = usual.replace(f"/{old}/", f"/{number}/") if old else _with_last(usual, number, name)
                for browser in browsers:
                    found += fails(browser, method, where, {}, "application/json" if "/api/" in where else "")
    assert found == []


def _with_last(where: str, number: str, name: str) -> str:
    """Put a number in the place of the last number of an address."""
    parts = where.split("/")
    at = max(i for i, part in enumerate(parts) if part.isdecimal())
    return "/".join([*parts[:at], number, *parts[at + 1 :]])


@pytest.mark.day(parts=9, turn=3)
def test_no_form_and_no_parameter_fails_at_such_a_number(world: World) -> None:
    found = []
    host = world.browser("host")
    for method, at, parts in rows().values():
        if at.startswith(("api_", "admin", "account_logout", "my_data_delete", "set_language")):
            continue
        if method == "post" and any(act in str(parts) for act in ("close", "give_host", "rotate", "start")):
            continue
        for fields in forms():
            found += fails(host, method, address(world, at, parts), {**fields, "nickname": "Hanna"})
    assert found == []


@pytest.mark.day(parts=9, turn=7)
def test_the_api_refuses_such_numbers(world: World) -> None:
    found = []
    host = world.browser("host")
    # An address names a seat, which a DELETE on the way frees: so they are worked out first.
    asked = [(method, address(world, at, parts)) for method, at, parts in rows().values() if at.startswith("api_")]
    for method, where in asked:
        for number in NUMBERS[:3]:
            if method == "get":
                for name in NAMES:
                    found += fails(host, "get", where, {name: number})
            elif number.isascii():
                body = f'{{"seat": {number}, "version": {number}, "basis": {number}, "id": "x", "name": "table.join"}}'
                found += fails(host, method, where, body, "application/json")
                args = f'{{"id": "x", "name": "table.join", "args": {{"player": {number}, "seat": {number}}}}}'
                found += fails(host, method, where, args, "application/json")
    assert found == []


@pytest.mark.day(parts=9, turn=2)
def test_the_admin_refuses_such_numbers(world: World) -> None:
    found = []
    staff = world.browser("staff")
    for model in filter(admin.site.is_registered, apps.get_models()):
        model_admin = admin.site.get_model_admin(model)
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        listed = reverse(f"{name}_changelist")
        for number in [str(2**63), "7" * 5000, "x"]:
            lookups = [spec if isinstance(spec, str) else spec[0] for spec in _lookups(model_admin)]
            for key in ("p", "q", "id__exact", "id__in", "night", "player", *lookups):
                found += fails(staff, "get", listed, {key: number})
            for act in ("change", "delete", "history"):
                found += fails(staff, "get", f"{listed}{number}/{act}/")
            for act in model_admin.get_actions(_request(staff)):
                found += fails(staff, "post", listed, {"action": act, "_selected_action": number})
            for act in getattr(model_admin, "acts", {}):
                found += fails(staff, "get", reverse(f"{name}_ask", args=[act]), {"ids": number})
            if model_admin.has_add_permission(_request(staff)):
                fields = {field.name: number for field in model._meta.get_fields()}
                found += fails(staff, "post", reverse(f"{name}_add"), fields)
    found += fails(staff, "get", f"/admin/games/night/{2**63}/files/results.csv/")
    assert found == []


def _request(staff: Client) -> object:
    """Return a request of the staff's browser."""
    answer = staff.get("/admin/")
    return answer.wsgi_request


def _lookups(model_admin: object) -> list[object]:
    """Return the fields that a list is filtered by."""
    return [spec for spec in getattr(model_admin, "list_filter", ()) if isinstance(spec, str | tuple)]


def test_services_know_nobody_by_such_a_number(host: Player, night: Night) -> None:
    for number in (2**63, -(2**70), 10**4999):
        assert players.current_player(number) is None
        assert players.current_players([host.pk, number]) == [host, None]

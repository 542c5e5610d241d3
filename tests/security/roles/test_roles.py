"""Who may do what: every page, act, API endpoint and socket command, for every role.

A new address or command without a line in the tables fails here.
"""

import pytest
from django.core.cache import cache
from django.db import transaction

from games.live import protocol
from games.services.tables import log
from games.services.tables.registry import COMMANDS
from tests.live.wire import Wire, connect, in_thread
from tests.security.roles import roles
from tests.security.roles.roles import ROLES, World, address, expected, line_of, told

PAGES, SOCKET = "roles_pages.txt", "roles_socket.txt"


_found: dict[str, dict[str, str]] = {}


@pytest.fixture
def asked(db):
    """Return what everybody is told at every address; asked once, for all tests."""
    if _found:
        return _found
    world = roles.make_world()
    browsers = {role: world.browser(role) for role in ROLES}
    cookies = {role: browser.cookies.copy() for role, browser in browsers.items()}
    for name, (method, url_name, wanted) in roles.rows().items():
        where = address(world, url_name, wanted)
        if told(world, browsers["nobody"], method, where) == "405":
            continue  # not offered to anybody
        _found[name] = {}
        for role, browser in browsers.items():
            cache.clear()
            log.forget_all()
            browser.cookies = cookies[role].copy()
            with transaction.atomic():
                _found[name][role] = told(world, browser, method, where)
                transaction.set_rollback(True)
    return _found


def differences(found: dict, table: dict) -> list[str]:
    """Return the lines that the table should have, for those that it has not."""
    return [line_of(name, values) for name, values in found.items() if table.get(name) != values]


def test_everybody_is_told_at_every_address_what_the_table_says(asked):
    wrong = differences(asked, expected(PAGES))
    assert wrong == [], "\n" + "\n".join(wrong)


def test_the_table_names_no_address_that_is_gone(asked):
    assert set(expected(PAGES)) - set(asked) == set()


OF_A_NIGHT = (
    "night", "table", "replay", "dice", "new_table", "api_night_", "api_t", "api_e", "api_comm",
)  # fmt: skip


def test_strangers_get_into_no_part_of_somebody_elses_night(asked):
    """The rule behind the table: what is a night's own opens to its members alone."""
    public = {"night_claim"}
    for name, values in asked.items():
        page = name.split()[1].split("/")[0]
        is_nights = page == "api_night" or page.startswith(OF_A_NIGHT)
        if not is_nights:
            continue
        for role in ("nobody", "other", "kicked", "banned"):
            is_let_in = values[role] == "200" or (values[role] == "302" and page not in public)
            assert not is_let_in or page.endswith("_live"), (name, role, values[role])


def test_the_admin_is_for_staff(asked):
    values = asked["GET admin:index"]
    assert values.pop("staff") == "200"
    assert set(values.values()) == {"login"}


# What a frame asks for. Seat 99 is none: who may ask hears that, who may not hears so first.
ARGS: dict[str, dict] = {"table.join": {}, "table.substitute": {"seat": 99, "bot": "low"}}
LAST = ("table.leave", "table.close", "table.end")


def house_commands() -> list[str]:
    """Return the house's commands, those that end something at the end."""
    return [*sorted(set(COMMANDS) - set(LAST)), *LAST]


FRAMES = {
    "ping": ({"type": "ping", "seq": None}, "pong"),
    "chat": ({"type": "chat", "id": "c", "text": "Hello."}, "chat"),
    "hint": ({"type": "hint", "id": "h"}, "hint"),
    "hand": ({"type": "hand", "seat": 99}, "hand"),
    "link": ({"type": "link", "k": 1, "link": "0" * 64}, "entry"),
    "away": ({"type": "away"}, "pong"),
    "back": ({"type": "back"}, "pong"),
    "command": ({"type": "command", "id": "g", "name": "bid", "args": {}, "basis": 0}, "entry"),
}


def answers(answer: dict, frame: dict, wanted: str) -> bool:
    """Tell whether this answers a frame: to a command, with its id."""
    is_own = frame["type"] != "command" or answer.get("id") == frame["id"]
    return is_own and answer["type"] in (wanted, "error")


async def outcome(wire: Wire, frame: dict, wanted: str) -> str:
    """Return the code of a refusal, or "ok"; a ping behind it ends the waiting.

    A welcome with another seat may show what a command has done: the command is sent again, as browsers do it.
    """
    await wire.send(frame)
    if wanted == "pong" and frame["type"] != "ping":
        await wire.send({"type": "ping", "seq": None})
    passed: list[dict] = []
    try:
        while not answers(answer := await wire.any(), frame, wanted):
            passed.append(answer)
            if answer["type"] == "welcome":
                await wire.send(frame)
    except TimeoutError:
        raise AssertionError(f"no answer to {frame}, but {passed}") from None
    return answer["code"] if answer["type"] == "error" else "ok"


async def by_socket(world: World, role: str) -> dict[str, str]:
    """Return what a role is told at the sockets of a night and of a table in it."""
    found = {}
    tv = (world.night,) if role == "screen" else ()
    for place, name in ((world.night, "night"), (world.playing, "table")):
        wire = await connect(place, world.people.get(role), tv=tv)
        if name == "table":
            await wire.send({"type": "hello", "protocol": 1, "seq": None})
        else:
            await wire.send({"type": "ping", "seq": None})
        first = await wire.any()
        while first["type"] == "changed":  # a night's page is told so when it is heard
            first = await wire.any()
        found[f"connect {name}"] = "ok" if first["type"] in ("welcome", "pong") else first["code"]
    for kind in [k for k in protocol._READERS if k != "hello"]:
        found[kind] = "-"
    found |= dict.fromkeys(house_commands(), "-")
    if found["connect table"] != "ok":
        return found
    await wire.next("state")
    for kind, (frame, wanted) in FRAMES.items():
        found[kind] = await outcome(wire, frame, wanted)
    for name in house_commands():
        args = ARGS.get(name, {"seat": 99})
        frame = {"type": "command", "id": f"do-{name}", "name": name, "args": args}
        found[name] = await outcome(wire, frame, "entry")
    await wire.leave()
    return found


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("role", [role for role in ROLES if role != "staff"])
async def test_every_frame_and_command_is_answered_as_the_table_says(role):
    world = await in_thread(roles.make_world)
    table = expected(SOCKET)
    found = await by_socket(world, role)
    assert found == {name: values[role] for name, values in table.items()}

"""Each act of the registries for each role: page and API refuse the same people, as its declared right says.

Nights have a table of their own (test_acts.py), and so have the commands of a running table (test_acting.py).
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import refusals
from games.kernel.contract import Illegal
from games.models import Webhook
from games.services.acts import ALL
from games.services.house_rules.sets import SetKeeper, keeper_of
from games.services.nights import membership
from games.services.people import accounts, players
from tests.security.roles import roles
from tests.security.roles.roles import ROLES, World
from tests.security.roles.test_acts import undone

AWAY, REGULAR = "away", "regular"
"""A guest of another host's night, and one of an earlier night of this host."""
EVERYBODY = (*ROLES, AWAY, REGULAR)
THINGS = sorted(set(ALL) - {"night", "command"})
ACCESS = frozenset(
    {
        *("not_known", "not_inside", "removed", "banned", "not_host", "not_organiser", "not_director"),
        *("not_series_organiser", "not_your_rules"),
    }
)
"""The codes with which somebody is refused for want of a right."""


@pytest.fixture
def world(db: None) -> World:
    """Return a world with people of other nights, too; the staff have a player."""
    found = roles.make_world()
    found.people |= {AWAY: players.new_guest("Away"), REGULAR: players.new_guest("Regular")}
    other = membership.host_night(found.people["other"], "Far away")
    membership.join(other, found.people[AWAY])
    found.people["staff"] = accounts.own_player(roles.get_user_model().objects.get(username="chief"), "Chief")
    earlier = membership.host_night(found.people["host"], "Last week")
    membership.join(earlier, found.people[REGULAR])
    return found


def about(world: World, thing: str) -> tuple[Any, dict[str, Any]]:
    """Return the thing of a kind that acts are about, and what is in its addresses."""
    series, night = world.date.series, world.night
    dated = {"key": series.key, "planned": world.date.planned.isoformat()}
    if thing == "webhook":
        hook = Webhook.objects.create(series=series, address="https://chat.example.org/in")
        return hook, {"public_id": hook.public_id}
    found: dict[str, Any] = {"owed": night, "table": world.lobby, "rules": world.rules, "series": series}
    found |= {"date": world.date, "tournament": world.tournament, "season": world.season}
    keys = {"series": {"key": series.key}, "date": dated}
    return found[thing], keys.get(thing) or {"public_id": found[thing].public_id}


def wanted(world: World, thing: str, act: str, role: str) -> bool:
    """Tell whether a role has the right to an act, by the act's declaration."""
    player = world.people.get(role)
    if player is None:
        return False
    sender: Any = player
    if thing == "rules":
        sender = keeper_of(player, player.user) if role == "staff" else SetKeeper(player)
    try:
        ALL[thing].check(about(world, thing)[0], sender, act)
    except Illegal as refusal:
        assert refusal.code in ACCESS | {"no_such_rules"}, refusal.code
        return False
    return True


def by_page(browser: Client, thing: str, act: str, where: dict[str, Any]) -> int:
    """Return the status of an empty form's answer, 403 for who is sent to log in."""
    name, key = ("rule_act", "name") if thing == "rules" else (f"{thing}_act", "act")
    with undone():
        answer = browser.post(reverse(name, kwargs={**where, key: act}))
        if answer.status_code == 302 and answer["Location"].startswith(reverse("account_login")):
            return 403
        return int(answer.status_code)


def by_api(browser: Client, thing: str, act: str, where: dict[str, Any]) -> str:
    """Return the code with which an act without arguments is refused, "" for none."""
    with undone():
        body = {"act": act, "args": {}}
        answer = browser.post(reverse(f"api_{thing}_acts", kwargs=where), body, content_type="application/json")
        return str(answer.json()["code"]) if answer.status_code >= 400 else ""


def fault(*, may: bool, status: int, code: str | None) -> bool:
    """Tell whether an act's answers by the page (status) and by the API (code; None: by no API) are not as they should.

    Without the right both refuse; with it the service may, for a reason of its own, and then tells so by both ways.
    """
    if not may:
        is_refused = code is None or code in ACCESS or (code != "" and refusals.refusal(code).status == 404)
        return status not in (401, 403, 404) or not is_refused
    # An argument that is missing is said before the service is asked, and an empty form has it as an empty text.
    if code is None or code == "bad_argument":
        return False
    says_no = refusals.refusal(code) if code else None
    return (status in (401, 403)) != (says_no is not None and says_no.page and says_no.status in (401, 403))


@pytest.mark.parametrize("thing", THINGS)
def test_page_and_api_refuse_an_act_to_the_same_people_as_its_right_says(thing: str, world: World) -> None:
    browsers = {role: world.browser(role) for role in EVERYBODY}
    # Taking a seat gives a browser a new session key, which does not stay.
    cookies = {role: browser.cookies.copy() for role, browser in browsers.items()}
    _about, where = about(world, thing)
    wrong = []
    for name, act in ALL[thing].items():
        for role, browser in browsers.items():
            browser.cookies = cookies[role].copy()
            status = by_page(browser, thing, name, where)
            browser.cookies = cookies[role].copy()
            code = None if act.by_page else by_api(browser, thing, name, where)
            if fault(may=wanted(world, thing, name, role), status=status, code=code):
                wrong.append(f"{thing} {name}: {role} hears {status} by the page, {code!r} by the API")
    assert wrong == [], "\n".join(wrong)


def test_planted_differences_of_page_and_api_are_found() -> None:
    assert fault(may=False, status=302, code="not_host")
    assert fault(may=False, status=403, code="")
    assert fault(may=False, status=403, code="bad_argument")
    assert fault(may=True, status=403, code="")
    assert fault(may=True, status=302, code="not_host")
    assert not fault(may=False, status=403, code="not_host")
    assert not fault(may=True, status=302, code="")

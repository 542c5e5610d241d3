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
from games.models import Player, Webhook
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


def wanted(world: World, thing: str, act: str, role: str, chief: Player) -> bool:
    """Tell whether a role has the right to an act, by the act's declaration."""
    player = chief if role == "staff" else world.people.get(role)
    if player is None:
        return False
    sender: Any = player
    if thing == "rules":
        sender = keeper_of(player, chief.user) if role == "staff" else SetKeeper(player)
    try:
        ALL[thing].check(about(world, thing)[0], sender, act)
    except Illegal as refusal:
        assert refusal.code in ACCESS, refusal.code
        return False
    return True


def by_page(browser: Client, thing: str, act: str, where: dict[str, Any]) -> tuple[int, str]:
    """Return the status of an empty form's answer, 403 for who is sent to log in; and what stands on the page."""
    name, key = ("rule_act", "name") if thing == "rules" else (f"{thing}_act", "act")
    with undone():
        answer = browser.post(reverse(name, kwargs={**where, key: act}))
        if answer.status_code == 302 and answer["Location"].startswith(reverse("account_login")):
            return 403, ""
        return answer.status_code, answer.content.decode()


def by_api(browser: Client, thing: str, act: str, where: dict[str, Any]) -> str:
    """Return the code with which an act without arguments is refused, "" for none."""
    with undone():
        body = {"act": act, "args": {}}
        answer = browser.post(reverse(f"api_{thing}_acts", kwargs=where), body, content_type="application/json")
        return str(answer.json()["code"]) if answer.status_code >= 400 else ""


@pytest.mark.parametrize("thing", THINGS)
def test_page_and_api_refuse_an_act_to_the_same_people_as_its_right_says(thing: str, world: World) -> None:
    browsers = {role: world.browser(role) for role in EVERYBODY}
    chief = accounts.own_player(roles.get_user_model().objects.get(username="chief"), "Chief")
    _about, where = about(world, thing)
    wrong = []
    for name, act in ALL[thing].items():
        for role, browser in browsers.items():
            status, _page = by_page(browser, thing, name, where)
            code = "" if act.by_page else by_api(browser, thing, name, where)
            may = wanted(world, thing, name, role, chief)
            own = refusals.refusal(code) if code else None
            allowed = own.status if own is not None and own.status != 400 else 302
            if (status in (401, 403, 404)) == may and not (may and status == allowed):
                wrong.append(f"{thing} {name}: {role} by the page {status}, may: {may}")
            if not act.by_page and (code in ACCESS or code.startswith("no_such")) == may:
                wrong.append(f"{thing} {name}: {role} by the API {code or 'done'}, may: {may}")
    assert wrong == [], "\n".join(wrong)

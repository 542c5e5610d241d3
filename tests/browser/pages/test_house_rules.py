"""House rules by clicking: an admin writes them down, a host puts them on the table."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.people import LAPTOP, PHONE, Person
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MakePerson = Callable[..., Person]
NARROW = {"width": 360, "height": 780}
# The house is described already: nobody is asked at the login.
ADMIN = (
    "from django.contrib.auth.models import User; from games.services import house; "
    "User.objects.filter(username='bar').exists() or "
    "house.answer(house.answers(), User.objects.create_superuser('bar', '', 'only-for-tests'))"
)


def log_in(admin: Person, server: Server, path: str) -> None:
    """Log the admin in, who then sees a page."""
    server.manage("shell", "-c", ADMIN)
    admin.page.goto(f"{server.url}/admin/login/?next={path}")
    admin.page.locator("#id_login").fill("bar")
    admin.page.locator("#id_password").fill("only-for-tests")
    admin.tap(re.compile("log in", re.I))
    admin.page.wait_for_url(f"**{path}")


def unfold(page: Page) -> None:
    """Open all groups of the form, and the fold around them."""
    for group in page.locator("details.options, #rules-more").all():
        group.evaluate("group => { group.open = true; }")


@pytest.mark.day(parts=17, turn=15)
def test_an_admin_makes_a_rule_set_and_a_host_uses_it(person: MakePerson, server: Server) -> None:
    admin = person("bar", screen=LAPTOP)
    log_in(admin, server, "/admin/games/houserules/")
    admin.tap(re.compile("add house rules", re.I), role="link")
    admin.tap(re.compile("^Chicago"), role="link")
    admin.tap(re.compile("^Bavarian"), role="link")
    page = admin.page
    unfold(page)
    # What depends on another option is off, with the reason, until it means something.
    expect(page.locator("#o-mats_fixed")).to_be_disabled()
    expect(page.get_by_text("The number of beer mats follows from the players.")).to_be_visible()
    page.locator("#o-mats").select_option("fixed")
    expect(page.locator("#o-mats_fixed")).to_be_enabled()
    page.locator("#o-mats_fixed").fill("7")
    # The card and the difference from the variant follow what is typed.
    expect(page.locator("#rules-card")).to_contain_text("In the stock at the start: 7 beer mats.")
    expect(page.locator("#rules-diff")).to_contain_text("Number of beer mats")
    page.locator("#o-mats_fixed").fill("700")
    page.get_by_label("Name of the rules").fill("Golden Lamb")
    page.get_by_label("Hosts may choose it, but change nothing").check()
    admin.tap("Save the rules")
    expect(page.get_by_text("This is a number from 1 to 60.")).to_be_visible()
    page.locator("#o-mats_fixed").fill("7")
    admin.tap("Save the rules")
    expect(page.get_by_role("heading", name="Golden Lamb", exact=True)).to_be_visible()
    admin.tap("Make it the default")
    expect(page.get_by_text("New tables start from these rules now.")).to_be_visible()

    host, guest = person("Hanna"), person("Kari")
    host.host_a_night("Thursday")
    night, link = host.page.url, host.link("j")
    host.page.goto(f"{night}tables/new/?game=chicago")
    expect(host.page.locator(".preset.chosen")).to_contain_text("Golden Lamb")
    expect(host.page.get_by_text("The house plays “Golden Lamb” as it is")).to_be_visible()
    unfold(host.page)
    expect(host.page.locator("#o-mats")).to_be_disabled()
    host.tap("Open the table")
    host.page.wait_for_url(re.compile(r"/table/"))
    guest.join(link)
    for one in (host, guest):
        expect(one.page.locator("#rules-card")).to_contain_text("Chicago: Golden Lamb")
        expect(one.page.locator("#rules-card")).to_contain_text("In the stock at the start: 7 beer mats.")
        one.accept_the_rules()

    # A change of the set reaches no table that is open.
    unfold(page)
    page.locator("#o-mats_fixed").fill("9")
    admin.tap("Save the rules")
    expect(page.locator(".set-history")).to_contain_text("7 → 9")
    host.tap("Start the game")
    expect(host.page.locator("chicago-table")).to_be_visible()
    state = guest.page.request.get(f"{server.url}/api/tables/{guest.page.url.rstrip('/').rsplit('/', 1)[1]}/").json()
    assert state["table"]["preset"] == "bavarian"
    assert "7" in str(state["state"]["view"]["stock"])


@pytest.mark.day(parts=17, turn=13)
def test_a_host_keeps_rules_under_a_name_and_starts_from_them_again(person: MakePerson) -> None:
    host = person("Hanna")
    host.host_a_night("Thursday")
    new = f"{host.page.url}tables/new/?game=chicago"
    host.page.goto(f"{new}&preset=classic")
    unfold(host.page)
    host.page.locator("#o-turn_seconds").fill("45")
    expect(host.page.locator("#rules-card")).to_contain_text("Seconds for each decision: 45.")
    host.page.get_by_label("Keep these rules under a name").fill("Our evening")
    host.tap("Open the table")
    host.page.wait_for_url(re.compile(r"/table/"))
    host.page.goto(new)
    host.tap(re.compile("Our evening"), role="link")
    expect(host.page.locator("#rules-card")).to_contain_text("Chicago: Our evening")
    expect(host.page.locator("#rules-card")).to_contain_text("Seconds for each decision: 45.")


def pages_of_house_rules(admin: Person, server: Server, name: str) -> list[str]:
    """Make a set on the site, change it, and return the addresses of its pages."""
    log_in(admin, server, "/house-rules/")
    admin.page.get_by_role("link", name="New rules for Chicago").click()
    edit = admin.page.url
    admin.page.get_by_label("Name of the rules").fill(name)
    admin.tap("Save the rules")
    admin.page.wait_for_url(re.compile(r"house-rules/[a-z0-9]{12}/$"))
    shown = admin.page.url
    admin.tap("Change", role="link")
    unfold(admin.page)
    admin.page.locator("#o-turn_seconds").fill("45")
    admin.tap("Save the rules")
    expect(admin.page.get_by_role("heading", name="History")).to_be_visible()
    imported = f"{server.url}/house-rules/import/"
    return [f"{server.url}/house-rules/", edit, shown, f"{shown}versions/1/", imported]


@pytest.mark.day(parts=17, turn=12)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_serious_on_pages_of_house_rules_and_none_scrolls_sideways(
    person: MakePerson, server: Server, dark: bool
) -> None:
    admin = person("bar", dark=dark)
    found: list[str] = []
    for path in pages_of_house_rules(admin, server, "Owl" if dark else "Lark"):
        admin.page.goto(path)
        for violation in Axe().run(admin.page).response["violations"]:
            if violation["impact"] in ("serious", "critical"):
                nodes = [node["html"][:160] for node in violation["nodes"][:3]]
                found.append(f"{path}: {violation['id']} {nodes}")
        admin.page.set_viewport_size(NARROW)
        wide = admin.page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth")
        if wide > 0:
            found.append(f"{path}: {wide} px too wide at 360 px")
        admin.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert found == []

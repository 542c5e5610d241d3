"""An admin's first login: the house is described on a phone, and every page knows it."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.gallery import contrast, names
from tests.browser.pages.test_accounts import PASSWORD
from tests.browser.people import TV, Person
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]
OWN_HOUSE = True

# A noisy picture of 1,600 pixels is far larger than what the house takes.
LARGE = """() => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1600, height: 900 });
  const pen = canvas.getContext("2d"), dots = pen.createImageData(1600, 900);
  for (let i = 0; i < dots.data.length; i += 4) dots.data.set([i % 251, i % 83, (i * 7) % 199, 255], i);
  pen.putImageData(dots, 0, 0);
  return canvas.toDataURL("image/png").split(",")[1];
}"""


def zones(page: Page) -> list[str]:
    """Return the time zones on offer."""
    return [text.strip() for text in page.locator("#time_zone option").all_inner_texts()[1:]]


def log_in_first(one: Person, server: Server) -> None:
    """Log in with the printed password."""
    printed = re.search(r'password "([^"]+)"', server.manage("admin"))
    assert printed
    one.page.goto(f"{server.url}/admin/")
    one.page.locator("#id_login").fill("admin")
    one.page.locator("#id_password").fill(printed[1])
    one.tap(re.compile("log in", re.I))
    expect(one.page.get_by_role("heading", name="Which house is this?")).to_be_visible()


def describe(page: Page) -> None:
    """Fill in the page, which proposes what the browser knows of the place, as somebody in Norway does."""
    expect(page.get_by_label("Country")).to_have_value("GB")
    expect(page.get_by_label("Time zone")).to_have_value("Europe/London")
    page.get_by_label("A password of your own").fill(PASSWORD)
    page.get_by_label("Name of the house").fill("Silver Calf")
    page.get_by_text("Country, time zone, language").click()
    page.get_by_label("Country").select_option(label="Norway")
    assert zones(page) == ["Europe/Oslo"]
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Oslo")
    page.get_by_label("What a point or a round costs").fill("A point: one krone.")
    picture = base64.b64decode(page.evaluate(LARGE))
    page.get_by_label("Logo").set_input_files({"name": "calf.png", "mimeType": "image/png", "buffer": picture})
    page.get_by_role("button", name="Save").click()


def test_the_first_login_describes_the_house_to_every_page(person: Callable[..., Person], server: Server) -> None:
    office = person("admin")
    line = office.context.new_cdp_session(office.page)
    line.send("Emulation.setTimezoneOverride", {"timezoneId": "Europe/London"})
    log_in_first(office, server)
    page = office.page
    faults = [*contrast.on_page(page), *names.unnamed(page)]
    assert faults == [], faults
    describe(page)
    page.wait_for_url("**/admin/")
    page.goto(f"{server.url}/house/")
    expect(page.get_by_label("Country")).to_have_value("NO")
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Oslo")
    host = person("Hanna")
    host.host_a_night("Thursday")
    brand = host.page.locator(".brand")
    expect(brand).to_have_text("Silver Calf")
    logo = brand.locator("img")
    expect(logo).to_have_js_property("naturalWidth", 512)
    link = host.link("tv")
    screen = person("TV", screen=TV)
    screen.page.goto(link)
    expect(screen.page.locator(".tv-left .house-face")).to_have_text("Silver Calf")
    host.page.goto(f"{host.page.url}results/")
    expect(host.page.locator(".price")).to_have_text("A point: one krone.")
    expect(host.page.locator(".house-face")).to_be_hidden()
    host.page.emulate_media(media="print")
    expect(host.page.locator(".house-face")).to_be_visible()

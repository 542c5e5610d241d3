"""In an engine that is older than the oldest browsers nobody sits down by mistake, and a screen is the plain one."""

from __future__ import annotations

import pytest

from tests.browser.people import LAPTOP, PHONE
from tests.engines.engines import ENGINES, Engine
from tests.engines.people import at_their_screens
from tests.server import Server

pytestmark = [pytest.mark.long, pytest.mark.server, pytest.mark.timeout(600)]

TELEVISION = (1280, 720)
TOO_OLD = "^This browser is too old to show a table.*the host gives you such a seat with one tap"
SEATED = "document.querySelectorAll('#lobby-seats li:not(.free-seat)').length"


@pytest.mark.parametrize("engine", [each for each in ENGINES if not each.plays], ids=lambda one: one.name)
def test_all_but_tables_works_and_the_screen_is_the_plain_one(engine: Engine, house: Server) -> None:
    with at_their_screens(engine, house.url, Hanna=LAPTOP, Kari=PHONE, TV=TELEVISION) as (host, guest, tv):
        night = host.host_a_night("Thursday")
        tv.open(host.link("tv"))
        tv.page.wait_for("() => location.pathname.endsWith('/plain/')")
        tv.see("h1", "^Come in and sit down$")
        link = host.link("j")
        host.open_table(night, "chicago", "classic")
        guest.open(link)
        guest.see("[data-too-old]", TOO_OLD)
        guest.picture("joining")
        guest.join(link)
        guest.see("#night-tables")
        guest.see("[data-too-old]", TOO_OLD)
        guest.picture("night")
        assert not guest.sees("button", "^Take a seat$")
        host.see("[data-too-old]", TOO_OLD)
        assert not host.sees("#accept")
        assert not host.sees("#lobby-seats .own")
        host.tap("#lobby-more > summary")
        for seats in (1, 2):
            host.tap("#lobby-bots button")
            host.page.wait_for(f"() => {SEATED} === {seats}")
        host.tap("#start")
        host.see("[data-too-old]", TOO_OLD)
        host.picture("table")
        tv.see(".picture svg")
        tv.see(".turn", "Ada|Bruno|throw")
        tv.picture("plain")
        host.open(f"{night}results/")
        host.see("h1")
